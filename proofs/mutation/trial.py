"""Runs mutants against the tests, the cheapest first, until one fails. The core is a shared library of its own: a mutant
is one file compiled and one library linked, and every program of the tests runs with it."""

import os
import re
import resource
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path


LANGUAGE = ["-std=c11", "-fPIC", "-w", "-D_POSIX_C_SOURCE=200809L", "-Werror=incompatible-pointer-types",
            "-Werror=int-conversion", "-Werror=implicit-function-declaration"]  # fmt: skip
OF_CORE = ["-ffreestanding", "-fno-tree-loop-distribute-patterns"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
INCLUDES = ["src/core", "src/lib", "src/json", "src/vocab", "src/oracle", "src/cli"]
NOT_OF_CORE = {"vocab", "writer"}  # suites that call nothing of the core
CASES = 1000  # of tests/differential.py
HUNG = 3  # time-outs after which no more tests are asked
MEMORY = 4 << 30  # bytes of one test, unless it is built with sanitizers

KILLED, HANGS, LIVES, SAME, REFUSED = "killed", "time-out", "lives", "same code", "does not build"


@dataclass
class Verdict:
    word: str
    by: str = ""  # the kind of test that killed it
    test: str = ""  # that test
    says: str = ""
    seconds: float = 0.0


@dataclass
class Test:
    kind: str  # unit, fuzz, cases, random, sanitizers
    name: str
    command: list
    environment: dict = field(default_factory=dict)
    limit: float = 0.0  # seconds of CPU: ten times what it took with the right core, a second at least
    sanitized: bool = False


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, **more)


