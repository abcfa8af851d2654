#!/usr/bin/env python3
"""Plants one fault in each of many random recordings and asks `endstop check` for exactly that fault.

    judge_random.py [--seed S] [--cases N] [--show]

Without a fault every recording must conform: as the reference gives it, with members left out, with deltas regrouped.
With one, the verdict must be that one finding, of a kind that the planting calls for. Uses build/endstop, or the
program named by ENDSTOP. Prints the seed and a table by planting; --show prints each recording that was judged wrongly.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "model"))
import generate  # noqa: E402
from judge_plant import OUTSIDE, PLANTINGS, RERUN, Planting  # noqa: E402

ENDSTOP = os.environ.get("ENDSTOP", os.path.join(os.path.dirname(HERE), "build", "endstop"))


def endstop(verb, lines):
    """The answers of `endstop verb` to these lines, in order."""
    command = [ENDSTOP, verb] + (["--format", "json"] if verb == "check" else [])
    done = subprocess.run(command, input=b"\n".join(lines) + b"\n", stdout=subprocess.PIPE, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(lines):
        sys.exit(f"judge_random.py: endstop {verb}: expected {len(lines)} answers, found {len(answers)}")
    return answers


def glue(line, result):
    """The recording of a case line and a result, the case's bytes as they are."""
    return line[:-1] + b',"result":' + json.dumps(result).encode() + b"}"


def sometimes_less(rng, result):
    """A true result with members left out: what an engine cannot tell is not judged."""
    result = dict(result)
    for member in list(result):
        if member != "case" and rng.random() < 0.3:
            del result[member]
    return result


def regrouped(rng, result):
    """A true result whose deltas come in other pieces, numbered by their steps, or in two pieces without numbers."""
    result = dict(result)
    if not result["deltas"]:
        return result
    if rng.random() < 0.3 and len(result["deltas"]) != 2:
        cut = rng.randint(0, len(result["text"]))
        result["deltas"] = [result["text"][:cut], result["text"][cut:]]
        return result
    deltas, steps = [], []
    for k, delta in enumerate(result["deltas"], 1):
        if not delta and rng.random() < 0.8:
            continue
        cut = rng.randint(0, len(delta))
        pieces = [delta[:cut], delta[cut:]] if rng.random() < 0.3 else [delta]
        deltas += pieces
        steps += [k] * len(pieces)
    result.update(deltas=deltas, delta_steps=steps)
    return result


def seen_from_outside(case):
    """The case without its tokens."""
    return {k: v for k, v in case.items() if k not in ("steps", "abort_after_step", "external_end")}


def readable(line):
    """The case of a line as json reads it, or None where that is not what endstop reads."""
    try:
        case = json.loads(line)
        json.dumps(case).encode()
        return case
    except ValueError:
        return None


def sources(seed, count):
    """(case, line, result) of random cases that the reference answers."""
    rng = random.Random(seed)
    lines = [line.rstrip(b"\n") for _, line in generate.make_lines(rng, 0, count)]
    for line, result in zip(lines, endstop("run", lines)):
        case = readable(line)
        if case is not None and "unsupported" not in result:
            yield case, line, result


def plantings(rng, cases):
    """(name, line, kinds) of recordings; no kinds: they conform."""
    reruns = []
    for case, line, result in cases:
        yield "true", glue(line, result), set()
        yield "less", glue(line, sometimes_less(rng, result)), set()
        yield "regrouped", glue(line, regrouped(rng, result)), set()
        if result["cause"] != "invalid_request":
            yield "outside", glue(json.dumps(seen_from_outside(case)).encode(), result), set()
            p = Planting(rng, seen_from_outside(json.loads(line)), line, result)
            planting = rng.choice(OUTSIDE)
            planted = planting(p)
            if planted:
                yield f"outside: {planting.__name__}", glue(json.dumps(p.case).encode(), planted[0]), planted[1]
        for planting in rng.sample(PLANTINGS, 6):
            p = Planting(rng, case, line, result)
            planted = planting(p)
            if planted:
                yield planting.__name__, glue(line, planted[0]), planted[1]
        for change, judge in RERUN:
            p = Planting(rng, case, line, result)
            if result["cause"] != "invalid_request" and change(p):
                reruns.append((p, line, change, judge))
    for (p, line, change, judge), result in zip(reruns, endstop("run", [p.line for p, *_ in reruns])):
        kinds = judge(p, result) if result["cause"] != "invalid_request" else None
        if kinds is not None and rng.random() < 0.5:
            del result[rng.choice(["tokens", "token_ids"])]
        if kinds is not None:
            yield change.__name__, glue(line, result), kinds


def wrong(verdict, kinds):
    """What is wrong with the verdict, or None."""
    found = [fault["kind"] for fault in verdict.get("faults", [])]
    if not kinds:
        return None if verdict["verdict"] == "conforms" else f"expected conforms, found {found or verdict['verdict']}"
    right = len(found) == 1 and found[0] in kinds and verdict["verdict"] == "violates"
    return None if right else f"expected {' or '.join(sorted(kinds))}, found {', '.join(found) or verdict['verdict']}"


def main():
    """See the top of this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--cases", type=int, default=1500)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    options.cases > 0 or parser.error("--cases: expected 1 or more")
    rng = random.Random(options.seed)
    recordings = list(plantings(rng, list(sources(options.seed, options.cases))))
    verdicts = endstop("check", [line for _, line, _ in recordings])
    counts, missed = Counter(), Counter()
    for (name, line, kinds), verdict in zip(recordings, verdicts):
        counts[name] += 1
        fault = wrong(verdict, kinds)
        if not fault:
            continue
        missed[name] += 1
        if options.show or sum(missed.values()) <= 3:
            print(f"judge_random.py: {name}: {fault}\n  {line.decode()}\n  {json.dumps(verdict)}", file=sys.stderr)
    for name in sorted(counts):
        print(f"{counts[name]:8} {name:30} {missed[name] or ''}")
    print(f"{sum(counts.values())} recordings, {sum(missed.values())} judged wrongly (seed {options.seed})")
    never = [p.__name__ for p in PLANTINGS + [c for c, _ in RERUN] if not counts[p.__name__]]
    never += [p.__name__ for p in OUTSIDE if not counts[f"outside: {p.__name__}"]]
    if never and options.cases >= 1000:
        print(f"judge_random.py: expected each planting to apply, never did: {', '.join(never)}", file=sys.stderr)
    return 1 if missed or (never and options.cases >= 1000) else 0


if __name__ == "__main__":
    sys.exit(main())
