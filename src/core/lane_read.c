#include "lane_read.h"

/* Reads a token's text, which begins at `base` in R: the first stop string that completes in it, if such an end counts
 * (R2, R3, R6). `last` is what the matcher said before. Ghost: what may be shown already. */
/*@ requires given: lane_set(strings, ss) && (include <==> inclusive(ss)) && base + length <= UINT64_MAX / 32;
    requires write: \valid(progress_of + (0 .. stops(ss) - 1)) &&
                    \separated(progress_of + (0 .. stops(ss) - 1), strings);
    requires read:  \valid_read(bytes + (0 .. length - 1));
    requires bytes: held_text(bytes, length, base, sid);
    requires state: matched(progress_of, sid, base, ss, last.hold, last.holder);
    requires shown: allowed <= base && (!include ==> allowed + last.hold <= base);
    assigns  progress_of[0 .. stops(ss) - 1];
    ensures  none:  !\result.there ==>
                      (counts ==> nowhere(sid, base, base + length, ss)) &&
                      matched(progress_of, sid, base + length, ss, \result.match.hold, \result.match.holder) &&
                      (!include ==> allowed + \result.match.hold <= base + length);
    ensures  found: \result.there ==> counts && !nowhere(sid, base, base + length, ss) &&
                      string_end(sid, base, base + length, ss, \result.index, \result.cut) &&
                      allowed <= \result.cut <= base + length; */
static es_lane_found read_text(const es_stop_set *strings, uint16_t *progress_of, es_match last, uint64_t base,
                               const uint8_t *bytes, uint32_t length, bool counts, bool include)
/*@ ghost (uint32_t sid, uint32_t ss, uint64_t allowed) */ {
  es_lane_found found = {last, false, 0, 0, 0};
  /*@ loop invariant place: 0 <= j <= length && !found.there;
      loop invariant state: matched(progress_of, sid, base + j, ss, found.match.hold, found.match.holder);
      loop invariant shown: !include ==> allowed + found.match.hold <= base + j;
      loop invariant none:  counts ==> nowhere(sid, base, base + j, ss);
      loop assigns j, found.match, progress_of[0 .. stops(ss) - 1];
      loop variant length - j; */
  for (uint32_t j = 0; j < length; j++) {
    //@ ghost uint32_t before = found.match.hold;
    found.match = es_matcher_take(progress_of, strings, bytes[j]) /*@ ghost (sid, (uint64_t)(base + j), ss) */;
    //@ assert ends: found.match.hold > 0 ==> suffix(sid, base + j + 1, ss, found.match.holder, found.match.hold);
    //@ assert grows: found.match.hold <= before + 1;
    if (found.match.stop >= 0 && counts) {
      const es_live_stop *stop = strings->stops + found.match.stop;
      //@ assert rep: stop->length == size(ss, found.match.stop) && 1 <= size(ss, found.match.stop) <= base + j + 1;
      //@ assert last: suffix(sid, base + j + 1, ss, found.match.stop, size(ss, found.match.stop));
      //@ assert begun: size(ss, found.match.stop) <= before + 1;
      found.there = true;
      found.index = stop->index;
      found.cut = include ? base + j + 1 : base + j + 1 - stop->length;
      //@ assert place: first_place(sid, base, base + length, ss, base + j + 1);
      //@ assert first: first_stop(sid, base + j + 1, ss, found.match.stop);
      //@ assert end: string_end(sid, base, base + length, ss, found.index, found.cut);
      //@ assert within: allowed <= found.cut <= base + length;
      return found;
    }
    //@ assert not_here: counts ==> no_stop(sid, base + j + 1, ss);
  }
  return found;
}

/* Notes where token number n, from 0, begins in R. */
/*@ requires write: start_count >= 1 && n < INT32_MAX && \valid(starts + (0 .. start_count - 1));
    requires known: begun(starts, start_count, at, n) && place == H(at, n) <= INT64_MAX;
    assigns  starts[0 .. start_count - 1];
    ensures  known: begun(starts, start_count, at, n + 1); */
static void put_start(int64_t *starts, uint32_t start_count, uint32_t n, uint64_t place) /*@ ghost (uint32_t at) */ {
  //@ assert at: 0 <= n % start_count < start_count;
  starts[n % start_count] = (int64_t)place;
  //@ assert others: \forall integer t; 0 <= t < n && n - t < start_count ==> t % start_count != n % start_count;
}

