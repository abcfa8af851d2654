#!/usr/bin/env python3
"""Every line of the corpus is what spec/schema says, and doctored lines are refused. Needs python3-jsonschema."""

import copy
import glob
import json
import os
import sys

try:
    from jsonschema import Draft202012Validator, RefResolver
except ImportError:
    sys.exit(f"check_schemas.py: expected the package python3-jsonschema for {sys.executable}, found none")

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCHEMAS = os.path.join(ROOT, "spec", "schema")

CASE = {
    "case": "x",
    "request": {"stop": ["a", {"text": "b", "priority": 1}], "max_tokens": 4, "flush": {"bytes": 2}},
    "steps": [[{"id": 0, "text": "a"}, {"id": 1, "hex": "f09f"}], []],
    "sink": ["ok", "later"],
    "expect": {"text": "", "finish_reason": "stop", "cause": "stop_string", "stop_reason": "a", "stop_index": 0},
}
RESULT = {
    "case": "x",
    "deltas": ["a", {"hex": "ff"}],
    "finish_reason": "stop",
    "cause": "eos",
    "terminal": {"bytes": 3, "crc32c": "00000000"},
}
FAULT = {"rule": "R10", "kind": "leak", "by": "rule", "step": 1, "why": "a stop was shown"}
GOOD = {
    "case": CASE,
    "result": RESULT,
    "recording": {**CASE, "result": {**RESULT, "finish_reason": "wrong"}},
    "verdict": {"format": 1, "case": "x", "verdict": "violates", "faults": [FAULT]},
    "sse-capture": {"case": "x", "protocol": "raw-sse", "chunks": ["6461"], "expect": {"verdict": "truncated"}},
    "race-order": {
        "case": "x",
        "events": [
            {"thread": "engine", "op": "sample", "tok": "T0"},
            {"thread": "control", "op": "set_stop", "reason": "abort"},
            {"thread": "client", "op": "disconnect"},
            {"thread": "control", "op": "teardown", "step": 3},
        ],
        "expect": {"per_request": {"A": {"committed": ["T0"], "finish": None, "terminal_count": 0}}},
        "result": {"committed": ["T0"], "finish_reason": "abort", "terminal_count": 1},
    },
}
# Each fault: the schema, the place, and what is put there; the good line above it must become a bad one.
DOCTORED = [
    ("case", ("case",), None),
    ("case", ("steps",), [{"id": 0}]),
    ("case", ("steps", 0, 0), {"text": "no id"}),
    ("case", ("steps", 0, 0, "hex"), "61"),
    ("case", ("steps", 0, 1, "hex"), "f09"),
    ("case", ("request", "stop", 0), ""),
    ("case", ("request", "stop", 1, "priority"), 128),
    ("case", ("request", "stops"), ["a"]),
    ("case", ("request", "max_tokens"), -1),
    ("case", ("request", "max_tokens"), True),
    ("case", ("request", "flush"), {"bytes": 2, "steps": 1}),
    ("case", ("request", "flush", "bytes"), 0),
    ("case", ("sink", 0), "maybe"),
    ("case", ("expect", "finish_reason"), "length"),
    ("case", ("expect", "cause"), "stop"),
    ("case", ("expect", "delta"), []),
    ("case", ("external_end",), {"after_step": 1, "cut": 0, "reason": ""}),
    ("result", ("deltas", 1, "hex"), "f"),
    ("result", ("terminal", "crc32c"), "E3069283"),
    ("result", ("tokens",), -1),
    ("recording", ("result",), None),
    ("recording", ("result", "cause"), "because"),
    ("verdict", ("format",), 2),
    ("verdict", ("faults",), []),
    ("verdict", ("faults", 0, "rule"), "R17"),
    ("verdict", ("faults", 0, "kind"), "bad"),
    ("verdict", ("verdict",), "conforms"),
    ("sse-capture", ("protocol",), "grpc"),
    ("sse-capture", ("chunks", 0), "64615"),
    ("race-order", ("events", 0), {"op": "sample"}),
    ("race-order", ("events", 0, "thread"), "transfer"),
    ("race-order", ("events", 0, "thread"), "client"),
    ("race-order", ("events", 0, "tok"), None),
    ("race-order", ("events", 1, "reason"), "length"),
    ("race-order", ("events", 2, "thread"), "engine"),
    ("race-order", ("events", 2, "req"), 7),
    ("race-order", ("wrong",), {}),
    ("race-order", ("expect", "per_request", "A", "finish_reason"), "stop"),
    ("race-order", ("result", "committed", 0), 0),
    ("race-order", ("result", "finish"), "abort"),
]


def validators():
    schemas = {}
    for path in sorted(glob.glob(os.path.join(SCHEMAS, "*.schema.json"))):
        with open(path, encoding="utf-8") as file:
            schemas[os.path.basename(path)] = json.load(file)
    found = {}
    for name, schema in schemas.items():
        Draft202012Validator.check_schema(schema)
        resolver = RefResolver(base_uri=name, referrer=schema, store=schemas)
        found[name.removesuffix(".schema.json")] = Draft202012Validator(schema, resolver=resolver)
    return found


def first_error(validator, value):
    errors = sorted(validator.iter_errors(value), key=lambda e: (len(e.absolute_path), str(e.message)))
    if not errors:
        return None
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in errors[0].absolute_path).lstrip(".")
    return f"{path or 'line'}: {errors[0].message[:200]}"


def schema_of(value):
    """Which format a line is in, by the member that only this format has."""
    telling = {"events": "race-order", "result": "recording", "protocol": "sse-capture"}
    return next((name for member, name in telling.items() if member in value), "case")


def check_corpus(found):
    wrong = lines = 0
    for path in sorted(glob.glob(os.path.join(ROOT, "corpus", "**", "*.jsonl"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file.read().split("\n"), 1):
                if not line:
                    continue
                lines += 1
                value = json.loads(line)
                error = first_error(found[schema_of(value)], value)
                if error:
                    wrong += 1
                    print(f"{os.path.relpath(path, ROOT)}:{number}: {error}")
    return lines, wrong


def doctor(value, place, new):
    value = copy.deepcopy(value)
    at = value
    for step in place[:-1]:
        at = at[step]
    if new is None:
        del at[place[-1]]
    else:
        at[place[-1]] = new
    return value


def check_refusals(found):
    wrong = 0
    for name, value in GOOD.items():
        error = first_error(found[name], value)
        if error:
            wrong += 1
            print(f"check_schemas.py: {name}: expected a good line, found {error}")
    for name, place, new in DOCTORED:
        if first_error(found[name], doctor(GOOD[name], place, new)) is None:
            wrong += 1
            print(f"check_schemas.py: {name}: expected a refusal of {place} = {new!r}, found none")
    return wrong


def main():
    found = validators()
    missing = set(GOOD) ^ set(found)
    if missing:
        print(f"check_schemas.py: expected a schema and an example of each, found {', '.join(sorted(missing))} alone")
        return 1
    wrong = check_refusals(found)
    lines, bad = check_corpus(found)
    print(f"{lines} lines of the corpus, {bad} at fault; {len(DOCTORED)} doctored lines, {wrong} not refused")
    return 1 if wrong or bad or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
