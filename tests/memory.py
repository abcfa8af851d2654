#!/usr/bin/env python3
"""The command, and the engine loop, when memory runs out: each allocation fails once, alone and with all that follow.
They must answer as ever, or end with status 2 and a sentence that speaks of memory; and leave nothing behind that they
asked for.

    memory.py [BUILD]       build/endstop and build/engine, or those in another folder
    memory.py --self-test   a program that crashes, keeps silent, answers otherwise or leaks must be found
"""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VOCABULARIES = ROOT / "corpus" / "cases" / "vocab"
PATIENCE = 60  # seconds for one run
MOST = 600  # allocations in a run: a scenario with more is too large to fail each

TOKENS = [[{"id": 1, "text": "Hi \u00e9"}, {"id": 2, "hex": "f09f"}], [],
          [{"id": 3, "hex": "988a"}, {"id": 4, "text": "EN"}], [{"id": 5, "text": "D of"}]]  # fmt: skip
CASE = {"case": "c", "request": {"stop": [{"text": "END", "priority": 1}, "xx"], "stop_token_ids": [7, 8],
        "eos_token_ids": [9], "stop_token_sequences": [[4, 4], [5, 6, 7]], "max_tokens": 9,
        "include_stop_str_in_output": True, "repetition": {"max_period": 2, "min_repeats": 3}, "flush": {"bytes": 3}}, "steps": TOKENS,
        "sink": ["later", "ok", "later"]}  # fmt: skip
ENDED = {**CASE, "case": "r", "request": {"stop": "END", "stop_token_ids": [7]}}
RESULT = {"deltas": ["Hi é", "", "😊", "EN"], "text": "Hi é😊EN", "finish_reason": "length", "tokens": 3,
          "token_ids": [1, 2, 3], "stop_reason": None}  # fmt: skip
RACE = {"case": "o", "events": [
    {"thread": "engine", "op": "token_commit", "tok": "T0"}, {"thread": "control", "op": "set_stop"},
    {"thread": "engine", "op": "read_stop"}, {"thread": "engine", "op": "token_commit", "tok": "T1"}]}  # fmt: skip
RACED = {**RACE, "case": "q", "result": {"committed": ["T0", "T1"], "finish_reason": "stop", "terminal_count": 2}}
IDS = {"case": "i", "vocab": "pieces.json", "request": {"stop": "b"}, "steps": [[{"id": 1}], [{"id": 2}], [{"id": 3}]]}
REFUSED = {**CASE, "case": "n", "request": {"stop": ["a", ""]}}
ILL = '{"case":"ill","request":{"stop":["\\ud800"]},"steps":[],"x":1}'
BROKEN = '{"case":"broken","request":{"stop":[1e999]},"steps":[}'
TEKKEN = {"config": {"pattern": "", "num_vocab_tokens": 3, "default_vocab_size": 5, "default_num_special_tokens": 2,
                     "version": "v3"},
          "vocab": [{"rank": r, "token_bytes": t, "token_str": None} for r, t in enumerate(("AA==", "Yg==", "YmI="))],
          "special_tokens": [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}]}  # fmt: skip


def scenarios():
    """The arguments of a call of the command, and the lines that it reads."""
    cases = [CASE, REFUSED, RACE, ILL, BROKEN, CASE]
    recordings = [{**ENDED, "result": RESULT}, RACED, {**ENDED, "case": "s", "steps": None, "result": RESULT}, BROKEN]
    yield ["run", "in"], cases
    yield ["run", "--matcher", "model", "in"], cases
    yield ["run", "--trace", "in"], cases
    for form in ("text", "table", "json", "junit"):
        yield ["check", "--format", form, "in"], recordings
    yield ["run", "folder/in"], [IDS]
    yield ["run", "--vocab", "ill.json", "in"], []
    for vocabulary in ("bytes.json", "pieces.json", "ranks.tiktoken", "tekken.json"):
        yield ["run", "--strict", "--vocab", vocabulary, "in"], [{**IDS, "vocab": None}]


