#!/usr/bin/env python3
"""Proves the core with Frama-C/WP as proofs/modules.tsv says, and shows that the proof bites.

frama-c exits 0 with goals unproved, so its JSON report is read: a module counts as proved only if the report is new,
has at least the goals that the table expects, and every one is valid. With --negative each fault of
proofs/negative.tsv is planted in a copy, and a goal of the function it sits in must stay unproved.

    prove.py [--negative] [--timeout SECONDS] [WORD…]     only the files whose path contains a WORD
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "proofs"

CVC5_DRIVER = """prelude ";; cvc5 1.0.x, after the stock cvc4_17 driver"
prelude "(set-logic ALL)"
unknown "^(error \\"Can't get-info :reason-unknown when the last result wasn't unknown!\\")$" "(not unknown!)"
import "{data}/drivers/cvc4_16.gen"
theory BuiltIn
  meta "supports_smt_get_info_unknown_reason" ""
end
"""

CVC5_PROVER = """
[prover]
name = "CVC5"
version = "{version}"
shortcut = "cvc5"
command = "cvc5 --tlimit=%t000 --lang=smt2 %f"
command_steps = "cvc5 --rlimit=%S --lang=smt2 %f"
driver = "{driver}"
editor = ""
in_place = false
interactive = false
"""


def configure_why3():
    """Why3 1.5.1 does not detect cvc5 by itself: its configuration is written here."""
    WORK.mkdir(parents=True, exist_ok=True)
    config = WORK / "why3.conf"
    os.environ["WHY3CONFIG"] = str(config)
    data = subprocess.run(["why3", "--print-datadir"], check=True, capture_output=True, text=True).stdout.strip()
    config.write_text("[main]\nmagic = 14\nmemlimit = 2000\nrunning_provers_max = 2\ntimelimit = 10\n\n")
    subprocess.run(["why3", "config", "detect"], check=True, capture_output=True)
    if shutil.which("cvc5"):
        said = subprocess.run(["cvc5", "--version"], capture_output=True, text=True).stdout
        version = re.search(r"version (\S+)", said).group(1)
        driver = WORK / "cvc5_wp.drv"
        driver.write_text(CVC5_DRIVER.format(data=data))
        with config.open("a") as out:
            out.write(CVC5_PROVER.format(version=version, driver=driver))


def frama_c(name, source, options, timeout, root=ROOT):
    """Runs WP on one file; its report, or what went wrong."""
    report = WORK / f"{name}.json"
    report.unlink(missing_ok=True)
    command = [
        "frama-c", "-c11", "-cpp-extra-args=-Isrc/core -Ispec", "-kernel-warn-key", "annot-error=abort",
        "-wp", "-wp-rte", "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-warn-signed-downcast",
        "-wp-par", "2", "-wp-timeout", str(timeout), "-wp-cache", "none", "-wp-report-json", str(report), *options,
        source,
    ]  # fmt: skip
    here = {**os.environ, "PWD": str(root)}  # frama-c takes a relative path from PWD, whatever the folder it runs in
    done = subprocess.run(command, cwd=root, env=here, capture_output=True, text=True, encoding="utf-8")
    (WORK / f"{name}.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode != 0:
        return None, f"frama-c ended with status {done.returncode}: see build/proofs/{name}.log"
    if not report.exists():
        return None, "frama-c wrote no report"
    return json.loads(report.read_text(encoding="utf-8")), None


def tally(report):
    main = report["wp:global"]["wp:main"]
    return main.get("valid", 0), main.get("total", 0)


def unproved(report):
    """The goals that are not valid, as `function goal`."""
    names = []
    for section in ("wp:functions", "wp:axiomatics"):
        for function, goals in report.get(section, {}).items():
            for goal, value in goals.items():
                if goal == "wp:section" or not isinstance(value, dict):
                    continue
                main = value.get("wp:main", {})
                if main.get("valid", 0) != main.get("total", 0):
                    names.append(f"{function} {goal}")
    return names


def rows(name, columns=4):
    for line in (ROOT / "proofs" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield (line + "\t" * columns).split("\t")[:columns]


PROVERS = ("cvc4", "z3", "cvc5")
FALSE_GOALS = 6  # in false.c


def believes_anything():
    """Whether a prover calls a false goal valid, or was not asked."""
    wrong = False
    for prover in PROVERS:
        report, fault = frama_c(f"false-{prover}", "proofs/false.c", ["-wp-prover", prover], 2)
        left = [] if fault else unproved(report)
        if fault or len(left) < FALSE_GOALS:
            print(f"{prover}: FAILED: {fault or 'it proves goals of proofs/false.c: ' + ', '.join(left) + ' are left'}")
            wrong = True
    if not wrong:
        print(f"{FALSE_GOALS} false goals, none of which {' or '.join(PROVERS)} proves")
    return wrong


def assumptions():
    """Axioms and admitted clauses: there may be none. `axiomatic` only groups uninterpreted functions."""
    found = []
    for path in [*(ROOT / "spec").glob("*.acsl.h"), *(ROOT / "src" / "core").glob("*.[ch]")]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            prose = line.lstrip().startswith("* ")
            if not prose and re.search(r"\baxiom\s+\w+\s*(\{.*\})?\s*:|\badmit\b", line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    return found


def prove(words, timeout):
    failed = believes_anything()
    files = 0
    print(f"{'file':22} {'asked':9} {'valid':>5} {'goals':>6} {'time':>6}")
    for source, what, fewest, options in rows("modules.tsv"):
        if words and not any(word in source for word in words):
            continue
        files += 1
        begun = time.monotonic()
        provers = ",".join(PROVERS) if what == "proved" else "none"
        name = f"{Path(source).stem}-{what}"
        report, wrong = frama_c(name, source, ["-wp-prover", provers, *options.split()], timeout)
        spent = time.monotonic() - begun
        if wrong:
            print(f"{source:22} {what:9} FAILED: {wrong}")
            failed = True
            continue
        valid, total = tally(report)
        print(f"{source:22} {what:9} {valid:5} {total:6} {spent:5.0f}s", flush=True)
        if total < int(fewest):
            print(f"  FAILED: {total} goals, at least {fewest} were expected")
            failed = True
        if what == "proved" and valid != total:
            print("  UNPROVED: " + "\n            ".join(unproved(report)))
            failed = True
    for line in assumptions():
        print("ASSUMED: " + line)
        failed = True
    return failed or files == 0


def negative(words, timeout):
    failed = False
    planted = 0
    sound = {}
    for source, function, before, after, split in rows("negative.tsv", 5):
        if words and not any(word in source for word in words):
            continue
        copy = WORK / "planted"
        shutil.rmtree(copy, ignore_errors=True)
        for folder in ("src/core", "spec"):
            shutil.copytree(ROOT / folder, copy / folder)
        text = (copy / source).read_text(encoding="utf-8")
        if text.count(before) < 1:
            print(f"{source}: {function}: FAILED: `{before}` is not there to be changed")
            failed = True
            continue
        (copy / source).write_text(text.replace(before, after, 1), encoding="utf-8")
        options = ["-wp-prover", ",".join(PROVERS), "-wp-fct", function, *split.split()]
        if (source, function) not in sound:  # what the same provers leave open in the right code says nothing
            report, wrong = frama_c("sound", source, options, timeout)
            if wrong:
                sys.exit(f"{source}: {function}: the right code: {wrong}")
            sound[source, function] = set(unproved(report))
        report, wrong = frama_c("planted", source, options, timeout, copy)
        planted += 1
        left = [] if wrong else [goal for goal in unproved(report) if goal not in sound[source, function]]
        ok = any(goal.startswith(function) for goal in left)
        says = f"leaves {left[0]}" if ok else wrong or "every goal still proves"
        print(f"{source}: `{before}` as `{after}`: {'caught, ' if ok else 'FAILED: '}{says}", flush=True)
        failed |= not ok
    print(f"{planted} faults planted")
    return failed or planted == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--negative", action="store_true")
    parser.add_argument("--timeout", type=int)
    asked = parser.parse_args()
    configure_why3()
    if asked.negative:
        sys.exit(negative(asked.words, asked.timeout or 10))
    sys.exit(prove(asked.words, asked.timeout or 30))


if __name__ == "__main__":
    main()
