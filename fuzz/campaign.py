#!/usr/bin/env python3
"""Fuzzes all harnesses for some minutes, on all cores, the time shared among them.

    campaign.py [--afl] [--log] [--jobs N] [--only HARNESS] [--slice SECONDS] MINUTES

It needs what `make fuzz-build` builds; with --afl, what `make fuzz-afl` builds besides. New inputs are kept in
build/fuzz/kept/NAME, where the next run goes on. What is found lies in build/fuzz/found, with what the fuzzer said
beside it. Exit status: 0 nothing found, 1 something, 2 it could not be run, 130 interrupted: Ctrl-C ends it and
shows the table. Each child has a session of its own, so that a terminal's Ctrl-C comes to this script alone.
"""

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import afl
import log
from asked import above_zero
from harness import ROOT, Said, command, committed, end_on_term, harnesses, leave, make_seeds, table

WORK = ROOT / "build" / "fuzz"
HEAD = ["harness", "executions", "features", "per s", "CPU s", "new", "found"]


class State:
    """What is known of one harness."""

    def __init__(self, harness):
        self.harness, self.name = harness, harness.name
        self.executions = self.features = 0
        self.cpu = 0.0
        self.running = 0  # executions of the slices that are running
        self.stability = None  # per cent, of AFL++
        self.found = []  # (what, file)
        self.broken = ""  # why it could not be run
        self.kept = WORK / "kept" / harness.name
        self.kept.mkdir(parents=True, exist_ok=True)
        self.before = len(os.listdir(self.kept))
        self.notes = []

    def row(self):
        rate = int(self.executions / self.cpu) if self.cpu else 0
        new = len(os.listdir(self.kept)) - self.before
        row = [self.name, self.executions + self.running, self.features, rate, int(self.cpu), new, len(self.found)]
        return row if self.stability is None else [*row, f"{self.stability:.2f} %"]


