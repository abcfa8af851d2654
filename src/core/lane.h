/* lane: the whole of one generation (R1, R4 – R12, R15, R16).
 *
 * Takes tokens in order, looks at boundaries, says what may be shown, ends once. The parts decide; the lane asks them
 * in the order of the rules. All memory is the caller's; the compiled stop sets may be shared by many lanes.
 *
 *   es_lane_open                     once; it may be over at once (R7)
 *   es_lane_boundary                 boundary 0
 *   per step: es_lane_take …         its tokens, none or more
 *             es_lane_boundary       boundary k
 *             es_lane_offer, es_lane_answer   while something is due
 *   es_lane_terminal                 once, after the end
 *
 * Of es_lane a caller may read `end`, `due`, `natural`, `limits.taken`, `guard.taken` and `guard.allowed`; it writes none. */
#ifndef ES_LANE_H
#define ES_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "arbiter.h"
#include "guard.h"
#include "limits.h"
#include "matcher.h"
#include "request.h"
#include "status.h"
#include "stops.h"
#include "utf8.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where one lane keeps what it needs to remember. */
typedef struct {
  uint16_t *string_progress;   /* one a stop of the strings */
  uint16_t *sequence_progress; /* one a stop of the sequences */
  int64_t *starts; /* where the last tokens begin in R: as many as the longest sequence has ids, at least 1 */
  uint32_t start_count;
  int32_t *ids;  /* max_period */
  int32_t *runs; /* max_period */
  uint8_t *text; /* unsent bytes of R: see es_guard_open */
  uint32_t text_capacity;
} es_lane_memory;

typedef struct {
  uint32_t id; /* at most 2^31 − 1 */
  bool special;
  const uint8_t *bytes;
  uint32_t length;
} es_lane_token;

/* What holds bytes back (R10). */
typedef enum { ES_HOLD_NOTHING, ES_HOLD_STRING, ES_HOLD_SEQUENCE, ES_HOLD_CHARACTER } es_hold_kind;

typedef struct {
  es_hold_kind kind;
  uint32_t index; /* the request's index of the string or sequence */
  uint64_t bytes; /* of R, from the last that may be shown to the end */
} es_hold;

typedef struct {
  const es_request *request;
  const es_stop_set *strings;
  const es_stop_set *sequences;
  es_lane_memory memory;
  es_utf8 character;
  es_limits limits;
  es_repetition repetition;
  es_guard guard;
  es_end natural;      /* the end that the tokens of this step brought, if any */
  es_end end;          /* the end of the lane; ES_CAUSE_OPEN while it runs */
  uint32_t stop_index; /* R3, R5: which stop string or sequence of the request; meaningful with those causes */
  uint32_t stop_id;    /* the token that ended it; meaningful with eos and stop token */
  uint32_t boundary;   /* number of the next boundary */
  uint32_t step_tokens;
  uint32_t string_hold;     /* bytes at the end of R that may begin a stop string, and … (R10) */
  uint32_t string_holder;   /* … the first stop that they begin; meaningless where there are none */
  uint32_t sequence_hold;   /* the same for ids and stop sequences … */
  uint32_t sequence_holder; /* … */
  uint64_t sequence_place;  /* … where the first of these ids begins in R */
  uint32_t due;             /* bytes of R to offer now */
  bool offered;             /* an offer waits for its answer */
  uint32_t offer_bytes;     /* of text, and the checksum with it */
  uint32_t offer_crc32c;
  uint64_t shown_bytes; /* of text that the sink took, and their checksum (R15) */
  uint32_t shown_crc32c;
} es_lane;

/* The last thing said of a lane (R15). */
typedef struct {
  es_end end;
  uint32_t stop_index;
  uint32_t stop_id;
  uint32_t tokens;
  uint64_t bytes;  /* of the joined deltas */
  uint32_t crc32c; /* of them */
} es_terminal;

#ifdef __FRAMAC__
#include "lane.acsl.h"
#endif

/* Opens a lane for a request that passed es_request_check, with its compiled stops. Limits that leave no room for a
 * token end it here, before boundary 0 (R7). ES_MISUSE: `starts` is too small for the sequences,
 * or prompt_tokens above 2^31 − 1; the lane is then not open. Ghost: its streams and stop sets. */
