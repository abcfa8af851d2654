"""The kinds of lanes that are recorded: where in the engine's text the stops are cut out, and with what limits.

A kind takes a lane and says what to ask for, or None where this lane has no such place.
"""
from engine import PROMPT

EOS, SPECIALS = 0, (2, 3, 4)  # <EOT>; <META_START> <META_END> <SOS>


def part(lane, piece, skip_special=True):
    return lane.text(skip_special)[piece[0]:piece[1]].decode()


def choose(lane, draw, wanted=frozenset(), unwanted=frozenset(), where=lambda begin, end: True, longest=24):
    """A part of the text with these oddities, complete neither at the first token nor among the last two."""
    fit = [piece for piece in lane.pieces(longest=longest)
           if wanted <= piece[2] and not unwanted & piece[2] and where(piece[0], piece[1])
           and 2 <= lane.token_at(piece[1]) <= len(lane.ids) - 2]
    return draw.choice(fit) if fit else None


def cut_out(*wanted, unwanted=(), longest=24, least=1):
    def kind(lane, draw):
        piece = choose(lane, draw, frozenset(wanted), frozenset(unwanted), lambda b, e: e - b >= least, longest)
        return piece and {"stop": [part(lane, piece)]}
    return kind


def pair(relation):
    def kind(lane, draw):
        first = choose(lane, draw, where=lambda begin, end: end - begin >= 3)
        second = first and choose(lane, draw, where=lambda begin, end: relation(first, (begin, end)))
        if not second:
            return None
        stops = [part(lane, first), part(lane, second)]
        draw.shuffle(stops)
        return {"stop": stops}
    return kind


def last_token(lane, draw):
    """max_tokens at the token that completes the stop, or one before it."""
    piece = choose(lane, draw)
    return piece and {"stop": [part(lane, piece)], "max_tokens": lane.token_at(piece[1]) - draw.choice((0, 0, 1))}


def never(lane, draw):
    """A stop that nearly occurs: all of it but the last character."""
    piece = choose(lane, draw)
    if not piece:
        return None
    stops = [part(lane, piece) + end for end in ("\u00a4", "z", " ", "\u754c") if
             (part(lane, piece) + end).encode() not in lane.text()]
    return stops and {"stop": [draw.choice(stops)]}


def eos(lane, draw):
    """The engine's end token is in the lane, with a stop cut out of the text around it; sometimes it is to be passed."""
    if EOS not in lane.ids[1:-1]:
        return None
    n = lane.ids.index(EOS) + 1
    piece = choose(lane, draw, where=lambda begin, end: abs(lane.token_at(end) - n) <= 4)
    asked = {"eos_token_ids": [EOS], "stop": [part(lane, piece)] if piece else []}
    return {**asked, **draw.choice([{}, {}, {"ignore_eos": True}, {"max_tokens": n}, {"min_tokens": n - 1}])}


def min_tokens(lane, draw):
    piece = choose(lane, draw)
    if not piece:
        return None
    n = lane.token_at(piece[1])
    return {"stop": [part(lane, piece)], "min_tokens": min(n + draw.choice((-1, 2, 0, 1, 4)), len(lane.ids))}


def special(lane, draw):
    """The text of a special token as the stop, or a stop whose two halves have a special token between them."""
    places = [n for n, id in enumerate(lane.ids) if id in SPECIALS and 0 < n < len(lane.ids) - 2]
    if not places:
        return None
    n = draw.choice(places)
    shown = draw.random() < 0.3
    if draw.random() < 0.4:
        return {"stop": [draw.choice((lane.tokens[n][1].decode(), "META", "_", ">"))], "skip_special_tokens": not shown}
    at = lane.ends()[n]
    piece = choose(lane, draw, where=lambda begin, end: begin < at < end)
    return piece and {"stop": [part(lane, piece)]}


def prompt(lane, draw):
    """A stop that begins in the prompt: it is no part of the text."""
    heads = [end for begin, end, _ in lane.pieces() if begin == 0 and end <= 8]
    stops = [PROMPT[-k:] + lane.text()[:end].decode() for end in heads for k in (1, 2, 8)]
    stops = [stop for stop in stops if stop.encode() not in lane.text()]
    return stops and {"stop": [draw.choice(stops)]}


def cut_character(lane, draw):
    """No stop: the last allowed token ends inside a character."""
    text, ends = lane.text(), lane.ends()
    inside = [n for n, end in enumerate(ends[:-1], 1) if end < len(text) and text[end] & 0xC0 == 0x80]
    return inside and {"max_tokens": draw.choice(inside)}


def stop_token(lane, draw):
    asked = {"stop_token_ids": [lane.ids[draw.randrange(1, len(lane.ids) - 2)]]}
    piece = choose(lane, draw)
    return {**asked, "stop": [part(lane, piece)]} if piece and draw.random() < 0.5 else asked


# name: (kind, lanes in each mode, what else the lane needs)
KINDS = {
    "inside-token": (cut_out("crosses-0", "begins-inside", "ends-inside"), 10, {}),
    "whole-token": (cut_out("crosses-0", unwanted=("begins-inside", "ends-inside"), least=2), 6, {}),
    "at-token-end": (cut_out("crosses-1", unwanted=("ends-inside",)), 10, {}),
    "over-tokens": (cut_out("begins-inside", "ends-inside", "crosses-2"), 10, {}),
    "split-character": (cut_out("split"), 12, {}),
    "one-character": (cut_out("one"), 8, {}),
    "long": (cut_out("crosses-2", longest=48, least=25), 5, {}),
    "nested": (pair(lambda a, b: a[0] < b[0] and b[1] < a[1]), 8, {}),
    "overlapping": (pair(lambda a, b: a[0] < b[0] < a[1] < b[1]), 8, {}),
    "equal-end": (pair(lambda a, b: a[0] < b[0] and a[1] == b[1]), 6, {}),
    "last-token": (last_token, 10, {}),
    "never": (never, 6, {}),
    "eos": (eos, 9, {"special": (EOS,), "often": 0.12}),
    "min-tokens": (min_tokens, 7, {}),
    "special": (special, 7, {"special": SPECIALS, "often": 0.08}),
    "prompt": (prompt, 5, {}),
    "cut-character": (cut_character, 5, {}),
    "stop-token": (stop_token, 4, {}),
    "fragments": (cut_out(), 4, {"theme": "fragments"}),
    "fragments-last-token": (last_token, 2, {"theme": "fragments"}),
    "anything": (cut_out(), 4, {"theme": "anything"}),
}
BATCHES, ROWS = 8, 4
