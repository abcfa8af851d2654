#!/usr/bin/env python3
"""Makes recordings of llama.cpp: the lanes that every peer is asked (peer.py), and what the engine does with them.

usage: record.py FOLDER   e.g. record.py corpus/recordings

The stop is always cut off, so the lanes that ask to keep it (include_stop_str_in_output) are asked without that member;
their recordings say so. Where the engine takes more tokens than a lane has, the lane is made longer by four words.
"""
import argparse
import datetime
import json
import os
from importlib.metadata import version

from adapter import Adapter, shipped_binary
from server import LlamaServer
import engine
import peer

COMMIT = "0c1e57098"  # of llama.cpp, which llama-cpp-python 0.3.36 ships (its CHANGELOG.md)
# of which engine, mode of the recordings -> mode of the adapter, and of the lanes
MODES = {
    ("llama-cpp-python", "text"): ("text", "text"),
    ("llama-cpp-python", "stream"): ("stream", "stream"),
    ("llama-cpp-python", "speculative"): ("stream", "stream"),
    ("llama-cpp-python", "server"): ("server", "stream"),
    ("llama-cpp-python", "requests"): ("stream", None),
    ("llama-server", "text"): ("llama-server-text", "text"),
    ("llama-server", "stream"): ("llama-server", "stream"),
    ("llama-server", "speculative"): ("llama-server", "stream"),
    ("llama-server", "batch"): ("llama-server", "batch"),
    ("llama-server", "requests"): ("llama-server", None),
}
# Cases of the corpus that ask what the engine has a member for; 0 is documented only by llama-server.
REQUESTS = ["R13-empty-stop", "R13-empty-bare-stop", "R13-stop-is-a-number", "R13-stop-in-the-list-is-a-number",
            "R13-max-tokens-with-a-fraction", "R13-max-tokens-is-text", "R7-max-tokens-zero"]
ROWS = 4
MORE = (" and", " so", " on", " again")


def cut(case):
    """The lane with the stop cut off."""
    request = {name: value for name, value in case["request"].items() if name != "include_stop_str_in_output"}
    return {**case, "request": request}


def longer(case):
    steps = [[{"id": 70000 + n, "text": text}] for n, text in enumerate(MORE)]
    return {**case, "what": f"{case['what']}; four words more", "steps": case["steps"] + steps}


def more(result):
    """Whether the engine wanted a token that the lane does not have."""
    return result.get("unsupported") == engine.OUT_OF_TOKENS or result.get("cause") == "open"


def corpus_cases(names):
    """Those cases of corpus/cases, without what is expected of them."""
    for rule in ("R13", "R7"):
        with open(os.path.join(peer.ROOT, "corpus", "cases", f"own-{rule}.jsonl"), encoding="utf-8") as file:
            cases = {case["case"]: case for case in map(json.loads, file)}
        for name in names:
            if name in cases:
                yield {member: value for member, value in cases[name].items() if member not in ("expect", "source")}


def chosen(name, mode, lanes):
    """The lanes of a mode: a third where another mode runs the same code, and all with min_tokens where it is known."""
    if mode == "requests":
        return list(corpus_cases(REQUESTS[:-1] if name == "llama-cpp-python" else REQUESTS))
    cases = [cut(case) for case in peer.lanes(lanes)]
    if mode == "speculative":
        return [peer.drafted(case) for case in cases[::3]]
    if mode == "server":
        return [case for n, case in enumerate(cases) if n % 3 == 1 or case["request"].get("min_tokens")]
    return cases


def pairs(adapter_mode, cases, binary):
    adapter = Adapter(adapter_mode, binary)
    try:
        for case in cases:
            result = adapter.answer(case)
            if more(result) and case["request"].get("max_tokens"):
                case = longer(case)
                result = adapter.answer(case)
            yield case, result
    finally:
        adapter.close()


def batches(binary):
    """Four requests that llama-server has at once. Each row's prompt is longer than that of the row before it."""
    server, lanes = LlamaServer(binary or shipped_binary()), [cut(case) for case in peer.lanes("batch")]
    for n in range(0, len(lanes), ROWS):
        rows = lanes[n:n + ROWS]
        results, prompts = server.batch(rows, prompts=True)
        if any(map(more, results)):
            rows = [longer(case) for case in rows]
            results, prompts = server.batch(rows, prompts=True)
        yield from (({**case, "prompt_tokens": count}, result) for case, result, count in zip(rows, results, prompts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--date", default=datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    parser.add_argument("--binary", help="llama-server; without it, the one beside the library of the Python package")
    options = parser.parse_args()
    release = version("llama-cpp-python")
    told = {"llama-cpp-python": f"llama-cpp-python {release} (with llama.cpp {COMMIT})",
            "llama-server": f"llama-server of llama.cpp {COMMIT} (shipped with llama-cpp-python {release})"}
    for (name, mode), (adapter_mode, lanes) in MODES.items():
        if mode == "batch":
            made = batches(options.binary)
        else:
            made = pairs(adapter_mode, chosen(name, mode, lanes), options.binary)
        file = f"llama-cpp-{release if name == 'llama-cpp-python' else COMMIT}-{mode}.jsonl"
        peer.record(os.path.join(options.folder, file), f"{told[name]}; gguf {version('gguf')}; {options.date}", made)


if __name__ == "__main__":
    main()
