#include "lane.h"

/* Begins to look for loops: no id has come. */
/*@ requires write: \valid(runs + (0 .. max_period - 1));
    assigns  runs[0 .. max_period - 1];
    ensures  none: all_runs(runs, 0, max_period, ids, 0); */
static void no_runs(int32_t *runs, uint32_t max_period) /*@ ghost (uint32_t ids) */ {
  /*@ loop invariant place: 0 <= q <= max_period;
      loop invariant none:  \forall integer t; 0 <= t < q ==> runs[t] == 0;
      loop assigns q, runs[0 .. max_period - 1];
      loop variant max_period - q; */
  for (uint32_t q = 0; q < max_period; q++) runs[q] = 0;
}

/* The length of the longest stop; 1 where there is none. */
/*@ requires given: lane_set(set, qs);
    assigns  \nothing;
    ensures  most: \result >= 1 && \forall integer t; 0 <= t < stops(qs) ==> size(qs, t) <= \result;
    ensures  one:  \result == 1 || \exists integer t; 0 <= t < stops(qs) && size(qs, t) == \result; */
static uint32_t longest(const es_stop_set *set) /*@ ghost (uint32_t qs) */ {
  uint32_t most = 1;
  /*@ loop invariant place: 0 <= i <= set->count && most >= 1;
      loop invariant most:  \forall integer t; 0 <= t < i ==> size(qs, t) <= most;
      loop invariant one:   most == 1 || \exists integer t; 0 <= t < i && size(qs, t) == most;
      loop assigns i, most;
      loop variant set->count - i; */
  for (uint32_t i = 0; i < set->count; i++)
    if (set->stops[i].length > most) most = set->stops[i].length;
  return most;
}

/* A lane before its first boundary, with nothing taken. */
/*@ requires valid: \valid(lane) && \valid_read(request) && \valid_read(memory) && request->flush.n >= 1;
    requires text:  \valid(memory->text + (0 .. memory->text_capacity - 1));
    requires apart: \separated(lane, request, memory, memory->text + (0 .. memory->text_capacity - 1));
    assigns  *lane;
    ensures  asked: lane->limits.max_tokens == \old(request->max_tokens) &&
                    lane->limits.max_context == \old(request->max_context) &&
                    lane->limits.prompt == \old(request->prompt_tokens) &&
                    lane->repetition.max_period == \old(request->max_period) &&
                    lane->repetition.min_repeats == \old(request->min_repeats) &&
                    lane->guard.flush.kind == \old(request->flush.kind) &&
                    lane->guard.flush.n == \old(request->flush.n);
    ensures  lent:  lane->repetition.ids == \old(memory->ids) && lane->repetition.runs == \old(memory->runs) &&
                    lane->memory.string_progress == \old(memory->string_progress) &&
                    lane->memory.sequence_progress == \old(memory->sequence_progress) &&
                    lane->memory.starts == \old(memory->starts) &&
                    lane->memory.start_count == \old(memory->start_count) &&
                    lane->guard.text == \old(memory->text) && lane->guard.capacity == \old(memory->text_capacity);
    ensures  given: lane->request == request && lane->strings == strings && lane->sequences == sequences;
    ensures  fresh: lane_fresh(lane) && lane->end.cause == ES_CAUSE_OPEN && lane->guard.state == ES_GUARD_OPEN;
    ensures  text:  guard_state(&lane->guard) && guard_text(&lane->guard, sid); */
