#!/usr/bin/env python3
"""Runs each harness over all that is committed, which must break nothing, and then a fixed number of executions from there,
which must reach the features that gates.tsv demands: a harness that reaches less has gone blind.

    gates.py [--only HARNESS] [--jobs N]
    gates.py --self-test      inputs cut to four bytes: every gate must fail
    gates.py --measure        features with three seeds; writes nine tenths of the fewest into gates.tsv
"""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import ROOT, command, committed, end_on_term, harnesses, make_seeds, run, table

SEED = 1  # of every gate: the same way each time
MEASURED = (1, 2, 3)
WHOLE = 1 << 20  # bytes: no committed input is longer


def replay(harness, folder):
    """What the committed inputs break, or None; and how many they are."""
    places = committed(harness, folder / "seeds")
    count = sum(len(os.listdir(place)) for place in places)
    if count == 0:
        return "nothing is committed", 0
    status, said = run(harness.name, command(harness, "-runs=0", f"-artifact_prefix={folder}/", *places, length=WHOLE))
    return said.what() if status else None, count


def reach(harness, folder, seed, length=None):
    """Fuzzes; what went wrong or None, and the features."""
    with tempfile.TemporaryDirectory(dir=folder) as kept:
        more = [f"-runs={harness.executions}", f"-seed={seed}", f"-artifact_prefix={folder}/", kept]
        call = command(harness, *more, *committed(harness, folder / "seeds"), length=length)
        status, said = run(harness.name, call)
    return said.what() if status else None, said.features


def gate(harness, folder):
    """The row, and what is wrong or None."""
    wrong, count = replay(harness, folder)
    features = 0
    if not wrong:
        wrong, features = reach(harness, folder, SEED)
    if not wrong and features < harness.features:
        wrong = f"reached {features} features in {harness.executions:,} executions, demanded are {harness.features}"
    return [harness.name, count, harness.executions, features, harness.features], wrong


def blind(harness, folder):
    """The gate of inputs of four bytes, which must fail."""
    wrong, features = reach(harness, folder, SEED, 4)
    passed = not wrong and features >= harness.features
    return [harness.name, features, harness.features], "passes with inputs of four bytes" if passed else wrong


def measure(harness, folder):
    reached = [reach(harness, folder, seed) for seed in MEASURED]
    features = [number for _, number in reached]
    return [harness.name, *features, min(features) * 9 // 10], next((wrong for wrong, _ in reached if wrong), None)


def write(features):
    """Puts these numbers into gates.tsv."""
    path = ROOT / "fuzz" / "gates.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [[*row[:3], str(features[row[0]])] if row[0] in features else row for row in rows]
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    end_on_term()
    what, head = gate, ["harness", "committed", "executions", "features", "demanded"]
    if options.self_test:
        what, head = blind, ["harness", "features of four bytes", "demanded"]
    if options.measure:
        what, head = measure, ["harness", *(f"seed {seed}" for seed in MEASURED), "nine tenths"]
    rows, faults = [], []
    chosen = harnesses(options.only)
    built = {path.name.removeprefix("fuzz-") for path in (ROOT / "build" / "fuzz").glob("fuzz-*")}
    if not options.only and built != {harness.name for harness in chosen}:
        sys.exit(f"fuzz/gates.tsv: expected the harnesses that are built, {' '.join(sorted(built))}")
    with tempfile.TemporaryDirectory(prefix="gates-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(folder)
        make_seeds(folder / "seeds")
        for harness, (row, wrong) in zip(chosen, pool.map(lambda h: what(h, folder), chosen)):
            rows.append(row)
            faults += [f"{harness.name}: {wrong}"] if wrong else []
    print("\n".join([*table(head, rows), *faults]))
    if options.measure and not faults:
        write({row[0]: row[-1] for row in rows})
    if options.self_test and not faults:
        print(f"{len(rows)} gates, all fail with inputs of four bytes")
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