/* Where the token `back` tokens before the next one begins in R. */
/*@ requires count: start_count >= 1 && 1 <= back <= taken && back <= start_count;
    requires read:  \valid_read(starts + (0 .. start_count - 1)) && begun(starts, start_count, at, taken);
    requires place: 0 <= H(at, taken - back);
    assigns  \nothing;
    ensures  start: \result == H(at, taken - back); */
static uint64_t start_of(const int64_t *starts, uint32_t start_count, uint32_t taken, uint32_t back)
/*@ ghost (uint32_t at) */ {
  //@ assert place: 0 <= (taken - back) % start_count < start_count;
  //@ assert start: starts[(taken - back) % start_count] == H(at, taken - back);
  return (uint64_t)starts[(taken - back) % start_count];
}

/* The cut where a stop sequence of `length` ids completes with n tokens and `end` bytes (R5). */
/*@ requires count: start_count >= 1 && 1 <= length <= n && length <= start_count;
    requires read:  \valid_read(starts + (0 .. start_count - 1)) && begun(starts, start_count, at, n);
    requires place: 0 <= H(at, n - length) && (include <==> inclusive(ss));
    assigns  \nothing;
    ensures  cut:   (inclusive(ss) ==> \result == end) && (!inclusive(ss) ==> \result == H(at, n - length)); */
static uint64_t sequence_cut(const int64_t *starts, uint32_t start_count, uint32_t n, uint32_t length, uint64_t end,
                             bool include) /*@ ghost (uint32_t at, uint32_t ss) */ {
  if (include) return end;
  return start_of(starts, start_count, n, length) /*@ ghost (at) */;
}

/* Reads the id of token number n, from 0, with which R has `end` bytes: the stop sequence that completes with it, if it
 * counts (R5). Ghost: what the matcher held before, where that token begins, and what may be shown already. */
/*@ requires given: lane_set(sequences, qs) && (include <==> inclusive(ss)) && start_count >= 1 &&
                    \forall integer i; 0 <= i < stops(qs) ==> size(qs, i) <= start_count;
    requires write: \valid(progress_of + (0 .. stops(qs) - 1)) &&
                    \separated(progress_of + (0 .. stops(qs) - 1), sequences);
    requires read:  \valid_read(starts + (0 .. start_count - 1)) && begun(starts, start_count, at, n + 1);
    requires id:    n < INT32_MAX && id <= INT32_MAX && id == H(ids, n);
    requires state: matching(progress_of, ids, n, qs) && hold_exact(ids, n, qs, hold);
    requires at:    rising(at, n + 1, base) && base <= end && H(at, n) == base;
    requires shown: allowed <= base && (!include ==> allowed <= before_sequence(at, base, n, hold));
    assigns  progress_of[0 .. stops(qs) - 1];
    ensures  state: matched(progress_of, ids, n + 1, qs, \result.match.hold, \result.match.holder);
    ensures  place: \result.match.hold > 0 ==> \result.place == H(at, n + 1 - \result.match.hold);
    ensures  shown: !include ==> allowed <= before_sequence(at, end, n + 1, \result.match.hold);
    ensures  there: \result.there <==> counts && !no_stop(ids, n + 1, qs);
    ensures  found: \result.there ==> sequence_end(ids, at, n + 1, end, ss, qs, \result.index, \result.cut) &&
                      allowed <= \result.cut <= end; */
static es_lane_found read_id(const es_stop_set *sequences, uint16_t *progress_of, const int64_t *starts,
                             uint32_t start_count, uint32_t n, uint32_t id, uint64_t end, bool counts, bool include)
