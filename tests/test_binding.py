"""The Python binding (src/lib/endstop.py): every case of the corpus and random ones through it, against what the case
expects and what `endstop run` answers; refusals, misuse, memory, threads; the command from Python.

Needs `make build`. Random tests print their seed and take one from ES_SEED."""

import ast
import copy
import ctypes
import doctest
import gc
import json
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
LIB = ROOT / "src" / "lib"
RECORDINGS = ROOT / "corpus" / "recordings"
sys.path[:0] = [str(LIB), str(ROOT / "tests" / "model")]

import endstop  # noqa: E402
import generate  # noqa: E402
import vocab  # noqa: E402

RANDOM_CASES = 3000
TWICE = ["R13-member-twice", "R13-number-twice"]  # JSON that no dict can hold
CASES_FOLDER = ROOT / "corpus" / "cases"
CASES = {
    json.loads(line)["case"]: line
    for path in sorted(CASES_FOLDER.glob("*.jsonl"))
    if not path.name.startswith("races-")  # they have no text, which a stream could carry
    for line in path.read_text(encoding="utf-8").splitlines()
}


# ---- Cases through a stream


class Twice(Exception):
    """An object with a member twice, which no dict can hold."""


def read(line):
    def members(pairs):
        if len(pairs) != len(dict(pairs)):
            raise Twice
        return dict(pairs)

    return json.loads(line, object_pairs_hook=members)


def given_bytes(token):
    """The bytes that the case gives a token; None: it leaves them to its vocabulary."""
    if token.get("hex") is not None:
        return bytes.fromhex(token["hex"])
    return None if token.get("text") is None else token["text"].encode()


def with_vocabulary(case):
    """The steps as (id, bytes, special), and one above the highest id, where it is known."""
    known = vocab.load(CASES_FOLDER / case["vocab"]) if case.get("vocab") else vocab.Vocabulary({}, None, False)
    skip = (case.get("request") or {}).get("skip_special_tokens") is not False
    steps, drops = [], known.drops_space
    for tokens in case["steps"]:
        steps.append([])
        for token in tokens:
            data, special = known.tokens.get(token["id"], (b"", False))
            given = given_bytes(token)
            special = special if token.get("special") is None else token["special"]
            if given is None and drops and not (special and skip) and data.startswith(b" "):
                given, drops = data[1:], False  # R1: at R[0], once
            data = data if given is None else given
            drops = drops and (not data or special and skip)
            steps[-1].append((token["id"], data, special))
    return steps, known.limit


class Lane:
    """A stream, the sink it is offered to and the result that comes of it."""

    def __init__(self, case):
        self.steps, limit = with_vocabulary(case)
        length = sum(len(data) for step in self.steps for _, data, _ in step)
        bounds = None if limit is None else {"vocabulary": limit}
        prompt = case.get("prompt_tokens") or 0
        self.stream = endstop.Stream(case.get("request"), prompt, window=length + 16, bounds=bounds)
        self.sink = list(case.get("sink") or [])
        self.gone = False
        self.abort = case.get("abort_after_step")
        self.external = case.get("external_end") or {}
        self.deltas, self.ids = [], []

    def boundary(self, k):
        external = (self.external["cut"], self.external["reason"]) if self.external.get("after_step") == k else None
        self.stream.boundary(abort=self.abort == k, external=external)

    def answer(self):
        self.gone = self.gone or bool(self.sink and self.sink[0] == "gone")
        return "gone" if self.gone else self.sink.pop(0) if self.sink else "ok"

    def step(self, k):
        for id, data, special in self.steps[k - 1]:
            if self.stream.token(id, data, special):
                self.ids.append(id)
        self.boundary(k)
        delta = ""
        while text := self.stream.text():
            answer = self.answer()
            self.stream.sent(answer)
            delta += text if answer == "ok" else ""
        self.deltas.append(delta)

    def result(self):
        said = {"deltas": self.deltas, "text": "".join(self.deltas)}
        said.update(tokens=self.stream.tokens, token_ids=self.ids)
        end = self.stream.terminal
        if end:
            assert self.stream.ended and not self.stream.text() and end == self.stream.terminal
            return {**said, **end, "terminals": 1}
        said["terminals"] = 0
        if not self.stream.ended:
            said.update(finish_reason=None, cause="open", stop_reason=None)
        return said


