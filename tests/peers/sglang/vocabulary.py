"""The vocabularies that a lane can be given in: the one that litellm ships, or one made of a case's own tokens."""
import json
import os
import sysconfig

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers


def byte_alphabet():
    """byte -> the character that stands for it in a byte-level vocabulary."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + n) for n, byte in enumerate(rest)}}


ALPHABET = byte_alphabet()
BYTE_OF = {char: byte for byte, char in ALPHABET.items()}


def shipped():
    """The byte-level BPE vocabulary that the litellm package ships (its code is not imported)."""
    package = os.path.join(sysconfig.get_paths()["purelib"], "litellm", "litellm_core_utils", "tokenizers")
    with open(os.path.join(package, "anthropic_tokenizer.json"), encoding="utf-8") as file:
        return file.read()


def bytes_of(text):
    """id -> (bytes, special) of a tokenizer.json of byte-level tokens."""
    made = json.loads(text)
    special = {token["id"]: token["content"] for token in made["added_tokens"] if token["special"]}
    ordinary = {id: token for token, id in made["model"]["vocab"].items() if id not in special}
    known = {id: (bytes(BYTE_OF[char] for char in token), False) for id, token in ordinary.items()}
    return {**known, **{id: (token.encode(), True) for id, token in special.items()}}


def of_tokens(tokens, visible):
    """(a tokenizer.json of single bytes and these tokens, its id of each of their ids); ValueError where that cannot
    be. A token can also be spelt: it is merged from its left, over prefixes that get ids of their own."""
    entries, merges, special, mine = {char: n for n, char in enumerate(ALPHABET.values())}, [], [], {}
    for id, text, is_special in tokens:
        if id in mine:
            continue
        if is_special:
            token = text.decode() or f"<|special-{id}|>"
            while token in entries or token in special:
                if visible:
                    raise ValueError(f"id {id}: a special token with the text of another token")
                token = f"<|{token}|>"  # what is not shown may have any name
            special.append(token)
            mine[id] = token
            continue
        chars = [ALPHABET[byte] for byte in text]
        if not chars or "".join(chars) in mine.values():
            raise ValueError(f"id {id}: no bytes, or the bytes of another id")
        for end in range(2, len(chars) + 1):
            if "".join(chars[:end]) not in entries:
                entries["".join(chars[:end])] = len(entries)
                merges.append(("".join(chars[:end - 1]), chars[end - 1]))
        mine[id] = "".join(chars)
    made = Tokenizer(models.BPE(vocab=entries, merges=merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    ids = made.get_vocab()
    return made.to_str(), {id: ids[token] for id, token in mine.items()}
