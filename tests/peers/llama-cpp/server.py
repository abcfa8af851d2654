"""The engine's two servers, each on a port of 127.0.0.1: llama_cpp.server (of llama-cpp-python) and llama-server."""
import concurrent.futures
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from engine import OUT_OF_TOKENS, Lane, step_of, still_open, streamed
from model import CONTEXT, Impossible, Vocabulary, write
from peer import rejected

REASONS = {"word": {"finish_reason": "stop", "cause": "stop_string"}, "eos": {"finish_reason": "stop", "cause": "eos"},
           "limit": {"finish_reason": "length"}}
DRAFTED = 3  # tokens that the draft model of llama-server guesses
WAIT = 60  # seconds for anything


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server process, and requests to it."""

    def __init__(self, command, port, folder):
        self.port = port
        self.log = open(os.path.join(folder, "server.log"), "a", encoding="utf-8")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def ready(self, path):
        end = time.monotonic() + WAIT
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self.send("GET", path)[0] == 200:
                    return self
            except OSError:
                pass
            time.sleep(0.02)
        self.log.flush()
        with open(self.log.name, encoding="utf-8") as log:
            raise RuntimeError("the server did not start: " + log.read()[-2000:])

    def send(self, method, path, body=None):
        """Status and the whole body: of a stream, what came until the connection was closed or the end was told."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            text = None if body is None else json.dumps(body).encode()
            connection.request(method, path, text, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def events(body):
    """The data of the server-sent events of a body, in order."""
    lines = [line.removesuffix(b"\r").decode() for line in body.split(b"\n")]
    return [line[len("data: "):] for line in lines if line.startswith("data: ")]


def serve(arguments):
    """llama_cpp.server as it is, but that the id of each piece tells how many tokens the engine has evaluated."""
    import llama_cpp
    from llama_cpp.server.__main__ import main

    call = llama_cpp.Llama.__call__

    def tell(self, *positional, **named):
        for piece in call(self, *positional, **named):
            yield {**piece, "id": str(self.n_tokens)}

    llama_cpp.Llama.__call__ = tell
    sys.argv[1:] = arguments
    main()


class PythonServer:
    """llama_cpp.server with two models, which it loads when they are asked for: the file of the one that it does not
    use just now is written anew for each case."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.turn, self.port = 0, free_port()
        models = []
        for name in ("a", "b"):
            path = os.path.join(self.folder.name, f"{name}.gguf")
            write(path, Vocabulary(), {})
            models.append({"model": path, "model_alias": name, "n_ctx": CONTEXT, "n_threads": 1, "n_threads_batch": 1,
                           "verbose": False})
        config = os.path.join(self.folder.name, "config.json")
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"host": "127.0.0.1", "port": self.port, "models": models}, file)
        command = [sys.executable, os.path.abspath(__file__), "--config_file", config]
        self.server = Server(command, self.port, self.folder.name).ready("/v1/models")

    def run(self, case):
        request = case.get("request") or {}
        self.turn += 1
        name = "ab"[self.turn % 2]
        lane = Lane(case)
        if lane.context != CONTEXT:
            raise Impossible("the server was started with one length of context")
        lane.write(self.folder.name, f"{name}.gguf")
        body = {"model": name, "prompt": "".join(lane.prompt), "temperature": 0.0, "repeat_penalty": 1.0,
                "stream": True, "max_tokens": request.get("max_tokens")}  # null: no limit but the context
        body.update({member: request[member] for member in ("stop", "min_tokens") if request.get(member) is not None})
        status, answer = self.server.send("POST", "/v1/completions", body)
        if status != 200:
            return rejected(f"HTTP {status}: {answer.decode()[:300]}")
        pieces = [json.loads(event) for event in events(answer) if event != "[DONE]"]
        # When token n is looked at, the prompt and the n - 1 tokens before it have been evaluated.
        return streamed(case, ((piece, int(piece["id"]) - len(lane.prompt) + 1) for piece in pieces))

    def close(self):
        self.server.stop()
        self.folder.cleanup()


class LlamaServer:
    """llama-server, one process for each case (or the cases of a batch), since a model file dictates only these."""

    def __init__(self, binary, stream=True):
        self.binary, self.stream = binary, stream

    def run(self, case):
        return self.batch([case])[0]

    def batch(self, cases, prompts=False):
        """The cases run together, as requests that come at once. Each has its own part of the positions of one model
        file: a prompt that is longer by so many tokens leads to its tokens. `prompts`: also how long they were."""
        visible = any((case.get("request") or {}).get("skip_special_tokens") is False for case in cases)
        vocabulary, lanes, later = Vocabulary(), [], 0
        for case in cases:
            lanes.append(Lane(case, vocabulary, visible, later))
            later += len(lanes[-1].ids) + 16
        if any(lane.context != lanes[0].context for lane in lanes):
            raise Impossible("the rows of a batch have one length of context")
        places = {position: id for lane in lanes for position, id in lane.places.items()}
        with tempfile.TemporaryDirectory() as folder:
            path, port = os.path.join(folder, "lane.gguf"), free_port()
            write(path, vocabulary, places, lanes[0].context)
            command = [self.binary, "-m", path, "--host", "127.0.0.1", "--port", str(port), "-c", str(lanes[0].context),
                       "-np", str(len(cases)), "-t", "1", "-tb", "1", "--no-warmup", "--fit", "off", "--offline",
                       "--no-ui", "-kvu"] + (["--special"] if visible else [])
            if any(len(step) > 1 for step in cases[0]["steps"]):
                command += ["-md", self.draft(folder, cases[0], lanes[0]), "--spec-type", "draft-simple",
                            "--spec-draft-n-max", str(DRAFTED), "-td", "1", "-tbd", "1"]
            server = Server(command, port, folder)
            try:
                server.ready("/health")
                with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
                    results = list(pool.map(lambda case, lane: self.ask(server, case, lane), cases, lanes))
                    return (results, [len(lane.prompt) for lane in lanes]) if prompts else results
            finally:
                server.stop()

    def draft(self, folder, case, lane):
        """The file of a draft model that is right about the tokens of a step but its last, so that there it ends."""
        if any(len(step) > DRAFTED + 1 for step in case["steps"]):
            raise Impossible(f"a draft has at most {DRAFTED} tokens")
        places, position = dict(lane.places), min(lane.places) - 1
        for step in case["steps"]:
            position += len(step)
            if position in places:
                places[position] = lane.vocabulary.entries["<wrong>"]
        path = os.path.join(folder, "draft.gguf")
        write(path, lane.vocabulary, places, lane.context)
        return path

    def ask(self, server, case, lane):
        request = case.get("request") or {}
        body = {"prompt": "".join(lane.prompt), "temperature": 0.0, "repeat_penalty": 1.0, "samplers": ["temperature"],
                "stream": self.stream, "return_tokens": True}
        if request.get("max_tokens") is not None:
            body["n_predict"] = request["max_tokens"]
        if request.get("stop") is not None:
            body["stop"] = request["stop"]
        status, answer = server.send("POST", "/completion", body)
        if status != 200:
            return rejected(f"HTTP {status}: {answer.decode()[:300]}")
        if not self.stream:
            return self.result(case, lane, [json.loads(answer)])
        return self.result(case, lane, [json.loads(event) for event in events(answer) if event != "[DONE]"])

    def result(self, case, lane, chunks):
        deltas, steps, ids, ends = [], [], [], []
        for chunk in chunks:
            token = chunk["tokens_predicted"]
            if token > len(lane.ids):
                return still_open(deltas, steps) if self.stream else {"unsupported": OUT_OF_TOKENS}
            if chunk["content"]:
                deltas.append(chunk["content"])
                steps.append(step_of(case, max(token, 1)))
            ids += chunk["tokens"]
            if chunk["stop"]:
                ends.append(chunk)
        result = {"deltas": deltas, "delta_steps": steps} if self.stream else {}
        result["text"] = "".join(deltas)
        if ends:
            end = ends[0]
            result.update(REASONS[end["stop_type"]])
            if end["stop_type"] == "word":
                result["stop_reason"] = end["stopping_word"]
            result["tokens"] = end["tokens_predicted"]
            if self.stream:
                result["terminals"] = len(ends)
            else:  # a stream leaves out the ids that came with half a character
                if ids != lane.ids[:len(ids)]:
                    raise RuntimeError(f"{case['case']}: dictated {lane.ids}, sampled {ids}")
                result["token_ids"] = [id for id, _, _ in lane.tokens[:len(ids)]]
            self.check_steps(case, end)
        return result

    def check_steps(self, case, end):
        """That the engine accepted the drafts that the case's steps have. A limit makes the last draft shorter."""
        steps = case["steps"][:step_of(case, max(end["tokens_predicted"], 1))]
        drafted = sum(len(step) - 1 for step in steps)
        accepted = end["timings"].get("draft_n_accepted", 0)
        if accepted != drafted and not (end["stop_type"] == "limit" and accepted < drafted):
            raise RuntimeError(f"{case['case']}: {drafted} tokens are drafted up to the end, {accepted} were accepted")

    def close(self):
        pass


if __name__ == "__main__":
    serve(sys.argv[1:])
