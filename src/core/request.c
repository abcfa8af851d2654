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

/*@ requires valid: \valid_read(bounds) && \valid_read(bytes + (0 .. length - 1));
    requires bytes: \forall integer j; 0 <= j < length ==> bytes[j] == H(sid, j);
    assigns  \nothing;
    ensures  fault: fault_of_stop(sid, length, bounds->stop_bytes, priority, \result); */
static es_fault stop_fault(const uint8_t *bytes, uint32_t length, int32_t priority, const es_bounds *bounds)
/*@ ghost (uint32_t sid) */ {
  if (length == 0) return ES_FAULT_EMPTY;
  if (length > bounds->stop_bytes) return ES_FAULT_TOO_LONG;
  if (!es_utf8_valid(bytes, length) /*@ ghost (sid) */) return ES_FAULT_NOT_UTF8;
  if (priority < -128 || priority > 127) return ES_FAULT_PRIORITY;
  return ES_FAULT_NONE;
}

/*@ requires valid: request_valid(request) && \valid_read(bounds);
    requires text:  request_text(request, sid) && sid + request->stop_count <= UINT32_MAX;
    assigns  \nothing;
    ensures  first: first_single(request, bounds, sid, ES_MEMBER_STOP, \result); */
static es_refusal check_stops(const es_request *request, const es_bounds *bounds) /*@ ghost (uint32_t sid) */ {
  if (request->stop_count > bounds->stops) return at(ES_FAULT_TOO_MANY, ES_MEMBER_STOP, ES_PHASE_COUNT, 0);
  uint64_t total = 0;
  /*@ loop invariant place: 0 <= i <= request->stop_count;
      loop invariant total: total == total_length(request->stops, i) && 0 <= total <= i * UINT32_MAX;
      loop invariant fits:  \forall integer t; 0 <= t < i ==>
        stops_fault(request, bounds, sid, ES_PHASE_ELEMENT, t, ES_FAULT_NONE);
      loop assigns i, total;
      loop variant request->stop_count - i; */
  for (uint32_t i = 0; i < request->stop_count; i++) {
    const es_stop *stop = request->stops + i;
    es_fault fault = stop_fault(request->text + stop->offset, stop->length, stop->priority, bounds)
        /*@ ghost ((uint32_t)(sid + i)) */;
    //@ assert fault: stops_fault(request, bounds, sid, ES_PHASE_ELEMENT, i, fault);
    /*@ assert before: \forall integer phase, index;
          phase < ES_PHASE_ELEMENT || (phase == ES_PHASE_ELEMENT && index < i) ==>
          stops_fault(request, bounds, sid, phase, index, ES_FAULT_NONE); */
    if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_STOP, ES_PHASE_ELEMENT, i);
    total += stop->length;
  }
  /*@ assert elements: \forall integer phase, index; phase < ES_PHASE_TOTAL ==>
        stops_fault(request, bounds, sid, phase, index, ES_FAULT_NONE); */
  if (total > bounds->all_stop_bytes) return at(ES_FAULT_TOTAL, ES_MEMBER_STOP, ES_PHASE_TOTAL, 0);
  //@ assert all: \forall integer phase, index; stops_fault(request, bounds, sid, phase, index, ES_FAULT_NONE);
  return no_fault;
}

/*@ requires valid: \valid_read(bounds);
    assigns  \nothing;
    ensures  fault: \result == fault_of_id(id, bounds->vocabulary); */
static es_fault id_fault(uint32_t id, const es_bounds *bounds) {
  if (id > INT32_MAX) return ES_FAULT_TOO_LARGE;
  return id < bounds->vocabulary ? ES_FAULT_NONE : ES_FAULT_NOT_IN_VOCABULARY;
}

/*@ requires read:  \valid_read(ids + (0 .. count - 1)) && \valid_read(bounds);
    assigns  \nothing;
    ensures  none:  \result.fault == ES_FAULT_NONE ==>
                      \forall integer phase, index; ids_fault(ids, count, bounds, phase, index) == ES_FAULT_NONE;
    ensures  there: \result.fault != ES_FAULT_NONE ==> \result.pair == 0 && \result.member == member &&
                      \result.fault == ids_fault(ids, count, bounds, \result.phase, \result.index);
    ensures  first: \result.fault != ES_FAULT_NONE ==>
                      \forall integer phase, index; ids_fault(ids, count, bounds, phase, index) != ES_FAULT_NONE ==>
                        !(phase < \result.phase || (phase == \result.phase && index < \result.index)); */