def drive(case, boundary_0=True):
    """What `endstop run` says of a case, as far as a stream tells it."""
    try:
        lane = Lane(case)
    except endstop.Refused as refused:
        assert str(refused) == refused.message and refused.message.startswith(refused.param + ": ")
        return {
            "deltas": [], "text": "", "finish_reason": "error", "cause": "invalid_request", "stop_reason": None,
            "tokens": 0, "token_ids": [], "param": refused.param,
        }  # fmt: skip
    if boundary_0:
        lane.boundary(0)
    for k in range(1, len(case["steps"]) + 1):
        if lane.stream.ended:
            break
        lane.step(k)
    return lane.result()


def differences(found, wanted, gone=False):
    """The members of `wanted` that `found` has otherwise, or not at all. A client that is gone is told no reasons."""
    skipped = ["case", "message", "never"] + ["finish_reason", "cause", "stop_reason", "stop_index"] * gone
    said = [
        f"{name}: expected {value!r}, found {found.get(name, 'nothing')!r}"
        for name, value in wanted.items()
        if name not in skipped and (name not in found or found[name] != value or type(found[name]) is not type(value))
    ]
    return said + [f"never {text!r}" for text in wanted.get("never", []) if text in found["text"]]


def is_gone(result):
    """Whether the client was gone before the terminal."""
    return result.get("terminals") == 0 and result["cause"] != "open"


@pytest.fixture(scope="module")
def reference():
    """What `endstop run` says of every case of the corpus."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {result["case"]: result for result in endstop.run(CASES.values(), folder=CASES_FOLDER)}


@pytest.mark.parametrize("name", CASES)
def test_a_case_of_the_corpus(name, reference):
    try:
        case = read(CASES[name])
    except Twice:
        assert reference[name]["cause"] == "invalid_request"
        return
    found, gone = drive(case), is_gone(reference[name])
    assert differences(found, case["expect"], gone) == []
    assert differences(found, reference[name], gone) == []
    assert found.keys() <= reference[name].keys()


def test_only_two_cases_cannot_be_asked_in_python():
    twice = []
    for name, line in CASES.items():
        try:
            read(line)
        except Twice:
            twice.append(name)
    assert twice == TWICE


def test_boundary_0_may_be_left_out_where_nothing_happens_there():
    left_out = 0
    for name, line in CASES.items():
        try:
            case = read(line)
        except Twice:
            continue
        after = (case.get("external_end") or {}).get("after_step")
        quiet = case.get("abort_after_step") != 0 and after != 0 and case["request"].get("deadline_steps") != 0
        if quiet and case["steps"] and case["steps"][0]:
            assert drive(case, boundary_0=False) == drive(case), name
            left_out += 1
    assert left_out > 300


CHANGES = {
    "deltas": lambda deltas: deltas[:-1] + [deltas[-1] + "x"] if deltas else ["x"],
    "text": lambda text: text[:-1] if text else "x",
    "finish_reason": lambda reason: "length" if reason != "length" else "stop",
    "cause": lambda cause: "eos" if cause != "eos" else "stop_token",
    "stop_reason": lambda reason: None if reason is not None else "x",
    "tokens": lambda tokens: tokens + 1,
    "token_ids": lambda ids: ids + [0],
    "stop_index": lambda index: index + 1,
    "terminals": lambda terminals: 1 - terminals,
    "terminal": lambda terminal: {**terminal, "crc32c": "ffffffff"},
    "param": lambda param: param + "[0]",
    "never": lambda never: never + [""],
}


def test_a_changed_expectation_is_seen(reference):
    """The comparison bites: each member of each case, changed, is one difference."""
    seen = dict.fromkeys(CHANGES, 0)
    for name, line in CASES.items():
        if is_gone(reference[name]) or name in TWICE:
            continue
        found, expect = drive(read(line)), json.loads(line)["expect"]
        for member in CHANGES.keys() & expect.keys():
            changed = {**expect, member: CHANGES[member](expect[member])}
            assert len(differences(found, changed)) == 1, (name, member)
            seen[member] += 1
    assert all(seen.values()), seen


def strange(request):
    """Whether a request has a member that the format does not know: a TypeError here."""
    stops = request.get("stop")
    known = [(request, endstop._MEMBERS), (request.get("repetition"), ("max_period", "min_repeats"))]
    known += [(stop, ("text", "priority")) for stop in (stops if isinstance(stops, list) else [stops])]
    return any(isinstance(members, dict) and members.keys() - set(names) for members, names in known)


def test_random_cases_as_the_reference():
    seed = int(os.environ.get("ES_SEED", time.time_ns() % 10**9))
    print("seed", seed)
    cases, refused = [], 0
    for _, line in generate.make_lines(random.Random(seed), 0, RANDOM_CASES):
        try:
            cases.append((read(line.decode()), line))
        except (Twice, UnicodeDecodeError):
            pass  # JSON that no dict can hold
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # members that are not looked at
        results = endstop.run(line for _, line in cases)
    for (case, line), result in zip(cases, results):
        if strange(case["request"]):
            with pytest.raises(TypeError, match="^request"):
                drive(case)
        elif "unsupported" not in result:
            assert differences(drive(case), result, is_gone(result)) == [], line
            refused += "param" in result
    assert refused > RANDOM_CASES / 40 and len(cases) > RANDOM_CASES * 0.9


# ---- Refusals: what C's types cannot carry


class Seven:
    """A whole number of another library's."""

    def __index__(self):
        return 7


