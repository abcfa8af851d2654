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
  uint64_t *starts; /* where the last tokens begin in R: as many as the longest sequence has ids, at least 1 */
  uint32_t start_count;
  uint32_t *ids;  /* max_period */
  uint32_t *runs; /* max_period */
  uint8_t *text;  /* unsent bytes of R: see es_guard_open */
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
  es_match string_match;   /* after the last byte of R */
  es_match sequence_match; /* after the last id */
  uint32_t due;            /* bytes of R to offer now */
  bool offered;            /* an offer waits for its answer */
  uint32_t offer_bytes;    /* of text, and the checksum with it */
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

/*@
  predicate lane_valid{L}(es_lane *lane) =
    \valid(lane) && request_valid(lane->request) && set_valid(lane->strings) && set_valid(lane->sequences) &&
    guard_valid(&lane->guard) && guard_state(&lane->guard) && lane->memory.start_count >= 1 &&
    \valid(lane->memory.starts + (0 .. lane->memory.start_count - 1)) &&
    \valid(lane->memory.string_progress + (0 .. lane->strings->count - 1)) &&
    \valid(lane->memory.sequence_progress + (0 .. lane->sequences->count - 1)) &&
    (lane->repetition.max_period > 0 ==>
       \valid(lane->repetition.ids + (0 .. lane->repetition.max_period - 1)) &&
       \valid(lane->repetition.runs + (0 .. lane->repetition.max_period - 1))) &&
    lane->limits.taken <= INT32_MAX && lane->limits.prompt <= INT32_MAX &&
    (lane->natural.cause != ES_CAUSE_OPEN ==> lane->guard.allowed <= lane->natural.cut <= lane->guard.taken);

  // what a lane is opened with
  predicate lane_memory_valid{L}(es_lane_memory *m, es_request *request, integer strings, integer sequences) =
    \valid_read(m) && \valid(m->string_progress + (0 .. strings - 1)) &&
    \valid(m->sequence_progress + (0 .. sequences - 1)) && \valid(m->starts + (0 .. m->start_count - 1)) &&
    \valid(m->text + (0 .. m->text_capacity - 1)) &&
    (request->max_period > 0 ==>
       \valid(m->ids + (0 .. request->max_period - 1)) && \valid(m->runs + (0 .. request->max_period - 1)));
*/

/* Opens a lane for a request that passed es_request_check, with its compiled stops. Limits that leave no room for a
 * token end it here, before boundary 0 (R7). ES_MISUSE: `starts` is too small for the sequences,
 * or prompt_tokens above 2^31 − 1; the lane is then not open. */
/*@ requires valid: \valid(lane) && request_valid(request);
    requires asked: request->flush.n >= 1;
    requires sets:  set_valid(strings) && set_valid(sequences);
    requires room:  lane_memory_valid(memory, request, strings->count, sequences->count);
    requires apart: \separated(lane, memory, request, strings, sequences, memory->text + (0 .. memory->text_capacity - 1));
    assigns  *lane, memory->string_progress[0 .. strings->count - 1],
             memory->sequence_progress[0 .. sequences->count - 1];
    ensures  status: \result == ES_OK || \result == ES_MISUSE;
    ensures  valid:  \result == ES_OK ==> lane_valid(lane) && lane->boundary == 0 && lane->due == 0;
    ensures  R7:     \result == ES_OK ==>
                       (lane->end.cause != ES_CAUSE_OPEN <==>
                          at_max_tokens(0, request->max_tokens) ||
                          at_max_context(0, request->prompt_tokens, request->max_context)); */
es_status es_lane_open(es_lane *lane, const es_request *request, const es_stop_set *strings,
                       const es_stop_set *sequences, const es_lane_memory *memory);

/* Takes one token of the current step (R1, R2, R5 – R8). ES_ENDED: a token of this step or before ended the lane,
 * and this one is not taken. ES_FULL: there is no room for its text; nothing is taken, and what may be shown is due at the
 * next boundary, whatever the flush policy. ES_MISUSE: boundary 0 has not been looked at, or the id is above 2^31 − 1. */
