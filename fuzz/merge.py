#!/usr/bin/env python3
"""Makes corpus/fuzz anew out of itself, the seeds and all that campaigns kept (build/fuzz/kept, AFL++'s inputs among it):
few inputs that reach all that these reach together. Inputs named found-… stay: they showed a fault once.

    merge.py [--only HARNESS] [--jobs N]

Each folder is made apart and put in its place whole, so an interrupt leaves either the old or the new one.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import ROOT, Said, command, committed, end_on_term, harnesses, make_seeds, table

WORK = ROOT / "build" / "fuzz"


def merge(harness, folder):
    """The new folder, and what went wrong or None."""
    made = folder / harness.name
    made.mkdir()
    sources = [*committed(harness, WORK / "seeds"), *(str(p) for p in [WORK / "kept" / harness.name] if p.is_dir())]
    call = command(
        harness, "-set_cover_merge=1", f"-merge_control_file={folder}/{harness.name}.control",
        f"-artifact_prefix={WORK}/found/{harness.name}-", str(made), *sources,
    )  # fmt: skip
    said = Said(harness.name)
    done = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    for line in done.stderr.decode(errors="replace").splitlines():
        said.line(line)
    if said.file:  # the merge goes on past an input that breaks a law
        return made, f"{said.what()}: {os.path.relpath(said.file, ROOT)}"
    if done.returncode or not any(made.iterdir()):
        return made, f"libFuzzer ended with status {done.returncode}: " + " / ".join(said.tail[-3:])
    for path in (ROOT / "corpus" / "fuzz" / harness.name).glob("found-*"):
        shutil.copy2(path, made)
    return made, None


def put(harness, made, folder):
    """Puts the new folder in the place of the old one, and keeps no more than it."""
    place, kept = ROOT / "corpus" / "fuzz" / harness.name, WORK / "kept" / harness.name
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        place.rename(folder / f"{harness.name}.old")
    made.rename(place)
    if kept.exists():
        kept.rename(folder / f"{harness.name}.kept")
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])


def size(folder):
    return [len(os.listdir(folder)), sum(path.stat().st_size for path in Path(folder).iterdir())] if folder.is_dir() else [0, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    end_on_term()
    (WORK / "found").mkdir(parents=True, exist_ok=True)
    make_seeds(WORK / "seeds")
    rows, faults = [], []
    # Beside corpus, on the same disk: a folder is put in its place by its name alone.
    with tempfile.TemporaryDirectory(prefix="merge-", dir=ROOT / "build") as folder, ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(folder)
        tasks = [(harness, pool.submit(merge, harness, folder)) for harness in harnesses(options.only)]
        try:
            for harness, task in tasks:
                made, wrong = task.result()
                before = size(ROOT / "corpus" / "fuzz" / harness.name)
                if wrong:
                    faults.append(f"{harness.name}: {wrong}; its corpus stays")
                    continue
                put(harness, made, folder)
                rows.append([harness.name, *before, *size(ROOT / "corpus" / "fuzz" / harness.name)])
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    print("\n".join([*(table(["harness", "inputs", "bytes", "now", "bytes"], rows) if rows else []), *faults]))
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("merge.py: interrupted: what is not in the table is as it was")
