#!/usr/bin/env python3
"""How many inputs a second the fuzzing harnesses answer, without sanitizers and with address and undefined-behaviour
sanitizers: what is in corpus/fuzz, again and again; an execution is all runs that a harness makes of an input.

    fuzz.py BUILD [--rounds N] [--seconds S]     needs the harnesses in BUILD/rate and BUILD/rate-sanitized

Rounds take the harnesses in turn, so that a noisy machine is noisy for all. Times are processor seconds."""

import argparse
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CORE = ("utf8", "stops", "matcher", "guard", "race", "lane", "split", "overlap")
FILES = ("json", "vocab")  # they parse, and have no aim
AIMS = {"rate": 100_000, "rate-sanitized": 20_000}


def rate(program, corpus, seconds):
    """Executions a processor second."""
    done = subprocess.run([program, "--seconds", str(seconds), corpus], check=True, capture_output=True, text=True)
    said = re.search(r": (\d+) executions, ([0-9.]+) seconds", done.stdout)
    if not said or float(said[2]) <= 0:
        sys.exit(f"bench: {program}: expected executions and seconds, found {done.stdout!r}")
    return int(said[1]) / float(said[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3)
    asked = parser.parse_args()
    rates = {(name, build): [] for name in CORE + FILES for build in AIMS}
    for _ in range(asked.rounds):
        for name, build in rates:
            program = asked.build / build / f"fuzz-{name}"
            rates[name, build].append(rate(program, ROOT / "corpus" / "fuzz" / name, asked.seconds))
    print(f"fuzzing harnesses on corpus/fuzz: executions a processor second, medians of {asked.rounds} rounds; the aim is "
          f"{AIMS['rate']:,} without sanitizers and {AIMS['rate-sanitized']:,} with, for all that do not parse files")
    print(f"{'harness':8} {'inputs':>6} {'bytes each':>10} {'without':>9} {'of aim':>6} {'with':>9} {'of aim':>6}")
    for name in CORE + FILES:
        sizes = [file.stat().st_size for file in (ROOT / "corpus" / "fuzz" / name).iterdir()]
        line = f"{name:8} {len(sizes):6} {statistics.mean(sizes):10.0f}"
        for build, aim in AIMS.items():
            median = statistics.median(rates[name, build])
            line += f" {median:9,.0f} {f'{median / aim:.0%}' if name in CORE else '–':>6}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
