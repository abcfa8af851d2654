#!/usr/bin/env python3
"""Drives SGLang's code for the end of a lane with cases: one case a line in, one result a line out, in order.

  --mode text|stream      a request that is not streamed (the default), or one that is
  --vocabulary case|shipped  a byte-level vocabulary made of each case's own tokens (the default); or the one of the
                          litellm package, and a case with other bytes is unsupported
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import peer
from byte_level import bytes_of, shipped_vocabulary
from engine import Engine, Refused, run
from vocabulary import of_tokens

CANNOT = {
    "stop_token_sequences": "SamplingParams has no stop sequences of ids",
    "max_context": "the scheduler, which is not driven, ends lanes at the length of the context",
    "deadline_steps": "SamplingParams has no deadline",
    "repetition": "SamplingParams has no end by repetition",
    "abort_after_step": "the scheduler, which is not driven, takes requests to abort",
    "external_end": "grammars are not driven",
    "sink": "the server, which is not driven, has the connection",
}
LISTS = {"stop": str, "stop_token_ids": int, "eos_token_ids": int}


def unsupported(case):
    """Why the engine has no way to be given this case, or None."""
    request = case.get("request") or {}
    if why := peer.first_unsupported(case, CANNOT):
        return why
    for member, kind in LISTS.items():
        values = request.get(member) or []
        values = values if isinstance(values, list) else [values]
        values = [value.get("text") if isinstance(value, dict) else value for value in values]
        if not all(isinstance(value, kind) and not isinstance(value, bool) for value in values):
            return "the server, which is not driven, looks at types"
    stops = request.get("stop") if isinstance(request.get("stop"), list) else []
    if any(isinstance(stop, dict) and stop.get("priority") for stop in stops):
        return "stop strings have no priorities"
    if request.get("flush") not in (None, {"steps": 1}):
        return "the streamer decides by itself when to send"
    if any(not isinstance(request.get(member) or 0, int) for member in ("max_tokens", "min_tokens")):
        return "the server, which is not driven, looks at types"
    if request.get("max_tokens") == 0:
        return "the scheduler, which is not driven, ends a lane of no tokens"
    if not case.get("steps") or not all(case["steps"]):
        return "no tokens, or a step without one"
    ends = {*(request.get("eos_token_ids") or []), *(request.get("stop_token_ids") or [])}
    if any(id in ends for id, _, _ in peer.tokens_of(case)[:request.get("min_tokens") or 0]):
        return "min_new_tokens forbids an end token that the case has before its time"
    return None


class Adapter:
    def __init__(self, vocabulary, mode):
        self.mode, self.engine, self.known = mode, None, None
        self.folder = tempfile.TemporaryDirectory(prefix="sglang-")
        if vocabulary == "shipped":
            self.known = bytes_of(shipped_vocabulary())
            with open(shipped_vocabulary(), encoding="utf-8") as file:
                self.open(file.read())

    def open(self, text):
        with open(os.path.join(self.folder.name, "tokenizer.json"), "w", encoding="utf-8") as file:
            file.write(text)
        self.engine = Engine(self.folder.name)

    def ids(self, case):
        """Makes the engine know the case's tokens, and says its id of each of their ids."""
        tokens = peer.tokens_of(case)
        if self.known is None:
            text, mine = of_tokens(tokens, (case.get("request") or {}).get("skip_special_tokens") is False)
            self.open(text)
            return mine
        for id, text, special in tokens:
            if self.known.get(id) != (text, special):
                raise ValueError(f"id {id} is {self.known.get(id)} in the vocabulary, {text!r} in the case")
        return {id: id for id, _, _ in tokens}

    def answer(self, case):
        if why := unsupported(case):
            return {"unsupported": why}
        request = dict(case.get("request") or {})
        try:
            mine = self.ids(case)
            theirs = {id: token for token, id in mine.items()}
            for member in ("eos_token_ids", "stop_token_ids"):
                request[member] = [mine[id] for id in request.get(member) or [] if id in mine]  # others cannot come
            steps = [[mine[token["id"]] for token in step] for step in case["steps"]]
            result = run(self.engine, steps, request, self.mode == "stream")
        except ValueError as reason:
            return {"unsupported": str(reason)}
        except Refused as reason:
            return peer.rejected(reason)
        if result is None:
            return {"unsupported": "nothing is shown before the end, and these tokens bring none"}
        for member in ("token_ids", "stop_reason"):
            if isinstance(result.get(member), list):
                result[member] = [theirs[id] for id in result[member]]
            elif isinstance(result.get(member), int):
                result[member] = theirs[result[member]]
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=("text", "stream"), default="text")
    parser.add_argument("--vocabulary", choices=("case", "shipped"), default="case")
    options = parser.parse_args()
    peer.adapter(Adapter(options.vocabulary, options.mode).answer)


if __name__ == "__main__":
    main()
