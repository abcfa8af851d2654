"""fuzz/log.md: what the campaigns ran. The rows are added here, and the totals are computed from the rows."""

import datetime
import subprocess

from harness import ROOT

FILE = ROOT / "fuzz" / "log.md"
HEAD = """# What was run

`make fuzz T=minutes LOG=1` and `make fuzz-afl T=minutes LOG=1` add a row a harness and compute the totals anew. CPU minutes are those of the fuzzer and its children. `src` is git's name for the folder of the sources (`git rev-parse --short HEAD:src`), which stays what it is when a commit is written anew.
"""
COLUMNS = ["date", "tool", "commit", "src", "harness", "CPU minutes", "executions", "found"]


def git(*words):
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def version():
    """The commit, `(changed)` if the tree is not what it says, and the name of its folder of sources."""
    changed = git("status", "--porcelain", "--", ".", ":!fuzz/log.md")
    return git("rev-parse", "--short", "HEAD") + (" (changed)" if changed else ""), git("rev-parse", "--short", "HEAD:src")


def read():
    """The rows, as they stand there."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.is_file() else []
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| 2")]
    return [row for row in cells if len(row) == len(COLUMNS)]


def row(words):
    return "| " + " | ".join(words) + " |"


def totals(rows):
    """A row a tool, and one of all."""
    tools = sorted({words[1].split()[0] for words in rows})
    for tool in [*tools, "all"]:
        those = [words for words in rows if tool in ("all", words[1].split()[0])]
        minutes = sum(number(words[5]) for words in those)
        executions, found = (sum(int(number(words[i])) for words in those) for i in (6, 7))
        yield [tool, f"{minutes / 60:.2f}", f"{executions:,}", f"{found}"]


def write(rows):
    lines = [HEAD, row(["tool", "CPU hours", "executions", "found"]), "|---|--:|--:|--:|"]
    lines += [row(words) for words in totals(rows)]
    lines += ["", row(COLUMNS), "|---|---|---|---|---|--:|--:|--:|", *(row(words) for words in rows)]
    part = FILE.with_suffix(".part")
    part.write_text("\n".join(lines) + "\n", encoding="utf-8")
    part.replace(FILE)


def add(tool, at, states):
    """Adds what a campaign ran: tool and version, what version() said before it, and an object a harness. Campaigns of
    one day on the same commit share a row."""
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    rows = {tuple(words[:5]): words[5:] for words in read()}
    for state in states:
        if state.cpu == 0:
            continue
        minutes, executions, found = rows.get((today, tool, *at, state.name), ("0", "0", "0"))
        rows[(today, tool, *at, state.name)] = [
            f"{number(minutes) + state.cpu / 60:.1f}",
            f"{int(number(executions)) + state.executions:,}",
            f"{int(found) + len(state.found)}",
        ]
    write([[*key, *rest] for key, rest in rows.items()])


def number(text):
    return float(text.replace(",", ""))
