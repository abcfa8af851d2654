"""The faults that judge_random.py plants in recordings, and the kinds of finding that each calls for."""

import json

REASONS = {
    "stop_string": "stop", "stop_token": "stop", "stop_sequence": "stop", "eos": "stop", "max_tokens": "length",
    "max_context": "length", "deadline": "timeout", "abort": "abort", "disconnect": "abort", "repetition": "repetition",
    "open": None,
}  # fmt: skip
BY_STOP = {"stop_string", "stop_token", "stop_sequence", "eos"}
BAD = "\ufffd"


class Planting:
    """One recording to spoil: the case, its line and the reference's result."""

    def __init__(self, rng, case, line, result):
        self.rng, self.line = rng, line
        self.result = json.loads(json.dumps(result))
        self.request = case.get("request") or {}
        self.case = {**case, "request": self.request}
        self.deltas = self.result["deltas"]
        self.cause = self.result["cause"]
        self.due = self.result["text"]
        self.ended = self.cause not in ("open", "invalid_request")
        self.gone = self.ended and self.result.get("terminals") == 0
        self.plain = not self.case.get("sink") and self.request.get("flush") in (None, {"steps": 1})

    def again(self, **changes):
        """The same case with another request: another recording, to be judged as one of the first case."""
        case = dict(self.case, request={**self.request, **changes})
        self.line = json.dumps(case).encode()
        return self

    def whole(self):
        """The text that all tokens of the case make."""
        raw = b""
        for step in self.case["steps"]:
            for token in step:
                if not token.get("special") or self.request.get("skip_special_tokens") is False:
                    raw += token_bytes(token)
        return raw

    def goes_on(self, text):
        """Whether the tokens go on just as this text does."""
        return self.whole().decode("utf-8", "replace").startswith(text)

    def say(self, deltas, everywhere=True):
        """Puts these deltas in the result; the text too, or the text alone, or the deltas alone."""
        text = "".join(deltas)
        where = self.rng.choice(["both", "both", "both", "deltas", "text"]) if everywhere else "both"
        if where != "text":
            self.result["deltas"] = deltas
        if where != "deltas":
            self.result["text"] = text
        if self.rng.random() < 0.5:
            del self.result["terminal" if "terminal" in self.result else "message" if "message" in self.result else "text"]
            if "text" not in self.result and where == "text":
                self.result["text"] = text
        return self.result


def token_bytes(token):
    if "hex" in token:
        return bytes.fromhex(token["hex"])
    return (token.get("text") or "").encode()


def stops_of(request):
    """The texts of the stop strings."""
    stops = request.get("stop")
    if stops is None:
        return []
    stops = stops if isinstance(stops, list) else [stops]
    return [s["text"] if isinstance(s, dict) else s for s in stops]


def last_filled(deltas):
    """The index of the last delta with text, or -1."""
    return max((i for i, delta in enumerate(deltas) if delta), default=-1)


# Each planting returns (result, kinds) or None where it does not apply. Kinds: the ones of which exactly one must be
# found; none: it conforms. More than one only where the text itself does not tell which it is; the comment says why.


def leak_stop(p):
    if p.cause != "stop_string" or not p.deltas or p.gone or p.request.get("include_stop_str_in_output"):
        return None
    stop = p.result["stop_reason"]
    p.deltas[-1] += stop[: p.rng.randint(1, len(stop))]
    return p.say(p.deltas), {"leak"}


def drop_tail(p):
    """The last step's text never sent."""
    if not p.ended or not p.deltas or not p.deltas[-1] or p.cause in ("stop_string", "stop_sequence", "external"):
        return None
    if p.cause in ("eos", "stop_token") and p.request.get("include_stop_str_in_output"):
        return None
    if not p.deltas[-1].strip(BAD) and p.deltas[-1] != BAD:
        return None
    # One U+FFFD may be an incomplete character, or one that was ill-formed.
    kinds = {"lost-tail", "bad-utf8"} if p.deltas[-1] == BAD else {"lost-tail"}
    p.deltas[-1] = ""
    return p.say(p.deltas), kinds


