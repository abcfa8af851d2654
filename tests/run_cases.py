#!/usr/bin/env python3
"""Runs the corpus through an implementation and checks what must not depend on how the same text comes and goes.

    tests/run_cases.py [--endstop build/endstop] [--matcher M] [--quick] [FILE...]
    tests/run_cases.py [FILE...] -- COMMAND...      another implementation (spec/formats.md, Adapter)
    tests/run_cases.py --self-test                  each check must find a fault planted for it

Three parts: `expect` compares every result with the one the case gives; `split` cuts the bytes of each case in every
way into two and three tokens, one step and single bytes (T5); `flush` puts every flush policy and slow sinks before
each case (R11, R12). Exit status: 0 all hold, 1 one does not, 2 it could not be found out.
"""

import argparse
import glob
import itertools
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALL_CUTS_UP_TO = 80  # bytes: longer texts are cut in two only
TWO_CUTS_UP_TO = 1200  # bytes: longer texts are not cut
SHOWN = 20  # complaints printed; all are counted


class CannotRun(Exception):
    """The implementation did not answer as an adapter must."""


def text_of(result):
    """The joined deltas; a delta that is no UTF-8 stands as its hex, which equals no text."""
    return "".join(d if isinstance(d, str) else f"<hex {d['hex']}>" for d in result.get("deltas", []))


