#!/usr/bin/env python3
"""Race orders once more (spec/races.md): no words, no epochs, no slots. The end of a lane is the first of its events
before which the whole history so far asks for an end.

    race.py < orders.jsonl > answers.jsonl
"""

import json
import sys

ENGINE = ("forward_launch", "sample", "kv_append", "token_commit", "emit", "read_stop", "dequeue", "finish", "error",
          "recycle")  # fmt: skip
COUNTS = ("token_commit", "emit", "read_stop", "dequeue", "set_stop", "disconnect", "finish", "error", "recycle", "preempt")
OF_TOKENS = ("stop", "length", "repetition")


class Bad(Exception):
    """A member at fault."""


def check_event(event, place, named, finished):
    """Raises the first fault of an event; `finished`: the lanes that have had their finish."""
    op = event.get("op")
    if event.get("thread") not in ("engine", "control", "client"):
        raise Bad(f"{place}.thread")
    if not isinstance(op, str):
        raise Bad(f"{place}.op")
    if op in ENGINE and event["thread"] != "engine" or op == "disconnect" and event["thread"] != "client":
        raise Bad(f"{place}.thread")
    if op in ("sample", "token_commit") and not isinstance(event.get("tok"), str):
        raise Bad(f"{place}.tok")
    if not isinstance(event.get("req"), (str, type(None))):
        raise Bad(f"{place}.req")
    if op not in COUNTS:
        return
    if named and event.get("req") is None:
        raise Bad(f"{place}.req")
    if op == "finish" and event.get("req") in finished:
        raise Bad(place)
    if op == "set_stop" and event.get("reason") in OF_TOKENS:
        raise Bad(f"{place}.reason")
    if op in ("set_stop", "finish") and event.get("reason") == "":
        raise Bad(f"{place}.reason")
    if op == "finish":
        finished.add(event.get("req"))


def check(order):
    """Raises the first fault of an order."""
    named = any(e.get("req") is not None for e in order["events"])
    finished = set()
    for i, event in enumerate(order["events"]):
        check_event(event, f"events[{i}]", named, finished)


def asked(history):
    """The reason of the first request to stop in a lane's history, or None."""
    return next((e.get("reason") or "abort" for e in history if e["op"] == "set_stop"), None)


def is_gone(history):
    return any(e["op"] == "disconnect" for e in history)


def end_at(event, history):
    """The finish_reason with which an open lane ends at this event, or None: `history` is what its lane had before."""
    op, reason = event["op"], event.get("reason")
    if op in ("read_stop", "dequeue"):
        return asked(history)
    if op == "error":
        return "error"
    if op == "emit":
        return "abort" if is_gone(history) else None
    if op != "finish":
        return None
    if reason == "timeout":
        return asked(history) or "timeout"
    if reason in (None, "abort") or reason in [e.get("reason") for e in history if e["op"] == "set_stop"]:
        return asked(history) or ("abort" if is_gone(history) else None)
    return reason


def lane(events):
    """(committed, finish_reason) of a lane, from its own events."""
    ends = [i for i, e in enumerate(events) if end_at(e, events[:i])]
    last = ends[0] if ends else len(events)
    committed = [e["tok"] for e in events[:last] if e["op"] == "token_commit"]
    return committed, end_at(events[last], events[:last]) if ends else None


def answer(order):
    """What a right engine ends with."""
    events = order["events"]
    if any(e["op"] == "preempt" for e in events):
        return {"case": order["case"], "unsupported": True}
    names = list(dict.fromkeys(e["req"] for e in events if e.get("req") is not None)) or [None]
    lanes = {name: lane([e for e in events if e.get("req") == name]) for name in names}
    if len(names) == 1:
        committed, reason = lanes[names[0]]
        ended = int(reason is not None)
        return {"case": order["case"], "committed": committed, "finish_reason": reason, "terminal_count": ended}
    each = {
        name: {"committed": committed, "finish": reason, "terminal_count": int(reason is not None)}
        for name, (committed, reason) in lanes.items()
    }
    return {"case": order["case"], "per_request": each, "finish_reason": None}


def main():
    for line in sys.stdin:
        order = json.loads(line)
        try:
            check(order)
            print(json.dumps(answer(order)))
        except Bad as fault:
            print(f"{order['case']}: {fault}", file=sys.stderr)


if __name__ == "__main__":
    main()