@pytest.mark.parametrize(
    "request_, param, found",
    [
        ({"stop": "a\ud800"}, "stop[0]", "a lone surrogate"),
        ({"stop": ["a", b"b"]}, "stop[1]", "found a value of type bytes"),
        ({"stop": {"a", "b"}}, "stop", "found a value of type set"),
        ({"stop": [{"text": "a", "priority": 1.0}]}, "stop[0]", "found a number with a fraction"),
        ({"stop": [{"text": "a", "priority": True}]}, "stop[0]", "found true"),
        ({"stop_token_ids": [1, True]}, "stop_token_ids[1]", "found true"),
        ({"stop_token_ids": [1, 2**31]}, "stop_token_ids[1]", "found the number 2147483648"),
        ({"stop_token_ids": [1, None]}, "stop_token_ids[1]", "expected a token id, found null"),
        ({"stop_token_sequences": [[1, None], 5]}, "stop_token_sequences[0]", "expected a token id, found null"),
        ({"stop_token_sequences": [[1, 2], 5, []]}, "stop_token_sequences[1]", "found the number 5"),
        ({"eos_token_ids": 2}, "eos_token_ids", "expected a list of token ids"),
        ({"stop_token_sequences": [[1, 2], [3, -1]]}, "stop_token_sequences[1]", "found the number -1"),
        ({"ignore_eos": 1}, "ignore_eos", "expected true or false"),
        ({"max_tokens": 64.0}, "max_tokens", "found a number with a fraction"),
        ({"max_tokens": 10**6000}, "max_tokens", "found one beyond every limit"),
        ({"max_tokens": float("nan")}, "max_tokens", "found a number with a fraction"),
        ({"min_tokens": 2, "max_tokens": 1}, "min_tokens", "which is 1, found 2"),
        ({"repetition": {"max_period": 3}}, "repetition", "expected a member `min_repeats`"),
        ({"repetition": {"max_period": 64, "min_repeats": 65}}, "repetition", "found 4160"),
        ({"flush": {"bytes": 0}}, "flush.bytes", "from 1 to 2147483647, found the number 0"),
        ({"flush": {"steps": 1, "ms": 1}}, "flush", "found several"),
        ({"stop": ["a"] * 64 + [5]}, "stop", "at most 64 stop strings, found 65"),
        ({"stop": [5, ""]}, "stop[0]", "found the number 5"),
        ({"stop": ["", 5]}, "stop[0]", "an empty stop string"),
        ({"flush": 1, "max_tokens": -1, "stop": [""]}, "stop[0]", "an empty stop string"),
        ({"min_tokens": 2, "max_tokens": 1, "flush": {}}, "flush", "found none"),
    ],
)
def test_R13_the_member_at_fault(request_, param, found):
    with pytest.raises(endstop.Refused) as refused:
        endstop.Stream(request_)
    assert refused.value.param == param and found in refused.value.message
    said = endstop.check(request_)
    assert (said.param, said.message) == (param, refused.value.message)
    assert str(pickle.loads(pickle.dumps(said))) == said.message