def shift_cut(p):
    """The cut one character too early."""
    if p.cause != "stop_string" or not p.deltas or len(p.deltas[-1]) < 1 or BAD in p.due:
        return None
    stop = len(p.result["stop_reason"].encode()) if p.request.get("include_stop_str_in_output") else 0
    begin = len(p.due.encode()) - stop  # of the stop, in bytes
    if p.gone or not p.goes_on(p.due):
        return None
    start = at = 0
    for step in p.case["steps"]:
        for token in step:
            if token.get("special") and p.request.get("skip_special_tokens") is not False:
                continue
            start = at if at <= begin else start
            at += len(token_bytes(token))
    p.deltas[-1] = p.deltas[-1][:-1]
    # Within the token in which the stop begins it is a cut; text of earlier tokens was held and is lost.
    inside = len("".join(p.deltas).encode()) >= len(p.whole()[:start].decode("utf-8", "ignore").encode())
    return p.say(p.deltas), {"wrong-cut"} if inside else {"lost-tail"}


def duplicate(p):
    filled = [i for i, delta in enumerate(p.deltas) if delta.strip(BAD)]
    if not filled or p.gone:
        return None
    k = p.rng.choice(filled)
    p.deltas[k] += p.deltas[k]
    text = "".join(p.deltas)
    # Repeated text at the end may be just what the tokens go on with, and so it may for an open lane be allowed.
    if not p.ended and p.goes_on(text):
        return None
    kinds = {"duplicate-text", "leak"} if text.startswith(p.due) and p.goes_on(text) else {"duplicate-text"}
    return p.say(p.deltas), kinds


def drop_delta(p):
    last = last_filled(p.deltas)
    filled = [i for i, delta in enumerate(p.deltas[: max(last, 0)]) if delta.strip(BAD)]
    if not filled or p.gone:
        return None
    p.deltas[p.rng.choice(filled)] = ""
    p.result["text"] = "".join(p.deltas)
    return p.result, {"lost-text"}


def late(p):
    filled = [i for i, delta in enumerate(p.deltas[:-1]) if delta]
    if not filled:
        return None
    k = p.rng.choice(filled)
    p.deltas[k], p.deltas[k + 1] = "", p.deltas[k] + p.deltas[k + 1]
    return p.result, {"late"}


def late_by_numbers(p):
    """Numbered deltas, one of them with a later step."""
    filled = [i for i, delta in enumerate(p.deltas[:-1]) if delta]
    if not filled:
        return None
    k = p.rng.choice(filled)
    p.result["delta_steps"] = [i + 1 for i in range(len(p.deltas))]
    p.result["delta_steps"][k] = k + 2
    return p.result, {"late"}


def early(p):
    """A character before the step that allows it. Without numbers a delta that shows text of later tokens would say
    that deltas are not one a step."""
    filled = [i for i, delta in enumerate(p.deltas) if i > 0 and delta]
    if not filled or not p.plain:
        return None
    k = p.rng.choice(filled)
    p.deltas[k - 1] += p.deltas[k][0]
    p.deltas[k] = p.deltas[k][1:]
    p.result["delta_steps"] = list(range(1, len(p.deltas) + 1))
    return p.result, {"leak"}


def not_one_a_step(p):
    """As many deltas as steps by chance, the first with text of later tokens: nothing tells when each came."""
    first = next((i for i, delta in enumerate(p.deltas) if delta), None)
    if first is None or not p.plain or len(p.deltas) < 2:
        return None
    text = "".join(p.deltas)
    held = any(p.request.get(member) for member in ("stop", "stop_token_sequences", "flush"))
    if held or "\ufffd" in text or sum(1 for delta in p.deltas if delta) < 2 or text == p.deltas[0]:
        return None
    p.result["deltas"] = ["".join(p.deltas)] + [""] * (len(p.deltas) - 1)
    return p.result, set()


def damaged(p):
    filled = [i for i, delta in enumerate(p.deltas) if delta]
    if not filled:
        return None
    k = p.rng.choice(filled)
    raw = bytearray(p.deltas[k].encode())
    raw[p.rng.randrange(len(raw))] = 0xFF
    p.deltas[k] = {"hex": raw.hex()}
    return p.result, {"bad-utf8"}


