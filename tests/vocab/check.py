#!/usr/bin/env python3
"""The loader against what the real libraries made of corpus/vocab (decoded.json), without those libraries.

    check.py [DUMP]              default build/vocab_dump
    check.py [DUMP] --self-test  changes one token in a copy of each vocabulary; each change must be found
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.path.join(ROOT, "corpus", "vocab")

# In each vocabulary one token that is made another.
PLANTED = {
    "deepseek-4k.json": ('"Ġthe":', '"Ġthf~":'),
    "moonshine-4k.json": ('"▁the":', '"▁▁the~":'),
    "gpt2-4k.tiktoken": ("IHRoZQ== ", "IHRoZg== "),
    "tekken-2k.json": ('"IHRoZQ=="', '"IHRoZn4="'),
}


def run(dump, path, *words, text=""):
    done = subprocess.run([dump, path, *words], input=text, text=True, capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"{path}: {done.stdout}{done.stderr}")
    return done.stdout.partition("\n")[2] if not words else done.stdout


def faults(dump, path, about, entries):
    """What of one vocabulary is not as it should be, a line each."""
    tokens = run(dump, path)
    digest = hashlib.sha256(tokens.encode()).hexdigest()
    if tokens.count("\n") != about["ids"] or digest != about["tokens_sha256"]:
        yield f"{path}: expected {about['ids']} tokens with the sum {about['tokens_sha256']}, found {digest}"
    for keep in (False, True):
        some = [entry for entry in entries if entry["keep"] == keep]
        lines = "".join(" ".join(map(str, entry["ids"])) + "\n" for entry in some)
        words = ["--decode", "--keep"] if keep else ["--decode"]
        for entry, line in zip(some, run(dump, path, *words, text=lines).splitlines(), strict=True):
            expected = entry.get("by_rules", entry["text"])
            found = bytes.fromhex(line).decode(errors="replace")
            if found != expected:
                yield f"{path}: {entry['ids']}: expected {expected!r}, found {found!r}"


def read_golden():
    with open(os.path.join(CORPUS, "decoded.json"), encoding="utf-8") as file:
        lines = json.load(file)
    for about in lines:
        if "ids" in about and "library" in about:
            yield about, [line for line in lines if line["vocab"] == about["vocab"] and "text" in line]


def check(dump):
    vocabularies = texts = wrong = 0
    for about, entries in read_golden():
        vocabularies += 1
        texts += len(entries)
        for fault in faults(dump, os.path.join(CORPUS, about["vocab"]), about, entries):
            wrong += 1
            print(fault)
    print(f"{vocabularies} vocabularies, {texts} texts, {wrong} not as the libraries have them")
    return wrong > 0 or vocabularies != len(PLANTED) or texts < 100


def self_test(dump):
    """The change must show both in the tokens and in a text."""
    missed = 0
    for about, entries in read_golden():
        with open(os.path.join(CORPUS, about["vocab"]), encoding="utf-8") as file:
            text = file.read()
        old, new = PLANTED[about["vocab"]]
        if text.count(old) != 1:
            raise SystemExit(f"{about['vocab']}: expected {old} once, found it {text.count(old)} times")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, about["vocab"])
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
            found = list(faults(dump, path, about, entries))
        if not any("sum" in fault for fault in found) or not any("found '" in fault for fault in found):
            missed += 1
            print(f"{about['vocab']}: {old} became {new}: expected it to be found in the tokens and in a text, found {found[:3]}")
    print(f"{len(PLANTED)} planted changes, {missed} missed")
    return missed > 0


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--self-test"]
    command = words[0] if words else os.path.join(ROOT, "build", "vocab_dump")
    sys.exit(self_test(command) if "--self-test" in sys.argv else check(command))