def test_R13_what_may_be_asked():
    for request_ in [
        None, {}, {"stop": None, "flush": None, "repetition": None, "max_tokens": None}, {"stop": ("a", "b")},
        {"stop_token_ids": (1, Seven())}, {"max_tokens": Seven()}, {"flush": {"ms": 5, "steps": None}},
        {"stop": "\0"}, {"stop": [{"text": "a", "priority": None}]}, {"stop_token_sequences": [(1, 2)]},
    ]:  # fmt: skip
        assert endstop.check(request_) is None, request_


def test_bounds_are_settable():
    assert endstop.check({"stop": ["a", "b"]}, bounds={"stops": 1}).param == "stop"
    assert endstop.check({"stop": ["a"] * 100}, bounds={"stops": 100}) is None
    assert endstop.check({"stop": ["abc", "d"]}, bounds={"all_stop_bytes": 3}).param == "stop"
    assert endstop.check({"stop": ["abc", 5]}, bounds={"all_stop_bytes": 3}).param == "stop[1]"
    assert endstop.check({"stop_token_ids": [1, 9]}, bounds={"vocabulary": 9}).param == "stop_token_ids[1]"
    assert endstop.check({"stop_token_ids": [1, 8]}, bounds={"vocabulary": 9}) is None
    with pytest.raises(TypeError, match="bounds.stop: expected one of stops, "):
        endstop.check({}, bounds={"stop": 1})


@pytest.mark.parametrize(
    "request_, named",
    [
        ({"stops": "END"}, "request.stops: "),
        ({5: 1}, "request.5: "),
        ({"stop": [{"text": "a", "weight": 1}]}, "request.stop[0].weight: "),
        ({"repetition": {"max_period": 1, "min_repeats": 2, "x": None}}, "request.repetition.x: "),
        ("END", "request: expected a dict, found the text"),
    ],
)
def test_an_unknown_member_is_the_callers_error(request_, named):
    with pytest.raises(TypeError, match="^" + re.escape(named)):
        endstop.check(request_)


# ---- One stream


def test_R4_R15_by_hand():
    stream = endstop.Stream({"stop": ["END"], "include_stop_str_in_output": True})
    assert stream.token(0, b"The E") and stream.step() == "The E" and stream.terminal is None
    assert stream.token(1, b"ND of it") and stream.step() == "ND" and stream.ended
    assert stream.token(2, b"more") is False and stream.tokens == 2 and stream.step() == ""
    assert repr(stream) == "<endstop.Stream: ended, 2 tokens>"
    assert stream.terminal["stop_index"] == 0 and stream.terminal == stream.terminal


def test_bytes_without_ids():
    stream = endstop.Stream({"stop": "c"})
    assert stream.feed(b"a\0b") and stream.token(None, bytearray(b"b")) and stream.token(None, memoryview(b"c"))
    assert stream.step() == "a\0bb" and stream.terminal["tokens"] == 3
    guard = {"max_period": 1, "min_repeats": 2}
    for request_ in [{"eos_token_ids": [1]}, {"stop_token_sequences": [[1, 2]]}, {"repetition": guard}]:
        with pytest.raises(ValueError, match="^id: expected a token id"):
            endstop.Stream(request_).feed(b"a")


