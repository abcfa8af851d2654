#include "request.h"

#include "utf8.h"

const es_bounds es_default_bounds = {64, 1024, 16384, 64, 16, 256, 4096, ES_NO_LIMIT};

static const es_refusal no_fault = {ES_FAULT_NONE, ES_MEMBER_NONE, ES_PHASE_COUNT, 0, false};

/*@ assigns  \nothing;
    ensures  \result.fault == fault && \result.member == member && \result.phase == phase &&
             \result.index == index && \result.pair == 0; */
static es_refusal at(es_fault fault, es_member member, es_phase phase, uint32_t index) {
  es_refusal refusal = {fault, member, phase, index, false};
  return refusal;
}

/*@ requires valid: \valid_read(request) && \valid_read(stop) && \valid_read(bounds);
    requires read:  \valid_read(request->text + (stop->offset .. stop->offset + stop->length - 1));
    assigns  \nothing;
    ensures  fits:  \result == ES_FAULT_NONE ==> stop_fits(stop, bounds); */
static es_fault stop_fault(const es_request *request, const es_stop *stop, const es_bounds *bounds) {
  if (stop->length == 0) return ES_FAULT_EMPTY;
  if (stop->length > bounds->stop_bytes) return ES_FAULT_TOO_LONG;
  if (!es_utf8_valid(request->text + stop->offset, stop->length) /*@ ghost ((uint32_t)0) */) return ES_FAULT_NOT_UTF8;
  if (stop->priority < -128 || stop->priority > 127) return ES_FAULT_PRIORITY;
  return ES_FAULT_NONE;
}

/*@ requires valid: request_valid(request) && \valid_read(bounds);
    assigns  \nothing;
    ensures  count: request->stop_count > bounds->stops ==>
                      \result.fault == ES_FAULT_TOO_MANY && \result.member == ES_MEMBER_STOP;
    ensures  fits:  \result.fault == ES_FAULT_NONE ==>
                      \forall integer i; 0 <= i < request->stop_count ==> stop_fits(request->stops + i, bounds); */
static es_refusal check_stops(const es_request *request, const es_bounds *bounds) {
  if (request->stop_count > bounds->stops) return at(ES_FAULT_TOO_MANY, ES_MEMBER_STOP, ES_PHASE_COUNT, 0);
  uint64_t total = 0;
  /*@ loop invariant place: 0 <= i <= request->stop_count;
      loop invariant total: total <= i * UINT32_MAX;
      loop invariant fits:  \forall integer t; 0 <= t < i ==> stop_fits(request->stops + t, bounds);
      loop assigns i, total;
      loop variant request->stop_count - i; */
  for (uint32_t i = 0; i < request->stop_count; i++) {
    es_fault fault = stop_fault(request, request->stops + i, bounds);
    if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_STOP, ES_PHASE_ELEMENT, i);
    total += request->stops[i].length;
  }
  if (total > bounds->all_stop_bytes) return at(ES_FAULT_TOTAL, ES_MEMBER_STOP, ES_PHASE_TOTAL, 0);
  return no_fault;
}

/*@ requires valid: \valid_read(bounds);
    assigns  \nothing;
    ensures  fits:  \result == ES_FAULT_NONE <==> id <= INT32_MAX && id < bounds->vocabulary; */
static es_fault id_fault(uint32_t id, const es_bounds *bounds) {
  if (id > INT32_MAX) return ES_FAULT_TOO_LARGE;
  return id < bounds->vocabulary ? ES_FAULT_NONE : ES_FAULT_NOT_IN_VOCABULARY;
}

/*@ requires read:  \valid_read(ids + (0 .. count - 1)) && \valid_read(bounds);
    assigns  \nothing;
    ensures  count: \result.fault == ES_FAULT_NONE ==> count <= bounds->ids;
    ensures  fits:  \result.fault == ES_FAULT_NONE ==> ids_fit(ids, count, bounds); */
