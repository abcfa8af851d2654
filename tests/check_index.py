#!/usr/bin/env python3
"""Follows each rule from chapter to contract, test and case and back, and complains of what leads nowhere.

    tests/check_index.py               the tree
    tests/check_index.py --self-test   deletes one thing at a time in memory; each must be missed
"""

import fnmatch
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
READ = (
    ("spec", (".md", ".h")),
    ("src", (".h", ".c", ".cc")),
    ("tests", (".c", ".h")),
    ("corpus", (".md", ".tsv", ".jsonl")),
)
NO_CHAPTER = ("spec/rules.md", "spec/formats.md", "spec/README.md", "spec/soundness.md", "spec/contracts.md")
CONTRACTS = "spec/contracts.md"
TSV = "corpus/cases/rules.tsv"

# What follows from the rules and has a component of its own; its chapter names cases, which no id does.
FOLLOWS = {"T10"}

# What the cases of a rule must tell apart, beyond the rule itself; rules.tsv uses no other words.
CLAUSES = {
    "R1": ":special :visible :no-bytes :prompt :continuation :space :vocab",
    "R2": ":bytes :invisible :overlap",
    "R3": ":position :priority :longest :index",
    "R4": ":cut :include",
    "R5": ":eos :stop-token :ignore-eos :own-text :include :sequence :longest :one-id",
    "R6": ":border :ordinary :across :limits",
    "R7": ":max_tokens :max_context :before-0 :repetition :eos>stop_token :stop_token>stop_string"
    " :stop_string>stop_sequence :stop_sequence>max_tokens :max_tokens>max_context :max_context>repetition"
    " :eos>stop_string :eos>max_tokens"
    " :eos>repetition :stop_token>stop_sequence :stop_token>max_tokens :stop_string>max_tokens :stop_string>max_context"
    " :stop_string>repetition :stop_sequence>repetition :max_tokens>repetition",
    "R8": ":empty",
    "R9": ":natural :external>abort :external>deadline :abort>deadline :abort :deadline :0 :waits :discarded",
    "R10": "(a) (b) (1) (2) (3) :min_tokens :include :incomplete :subpart",
    "R11": ":subpart :steps :bytes :tokens :later :gone :offer",
    "R12": ":eos :stop_token :stop_string :stop_sequence :length :repetition :abort :deadline :external :incomplete"
    " :later :gone :one-terminal :nothing-after :error",
    "R13": ":empty :utf8 :type :negative :fraction :exponent :large :min-max :repetition :repetition-product :priority"
    " :flush :count :long :total :no-list :never-deeper :null :bare :twice :first"
    " :order :order-count :order-total :order-pair :vocabulary",
    "R14": ":first :late :stale :after-ack",
    "R15": "",
    "R16": ":0 :1 :raised :raised-flush :raised-sink :lowered :equal :natural-larger :natural-smaller",
}


def read_tree():
    files = {}
    for folder, endings in READ:
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith(endings):
                    path = os.path.join(where, name)
                    with open(path, encoding="utf-8") as file:
                        files[os.path.relpath(path, ROOT).replace(os.sep, "/")] = file.read()
    return files


def table_rows(text):
    """The cells of all rows that begin with a rule, or with what follows from them."""
    for line in text.split("\n"):
        if re.match(r"\| [RT]\d+ \|", line):
            yield [cell.strip() for cell in line.strip("| ").split("|")]


def spoken_of(text):
    """The rules that a text names, also within `R5 – R8`."""
    found = set(re.findall(r"\b[RT]\d+\b", text))
    for first, last in re.findall(r"\bR(\d+) – R(\d+)\b", text):
        found |= {f"R{n}" for n in range(int(first), int(last) + 1)}
    return found


def chapters(files):
    found = {path: text for path, text in files.items() if re.fullmatch(r"spec/[a-z0-9]+\.md", path)}
    return {path: text for path, text in found.items() if path not in NO_CHAPTER}