/*@ requires valid: \valid(lane) && \valid_read(request) && \valid_read(strings) && \valid_read(sequences);
    requires asked: request->flush.n >= 1 && (request->max_period > 0 ==>
                      request->min_repeats >= 2 && request->max_period * request->min_repeats <= INT32_MAX);
    requires sets:  lane_set(strings, ss) && lane_set(sequences, qs) && request->min_tokens == minimum(ss);
    requires room:  lane_memory_valid(memory, request, stops(ss), stops(qs));
    requires apart: \separated(lane, memory, request, strings, sequences, memory->text + (0 .. memory->text_capacity - 1),
                               memory->string_progress + (0 .. stops(ss) - 1),
                               memory->sequence_progress + (0 .. stops(qs) - 1),
                               memory->starts + (0 .. memory->start_count - 1)) &&
                    (request->max_period > 0 ==>
                       \separated(lane, memory->ids + (0 .. request->max_period - 1),
                                  memory->runs + (0 .. request->max_period - 1)));
    requires lists: \separated(lane, strings->stops + (0 .. strings->count - 1), sequences->stops + (0 .. sequences->count - 1));
    assigns  *lane, memory->string_progress[0 .. stops(ss) - 1], memory->sequence_progress[0 .. stops(qs) - 1],
             memory->runs[0 .. request->max_period - 1];
    behavior small:
      assumes  small:  request->prompt_tokens > INT32_MAX || memory->start_count < 1 ||
                       \exists integer i; 0 <= i < stops(qs) && size(qs, i) > memory->start_count;
      assigns  \nothing;
      ensures  result: \result == ES_MISUSE;
    behavior opened:
      assumes  few:    request->prompt_tokens <= INT32_MAX && memory->start_count >= 1;
      assumes  room:   \forall integer i; 0 <= i < stops(qs) ==> size(qs, i) <= memory->start_count;
      ensures  result: \result == ES_OK;
      ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
      ensures  start:  lane_new(lane);
      ensures  given:  lane->request == request && lane->strings == strings && lane->sequences == sequences &&
                         lane_asked(lane, (*request), (*memory));
      ensures  R7:     at_max_tokens(0, request->max_tokens) ? lane->end.cause == ES_CAUSE_MAX_TOKENS :
                       at_max_context(0, request->prompt_tokens, request->max_context) ?
                         lane->end.cause == ES_CAUSE_MAX_CONTEXT : lane->end.cause == ES_CAUSE_OPEN;
      ensures  R12:    lane->guard.state == (lane->end.cause == ES_CAUSE_OPEN ? ES_GUARD_OPEN : ES_GUARD_ENDING);
    complete behaviors; disjoint behaviors; */
es_status es_lane_open(es_lane *lane, const es_request *request, const es_stop_set *strings,
                       const es_stop_set *sequences, const es_lane_memory *memory)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */;

/* Takes one token of the current step (R1, R2, R5 – R8). ES_ENDED: a token of this step or before ended the lane,
 * and this one is not taken. ES_MISUSE: boundary 0 has not been looked at, or the id is above 2^31 − 1. ES_FULL: the lane
 * has 2^31 − 1 tokens, or there is no room for the token's visible text: then what may be shown is due at the next
 * boundary, whatever the flush policy. With all three nothing is taken. Ghost: as es_lane_open. */
