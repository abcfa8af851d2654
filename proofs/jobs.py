"""What there is to do, as proofs/modules.tsv asks: a proof for each function, and one for the lemmas that each file is
the first to have."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property

import gate
import inventory
import store
import wp

LEMMAS = "(lemmas)"


@dataclass(eq=False)
class Job:
    file: inventory.File
    function: str  # or LEMMAS
    options: tuple
    steps: dict = field(default_factory=lambda: wp.STEPS)
    lemmas: tuple = ()  # those to be proved here

    @property
    def where(self):
        return f"{self.file.source}: {self.function}"

    @property
    def name(self):
        return f"{store.stem(self.file.source)}/{self.function.strip('()')}"

    @cached_property
    def digest(self):
        """Of what its goals come from; not of the budgets, which change no goal."""
        salt = " ".join([wp.FRAMA_C, *wp.WP, *self.options, *self.lemmas])
        return self.file.logic_digest(salt) if self.function == LEMMAS else self.file.digest(self.function, salt)

    def prove(self, name, cache=None):
        source = self.file.source
        if self.function != LEMMAS:
            return wp.prove(name, source, ["-wp-fct", self.function], self.options, self.steps, cache)
        others = [lemma for lemma in self.file.lemmas if lemma not in self.lemmas]
        return wp.prove_lemmas(name, source, self.lemmas, others, self.options, self.steps, cache)

    def faults(self, report):
        return gate.of_report(self.where, report, self.file, self.function, self.lemmas)


def rows(name, columns):
    for line in (wp.ROOT / "proofs" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield (line + "\t" * columns).split("\t")[:columns]


def not_read():
    """Files that frama-c does not read: they access atomics."""
    return {source for source, what, _ in rows("modules.tsv", 3) if what == "atomic"}


def plan():
    """What modules.tsv asks for: jobs, the whole inventory, and the faults of the table itself."""
    table = list(rows("modules.tsv", 3))
    atomic = not_read()
    sources = sorted(str(path.relative_to(wp.ROOT)) for path in (wp.ROOT / "src" / "core").glob("*.c"))
    read = [source for source in sources if source not in atomic]
    with ThreadPoolExecutor(2) as pool:
        files = dict(zip(read, pool.map(inventory.read, read)))
    jobs, faults, known, owned = [], [], set(), set()
    for source, what, options in table:
        if source in atomic:
            faults += gate.of_atomic(source, (wp.ROOT / source).read_text(encoding="utf-8"))
            continue
        if source not in files:
            faults.append(f"proofs/modules.tsv: {source} is not there")
            continue
        known.add(source)
        if what != "proved":
            faults.append(f"proofs/modules.tsv: {source}: expected proved or atomic, found {what}")
            continue
        words = tuple(options.split())
        jobs += [Job(files[source], name, words) for name in files[source].functions]
        jobs += lemma_job(files[source], words, owned)
    faults += [f"{source}: no row of proofs/modules.tsv" for source in files if source not in known]
    return jobs, list(files.values()), faults


def lemma_job(file, options, owned, steps=wp.STEPS):
    """A proof of the lemmas that no file before this one has, or none. Once is enough: gate.of_logic sees to it that a
    lemma says the same in each file, and the lemmas that WP takes for its proof are those before it in the same file,
    which are proved there or in an earlier file. So no lemma helps to prove itself."""
    own = tuple(lemma for lemma in file.lemmas if (options, lemma) not in owned)
    owned |= {(options, lemma) for lemma in own}
    return [Job(file, LEMMAS, options, steps, own)] if own else []


def chosen(jobs, only):
    return [job for job in jobs if not only or only in (job.function, job.file.source, store.stem(job.file.source))]


def run_one(job, fresh, tenth, answers, results):
    """One proof: its report, its faults, and a note on what was not replayed."""
    folder = wp.WORK / "cache" / job.name
    recorded = results.digest(job.function)
    changed = recorded != job.digest
    drawn = answers.unpack(job.function, folder, (lambda function, key: True) if fresh or changed else tenth)
    try:
        report = job.prove(job.name, folder)
    except wp.Broken as broken:
        return None, [f"{job.where}: {broken}"], ""
    faults = job.faults(report)
    note = ("changed" if recorded else "new") if changed else f"{drawn} anew" if drawn else ""
    return report, faults, note
