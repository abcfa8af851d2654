#include "lane_read.h"

/* Whether `id` is in a list. */
/*@ requires read: \valid_read(list + (0 .. count - 1));
    assigns  \nothing;
    ensures  in: \result <==> listed(list, count, id); */
static bool contains(const uint32_t *list, uint32_t count, uint32_t id) {
  /*@ loop invariant place: 0 <= i <= count;
      loop invariant none:  \forall integer t; 0 <= t < i ==> list[t] != id;
      loop assigns i;
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == id) return true;
  return false;
}

/* Whether `id` is a stop token, a sequence of one id included (R5, Reading 6). */
/*@ requires valid: request_valid(request);
    assigns  \nothing;
    ensures  is: \result <==> stop_token(request, id); */
static bool is_stop_token(const es_request *request, uint32_t id) {
  if (contains(request->stop_ids, request->stop_id_count, id)) return true;
  /*@ loop invariant place: 0 <= i <= request->sequence_count;
      loop invariant none:  \forall integer t; 0 <= t < i ==>
        !(request->sequences[t].length == 1 && request->sequence_ids[request->sequences[t].offset] == id);
      loop assigns i;
      loop variant request->sequence_count - i; */
  for (uint32_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = request->sequences + i;
    if (sequence->length == 1 && request->sequence_ids[sequence->offset] == id) return true;
  }
  return false;
}

/* Goes through the characters of a token's text. Ghost: the stream, and the bytes of it before. */
/*@ requires valid: \valid(u) && utf8_state(u, sid, n) && n + length <= UINT64_MAX;
    requires read:  \valid_read(bytes + (0 .. length - 1)) && \separated(bytes + (0 .. length - 1), u);
    requires bytes: \forall integer j; 0 <= j < length ==> bytes[j] == H(sid, n + j);
    assigns  *u;
    ensures  state: utf8_state(u, sid, n + length);
    ensures  few:   n - \old(u->pending) <= n + length - u->pending; */
static void read_characters(es_utf8 *u, const uint8_t *bytes, uint32_t length) /*@ ghost (uint32_t sid, uint64_t n) */ {
  //@ ghost uint64_t first = n - u->pending;
  /*@ loop invariant place: 0 <= j <= length;
      loop invariant state: utf8_state(u, sid, n + j);
      loop invariant few:   first <= n + j - u->pending;
      loop assigns j, *u;
      loop variant length - j; */
  for (uint32_t j = 0; j < length; j++) es_utf8_take(u, bytes[j]) /*@ ghost (sid, (uint64_t)(n + j)) */;
}

/* Ends the lane naturally by what came together at this token, if anything did. */
/*@ requires valid: \valid(lane) && lane->natural.cause == ES_CAUSE_OPEN;
    assigns  lane->natural.cause, lane->natural.cut, lane->stop_id, lane->stop_index;
    ensures  cause: lane->natural.cause ==
                      (ends.eos ? ES_CAUSE_EOS : ends.stop_token ? ES_CAUSE_STOP_TOKEN :
                       ends.stop_string ? ES_CAUSE_STOP_STRING : ends.stop_sequence ? ES_CAUSE_STOP_SEQUENCE :
                       ends.max_tokens ? ES_CAUSE_MAX_TOKENS : ends.max_context ? ES_CAUSE_MAX_CONTEXT :
                       ends.repetition ? ES_CAUSE_REPETITION : \old(lane->natural.cause));
    ensures  cut:   lane->natural.cause != ES_CAUSE_OPEN ==> lane->natural.cut ==
                      (lane->natural.cause == ES_CAUSE_STOP_STRING ? string.cut :
                       lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ? sequence.cut : taken);
    ensures  id:    lane->natural.cause != ES_CAUSE_OPEN ==> lane->stop_id == id;
    ensures  stop:  (lane->natural.cause == ES_CAUSE_STOP_STRING ==> lane->stop_index == string.index) &&
                    (lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ==> lane->stop_index == sequence.index); */
static void settle(es_lane *lane, es_token_ends ends, uint32_t id, uint64_t taken, es_lane_found string,
                   es_lane_found sequence) {
  es_cause cause = es_arbiter_token(ends);
  /*@ assert there: at_token(ends, cause) || (cause == ES_CAUSE_OPEN && !at_token(ends, ES_CAUSE_EOS) &&
        !at_token(ends, ES_CAUSE_STOP_TOKEN) && !at_token(ends, ES_CAUSE_STOP_STRING) &&
        !at_token(ends, ES_CAUSE_STOP_SEQUENCE) && !at_token(ends, ES_CAUSE_MAX_TOKENS) &&
        !at_token(ends, ES_CAUSE_MAX_CONTEXT) && !at_token(ends, ES_CAUSE_REPETITION)); */
  /*@ assert first: cause != ES_CAUSE_OPEN ==>
        (at_token(ends, ES_CAUSE_EOS) ==> cause == ES_CAUSE_EOS) &&
        (at_token(ends, ES_CAUSE_STOP_TOKEN) ==> cause <= ES_CAUSE_STOP_TOKEN) &&
        (at_token(ends, ES_CAUSE_STOP_STRING) ==> cause <= ES_CAUSE_STOP_STRING) &&
        (at_token(ends, ES_CAUSE_STOP_SEQUENCE) ==> cause <= ES_CAUSE_STOP_SEQUENCE) &&
        (at_token(ends, ES_CAUSE_MAX_TOKENS) ==> cause <= ES_CAUSE_MAX_TOKENS) &&
        (at_token(ends, ES_CAUSE_MAX_CONTEXT) ==> cause <= ES_CAUSE_MAX_CONTEXT); */
  if (cause == ES_CAUSE_OPEN) return;
  lane->natural.cause = cause;
  lane->natural.cut = taken;
  lane->stop_id = id;
  if (cause == ES_CAUSE_STOP_STRING) {
    lane->natural.cut = string.cut;
    lane->stop_index = string.index;
  } else if (cause == ES_CAUSE_STOP_SEQUENCE) {
    lane->natural.cut = sequence.cut;
    lane->stop_index = sequence.index;
  }
}

/* The lane goes on with what was read: it has one token more, and ends naturally if something came with it (R7). */
/*@ requires valid: lane_memory(lane, ss, qs) && lane_counts(lane, ts) && lane_text(lane, sid);
    requires open:  may_take(lane);
    requires bytes: token_text(lane, bytes, length, sid);
    requires id:    id <= INT32_MAX && id == H(ids, lane->limits.taken) &&
                    looping(lane->repetition.ids, lane->repetition.runs, lane->repetition.max_period, ids,
                            lane->limits.taken);
    requires ends:  !ends.max_tokens && !ends.max_context && !ends.repetition && ends.stop_string == string.there &&
                    ends.stop_sequence == sequence.there;
    requires cuts:  (string.there ==> lane->guard.allowed <= string.cut <= lane->guard.taken + length) &&
                    (sequence.there ==> lane->guard.allowed <= sequence.cut <= lane->guard.taken + length);
    requires read:  !ends.eos && !ends.stop_token && !string.there && !sequence.there ==>
                      reading(lane->memory.string_progress, lane->memory.sequence_progress, lane->memory.starts,
                              lane->memory.start_count, sid, ids, at, ss, qs, lane->limits.taken + 1,
                              lane->guard.taken + length, lane->guard.allowed, string.match.hold, string.match.holder,
                              sequence.match.hold, sequence.match.holder, sequence.place, lane->character.pending,
                              lane->character.wanted, lane->character.low, lane->character.high);
    assigns  lane->string_hold, lane->string_holder, lane->sequence_hold, lane->sequence_holder, lane->sequence_place,
             lane->step_tokens, lane->guard.held, lane->guard.taken, lane->guard.text[0 .. lane->guard.capacity - 1],
             lane->limits.taken, lane->repetition.taken, lane->natural.cause, lane->natural.cut, lane->stop_id,
             lane->stop_index,
             lane->repetition.ids[0 .. lane->repetition.max_period - 1],
             lane->repetition.runs[0 .. lane->repetition.max_period - 1];
    ensures  state: lane_state(lane, sid, ids, at, ts, ss, qs);
    ensures  count: lane->limits.taken == \old(lane->limits.taken) + 1 &&
                    lane->step_tokens == \old(lane->step_tokens) + 1 &&
                    lane->guard.taken == \old(lane->guard.taken) + length;
    ensures  eos:   ends.eos ==> lane->natural.cause == ES_CAUSE_EOS;
    ensures  token: !ends.eos && ends.stop_token ==> lane->natural.cause == ES_CAUSE_STOP_TOKEN;
    ensures  text:  !ends.eos && !ends.stop_token ==> (lane->natural.cause == ES_CAUSE_STOP_STRING <==> string.there);
    ensures  ids:   !ends.eos && !ends.stop_token && !string.there ==>
                      (lane->natural.cause == ES_CAUSE_STOP_SEQUENCE <==> sequence.there);
    ensures  R7:    !ends.eos && !ends.stop_token && !string.there && !sequence.there ==>
                      ended_by_limits(lane, ids);
    ensures  id:    lane->natural.cause != ES_CAUSE_OPEN ==> lane->stop_id == id;
    ensures  cut:   lane->natural.cause != ES_CAUSE_OPEN ==> lane->natural.cut ==
                      (lane->natural.cause == ES_CAUSE_STOP_STRING ? string.cut :
                       lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ? sequence.cut : lane->guard.taken);
    ensures  stop:  (lane->natural.cause == ES_CAUSE_STOP_STRING ==> lane->stop_index == string.index) &&
                    (lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ==> lane->stop_index == sequence.index); */
static void put_token(es_lane *lane, const uint8_t *bytes, uint32_t length, uint32_t id, es_token_ends ends,
                      es_lane_found string, es_lane_found sequence)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  lane->string_hold = string.match.hold;
  lane->string_holder = string.match.holder;
  lane->sequence_hold = sequence.match.hold;
  lane->sequence_holder = sequence.match.holder;
  lane->sequence_place = sequence.place;
  lane->step_tokens++;
  es_guard_push(&lane->guard, bytes, length) /*@ ghost (sid) */;
  es_limit limit = es_limits_take(&lane->limits);
  ends.max_tokens = limit == ES_AT_MAX_TOKENS;
  ends.max_context = limit == ES_AT_MAX_CONTEXT;
  ends.repetition = es_repetition_take(&lane->repetition, id) /*@ ghost (ids) */;
  settle(lane, ends, id, lane->guard.taken, string, sequence);
  //@ assert memory: lane_memory(lane, ss, qs);
  //@ assert counts: lane_counts(lane, ts);
  //@ assert text: lane_text(lane, sid);
  /*@ assert open: lane->natural.cause == ES_CAUSE_OPEN ==> !ends.eos && !ends.stop_token && !string.there &&
        !sequence.there && limit == ES_WITHIN && !ends.repetition; */
  /*@ assert more: lane->natural.cause == ES_CAUSE_OPEN ==> !at_max_tokens(lane->limits.taken, lane->limits.max_tokens) &&
        !at_max_context(lane->limits.taken, lane->limits.prompt, lane->limits.max_context); */
  /*@ assert looping: looping(lane->repetition.ids, lane->repetition.runs, lane->repetition.max_period, ids,
        lane->limits.taken); */
  //@ assert reading: lane->natural.cause == ES_CAUSE_OPEN ==> lane_reading(lane, sid, ids, at, ss, qs);
}

