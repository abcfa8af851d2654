#!/usr/bin/env python3
"""Looks at what is asked of a make target, before anything is built.

    asked.py [T=…] [J=…] [ONLY=…] [LOG=…] [FILE=…]     exit status 0, or 2 and a sentence that names the variable
    asked.py --self-test                               each variable, right and wrong
"""

import argparse
import math
import subprocess
import sys

from harness import CannotRun, finder, harnesses, leave


def above_zero(name, text, kind=float):
    """The number, or a fault that argparse shows."""
    try:
        number = kind(text)
    except ValueError:
        number = 0
    if not (math.isfinite(number) and number > 0):
        what = "a whole number" if kind is int else "minutes"
        raise argparse.ArgumentTypeError(f"{name}: expected {what} above 0, found {text!r}")
    return number


def look(name, text):
    """Raises what is wrong."""
    if name in ("T", "J"):
        try:
            above_zero(name, text, int if name == "J" else float)
        except argparse.ArgumentTypeError as why:
            raise CannotRun(why) from None
    elif name == "ONLY":
        harnesses(text)
    elif name == "LOG":
        if text not in ("", "0", "1"):
            raise CannotRun(f"LOG: expected 0 or 1, found {text!r}")
    elif name == "FILE":
        finder(text)
    else:
        raise CannotRun(f"expected T, J, ONLY, LOG or FILE, found {name!r}")


def self_test():
    right = ("T=0.1", "T=10", "J=2", "ONLY=", "ONLY=lane", "LOG=", "LOG=0", "LOG=1")
    wrong = ("T=", "T=nan", "T=inf", "T=-1", "T=0", "T=ten", "J=0", "J=1.5", "J=", "ONLY=nonsense", "LOG=yes", "FILE=", "FILE=fuzz/asked.py")
    missed = 0
    for asked in right + wrong:
        done = subprocess.run([sys.executable, __file__, asked], capture_output=True, text=True, check=False)
        due = (0, "") if asked in right else (2, f"asked.py: {asked.split('=')[0]}: expected ")
        if done.returncode != due[0] or not done.stderr.startswith(due[1]) or "Traceback" in done.stderr:
            print(f"{asked}: expected exit status {due[0]}, found {done.returncode}: {done.stderr}")
            missed += 1
    print(f"{len(right)} right and {len(wrong)} wrong, {missed} taken otherwise")
    return 1 if missed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    for asked in sys.argv[1:]:
        look(*(asked + "=").split("=")[:2])
    return 0


if __name__ == "__main__":
    leave(main)
