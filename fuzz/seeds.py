#!/usr/bin/env python3
"""Makes seeds for the harnesses that read files: each case, recording and race order of the corpus, and its small
vocabularies.

    seeds.py FOLDER     writes FOLDER/json and FOLDER/vocab
"""

import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 4000  # bytes: longer ones slow a fuzzer down and teach it nothing more


def seeds():
    """Pairs of a harness and an input."""
    for folder in ("cases", "findings", "recordings"):
        for file in sorted((ROOT / "corpus" / folder).glob("**/*.jsonl")):
            for line in file.read_bytes().splitlines(keepends=True):
                yield "json", line
    for file in sorted((ROOT / "corpus" / "cases" / "vocab").iterdir()):
        yield "vocab", file.read_bytes()
    yield "vocab", b"".join((ROOT / "corpus" / "vocab" / "gpt2-4k.tiktoken").read_bytes().splitlines(keepends=True)[:40])


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


if __name__ == "__main__":
    main()
