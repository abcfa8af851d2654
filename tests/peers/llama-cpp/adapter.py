#!/usr/bin/env python3
"""Drives llama.cpp with cases: one case a line in, one result a line out, in order (spec/formats.md).

  --mode text          what llama-cpp-python's `create_completion` returns (the default)
  --mode stream        what it hands out with stream=True, each piece with the number of its step
  --mode server        what the server of llama-cpp-python streams (llama_cpp.server, /v1/completions)
  --mode llama-server  what llama.cpp's own server streams (/completion); --binary says where it is
  --mode llama-server-text  the same, not streamed

A step of several tokens is taken with a draft model, which the server of llama-cpp-python cannot be given.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import engine
import peer
from model import Impossible

MODES = ("text", "stream", "server", "llama-server", "llama-server-text")
CANNOT = {
    "stop_token_sequences": "there are no stop sequences of ids",
    "stop_token_ids": "a request has no stop tokens: only the model file says which tokens end a lane",
    "deadline_steps": "there is no limit in steps",
    "repetition": "there is no end by repetition",
    "include_stop_str_in_output": "the stop is always cut off",
    "abort_after_step": "a client can only close the connection, at no certain step",
    "external_end": "there are no external ends",
    "sink": "the caller cannot put off or refuse a piece",
    "vocab": "the vocabulary is made of the case's own tokens",
}


def unsupported(case, mode):
    """Why the engine has no way to be given this case, or None."""
    request = case.get("request")
    if request is not None and not isinstance(request, dict):
        return "the request is no object"
    request = request or {}
    why = peer.first_unsupported(case, CANNOT)
    if why:
        return why
    if request.get("skip_special_tokens") is False and not mode.startswith("llama-server"):
        return "special tokens are never shown"
    if request.get("min_tokens") and mode != "server":
        return "there is no min_tokens"
    ends = request.get("eos_token_ids") or []
    if not isinstance(ends, list) or len(ends) > 256 or not all(isinstance(id, int) and id >= 0 for id in ends):
        return "end tokens are not part of a request"
    for member in ("ignore_eos", "skip_special_tokens"):
        if not isinstance(request.get(member, False), (bool, type(None))):
            return f"{member} is not part of a request"
    if request.get("flush") not in (None, {"steps": 1}):
        return "the engine decides by itself when to send"
    stops = request.get("stop")
    if any(isinstance(stop, dict) for stop in (stops if isinstance(stops, list) else [stops])):
        return "stop strings have no priorities"
    steps = case.get("steps") or []
    if not steps:
        return "no tokens"
    if any(not step for step in steps):
        return "each step brings a token"
    if len(steps[0]) > 1:
        return "the step of the prompt brings one token"
    if mode == "server" and any(len(step) > 1 for step in steps):
        return "the server has no draft model of its own but prompt lookup"
    return None


def shipped_binary():
    """Where llama-server lies in the environment: beside the library of the Python package."""
    return os.path.join(os.path.dirname(engine.llama_cpp.__file__), "lib", "llama-server")


class Adapter:
    """Answers cases in one mode; a server is started with the first of them."""

    def __init__(self, mode, binary=None):
        self.mode, self.binary, self.server = mode, binary, None

    def answer(self, case):
        why = unsupported(case, self.mode)
        if why:
            return {"unsupported": why}
        try:
            if self.mode in ("text", "stream"):
                return engine.run(case, self.mode == "stream")
            if self.server is None:
                from server import LlamaServer, PythonServer
                self.server = PythonServer() if self.mode == "server" else LlamaServer(
                    self.binary or shipped_binary(), self.mode == "llama-server")
            return self.server.run(case)
        except Impossible as reason:
            return {"unsupported": str(reason)}

    def close(self):
        if self.server:
            self.server.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=MODES, default="text")
    parser.add_argument("--binary", help="llama-server; without it, the one beside the library of the Python package")
    options = parser.parse_args()
    adapter = Adapter(options.mode, options.binary)
    try:
        peer.adapter(adapter.answer)
    finally:
        adapter.close()


if __name__ == "__main__":
    main()
