#!/usr/bin/env python3
"""Plants faults in a copy of the engine loop, one at a time: the check named must find each, and a schedule must replay.

Needs build/explore, build/stress and build/tsan/stress. --quick: the first of each check."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ALL, RACES, RANDOM, STRESS, TSAN = "all", "races", "random", "stress", "tsan"

WORD, FLAG, POLL, BATCH = (f"src/core/{name}" for name in ("stopword.c", "stopflag.c", "stopflag.h", "batch.c"))
LOOP, LANE, BOX = (f"src/oracle/{name}.c" for name in ("engine", "engine_lane", "engine_mailbox"))

CAS = """if (atomic_compare_exchange_strong_explicit(&slot->word, &word, next, memory_order_release, memory_order_acquire))"""
READ = "uint8_t reason = es_stop_poll(&e->slots[number].stop);"
ACK = "es_stop_ack(&e->slots[number].stop, &reason);"
ADD = "atomic_fetch_add_explicit(&slot->word, ES_STOP_ACKED, memory_order_release)"
STALE = "if (es_stopword_epoch(word) != epoch) return ES_STOP_STALE;"
OVER = "if (left->has_terminal) lane->sink.over(lane->sink.context, &left->terminal);"
TAKE = "if (lane->step++ >= script->step_count) return;"
ASKED = "    es_stop_request(&slot->stop, slot->epoch, (uint8_t)asked);\n"
GIVEN = "    atomic_store_explicit(&lane->place, handle, memory_order_release);\n"
ONE_MORE = (LOOP, ACK, ACK + " lane->run->token_ids[left->tokens++] = 7;")
DROPPED = (BOX, "return ES_ANSWER_LATER;", "return ES_ANSWER_OK;")
LATER_LIST = (LOOP, ACK, ACK + " left->token_ids = lane->run->token_ids;")

# What it is, the check that must find it, what the check says, and (file, a text that occurs once, what replaces it) …
PLANTED = (
    ("the flag is read before the commit and used after", ALL, "R9", (LOOP, TAKE, "early[number] = es_stop_poll(&slot->stop); " + TAKE),
     (LOOP, READ, READ + " if (lane->step > 0) reason = early[number];"),
     (LOOP, "static void take(", "static uint8_t early[65536];\nstatic void take(")),
    ("a request loads and stores", ALL, "R14", (FLAG, CAS, "if (atomic_store_explicit(&slot->word, next, memory_order_release), 1)")),
    ("the acknowledgement loads and stores", ALL, "R14", (FLAG, ADD, "atomic_load_explicit(&slot->word, memory_order_relaxed);\n"
     "  atomic_store_explicit(&slot->word, word + ES_STOP_ACKED, memory_order_release)")),
    ("a stale epoch is accepted", ALL, "R14", (WORD, STALE, "")),
    ("a request after the end is accepted", ALL, "R14", (WORD, "if (is_acked(word)) return ES_STOP_LATE;", "")),
    ("the second request wins too", ALL, "R14", (WORD, "return ES_STOP_SECOND;", "return ES_STOP_WON;")),
    ("the epoch stays", ALL, "R14", (WORD, "es_stopword_epoch(word) + 1", "es_stopword_epoch(word)")),
    ("an early request is passed on after the handle is out", ALL, "R14", (LOOP, ASKED + GIVEN, GIVEN + ASKED)),
    ("an early request is forgotten", ALL, "R(9|14)", (LOOP, ASKED, "")),
    ("state does not move with its lane", ALL, "", (BATCH, "      states[kept] = states[p];\n", "")),
    ("the slot is not flushed", ALL, "T8", (LOOP, "slot->kv_count = 0;", "")),
    ("the next step begins before the flush", ALL, "T(9|10)|R12", (LOOP, "  leave(e);\n  return true;", "  return true;"),
     (LOOP, "  if (lanes == 0) return false;\n  watch(e, ES_DID_STEP, 0, 0, 0);\n",
      "  if (lanes == 0) { leave(e); return false; }\n  watch(e, ES_DID_STEP, 0, 0, 0);\n  leave(e);\n")),
    ("a second terminal", ALL, "T7", (LOOP, OVER, OVER + OVER)),
    ("a token after the acknowledgement", ALL, "T8", ONE_MORE),
    ("the acknowledgement does not release", RACES, "data race", (FLAG, ADD, ADD.replace("release", "relaxed"))),
    ("who looks at the end does not acquire", RACES, "data race", (FLAG, "return es_stopword_over(atomic_load_explicit(&slot->word, memory_order_acquire)",
     "return es_stopword_over(atomic_load_explicit(&slot->word, memory_order_relaxed)")),
    ("a request does not release", RACES, "data race", (FLAG, CAS, CAS.replace("memory_order_release", "memory_order_relaxed"))),
    ("the poll does not acquire", RACES, "data race", (POLL, "(uint8_t)atomic_load_explicit(&slot->word, memory_order_acquire)",
     "(uint8_t)atomic_load_explicit(&slot->word, memory_order_relaxed)")),
    ("a late request's first look does not acquire", RACES, "data race", (FLAG, "uint64_t word = atomic_load_explicit(&slot->word, memory_order_acquire);",
     "uint64_t word = atomic_load_explicit(&slot->word, memory_order_relaxed);")),
    ("a late request's second look does not acquire", RACES, "data race", (FLAG, CAS, CAS.replace("memory_order_acquire", "memory_order_relaxed"))),
    ("recycling does not release", RACES, "data race", (FLAG, "atomic_store_explicit(&slot->word, next, memory_order_release)",
     "atomic_store_explicit(&slot->word, next, memory_order_relaxed)")),
    ("the acknowledgement comes before the list is whole", RACES, "data race", (LOOP, "left->token_ids = lane->run->token_ids;", ""), LATER_LIST),
    ("an early request does not release", RACES, "data race", (LANE, "place, reason, memory_order_release,", "place, reason, memory_order_relaxed,")),
    ("a letter is not released", RANDOM, "data race", (BOX, "&box->written, written + 1, memory_order_release", "&box->written, written + 1, memory_order_relaxed")),
    ("a letter's place is not released", RANDOM, "data race", (BOX, "&box->read, read + 1, memory_order_release", "&box->read, read + 1, memory_order_relaxed")),
    ("a submission does not release", RANDOM, "data race", (LANE, "lane, memory_order_release,", "lane, memory_order_relaxed,")),
    ("text that is put off is dropped", RANDOM, "T4", DROPPED),
    ("a hole is taken before its lane is flushed", RANDOM, "R12|T10", (LOOP, " || e->ended[p]", "")),
    ("the poll is a plain access", TSAN, "data race", (POLL, "(uint8_t)atomic_load_explicit(&slot->word, memory_order_acquire)", "(uint8_t)*(volatile uint64_t *)(void *)&slot->word")),
    ("the acknowledgement is a plain access", TSAN, "data race", (FLAG, ADD, "*(volatile uint64_t *)(void *)&slot->word;\n"
     "  *(volatile uint64_t *)(void *)&slot->word = word + ES_STOP_ACKED")),
    ("the list is published without a release", TSAN, "data race", (FLAG, ADD, ADD.replace("release", "relaxed"))),
    ("text that is put off is dropped", STRESS, "T4", DROPPED),
    ("a token after the acknowledgement", STRESS, "T8", ONE_MORE),
    ("a second terminal", STRESS, "T7", (LOOP, OVER, OVER + OVER)),
    ("the slot is not flushed", STRESS, "T8", (LOOP, "slot->kv_count = 0;", "")),
    ("a stale epoch is accepted", STRESS, "R14", (WORD, STALE, "")),
)

COMMANDS = {
    ALL: ("build/explore", "all"),
    RACES: ("build/explore", "races"),
    RANDOM: ("build/explore", "random", "3000", "1"),
    STRESS: ("build/stress", "20", "1"),
    TSAN: ("build/tsan/stress", "40", "1"),
}


def run(folder, command):
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1 exitcode=66"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=300)


def make(folder, target):
    """Builds it there, from what is changed."""
    tsan = ("BUILD=build/tsan", "SANITIZE=-fsanitize=thread") if "tsan" in target else ()
    extra = "CFLAGS=-Wno-error"
    done = subprocess.run(("make", "-s", "-j2", extra, *tsan, target), cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{target}: {done.stderr[-2000:]}")


def replays(folder, out):
    """Whether the printed schedule gives the same fault again, and its race order is JSON."""
    fault = re.search(r"^explore: .*: .*$", out, re.M)
    schedule = re.search(r"^replay: (.*)$", out, re.M)
    order = re.search(r'^\{"case".*$', out, re.M)
    if not fault or not schedule or not order or "events" not in json.loads(order[0]):
        return False
    last = [line for line in out.splitlines() if line.startswith("explore: ")][-1]
    return last in run(folder, ("build/explore", "--replay", schedule[1])).stdout


def is_found(folder, check, expected, edits):
    """Whether the check finds the fault."""
    kept = {}
    for file, search, replace in edits:
        path = os.path.join(folder, file)
        with open(path, encoding="utf-8") as source:
            text = source.read()
        kept.setdefault(path, text)
        if text.count(search) != 1:
            sys.exit(f"{file}: expected {search!r} once, found it {text.count(search)} times")
        with open(path, "w", encoding="utf-8") as source:
            source.write(text.replace(search, replace))
    make(folder, COMMANDS[check][0])
    done = run(folder, COMMANDS[check])
    said = done.stdout + done.stderr
    found = done.returncode != 0 and re.search(f": ({expected})" if check in (ALL, RANDOM, STRESS) else expected, said)
    if found and check in (ALL, RACES, RANDOM) and expected:
        found = replays(folder, done.stdout)
    for path, text in kept.items():
        with open(path, "w", encoding="utf-8") as source:
            source.write(text)
    return found


def main():
    quick = "--quick" in sys.argv
    missed, count = 0, Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("src", "tests/engine", "tests/schedule", "Makefile", "build/src", "build/tests", "build/traced", "build/tsan"):
            source, copy = os.path.join(ROOT, name), os.path.join(folder, name)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            (shutil.copytree if os.path.isdir(source) else shutil.copy2)(source, copy)
        for what, check, expected, *edits in PLANTED:
            if quick and count[check]:
                continue
            count[check] += 1
            if not is_found(folder, check, expected, edits):
                print(f"{check}: a planted fault was not found: {what}", flush=True)
                missed += 1
    print("planted: " + ", ".join(f"{check} {number}" for check, number in count.items()))
    print(f"{count.total() - missed} of {count.total()} planted faults found")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
