"""Makes the mutants of src/core: each one small edit of the code, never of a comment, a contract, an assertion or a line
of the preprocessor."""

import hashlib
import re
from dataclasses import dataclass

from mutation.c_code import Code, Function

ENUM = re.compile(r"typedef enum \{(.*?)\}", re.S)
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$")
LIMIT = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+$")

NEXT_TO = {"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<=")}
EQUAL = {"==": "!=", "!=": "=="}
SUMS = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"}
BITS = {"&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<"}
STEPS = {"+=": "-=", "-=": "+=", "^=": "|=", "|=": "&=", "++": "--", "--": "++"}
LOGIC = {"&&": "||", "||": "&&"}
TRUTH = {"true": "false", "false": "true"}
WEAKER = {"memory_order_acquire": "memory_order_relaxed", "memory_order_release": "memory_order_relaxed"}

# What each operator does, for the table in mutation.md.
OPERATORS = {
    "relational": "`<` as `<=` and as `>`, and so on",
    "equality": "`==` as `!=`, and back",
    "arithmetic": "`+` as `-`, `*` as `/`, `%` as `*`, and back",
    "bits": "`&` as `|`, `^` as `|`, `<<` as `>>`, and back; `~` dropped",
    "step": "`+=` as `-=`, `++` as `--`, and back; `+=` as `=`",
    "constant": "a number, or a limit's name, one more and one less",
    "enumerator": "a constant of an enumeration as the one after it",
    "truth": "`true` as `false`, and back",
    "and-or": "`&&` as `||`, and back",
    "clause": "one side of `&&` or `||` dropped",
    "negation": "`!` dropped",
    "condition": "the condition of `if`, `while`, `for` or `?` negated",
    "stuck": "the condition of `if`, `while` or `for` always false; of `if` always true too",
    "statement": "a statement removed",
    "bound": "what a loop runs up to, one more and one less",
    "start": "where a loop begins, one more",
    "return": "what is returned negated, one more, or 0",
    "index": "an index one more and one less",
    "jump": "`continue` as `break` and removed, `break` as `continue` and removed",
    "initialiser": "what a variable or a member begins with, as 0 and one more",
    "arguments": "two neighbours of a call's arguments exchanged",
    "order": "a memory order weakened to relaxed",
}


@dataclass(frozen=True)
class Mutant:
    id: str
    file: str
    line: int
    function: str  # or the table of constants, outside of functions
    operator: str
    before: str  # the line, or lines, of the edit
    after: str
    text: str  # of the whole file, mutated

    @property
    def component(self):
        return component_of(self.file)


def component_of(file):
    return re.split(r"[_.]", file.rsplit("/", 1)[1])[0]


def enumerators(headers):
    """Each enumerator, and the one after it (the first after the last)."""
    after = {}
    for text in headers:
        for body in ENUM.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.S)):
            names = re.findall(r"\b[A-Z]\w+", re.sub(r"=[^,]*", "", body))
            after.update(zip(names, names[1:] + names[:1]))
    return after


