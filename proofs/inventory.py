"""What there is to prove: the functions, contracts, calls and lemmas of each file, as Frama-C itself prints them."""

import hashlib
import re
from dataclasses import dataclass, field

import wp

HEAD = re.compile(r"^(?P<contract>/\*@(?:(?!\*/).)*?\*/\n)?(?P<head>[a-zA-Z_][^;{}()/=]*?\b(?P<name>\w+)\s*\([^;{}]*?\)(?:\s*/\*@ ghost [^;{}]*?\*/)?)\s*\n\{\n"
                  r"(?P<body>.*?)^\}\n", re.M | re.S)  # fmt: skip
PUBLIC = re.compile(r"^[a-z][\w\s*]*?\b(\w+)\([^;{]*?\)(?:\s*/\*@ ghost.*?\*/)?;", re.M | re.S)
GHOST = re.compile(r"^/\*@ ghost\n?((?:(?!\*/).)*?\n\s*\}\n)\n\*/\n", re.M | re.S)
NOT_CALLS = {"if", "while", "for", "switch", "return", "sizeof"}


@dataclass
class Function:
    name: str
    contract: str
    body: str
    calls: set = field(default_factory=set)
    loops: int = 0


@dataclass
class File:
    source: str
    text: str  # as Frama-C prints it
    functions: dict = field(default_factory=dict)
    lemmas: list = field(default_factory=list)
    logic: list = field(default_factory=list)  # name and text of each C type and each definition of logic
    assumptions: list = field(default_factory=list)

    def digest(self, function, salt=""):
        """Of all that the goals of a function come from: its own code, and the contracts, types and logic of the file,
        but not the code of other functions."""

        def strip(found):
            whole = found.group(0)
            return whole if found["name"] == function else whole[: found.start("body") - found.start()]

        return hashlib.sha256((HEAD.sub(strip, self.text) + salt).encode()).hexdigest()[:16]

    def logic_digest(self, salt=""):
        """Of all that the goals of lemmas come from."""
        return hashlib.sha256("\n".join([*(text for _, text in self.logic), salt]).encode()).hexdigest()[:16]


def without_annotations(code):
    return re.sub(r"/\*@.*?\*/", lambda found: ghost(found.group(0)), code, flags=re.S)


def in_code(function):
    """A ghost function as it would stand outside of an annotation: it is to be proved like any other."""
    lines = function.replace("/@", "/*@").replace("@/", "*/").splitlines(True)
    margin = min(len(line) - len(line.lstrip()) for line in lines[1:] if line.strip())
    return "".join(line[margin:] if not line[:margin].strip() else line.lstrip() for line in lines)


def ghost(annotation):
    """Ghost code calls functions too."""
    return annotation if "ghost" in annotation else ""


def read(source, root=wp.ROOT):
    name = "print/" + source.replace("/", "-")
    text = wp.frama_c(name, source, ["-print"], root)
    text = "".join(line for line in text.splitlines(True) if not re.match(r"\[[a-z:]+\]", line))
    text = GHOST.sub(lambda function: in_code(function[1]), text)
    found = File(source, text)
    for match in HEAD.finditer(text):
        body = without_annotations(match["body"])
        calls = set(re.findall(r"\b([a-zA-Z_]\w*)\s*\(", body)) - NOT_CALLS
        loops = len(re.findall(r"\bwhile \(", body))
        found.functions[match["name"]] = Function(match["name"], match["contract"] or "", match["body"], calls, loops)
    declared = {name for name in re.findall(r"^[a-zA-Z_][^;{}=/]*?\b(\w+)\s*\(", text, re.M)}
    for function in found.functions.values():
        function.calls &= declared | set(found.functions)
        if re.search(r"\(\*\w+\)\s*\(", without_annotations(function.body)):
            found.assumptions.append(f"{function.name}: a call through a pointer")
    found.lemmas = re.findall(r"\blemma (\w+)", text)
    annotations = "\n".join(re.findall(r"/\*@.*?\*/", text, re.S))
    found.logic = [*types(text), *definitions(text)]
    if len(re.findall(rf"\b(?:{KINDS})\b", annotations)) != len(list(definitions(text))):
        found.assumptions.append("not all logic was found in what frama-c prints")
    found.assumptions += [f"axiom {axiom}" for axiom in re.findall(r"\baxiom (\w+)", annotations)]
    found.assumptions += [f"admit {clause.strip()}" for clause in re.findall(r"\badmit\b([^;]{0,60})", annotations)]
    found.assumptions += [f"{logic} calls itself" for logic in recursive(annotations)]
    return found


TYPE = re.compile(r"^(?P<kind>struct|union|enum) (?P<name>\w+) \{\n.*?^\};\n|^typedef [^;]*;\n", re.M | re.S)


def types(text):
    """C types, without the numbers that Frama-C gives to those that have no tag: they differ from file to file."""
    for match in TYPE.finditer(re.sub(r"\b(__anon\w+)_\d+\b", r"\1", text)):
        yield f"{match['kind']} {match['name']}" if match["kind"] else match[0].split()[-1].strip(";"), match[0]