/*@ requires given:  lane_given(lane, ss, qs);
    requires state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    requires token:  \valid_read(token) && \valid_read(token->bytes + (0 .. token->length - 1));
    requires apart:  \separated(token->bytes + (0 .. token->length - 1), lane,
                                lane->guard.text + (0 .. lane->guard.capacity - 1)) &&
                     \separated(token, lane, lane->memory.starts + (0 .. lane->memory.start_count - 1));
    requires next:   take_status(lane, token) == ES_OK ==>
                       token->id == H(ids, lane->limits.taken) && lane->guard.taken == H(at, lane->limits.taken);
    requires bytes:  take_status(lane, token) == ES_OK ==>
                       \forall integer j; 0 <= j < visible(token, lane->request) ==>
                         token->bytes[j] == H(sid, lane->guard.taken + j);
    requires room:   lane->guard.taken + token->length <= UINT64_MAX / 32;
    assigns  lane->string_hold, lane->string_holder, lane->sequence_hold, lane->sequence_holder, lane->sequence_place,
             lane->character, lane->step_tokens, lane->guard.held, lane->guard.taken, lane->guard.again,
             lane->guard.text[0 .. lane->guard.capacity - 1], lane->limits.taken, lane->repetition.taken,
             lane->natural.cause, lane->natural.cut, lane->stop_id, lane->stop_index,
             lane->repetition.ids[0 .. lane->repetition.max_period - 1],
             lane->repetition.runs[0 .. lane->repetition.max_period - 1],
             lane->memory.string_progress[0 .. stops(ss) - 1], lane->memory.sequence_progress[0 .. stops(qs) - 1],
             lane->memory.starts[0 .. lane->memory.start_count - 1];
    ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    ensures  status: \result == \old(take_status(lane, token));
    ensures  count:  \result == ES_OK ==> lane->limits.taken == \old(lane->limits.taken) + 1 &&
                       lane->step_tokens == \old(lane->step_tokens) + 1 && lane->guard.again == \old(lane->guard.again);
    behavior not:
      assumes  not:    take_status(lane, token) == ES_ENDED || take_status(lane, token) == ES_MISUSE ||
                       lane->limits.taken >= INT32_MAX;
      assigns  \nothing;
    behavior full:
      assumes  full:   take_status(lane, token) == ES_FULL && lane->limits.taken < INT32_MAX;
      assigns  lane->guard.again;
      ensures  due:    lane->guard.again;
    behavior eos:
      assumes  id:     eos_at(lane->request, lane->limits.taken + 1, token->id);
      ensures  R5:     \result == ES_OK ==> lane->natural.cause == ES_CAUSE_EOS && lane->stop_id == token->id;
    behavior stop_token:
      assumes  id:     !eos_at(lane->request, lane->limits.taken + 1, token->id) &&
                       stop_token_at(lane->request, lane->limits.taken + 1, token->id);
      ensures  R5:     \result == ES_OK ==> lane->natural.cause == ES_CAUSE_STOP_TOKEN && lane->stop_id == token->id;
    behavior end_token:
      assumes  id:     eos_at(lane->request, lane->limits.taken + 1, token->id) ||
                       stop_token_at(lane->request, lane->limits.taken + 1, token->id);
      ensures  R5:     \result == ES_OK ==> lane->natural.cut == lane->guard.taken == \old(lane->guard.taken) +
                         \old(lane->request->include_stop ? visible(token, lane->request) : 0);
    behavior text:
      assumes  id:     !eos_at(lane->request, lane->limits.taken + 1, token->id) &&
                       !stop_token_at(lane->request, lane->limits.taken + 1, token->id);
      ensures  R1:     \result == ES_OK ==>
                         lane->guard.taken == \old(lane->guard.taken) + \old(visible(token, lane->request));
      ensures  R2:     \result == ES_OK ==>
                         (lane->natural.cause == ES_CAUSE_STOP_STRING <==>
                            lane->limits.taken > minimum(ss) &&
                            !nowhere(sid, \old(lane->guard.taken), lane->guard.taken, ss));
      ensures  R3:     \result == ES_OK && lane->natural.cause == ES_CAUSE_STOP_STRING ==>
                         string_end(sid, \old(lane->guard.taken), lane->guard.taken, ss, lane->stop_index,
                                    lane->natural.cut);
      ensures  R5:     \result == ES_OK && lane->natural.cause != ES_CAUSE_STOP_STRING ==>
                         (lane->natural.cause == ES_CAUSE_STOP_SEQUENCE <==>
                            lane->limits.taken > minimum(ss) && !no_stop(ids, lane->limits.taken, qs));
      ensures  cut:    \result == ES_OK && lane->natural.cause == ES_CAUSE_STOP_SEQUENCE ==>
                         sequence_end(ids, at, lane->limits.taken, lane->guard.taken, ss, qs, lane->stop_index,
                                      lane->natural.cut);
      ensures  R7:     \result == ES_OK && lane->natural.cause != ES_CAUSE_STOP_STRING &&
                       lane->natural.cause != ES_CAUSE_STOP_SEQUENCE ==>
                         ended_by_limits(lane, ids) &&
                         (lane->natural.cause != ES_CAUSE_OPEN ==> lane->natural.cut == lane->guard.taken); */
es_status es_lane_take(es_lane *lane, const es_lane_token *token)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */;