static void set_up(es_lane *lane, const es_request *request, const es_stop_set *strings, const es_stop_set *sequences,
                   const es_lane_memory *memory) /*@ ghost (uint32_t sid) */ {
  uint32_t max_tokens = request->max_tokens;
  uint32_t max_context = request->max_context;
  uint32_t prompt = request->prompt_tokens;
  uint32_t max_period = request->max_period;
  uint32_t min_repeats = request->min_repeats;
  es_flush flush = request->flush;
  uint16_t *string_progress = memory->string_progress;
  uint16_t *sequence_progress = memory->sequence_progress;
  int64_t *starts = memory->starts;
  uint32_t start_count = memory->start_count;
  int32_t *ids = memory->ids;
  int32_t *runs = memory->runs;
  uint32_t capacity = memory->text_capacity;
  uint8_t *text = memory->text;
  lane->request = request;
  lane->strings = strings;
  lane->sequences = sequences;
  es_guard_open(&lane->guard, text, capacity, flush) /*@ ghost (sid) */;
  lane->memory.string_progress = string_progress;
  lane->memory.sequence_progress = sequence_progress;
  lane->memory.starts = starts;
  lane->memory.start_count = start_count;
  lane->memory.ids = ids;
  lane->memory.runs = runs;
  lane->memory.text = text;
  lane->memory.text_capacity = capacity;
  lane->character.pending = 0;
  lane->character.wanted = 0;
  lane->character.low = 0;
  lane->character.high = 0;
  lane->limits.max_tokens = max_tokens;
  lane->limits.max_context = max_context;
  lane->limits.prompt = prompt;
  lane->limits.taken = 0;
  lane->repetition.ids = ids;
  lane->repetition.runs = runs;
  lane->repetition.max_period = max_period;
  lane->repetition.min_repeats = min_repeats;
  lane->repetition.taken = 0;
  lane->natural.cause = ES_CAUSE_OPEN;
  lane->natural.cut = 0;
  lane->end.cause = ES_CAUSE_OPEN;
  lane->end.cut = 0;
  lane->stop_index = 0;
  lane->stop_id = 0;
  lane->boundary = 0;
  lane->step_tokens = 0;
  lane->string_hold = 0;
  lane->string_holder = 0;
  lane->sequence_hold = 0;
  lane->sequence_holder = 0;
  lane->sequence_place = 0;
  lane->due = 0;
  lane->offered = false;
  lane->offer_bytes = 0;
  lane->offer_crc32c = 0;
  lane->shown_bytes = 0;
  lane->shown_crc32c = 0;
}

/*@ ghost
  /@ requires fresh: lane_fresh(lane);
     assigns  \nothing;
     ensures  new: lane_new(lane); @/
  void new_fact(es_lane *lane) {
    return;
  } */

/* A lane that is open, and has read nothing. */
/*@ requires valid: \valid(lane) && \valid_read(request) && \valid_read(strings) && \valid_read(sequences);
    requires asked: request->flush.n >= 1 && (request->max_period > 0 ==>
                      request->min_repeats >= 2 && request->max_period * request->min_repeats <= INT32_MAX);
    requires sets:  lane_set(strings, ss) && lane_set(sequences, qs) && request->min_tokens == minimum(ss);
    requires room:  lane_memory_valid(memory, request, stops(ss), stops(qs)) && memory->start_count >= 1 &&
                    request->prompt_tokens <= INT32_MAX;
    requires apart: \separated(lane, memory, request, strings, sequences, memory->text + (0 .. memory->text_capacity - 1),
                               memory->string_progress + (0 .. stops(ss) - 1),
                               memory->sequence_progress + (0 .. stops(qs) - 1),
                               memory->starts + (0 .. memory->start_count - 1)) &&
                    (request->max_period > 0 ==>
                       \separated(lane, memory->ids + (0 .. request->max_period - 1),
                                  memory->runs + (0 .. request->max_period - 1)));
    assigns  *lane, memory->string_progress[0 .. stops(ss) - 1], memory->sequence_progress[0 .. stops(qs) - 1],
             memory->runs[0 .. request->max_period - 1];
    ensures  asked: lane_asked(lane, (*request), (*memory));
    ensures  given: lane->request == request && lane->strings == strings && lane->sequences == sequences;
    ensures  fresh: lane_fresh(lane) && lane->end.cause == ES_CAUSE_OPEN && lane->guard.state == ES_GUARD_OPEN;
    ensures  new:   lane_new(lane);
    ensures  state: lane_memory(lane, ss, qs) && lane_counts(lane, ts) && lane_text(lane, sid);
    ensures  read:  lane_ready(lane, sid, ids, at, ss, qs); */
