#!/usr/bin/env python3
"""Plants faults in copies of src/lib, one at a time: the unit tests of the stream must find each. Needs build/unit."""

import glob
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# File, a text that occurs once in it, what it is replaced by.
PLANTED = (
    ("stream_room.c", "+ longest_stop + 3", "+ longest_stop"),
    ("stream_room.c", "least(bytes, bounds->all_stop_bytes)", "bytes"),
    ("stream_room.c", "counts[ES_PART_STARTS] = longest;", "counts[ES_PART_STARTS] = longest - 1;"),
    ("stream_request.c", "if (index > 0) at.index = index;", ""),
    ("stream_request.c", "memcpy(text + place, stop->text, stop->length);", "copy->text = (const uint8_t *)stop->text;"),
    ("stream_request.c", "numbers.prompt_tokens = request->prompt_tokens;", ""),
    ("stream.c", "if (s->lane.boundary == 0) es_lane_boundary", "if (0) es_lane_boundary"),
    ("stream.c", "s->now = event->now;", ""),
    ("stream.c", "listed ? terminal.stop_index : ES_STREAM_NONE", "terminal.stop_index"),
    ("stream.c", "size < layout.size ", "size + 1 < layout.size "),
    ("cause.c", '"timeout"', '"stop"'),
    ("refusal.c", "ids[i] < bounds->vocabulary", "ids[i] <= bounds->vocabulary"),
)


def objects(planted):
    """All that the unit tests are made of, but for the file that a fault is planted in."""
    for folder in ("tests", "src/core", "src/lib", "src/oracle", "src/vocab", "src/json"):
        for source in sorted(glob.glob(os.path.join(ROOT, folder, "*.c*"))):
            name = os.path.splitext(os.path.relpath(source, ROOT))[0]
            if name != planted:
                yield os.path.join(ROOT, "build", name + ".o")


def is_found(folder, file, search, replace):
    """Whether the tests find the fault."""
    with open(os.path.join(ROOT, "src/lib", file), encoding="utf-8") as source:
        text = source.read()
    if text.count(search) != 1:
        sys.exit(f"{file}: expected {search!r} once, found it {text.count(search)} times")
    copy, unit = os.path.join(folder, file), os.path.join(folder, "unit")
    with open(copy, "w", encoding="utf-8") as source:
        source.write(text.replace(search, replace))
    lib = [f"-iquote{os.path.join(ROOT, path)}" for path in ("src/core", "src/lib")]
    subprocess.run(["gcc", "-std=c11", "-w", *lib, "-c", copy, "-o", copy + ".o"], check=True)
    check = subprocess.run(["pkg-config", "--libs", "check"], check=True, capture_output=True, text=True).stdout.split()
    parts = [*objects(os.path.join("src/lib", file[:-2])), copy + ".o"]
    subprocess.run(["g++", "-o", unit, *parts, "-lsimdjson", *check], check=True)
    environment = {**os.environ, "CK_RUN_SUITE": "stream", "CK_VERBOSITY": "minimal"}
    done = subprocess.run([unit], cwd=ROOT, env=environment, capture_output=True, timeout=300)
    return done.returncode != 0


def main():
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for file, search, replace in PLANTED:
            if not is_found(folder, file, search, replace):
                print(f"{file}: the planted {replace!r} was not found")
                missed += 1
    print(f"{len(PLANTED) - missed} of {len(PLANTED)} planted faults found")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