def answers(command, lines):
    """The results of `command` for all `lines`, in their order, from one process."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink, tempfile.TemporaryFile() as messages:
        source.write("".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass"))
        source.seek(0)
        process = subprocess.Popen(command, stdin=source, stdout=sink, stderr=messages)
        try:
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        sink.seek(0)
        found = [line for line in sink.read().decode("utf-8").split("\n") if line]
        messages.seek(0)
        said = messages.read().decode("utf-8", "replace")[-600:].strip()
    if len(found) != len(lines):
        counted = f"expected {len(lines)} results, found {len(found)} (exit status {status})"
        raise CannotRun(f"{' '.join(command)}: {counted}; it said: {said or 'nothing'}")
    return [json.loads(line) for line in found]


class Check:
    """One part: variants of cases, each with what to say of its result; all go through one process."""

    def __init__(self, name):
        self.name = name
        self.lines = []
        self.judges = []
        self.complaints = []

    def add(self, case, judge):
        """`judge` gets the result and returns what is wrong with it, or nothing."""
        self.lines.append(case if isinstance(case, str) else json.dumps(case))
        self.judges.append(judge)

    def run(self, command):
        for line, judge, result in zip(self.lines, self.judges, answers(command, self.lines)):
            wanted = json.loads(line)["case"]
            if result.get("case") != wanted:
                raise CannotRun(f"expected the result of {wanted}, found that of {result.get('case')}")
            wrong = f"unsupported: {result['unsupported']}" if "unsupported" in result else judge(result)
            if wrong:
                self.complaints.append(f"{self.name}: {wanted}: {wrong}")
        return self


# ---- expect: what the case says itself


TELLING = {"cause", "finish_reason", "text", "deltas", "param", "tokens"}  # an expectation has one of these at least


def expected(expect):
    def judge(result):
        for member, value in expect.items():
            if member == "never":
                for text in value:
                    if text in text_of(result):
                        return f"never {text!r}, found {text_of(result)!r}"
            elif member not in result or result[member] != value:
                return f"{member}: expected {shown(value)}, found {shown(result.get(member, 'nothing'))}"
        return None

    return judge


def shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + " …"


def expect_check(lines):
    check = Check("expect")
    for line, case in lines:
        if not TELLING & case["expect"].keys():
            raise CannotRun(f"{case['case']}: expected an expectation that says something, found {case['expect']}")
        check.add(line, expected(case["expect"]))
    return check


# ---- split: the same bytes in other tokens and steps (T5)


def visible_bytes(case):
    skip = case["request"].get("skip_special_tokens") is not False
    parts = []
    for token in itertools.chain.from_iterable(case["steps"]):
        if not (skip and token.get("special")):
            parts.append(bytes.fromhex(token["hex"]) if "hex" in token else token.get("text", "").encode())
    return b"".join(parts)


def token(number, piece):
    if not piece:
        return {"id": number}
    try:
        return {"id": number, "text": piece.decode()}
    except UnicodeDecodeError:
        return {"id": number, "hex": piece.hex()}


def stop_list(request):
    stops = request.get("stop") or []
    stops = stops if isinstance(stops, list) else [stops]
    return [(s, 0) if isinstance(s, str) else (s["text"], s.get("priority") or 0) for s in stops]


def end_by_stop(text, stops, include):
    """R2, R3, R4 word by word: the index of the stop that ends `text` and where it is cut; None if none completes."""
    stops = [(stop.encode(), priority) for stop, priority in stops]
    for p in range(1, len(text) + 1):
        complete = [i for i, (stop, _) in enumerate(stops) if text[:p].endswith(stop)]
        if complete:
            best = min(complete, key=lambda i: (-stops[i][1], -len(stops[i][0]), i))
            return best, p if include else p - len(stops[best][0])
    return None


def splits(text):
    """(name, steps) for every way the bytes are to come."""
    gap = [token(3, b"")]
    yield "bytes", [[token(1000 + b, bytes([b]))] for b in text]
    yield "big step", [[token(1000 + b, bytes([b])) for b in text]]
    if len(text) > TWO_CUTS_UP_TO:
        return
    for i in range(1, len(text)):
        a, b = token(0, text[:i]), token(1, text[i:])
        yield f"{i}", [[a], gap, [b]]
        yield f"{i} in one step", [[a, b]]
    if len(text) > ALL_CUTS_UP_TO:
        return
    for i, k in itertools.combinations(range(1, len(text)), 2):
        yield f"{i},{k}", [[token(0, text[:i])], gap, [token(1, text[i:k])], [], [token(2, text[k:])]]


def same_as_whole(end, stops, whole_text, whole):
    def judge(result):
        if end is None:
            if result.get("cause") != "open":
                return f"no stop completes, found {result.get('cause')}"
            wanted = whole.setdefault("text", text_of(result))  # the first variant is the whole text in one token
        else:
            if (result.get("cause"), result.get("stop_index")) != ("stop_string", end[0]):
                found = f"{result.get('cause')} {result.get('stop_index')}"
                return f"expected stop_string {end[0]} ({stops[end[0]][0]!r}), found {found}"
            wanted = whole_text[: end[1]].decode("utf-8", "replace")
        if text_of(result) != wanted or result.get("text") != wanted:
            return f"expected {wanted!r}, found {text_of(result)!r}, text {result.get('text')!r}"
        return None

    return judge


def split_check(lines):
    """Drops whatever is no stop string from each request; T5 then speaks of what is left."""
    check = Check("split")
    for _, case in lines:
        if "events" in case:  # a race order has no text
            continue
        request = case["request"]
        if case["expect"].get("cause") == "invalid_request" or request.get("min_tokens") or "vocab" in case:
            continue
        text, stops = visible_bytes(case), stop_list(request)
        if not text:
            continue
        include = request.get("include_stop_str_in_output") is True
        end = end_by_stop(text, stops, include)
        if end is None and not stops and len(text) > ALL_CUTS_UP_TO:
            continue
        kept = {"stop": request.get("stop"), "include_stop_str_in_output": include}
        judge = same_as_whole(end, stops, text, {})
        for name, steps in itertools.chain([("whole", [[token(0, text)]])], splits(text)):
            check.add({"case": f"{case['case']} cut {name}", "request": kept, "steps": steps}, judge)
    return check


# ---- flush: when text is sent changes no text (R11, R12)

POLICIES = [{kind: n} for kind in ("steps", "bytes", "tokens") for n in (1, 2, 3, 5, 1000)]
END = ("finish_reason", "cause", "stop_reason", "stop_index", "tokens", "token_ids", "terminals", "terminal")


def sinks(steps):
    return {"ok": None, "later": ["later"] * (steps + 3), "every other": ["later", "ok"] * steps}


def same_text(default):
    """The first variant has no policy and a sink that takes all: the others may be later than it, never other."""

    def judge(result):
        if not default:
            default.update(result)
            return None
        for member in END:
            if result.get(member) != default.get(member) and not (default["cause"] == "open" and member == "terminal"):
                return f"{member}: expected {shown(default.get(member))}, found {shown(result.get(member))}"
        if len(result["deltas"]) != len(default["deltas"]):
            return f"deltas: expected {len(default['deltas'])}, found {len(result['deltas'])}"
        sent = may = ""
        for step, (delta, allowed) in enumerate(zip(result["deltas"], default["deltas"]), 1):
            sent, may = sent + delta, may + allowed
            if not may.startswith(sent):
                return f"step {step}: expected a beginning of {may!r}, found {sent!r}"
        if default["cause"] != "open" and sent != may:
            return f"expected {may!r}, found {sent!r}"
        return None

    return judge


def flush_check(lines):
    check = Check("flush")
    for _, case in lines:
        if "events" in case:
            continue
        if case["expect"].get("cause") == "invalid_request" or "gone" in case.get("sink", []):
            continue
        judge = same_text({})
        bare = {m: v for m, v in case.items() if m not in ("expect", "sink", "what", "source", "kind")}
        named_sinks = sinks(len(case["steps"]))
        for policy, (sink_name, sink) in itertools.product([None] + POLICIES, named_sinks.items()):
            variant = dict(bare, request=dict(case["request"], flush=policy))
            variant["case"] = f"{case['case']} flush {json.dumps(policy)} sink {sink_name}"
            if sink:
                variant["sink"] = sink
            check.add(variant, judge)
    return check


# ---- the faults that the checks must find


def doctored(kind, command):
    """An adapter that answers like `command` but for one fault."""
    lines = [line for line in sys.stdin.read().split("\n") if line]
    for line, result in zip(lines, answers(command, lines)):
        case = json.loads(line)
        tokens = list(itertools.chain.from_iterable(case["steps"]))
        ended = result.get("deltas") and result["cause"] == "stop_string" and result["text"]
        if kind == "index" and "stop_index" in result:
            result["stop_index"] += 1
        if kind == "split" and ended and len(tokens[0].get("text", "")) == 1 and {"id": 3} in tokens:
            result["text"] = result["text"][:-1]
        if kind == "hold" and result["cause"] == "open" and {"id": 3} in tokens and result["deltas"]:
            result["deltas"][-1] += "?"
        if kind == "tail" and ended and case["request"].get("flush") == {"bytes": 1000}:
            result["deltas"][-1] = ""
        if kind == "double" and "later" in case.get("sink", []) and result.get("deltas"):
            result["deltas"][-1] *= 2
        print(json.dumps(result))
    return 0


PLANTED = {"index": "expect", "split": "split", "hold": "split", "tail": "flush", "double": "flush"}
SAMPLE = (
    "R2-self-overlap",
    "R3-longest-at-same-end",
    "R10-partial-release",
    "R11-flush-bytes",
    "R12-stop-string-sends-up-to-the-cut",
)


def self_test(lines, command):
    sample = [(line, case) for line, case in lines if case["case"] in SAMPLE]
    status = 0
    for kind, part in [(None, None)] + list(PLANTED.items()):
        faulty = [sys.executable, os.path.abspath(__file__), "--doctored", kind, "--"] + command if kind else command
        for make in (expect_check, split_check, flush_check):
            check = make(sample).run(faulty)
            found, wanted = bool(check.complaints), check.name == part
            if found < wanted or (kind is None and found):
                print(f"run_cases.py: planted {kind}: {check.name} expected {wanted}, found {check.complaints[:1]}")
                status = 1
            elif wanted:
                print(f"planted {kind}: found by {check.name}, {len(check.complaints)} times: {check.complaints[0]}")
    if len(sample) != len(SAMPLE):
        print(f"run_cases.py: expected the cases {', '.join(SAMPLE)}, found {len(sample)} of them")
        status = 1
    print(f"{len(PLANTED)} planted faults, {'all found' if status == 0 else 'not all found'}")
    return status


def read_cases(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file.read().split("\n"), 1):
                if not line:
                    continue
                case = json.loads(line)
                if "expect" not in case:
                    raise CannotRun(f"{path}:{number}: expect: expected a result, found none")
                if "vocab" in case:  # the cases go on by standard input, where the path would mean another file
                    case["vocab"] = os.path.join(os.path.dirname(os.path.abspath(path)), case["vocab"])
                    line = json.dumps(case)
                yield line, case


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].lstrip())
    parser.add_argument("files", nargs="*")
    parser.add_argument("--endstop", default="build/endstop")
    parser.add_argument("--matcher")
    parser.add_argument("--quick", action="store_true", help="split and flush for one case in eight")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--doctored", help=argparse.SUPPRESS)
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    mine, command = arguments[:at], arguments[at + 1 :]
    options = parser.parse_args(mine)
    command = command or [options.endstop, "run"] + (["--matcher", options.matcher] if options.matcher else [])
    if options.doctored:
        return doctored(options.doctored, command)
    lines = list(read_cases(options.files or sorted(glob.glob(os.path.join(ROOT, "corpus", "cases", "*.jsonl")))))
    if options.self_test:
        return self_test(lines, command)
    complaints, runs = [], []
    for make in (expect_check, split_check, flush_check):
        check = make(lines[::8] if options.quick and make is not expect_check else lines).run(command)
        complaints += check.complaints
        runs.append(f"{check.name} {len(check.lines)}")
    for complaint in complaints[:SHOWN]:
        print(complaint)
    print(f"{len(lines)} cases; runs: {', '.join(runs)}; {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CannotRun, OSError, json.JSONDecodeError) as fault:
        print(f"run_cases.py: {fault}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
