"""What the scripts of this folder share: which harnesses there are, how one is called, and what libFuzzer says."""

import os
import re
import signal
import subprocess
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 10  # seconds for one input: more is a hang
MEGABYTES = 2048  # for one input: more is out of memory
WHOLE = 1 << 20  # bytes: no committed input is longer
KINDS = {"crash": "crash", "leak": "leak", "timeout": "timeout", "oom": "out of memory", "slow": "slow"}


class CannotRun(Exception):
    """Why nothing could be run: exit status 2."""


@dataclass(frozen=True)
class Harness:
    name: str
    length: int  # bytes of an input, at most
    executions: int  # of its gate
    features: int  # that it must reach in these


def harnesses(only="", root=ROOT):
    """The rows of gates.tsv."""
    rows = [line.split("\t") for line in (root / "fuzz" / "gates.tsv").read_text(encoding="utf-8").splitlines()]
    all_of_them = [Harness(row[0], *map(int, row[1:])) for row in rows if not row[0].startswith("#")]
    chosen = [harness for harness in all_of_them if only in ("", harness.name)]
    if not chosen:
        raise CannotRun(f"ONLY: expected one of {', '.join(h.name for h in all_of_them) or 'no harness'}, found {only!r}")
    return chosen


def finder(path, root=ROOT):
    """The harness that found this file, by its name."""
    if not Path(path).is_file():
        raise CannotRun(f"FILE: expected a file of build/fuzz/found, found {str(path)!r}")
    known = {harness.name: harness for harness in harnesses(root=root)}
    name = Path(path).name.split("-")[0]
    if name not in known:
        raise CannotRun(f"FILE: expected a name that begins with one of {', '.join(known)}, found {str(path)!r}")
    return known[name]


def command(harness, *more, root=ROOT, length=None):
    """How libFuzzer is called, folders left out."""
    words = root / "fuzz" / f"{harness.name}.dict"
    return [
        str(root / "build" / "fuzz" / f"fuzz-{harness.name}"), f"-max_len={length or harness.length}",
        f"-timeout={TIMEOUT}", f"-rss_limit_mb={MEGABYTES}", "-print_final_stats=1",
        *([f"-dict={words}"] if words.is_file() else []), *more,
    ]  # fmt: skip


def committed(harness, seeds, root=ROOT):
    """The folders that a search begins with: the corpus, which must be there, and what seeds.py made in `seeds`."""
    corpus, made = root / "corpus" / "fuzz" / harness.name, seeds / harness.name
    if not corpus.is_dir() or not any(path.stat().st_size for path in corpus.iterdir()):
        raise CannotRun(f"corpus/fuzz/{harness.name}: expected an input at least, found none")
    return [str(corpus), *([str(made)] if made.is_dir() else [])]


def make_seeds(folder, root=ROOT):
    subprocess.run([sys.executable, root / "fuzz" / "seeds.py", str(folder)], check=True)


def build(folder, harness):
    """Builds one harness in a copy of the tree. What went wrong, or None."""
    call = ["make", "-s", "--no-print-directory", "-C", folder, "BUILD=build", f"PROGRAMS=build/fuzz/fuzz-{harness}", "fuzz-programs"]
    done = subprocess.run(call, capture_output=True, text=True, check=False, env=environment())
    return "does not build: " + done.stderr[-600:] if done.returncode else None


def environment():
    """Ours, without what a make that called us would tell another."""
    return {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}


class Said:
    """What libFuzzer said, line by line."""

    def __init__(self, name):
        self.executions = self.features = 0
        self.law = self.file = ""
        self.tail = []
        self.broken = f"{name}: broken: "

    def line(self, text):
        begun = re.match(r"#(\d+)\s.*?\bft: (\d+)", text)
        if begun:
            self.executions, self.features = int(begun[1]), int(begun[2])
            return
        ended = re.match(r"stat::number_of_executed_units: *(\d+)", text)
        if ended:
            self.executions = int(ended[1])
        if text.startswith(self.broken):
            self.law = text[len(self.broken) :]
        written = re.search(r"Test unit written to (.*)", text)
        if written:
            self.file = written[1]
        self.tail = self.tail[-199:] + [text]

    def what(self):
        """What was found, in words."""
        if self.law:
            return self.law
        kind = os.path.basename(self.file).split("-")[1] if self.file else ""
        summary = next((line for line in self.tail if line.startswith("SUMMARY:")), "")
        return " ".join([KINDS.get(kind, kind) or "no reason", summary.removeprefix("SUMMARY: ")]).strip()


def run(name, call, seconds=900):
    """Runs libFuzzer to its end: its status and what it said."""
    said = Said(name)
    done = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=seconds)
    for text in done.stderr.decode(errors="replace").splitlines():
        said.line(text)
    return done.returncode, said


def table(head, rows):
    """Lines of a table: the first column on the left, numbers on the right."""
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in [head, *rows]]
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    right = [bool(rows) and isinstance(rows[0][i], (int, float)) for i in range(len(head))]
    lines = [
        "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, width, right)).rstrip() for row in cells
    ]
    return [lines[0], "  ".join("─" * w for w in width), *lines[1:]]


def end_on_term():
    """kill, or the terminal that goes, ends a script as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.default_int_handler)


def leave(main):
    """Runs main and exits with its status: 2 where it could not be run, 130 where it was interrupted."""
    try:
        status = main()
    except KeyboardInterrupt:
        status = 130
    except (CannotRun, subprocess.CalledProcessError, OSError) as why:
        print(f"{os.path.basename(sys.argv[0])}: {why}", file=sys.stderr)
        status = 2
    except Exception:  # Python's own status is 1, which says that a fault was found
        traceback.print_exc()
        status = 2
    sys.exit(status)
