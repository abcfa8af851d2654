#!/usr/bin/env python3
"""Makes recordings of the engine: lanes that it samples (lanes.py, kinds.py), and what it does with them (adapter.py).

usage: record.py FOLDER [PACKAGES ...]   e.g. record.py corpus/recordings build/transformers-4.57.6

The lanes come from the engine of this environment. The same lanes are recorded with it, and with each folder of
PACKAGES laid over it.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import random
import subprocess
import sys
from importlib.metadata import version

from engine import Engine, Vocabulary, settings_of  # which says where byte_level.py is
from byte_level import shipped_vocabulary
from kinds import BATCHES, EOS, KINDS, ROWS, choose, part
from lanes import Lane

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = "from importlib.metadata import version as v; print(*(n + ' ' + v(n) for n in ('transformers', 'tokenizers', 'torch')), sep=', ')"
MODES = {"text": ["--mode", "text"], "stream": ["--mode", "stream"], "batch": ["--mode", "text", "--batch", str(ROWS)]}


def steps_of(lane):
    steps = []
    for id, text, special in lane.tokens:
        try:
            token = {"id": id, "text": text.decode()}
        except UnicodeDecodeError:
            token = {"id": id, "hex": text.hex()}
        steps.append([{**token, "special": True} if special else token])
    return steps


def case_of(name, kind, lane, request, include, prompt_tokens, how):
    if include and (request.get("stop") or request.get("stop_token_ids") or request.get("eos_token_ids")):
        request = {**request, "include_stop_str_in_output": True}
    chosen = "sampled" if lane.sampled else "greedy"
    return {"case": name, "kind": kind, "what": f"{kind}; {lane.theme}; {how}; {chosen}, seed {lane.seed}",
            "request": {"max_tokens": len(lane.ids), **request}, "prompt_tokens": prompt_tokens, "steps": steps_of(lane)}


def single_lanes(engine, vocabulary, draw, mode, prompt_tokens):
    """The (lane, case) of a mode in which each lane runs alone."""
    made = []
    for name, (kind, count, needs) in KINDS.items():
        for n in range(count):
            request = None
            for _ in range(60):
                lane = Lane(engine, vocabulary, draw, **needs)
                request = kind(lane, draw)
                if request:
                    break
            else:
                sys.exit(f"record.py: {name}: none of 60 lanes has such a place")
            request = {member: value for member, value in request.items() if value != []}
            how = "streamed" if mode == "stream" else "not streamed"
            made.append((lane, case_of(f"{mode}-{name}-{n + 1:02}", name, lane, request, n % 2, prompt_tokens, how)))
    return made


def batch_lanes(engine, vocabulary, draw, prompt_tokens):
    """Rows that run together, with stops cut out of two of them; every other batch has end tokens as well."""
    made = []
    for n in range(BATCHES):
        needs, count = {"special": (EOS,), "often": 0.05} if n % 2 else {}, draw.randint(12, 22)
        stops = []
        while len(stops) < 2:
            lanes = [Lane(engine, vocabulary, draw, count=count, **needs) for _ in range(ROWS)]
            stops = [part(lane, piece) for lane in lanes[:2] if (piece := choose(lane, draw))]
        request = {"stop": stops, **({"eos_token_ids": [EOS]} if n % 2 else {})}
        made += [(lane, case_of(f"batch-{n + 1}-row-{row + 1}", "batch", lane, request, n // 2 % 2, prompt_tokens,
                                f"row {row + 1} of a batch of {ROWS}")) for row, lane in enumerate(lanes)]
    return made


def run_adapter(packages, mode, cases):
    """What the adapter answers to the cases, in a process with `packages` laid over the environment."""
    environment = {**os.environ, "PYTHONPATH": packages}
    versions = subprocess.run([sys.executable, "-c", VERSIONS], env=environment, check=True, capture_output=True, text=True)
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    ran = subprocess.run([sys.executable, os.path.join(HERE, "adapter.py"), *MODES[mode]], env=environment, input=lines,
                         check=True, stdout=subprocess.PIPE, text=True)
    return versions.stdout.strip(), [json.loads(line) for line in ran.stdout.splitlines()]


def check_sampling(engine, vocabulary, lanes, results):
    """That dictated tokens and sampled ones end alike: samples every third again, with the stops, and compares."""
    compared = 0
    for (lane, case), result in list(zip(lanes, results))[::3]:
        request = case["request"]
        if "min_tokens" in request and "eos_token_ids" in request:
            continue  # forbidding the end token at first changes what is sampled
        settings = {**settings_of(request), "max_new_tokens": request["max_tokens"]}
        ids = lane.again(engine, vocabulary, settings)
        if ids != result["token_ids"]:
            sys.exit(f"record.py: {case['case']}: sampling gives ids {ids}, dictating {result['token_ids']}")
        compared += 1
    return compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--date", default=datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    options = parser.parse_args()
    draw = random.Random(options.seed)
    engine, vocabulary = Engine(), Vocabulary.from_file(shipped_vocabulary())
    prompt_tokens = engine.prompt(vocabulary).shape[1]
    lanes = {mode: single_lanes(engine, vocabulary, draw, mode, prompt_tokens) for mode in ("text", "stream")}
    lanes["batch"] = batch_lanes(engine, vocabulary, draw, prompt_tokens)
    print(f"record.py: seed {options.seed}, {sum(map(len, lanes.values()))} lanes", flush=True)
    jobs = [(packages, mode) for packages in ("", *map(os.path.abspath, options.packages)) for mode in MODES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        ran = list(pool.map(lambda job: run_adapter(*job, [case for _, case in lanes[job[1]]]), jobs))
    for (packages, mode), (versions, results) in zip(jobs, ran):
        source = f"{versions}; vocabulary of litellm {version('litellm')}; {options.date}"
        release = versions.split(",")[0].replace(" ", "-")
        path = os.path.join(options.folder, f"{release}-{mode}.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for (_, case), result in zip(lanes[mode], results, strict=True):
                if result.pop("case") != case["case"] or "unsupported" in result:
                    sys.exit(f"record.py: {case['case']}: {result}")
                line = {"case": case["case"], "source": source, **case, "result": result}
                file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        print(f"record.py: {path}: {len(results)} recordings", flush=True)
        if packages == "" and mode != "batch":
            again = check_sampling(engine, vocabulary, lanes[mode], results)
            print(f"record.py: {again} of them sampled again, with the stops: same ids", flush=True)


if __name__ == "__main__":
    main()