class Bench:
    """The programs of the tests, built once, in `folder`, out of the tree at `root`."""

    def __init__(self, root, folder):
        self.root, self.folder = Path(root).resolve(), Path(folder).resolve()
        self.spot, self.lock = threading.local(), threading.Lock()
        self.spots = 0

    def make(self, sanitized):
        """What must be there before: all objects, with the core's names visible."""
        build = self.folder / ("asan" if sanitized else "plain")
        sources = [path for part in ("lib", "json", "vocab", "oracle", "cli") for path in (self.root / "src" / part).glob("*.c*")]
        sources += [*self.root.glob("tests/*.c"), *self.root.glob("fuzz/*.c")]
        objects = [str(build / path.relative_to(self.root).with_suffix(".o")) for path in sorted(sources)]
        extra = [f"SANITIZE={' '.join(SANITIZE)}"] if sanitized else []
        environment = {n: v for n, v in os.environ.items() if n not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD")}
        made = run(["make", "-s", "-j2", f"BUILD={build}", "OPT=-O1", "CFLAGS=-w", "CXXFLAGS=-w", *extra, *objects], cwd=self.root, env=environment)
        if made.returncode:
            raise SystemExit("make: " + made.stderr[-2000:])
        core = sorted(self.root.glob("src/core/*.c"))
        for source in core:
            done = self.compile(source, build / f"{source.stem}.o", sanitized)
            if done.returncode:
                raise SystemExit(done.stderr[-2000:])
        right = build / "right"
        right.mkdir(exist_ok=True)
        self.link([build / f"{source.stem}.o" for source in core], right / "libcore.so", sanitized)
        self.programs(build, right, sanitized)

    def programs(self, build, right, sanitized):
        """unit, endstop and fuzz-NAME, each with all of src but the core, and the core as a library."""
        rest = build / "librest.a"
        rest.unlink(missing_ok=True)
        shared = [str(o) for part in ("lib", "json", "vocab", "oracle") for o in sorted((build / "src" / part).glob("*.o"))]
        frame = [build / "fuzz" / f"{name}.o" for name in ("frame", "replay")]
        harnesses = [build / "fuzz" / f"{path.name}.o" for path in sorted((self.root / "corpus" / "fuzz").iterdir())]
        shared += [str(o) for o in sorted((build / "fuzz").glob("*.o")) if o not in frame + harnesses]
        run(["ar", "rcs", str(rest), *shared]).check_returncode()
        wanted = {"unit": sorted((build / "tests").glob("*.o")), "endstop.bin": sorted((build / "src" / "cli").glob("*.o"))}
        wanted.update({f"fuzz-{o.stem}": [o, *frame] for o in harnesses})
        check = run(["pkg-config", "--libs", "check"]).stdout.split()
        for name, objects in wanted.items():
            command = ["g++", *(SANITIZE if sanitized else []), "-o", str(build / name), *map(str, objects), str(rest),
                       str(right / "libcore.so"), "-lsimdjson", *(check if name == "unit" else [])]  # fmt: skip
            linked = run(command)
            if linked.returncode:
                raise SystemExit(f"{name}: {linked.stderr[-2000:]}")

    def compile(self, source, target, sanitized, core=None, compiler="gcc", optimised="-O2"):
        includes = [f"-iquote{core or self.root / 'src/core'}"]
        flags = [*LANGUAGE, *(OF_CORE if compiler == "gcc" else OF_CORE[:1]), *(["-O1", *SANITIZE] if sanitized else [optimised])]
        return run([compiler, *flags, *includes, "-c", str(source), "-o", str(target)])

    def link(self, objects, target, sanitized):
        command = ["gcc", *(SANITIZE if sanitized else []), "-shared", "-Wl,-soname,libcore.so", "-o", str(target)]
        run([*command, *map(str, objects)]).check_returncode()

    def place(self):
        """A folder of this thread's own."""
        if not hasattr(self.spot, "folder"):
            with self.lock:
                self.spots += 1
                self.spot.folder = self.folder / f"spot{self.spots}"
            shutil.rmtree(self.spot.folder, ignore_errors=True)
            self.spot.folder.mkdir(parents=True)
        return self.spot.folder

    # The tests.

    def prepare(self, kinds=("unit", "fuzz", "cases", "random", "sanitizers")):
        """Builds everything, and measures each test with the right core; a test that fails then is an error."""
        for old in self.folder.glob("*.o"):
            old.unlink()
        self.make(False)
        if "sanitizers" in kinds:
            self.make(True)
        text = "".join(path.read_text(encoding="utf-8") for path in sorted(self.root.glob("tests/test_*.c")))
        self.suites = [name for name in re.findall(r'suite_create\("(\w+)"\)', text) if name not in NOT_OF_CORE]
        self.tests = [test for test in [*self.programs_run(), *self.commands_run()] if test.kind in kinds]
        for test in self.tests:
            begun = resource.getrusage(resource.RUSAGE_CHILDREN)
            word, says = self.ask(test, (self.folder / ("asan" if test.sanitized else "plain") / "right"), 120)
            if word != LIVES:
                raise SystemExit(f"{test.kind} {test.name}: {word} with the right core: {says}")
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            test.limit = max(1.0, 10 * (ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime))

    def programs_run(self):
        """Unit tests by suite and the corpus by harness, as they are and with sanitizers."""
        corpus = self.root / "corpus" / "fuzz"
        for build in (self.folder / "plain", self.folder / "asan"):
            slow = build.name == "asan"
            for suite in self.suites:
                alone = {"CK_FORK": "no", "CK_RUN_SUITE": suite, "ES_SEED": "1", "ASAN_OPTIONS": "detect_leaks=0"}
                yield Test("sanitizers" if slow else "unit", suite, [str(build / "unit")], alone, sanitized=slow)
            for path in sorted(corpus.iterdir()):
                command = [str(build / f"fuzz-{path.name}"), str(path)]
                yield Test("sanitizers" if slow else "fuzz", path.name, command, sanitized=slow)

    def commands_run(self):
        """What runs the command; a wrapper notes how it ended, so that a hang of it is no failure of the test."""
        program, wrapper = self.folder / "plain" / "endstop.bin", self.folder / "endstop"
        note = 'ended=$?\n[ $ended -lt 128 ] || : >"$ES_ENDED.$ended"\nexit $ended'
        wrapper.write_text(f'#!/bin/sh\n"{program}" "$@"\n{note}\n')
        wrapper.chmod(0o755)
        yield Test("cases", "run_cases", ["python3", "tests/run_cases.py", "--quick", "--endstop", str(wrapper)])
        random = ["python3", "tests/differential.py", "--seed", "1", "--cases", str(CASES), "--endstop", str(wrapper)]
        yield Test("random", "differential", random)

    def ordered(self, component):
        """The tests for a mutant of that component, the cheapest and nearest first. With sanitizers, of the unit tests
        only its own and those of the lane."""
        rank = {"unit": 2, "fuzz": 1, "cases": 3, "random": 4, "sanitizers": 5}
        slow = set(self.suites) - {component, "lane"}
        asked = [test for test in self.tests if not (test.sanitized and test.name in slow and Path(test.command[0]).name == "unit")]
        return sorted(asked, key=lambda test: 0 if (test.kind, test.name) == ("unit", component) else rank[test.kind])

    def ask(self, test, library, limit):
        """How one test ends with that library: LIVES, HANGS or KILLED; and what it says."""
        seconds, memory = int(limit + 0.999), resource.RLIM_INFINITY if test.sanitized else MEMORY

        def bound():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        mark = self.place() / "ended"
        for old in mark.parent.glob("ended.*"):
            old.unlink()
        here = {**os.environ, **test.environment, "LD_LIBRARY_PATH": str(library), "ES_ENDED": str(mark), "TMPDIR": str(mark.parent)}
        try:
            done = run(test.command, cwd=self.root, env=here, preexec_fn=bound, stdin=subprocess.DEVNULL, timeout=60 * limit + 60)
        except subprocess.TimeoutExpired:
            return HANGS, "no end"
        ended = {int(path.suffix[1:]) for path in mark.parent.glob("ended.*")}
        if done.returncode in (-24, -9) or ended & {128 + 24, 128 + 9}:
            return HANGS, f"more than {seconds} s of CPU"
        if done.returncode == 0:
            return LIVES, ""
        if done.returncode in (-2, -15, 130):  # Ctrl-C ends the tests too: that says nothing of a mutant
            raise KeyboardInterrupt
        if done.returncode == 127:
            raise SystemExit(f"{test.command[0]}: {done.stderr[-300:]}")
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        how = f"signal {-done.returncode}: " if done.returncode < 0 else ""
        return KILLED, how + (lines[-1][:160] if lines else "")

    # A mutant.

    def build(self, mutant, sanitized, spot):
        """The library with the mutant in it; or what the compiler said; and whether its code is the right core's."""
        build = self.folder / ("asan" if sanitized else "plain")
        name = Path(mutant.file).name
        (spot / name).write_text(mutant.text, encoding="utf-8")
        target = spot / f"{Path(name).stem}.o"
        done = self.compile(spot / name, target, sanitized)
        if done.returncode:
            return None, done.stderr[-300:], False
        right = build / f"{Path(name).stem}.o"
        if target.read_bytes() == right.read_bytes():
            return None, "", True
        others = [build / f"{path.stem}.o" for path in sorted(self.root.glob("src/core/*.c")) if path.name != name]
        library = spot / ("asan" if sanitized else "plain")
        library.mkdir(exist_ok=True)
        self.link([target, *others], library / "libcore.so", sanitized)
        return library, "", False

    def same_elsewhere(self, mutant, spot):
        """Whether another compiler, or other settings, make the same code of it as of the right file."""
        name = Path(mutant.file).name
        for compiler, optimised in (("clang", "-O2"), ("gcc", "-O3"), ("clang", "-Os")):
            right, target = self.folder / f"{name}{compiler}{optimised}.o", spot / "elsewhere.o"
            with self.lock:
                if not right.exists():
                    self.compile(self.root / mutant.file, right, False, None, compiler, optimised).check_returncode()
            done = self.compile(spot / name, target, False, None, compiler, optimised)
            if done.returncode == 0 and target.read_bytes() == right.read_bytes():
                return True
        return False

    def read_header(self, mutant, spot):
        source = spot / Path(mutant.file).with_suffix(".c").name
        shutil.copy(self.root / mutant.file.replace(".h", ".c"), source)
        (spot / Path(mutant.file).name).write_text(mutant.text, encoding="utf-8")
        done = self.compile(source, spot / "header.o", False)
        return Verdict(REFUSED, says=done.stderr[-300:]) if done.returncode else Verdict(LIVES)

    def judge(self, mutant):
        """What the tests say of a mutant."""
        begun, spot, hung, libraries = time.monotonic(), self.place(), [], {}
        if mutant.file.endswith(".h"):  # inline: it is in no library; orders.py asks about it
            return self.read_header(mutant, spot)
        libraries[False], said, same = self.build(mutant, False, spot)
        if same and "memory_order" in mutant.before:  # the same on this machine: what C11 allows is for orders.py to say
            return Verdict(LIVES)
        if libraries[False] is None:
            return Verdict(SAME, "gcc -O2") if same else Verdict(REFUSED, says=said)
        asked_elsewhere = False
        for test in self.ordered(mutant.component):
            if test.kind == "cases" and not hung and not asked_elsewhere:
                asked_elsewhere = True
                if self.same_elsewhere(mutant, spot):
                    return Verdict(SAME, "another compiler", seconds=time.monotonic() - begun)
            if test.sanitized and True not in libraries:
                if hung:
                    break
                libraries[True], said, _ = self.build(mutant, True, spot)
                if libraries[True] is None:  # the same code under sanitizers, which optimise little
                    break
            word, says = self.ask(test, libraries[test.sanitized], test.limit)
            if word == KILLED:
                return Verdict(KILLED, test.kind, test.name, says, time.monotonic() - begun)
            if word == HANGS:
                hung.append(test.name)
                if len(hung) == HUNG:
                    break
        spent = time.monotonic() - begun
        return Verdict(HANGS, "", hung[0], says, spent) if hung else Verdict(LIVES, seconds=spent)