def case_ids(files):
    """(file, id, kind) of every case."""
    found = []
    for path, text in sorted(files.items()):
        if path.startswith("corpus/cases/") and path.endswith(".jsonl"):
            for line in text.split("\n"):
                if line:
                    case = json.loads(line)
                    found.append((path, case["case"], case.get("kind")))
    return found


def check_chapters(files, known, unbuilt, ids):
    seen = {}
    core = {path: text for path, text in files.items() if re.fullmatch(r"src/core/\w+\.h", path)}
    functions = {path: re.findall(r"\bes_[a-z0-9_]+(?=\()", text) for path, text in core.items()}
    sources = [text for path, text in files.items() if re.fullmatch(r"tests/test_\w+\.c", path)]
    tests = [name for text in sources for name in re.findall(r"START_TEST\((\w+)\)", text)]
    for path, text in sorted(chapters(files).items()):
        rows = list(table_rows(text))
        if not rows:
            yield f"{path}: expected a table of rules, found none"
        for rule, contract, test, cases in rows:
            seen.setdefault(rule, set()).add(path)
            if rule not in known or rule in unbuilt:
                yield f"{path}: {rule}: expected a rule that is built, found one that is not"
            for header, names in re.findall(r"(\w+\.h): ([^;]*)", contract) or [("none", "")]:
                where = f"src/core/{header}"
                if rule not in spoken_of(files.get(where, "")):
                    yield f"{path}: {rule}: expected {where} to speak of it, found nothing"
                for name in re.findall(r"`(\w+)`", names):
                    if name not in functions.get(where, []):
                        yield f"{path}: {rule}: expected {name} in {where}, found nothing"
            for pattern in re.findall(r"`([^`]+)`", test):
                if not fnmatch.filter(tests, pattern):
                    yield f"{path}: {rule}: expected a test {pattern} in tests/test_*.c, found none"
            if not re.findall(r"`[^`]+`", cases):
                yield f"{path}: {rule}: expected cases, found none"
        for pattern in re.findall(r"`(R\d+-[^`]+)`", text):
            if not fnmatch.filter(ids, pattern):
                yield f"{path}: expected a case {pattern}, found none"
    for rule in sorted(known - unbuilt, key=lambda r: (r[0], int(r[1:]))):
        if rule not in seen:
            yield f"spec: {rule}: expected a chapter, found none"
        if not any(rule in spoken_of(text) for text in core.values()):
            yield f"src/core: {rule}: expected a contract that speaks of it, found none"
        if not any(t.startswith(rule + "_") for t in tests):
            yield f"tests: {rule}: expected a test {rule}_…, found none"
        if rule not in FOLLOWS and not any(i.startswith(rule + "-") for i in ids):
            yield f"corpus/cases: {rule}: expected a case {rule}-…, found none"
    listed = dict(re.findall(r"\]\((\w+\.md)\) \| ([RT0-9 ]+) \|", files["spec/README.md"]))
    for path in chapters(files):
        mine = {rule for rule, paths in seen.items() if path in paths}
        told = set(listed.pop(os.path.basename(path), "").split())
        if mine != told:
            listing = " ".join(sorted(told)) or "nothing"
            yield f"spec/README.md: {path}: expected {' '.join(sorted(mine))}, found {listing}"
    for name in listed:
        yield f"spec/README.md: {name}: expected a chapter, found none"


def declared(files):
    """Each function that a header of the core declares, and that header."""
    found = {}
    for path, text in sorted(files.items()):
        if re.fullmatch(r"src/core/\w+\.h", path):
            code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
            found |= {name: path for name in re.findall(r"^[a-z][\w ]*[ *](es_\w+)\(", code, re.M)}
    return found


