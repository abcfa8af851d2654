#!/usr/bin/env python3
"""Explores the stop flag under C11's memory model with Relacy, and copies of it with one planted fault each.

    run.py [--long] [--record]

The flag as it is must pass every scenario, and the uses it does not allow must be found; each order weakened by itself,
and each other planted fault, must be found by some scenario. How each run ended and after how many iterations must be as
in table.tsv (--record writes it). --long searches deeper."""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CORE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "src", "core")
TABLE = os.path.join(HERE, "table.tsv")
FILES = ("stopflag.h", "stopflag.c", "stopword.c")
COMPILER = ("g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", f"-I{HERE}",
            f"-iquote{HERE}", f"-iquote{CORE}")  # fmt: skip
RIGHT = "the flag as it is"

# Name, file, text that occurs once in it, what it is replaced by. The orders are weakened besides, each by itself.
PLANTED = (
    ("request: a store, not an exchange", "stopflag.c",
     "if (atomic_compare_exchange_strong_explicit(&slot->word, &word, next, memory_order_release, memory_order_acquire))\n",
     "atomic_store_explicit(&slot->word, next, memory_order_release);\n"),
    ("request: no second look", "stopflag.c", "return es_stopword_request(word, epoch, reason, &next);",
     "return ES_STOP_SECOND;"),
    ("ack: a load and a store, no addition", "stopflag.c",
     "uint64_t word = atomic_fetch_add_explicit(&slot->word, ES_STOP_ACKED, memory_order_release);",
     "uint64_t word = atomic_load_explicit(&slot->word, memory_order_relaxed);"
     "atomic_store_explicit(&slot->word, word + ES_STOP_ACKED, memory_order_release);"),
    ("request: any epoch", "stopword.c", "if (es_stopword_epoch(word) != epoch) return ES_STOP_STALE;", ""),
    ("request: the last one wins", "stopword.c", "if (es_stopword_reason(word) != 0) return ES_STOP_SECOND;", ""),
    ("request: ended lanes too", "stopword.c", "if (is_acked(word)) return ES_STOP_LATE;", ""),
    ("over: whatever the epoch", "stopword.c", "return es_stopword_epoch(word) != epoch || is_acked(word);",
     "return (void)epoch, is_acked(word);"),
    ("recycle: the same epoch", "stopword.c", "es_stopword_epoch(word) + 1", "es_stopword_epoch(word)"),
    ("recycle: the reason stays", "stopword.c", "return es_stopword_run(es_stopword_epoch(word) + 1);",
     "return es_stopword_run(es_stopword_epoch(word) + 1) + es_stopword_reason(word);"),
)  # fmt: skip

SHORT = {"data race": "race", "user assert failed": "assert"}  # Relacy's words, in the table that is printed

# Scenarios and how to search them. For every copy, in both forms:
PAIRS = ("ask", "at-ack", "wait", "reuse")
TRIPLES = ("two", "two-reuse", "handed")
WAITING = ("two-wait", "two-reuse-wait", "handed-wait")
BAD = ("bad-told-by-ack-alone", "bad-handed-relaxed", "bad-reads-before-the-end", "bad-takes-after-the-end",
       "bad-reuses-the-list")  # fmt: skip
QUICK_ALL = [(name, "full") for name in PAIRS] + [(name, "bound 2") for name in TRIPLES + WAITING]
QUICK_RIGHT = [(name, "full") for name in ("two", "two-reuse") + BAD] + [(name, "bound 3") for name in WAITING]
LONG_ALL = [(name, "full") for name in TRIPLES] + [(name, "bound 3") for name in WAITING]
LONG_RIGHT = [(name, "bound 4") for name in WAITING] + [(n, "random 500000") for n in PAIRS + TRIPLES + WAITING]


def sources():
    found = {}
    for name in FILES:
        with open(os.path.join(CORE, name), encoding="utf-8") as file:
            found[name] = file.read()
    return found


def weakened(files):
    """A copy for each order that is more than relaxed."""
    seen = []
    for name, text in files.items():
        for match in re.finditer(r"memory_order_(?!relaxed)(\w+)", text):
            function = re.findall(r"^[a-z][\w ]* \*?es_stop_(\w+)\(", text[: match.start()], re.M)[-1]
            seen.append((name, function))
            planted = text[: match.start()] + "memory_order_relaxed" + text[match.end() :]
            yield f"{function}: order {seen.count((name, function))} relaxed, not {match[1]}", name, planted


def copies():
    files = sources()
    made = [(RIGHT, None, None), *weakened(files)]
    for fault, name, search, replace in PLANTED:
        if files[name].count(search) != 1:
            sys.exit(f"{name}: expected {search!r} once, found it {files[name].count(search)} times")
        made.append((fault, name, files[name].replace(search, replace)))
    return made


