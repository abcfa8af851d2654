#!/usr/bin/env python3
"""Follows every run of the library with Frama-C/Eva, all at once: no alarm may be left, and no statement unreached.

    eva.py             src/lib and the part of src/core that opens a stream, driven by proofs/eva
    eva.py --planted   shows that it bites: each fault of PLANTED, in a copy, must raise the alarm that stands there

Eva reads copies without our contracts: what it says rests on none of them. The lane's own files are left out, since WP
proves them and Eva cannot follow their counts; proofs/eva/lane.c stands for what lane.h promises."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import wp

LANE = "src/core/lane"
NOT_THE_LIBRARY = ("src/core/stopflag", "src/core/stopword", "src/core/batch")  # it has one lane, and no thread

# How fine Eva looks. Coarser, it raises alarms that are none; finer, it takes longer. Nothing here hides an alarm.
APART = "es_stream_open:0,open_stream:0,open_lane:0,es_lane_open:0,es_stops_compile_strings:0," \
        "es_stops_compile_sequences:0,check_sequence:0:2:4"  # fmt: skip
STATES = "snprintf:1000,list_sentence:1000,es_stream_lacks:1000,es_stream_may:1000,check_stops:1000," \
         "check_sequences:1000,use:0"  # fmt: skip
PRECISION = ["-eva-slevel", "60", "-eva-slevel-function", STATES, "-eva-auto-loop-unroll", "96", "-eva-ilevel", "32",
             "-eva-plevel", "100", "-eva-split-return", "auto", "-eva-split-return-function", APART,
             "-eva-interprocedural-splits", "-eva-equality-through-calls", "formals",
             "-eva-domains", "cvalue,equality,gauges,symbolic-locations"]  # fmt: skip
SPLITS = [  # file, line, what is written after it
    ("src/core/request.c", "es_refusal refusal = {fault, member, phase, index, false};",
     "//@ split fault;\n//@ split phase;"),
]

STRICT = ["-warn-unsigned-overflow", "-warn-unsigned-downcast", "-warn-signed-downcast", "-eva-no-print"]
# _Alignof is the one word of C11 here that Frama-C 25 does not know.
READ = ["-c11", "-machdep", "gcc_x86_64", "-cpp-extra-args=-Isrc/core -Isrc/lib -D_Alignof=__alignof__"]

# Of these functions of src/lib so many statements, as Frama-C counts them, are never reached.
UNREACHED = {
    "es_stream_lay": (6, "a size of 64 bits holds what bounds allow"),
    "open_stream": (3, "the same"),
    "es_stream_token": (1, "the end of a function whose branches all return"),
    "es_stream_sent": (1, "the same"),
}

# What is planted: file, what stands there once, what stands there then; where Eva is to begin; the alarm.
PLANTED = [
    ("src/lib/stream_request.c", "memcpy(text + place, stop->text, stop->length);",
     "memcpy(text + place, stop->text, stop->length + 1);", "strings", "memcpy"),
    ("src/lib/stream_request.c", "snprintf(refusal->message, sizeof refusal->message, \"%s: %s\"",
     "snprintf(refusal->message, sizeof *refusal, \"%s: %s\"", "plain", "out of bounds write"),
    ("src/lib/refusal.c", "member < ES_MEMBER_NONE ?", "member <= ES_MEMBER_NONE ?", "refused", "out of bounds index"),
    ("src/lib/refusal.c", "(int64_t)((uint64_t)request->max_period * request->min_repeats)",
     "(int64_t)(request->max_period * request->min_repeats)", "refused", "unsigned overflow"),
    ("src/lib/stream_request.c", "uint64_t total = 0;", "uint32_t total = 0;", "asked_all", "unsigned overflow"),
    ("src/lib/stream_request.c", "if (!request->stop[i].text && request->stop[i].length > 0) return true;", ";",
     "asked_texts", "out of bounds read"),
    ("src/lib/stream.c", "refusal->param[0] = refusal->message[0] = '\\0';", "refusal->message[0] = '\\0';", "plain",
     "accessing uninitialized"),
    ("src/lib/stream.c", "*s = (es_stream){0};", "", "plain", "accessing uninitialized"),
    ("src/lib/stream.c", "if (status == ES_OK && s->lane.end.cause == ES_CAUSE_EXTERNAL) s->end_reason",
     "if (status == ES_OK) s->end_reason", "plain", "out of bounds read"),
    ("src/lib/stream.c", "(!bytes && length > 0)", "(!bytes && length > 1)", "plain", "out of bounds read"),
    ("src/lib/stream_room.c", "counts[ES_PART_REPETITION_IDS] = counts[ES_PART_REPETITION_RUNS] = period;",
     "counts[ES_PART_REPETITION_IDS] = counts[ES_PART_REPETITION_RUNS] = period - 1;", "ids", "out of bounds write"),
    ("src/lib/stream.c", "s->shown_room = layout.counts[ES_PART_SHOWN];",
     "s->shown_room = (uint32_t)layout.size;", "plain", "out of bounds write"),
    ("src/lib/stream_room.c", "layout.size = layout.offsets[p] + elements[p].size * layout.counts[p];",
     "layout.size = layout.offsets[p] + layout.counts[p];", "ids", "out of bounds"),
]  # fmt: skip


def once(text, before, after, where):
    if text.count(before) != 1:
        raise wp.Broken(f"{where}: `{before}` stands there {text.count(before)} times, not once")
    return text.replace(before, after)


def plain(code):
    """Code without our annotations, on the same lines."""
    code = re.sub(r"#ifdef __FRAMAC__\n.*?#endif\n", lambda found: "\n" * found.group(0).count("\n"), code, flags=re.S)
    code = re.sub(r"/\*@.*?\*/", lambda found: "\n" * found.group(0).count("\n"), code, flags=re.S)
    return re.sub(r"//@[^\n]*", "", code)


def copied(name, planted=None):
    """A tree for Eva; its C files."""
    root = wp.WORK / "eva" / name
    shutil.rmtree(root, ignore_errors=True)
    sources = []
    for folder in ("src/core", "src/lib", "proofs/eva"):
        for path in sorted((wp.ROOT / folder).glob("*.[ch]")):
            source = str(path.relative_to(wp.ROOT))
            text = path.read_text(encoding="utf-8")
            if planted and planted[0] == source:
                text = once(text, planted[1], planted[2], source)
            if folder != "proofs/eva":
                text = plain(text)
            for file, line, hint in SPLITS:
                if file == source:
                    text = once(text, line, f"{line}\n{hint}", file)
            (root / source).parent.mkdir(parents=True, exist_ok=True)
            (root / source).write_text(text, encoding="utf-8")
            if path.suffix == ".c" and not source.startswith((LANE, *NOT_THE_LIBRARY)):
                sources.append(source)
    return root, sources


def follow(name, begin, planted=None):
    """What Eva prints of all runs from function `begin` on."""
    root, sources = copied(name, planted)
    command = ["frama-c", *READ, *sources, "-main", begin, "-eva", *PRECISION, *STRICT, "-metrics-eva-cover"]
    here = {**os.environ, "PWD": str(root)}
    done = subprocess.run(command, cwd=root, env=here, capture_output=True, text=True, encoding="utf-8")
    log = wp.WORK / "eva" / f"{name}.log"
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode != 0 or "[eva] done for function" not in done.stdout:
        raise wp.Broken(f"frama-c ended with status {done.returncode}: see {log.relative_to(wp.ROOT)}")
    return done.stdout


def alarms(text):
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("[eva:alarm]"):
            rest = [more.strip() for more in lines[number + 1 : number + 3] if more.startswith("  ")]
            yield " ".join([line.removeprefix("[eva:alarm] "), *rest])


def defined(folder):
    """Functions that the files of a folder define."""
    head = re.compile(r"^[a-z][\w\s*]*?\b(\w+)\([^;{]*?\)\s*\{$", re.M | re.S)
    texts = [plain(path.read_text(encoding="utf-8")) for path in (wp.ROOT / folder).glob("*.c")]
    return {name for text in texts for name in head.findall(text)}


def faults_of(text):
    faults = list(alarms(text))
    counted = re.search(r"(\d+) alarms? generated by the analysis", text)
    if not counted or int(counted.group(1)) != len(faults):
        faults.append(f"Eva counts {counted.group(1) if counted else 'no'} alarms")
    if not re.search(r"Preconditions +\d+ valid +0 unknown +0 invalid", text):
        faults.append("a precondition of the C library is not shown to hold")
    for line in re.findall(r".*(?:Neither code nor|no code|missing).*", text):
        faults.append(f"not followed: {line.strip()}")
    for name in re.findall(r"using specification for function (\w+)", text):
        faults.append(f"{name}: it has no body here, and is taken to do what Frama-C says of it")
    reached = {}
    for name, done, of in re.findall(r"^  (\w+?)(?:_\d+)?: (\d+) stmts out of (\d+)", text, re.M):
        reached.setdefault(name, []).append(int(of) - int(done))
    for name in sorted(defined("src/lib")):
        left = max(reached.get(name, [0]))
        if name not in reached:
            faults.append(f"{name}: not reached")
        elif left != UNREACHED.get(name, (0,))[0]:
            faults.append(f"{name}: {left} statements not reached, expected {UNREACHED.get(name, (0,))[0]}")
    return faults, len(reached)


def check():
    begun = time.monotonic()
    text = follow("all", "main")
    faults, functions = faults_of(text)
    print("".join(f"FAILED: {fault}\n" for fault in faults), end="")
    print(f"{functions} functions, {len(defined('src/lib'))} of them all of src/lib; "
          f"{len(list(alarms(text)))} alarms, {time.monotonic() - begun:.0f} s")  # fmt: skip
    return bool(faults)


def find(number):
    """What Eva says of one planted fault, and whether that is right."""
    begin, wanted = PLANTED[number][3:]
    try:
        found = [alarm for alarm in alarms(follow(f"planted{number}", begin, PLANTED[number])) if wanted in alarm]
    except wp.Broken as broken:
        return f"FAILED: {broken}", False
    return (f"found: {found[0]}", True) if found else (f"NOT FOUND: {wanted}", False)


def plant(workers):
    failed = False
    with ThreadPoolExecutor(workers) as pool:
        for (source, before, after, *_), (says, right) in zip(PLANTED, pool.map(find, range(len(PLANTED)))):
            print(f"{source}: `{before}` as `{after}`: {says}", flush=True)
            failed |= not right
    print(f"{len(PLANTED)} faults planted")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    (wp.WORK / "eva").mkdir(parents=True, exist_ok=True)
    try:
        sys.exit(plant(asked.jobs) if asked.planted else check())
    except wp.Broken as broken:
        sys.exit(f"FAILED: {broken}")


if __name__ == "__main__":
    main()
