"""Makes the lanes that are recorded: what the engine samples when nothing stops it, and stops cut out of that.

The model is random, so a lane has a theme: a list of pieces of text. At each token only such tokens are possible as
spell a next part of some sequence of pieces, in any way the vocabulary can spell it; which of them comes is the
engine's own sampling. So the text is words, and the tokens are as odd as the vocabulary allows.
"""
import torch
from transformers import LogitsProcessor

THEMES = {
    "english": "the ~ quick~ brown~ fox~ stops.~.\n~ END~ stopped~ topper~User: ~Assistant: ~I~ am~, and~? ~ it's~ end",
    "code": "def f(x):\n~    return x~```python\n~```\n~()~ {\n~}\n~; ~</tool_call>~<tool_call>~\tx~ == ~ // ~ END~# ",
    "dialog": "<|im_end|>~<|im_start|>~\nUser:~\nHuman:~Observation:~### ~ yes~ no~. ~[DONE]~</s>~<|eot|>~ok\n\n",
    "han": "你好~世界~。~停止~，~日本語~テスト~結束~終わり~한국어~끝~！~ ok~。\n",
    "emoji": "😊~👨‍👩‍👧~🇩🇪~👍🏽~ ok~! ~❤️~🎉~ so~ yes.\n~… ",
    "accents": "café~naïve~ Zürich~ garçon~ñ~Ωμέγα~ привет~ конец~стоп~. ~ €5~ß.\n",
    "south": "สวัสดี~ หยุด~नमस्ते~ रुको~مرحبا~ توقف~। ~ ok.\n",
}
THEMES["mixed"] = "~".join(THEMES[name] for name in ("english", "han", "emoji", "accents"))
NAMES = sorted(THEMES)


class Spell(LogitsProcessor):
    """Allows the tokens that continue a sequence of pieces; `special` ids are allowed anywhere, `often` each."""

    def __init__(self, vocabulary, pieces, prompt_length, special=(), often=0.0):
        self.vocabulary, self.pieces, self.prompt_length = vocabulary, pieces, prompt_length
        self.special, self.often, self.trie, self.known = special, often, trie_of(vocabulary), {}

    def after(self, state, byte):
        """The places in pieces where the text may be after one more byte."""
        places = set()
        for piece, at in state:
            if self.pieces[piece][at] == byte:
                if at + 1 == len(self.pieces[piece]):
                    places |= {(other, 0) for other in range(len(self.pieces))}
                else:
                    places.add((piece, at + 1))
        return frozenset(places)

    def possible(self, state):
        if state not in self.known:
            found, todo = [], [(self.trie, state)]
            while todo:
                node, places = todo.pop()
                found += node.get(None, [])
                for byte in {self.pieces[piece][at] for piece, at in places}:
                    if byte in node:
                        todo.append((node[byte], self.after(places, byte)))
            self.known[state] = torch.tensor(sorted(found))
        return self.known[state]

    def favour(self, ids):
        """Longer tokens more often, as in text that a model has learnt."""
        return 2 * torch.tensor([float(len(self.vocabulary.bytes[id])) for id in ids.tolist()]).log()

    def __call__(self, input_ids, scores):
        state = frozenset((piece, 0) for piece in range(len(self.pieces)))
        for id in input_ids[0, self.prompt_length:].tolist():
            if id not in self.special:
                for byte in self.vocabulary.bytes[id]:
                    state = self.after(state, byte)
        ids = self.possible(state)
        only = torch.full_like(scores, -float("inf"))
        only[0, ids] = scores[0, ids] + self.favour(ids)
        for id in self.special:
            only[0, id] = torch.logsumexp(only[0, ids], 0) + torch.log(torch.tensor(self.often))
        return only


class Among(LogitsProcessor):
    """Allows a set of ids, whatever they spell: bytes that are no characters come of it."""

    def __init__(self, ids):
        self.ids = torch.tensor(ids)

    def __call__(self, input_ids, scores):
        only = torch.full_like(scores, -float("inf"))
        only[0, self.ids] = scores[0, self.ids]
        return only


def trie_of(vocabulary):
    if not hasattr(vocabulary, "trie"):
        vocabulary.trie = {}
        for id, text in vocabulary.bytes.items():
            if id not in vocabulary.special:
                node = vocabulary.trie
                for byte in text:
                    node = node.setdefault(byte, {})
                node.setdefault(None, []).append(id)
    return vocabulary.trie


def is_utf8(text):
    try:
        text.decode()
        return True
    except UnicodeDecodeError:
        return False


def processor_of(engine, vocabulary, draw, theme, special, often):
    if theme == "fragments":
        broken = sorted(id for id, text in vocabulary.bytes.items() if not is_utf8(text))
        whole = sorted(id for id, text in vocabulary.bytes.items() if text.isascii() and id not in vocabulary.special)
        return Among(draw.sample(broken, 40) + draw.sample(whole, 20))
    if theme == "anything":
        return Among(sorted(id for id in vocabulary.bytes if id not in vocabulary.special))
    pieces = [piece.encode() for piece in THEMES[theme].split("~") if piece]
    return Spell(vocabulary, pieces, engine.prompt(vocabulary).shape[1], special, often)


class Lane:
    """What the engine sampled, and where its tokens lie in its text."""

    def __init__(self, engine, vocabulary, draw, theme=None, special=(), often=0.0, count=None):
        self.theme = theme or draw.choice(NAMES)
        self.seed = draw.randrange(1 << 31)
        self.sampled = draw.random() < 0.8
        self.processor = processor_of(engine, vocabulary, draw, self.theme, special, often)
        self.ids = self.again(engine, vocabulary, {"max_new_tokens": count or draw.randint(12, 22)})
        self.tokens = [(id, vocabulary.bytes[id], id in vocabulary.special) for id in self.ids]

    def again(self, engine, vocabulary, settings):
        """Samples with the same seed under other settings."""
        torch.manual_seed(self.seed)
        settings = {**settings, "do_sample": self.sampled, "top_k": 0} if self.sampled else settings
        return engine.generate(vocabulary, self.processor, **settings)[0]

    def text(self, skip_special=True):
        return b"".join(text for _, text, special in self.tokens if not (special and skip_special))

    def ends(self, skip_special=True):
        """Where each token ends in the text."""
        ends, at = [], 0
        for _, text, special in self.tokens:
            at += 0 if special and skip_special else len(text)
            ends.append(at)
        return ends

    def pieces(self, skip_special=True, longest=24):
        """Every short part of the text that is UTF-8, at its first place: (begin, end, what is odd about it)."""
        text, ends = self.text(skip_special), self.ends(skip_special)
        borders, found = {0, *ends}, []
        starts = [at for at in range(len(text)) if text[at] & 0xC0 != 0x80] + [len(text)]
        for i, begin in enumerate(starts):
            for end in starts[i + 1:]:
                part = text[begin:end]
                if end - begin > longest:
                    break
                if not is_utf8(part) or text.find(part) != begin:
                    continue
                crossed = {border for border in borders if begin < border < end}
                odd = {"split"} if any(text[border] & 0xC0 == 0x80 for border in crossed) else set()
                odd |= {f"crosses-{min(len(crossed), 2)}"}
                odd |= {"begins-inside"} if begin not in borders else set()
                odd |= {"ends-inside"} if end not in borders else set()
                odd |= {"one"} if len(part.decode()) == 1 else set()
                found.append((begin, end, frozenset(odd)))
        return found

    def token_at(self, end, skip_special=True):
        """The number of the token that has byte end − 1, from 1."""
        return next(n for n, border in enumerate(self.ends(skip_special), 1) if border >= end)