/* Bytes of a token that are visible (R1). */
/*@ requires valid: \valid_read(request) && \valid_read(token);
    assigns  \nothing;
    ensures  R1:    \result == visible(token, request) <= token->length; */
static uint32_t visible_bytes(const es_request *request, const es_lane_token *token) {
  return token->special && request->skip_special ? 0 : token->length;
}

/* Which ends a token brings by what it is, as number n, from 1 (R5, R6). */
/*@ requires valid: request_valid(request);
    assigns  \nothing;
    ensures  eos:   \result.eos <==> eos_at(request, n, id);
    ensures  stop:  \result.stop_token <==> stop_token_at(request, n, id);
    ensures  rest:  !\result.stop_string && !\result.stop_sequence && !\result.max_tokens && !\result.max_context &&
                    !\result.repetition; */
static es_token_ends ends_by_id(const es_request *request, uint32_t n, uint32_t id) {
  es_token_ends ends = {false, false, false, false, false, false, false};
  if (n <= request->min_tokens) return ends;
  ends.eos = !request->ignore_eos && contains(request->eos_ids, request->eos_id_count, id);
  ends.stop_token = is_stop_token(request, id);
  return ends;
}

/* Goes through the characters of a token whose text and id were read, and goes on. */
/*@ requires valid: lane_memory(lane, ss, qs) && lane_counts(lane, ts) && lane_text(lane, sid);
    requires open:  may_take(lane);
    requires bytes: token_text(lane, bytes, length, sid);
    requires id:    id <= INT32_MAX && id == H(ids, lane->limits.taken) &&
                    looping(lane->repetition.ids, lane->repetition.runs, lane->repetition.max_period, ids,
                            lane->limits.taken);
    requires ends:  !ends.eos && !ends.stop_token && !ends.max_tokens && !ends.max_context && !ends.repetition;
    requires cuts:  (string.there ==> lane->guard.allowed <= string.cut <= lane->guard.taken + length) &&
                    (sequence.there ==> lane->guard.allowed <= sequence.cut <= lane->guard.taken + length);
    requires text:  !string.there ==>
                      matched(lane->memory.string_progress, sid, lane->guard.taken + length, ss, string.match.hold,
                              string.match.holder) &&
                      (!inclusive(ss) ==> lane->guard.allowed + string.match.hold <= lane->guard.taken + length) &&
                      nowhere(sid, counted_from(at, lane->limits.taken + 1, minimum(ss), lane->guard.taken + length),
                              lane->guard.taken + length, ss);
    requires ids:   matched(lane->memory.sequence_progress, ids, lane->limits.taken + 1, qs, sequence.match.hold,
                            sequence.match.holder) &&
                    (sequence.match.hold > 0 ==>
                       sequence.place == H(at, lane->limits.taken + 1 - sequence.match.hold)) &&
                    (!inclusive(ss) ==> lane->guard.allowed <=
                       before_sequence(at, lane->guard.taken + length, lane->limits.taken + 1, sequence.match.hold)) &&
                    (!sequence.there ==> nowhere(ids, minimum(ss), lane->limits.taken + 1, qs));
    requires at:    rising(at, lane->limits.taken + 1, lane->guard.taken) &&
                    begun(lane->memory.starts, lane->memory.start_count, at, lane->limits.taken + 1);
    requires whole: utf8_place(sid, lane->guard.taken, lane->character.pending, lane->character.wanted,
                               lane->character.low, lane->character.high) &&
                    lane->guard.allowed + lane->character.pending <= lane->guard.taken;
    assigns  lane->string_hold, lane->string_holder, lane->sequence_hold, lane->sequence_holder, lane->sequence_place,
             lane->character, lane->step_tokens, lane->guard.held, lane->guard.taken,
             lane->guard.text[0 .. lane->guard.capacity - 1], lane->limits.taken, lane->repetition.taken,
             lane->natural.cause, lane->natural.cut, lane->stop_id, lane->stop_index,
             lane->repetition.ids[0 .. lane->repetition.max_period - 1],
             lane->repetition.runs[0 .. lane->repetition.max_period - 1];
    ensures  state: lane_state(lane, sid, ids, at, ts, ss, qs);
    ensures  count: lane->limits.taken == \old(lane->limits.taken) + 1 &&
                    lane->step_tokens == \old(lane->step_tokens) + 1 &&
                    lane->guard.taken == \old(lane->guard.taken) + length;
    ensures  text:  lane->natural.cause == ES_CAUSE_STOP_STRING <==> string.there;
    ensures  ids:   !string.there ==> (lane->natural.cause == ES_CAUSE_STOP_SEQUENCE <==> sequence.there);
    ensures  R7:    !string.there && !sequence.there ==>
                      ended_by_limits(lane, ids);
    ensures  cut:   lane->natural.cause != ES_CAUSE_OPEN ==> lane->natural.cut ==
                      (lane->natural.cause == ES_CAUSE_STOP_STRING ? string.cut :
                       lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ? sequence.cut : lane->guard.taken);
    ensures  stop:  (lane->natural.cause == ES_CAUSE_STOP_STRING ==> lane->stop_index == string.index) &&
                    (lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ==> lane->stop_index == sequence.index); */
