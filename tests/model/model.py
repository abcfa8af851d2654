#!/usr/bin/env python3
"""A second opinion on spec/rules.md, by brute force: case lines on standard input, result lines on standard output.

Written from the rules and formats alone, to be read next to them. It keeps no state that could be got wrong:
after each token it looks at the whole text again, and tries every suffix against every stop. What it has to say
about which rule was at work goes to `notes`, which generate.py --coverage reads.
"""

import json
import sys
from typing import NamedTuple

import vocab
from request import LARGEST, Refused, check, json_object
from utf8 import INCOMPLETE, crc32c, decode, pieces

notes = set()
note = notes.add

REASONS = {
    "stop_string": "stop", "stop_token": "stop", "stop_sequence": "stop", "eos": "stop",
    "max_tokens": "length", "max_context": "length", "repetition": "repetition",
    "abort": "abort", "disconnect": "abort", "deadline": "timeout", "open": None,
}  # fmt: skip


class End(NamedTuple):
    """Why and where a lane ended: `cut` in bytes of R; `why` is the stop_reason, `index` the stop_index."""

    cause: str
    cut: int
    why: object = None
    index: object = None


class Lane:
    """The text and the tokens taken so far."""

    def __init__(self, request, prompt_tokens):
        self.request = request
        self.prompt_tokens = prompt_tokens
        self.raw = b""  # R
        self.ids = []
        self.starts = []  # where in R the bytes of each token begin
        self.live = [s.text for s in request["stop"] if is_live(s, request["stop"], request["min_tokens"])]


def is_live(a, stops, min_tokens):
    """R10: whether stop `a` can ever end the lane."""
    if min_tokens > 0:
        return True
    for b in stops:
        if b.index == a.index:
            continue
        if b.text in a.text[:-1]:
            note("R10 not live: another occurs in it")
            return False
        if b.text != a.text and a.text.endswith(b.text) and b.priority > a.priority:
            note("R10 not live: a suffix of higher priority")
            return False
        if b.text == a.text and (b.priority > a.priority or b.priority == a.priority and b.index < a.index):
            note("R10 not live: the same text")
            return False
    return True


def best_stop(lane, p):
    """R2, R3: of the stops that are a suffix of R[0,p) the one that wins, or None."""
    text = lane.raw[:p]
    complete = [s for s in lane.request["stop"] if text.endswith(s.text)]
    if not complete:
        return None
    best = min(complete, key=lambda s: (-s.priority, -len(s.text), s.index))
    for other in complete:
        if other is not best:
            same, longer = other.priority == best.priority, len(best.text) > len(other.text)
            note("R3 by " + ("priority" if not same else "length" if longer else "index"))
    return best


def take(lane, token):
    """Takes one token. The end that it brings (R2 to R7), or None."""
    request = lane.request
    include = request["include_stop_str_in_output"]
    hidden = token.get("special") and request["skip_special_tokens"]
    visible = b"" if hidden else token_bytes(token)
    token_id = token["id"]
    lane.ids.append(token_id)
    lane.starts.append(len(lane.raw))
    counts = len(lane.ids) > request["min_tokens"]

    is_eos = token_id in request["eos_token_ids"] and not request["ignore_eos"]
    is_stop = token_id in request["stop_token_ids"] or [token_id] in request["stop_token_sequences"]
    if (is_eos or is_stop) and not counts:
        note("R6 token passed over")
    elif is_eos or is_stop:
        if include:
            lane.raw += visible
        note("R5 its text is " + ("in" if include and visible else "out"))
        return End("eos", len(lane.raw)) if is_eos else End("stop_token", len(lane.raw), token_id)

    lane.raw += visible
    for p in range(lane.starts[-1] + 1, len(lane.raw) + 1):
        best = best_stop(lane, p)
        if best and counts:
            note("R4 rest of the token dropped" if p < len(lane.raw) else "R4 at the end of the token")
            return End("stop_string", p if include else p - len(best.text), best.text.decode("utf-8"), best.index)
        if best:
            note("R6 string passed over")

    complete = [
        (-len(s), index, s)
        for index, s in enumerate(request["stop_token_sequences"])
        if len(s) >= 2 and lane.ids[-len(s) :] == s
    ]
    if complete and counts:
        if len(complete) > 1:
            note("R5 several sequences")
        _, index, sequence = min(complete)
        start = lane.starts[-len(sequence)]
        return End("stop_sequence", len(lane.raw) if include else start, sequence, index)
    if complete:
        note("R6 sequence passed over")

    taken = len(lane.ids)
    if request["max_tokens"] is not None and taken >= request["max_tokens"]:
        return End("max_tokens", len(lane.raw))
    if request["max_context"] is not None and taken + lane.prompt_tokens >= request["max_context"]:
        return End("max_context", len(lane.raw))
    if request["repetition"] and repeats(lane.ids, *request["repetition"]):
        return End("repetition", len(lane.raw))
    return None


