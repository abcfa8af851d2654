#!/usr/bin/env python3
"""What the judge says of every committed recording, against corpus/recordings/verdicts.tsv: a change of a verdict is
seen here and in review. --update writes the table anew."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDINGS = ROOT / "corpus" / "recordings"
TABLE = RECORDINGS / "verdicts.tsv"


def verdicts(endstop):
    rows = []
    for path in sorted(RECORDINGS.glob("*.jsonl")):
        done = subprocess.run([endstop, "check", "--format", "json", path], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{path.name}: endstop check ended with status {done.returncode}: {done.stderr[:300]}")
        for line in done.stdout.splitlines():
            verdict = json.loads(line)
            faults = ",".join(":".join(str(fault.get(member, "")) for member in ("kind", "rule", "step", "byte")) for fault in verdict["faults"])
            rows.append((path.name, verdict["case"], verdict["verdict"], faults or "-"))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endstop", default=str(ROOT / "build" / "endstop"))
    parser.add_argument("--update", action="store_true")
    asked = parser.parse_args()
    rows = verdicts(asked.endstop)
    lanes = sum(1 for path in RECORDINGS.glob("*.jsonl") for _ in path.open())
    if asked.update:
        TABLE.write_text("# file\tcase\tverdict\tfaults\n" + "".join("\t".join(row) + "\n" for row in rows))
    table = [tuple(line.split("\t")) for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    differ = [(a, b) for a, b in zip(table, rows) if a != b]
    for expected, found in differ[:10]:
        print(f"{found[0]}: {found[1]}: expected {expected[2:]}, found {found[2:]}")
    words = Counter(row[2] for row in rows)
    print(", ".join(f"{count} {word}" for word, count in sorted(words.items())) + f"; {len(differ)} changed")
    if len(table) != len(rows) or len(rows) != lanes:
        sys.exit(f"{lanes} recordings, {len(rows)} verdicts, {len(table)} rows in {TABLE.name}")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