static void finish_text(es_lane *lane, const uint8_t *bytes, uint32_t length, uint32_t id, es_token_ends ends,
                        es_lane_found string, es_lane_found sequence)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  //@ ghost uint64_t base = lane->guard.taken;
  //@ ghost uint32_t n = lane->limits.taken;
  read_characters(&lane->character, bytes, length) /*@ ghost (sid, base) */;
  /*@ assert kept: \forall integer i; 0 <= i < stops(ss) ==>
        lane->memory.string_progress[i] == \at(lane->memory.string_progress[i], Pre); */
  /*@ assert kept_too: \forall integer i; 0 <= i < stops(qs) ==>
        lane->memory.sequence_progress[i] == \at(lane->memory.sequence_progress[i], Pre); */
  /*@ assert strings: !string.there ==>
        matched(lane->memory.string_progress, sid, base + length, ss, string.match.hold, string.match.holder); */
  /*@ assert sequences: matched(lane->memory.sequence_progress, ids, n + 1, qs, sequence.match.hold,
                                sequence.match.holder); */
  //@ assert longer: rising(at, n + 1, base + length);
  ends.stop_string = string.there;
  ends.stop_sequence = sequence.there;
  put_token(lane, bytes, length, id, ends, string, sequence) /*@ ghost (sid, ids, at, ts, ss, qs) */;
}

