#!/usr/bin/env python3
"""Plants small faults in the core, thousands of them, and counts which the tests find, and which the proof.

    mutate.py             a sample, drawn by a seed that is printed; under ten minutes
    mutate.py --all       every mutant; every one that the tests leave, and 150 more, against the proof
    mutate.py --record    the same, and writes the tables of proofs/mutation.md
    mutate.py --selftest  shows that a test taken away is missed, and that rows of survivors.tsv do not go stale

A mutant that neither finds must stand in proofs/survivors.tsv with the reason why it is no fault; else the exit is 1."""

import argparse
import dataclasses
import json
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import wp
from mutation import bites, mutants, table, trial
from mutation.orders import Orders
from mutation.proof import Answer, Proofs

SAMPLE, SAMPLE_PROOFS, ALL_PROOFS = 260, 10, 150
WORK = wp.ROOT / "build" / "mutate"


def stratified(pool, most, seed):
    """As many, spread over components and operators as evenly as can be."""
    draw = random.Random(seed)
    strata = {}
    for mutant in pool:
        strata.setdefault((mutant.component, mutant.operator), []).append(mutant)
    for stratum in strata.values():
        draw.shuffle(stratum)
    order, chosen = sorted(strata), []
    draw.shuffle(order)
    while len(chosen) < most and order:
        chosen += [strata[key].pop() for key in order[: most - len(chosen)]]
        order = [key for key in order if strata[key]]
    return chosen


def progress(done, count, what):
    if sys.stderr.isatty():
        print(f"\r{what}: {done} of {count}", end="\n" if done == count else "", file=sys.stderr, flush=True)


def read_kept(kept, kind):
    """What an earlier run wrote, by id."""
    rows = map(json.loads, kept.read_text(encoding="utf-8").splitlines() if kept.exists() else [])
    return {row.pop("id"): kind(**row) for row in rows}


def each(pool, ask, todo, kept, what):
    """Asks about each; writes the answer down at once."""
    work = {pool.submit(ask, mutant): mutant for mutant in todo}
    try:
        with kept.open("a", encoding="utf-8") as out:
            for number, done in enumerate(as_completed(work), 1):
                out.write(json.dumps({"id": work[done].id, **dataclasses.asdict(done.result())}) + "\n")
                out.flush()
                progress(number, len(todo), what)
                yield work[done].id, done.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def by_tests(chosen, workers, kept):
    """What the tests say of each, by id."""
    known = read_kept(kept, trial.Verdict)
    todo = [mutant for mutant in chosen if mutant.id not in known]
    bench = trial.Bench(wp.ROOT, WORK)
    orders = Orders(wp.ROOT, WORK, workers)
    if todo:
        bench.prepare()
    with ThreadPoolExecutor(workers) as pool:
        known.update(each(pool, bench.judge, todo, kept, "tests"))
    left = [mutant for mutant in chosen if known[mutant.id].word == trial.LIVES and orders.concerns(mutant)]
    known.update((mutant.id, verdict) for mutant, verdict in orders.judge(left))
    return {mutant.id: known[mutant.id] for mutant in chosen}


def by_proof(asked, workers, kept):
    """What the proof says of each, by id."""
    known = read_kept(kept, Answer)
    todo = [mutant for mutant in asked if mutant.id not in known]
    if todo:
        proofs = Proofs(WORK)
        proofs.prepare()
        with ThreadPoolExecutor(workers) as pool:
            known.update(each(pool, proofs.judge, todo, kept, "proofs"))
    return {mutant.id: known[mutant.id] for mutant in asked}


def judge(options):
    begun = time.monotonic()
    WORK.mkdir(parents=True, exist_ok=True)
    every = list(mutants.every(wp.ROOT))
    explained, wrong = table.read_explained(every)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    pool = [mutant for mutant in every if options.only in ("", mutant.component, mutant.function)]
    chosen = pool if options.all else stratified(pool, options.mutants, seed)
    if not chosen:
        known = sorted({mutant.component for mutant in every})
        print(f"mutate: nothing to plant: of {options.mutants} mutants of {options.only or 'all'}; components: {', '.join(known)}")
        return True
    kept, kept_answers = WORK / "verdicts.jsonl", WORK / "answers.jsonl"
    if not options.resume:
        kept.unlink(missing_ok=True)
        kept_answers.unlink(missing_ok=True)
    print(f"{len(chosen)} of {len(every)} mutants" + ("" if options.all else f", drawn by seed {seed}"), flush=True)
    verdicts = by_tests(chosen, options.jobs, kept)
    spent = time.monotonic() - begun
    print(f"tests: {spent:.0f} s", flush=True)
    has_proof = [mutant for mutant in chosen if not mutant.file.endswith(("stopflag.c", "stopflag.h"))]
    word = {mutant.id: verdicts[mutant.id].word for mutant in chosen}
    left = [m for m in has_proof if word[m.id] in (trial.LIVES, trial.HANGS) and (options.all or m.id not in explained)]
    killed = [mutant for mutant in has_proof if word[mutant.id] == trial.KILLED]
    drawn = stratified(killed, ALL_PROOFS if options.all else options.proofs, seed)
    answers = by_proof(left + drawn, options.jobs, kept_answers)
    result = table.Result(chosen, verdicts, answers, explained, {mutant.id for mutant in drawn}, seed)
    print(result.text())
    wrong += result.faults()
    if options.record:
        result.record(spent, time.monotonic() - begun - spent)
    for fault in wrong:
        print(f"FAILED: {fault}")
    print(f"{len(chosen)} mutants, {len(wrong)} complaints, {time.monotonic() - begun:.0f} s")
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for what in ("all", "record", "selftest"):
        parser.add_argument(f"--{what}", action="store_true")
    parser.add_argument("--resume", action="store_true", help="take what an interrupted run left in build/mutate")
    parser.add_argument("--only", default="", metavar="NAME", help="a component or a function")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--mutants", type=int, default=SAMPLE)
    parser.add_argument("--proofs", type=int, default=SAMPLE_PROOFS)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.all |= options.record
    return bites.selftest(WORK) if options.selftest else judge(options)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("mutate: interrupted; --resume goes on", file=sys.stderr)
        sys.exit(130)
