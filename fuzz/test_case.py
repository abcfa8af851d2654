#!/usr/bin/env python3
"""Shows campaign and fuzz-case at work: a fault is planted in a copy, a campaign there finds it, and a case is made of it. The case
must be one that the sources as they are answer as it expects, and the planted ones otherwise; what is no case must be kept
as an input that still breaks the law."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import case
from harness import ROOT, build, environment, harnesses, make_seeds
from twins import Planted, copy_tree

# harness, file, before, after: faults that are found at once.
LANE = ("lane", "src/core/lane_take.c", "if (n <= request->min_tokens)", "if (n < request->min_tokens)")
GUARD = ("guard", "src/core/guard.c", "bytes >= g->flush.n", "bytes > g->flush.n")
MINUTES = "1"


def make(folder, *targets):
    done = subprocess.run(["make", "-s", "-C", folder, *targets], capture_output=True, text=True, check=False, env=environment())
    if done.returncode:
        sys.exit(f"test_case.py: {' '.join(targets)}: {done.stderr[-600:]}")


def find(folder, harness):
    """The file that a campaign in the copy says it found."""
    call = [sys.executable, folder / "fuzz" / "campaign.py", "--only", harness.name, "--jobs", "1", MINUTES]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    found = re.search(r"make fuzz-case FILE=(\S+)", done.stdout)
    if done.returncode != 1 or not found:
        sys.exit(f"test_case.py: {harness.name} does not find the planted fault: {done.stdout}{done.stderr}")
    return folder / found[1]


def small_size(notes):
    return int(re.search(r"made small: \d+ bytes, now (\d+)", "\n".join(notes))[1])


def plant(folder, harness, fault):
    """Plants one; what fuzz-case makes of what is found, and by how many bytes that became smaller."""
    _, file, before, after = fault
    with Planted(folder, file, before, after) as count:
        if count != 1:
            sys.exit(f"test_case.py: {file}: expected {before!r} once, found it {count} times")
        wrong = build(folder, harness.name)
        if wrong:
            sys.exit(f"test_case.py: {harness.name}: {wrong}")
        make(folder, "BUILD=build/replay", "printers")
        make(folder, "build/endstop")
        found = find(folder, harness)
        lines, notes = case.make(found, folder)
        return lines, notes, found.stat().st_size - small_size(notes)


def main():
    known = {harness.name: harness for harness in harnesses()}
    case.PATIENCE = 5
    with tempfile.TemporaryDirectory(prefix="case-") as folder:
        folder = Path(folder) / "copy"
        make_seeds(folder.parent / "seeds")
        copy_tree(folder, folder.parent / "seeds")
        for name in ("corpus", "build/replay", "build/src"):
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
        lines, notes, less = plant(folder, known["lane"], LANE)
        print("\n".join(notes + lines))
        if not lines:
            sys.exit("test_case.py: lane: expected a case, found none")
        made = json.loads(lines[0])
        planted = case.answer(made, folder)
        make(ROOT, "build/endstop")
        right = case.answer(made, ROOT)
        if right != made["expect"] or planted == right:
            sys.exit("test_case.py: lane: expected a case that tells the planted fault from the sources as they are")
        before = set(os.listdir(folder / "corpus" / "fuzz" / "guard"))
        lines, notes, guard_less = plant(folder, known["guard"], GUARD)
        print("\n".join(notes + lines))
        new = set(os.listdir(folder / "corpus" / "fuzz" / "guard")) - before
        if len(new) != 1 or not next(iter(new)).startswith("found-"):
            sys.exit(f"test_case.py: guard: expected one input kept, found {sorted(new)}")
        if less + guard_less == 0:
            sys.exit("test_case.py: neither input was made smaller")
    print("a case and an input made of two planted faults")


if __name__ == "__main__":
    main()