/*@ requires valid: lane_valid(lane) && \valid_read(token);
    requires bytes: \valid_read(token->bytes + (0 .. token->length - 1));
    assigns  *lane, lane->guard.text[0 .. lane->guard.capacity - 1],
             lane->memory.string_progress[0 .. lane->strings->count - 1],
             lane->memory.sequence_progress[0 .. lane->sequences->count - 1],
             lane->memory.starts[0 .. lane->memory.start_count - 1],
             lane->memory.ids[0 .. lane->repetition.max_period - 1],
             lane->memory.runs[0 .. lane->repetition.max_period - 1];
    ensures  status: \result == ES_OK || \result == ES_ENDED || \result == ES_FULL || \result == ES_MISUSE;
    ensures  valid:  lane_valid(lane);
    ensures  R8:     \old(lane->natural.cause) != ES_CAUSE_OPEN || \old(lane->end.cause) != ES_CAUSE_OPEN <==>
                       \result == ES_ENDED;
    ensures  taken:  \result == ES_OK ==> lane->limits.taken == \old(lane->limits.taken) + 1;
    ensures  not:    \result != ES_OK ==>
                       lane->limits.taken == \old(lane->limits.taken) && lane->guard.taken == \old(lane->guard.taken); */
es_status es_lane_take(es_lane *lane, const es_lane_token *token);

/* The boundary after a step, or boundary 0 (R9): reads what is there in its order, ends the lane or says what may be
 * shown (R10), and what of it is due now (R11). `deadline` of `at` is the lane's own business: deadline_steps.
 * `now` is a time in ms, for that flush policy alone. */
/*@ requires valid: lane_valid(lane);
    assigns  *lane;
    ensures  status: \result == ES_OK || \result == ES_ENDED;
    ensures  ended:  \old(lane->end.cause) != ES_CAUSE_OPEN <==> \result == ES_ENDED;
    ensures  stays:  \result == ES_ENDED ==> lane->end.cause == \old(lane->end.cause);
    ensures  valid:  lane_valid(lane);
    ensures  R9:     \old(lane->natural.cause) != ES_CAUSE_OPEN ==> lane->end.cause != ES_CAUSE_OPEN;
    ensures  shown:  lane->guard.allowed >= \old(lane->guard.allowed); */
es_status es_lane_boundary(es_lane *lane, es_boundary at, uint64_t now);

/* Writes what is due as text: valid UTF-8 by itself (R11). `room` must be ES_UTF8_GROWTH × lane->due or more, else
 * ES_FULL. *length is 0 where nothing is due. An offer made before and not answered is void, also with ES_FULL. */
/*@ requires valid: lane_valid(lane) && \valid(length) && \valid(out + (0 .. room - 1));
    assigns  *length, out[0 .. room - 1], lane->offered, lane->offer_bytes, lane->offer_crc32c;
    ensures  status: \result == (lane->due > room / ES_UTF8_GROWTH ? ES_FULL : ES_OK);
    ensures  valid:  lane_valid(lane);
    ensures  made:   lane->offered <==> \result == ES_OK && lane->due > 0;
    ensures  length: *length <= ES_UTF8_GROWTH * lane->due; */
es_status es_lane_offer(es_lane *lane, uint8_t *out, uint32_t room, uint32_t *length);

/* What the sink said to the last offer. later: it is due again at the next boundary, after the end at once. gone ends
 * an open lane (R12). ES_MISUSE: there was no offer. */
/*@ requires valid: lane_valid(lane);
    assigns  *lane, lane->guard.text[0 .. lane->guard.capacity - 1];
    ensures  status: \result == (\old(lane->offered) ? ES_OK : ES_MISUSE);
    ensures  valid:  lane_valid(lane);
    ensures  kept:   answer != ES_ANSWER_OK ==> lane->shown_bytes == \old(lane->shown_bytes);
    ensures  R12:    \old(lane->end.cause) != ES_CAUSE_OPEN ==> lane->end.cause == \old(lane->end.cause); */
es_status es_lane_answer(es_lane *lane, es_answer answer);

/* The one terminal: true once, when the lane has ended and all its text is sent (R12, R15). */
/*@ requires valid: lane_valid(lane) && \valid(terminal);
    assigns  *terminal, lane->guard;
    ensures  once: \result <==> lane->guard.terminals == \old(lane->guard.terminals) + 1;
    ensures  says: \result ==> terminal->end.cause == lane->end.cause && terminal->tokens == lane->limits.taken &&
                     terminal->bytes == lane->shown_bytes && terminal->crc32c == lane->shown_crc32c; */
bool es_lane_terminal(es_lane *lane, es_terminal *terminal);

/* What holds bytes back right now (R10), for people. */
/*@ requires valid: lane_valid(lane);
    assigns  \nothing; */
es_hold es_lane_hold(const es_lane *lane);

#ifdef __cplusplus
}
#endif

#endif
