#!/usr/bin/env python3
"""Makes recordings of the engine: the lanes that all engines are asked (peer.py), and what it does with them.

usage: record.py FOLDER   e.g. record.py corpus/recordings

Of every third lane it is checked besides that LLMPipeline says the same with its other attention backend, and that the
pieces it hands to a callback are those that the stream of steps gave.
"""
import argparse
import datetime
import os
import sys
from importlib.metadata import version

from adapter import Adapter  # which says where peer.py is

import peer
from engine import run_callback, run_text, sizes_of_steps

PACKAGES = ("openvino-genai", "openvino", "openvino-tokenizers", "transformers", "tokenizers")
ROWS = 4


def drafted(adapter, case):
    """The lane with several tokens a step, in the steps that the engine takes with such a draft model: the first has
    one token always."""
    case = peer.speculative(case)
    with adapter.lanes([case]) as lanes:
        sizes = sizes_of_steps(lanes)
    tokens = [token for step in case["steps"] for token in step]
    steps = []
    for size in sizes:
        steps.append(tokens[:size])
        tokens = tokens[size:]
    if tokens:
        sys.exit(f"record.py: {case['case']}: steps of {sizes} do not take all tokens")
    return {**case, "steps": steps}


def check(adapter, case, result):
    """That the other ways to the same answer give the same answer."""
    request = case["request"]
    with adapter.lanes([case]) as lanes:
        if adapter.mode == "stream":
            if request.get("skip_special_tokens") is False:
                return  # generate makes its own TextStreamer, which is not told so
            other = {"deltas": run_callback(lanes, request)}
        else:
            other = run_text(lanes, request, ATTENTION_BACKEND="SDPA")
    for member, value in other.items():
        if value != result[member]:
            sys.exit(f"record.py: {case['case']}: {member} {result[member]!r}, the other way {value!r}")


def answers(adapter, cases):
    for n, case in enumerate(cases):
        result = adapter.answer(case)
        if n % 3 == 0 and "unsupported" not in result and result.get("finish_reason") != "error":
            check(adapter, case, result)
        yield case, result


def batches(adapter, cases):
    for n in range(0, len(cases), ROWS):
        rows = cases[n:n + ROWS]
        with adapter.lanes(rows) as lanes:
            lengths = list(map(len, lanes.prompts))
        for case, length, result in zip(rows, lengths, adapter.answer_batch(rows), strict=True):
            yield {**case, "prompt_tokens": length}, result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--date", default=datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    options = parser.parse_args()
    names = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    source = f"{names}; vocabulary of litellm {version('litellm')}; {options.date}"
    text, stream = (Adapter("shipped", mode) for mode in ("text", "stream"))
    made = {"text": answers(text, peer.lanes("text")), "stream": answers(stream, peer.lanes("stream")),
            "batch": batches(text, peer.lanes("batch")),
            "speculative": answers(stream, (drafted(stream, case) for case in peer.lanes("stream")))}
    for mode, pairs in made.items():
        name = f"openvino-genai-{version('openvino-genai')}-{mode}.jsonl"
        peer.record(os.path.join(options.folder, name), source, pairs)


if __name__ == "__main__":
    main()
