"""Shows that the count bites: without the tests of a component its mutants live, and the run says so; and that rows of
survivors.tsv that are of no mutant, or of one that a test finds, are refused."""

import re
import shutil

import wp
from mutation import mutants, table, trial

COMPONENT = "batch"


def without_tests(root):
    """Empties the component's test file, but for one test of nothing."""
    path = root / "tests" / f"test_{COMPONENT}.c"
    path.write_text("#include <check.h>\n\nSTART_TEST(nothing) {\n}\nEND_TEST\n\n"
                    f"Suite *{COMPONENT}_suite(void);\n\nSuite *{COMPONENT}_suite(void) {{\n"
                    f'  Suite *suite = suite_create("{COMPONENT}");\n  TCase *all = tcase_create("all");\n'
                    "  tcase_add_test(all, nothing);\n  suite_add_tcase(suite, all);\n  return suite;\n}\n")  # fmt: skip


def copy_of(folder):
    root = folder / "bites"
    shutil.rmtree(root, ignore_errors=True)
    for name in ("src", "tests", "fuzz"):
        shutil.copytree(wp.ROOT / name, root / name)
    (root / "corpus").symlink_to(wp.ROOT / "corpus")
    shutil.copy2(wp.ROOT / "Makefile", root)
    return root


def lives(root, chosen, explained):
    """What a run with the unit tests alone complains of."""
    bench = trial.Bench(root, root / "build")
    bench.prepare(kinds=("unit",))
    verdicts = {mutant.id: bench.judge(mutant) for mutant in chosen}
    result = table.Result(chosen, verdicts, {}, explained, set(), 0)
    print(result.text(), flush=True)
    return list(result.faults())


def selftest(folder):
    every = list(mutants.every(wp.ROOT))
    chosen = [mutant for mutant in every if mutant.component == COMPONENT]
    explained, wrong = table.read_explained(every)
    root = copy_of(folder)
    before = lives(root, chosen, explained)
    without_tests(root)
    after = lives(root, chosen, explained)
    if len(after) <= len(before) + len(chosen) // 2:
        wrong.append(f"without the tests of {COMPONENT}: expected its mutants to live, found {len(after)}, before {len(before)}")
    killed = next(m for m in chosen if not any(m.id in fault for fault in before) and m.id not in explained)
    result = table.Result([killed], {killed.id: trial.Verdict(trial.KILLED, "unit")}, {}, {killed.id: "no fault"}, set(), 0)
    if not any("explained in" in fault for fault in result.faults()):
        wrong.append("a row of a mutant that a test finds was taken")
    row = table.row_of(killed, "no fault")
    stale = {"a row of no mutant": row.replace(killed.id, f"{COMPONENT}-00000000"), "a row without a reason": row.removesuffix("no fault"),
             "a row with other lines": row.replace(killed.after, killed.after + ";")}  # fmt: skip
    wrong += [f"{what} was taken" for what, text in stale.items() if not table.read_explained(every, text)[1]]
    if table.read_explained(every, row)[1]:
        wrong.append("a right row was refused")
    for fault in wrong:
        print(f"FAILED: {fault}")
    found = sum(bool(re.search(r"nothing finds", fault)) for fault in after)
    print(f"without the tests of {COMPONENT} {found} of {len(chosen)} mutants live and are named, {len(before)} with them; "
          f"{len(stale) + 1} bad rows refused")  # fmt: skip
    return bool(wrong)
