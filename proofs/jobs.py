"""What there is to do: a proof for each function, and one for the lemmas of each file, as proofs/modules.tsv asks."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

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

    @property
    def where(self):
        return f"{self.file.source}: {self.function}"

    @property
    def name(self):
        return f"{store.stem(self.file.source)}/{self.function.strip('()')}"

    @property
    def select(self):
        return wp.LEMMAS if self.function == LEMMAS else ["-wp-fct", self.function]

    def digest(self):
        """Of what its goals come from; not of the budgets, which change no goal."""
        salt = " ".join([wp.FRAMA_C, *wp.WP, *self.options])
        return self.file.digest(self.function, salt)


def rows(name, columns):
    for line in (wp.ROOT / "proofs" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield (line + "\t" * columns).split("\t")[:columns]


def plan():
    """What modules.tsv asks for: jobs, the whole inventory, and the faults of the table itself."""
    table = list(rows("modules.tsv", 3))
    sources = sorted(str(path.relative_to(wp.ROOT)) for path in (wp.ROOT / "src" / "core").glob("*.c"))
    with ThreadPoolExecutor(2) as pool:
        files = dict(zip(sources, pool.map(inventory.read, sources)))
    jobs, faults, known = [], [], {}
    for source, what, options in table:
        if source not in files:
            faults.append(f"proofs/modules.tsv: {source} is not there")
            continue
        words = options.split()
        names = list(files[source].functions)
        if "-wp-fct" in words:
            place = words.index("-wp-fct")
            names = words[place + 1].split(",")
            del words[place : place + 2]
            faults += [f"proofs/modules.tsv: {source} has no {name}" for name in names if name not in files[source].functions]
        for name in names:
            known[source, name] = "proved" if "proved" in (what, known.get((source, name))) else what
        if what == "proved":
            jobs += [Job(files[source], name, tuple(words)) for name in names if name in files[source].functions]
            if files[source].lemmas:
                jobs.append(Job(files[source], LEMMAS, tuple(words)))
    for source, file in files.items():
        faults += [f"{source}: {name}: no row of proofs/modules.tsv" for name in file.functions if (source, name) not in known]
    return jobs, list(files.values()), faults, [key for key, what in known.items() if what != "proved"]


def chosen(jobs, only):
    return [job for job in jobs if not only or only in (job.function, job.file.source, store.stem(job.file.source))]


def run_one(job, fresh, tenth, answers, results):
    """One proof: its report, its faults, and a note on what was not replayed."""
    folder = wp.WORK / "cache" / job.name
    recorded = results.digest(job.function)
    changed = recorded != job.digest()
    drawn = answers.unpack(job.function, folder, (lambda function, key: True) if fresh or changed else tenth)
    try:
        report = wp.prove(job.name, job.file.source, job.select, job.options, job.steps, folder)
    except wp.Broken as broken:
        return None, [f"{job.where}: {broken}"], ""
    faults = gate.of_report(job.where, report, job.file, None if job.function == LEMMAS else job.function)
    note = ("changed" if recorded else "new") if changed else f"{drawn} anew" if drawn else ""
    return report, faults, note