def test_what_ends_it_from_outside():
    stream = endstop.Stream({})
    assert stream.step(abort=True) == "" and stream.ended and stream.terminal["finish_reason"] == "abort"
    stream = endstop.Stream({"stop": "zz"})
    stream.feed(b"call z")
    assert stream.step() == "call "
    stream.feed(b" (")
    assert stream.step(external=(6, "tool_calls")) == "z"
    assert stream.terminal["stop_reason"] == stream.terminal["finish_reason"] == "tool_calls"
    assert endstop.Stream({"max_tokens": 0}).terminal["cause"] == "max_tokens"
    assert endstop.Stream({"max_context": 5}, 5).terminal["cause"] == "max_context"


def test_a_sink_that_is_slow_and_one_that_goes():
    stream = endstop.Stream({"max_tokens": 2})
    stream.feed(b"a")
    stream.boundary()
    assert stream.text() == stream.text() == "a"
    stream.sent("later")
    assert stream.text() == ""
    stream.feed(b"b")
    stream.boundary()
    assert stream.text() == "ab" and stream.terminal is None
    stream.sent("later")
    assert stream.text() == "ab"
    stream.sent("ok")
    assert stream.terminal["terminal"]["bytes"] == 2
    stream = endstop.Stream({})
    stream.feed(b"a")
    stream.boundary()
    stream.text()
    stream.sent("gone")
    assert stream.ended and stream.terminal is None and stream.feed(b"b") is False and stream.step() == ""


def test_flush_by_time():
    stream = endstop.Stream({"flush": {"ms": 20}})
    stream.feed(b"a")
    assert stream.step(now=1000) == ""
    assert stream.step(now=1019) == "" and stream.step(now=1020) == "a"
    stream = endstop.Stream({"flush": {"ms": 1}})
    stream.feed(b"a")
    sent = stream.step()
    time.sleep(0.005)
    assert sent + stream.step() == "a"  # by the clock


def test_a_window_that_is_full():
    stream = endstop.Stream({"flush": {"tokens": 100}}, window=8)
    sent = ""
    with pytest.raises(BufferError, match="larger window"):
        for k in range(100):
            taken = k
            stream.token(k, b"abcd")
            sent += stream.step()
    assert taken >= 2 and stream.tokens == taken and sent == ""
    assert stream.step(abort=True) == "abcd" * taken
    stream = endstop.Stream({}, window=8)  # and where the step's end makes room, the token goes in then
    with pytest.raises(BufferError):
        for k in range(100):
            taken = k
            stream.token(k, b"abcd")
    assert stream.step() == "abcd" * taken and stream.token(taken, b"abcd") and stream.step() == "abcd"
    stream = endstop.Stream({"flush": {"bytes": 50000}})  # what the policy gathers has room without being asked for
    gathered = [stream.feed(b"abcd") and stream.step() for _ in range(12500)]
    assert gathered == [""] * 12499 + ["abcd" * 12500]


def test_misuse():
    stream = endstop.Stream({})
    for call, fault in [
        (lambda: stream.token(1, "text"), TypeError), (lambda: stream.token(1.0, b""), TypeError),
        (lambda: stream.token(True, b""), TypeError), (lambda: stream.token(-1, b""), ValueError),
        (lambda: stream.token(2**31, b""), ValueError), (lambda: stream.token(2**32 - 1, b""), ValueError),
        (lambda: stream.sent("ok"), RuntimeError), (lambda: stream.sent("yes"), ValueError),
        (lambda: stream.step(external=(1, "")), ValueError), (lambda: stream.step(external=(-1, "x")), ValueError),
        (lambda: stream.step(external=(1, "a\0b")), ValueError), (lambda: stream.step(external=(1, b"x")), TypeError),
        (lambda: stream.step(external=(1, "\ud800")), ValueError), (lambda: stream.step(now=-1), ValueError),
        (lambda: copy.copy(stream), TypeError), (lambda: pickle.dumps(stream), TypeError),
        (lambda: endstop.Stream({}, -1), ValueError), (lambda: endstop.Stream({}, 1.5), TypeError),
        (lambda: endstop.Stream({}, window=2**32), ValueError),
        (lambda: stream.__init__({"stop": ""}), endstop.Refused),
        (lambda: endstop.Stream.__new__(endstop.Stream).step(), AttributeError),
    ]:  # fmt: skip
        with pytest.raises(fault):
            call()
    assert not stream.ended and stream.tokens == 0
    assert stream.feed(b"a") and stream.step() == "a"


