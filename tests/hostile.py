#!/usr/bin/env python3
"""Hostile lines: mutated cases and recordings through `endstop run` and `endstop check` built with sanitizers.

    hostile.py ENDSTOP [--seconds S] [--seed S]

A command must answer or name every line and end with status 0, 1 or 2; a signal, a sanitizer's report, a hang or a
line without answer is a failure, and the lines that did it are kept in build/logs/hostile.jsonl. Three programs that
crash, report and swallow lines are tried first: they must be found out."""

import argparse
import random
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BATCH = 400
PATIENCE = 120

PIECES = [
    b"\\ud800", b"\\udfff", b"\\u0000", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"null", b"true",
    b"-1", b"1.5", b"1e9", b"1e999", b"2147483647", b"2147483648", b"99999999999999999999999", b"-0", b"[]", b"{}",
    b'""', b'"', b"[", b"]", b"{", b"}", b",", b":", b"\\", b"\t", b"\x00", b"\xef\xbb\xbf", b'"stop":[""],',
    b'"steps":[[]],', b'"result":{},', b'{"text":"a","priority":128}', b'[[0]]', b'"hex":"f"', b"[" * 300, b" " * 3000,
]  # fmt: skip


def seeds(rng):
    lines = []
    for path in sorted((ROOT / "corpus").rglob("*.jsonl")):
        lines += [line for line in path.read_bytes().splitlines() if len(line) < 4000]
    rng.shuffle(lines)
    return lines


def mutate(rng, line, other):
    line = bytearray(line)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(line) + 1)
        to = min(len(line), at + rng.choice([1, 1, 2, 5, 20]))
        kind = rng.randrange(7)
        if kind == 0:
            line[at:at] = rng.choice(PIECES)
        elif kind == 1:
            line[at:to] = rng.choice(PIECES)
        elif kind == 2:
            del line[at:to]
        elif kind == 3:
            line[at:at] = line[at:to] * rng.choice([1, 2, 50])
        elif kind == 4 and at < len(line):
            line[at] = rng.randrange(256)
        elif kind == 5:
            start = rng.randrange(len(other))
            line[at:to] = other[start : start + rng.choice([1, 10, 60])]
        else:  # a value of its own for some member
            values = list(re.finditer(rb':("[^"]*"|-?[0-9.]+|true|false|null|\[[^\]]*\])', bytes(line)))
            if values:
                value = rng.choice(values)
                line[value.start() + 1 : value.end()] = rng.choice(PIECES)
    return bytes(line).replace(b"\n", b" ").replace(b"\r", b" ")


def trouble(command, lines):
    """What is wrong with the way a command took these lines, or None."""
    data = b"\n".join(lines) + b"\n"
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"no end within {PATIENCE} s"
    if done.returncode not in (0, 1, 2):
        return f"status {done.returncode}: {done.stderr[-400:].decode('utf-8', 'replace')}"
    report = re.search(rb"(Sanitizer|runtime error)[^\n]*", done.stderr)
    if report:
        return report.group().decode("utf-8", "replace")
    answers = done.stdout.count(b"\n")
    asked = sum(1 for line in lines if line.strip(b" \t"))
    named = len({m.group(1) for m in re.finditer(rb"^[^\n:]*:(\d+):", done.stderr, re.M)})
    if answers + named < asked:
        return f"{asked} lines, but {answers} answers and {named} lines named as bad"
    try:
        done.stdout.decode("utf-8")
    except UnicodeDecodeError as fault:
        return f"an answer is no UTF-8: {fault}"
    return None


def controls(lines):
    """The check itself must notice a crash, a report and swallowed lines."""
    programs = {
        "crash": "cat >/dev/null; kill -SEGV $$",
        "report": "cat; echo 'x.c:1:2: runtime error: planted' >&2",
        "swallow": "head -n 3; cat >/dev/null",
    }
    for name, program in programs.items():
        if trouble(["sh", "-c", program], lines) is None:
            sys.exit(f"hostile: the planted {name} was not noticed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("endstop")
    parser.add_argument("--seconds", type=float, default=25)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    good = seeds(rng)
    controls(good[:20])
    commands = [
        [asked.endstop, "run"],
        [asked.endstop, "run", "--strict", "--matcher", "model"],
        [asked.endstop, "check", "--format", "json"],
    ]
    end = time.monotonic() + asked.seconds
    count = 0
    while time.monotonic() < end:
        lines = [mutate(rng, rng.choice(good), rng.choice(good)) for _ in range(BATCH)]
        for command in commands:
            wrong = trouble(command, lines)
            if wrong:
                for line in lines:  # one line alone is easier to read, if one alone does it
                    if trouble(command, [line]):
                        lines = [line]
                        break
                kept = ROOT / "build" / "logs" / "hostile.jsonl"
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(b"\n".join(lines) + b"\n")
                sys.exit(f"{' '.join(command)}: {wrong}\nseed {asked.seed}; the lines are in {kept.relative_to(ROOT)}")
        count += BATCH
    print(f"{count} hostile lines through {len(commands)} commands, no trouble (seed {asked.seed})")


if __name__ == "__main__":
    main()