/* For the proof alone: what is known of a lane's members, as one fact. */
/*@ ghost
  /@ requires state: lane_state(lane, sid, ids, at, ts, ss, qs);
     assigns  \nothing;
     ensures  state: lane_is(lane, sid, ids, at, ts, ss, qs); @/
  void one_fact(es_lane *lane, uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) {
    return;
  } */

/* Takes a token that is text: its bytes and its id may complete stops (R1 to R5). */
/*@ requires given: lane_given(lane, ss, qs) && lane_state(lane, sid, ids, at, ts, ss, qs);
    requires open:  may_take(lane);
    requires bytes: token_text(lane, bytes, length, sid);
    requires id:    id <= INT32_MAX && id == H(ids, lane->limits.taken) && lane->guard.taken == H(at, lane->limits.taken);
    requires ends:  !ends.eos && !ends.stop_token && !ends.max_tokens && !ends.max_context && !ends.repetition;
    assigns  lane->string_hold, lane->string_holder, lane->sequence_hold, lane->sequence_holder, lane->sequence_place,
             lane->character, lane->step_tokens, lane->guard.held, lane->guard.taken,
             lane->guard.text[0 .. lane->guard.capacity - 1], lane->limits.taken, lane->repetition.taken,
             lane->natural.cause, lane->natural.cut, lane->stop_id, lane->stop_index,
             lane->repetition.ids[0 .. lane->repetition.max_period - 1],
             lane->repetition.runs[0 .. lane->repetition.max_period - 1],
             lane->memory.string_progress[0 .. stops(ss) - 1], lane->memory.sequence_progress[0 .. stops(qs) - 1],
             lane->memory.starts[0 .. lane->memory.start_count - 1];
    ensures  state: lane_is(lane, sid, ids, at, ts, ss, qs);
    ensures  count: lane->limits.taken == \old(lane->limits.taken) + 1 &&
                    lane->step_tokens == \old(lane->step_tokens) + 1 &&
                    lane->guard.taken == \old(lane->guard.taken) + length;
    ensures  R2:    lane->natural.cause == ES_CAUSE_STOP_STRING <==>
                      lane->limits.taken > minimum(ss) &&
                      !nowhere(sid, \old(lane->guard.taken), lane->guard.taken, ss);
    ensures  R3:    lane->natural.cause == ES_CAUSE_STOP_STRING ==>
                      string_end(sid, \old(lane->guard.taken), lane->guard.taken, ss, lane->stop_index,
                                 lane->natural.cut);
    ensures  R5:    lane->natural.cause != ES_CAUSE_STOP_STRING ==>
                      (lane->natural.cause == ES_CAUSE_STOP_SEQUENCE <==>
                         lane->limits.taken > minimum(ss) && !no_stop(ids, lane->limits.taken, qs));
    ensures  cut:   lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ==>
                      sequence_end(ids, at, lane->limits.taken, lane->guard.taken, ss, qs, lane->stop_index,
                                   lane->natural.cut);
    ensures  R7:    lane->natural.cause != ES_CAUSE_STOP_STRING && lane->natural.cause != ES_CAUSE_STOP_SEQUENCE ==>
                      ended_by_limits(lane, ids) &&
                      (lane->natural.cause != ES_CAUSE_OPEN ==> lane->natural.cut == lane->guard.taken); */
