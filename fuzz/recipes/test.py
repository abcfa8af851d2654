#!/usr/bin/env python3
"""Shows that the recipes of this folder and of oss-fuzz/ are what they say: each is YAML that says when and what it runs;
and the commands of github-actions.yml are typed in an empty folder beside this tree, with the reference as the engine.
Recordings that are right pass, a planted fault fails in each place where one is looked for."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
RECORD = """#!/bin/sh
cat endstop/corpus/cases/own-R3.jsonl | sed 's/, "expect".*/}/' >asked.jsonl
./adapter <asked.jsonl >told.jsonl
paste asked.jsonl told.jsonl | sed 's/}\\t{/,"result":{/; s/$/}/'
"""
RIGHT = "#!/bin/sh\nexec endstop/build/endstop run \"$@\"\n"
# Counts ten tokens more.
WRONG = "#!/bin/sh\nendstop/build/endstop run \"$@\" | sed -u 's/\"tokens\":/\"tokens\":1/'\n"
CASES = "200"


def steps(recipe):
    """Pairs of a name and a command, without the installing of packages."""
    for job in recipe["jobs"].values():
        for step in job["steps"]:
            if "run" in step and step["name"] != "packages":
                yield step["name"], step["run"]


def type_all(recipe, adapter):
    """Each step's exit status by its name; all are typed, whatever the ones before them said."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT, f"{folder}/endstop")
        for name, text in (("record", RECORD), ("adapter", adapter)):
            Path(folder, name).write_text(text, encoding="utf-8")
            Path(folder, name).chmod(0o755)
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
        environment["CASES"] = CASES
        status = {}
        for name, command in steps(recipe):
            done = subprocess.run(["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            status[name] = done.returncode
            if done.returncode not in (0, 1):
                sys.exit(f"recipes/test.py: {name}: ended with status {done.returncode}: {done.stderr[-400:]}")
        return status


def main():
    recipes = {}
    for path in sorted([*(ROOT / "fuzz" / "recipes").glob("*.yml"), *(ROOT / "fuzz" / "oss-fuzz").rglob("*.y*ml")]):
        name = str(path.relative_to(ROOT / "fuzz"))
        recipes[name] = yaml.safe_load(path.read_text(encoding="utf-8"))
        # YAML 1.1, which this reader follows, takes `on` for true.
        wanted = ("language",) if path.name == "project.yaml" else ("name", True, "jobs", "permissions")
        missing = [word for word in wanted if word not in recipes[name]]
        if missing:
            sys.exit(f"{path.relative_to(ROOT)}: expected {missing}, found {list(recipes[name])}")
    recipe = recipes["recipes/github-actions.yml"]
    right, wrong = type_all(recipe, RIGHT), type_all(recipe, WRONG)
    failed = [name for name, status in right.items() if status]
    if failed:
        sys.exit(f"recipes/test.py: with the reference as engine: expected all to pass, found {failed}")
    found = [name for name, status in wrong.items() if status == 1]
    expected = ["judge", "judge for the test view", "corpus, in all cuts and flush policies", "random cases"]
    if found != expected:
        sys.exit(f"recipes/test.py: with an engine that counts wrong: expected faults in {expected}, found {found}")
    print(f"{len(recipes)} recipes read, {len(right)} commands typed, a planted fault found by {len(found)} of them")


if __name__ == "__main__":
    main()
