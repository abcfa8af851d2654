#include "refusal.h"

#include <inttypes.h>
#include <stdio.h>

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

/* The first id of a sequence that is at fault; one is. */
static uint32_t id_at_fault(const uint32_t *ids, uint32_t count, const es_bounds *bounds) {
  uint32_t i = 0;
  while (i + 1 < count && ids[i] <= INT32_MAX && ids[i] < bounds->vocabulary) i++;
  return ids[i];
}

static int64_t found_in_stops(es_refusal at, const es_request *request) {
  if (at.fault == ES_FAULT_TOO_MANY) return request->stop_count;
  if (at.fault == ES_FAULT_PRIORITY) return request->stops[at.index].priority;
  if (at.fault != ES_FAULT_TOTAL) return request->stops[at.index].length;
  int64_t total = 0;
  for (uint32_t i = 0; i < request->stop_count; i++) total += request->stops[i].length;
  return total;
}

static int64_t found_in_sequences(es_refusal at, const es_request *request, const es_bounds *bounds) {
  if (at.fault == ES_FAULT_TOO_MANY) return request->sequence_count;
  if (at.fault == ES_FAULT_EMPTY) return 0;
  const es_sequence *sequence = request->sequences + at.index;
  if (at.fault == ES_FAULT_TOO_LONG) return sequence->length;
  return id_at_fault(request->sequence_ids + sequence->offset, sequence->length, bounds);
}

static int64_t found_in_ids(es_refusal at, const uint32_t *ids, uint32_t count) {
  return at.fault == ES_FAULT_TOO_MANY ? count : ids[at.index];
}

static int64_t found_in_repetition(es_refusal at, const es_request *request) {
  if (at.phase != ES_PHASE_ELEMENT) return (int64_t)((uint64_t)request->max_period * request->min_repeats);
  return at.index == 0 ? request->max_period : request->min_repeats;
}

static int64_t found_in(es_refusal at, const es_request *request, const es_bounds *bounds) {
  switch (at.member) {
  case ES_MEMBER_STOP:
    return found_in_stops(at, request);
  case ES_MEMBER_STOP_TOKEN_IDS:
    return found_in_ids(at, request->stop_ids, request->stop_id_count);
  case ES_MEMBER_STOP_TOKEN_SEQUENCES:
    return found_in_sequences(at, request, bounds);
  case ES_MEMBER_EOS_TOKEN_IDS:
    return found_in_ids(at, request->eos_ids, request->eos_id_count);
  case ES_MEMBER_MIN_TOKENS:
    return request->min_tokens;
  case ES_MEMBER_MAX_TOKENS:
    return request->max_tokens;
  case ES_MEMBER_MAX_CONTEXT:
    return request->max_context;
  case ES_MEMBER_DEADLINE_STEPS:
    return request->deadline_steps;
  case ES_MEMBER_REPETITION:
    return found_in_repetition(at, request);
  default: /* flush: what is yes or no is never at fault */
    return request->flush.n;
  }
}

es_refusal_facts es_refusal_look(es_refusal at, const es_request *request, const es_bounds *bounds) {
  es_refusal_facts facts = {request->flush.kind, request->max_tokens, 0};
  if (at.fault != ES_FAULT_NONE) facts.found = found_in(at, request, bounds);
  return facts;
}

void es_refusal_param(es_refusal at, es_flush_kind flush, char *out, size_t room) {
  const char *member = member_text(at.member);
  bool element = at.phase == ES_PHASE_ELEMENT && !at.pair;
  if (element && at.member <= ES_MEMBER_EOS_TOKEN_IDS)
    snprintf(out, room, "%s[%" PRIu32 "]", member, at.index);
  else if (element && at.member == ES_MEMBER_REPETITION)
    snprintf(out, room, "%s.%s", member, at.index == 0 ? "max_period" : "min_repeats");
  else if (element && at.member == ES_MEMBER_FLUSH)
    snprintf(out, room, "%s.%s", member, flush_text(flush));
  else
    snprintf(out, room, "%s", member);
}

/* What is said of lists; false: something else is at fault. */
static bool list_sentence(es_refusal at, int64_t found, const es_bounds *bounds, char *out, size_t room) {
  static const char *const what[] = {"stop strings", "ids", "sequences", "ids"};
  const uint32_t most[] = {bounds->stops, bounds->ids, bounds->sequences, bounds->ids};
  es_member m = at.member;
  if (m > ES_MEMBER_EOS_TOKEN_IDS) return false;
  if (at.fault == ES_FAULT_TOO_MANY)
    snprintf(out, room, "expected at most %" PRIu32 " %s, found %" PRId64, most[m], what[m], found);
  else if (at.fault == ES_FAULT_TOTAL)
    snprintf(out, room, "expected at most %" PRIu32 " bytes of stop strings in all, found %" PRId64,
             bounds->all_stop_bytes, found);
  else if (at.fault == ES_FAULT_EMPTY)
    snprintf(out, room, "an empty %s would end every answer; remove it",
             m == ES_MEMBER_STOP ? "stop string" : "sequence");
  else if (at.fault == ES_FAULT_NOT_UTF8)
    snprintf(out, room, "expected UTF-8 text, found bytes that are none");
  else if (at.fault == ES_FAULT_TOO_LONG && m == ES_MEMBER_STOP)
    snprintf(out, room, "expected a stop string of at most %" PRIu32 " bytes, found %" PRId64, bounds->stop_bytes,
             found);
  else if (at.fault == ES_FAULT_TOO_LONG)
    snprintf(out, room, "expected a sequence of at most %" PRIu32 " ids, found %" PRId64, bounds->sequence_ids, found);
  else if (at.fault == ES_FAULT_PRIORITY)
    snprintf(out, room, "expected a priority from -128 to 127, found %" PRId64, found);
  else if (at.fault == ES_FAULT_NOT_IN_VOCABULARY)
    snprintf(out, room, "expected ids below %" PRIu32 ", the vocabulary's, found %" PRId64, bounds->vocabulary, found);
  else
    snprintf(out, room, "expected ids from 0 to %" PRId32 ", found one above", INT32_MAX);
  return true;
}

void es_refusal_sentence(es_refusal at, es_refusal_facts facts, const es_bounds *bounds, char *out, size_t room) {
  if (list_sentence(at, facts.found, bounds, out, room)) return;
  bool repetition = at.member == ES_MEMBER_REPETITION;
  if (at.fault == ES_FAULT_MIN_ABOVE_MAX)
    snprintf(out, room, "expected at most `max_tokens`, which is %" PRIu32 ", found %" PRId64, facts.max_tokens,
             facts.found);
  else if (repetition && at.phase != ES_PHASE_ELEMENT)
    snprintf(out, room, "expected max_period × min_repeats of at most %" PRIu32 ", found %" PRId64,
             bounds->repetition_ids, facts.found);
  else if (at.member == ES_MEMBER_FLUSH && at.phase == ES_PHASE_COUNT)
    snprintf(out, room, "expected one of `steps`, `bytes`, `tokens` and `ms`, found none");
  else if (at.fault == ES_FAULT_TOO_SMALL)
    snprintf(out, room, "expected at least %d, found %" PRId64, repetition && at.index == 1 ? 2 : 1, facts.found);
  else
    snprintf(out, room, "expected a number from 0 to %" PRId32 ", found another", INT32_MAX);
}
