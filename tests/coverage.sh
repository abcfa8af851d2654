#!/bin/sh
# coverage: runs the unit tests and requires that they reach every line and take every branch of src/core.
#
# Built without optimisation, so that a line is a line. There are no exceptions and no markers: a branch that no test can
# take does not belong into the core.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build/coverage}

make --no-print-directory BUILD="$build" OPT='-O0 -g' SANITIZE=--coverage "$build/unit" >/dev/null
find "$build" -name '*.gcda' -delete
"$build/unit" >"$build/unit.log" 2>&1 || { cat "$build/unit.log" >&2; exit 1; }
tail -n 1 "$build/unit.log"

for source in src/core/*.c; do
  gcov --branch-probabilities --branch-counts --json-format --stdout "$build/${source%.c}.gcda" 2>/dev/null || true
done | python3 -c '
import glob, json, sys

def share(counts):
    reached = sum(count > 0 for count in counts)
    percent = 100 * reached / len(counts) if counts else 100
    return f"{reached:5d} of {len(counts):<4d}{percent:6.1f} %"

lines = {f["file"]: f["lines"] for record in sys.stdin for f in json.loads(record)["files"]}
all_lines, all_branches, missed = [], [], []
print(f"{str():24}{str():10}lines{str():12}branches")
for name in sorted(glob.glob("src/core/*.c")):
    if name not in lines:
        missed.append(f"{name}: expected to be run by the unit tests, found no record")
        continue
    source = open(name, encoding="utf-8").read().splitlines()
    for line in lines[name]:
        number, branches = line["line_number"], line["branches"]
        at, text = f"{name}:{number}: expected", source[number - 1].strip()
        if line["count"] == 0:
            missed.append(f"{at} to be run, found never: {text}")
            continue
        for place, branch in enumerate(branches, 1):
            if branch["count"] == 0:
                missed.append(f"{at} branch {place} of {len(branches)} to be taken, found never: {text}")
    of_lines = [line["count"] for line in lines[name]]
    of_branches = [branch["count"] for line in lines[name] for branch in line["branches"]]
    print(f"{name:24}{share(of_lines)}  {share(of_branches)}")
    all_lines += of_lines
    all_branches += of_branches
print(f"{str():24}{share(all_lines)}  {share(all_branches)}")
if not all_lines or not all_branches:
    missed.append("expected lines and branches, found none")
for miss in missed:
    print(miss)
sys.exit(1 if missed else 0)
'
