#!/usr/bin/env python3
"""Plants the faults of planted.tsv in copies of the sources, one at a time. What is committed, seeds and corpus/fuzz, must
not find it; from there the harness must, by the law that the fault breaks (a crash does not count), within the executions
of the table.

    twins.py [--only HARNESS] [--seed S] [--jobs N]     needs what `make fuzz-build` builds
    twins.py --measure 5 [--table FILE]                 how many executions each takes, with five seeds
"""

import argparse
import os
import queue
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import ROOT, WHOLE, CannotRun, build, command, committed, end_on_term, harnesses, leave, make_seeds, run

TABLE = ROOT / "fuzz" / "planted.tsv"
LIMIT = 300_000  # executions of a measurement
PLENTY = 5  # the executions of the table are so many times the median at least


def read_table(path, only=""):
    """The rows: harness, file, before, after, executions, how the law begins that the fault breaks."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) != 6 or not all(cells):
                raise CannotRun(f"{path}: expected six cells, found {line!r}")
            harness, file, before, after, runs, law = cells
            if only in ("", harness):
                yield harness, file, before.replace("\\n", "\n"), after.replace("\\n", "\n"), int(runs), law


def copy_tree(folder, seeds):
    """A copy of all that a harness is built of, with the objects that there are."""
    folder.mkdir()
    for name in ("src", "fuzz", "corpus/fuzz", "build/fuzz/src", "build/fuzz/fuzz"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy2(ROOT / "Makefile", folder)
    shutil.copytree(seeds, folder / "seeds")


class Planted:
    """A fault in a copy, while it is there."""

    def __init__(self, folder, file, before, after):
        self.source, self.before, self.after = folder / file, before, after

    def __enter__(self):
        self.text = self.source.read_text(encoding="utf-8")
        self.count = self.text.count(self.before)
        if self.count == 1:
            self.source.write_text(self.text.replace(self.before, self.after), encoding="utf-8")
        return self.count

    def __exit__(self, *_):
        self.source.write_text(self.text, encoding="utf-8")


def search(folder, harness, runs, seed):
    """One search from what is committed, which alone is read whole: its status, and what was said."""
    with tempfile.TemporaryDirectory(dir=folder) as kept:
        more = [f"-runs={runs}", f"-seed={seed}", f"-artifact_prefix={kept}/"]
        call = command(harness, *more, kept, *committed(harness, folder / "seeds", folder), root=folder, length=None if runs else WHOLE)
        return run(harness.name, call)


def judge(folder, harness, runs, seeds, due):
    """Searches with each seed; `due` is how the law begins that must be broken. What went wrong, or None; executions; the law."""
    status, said = search(folder, harness, 0, seeds[0])
    if status != 0:
        return f"what is committed finds it: {said.what()}", [], ""
    took, law = [], ""
    for seed in seeds:
        status, said = search(folder, harness, runs, seed)
        if status == 0:
            return f"not found in {runs:,} executions (seed {seed})", took, law
        if not said.law:
            return f"found by a crash, not by a law: {said.what()}", took, law
        took, law = [*took, said.executions], said.law
        if not law.startswith(due):
            return f"expected a law that begins {due!r} to be broken, found another (seed {seed})", took, law
    return None, took, law


def plant(folder, harness, row, seeds, measured):
    """Plants one fault, and takes it out again. What went wrong, or None; and how it went."""
    _, file, before, after, runs, due = row
    with Planted(folder, file, before, after) as count:
        if count != 1:
            return f"expected {before!r} once, found it {count} times", ""
        wrong = build(folder, harness.name)
        took, law = [], ""
        if not wrong:
            wrong, took, law = judge(folder, harness, LIMIT if measured else runs, seeds, due)
    if not measured:
        return wrong, f"{took[0]:,} executions: {law}" if took else ""
    how = f"{' '.join(f'{n:,}' for n in sorted(took))}" + (f", median {int(statistics.median(took)):,}: {law}" if took else "")
    if took and not wrong and 0 < runs < PLENTY * statistics.median(took):
        wrong = f"{runs:,} executions are fewer than {PLENTY} times the median"
    return wrong, how


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--measure", type=int, default=0, metavar="SEEDS")
    options = parser.parse_args()
    end_on_term()
    known = {harness.name: harness for harness in harnesses()}
    rows = list(read_table(options.table, options.only))
    seeds = [options.seed + i for i in range(options.measure or 1)]
    failed = len(set(known) - {row[0] for row in rows}) if not options.only and options.table == TABLE else 0
    if failed:
        print(f"{failed} harnesses without a planted fault")
    with tempfile.TemporaryDirectory(prefix="twins-") as folder, ThreadPoolExecutor(options.jobs) as pool:
        folder, copies = Path(folder), queue.Queue()
        make_seeds(folder / "seeds")
        for i in range(options.jobs):
            copy_tree(folder / f"copy-{i}", folder / "seeds")
            copies.put(folder / f"copy-{i}")

        def one(row):
            copy = copies.get()
            try:
                return plant(copy, known[row[0]], row, seeds, options.measure > 0)
            finally:
                copies.put(copy)

        try:
            for row, (wrong, how) in zip(rows, pool.map(one, rows)):
                failed += wrong is not None
                print(f"{row[0]:8} {row[1]}: {' / '.join(filter(None, [wrong, how]))}", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    print(f"{len(rows)} faults planted, {len(rows) - failed if failed < len(rows) else 0} found as they must be (seed {options.seed})")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    leave(main)
