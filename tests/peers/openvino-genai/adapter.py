#!/usr/bin/env python3
"""Drives OpenVINO GenAI with cases: one case a line in, one result a line out, in order (spec/formats.md).

  --mode text|stream      what LLMPipeline.generate returns, decoded (the default), or what TextStreamer hands out.
                          Steps of several tokens are made with a draft model in both
  --vocabulary case|FILE  a byte-level vocabulary made of each case's own tokens (the default); or a tokenizer.json,
                          and a case with other bytes is unsupported; "shipped" is the one of the litellm package
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import peer
from byte_level import shipped_vocabulary
from engine import Impossible, Lanes, Refused, decoding, run_batch, run_stream, run_text, sizes_of_steps
from model import Vocabulary

CANNOT = {
    "stop_token_sequences": "GenerationConfig has no stop sequences of ids",
    "max_context": "the engine does not end a lane at the length of the context",
    "deadline_steps": "GenerationConfig has no deadline",
    "repetition": "GenerationConfig has no end by repetition",
    "abort_after_step": "stop flags are not driven yet",
    "external_end": "grammars are not driven yet",
    "sink": "a callback that says stop is not driven yet",
}


def unsupported(case):
    """Why the engine has no way to be given this case, or None."""
    request = case.get("request") or {}
    why = peer.first_unsupported(case, CANNOT)
    stops = request.get("stop") or []
    stops = stops if isinstance(stops, list) else [stops]
    if why is None and any(isinstance(stop, dict) and stop.get("priority") for stop in stops):
        why = "stop strings have no priorities"
    if why is None and request.get("flush") not in (None, {"steps": 1}):
        why = "TextStreamer decides by itself when to send"
    if why is None and (not case.get("steps") or not all(case["steps"])):
        why = "no tokens, or a step without one"
    return why


def differs(tokens, vocabulary):
    """What the vocabulary has otherwise than the case, or None."""
    for id, text, special in tokens:
        if id not in vocabulary.mine:
            return f"id {id} is not in the vocabulary"
        mine = vocabulary.mine[id]
        if vocabulary.bytes[mine] != text or (mine in vocabulary.special) != special:
            return f"id {id} is {vocabulary.bytes[mine]!r} in the vocabulary, {text!r} in the case (or in one special)"
    return None


class Adapter:
    def __init__(self, vocabulary, mode):
        self.name, self.mode = vocabulary, mode
        self.folder = tempfile.TemporaryDirectory(prefix="openvino-genai-")
        self.shared = None
        if vocabulary != "case":
            path = shipped_vocabulary() if vocabulary == "shipped" else vocabulary
            self.shared = Vocabulary.from_file(path, self.folder.name)

    def vocabulary(self, case):
        tokens = peer.tokens_of(case)
        if self.shared is None:
            visible = not decoding(case.get("request") or {})["skip_special_tokens"]
            return Vocabulary.from_tokens(tokens, self.folder.name, visible)
        if why := differs(tokens, self.shared):
            raise ValueError(why)
        return self.shared

    def lanes(self, cases):
        vocabulary = self.vocabulary(cases[0])
        rows = [[vocabulary.mine[id] for id, _, _ in peer.tokens_of(case)] for case in cases]
        return Lanes(vocabulary, rows, cases[0]["steps"] if len(cases) == 1 else None)

    def answer(self, case):
        if why := unsupported(case):
            return {"unsupported": why}
        request = case.get("request") or {}
        try:
            with self.lanes([case]) as lanes:
                lanes.config(request)
                if lanes.forbidden(request):
                    return {"unsupported": "min_new_tokens forbids an end token that the case has before its time"}
                if lanes.drafted and (sizes := sizes_of_steps(lanes)) != [len(step) for step in case["steps"]]:
                    return {"unsupported": f"the engine takes these tokens in steps of {sizes}"}
                if self.mode == "stream":
                    return run_stream(lanes, request, len(case["steps"]))
                return run_text(lanes, request)
        except (ValueError, Impossible) as reason:
            return {"unsupported": str(reason)}
        except Refused as reason:
            return peer.rejected(reason)

    def answer_batch(self, cases):
        """The results of cases with one request, which run together."""
        with self.lanes(cases) as lanes:
            return run_batch(lanes, cases[0].get("request") or {})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=("text", "stream"), default="text")
    parser.add_argument("--vocabulary", default="case")
    options = parser.parse_args()
    peer.adapter(Adapter(options.vocabulary, options.mode).answer)


if __name__ == "__main__":
    main()
