"""Shows that the gate bites: each file of proofs/gate/ breaks one rule, and what the rule says of it stands in its
first line; false goals stay unproved; and a wrong answer among the kept ones is found."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import gate
import inventory
import jobs
import store
import wp

GATE = wp.ROOT / "proofs" / "gate"
FEW = {"cvc4": 30_000, "z3": 300_000, "cvc5": 30_000}  # steps for goals that are not to be proved
FALSE = "proofs/false.c"
FALSE_GOALS = 6


def example(path):
    """What is found in one planted file."""
    try:
        return list(found(path))
    except wp.Broken as broken:
        return [str(broken)]


def found(path):
    """What the gate finds in one planted file, taken for the whole core."""
    source = str(path.relative_to(wp.ROOT))
    file = inventory.read(source)
    code = path.read_text(encoding="utf-8")
    names = set(file.functions)
    public = {name: source for name in names if not re.search(rf"\bstatic [^;(]*\b{name}\(", code)}
    public |= {name: source for name in inventory.PUBLIC.findall(re.sub(r"/\*@.*?\*/", "", code, flags=re.S))}
    faults = gate.of_sources([file], public, names) + list(gate.of_code([path]))
    work = [jobs.Job(file, name, ()) for name in [*file.functions, *([jobs.LEMMAS] if file.lemmas else [])]]
    for job in work:
        name = f"gate/{job.name}"
        if path.parent.name == "smoke":
            faults += gate.of_smoke(job.where, wp.smoke(name, source, job.function))
        else:
            report = wp.prove(name, source, job.select, steps=FEW)
            faults += gate.of_report(job.where, report, file, None if job.function == jobs.LEMMAS else job.function)
    return faults


def examples(pool):
    paths = sorted(GATE.glob("**/*.c"))
    failed = not paths
    for path, faults in zip(paths, pool.map(example, paths)):
        wanted = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("// gate: ")
        hit = [fault for fault in faults if wanted in fault]
        print(f"{path.name:24} {'found: ' + hit[0] if hit else 'NOT FOUND: ' + wanted + '; but ' + str(faults)}", flush=True)
        failed |= not hit
    return failed


def reports():
    """Rules on reports that no example can bring about with the provers at hand."""
    goal = {"wp:main": {"total": 1, "valid": 1}, "Coq:8.16.1": {"total": 1, "valid": 1}}
    goals, parts, provers = wp.read_goals({"wp:functions": {"f": {"f_ensures": goal}}})
    short = {"wp:main": {"total": 2, "valid": 1}, "CVC4:1.8": {"total": 2, "valid": 1}}
    file = inventory.File("none.c", "")
    cases = {
        "nobody vouches": wp.Report(goals, parts, provers),
        "split it": wp.Report({"f_ensures": True}, 1, {"qed": 1}, steps={"CVC4 1.8": wp.STEPS["cvc4"] * 2 // 3}),
        "it has no goals": wp.Report({}, 0, {}),
        "unproved": wp.Report(*wp.read_goals({"wp:functions": {"f": {"f_ensures": short}}})),
    }
    failed = False
    for wanted, report in cases.items():
        hit = [fault for fault in gate.of_report("none.c: f", report, file, "f") if wanted in fault]
        print(f"{'a report':24} {'found: ' + hit[0] if hit else 'NOT FOUND: ' + wanted}")
        failed |= not hit
    return failed


def poisoned():
    """A kept answer calls a false goal valid. It is believed as long as nothing is proved anew: so that is done for
    functions that changed, and for a tenth of the answers that a seed draws."""
    file = inventory.read(FALSE)
    job = jobs.Job(file, "f4", (), FEW)
    folder = wp.WORK / "poison"
    answers, results = store.Answers("poison.c", folder), store.Results("poison.c", folder)
    answers.unpack("f4", folder / "first")
    wp.prove("poison/f4", FALSE, job.select, cache=folder / "first", steps=FEW)
    for path in (folder / "first").glob("*.json"):
        entry = json.loads(path.read_text(encoding="utf-8"))
        answers.of.setdefault("f4", {})[path.stem] = json.dumps({**entry, "verdict": "valid", "time": 0.1, "steps": 1000})
    keys = list(answers.of["f4"])
    drawn = next(seed for seed in range(1_000_000) if all(store.sample(seed, 0.1)("f4", key) for key in keys))
    missed = next(seed for seed in range(1000) if not any(store.sample(seed, 0.1)("f4", key) for key in keys))
    results.of = {"f4": {"digest": job.digest()}}
    cases = [
        ("not looked at", False, store.sample(missed, 0.1), results, False),
        (f"drawn by seed {drawn}", False, store.sample(drawn, 0.1), results, True),
        ("of a changed function", False, store.sample(missed, 0.1), store.Results("poison.c", folder), True),
        ("with --fresh", True, None, results, True),
    ]
    failed = False
    for name, fresh, tenth, known, wanted in cases:
        faults = jobs.run_one(job, fresh, tenth, answers, known)[1]
        found = any("unproved" in fault for fault in faults)
        failed |= found != wanted
        says = "found" if found else "believed"
        print(f"{'a wrong kept answer':24} {'' if found == wanted else 'FAILED: '}{name}: {says}", flush=True)
    return failed


def false_goals():
    """A prover that calls one of false.c's goals valid cannot be relied on."""
    failed = False
    for prover in wp.PROVERS:
        steps = {name: FEW[name] if name == prover else 1 for name in wp.PROVERS}
        try:
            left = len(wp.prove(f"false/{prover}", FALSE, [], steps=steps).unproved())
        except wp.Broken as broken:
            print(f"{prover}: FAILED: {broken}")
            failed = True
            continue
        print(f"{prover}: {left} of {FALSE_GOALS} false goals stay unproved{'' if left == FALSE_GOALS else ': FAILED'}", flush=True)
        failed |= left != FALSE_GOALS
    return failed


def run(workers):
    with ThreadPoolExecutor(workers) as pool:
        failed = [reports(), examples(pool), false_goals(), poisoned()]
    print("FAILED: the gate let something through" if any(failed) else "the gate finds all of them")
    return any(failed)
