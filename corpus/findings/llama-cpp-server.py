"""llama-server, whole and streamed, of a tiny model that says given tokens.

Usage: python3 llama-cpp-server.py path/to/llama-server   Needs: gguf, numpy.
"""
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import gguf
import numpy as np


def model_that_says(tokens, path, prompt):
    """A tiny GPT-2: after the prompt, the n-th position embedding is the n-th unit vector, and the output matrix maps
    it to token n. All else is zero, so greedy sampling gives just these tokens, then the end token."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    char = {byte: chr(byte) for byte in plain} | {byte: chr(256 + n) for n, byte in enumerate(rest)}
    vocabulary = ["<end>", *char.values()]
    names = ["".join(char[byte] for byte in token) for token in tokens]
    vocabulary += [name for name in dict.fromkeys(names) if name not in vocabulary]
    position, output = np.zeros((256, 32), np.float32), np.zeros((len(vocabulary), 32), np.float32)
    for n, name in enumerate([*names, "<end>"][:257 - prompt]):
        position[prompt - 1 + n, n] = output[vocabulary.index(name), n] = 1
    file = gguf.GGUFWriter(path, "gpt2")
    for name, value in {"context_length": 256, "embedding_length": 32, "block_count": 1, "feed_forward_length": 32,
                        "attention.head_count": 1}.items():
        file.add_uint32(f"gpt2.{name}", value)
    file.add_layer_norm_eps(1e-5)
    file.add_tokenizer_model("gpt2")
    file.add_tokenizer_pre("gpt-2")
    file.add_token_list(vocabulary)
    file.add_token_types([gguf.TokenType.CONTROL] + [gguf.TokenType.NORMAL] * (len(vocabulary) - 1))
    file.add_token_merges(["Ġ Ġ"])
    file.add_bos_token_id(0)
    file.add_eos_token_id(0)
    file.add_add_bos_token(False)
    tensors = {"token_embd.weight": np.zeros_like(output), "position_embd.weight": position, "output.weight": output}
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        tensors |= {f"{name}.weight": np.ones(32, np.float32), f"{name}.bias": np.zeros(32, np.float32)}
    for name, rows in {"attn_qkv": 96, "attn_output": 32, "ffn_up": 32, "ffn_down": 32}.items():
        tensors |= {f"blk.0.{name}.weight": np.zeros((rows, 32), np.float32),
                    f"blk.0.{name}.bias": np.zeros(rows, np.float32)}
    for name, tensor in tensors.items():
        file.add_tensor(name, tensor)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def ask(port, path, body=None):
    """The answer, when the server is up."""
    data = None if body is None else json.dumps(body).encode()
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", data, timeout=60) as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.1)
    sys.exit("llama-server does not answer")


def show(tokens, prompt=1, options=(), **request):
    """What llama-server makes of these tokens, not streamed and streamed."""
    print("tokens ", tokens, request, *options)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        model_that_says(tokens, file.name, prompt)
        command = [sys.argv[1], "-m", file.name, "--port", str(port), "-c", "256", "-np", "1",
                   *(file.name if option == "SAME" else option for option in options)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            ask(port, "health")
            body = {"prompt": "!" * prompt, "temperature": 0, **request}
            whole = json.loads(ask(port, "completion", body))
            lines = ask(port, "completion", {**body, "stream": True}).splitlines()
            pieces = [json.loads(line[6:])["content"] for line in lines if line.startswith("data: {")]
        finally:
            server.terminate()
            server.wait()
    print("whole  ", repr(whole["content"]), whole["stop_type"], whole["tokens_predicted"], "tokens")
    print("stream ", pieces)


print("a stop that ends in a token which also begins a character")
# A token with the end of the stop and the first bytes of an emoji: " \xf0\x9f" is a token of many vocabularies.
show([b"Yes", b" \xf0\x9f", b"\x98\x80", b" No", b"."], stop=[" "], n_predict=3)
show([b"User", b":", b" \xf0\x9f", b"\x98\x80"], stop=["User: "])

print("text that is held back at the limit")
# The last tokens may be the start of the stop, so they are held back; then the limit is reached.
show([b"the ", b"E", b"N", b"x"], stop=["END"], n_predict=3)
# The end token comes while a character is incomplete: what was held back before is lost as well.
show([b"the ", b"E", b"\xf0\x9f"], stop=["END"])

print("a draft model at the end of the context")
# A context of 256 tokens, 251 of them prompt; without and with a draft model (the same file, so always right).
DRAFT = ["-md", "SAME", "--spec-type", "draft-simple", "--spec-draft-n-max", "3"]
show([b"a", b"b", b"c", b"d"], prompt=251)
show([b"a", b"b", b"c", b"d"], prompt=251, options=DRAFT)

print("an empty stop")
show([b"Hi", b" you", b"."], stop=[""])
show([b"Hi", b" you", b"."], stop=["!", ""])
show([b"Hi", b" you", b"."], stop="")
