"""What there is to prove: the functions, contracts, calls and lemmas of each file, as Frama-C itself prints them."""

import hashlib
import re
from dataclasses import dataclass, field

import wp

HEAD = re.compile(r"^(?P<contract>/\*@(?:(?!\*/).)*?\*/\n)?(?P<head>[a-zA-Z_][^;{}()/=]*?\b(?P<name>\w+)\s*\([^;{}]*?\)(?:\s*/\*@ ghost [^;{}]*?\*/)?)\s*\n\{\n"
                  r"(?P<body>.*?)^\}\n", re.M | re.S)  # fmt: skip
PUBLIC = re.compile(r"^[a-z][\w\s*]*?\b(\w+)\([^;{]*?\)(?:\s*/\*@ ghost.*?\*/)?;", re.M | re.S)
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
    assumptions: list = field(default_factory=list)

    def digest(self, function, salt=""):
        """Of all that the goals of a function come from: its own code, and the contracts, types and logic of the file,
        but not the code of other functions. No function: of what the lemmas come from."""

        def strip(found):
            whole = found.group(0)
            return whole if found["name"] == function else whole[: found.start("body") - found.start()]

        return hashlib.sha256((HEAD.sub(strip, self.text) + salt).encode()).hexdigest()[:16]


def without_annotations(code):
    return re.sub(r"/\*@.*?\*/", lambda found: ghost(found.group(0)), code, flags=re.S)


def ghost(annotation):
    """Ghost code calls functions too."""
    return annotation if "ghost" in annotation else ""


def read(source, root=wp.ROOT):
    name = "print/" + source.replace("/", "-")
    text = wp.frama_c(name, source, ["-print"], root)
    text = "".join(line for line in text.splitlines(True) if not re.match(r"\[[a-z:]+\]", line))
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
    found.assumptions += [f"axiom {axiom}" for axiom in re.findall(r"\baxiom (\w+)", annotations)]
    found.assumptions += [f"admit {clause.strip()}" for clause in re.findall(r"\badmit\b([^;]{0,60})", annotations)]
    found.assumptions += [f"{logic} calls itself" for logic in recursive(annotations)]
    return found


def recursive(annotations):
    """Logic that is defined by itself is an axiom in disguise, unless each use of itself is smaller: it may recur on
    `n - 1` alone, below a first `n ≤ …`."""
    for match in re.finditer(r"\b(?:logic [^;=(]*?|predicate )(\w+)(?:\{[^}]*\})?\(([^)]*)\)\s*=(.*?);", annotations, re.S):
        name, parameters, body = match.groups()
        uses = re.findall(rf"\b{name}(?:\{{[^}}]*\}})?\(([^()]*(?:\([^()]*\)[^()]*)*)\)", body)
        falls = re.match(r"\s*(\w+) (?:≤ [01]|≡ 0)\?", body)
        place = [p.split()[-1].strip("*") for p in parameters.split(",")].index(falls.group(1)) if falls else -1
        if uses and not all(place >= 0 and re.split(r",\s*", use)[place].strip() == f"{falls.group(1)} - 1" for use in uses):
            yield name


def public(root=wp.ROOT, folder="src/core"):
    """Functions that a header declares."""
    names = {}
    for path in sorted((root / folder).glob("*.h")):
        code = re.sub(r"/\*@(?! ghost).*?\*/|/\*[^@].*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
        for name in PUBLIC.findall(code):
            names[name] = f"{folder}/{path.name}"
    return names
