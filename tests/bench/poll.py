#!/usr/bin/env python3
"""What a look at the stop flag costs beside a plain load: instructions on x86-64, at most 2 more; and processor time.

    poll.py BUILD"""

import platform
import re
import statistics
import subprocess
import sys


def instructions(program):
    """How many each of the functions has, its return too, without the padding behind it."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], check=True, capture_output=True, text=True)
    counts = {}
    for name in ("poll_flag", "poll_plain", "poll_dear"):
        body = re.search(rf"<{name}>:\n(.*?)(?:\n\n|\Z)", listing.stdout, re.S)
        words = [line.split("\t")[1].split()[0] for line in body[1].split("\n") if line.count("\t") >= 1]
        if words.count("ret") != 1:
            sys.exit(f"poll: {name}: expected one return, found {words}")
        counts[name] = len([word for word in words[: words.index("ret") + 1] if not word.startswith("endbr")])
    return counts.values()


def main():
    program = sys.argv[1] + "/poll"
    rounds = [[float(word) for word in line.split()] for line in
              subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()]  # fmt: skip
    ratio = statistics.median(flag / plain for flag, plain in rounds)
    print(f"a look at the stop flag: {ratio:.2f} of the time of a plain load, median of {len(rounds)} rounds; ", end="")
    if platform.machine() != "x86_64":
        print(f"instructions not measured on {platform.machine()}")
        return 0
    flag, plain, dear = instructions(program)
    if dear - plain <= 2:
        sys.exit(f"poll: expected a poll that looks at the epoch to be too dear, found {dear - plain} more")
    print(f"{flag} instructions beside {plain}: {flag - plain} more, at most 2 allowed")
    return flag - plain > 2


if __name__ == "__main__":
    sys.exit(main())