def every(root):
    """The mutants of the whole core: of its files, and of the inline functions of its headers."""
    paths = sorted((root / "src" / "core").glob("*.[ch]"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    headers = [text for path, text in texts.items() if path.suffix == ".h"]
    for path, text in texts.items():
        if path.suffix == ".c" or re.search(r"^static inline", text, re.M):
            yield from mutants_of(str(path.relative_to(root)), text, headers)


def mutants_of(file, text, headers):
    """All mutants of one file, each text once, in the order of the code."""
    enums = {name for header in headers for name in re.findall(r"typedef enum \{[^}]*\} (\w+);", header)}
    maker = Maker(Code(text, enums), enumerators(headers))
    edits = sorted(maker.edits(), key=lambda edit: edit[1:3])
    seen, counts, made = {text}, {}, []
    for operator, begin, end, new, function in edits:
        mutated = text[:begin] + new + text[end:]
        if mutated in seen:
            continue
        seen.add(mutated)
        first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
        before = " ".join(text[first:last].split())
        after = " ".join((text[first:begin] + new + text[end:last]).split())
        key = "|".join((file, function, operator, before, after))
        counts[key] = counts.get(key, 0) + 1
        digest = hashlib.sha256(f"{key}|{counts[key]}".encode()).hexdigest()[:8]
        name = f"{component_of(file)}-{digest}"
        made.append(Mutant(name, file, text.count("\n", 0, begin) + 1, function, operator, before, after, mutated))
    return made


class Maker:
    """Edits as (operator, begin, end, new text, function)."""

    def __init__(self, code: Code, after):
        self.code, self.tokens, self.after = code, code.tokens, after

    def text(self, first, last):
        """Of the tokens first … last, and what lies between them."""
        return self.code.text[self.tokens[first].begin : self.tokens[last].end]

    def edit(self, operator, first, last, new, function):
        return operator, self.tokens[first].begin, self.tokens[last].end, new, function

    def edits(self):
        for name, first, last in self.code.tables:
            for i in range(first, last + 1):
                yield from self.number(i, name)
        for function in self.code.functions:
            for statement in function.statements:
                yield from self.statement(statement, function)

    def statement(self, s, f: Function):
        name = f.name
        if s.kind in ("if", "while", "for"):
            yield from self.choice(s, name)
        elif s.kind == "return":
            yield from self.returned(s, f)
        elif s.kind in ("break", "continue"):
            other = {"break": "continue", "continue": "break"}[s.kind]
            yield self.edit("jump", s.first, s.first, other, name)
            yield self.edit("jump", s.first, s.last, ";", name)
        elif s.kind == "expression":
            yield self.edit("statement", s.first, s.last, ";", name)
        if s.kind == "declaration":
            yield from self.declared(s, name)
        for first, last in s.spans:
            yield from self.expression(first, last, name)

    def choice(self, s, name):
        first, last = s.condition
        if first > last:
            return
        was = self.text(first, last)
        yield self.edit("condition", first, last, f"!({was})", name)
        yield self.edit("stuck", first, last, "0", name)
        if s.kind == "if":
            yield self.edit("stuck", first, last, "1", name)
        if s.kind == "for":
            yield from self.loop(s, name)

    def loop(self, s, name):
        first, last = s.condition
        for i in range(first, last + 1):
            if self.tokens[i].text in NEXT_TO:
                bound = self.text(i + 1, last)
                for step in ("+", "-"):
                    yield self.edit("bound", i + 1, last, f"({bound}) {step} 1", name)
        first, last = s.start
        for i in range(first, last + 1):
            if self.tokens[i].text == "=":
                yield self.edit("start", i + 1, last, f"({self.text(i + 1, last)}) + 1", name)

    def returned(self, s, f):
        if s.first + 1 == s.last:
            yield self.edit("statement", s.first, s.last, ";", f.name)
            return
        first, last = s.first + 1, s.last - 1
        was = self.text(first, last)
        if first == last and (was in self.after or was in TRUTH or NUMBER.match(was)):
            pass  # as another constant, by other operators
        elif f.returns == "bool":
            yield self.edit("return", first, last, f"!({was})", f.name)
        elif f.is_number:
            yield self.edit("return", first, last, f"({was}) + 1", f.name)
            yield self.edit("return", first, last, "0", f.name)
        if s is not f.statements[-1]:
            yield self.edit("statement", s.first, s.last, ";", f.name)

    def declared(self, s, name):
        for i in range(s.first, s.last):
            if self.tokens[i].text != "=":
                continue
            first, last = i + 1, s.last - 1
            if self.tokens[first].text == "{":
                for begin, end in self.code.parts(first + 1, last - 1):
                    yield self.edit("initialiser", begin, end, "0", name)
            elif not s.is_struct:
                yield self.edit("initialiser", first, last, "0", name)
                if not s.is_pointer:
                    yield self.edit("initialiser", first, last, f"({self.text(first, last)}) + 1", name)
            return

    def number(self, i, name):
        word = self.tokens[i].text
        number = NUMBER.match(word)
        if number:
            value, how = int(number[1], 0), "{:#x}" if number[1][:2] in ("0x", "0X") else "{}"
            for new in (value + 1, value - 1):
                text = how.format(new) + number[2]
                yield self.edit("constant", i, i, text if new >= 0 else f"({text})", name)
        elif word in self.after:
            yield self.edit("enumerator", i, i, self.after[word], name)
        elif LIMIT.match(word):
            yield self.edit("constant", i, i, f"({word} + 1)", name)
            yield self.edit("constant", i, i, f"({word} - 1)", name)

    def expression(self, first, last, name):
        tokens = self.tokens
        for i in range(first, last + 1):
            word, binary = tokens[i].text, i > first and tokens[i - 1].ends_operand
            yield from self.number(i, name)
            for operator, table in (("equality", EQUAL), ("and-or", LOGIC), ("truth", TRUTH), ("order", WEAKER), ("step", STEPS)):
                if word in table:
                    yield self.edit(operator, i, i, table[word], name)
            if word in NEXT_TO:
                for new in NEXT_TO[word]:
                    yield self.edit("relational", i, i, new, name)
            if word in ("+=", "-=", "^=", "|="):
                yield self.edit("step", i, i, "=", name)
            if binary and tokens[i + 1].text != ")":  # a cast to a pointer ends with * and )
                for operator, table in (("arithmetic", SUMS), ("bits", BITS)):
                    if word in table:
                        yield self.edit(operator, i, i, table[word], name)
            if word in LOGIC:
                left, right = self.code.sides(i, first, last)
                yield self.edit("clause", left, right, self.text(left, i - 1), name)
                yield self.edit("clause", left, right, self.text(i + 1, right), name)
            if word in ("!", "~"):
                yield self.edit("negation" if word == "!" else "bits", i, i, "", name)
            if word == "?":
                left = self.code.chosen(i, first)
                yield self.edit("condition", left, i - 1, f"!({self.text(left, i - 1)})", name)
            if word == "[" and binary:
                inner = i + 1, self.code.closing[i] - 1
                for step in ("+", "-"):
                    yield self.edit("index", *inner, f"({self.text(*inner)}) {step} 1", name)
            if word == "(" and i > first and tokens[i - 1].is_name:
                yield from self.arguments(i, name)

    def arguments(self, i, name):
        parts = list(self.code.parts(i + 1, self.code.closing[i] - 1))
        for (a, b), (c, d) in zip(parts, parts[1:]):
            between = self.code.text[self.tokens[b].end : self.tokens[c].begin]
            yield self.edit("arguments", a, d, self.text(c, d) + between + self.text(a, b), name)
