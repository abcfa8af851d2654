"""Runs Frama-C/WP: one function, or the lemmas of one file, per run; and reads what it says."""

import json
import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "proofs"

FRAMA_C = "25.0-beta (Manganese)"
PROVERS = {"cvc4": "CVC4:1.8", "z3": "Z3:4.8.12", "cvc5": "CVC5:1.0.3"}

# Steps and not seconds bound a proof: a prover counts them alike on a busy machine. Each prover counts its own.
STEPS = {"cvc4": 2_000_000, "z3": 20_000_000, "cvc5": 1_000_000}
SMOKE_STEPS = 20_000
TIMEOUT = 300  # seconds of a prover on one goal; meant never to be reached, but Z3 can go on without a step

CVC5_DRIVER = """prelude ";; cvc5 1.0.x, after the stock cvc4_17 driver"
prelude "(set-logic ALL)"
unknown "^(error \\"Can't get-info :reason-unknown when the last result wasn't unknown!\\")$" "(not unknown!)"
import "{data}/drivers/cvc4_16.gen"
steps "resource::resourceUnitsUsed = \\\\([0-9]+\\\\)" 1
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
command_steps = "cvc5 --stats --stats-internal --rlimit=%S --lang=smt2 %f"
driver = "{driver}"
editor = ""
in_place = false
interactive = false
"""


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def configure():
    """Why3 1.5.1 does not detect cvc5 by itself: its configuration is written here. Other tools than those that the
    cache and the budgets were made with are refused."""
    WORK.mkdir(parents=True, exist_ok=True)
    config = WORK / f"why3.conf.{os.getpid()}"  # another run may be reading the one that is there
    os.environ["WHY3CONFIG"] = str(config)
    config.write_text("[main]\nmagic = 14\nmemlimit = 2000\nrunning_provers_max = 2\ntimelimit = 10\n\n")
    subprocess.run(["why3", "config", "detect"], check=True, capture_output=True)
    if shutil.which("cvc5"):
        version = re.search(r"version (\S+)", said("cvc5", "--version")).group(1)
        driver = WORK / "cvc5_wp.drv"
        driver.write_text(CVC5_DRIVER.format(data=said("why3", "--print-datadir")))
        with config.open("a") as out:
            out.write(CVC5_PROVER.format(version=version, driver=driver))
    os.environ["WHY3CONFIG"] = str(config.replace(WORK / "why3.conf"))
    config = WORK / "why3.conf"
    if said("frama-c", "-version") != FRAMA_C:
        return f"frama-c is {said('frama-c', '-version')}, not {FRAMA_C}"
    listed = re.findall(r'name = "(\w+)"\n(?:path = .*\n)?version = "([^"]*)"', config.read_text())
    missing = set(PROVERS.values()) - {f"{name}:{version}" for name, version in listed}
    return f"not installed: {', '.join(sorted(missing))}" if missing else None


PARSE = ["-c11", "-cpp-extra-args=-Isrc/core -Ispec", "-kernel-warn-key", "annot-error=abort"]
WP = ["-wp", "-wp-rte", "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-warn-signed-downcast",
      "-wp-definitions-terminate", "-wp-declarations-terminate", "-wp-par", "1", "-wp-cache-env"]  # fmt: skip
SMOKE = "-@ensures,-@assigns,-@requires,-@assert,-@invariant,-@variant,-@exits,-@terminates,-@decreases,-@lemma," \
        "-@complete_behaviors,-@disjoint_behaviors"


def frama_c(name, source, options, root=ROOT, env=None):
    """Runs frama-c on one file of the tree at `root`: what it printed, or what went wrong."""
    here = {**os.environ, **(env or {}), "PWD": str(root)}  # frama-c takes a relative path from PWD, not from its folder
    command = ["frama-c", *PARSE, source, *options]
    done = subprocess.run(command, cwd=root, env=here, capture_output=True, text=True, encoding="utf-8")
    log = WORK / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode < 0:
        raise SystemExit(f"frama-c was ended from outside, by signal {-done.returncode}: see {log.relative_to(ROOT)}")
    if done.returncode != 0:
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "rror" in line or "invalid" in line]
        why = f": {errors[-1].strip()}" if errors else ""
        raise Broken(f"frama-c ended with status {done.returncode}{why}: see {log.relative_to(ROOT)}")
    return done.stdout + done.stderr


class Broken(Exception):
    """frama-c did not get as far as goals."""


@dataclass
class Report:
    """What one run said. Goals by name: whether every part of it is valid."""

    goals: dict
    parts: int
    provers: dict  # prover as the report names it, goals (or parts of goals) that it settled
    steps: dict = field(default_factory=dict)  # prover, most steps on one goal that it proved
    seconds: float = 0.0  # of provers, replayed ones as they were once measured
    cached: int = 0
    unreachable: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
    properties: list = field(default_factory=list)  # rows of frama-c's own consolidated table
    wall: float = 0.0

    def unproved(self):
        return [goal for goal, valid in self.goals.items() if not valid]


VALID = re.compile(r"\[wp\] \[([^]]+)\] Goal (\S+) : Valid(.*)")
# What WP says of each function once -wp-definitions-terminate gives it `terminates \\true`.
EXPECTED = re.compile(r"No goal generated|Missing terminates clause for \w+, populates 'terminates .true'|"
                      r"Missing terminates clause on call to \w+, defaults to .true")  # fmt: skip


