"""What is kept of a proof: the provers' answers (proofs/cache), and the numbers of each function (proofs/results).

An answer is a line, `function<TAB>key<TAB>answer`: WP looks it up by the key, a digest of the goal as the prover is
given it. Only answers that the last proof used are kept. Nothing vouches for them but proving again."""

import json
import random
import re
import shutil
from pathlib import Path

import wp

CACHE = wp.ROOT / "proofs" / "cache"
RESULTS = wp.ROOT / "proofs" / "results"
README = wp.ROOT / "proofs" / "README.md"
MARKS = ("<!-- table: make prove-record -->\n", "<!-- end of table -->\n")


def stem(source):
    return Path(source).stem


class Answers:
    """The answers of one file's functions."""

    def __init__(self, source, folder=CACHE):
        self.path = folder / f"{stem(source)}.tsv"
        self.of = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                function, key, answer = line.split("\t")
                self.of.setdefault(function, {})[key] = answer

    def unpack(self, function, target, tenth=None):
        """Lays the answers out as WP wants them, a file each, without those that `tenth` draws. How many it drew."""
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        drawn = 0
        for key, answer in sorted(self.of.get(function, {}).items()):
            if tenth and tenth(function, key):
                drawn += 1
                continue
            (target / f"{key}.json").write_text(answer, encoding="utf-8")
        return drawn

    def pack(self, function, folder):
        answers = {}
        for path in folder.glob("*.json"):
            try:
                answers[path.stem] = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                continue  # cut off while WP wrote it: it will be asked again
        self.of[function] = {key: json.dumps(answer, sort_keys=True) for key, answer in answers.items()}

    def save(self, functions):
        lines = [
            f"{function}\t{key}\t{answer}\n"
            for function, answers in sorted(self.of.items()) if function in functions
            for key, answer in sorted(answers.items())
        ]  # fmt: skip
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text("".join(lines), encoding="utf-8")


def sample(seed, share):
    """Draws that share of the answers; the same for the same seed, in whatever order it is asked."""
    return lambda function, key: random.Random(f"{seed} {function} {key}").random() < share


class Results:
    """The numbers of one file's functions, by name; `(lemmas)` is one of them."""

    def __init__(self, source, folder=RESULTS):
        self.source = source
        self.path = folder / f"{stem(source)}.json"
        self.of = json.loads(self.path.read_text(encoding="utf-8"))["functions"] if self.path.exists() else {}

    def digest(self, function):
        return self.of.get(function, {}).get("digest")

    def record(self, function, digest, report):
        smoke = self.of.get(function, {}).get("smoke")
        self.of[function] = {
            "digest": digest,
            "goals": report.parts,
            "by": dict(sorted(report.provers.items())),
            "most_steps": dict(sorted(report.steps.items())),
            "seconds": round(report.seconds, 1),
        }
        if smoke:
            self.of[function]["smoke"] = smoke

    def save(self, functions):
        self.of = {name: self.of[name] for name in sorted(self.of) if name in functions}
        document = {"file": self.source, "functions": self.of}
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def table():
    """The numbers as a table in Markdown, a line a file."""
    lines = ["| file | functions | goals | of lemmas | by Qed | CVC4 | Z3 | cvc5 | provers' seconds | smoke tests |",
             "|---|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    sums = [0] * 9
    for path in sorted(RESULTS.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        each = document["functions"]
        by = [sum(f["by"].get(prover, 0) for f in each.values()) for prover in ("qed", *wp.PROVERS.values())]
        smoke = sum(f.get("smoke", {}).get("tests", 0) for f in each.values())
        row = [sum(name != "(lemmas)" for name in each), sum(f["goals"] for f in each.values()),
               each.get("(lemmas)", {}).get("goals", 0), *by, sum(f["seconds"] for f in each.values()), smoke]  # fmt: skip
        sums = [a + b for a, b in zip(sums, row)]
        lines.append(f"| {document['file']} | " + " | ".join(f"{value:.0f}" for value in row) + " |")
    lines.append("| together | " + " | ".join(f"{value:.0f}" for value in sums) + " |")
    return "\n".join(lines) + "\n"


def readme(text):
    """The README with the table as it should stand between its marks."""
    pattern = re.escape(MARKS[0]) + ".*?" + re.escape(MARKS[1])
    return re.sub(pattern, lambda _: MARKS[0] + table() + MARKS[1], text, flags=re.S)
