#!/usr/bin/env python3
"""Drives vLLM with cases: one case a line in, one result a line out, in order (spec/formats.md).

  --mode text|stream     the final output only (the default), or the pieces of a stream
  --mode server          vLLM's OpenAI server, streamed; only cases whose tokens are in its vocabulary, which is the one
                         that litellm ships, and whose end token, if any, is id 0
  --speculative          draft tokens, so that a step can bring several; without it a step brings one
  --detokenizer fast|slow   the one that vLLM takes for tokenizers of the `tokenizers` package (the default), or the
                         other
  --batch N              N lines at a time run together (what the engine is started with is taken from the first of
                         them: end tokens, context); such a program waits for N lines before it answers, so it is for
                         making recordings only
"""
import argparse
import json
import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # last: this folder's name is the engine's

import peer

CANNOT = {
    "stop_token_sequences": "SamplingParams has no stop sequences of ids",
    "deadline_steps": "a request has no deadline",
    "external_end": "no call ends a lane with a reason and a cut",
    "sink": "the engine hands out what it has, and asks no sink",
    "vocab": "token bytes are taken from the case",
}


def unsupported(case, speculative):
    """Why the engine has no way to be given this case, or None."""
    why, request = peer.first_unsupported(case, CANNOT), case.get("request") or {}
    if why or request.get("deadline_steps") is not None:
        return why or CANNOT["deadline_steps"]
    stops = request.get("stop") or []
    for stop in stops if isinstance(stops, list) else [stops]:
        if isinstance(stop, dict) and stop.get("priority"):
            return "stop strings have no priorities"
    if request.get("flush") not in (None, {"steps": 1}):
        return "stream_interval sends the first token at once and counts otherwise"
    if not any(case.get("steps") or []):
        return "no tokens"
    if case.get("prompt_tokens") == 0:
        return "the engine takes no empty prompt"
    most = max(len(step) for step in case["steps"])
    if most > 8 or (most > 1 and not speculative):
        return "more tokens a step than the engine was started for"
    if case.get("abort_after_step") is not None and not all(case["steps"]):
        return "the engine has no empty steps"
    return None


def vocabulary_of(cases):
    from vocabulary import Vocabulary
    tokens = [token for case in cases for token in peer.tokens_of(case)]
    eos = (cases[0].get("request") or {}).get("eos_token_ids") or []
    return Vocabulary(tokens, cases[0].get("prompt_tokens") or 10, eos)


def answers(engine, cases, stream, slow=False):
    """One result a case; all of them run or none does."""
    from engine import run
    from lane import Lane
    whys = [unsupported(case, engine.speculative) for case in cases]
    if not any(whys):
        try:
            vocabulary = vocabulary_of(cases)
            lanes = [Lane(case, [id for id, _, _ in peer.tokens_of(case)]) for case in cases]
            return run(engine, vocabulary, lanes, stream, slow)
        except (ValueError, TypeError) as reason:
            whys = [str(reason)] * len(cases)
    return [{"unsupported": why or "another row of the batch is unsupported"} for why in whys]


def served(server, cases):
    """The same for the server."""
    from server import unsupported as other
    whys = [unsupported(case, False) or other(case) for case in cases]
    return [{"unsupported": why} if why else server.result(case) for case, why in zip(cases, whys)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=("text", "stream", "server"), default="text")
    parser.add_argument("--speculative", action="store_true")
    parser.add_argument("--detokenizer", choices=("fast", "slow"), default="fast")
    parser.add_argument("--batch", type=int, default=1)
    options = parser.parse_args()
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the engine and its libraries print is no answer
    if options.mode == "server":
        from server import Server
        with Server() as server:
            answer_all(results, options.batch, lambda cases: served(server, cases))
        return
    from engine import Engine
    engine, stream, slow = Engine(options.speculative), options.mode == "stream", options.detokenizer == "slow"
    answer_all(results, options.batch, lambda cases: answers(engine, cases, stream, slow))


def answer_all(results, batch, answer):
    waiting = []
    for line in filter(str.strip, sys.stdin):
        waiting.append(json.loads(line))
        if len(waiting) < batch:
            continue
        for case, result in zip(waiting, answer(waiting)):
            print(json.dumps({"case": case["case"], **result}, ensure_ascii=False), file=results, flush=True)
        waiting = []
    if waiting:
        sys.exit(f"{len(waiting)} lines left over: the number of cases is no multiple of --batch {batch}")


if __name__ == "__main__":
    main()
