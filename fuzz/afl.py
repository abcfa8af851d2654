"""One harness under AFL++ for some seconds. It begins with all inputs there are, and puts what it kept beside those of
libFuzzer. Its programs have no sanitizers; what it finds, and through `make fuzz-merge` what it keeps, is run again with
them."""

import hashlib
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from harness import ROOT, TIMEOUT, command, committed, run

WORK = ROOT / "build" / "afl"
MOVING = 1  # edges that may be taken or not for the same input: that of the frame's own loop
SETTINGS = {
    "AFL_NO_UI": "1",
    "AFL_SKIP_CPUFREQ": "1",  # speed would be nicer, but is not ours to set
    "AFL_NO_AFFINITY": "1",  # others have their work on these cores, too
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",  # where core files go to a program
    "AFL_HANG_TMOUT": str(TIMEOUT * 1000),
    "AFL_FORKSRV_INIT_TMOUT": "60000",
    "AFL_NO_CRASH_README": "1",
}


def version():
    said = subprocess.run(["afl-fuzz", "--version"], capture_output=True, text=True, check=False)
    return re.search(r"afl-fuzz\+*([\d.]+\w*)", said.stdout + said.stderr)[1]


def name_of(data):
    return hashlib.sha1(data).hexdigest()


def gather(folder, sources, longest):
    """Copies all inputs into one folder, each once."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source in sources:
        for path in Path(source).iterdir():
            data = path.read_bytes()
            if 0 < len(data) <= longest:
                (folder / name_of(data)).write_bytes(data)
    if not any(folder.iterdir()):
        (folder / "zero").write_bytes(b"0")


def stats_of(folder):
    """What AFL++ wrote of itself, or nothing yet."""
    try:
        lines = (folder / "default" / "fuzzer_stats").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return dict(map(str.strip, line.split(":", 1)) for line in lines if ":" in line)


def cpu_of(root):
    """CPU seconds of a process, its living descendants, and all that these have waited for."""
    parents, times = {}, {}
    for entry in os.listdir("/proc"):
        try:
            fields = Path(f"/proc/{entry}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split() if entry.isdigit() else []
        except OSError:
            continue
        if fields:
            parents[int(entry)] = int(fields[1])
            times[int(entry)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    seconds = 0.0
    for process, used in times.items():
        ancestor = process
        while ancestor not in (root, 0, None):
            ancestor = parents.get(ancestor)
        seconds += used if ancestor == root else 0
    return seconds


def confirm(state, path, kind, found):
    """Runs what AFL++ saved again, with sanitizers; keeps it under a name that says what it is."""
    data = path.read_bytes()
    kept = found / f"{state.name}-{kind}-{name_of(data)}"
    kept.write_bytes(data)
    status, said = run(state.name, command(state.harness, str(kept)))
    if status == 0 and kind == "timeout":
        kept.unlink()
        state.notes.append(f"an input that took AFL++ {TIMEOUT} s does not take it again")
        return
    what = said.what() if status else "a crash under AFL++ alone, not with sanitizers"
    Path(f"{kept}.txt").write_text("\n".join(said.tail) + "\n", encoding="utf-8")
    state.found.append((what, os.path.relpath(kept, ROOT)))


def slice_of_afl(campaign, state, seconds):
    folder = WORK / f"{state.name}-{time.monotonic_ns()}"
    gather(folder / "in", [state.kept, *committed(state.harness, state.kept.parent.parent / "seeds")], state.harness.length)
    words = ROOT / "fuzz" / f"{state.name}.dict"
    call = [
        "afl-fuzz", "-i", f"{folder}/in", "-o", f"{folder}/out", "-V", str(max(1, int(seconds))), "-G", str(state.harness.length),
        "-t", "5000", *(["-x", str(words)] if words.is_file() else []), "--", str(WORK / f"fuzz-{state.name}"),
    ]  # fmt: skip
    with open(folder / "said", "wb") as said:
        child = campaign.start(call, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env={**os.environ, **SETTINGS})
        if child is None:
            shutil.rmtree(folder)
            return
        before, seen = state.running, 0.0
        # Not reaped before its descendants are counted for the last time.
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            seen = max(seen, cpu_of(child.pid))
            state.running = before + int(stats_of(folder / "out").get("execs_done", 0))
            time.sleep(0.5)
        state.cpu += max(seen, campaign.reap(child))
    stats = stats_of(folder / "out")
    state.running = before
    state.executions += int(stats.get("execs_done", 0))
    state.features = max(state.features, int(stats.get("edges_found", 0)))
    take(campaign, state, folder, stats, child.returncode)


def take(campaign, state, folder, stats, status):
    """What a slice left behind."""
    out = folder / "out" / "default"
    for path in sorted(out.glob("queue/id:*+cov")):  # those that reached a new place, not one oftener
        data = path.read_bytes()
        (state.kept / name_of(data)).write_bytes(data)
    for kind, where in (("crash", "crashes"), ("timeout", "hangs")):
        for path in sorted(out.glob(f"{where}/id:*")):
            confirm(state, path, kind, state.kept.parent.parent / "found")
    if stats:
        stable = float(stats["stability"].rstrip("%"))
        state.stability = stable if state.stability is None else min(state.stability, stable)
        moving = int(stats["var_byte_count"])
        if moving > MOVING:
            state.broken = f"stability: expected {MOVING} edge at most that comes and goes, found {moving}: something outlives an input"
    elif not campaign.over:
        tail = (folder / "said").read_text(errors="replace").splitlines()[-12:]
        state.broken = f"afl-fuzz ended with status {status}: " + " / ".join(tail)
    shutil.rmtree(folder)
