"""endstop: which byte of a language model's output is the last one shown, why it ended, and when each may be shown.

A stream is one running generation: hand it the tokens that the model gave, step by step, and send what it says.

    >>> import endstop
    >>> stream = endstop.Stream({"stop": ["END"], "eos_token_ids": [2], "max_tokens": 64})
    >>> for id, data in [(11, b"Hi \\xf0\\x9f"), (12, b"\\x98\\x8a E"), (13, b"ND and on"), (14, b" and on")]:
    ...     if not stream.token(id, data):
    ...         break
    ...     print(repr(stream.step()))
    'Hi '
    '😊 '
    ''
    >>> stream.ended, stream.tokens
    (True, 3)
    >>> stream.terminal["finish_reason"], stream.terminal["stop_reason"], stream.terminal["terminal"]
    ('stop', 'END', {'bytes': 8, 'crc32c': '0b274596'})
    >>> print(endstop.check({"stop": ["END", ""]}))
    stop[1]: an empty stop string would end every answer; remove it
    >>> recording = {"case": "mine", "request": {"stop": "END"}, "steps": [[{"id": 0, "text": "An END"}]],
    ...              "result": {"text": "An END", "finish_reason": "stop"}}
    >>> [fault["kind"] for fault in endstop.judge([recording])[0]["faults"]]
    ['leak']

Requests, cases, recordings, results and verdicts are those of spec/formats.md; rules (R13) those of spec/rules.md.
`Stream` and `check` use the library libendstop, the others the command `endstop`; see `library_places`."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import json
import operator
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import time
import warnings
from collections.abc import Iterable, Mapping
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

__all__ = ["Stream", "Refused", "CommandError", "check", "judge", "run", "assert_conforms", "VERSION"]

VERSION = "0.3.0"  # ES_VERSION of the header that this is written to
LARGEST = 2**31 - 1  # of ids and numbers in a request
NONE = 2**32 - 1  # ES_STREAM_NONE, ES_NO_ID
OK, ENDED, FULL, MISUSE = range(4)  # es_status
ANSWERS = {"ok": 0, "later": 1, "gone": 2}  # es_delivery
WINDOW = 4096  # that of ES_STREAM_REQUEST
LARGEST_WINDOW = 2**30
GATHERED = 2**20  # a client's `flush` in bytes is given no more memory than this unasked


class Refused(ValueError):
    """A request that may not be asked (R13): `param` is the member at fault, `message` a sentence for a person."""

    def __init__(self, param, message):
        super().__init__(param, message)
        self.param, self.message = param, message

    def __str__(self):
        return self.message


class CommandError(RuntimeError):
    """The command `endstop` could not do what it was asked; `status` is its exit status."""

    def __init__(self, message, status):
        super().__init__(message, status)
        self.message, self.status = message, status

    def __str__(self):
        return self.message


# ---- The library: endstop.h in ctypes


class _Stop(ctypes.Structure):
    _fields_ = [("text", c_char_p), ("length", c_size_t), ("priority", c_int)]


class _Ids(ctypes.Structure):
    _fields_ = [("ids", POINTER(c_uint32)), ("count", c_size_t)]


class _Bounds(ctypes.Structure):
    _fields_ = [
        (name, c_uint32)
        for name in "stops stop_bytes all_stop_bytes sequences sequence_ids ids repetition_ids vocabulary".split()
    ]


class _Request(ctypes.Structure):
    _fields_ = [
        ("stop", POINTER(_Stop)),
        ("stop_count", c_size_t),
        ("stop_token_ids", _Ids),
        ("stop_token_sequences", POINTER(_Ids)),
        ("stop_token_sequence_count", c_size_t),
        ("eos_token_ids", _Ids),
        ("ignore_eos", c_bool),
        ("include_stop_str_in_output", c_bool),
        ("skip_special_tokens", c_bool),
        ("min_tokens", c_uint32),
        ("max_tokens", c_uint32),
        ("max_context", c_uint32),
        ("prompt_tokens", c_uint32),
        ("deadline_steps", c_uint32),
        ("max_period", c_uint32),
        ("min_repeats", c_uint32),
        ("flush", c_int),
        ("flush_n", c_uint32),
        ("window", c_uint32),
        ("bounds", POINTER(_Bounds)),
    ]


class _Refusal(ctypes.Structure):
    _fields_ = [("param", c_char * 80), ("message", c_char * 200)]


class _Event(ctypes.Structure):
    _fields_ = [("abort", c_bool), ("external", c_bool), ("cut", c_uint64), ("reason", c_char_p), ("now", c_uint64)]


class _End(ctypes.Structure):
    _fields_ = [
        ("finish_reason", c_char_p),
        ("cause", c_char_p),
        ("stop_index", c_uint32),
        ("stop_id", c_uint32),
        ("tokens", c_uint32),
        ("bytes", c_uint64),
        ("crc32c", c_uint32),
    ]


_FUNCTIONS = {
    "es_version": (c_char_p, []),
    "es_stream_size": (c_size_t, [POINTER(_Request)]),
    "es_stream_open": (c_int, [POINTER(c_void_p), c_void_p, c_size_t, POINTER(_Request), POINTER(_Refusal)]),
    "es_stream_token": (c_int, [c_void_p, c_uint32, c_char_p, c_size_t, c_bool]),
    "es_stream_step": (c_int, [c_void_p, POINTER(_Event)]),
    "es_stream_ended": (c_bool, [c_void_p]),
    "es_stream_text": (c_size_t, [c_void_p, POINTER(c_void_p)]),
    "es_stream_sent": (c_int, [c_void_p, c_int]),
    "es_stream_terminal": (c_bool, [c_void_p, POINTER(_End)]),
    "es_stream_tokens": (c_uint32, [c_void_p]),
}


_HERE = os.path.dirname(os.path.realpath(__file__))
_PREFIX = os.path.normpath(os.path.join(_HERE, "..", "..", ".."))  # where this file is PREFIX/share/endstop/python/…


def _folders():
    multiarch = sysconfig.get_config_var("MULTIARCH")
    folders = [_HERE, os.path.join(_PREFIX, "lib"), os.path.join(_PREFIX, "lib64")]
    if multiarch:
        folders.append(os.path.join(_PREFIX, "lib", multiarch))
    if _HERE.endswith(os.path.join("src", "lib")):
        folders.append(os.path.normpath(os.path.join(_HERE, "..", "..", "build")))
    return folders


def library_places() -> list[str]:
    """Where libendstop is looked for, in this order: $ENDSTOP_LIBRARY alone if it is set; beside this file; in the
    prefix that this file is installed in; in build/ of a source tree; where the system looks."""
    if os.environ.get("ENDSTOP_LIBRARY"):
        return [os.environ["ENDSTOP_LIBRARY"]]
    return [os.path.join(folder, "libendstop.so.0") for folder in _folders()] + ["libendstop.so.0"]


def _open_library(place):
    if os.path.dirname(place) and not os.path.exists(place):
        raise OSError("no such file")
    library = ctypes.PyDLL(place)  # keeps the interpreter's lock: a call takes less time than letting it go
    try:
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        found = library.es_version().decode()
    except AttributeError as fault:
        raise OSError(f"expected libendstop {VERSION}, found another library: {fault}") from None
    if found.split(".")[:2] != VERSION.split(".")[:2]:
        raise OSError(f"expected version {VERSION} of libendstop, found {found}")
    return library


@functools.lru_cache(maxsize=None)
def _library():
    tried = []
    for place in library_places():
        try:
            return _open_library(place)
        except OSError as fault:
            tried.append(f"{place}: {fault}")
    found = None if os.environ.get("ENDSTOP_LIBRARY") else ctypes.util.find_library("endstop")
    if found and found not in library_places():
        try:
            return _open_library(found)
        except OSError as fault:
            tried.append(f"{found}: {fault}")
    raise OSError("libendstop: expected it in one of these places, or in $ENDSTOP_LIBRARY:\n  " + "\n  ".join(tried))


# ---- A request: from Python to C, with the faults that C's types cannot carry (R13)

_MEMBERS = (  # in the order in which faults are looked for
    "stop",
    "stop_token_ids",
    "stop_token_sequences",
    "eos_token_ids",
    "ignore_eos",
    "include_stop_str_in_output",
    "skip_special_tokens",
    "min_tokens",
    "max_tokens",
    "max_context",
    "deadline_steps",
    "repetition",
    "flush",
)
_FLUSH = ("steps", "bytes", "tokens", "ms")
_WHOLE, _ELEMENT, _TOTAL = range(3)  # the parts of a member, in the order in which faults are looked for


def _found(value):
    """What stands where something else was expected, in the command's words."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode()
        return f'the text "{text[:20]}{"…" if len(text) > 20 else ""}"'
    if isinstance(value, int):
        return f"the number {value}" if value.bit_length() <= 64 else "one beyond every limit"
    if isinstance(value, float):
        return "a number with a fraction or an exponent"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "an object" if isinstance(value, Mapping) else f"a value of type {type(value).__name__}"


