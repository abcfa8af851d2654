"""Race orders for comparison: random ones, reorderings of the corpus, and orders with one fault."""

import json
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "corpus" / "cases"
REASONS = (None, None, "abort", "shutdown", "timeout")
ENDS = (None, "abort", "shutdown", "timeout", "stop", "length", "tool_calls", "error")
OPS = (
    ["token_commit"] * 6 + ["read_stop"] * 5 + ["set_stop"] * 4 + ["finish"] * 3 + ["disconnect"] * 2 + ["emit"] * 3
    + ["sample", "forward_launch", "kv_append", "recycle", "recycle", "dequeue", "error", "submit"]
)  # fmt: skip


def corpus():
    """The race orders of corpus/cases."""
    found = []
    for path in sorted(CASES.glob("races-*.jsonl")):
        found += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return found


def random_event(rng, number, name, finished):
    op = rng.choice(OPS)
    if op == "finish" and name in finished:
        op = "read_stop"
    threads = {"set_stop": rng.choice(["control", "client"]), "disconnect": "client", "submit": "client"}
    event = {"thread": threads.get(op, "engine"), "op": op}
    if op in ("sample", "token_commit"):
        event["tok"] = rng.choice([f"T{number}", "T", ""])
    reason = rng.choice(REASONS if op == "set_stop" else ENDS) if op in ("set_stop", "finish") else None
    if reason or rng.random() < 0.05:
        event["reason"] = reason
    if name is not None:
        event["req"] = name
    if op == "finish":
        finished.add(name)
    return event


def random_order(rng):
    names = rng.choice([[None], [None], ["A"], ["A", "B"], ["A", "B"], ["A", "B", "C"]])
    finished, events = set(), []
    # Lanes come one after another, with a little of the ones before and after, or all at once.
    in_turn = rng.random() < 0.6
    count = rng.choice([0, 3, 6, 10, 16, 24])
    for number in range(count):
        turn = names[number * len(names) // count]
        events.append(random_event(rng, number, turn if in_turn and rng.random() < 0.8 else rng.choice(names), finished))
    return events


def merged(rng, events):
    """Another interleaving: each thread keeps its own order."""
    threads = {}
    for event in events:
        threads.setdefault(event["thread"], []).append(event)
    left, out = [list(t) for t in threads.values()], []
    while any(left):
        thread = rng.choice([t for t in left if t])
        out.append(thread.pop(0))
    return out


def reordered(rng, events):
    """The events of an order of the corpus in another order; one may be missing or there twice."""
    events = merged(rng, events) if rng.random() < 0.5 else rng.sample(events, len(events))
    at = rng.randrange(len(events))
    what = rng.random()
    if what < 0.2:
        del events[at]
    elif what < 0.4 and events[at]["op"] != "finish":
        events.insert(rng.randrange(len(events)), events[at])
    return events


def with_fault(rng, events):
    """One thing that makes the line bad, where there is an event that it can befall."""
    events = [dict(e) for e in events]
    kind = rng.randrange(9)
    tokens = ["token_commit", "sample"]
    befalls = {2: tokens, 4: tokens, 6: ["set_stop", "finish"], 7: tokens, 8: tokens}.get(kind, [])
    event = rng.choice([e for e in events if e["op"] in befalls] or events)
    if kind == 0:
        event["thread"] = rng.choice(["transfer", "", None, 7])
    elif kind == 1:
        event.pop(rng.choice(["thread", "op"]), None)
    elif kind == 2:
        event.pop("tok", None)
    elif kind == 3:
        again = {"thread": "engine", "op": "finish", **{k: v for k, v in event.items() if k == "req"}}
        events += [again, again]
    elif kind == 4:
        event["thread"] = rng.choice(["engine", "control", "client"])
    elif kind == 5:
        event["req"] = rng.choice([7, "D", None])
    elif kind == 6:
        event["reason"] = rng.choice(["stop", "", "length"])
    elif kind == 7:
        event.pop("req", None)
    else:
        event["tok"] = rng.choice([1, ["T"], None])
    return events


def orders(rng, first, count):
    """`count` orders, named by their number."""
    known = [order["events"] for order in corpus()]
    for number in range(first, first + count):
        kind = rng.random()
        events = random_order(rng) if kind < 0.6 else reordered(rng, rng.choice(known))
        if events and rng.random() < 0.15:
            events = with_fault(rng, events)
        if rng.random() < 0.005:
            named = {"req": "A"} if events and "req" in events[0] else {}
            events.append({"thread": "engine", "op": "preempt", **named})
        yield {"case": f"order-{number}", "events": events}
