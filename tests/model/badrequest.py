"""Requests with faults: every kind that R13 names, one or several at once, and the borders that are still allowed."""

import json

LARGEST = 2**31 - 1
LISTS = ["stop_token_ids", "eos_token_ids"]
NUMBERS = ["min_tokens", "max_tokens", "max_context", "deadline_steps"]
FLAGS = ["ignore_eos", "include_stop_str_in_output", "skip_special_tokens"]


class Raw(str):
    """JSON text that is written as it stands: what json.dumps would not write."""


class Pairs(list):
    """An object as a list of (name, value), so that a name can occur twice."""


def dump(value):
    """JSON text of a value that may hold Raw and Pairs."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, (Pairs, dict)):
        pairs = value if isinstance(value, Pairs) else value.items()
        return "{" + ",".join(json.dumps(name) + ":" + dump(item) for name, item in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return json.dumps(value)


def wrong_number(rng, low=0, high=LARGEST):
    """Something that is no whole number of the range, written as one."""
    return rng.choice([
        low - 1, -1 if low >= 0 else low - 7, -LARGEST - 1, high + 1, 2**32, 2**32 + low, 2**63, 2**64 + low, 10**30,
        Raw(f"{max(low, 1)}.0"), Raw(f"{max(low, 1)}e0"), Raw("1E3"), Raw("2.5"), Raw("1e999"), Raw("-1.0"),
        Raw("1.0e-0"), True, False, "3", [], [3], {}, "",
    ])  # fmt: skip


def unreadable(rng):
    """What is a fault even where nobody asks for it."""
    return rng.choice([
        Raw('"\\ud800"'), Raw('"\udcff"'), Raw("1e999"), 2**64, -(2**63) - 1, Pairs([("a", 1), ("a", 1)]),
        {"b": [10**30]},
    ])  # fmt: skip


def wrong_stop(rng):
    """A stop that is none."""
    text = rng.choice(["a", "é", "stop"])
    return rng.choice([
        lambda: "",
        lambda: Raw('"a\\ud800"'),
        lambda: Raw('"\\udc00\\ud800b"'),
        lambda: Raw('"\\ud83d\\ud83d\\ude0a"'),
        lambda: Raw('"a\udcff"'),  # the byte FF as it stands
        lambda: Raw('"\udced\udca0\udc80"'),  # a surrogate written in bytes
        lambda: Raw('"\udcc1\udc80"'),
        lambda: "a" * 1025,
        lambda: "é" * 512 + "a",
        lambda: rng.choice([1, True, [], ["a"], {}, 2.5]),
        lambda: {"text": ""},
        lambda: {"priority": 1},
        lambda: {"text": None, "priority": 1},
        lambda: {"text": rng.choice([1, ["a"], {}, True])},
        lambda: {"text": text, "priority": wrong_number(rng, -128, 127)},
        lambda: {"text": Raw('"\\udfff"'), "priority": 3},
        lambda: {"text": text, "unheard_of": unreadable(rng)},
        lambda: Pairs([("text", text), ("text", "b")]),
        lambda: Pairs([("priority", 1), ("text", text), ("priority", 1)]),
    ])()  # fmt: skip


def bad_stop(rng, request):
    """A fault in `stop`."""
    request["stop"] = rng.choice([
        lambda: rng.choice([1, True, 2.5, Raw("1e2")]),
        lambda: wrong_stop(rng) if rng.random() < 0.5 else "",
        *[lambda: some_good(rng, "b", 3) + [wrong_stop(rng)] + some_good(rng, "c", 2)] * 3,
        lambda: [wrong_stop(rng), wrong_stop(rng)],
        lambda: [f"s{i}" for i in range(65)],
        lambda: [""] * 65,
        lambda: ["x" * 1000 + str(i) for i in range(17)],
        lambda: ["x" * 1024] * 16 + ["y"],
        lambda: ["x" * 1024] * 16 + ["y", ""],
    ])()  # fmt: skip


def bad_ids(rng, request):
    """A fault in a list of ids."""
    request[rng.choice(LISTS)] = rng.choice([
        lambda: rng.choice([7, "7", {}, True, Raw("7.0")]),
        *[lambda: [1001] * rng.randrange(3) + [wrong_number(rng)]] * 3,
        lambda: [1001] * rng.randint(1, 2) + [wrong_number(rng), 3, wrong_number(rng)],
        lambda: [wrong_number(rng), None, wrong_number(rng)],
        lambda: list(range(1000, 1257)),
        lambda: [-1] * 257,
    ])()  # fmt: skip


def bad_sequences(rng, request):
    """A fault in the sequences."""
    request["stop_token_sequences"] = rng.choice([
        lambda: rng.choice([7, "7", {}, True]),
        lambda: [[1001, 1002]] * rng.randrange(2) + [rng.choice([[], 7, "x", {}, True, [1, [2]]])],
        lambda: [[1001, 1002]] * rng.randrange(2) + [[wrong_number(rng)]],
        lambda: [[1001, wrong_number(rng)], []],
        lambda: [[1001, 1002], list(range(17))],
        lambda: [[1001, 1002]] * 65,
        lambda: [[]] * 65,
    ])()  # fmt: skip


def bad_number(rng, request):
    """A number that is none."""
    request[rng.choice(NUMBERS)] = wrong_number(rng)


def bad_flag(rng, request):
    """A flag that is neither true nor false."""
    request[rng.choice(FLAGS)] = rng.choice([0, 1, "true", "", [], {}, Raw("1.0")])


def bad_repetition(rng, request):
    """A fault in `repetition`."""
    request["repetition"] = rng.choice([
        lambda: rng.choice([7, "7", [], [4, 2], True]),
        lambda: {},
        lambda: {"max_period": rng.choice([4, None])},
        lambda: {"min_repeats": rng.choice([2, None])},
        lambda: {"max_period": None, "min_repeats": 2},
        lambda: {"max_period": 0, "min_repeats": rng.choice([0, 2])},
        lambda: {"min_repeats": rng.choice([0, 1]), "max_period": rng.choice([0, 1])},
        lambda: {"max_period": wrong_number(rng, 1), "min_repeats": 2},
        *[lambda: {"max_period": 3, "min_repeats": wrong_number(rng, 2)}] * 2,
        lambda: {"max_period": 64, "min_repeats": 65},
        lambda: {"max_period": 2, "min_repeats": rng.choice([2, 1]), "unheard_of": unreadable(rng)},
        lambda: {"max_period": LARGEST, "min_repeats": LARGEST},
        lambda: {"max_period": 2**16, "min_repeats": 2**16},
    ])()  # fmt: skip


def bad_flush(rng, request):
    """A fault in `flush`."""
    kind = rng.choice(["steps", "bytes", "tokens", "ms"])
    request["flush"] = rng.choice([
        lambda: rng.choice([7, "steps", [], True]),
        lambda: {},
        lambda: {kind: 0},
        *[lambda: {kind: wrong_number(rng, 1)}] * 5,
        lambda: {"steps": 1, "bytes": 1},
        lambda: {"tokens": 1, "ms": 0},
        lambda: {"lines": 1},
        lambda: {kind: 1, "lines": 1},
        lambda: Pairs([(kind, 1), (kind, 1)]),
        lambda: {kind: None},
    ])()  # fmt: skip


def min_above_max(rng, request):
    """More tokens asked for than allowed."""
    most = rng.randrange(3)
    request.update(max_tokens=most, min_tokens=most + rng.choice([1, 2, 1000]))


def bad_unknown(rng, request):
    """A member that nobody asks for, and that cannot be read."""
    request["unheard_of"] = unreadable(rng)


def twice(rng, request):
    """A member of the request twice."""
    for name in rng.sample(NUMBERS + FLAGS + LISTS + ["stop", "unheard_of"], rng.randint(1, 2)):
        value = request.get(name)
        request["twice"] = request.get("twice", []) + [(name, value), (name, value)]
        request.pop(name, None)


def some_good(rng, letter, most):
    """A few stops that nothing is wrong with and that nothing completes."""
    return [letter * 40 + str(i) for i in range(rng.randrange(most + 1))]


KINDS = [
    bad_stop, bad_stop, bad_ids, bad_sequences, bad_number, bad_flag, bad_repetition, bad_flush, bad_flush,
    min_above_max, bad_unknown, twice,
]  # fmt: skip


def spoil(rng, request):
    """Puts one to three faults into a request. Returns the request to be written instead."""
    for bad in rng.sample(KINDS, rng.choice([1, 1, 1, 2, 3])):
        bad(rng, request)
    pairs = list(request.items())
    if "twice" in request:
        pairs = [pair for pair in pairs if pair[0] != "twice"] + request["twice"]
        pairs = [(name, 1 if value is None else value) for name, value in pairs]
    rng.shuffle(pairs)
    return Pairs(pairs)


def at_the_border(rng, request):
    """Puts in something that is just allowed."""
    rng.choice([
        lambda: request.update(stop=["y" + "x" * 1023] * 16),
        lambda: request.update(stop=[f"s{i:02}" for i in range(64)]),
        lambda: request.update(stop={"text": "é" * 512, "priority": rng.choice([-128, 127])}),
        lambda: request.update(stop_token_ids=list(range(2000, 2256))),
        lambda: request.update(stop_token_sequences=[list(range(16))] * 64),
        lambda: request.update(eos_token_ids=[LARGEST, 0]),
        lambda: request.update(repetition={"max_period": 64, "min_repeats": 64}),
        lambda: request.update(repetition={"max_period": 1, "min_repeats": 2}),
        lambda: request.update(max_tokens=LARGEST, max_context=LARGEST, deadline_steps=LARGEST),
        lambda: request.update(dict.fromkeys(NUMBERS + FLAGS + LISTS + ["stop", "repetition", "flush"])),
        lambda: request.update(stop=[], stop_token_ids=[], stop_token_sequences=[], eos_token_ids=[]),
        lambda: request.update(unheard_of=[1.5, {"a": None}], flush={rng.choice(["steps", "bytes"]): LARGEST}),
        lambda: request.update(flush={"ms": 5}),
        lambda: request.update(stop=[Raw('"\\ud83d\\ude0a"'), Raw('"\\u0000"'), Raw('"\\/\\b"')]),
    ])()  # fmt: skip
