"""Shows that the gate bites: each file of proofs/gate/ breaks one rule, and what the rule says of it stands in its
first line (in gate/two_…/ a second file does, after the first); false goals stay unproved; and a wrong answer among the kept ones is found."""

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
SECONDS = 15  # for them too
FALSE = "proofs/false.c"
FALSE_GOALS = 6


def example(paths):
    """What is found in planted files."""
    try:
        return list(found(paths))
    except wp.Broken as broken:
        return [str(broken)]


def found(paths):
    """What the gate finds in planted files, taken for the whole core."""
    files = [inventory.read(str(path.relative_to(wp.ROOT))) for path in paths]
    names, public, owned = {name for file in files for name in file.functions}, {}, set()
    for path, file in zip(paths, files):
        code = path.read_text(encoding="utf-8")
        public |= {name: file.source for name in file.functions if not re.search(rf"\bstatic [^;(]*\b{name}\(", code)}
        public |= {name: file.source for name in inventory.PUBLIC.findall(re.sub(r"/\*@.*?\*/", "", code, flags=re.S))}
    faults = [*gate.of_sources(files, public, names), *gate.of_logic(files), *gate.of_code(paths)]
    for path, file in zip(paths, files):
        for job in [*(jobs.Job(file, name, (), FEW) for name in file.functions), *jobs.lemma_job(file, (), owned, FEW)]:
            name = f"gate/{path.parent.name}/{job.name}"
            if path.parent.name == "smoke":
                faults += gate.of_smoke(job.where, wp.smoke(name, file.source, job.function))
            else:
                faults += job.faults(job.prove(name))
    return faults


def examples(pool):
    groups = [[path] for path in sorted([*GATE.glob("*.c"), *GATE.glob("smoke/*.c")])]
    groups += [sorted(folder.glob("*.c")) for folder in sorted(GATE.glob("two_*"))]
    failed = not groups
    for (*_, path), faults in zip(groups, pool.map(example, groups)):
        wanted = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("// gate: ")
        hit = [fault for fault in faults if wanted in fault]
        print(f"{str(path.relative_to(GATE)):24} {'found: ' + hit[0] if hit else 'NOT FOUND: ' + wanted + '; but ' + str(faults)}", flush=True)
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
        "lemma wish has no proof": wp.Report({"lemma_other": True}, 1, {"qed": 1}),
        "unproved": wp.Report(*wp.read_goals({"wp:functions": {"f": {"f_ensures": short}}})),
    }
    failed = False
    for wanted, report in cases.items():
        hit = [fault for fault in gate.of_report("none.c: f", report, file, "f", ["wish"]) if wanted in fault]
        print(f"{'a report':24} {'found: ' + hit[0] if hit else 'NOT FOUND: ' + wanted}")
        failed |= not hit
    return failed


def atomics():
    """Rules on a file that frama-c does not read."""
    cases = {"has no atomic access": "int f(int a) {\n  return a;\n}\n",
             "such code belongs": "#include <stdatomic.h>\nint f(atomic_int *a) {\n  return atomic_load(a) + 1;\n}\n"}  # fmt: skip
    failed = False
    for wanted, text in cases.items():
        hit = [fault for fault in gate.of_atomic("none.c", text) if wanted in fault]
        print(f"{'an atomic file':24} {'found: ' + hit[0] if hit else 'NOT FOUND: ' + wanted}")
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
    job.prove("poison/f4", folder / "first")
    for path in (folder / "first").glob("*.json"):
        entry = json.loads(path.read_text(encoding="utf-8"))
        answers.of.setdefault("f4", {})[path.stem] = json.dumps({**entry, "verdict": "valid", "time": 0.1, "steps": 1000})
    keys = list(answers.of["f4"])
    drawn = next(seed for seed in range(1_000_000) if all(store.sample(seed, 0.1)("f4", key) for key in keys))
    missed = next(seed for seed in range(1000) if not any(store.sample(seed, 0.1)("f4", key) for key in keys))
    results.of = {"f4": {"digest": job.digest}}
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
    wp.TIMEOUT = SECONDS
    with ThreadPoolExecutor(workers) as pool:
        failed = [reports(), atomics(), examples(pool), false_goals(), poisoned()]
    print("FAILED: the gate let something through" if any(failed) else "the gate finds all of them")
    return any(failed)