class Campaign:
    """Slices of time for the harnesses in turn, some at once."""

    def __init__(self, states, jobs, minutes, longest, run):
        self.states, self.run = states, run
        self.end = time.monotonic() + minutes * 60
        share = minutes * 60 * jobs / len(states)  # seconds of a harness, all told
        self.slice = max(1, share / max(1, round(share / longest)))
        self.lock, self.turn, self.children, self.over = threading.Lock(), 0, {}, False
        self.workers = [threading.Thread(target=self.work) for _ in range(jobs)]

    def next(self):
        """A harness whose turn it is, and for how many seconds; or None."""
        with self.lock:
            left = self.end - time.monotonic()
            open_ones = [state for state in self.states if not state.found and not state.broken]
            if self.over or not open_ones or left < 1:
                return None
            state = self.states[self.turn % len(self.states)]
            while state not in open_ones:
                self.turn += 1
                state = self.states[self.turn % len(self.states)]
            self.turn += 1
            return state, min(self.slice, left)

    def work(self):
        while turn := self.next():
            try:
                self.run(self, *turn)
            except Exception as wrong:  # of a thread: it would be lost
                turn[0].broken = repr(wrong)

    def start(self, call, **how):
        """Starts a child that an interrupt ends."""
        with self.lock:
            if self.over:
                return None
            child = subprocess.Popen(call, start_new_session=True, **how)
            self.children[child.pid] = child
            return child

    def reap(self, child):
        """Waits for it; its CPU seconds."""
        _, status, usage = os.wait4(child.pid, 0)
        with self.lock:
            del self.children[child.pid]
        child.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime

    def stop(self):
        """Ends the children: politely, and after five seconds for certain."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with self.lock:
            self.over = True
            self.tell(signal.SIGTERM)
        patience = time.monotonic() + 5
        while time.monotonic() < patience and any(worker.is_alive() for worker in self.workers):
            time.sleep(0.1)
        with self.lock:
            self.tell(signal.SIGKILL)

    def tell(self, what):
        """Sends the children, and all that they started, a signal."""
        for child in self.children:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, what)

    def show(self):
        """Runs all of it, with a table that is drawn anew on a terminal. Whether it came to its end."""
        drawn = 0
        for worker in self.workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in self.workers):
                time.sleep(0.5)
                if sys.stdout.isatty():
                    lines = self.lines()
                    print(f"\033[{drawn}A" * (drawn > 0) + "".join(f"{line}\033[K\n" for line in lines), end="", flush=True)
                    drawn = len(lines)
        except KeyboardInterrupt:
            self.stop()
            for worker in self.workers:
                worker.join()
        if drawn:
            print(f"\033[{drawn}A\033[J", end="")
        return not self.over

    def lines(self):
        lines = table_of(self.states)
        left = max(0, int(self.end - time.monotonic()))
        return [*lines, f"{left // 60}:{left % 60:02} left" if left else ""]


def slice_of_libfuzzer(campaign, state, seconds):
    """One harness for some seconds."""
    found = WORK / "found"
    call = command(
        state.harness, f"-max_total_time={max(1, int(seconds))}", f"-artifact_prefix={found}/{state.name}-",
        str(state.kept), *committed(state.harness, WORK / "seeds"),
    )  # fmt: skip
    said, before = Said(state.name), state.running
    child = campaign.start(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if child is None:
        return
    for text in child.stderr:
        said.line(text.decode(errors="replace").rstrip("\n"))
        state.running = before + said.executions
        state.features = max(state.features, said.features)
    state.cpu += campaign.reap(child)
    state.executions += said.executions
    state.running = before
    if child.returncode == 0 or campaign.over:
        return
    if not said.file:
        state.broken = f"ended with status {child.returncode}: " + " / ".join(said.tail[-3:])
        return
    Path(said.file + ".txt").write_text("\n".join(said.tail) + "\n", encoding="utf-8")
    state.found.append((said.what(), os.path.relpath(said.file, ROOT)))


def table_of(states):
    """A column more where there is stability: of AFL++."""
    rows = [state.row() for state in states]
    longest = max(map(len, rows))
    return table((HEAD + ["stability"])[:longest], [(row + [""])[:longest] for row in rows])


def version_of(tool):
    """Its name and version."""
    if tool == "afl":
        return "AFL++ " + afl.version()
    said = subprocess.run(["clang", "--version"], capture_output=True, text=True, check=True).stdout
    return "libFuzzer " + re.search(r"version ([\d.]+)", said)[1]


def report(states, finished):
    """The table and what was found; the exit status."""
    print("\n".join(table_of(states)))
    total = sum(state.executions for state in states)
    print(f"{total:,} executions, {sum(state.cpu for state in states) / 60:.1f} CPU minutes" + ("" if finished else ", interrupted"))
    for state in states:
        for note in state.notes:
            print(f"{state.name}: {note}")
        files = {}
        for what, file in state.found:
            files.setdefault(what, []).append(file)
        for what, some in files.items():
            print(f"{state.name}: {what}\n    make fuzz-case FILE={some[0]}" + (f"    and {len(some) - 1} more" if some[1:] else ""))
        if state.broken:
            print(f"{state.name}: could not be run: {state.broken}")
    idle = [state.name for state in states if finished and not state.executions]
    if idle:
        print(f"no time was left for {', '.join(idle)}")
    if idle or any(state.broken for state in states):
        return 2
    if any(state.found for state in states):
        return 1
    return 0 if finished else 130


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=lambda text: above_zero("T", text))
    parser.add_argument("--afl", action="store_true")
    parser.add_argument("--log", action="store_true", help="add rows to fuzz/log.md")
    parser.add_argument("--jobs", type=lambda text: above_zero("J", text, int), default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", default="")
    parser.add_argument("--slice", type=float, default=0, help="seconds of a harness at once, about")
    options = parser.parse_args()
    chosen = harnesses(options.only)
    end_on_term()
    os.umask(0o022)
    (WORK / "found").mkdir(parents=True, exist_ok=True)
    make_seeds(WORK / "seeds")
    at = log.version() if options.log else None
    for harness in chosen:
        committed(harness, WORK / "seeds")  # before anything runs
    states = [State(harness) for harness in chosen]
    run = afl.slice_of_afl if options.afl else slice_of_libfuzzer
    longest = options.slice or (150 if options.afl else 60)
    campaign = Campaign(states, options.jobs, options.minutes, longest, run)
    finished = campaign.show()
    if options.log:
        log.add(version_of("afl" if options.afl else "libfuzzer"), at, states)
    return report(states, finished)


if __name__ == "__main__":
    leave(main)
