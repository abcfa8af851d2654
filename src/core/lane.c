#include "lane.h"

#include "crc32c.h"

/* The ghost arguments in this file are placeholders: they let WP take the file, and prove nothing until the lane has a
 * stream of its own. Statuses that are not looked at cannot be other than ES_OK: the lane has asked before. */

es_status es_lane_open(es_lane *lane, const es_request *request, const es_stop_set *strings,
                       const es_stop_set *sequences, const es_lane_memory *memory) {
  uint32_t longest = 1;
  /*@ loop invariant place: 0 <= i <= sequences->count;
      loop assigns i, longest;
      loop variant sequences->count - i; */
  for (uint32_t i = 0; i < sequences->count; i++)
    if (sequences->stops[i].length > longest) longest = sequences->stops[i].length;
  if (memory->start_count < longest || request->prompt_tokens > INT32_MAX) return ES_MISUSE;
  es_lane fresh = {0};
  fresh.request = request;
  fresh.strings = strings;
  fresh.sequences = sequences;
  fresh.memory = *memory;
  fresh.limits.max_tokens = request->max_tokens;
  fresh.limits.max_context = request->max_context;
  fresh.limits.prompt = request->prompt_tokens;
  fresh.repetition.ids = memory->ids;
  fresh.repetition.runs = memory->runs;
  fresh.repetition.max_period = request->max_period;
  fresh.repetition.min_repeats = request->min_repeats;
  fresh.string_match.stop = -1;
  fresh.sequence_match.stop = -1;
  *lane = fresh;
  es_guard_open(&lane->guard, memory->text, memory->text_capacity, request->flush) /*@ ghost ((uint32_t)0) */;
  es_matcher_reset(memory->string_progress, strings->count) /*@ ghost ((uint32_t)0, (uint32_t)0) */;
  es_matcher_reset(memory->sequence_progress, sequences->count) /*@ ghost ((uint32_t)1, (uint32_t)1) */;
  es_limit limit = es_limits_reached(&lane->limits);
  if (limit == ES_WITHIN) return ES_OK;
  lane->end.cause = limit == ES_AT_MAX_TOKENS ? ES_CAUSE_MAX_TOKENS : ES_CAUSE_MAX_CONTEXT;
  es_guard_end(&lane->guard, 0);
  return ES_OK;
}

/* Whether `id` is in a list. */
/*@ requires read: \valid_read(ids + (0 .. count - 1));
    assigns  \nothing;
    ensures  in: \result <==> \exists integer i; 0 <= i < count && ids[i] == id; */