def write_flags(folder, made):
    """One file of C++ with the flag as it is and all copies, each in a namespace of its own."""
    lines = ['#include "flag.h"']
    for number, (_, changed, text) in enumerate(made):
        where = CORE
        if changed:
            where = os.path.join(folder, str(number))
            os.mkdir(where)
            for name, original in sources().items():
                with open(os.path.join(where, name), "w", encoding="utf-8") as file:
                    file.write(text if name == changed else original)
        included = [f'#include "{where}/{name}"' for name in ("stopword.c", "stopflag.c")]
        lines += [f"namespace copy_{number} {{", "#undef ES_STOPFLAG_H", *included, '#include "copy.h"', "}"]
    lines += ["const flag flags[] = {", *(f"    copy_{number}::operations," for number in range(len(made))), "};"]
    lines += [f"const unsigned flag_count = {len(made)};"]
    path = os.path.join(folder, "flags.cc")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def build(folder, made, pool):
    program = os.path.join(folder, "scenarios")
    parts = (os.path.join(HERE, "scenarios.cc"), write_flags(folder, made))
    objects = [f"{program}-{number}.o" for number in range(len(parts))]
    list(pool.map(lambda part, o: subprocess.run([*COMPILER, "-c", part, "-o", o], check=True), parts, objects))
    subprocess.run(["g++", "-o", program, *objects], check=True)
    return program


def explore(program, number, scenario, search):
    """How it ended, and after how many iterations."""
    done = subprocess.run([program, str(number), scenario, *search.split()], capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        return "crash", 0
    name, result, iterations = done.stdout.rstrip("\n").split("\t")
    return ("ok" if result == "SUCCESS" else result.lower(), int(iterations)) if name == scenario else ("lost", 0)


def searches(fault, long):
    wanted = QUICK_ALL + (LONG_ALL if long else [])
    if fault == RIGHT:
        wanted = wanted + QUICK_RIGHT + (LONG_RIGHT if long else [])
    return list(dict.fromkeys(wanted))


def run_all(long):
    """(fault, scenario, search) → (result, iterations)."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        made, waiting = copies(), {}
        program = build(folder, made, pool)
        for number, (fault, _, _) in enumerate(made):
            for scenario, search in searches(fault, long):
                waiting[fault, scenario, search] = pool.submit(explore, program, number, scenario, search)
        for number, (key, run) in enumerate(waiting.items(), 1):
            found[key] = run.result()
            if sys.stderr.isatty():
                print(f"\r{number} of {len(waiting)} runs", end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print(file=sys.stderr)
    return found


def read_table():
    with open(TABLE, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return {tuple(row[:3]): (row[3], int(row[4])) for row in rows}


def write_table(found):
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write("flag\tscenario\tsearch\tresult\titerations\n")
        for key, (result, iterations) in found.items():
            file.write("\t".join((*key, result, str(iterations))) + "\n")


def complaints(found, long):
    for (fault, scenario, search), (result, _) in found.items():
        right = (result == "ok") != (scenario in BAD)
        if result in ("crash", "lost") or (fault == RIGHT and not right):
            yield f"{fault}: {scenario}, {search}: found {result}"
    for fault in dict.fromkeys(key[0] for key in found):
        if fault != RIGHT and not any(r[0] != "ok" for key, r in found.items() if key[0] == fault):
            yield f"{fault}: expected some scenario to find it, found none that does"
    table = read_table()
    for key, what in found.items():
        if table.get(key) != what:
            yield f"{', '.join(key)}: expected {table.get(key)} as in table.tsv, found {what}"
    if long:
        for key in table.keys() - found.keys():
            yield f"table.tsv: {', '.join(key)}: expected a run, found none"


def print_matrix(found):
    """A row a fault, a column a scenario: what found it, over all searches."""
    columns = PAIRS + TRIPLES + WAITING
    faults = list(dict.fromkeys(key[0] for key in found))
    width = max(map(len, faults))
    print("  ".join([" " * width, *(f"{column:8}" for column in columns)]).rstrip())
    for fault in faults:
        cells = []
        for column in columns:
            results = [r[0] for key, r in found.items() if key[:2] == (fault, column)]
            what = next((r for r in results if r != "ok"), "-")
            cells.append(f"{SHORT.get(what, what):{max(len(column), 8)}}")
        print(f"{fault:{width}}  {'  '.join(cells)}".rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    found = run_all(asked.long or asked.record)
    if asked.record:
        write_table(found)
    print_matrix(found)
    wrong = list(complaints(found, asked.long or asked.record))
    for complaint in wrong:
        print(complaint)
    of_right = {key: r for key, r in found.items() if key[0] == RIGHT and key[1] not in BAD}
    faults = {key[0] for key in found} - {RIGHT}
    caught = {key[0] for key, r in found.items() if key[0] != RIGHT and r[0] not in ("ok", "crash", "lost")}
    uses = sum(r[0] not in ("ok", "crash", "lost") for key, r in found.items() if key[1] in BAD)
    print(f"{sum(r[1] for r in of_right.values())} iterations of {len(of_right)} searches: "
          f"{sum(r[0] != 'ok' for r in of_right.values())} races or wrong answers; "
          f"{len(caught)} of {len(faults)} planted faults and {uses} of {len(BAD)} wrong uses found")  # fmt: skip
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
