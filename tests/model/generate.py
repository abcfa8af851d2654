#!/usr/bin/env python3
"""Random cases for the comparison: small alphabets, so that stops overlap, nest and meet.

    generate.py --seed S [--cases N]              prints N case lines
    generate.py --seed S [--cases N] --coverage   says how often each branch of the rules was at work; fails if one was not
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter

import model
import vocab
from badrequest import Raw, at_the_border, dump, spoil

LARGEST = 2**31 - 1
ALPHABETS = [
    "a", "ab", "ab", "abc", "xy ", "éè", "aé", "好奟", "a€", "😊😋", "a😊👋", "aé€😊", "é\u0000", "\ufffda", '"\\\n',
]  # fmt: skip
SPACED = [" a", " é", " ", "  x"]  # for vocabularies that drop a leading space
# Bytes that begin, continue or break characters in every row of table 3-7.
TELLING = bytes.fromhex("41 61 80 82 8a 8f 90 98 9f a0 a9 ac bf c0 c2 c3 e0 e2 e5 ed ef f0 f4 f5 ff")
# Whole pieces at the borders of its rows: surrogates, too long forms, the last characters and what comes after them.
BORDERS = [
    bytes.fromhex(h)
    for h in ["eda080", "edbfbf", "ed9fbf", "ee8080", "e08080", "e09fbf", "e0a080", "f08080", "f08fbfbf", "f0908080",
              "f48fbfbf", "f4908080", "f5808080", "c080", "c1bf", "c280", "dfbf", "ed", "eda0", "f0", "f090", "e282"]
]  # fmt: skip


def chance(rng, share):
    """True in this share of all calls."""
    return rng.random() < share


def some_text(rng, alphabet, most):
    """One to `most` characters."""
    return "".join(rng.choices(alphabet, k=rng.randint(1, most)))


def wild_bytes(rng):
    """Bytes that are mostly no characters."""
    return rng.choice(BORDERS) if chance(rng, 0.5) else bytes(rng.choices(TELLING, k=rng.randint(1, 3)))


def make_vocabulary(rng, alphabet, special=0.12):
    """A few ids with their bytes: characters whole and cut, bytes that are none, empty ones, special ones."""
    vocabulary = []
    ids = rng.sample(range(8), rng.randint(1, 7))
    if chance(rng, 0.1):
        ids = [i + rng.choice([0, 50000, LARGEST - 8]) for i in ids]
    cut = rng.random() * 0.8
    wild = rng.choice([0, 0, 0.1, 0.4])
    for token_id in ids:
        raw = some_text(rng, alphabet, 3).encode("utf-8")
        if chance(rng, cut):
            start = rng.randrange(len(raw))
            raw = raw[start : rng.randint(start + 1, len(raw))]
        if chance(rng, wild):
            raw = wild_bytes(rng)
        if chance(rng, 0.06):
            raw = b""
        vocabulary.append(make_token(rng, token_id, raw, chance(rng, special)))
    return vocabulary


def make_token(rng, token_id, raw, special):
    """A token as it is written in a case."""
    token = {"id": token_id}
    try:
        if chance(rng, 0.15):
            token["hex"] = raw.hex()
        elif raw or chance(rng, 0.5):
            token["text"] = raw.decode("utf-8")
    except UnicodeDecodeError:
        token["hex"] = raw.hex()
    if special or chance(rng, 0.02):
        token["special"] = special
    return token


def cut_text(rng, alphabet):
    """A text with its own tokens, cut anywhere: the characters are whole only across tokens."""
    raw = some_text(rng, alphabet, 12).encode("utf-8")
    if chance(rng, 0.2):
        at = rng.randint(0, len(raw))
        raw = raw[:at] + wild_bytes(rng) + raw[at:]
    cuts = sorted(rng.sample(range(1, len(raw)), rng.randint(0, min(9, len(raw) - 1)))) if len(raw) > 1 else []
    parts = [raw[a:b] for a, b in zip([0] + cuts, cuts + [len(raw)])]
    known = {part: make_token(rng, i, part, chance(rng, 0.03)) for i, part in enumerate(dict.fromkeys(parts))}
    return list(known.values()), [known[part] for part in parts]


def make_stops(rng, alphabet, taken):
    """Stops that are parts of the text to come, or parts and extensions of one another."""
    text = b"".join(model.token_bytes(t) for t in taken).decode("utf-8", "ignore")
    stops = []
    for _ in range(rng.choice([0, 1, 1, 2, 3, 4])):
        stop = some_text(rng, alphabet, rng.choice([2, 3, 5]))
        if text and chance(rng, 0.4):
            start = rng.randrange(len(text))
            stop = text[start : start + rng.randint(1, 5)]
        if stops and chance(rng, 0.4):
            other = rng.choice(stops)
            stop = rng.choice([other, other + stop, stop + other, other[1:] or other, other[:-1] or other])
        stops.append(stop)
    if chance(rng, 0.35):
        stops = [{"text": s, "priority": rng.choice([-1, 0, 0, 1, 2])} if chance(rng, 0.6) else s for s in stops]
    return stops[0] if len(stops) == 1 and chance(rng, 0.3) else stops


def make_sequences(rng, taken, ids):
    """Sequences out of the ids to come, out of ids in any order, and extensions of one another."""
    result = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        sequence = rng.choices(ids, k=rng.choice([1, 2, 2, 3, 4]))
        if taken and chance(rng, 0.6):
            start = rng.randrange(len(taken))
            sequence = [t["id"] for t in taken[start : start + rng.randint(2, 4)]]
        if result and chance(rng, 0.4):
            other = rng.choice(result)
            sequence = rng.choice([other, (other + sequence)[:16], (sequence + other)[:16], other[1:] or other])
        result.append(sequence)
    return result


def make_request(rng, alphabet, vocabulary, taken):
    """A request that can be asked."""
    ids = [t["id"] for t in vocabulary]
    count = len(taken)
    request = {}
    if chance(rng, 0.75):
        request["stop"] = make_stops(rng, alphabet, taken)
    if chance(rng, 0.12):
        request["stop_token_ids"] = rng.choices(ids + [77], k=rng.randint(1, 2))
    if chance(rng, 0.25):
        request["stop_token_sequences"] = make_sequences(rng, taken, ids)
    if chance(rng, 0.15):
        request["eos_token_ids"] = rng.choices(ids + [78], k=rng.randint(1, 2))
        if chance(rng, 0.4):
            request["ignore_eos"] = chance(rng, 0.7)
    if chance(rng, 0.25):
        request["include_stop_str_in_output"] = chance(rng, 0.8)
    if chance(rng, 0.25):
        request["skip_special_tokens"] = chance(rng, 0.2)
    if chance(rng, 0.3):
        request["min_tokens"] = rng.randint(0, count)
    if chance(rng, 0.25):
        request["max_tokens"] = rng.randint(request.get("min_tokens", 0), count + 2)
    if chance(rng, 0.15):
        request["max_context"] = rng.randint(0, count + 4)
    if chance(rng, 0.12):
        request["deadline_steps"] = rng.randint(0, 7)
    if chance(rng, 0.15):
        request["repetition"] = {"max_period": rng.randint(1, 4), "min_repeats": rng.choice([2, 2, 3, 4])}
    if chance(rng, 0.5):
        request["flush"] = {rng.choice(["steps", "bytes", "tokens"]): rng.randint(1, 5)}
    return request


def make_steps(rng, taken):
    """The tokens as steps of none, one or several."""
    steps = []
    together = rng.choice([1, 1, 1, 2, 4])
    empty = rng.choice([0, 0, 0.2])
    while taken:
        n = 0 if chance(rng, empty) else rng.randint(1, together)
        steps.append(taken[:n])
        taken = taken[n:]
    return steps


def give_vocabulary(rng, case, vocabulary, folder):
    """Leaves the bytes of most tokens to a file. Tokens that a rank file leaves out keep theirs."""
    tokens = [(t["id"], model.token_bytes(t), t.get("special") or False) for t in vocabulary]
    path = vocab.write(rng, folder, case["case"], tokens)
    if path is None:
        return
    case["vocab"] = path
    known = vocab.load(path).tokens
    alone = [{"id": t["id"]} if t["id"] in known and chance(rng, 0.75) else t for step in case["steps"] for t in step]
    case["steps"] = [[alone.pop(0) for _ in step] for step in case["steps"]]
    model.note("R1 ids alone")


def make_case(rng, name, folder=None, share=0.08):
    """A case as an object; most can be asked, a few per cent are refused or at the border of that. With a folder for
    their vocabularies, this share of the cases gives ids alone."""
    named = folder is not None and chance(rng, share)
    alphabet = rng.choice(SPACED if named and chance(rng, 0.6) else ALPHABETS)
    if chance(rng, 0.4):
        vocabulary, taken = cut_text(rng, alphabet)
    else:
        vocabulary = make_vocabulary(rng, alphabet, 0.4 if named else 0.12)
        taken = rng.choices(vocabulary, k=rng.randint(0, 10) if chance(rng, 0.97) else rng.randint(30, 60))
        if chance(rng, 0.1):  # over and over again, for the repetition guard
            taken = (taken[:1] + taken[: rng.randint(1, 3)] * rng.randint(2, 5))[rng.randrange(2) :]
    if named and chance(rng, 0.4):  # special tokens first, for the space that is dropped behind them
        taken = sorted(taken, key=lambda token: not token.get("special"))
    request = make_request(rng, alphabet, vocabulary, taken)
    case = {"case": name, "request": request}
    if chance(rng, 0.08):
        case["request"] = spoil(rng, request)
    elif chance(rng, 0.02):
        at_the_border(rng, request)
    if chance(rng, 0.2):
        case["prompt_tokens"] = rng.randint(0, 3)
    case["steps"] = make_steps(rng, taken)
    if chance(rng, 0.12):
        case["abort_after_step"] = rng.randint(0, len(case["steps"]) + 1)
    if chance(rng, 0.2):
        length = sum(len(model.token_bytes(t)) for t in taken)
        after = rng.randint(0, len(case["steps"]) + 1) if chance(rng, 0.6) else rng.randint(1, 3)
        cut = rng.choice([0, rng.randint(0, length + 2), rng.randint(0, length // 2)])
        reason = rng.choice(["tool_calls", "content_filter", "stop", "é"])
        case["external_end"] = {"after_step": after, "cut": cut, "reason": reason}
    if named:
        give_vocabulary(rng, case, vocabulary, folder)
    if chance(rng, 0.3):
        case["sink"] = rng.choices(["ok", "later", "gone"], weights=[3, 4, 1], k=rng.randint(0, 6))
    return case


def write_case(case, escape):
    """The line of a case, as bytes: with all escapes, or with characters as they are."""
    if isinstance(case["request"], dict) and not has_raw(case["request"]):
        return json.dumps(case, ensure_ascii=escape).encode("utf-8") + b"\n"
    return dump(case).encode("utf-8", "surrogateescape") + b"\n"


def has_raw(request):
    """Whether json.dumps would write the request otherwise than it is meant."""
    stops = request.get("stop")
    return isinstance(stops, list) and any(isinstance(s, Raw) for s in stops)


def make_lines(rng, first, count, folder=None, share=0.08):
    """(case, line) for `count` cases, numbered from `first`."""
    for i in range(first, first + count):
        case = make_case(rng, f"case-{i}", folder, share)
        yield case, write_case(case, chance(rng, 0.5))


# What must have been at work in a run of some thousand cases, as model.py notes it.
BRANCHES = [f"cause {c}" for c in [*model.REASONS, "external", "invalid_request"]] + [
    "unsupported", "R1 ids alone", "R1 leading space dropped", "R3 by priority", "R3 by length", "R3 by index", "R4 rest of the token dropped",
    "R4 at the end of the token", "R5 its text is in", "R5 its text is out", "R5 several sequences",
    "R6 token passed over", "R6 string passed over", "R6 sequence passed over", "R7 period 1", "R7 period above 1",
    "R8 token not taken", "R9 at boundary 0: abort", "R9 at boundary 0: deadline", "R9 at boundary 0: external",
    "R10 not live: another occurs in it", "R10 not live: a suffix of higher priority", "R10 not live: the same text",
    "R10 held by a string", "R10 held by a sequence", "R10 held by both", "R10 incomplete character held",
    "R10 hold begins inside a character", "R11 offered again", "R11 waits: steps", "R11 waits: bytes",
    "R11 waits: tokens", "R12 put off at the end", "R12 gone at the end", "R16 raised", "R16 lowered", "R16 alone",
    "R16 before a natural end", "R16 at the natural cut", "R16 behind a natural end",
] + [
    f"R12 incomplete character at the cut: {c}"
    for c in [
        "stop_sequence", "eos", "stop_token", "max_tokens", "max_context", "repetition", "abort", "deadline", "external",
    ]
] + [
    f"R13 {p}"
    for p in [
        "stop", "stop[0]", "stop[1]", "stop_token_ids", "stop_token_ids[0]", "stop_token_sequences",
        "stop_token_sequences[0]", "stop_token_sequences[1]", "eos_token_ids", "eos_token_ids[1]", "ignore_eos",
        "include_stop_str_in_output", "skip_special_tokens", "min_tokens", "max_tokens", "max_context",
        "deadline_steps", "repetition", "repetition.max_period", "repetition.min_repeats", "flush", "flush.steps",
        "flush.bytes", "flush.tokens", "flush.ms", "unheard_of",
    ]
]  # fmt: skip


def branches(result):
    """What was at work in the case whose result this is; to be called right after model.run_case."""
    found = set(model.notes)
    model.notes.clear()
    found.add("unsupported" if "unsupported" in result else f"cause {result['cause']}")
    if "param" in result:
        found.add(f"R13 {result['param']}")
    return found


def coverage(seed, count):
    """Prints how often each branch was at work. Returns those that never were."""
    rng = random.Random(seed)
    counts = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for _, line in make_lines(rng, 0, count, folder):
            counts.update(branches(model.run_case(model.read_case(line))))
    for branch in BRANCHES:
        print(f"{counts[branch]:8} {branch}")
    return [branch for branch in BRANCHES if not counts[branch]]


def main():
    """See the top of this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--cases", type=int, default=30000)
    parser.add_argument("--coverage", action="store_true")
    options = parser.parse_args()
    if not options.coverage:
        for _, line in make_lines(random.Random(options.seed), 0, options.cases):
            sys.stdout.buffer.write(line)
        return 0
    missing = coverage(options.seed, options.cases)
    for branch in missing:
        print(f"generate.py: {branch}: expected at least once in {options.cases} cases, found never", file=sys.stderr)
    print(f"{len(BRANCHES)} branches, {len(missing)} never at work in {options.cases} cases (seed {options.seed})")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
