"""Reads C as the core is written: tokens, functions, statements. Comments, contracts and ghost code among them, and lines
of the preprocessor are blanks to it. What it does not know (switch, do, goto, function-like macros) it refuses."""

import re
from dataclasses import dataclass, field

BLANK = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.S | re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||"
                   r"[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]]")  # fmt: skip
WORDS = {"if", "else", "while", "for", "return", "break", "continue", "sizeof"}
REFUSED = {"switch", "case", "do", "goto", "_Generic"}
OPENS = {"(": ")", "[": "]", "{": "}"}
NUMBERS = re.compile(r"(?:u?int(?:8|16|32|64)_t|int|size_t)$")
# Where the side of && or || ends: what binds less, at the same depth.
LESS = {"&&": {"&&", "||", "?", ":", "=", ",", ";", "return"}, "||": {"||", "?", ":", "=", ",", ";", "return"}}


class Unknown(Exception):
    """C that the core is not written in."""


@dataclass(frozen=True)
class Token:
    text: str
    begin: int
    end: int

    @property
    def is_name(self):
        return (self.text[0].isalpha() or self.text[0] == "_") and self.text not in WORDS

    @property
    def ends_operand(self):
        return self.is_name or self.text[0].isdigit() or self.text in (")", "]")


@dataclass(eq=False)
class Statement:
    """By numbers of tokens, both ends included."""

    kind: str  # if, while, for, return, break, continue, declaration, expression
    first: int
    last: int
    condition: tuple = (0, -1)
    start: tuple = (0, -1)
    spans: list = field(default_factory=list)  # what holds expressions
    is_struct: bool = False
    is_pointer: bool = False


@dataclass
class Function:
    name: str
    returns: str
    statements: list
    is_number: bool


class Code:
    def __init__(self, text, enums):
        self.text, self.enums = text, enums
        blank = BLANK.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        self.tokens = [Token(found[0], found.start(), found.end()) for found in TOKEN.finditer(blank)]
        if re.sub(r"\s|" + TOKEN.pattern, "", blank):
            raise Unknown("signs that are no token: " + re.sub(r"\s|" + TOKEN.pattern, "", blank)[:40])
        refused = REFUSED & {token.text for token in self.tokens}
        if refused:
            raise Unknown("the mutator does not know " + ", ".join(sorted(refused)))
        self.closing = self.pairs()
        self.functions, self.tables = [], []
        self.top()

    def pairs(self):
        opened, closing = [], {}
        for i, token in enumerate(self.tokens):
            if token.text in OPENS:
                opened.append(i)
            elif token.text in OPENS.values():
                closing[opened.pop()] = i
        return closing

    def top(self):
        """Functions, and tables of constants, at the outermost level."""
        i = begin = 0
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text == ";":
                begin = i + 1
            elif text == "{" and i > 0 and self.tokens[i - 1].text == ")":
                self.function(begin, i)
                i = self.closing[i]
                begin = i + 1
            elif text == "{":
                if self.tokens[i - 1].text == "=":
                    name = next(self.tokens[k - 1].text for k in range(begin, i) if self.tokens[k].text in "[=")
                    self.tables.append((name, i + 1, self.closing[i] - 1))
                i = self.closing[i]
            i += 1

    def function(self, begin, body):
        parameters = next(i for i in range(begin, body) if self.tokens[i].text == "(")
        words = [self.tokens[i].text for i in range(begin, parameters - 1)]
        returns = " ".join(word for word in words if word not in ("static", "inline", "const"))
        statements = list(self.block(body + 1, self.closing[body] - 1))
        is_number = bool(NUMBERS.match(returns)) or returns in self.enums
        self.functions.append(Function(self.tokens[parameters - 1].text, returns, statements, is_number))

    def block(self, i, last):
        while i <= last:
            found = []
            i = self.read(i, found)
            yield from found

    def read(self, i, found):
        """One statement from token i on, and those in it: the number of the token after it."""
        word = self.tokens[i].text
        if word == "{":
            found += self.block(i + 1, self.closing[i] - 1)
            return self.closing[i] + 1
        if word in ("if", "while", "for"):
            close = self.closing[i + 1]
            statement = Statement(word, i, close, (i + 2, close - 1))
            if word == "for":
                self.heads(statement, i + 2, close - 1)
            else:
                statement.spans = [statement.condition]
            found.append(statement)
            after = self.read(close + 1, found)
            if word == "if" and after < len(self.tokens) and self.tokens[after].text == "else":
                after = self.read(after + 1, found)
            return after
        end = next(k for k in range(i, len(self.tokens)) if self.tokens[k].text == ";" and self.level(i, k))
        if end == i:
            return i + 1
        if word in ("return", "break", "continue"):
            statement = Statement(word, i, end, spans=[(i + 1, end - 1)] if word == "return" else [])
        elif self.declares(i):
            statement = self.declaration(i, end)
        else:
            statement = Statement("expression", i, end, spans=[(i, end - 1)])
        found.append(statement)
        return end + 1

    def level(self, i, k):
        """Whether k is in no bracket that opens from i on."""
        return not any(i <= a < k < b for a, b in self.closing.items())

    def heads(self, statement, first, last):
        ends = [k for k in range(first, last + 1) if self.tokens[k].text == ";" and self.level(first, k)]
        statement.start, statement.condition = (first, ends[0] - 1), (ends[0] + 1, ends[1] - 1)
        equal = next((k for k in range(first, ends[0]) if self.tokens[k].text == "="), ends[0])
        statement.spans = [(equal + 1, ends[0] - 1), statement.condition, (ends[1] + 1, last)]

    def declares(self, i):
        texts = [self.tokens[k].text for k in range(i, min(i + 3, len(self.tokens)))]
        if texts[0] in ("const", "static"):
            return True
        return self.tokens[i].is_name and (self.tokens[i + 1].is_name or (texts[1] == "*" and self.tokens[i + 2].is_name))

    def declaration(self, i, end):
        equal = next((k for k in range(i, end) if self.tokens[k].text == "="), end)
        words = [self.tokens[k].text for k in range(i, equal)]
        type_name = next(word for word in words if word not in ("const", "static"))
        plain = "*" in words or NUMBERS.match(type_name) or type_name in self.enums | {"bool"}
        return Statement("declaration", i, end, spans=[(equal + 1, end - 1)], is_pointer="*" in words, is_struct=not plain)

    def mentions(self, function, name):
        return any(self.tokens[i].text == name for s in function.statements for i in range(s.first, s.last + 1))

    def parts(self, first, last):
        """The elements between first and last, that commas at their own level separate."""
        begin = first
        i = first
        while i <= last:
            if self.tokens[i].text in OPENS:
                i = self.closing[i]
            elif self.tokens[i].text == ",":
                yield begin, i - 1
                begin = i + 1
            i += 1
        if begin <= last:
            yield begin, last

    def sides(self, i, first, last):
        """What the && or || at i joins, from the first token to the last."""
        left, right, stop = i, i, LESS[self.tokens[i].text]
        opening = {b: a for a, b in self.closing.items()}
        while left > first and self.tokens[left - 1].text not in stop | set(OPENS):
            left = opening.get(left - 1, left - 1)
        while right < last and self.tokens[right + 1].text not in stop | set(OPENS.values()):
            right = self.closing.get(right + 1, right + 1)
        return left, right

    def chosen(self, i, first):
        """Where the condition of the ? at i begins."""
        left, opening = i, {b: a for a, b in self.closing.items()}
        while left > first and self.tokens[left - 1].text not in {"=", ",", ":", "?", "return"} | set(OPENS):
            left = opening.get(left - 1, left - 1)
        return left
