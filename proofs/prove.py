#!/usr/bin/env python3
"""Proves the core with Frama-C/WP as proofs/modules.tsv says: each function by itself, and each lemma once.

    prove.py             the answers that proofs/cache keeps are replayed, but for a random tenth of them, and for those
                         of functions that have changed since proofs/results was written
    prove.py --fresh     nothing is replayed
    prove.py --record    what has changed is proved without the cache; writes cache, numbers and the README's table
    prove.py --lemmas    the lemmas alone
    prove.py --smoke     looks for contracts that contradict themselves and for code that cannot be reached
    prove.py --negative  plants the faults of negative.tsv
    prove.py --selftest  shows that the gate bites

frama-c exits 0 with goals unproved: what counts is its report, and the rules in gate.py."""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from random import SystemRandom

import gate
import inventory
import jobs
import negative
import selftest
import store
import wp

TENTH = 0.1


class Run:
    """What is asked for, what is kept of it, and what was wrong."""

    def __init__(self, asked):
        self.asked = asked
        every, self.files, self.faults = jobs.plan()
        self.proved = {job.function for job in every if job.function != jobs.LEMMAS}
        self.functions = {}
        for job in every:
            self.functions.setdefault(job.file.source, set()).add(job.function)
        self.todo = [job for job in jobs.chosen(every, asked.only) if job.function == jobs.LEMMAS or not asked.lemmas]
        self.answers = {source: store.Answers(source) for source in self.functions}
        self.results = {source: store.Results(source) for source in self.functions}
        if not self.todo:
            self.faults.append(f"nothing to prove: {asked.only}")

    def longest_first(self):
        """So that the last to end does not end alone; what has no number on record goes first."""

        def goals(job):
            return self.results[job.file.source].of.get(job.function, {}).get("goals", float("inf"))

        return sorted(self.todo, key=goals, reverse=True)

    def keep(self, source):
        self.answers[source].save(self.functions[source])
        self.results[source].save(self.functions[source])
        text = store.README.read_text(encoding="utf-8")
        store.README.write_text(store.readme(text), encoding="utf-8")

    def stale(self):
        """What is on record, but not of this code; and smoke tests that are not."""
        for job in self.todo:
            kept = self.results[job.file.source].of.get(job.function, {})
            if kept and kept.get("digest") != job.digest:
                yield f"{job.where}: its numbers in proofs/results are of other code: make prove-record"
            if job.function != jobs.LEMMAS and kept.get("smoke", {}).get("digest") != job.digest:
                yield f"{job.where}: no smoke tests of this code are on record: make prove-record"
        text = store.README.read_text(encoding="utf-8")
        if store.readme(text) != text or store.MARKS[0] not in text:
            yield "proofs/README.md: the table is not that of proofs/results: make prove-record"

    def end(self, says):
        print(says)
        print("".join(f"FAILED: {fault}\n" for fault in self.faults), end="")
        return bool(self.faults)


def prove(asked):
    begun = time.monotonic()
    run = Run(asked)
    run.faults += gate.of_sources(run.files, inventory.public(but=jobs.not_read()), run.proved)
    run.faults += gate.of_logic(run.files)
    run.faults += gate.of_code(sorted((wp.ROOT / "src" / "core").glob("*.[ch]")))
    seed = asked.seed if asked.seed is not None else SystemRandom().randrange(1_000_000)
    replay = not (asked.fresh or asked.record)
    if replay:
        print(f"kept answers are replayed, but for a random tenth of them (seed {seed})")
    tenth = store.sample(seed, TENTH) if replay else None
    goals = replayed = 0
    print(f"{'file: function':52} {'goals':>5} {'open':>5} {'kept':>5} {'time':>6}")
    with ThreadPoolExecutor(asked.jobs) as pool:
        work = {}
        for job in run.longest_first():
            source = job.file.source
            args = (job, asked.fresh, tenth, run.answers[source], run.results[source])
            work[pool.submit(jobs.run_one, *args)] = job
        for done in as_completed(work):
            job, (report, found, note) = work[done], done.result()
            if report:
                goals, replayed = goals + report.parts, replayed + report.cached
                numbers = f"{report.parts:5} {len(report.unproved()):5} {report.cached:5} {report.wall:5.0f}s  {note}"
                print(f"{job.where:52} {numbers}", flush=True)
            run.faults += found
            results = run.results[job.file.source]
            if asked.record and not found and (asked.fresh or results.digest(job.function) != job.digest):
                run.answers[job.file.source].pack(job.function, wp.WORK / "cache" / job.name)
                results.record(job.function, job.digest, report)
                run.keep(job.file.source)
    if replay:
        run.faults += run.stale()
    spent = time.monotonic() - begun
    return run.end(f"{len(work)} proofs, {goals} goals, {replayed} of them replayed, {spent:.0f} s")


def smoke(asked):
    run = Run(asked)
    tests = 0

    def one(job):
        try:
            report = wp.smoke(f"smoke/{job.name}", job.file.source, job.function, job.options)
        except wp.Broken as broken:
            return 0, 0, [f"{job.where}: {broken}"]
        return len(report.goals), report.wall, gate.of_smoke(job.where, report)

    def recorded(job):
        return run.results[job.file.source].of.get(job.function, {}).get("smoke", {}).get("digest") == job.digest

    todo = [job for job in run.todo if job.function != jobs.LEMMAS and not (asked.record and recorded(job))]
    with ThreadPoolExecutor(asked.jobs) as pool:
        for job, (count, wall, found) in zip(todo, pool.map(one, todo)):
            print(f"{job.where:52} {count:5} smoke tests {wall:5.0f}s", flush=True)
            tests += count
            run.faults += found
            results = run.results[job.file.source]
            if asked.record and not found and results.digest(job.function) == job.digest:
                results.of[job.function]["smoke"] = {"digest": job.digest, "tests": count}
                run.keep(job.file.source)
    return run.end(f"{tests} smoke tests of {len(todo)} functions")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for what in ("fresh", "record", "smoke", "negative", "selftest"):
        parser.add_argument(f"--{what}", action="store_true")
    parser.add_argument("--lemmas", action="store_true", help="the lemmas alone")
    parser.add_argument("--only", default="", metavar="NAME", help="a function, a file, or a fault of negative.tsv")
    parser.add_argument("--seed", type=int, help="which tenth of the answers is not replayed")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    wrong = wp.configure()
    if wrong:
        sys.exit(wrong)
    if asked.selftest:
        sys.exit(selftest.run(asked.jobs))
    if asked.negative:
        sys.exit(negative.plant(asked.only, asked.jobs))
    sys.exit(smoke(asked) if asked.smoke else prove(asked))


if __name__ == "__main__":
    main()
