#!/usr/bin/env python3
"""Does what the README shows: what stands after `$` is typed in an empty folder, where the files are that the
README prints, and must print what stands there. --self-test: a README with another output must fail.

usage: check_readme.py PREFIX [--self-test]     PREFIX: where endstop was installed
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)
FILES = {"c": "hello.c", "python": "hello.py"}
FEWEST = 5  # commands


def run(text, prefix):
    """What is wrong, a line each; and the number of commands."""
    wrong, commands = [], 0
    environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                   "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(f"{prefix}/bin", f"{folder}/build")
        for language, block in FENCE.findall(text):
            if language in FILES:
                with open(f"{folder}/{FILES[language]}", "w", encoding="utf-8") as file:
                    file.write(block)
            for command, expected in [] if language else COMMAND.findall(block):
                command = command.replace("PREFIX", prefix)
                if command.startswith("cat "):  # the file is what follows
                    with open(os.path.join(folder, command[4:]), "w", encoding="utf-8") as file:
                        file.write(expected)
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
                commands += 1
                if done.stdout + done.stderr != expected:
                    wrong.append(f"$ {command}\nexpected:\n{expected}found:\n{done.stdout}{done.stderr}")
    return wrong, commands


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix", type=os.path.abspath)
    parser.add_argument("--self-test", action="store_true")
    asked = parser.parse_args()
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        text = file.read()
    if asked.self_test:
        for right, planted in (("send \"The \"", "send \"The\""), ("\nleak\n", "\nlate\n"), ("1 violate", "2 violate")):
            if text.count(right) < 1 or not run(text.replace(right, planted), asked.prefix)[0]:
                sys.exit(f"check_readme.py: {planted!r} in the place of {right!r} was not found")
        print("3 planted outputs, all found")
        return
    wrong, commands = run(text, asked.prefix)
    print("\n".join(wrong + [f"{commands} commands of the README, {len(wrong)} print something else"]))
    sys.exit(1 if wrong or commands < FEWEST else 0)


if __name__ == "__main__":
    main()