static void begin_lane(es_lane *lane, const es_request *request, const es_stop_set *strings,
                       const es_stop_set *sequences, const es_lane_memory *memory)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  //@ ghost uint32_t period = request->max_period;
  //@ ghost uint32_t repeats = request->min_repeats;
  //@ assert span: period > 0 ==> repeats >= 2 && period * repeats <= INT32_MAX;
  set_up(lane, request, strings, sequences, memory) /*@ ghost (sid) */;
  //@ assert asked: lane_asked(lane, (*request), (*memory));
  //@ assert new: lane_fresh(lane) && lane->end.cause == ES_CAUSE_OPEN && lane->guard.state == ES_GUARD_OPEN;
  /*@ assert there: lane_store(lane, lane->memory.starts, lane->memory.start_count, lane->memory.string_progress, ss,
                               lane->memory.sequence_progress, qs, lane->guard.text, lane->guard.capacity); */
  //@ assert same: lane->repetition.max_period == period && lane->repetition.min_repeats == repeats;
  /*@ assert loop_count: lane->repetition.max_period > 0 ==> lane->repetition.min_repeats >= 2 &&
        lane->repetition.max_period * lane->repetition.min_repeats <= INT32_MAX; */
  /*@ assert loop_there: lane->repetition.max_period > 0 ==>
        \valid(lane->repetition.ids + (0 .. lane->repetition.max_period - 1)) &&
        \valid(lane->repetition.runs + (0 .. lane->repetition.max_period - 1)); */
  /*@ assert loop_apart: lane->repetition.max_period > 0 ==>
        \separated(lane, lane->repetition.ids + (0 .. lane->repetition.max_period - 1),
                   lane->repetition.runs + (0 .. lane->repetition.max_period - 1)); */
  es_matcher_reset(lane->memory.string_progress, strings->count) /*@ ghost (sid, ss) */;
  //@ assert first_read: lane->character.pending == 0;
  //@ ghost middle: ;
  es_matcher_reset(lane->memory.sequence_progress, sequences->count) /*@ ghost (ids, qs) */;
  /*@ assert kept: \forall integer i; 0 <= i < stops(ss) ==>
        lane->memory.string_progress[i] == \at(lane->memory.string_progress[i], middle); */
  no_runs(lane->repetition.runs, lane->repetition.max_period) /*@ ghost (ids) */;
  //@ assert both_read: lane->character.pending == 0;
  //@ assert fresh: lane_fresh(lane);
  //@ ghost new_fact(lane);
  //@ assert counts: lane_counts(lane, ts);
  //@ assert text: lane_text(lane, sid);
  //@ assert store: lane_memory(lane, ss, qs);
  //@ assert none: minimum(ss) >= 0;
  //@ assert strings: matched(lane->memory.string_progress, sid, 0, ss, 0, lane->string_holder);
  //@ assert sequences: matched(lane->memory.sequence_progress, ids, 0, qs, 0, lane->sequence_holder);
  //@ assert characters: utf8_place(sid, 0, 0, lane->character.wanted, lane->character.low, lane->character.high);
  //@ assert places: rising(at, 0, 0) && begun(lane->memory.starts, lane->memory.start_count, at, 0);
  //@ assert nowhere: nowhere(sid, counted_from(at, 0, minimum(ss), 0), 0, ss) && nowhere(ids, minimum(ss), 0, qs);
  /*@ assert looping: looping(lane->repetition.ids, lane->repetition.runs, lane->repetition.max_period, ids, 0); */
}

/* Ends a lane whose limits leave no room for a token (R7). */
/*@ requires state: lane_memory(lane, ss, qs) && lane_counts(lane, ts) && lane_text(lane, sid);
    requires fresh: lane_fresh(lane) && lane->end.cause == ES_CAUSE_OPEN && limit != ES_WITHIN;
    assigns  lane->end.cause, lane->guard.state, lane->guard.cut, lane->guard.allowed, lane->guard.held;
    ensures  state: lane_is(lane, sid, ids, at, ts, ss, qs);
    ensures  new:   lane_new(lane) && lane->guard.state == ES_GUARD_ENDING;
    ensures  cause: lane->end.cause == (limit == ES_AT_MAX_TOKENS ? ES_CAUSE_MAX_TOKENS : ES_CAUSE_MAX_CONTEXT); */
static void end_at_once(es_lane *lane, es_limit limit)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  lane->end.cause = limit == ES_AT_MAX_TOKENS ? ES_CAUSE_MAX_TOKENS : ES_CAUSE_MAX_CONTEXT;
  es_guard_end(&lane->guard, 0);
  //@ assert text: lane_text(lane, sid);
}

/*@ ghost
  /@ requires state: lane_memory(lane, ss, qs) && lane_counts(lane, ts) && lane_text(lane, sid) &&
                     lane_reading(lane, sid, ids, at, ss, qs);
     assigns  \nothing;
     ensures  state: lane_is(lane, sid, ids, at, ts, ss, qs); @/
  void open_fact(es_lane *lane, uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) {
    return;
  } */

es_status es_lane_open(es_lane *lane, const es_request *request, const es_stop_set *strings,
                       const es_stop_set *sequences, const es_lane_memory *memory)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  if (memory->start_count < longest(sequences) /*@ ghost (qs) */) return ES_MISUSE;
  if (request->prompt_tokens > INT32_MAX) return ES_MISUSE;
  begin_lane(lane, request, strings, sequences, memory) /*@ ghost (sid, ids, at, ts, ss, qs) */;
  es_limit limit = es_limits_reached(&lane->limits);
  if (limit == ES_WITHIN) {
    //@ ghost open_fact(lane, sid, ids, at, ts, ss, qs);
    return ES_OK;
  }
  end_at_once(lane, limit) /*@ ghost (sid, ids, at, ts, ss, qs) */;
  return ES_OK;
}
