"""Which requests are refused, and which member is at fault (R13, readings 9 to 12 and 17)."""

from typing import NamedTuple

LARGEST = 2**31 - 1
STOPS, STOP_BYTES, ALL_STOP_BYTES = 64, 1024, 16384
SEQUENCES, SEQUENCE_IDS, LIST_IDS = 64, 16, 256
REPETITION_IDS = 4096


class Refused(Exception):
    """The request is at fault; `param` is the path of the member."""

    def __init__(self, param):
        super().__init__(param)
        self.param = param


class Repeated(dict):
    """A JSON object in which members occur more than once; `names` are theirs."""

    names = frozenset()


def json_object(pairs):
    """An object from its members in the order they stand; for json.loads."""
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    seen = [name for name, _ in pairs]
    result = Repeated(result)
    result.names = frozenset(name for name in seen if seen.count(name) > 1)
    return result


class Stop(NamedTuple):
    """A stop string of a request."""

    index: int
    text: bytes
    priority: int


def repeated(value):
    """The names that occur more than once in an object."""
    return value.names if isinstance(value, Repeated) else frozenset()


def readable(value):
    """Whether every text, name and number in a value that nobody asked for can be read: readings 11 and 12."""
    if isinstance(value, str):
        return not any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return not repeated(value) and all(readable(name) and readable(item) for name, item in value.items())
    if isinstance(value, list):
        return all(map(readable, value))
    if isinstance(value, float):
        return abs(value) != float("inf")
    return value is None or -(2**63) <= value < 2**64


def integer(value, param, low=0, high=LARGEST):
    """A whole number written as one: 1.0 and 1e3 come out of the JSON reader as float, true as bool."""
    if type(value) is not int or not low <= value <= high:
        raise Refused(param)
    return value


def boolean(value, param):
    """true or false, nothing else."""
    if type(value) is not bool:
        raise Refused(param)
    return value


def listed(value, param, most):
    """A list that is not too long."""
    if type(value) is not list or len(value) > most:
        raise Refused(param)
    return value


def stop(element, index, param):
    """A stop: a string, or an object with `text` and perhaps `priority`. Whatever is wrong, the stop is at fault."""
    priority = 0
    if isinstance(element, dict):
        if not readable(element):
            raise Refused(param)
        if element.get("priority") is not None:
            priority = integer(element["priority"], param, -128, 127)
        element = element.get("text")
    if type(element) is not str:
        raise Refused(param)
    try:
        text = element.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate, or bytes that were no UTF-8
        raise Refused(param) from None
    if not 1 <= len(text) <= STOP_BYTES:
        raise Refused(param)
    return Stop(index, text, priority)


def stops(value, param):
    """`stop`: a list of stops, or one alone."""
    if type(value) is str or isinstance(value, dict):
        value = [value]
    result = [stop(e, i, f"{param}[{i}]") for i, e in enumerate(listed(value, param, STOPS))]
    if sum(len(s.text) for s in result) > ALL_STOP_BYTES:
        raise Refused(param)
    return result


def ids(value, param, highest=LARGEST):
    """A list of token ids, none above the highest of the vocabulary."""
    return [integer(e, f"{param}[{i}]", high=highest) for i, e in enumerate(listed(value, param, LIST_IDS))]


def sequences(value, param, highest=LARGEST):
    """A list of lists of token ids; the path never goes deeper than the sequence."""
    result = []
    for i, element in enumerate(listed(value, param, SEQUENCES)):
        path = f"{param}[{i}]"
        if not listed(element, path, SEQUENCE_IDS):
            raise Refused(path)
        result.append([integer(e, path, high=highest) for e in element])
    return result


def repetition(value, param):
    """Wrong members first, then missing ones (reading 17)."""
    if not isinstance(value, dict):
        raise Refused(param)
    for name, low in (("max_period", 1), ("min_repeats", 2)):
        if name in repeated(value):
            raise Refused(f"{param}.{name}")
        if value.get(name) is not None:
            integer(value[name], f"{param}.{name}", low)
    if value.get("max_period") is None or value.get("min_repeats") is None or not readable(value):
        raise Refused(param)
    return value["max_period"], value["min_repeats"]


def flush(value, param):
    """Exactly one key, at least 1."""
    if not isinstance(value, dict):
        raise Refused(param)
    given = {name: n for name, n in value.items() if n is not None}
    if len(given) != 1 or not set(given) <= {"steps", "bytes", "tokens", "ms"}:
        raise Refused(param)
    kind, n = next(iter(given.items()))
    if kind in repeated(value):
        raise Refused(f"{param}.{kind}")
    return kind, integer(n, f"{param}.{kind}", 1)


# In the order of spec/formats.md, which is the order in which faults are looked for: reader, and value when absent.
MEMBERS = {
    "stop": (stops, []),
    "stop_token_ids": (ids, []),
    "stop_token_sequences": (sequences, []),
    "eos_token_ids": (ids, []),
    "ignore_eos": (boolean, False),
    "include_stop_str_in_output": (boolean, False),
    "skip_special_tokens": (boolean, True),
    "min_tokens": (integer, 0),
    "max_tokens": (integer, None),
    "max_context": (integer, None),
    "deadline_steps": (integer, None),
    "repetition": (repetition, None),
    "flush": (flush, ("steps", 1)),
}


def check(request, highest=LARGEST):
    """The members of a request, every one present; raises Refused with the first member at fault. `highest`: the
    highest id of the vocabulary, where that lists all."""
    result = {}
    for name, (reader, absent) in MEMBERS.items():
        if name in repeated(request):
            raise Refused(name)
        value = request.get(name)
        of_ids = {"highest": highest} if reader in (ids, sequences) else {}
        result[name] = absent if value is None else reader(value, name, **of_ids)
    for name, value in request.items():
        if name not in MEMBERS and (name in repeated(request) or not readable(name) or not readable(value)):
            raise Refused("".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in name))
    if result["max_tokens"] is not None and result["min_tokens"] > result["max_tokens"]:
        raise Refused("min_tokens")
    if result["repetition"] is not None:
        max_period, min_repeats = result["repetition"]
        if max_period * min_repeats > REPETITION_IDS:
            raise Refused("repetition")
    return result
