#!/usr/bin/env python3
"""Vocabularies that packages ship: every token, and texts of many ids, against the real libraries.

    compare.py DUMP TABLE [--seed N]   writes the table; needs what requirements.txt names (make record-vocab)
    compare.py DUMP --self-test        changes one byte of what the loader says; each change must be found
"""

import argparse
import importlib.metadata
import json
import os
import random
import subprocess
import sys
import tempfile

from made import MADE
from sources import SHIPPED, TEXTS, HuggingFace, by_rules, open_shipped

SEQUENCES = 1000
HEAD = "vocabulary\tpackage\tlibrary\tids\tother tokens\tsequences\ttexts\tother texts\twhy\tunexplained\n"


def run(dump, path, *words, lines=()):
    done = subprocess.run([dump, path, *words], input="".join(line + "\n" for line in lines), text=True, capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"{path}: {done.stdout}{done.stderr}")
    return done.stdout.split("\n")[:-1]


def read_tokens(dump, path):
    """{id: (bytes, special)}"""
    rows = [line.split("\t") for line in run(dump, path)[1:]]
    return {int(i): (bytes.fromhex(data), special == "1") for i, data, special in rows}


def sequences(real, chance):
    """Lists of ids: mixed from special tokens, parts of characters, tokens that begin with a space, and all."""
    ids = sorted(real.names)
    pools = [
        [i for i in ids if i in real.special],
        [i for i in ids if is_part(real.token(i))],
        [i for i in ids if real.token(i).startswith(b" ")],
    ]
    pools = [pool for pool in pools if pool] + [ids]
    for _ in range(SEQUENCES):
        some = chance.sample(pools, chance.randint(1, len(pools)))
        yield [chance.choice(chance.choice(some)) for _ in range(chance.randint(1, 24))]


def is_part(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def compare_tokens(real, tokens):
    """Ids whose bytes or speciality differ; also those that only one side has."""
    wrong = []
    for i in sorted(set(real.names) | set(tokens)):
        if i not in real.names or i not in tokens or tokens[i] != (real.token(i), i in real.special):
            wrong.append(i)
    return wrong


def compare_texts(real, lists, ours, keep):
    """How often the library's text differs from the loader's, the reasons, and what is not explained: a text of the
    loader that is not what the rules say, or one of the library for another reason than known."""
    differ, reasons, unexplained = 0, set(), []
    for ids, text in zip(lists, ours, strict=True):
        theirs = real.decode(ids, keep)
        differ += theirs != text
        modelled, why = (text, None) if theirs == text else real.model(ids, keep)
        reasons.add(why)
        if text != by_rules(real, ids, keep) or modelled != theirs:
            unexplained.append((ids, theirs, text))
    return differ, reasons - {None}, unexplained


def decode(dump, real, lists, keep):
    lines = [" ".join(map(str, ids)) for ids in lists]
    words = ["--decode", "--keep"] if keep else ["--decode"]
    return [bytes.fromhex(line).decode(errors="replace") for line in run(dump, real.path, *words, lines=lines)]


def compare(dump, name, package, real, seed):
    tokens = read_tokens(dump, real.path)
    wrong = compare_tokens(real, tokens)
    lists = list(sequences(real, random.Random(f"{seed} {name}")))
    texts = [real.encode(text) for text in TEXTS]
    differ, reasons, unexplained = 0, set(), []
    for keep in (False, True):
        found = compare_texts(real, lists + texts, decode(dump, real, lists + texts, keep), keep)
        differ += found[0]
        reasons |= found[1]
        unexplained += found[2]
    for ids, theirs, ours in unexplained[:3]:
        print(f"{name}: {ids}\n  library {theirs!r}\n  loader  {ours!r}", file=sys.stderr)
    if wrong:
        i = wrong[0]
        theirs = real.token(i) if i in real.names else None
        print(f"{name}: id {i}: library {theirs} {i in real.special}, loader {tokens.get(i)}", file=sys.stderr)
    version = importlib.metadata.version(package)
    row = (name, f"{package} {version}", real.library, len(real.names), len(wrong), 2 * len(lists), 2 * len(texts),
           differ, "; ".join(sorted(reasons)) or "-", len(unexplained))
    return row, bool(wrong or unexplained)


def compare_made(dump, folder):
    """The small tokenizers: each differs from the library where made.py says so, and nowhere else."""
    wrong = texts = differ = 0
    for about, made, lists, differs in MADE:
        path = os.path.join(folder, "made.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made, file)
        real = HuggingFace(path)
        for keep in (False, True):
            ours = decode(dump, real, lists, keep)
            theirs = [real.decode(ids, keep) for ids in lists]
            texts += len(lists)
            differ += sum(a != b for a, b in zip(ours, theirs, strict=True))
            if (ours != theirs) != differs:
                print(f"made: {about}: library {theirs}, loader {ours}", file=sys.stderr)
                wrong += 1
    row = (f"{len(MADE)} made ones", "made.py", HuggingFace.library, "-", "-", texts, 0, differ, "made.py names each", wrong)
    return row, wrong > 0


def self_test(dump, folder, chosen, seed):
    """A wrong byte, a wrong flag and a byte too many in one token of each vocabulary, and one in a text."""
    missed = 0
    for entry in chosen:
        real = open_shipped(*entry, folder)
        tokens = read_tokens(dump, real.path)
        chance = random.Random(f"{seed} {entry[0]}")
        i = chance.choice([i for i in tokens if tokens[i][0]])
        data, special = tokens[i]
        for planted in ((bytes([data[0] ^ 1]) + data[1:], special), (data, not special), (data + b" ", special)):
            missed += compare_tokens(real, {**tokens, i: planted}) != [i]
        lists = list(sequences(real, chance))
        texts = decode(dump, real, lists, True)
        texts[7] += "x"
        missed += [found[0] for found in compare_texts(real, lists, texts, True)[2]] != [lists[7]]
    print(f"{4 * len(chosen)} planted changes, {missed} missed")
    return missed > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dump")
    parser.add_argument("table", nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        if options.self_test:
            return self_test(options.dump, folder, SHIPPED, options.seed)
        rows, bad = [], False
        for entry in SHIPPED:
            row, wrong = compare(options.dump, entry[0], entry[1], open_shipped(*entry, folder), options.seed)
            print("\t".join(map(str, row)), flush=True)
            rows.append(row)
            bad |= wrong
        row, wrong = compare_made(options.dump, folder)
        print("\t".join(map(str, row)))
        rows.append(row)
        bad |= wrong
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join("\t".join(map(str, row)) + "\n" for row in rows))
    return bad


if __name__ == "__main__":
    sys.exit(main())
