#!/usr/bin/env python3
"""Random cases through three implementations that were written apart: the model in Python, the reference, and the
slow model in C. All three must give the same answer, member by member.

    differential.py [--cases N] [--seed S] [--endstop PATH]
    differential.py --planted [--seed S]     plants faults in copies of the sources: the comparison must find each
"""

import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "model"))

import model  # noqa: E402
import planting  # noqa: E402
from generate import make_lines, write_case  # noqa: E402
from planted import PLANTED  # noqa: E402
from shrink import shrink  # noqa: E402

BATCH = 1000
PATIENCE = 20  # seconds for a batch, which takes a fraction of one
MEMBERS = [
    "no answer", "case", "param", "cause", "finish_reason", "stop_reason", "stop_index", "tokens", "token_ids", "deltas",
    "text", "terminals", "terminal", "unsupported",
]  # fmt: skip
CAUSES = [*model.REASONS, "external", "invalid_request"]
ABSENT = "(absent)"
SHOWN = 4  # kinds of differences that are made small and shown
PLANTED_CASES = 5000  # within which a planted fault must be found


def engines(endstop):
    """The implementations that are asked, by the names they are shown under."""
    return {"endstop run": [endstop, "run"], "endstop run --matcher model": [endstop, "run", "--matcher", "model"]}


def answers(command, lines):
    """What an engine answers to each line; where it fell over, what it left behind, and it is started again."""
    result = []
    while len(result) < len(lines):
        rest = b"".join(lines[len(result) :])
        try:
            done = subprocess.run(command, input=rest, capture_output=True, check=False, timeout=PATIENCE)
            output, left = done.stdout, done.stderr.decode("utf-8", "replace")[-400:]
            why = f"exit status {done.returncode}: {left}"
        except subprocess.TimeoutExpired as late:
            output, why = late.stdout or b"", f"after {PATIENCE} s"
        result += [read_answer(line) for line in output.splitlines()]
        if len(result) < len(lines):
            result.append({"no answer": why})
    return result[: len(lines)]


def read_answer(line):
    """An answer, or what stood in its place."""
    try:
        return json.loads(line)
    except ValueError:
        return {"no answer": f"no JSON: {line[:200]!r}"}


def member(result, name):
    """A member as it is compared: why a case is unsupported is nobody's business."""
    value = result.get(name, ABSENT)
    return name in result if name == "unsupported" else value


def difference(expected, actual):
    """The first member that differs, or None."""
    for name in MEMBERS:
        a, b = member(expected, name), member(actual, name)
        if a != b or type(a) is not type(b):
            return name
    return None


def compare(lines, endstop):
    """For each line the model's result and the first difference as (engine, member), or None."""
    expected = [model.run_case(model.read_case(line)) for line in lines]
    differences = [None] * len(lines)
    for name, command in engines(endstop).items():
        for i, actual in enumerate(answers(command, lines)):
            found = difference(expected[i], actual)
            differences[i] = differences[i] or (found and (name, found))
    return expected, differences


def run_batch(job):
    """One batch, in a process of its own: how often each cause occurred, and the cases that differ."""
    seed, batch, count, endstop, folder = job
    cases, lines = zip(*make_lines(random.Random(f"{seed}:{batch}"), batch * BATCH, count, folder))
    expected, differences = compare(lines, endstop)
    causes = Counter(r.get("cause", "unsupported") for r in expected)
    return causes, [(where, case) for where, case in zip(differences, cases) if where]


def show(where, case, endstop):
    """Prints a case that differs, made small, with all three answers."""

    def which_stay(candidates):
        return [found == where for found in compare([write_case(c, True) for c in candidates], endstop)[1]]

    small = shrink(case, which_stay)
    line = write_case(small, True)
    print(f"\n{case['case']}: {where[0]}: {where[1]}: differs from the model; made small:")
    print("  " + line.decode("utf-8", "backslashreplace").strip())
    results = {"model.py": model.run_case(model.read_case(line))}
    results.update((name, answers(command, [line])[0]) for name, command in engines(endstop).items())
    for name, result in results.items():
        told = {n: result[n] for n in MEMBERS if n in result and n != "case"}
        print(f"  {name}\n    {json.dumps(told, ensure_ascii=False)}")


def jobs(seed, count, endstop, folder):
    """The batches of a run."""
    for batch in range(-(-count // BATCH)):
        yield seed, batch, min(BATCH, count - batch * BATCH), endstop, folder


def run(seed, count, endstop):
    """Compares `count` cases. Returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="vocabularies-") as folder:
        return run_with(folder, seed, count, endstop)


def run_with(folder, seed, count, endstop):
    """The same with a folder for the vocabularies that cases name."""
    began = time.monotonic()
    causes, different = Counter(), []
    with multiprocessing.Pool(2) as pool:
        for done, (found, cases) in enumerate(pool.imap_unordered(run_batch, jobs(seed, count, endstop, folder)), 1):
            causes += found
            different += cases
            if sys.stderr.isatty():
                told = f"{min(done * BATCH, count)} of {count} cases, {len(different)} differ"
                print(f"\r{told}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    kinds = {}
    for where, case in sorted(different, key=lambda d: int(d[1]["case"].split("-")[1])):
        kinds.setdefault(where, case)
    for where, case in list(kinds.items())[:SHOWN]:
        show(where, case, endstop)
    if len(kinds) > SHOWN:
        print(f"\nand {len(kinds) - SHOWN} more: " + "; ".join(f"{e}: {m}" for e, m in list(kinds)[SHOWN:]))
    print("causes: " + ", ".join(f"{cause} {causes[cause]}" for cause in CAUSES))
    never = [cause for cause in CAUSES if not causes[cause]] if count >= 2000 else []
    for cause in never:
        print(f"cause {cause}: expected to occur in {count} cases, found never")
    seconds = time.monotonic() - began
    print(f"{count} cases, three answers each, {len(different)} differ (seed {seed}, {seconds:.0f} s)")
    return 1 if different or never else 0


def find(fault, seed, endstop, folder):
    """Compares until a planted fault shows. Returns what went wrong, or None if it was found."""
    for batch in range(PLANTED_CASES // BATCH):
        cases, lines = zip(*make_lines(random.Random(f"{seed}:{batch}"), batch * BATCH, BATCH, folder, 0.5))
        found = [(where, case) for where, case in zip(compare(lines, endstop)[1], cases) if where]
        if found:
            where, case = found[0]
            print(f"{fault.rule:4} {fault.what}: {where[1]} of {case['case']}; {len(found)} differ of {BATCH}")
            return None
    return f"expected to be found in {PLANTED_CASES} cases, was not"


if __name__ == "__main__":
    sys.exit(planting.main(__doc__, 100000, run, PLANTED, find))