KINDS = "lemma|axiom|predicate|inductive|axiomatic|logic|type"
DEFINED = re.compile(rf"^\s*(?:(?:check|admit)\s+)?(?:{KINDS})\s[^;={{(:]*?(?P<name>\w+)(?:\s*\{{[^}}]*\}})?\s*"
                     r"(?:\((?P<parameters>[^)]*)\)|[;={:])", re.M)  # fmt: skip


def definitions(text):
    """Name (with the types of parameters: names may be overloaded) and text of each definition of logic, in whatever
    layout; an axiomatic is the sum of what is in it."""
    for annotation in re.findall(r"^/\*@(.*?)\*/\n", text, re.M | re.S):
        begun = [*DEFINED.finditer(annotation)]
        for match, end in zip(begun, [*(match.start() for match in begun[1:]), len(annotation)]):
            given = [re.sub(r"\w+\s*$", "", each) for each in match["parameters"].split(",")] if match["parameters"] else []
            yield " ".join([match["name"], *given]).strip(), " ".join(annotation[match.start() : end].split()).rstrip("} ")


LOGIC = re.compile(r"\b(?:logic [^;=(]*?|predicate )(?P<name>\w+)(?:\{[^}]*\})?\s*\((?P<parameters>[^)]*)\)\s*="
                   r"(?P<body>.*?);(?=\s*\*/| *\n *\n)", re.S)  # fmt: skip
FALLS = re.compile(r"(?P<x>\w+) ≤ [01]\? (?P<end>[^?:]*):(?P<rest>.*)")
RISES = [re.compile(r"(?P<x>\w+) ≥ (?P<y>\w+)\? (?P<end>[^?:]*):(?P<rest>.*)"),
         re.compile(r"(?P<x>\w+) ≡ (?P<y>\w+) ∨ \((?P=x) < (?P=y)(?P<end>) ∧ (?P<rest>.*)\)")]  # fmt: skip


def recursive(annotations):
    """Logic that is defined by itself is an axiom in disguise, unless each use of itself is smaller. It may recur on
    `x - 1` alone, past a first `x ≤ 0? …:`; or on `x + F(…)` with the same y, past a first `x ≥ y? …:` or
    `x ≡ y ∨ (x < y ∧ …)`, if lemma F_rises says that F is at least 1. That lemma is to stand before the definition,
    so that nothing that recurs can have proved it."""
    for match in LOGIC.finditer(annotations):
        name, body = match["name"], " ".join(match["body"].split())
        if not re.search(rf"\b{name}\b", body):
            continue
        places = {p.split()[-1].strip("*"): place for place, p in enumerate(match["parameters"].split(","))}
        steps = list(rising(annotations[: match.start()]))
        if not any(smaller(name, places, found, steps) for found in [pattern.fullmatch(body) for pattern in (FALLS, *RISES)]):
            yield name


def rising(before):
    """Logic functions that a lemma says are at least 1, whatever they are given."""
    for lemma in re.finditer(r"\blemma (\w+)_rises:\s+∀ ([^;]*);\s+\1\(([^()]*)\) ≥ 1;", before):
        variables = [variable.split()[-1] for variable in lemma[2].split(",")]
        if sorted(variables) == sorted(variable.strip() for variable in lemma[3].split(",")):
            yield lemma[1]


def smaller(name, places, found, steps):
    """Whether each use in the body that was found has what gets smaller at its place, and the bound where it was."""
    if not found or re.search(rf"\b{name}\b", found["end"]):
        return False
    bound = found.groupdict().get("y")
    if not {found["x"], bound or found["x"]} <= set(places):
        return False
    for use in re.finditer(rf"\b{name}\b(?:\{{[^}}]*\}})?", found["rest"]):
        given = arguments(found["rest"][use.end() :])
        if len(given) != len(places) or (bound and given[places[bound]] != bound):
            return False
        step = given[places[found["x"]]]
        wanted = [rf"{re.escape(found['x'])} \+ {step}\([^()]*\)" for step in steps] if bound else [f"{found['x']} - 1"]
        if not any(re.fullmatch(each, step) for each in wanted):
            return False
    return True


def arguments(text):
    """Of a call, from its opening parenthesis on."""
    given, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return [each.strip() for each in given]
        if letter == "," and depth == 1:
            given.append("")
        elif depth > 1 or letter != "(":
            given[-1] += letter
    return []


def public(root=wp.ROOT, folder="src/core", but=()):
    """Functions that a header declares, but for the headers of the files `but`."""
    names = {}
    for path in sorted((root / folder).glob("*.h")):
        if str(path.with_suffix(".c").relative_to(root)) in but:
            continue
        code = re.sub(r"/\*@(?! ghost).*?\*/|/\*[^@].*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
        for name in PUBLIC.findall(code):
            names[name] = f"{folder}/{path.name}"
    return names
