#!/usr/bin/env python3
"""How much of src the tests reach: lines, and both ways of each branch. Builds with --coverage into build/coverage,
without optimisation, so that a line is a line, and measures with gcovr.

    coverage.py            unit tests, fuzz corpus and the other tests; a table, and a report in build/coverage/html
    coverage.py --unit     src/core by the unit tests alone

Every line and branch of src/core must be reached by the unit tests alone, and by the fuzz corpus alone, without
exception: what no test can reach does not belong into the core. Of each other folder, FEWEST percent of the lines by
all tests together; a line that none reaches must stand in unreached.tsv with the reason, and a line there must be one
that none reaches. Then things are taken away and lines added, and each time the bar must be missed.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path("build/coverage")
MAKE = ["make", "-s", "-j2", f"BUILD={BUILD}", "OPT=-O0 -g", "SANITIZE=--coverage -fprofile-update=atomic"]
ENDSTOP = f"{BUILD}/endstop"
CORE = "src/core"
FOLDERS = (CORE, "src/lib", "src/json", "src/vocab", "src/oracle", "src/cli")
FEWEST = 95  # percent
PATIENCE = 600  # seconds for one command
SHOWN = 40  # lines and branches that are missed

UNIT = {"unit": [f"{BUILD}/unit"]}
OTHERS = {
    "command": ["tests/test_cli.py"],
    "memory": ["tests/memory.py", str(BUILD)],
    "cases": ["tests/run_cases.py", "--endstop", ENDSTOP, "--quick"],
    "recordings": ["tests/check_recordings.py", "--endstop", ENDSTOP],
    "vocabularies": ["tests/vocab/check.py", f"{BUILD}/vocab_dump"],
    "judge": ["tests/judge_random.py", "--seed", "1", "--cases", "300"],
    "races": ["tests/race_random.py", "--seed", "1", "--cases", "2000", "--endstop", ENDSTOP],
    "differential": ["tests/differential.py", "--seed", "1", "--cases", "4000", "--endstop", ENDSTOP],
    "threads": [f"{BUILD}/stress", "2", "1"],
}
SEEDED = ("json", "vocab")  # harnesses that begin with seeds made from the cases


APART = ("unit", "edges", "command")  # measured by themselves, to see that without them a bar is missed


def corpus():
    """A command a harness: its folder of corpus/fuzz, which must hold something, and its seeds."""
    found = {}
    rows = Path("fuzz/gates.tsv").read_text(encoding="utf-8").splitlines()
    for name in sorted(row.split("\t")[0] for row in rows if not row.startswith("#")):
        folder = Path("corpus/fuzz", name)
        if not folder.is_dir() or not any(path.stat().st_size for path in folder.iterdir()):
            sys.exit(f"{folder}: expected an input at least, found none")
        seeds = [f"{BUILD}/seeds/{folder.name}"] if folder.name in SEEDED else []
        found[folder.name] = [f"{BUILD}/fuzz-{folder.name}", str(folder), *seeds]
    return found


class Reached:
    """What was reached: of each file and line how often it ran, and how often each way of a branch on it was taken."""

    def __init__(self):
        self.lines, self.branches = collections.Counter(), collections.Counter()

    @staticmethod
    def read(record):
        """From a record of gcovr's."""
        reached = Reached()
        for file in record["files"]:
            for line in file["lines"]:
                if line["gcovr/excluded"]:
                    sys.exit(f"{file['file']}:{line['line_number']}: expected no marker that hides a line from gcovr")
                if line["gcovr/noncode"]:
                    continue
                at = file["file"], line["line_number"]
                reached.lines[at] += line["count"]
                for number, branch in enumerate(line["branches"]):
                    reached.branches[(*at, number)] += branch["count"]
        return reached

    @staticmethod
    def union(several):
        """What several reach together."""
        together = Reached()
        for one in several:
            together.lines.update(one.lines)
            together.branches.update(one.branches)
        return together

    def of(self, folder, what):
        """The lines or branches of a folder."""
        return {at: count for at, count in getattr(self, what).items() if os.path.dirname(at[0]) == folder}