/* The boundary after a step, or boundary 0 (R9): reads what is there in its order, ends the lane or says what may be
 * shown (R10), and what of it is due now (R11). `deadline` of `at` is the lane's own business: deadline_steps.
 * `now` is a time in ms, for that flush policy alone. Ghost: as es_lane_open. */
/*@ requires given:  lane_given(lane, ss, qs);
    requires state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    requires apart:  \separated(lane, lane->request);
    assigns  lane->end.cause, lane->end.cut, lane->guard.state, lane->guard.cut, lane->guard.allowed, lane->guard.held,
             lane->guard.step, lane->guard.tokens, lane->guard.waiting, lane->guard.since, lane->due, lane->offered,
             lane->boundary, lane->step_tokens;
    behavior over:
      assumes  ended:  lane->end.cause != ES_CAUSE_OPEN;
      assigns  \nothing;
      ensures  result: \result == ES_ENDED;
    behavior read:
      assumes  open:   lane->end.cause == ES_CAUSE_OPEN;
      ensures  result: \result == ES_OK && !lane->offered && lane->step_tokens == 0 && lane->boundary ==
                         (\old(lane->boundary) < INT32_MAX ? \old(lane->boundary) + 1 : \old(lane->boundary));
      ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
      ensures  R9:     lane->natural.cause != ES_CAUSE_OPEN && !there.external ==>
                         lane->end.cause == lane->natural.cause && lane->end.cut == lane->natural.cut;
      ensures  R16:    there.external ==>
                         (\let cut = external_cut(there.external_cut, \old(lane->guard.allowed), lane->guard.taken);
                          lane->natural.cause != ES_CAUSE_OPEN && lane->natural.cut <= cut ?
                            lane->end.cause == lane->natural.cause && lane->end.cut == lane->natural.cut :
                            lane->end.cause == ES_CAUSE_EXTERNAL && lane->end.cut == cut);
      ensures  others: lane->natural.cause == ES_CAUSE_OPEN && !there.external ==>
                         (there.abort ? lane->end.cause == ES_CAUSE_ABORT :
                          lane->request->deadline_steps != ES_NO_LIMIT &&
                              \old(lane->boundary) >= lane->request->deadline_steps ?
                            lane->end.cause == ES_CAUSE_DEADLINE : lane->end.cause == ES_CAUSE_OPEN) &&
                         (lane->end.cause != ES_CAUSE_OPEN ==> lane->end.cut == lane->guard.taken);
      ensures  R10:    lane->end.cause == ES_CAUSE_OPEN ==>
                         may_show(sid, ids, at, ss, qs, lane->guard.taken, lane->limits.taken, lane->guard.allowed);
      ensures  R12:    lane->end.cause != ES_CAUSE_OPEN ==> lane->guard.state == ES_GUARD_ENDING &&
                         lane->due == lane->guard.held && lane->guard.sent + lane->due == lane->end.cut;
      ensures  shown:  lane->guard.allowed >= \old(lane->guard.allowed);
    behavior first:
      assumes  first:  lane->end.cause == ES_CAUSE_OPEN && lane->boundary == 0;
      ensures  R11:    lane->due == 0 && lane->guard.step == \old(lane->guard.step) &&
                         lane->guard.tokens == \old(lane->guard.tokens) &&
                         (lane->guard.waiting <==> \old(lane->guard.waiting)) &&
                         lane->guard.since == \old(lane->guard.since);
    behavior later:
      assumes  later:  lane->end.cause == ES_CAUSE_OPEN && lane->boundary > 0;
      ensures  R11:    lane->end.cause == ES_CAUSE_OPEN ==> lane_due(lane, now);
      ensures  counts: step_counted(lane->guard.step, \old(lane->guard.step), lane->guard.flush.n, lane->guard.tokens,
                                    \old(lane->guard.tokens) + \old(lane->step_tokens));
      ensures  waits:  (lane->guard.waiting <==> \old(lane->guard.waiting) ||
                          (lane->end.cause == ES_CAUSE_OPEN && lane->guard.allowed > lane->guard.sent)) &&
                         lane->guard.since == (lane->guard.waiting && !\old(lane->guard.waiting) ? now :
                                                 \old(lane->guard.since));
    complete behaviors over, read;
    disjoint behaviors over, first, later; */
es_status es_lane_boundary(es_lane *lane, es_boundary there, uint64_t now)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */;