static es_refusal check_ids(const uint32_t *ids, uint32_t count, es_member member, const es_bounds *bounds) {
  if (count > bounds->ids) return at(ES_FAULT_TOO_MANY, member, ES_PHASE_COUNT, 0);
  /*@ loop invariant place: 0 <= i <= count;
      loop invariant fits:  \forall integer t; 0 <= t < i ==> fault_of_id(ids[t], bounds->vocabulary) == ES_FAULT_NONE;
      loop assigns i;
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    es_fault fault = id_fault(ids[i], bounds);
    if (fault != ES_FAULT_NONE) return at(fault, member, ES_PHASE_ELEMENT, i);
  }
  return no_fault;
}

/*@ requires read:  \valid_read(ids + (0 .. length - 1)) && \valid_read(bounds);
    assigns  \nothing;
    ensures  fault: \result == sequence_fault(ids, length, bounds); */
static es_fault check_sequence(const uint32_t *ids, uint32_t length, const es_bounds *bounds) {
  if (length == 0) return ES_FAULT_EMPTY;
  if (length > bounds->sequence_ids) return ES_FAULT_TOO_LONG;
  es_fault fault = ES_FAULT_NONE;
  /*@ loop invariant place: 0 <= i <= length;
      loop invariant fault: fault == fault_of_ids(ids, i, bounds->vocabulary);
      loop assigns i, fault;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++)
    if (fault == ES_FAULT_NONE) fault = id_fault(ids[i], bounds);
  return fault;
}

/*@ requires valid: request_valid(request) && \valid_read(bounds);
    assigns  \nothing;
    ensures  first: \forall integer sid; first_single(request, bounds, sid, ES_MEMBER_STOP_TOKEN_SEQUENCES, \result); */
static es_refusal check_sequences(const es_request *request, const es_bounds *bounds) {
  if (request->sequence_count > bounds->sequences)
    return at(ES_FAULT_TOO_MANY, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_COUNT, 0);
  /*@ loop invariant place: 0 <= i <= request->sequence_count;
      loop invariant fits:  \forall integer t; 0 <= t < i ==>
        sequences_fault(request, bounds, ES_PHASE_ELEMENT, t) == ES_FAULT_NONE;
      loop assigns i;
      loop variant request->sequence_count - i; */
  for (uint32_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = request->sequences + i;
    es_fault fault = check_sequence(request->sequence_ids + sequence->offset, sequence->length, bounds);
    //@ assert fault: fault == sequences_fault(request, bounds, ES_PHASE_ELEMENT, i);
    if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, i);
  }
  return no_fault;
}

/*@ assigns  \nothing;
    ensures  fault: \result == fault_of_number(number); */
static es_fault number_fault(uint32_t number) {
  return number > INT32_MAX && number != ES_NO_LIMIT ? ES_FAULT_TOO_LARGE : ES_FAULT_NONE;
}

/*@ assigns  \nothing;
    ensures  fault: \result == fault_of_count(number, least); */
static es_fault count_fault(uint32_t number, uint32_t least) {
  if (number < least) return ES_FAULT_TOO_SMALL;
  return number > INT32_MAX ? ES_FAULT_TOO_LARGE : ES_FAULT_NONE;
}

/*@ requires valid: request_valid(request) && \valid_read(bounds);
    requires lists: none_before(request, bounds, sid, ES_MEMBER_IGNORE_EOS);
    assigns  \nothing;
    ensures  first: first_among(request, bounds, sid, ES_MEMBER_NONE, \result); */
static es_refusal check_numbers(const es_request *request) /*@ ghost (const es_bounds *bounds, uint32_t sid) */ {
  es_fault fault = count_fault(request->min_tokens, 0);
  //@ assert none_before(request, bounds, sid, ES_MEMBER_MIN_TOKENS);
  if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_MIN_TOKENS, ES_PHASE_ELEMENT, 0);
  //@ assert none_before(request, bounds, sid, ES_MEMBER_MAX_TOKENS);
  fault = number_fault(request->max_tokens);
  if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_MAX_TOKENS, ES_PHASE_ELEMENT, 0);
  //@ assert none_before(request, bounds, sid, ES_MEMBER_MAX_CONTEXT);
  fault = number_fault(request->max_context);
  if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_MAX_CONTEXT, ES_PHASE_ELEMENT, 0);
  //@ assert none_before(request, bounds, sid, ES_MEMBER_DEADLINE_STEPS);
  fault = number_fault(request->deadline_steps);
  if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_DEADLINE_STEPS, ES_PHASE_ELEMENT, 0);
  //@ assert none_before(request, bounds, sid, ES_MEMBER_REPETITION);
  if (request->max_period != 0 || request->min_repeats != 0) {
    fault = count_fault(request->max_period, 1);
    if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 0);
    fault = count_fault(request->min_repeats, 2);
    if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 1);
  }
  //@ assert none_before(request, bounds, sid, ES_MEMBER_FLUSH);
  fault = count_fault(request->flush.n, 1);
  if (fault != ES_FAULT_NONE) return at(fault, ES_MEMBER_FLUSH, ES_PHASE_ELEMENT, 0);
  return no_fault;
}