def tell(text):
    """What goes on, on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run(name, command, **environment):
    """Runs a test, which must pass: what is measured of one that fails says nothing."""
    tell(name)
    if command[0].endswith(".py"):
        command = [sys.executable, *command]
    environment = {**os.environ, "ENDSTOP": str(Path(ENDSTOP).resolve()), "ES_SEED": "1", **environment}
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, timeout=PATIENCE)
    if done.returncode != 0:
        print((done.stdout + done.stderr)[-4000:], file=sys.stderr)
        sys.exit(f"{name}: expected status 0, found {done.returncode}: {' '.join(command)}")


def measure(name, commands, where=BUILD / "src"):
    """Runs commands and says what they reached of the sources that were compiled into a folder. A command comes with its
    name and environment."""
    for record in BUILD.rglob("*.gcda"):
        record.unlink()
    for what, command, environment in commands:
        run(what, command, **environment)
    kept = BUILD / "records" / f"{name}.json"
    kept.parent.mkdir(exist_ok=True)
    command = ["gcovr", "-j", "2", "--root", ".", "--filter", "src/", "--json", str(kept), str(where)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or "WARNING" in done.stderr:
        sys.exit(f"{name}: gcovr: {done.stderr[-2000:]}")
    with open(kept, encoding="utf-8") as file:
        return Reached.read(json.load(file))


def measure_each(name, commands, where=BUILD / "src"):
    """What named commands reach: those of APART each, and the rest together under the name given."""
    rest = [(what, command, {}) for what, command in commands.items() if what not in APART]
    parts = {what: measure(what, [(what, command, {})], where) for what, command in commands.items() if what in APART}
    return {**parts, name: measure(name, rest, where)} if rest else parts


def text_at(file, line):
    return (ROOT / file).read_text(encoding="utf-8").splitlines()[line - 1].strip()


def misses_of_core(reached, by):
    """A sentence for each line and branch of the core that was not reached."""
    for file in sorted(Path(CORE).glob("*.c")):
        if not any(at[0] == str(file) for at in reached.lines):
            yield f"{file}: expected to be run by {by}, found no record"
    for (file, line), count in sorted(reached.of(CORE, "lines").items()):
        if count == 0:
            yield f"{file}:{line}: expected to be run by {by}, found never: {text_at(file, line)}"
    for (file, line, number), count in sorted(reached.of(CORE, "branches").items()):
        if count == 0 and reached.lines[(file, line)] > 0:
            yield f"{file}:{line}: expected branch {number + 1} to be taken by {by}, found never: {text_at(file, line)}"
    if not reached.of(CORE, "lines") or not reached.of(CORE, "branches"):
        yield f"{CORE}: expected lines and branches, found none"


def read_unreached():
    """The rows of unreached.tsv: how often each line stands there."""
    rows = collections.Counter()
    for number, row in enumerate((ROOT / "tests/unreached.tsv").read_text(encoding="utf-8").splitlines(), 1):
        if row.startswith("#"):
            continue
        cells = row.split("\t")
        if len(cells) != 3 or not all(cells):
            sys.exit(f"tests/unreached.tsv:{number}: expected file, line and reason, found {len(cells)} cells")
        rows[cells[0], cells[1]] += 1
    return rows


def misses_of_rest(reached, explained):
    """A sentence for each folder with too little, each line not reached nor explained, and each row that is wrong."""
    found = collections.Counter()
    for folder in FOLDERS[1:]:
        lines = reached.of(folder, "lines")
        ran = sum(count > 0 for count in lines.values())
        if not lines or 100 * ran < FEWEST * len(lines):
            yield f"{folder}: expected {FEWEST} % of the lines to be run, found {ran} of {len(lines)}"
        for (file, line), count in sorted(lines.items()):
            if count > 0:
                continue
            key = file, text_at(file, line)
            found[key] += 1
            if found[key] > explained[key]:
                yield f"{file}:{line}: expected to be run, or in tests/unreached.tsv, found never: {key[1]}"
    for file, text in (explained - found).elements():
        yield f"tests/unreached.tsv: {file}: expected a line that is not reached, found it run or gone: {text}"


def share(counts):
    """The share in percent, cut off and not rounded: 100.0 is all."""
    if not counts:
        return "–"
    tenths = 1000 * sum(count > 0 for count in counts.values()) // len(counts)
    return f"{tenths // 10}.{tenths % 10} %"


def print_table(columns):
    """A row a folder, of each column lines and branches."""
    print(f"{'':12}{'in all':>15}", *(f"{name:>19}" for name in columns))
    print(f"{'':12}{'lines branches':>15}", *(f"{'lines  branches':>19}" for _ in columns))
    for folder in FOLDERS:
        whole = next(reversed(columns.values()))
        row = f"{folder:12}{len(whole.of(folder, 'lines')):6}{len(whole.of(folder, 'branches')):9}"
        for reached in columns.values():
            row += f"{share(reached.of(folder, 'lines')):>10}{share(reached.of(folder, 'branches')):>10}"
        print(row)


def show(misses):
    """Prints what is missed. The number."""
    misses = list(misses)
    for miss in misses[:SHOWN]:
        print(miss)
    if len(misses) > SHOWN:
        print(f"and {len(misses) - SHOWN} more")
    return len(misses)


def report():
    """All that was measured, as pages."""
    shutil.rmtree(BUILD / "html", ignore_errors=True)
    (BUILD / "html").mkdir()
    command = ["gcovr", "--root", ".", "--html-details", str(BUILD / "html" / "index.html")]
    for record in sorted((BUILD / "records").glob("*.json")):
        command += ["--add-tracefile", str(record)]
    subprocess.run(command, check=True)


def without(parts, name):
    return Reached.union(reached for other, reached in parts.items() if other != name)


def suites():
    """The names of the suites of unit tests."""
    names = []
    for line in (ROOT / "tests/unit.c").read_text(encoding="utf-8").splitlines():
        if line.startswith("Suite *"):
            names.append(line.removeprefix("Suite *").removesuffix("_suite(void);"))
    return names


def planted(unit, fuzz, others, explained):
    """What is taken away or added, and the misses that this must bring."""
    fewer = [(name, UNIT["unit"], {"CK_RUN_SUITE": name}) for name in suites() if name != "stopflag"]
    yield "the unit tests without those of the stop flag", misses_of_core(measure("planted", fewer, BUILD / CORE), "")
    yield "the fuzz corpus without edges", misses_of_core(without(fuzz, "edges"), "")
    fewer = without({**unit, **fuzz, **others}, "command")
    yield "all tests without those of the command", misses_of_rest(fewer, explained)
    together = Reached.union([*unit.values(), *fuzz.values(), *others.values()])
    more = explained + collections.Counter([("src/cli/main.c", "return EINVAL;"), ("src/cli/main.c", "gone();")])
    yield "a row of a line that is gone", misses_of_rest(together, more)
    first = next(at for at, count in together.of("src/cli", "lines").items() if count)
    more = explained + collections.Counter([(first[0], text_at(*first))])
    yield "a row of a line that is reached", misses_of_rest(together, more)
    for folder in FOLDERS[1:]:
        less = Reached.union([together])
        lost = sorted(less.of(folder, "lines"))[: len(less.of(folder, "lines")) // 18]
        for at in lost:
            less.lines[at] = 0
        whole = explained + collections.Counter((file, text_at(file, line)) for file, line in lost)
        too_few = (miss for miss in misses_of_rest(less, whole) if f"expected {FEWEST} %" in miss)
        yield f"a line in eighteen of {folder} less, each explained", too_few


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unit", action="store_true")
    asked = parser.parse_args()
    os.chdir(ROOT)
    tell("build")
    needed = ["unit"] if asked.unit else ["endstop", "engine", "unit", "stress", "vocab_dump"]
    subprocess.run([*MAKE, *(f"{BUILD}/{name}" for name in needed)], check=True)
    shutil.rmtree(BUILD / "records", ignore_errors=True)
    if asked.unit:
        unit = measure("unit", [("unit", UNIT["unit"], {})], BUILD / CORE)
        missed = show(misses_of_core(unit, "the unit tests"))
        lines, branches = unit.of(CORE, "lines"), unit.of(CORE, "branches")
        reached = f"{share(lines)} of {len(lines)} lines, {share(branches)} of {len(branches)} branches"
        print(f"{CORE} by the unit tests: {reached}")
        return 1 if missed else 0

    subprocess.run([*MAKE, "fuzzers"], check=True)
    shutil.rmtree(BUILD / "seeds", ignore_errors=True)
    subprocess.run([sys.executable, "fuzz/seeds.py", f"{BUILD}/seeds"], check=True)
    unit = measure_each("unit", UNIT)
    fuzz = measure_each("fuzz", corpus(), BUILD)  # fuzz/window.c includes a file of the core
    others = measure_each("others", OTHERS)
    tell("report")
    report()
    tell("")
    by_unit, by_corpus = Reached.union(unit.values()), Reached.union(fuzz.values())
    together = Reached.union([by_unit, by_corpus, *others.values()])
    print_table({"unit tests": by_unit, "fuzz corpus": by_corpus, "all tests": together})
    explained = read_unreached()
    missed = show(misses_of_core(by_unit, "the unit tests"))
    missed += show(misses_of_core(by_corpus, "the fuzz corpus"))
    missed += show(misses_of_rest(together, explained))
    if missed:
        return 1
    kept = 0
    for what, misses in planted(unit, fuzz, others, explained):
        if not list(misses):
            print(f"{what}: expected to miss a bar, found none missed")
            kept += 1
    tell("")
    print(f"pages: {BUILD}/html/index.html; {sum(explained.values())} lines that nothing reaches, each with its reason")
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main())
