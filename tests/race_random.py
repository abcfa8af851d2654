#!/usr/bin/env python3
"""Race orders, random and the corpus's in other orders, through the reference and the model in Python; orders at fault
must be named at the member at fault. And the judge: what the model answers conforms, what is changed in it does not.

    race_random.py [--cases N] [--seed S] [--endstop PATH]
    race_random.py --planted [--seed S]     plants faults in copies of the sources: the comparison must find each
"""

import copy
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "model"))

import planting  # noqa: E402
import race  # noqa: E402
from race_orders import corpus, orders  # noqa: E402
from race_planted import PLANTED  # noqa: E402

BATCH = 1000
PATIENCE = 60
SHOWN = 4
ALL_ENDS = {"abort", "shutdown", "timeout", "stop", "length", "tool_calls", "error", "open", "at fault", "unsupported"}
PLANTED_CASES = 5000  # within which a planted fault must be found


def ask(command, given):
    """Standard output and error of the command for these objects."""
    text = "".join(json.dumps(o) + "\n" for o in given)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if done.returncode not in (0, 1, 2):
        sys.exit(f"{' '.join(command)}: status {done.returncode}: {done.stderr[-400:]}")
    return done.stdout, done.stderr


def expected(order):
    """The model's answer, or the member at fault."""
    try:
        race.check(order)
    except race.Bad as fault:
        return str(fault)
    return race.answer(order)


def found(endstop, given):
    """What the reference answers to each order, or the member that it names."""
    out, err = ask([endstop, "run"], given)
    bad = {int(line): member for line, member in re.findall(r"^<stdin>:(\d+): (events\S*): ", err, re.M)}
    answers = iter(out.splitlines())
    return [bad.get(number) or json.loads(next(answers, '"no answer"')) for number in range(1, len(given) + 1)]


def same(a, b):
    if isinstance(a, dict) and "unsupported" in a:
        return isinstance(b, dict) and set(b) == {"case", "unsupported"}
    return a == b


def ends(answer):
    """The parts of an answer that speak of one lane each."""
    return list(answer["per_request"].values()) if "per_request" in answer else [answer]


def damaged(rng, answer):
    """An answer with one thing wrong, and the kinds of fault that this may be called."""
    answer = copy.deepcopy(answer)
    end = rng.choice(ends(answer))
    reason = "finish" if "finish" in end else "finish_reason"
    over, kind = end["terminal_count"] == 1, rng.randrange(5)
    if kind == 0:
        end["committed"].append("more")
        return answer, {"after-end" if over else "wrong-count"}
    if kind == 1 and end["committed"]:
        end["committed"].pop()
        return answer, {"lost-tail"}
    if kind == 2 and end["committed"]:
        end["committed"][rng.randrange(len(end["committed"]))] = "another"
        return answer, {"lost-text"}
    if kind == 3 and over:
        end[reason] = "another"
        return answer, {"wrong-reason"}
    if kind == 4:
        end["terminal_count"] += 1
        return answer, {"after-end" if over else "false-stop"}
    end[reason], end["terminal_count"] = (None, 0) if over else ("abort", 1)
    return answer, {"no-end" if over else "false-stop"}


def judged_wrongly(rng, endstop, given):
    """Recordings that `endstop check` does not judge as it must: (recording, what was due, verdict)."""
    recordings, due = [], []
    for order in given:
        answer = expected(order)
        if isinstance(answer, str) or "unsupported" in answer:
            continue
        recordings.append({**order, "result": answer})
        due.append(set())
        wrong, kinds = damaged(rng, answer)
        recordings.append({**order, "result": wrong})
        due.append(kinds)
    verdicts = [json.loads(line) for line in ask([endstop, "check", "--format", "json"], recordings)[0].splitlines()]
    verdicts += [{"faults": [{"kind": "no verdict"}]}] * (len(due) - len(verdicts))
    kinds = [{fault["kind"] for fault in verdict["faults"]} for verdict in verdicts]
    return [w for w in zip(recordings, due, kinds) if w[1] != w[2]], len(recordings)


def compare(seed, batch, count, endstop):
    """What differs in a batch, as sentences; how often each kind of end came; how many recordings were judged."""
    rng = random.Random(f"{seed}:{batch}")
    given = list(orders(rng, batch * BATCH, count))
    wrong, seen = [], Counter()
    for order, answer in zip(given, found(endstop, given)):
        due = expected(order)
        if isinstance(due, str):
            seen["at fault"] += 1
        elif "unsupported" in due:
            seen["unsupported"] += 1
        else:
            seen.update(end.get("finish", end.get("finish_reason")) or "open" for end in ends(due))
        if not same(due, answer):
            wrong.append(f"{json.dumps(order)}\n  expected {json.dumps(due)}\n  found    {json.dumps(answer)}")
    badly, judged = judged_wrongly(rng, endstop, given)
    wrong += [f"{json.dumps(r)}\n  expected {sorted(due)}, judged {sorted(kinds)}" for r, due, kinds in badly]
    return wrong, seen, judged


def wrong_in_corpus():
    """The cases for which the model gives something else than they expect: a check of the model."""
    return [o["case"] for o in corpus() if race.answer(o) != {"case": o["case"], **o["expect"]}]


def run(seed, count, endstop):
    began = time.monotonic()
    wrong = [f"{name}: the model does not give what the case expects" for name in wrong_in_corpus()]
    seen, judged = Counter(), 0
    for batch in range(-(-count // BATCH)):
        more, ways, recordings = compare(seed, batch, min(BATCH, count - batch * BATCH), endstop)
        wrong, judged = wrong + more, judged + recordings
        seen += ways
    for sentence in sorted(wrong, key=len)[:SHOWN]:
        print(sentence)
    print("ends: " + ", ".join(f"{name} {number}" for name, number in sorted(seen.items())))
    never = ALL_ENDS - set(seen)
    if never and count >= 2000:
        wrong.append("")
        print(f"expected to occur in {count} orders, found never: {', '.join(sorted(never))}")
    seconds = time.monotonic() - began
    print(f"{count} orders, {judged} recordings of them judged, {len(wrong)} complaints (seed {seed}, {seconds:.0f} s)")
    return 1 if wrong else 0


def find(fault, seed, endstop, _):
    """Compares until a planted fault shows. Returns what went wrong, or None if it was found."""
    for batch in range(PLANTED_CASES // BATCH):
        wrong = compare(seed, batch, BATCH, endstop)[0]
        if wrong:
            print(f"{fault.rule:4} {fault.what}: {len(wrong)} complaints in {BATCH} orders")
            return None
    return f"expected to be found in {PLANTED_CASES} orders, was not"


if __name__ == "__main__":
    sys.exit(planting.main(__doc__, 20000, run, PLANTED, find))