def _whole_number(value):
    """`value` where it is a whole number, also one of another library's; None for true, 1.0 and the like."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def _known(members, known, where):
    for name in members:
        if name not in known:
            raise TypeError(f"{where}{name}: expected one of {', '.join(known)}")


class _Reading:
    """A request as C's types. Where a value is at fault something harmless stands for it, so that the library finds
    what else is at fault; `fault` is the first that it cannot find: its place in the order of R13, and the words."""

    def __init__(self, request, bounds):
        self.fault = None
        self.bounds = bounds
        self.stops, self.sequences = [], []
        self.c = _Request(skip_special_tokens=True, flush_n=1, bounds=ctypes.pointer(bounds))
        self.members = {} if request is None else request
        if not isinstance(self.members, Mapping):
            raise TypeError(f"request: expected a dict, found {_found(request)}")
        _known(self.members, _MEMBERS, "request.")
        self._stops(self.members.get("stop"))
        self.c.stop_token_ids = self._ids("stop_token_ids")
        self._sequences(self.members.get("stop_token_sequences"))
        self.c.eos_token_ids = self._ids("eos_token_ids")
        for name in ("ignore_eos", "include_stop_str_in_output", "skip_special_tokens"):
            setattr(self.c, name, self._boolean(name, absent=name == "skip_special_tokens"))
        for name, absent in (("min_tokens", 0), ("max_tokens", NONE), ("max_context", NONE), ("deadline_steps", NONE)):
            setattr(self.c, name, self._number((name, _WHOLE, 0), self.members.get(name), 0, absent))
        self._repetition(self.members.get("repetition"))
        self._flush(self.members.get("flush"))

    def _note(self, at, message, param=None):
        name, part, index = at
        place = (False, _MEMBERS.index(name), part, index)
        if self.fault is None or place < self.fault[0]:
            param = param or (f"{name}[{index}]" if part == _ELEMENT else name)
            self.fault = (place, param, f"{param}: {message}")

    def _expected(self, at, what, value, param=None):
        self._note(at, f"expected {what}, found {_found(value)}", param)

    def _number(self, at, value, least, harmless, param=None):
        if value is None:
            return harmless
        number = _whole_number(value)
        if number is not None and least <= number <= LARGEST:
            return number
        self._expected(at, f"a whole number from {least} to {LARGEST}", value if number is None else number, param)
        return harmless

    def _boolean(self, name, absent):
        value = self.members.get(name)
        if value is None or isinstance(value, bool):
            return absent if value is None else value
        self._expected((name, _WHOLE, 0), "true or false", value)
        return absent

    def _stop(self, value, index):
        at, priority = ("stop", _ELEMENT, index), 0
        if isinstance(value, Mapping):
            _known(value, ("text", "priority"), f"request.stop[{index}].")
            text = value.get("text")
            if value.get("priority") is not None:
                priority = _whole_number(value["priority"])
            if priority is None or not -128 <= priority <= 127:
                self._expected(at, "a priority from -128 to 127", value["priority"])
                priority = 0
            if text is None:
                self._note(at, "expected a member `text`, found none")
            elif not isinstance(text, str):
                self._expected(at, "a stop string", text)
        else:
            text = value
            if not isinstance(text, str):
                self._expected(at, "a stop string or an object with `text`", text)
        text = text if isinstance(text, str) else "?"
        try:
            return text, text.encode(), priority
        except UnicodeEncodeError:
            self._note(at, "expected UTF-8 text, found a lone surrogate, which is no character")
            return text, b"?", priority

    def _list(self, at, value, what):
        if isinstance(value, (list, tuple)):
            return value
        if value is not None or at[1] == _ELEMENT:
            self._expected(at, what, value)
        return ()

    def _stops(self, value):
        value = [value] if isinstance(value, (str, Mapping)) else value
        stops = self._list(("stop", _WHOLE, 0), value, "a stop string or a list of them")
        self.stops = [self._stop(element, index) for index, element in enumerate(stops)]
        array = (_Stop * len(self.stops))(*((data, len(data), priority) for _, data, priority in self.stops))
        self.c.stop, self.c.stop_count = array, len(array)

    def _id_list(self, values, place):
        array = (c_uint32 * len(values))()
        for index, value in enumerate(values):
            at = place(index)
            array[index] = self._number(at, value, 0, 0)
            if value is None:
                self._expected(at, "a token id", value)
        return _Ids(array, len(array))

    def _ids(self, name):
        ids = self._list((name, _WHOLE, 0), self.members.get(name), "a list of token ids")
        return self._id_list(ids, lambda index: (name, _ELEMENT, index))

    def _sequences(self, value):
        name = "stop_token_sequences"
        sequences = self._list((name, _WHOLE, 0), value, "a list of lists of token ids")
        array = (_Ids * len(sequences))()
        for index, element in enumerate(sequences):
            at = (name, _ELEMENT, index)  # never deeper (R13)
            array[index] = self._id_list(self._list(at, element, "a list of token ids"), lambda _, at=at: at)
            self.sequences.append(array[index].ids[: array[index].count])
        self.c.stop_token_sequences, self.c.stop_token_sequence_count = array, len(array)

    def _object(self, name, value):
        if value is None or isinstance(value, Mapping):
            return value
        return self._expected((name, _WHOLE, 0), "an object", value)

    def _repetition(self, value):
        if self._object("repetition", value) is None:
            return
        names = ("max_period", "min_repeats")
        _known(value, names, "request.repetition.")
        for index, name in enumerate(names):
            at = ("repetition", _ELEMENT, index)
            setattr(self.c, name, self._number(at, value.get(name), index + 1, index + 1, f"repetition.{name}"))
            if value.get(name) is None:
                self._note(("repetition", _TOTAL, 0), f"expected a member `{name}`, found none")

    def _flush(self, value):
        if self._object("flush", value) is None:
            return
        given = [name for name in value if value[name] is not None]
        if len(given) != 1 or given[0] not in _FLUSH:
            found = "none" if not given else "an unknown member" if set(given) - set(_FLUSH) else "several"
            self._note(("flush", _WHOLE, 0), f"expected one of `steps`, `bytes`, `tokens` and `ms`, found {found}")
            return
        self.c.flush = _FLUSH.index(given[0])
        self.c.flush_n = self._number(("flush", _ELEMENT, 0), value[given[0]], 1, 1, f"flush.{given[0]}")

    def place(self, param):
        """The place of a fault that the library found, in the order of R13."""
        name, index = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", param).groups()
        pair = name in ("min_tokens", "repetition")  # each by itself is looked at here
        part = _WHOLE if index is None else _ELEMENT
        if param == "stop" and len(self.stops) <= self.bounds.stops:
            part = _TOTAL
        return pair, _MEMBERS.index(name), part, int(index or 0)

    def first_of(self, refusal):
        """What is wrong with the request, where the library says `refusal`; None: nothing."""
        param, message = refusal.param.decode(), refusal.message.decode("utf-8", "replace")
        if param and (self.fault is None or self.place(param) < self.fault[0]):
            return Refused(param, message)
        return self.fault and Refused(*self.fault[1:])


def _bounds(library, given):
    bounds = _Bounds.from_buffer_copy(_Bounds.in_dll(library, "es_stream_default_bounds"))
    _known(given or {}, [name for name, _ in _Bounds._fields_], "bounds.")
    for name, value in (given or {}).items():
        setattr(bounds, name, _argument(f"bounds.{name}", value, NONE))
    return bounds


def _argument(name, value, most):
    number = _whole_number(value)
    if number is None:
        raise TypeError(f"{name}: expected a whole number, found {_found(value)}")
    if not 0 <= number <= most:
        raise ValueError(f"{name}: expected a number from 0 to {most}, found {_found(number)}")
    return number


# ---- Streams


class Stream:
    """One running generation.

    `request` is a dict as in spec/formats.md; a fault of it raises `Refused`, a member that is none a TypeError.
    `prompt_tokens` count towards `max_context`. `window`: how many bytes of text may wait in the stream besides those
    held back; 4,096 by default, and what `flush` gathers where it says that in bytes. `bounds`: how much a request may
    ask for where that is not what R13 says, a dict of stops, stop_bytes, all_stop_bytes, sequences, sequence_ids, ids,
    repetition_ids and vocabulary.

    Different streams may be used by different threads at the same time, one stream by one thread at a time."""

    __slots__ = ("_c", "_memory", "_handle", "_stops", "_sequences", "_wants_ids", "_wants_time", "_reasons", "_end")

    def __init__(self, request, prompt_tokens=0, *, window=None, bounds=None):
        self._c = library = _library()
        reading = _Reading(request, _bounds(library, bounds))
        c = reading.c
        c.prompt_tokens = _argument("prompt_tokens", prompt_tokens, LARGEST)
        if window is None:
            window = WINDOW + (min(c.flush_n, GATHERED) if _FLUSH[c.flush] == "bytes" else 0)
        c.window = _argument("window", window, LARGEST_WINDOW)
        size = library.es_stream_size(byref(c))
        memory = ctypes.create_string_buffer(size + 16)
        aligned = (ctypes.addressof(memory) + 15) & ~15  # like malloc's
        handle, refusal = c_void_p(), _Refusal()
        status = library.es_stream_open(byref(handle), aligned, size, byref(c), byref(refusal))
        refused = reading.first_of(refusal)
        if refused:
            raise refused
        if status != OK:
            raise MemoryError(f"a stream of {size} bytes with a window of {window} could not be opened")
        self._memory, self._handle = memory, handle.value
        self._stops = [text for text, _, _ in reading.stops]
        self._sequences = reading.sequences
        self._wants_ids = bool(c.stop_token_ids.count or c.eos_token_ids.count or self._sequences or c.max_period)
        self._wants_time = _FLUSH[c.flush] == "ms"
        self._reasons = []  # the library keeps a pointer to the one that ended the answer
        self._end = None

    def __reduce__(self):
        raise TypeError("a stream cannot be copied or pickled: it lies in memory that may not be moved")

    def __repr__(self):
        return f"<endstop.Stream: {'ended' if self.ended else 'open'}, {self.tokens} tokens>"

    def token(self, id, data, special=False) -> bool:
        """Takes one token of the current step, with the bytes that the vocabulary gives it: not text, half a character
        is fine. `id` is None where only bytes are known. False: the answer ended with a token before, and this one is
        no part of it (R8). BufferError: more text waits than the window holds, and nothing is taken: make the step's
        end, send what is due, and hand the token in again; or choose a larger `window`."""
        if not isinstance(data, bytes):
            if not isinstance(data, (bytearray, memoryview)):
                raise TypeError(f"data: expected the token's bytes, found {_found(data)}")
            data = bytes(data)
        number = NONE if id is None else _argument("id", id, LARGEST)
        status = self._c.es_stream_token(self._handle, number, data, len(data), special)
        if status == FULL:
            raise BufferError(
                f"{len(data)} bytes do not fit in the window besides the text that waits: make the step's end, send "
                "what is due and hand the token in again, or open the stream with a larger window"
            )
        if status == MISUSE and id is None and self._wants_ids:
            raise ValueError("id: expected a token id, as the request speaks of ids or of repetition; found none")
        return self._done(status) == OK

    def feed(self, data) -> bool:
        """Takes bytes without an id, as one token."""
        return self.token(None, data)

    def boundary(self, abort=False, external=None, now=None) -> None:
        """The end of a step (R9), for callers who send the text themselves: `text` and `sent`. A call before the first
        token is boundary 0, where a request that was cancelled while it waited ends; leave it out where there is
        nothing to tell. `abort`: the client or an operator cancelled. `external`: a grammar, a tool-call parser or a
        filter ends the answer (R16): a pair of the cut, in bytes of the text so far, and the reason. `now`:
        milliseconds, for `flush` by `ms`; the monotonic clock's by default."""
        event = _Event(abort=bool(abort))
        if now is not None:
            event.now = _argument("now", now, 2**64 - 1)
        elif self._wants_time:
            event.now = time.monotonic_ns() // 1_000_000
        if external is not None:
            cut, reason = external
            if not isinstance(reason, str):
                raise TypeError(f"external: expected a reason, found {_found(reason)}")
            if not reason or "\0" in reason:
                raise ValueError("external: expected a reason that is not empty and has no zero byte")
            event.external, event.cut = True, _argument("external: cut", cut, 2**64 - 1)
            self._reasons.append(reason.encode())
            event.reason = self._reasons[-1]
        if self._done(self._c.es_stream_step(self._handle, byref(event))) == ENDED and external is not None:
            self._reasons.pop()

    def text(self) -> str:
        """The text to send now; "": none. Say with `sent` what became of it."""
        start = c_void_p()
        length = self._c.es_stream_text(self._handle, byref(start))
        return ctypes.string_at(start, length).decode() if length else ""

    def sent(self, answer) -> None:
        """What became of the text: "ok"; "later": nothing is lost, it comes again with the next step's text, or at once
        when the answer is over; "gone": the client is, the stream ends and there will be no terminal (R12)."""
        if answer not in ANSWERS:
            raise ValueError(f"expected one of {', '.join(ANSWERS)}, found {answer!r}")
        if self._c.es_stream_sent(self._handle, ANSWERS[answer]) != OK:
            raise RuntimeError("expected a text that waits for its answer, found none: call text() first")

    def step(self, abort=False, external=None, now=None) -> str:
        """The end of a step, as `boundary`; returns the text to send now, and takes it for sent."""
        self.boundary(abort, external, now)
        sent = ""
        while text := self.text():
            self.sent("ok")
            sent += text
        return sent

    @property
    def ended(self) -> bool:
        """Whether the answer is over: take no more tokens, send what is left, say the terminal."""
        return self._c.es_stream_ended(self._handle)

    @property
    def tokens(self) -> int:
        """Tokens taken so far."""
        return self._c.es_stream_tokens(self._handle)

    @property
    def terminal(self) -> dict | None:
        """The last thing said of an answer (R15), once it is over and all its text is sent: finish_reason, cause,
        stop_reason, tokens, terminal and, of strings and sequences, stop_index, as in a result of spec/formats.md.
        None: not yet; or never, for a client that is gone."""
        if self._end is None:
            end = _End()
            if not self._c.es_stream_terminal(self._handle, byref(end)):
                return None
            self._end = self._said(end)
        return dict(self._end)

    def _said(self, end):
        reason, cause, index = end.finish_reason.decode(), end.cause.decode(), end.stop_index
        stops = {"stop_string": self._stops, "stop_sequence": self._sequences}.get(cause)
        named = {"external": reason, "stop_token": end.stop_id}
        said = {
            "finish_reason": reason,
            "cause": cause,
            "stop_reason": stops[index] if stops else named.get(cause),
            "tokens": end.tokens,
            "terminal": {"bytes": end.bytes, "crc32c": f"{end.crc32c:08x}"},
        }
        return {**said, "stop_index": index} if stops else said

    def _done(self, status):
        if status == MISUSE:
            raise ValueError("libendstop: a call that must not be made so: nothing changed")
        return status