def token_bytes(token):
    """The bytes of a token, shown or not."""
    if token.get("text") is not None:
        return token["text"].encode("utf-8")
    return bytes.fromhex(token.get("hex") or "")


def repeats(ids, max_period, min_repeats):
    """R7: whether the last q·min_repeats ids have period q, for some q."""
    for q in range(1, max_period + 1):
        if q * min_repeats > len(ids):
            break
        last = ids[len(ids) - q * min_repeats :]
        if last[q:] == last[:-q]:
            note("R7 period above 1" if q > 1 else "R7 period 1")
            return True
    return False


def held(lane):
    """R10: how many bytes at the end of R are held, by strings or by sequences."""
    if lane.request["include_stop_str_in_output"]:
        return 0
    by_string = 0
    longest = max((len(text) for text in lane.live), default=0)
    for length in range(1, min(longest, len(lane.raw) + 1)):  # a longer suffix is no proper prefix of any
        suffix = lane.raw[-length:]
        if any(len(text) > length and text.startswith(suffix) for text in lane.live):
            by_string = length
    by_sequence = 0
    for length in range(1, len(lane.ids) + 1):
        suffix = lane.ids[-length:]
        if any(len(s) > length and s[:length] == suffix for s in lane.request["stop_token_sequences"]):
            by_sequence = len(lane.raw) - lane.starts[-length]
    if by_string and by_sequence:
        note("R10 held by both")
    elif by_string or by_sequence:
        note("R10 held by a string" if by_string else "R10 held by a sequence")
    return max(by_string, by_sequence)


def may_be_shown(lane):
    """R10: how many bytes of R may be shown while the lane is open."""
    limit = len(lane.raw) - held(lane)
    shown = 0
    for start, end, kind in pieces(lane.raw):
        if kind == INCOMPLETE:
            note("R10 incomplete character held")
        elif end <= limit:
            shown = end
        elif start < limit:
            note("R10 hold begins inside a character")
    return shown


def at_boundary(case, k, lane, natural, allowed_before):
    """R9, R16: what ends the lane at boundary k, if anything does. `natural` is the end that step k brought."""
    external = case.get("external_end")
    if external and external["after_step"] == k:
        cut = min(max(external["cut"], allowed_before), len(lane.raw))
        if cut > external["cut"]:
            note("R16 raised")
        if cut < external["cut"]:
            note("R16 lowered")
        if natural is None or cut < natural.cut:
            note("R16 alone" if natural is None else "R16 before a natural end")
            return End("external", cut, external["reason"])
        note("R16 at the natural cut" if cut == natural.cut else "R16 behind a natural end")
    if natural:
        return natural
    if case.get("abort_after_step") == k:
        return End("abort", len(lane.raw))
    if lane.request["deadline_steps"] == k:
        return End("deadline", len(lane.raw))
    return None


class Sending:
    """R11, R12: what was sent, and when the rest is due."""

    def __init__(self, policy, answers):
        self.kind, self.n = policy
        self.answers = list(answers or [])
        self.sent = 0  # bytes of R
        self.tokens_at_send = 0
        self.put_off = False  # the last offer was answered `later`
        self.deltas = []
        self.gone = False

    def is_due(self, k, allowed, tokens):
        """Whether the text that may be shown after step k is offered."""
        if self.put_off:
            note("R11 offered again")
            return True
        if self.kind == "steps":
            due = k % self.n == 0
        elif self.kind == "bytes":
            due = allowed - self.sent >= self.n
        else:
            due = tokens - self.tokens_at_send >= self.n
        if not due and allowed > self.sent:
            note("R11 waits: " + self.kind)
        return due

    def offer(self, raw, tokens):
        """Offers what is left of `raw`. Returns the text if it was sent, else the empty text."""
        text = decode(raw[self.sent :])
        if not text:
            self.put_off = False
            return ""
        answer = self.answers.pop(0) if self.answers else "ok"
        self.gone = answer == "gone"
        self.put_off = answer == "later"
        if answer != "ok":
            return ""
        self.sent = len(raw)
        self.tokens_at_send = tokens
        return text

    def step(self, k, raw, allowed, tokens):
        """The delta of a step that leaves the lane open."""
        self.deltas.append(self.offer(raw[:allowed], tokens) if self.is_due(k, allowed, tokens) else "")

    def last_step(self, raw, tokens):
        """The delta of the step that ended the lane: everything up to the cut, until the sink takes it or is gone."""
        text = self.offer(raw, tokens)
        while self.put_off:
            note("R12 put off at the end")
            text = self.offer(raw, tokens)
        if self.gone:
            note("R12 gone at the end")
        self.deltas.append(text)