/* Writes what is due as text: valid UTF-8 by itself (R11). `room` must be ES_UTF8_GROWTH × lane->due or more, else
 * ES_FULL. *length is 0 where nothing is due. An offer made before and not answered is void, also with ES_FULL.
 * Ghost: as es_lane_open. */
/*@ requires state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    requires write:  \valid(length) && \valid(out + (0 .. room - 1));
    requires apart:  \separated(length, lane) && \separated(out + (0 .. room - 1), lane,
                                lane->guard.text + (0 .. lane->guard.capacity - 1));
    requires joined: \forall integer k; 0 <= k < text_length(sid, lane->guard.sent, lane->guard.sent + lane->due) ==>
                       H(ts, lane->shown_bytes + k) ==
                         text_byte(sid, lane->guard.sent, lane->guard.sent + lane->due, k);
    assigns  *length, out[0 .. room - 1], lane->offered, lane->offer_bytes, lane->offer_crc32c;
    behavior none:
      assumes  none:   lane->due == 0;
      ensures  result: \result == ES_OK && *length == 0 && !lane->offered;
      ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    behavior full:
      assumes  more:   lane->due > 0 && lane->due > room / ES_UTF8_GROWTH;
      ensures  result: \result == ES_FULL && *length == 0 && !lane->offered;
      ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    behavior made:
      assumes  fits:   0 < lane->due <= room / ES_UTF8_GROWTH;
      ensures  result: \result == ES_OK && lane->offered;
      ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
      ensures  count:  lane->offer_bytes == *length <= ES_UTF8_GROWTH * lane->due;
      ensures  R11:    text_of(out, *length, sid, lane->guard.sent, lane->guard.sent + lane->due);
      ensures  R15:    checksum(ts, lane->shown_bytes + *length, lane->offer_crc32c);
    complete behaviors; disjoint behaviors; */
es_status es_lane_offer(es_lane *lane, uint8_t *out, uint32_t room, uint32_t *length)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */;

/* What the sink said to the last offer. later: it is due again at the next boundary, after the end at once. gone ends
 * an open lane (R12). ES_MISUSE: there was no offer. Ghost: as es_lane_open. */
/*@ requires state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    assigns  lane->end.cause, lane->end.cut, lane->guard.state, lane->guard.held, lane->guard.sent, lane->guard.again,
             lane->guard.tokens, lane->guard.waiting, lane->guard.text[0 .. lane->guard.capacity - 1], lane->due,
             lane->offered, lane->shown_bytes, lane->shown_crc32c;
    behavior none:
      assumes  none:   !lane->offered;
      assigns  \nothing;
      ensures  result: \result == ES_MISUSE;
    behavior sent:
      assumes  made:   lane->offered;
      assumes  answer: answer == ES_ANSWER_OK;
      ensures  result: \result == ES_OK && lane->due == 0;
      ensures  state:  !lane->offered && lane_state(lane, sid, ids, at, ts, ss, qs);
      ensures  end:    lane->end == \old(lane->end) && lane->guard.state == \old(lane->guard.state);
      ensures  sent:   lane->guard.sent == \old(lane->guard.sent) + \old(lane->due) &&
                         lane->guard.held == \old(lane->guard.held) - \old(lane->due);
      ensures  R15:    lane->shown_bytes == \old(lane->shown_bytes) + lane->offer_bytes &&
                         lane->shown_crc32c == lane->offer_crc32c;
      ensures  R11:    !lane->guard.again && lane->guard.tokens == 0 &&
                         (lane->guard.waiting <==> \old(lane->guard.waiting) && lane->guard.sent < lane->guard.allowed);
    behavior later:
      assumes  made:   lane->offered;
      assumes  answer: answer == ES_ANSWER_LATER;
      ensures  result: \result == ES_OK && lane->due == (lane->end.cause == ES_CAUSE_OPEN ? 0 : \old(lane->due));
      ensures  state:  !lane->offered && lane_state(lane, sid, ids, at, ts, ss, qs);
      ensures  R11:    lane->guard.again && lane->guard.sent == \old(lane->guard.sent) &&
                         lane->guard.held == \old(lane->guard.held);
      ensures  counts: lane->guard.tokens == \old(lane->guard.tokens) &&
                         (lane->guard.waiting <==> \old(lane->guard.waiting));
      ensures  R15:    lane->shown_bytes == \old(lane->shown_bytes) && lane->shown_crc32c == \old(lane->shown_crc32c);
      ensures  end:    lane->end == \old(lane->end) && lane->guard.state == \old(lane->guard.state);
    behavior gone:
      assumes  made:   lane->offered;
      assumes  answer: answer != ES_ANSWER_OK && answer != ES_ANSWER_LATER;
      ensures  result: \result == ES_OK && lane->due == 0;
      ensures  state:  !lane->offered && lane_state(lane, sid, ids, at, ts, ss, qs);
      ensures  gone:   lane->guard.state == ES_GUARD_GONE && lane->guard.sent == \old(lane->guard.sent);
      ensures  R15:    lane->shown_bytes == \old(lane->shown_bytes) && lane->shown_crc32c == \old(lane->shown_crc32c);
      ensures  R12:    \old(lane->end.cause) == ES_CAUSE_OPEN ?
                         lane->end.cause == ES_CAUSE_DISCONNECT && lane->end.cut == lane->guard.sent :
                         lane->end.cause == \old(lane->end.cause) && lane->end.cut == \old(lane->end.cut);
    complete behaviors; disjoint behaviors; */