static void take_text(es_lane *lane, const uint8_t *bytes, uint32_t length, uint32_t id, es_token_ends ends)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  //@ ghost uint32_t n = lane->limits.taken;
  //@ ghost uint64_t base = lane->guard.taken;
  //@ assert rising: rising(at, n + 1, base);
  es_lane_reading reading = es_lane_read(lane, bytes, length, id) /*@ ghost (sid, ids, at, ss, qs) */;
  /*@ assert from: !reading.string.there ==>
        nowhere(sid, counted_from(at, n + 1, minimum(ss), base + length), base + length, ss); */
  finish_text(lane, bytes, length, id, ends, reading.string, reading.sequence)
      /*@ ghost (sid, ids, at, ts, ss, qs) */;
  //@ ghost one_fact(lane, sid, ids, at, ts, ss, qs);
}

/* Whether a token can be taken. */
/*@ requires valid: lane_given(lane, ss, qs) && \valid_read(lane) && \valid_read(token) &&
                    lane->guard.held <= lane->guard.capacity;
    assigns  \nothing;
    ensures  status: \result == take_status(lane, token); */
static es_status can_take(const es_lane *lane, const es_lane_token *token) /*@ ghost (uint32_t ss, uint32_t qs) */ {
  if (lane->end.cause != ES_CAUSE_OPEN || lane->natural.cause != ES_CAUSE_OPEN) return ES_ENDED;
  if (lane->boundary == 0 || token->id > INT32_MAX) return ES_MISUSE;
  if (lane->limits.taken >= INT32_MAX) return ES_FULL;
  return visible_bytes(lane->request, token) > lane->guard.capacity - lane->guard.held ? ES_FULL : ES_OK;
}

