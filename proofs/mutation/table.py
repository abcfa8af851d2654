"""The table of survivors that are explained, and what a run found, as tables."""

import re
from collections import Counter

import wp
from mutation import proof, trial
from mutation.mutants import OPERATORS

SURVIVORS = wp.ROOT / "proofs" / "survivors.tsv"
REPORT = wp.ROOT / "proofs" / "mutation.md"
MARKS = ("<!-- tables: mutate.py --record -->\n", "<!-- end of tables -->\n")


def read_explained(every, text=None):
    """The rows by id, and what is wrong with them: each must be of a mutant that there still is, and say why."""
    known, rows, wrong = {mutant.id: mutant for mutant in every}, {}, []
    text = SURVIVORS.read_text(encoding="utf-8") if text is None else text
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        name, function, before, after, reason = (line + "\t" * 4).split("\t")[:5]
        mutant = known.get(name)
        where = f"proofs/survivors.tsv:{number}: {name}"
        if not mutant:
            wrong.append(f"{where}: there is no such mutant; remove the row")
        elif (function, before, after) != (mutant.function, mutant.before, mutant.after):
            wrong.append(f"{where}: not its function and lines")
        elif not reason.strip():
            wrong.append(f"{where}: no reason")
        elif name in rows:
            wrong.append(f"{where}: twice")
        rows[name] = reason
    return rows, wrong


def row_of(mutant, reason):
    return "\t".join((mutant.id, mutant.function, mutant.before, mutant.after, reason))


class Result:
    def __init__(self, chosen, verdicts, answers, explained, drawn, seed):
        self.chosen, self.verdicts, self.answers = chosen, verdicts, answers
        self.explained, self.drawn, self.seed = explained, drawn, seed

    def end(self, mutant):
        """The one column that a mutant is counted in."""
        verdict, answer = self.verdicts[mutant.id], self.answers.get(mutant.id)
        if verdict.word == trial.KILLED:
            return verdict.by
        if answer and answer.word == proof.KILLED:
            return "proof"
        if verdict.word == trial.HANGS:
            return "time-out"
        if verdict.word == trial.LIVES:
            return "explained" if mutant.id in self.explained else "unexplained"
        return verdict.word

    ENDS = (trial.REFUSED, trial.SAME, "unit", "fuzz", "cases", "random", "sanitizers", "orders", "proof", "time-out",
            "explained", "unexplained")  # fmt: skip

    def faults(self):
        for mutant in self.chosen:
            end, where = self.end(mutant), f"{mutant.file}:{mutant.line}: {mutant.id}"
            if end == "unexplained":
                answer = self.answers.get(mutant.id)
                said = f" ({answer.word}: {', '.join(answer.goals[:2])})" if answer else ""
                yield f"{where}: nothing finds {mutant.operator} `{mutant.before}` as `{mutant.after}`{said}"
            elif mutant.id in self.explained and self.verdicts[mutant.id].word not in (trial.LIVES, trial.SAME):
                verdict = self.verdicts[mutant.id]
                yield f"{where}: explained in proofs/survivors.tsv, but {verdict.word} by {verdict.by} {verdict.test}"
        for name, answer in self.answers.items():
            if answer.word == proof.RED:
                yield f"{name}: the right function is not proved within the budget: {', '.join(answer.goals)}"

    def count(self, key):
        """Rows of the table: key, mutants, and how many ended in each column."""
        found = {}
        for mutant in self.chosen:
            found.setdefault(key(mutant), Counter())[self.end(mutant)] += 1
        rows = [[name, ends.total(), *(ends[end] for end in self.ENDS)] for name, ends in sorted(found.items())]
        rows.append(["together", *(sum(column) for column in list(zip(*rows))[1:])])
        return rows

    def sample(self):
        """Of the mutants that tests kill, those that the proof was asked about."""
        words = (proof.KILLED, proof.OUT, proof.PROVED, proof.REFUSED, proof.RED)
        found = {}
        for mutant in self.chosen:
            if mutant.id in self.drawn:
                found.setdefault(mutant.component, Counter())[self.answers[mutant.id].word] += 1
        rows = [[name, ends.total(), *(ends[word] for word in words)] for name, ends in sorted(found.items())]
        if rows:
            rows.append(["together", *(sum(column) for column in list(zip(*rows))[1:])])
        return ["component", "asked", *words], rows

    def text(self):
        heads = ["component", "mutants", *self.ENDS]
        tables = [plain(heads, self.count(lambda mutant: mutant.component))]
        heads, rows = self.sample()
        if rows:
            tables += ["", "mutants that tests kill, against the proof:", plain(heads, rows)]
        return "\n".join(tables)

    def record(self, tests, proofs):
        """Writes the tables into mutation.md."""
        heads = ["mutants", *self.ENDS]
        parts = [markdown(["component", *heads], self.count(lambda mutant: mutant.component)),
                 markdown(["operator", *heads], self.count(lambda mutant: mutant.operator)),
                 "\n".join(f"- {name}: {what}" for name, what in OPERATORS.items()),
                 f"Of the mutants that tests kill, {len(self.drawn)} against the proof, drawn over component and operator "
                 f"(seed {self.seed}):", markdown(*self.sample()),
                 f"Tests {tests:.0f} s, proofs {proofs:.0f} s, on two busy cores."]  # fmt: skip
        body = "\n\n".join(parts) + "\n"
        text = REPORT.read_text(encoding="utf-8")
        pattern = re.escape(MARKS[0]) + ".*?" + re.escape(MARKS[1])
        REPORT.write_text(re.sub(pattern, lambda _: MARKS[0] + body + MARKS[1], text, flags=re.S), encoding="utf-8")


def plain(heads, rows):
    cells = [heads, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "\n".join(cells_of[0].ljust(widths[0]) + "".join("  " + cell.rjust(width) for cell, width in zip(cells_of[1:], widths[1:]))
                     for cells_of in cells)  # fmt: skip


def markdown(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])