def test_memory_that_was_handed_in_may_go():
    """The request's lists, a token's bytes and the reason of an external end, each collected and written over."""
    streams = []
    for n in range(200):
        stops = ["x" * 40 + str(n), "stop" + str(n)]
        stream = endstop.Stream({"stop": stops, "stop_token_sequences": [[n, n + 1], [n + 2, n + 3, n + 4]]})
        stream.token(1000, bytearray(b"text "))
        stream.step()
        streams.append(stream)
    for n, stream in enumerate(streams):
        if n % 2:
            stream.boundary(external=(5, "reason " + str(n)))
    rubbish = [bytes([n % 256]) * (n % 300) for n in range(20000)]
    gc.collect()
    for n, stream in enumerate(streams):
        if n % 2:
            assert stream.terminal["finish_reason"] == "reason " + str(n)
        else:
            assert stream.token(n + 2, b"a") and stream.token(n + 3, b"b") and stream.token(n + 4, b"c")
            assert stream.step() == "" and stream.terminal["stop_reason"] == [n + 2, n + 3, n + 4]
    assert rubbish


def test_streams_of_several_threads():
    """Each thread with its own streams, some dropped half-way, the collector at work."""
    names = [name for name in list(CASES)[::7] if name not in TWICE]
    wanted = {name: drive(read(CASES[name])) for name in names}
    wrong = []

    def work(turn):
        for name in names[turn:] + names[:turn]:
            endstop.Stream({"stop": ["END"]}).feed(b"half an EN")
            if drive(read(CASES[name])) != wanted[name]:
                wrong.append(name)

    threads = [threading.Thread(target=work, args=(turn,)) for turn in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        gc.collect()
        time.sleep(0.01)
    assert wrong == []


# ---- The command from Python

GOOD = {"case": "good", "request": {"stop": ["END"]}, "steps": [[{"id": 0, "text": "An E"}], [{"id": 1, "text": "ND"}]]}


def recording(**changes):
    result = {"deltas": ["An ", ""], "text": "An ", "finish_reason": "stop", "stop_reason": "END", "tokens": 2}
    return {**GOOD, "result": {**result, **changes}}


@pytest.mark.parametrize("name", ["transformers-4.57.6-batch.jsonl", "transformers-5.24.0-stream.jsonl"])
def test_judge_says_what_the_table_says(name):
    rows = [line.split("\t") for line in (RECORDINGS / "verdicts.tsv").read_text().splitlines()]
    wanted = [(case, verdict, faults) for file, case, verdict, faults in rows if file == name]
    with open(RECORDINGS / name, encoding="utf-8") as lines:
        verdicts = endstop.judge(lines)
    places = ("kind", "rule", "step", "byte")
    told = [",".join(":".join(str(f.get(p, "")) for p in places) for f in v["faults"]) or "-" for v in verdicts]
    assert [(v["case"], v["verdict"], f) for v, f in zip(verdicts, told)] == wanted and wanted


def test_run_says_what_a_case_expects():
    lines = (ROOT / "corpus" / "cases" / "own-R3.jsonl").read_text(encoding="utf-8").splitlines()
    results = endstop.run(json.loads(line) for line in lines)
    assert [result["case"] for result in results] == [json.loads(line)["case"] for line in lines]
    assert all(result[m] == v for line, result in zip(lines, results) for m, v in json.loads(line)["expect"].items())


@pytest.mark.parametrize(
    "changes, kind",
    [
        ({"deltas": ["An E", ""], "text": "An E"}, "leak"),
        ({"deltas": ["An E", "ND"], "text": "An END", "finish_reason": "length", "stop_reason": None}, "missed-stop"),
        ({"deltas": ["An", ""], "text": "An"}, "lost-tail"),
        ({"deltas": ["An ", "An "], "text": "An An "}, "duplicate-text"),
        ({"finish_reason": "length"}, "wrong-reason"),
        ({"tokens": 1}, "wrong-count"),
        ({"terminals": 2}, "after-end"),
    ],
)
def test_a_planted_fault_is_told(changes, kind):
    endstop.assert_conforms(recording())
    (verdict,) = endstop.judge([recording(**changes)])
    assert verdict["verdict"] == "violates" and kind in [fault["kind"] for fault in verdict["faults"]]
    with pytest.raises(AssertionError) as told:
        endstop.assert_conforms(recording(**changes))
    assert all(fault["why"] in str(told.value) for fault in verdict["faults"])
    assert str(told.value).startswith("good: violates\n  ")


def test_what_cannot_be_judged_does_not_conform():
    with pytest.raises(AssertionError, match="good: unsupported: "):
        endstop.assert_conforms({**recording(), "request": {"stop": ["END"], "flush": {"ms": 5}}})


def test_the_commands_own_message():
    with pytest.raises(endstop.CommandError, match="<stdin>:2: result: expected a result, found none") as fault:
        endstop.judge([recording(), GOOD])
    assert fault.value.status == 2
    with pytest.raises(endstop.CommandError, match="<stdin>:1:1: expected a value"):
        endstop.run(["nonsense"])
    with pytest.warns(UserWarning, match="<stdin>:1: unheard_of: not a member"):
        assert len(endstop.run([{**GOOD, "unheard_of": 1}])) == 1
    for wrong, fault in [
        ("{}", TypeError), (b"{}", TypeError), (GOOD, TypeError), (5, TypeError), ([5], TypeError),
        (["{\n}"], ValueError), ([{**GOOD, "steps": [[{"id": float("nan")}]]}], ValueError),
    ]:  # fmt: skip
        with pytest.raises(fault):
            endstop.run(wrong)
    assert endstop.run([]) == endstop.judge(["", "\n"]) == []


def test_much_goes_in_and_out():
    """More than any pipe holds: in, out, and of messages."""
    many = 5000
    assert len(endstop.judge([json.dumps(recording()) + "\n"] * many)) == many
    with pytest.raises(endstop.CommandError, match="lines more") as fault:
        endstop.run(["nonsense"] * many)
    assert len(fault.value.message) < 5000


# ---- What the binding is written to


def compiled(folder, name, text, *options):
    (folder / f"{name}.c").write_text(text)
    subprocess.run(["gcc", "-I", str(LIB), *options, "-o", str(folder / name), str(folder / f"{name}.c")], check=True)
    return folder / name


def test_the_types_lie_as_the_header_says(tmp_path):
    types = {
        "es_stream_stop": endstop._Stop, "es_stream_ids": endstop._Ids, "es_stream_bounds": endstop._Bounds,
        "es_stream_request": endstop._Request, "es_stream_refusal": endstop._Refusal, "es_stream_event": endstop._Event,
        "es_stream_end": endstop._End,
    }  # fmt: skip
    places = [(t, name) for t, structure in types.items() for name, *_ in structure._fields_]
    constants = "ES_OK ES_ENDED ES_FULL ES_MISUSE ES_SENT ES_SEND_LATER ES_CLIENT_GONE ES_STREAM_EACH_STEPS"
    constants += " ES_STREAM_EACH_BYTES ES_STREAM_EACH_TOKENS ES_STREAM_EACH_MS"
    asked = [f"sizeof({t})" for t in types] + [f"offsetof({t}, {name})" for t, name in places] + constants.split()
    asked += ["ES_STREAM_NONE", "ES_NO_ID", "((es_stream_request)ES_STREAM_REQUEST).window"]
    program = "".join(f'printf("%lld\\n", (long long)({a}));\n' for a in asked) + "puts(ES_VERSION);"
    text = f'#include <stdio.h>\n#include "endstop.h"\nint main(void) {{ {program} }}\n'
    layout = compiled(tmp_path, "layout", text)
    said = subprocess.run([layout], capture_output=True, text=True, check=True).stdout.split()
    wanted = [ctypes.sizeof(structure) for structure in types.values()]
    wanted += [getattr(types[t], name).offset for t, name in places]
    wanted += [endstop.OK, endstop.ENDED, endstop.FULL, endstop.MISUSE, *endstop.ANSWERS.values()]
    wanted += [endstop._FLUSH.index(kind) for kind in ("steps", "bytes", "tokens", "ms")]
    wanted += [endstop.NONE, endstop.NONE, endstop.WINDOW]
    assert dict(zip(asked, map(int, said))) == dict(zip(asked, wanted)) and said[-1] == endstop.VERSION
    header = (LIB / "endstop.h").read_text()
    assert set(re.findall(r"ES_API[^;]*?(es_\w+)\(", header)) == set(endstop._FUNCTIONS)


def python(code, *path, **environment):
    """What a fresh interpreter prints that imports the binding from `path`: (standard output, standard error)."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ENDSTOP_")}
    clean.update(environment, PYTHONPATH=os.path.join(*map(str, path)), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([sys.executable, "-c", "import endstop\n" + code], capture_output=True, text=True, env=clean)
    return done.stdout.strip(), done.stderr.strip()


def test_in_an_installed_prefix(tmp_path):
    for folder in ("share/endstop/python", "lib", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    where = tmp_path / "share/endstop/python"
    shutil.copy(LIB / "endstop.py", where)
    stream = "s = endstop.Stream({}); s.feed(b'a'); print(s.step(), endstop._library()._name)"
    command = "print(endstop.run([]), endstop._command())"
    out, said = python(stream, where)
    if not ctypes.util.find_library("endstop"):
        assert out == "" and "OSError: libendstop: expected it in one of these places" in said
        assert f"{tmp_path}/lib/libendstop.so.0: no such file" in said and f"{where}/libendstop.so.0" in said
    out, said = python(command, where, PATH="")
    assert out == "" and "FileNotFoundError" in said and f"{tmp_path}/bin/endstop" in said
    shutil.copy(BUILD / "libendstop.so", tmp_path / "lib/libendstop.so.0")
    shutil.copy(BUILD / "endstop", tmp_path / "bin/endstop")
    assert python(stream, where) == (f"a {tmp_path}/lib/libendstop.so.0", "")
    assert python(command, where) == (f"[] {tmp_path}/bin/endstop", "")
    given = {"ENDSTOP_LIBRARY": str(BUILD / "libendstop.so"), "ENDSTOP_COMMAND": str(BUILD / "endstop")}
    assert python(stream, where, **given) == (f"a {BUILD}/libendstop.so", "")
    assert python(command, where, **given) == (f"[] {BUILD}/endstop", "")


def test_a_library_of_another_version(tmp_path):
    other = compiled(tmp_path, "old.so", 'const char *es_version(void) { return "0.2.9"; }\n', "-shared", "-fPIC")
    said = python("endstop.check({})", LIB, ENDSTOP_LIBRARY=str(other))[1]
    assert "OSError: libendstop" in said and f"{other}: " in said and "found another library" in said
    functions = "".join(f"void {name}(void) {{}}\n" for name in endstop._FUNCTIONS if name != "es_version")
    text = functions + 'const char *es_version(void) { return "0.2.9"; }\n'
    other = compiled(tmp_path, "older.so", text, "-shared", "-fPIC")
    said = python("endstop.check({})", LIB, ENDSTOP_LIBRARY=str(other))[1]
    assert f"{other}: expected version {endstop.VERSION} of libendstop, found 0.2.9" in said
    said = python("endstop.check({})", LIB, ENDSTOP_LIBRARY=str(tmp_path / "none.so"))[1]
    assert f"{tmp_path}/none.so: no such file" in said and "build/libendstop" not in said


def test_the_example_of_the_docstring():
    assert doctest.testmod(endstop)[0] == 0 and doctest.testmod(endstop)[1] >= 8


def test_the_oldest_python():
    """Python 3.9 reads it, and it needs the standard library only."""
    tree = ast.parse((LIB / "endstop.py").read_text(encoding="utf-8"), feature_version=(3, 9))
    names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    if hasattr(sys, "stdlib_module_names"):
        assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
