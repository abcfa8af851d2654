"""Plants the faults of proofs/negative.tsv in copies of the code: each must leave the goal open that the table names,
and that goal must be proved for the code as it is."""

import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import jobs
import store
import wp

# Steps for a goal that is to stay open: at least these, and at least twice what the right code's proof took.
LEAST = {"cvc4": 60_000, "z3": 600_000, "cvc5": 60_000}


def budget(recorded):
    used = {name.replace(" ", ":"): most for name, most in recorded.get("most_steps", {}).items()}
    return {short: max(LEAST[short], 2 * used.get(full, 0)) for short, full in wp.PROVERS.items()}


def one(row, options, recorded):
    name, source, function, label, goal, before, after = [cell.replace("\\n", "\n") for cell in row]
    copy = wp.WORK / "planted" / name
    shutil.rmtree(copy, ignore_errors=True)
    for folder in ("src/core", "spec"):
        shutil.copytree(wp.ROOT / folder, copy / folder)
    text = (copy / source).read_text(encoding="utf-8")
    if text.count(before) != 1:
        return f"FAILED: `{before}` stands there {text.count(before)} times, not once"
    (copy / source).write_text(text.replace(before, after), encoding="utf-8")
    select = ["-wp-fct", function, *([f"-wp-prop={label}"] if label else [])]
    try:
        report = wp.prove(f"negative/{name}", source, select, options, budget(recorded), root=copy)
    except wp.Broken as broken:
        return f"FAILED: {broken}"
    wanted = goal if goal in report.goals else f"{function}_{goal}"  # that a callee asks for is a goal of its own name
    if wanted not in report.goals:
        return f"FAILED: there is no goal {wanted}; there are {', '.join(report.goals)}"
    if report.goals[wanted]:
        return f"FAILED: {wanted} still proves; open are: {', '.join(report.unproved()) or 'none'}"
    return f"leaves {wanted} open, {report.wall:.0f} s"


def plant(only, workers):
    work = {(job.file.source, job.function): job for job in jobs.plan()[0]}
    failed, todo, begun = False, [], time.monotonic()
    for row in jobs.rows("negative.tsv", 7):
        name, source, function = row[:3]
        if only and only not in (name, source, function, store.stem(source)):
            continue
        job = work.get((source, function))
        results = store.Results(source)
        if not job or results.digest(function) != job.digest:
            print(f"{name:24} FAILED: {source}: the proof of {function} as it stands is not on record: make prove-record")
            failed = True
            continue
        todo.append((row, job.options, results.of[function]))
    with ThreadPoolExecutor(workers) as pool:
        for (row, _, _), says in zip(todo, pool.map(lambda each: one(*each), todo)):
            print(f"{row[0]:24} {row[2]}: `{row[5]}` as `{row[6]}`: {says}", flush=True)
            failed |= "FAILED" in says
    print(f"{len(todo)} faults planted, {time.monotonic() - begun:.0f} s")
    return failed or not todo
