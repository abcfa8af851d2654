#!/usr/bin/env python3
"""Plants the faults of planted.tsv in copies of the sources, one at a time. The harness must find each by the law that
it breaks (a crash does not count) within the executions of the table, and its seeds alone must not. It begins with
what seeds.py makes, not with corpus/fuzz: what is shown is that the fuzzer finds, not that its corpus does.

    twins.py [--only HARNESS] [--seed S]     needs the objects of `make fuzz-build`, or builds them in the copy
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAKE = [
    "make", "-s", "BUILD=build/fuzz", "CC=clang", "CXX=clang++", "FUZZER=-fsanitize=fuzzer",
    "SANITIZE=-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all",
]  # fmt: skip
PATIENCE = 600  # seconds for one search
LENGTH = {"json": 2500, "vocab": 4000}  # bytes of an input; of the others SHORT
SHORT = 160


def read_table(only):
    """The rows: harness, file, before, after, executions."""
    for line in (ROOT / "fuzz" / "planted.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        harness, file, before, after, runs = line.split("\t")
        if only in ("", harness):
            yield harness, file, before.replace("\\n", "\n"), after.replace("\\n", "\n"), int(runs)


def build(folder, harness):
    """What went wrong, or None."""
    environment = {n: v for n, v in os.environ.items() if n not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    command = [*MAKE, "-C", folder, f"build/fuzz/fuzz-{harness}"]
    built = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return "does not build: " + built.stderr[-600:] if built.returncode else None


def fuzz(folder, harness, runs, seed):
    """Runs the harness; its exit status, and what it says."""
    kept, seeds = f"{folder}/kept-{harness}-{runs}-{time.time_ns()}", f"{folder}/seeds/{harness}"
    os.mkdir(kept)
    os.makedirs(seeds, exist_ok=True)
    words = ROOT / "fuzz" / f"{harness}.dict"
    command = [
        f"{folder}/build/fuzz/fuzz-{harness}", f"-runs={runs}", f"-seed={seed}", "-print_final_stats=1",
        f"-max_len={LENGTH.get(harness, SHORT)}", f"-artifact_prefix={folder}/", kept, seeds,
        *([f"-dict={words}"] if words.is_file() else []),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=PATIENCE)
    return done.returncode, done.stderr


def executions(said):
    """How many libFuzzer says it ran."""
    for line in said.splitlines():
        if line.startswith("stat::number_of_executed_units:"):
            return int(line.split()[1])
    return -1


def search(folder, harness, runs, seed):
    """What went wrong, or None; and a word on how it went."""
    status, said = fuzz(folder, harness, 0, seed)
    if status != 0:
        return "the seeds alone find it", ""
    status, said = fuzz(folder, harness, runs, seed)
    law = f"{harness}: broken: "
    broken = [line[len(law) :] for line in said.splitlines() if line.startswith(law)]
    if status == 0:
        return f"not found in {runs} executions", ""
    if not broken:
        return "found by a crash, not by a law: " + said[-300:], ""
    return None, f"{executions(said)} executions: {broken[0]}"


def plant(folder, row, seed):
    """Plants one fault, and takes it out again. What went wrong, or None; and a word on how it went."""
    harness, file, before, after, runs = row
    source = Path(folder) / file
    text = source.read_text(encoding="utf-8")
    if text.count(before) != 1:
        return f"{file}: expected {before!r} once, found it {text.count(before)} times", ""
    source.write_text(text.replace(before, after), encoding="utf-8")
    try:
        wrong = build(folder, harness)
        return (wrong, "") if wrong else search(folder, harness, runs, seed)
    finally:
        source.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    options = parser.parse_args()
    rows = list(read_table(options.only))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="twins-") as folder:
        for name in ("src", "fuzz"):
            shutil.copytree(ROOT / name, Path(folder) / name)
        shutil.copy2(ROOT / "Makefile", folder)
        if (ROOT / "build" / "fuzz").is_dir():
            shutil.copytree(ROOT / "build" / "fuzz", Path(folder) / "build" / "fuzz")
        subprocess.run([sys.executable, ROOT / "fuzz" / "seeds.py", f"{folder}/seeds"], check=True)
        for row in rows:
            wrong, how = plant(folder, row, options.seed)
            failed += wrong is not None
            print(f"{row[0]:8} {row[1]}: {wrong or how}", flush=True)
    print(f"{len(rows)} faults planted, {len(rows) - failed} found (seed {options.seed})")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
