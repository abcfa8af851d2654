"""The rules that a proof is held to, beyond what Frama-C asks. Each gives lines to print; no line, no fault.

For each there is a file in proofs/gate/ that breaks it; `prove.py --selftest` shows that the rule finds it."""

import re

import wp

SLACK = 2  # a goal may use its budget of steps by half


def of_sources(files, public, proved):
    """Rules that need no prover. `files`: the inventory; `public`: what headers declare; `proved`: the functions whose
    proof is demanded, all of them where a file is to be proved."""
    faults = []
    bodies = {name: (file, function) for file in files for name, function in file.functions.items()}
    for file in files:
        if len(re.findall(r"^\{$", file.text, re.M)) != len(file.functions):
            faults.append(f"{file.source}: not all functions were found in what frama-c prints")
        demanded = [function for function in file.functions.values() if function.name in proved]
        if demanded:
            faults += [f"{file.source}: assumed: {line}" for line in file.assumptions]
        for function in demanded:
            where = f"{file.source}: {function.name}"
            if not re.search(r"\bensures\b", function.contract) and function.name in public:
                faults.append(f"{where}: no contract: the header promises nothing (`ensures`)")
            if not re.search(r"\bassigns\b", function.contract):
                faults.append(f"{where}: no contract: what it may write is not said (`assigns`)")
            for callee in sorted(function.calls):
                if callee not in bodies:
                    faults.append(f"{where}: assumed: it calls {callee}, which has no body to prove")
                elif callee not in proved:
                    faults.append(f"{where}: assumed: it calls {callee}, whose contract is not proved")
    for name, header in public.items():
        if name not in bodies:
            faults.append(f"{header}: {name}: a contract without a proof: no file defines it")
    for file in files:
        faults += [f"{file.source}: {name}: {bodies[name][0].source} has a function of that name: the gate tells them by it"
                   for name in file.functions if bodies[name][0] is not file]  # fmt: skip
    for name in unused(bodies, public):
        faults.append(f"{bodies[name][0].source}: {name}: dead code: no public function needs it")
    faults += [f"{name}: calls itself, by way of {via}: termination is not proved" for name, via in circles(bodies)]
    return faults


def of_atomic(source, text):
    """What frama-c does not read is atomic accesses and what goes around them, nothing else: no loop over memory, no
    pointer arithmetic, no arithmetic."""
    if "atomic_" not in text:
        return [f"proofs/modules.tsv: {source}: called atomic, and has no atomic access"]
    code = re.sub(r"/\*.*?\*/|->|#include[^\n]*", "", text, flags=re.S)
    found = re.search(r"\[|\bfor\b|[-+*/%]=|\+\+|--| [-+/%] ", code)
    return [f"{source}: `{found[0].strip()}` in a file that nothing proves: such code belongs in one that is"] if found else []


def unused(bodies, public):
    needed, todo = set(), [name for name in public if name in bodies]
    while todo:
        name = todo.pop()
        if name not in needed:
            needed.add(name)
            todo += [callee for callee in bodies[name][1].calls if callee in bodies]
    return sorted(set(bodies) - needed)


def circles(bodies):
    for start in sorted(bodies):
        seen, todo = set(), list(bodies[start][1].calls)
        while todo:
            name = todo.pop()
            if name == start:
                yield start, ", ".join(sorted(seen)) or "itself"
                break
            if name in bodies and name not in seen:
                seen.add(name)
                todo += bodies[name][1].calls


def of_code(paths):
    """What is proved is what is compiled: the code may ask whether Frama-C reads it only to include logic."""
    for path in paths:
        text = path.read_text(encoding="utf-8")
        allowed = re.sub(r'#ifdef __FRAMAC__\n(#include "\w+\.acsl\.h"\n)+#endif\n', "", text)
        for macro in re.findall(r"__FRAMAC__|__FC_\w+", allowed):
            yield f"{path.name}: {macro} may only include logic"


def of_logic(files):
    """A lemma is proved in one file and used in many: what it says, and all logic that it speaks of, has to be the
    same in all of them."""
    known = {}
    for file in files:
        for name, text in file.logic:
            first, other = known.setdefault(name, (text, file.source))
            if first != text:
                yield f"{file.source}: {name} says something else in {other}: lemmas are proved once for all files"


def of_report(where, report, file, function, lemmas=()):
    """Rules on what WP said of one function, or of those lemmas of a file."""
    faults = [f"{where}: unproved: {goal}" for goal in report.unproved()]
    if not report.goals:
        faults.append(f"{where}: a contract without a proof: it has no goals")
    for prover in sorted(set(report.provers) - {"qed", *wp.PROVERS.values()}):
        faults.append(f"{where}: {prover} is a prover that nobody vouches for")
    for name, most in report.steps.items():
        budget = next((wp.STEPS[short] for short, full in wp.PROVERS.items() if full == name.replace(" ", ":")), None)
        if budget and most * SLACK > budget:
            faults.append(f"{where}: a goal takes {name} {most} steps of {budget}: split it, or say more between")
    faults += [f"{where}: dead code: {goal} cannot be reached" for goal in report.unreachable]
    faults += [f"{where}: frama-c warns: {line}" for line in report.warnings]
    for directory, name, line, of, kind, status, text in report.properties:
        believed = status == "Considered valid" or (status not in ("Valid", "Unknown") and not report.unproved())
        if of == function and believed:
            faults.append(f"{where}: assumed: {name}:{line}: {kind} is {status.lower()}: {text}")
    missing = [lemma for lemma in lemmas if f"lemma_{lemma}" not in report.goals]
    faults += [f"{where}: assumed: lemma {lemma} has no proof" for lemma in missing]
    if function in file.functions and file.functions[function].loops:
        if not any(re.search(r"_terminates|_loop_variant", goal) for goal in report.goals):
            faults.append(f"{where}: a loop without a variant")
    return faults


def of_smoke(where, report):
    faults = [f"{where}: absurd: {goal}" for goal in report.unproved()]
    faults += [f"{where}: dead code: {goal} cannot be reached" for goal in report.unreachable]
    return faults