def check_contracts(files):
    """What each contract still allows has a row, and says something."""
    rows = re.findall(r"^\| `(es_\w+)` \|(.*)\|$", files[CONTRACTS], re.M)
    names = [name for name, _ in rows]
    core = declared(files)
    for name, path in core.items():
        if names.count(name) != 1:
            yield f"{CONTRACTS}: {name} of {path}: expected one row, found {names.count(name) or 'none'}"
    for name, says in rows:
        if name not in core:
            yield f"{CONTRACTS}: {name}: expected a function that src/core declares, found none"
        if not says.strip():
            yield f"{CONTRACTS}: {name}: expected what its contract still allows, found nothing"


def check_cases(files, known, readings):
    cases = case_ids(files)
    ids = [i for _, i, _ in cases]
    for twice in sorted({i for i in ids if ids.count(i) > 1}):
        yield f"corpus/cases: {twice}: expected one case of this id, found several"
    for path, i, _ in cases:
        own = re.fullmatch(r"corpus/cases/own-(R\d+)\.jsonl", path)
        if own and not i.startswith(own[1] + "-"):
            yield f"{path}: {i}: expected an id that begins with {own[1]}-"
    own_kinds = {kind for path, _, kind in cases if "/own-" in path or path.endswith("-own.jsonl")}
    for kind in sorted({kind for path, _, kind in cases if path.endswith("reported.jsonl")} - own_kinds):
        yield f"corpus/cases: kind {kind}: expected a case of our own beside the reported ones, found none"
    rows = [line.split("\t") for line in files[TSV].split("\n")[1:] if line]
    for name in sorted(set(ids) - {row[0] for row in rows}):
        yield f"{TSV}: {name}: expected its rules, found no row"
    used = set()
    for name, tags in rows:
        if name not in ids:
            yield f"{TSV}: {name}: expected a case of this id, found none"
        for tag in tags.split(", "):
            named = re.fullmatch(r"(R\d+|reading-\d+)(.*)", tag)
            rule, clause = named.groups() if named else (tag, "")
            right = clause == "" or clause in CLAUSES.get(rule, "").split()
            if rule not in known and rule not in readings or not right:
                yield f"{TSV}: {name}: expected a rule and one of its clauses, found {tag}"
            used.add(rule + clause)
    for rule, clauses in CLAUSES.items():
        for clause in clauses.split():
            if rule + clause not in used:
                yield f"{TSV}: {rule}{clause}: expected a case, found none"


def check_mentions(files, known, readings):
    for path, text in sorted(files.items()):
        if path.endswith(".jsonl"):
            continue  # texts of models
        for number, line in enumerate(text.split("\n"), 1):
            for rule in re.findall(r"\bR\d+\b", line):
                if rule not in known:
                    yield f"{path}:{number}: expected a rule of spec/rules.md, found {rule}"
            for reading in re.findall(r"\bReading (\d+)\b", line):
                if f"reading-{reading}" not in readings:
                    yield f"{path}:{number}: expected a reading of spec/rules.md, found Reading {reading}"


def check(files):
    rules, _, rest = files["spec/rules.md"].partition("## Readings")
    known = set(re.findall(r"^(R\d+) \*\*", rules, re.M))
    readings = {f"reading-{n}" for n in re.findall(r"^(\d+)\. ", rest, re.M)}
    unbuilt = {row[0] for row in table_rows(files["spec/README.md"].partition("Not yet built")[2])}
    ids = [i for _, i, _ in case_ids(files)]
    complaints = list(check_chapters(files, known | FOLLOWS, unbuilt, ids))
    complaints += check_contracts(files)
    complaints += check_cases(files, known, readings)
    complaints += check_mentions(files, known, readings)
    return complaints


def edit(path, old, new):
    def apply(files):
        if not re.search(old, files[path], re.M):
            raise SystemExit(f"check_index.py: {path}: expected {old}, found nothing to change")
        files[path] = re.sub(old, new, files[path], flags=re.M)

    return apply


def no_tests_of(rule):
    def apply(files):
        for path in files:
            if path.startswith("tests/"):
                files[path] = files[path].replace(f"START_TEST({rule}_", "START_TEST(")

    return apply