def split_character(p):
    filled = [i for i, delta in enumerate(p.deltas) if i > 0 and delta and len(delta[0].encode()) > 1]
    if not filled:
        return None
    k = p.rng.choice(filled)
    first, second = p.deltas[k - 1].encode(), p.deltas[k].encode()
    cut = p.rng.randint(1, len(p.deltas[k][0].encode()) - 1)
    p.deltas[k - 1 : k + 1] = [{"hex": (first + second[:cut]).hex()}, {"hex": second[cut:].hex()}]
    return p.result, {"bad-utf8"}


def replacement_twice(p):
    filled = [i for i, delta in enumerate(p.deltas) if BAD in delta]
    if not filled or p.gone:
        return None
    k = p.rng.choice(filled)
    p.deltas[k] = p.deltas[k].replace(BAD, BAD + BAD, 1)
    # At the end more of them may be just what the tokens go on with, and so they may for an open lane be allowed.
    further = p.goes_on("".join(p.deltas))
    if further and not p.ended:
        return None
    return p.say(p.deltas), {"bad-utf8", "leak"} if further else {"bad-utf8"}


def replacement_dropped(p):
    """Ill-formed bytes left out; at the very end it may be an incomplete character that is lost, or text yet to come."""
    at = p.due.find(BAD)
    if at < 0 or p.gone:
        return None
    k = next(i for i, delta in enumerate(p.deltas) if BAD in delta)
    p.deltas[k] = p.deltas[k].replace(BAD, "", 1)
    if p.due[at:].strip(BAD):
        return p.say(p.deltas), {"bad-utf8"}
    return p.say(p.deltas), {"bad-utf8", "lost-tail" if p.ended else "late"}


def character_replaced(p):
    """A whole character shown as U+FFFD: decoded in pieces."""
    filled = [i for i, delta in enumerate(p.deltas) if any(c > "\x7f" and c != BAD for c in delta)]
    if not filled:
        return None
    k = p.rng.choice(filled)
    c = p.rng.choice([c for c in p.deltas[k] if c > "\x7f" and c != BAD])
    p.deltas[k] = p.deltas[k].replace(c, BAD * p.rng.randint(1, 4), 1)
    return p.say(p.deltas), {"bad-utf8"}


def finish_reason(p):
    if p.cause == "external" and "steps" not in p.case:
        return None
    p.result["finish_reason"] = p.rng.choice([r for r in ["stop", "length", "abort", "timeout"] if r != p.result["finish_reason"]])
    return p.result, {"wrong-reason"}


def cause(p):
    other = [c for c in REASONS if c != p.cause and REASONS[c] != p.result["finish_reason"]]
    p.result["cause"] = p.rng.choice(other)
    return p.result, {"wrong-reason"}


def both_reasons(p):
    if p.cause == "invalid_request":
        return None
    other = p.rng.choice([c for c in REASONS if c != p.cause and c != "open"])
    p.result["cause"], p.result["finish_reason"] = other, REASONS[other]
    return p.result, {"wrong-reason"} if p.ended else {"false-stop"}


def said_open(p):
    if not p.ended:
        return None
    p.result.update(cause="open", finish_reason=None, stop_reason=None)
    if p.rng.random() < 0.5:
        p.result["terminals"] = 0
    return p.result, {"no-end"}


def tokens(p):
    p.result["tokens"] = max(p.result["tokens"] + p.rng.choice([-1, 1, 2]), 0)
    if p.result["tokens"] == len(p.result["token_ids"]):
        return None
    if p.rng.random() < 0.5:
        del p.result["token_ids"]
    return p.result, {"wrong-count"}


def token_ids(p):
    ids = p.result["token_ids"]
    choice = p.rng.randrange(3)
    if choice == 0 and ids:
        ids.pop(p.rng.randrange(len(ids)))
    elif choice == 1 and ids:
        ids[p.rng.randrange(len(ids))] += 1
    else:
        ids.append(999983)  # no token of the case: that would be one more taken
    if p.rng.random() < 0.3 and len(ids) != p.result["tokens"]:
        p.result["tokens"] = len(ids)
    return p.result, {"wrong-count"}