def check(request, prompt_tokens=0, *, bounds=None) -> Refused | None:
    """Whether a request may be asked (R13): None, or what is wrong with it."""
    try:
        Stream(request, prompt_tokens, bounds=bounds)
    except Refused as refused:
        return refused
    return None


# ---- The command: whole recordings and cases


def command_places() -> list[str]:
    """Where the command is looked for: $ENDSTOP_COMMAND alone if it is set; beside the library, in bin/ of its
    prefix; on the PATH."""
    if os.environ.get("ENDSTOP_COMMAND"):
        return [os.environ["ENDSTOP_COMMAND"]]
    library = os.environ.get("ENDSTOP_LIBRARY")
    folders = ([os.path.dirname(library)] if library else []) + _folders() + [os.path.join(_PREFIX, "bin")]
    return [os.path.join(folder, "endstop") for folder in folders] + ["endstop"]


def _command():
    for place in command_places():
        found = shutil.which(place)
        if found:
            return os.path.abspath(found)
    raise FileNotFoundError(
        "the command endstop: expected it in one of these places, or in $ENDSTOP_COMMAND:\n  "
        + "\n  ".join(command_places())
    )


def _line(value, number):
    """One line of JSON Lines, as bytes."""
    if isinstance(value, Mapping):
        return json.dumps(value, allow_nan=False, default=dict).encode()
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    if not isinstance(value, (bytes, bytearray)):
        raise TypeError(f"line {number}: expected a dict or a line of JSON, found {_found(value)}")
    value = bytes(value).rstrip(b"\r\n")
    if b"\n" in value:
        raise ValueError(f"line {number}: expected one line of JSON, found several")
    return value


