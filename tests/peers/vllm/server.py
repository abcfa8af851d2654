"""vLLM's own OpenAI server (`vllm serve`), asked over HTTP on this machine, with the vocabulary that litellm ships.

The server is a process of its own, with the engine in another; its tokenizer and end token are those it was started
with. It takes the dictated tokens from a request's `vllm_xargs`, by the same logits processor.
"""
import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import peer
from byte_level import bytes_of, shipped_vocabulary
from lane import Lane, rejected
from vocabulary import PROMPT

HERE = os.path.dirname(os.path.abspath(__file__))
EOS = 0  # <EOT> of this vocabulary
CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 65536, "hidden_size": 64,
          "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2,
          "head_dim": 32, "max_position_embeddings": 2048, "dtype": "float32", "bos_token_id": None,
          "eos_token_id": EOS, "tie_word_embeddings": False}
TOKENIZER = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<EOT>"}
MEMBERS = ("stop", "stop_token_ids", "min_tokens", "max_tokens", "ignore_eos", "include_stop_str_in_output",
           "skip_special_tokens")


def unsupported(case):
    """Why the server cannot be given this case, which it has no way to be asked or was not started for, or None."""
    request = case.get("request") or {}
    for member in ("max_context", "repetition", "abort_after_step"):
        if request.get(member) is not None or case.get(member) is not None:
            return f"{member} is not asked for over HTTP here"
    if (request.get("eos_token_ids") or [EOS]) != [EOS]:
        return f"the server was started with the end token {EOS}"
    if case.get("prompt_tokens") not in (None, 10):
        return "the server is asked with a prompt of 10 tokens"
    vocabulary = served_bytes()
    for id, text, special in peer.tokens_of(case):
        if vocabulary.get(id) != (text, special):
            return f"id {id} is not so in the server's vocabulary"
    return None


@functools.cache
def served_bytes():
    """id -> (bytes, special) of the server's vocabulary."""
    return bytes_of(shipped_vocabulary())


class Server:
    def __init__(self, seconds=600):
        self.folder = tempfile.TemporaryDirectory()
        for name, content in (("config.json", CONFIG), ("tokenizer_config.json", TOKENIZER)):
            with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
                json.dump(content, file)
        shutil.copy(shipped_vocabulary(), os.path.join(self.folder.name, "tokenizer.json"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        environment = {**os.environ, "PYTHONPATH": HERE, "VLLM_CPU_KVCACHE_SPACE": "1", "HF_HUB_OFFLINE": "1",
                       "VLLM_NO_USAGE_STATS": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind", "OMP_NUM_THREADS": "1"}
        environment.pop("VLLM_ENABLE_V1_MULTIPROCESSING", None)
        command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", self.folder.name,
                   "--host", "127.0.0.1", "--port", str(self.port), "--load-format", "dummy", "--dtype", "float32",
                   "--enforce-eager", "--max-model-len", "2048", "--no-enable-prefix-caching",
                   "--logits-processors", "dictate:Dictate", "--served-model-name", "tiny",
                   "--generation-config", "vllm"]
        self.process = subprocess.Popen(command, env=environment, cwd=self.folder.name, stdout=2)
        self.wait(seconds)

    def wait(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).close()
                return
            except OSError:
                time.sleep(1)
        self.stop()
        raise SystemExit("the server did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def ask(self, case):
        """The events of one streamed completion; ValueError with the answer if it is refused."""
        body = {name: value for name, value in case["request"].items() if name in MEMBERS}
        ids = [id for id, _, _ in peer.tokens_of(case)]
        body.update(model="tiny", prompt=PROMPT, temperature=0, stream=True, stream_options={"include_usage": True},
                    return_token_ids=True, vllm_xargs={"dictate": ids})
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/completions", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                events = answer.read().decode().split("\n\n")
        except urllib.error.HTTPError as refused:
            raise ValueError(refused.read().decode()) from None
        return [event.removeprefix("data: ") for event in events if event]

    def result(self, case):
        """Where the engine got ahead of the server, two steps come as one piece (RequestOutputCollector says so): then
        the same is asked again, so that a busy machine does not show in the recordings."""
        for _ in range(9):
            lane, usage, done = Lane(case, [id for id, _, _ in peer.tokens_of(case)]), {}, 0
            try:
                events = self.ask(case)
            except ValueError as reason:
                return rejected(reason)
            for event in events:
                if event == "[DONE]":
                    done += 1
                    continue
                chunk = json.loads(event)
                if "error" in chunk:
                    return {"unsupported": f"the server answered {chunk['error']}"}
                for choice in chunk["choices"]:
                    ids = choice.get("token_ids") or []
                    lane.take(choice["text"], ids, choice["finish_reason"], choice["stop_reason"])
                usage = chunk.get("usage") or usage
            if lane.counts == list(range(1, len(lane.counts) + 1)):
                break
        else:
            return {"unsupported": "the engine is ahead of the server each time"}
        result = lane.result(True)
        if "unsupported" not in result:
            result.update(tokens=usage["completion_tokens"], terminals=done)
        return result
