/* Refusals: which of several faults of a request is reported, and in which words (R13). */
#include <inttypes.h>
#include <stdarg.h>

#include "reader_parts.h"

static const char *member_text(es_member member) {
  static const char *const texts[] = {"stop",
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
                                      "flush"};
  return member < ES_MEMBER_NONE ? texts[member] : "request";
}

static const char *flush_text(es_flush_kind kind) {
  static const char *const texts[] = {"steps", "bytes", "tokens", "ms"};
  return texts[kind];
}

/* The path of the member at fault. */
static void param(const es_request *request, es_refusal fault, char *out, size_t room) {
  const char *member = member_text(fault.member);
  bool element = fault.phase == ES_PHASE_ELEMENT && !fault.pair;
  if (element && fault.member <= ES_MEMBER_EOS_TOKEN_IDS)
    snprintf(out, room, "%s[%" PRIu32 "]", member, fault.index);
  else if (element && fault.member == ES_MEMBER_REPETITION)
    snprintf(out, room, "%s.%s", member, fault.index == 0 ? "max_period" : "min_repeats");
  else if (element && fault.member == ES_MEMBER_FLUSH)
    snprintf(out, room, "%s.%s", member, flush_text(request->flush.kind));
  else
    snprintf(out, room, "%s", member);
}

void es_request_note(es_request_reading *q, es_refusal fault, size_t name, const char *format, ...) {
  es_case *c = q->c;
  if (q->refused && !es_refusal_before(fault, q->first)) return;
  q->refused = true;
  q->first = fault;
  if (name)
    es_json_copy(c->refusal_param, sizeof c->refusal_param, es_json_text_at(&q->reader->json, name));
  else
    param(&c->request, fault, c->refusal_param, sizeof c->refusal_param);
  char message[400];
  size_t length = (size_t)snprintf(message, sizeof message, "%s: ", c->refusal_param);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message + length, sizeof message - length, format, arguments);
  va_end(arguments);
  es_json_copy(c->refusal_message, sizeof c->refusal_message, es_span_of(message));
}

static void note_list(es_request_reading *q, es_refusal at, const es_request *request, const es_bounds *bounds) {
  static const char *const what[] = {"stop strings", "ids", "sequences", "ids"};
  const uint32_t counts[] = {request->stop_count, request->stop_id_count, request->sequence_count,
                             request->eos_id_count};
  const uint32_t most[] = {bounds->stops, bounds->ids, bounds->sequences, bounds->ids};
  uint32_t all = 0;
  for (uint32_t i = 0; i < request->stop_count; i++) all += request->stops[i].length;
  es_member m = at.member;
  if (at.fault == ES_FAULT_TOO_MANY)
    es_request_note(q, at, 0, "expected at most %" PRIu32 " %s, found %" PRIu32, most[m], what[m], counts[m]);
  else if (at.fault == ES_FAULT_TOTAL)
    es_request_note(q, at, 0, "expected at most %" PRIu32 " bytes of stop strings in all, found %" PRIu32,
                    bounds->all_stop_bytes, all);
  else if (at.fault == ES_FAULT_EMPTY && m == ES_MEMBER_STOP)
    es_request_note(q, at, 0, "an empty stop string would end every answer; remove it");
  else if (at.fault == ES_FAULT_EMPTY)
    es_request_note(q, at, 0, "an empty sequence would end every answer; remove it");
  else if (at.fault == ES_FAULT_NOT_UTF8)
    es_request_note(q, at, 0, "expected UTF-8 text, found bytes that are none");
  else if (at.fault == ES_FAULT_TOO_LONG && m == ES_MEMBER_STOP)
    es_request_note(q, at, 0, "expected a stop string of at most %" PRIu32 " bytes, found %" PRIu32, bounds->stop_bytes,
                    request->stops[at.index].length);
  else if (at.fault == ES_FAULT_TOO_LONG)
    es_request_note(q, at, 0, "expected a sequence of at most %" PRIu32 " ids, found %" PRIu32, bounds->sequence_ids,
                    request->sequences[at.index].length);
  else if (at.fault == ES_FAULT_PRIORITY)
    es_request_note(q, at, 0, "expected a priority from -128 to 127, found %" PRId32,
                    request->stops[at.index].priority);
  else
    es_request_note(q, at, 0, "expected ids from 0 to %" PRId32 ", found one above", ES_LARGEST_ID);
}

void es_request_note_typed(es_request_reading *q) {
  const es_request *request = &q->c->request;
  const es_bounds *bounds = q->reader->options.bounds;
  es_refusal at = es_request_check(request, bounds);
  if (at.fault == ES_FAULT_NONE) return;
  if (at.member <= ES_MEMBER_EOS_TOKEN_IDS)
    note_list(q, at, request, bounds);
  else if (at.fault == ES_FAULT_MIN_ABOVE_MAX)
    es_request_note(q, at, 0, "expected at most `max_tokens`, which is %" PRIu32 ", found %" PRIu32,
                    request->max_tokens, request->min_tokens);
  else if (at.member == ES_MEMBER_REPETITION && at.fault == ES_FAULT_TOO_LARGE &&
           (at.pair || at.phase != ES_PHASE_ELEMENT))
    es_request_note(q, at, 0, "expected max_period × min_repeats of at most %" PRIu32 ", found %" PRIu64,
                    bounds->repetition_ids, (uint64_t)request->max_period * request->min_repeats);
  else if (at.member == ES_MEMBER_REPETITION && at.fault == ES_FAULT_TOO_SMALL)
    es_request_note(q, at, 0, "expected at least %d, found %" PRIu32, at.index == 0 ? 1 : 2,
                    at.index == 0 ? request->max_period : request->min_repeats);
  else if (at.member == ES_MEMBER_FLUSH && at.fault == ES_FAULT_TOO_SMALL)
    es_request_note(q, at, 0, "expected at least 1, found %" PRIu32, request->flush.n);
  else
    es_request_note(q, at, 0, "expected a number from 0 to %" PRId32 ", found another", ES_LARGEST_ID);
}
