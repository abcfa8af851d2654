"""Asks the proof about mutants: the one function that was changed, by a short budget of steps.

The budget of a function is a quarter more than the steps that its right proof takes, and for each goal the seconds of all of it,
and some at least. The right function must be proved within it first. A goal that then stays open kills the mutant if a prover gave
up on it with some of that left: it had searched all that it had to search. Where provers only ran out of it, nothing is said: that
is no kill."""

import hashlib
import json
import os
import re
import shutil
import threading
import time
from dataclasses import dataclass

import store
import wp
from mutation.c_code import Code

LEAST = {"cvc4": 30_000, "z3": 600_000, "cvc5": 60_000}
SECONDS = 20  # of a prover on a goal, at least
KILLED, OUT, PROVED, REFUSED, RED = "open", "out of budget", "proved", "frama-c refuses", "baseline not green"

# Debian's Z3 as Why3 knows it, but for one thing: it tells running out of steps from not knowing. It gives an empty reason where
# it has proved the goal, which Why3 would take for not knowing.
SCRIPT = """#!/bin/sh
z3 "$@" | sed '/^(:reason-unknown "")$/d'
"""
DRIVER = """prelude ";; Z3, saying why it does not know"
steplimitexceeded "reason-unknown \\"\\\\(canceled\\\\|max\\\\. resource\\\\)"
import "{data}/drivers/z3_471.drv"
theory BuiltIn
  meta "supports_smt_get_info_unknown_reason" ""
end
"""
PROVER = """
[prover]
name = "Z3R"
version = "4.8.12"
shortcut = "z3r"
command = "{script} -smt2 -T:%t sat.random_seed=42 nlsat.randomize=false smt.random_seed=42 -st %f"
command_steps = "{script} -smt2 sat.random_seed=42 nlsat.randomize=false smt.random_seed=42 rlimit=%S -st %f"
driver = "{driver}"
editor = ""
in_place = false
interactive = false
"""
SHORTCUT = {"cvc4": "cvc4", "z3": "z3r", "cvc5": "cvc5"}
ANSWER = re.compile(r"\[wp\] \[[^]]+\] Goal (\S+) : (Valid|Unknown|Step limit|Timeout|Failed)")


@dataclass
class Answer:
    word: str
    goals: tuple = ()
    seconds: float = 0.0


def opened(name, source, functions, budget, root):
    """Goals that no prover proves, by name: the words of the provers. Each is asked for what those before it leave."""
    of = store.Results(source).of
    patience = max(SECONDS, *(round(of[function]["seconds"]) for function in functions))
    asked, last = [], None
    for prover, steps in budget.items():
        provers = f"-{last},+{SHORTCUT[prover]}" if last else SHORTCUT[prover]
        asked += [*(["-then"] if last else []), *wp.WP, "-wp-fct", ",".join(functions), f"-wp-prover={provers}",
                  "-wp-steps", str(steps), "-wp-timeout", str(patience)]  # fmt: skip
        last = SHORTCUT[prover]
    words = {}
    for goal, word in ANSWER.findall(wp.frama_c(name, source, asked, root, {"FRAMAC_WP_CACHE": "none"})):
        words.setdefault(goal, set()).add(word)
    if not words:
        raise wp.Broken("frama-c made no goals")
    return {goal: said for goal, said in words.items() if "Valid" not in said}


def given_up(left):
    return sorted(goal for goal, said in left.items() if said & {"Unknown", "Failed"})