/* Takes a token that ends the lane by what it is: its text joins R if stops are included (R5). */
/*@ requires valid: lane_memory(lane, ss, qs) && lane_counts(lane, ts) && lane_text(lane, sid) &&
                    \valid_read(lane->request);
    requires open:  may_take(lane);
    requires bytes: token_text(lane, bytes, length, sid);
    requires id:    id <= INT32_MAX && id == H(ids, lane->limits.taken) &&
                    looping(lane->repetition.ids, lane->repetition.runs, lane->repetition.max_period, ids,
                            lane->limits.taken);
    requires ends:  (ends.eos || ends.stop_token) && !ends.stop_string && !ends.stop_sequence && !ends.max_tokens &&
                    !ends.max_context && !ends.repetition;
    assigns  lane->string_hold, lane->string_holder, lane->sequence_hold, lane->sequence_holder, lane->sequence_place,
             lane->step_tokens, lane->guard.held, lane->guard.taken, lane->guard.text[0 .. lane->guard.capacity - 1],
             lane->limits.taken, lane->repetition.taken, lane->natural.cause, lane->natural.cut, lane->stop_id,
             lane->stop_index,
             lane->repetition.ids[0 .. lane->repetition.max_period - 1],
             lane->repetition.runs[0 .. lane->repetition.max_period - 1];
    ensures  state: lane_is(lane, sid, ids, at, ts, ss, qs);
    ensures  count: lane->limits.taken == \old(lane->limits.taken) + 1 &&
                    lane->step_tokens == \old(lane->step_tokens) + 1;
    ensures  text:  lane->guard.taken == \old(lane->guard.taken) + \old(lane->request->include_stop ? length : 0);
    ensures  cause: lane->natural.cause == (ends.eos ? ES_CAUSE_EOS : ES_CAUSE_STOP_TOKEN);
    ensures  id:    lane->stop_id == id;
    ensures  cut:   lane->natural.cut == lane->guard.taken; */
