"""Faults to be planted in the sources, each a text that occurs once and what it is replaced by.

They are the mistakes that engines make. The comparison in tests/differential.py must find every one of them.
"""

from typing import NamedTuple


class Fault(NamedTuple):
    """`search` occurs once in `file`; with `replace` in its place, `rule` is broken in the way that `what` says."""

    rule: str
    what: str
    file: str
    search: str
    replace: str


PLANTED = [
    Fault(
        "R1",
        "special tokens are never shown",
        "src/core/lane_take.c",
        "token->special && request->skip_special ? 0",
        "token->special && (token->length == 0 || !request->skip_special) ? 0",
    ),
    Fault(
        "R3",
        "priorities are ignored",
        "src/core/matcher.c",
        "return a->priority > b->priority || (a->priority == b->priority && a->length > b->length);",
        "return a->length > b->length;",
    ),
    Fault(
        "R3",
        "of stops that meet the first in the request wins",
        "src/core/matcher.c",
        "return a->priority > b->priority || (a->priority == b->priority && a->length > b->length);",
        "return a->priority > b->priority;",
    ),
    Fault("R2", "after a mismatch the matcher starts anew", "src/core/matcher.c", "k = f[k];", "k = 0 * f[k];"),
    Fault(
        "R4",
        "the stop is never included",
        "src/core/lane_read.c",
        "include ? base + j + 1 :",
        "include && j > length ? base + j + 1 :",
    ),
    Fault(
        "R5",
        "a sequence is cut one token late",
        "src/core/lane_read.c",
        "n + 1, stop->length, end, include",
        "n + 1, stop->length - 1, end, include",
    ),
    Fault(
        "R5",
        "the text of the end token is shown",
        "src/core/lane_take.c",
        "if (!lane->request->include_stop) length = 0;",
        "if (!lane->request->include_stop && length == 0) length = 0;",
    ),
    Fault(
        "R6",
        "an end counts at min_tokens already",
        "src/core/lane_take.c",
        "if (n <= request->min_tokens) return ends;",
        "if (n < request->min_tokens) return ends;",
    ),
    Fault(
        "R7",
        "the prompt does not count towards the context",
        "src/core/limits.c",
        "limits->taken + limits->prompt >= limits->max_context",
        "limits->taken >= limits->max_context",
    ),
    Fault(
        "R7",
        "a period of several ids counts as one",
        "src/core/limits.c",
        "return run >= q * again;",
        "return run >= again + 0 * q;",
    ),
    Fault(
        "R8",
        "tokens are taken after the one that ended the lane",
        "src/core/lane_take.c",
        " || lane->natural.cause != ES_CAUSE_OPEN) return ES_ENDED",
        ") return ES_ENDED",
    ),
    Fault(
        "R9",
        "an abort wins over an end in the same step",
        "src/core/arbiter.c",
        "if (natural.cause != ES_CAUSE_OPEN) return natural;",
        "if (natural.cause != ES_CAUSE_OPEN && !at.abort) return natural;",
    ),
    Fault("R10", "a byte too few is held", "src/core/matcher.c", "match.hold = prefix;", "match.hold = prefix - 1;"),
    Fault(
        "R10",
        "a completion passed over holds nothing",
        "src/core/matcher.c",
        "return f[length];",
        "return f[length] * 0;",
    ),
    Fault(
        "R10",
        "stops that min_tokens may pass over are dropped",
        "src/core/stops.c",
        "bool first = request->min_tokens == 0;",
        "bool first = request->min_tokens <= 1;",
    ),
    Fault(
        "R10",
        "stops that can never end the lane hold text",
        "src/core/stops_live.c",
        "if (match.stop >= 0) {",
        "if (match.stop >= 0 && last == 0) {",
    ),
    Fault("R11", "surrogates in bytes are characters", "src/core/utf8.c", "if (b == 0xED) u->high = 0x9F;", ""),
    Fault(
        "R11",
        "text answered later waits for the policy",
        "src/core/guard.c",
        "g->again = true;",
        "g->again = false;",
    ),
    Fault(
        "R11",
        "bytes wait until there are more than n",
        "src/core/guard.c",
        "ES_FLUSH_BYTES) return bytes >= g->flush.n;",
        "ES_FLUSH_BYTES) return bytes > g->flush.n;",
    ),
    Fault(
        "R12",
        "an abort drops what was held",
        "src/core/arbiter.c",
        "end.cause = ES_CAUSE_ABORT;",
        "end.cause = ES_CAUSE_ABORT;\n    end.cut = allowed;",
    ),
    Fault(
        "R13",
        "min_tokens equal to max_tokens is refused",
        "src/core/request.c",
        "request->min_tokens > request->max_tokens",
        "request->min_tokens >= request->max_tokens",
    ),
    Fault(
        "R13",
        "the stops together may be as long as they like",
        "src/core/request.c",
        "if (total > bounds->all_stop_bytes)",
        "if (total > 2 * (uint64_t)bounds->all_stop_bytes)",
    ),
    Fault(
        "R16",
        "at equal cuts the external end wins",
        "src/core/arbiter.c",
        "natural.cut <= cut",
        "natural.cut < cut",
    ),
    Fault(
        "R16",
        "the cut is not raised to what was shown",
        "src/core/arbiter.c",
        "at.external_cut < allowed ? allowed",
        "at.external_cut < allowed / 2 ? allowed",
    ),
    Fault(
        "R3",
        "the slow model breaks ties by index alone",
        "src/oracle/model_stops.c",
        "if (first.length != second.length) return first.length > second.length;",
        "",
    ),
    Fault(
        "R10",
        "the slow model holds for sequences one id less",
        "src/oracle/model_stops.c",
        "held < request->sequences[s].length; held++",
        "held + 1 < request->sequences[s].length; held++",
    ),
    Fault(
        "R1",
        "a vocabulary's leading space is dropped from special tokens that nobody sees",
        "src/oracle/reader_vocab.c",
        "if (token->bytes.length == 0 || (token->special && c->request.skip_special)) continue;",
        "if (token->bytes.length == 0) continue;",
    ),
    Fault(
        "R1",
        "a vocabulary's leading space is dropped where the case gives the bytes",
        "src/oracle/reader_vocab.c",
        "if (by_id && token->bytes.data[0] == ' ')",
        "if ((by_id || !by_id) && token->bytes.data[0] == ' ')",
    ),
    Fault(
        "R13",
        "the highest id of a vocabulary is refused",
        "src/oracle/reader_vocab.c",
        "? es_vocab_size(r->vocab) :",
        "? es_vocab_size(r->vocab) - 1 :",
    ),
]
