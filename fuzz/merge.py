#!/usr/bin/env python3
"""Makes corpus/fuzz anew out of itself, the seeds and all that campaigns kept (build/fuzz/kept, AFL++'s inputs among it):
few inputs that reach all that these reach together. Of inputs that reach the same, the one that is committed stays; those
named found-… stay in any case: they showed a fault once.

    merge.py [--only HARNESS] [--jobs N]

Each folder is made apart and put in its place whole, so an interrupt leaves either the old or the new one.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from asked import above_zero
from harness import ROOT, Said, command, committed, end_on_term, harnesses, leave, make_seeds, table

WORK = ROOT / "build" / "fuzz"
LONGEST = {"json": 1000}  # bytes of an input that is kept: longer lines are among the seeds


class Children:
    """The programs that run, each in a session of its own, so that an interrupt ends them here and nowhere else."""

    def __init__(self):
        self.lock, self.running, self.over = threading.Lock(), set(), False

    def run(self, call):
        """Its status and what it wrote."""
        with self.lock:
            if self.over:
                return 1, b""
            child = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
            self.running.add(child)
        written = child.communicate()[1]
        with self.lock:
            self.running.remove(child)
        return child.returncode, written

    def end(self):
        """Nothing that they were at is kept, so they need no time to end."""
        with self.lock:
            self.over = True
            for child in self.running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)


def add(harness, made, sources, folder, children):
    """Adds to a folder what of the sources reaches more than it: how many features more, and what went wrong or None."""
    control = folder / f"{harness.name}.control"
    control.unlink(missing_ok=True)
    call = command(
        harness, "-set_cover_merge=1", f"-merge_control_file={control}", f"-artifact_prefix={WORK}/found/{harness.name}-",
        str(made), *sources,
    )  # fmt: skip
    said = Said(harness.name)
    status, written = children.run(call)
    for line in written.decode(errors="replace").splitlines():
        said.line(line)
    if said.file:  # the merge goes on past an input that breaks a law
        return 0, f"{said.what()}: {os.path.relpath(said.file, ROOT)}"
    features = next(filter(None, (re.search(r"files with (\d+) new features", line) for line in said.tail)), None)
    if status or not features or not any(made.iterdir()):
        return 0, f"libFuzzer ended with status {status}: " + " / ".join(said.tail[-3:])
    return int(features[1]), None


def merge(harness, folder, children):
    """The new folder, the features that the old one reached and those that are new, and what went wrong or None."""
    made = folder / harness.name
    made.mkdir()
    now = str(ROOT / "corpus" / "fuzz" / harness.name)
    others = [place for place in committed(harness, WORK / "seeds") if place != now]
    others += [str(p) for p in [WORK / "kept" / harness.name] if p.is_dir()]
    reached, wrong = add(harness, made, [now], folder, children)
    more, wrong = add(harness, made, others, folder, children) if not wrong and others else (0, wrong)
    if wrong:
        return made, [], wrong
    for path in list(made.iterdir()):
        if path.stat().st_size > LONGEST.get(harness.name, harness.length):
            path.unlink()
    for path in (ROOT / "corpus" / "fuzz" / harness.name).glob("found-*"):
        shutil.copy2(path, made)
    return made, [reached, more], None


def put(harness, made, folder):
    """Puts the new folder in the place of the old one, which is lost only with `folder`; keeps no more than it."""
    place, kept = ROOT / "corpus" / "fuzz" / harness.name, WORK / "kept" / harness.name
    # Ignored, not blocked: a mask is one thread's, and the signal would come to another.
    before = {kind: signal.signal(kind, signal.SIG_IGN) for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    place.parent.mkdir(parents=True, exist_ok=True)
    old = folder / f"{harness.name}.old"
    place.rename(old)
    try:
        made.rename(place)
    except OSError:
        old.rename(place)
        raise
    if kept.exists():
        kept.rename(folder / f"{harness.name}.kept")
    for kind, what in before.items():
        signal.signal(kind, what)


def size(folder):
    return [len(os.listdir(folder)), sum(path.stat().st_size for path in Path(folder).iterdir())] if folder.is_dir() else [0, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=lambda text: above_zero("J", text, int), default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    chosen = harnesses(options.only)
    end_on_term()
    (WORK / "found").mkdir(parents=True, exist_ok=True)
    make_seeds(WORK / "seeds")
    for harness in chosen:
        committed(harness, WORK / "seeds")  # before anything runs
    rows, faults, children, interrupted = [], [], Children(), False
    # Beside corpus, on the same disk: a folder is put in its place by its name alone.
    with tempfile.TemporaryDirectory(prefix="merge-", dir=ROOT / "build") as folder, ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(folder)
        tasks = [(harness, pool.submit(merge, harness, folder, children)) for harness in chosen]
        try:
            for harness, task in tasks:
                made, features, wrong = task.result()
                before = size(ROOT / "corpus" / "fuzz" / harness.name)
                if wrong:
                    faults.append(f"{harness.name}: {wrong}; its corpus stays")
                    continue
                put(harness, made, folder)
                rows.append([harness.name, *before, *size(ROOT / "corpus" / "fuzz" / harness.name), *features])
        except KeyboardInterrupt:
            interrupted = True
            children.end()
            pool.shutdown(cancel_futures=True)
    print("\n".join([*(table(["harness", "inputs", "bytes", "now", "bytes", "features", "new"], rows) if rows else []), *faults]))
    if interrupted:
        print("interrupted: what is not in the table is as it was")
        return 130
    return 1 if faults else 0


if __name__ == "__main__":
    leave(main)
