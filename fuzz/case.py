#!/usr/bin/env python3
"""Makes of what a campaign found a case that stays. The input is made small, as long as it breaks the same law. Where it
is a case, or lines, these are printed with the slow model's answer as `expect`, for a person to check against spec/rules.md
and put into corpus/cases; else, and where no line can say it, the input is kept in corpus/fuzz, which every run replays.

    case.py FILE     build/fuzz/found/NAME-…; the name of the harness is the first word of its name

Exit status: 0 a case was made, 2 not: the file breaks nothing, or cannot be read.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import ROOT, CannotRun, command, finder, leave, run

OF_CASES = ("lane", "split", "overlap")  # their inputs are cases; build/replay/print-NAME prints these
PATIENCE = 60  # seconds of making small


def law_of(harness, path, root):
    """What an input breaks."""
    status, said = run(harness.name, command(harness, str(path), root=root))
    return said.what() if status else None


def make_small(harness, path, law, folder, root):
    """The smallest input found that breaks the same law."""
    small = folder / f"{harness.name}-small"
    more = ["-minimize_crash=1", f"-max_total_time={PATIENCE}", "-runs=20000", f"-exact_artifact_path={small}", str(path)]
    run(harness.name, command(harness, *more, root=root), PATIENCE * 10)
    if small.is_file() and small.stat().st_size and law_of(harness, small, root) == law:
        return small.read_bytes()
    return path.read_bytes()


def lines_of(harness, path, root):
    """The input as lines of spec/formats.md, as far as it is one."""
    if harness.name == "json":
        said = path.read_bytes().splitlines()
    else:
        call = [root / "build" / "replay" / f"print-{harness.name}", path]
        done = subprocess.run(call, capture_output=True, check=False)
        sys.stderr.write(done.stderr.decode(errors="replace"))
        said = done.stdout.splitlines()
    for line in said:
        try:
            read = json.loads(line)
        except ValueError:
            continue
        if isinstance(read, dict) and "case" in read:
            yield read


def answer(case, root, *more):
    """What the command answers, or None where it takes the line for a bad one."""
    line = json.dumps(case, ensure_ascii=False).encode("utf-8", "surrogatepass")
    call = [root / "build" / "endstop", "run", *more]
    done = subprocess.run(call, input=line, capture_output=True, check=False)
    try:
        said = json.loads(done.stdout)
    except ValueError:
        return None
    said.pop("case", None)
    return said


def readable(case):
    """Tokens as text where they are UTF-8, as people write them."""
    for step in case.get("steps") or []:
        for token in step:
            try:
                text = bytes.fromhex(token["hex"]).decode()
            except (KeyError, ValueError, TypeError):
                continue
            del token["hex"]
            token["text"] = text


def with_answer(case, name, law, root):
    """The case as it may stand in the corpus, and whether the reference answers otherwise; or None."""
    readable(case)
    case.pop("expect", None)
    case["case"] = name
    expected = answer(case, root, "--matcher", "model")
    if expected is None:
        return None
    made = {"case": name, "kind": "fuzz", "what": f"Found by fuzzing: {law}. CHECK: `expect` is what the slow model says."}
    made.update((member, value) for member, value in case.items() if member not in made)
    made["expect"] = expected
    return made, answer(case, root) != expected


def stable_name(law, data):
    words = re.sub(r"[^a-z0-9]+", "-", law.lower()).strip("-")[:40].strip("-")
    return f"{words}-{hashlib.sha1(data).hexdigest()[:8]}"


def keep(harness, data, law, root):
    folder = root / "corpus" / "fuzz" / harness.name
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"found-{stable_name(law, data)}"
    kept.write_bytes(data)
    return kept.relative_to(root)


def make(path, root=ROOT):
    """Lines to print, and notes for a person."""
    path = Path(path)
    harness = finder(path, root)
    law = law_of(harness, path, root)
    if law is None:
        raise CannotRun(f"{path}: breaks nothing in {harness.name} as it is built now")
    with tempfile.TemporaryDirectory(prefix="case-") as folder:
        data = make_small(harness, path, law, Path(folder), root)
        small = Path(folder) / "input"
        small.write_bytes(data)
        notes = [f"{harness.name}: {law}", f"made small: {path.stat().st_size} bytes, now {len(data)}"]
        cases = list(lines_of(harness, small, root)) if harness.name in (*OF_CASES, "json") else []
    named = (with_answer(case, f"fuzz-{harness.name}-{stable_name(law, data)}-{i + 1}", law, root) for i, case in enumerate(cases))
    made = [case for case in named if case]
    if not any(differs for _, differs in made):
        kept = keep(harness, data, law, root)
        notes.append(f"the command's reference and model answer no line of it differently; kept {kept}" if made else f"kept {kept}")
    return [json.dumps(case, ensure_ascii=False) for case, _ in made], notes


def main():
    if len(sys.argv) != 2:
        raise CannotRun("FILE: expected one file")
    lines, notes = make(sys.argv[1])
    print("\n".join(notes), file=sys.stderr)
    for line in lines:
        print(line)
    if lines:
        print("check `expect` by hand, then put the line into corpus/cases and name it in rules.tsv", file=sys.stderr)
    return 0


if __name__ == "__main__":
    leave(main)
