#!/usr/bin/env python3
"""Checks the manual and the completion of an installed endstop against the command: options both ways, examples.

    tests/check_manual.py PREFIX               what is installed there
    tests/check_manual.py PREFIX --self-test   changes one thing at a time in memory; each must be found
"""

import os
import re
import subprocess
import sys
import tempfile

VERBS = ("", "run", "check")

# Options that take one of a few words.
CHOICES = (("run", "matcher"), ("check", "format"))

# The words on the line, the last one to be completed, and what is offered for it in a folder of FILES.
FILES = ("log.jsonl", "two words.jsonl")
COMPLETIONS = (
    (("",), "check run"),
    (("r",), "run"),
    (("x",), ""),
    (("--v",), "--version"),
    (("run", "l"), "log.jsonl"),
    (("run", "--vocab", "l"), "log.jsonl"),
    (("run", "--vocab", "=", "l"), "log.jsonl"),
    (("run", "t"), "two words.jsonl"),
    (("run", "--t"), "--trace"),
    (("run", "log.jsonl", "--st"), "--strict"),
    (("run", "--matcher", ""), "bytes model"),
    (("run", "-m", "m"), "model"),
    (("check", "--format", ""), "json junit table text"),
    (("check", "--format", "j"), "json junit"),
    (("check", "--format", "="), "json junit table text"),
    (("check", "--format", "=", "te"), "text"),
    (("check", "--format=ju",), "junit"),
    (("check", "-f", "x"), ""),
    (("check", "--format", "json", "l"), "log.jsonl"),
    (("check", "--all", "--f"), "--format"),
)


def complete(script, words, folder):
    """What bash offers for the last of these words."""
    program = 'eval "$1"; shift; COMP_WORDS=(endstop "$@"); COMP_CWORD=$#; _endstop; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", program, "bash", script, *words], cwd=folder, capture_output=True, text=True)
    return " ".join(sorted(done.stdout.strip().split("\n"))) + done.stderr


def unroff(line):
    for sign, text in ((r"\&", ""), (r"\-", "-"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\(aq", "'"), (r"\e", "\\")):
        line = line.replace(sign, text)
    return line


def page_options(page):
    options = page.split(".SH OPTIONS\n")[1].split(".SH ")[0]
    described = re.findall(r"^\.TP\n(\.B.*)$", options, re.M)
    return {name for line in described for name in re.findall(r"--([a-z-]+)", unroff(line))}


def check_options(verb, texts):
    told = set(re.findall(r"^ .{0,6}--([a-z-]+)", texts["help", verb], re.M))
    if not {"help", "usage"} <= told:
        yield f"endstop {verb} --help: expected --help and --usage at least, found {sorted(told)}"
    words = (verb, "--") if verb else ("--",)
    offered = {name[2:] for name in complete(texts["completion"], words, ".").split()}
    for where, found in (("manual", page_options(texts["page", verb])), ("completion", offered)):
        for name in sorted(told ^ found):
            yield f"endstop {verb}: --{name} stands in {'--help' if name in told else 'the ' + where} alone"


def check_choices(verb, option, texts):
    told = set(re.findall(r"\w+", texts["choices", verb]))
    offered = set(complete(texts["completion"], (verb, "--" + option, ""), ".").split())
    described = texts["page", verb].split(f"\\-\\-{option} =")[1].split(".TP")[0]
    described = set(re.findall(r"^\.BR? (\w+)(?: \.| ,)?$", described, re.M))
    for where, found in (("completion", offered), ("manual", described)):
        if found != told:
            yield f"{where} of {verb} --{option}: expected {sorted(told)}, found {sorted(found)}"


def check_examples(verb, page, command):
    examples = re.findall(r"^\.EX\n(.*?)\n\.EE$", page, re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        for example in examples:
            call, *lines = unroff(example).split("\n")
            shown, words = "".join(line + "\n" for line in lines), call.split()[1:]
            if words[0] == "cat":
                with open(os.path.join(folder, words[1]), "w", encoding="utf-8") as file:
                    file.write(shown)
                continue
            done = subprocess.run([command, *words[1:]], cwd=folder, capture_output=True, text=True)
            if done.stderr + done.stdout != shown:
                yield f"manual of {verb}: {call}: expected\n{shown}found\n{done.stderr + done.stdout}"
    if verb and len(examples) < 2:
        yield f"manual of {verb}: expected examples, found {len(examples)}"


def check_completion(script):
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            open(os.path.join(folder, name), "w").close()
        for words, expected in COMPLETIONS:
            found = complete(script, words, folder)
            if found != expected:
                yield f"completion of {' '.join(words)}: expected {expected or 'nothing'}, found {found or 'nothing'}"


def check(texts, command):
    yield from check_completion(texts["completion"])
    for verb, option in CHOICES:
        yield from check_choices(verb, option, texts)
    for verb in VERBS:
        yield from check_options(verb, texts)
        yield from check_examples(verb, texts["page", verb], command)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def main():
    prefix = os.path.abspath(sys.argv[1])
    command = os.path.join(prefix, "bin/endstop")
    texts = {"completion": read(prefix, "share/bash-completion/completions/endstop")}
    for verb in VERBS:
        name = f"endstop-{verb}.1" if verb else "endstop.1"
        texts["page", verb] = read(prefix, "share/man/man1", name)
        texts["help", verb] = subprocess.run([command, *verb.split(), "--help"], capture_output=True, text=True).stdout
    for verb, option in CHOICES:
        done = subprocess.run([command, verb, "--" + option, "?"], capture_output=True, text=True)
        texts["choices", verb] = re.search(r"expected (.*), found", done.stderr)[1].replace(" or ", " ")
    if sys.argv[2:] != ["--self-test"]:
        found = list(check(texts, command))
        print("\n".join(found) or f"{len(VERBS)} pages, {len(COMPLETIONS)} completions: all as the command has it")
        return bool(found)
    plants = (
        (("page", "run"), r"\-\-trace", r"\-\-tarce"),
        (("page", "check"), r"\-\-all", r"\-\-every"),
        (("page", "check"), "1 conform", "2 conform"),
        (("page", "run"), ".EX\n", ".nf\n"),
        (("help", "check"), "--strict", "--stict"),
        ("completion", "--vocab --help", "--help"),
        ("completion", "json junit", "json"),
        (("page", "check"), ".BR junit", ".BR xunit"),
        (("choices", "run"), "model", "table"),
        ("completion", "compgen -f", "compgen -d"),
        ("completion", "'=' &&", "'+' &&"),
    )
    missed = 0
    for place, old, new in plants:
        if old not in texts[place]:
            print(f"{place}: expected {old!r}, found none")
            missed += 1
        elif not list(check({**texts, place: texts[place].replace(old, new)}, command)):
            print(f"{place}: the planted {new!r} was not found")
            missed += 1
    print(f"{len(plants) - missed} of {len(plants)} planted faults found")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