static void put_end(es_lane *lane, const uint8_t *bytes, uint32_t length, uint32_t id, es_token_ends ends)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  es_lane_found none = {{-1, 0, 0}, false, 0, 0, 0};
  if (!lane->request->include_stop) length = 0;
  put_token(lane, bytes, length, id, ends, none, none) /*@ ghost (sid, ids, at, ts, ss, qs) */;
  //@ ghost one_fact(lane, sid, ids, at, ts, ss, qs);
}

/* A flush policy must not wait for tokens that there is no room for: what may be shown is due. */
/*@ requires state: lane_state(lane, sid, ids, at, ts, ss, qs);
    assigns  lane->guard.again;
    ensures  state: lane_is(lane, sid, ids, at, ts, ss, qs);
    ensures  due:   lane->guard.again; */
static void flush_early(es_lane *lane)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  lane->guard.again = true;
  //@ assert kept: \forall integer j; 0 <= j < lane->guard.held ==> lane->guard.text[j] == \at(lane->guard.text[j], Pre);
  //@ assert text: guard_text(&lane->guard, sid);
}

es_status es_lane_take(es_lane *lane, const es_lane_token *token)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  //@ assert before: lane_is(lane, sid, ids, at, ts, ss, qs);
  es_status status = can_take(lane, token) /*@ ghost (ss, qs) */;
  if (status == ES_OK) {
    const uint8_t *bytes = token->bytes;
    uint32_t id = token->id;
    uint32_t length = visible_bytes(lane->request, token);
    //@ assert bytes: token_text(lane, bytes, length, sid);
    es_token_ends ends = ends_by_id(lane->request, lane->limits.taken + 1, id);
    if (ends.eos || ends.stop_token)
      put_end(lane, bytes, length, id, ends) /*@ ghost (sid, ids, at, ts, ss, qs) */;
    else
      take_text(lane, bytes, length, id, ends) /*@ ghost (sid, ids, at, ts, ss, qs) */;
  } else if (status == ES_FULL && lane->limits.taken < INT32_MAX) {
    flush_early(lane) /*@ ghost (sid, ids, at, ts, ss, qs) */;
  }
  //@ assert state: lane_is(lane, sid, ids, at, ts, ss, qs);
  return status;
}