es_status es_lane_answer(es_lane *lane, es_answer answer)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */;

/* The one terminal: true once, when the lane has ended and all its text is sent (R12, R15). Ghost: as es_lane_open. */
/*@ requires state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    requires write:  \valid(terminal) && \separated(terminal, lane);
    requires apart:  \separated(terminal, lane->memory.starts + (0 .. lane->memory.start_count - 1));
    assigns  *terminal, lane->guard.state, lane->guard.terminals;
    behavior last:
      assumes  all:    lane->guard.state == ES_GUARD_ENDING && lane->guard.held == 0;
      ensures  result: \result;
      ensures  T7:     lane->guard.state == ES_GUARD_DONE && lane->guard.terminals == \old(lane->guard.terminals) + 1 == 1;
      ensures  T4:     lane->end.cause != ES_CAUSE_OPEN && lane->guard.sent == lane->end.cut;
      ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
      ensures  says:   terminal->end.cause == lane->end.cause && terminal->end.cut == lane->end.cut &&
                         terminal->tokens == lane->limits.taken && terminal->stop_index == lane->stop_index &&
                         terminal->stop_id == lane->stop_id;
      ensures  R15:    terminal->bytes == lane->shown_bytes && terminal->crc32c == lane->shown_crc32c &&
                         checksum(ts, terminal->bytes, terminal->crc32c);
    behavior none:
      assumes  more:   !(lane->guard.state == ES_GUARD_ENDING && lane->guard.held == 0);
      ensures  result: !\result && *terminal == \old(*terminal);
      ensures  T7:     lane->guard.state == \old(lane->guard.state) &&
                         lane->guard.terminals == \old(lane->guard.terminals);
      ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    complete behaviors; disjoint behaviors; */
bool es_lane_terminal(es_lane *lane, es_terminal *terminal)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */;

/* What holds bytes back in an open lane, right now (R10): at a boundary it decides, else it is for people.
 * Ghost: as es_lane_open. */
/*@ requires given:  lane_given(lane, ss, qs);
    requires state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    requires open:   lane->end.cause == ES_CAUSE_OPEN && lane->natural.cause == ES_CAUSE_OPEN;
    assigns  \nothing;
    ensures  few:    0 <= \result.bytes <= lane->guard.taken - lane->guard.allowed;
    ensures  edge:   settled(sid, lane->guard.taken - \result.bytes);
    ensures  R10:    may_show(sid, ids, at, ss, qs, lane->guard.taken, lane->limits.taken,
                              lane->guard.taken - \result.bytes);
    ensures  L:      !inclusive(ss) ==> lane->guard.taken - \result.bytes <=
                       before_stops(at, lane->guard.taken, lane->limits.taken, lane->string_hold, lane->sequence_hold);
    ensures  end:    \result.bytes >= lane->character.pending;
    ensures  kind:   \result.kind == hold_kind(string_bytes(lane), sequence_bytes(lane, at), lane->character.pending);
    ensures  index:  \result.index == hold_of(lane, ss, qs, \result.kind); */
es_hold es_lane_hold(const es_lane *lane)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */;

#ifdef __cplusplus
}
#endif

#endif