def write(folder, arguments, lines):
    """Lays the files of a call out."""
    (folder / "folder").mkdir(parents=True)
    given = [line if isinstance(line, str) else {n: v for n, v in line.items() if v is not None} for line in lines]
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in given)
    (folder / (arguments or ["in"])[-1]).write_text(text, encoding="utf-8")
    for place in (folder, folder / "folder"):
        for vocabulary in VOCABULARIES.iterdir():
            (place / vocabulary.name).write_bytes(vocabulary.read_bytes())
        (place / "tekken.json").write_text(json.dumps(TEKKEN), encoding="utf-8")
        (place / "ill.json").write_text('{"model":"\\ud800"}', encoding="utf-8")


class Run:
    """One run in which the allocation number `at` fails, and those after it if `on`."""

    def __init__(self, library, command, folder, at, on):
        told = folder / f"told-{at}-{on}"
        environment = {**os.environ, "LD_PRELOAD": str(library), "SCARCE_AT": str(at), "SCARCE_TOLD": str(told)}
        if on:
            environment["SCARCE_ON"] = "1"
        done = subprocess.run(command, cwd=folder, env=environment, timeout=PATIENCE, capture_output=True,
                              stdin=subprocess.DEVNULL)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")
        counts = told.read_text().split() if told.exists() else (0, 1, 0, 0)
        self.asked, self.failed, self.left, self.returned = map(int, counts)

    def wrong(self, usual):
        """What is wrong with it beside one in which nothing fails, or None."""
        if self.left != usual.left and self.returned:  # who exits in the midst of things frees nothing
            return f"expected {usual.left} blocks left behind, found {self.left}"
        if self.status == 2 and "memory" in self.err:
            return None
        if (self.status, self.out, self.err) == (usual.status, usual.out, usual.err):
            return None
        found = f"status {self.status}: {self.err[-300:]!r}"
        return f"expected the usual answer or status 2 and a sentence on memory, found {found}"


def search(library, command, arguments, lines):
    """Fails each allocation of a call. What is wrong, and how many were failed."""
    name, command = " ".join([os.path.basename(command[0]), *arguments]), [*command, *arguments]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "place"
        write(folder, arguments, lines)
        usual = Run(library, command, folder, 0, False)
        if usual.left != 0:
            return [f"{name}: expected nothing left behind, found {usual.left} blocks"], 0
        if not 0 < usual.asked <= MOST:
            return [f"{name}: expected 1 to {MOST} allocations, found {usual.asked}"], 0
        asked = [(at, on) for at in range(1, usual.asked + 1) for on in (False, True)]
        with ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(lambda a: Run(library, command, folder, *a), asked))
        wrong = []
        for (at, on), run in zip(asked, runs):
            fault = run.wrong(usual) if run.failed else "expected this allocation to be asked for and to fail"
            if fault:
                wrong.append(f"{name}: allocation {at}{' and on' if on else ''}: {fault}")
        return wrong, len(asked)


def build(folder, source, *flags):
    out = Path(folder) / (Path(source).stem + ".so" if flags else Path(source).stem)
    subprocess.run(["gcc", "-std=c11", "-O1", "-g", *flags, str(source), "-o", str(out)], check=True)
    return out


def self_test(library, folder):
    """A right program must pass, and each with a fault must be found by what it does wrong."""
    source = ROOT / "tests" / "memory" / "control.c"
    control = build(folder, source)
    found = {"": "", "crash": "status -", "silent": "sentence on memory", "other": "status 0", "leak": "left behind"}
    for fault, said in found.items():
        wrong, count = search(library, [str(control)], [fault or "none", "in"], [CASE])
        if not count or (not wrong) != (not said) or not all(said in line for line in wrong):
            sys.exit(f"memory.py: the control {fault or 'without a fault'}: expected {said or 'nothing'}, found {wrong}")
    print("4 controls found, 1 right")


def main():
    with tempfile.TemporaryDirectory() as folder:
        library = build(folder, ROOT / "tests" / "memory" / "scarce.c", "-shared", "-fPIC")
        if sys.argv[1:] == ["--self-test"]:
            self_test(library, folder)
            return 0
        where = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
        calls = [("endstop", arguments, lines) for arguments, lines in scenarios()] + [("engine", [], [])]
        wrong, count = [], 0
        for program, arguments, lines in calls:
            found, runs = search(library, [str(where / program)], arguments, lines)
            wrong += found
            count += runs
    print("\n".join(wrong[:40]))
    print(f"{count} allocations failed, {len(wrong)} answered wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