static bool contains(const uint32_t *ids, uint32_t count, uint32_t id) {
  /*@ loop invariant place: 0 <= i <= count;
      loop invariant none:  \forall integer t; 0 <= t < i ==> ids[t] != id;
      loop assigns i;
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++)
    if (ids[i] == id) return true;
  return false;
}

/* Whether `id` is a stop token, a sequence of one id included (R5, Reading 6). */
/*@ requires valid: \valid_read(request) && \valid_read(request->stop_ids + (0 .. request->stop_id_count - 1)) &&
                    \valid_read(request->sequences + (0 .. request->sequence_count - 1));
    assigns  \nothing; */
static bool is_stop_token(const es_request *request, uint32_t id) {
  if (contains(request->stop_ids, request->stop_id_count, id)) return true;
  /*@ loop invariant place: 0 <= i <= request->sequence_count;
      loop assigns i;
      loop variant request->sequence_count - i; */
  for (uint32_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = request->sequences + i;
    if (sequence->length == 1 && request->sequence_ids[sequence->offset] == id) return true;
  }
  return false;
}

/* Takes the bytes of a token into R and finds the first stop string that completes in them (R2, R3): its place is
 * returned, 0 where there is none. The bytes fit. */
/*@ requires valid: lane_valid(lane) && \valid_read(bytes + (0 .. length - 1));
    assigns  *lane, lane->guard.text[0 .. lane->guard.capacity - 1],
             lane->memory.string_progress[0 .. lane->strings->count - 1];
    ensures  place: \result == 0 || lane->guard.taken - length < \result <= lane->guard.taken; */
static uint64_t take_text(es_lane *lane, const uint8_t *bytes, uint32_t length, bool counts) {
  uint64_t base = lane->guard.taken;
  es_guard_push(&lane->guard, bytes, length) /*@ ghost ((uint32_t)0) */;
  /*@ loop invariant place: 0 <= j <= length;
      loop assigns j, lane->character, lane->string_match, lane->memory.string_progress[0 .. lane->strings->count - 1];
      loop variant length - j; */
  for (uint32_t j = 0; j < length; j++) {
    es_utf8_take(&lane->character, bytes[j]) /*@ ghost ((uint32_t)0, (uint64_t)j) */;
    lane->string_match = es_matcher_take(lane->memory.string_progress, lane->strings, bytes[j])
        /*@ ghost ((uint32_t)0, (uint64_t)j, (uint32_t)0) */;
    if (lane->string_match.stop >= 0 && counts) return base + j + 1;
  }
  return 0;
}

/* Where the token `back` tokens before the next one begins in R. */
/*@ requires valid: lane_valid(lane) && 1 <= back <= lane->limits.taken && back <= lane->memory.start_count;
    assigns  \nothing; */
static uint64_t start_of(const es_lane *lane, uint32_t back) {
  return lane->memory.starts[(lane->limits.taken - back) % lane->memory.start_count];
}

/* Ends the lane naturally by what came together at this token; `place` is where a stop string completed, or 0. */
/*@ requires valid: lane_valid(lane);
    assigns  lane->natural, lane->stop_id, lane->stop_index;
    ensures  open: lane->natural.cause == ES_CAUSE_OPEN ==> lane->natural.cut == \old(lane->natural.cut); */
static void settle(es_lane *lane, es_token_ends ends, uint32_t id, uint64_t place) {
  es_cause cause = es_arbiter_token(ends);
  bool include = lane->request->include_stop;
  if (cause == ES_CAUSE_OPEN) return;
  lane->natural.cause = cause;
  lane->natural.cut = lane->guard.taken;
  lane->stop_id = id;
  if (cause == ES_CAUSE_STOP_STRING) {
    const es_live_stop *stop = lane->strings->stops + lane->string_match.stop;
    lane->stop_index = stop->index;
    lane->natural.cut = include ? place : place - stop->length;
  } else if (cause == ES_CAUSE_STOP_SEQUENCE) {
    const es_live_stop *stop = lane->sequences->stops + lane->sequence_match.stop;
    lane->stop_index = stop->index;
    if (!include) lane->natural.cut = start_of(lane, stop->length);
  }
}

es_status es_lane_take(es_lane *lane, const es_lane_token *token) {
  const es_request *request = lane->request;
  if (lane->end.cause != ES_CAUSE_OPEN || lane->natural.cause != ES_CAUSE_OPEN) return ES_ENDED;
  if (lane->boundary == 0 || token->id > INT32_MAX) return ES_MISUSE;
  if (lane->limits.taken >= INT32_MAX) return ES_FULL;
  bool visible = !token->special || !request->skip_special;
  uint32_t length = visible ? token->length : 0;
  if (length > lane->guard.capacity - lane->guard.held) {
    lane->guard.again = true; /* a flush policy must not wait for tokens that there is no room for */
    return ES_FULL;
  }

  lane->memory.starts[lane->limits.taken % lane->memory.start_count] = lane->guard.taken;
  es_limit limit = es_limits_take(&lane->limits);
  lane->step_tokens++;
  bool counts = lane->limits.taken > request->min_tokens;
  es_token_ends ends = {false, false, false, false, false, false, false};
  ends.eos = counts && !request->ignore_eos && contains(request->eos_ids, request->eos_id_count, token->id);
  ends.stop_token = counts && is_stop_token(request, token->id);
  uint64_t place = 0;
  if (ends.eos || ends.stop_token) {
    if (request->include_stop) es_guard_push(&lane->guard, token->bytes, length) /*@ ghost ((uint32_t)0) */;
  } else {
    place = take_text(lane, token->bytes, length, counts);
    ends.stop_string = place > 0;
    lane->sequence_match = es_matcher_take(lane->memory.sequence_progress, lane->sequences, (int32_t)token->id)
        /*@ ghost ((uint32_t)1, (uint64_t)(lane->limits.taken - 1), (uint32_t)1) */;
    ends.stop_sequence = counts && lane->sequence_match.stop >= 0;
  }
  ends.max_tokens = limit == ES_AT_MAX_TOKENS;
  ends.max_context = limit == ES_AT_MAX_CONTEXT;
  ends.repetition = es_repetition_take(&lane->repetition, token->id) /*@ ghost ((uint32_t)1) */;
  settle(lane, ends, token->id, place);
  return ES_OK;
}

/* How far stops let the text be shown: L of R10, and what holds the rest. */
/*@ requires valid: lane_valid(lane);
    assigns  \nothing; */
static es_hold stop_hold(const es_lane *lane) {
  es_hold hold = {ES_HOLD_NOTHING, 0, 0};
  if (lane->request->include_stop) return hold;
  if (lane->string_match.hold > 0) {
    hold.kind = ES_HOLD_STRING;
    hold.index = lane->strings->stops[lane->string_match.holder].index;
    hold.bytes = lane->string_match.hold;
  }
  if (lane->sequence_match.hold > 0) {
    uint64_t bytes = lane->guard.taken - start_of(lane, lane->sequence_match.hold);
    if (bytes > hold.bytes) {
      hold.kind = ES_HOLD_SEQUENCE;
      hold.index = lane->sequences->stops[lane->sequence_match.holder].index;
      hold.bytes = bytes;
    }
  }
  return hold;
}

es_hold es_lane_hold(const es_lane *lane) {
  es_hold hold = stop_hold(lane);
  const es_guard *g = &lane->guard;
  if (hold.bytes < lane->character.pending) {
    hold.kind = ES_HOLD_CHARACTER;
    hold.index = 0;
    hold.bytes = lane->character.pending;
  }
  /* A stop string begins where a character begins, a sequence may begin inside one: then the whole of it waits. */
  if (hold.kind == ES_HOLD_SEQUENCE) {
    uint64_t known = g->allowed - g->sent;
    uint32_t rest = (uint32_t)(g->held - known);
    uint32_t limit = (uint32_t)(rest - hold.bytes);
    hold.bytes = rest - es_utf8_floor(g->text + known, rest, limit) /*@ ghost ((uint32_t)0, (uint64_t)0) */;
  }
  return hold;
}

es_status es_lane_boundary(es_lane *lane, es_boundary at, uint64_t now) {
  if (lane->end.cause != ES_CAUSE_OPEN) return ES_ENDED;
  es_guard *g = &lane->guard;
  at.deadline = lane->request->deadline_steps != ES_NO_LIMIT && lane->boundary >= lane->request->deadline_steps;
  es_end end = es_arbiter_boundary(lane->natural, at, g->allowed, g->taken);
  if (end.cause != ES_CAUSE_OPEN) {
    lane->end = end;
    es_guard_end(g, end.cut);
  } else {
    es_guard_allow(g, g->taken - es_lane_hold(lane).bytes);
  }
  if (lane->boundary > 0) lane->due = es_guard_step(g, lane->step_tokens, now);
  if (lane->boundary < INT32_MAX) lane->boundary++;
  lane->step_tokens = 0;
  lane->offered = false; /* an offer that was not answered is void: more may be due now */
  return ES_OK;
}

es_status es_lane_offer(es_lane *lane, uint8_t *out, uint32_t room, uint32_t *length) {
  *length = 0;
  lane->offered = false;
  if (lane->due == 0) return ES_OK;
  if (lane->due > room / ES_UTF8_GROWTH) return ES_FULL;
  *length = es_utf8_decode(lane->guard.text, lane->due, out) /*@ ghost ((uint32_t)0, (uint64_t)0) */;
  lane->offered = true;
  lane->offer_bytes = *length;
  lane->offer_crc32c = es_crc32c(lane->shown_crc32c, out, *length) /*@ ghost ((uint32_t)2, lane->shown_bytes) */;
  return ES_OK;
}

es_status es_lane_answer(es_lane *lane, es_answer answer) {
  if (!lane->offered) return ES_MISUSE;
  lane->offered = false;
  es_guard_answer(&lane->guard, lane->due, answer) /*@ ghost ((uint32_t)0) */;
  if (answer == ES_ANSWER_OK) {
    lane->shown_bytes += lane->offer_bytes;
    lane->shown_crc32c = lane->offer_crc32c;
  }
  if (answer != ES_ANSWER_LATER || lane->end.cause == ES_CAUSE_OPEN) lane->due = 0;
  if (lane->guard.state == ES_GUARD_GONE && lane->end.cause == ES_CAUSE_OPEN) {
    lane->end.cause = ES_CAUSE_DISCONNECT;
    lane->end.cut = lane->guard.sent;
  }
  return ES_OK;
}

bool es_lane_terminal(es_lane *lane, es_terminal *terminal) {
  if (!es_guard_terminal(&lane->guard)) return false;
  terminal->end = lane->end;
  terminal->stop_index = lane->stop_index;
  terminal->stop_id = lane->stop_id;
  terminal->tokens = lane->limits.taken;
  terminal->bytes = lane->shown_bytes;
  terminal->crc32c = lane->shown_crc32c;
  return true;
}
