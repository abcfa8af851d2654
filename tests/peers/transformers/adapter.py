#!/usr/bin/env python3
"""Drives Hugging Face transformers with cases: one case a line in, one result a line out, in order (spec/formats.md).

  --mode text|stream   what `generate` returns, decoded (the default), or what its TextStreamer hands out
  --vocabulary case    a byte-level vocabulary made of each case's own tokens; without it the one that the litellm
                       package ships, and a case with other bytes is unsupported; or a tokenizer.json
  --batch N            N lines at a time as the rows of one batch (text mode; their requests must be equal); such a
                       program waits for N lines before it answers, so it is for making recordings only
"""
import argparse
import json
import os
import sys

from engine import Engine, Vocabulary, run  # which says where the next two are
from byte_level import shipped_vocabulary
from peer import tokens_of

CANNOT = {
    "stop_token_sequences": "generate has no stop sequences of ids",
    "max_context": "generate does not end a lane at the length of the context",
    "deadline_steps": "generate knows max_time in seconds, not steps",
    "repetition": "generate has no end by repetition",
}


def unsupported(case):
    """Why the engine has no way to be given this case, or None."""
    request = case.get("request") or {}
    for member, why in CANNOT.items():
        if request.get(member):
            return why
    stops = request.get("stop") or []
    for stop in stops if isinstance(stops, list) else [stops]:
        if isinstance(stop, dict) and stop.get("priority"):
            return "stop strings have no priorities"
    if request.get("flush") not in (None, {"steps": 1}):
        return "TextStreamer decides by itself when to send"
    for member in ("abort_after_step", "external_end", "sink"):
        if case.get(member) is not None:
            return f"generate has no {member}"
    if any(len(step) != 1 for step in case.get("steps") or []):
        return "one token a step"
    return None


def differs(tokens, vocabulary):
    """What the vocabulary has otherwise than the case, or None."""
    for id, text, special in tokens:
        if id not in vocabulary.bytes:
            return f"id {id} is not in the vocabulary"
        if vocabulary.bytes[id] != text:
            return f"id {id} is {vocabulary.bytes[id]!r} in the vocabulary, {text!r} in the case"
        if (id in vocabulary.special) != special:
            return f"id {id}: special in only one of vocabulary and case"
    return None


def answer(engine, vocabulary, cases, stream):
    """One result a case; all of them run or none does."""
    rows, whys = [], []
    for case in cases:
        why, tokens = unsupported(case), tokens_of(case)
        if why is None and not tokens:
            why = "no tokens"
        if why is None and vocabulary is None:
            try:
                mine = Vocabulary.from_tokens(tokens)
            except (ValueError, UnicodeDecodeError) as reason:
                why = str(reason)
        elif why is None:
            mine = vocabulary
            why = differs(tokens, mine)
        whys.append(why)
        rows.append((case, [id for id, _, _ in tokens]))
    if any(whys):
        return [{"case": case["case"], "unsupported": why or "another row of the batch is unsupported"}
                for case, why in zip(cases, whys)]
    if any((case.get("request") or {}) != (cases[0].get("request") or {}) for case in cases):
        return [{"case": case["case"], "unsupported": "the rows of a batch share one request"} for case in cases]
    return [{"case": case["case"], **result} for case, result in zip(cases, run(engine, mine, rows, stream))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=("text", "stream"), default="text")
    parser.add_argument("--vocabulary", default=shipped_vocabulary())
    parser.add_argument("--batch", type=int, default=1)
    options = parser.parse_args()
    if options.batch > 1 and (options.mode == "stream" or options.vocabulary == "case"):
        parser.error("--batch: TextStreamer takes one row, and rows share one vocabulary")
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the engine and its libraries print is no answer
    engine = Engine()
    vocabulary = None if options.vocabulary == "case" else Vocabulary.from_file(options.vocabulary)
    waiting = []
    for line in sys.stdin:
        waiting.append(json.loads(line))
        if len(waiting) < options.batch:
            continue
        for result in answer(engine, vocabulary, waiting, options.mode == "stream"):
            print(json.dumps(result, ensure_ascii=False), file=results, flush=True)
        waiting = []
    if waiting:
        sys.exit(f"{len(waiting)} lines left over: the number of cases is no multiple of --batch {options.batch}")


if __name__ == "__main__":
    main()