/*@ ghost (uint32_t ids, uint32_t at, uint32_t ss, uint32_t qs, uint32_t hold, uint64_t base, uint64_t allowed) */ {
  es_match match = es_matcher_take(progress_of, sequences, (int32_t)id) /*@ ghost (ids, (uint64_t)n, qs) */;
  //@ assert ends: match.hold > 0 ==> suffix(ids, n + 1, qs, match.holder, match.hold);
  //@ assert grows: match.hold <= hold + 1 && match.hold <= n + 1;
  //@ assert known: 0 <= hold <= n;
  //@ assert later: match.hold > 0 && hold > 0 ==> H(at, n - hold) <= H(at, n + 1 - match.hold);
  //@ assert first: hold == 0 && match.hold > 0 ==> H(at, n + 1 - match.hold) == base;
  //@ assert shown: !include ==> allowed <= before_sequence(at, end, n + 1, match.hold);
  uint64_t place = 0;
  //@ assert holder: match.hold > 0 ==> match.hold < size(qs, match.holder) && 0 <= H(at, n + 1 - match.hold);
  if (match.hold > 0) place = start_of(starts, start_count, n + 1, match.hold) /*@ ghost (at) */;
  //@ assert place: match.hold > 0 ==> place == H(at, n + 1 - match.hold);
  //@ assert state: matched(progress_of, ids, n + 1, qs, match.hold, match.holder);
  if (match.stop < 0 || !counts) {
    es_lane_found none = {match, false, 0, 0, place};
    return none;
  }
  const es_live_stop *stop = sequences->stops + match.stop;
  //@ assert rep: stop->length == size(qs, match.stop) && 1 <= size(qs, match.stop) <= n + 1;
  //@ assert whole: suffix(ids, n + 1, qs, match.stop, size(qs, match.stop));
  //@ assert begun: size(qs, match.stop) <= hold + 1;
  //@ assert begins: hold > 0 ==> H(at, n - hold) <= H(at, n + 1 - size(qs, match.stop)) <= H(at, n);
  //@ assert one: hold == 0 ==> H(at, n + 1 - size(qs, match.stop)) == base;
  uint64_t cut = sequence_cut(starts, start_count, n + 1, stop->length, end, include) /*@ ghost (at, ss) */;
  //@ assert within: allowed <= cut <= end;
  uint32_t index = stop->index;
  //@ assert index: index == source(qs, match.stop);
  //@ assert stop: first_stop(ids, n + 1, qs, match.stop);
  //@ assert cut: (inclusive(ss) ==> cut == end) && (!inclusive(ss) ==> cut == H(at, n + 1 - size(qs, match.stop)));
  //@ assert named: sequence_end(ids, at, n + 1, end, ss, qs, source(qs, match.stop), cut);
  //@ assert end: sequence_end(ids, at, n + 1, end, ss, qs, index, cut);
  es_lane_found found = {match, true, index, cut, place};
  return found;
}

es_lane_reading es_lane_read(const es_lane *lane, const uint8_t *bytes, uint32_t length, uint32_t id)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ss, uint32_t qs) */ {
  const es_lane_memory *memory = &lane->memory;
  bool include = lane->request->include_stop;
  uint32_t n = lane->limits.taken;
  uint64_t base = lane->guard.taken;
  bool counts = n + 1 > lane->request->min_tokens;
  //@ ghost uint64_t allowed = lane->guard.allowed;
  //@ ghost uint32_t hold = lane->sequence_hold;
  es_match last = {-1, lane->string_hold, lane->string_holder};
  //@ assert rising: rising(at, n + 1, base);
  put_start(memory->starts, memory->start_count, n, base) /*@ ghost (at) */;
  es_lane_reading reading;
  reading.sequence = read_id(lane->sequences, memory->sequence_progress, memory->starts, memory->start_count, n, id,
                             base + length, counts, include) /*@ ghost (ids, at, ss, qs, hold, base, allowed) */;
  /*@ assert same_here: lane->character.pending == \at(lane->character.pending, Pre) &&
        lane->character.wanted == \at(lane->character.wanted, Pre) &&
        lane->character.low == \at(lane->character.low, Pre) &&
        lane->character.high == \at(lane->character.high, Pre); */
  /*@ assert strings_kept: \forall integer i; 0 <= i < stops(ss) ==>
        memory->string_progress[i] == \at(lane->memory.string_progress[i], Pre); */
  //@ assert strings: matched(memory->string_progress, sid, base, ss, last.hold, last.holder);
  //@ ghost middle: ;
  reading.string = read_text(lane->strings, memory->string_progress, last, base, bytes, length, counts, include)
      /*@ ghost (sid, ss, allowed) */;
  /*@ assert same_there: lane->character.pending == \at(lane->character.pending, middle) &&
        lane->character.wanted == \at(lane->character.wanted, middle) &&
        lane->character.low == \at(lane->character.low, middle) &&
        lane->character.high == \at(lane->character.high, middle); */
  /*@ assert sequences_kept: \forall integer i; 0 <= i < stops(qs) ==>
        memory->sequence_progress[i] == \at(memory->sequence_progress[i], middle); */
  /*@ assert sequences: matched(memory->sequence_progress, ids, n + 1, qs, reading.sequence.match.hold,
                                reading.sequence.match.holder); */
  return reading;
}
