#!/usr/bin/env python3
"""What `endstop run` and `endstop check` cost beyond reading: ratios against reading alone in the same run, medians.

    bench.py BUILD [--tokens N] [--rounds N]

Every round runs reading alone and the commands in turn on the same file, so that a noisy machine is noisy for all.
Times are processor seconds of the whole process."""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WORDS = ("the model says that text ends here and not there because of a stop in some code { } ; \n").split(" ")
STOPS = ["\n\nUser:", "}\n", "</tool>", "Observation:", "<|im_end|>", "END", "###", "\n\n\n", "STOP", "```", "<eos>",
         "Human:", "Assistant:", "[/INST]", "終", "🛑"]  # fmt: skip


def make_cases(path, tokens, stops, seed):
    """Lanes of 512 tokens, a word or a piece of one each, with near misses of the stops but no stop."""
    rng = random.Random(seed)
    texts = [" " + word for word in WORDS] + ["a", "é", "日", "\n", "<", "}", "Obs", "User"]
    vocabulary = [{"id": i, "text": text} for i, text in enumerate(texts)]
    vocabulary.append({"id": len(vocabulary), "hex": "f09f"})
    with open(path, "w", encoding="utf-8") as out:
        for lane in range(tokens // 512):
            steps = [[rng.choice(vocabulary)] for _ in range(512)]
            case = {"case": f"bench-{lane}", "request": {"stop": STOPS[:stops], "max_tokens": 512}, "steps": steps}
            out.write(json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n")


def seconds(command, path, out=subprocess.DEVNULL):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(path, "rb") as source:
        done = subprocess.run(command, stdin=source, stdout=out, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"bench: {command}: status {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def glue(cases, results, path):
    """Recordings: each case with its result."""
    with open(cases, encoding="utf-8") as left, open(results, encoding="utf-8") as right, \
            open(path, "w", encoding="utf-8") as out:  # fmt: skip
        for case, result in zip(left, right, strict=True):
            out.write(case.rstrip("\n")[:-1] + ',"result":' + result.rstrip("\n") + "}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    endstop, parse = str(asked.build / "endstop"), str(asked.build / "parse")
    tokens = asked.tokens // 512 * 512
    print(f"{tokens} tokens in lanes of 512, one a step; medians of {asked.rounds} rounds, processor seconds")
    print(f"{'stops':>5} {'read':>7} {'run':>7} {'run/read':>8} {'Mtokens/s of run beyond reading':>32} "
          f"{'read rec.':>9} {'check':>7} {'check/read':>10}")  # fmt: skip
    for stops in (1, 4, 16):
        with tempfile.TemporaryDirectory() as folder:
            cases, results, recordings = (os.path.join(folder, name) for name in ("c", "r", "k"))
            make_cases(cases, tokens, stops, 1)
            with open(results, "wb") as out:
                seconds([endstop, "run"], cases, out)
            glue(cases, results, recordings)
            rounds = [
                (
                    seconds([parse], cases),
                    seconds([endstop, "run"], cases),
                    seconds([parse], recordings),
                    seconds([endstop, "check", "--format", "json"], recordings),
                )
                for _ in range(asked.rounds)
            ]
            read, run, read_recordings, check = (statistics.median(column) for column in zip(*rounds))
            beyond = statistics.median(max(r[1] - r[0], 1e-9) for r in rounds)
            print(f"{stops:5} {read:7.3f} {run:7.3f} {run / read:8.2f} {tokens / beyond / 1e6:32.2f} "
                  f"{read_recordings:9.3f} {check:7.3f} {check / read_recordings:10.2f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
