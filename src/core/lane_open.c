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
    ensures  asked: lane_asked(lane, (*request), (*memory));
    ensures  given: lane->request == request && lane->strings == strings && lane->sequences == sequences;
    ensures  fresh: lane_fresh(lane) && lane->end.cause == ES_CAUSE_OPEN && lane->guard.state == ES_GUARD_OPEN;
    ensures  text:  guard_state(&lane->guard) && guard_text(&lane->guard, sid); */
static void set_up(es_lane *lane, const es_request *request, const es_stop_set *strings, const es_stop_set *sequences,
                   const es_lane_memory *memory) /*@ ghost (uint32_t sid) */ {
  lane->request = request;
  lane->strings = strings;
  lane->sequences = sequences;
  es_guard_open(&lane->guard, memory->text, memory->text_capacity, request->flush) /*@ ghost (sid) */;
  lane->memory.string_progress = memory->string_progress;
  lane->memory.sequence_progress = memory->sequence_progress;
  lane->memory.starts = memory->starts;
  lane->memory.start_count = memory->start_count;
  lane->memory.ids = memory->ids;
  lane->memory.runs = memory->runs;
  lane->memory.text = memory->text;
  lane->memory.text_capacity = memory->text_capacity;
  lane->character.pending = 0;
  lane->character.wanted = 0;
  lane->character.low = 0;
  lane->character.high = 0;
  lane->limits.max_tokens = request->max_tokens;
  lane->limits.max_context = request->max_context;
  lane->limits.prompt = request->prompt_tokens;
  lane->limits.taken = 0;
  lane->repetition.ids = memory->ids;
  lane->repetition.runs = memory->runs;
  lane->repetition.max_period = request->max_period;
  lane->repetition.min_repeats = request->min_repeats;
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

es_status es_lane_open(es_lane *lane, const es_request *request, const es_stop_set *strings,
                       const es_stop_set *sequences, const es_lane_memory *memory)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  if (memory->start_count < longest(sequences) /*@ ghost (qs) */) return ES_MISUSE;
  if (request->prompt_tokens > INT32_MAX) return ES_MISUSE;
  set_up(lane, request, strings, sequences, memory) /*@ ghost (sid) */;
  //@ assert asked: lane_asked(lane, (*request), (*memory));
  es_matcher_reset(lane->memory.string_progress, strings->count) /*@ ghost (sid, ss) */;
  //@ ghost middle: ;
  es_matcher_reset(lane->memory.sequence_progress, sequences->count) /*@ ghost (ids, qs) */;
  /*@ assert kept: \forall integer i; 0 <= i < stops(ss) ==>
        lane->memory.string_progress[i] == \at(lane->memory.string_progress[i], middle); */
  no_runs(lane->repetition.runs, lane->repetition.max_period) /*@ ghost (ids) */;
  //@ assert fresh: lane_fresh(lane);
  //@ assert counts: lane_counts(lane, ts);
  //@ assert text: lane_text(lane, sid);
  //@ assert store: lane_memory(lane, ss, qs);
  es_limit limit = es_limits_reached(&lane->limits);
  if (limit == ES_WITHIN) {
    //@ assert reading: lane_reading(lane, sid, ids, at, ss, qs);
    //@ assert open_state: lane_state(lane, sid, ids, at, ts, ss, qs);
    return ES_OK;
  }
  lane->end.cause = limit == ES_AT_MAX_TOKENS ? ES_CAUSE_MAX_TOKENS : ES_CAUSE_MAX_CONTEXT;
  es_guard_end(&lane->guard, 0);
  //@ assert over_text: lane_text(lane, sid);
  //@ assert over_state: lane_state(lane, sid, ids, at, ts, ss, qs);
  return ES_OK;
}
