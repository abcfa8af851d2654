#!/usr/bin/env python3
"""Writes corpus/vocab: the first tokens of real vocabularies, and what the real libraries make of them.

    small.py FOLDER [--seed N]   needs what requirements.txt names (make record-vocab)
"""

import argparse
import hashlib
import json
import os
import random
import sys

from sources import TEXTS, HuggingFace, RankFile, Tekken, by_rules, installed

TOKENS = 4096
SEQUENCES = 120


def write(path, members):
    """JSON with a line an entry, so that a change is a line."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(members, file, ensure_ascii=False, indent=0, separators=(",", ":"))
        file.write("\n")
    return path


def first_of_tokenizer(source, path):
    """Ids below TOKENS, tokens of one character, and the merges among these: a tokenizer that works, only smaller."""
    with open(source, encoding="utf-8") as file:
        members = json.load(file)
    model = members["model"]
    model["vocab"] = {name: i for name, i in model["vocab"].items() if i < TOKENS or len(name) == 1}
    pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in model["merges"]]
    model["merges"] = [f"{a} {b}" for a, b in pairs if {a, b, a + b} <= set(model["vocab"])]
    members["added_tokens"] = [token for token in members["added_tokens"] if token["id"] < TOKENS]
    return write(path, members)


def first_of_ranks(source, path):
    with open(source, encoding="ascii") as file, open(path, "w", encoding="ascii") as out:
        out.writelines(line for line in file if int(line.split()[1]) < TOKENS)
    return path


def first_of_tekken(source, path):
    with open(source, encoding="utf-8") as file:
        members = json.load(file)
    members["vocab"] = members["vocab"][: TOKENS // 4]
    members["config"]["num_vocab_tokens"] = len(members["vocab"])
    members["config"]["default_vocab_size"] = len(members["vocab"]) + members["config"]["default_num_special_tokens"]
    return write(path, members)


SMALL = (
    ("deepseek-4k.json", "litellm", "tokenizers/deepseek_tokenizer.json", first_of_tokenizer, HuggingFace),
    ("moonshine-4k.json", "useful-moonshine-onnx", "assets/tokenizer.json", first_of_tokenizer, HuggingFace),
    ("gpt2-4k.tiktoken", "openai-whisper", "assets/gpt2.tiktoken", first_of_ranks, RankFile),
    ("tekken-2k.json", "mistral-common", "data/tekken_240718.json", first_of_tekken, Tekken),
)


def entries(real, chance):
    ids = sorted(real.names)
    odd = [i for i in ids if i in real.special or "\ufffd" in real.token(i).decode(errors="replace")]
    lists = [[chance.choice(odd if chance.random() < 0.4 else ids) for _ in range(chance.randint(1, 16))] for _ in range(SEQUENCES)]
    for sequence in lists + [real.encode(text) for text in TEXTS]:
        for keep in (False, True):
            entry = {"ids": sequence, "keep": keep, "text": real.decode(sequence, keep)}
            ruled = by_rules(real, sequence, keep)
            if ruled != entry["text"]:
                modelled, why = real.model(sequence, keep)
                if modelled != entry["text"]:
                    raise SystemExit(f"{real.path}: {sequence}: library {entry['text']!r}, rules {ruled!r}")
                entry |= {"by_rules": ruled, "why": why}
            yield entry


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    lines = []
    for name, package, ending, cut, reader in SMALL:
        real = reader(cut(installed(package, ending), os.path.join(options.folder, name)))
        tokens = "".join(f"{i}\t{real.token(i).hex()}\t{int(i in real.special)}\n" for i in sorted(real.names))
        digest = hashlib.sha256(tokens.encode()).hexdigest()
        about = {"vocab": name, "library": real.library, "ids": len(real.names), "tokens_sha256": digest}
        decoded = list(entries(real, random.Random(f"{options.seed} {name}")))
        print(f"{name}: {len(real.names)} ids, {len(decoded)} texts, {sum('why' in e for e in decoded)} not as the rules say")
        lines += [about] + [{"vocab": name, **entry} for entry in decoded]
    with open(os.path.join(options.folder, "decoded.json"), "w", encoding="utf-8") as file:
        rows = ",\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
        file.write(f"[\n{rows}\n]\n")


if __name__ == "__main__":
    sys.exit(main())
