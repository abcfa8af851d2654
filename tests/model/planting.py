"""Plants faults in copies of the sources, each of which a random comparison must find; and the command line of such a
comparison."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def build(folder):
    """Builds the command in a copy of the sources. Returns what went wrong, or None."""
    command = ["make", "-s", "-j2", "-C", folder, "BUILD=build", "build/endstop"]
    environment = {n: v for n, v in os.environ.items() if n not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    built = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return "does not build: " + built.stderr[-600:] if built.returncode else None


def plant(fault, seed, folder, find):
    """Plants one fault in a copy of the sources, and takes it out again. Returns what went wrong, or None."""
    source = Path(folder) / fault.file
    text = source.read_text(encoding="utf-8")
    if text.count(fault.search) != 1:
        return f"{fault.file}: expected {fault.search!r} once, found it {text.count(fault.search)} times"
    source.write_text(text.replace(fault.search, fault.replace), encoding="utf-8")
    try:
        (Path(folder) / "vocabularies").mkdir(exist_ok=True)
        return build(folder) or find(fault, seed, str(Path(folder) / "build" / "endstop"), f"{folder}/vocabularies")
    finally:
        source.write_text(text, encoding="utf-8")


def plant_all(faults, seed, find):
    """Plants all faults, one after another. Returns the exit status."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        shutil.copy(ROOT / "Makefile", folder)
        shutil.copytree(ROOT / "src", Path(folder) / "src")
        for fault in faults:
            wrong = plant(fault, seed, folder, find)
            if wrong:
                failed += 1
                print(f"{fault.rule:4} {fault.what}: {wrong}")
    print(f"{len(faults)} faults planted, {len(faults) - failed} found (seed {seed})")
    return 1 if failed or not faults else 0


def main(doc, cases, run, faults, find):
    """run(seed, cases, endstop) compares; find(fault, seed, endstop, folder) until a fault shows. The exit status."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--endstop", default=str(ROOT / "build" / "endstop"))
    parser.add_argument("--planted", action="store_true")
    options = parser.parse_args()
    options.cases > 0 or parser.error("--cases: expected 1 or more")
    if options.planted:
        return plant_all(faults, options.seed, find)
    if not os.access(options.endstop, os.X_OK):
        print(f"{options.endstop}: expected the command, found none; run make first", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="compared-") as folder:  # it may be built anew meanwhile
        return run(options.seed, options.cases, shutil.copy(options.endstop, folder))
