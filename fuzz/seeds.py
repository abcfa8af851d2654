#!/usr/bin/env python3
"""Makes seeds out of the corpus: its cases, recordings and race orders as lines and, where the form of a harness can say
them, as that harness's inputs (encode.c); and its small vocabularies.

    seeds.py FOLDER     writes FOLDER/HARNESS
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 4000  # bytes: longer ones slow a fuzzer down and teach it nothing more
# What a make or a fuzzing service tells its compilers: this program is built as the command is.
OF_OTHERS = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "CC", "CXX", "CFLAGS", "CXXFLAGS", "SANITIZE", "FUZZER")


def seeds():
    """Pairs of a harness and an input."""
    for folder in ("cases", "findings", "recordings"):
        for file in sorted((ROOT / "corpus" / folder).glob("**/*.jsonl")):
            for line in file.read_bytes().splitlines(keepends=True):
                yield "json", line
    for file in sorted((ROOT / "corpus" / "cases" / "vocab").iterdir()):
        yield "vocab", file.read_bytes()
    yield "vocab", b"".join((ROOT / "corpus" / "vocab" / "gpt2-4k.tiktoken").read_bytes().splitlines(keepends=True)[:40])


def encode(folder):
    """The cases as inputs, by a program that reads what it wrote again."""
    environment = {n: v for n, v in os.environ.items() if n not in OF_OTHERS}
    command = ["make", "-s", "--no-print-directory", "-C", ROOT, "BUILD=build/replay", "build/replay/encode"]
    subprocess.run(command, check=True, env=environment)
    cases = sorted((ROOT / "corpus" / "cases").glob("*.jsonl"))
    subprocess.run([ROOT / "build" / "replay" / "encode", folder, *cases], check=True, stdout=subprocess.DEVNULL)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    count = 0
    for harness, data in seeds():
        if not 0 < len(data) <= LONGEST:
            continue
        folder = Path(sys.argv[1]) / harness
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
        count += 1
    if count == 0:
        sys.exit("seeds.py: expected cases in corpus, found none")
    encode(sys.argv[1])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