def next_token(p):
    """The engine ends with the same text and reasons, but its ids show that it took a token of the next step."""
    taken = len(p.result["deltas"])
    steps = p.case["steps"]
    if not p.ended or p.cause in ("disconnect", "external", "abort") or taken == 0 or taken >= len(steps):
        return None
    if not steps[taken] or sum(len(step) for step in steps[:taken]) != p.result["tokens"]:
        return None
    p.result["token_ids"].append(steps[taken][0]["id"])
    p.result["tokens"] += 1
    return p.result, {"missed-stop" if p.cause in BY_STOP else "no-end"}


def terminal(p):
    if "terminal" not in p.result:
        return None
    if p.rng.random() < 0.5:
        p.result["terminal"]["bytes"] += 1
    else:
        p.result["terminal"]["crc32c"] = f"{int(p.result['terminal']['crc32c'], 16) ^ 1:08x}"
    return p.result, {"wrong-count"}


def terminals(p):
    if "steps" not in p.case and p.case.get("sink"):
        return None
    if p.result.get("terminals", 0) == 1:
        p.result["terminals"] = p.rng.choice([0, 2, 3])
        return p.result, {"no-end"} if p.result["terminals"] == 0 else {"after-end"}
    p.result["terminals"] = 1
    return p.result, {"false-stop"} if p.cause == "open" else {"after-end"}


def text_after_terminal(p):
    if not p.ended or p.gone:
        return None
    p.deltas.append(p.rng.choice(["x", "\n", "ab", BAD]))
    p.result.update(text="".join(p.deltas), terminals=2)
    return p.result, {"after-end"}


def text_after_gone(p):
    if not p.gone or not p.deltas:
        return None
    p.deltas[-1] += p.rng.choice(["x", "ab"])
    p.result["text"] = "".join(p.deltas)
    return p.result, {"after-end"}


def stop_reason(p):
    if p.cause == "invalid_request" or p.cause == "open":
        return None
    other = p.rng.choice([None, 77777, [7, 8], "another", *stops_of(p.request)])
    if other == p.result["stop_reason"]:
        return None
    p.result["stop_reason"] = other
    return p.result, {"wrong-stop"} if p.cause in BY_STOP - {"eos"} else {"wrong-reason"}


def stop_index(p):
    if "stop_index" not in p.result:
        return None
    p.result["stop_index"] += p.rng.randint(1, 3)
    return p.result, {"wrong-stop"}


def refusal_ignored(p):
    if p.cause != "invalid_request":
        return None
    p.result = {"case": p.result["case"], "deltas": ["a"], "text": "a", "finish_reason": "stop", "cause": "eos", "tokens": 1}
    for member in p.rng.sample(["cause", "tokens", "text", "deltas"], 2):
        del p.result[member]
    return p.result, {"accepted-bad-request"}


def refused(p):
    if p.cause == "invalid_request":
        return None
    p.result = {
        "case": p.result["case"], "deltas": [], "text": "", "finish_reason": "error", "cause": "invalid_request",
        "tokens": 0, "token_ids": [], "param": "stop",
    }  # fmt: skip
    return p.result, {"rejected-good-request"}


def other_param(p):
    if p.cause != "invalid_request":
        return None
    p.result["param"] += "[9]"
    return p.result, {"wrong-reason"}


def miss(p):
    """An engine that does not look for what ended the lane."""
    if not p.ended or p.case.get("sink"):
        return None
    if p.cause in BY_STOP:
        return p.again(stop=None, stop_token_ids=None, stop_token_sequences=None, eos_token_ids=None)
    if p.cause in ("max_tokens", "max_context", "repetition"):
        return p.again(**{p.cause: None})
    if p.cause == "deadline":
        return p.again(deadline_steps=None)
    return None


def judge_miss(p, result):
    text, tokens_taken = result["text"], result["tokens"]
    further = tokens_taken > p.result["tokens"] or not p.due.startswith(text)
    if result["cause"] == p.cause and result["tokens"] == p.result["tokens"]:
        return None
    if not further and result["cause"] != "open":
        # The same place for another reason, or an end without text that was told as another.
        return {"wrong-reason"} if result["deltas"] == p.deltas else None
    if p.cause in BY_STOP and further:
        return {"missed-stop"}
    return {"no-end"}