static es_refusal check_ids(const uint32_t *ids, uint32_t count, es_member member, const es_bounds *bounds) {
  if (count > bounds->ids) return at(ES_FAULT_TOO_MANY, member, ES_PHASE_COUNT, 0);
  /*@ loop invariant place: 0 <= i <= count;
      loop invariant fits:  ids_fit(ids, i, bounds);
      loop assigns i;
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    es_fault fault = id_fault(ids[i], bounds);
    if (fault != ES_FAULT_NONE) return at(fault, member, ES_PHASE_ELEMENT, i);
  }
  return no_fault;
}

/*@ requires read: \valid_read(ids + (0 .. length - 1)) && \valid_read(bounds);
    assigns  \nothing;
    ensures  size: \result == ES_FAULT_NONE ==> length <= bounds->sequence_ids;
    ensures  fits: \result == ES_FAULT_NONE ==> ids_fit(ids, length, bounds); */
static es_fault sequence_fault(const uint32_t *ids, uint32_t length, const es_bounds *bounds) {
  if (length > bounds->sequence_ids) return ES_FAULT_TOO_LONG;
  /*@ loop invariant place: 0 <= i <= length;
      loop invariant fits:  ids_fit(ids, i, bounds);
      loop assigns i;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    es_fault fault = id_fault(ids[i], bounds);
    if (fault != ES_FAULT_NONE) return fault;
  }
  return ES_FAULT_NONE;
}

/*@ requires valid: request_valid(request) && \valid_read(bounds);
    assigns  \nothing;
    ensures  fits:  \result.fault == ES_FAULT_NONE ==>
                      \forall integer i; 0 <= i < request->sequence_count ==>
                        1 <= request->sequences[i].length <= bounds->sequence_ids &&
                        ids_fit(request->sequence_ids + request->sequences[i].offset, request->sequences[i].length,
                                bounds); */
static es_refusal check_sequences(const es_request *request, const es_bounds *bounds) {
  if (request->sequence_count > bounds->sequences)
    return at(ES_FAULT_TOO_MANY, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_COUNT, 0);
  /*@ loop invariant place: 0 <= i <= request->sequence_count;
      loop invariant fits:  \forall integer t; 0 <= t < i ==>
        1 <= request->sequences[t].length <= bounds->sequence_ids &&
        ids_fit(request->sequence_ids + request->sequences[t].offset, request->sequences[t].length, bounds);
      loop assigns i;
      loop variant request->sequence_count - i; */
  for (uint32_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = request->sequences + i;
    if (sequence->length == 0) return at(ES_FAULT_EMPTY, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, i);
    es_fault fault = sequence_fault(request->sequence_ids + sequence->offset, sequence->length, bounds);
    if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, i);
  }
  return no_fault;
}

/*@ assigns  \nothing;
    ensures  fits: \result.fault == ES_FAULT_NONE ==> number <= INT32_MAX || number == ES_NO_LIMIT; */
static es_refusal check_number(uint32_t number, es_member member) {
  if (number > INT32_MAX && number != ES_NO_LIMIT) return at(ES_FAULT_TOO_LARGE, member, ES_PHASE_ELEMENT, 0);
  return no_fault;
}

/*@ requires valid: \valid_read(request);
    assigns  \nothing;
    ensures  fits: \result.fault == ES_FAULT_NONE ==>
                     request->max_period <= INT32_MAX && request->min_repeats <= INT32_MAX; */
static es_refusal check_repetition(const es_request *request) {
  if (request->max_period == 0 && request->min_repeats == 0) return no_fault;
  if (request->max_period < 1) return at(ES_FAULT_TOO_SMALL, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 0);
  if (request->max_period > INT32_MAX) return at(ES_FAULT_TOO_LARGE, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 0);
  if (request->min_repeats < 2) return at(ES_FAULT_TOO_SMALL, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 1);
  if (request->min_repeats > INT32_MAX) return at(ES_FAULT_TOO_LARGE, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 1);
  return no_fault;
}

/* What concerns two members, looked at after all single ones (R13, Reading 9). */
/*@ requires valid: \valid_read(request) && \valid_read(bounds);
    assigns  \nothing;
    ensures  fits:  \result.fault == ES_FAULT_NONE ==>
                      (request->max_tokens == ES_NO_LIMIT || request->min_tokens <= request->max_tokens) &&
                      request->max_period * request->min_repeats <= bounds->repetition_ids; */
static es_refusal check_pairs(const es_request *request, const es_bounds *bounds) {
  es_refusal refusal = no_fault;
  if (request->max_tokens != ES_NO_LIMIT && request->min_tokens > request->max_tokens)
    refusal = at(ES_FAULT_MIN_ABOVE_MAX, ES_MEMBER_MIN_TOKENS, ES_PHASE_TOTAL, 0);
  else if ((uint64_t)request->max_period * request->min_repeats > bounds->repetition_ids)
    refusal = at(ES_FAULT_TOO_LARGE, ES_MEMBER_REPETITION, ES_PHASE_TOTAL, 0);
  refusal.pair = refusal.fault != ES_FAULT_NONE;
  return refusal;
}

es_refusal es_request_check(const es_request *request, const es_bounds *bounds) {
  es_refusal refusal = check_stops(request, bounds);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  refusal = check_ids(request->stop_ids, request->stop_id_count, ES_MEMBER_STOP_TOKEN_IDS, bounds);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  refusal = check_sequences(request, bounds);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  refusal = check_ids(request->eos_ids, request->eos_id_count, ES_MEMBER_EOS_TOKEN_IDS, bounds);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  if (request->min_tokens > INT32_MAX) return at(ES_FAULT_TOO_LARGE, ES_MEMBER_MIN_TOKENS, ES_PHASE_ELEMENT, 0);
  refusal = check_number(request->max_tokens, ES_MEMBER_MAX_TOKENS);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  refusal = check_number(request->max_context, ES_MEMBER_MAX_CONTEXT);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  refusal = check_number(request->deadline_steps, ES_MEMBER_DEADLINE_STEPS);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  refusal = check_repetition(request);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  if (request->flush.n < 1) return at(ES_FAULT_TOO_SMALL, ES_MEMBER_FLUSH, ES_PHASE_ELEMENT, 0);
  if (request->flush.n > INT32_MAX) return at(ES_FAULT_TOO_LARGE, ES_MEMBER_FLUSH, ES_PHASE_ELEMENT, 0);
  return check_pairs(request, bounds);
}

bool es_refusal_before(es_refusal a, es_refusal b) {
  if (a.fault == ES_FAULT_NONE) return false;
  if (b.fault == ES_FAULT_NONE) return true;
  if (a.pair != b.pair) return !a.pair;
  if (a.member != b.member) return a.member < b.member;
  if (a.phase != b.phase) return a.phase < b.phase;
  return a.index < b.index;
}