# What is broken, and what must be complained of.
PLANTED = [
    (edit("spec/limits.md", r"^\| R7 \|.*\n", ""), "spec/limits.md: expected a table"),
    (edit("spec/crc32c.md", r"^\| R15 \|.*\n", ""), "R15: expected a chapter"),
    (edit("src/core/crc32c.h", r"R15", "it"), "R15: expected src/core/crc32c.h to speak of it"),
    (edit("src/core/guard.h", r"es_guard_end\(", "es_guard_finish("), "expected es_guard_end in src/core/guard.h"),
    (no_tests_of("R13"), "R13: expected a test"),
    (edit("corpus/cases/own-R15.jsonl", r"R15-", "R12-"), "expected an id that begins with R15-"),
    (edit("corpus/cases/own-R15.jsonl", r"^.*\n", ""), "R15: expected a case"),
    (edit(TSV, r"^R3-longest-at-same-end\t.*\n", ""), "R3-longest-at-same-end: expected its rules"),
    (edit(TSV, r"R3:index", "R3"), "R3:index: expected a case"),
    (edit(TSV, r"R3:index", "R3:last"), "found R3:last"),
    (edit(TSV, r"\Z", "R3-no-such-case\tR3\n"), "R3-no-such-case: expected a case of this id"),
    (edit("corpus/cases/own-R13.jsonl", r'"validation"', '"flush"'), "kind validation: expected a case of our own"),
    (edit("spec/stops.md", r"`R10-dominated-prefix`", "`R10-no-such-case`"), "expected a case R10-no-such-case"),
    (edit("spec/README.md", r"R11 R12", "R11"), "spec/README.md: spec/guard.md: expected R11 R12"),
    (edit("spec/README.md", r"\Z", "\nNot yet built:\n\n| R14 | flag |\n"), "R14: expected a rule that is built"),
    (edit("corpus/cases/races-own.jsonl", r'"chunked-prefill"', '"leak"'), "kind chunked-prefill: expected a case of our own"),
    (edit("corpus/cases/races-own.jsonl", r'"R14-late-request"', '"R14-late"'), "expected a case R14-late-request"),
    (edit("spec/batch.md", r"^\| T10 \|.*\n", ""), "T10: expected a chapter"),
    (edit("src/core/batch.h", r"T10", "it"), "T10: expected src/core/batch.h to speak of it"),
    (no_tests_of("T10"), "T10: expected a test"),
    (edit("spec/lane.md", r"\(R1:", "(R17:"), "found R17"),
    (edit(CONTRACTS, r"^\| `es_guard_end` \|.*\n", ""), "es_guard_end of src/core/guard.h: expected one row, found none"),
    (edit(CONTRACTS, r"^(\| `es_guard_end` \|).*$", r"\1 |"), "es_guard_end: expected what its contract still allows"),
    (edit(CONTRACTS, r"`es_crc32c`", "`es_crc32`"), "es_crc32: expected a function that src/core declares"),
    (edit("src/core/limits.h", r"\Z", "bool es_limits_more(void);\n"), "es_limits_more of src/core/limits.h: expected one row"),
    (edit("src/core/guard.h", r"Reading 2\b", "Reading 99"), "found Reading 99"),
]


def self_test(files):
    before = set(check(files))
    status = 0
    for apply, wanted in PLANTED:
        changed = dict(files)
        apply(changed)
        new = [c for c in check(changed) if c not in before]
        if not any(wanted in c for c in new):
            print(f"check_index.py: expected a complaint `{wanted}', found {new[:2]}")
            status = 1
    print(f"{len(PLANTED)} planted faults, {'all found' if status == 0 else 'not all found'}")
    return status


def main():
    files = read_tree()
    if "--self-test" in sys.argv[1:]:
        return self_test(files)
    complaints = check(files)
    for complaint in complaints:
        print(complaint)
    cases = case_ids(files)
    print(f"{len(chapters(files))} chapters, {len(cases)} cases, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
