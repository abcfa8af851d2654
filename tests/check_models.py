#!/usr/bin/env python3
"""Runs the models of spec/models through SPIN. What holds must hold, what is planted must be found.

    tests/check_models.py            the long form
    tests/check_models.py --quick    the short form: smaller models, the same claims and faults
    tests/check_models.py --record   the long form; writes what the next runs compare with

Each claim holds, over a number of states and transitions that is pinned; denied, it fails, and the run that shows this
is kept as a race order; and each fault that a model's head tells of breaks the claims named there. Needs spin and gcc.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = os.path.join(ROOT, "spec", "models")
CORE = os.path.join(ROOT, "src", "core")
COUNTS = os.path.join(ROOT, "tests", "check_models.tsv")
ORDERS = os.path.join(ROOT, "corpus", "cases", "races-models.jsonl")
COMPILER = os.environ.get("CC", "gcc")
LIMIT_S = 900  # one run
WORKERS = max(2, os.cpu_count() or 1)

# Name, model, what it is compiled with, whether only in the long form: there the claims that nothing wrong comes about
# are searched together. Faults and denied claims are run on the first of a model that has the claim.
VARIANTS = [
    ("flag", "flag", [], False),
    ("flush", "flush", [], False),
    ("flush, endless", "flush", ["-DENDLESS"], False),
    ("flag, 3 lanes", "flag", ["-DLANES=3"], True),
    ("flush, 2 slots, 3 lanes", "flush", ["-DSLOTS=2", "-DLANES=3", "-DTOKENS=1"], True),
    ("flush, 2 slots, 3 tokens", "flush", ["-DSLOTS=2", "-DTOKENS=3", "-DWAITS=2"], True),
]
TOGETHER = "together"
DEADLOCK = "no_deadlock"  # SPIN's own claim; it is looked for without any other


class Fault(Exception):
    pass


def command(arguments, folder, limit=LIMIT_S):
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=limit, check=False)
    return done.returncode, done.stdout + done.stderr


def lasting(claim):
    """Whether it says that something comes about; SPIN must then be fair."""
    return claim.startswith("T9")


def build(base, model, options, flags, together=False):
    """A checker in a folder of its own, and the claims that it can check."""
    folder = tempfile.mkdtemp(dir=base)
    for name in (model + ".pml", "claims.h"):
        shutil.copy(os.path.join(MODELS, name), folder)
    status, told = command(["spin", "-a", *options, model + ".pml"], folder)
    if together:
        said = re.findall(r"^ltl ((?!not_)\w+): (.*)$", told, re.M)
        with open(os.path.join(folder, model + ".pml"), "a", encoding="utf-8") as file:
            file.write("ltl %s { %s }\n" % (TOGETHER, " && ".join(f"({f})" for name, f in said if not lasting(name))))
        status, told = command(["spin", "-a", *options, model + ".pml"], folder)
    if status != 0 or not os.path.exists(os.path.join(folder, "pan.c")):
        raise Fault(f"{model}.pml {' '.join(options)}: expected a model, spin found: {told.strip()[-300:]}")
    sources = ["pan.c", os.path.join(CORE, "stopword.c")]
    # Without the reduction by partial order all interleavings are run, whatever C code the steps hold.
    always = ["-w", "-DNOREDUCE", "-DNFAIR=2", "-iquote", CORE, "-o", "pan"]
    status, told = command([COMPILER, *flags, *always, *sources], folder)
    if status != 0:
        raise Fault(f"{model}.pml {' '.join(options)}: expected it to compile, found: {told.strip()[:300]}")
    with open(os.path.join(folder, "_spin_nvr.tmp"), encoding="utf-8") as file:
        claims = re.findall(r"^never (\w+)", file.read(), re.M)
    claims = [c for c in claims if not c.startswith("not_")]
    return folder, sorted(c for c in claims if not together or c == TOGETHER or lasting(c))


Outcome = collections.namedtuple("Outcome", "errors states transitions seconds folder")


def check(folder, claim):
    """One run of the checker on one claim, fair where the claim is that something comes about."""
    place = tempfile.mkdtemp(dir=folder)
    bare = claim.removeprefix("not_")
    which = [] if bare == DEADLOCK else ["-a", "-N", claim] + (["-f"] if lasting(claim) else [])
    begun = time.monotonic()
    _, told = command([os.path.join(folder, "pan"), "-m1000000", "-w20", *which], place)
    errors = re.search(r"errors: (\d+)", told)
    states = re.search(r"(\d+(?:\.\d+e\+\d+)?) states, stored", told)
    transitions = re.search(r"(\d+(?:\.\d+e\+\d+)?) transitions", told)
    if not errors or not states or not transitions or "max search depth too small" in told or "out of memory" in told:
        raise Fault(f"{claim}: expected a whole search, found: {told.strip()[-300:]}")
    counts = [int(float(found[1])) for found in (states, transitions)]
    return Outcome(int(errors[1]), *counts, time.monotonic() - begun, place)


def planted(model):
    """The faults that the head of a model tells of: number, claims."""
    with open(os.path.join(MODELS, model + ".pml"), encoding="utf-8") as file:
        head = file.read().partition("*/")[0]
    found = [(int(n), names.split()) for n, names in re.findall(r"^ \*\s+(\d+) (\w+(?: \w+)*)  +\S", head, re.M)]
    if [n for n, _ in found] != list(range(1, len(found) + 1)) or not found:
        raise Fault(f"{model}.pml: expected faults 1, 2, …, found {[n for n, _ in found]}")
    return found


# What the numbers in a model's events mean.
CAUSES = ["open", "stop", "length", "abort", "abort"]
ANSWERS = ["won", "second", "late", "stale"]


def race_order(model, claim, folder):
    """The run that was found, as a race order (spec/formats.md)."""
    _, told = command([os.path.join(os.path.dirname(folder), "pan"), "-r", "-S", "-N", "not_" + claim], folder)
    events, lanes = [], collections.OrderedDict()
    for line in told.split("\n"):
        found = re.fullmatch(r"\s*(engine|control|client) (\w+)((?: \w+=\d+)*)", line)
        if not found:
            continue
        value = dict((key, int(number)) for key, number in re.findall(r"(\w+)=(\d+)", found[3]))
        request = "ABC"[value["lane"]]
        event = {"thread": found[1], "op": found[2], "req": request}
        lane = lanes.setdefault(request, {"committed": [], "finish": None, "terminal_count": 0})
        if "tok" in value:
            token = f"{request}{value['tok'] - 1}"
            event.update({"toks": [token]} if event["op"] == "emit" else {"tok": token})
            if event["op"] == "token_commit":
                lane["committed"].append(token)
        if event["op"] == "finish":
            event["reason"] = lane["finish"] = CAUSES[value["cause"]]
            lane["terminal_count"] += 1  # ends of the lane, whether or not its client is still there (spec/races.md)
        if event["op"] == "set_stop":
            event.update({"reason": "abort", "by": str(value["by"]), "answer": ANSWERS[value["answer"]]})
        events.append(event)
    what = f"A run of spec/models/{model}.pml in which {claim} might have failed, and holds."
    expect = {"per_request": lanes, "finish_reason": None}
    return {"case": f"model-{model}-{claim}", "what": what, "events": events, "expect": expect}


def table(rows, head):
    rows = [head, *rows]
    wide = [max(len(str(row[i])) for row in rows) for i in range(len(head))]
    for row in rows:
        cells = [str(c).rjust(w) if i in (2, 3, 4) else str(c).ljust(w) for i, (c, w) in enumerate(zip(row, wide))]
        print("  ".join(cells).rstrip())


def read_counts():
    if not os.path.exists(COUNTS):
        return {}
    with open(COUNTS, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return {(name, claim): (int(states), int(transitions)) for name, claim, states, transitions in rows}


def faults_of(pool, base, first):
    """Plants each fault in its model: {(variant, claim): the numbers of those that broke it}, and complaints."""

    def plant(number, claims, variant):
        name, model, options, _ = variant
        folders = {}
        broken = []
        for claim in claims:
            flags = ["-O0"] + (["-DNOCLAIM"] if claim == DEADLOCK else [])
            if flags[-1] not in folders:
                folders[flags[-1]] = build(base, model, [*options, f"-DBUG={number}"], flags)[0]
            if check(folders[flags[-1]], claim).errors:
                broken.append(claim)
        return name, number, claims, broken

    jobs = []
    for model in sorted({model for _, model, _, _ in VARIANTS}):
        for number, claims in planted(model):
            by_variant = collections.defaultdict(list)
            for claim in claims:
                if (model, claim) not in first:
                    raise Fault(f"{model}.pml: fault {number}: expected a claim of the model, found {claim}")
                by_variant[first[model, claim][0]].append(claim)
            for name, some in by_variant.items():
                variant = next(v for v in VARIANTS if v[0] == name)
                jobs.append(pool.submit(plant, number, some, variant))
    caught, complaints = collections.defaultdict(list), []
    for job in jobs:
        name, number, claims, broken = job.result()
        for claim in claims:
            if claim in broken:
                caught[name, claim].append(number)
            else:
                complaints.append(f"{name}: fault {number}: expected it to break {claim}, found that it holds")
    return caught, complaints


def run(quick, base, pool):
    """All of it: rows of (variant, claim, outcome), race orders, faults caught, complaints."""
    variants = [v for v in VARIANTS if not (quick and v[3])]
    builds = [
        (v, *(pool.submit(build, base, v[1], v[2], flags, v[3]) for flags in (["-O1"], ["-O1", "-DNOCLAIM"])))
        for v in variants
    ]
    first, jobs = {}, []
    for variant, checker, bare in builds:
        folder, claims = checker.result()
        for claim in [*claims, DEADLOCK]:
            is_first = claim != TOGETHER and first.setdefault((variant[1], claim), variant) is variant
            where = bare.result()[0] if claim == DEADLOCK else folder
            denied = pool.submit(check, folder, "not_" + claim) if is_first and claim != DEADLOCK else None
            jobs.append((variant, claim, pool.submit(check, where, claim), denied))
    caught, complaints = faults_of(pool, base, first)
    rows, orders = [], []
    for (name, model, _, _), claim, job, denied in jobs:
        outcome = job.result()
        rows.append((name, claim, outcome))
        if outcome.errors:
            complaints.append(f"{name}: {claim}: expected it to hold, found a run that breaks it")
        if denied and not denied.result().errors:
            complaints.append(f"{name}: {claim}: expected a run in which it is put to the test, found none")
        elif denied:
            orders.append(race_order(model, claim, denied.result().folder))
        if first.get((model, claim), [None])[0] == name and not caught[name, claim]:
            complaints.append(f"{name}: {claim}: expected a planted fault that breaks it, found none")
    return rows, orders, caught, complaints


def compare(rows, orders):
    """What differs from what is committed."""
    pinned = read_counts()
    for name, claim, outcome in rows:
        now = (outcome.states, outcome.transitions)
        if pinned.get((name, claim)) != now:
            yield f"{name}: {claim}: expected states, transitions {pinned.get((name, claim), 'pinned')}, found {now}"
    kept = ""
    if os.path.exists(ORDERS):
        with open(ORDERS, encoding="utf-8") as file:
            kept = file.read()
    if kept != orders:
        yield f"{os.path.relpath(ORDERS, ROOT)}: expected the runs that the models give, found others"


def record(rows, orders):
    with open(COUNTS, "w", encoding="utf-8") as file:
        file.write("model\tclaim\tstates\ttransitions\n")
        for name, claim, outcome in rows:
            file.write(f"{name}\t{claim}\t{outcome.states}\t{outcome.transitions}\n")
    os.makedirs(os.path.dirname(ORDERS), exist_ok=True)
    with open(ORDERS, "w", encoding="utf-8") as file:
        file.write(orders)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="the short form")
    parser.add_argument("--record", action="store_true", help="write what later runs compare with")
    chosen = parser.parse_args()
    if chosen.quick and chosen.record:
        parser.error("--record: expected the long form, found --quick")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as base, concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        try:
            rows, orders, caught, complaints = run(chosen.quick, base, pool)
        except (Fault, subprocess.TimeoutExpired) as fault:
            pool.shutdown(cancel_futures=True)
            print(f"check_models.py: {fault}")
            return 1
    lines = "".join(json.dumps(order, ensure_ascii=False) + "\n" for order in orders)
    table(
        [(n, c, o.states, o.transitions, f"{o.seconds:.1f}", " ".join(map(str, caught[n, c]))) for n, c, o in rows],
        ("model", "claim", "states", "transitions", "s", "broken by fault"),
    )
    if chosen.record:
        record(rows, lines)
    else:
        complaints += compare(rows, lines)
    for complaint in complaints:
        print(complaint)
    states = sum(outcome.states for _, _, outcome in rows)
    faults = sum(len(planted(model)) for model in {model for _, model, _, _ in VARIANTS})
    print(
        f"{len(rows)} claims hold over {states:,} states, {faults} faults planted, {len(orders)} race orders,"
        f" {len(complaints)} complaints, {time.monotonic() - begun:.0f} s"
    )
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