def run_lane(case, request):
    """The whole of one generation: its end, its lane and what was sent."""
    lane = Lane(request, case.get("prompt_tokens") or 0)
    sending = Sending(request["flush"], case.get("sink"))
    if request["max_tokens"] == 0:
        return End("max_tokens", 0), lane, sending
    if request["max_context"] is not None and lane.prompt_tokens >= request["max_context"]:
        return End("max_context", 0), lane, sending
    end = at_boundary(case, 0, lane, None, 0)
    if end:
        note("R9 at boundary 0: " + end.cause)
        return end, lane, sending
    allowed = 0
    for k, step in enumerate(case["steps"], 1):
        natural = None
        for token in step:
            if natural:
                note("R8 token not taken")
                break
            natural = take(lane, token)
        end = at_boundary(case, k, lane, natural, allowed)
        if end:
            if pieces(lane.raw[: end.cut])[-1:] and pieces(lane.raw[: end.cut])[-1][2] == INCOMPLETE:
                note("R12 incomplete character at the cut: " + end.cause)
            sending.last_step(lane.raw[: end.cut], len(lane.ids))
            return end, lane, sending
        allowed = may_be_shown(lane)
        sending.step(k, lane.raw, allowed, len(lane.ids))
        if sending.gone:
            return End("disconnect", sending.sent), lane, sending
    return End("open", sending.sent), lane, sending


def spelled_out(steps, vocabulary, skip_special):
    """The steps with the bytes of every token; the first that is shown without the space that the vocabulary drops
    there (R1), unless the case itself gives its bytes."""
    first, result = True, []
    for step in steps:
        result.append([])
        for token in step:
            raw, special = vocabulary.tokens.get(token["id"], (token_bytes(token), token.get("special") or False))
            if raw and not (special and skip_special):
                by_id = token.get("text") is None and token.get("hex") is None
                if first and by_id and vocabulary.drops_space and raw.startswith(b" "):
                    note("R1 leading space dropped")
                    raw = raw[1:]
                first = False
            result[-1].append({"id": token["id"], "hex": raw.hex(), "special": special})
    return result


def run_case(case):
    """The result of a case, as in spec/formats.md."""
    vocabulary = None if case.get("vocab") is None else vocab.load(case["vocab"])
    try:
        highest = LARGEST if vocabulary is None or vocabulary.limit is None else vocabulary.limit - 1
        request = check({} if case.get("request") is None else case["request"], highest)
    except Refused as refused:
        return {
            "case": case["case"], "deltas": [], "text": "", "finish_reason": "error", "cause": "invalid_request",
            "stop_reason": None, "tokens": 0, "token_ids": [], "param": refused.param,
        }  # fmt: skip
    if request["flush"][0] == "ms":
        return {"case": case["case"], "unsupported": "flush.ms needs times, and a case has none"}
    if vocabulary is not None:
        case = {**case, "steps": spelled_out(case["steps"], vocabulary, request["skip_special_tokens"])}
    end, lane, sending = run_lane(case, request)
    text = "".join(sending.deltas)
    result = {
        "case": case["case"],
        "deltas": sending.deltas,
        "text": text,
        "finish_reason": end.why if end.cause == "external" else REASONS[end.cause],
        "cause": end.cause,
        "stop_reason": end.why,
        "tokens": len(lane.ids),
        "token_ids": lane.ids,
        "terminals": 0 if end.cause == "open" or sending.gone else 1,
    }
    if end.index is not None:
        result["stop_index"] = end.index
    if result["terminals"]:
        sent = text.encode("utf-8")
        result["terminal"] = {"bytes": len(sent), "crc32c": f"{crc32c(sent):08x}"}
    return result


def read_case(line):
    """A case from the bytes of its line. Bytes that are no UTF-8 become lone surrogates, and are treated as such."""
    case = json.loads(line.decode("utf-8", "surrogateescape"), object_pairs_hook=json_object)
    if not isinstance(case.get("request", {}), (dict, type(None))):
        raise ValueError("request: expected an object")
    return case


def main():
    """Answers each line before it reads the next."""
    for line in sys.stdin.buffer:
        if line.strip():
            print(json.dumps(run_case(read_case(line)), separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