class Proofs:
    def __init__(self, folder):
        self.folder = folder
        self.kept_at = folder / "baseline.json"
        self.kept = json.loads(self.kept_at.read_text()) if self.kept_at.exists() else {}
        self.lock, self.spots, self.local = threading.Lock(), 0, threading.local()
        self.baselines = {}

    def prepare(self):
        wrong = wp.configure()
        if wrong:
            raise SystemExit(wrong)
        driver, script, config = self.folder / "z3_reason.drv", self.folder / "z3_reason.sh", self.folder / "why3.conf"
        script.write_text(SCRIPT)
        script.chmod(0o755)
        driver.write_text(DRIVER.format(data=wp.said("why3", "--print-datadir")))
        config.write_text((wp.WORK / "why3.conf").read_text() + PROVER.format(driver=driver, script=script))
        os.environ["WHY3CONFIG"] = str(config)
        texts = [path.read_bytes() for part in ("src/core", "spec") for path in sorted((wp.ROOT / part).glob("*.[ch]"))]
        self.digest = hashlib.sha256(b"".join(texts)).hexdigest()[:16]
        left = self.needs_z3()
        if left:
            raise SystemExit(f"mutate: expected Z3 to prove what it proves for make prove, found {', '.join(sorted(left))} open")

    def needs_z3(self):
        """The goals that stay open of the quickest function that needs Z3: none, or its answers are not understood here."""
        found = [(one["seconds"], source, name)
                 for source in (str(path.relative_to(wp.ROOT)) for path in sorted((wp.ROOT / "src/core").glob("*.c")))
                 for name, one in store.Results(source).of.items()
                 if name.isidentifier() and any(prover.startswith("Z3") for prover in one["by"])]  # fmt: skip
        _, source, name = min(found)
        return opened("mutate/z3", source, [name], self.budget(source, [name]), wp.ROOT)

    def functions(self, mutant):
        """The function that is mutated; of a table, those that read it."""
        of = store.Results(mutant.file).of
        if mutant.function in of:
            return [mutant.function]
        code = Code((wp.ROOT / mutant.file).read_text(encoding="utf-8"), set())
        return [function.name for function in code.functions if function.name in of and code.mentions(function, mutant.function)]

    def budget(self, source, functions):
        """Of steps: for Z3 always, for cvc5 where the right proof needs it."""
        used = {}
        for function in functions:
            for name, most in store.Results(source).of[function].get("most_steps", {}).items():
                used[name.replace(" ", ":")] = max(most, used.get(name.replace(" ", ":"), 0))
        return {short: max(LEAST[short], used.get(full, 0) * 5 // 4) for short, full in wp.PROVERS.items()
                if short != "cvc5" or full in used}  # fmt: skip

    def baseline(self, source, functions, budget):
        """The goals of the right functions that are not proved within the budget."""
        key = f"{self.digest} {source} {' '.join(functions)} {budget}"
        with self.lock:
            own = self.baselines.setdefault(key, threading.Lock())
        with own:
            if key not in self.kept:
                self.kept[key] = sorted(opened(f"mutate/baseline-{functions[0]}", source, functions, budget, wp.ROOT))
                with self.lock:
                    self.kept_at.write_text(json.dumps(self.kept, indent=1) + "\n")
            return self.kept[key]

    def judge(self, mutant):
        begun, functions = time.monotonic(), self.functions(mutant)
        if not functions:
            return Answer(REFUSED, ("no function of a proof",))
        root, budget = self.place(), self.budget(mutant.file, functions)
        for part in ("src/core", "spec"):
            shutil.copytree(wp.ROOT / part, root / part)
        (root / mutant.file).write_text(mutant.text, encoding="utf-8")
        try:
            left = opened(f"mutate/{mutant.id}", mutant.file, functions, budget, root)
        except wp.Broken as broken:
            return Answer(REFUSED, (str(broken),), time.monotonic() - begun)
        red = self.baseline(mutant.file, functions, budget) if left else []
        word = RED if red else KILLED if given_up(left) else OUT if left else PROVED
        return Answer(word, tuple(red or given_up(left) or sorted(left)), time.monotonic() - begun)

    def place(self):
        if not hasattr(self.local, "folder"):
            with self.lock:
                self.spots += 1
                self.local.folder = self.folder / f"proof{self.spots}"
        shutil.rmtree(self.local.folder, ignore_errors=True)
        return self.local.folder
