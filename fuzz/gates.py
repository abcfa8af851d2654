#!/usr/bin/env python3
"""Runs each harness over all that is committed, which must break nothing. Then the gate: a fixed number of executions from
FEW committed inputs alone must reach the features that gates.tsv demands, clearly more than those inputs do by themselves:
a fuzzer that reaches less has gone blind.

    gates.py [--only HARNESS] [--jobs N]
    gates.py --self-test      a fuzzer that tries nothing new, and inputs cut to four bytes: every gate must fail
    gates.py --measure        features with three seeds; writes nine tenths of the fewest into gates.tsv
"""

import argparse
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import ROOT, WHOLE, CannotRun, command, committed, end_on_term, harnesses, leave, make_seeds, run, table

SEED = 1  # of every gate: the same way each time
MEASURED = (1, 2, 3)
FEW = 4  # inputs that a gate begins with: the first by name
MARGIN = 1.25  # times the features of these: a gate that demands less says nothing


def replay(harness, folder):
    """What the committed inputs break, or None; and how many they are."""
    places = committed(harness, folder / "seeds")
    count = sum(len(os.listdir(place)) for place in places)
    status, said = run(harness.name, command(harness, "-runs=0", f"-artifact_prefix={folder}/", *places, length=WHOLE))
    return said.what() if status else None, count


def reach(harness, folder, seed, length=None, runs=None):
    """Fuzzes from few inputs; what went wrong or None, and the features."""
    corpus = Path(committed(harness, folder / "seeds")[0])
    with tempfile.TemporaryDirectory(dir=folder) as kept:
        for path in sorted(corpus.iterdir())[:FEW]:
            shutil.copy(path, kept)
        more = [f"-runs={harness.executions if runs is None else runs}", f"-seed={seed}", f"-artifact_prefix={folder}/", kept]
        status, said = run(harness.name, command(harness, *more, length=length))
    return said.what() if status else None, said.features


def says_nothing(begun, demanded):
    """Why a gate is none, or None."""
    if demanded < MARGIN * begun:
        return f"the {FEW} inputs that it begins with reach {begun} features; expected {MARGIN} times these to be demanded, found {demanded}"
    return None


def gate(harness, folder):
    """The row, and what is wrong or None."""
    wrong, count = replay(harness, folder)
    begun = features = 0
    if not wrong:
        wrong, begun = reach(harness, folder, SEED, runs=0)
    wrong = wrong or says_nothing(begun, harness.features)
    if not wrong:
        wrong, features = reach(harness, folder, SEED)
    if not wrong and features < harness.features:
        wrong = f"reached {features} features in {harness.executions:,} executions, demanded are {harness.features}"
    return [harness.name, count, harness.executions, begun, features, harness.features], wrong


def blind(harness, folder):
    """The gate of a fuzzer that tries nothing new, and of inputs of four bytes: both must fail."""
    wrong, nothing = reach(harness, folder, SEED, runs=0)
    short_wrong, short = reach(harness, folder, SEED, 4)
    wrong = wrong or short_wrong
    for what, features in (("a fuzzer that tries nothing new", nothing), ("inputs of four bytes", short)):
        if not wrong and features >= harness.features:
            wrong = f"passes with {what}"
    return [harness.name, nothing, short, harness.features], wrong


def measure(harness, folder):
    wrong, begun = reach(harness, folder, SEED, runs=0)
    reached = [reach(harness, folder, seed) for seed in MEASURED]
    features = [number for _, number in reached]
    demanded = min(features) * 9 // 10
    wrong = wrong or next((wrong for wrong, _ in reached if wrong), None) or says_nothing(begun, demanded)
    return [harness.name, begun, *features, demanded], wrong


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
    what, head = gate, ["harness", "committed", "executions", "few reach", "features", "demanded"]
    if options.self_test:
        what, head = blind, ["harness", "nothing new", "four bytes", "demanded"]
    if options.measure:
        what, head = measure, ["harness", "few reach", *(f"seed {seed}" for seed in MEASURED), "nine tenths"]
    rows, faults = [], []
    chosen = harnesses(options.only)
    built = {path.name.removeprefix("fuzz-") for path in (ROOT / "build" / "fuzz").glob("fuzz-*")}
    if not options.only and built != {harness.name for harness in chosen}:
        raise CannotRun(f"fuzz/gates.tsv: expected the harnesses that are built, {' '.join(sorted(built))}")
    with tempfile.TemporaryDirectory(prefix="gates-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(folder)
        make_seeds(folder / "seeds")
        try:
            for harness, (row, wrong) in zip(chosen, pool.map(lambda h: what(h, folder), chosen)):
                rows.append(row)
                faults += [f"{harness.name}: {wrong}"] if wrong else []
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    print("\n".join([*table(head, rows), *faults]))
    if options.measure and not faults:
        write({row[0]: row[-1] for row in rows})
    if options.self_test and not faults:
        print(f"{len(rows)} gates, all fail of a fuzzer that tries nothing new and with inputs of four bytes")
    return 1 if faults else 0


if __name__ == "__main__":
    leave(main)
