#!/usr/bin/env python3
"""The table of the README: what the judge found in each engine, by rule.

usage: table.py            prints it
       table.py --check    that the README has it, and that every kind of fault found is accounted for

What was found stands in corpus/recordings/verdicts.tsv, what it means in tests/peers/*/claims.tsv: a row says of a rule
and kind whether it is the engine's fault, its documented choice, or (kind -) that the engine has no such thing; a row
`name@release` says what to call a release here.
"""
import argparse
import os
import re
import sys
from collections import defaultdict

from peer import RECORDINGS, ROOT

PEERS = os.path.join(ROOT, "tests", "peers")
README = os.path.join(ROOT, "README.md")
RULES = [f"R{n}" for n in range(1, 17)]
STATUS = ("fault", "choice", "n/a")
BEGIN, END = "<!-- tests/peers/table.py -->\n", "<!-- end -->\n"


def names_of_rules():
    with open(os.path.join(ROOT, "spec", "rules.md"), encoding="utf-8") as file:
        return dict(re.findall(r"^(R\d+) \*\*(.*?)\.\*\*", file.read(), re.M))


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]


def release_of(name, engines):
    """Engine and release of a recording: vllm-0.32.0-stream.jsonl."""
    engine = max((e for e in engines if name.startswith(e + "-")), key=len)
    return engine, re.match(r"[0-9][^-]*", name[len(engine) + 1 :])[0]


def found(engines):
    """(engine, release) -> (lanes, {(rule, kind): lanes with it})."""
    lanes, faults = defaultdict(int), defaultdict(lambda: defaultdict(set))
    for file, case, _, told in rows(os.path.join(RECORDINGS, "verdicts.tsv")):
        release = release_of(file, engines)
        lanes[release] += 1
        for fault in [] if told == "-" else told.split(","):
            kind, rule = fault.split(":")[:2]
            faults[release][rule, kind].add((file, case))
    return {release: (lanes[release], faults[release]) for release in sorted(lanes)}


def claims(engine):
    """(rule, release or None, kind) -> status."""
    result = {}
    for rule, kind, status, why in rows(os.path.join(PEERS, engine, "claims.tsv")):
        rule, _, release = rule.partition("@")
        if rule == "name":
            continue
        if rule not in RULES or status not in STATUS or not why or (kind == "-") != (status == "n/a"):
            sys.exit(f"{engine}/claims.tsv: expected a rule, a kind, {' or '.join(STATUS)}, and why, found {rule} {kind} {status}")
        result[rule, release or None, kind] = status
    return result


def name_of(engine, release):
    called = {rule: why for rule, _, _, why in rows(os.path.join(PEERS, engine, "claims.tsv"))}
    return called.get(f"name@{release}", f"{engine} {release}")


def status_of(claimed, rule, release, kind):
    return claimed.get((rule, release, kind)) or claimed.get((rule, None, kind))


def cell(claimed, release, faults, rule):
    """Lanes with a fault, in bold; lanes that only differ by a documented choice, in brackets."""
    wrong, chosen = set(), set()
    for (of, kind), lanes in faults.items():
        if of == rule:
            (wrong if status_of(claimed, rule, release, kind) == "fault" else chosen).update(lanes)
    told = ([f"**{len(wrong)}**"] if wrong else []) + ([f"({len(chosen - wrong)})"] if chosen - wrong else [])
    return " ".join(told) or ("–" if status_of(claimed, rule, None, "-") else "0")


def table(engines):
    every = found(engines)
    claimed = {engine: claims(engine) for engine in engines}
    names = [name_of(*release) for release in every]
    lines = ["| rule | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for rule in RULES:
        cells = [cell(claimed[e], r, faults, rule) for (e, r), (_, faults) in every.items()]
        if any(c not in ("–", "0") for c in cells):
            lines.append(f"| {rule} {names_of_rules()[rule].lower()} | " + " | ".join(cells) + " |")
    lines.append("| lanes | " + " | ".join(str(lanes) for lanes, _ in every.values()) + " |")
    return "\n".join(lines) + "\n"


def complaints(engines):
    """What was found and nobody accounts for; what is claimed and was not found; a README with another table."""
    every = found(engines)
    for (engine, release), (_, faults) in every.items():
        claimed = claims(engine)
        for rule, kind in faults:
            if not status_of(claimed, rule, release, kind):
                yield f"{engine}/claims.tsv: expected a row for {rule} {kind} (found in {release}), found none"
    for engine in engines:
        seen = {(rule, kind) for (e, _), (_, faults) in every.items() if e == engine for rule, kind in faults}
        for (rule, _, kind), status in claims(engine).items():
            if status != "n/a" and (rule, kind) not in seen:
                yield f"{engine}/claims.tsv: {rule} {kind}: expected it in the recordings, found it in none"
    with open(README, encoding="utf-8") as file:
        text = file.read()
    if text.partition(BEGIN)[2].partition(END)[0] != table(engines):
        yield "README.md: expected the table that tests/peers/table.py prints, found another or none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    engines = sorted(e for e in os.listdir(PEERS) if os.path.exists(os.path.join(PEERS, e, "adapter.py")))
    if not parser.parse_args().check:
        print(table(engines), end="")
        return 0
    told = list(complaints(engines))
    print("\n".join(told + [f"{len(engines)} engines, {len(told)} complaints"]))
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
