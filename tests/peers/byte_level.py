"""Byte-level vocabularies, for peers: the map of GPT-2, the vocabulary that litellm ships, one of a case's own tokens.

Only the standard library is used here.
"""
import json
import os
import sysconfig


def byte_alphabet():
    """byte -> the character that stands for it."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + n) for n, byte in enumerate(rest)}}


ALPHABET = byte_alphabet()
BYTE_OF = {char: byte for byte, char in ALPHABET.items()}


def shipped_vocabulary():
    """Where the byte-level BPE vocabulary lies that the litellm package ships (its code is not imported)."""
    packages = sysconfig.get_paths()["purelib"]
    return os.path.join(packages, "litellm", "litellm_core_utils", "tokenizers", "anthropic_tokenizer.json")


def bytes_of(path):
    """id -> (bytes, special) of a tokenizer.json of byte-level tokens."""
    with open(path, encoding="utf-8") as file:
        made = json.load(file)
    special = {token["id"]: token["content"] for token in made["added_tokens"] if token["special"]}
    ordinary = {id: token for token, id in made["model"]["vocab"].items() if id not in special}
    known = {id: (bytes(BYTE_OF[char] for char in token), False) for id, token in ordinary.items()}
    return {**known, **{id: (token.encode(), True) for id, token in special.items()}}


def spelt(tokens, visible, special=()):
    """A vocabulary of single bytes, of these (id, bytes, special) and of the special tokens given: (entries, merges,
    special tokens, the name of each of the tokens' ids); ValueError where that cannot be. A token can also be spelt: it
    is merged from its left, over prefixes that get ids of their own."""
    entries, merges, special, names = {char: n for n, char in enumerate(ALPHABET.values())}, [], [*special], {}
    for id, text, is_special in tokens:
        if id in names:
            continue
        if is_special:
            token = text.decode() or f"<|special-{id}|>"
            while token in entries or token in special:
                if visible:
                    raise ValueError(f"id {id}: a special token with the text of another token")
                token = f"<|{token}|>"  # what is not shown may have any name
            special.append(token)
            names[id] = token
            continue
        chars = [ALPHABET[byte] for byte in text]
        if not chars or "".join(chars) in names.values():
            raise ValueError(f"id {id}: no bytes, or the bytes of another id")
        for end in range(2, len(chars) + 1):
            if "".join(chars[:end]) not in entries:
                entries["".join(chars[:end])] = len(entries)
                merges.append(("".join(chars[:end - 1]), chars[end - 1]))
        names[id] = "".join(chars)
    return entries, merges, special, names