def _shortened(said):
    lines = said.split("\n")
    return "\n".join(lines[:20] + ([f"… and {len(lines) - 20} lines more"] if len(lines) > 20 else []))


def _ask(lines, folder, *arguments):
    """What the command answers to `lines`: an answer a line, in their order. Files, as a pipe could fill up."""
    if isinstance(lines, (str, bytes, bytearray, Mapping)) or not isinstance(lines, Iterable):
        raise TypeError(f"expected a list of dicts or of lines of JSON, found {_found(lines)}")
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as messages:
        asked = 0
        for number, value in enumerate(lines, 1):
            line = _line(value, number)
            asked += bool(line.strip())
            source.write(line + b"\n")
        if not asked:
            return []
        source.seek(0)
        command = [_command(), *arguments]
        done = subprocess.run(command, stdin=source, stdout=out, stderr=messages, cwd=folder, check=False)
        messages.seek(0)
        out.seek(0)
        said = messages.read().decode("utf-8", "replace").strip()
        answers = out.read().splitlines()
    if done.returncode not in (0, 1) or len(answers) != asked:
        counted = f"{' '.join(command)}: exit status {done.returncode}, expected {asked} answers, found {len(answers)}"
        raise CommandError(_shortened(said) or counted, done.returncode)
    if said:
        warnings.warn(_shortened(said), stacklevel=3)
    return [json.loads(answer) for answer in answers]


def judge(recordings, *, folder=None) -> list[dict]:
    """The verdict on each recording: a dict, or a line of JSON. `folder`: where a `vocab` that they name lies, the
    current one by default. What cannot be read is a CommandError with the command's message, what it notes a warning."""
    return _ask(recordings, folder, "check", "--format", "json")


def run(cases, *, folder=None) -> list[dict]:
    """What the reference does with each case: a result a case. As `judge`."""
    return _ask(cases, folder, "run")


def assert_conforms(recording, *, folder=None) -> None:
    """For tests: an AssertionError with a sentence for each fault of the recording."""
    __tracebackhide__ = True
    (verdict,) = judge([recording], folder=folder)
    if verdict["verdict"] == "conforms":
        return
    said = [f"{verdict['case']}: {verdict['verdict']}" + (f": {verdict['why']}" if "why" in verdict else "")]
    for fault in verdict["faults"]:
        place = ", ".join(f"{word} {fault[word]}" for word in ("step", "byte") if word in fault)
        said.append(f"  {fault['kind']} ({fault['rule']}){' at ' + place if place else ''}: {fault['why']}")
    raise AssertionError("\n".join(said))