def imagine(p):
    """An engine that ends by a stop of its own imagination."""
    if p.cause == "invalid_request" or p.case.get("sink") or BAD in p.due or not p.due:
        return None
    start = p.rng.randrange(len(p.due))
    text = p.due[start : start + p.rng.randint(1, 3)]
    return p.again(stop=[text], min_tokens=None)


def judge_imagine(p, result):
    if result["cause"] != "stop_string" or p.cause == "stop_string" and result["stop_reason"] in stops_of(p.request):
        return None
    if result["tokens"] < p.result["tokens"] or not p.ended:
        return {"false-stop"}
    if result["text"] != p.due and len(result["text"]) < len(p.due) and p.due.startswith(result["text"]):
        return {"false-stop"}
    return None


def other_flush(p):
    """An engine with another flush policy: sooner is no fault, later is one."""
    if p.cause == "invalid_request" or p.case.get("sink"):
        return None
    return p.again(flush=p.rng.choice([None, {"steps": 2}, {"tokens": 4}, {"bytes": 6}]))


def judge_other_flush(p, result):
    shown = sent = 0
    for theirs, due in zip(result["deltas"], p.result["deltas"]):
        shown, sent = shown + len(theirs), sent + len(due)
        if shown < sent:
            return {"late"}
    return set()


PLANTINGS = [
    leak_stop, drop_tail, shift_cut, duplicate, drop_delta, late, late_by_numbers, early, not_one_a_step, damaged, split_character,
    replacement_twice, replacement_dropped, character_replaced, finish_reason, cause, both_reasons, said_open, tokens,
    token_ids, next_token, terminal, terminals, text_after_terminal, text_after_gone, stop_reason, stop_index, refusal_ignored,
    refused, other_param,
]  # fmt: skip
RERUN = [(miss, judge_miss), (imagine, judge_imagine), (other_flush, judge_other_flush)]


# Plantings in recordings without tokens: what is wrong must be seen from outside.


def outside_stop(p):
    """A stop string in the text of a lane in which every stop counts."""
    stops = [stop for stop in stops_of(p.request) if BAD not in stop]
    if not stops or p.request.get("min_tokens") or p.request.get("include_stop_str_in_output"):
        return None
    stop = p.rng.choice(stops)
    named = p.cause == "stop_string" and p.result["stop_reason"] == stop
    # Text before it may make another stop complete sooner: it stands alone.
    p.result["text"] = stop + p.rng.choice(["", "x", stop])
    p.result["deltas"] = [p.result["text"]]
    p.result.pop("terminal", None)
    if any(other != stop and other in p.result["text"] for other in stops_of(p.request)):
        return None
    return p.result, {"leak"} if named else {"missed-stop"}


def outside_tokens(p):
    p.result["tokens"] = len(p.result["token_ids"]) + 1
    return p.result, {"wrong-count"}


def outside_lost(p):
    """The deltas lack the last character of the text."""
    if not p.due or p.due[-1] == BAD:
        return None
    p.result["deltas"] = [p.due[:-1]]
    p.result.pop("terminal", None)
    return p.result, {"lost-tail"}


def outside_limit(p):
    """More tokens than max_tokens leaves room for."""
    if p.result["tokens"] < 1 or p.request.get("min_tokens") or p.cause in BY_STOP:
        return None
    p.request["max_tokens"] = p.result["tokens"] - 1
    return p.result, {"no-end"}


def outside_index(p):
    if "stop_index" not in p.result or p.cause != "stop_string":
        return None
    p.result["stop_index"] = len(stops_of(p.request)) + p.rng.randrange(2)
    return p.result, {"wrong-stop"}


def outside_id(p):
    """A stop token among the ids, and more after it."""
    ids = p.result["token_ids"]
    if len(ids) < 2 or p.request.get("min_tokens") or p.cause in BY_STOP:
        return None
    p.request["stop_token_ids"] = [p.rng.choice(ids[:-1])]
    return p.result, {"missed-stop"}


OUTSIDE = [
    outside_stop, outside_tokens, outside_lost, outside_limit, outside_index, outside_id, damaged, finish_reason, terminal,
    terminals,
]  # fmt: skip
