"""Asks Relacy, and then the explorer of schedules, about mutants of the stop flag: what memory orders allow is no matter
of tests that run on one machine."""

import dataclasses
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutation.trial import KILLED, LIVES, Verdict

PATIENCE = 300  # seconds of one search
FILES = ("stopflag.h", "stopflag.c", "stopword.c")


class Orders:
    def __init__(self, root, folder, workers):
        self.root, self.folder, self.workers = root, folder, workers
        sys.path.insert(0, str(root / "tests" / "relacy"))
        import run as relacy  # noqa: it lies beside its scenarios

        self.relacy = relacy
        relacy.COMPILER = (*(word for word in relacy.COMPILER if word != "-Werror"), "-w")

    def concerns(self, mutant):
        return Path(mutant.file).name in FILES

    def judge(self, mutants):
        """(mutant, verdict) of each. The right files come first: tools that find a fault there find nothing."""
        for right, verdict in self.answers(self.right(mutants)):
            if verdict != Verdict(LIVES):
                raise SystemExit(f"mutate: {right.file}, nothing planted: {verdict.test}: {verdict.says}")
        yield from self.answers(mutants)

    def right(self, mutants):
        """Nothing planted, once for each file."""
        by_file = {mutant.file: mutant for mutant in mutants}
        return [
            dataclasses.replace(mutant, id=f"right-{Path(file).name}", text=(self.root / file).read_text(encoding="utf-8"))
            for file, mutant in by_file.items()
        ]

    def answers(self, mutants):
        left = []
        for mutant, verdict in self.by_relacy(mutants):
            if verdict.word == LIVES:
                left.append(mutant)
            else:
                yield mutant, verdict
        for mutant in left:
            yield mutant, self.by_schedules(mutant)

    def by_relacy(self, mutants):
        if not mutants:
            return
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(self.workers) as pool:
            made = [(mutant.id, Path(mutant.file).name, mutant.text) for mutant in mutants]
            try:
                program = self.relacy.build(folder, made, pool)
            except subprocess.CalledProcessError:
                if len(mutants) == 1:  # not C++, or not C: the compiler of C has said which
                    yield mutants[0], Verdict(LIVES, says="Relacy cannot read it")
                    return
                half = len(mutants) // 2
                yield from self.by_relacy(mutants[:half])
                yield from self.by_relacy(mutants[half:])
                return
            yield from zip(mutants, pool.map(lambda number: self.search(program, number), range(len(made))))

    def search(self, program, number):
        for scenario, how in self.relacy.QUICK_ALL:
            try:
                done = subprocess.run([program, str(number), scenario, *how.split()], capture_output=True, text=True, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return Verdict("time-out", "", f"relacy {scenario}", "no end")
            if done.returncode != 0 or "\tSUCCESS\t" not in done.stdout:
                return Verdict(KILLED, "orders", f"relacy {scenario}", done.stdout.strip()[-120:] or "crash")
        return Verdict(LIVES)

    def by_schedules(self, mutant):
        """The explorer, built in a copy with the mutant in it."""
        copy = self.folder / "schedules"
        if not copy.exists():
            for name in ("src", "tests/engine", "tests/schedule"):
                shutil.copytree(self.root / name, copy / name)
            shutil.copy2(self.root / "Makefile", copy)
        right = (self.root / mutant.file).read_text(encoding="utf-8")
        (copy / mutant.file).write_text(mutant.text, encoding="utf-8")
        try:
            return self.explore(copy)
        finally:
            (copy / mutant.file).write_text(right, encoding="utf-8")

    def explore(self, copy):
        made = subprocess.run(["make", "-s", "CFLAGS=-w", "build/explore"], cwd=copy, capture_output=True, text=True)
        if made.returncode:
            return Verdict(LIVES, says="the explorer does not build: " + made.stderr[-200:])
        for what in (["random", "300"], ["all"], ["races"]):
            try:
                done = subprocess.run(["build/explore", *what], cwd=copy, capture_output=True, text=True, timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                return Verdict("time-out", "", f"schedules {what[0]}", "no end")
            if done.returncode != 0:
                return Verdict(KILLED, "orders", f"schedules {what[0]}", (done.stdout + done.stderr).strip()[-160:])
        return Verdict(LIVES)
