#!/usr/bin/env python3
"""Makes recordings of the engine: the lanes that all engines are asked (peer.py), and what it does with them.

usage: record.py FOLDER   e.g. record.py corpus/recordings
"""
import argparse
import datetime
import os
from importlib.metadata import version

from adapter import Adapter  # which says where peer.py is

import peer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--date", default=datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    options = parser.parse_args()
    names = ", ".join(f"{name} {version(name)}" for name in ("sglang", "transformers", "tokenizers"))
    source = f"{names}; vocabulary of litellm {version('litellm')}; {options.date}"
    made = {"text": ("text", peer.lanes("text")), "stream": ("stream", peer.lanes("stream")),
            "speculative": ("stream", [peer.drafted(case) for case in peer.lanes("stream")])}
    for name, (mode, cases) in made.items():
        adapter = Adapter("shipped", mode)
        pairs = ((case, adapter.answer(case)) for case in cases)
        peer.record(os.path.join(options.folder, f"sglang-{version('sglang')}-{name}.jsonl"), source, pairs)


if __name__ == "__main__":
    main()
