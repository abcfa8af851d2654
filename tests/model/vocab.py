"""Vocabularies once more: ids to bytes, from spec/vocab.md alone; and small random ones, written as files."""

import base64
import functools
import json
import os
from typing import NamedTuple


class Vocabulary(NamedTuple):
    """`tokens`: id -> (bytes, special). `limit`: one above the highest id, or None where not all are listed."""

    tokens: dict
    limit: int | None
    drops_space: bool


def byte_level():
    """The byte that each character of a byte-level vocabulary stands for: printable ones for themselves, the others,
    in order, for the characters from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in printable]
    return {**{chr(b): b for b in printable}, **{chr(0x100 + n): b for n, b in enumerate(rest)}}


BYTE_OF = byte_level()
CHARACTER_OF = {byte: character for character, byte in BYTE_OF.items()}


def is_byte(text):
    """Whether a token is one byte: <0x41>."""
    return len(text) == 6 and text.startswith("<0x") and text.endswith(">") and all(c in "0123456789abcdefABCDEF" for c in text[3:5])


def decoded(text, decoder):
    """The bytes of one token under one decoder; a step may leave text or bytes."""
    kind = decoder["type"]
    if isinstance(text, bytes) or kind in ("Fuse", "Strip"):
        return text
    if kind == "Sequence":
        for part in decoder["decoders"]:
            text = decoded(text, part)
        return text
    if kind == "Replace":
        return text.replace(decoder["pattern"]["String"], decoder["content"])
    if kind == "Metaspace":
        return text.replace(decoder["replacement"], " ")
    if kind == "ByteFallback":
        return bytes([int(text[3:5], 16)]) if is_byte(text) else text
    if all(character in BYTE_OF for character in text):
        return bytes(BYTE_OF[character] for character in text)
    return text.encode()


def drops(decoder):
    """Whether the decoder drops the space that a text begins with."""
    if decoder["type"] == "Sequence":
        return any(map(drops, decoder["decoders"]))
    if decoder["type"] == "Metaspace":
        return decoder.get("prepend_scheme", "always") != "never"
    return decoder["type"] == "Strip" and decoder["start"] == 1


def from_tokenizer(data):
    """A Hugging Face tokenizer.json."""
    pieces = data["model"]["vocab"]
    pieces = {piece: id for id, (piece, _) in enumerate(pieces)} if isinstance(pieces, list) else pieces
    texts = {id: piece for piece, id in pieces.items()}
    added = data.get("added_tokens") or []
    texts.update((token["id"], token["content"]) for token in added)
    special = {token["content"] for token in added if token["special"]}
    tokens = {}
    for id, text in texts.items():
        raw = decoded(text, data["decoder"])
        tokens[id] = (raw if isinstance(raw, bytes) else raw.encode(), text in special)
    return Vocabulary(tokens, max(tokens) + 1, drops(data["decoder"]))


def from_ranks(text):
    """A tiktoken rank file."""
    rows = (line.split() for line in text.splitlines() if line)
    return Vocabulary({int(rank): (base64.b64decode(raw), False) for raw, rank in rows}, None, False)


@functools.lru_cache(maxsize=64)
def load(path):
    """The vocabulary at a path."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return from_tokenizer(json.loads(text)) if text.startswith("{") else from_ranks(text)


# Below: random vocabularies for the comparison.

STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
SPACES = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
DECODERS = {
    "byte-level": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    "pieces": {"type": "Sequence", "decoders": [SPACES, {"type": "ByteFallback"}, {"type": "Fuse"}]},
    "pieces-strip": {"type": "Sequence", "decoders": [SPACES, {"type": "ByteFallback"}, {"type": "Fuse"}, STRIP]},
    "metaspace": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True},
}


def spelled(raw, form):
    """How a token's bytes are written in a file of this form, or None."""
    if form == "byte-level":
        return "".join(CHARACTER_OF[byte] for byte in raw)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return f"<0x{raw[0]:02X}>" if len(raw) == 1 and form != "metaspace" else None
    return None if "▁" in text else text.replace(" ", "▁")


def write(rng, folder, name, tokens):
    """A file for tokens (id, bytes, special), in a form drawn by chance; its path, or None where that form has no room
    for them. In a rank file special tokens are left out."""
    form = rng.choice([*DECODERS, "pieces-strip", "metaspace", "ranks"])
    path = os.path.join(folder, name)
    listed = [token for token in tokens if not (form == "ranks" and token[2])]
    if not listed or len({raw for _, raw, _ in listed}) < len(listed) or not all(raw for _, raw, _ in tokens):
        return None
    if form == "ranks":
        text = "".join(f"{base64.b64encode(raw).decode()} {id}\n" for id, raw, _ in sorted(listed))
    else:
        pieces = [(id, spelled(raw, form), special) for id, raw, special in listed]
        if None in [piece for _, piece, _ in pieces]:
            return None
        added = [{"id": id, "content": piece, "special": special, "single_word": False, "lstrip": False, "rstrip": False,
                  "normalized": False} for id, piece, special in pieces if special or rng.random() < 0.1]  # fmt: skip
        vocab = {piece: id for id, piece, special in pieces if not special}
        model = {"type": "BPE", "vocab": vocab, "merges": []}
        if not vocab:
            return None
        text = json.dumps({"version": "1.0", "added_tokens": added, "decoder": DECODERS[form], "model": model},
                          ensure_ascii=rng.random() < 0.5)  # fmt: skip
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