/* What concerns two members, looked at after all single ones (R13, Reading 9). */
/*@ requires valid: \valid_read(request) && \valid_read(bounds);
    requires small: request->max_period <= INT32_MAX && request->min_repeats <= INT32_MAX;
    assigns  \nothing;
    ensures  none:  \result.fault == ES_FAULT_NONE ==> \forall integer member, phase, index;
                      pair_fault(request, bounds, member, phase, index) == ES_FAULT_NONE;
    ensures  there: \result.fault != ES_FAULT_NONE ==> \result.pair == 1 &&
                      \result.fault == pair_fault(request, bounds, \result.member, \result.phase, \result.index);
    ensures  first: \result.fault != ES_FAULT_NONE ==> \forall integer member, phase, index;
                      pair_fault(request, bounds, member, phase, index) != ES_FAULT_NONE ==>
                      !place_before(1, member, phase, index, 1, \result.member, \result.phase, \result.index); */
static es_refusal check_pairs(const es_request *request, const es_bounds *bounds) {
  es_refusal refusal = no_fault;
  if (request->max_tokens != ES_NO_LIMIT && request->min_tokens > request->max_tokens)
    refusal = at(ES_FAULT_MIN_ABOVE_MAX, ES_MEMBER_MIN_TOKENS, ES_PHASE_TOTAL, 0);
  else if ((uint64_t)request->max_period * request->min_repeats > bounds->repetition_ids)
    refusal = at(ES_FAULT_TOO_LARGE, ES_MEMBER_REPETITION, ES_PHASE_TOTAL, 0);
  refusal.pair = refusal.fault != ES_FAULT_NONE;
  return refusal;
}

es_refusal es_request_check(const es_request *request, const es_bounds *bounds) /*@ ghost (uint32_t sid) */ {
  es_refusal refusal = check_stops(request, bounds) /*@ ghost (sid) */;
  //@ assert none_before(request, bounds, sid, ES_MEMBER_STOP);
  //@ assert refusal.fault != ES_FAULT_NONE ==> first_fault(request, bounds, sid, refusal);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  //@ assert none_before(request, bounds, sid, ES_MEMBER_STOP_TOKEN_IDS);
  refusal = check_ids(request->stop_ids, request->stop_id_count, ES_MEMBER_STOP_TOKEN_IDS, bounds);
  //@ assert first_single(request, bounds, sid, ES_MEMBER_STOP_TOKEN_IDS, refusal);
  //@ assert refusal.fault != ES_FAULT_NONE ==> first_fault(request, bounds, sid, refusal);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  //@ assert none_before(request, bounds, sid, ES_MEMBER_STOP_TOKEN_SEQUENCES);
  refusal = check_sequences(request, bounds);
  //@ assert first_single(request, bounds, sid, ES_MEMBER_STOP_TOKEN_SEQUENCES, refusal);
  //@ assert refusal.fault != ES_FAULT_NONE ==> first_fault(request, bounds, sid, refusal);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  //@ assert none_before(request, bounds, sid, ES_MEMBER_EOS_TOKEN_IDS);
  refusal = check_ids(request->eos_ids, request->eos_id_count, ES_MEMBER_EOS_TOKEN_IDS, bounds);
  //@ assert first_single(request, bounds, sid, ES_MEMBER_EOS_TOKEN_IDS, refusal);
  //@ assert refusal.fault != ES_FAULT_NONE ==> first_fault(request, bounds, sid, refusal);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  //@ assert none_before(request, bounds, sid, ES_MEMBER_IGNORE_EOS);
  refusal = check_numbers(request) /*@ ghost (bounds, sid) */;
  //@ assert refusal.fault != ES_FAULT_NONE ==> first_fault(request, bounds, sid, refusal);
  if (refusal.fault != ES_FAULT_NONE) return refusal;
  //@ assert single: \forall integer m, phase, index; single_fault(request, bounds, sid, m, phase, index, ES_FAULT_NONE);
  /*@ assert small: single_fault(request, bounds, sid, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 0, ES_FAULT_NONE) &&
        single_fault(request, bounds, sid, ES_MEMBER_REPETITION, ES_PHASE_ELEMENT, 1, ES_FAULT_NONE); */
  refusal = check_pairs(request, bounds);
  //@ assert pair: refusal.fault != ES_FAULT_NONE ==> first_fault(request, bounds, sid, refusal);
  //@ assert none: refusal.fault == ES_FAULT_NONE ==> first_fault(request, bounds, sid, refusal);
  return refusal;
}

bool es_refusal_before(es_refusal a, es_refusal b) {
  if (a.fault == ES_FAULT_NONE) return false;
  if (b.fault == ES_FAULT_NONE) return true;
  if (a.pair != b.pair) return !a.pair;
  if (a.member != b.member) return a.member < b.member;
  if (a.phase != b.phase) return a.phase < b.phase;
  return a.index < b.index;
}