def read_goals(*documents):
    """Goals by name, from the reports of one run in their order: what counts of each is the first that settled it."""
    settled = {}
    for document in documents:
        for section in ("wp:functions", "wp:axiomatics"):
            for function in (document or {}).get(section, {}).values():
                for goal, value in function.items():
                    if goal != "wp:section" and not settled.get(goal, (False,))[0]:
                        main = value["wp:main"]
                        settled[goal] = (main.get("valid", 0) == main.get("total", 0) > 0, value)
    provers = {}
    for _, value in settled.values():
        for prover, count in value.items():
            if prover != "wp:main":
                provers[prover] = provers.get(prover, 0) + count.get("valid", 0)
    parts = sum(value["wp:main"].get("total", 0) for _, value in settled.values())
    return {goal: valid for goal, (valid, _) in settled.items()}, parts, provers


def read_log(report, text):
    for prover, goal, rest in VALID.findall(text):
        if "(Unreachable)" in rest:
            report.unreachable.append(goal)
        seconds = re.search(r"(?<!Qed:)\b([\d.]+)(ms|s)\)", re.sub(r"\(Qed:[^)]*\)", "", rest))
        if prover not in ("Qed", "CFG") and seconds:
            report.seconds += float(seconds.group(1)) / (1000 if seconds.group(2) == "ms" else 1)
        used = re.search(r"\((\d+)\)", rest)
        if used:
            report.steps[prover] = max(report.steps.get(prover, 0), int(used.group(1)))
        report.cached += "(cached)" in rest
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if "Warning:" in line:
            said_fully = line + " " + (lines[number + 1].strip() if line.rstrip().endswith("Warning:") else "")
            if not EXPECTED.search(said_fully):
                report.warnings.append(said_fully.strip())


def read_run(documents, text, begun):
    report = Report(*read_goals(*documents))
    report.wall = time.monotonic() - begun
    read_log(report, text)
    return report


def bounds(steps):
    return ["-wp-steps", str(steps), "-wp-timeout", str(TIMEOUT)]


def cached(folder):
    return {"FRAMAC_WP_CACHE": "update", "FRAMAC_WP_CACHEDIR": str(folder)} if folder else {"FRAMAC_WP_CACHE": "none"}


def prove(name, source, select, options=(), steps=STEPS, cache=None, root=ROOT):
    """Asks CVC4 for the goals that `select` names, Z3 for what that leaves, and cvc5 for what is left then."""
    reports = [WORK / f"{name}-{prover}.json" for prover in PROVERS]
    table = WORK / f"{name}.csv"
    table.parent.mkdir(parents=True, exist_ok=True)
    for path in (*reports, table):
        path.unlink(missing_ok=True)
    asked, last = [], None
    for prover, path in zip(PROVERS, reports):
        provers = f"-{last},+{prover}" if last else prover
        asked += [*(["-then"] if last else []), *WP, *options, *select, f"-wp-prover={provers}", *bounds(steps[prover]),
                  "-wp-report-json", str(path)]  # fmt: skip
        last = prover
    begun = time.monotonic()
    text = frama_c(name, source, [*asked, "-then", "-report-csv", str(table)], root, cached(cache))
    written = [json.loads(path.read_text(encoding="utf-8")) for path in reports if path.exists()]
    if not written:
        raise Broken("frama-c wrote no report")
    report = read_run(written, text, begun)
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    report.properties = [row for row in rows if len(row) == 7]
    return report


def prove_lemmas(name, source, wanted, others, options=(), steps=STEPS, cache=None, root=ROOT):
    """The same for the lemmas `wanted`, and not for the `others` of the file. Each prover has a run of its own, on what
    is open: after `-then` WP would ask it for every lemma, proved or not. CVC4 first gets a tenth of its budget: that
    is enough for most, and the whole of it is long where another prover is needed."""
    (WORK / name).parent.mkdir(parents=True, exist_ok=True)
    begun, documents, said_all, left = time.monotonic(), [], "", list(wanted)
    rounds = [("cvc4", steps["cvc4"] // 10), ("z3", steps["z3"]), ("cvc5", steps["cvc5"]), ("cvc4", steps["cvc4"])]
    for number, (prover, most) in enumerate(rounds):
        if not left:
            break
        path = WORK / f"{name}-{number}.json"
        path.unlink(missing_ok=True)
        leave = "".join(f",-{lemma}" for lemma in [*others, *wanted] if lemma not in left)
        asked = [*WP, *options, f"-wp-prop=@lemma{leave}", f"-wp-prover={prover}", *bounds(most),
                 "-wp-report-json", str(path)]  # fmt: skip
        said_all += frama_c(f"{name}-{number}", source, asked, root, cached(cache))
        documents.append(json.loads(path.read_text(encoding="utf-8")))
        goals = read_goals(*documents)[0]
        left = [lemma for lemma in left if not goals.get(f"lemma_{lemma}")]
    return read_run(documents, said_all, begun)


def smoke(name, source, function, options=(), root=ROOT):
    """Asks one prover whether what the contract takes for granted, or a place in the code, is absurd. A goal here is
    a smoke test; it is `valid` if no absurdity was found."""
    path = WORK / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    asked = [*WP, *options, "-wp-smoke-tests", "-wp-steps", str(SMOKE_STEPS), "-wp-smoke-timeout", str(TIMEOUT),
               "-wp-prover", "cvc4", "-wp-fct", function, "-wp-prop=" + SMOKE, "-wp-report-json", str(path)]  # fmt: skip
    begun = time.monotonic()
    text = frama_c(name, source, asked, root, {"FRAMAC_WP_CACHE": "none"})
    goals, parts, provers = read_goals(json.loads(path.read_text(encoding="utf-8")))
    report = Report({goal: valid for goal, valid in goals.items() if "_wp_smoke_" in goal}, parts, provers)
    report.wall = time.monotonic() - begun
    report.unreachable = re.findall(r"Goal (\S+) : Valid \(Unreachable\)", text)
    return report
