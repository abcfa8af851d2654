/* engine: a reference engine loop: one thread steps a batch of lanes, any other may submit, cancel, or read along
 * (R8, R9, R11, R12, R14, T7, T8, T10).
 *
 * The model is a script: each lane brings the tokens of its steps. Per step and lane: the tokens into the slot's
 * key-value cache and into the list of tokens, the boundary with the stop flag, the offer to the sink, the terminal, the
 * acknowledgement. Then those that ended leave the batch, their slots are flushed and recycled, and who waits moves in,
 * all before the next step. The engine's thread takes no lock and allocates nothing; where it has nothing to do, it asks
 * its caller to wait.
 *
 * What a lane leaves belongs to its record (es_engine_lane), not to its slot, and is complete for whoever learns that the
 * lane is over. */
#ifndef ES_ORACLE_ENGINE_H
#define ES_ORACLE_ENGINE_H

#include "case.h"
#include "lane.h"
#include "stopflag.h"

typedef struct es_engine es_engine;
typedef struct es_engine_lane es_engine_lane;

/* A lane's place for those who ask it to stop: epoch × 65,536 + slot. 0: it waits for a slot. */
typedef uint64_t es_engine_handle;

/* Where a lane's text goes. Called by the engine's thread, which waits for it. */
typedef struct {
  /* All that is due (R11); it stays where it is as long as the record. `last`: the lane has ended, and this is asked
   * again at once if the answer is later. */
  es_answer (*offer)(void *context, es_span text, bool last);
  void (*over)(void *context, const es_terminal *terminal); /* the one terminal; none if the sink is gone */
  void *context;
} es_engine_sink;

/* A delta that the sink took. */
typedef struct {
  uint64_t step;   /* from 1 */
  uint32_t length; /* bytes of the text, from where the one before ended */
} es_engine_delta;

/* What a lane leaves. */
typedef struct {
  const uint32_t *token_ids;
  uint32_t tokens;
  uint32_t delta_count;
  const es_engine_delta *deltas;
  es_span text; /* all that the sink took */
  es_end end;
  uint8_t reason; /* with ES_CAUSE_ABORT: why it was asked to stop */
  bool has_terminal;
  es_terminal terminal;
} es_engine_left;

/* What the engine's thread does, for those who watch it. */
typedef enum {
  ES_DID_STEP,      /* a step begins; for no slot */
  ES_DID_ADMIT,     /* `value`: the lane's number */
  ES_DID_SAMPLE,    /* a token has arrived: `value` its id */
  ES_DID_KV_APPEND, /* `value` in the slot's cache, at `place` */
  ES_DID_COMMIT,    /* `value` is token number `place` of the list, from 0 */
  ES_DID_READ_STOP, /* the flag said `value`, at boundary `place` */
  ES_DID_EMIT,      /* the sink answered `value` (es_answer) */
  ES_DID_FINISH,    /* `value`: the cause; `place` 1 if there was a terminal */
  ES_DID_ACK,       /* `value`: the first reason, if any, asked for up to now */
  ES_DID_FLUSH,     /* the slot holds nothing of the lane */
  ES_DID_RECYCLE    /* the slot has this epoch from now on */
} es_engine_did;

typedef struct {
  es_engine_did did;
  uint32_t slot;
  uint64_t epoch;
  uint64_t value;
  uint64_t place;
} es_engine_event;

typedef struct {
  uint32_t slots;  /* lanes that ride at once: at most 65,536 */
  uint32_t tokens; /* that a slot's key-value cache holds */
  bool holes;      /* no compaction, for comparison: the place of a lane that ended rides on empty until it is reused */
  void (*wait)(void *context);                           /* there is nothing to do: sleep a little */
  void (*watch)(void *context, const es_engine_event *); /* may be NULL */
  void *context;
} es_engine_options;

/* How full the steps were. */
typedef struct {
  uint64_t steps;
  uint64_t places; /* rode along, over all steps … */
  uint64_t lanes;  /* … with a lane in them */
} es_engine_ridden;

/* NULL: memory ran out, or the options are out of range. */
es_engine *es_engine_new(const es_engine_options *options);
void es_engine_free(es_engine *engine); /* once no thread uses it */

/* Steps until es_engine_close was called and all that was submitted before is over. By the engine's thread. */
void es_engine_run(es_engine *engine);
bool es_engine_step(es_engine *engine);                   /* one step of that; whether there was anything to do */
es_engine_ridden es_engine_rode(const es_engine *engine); /* by the engine's thread, or after it has returned */
void es_engine_close(es_engine *engine);                  /* from any thread; nothing is submitted after it */

/* A record for one lane: `c` gives its request and tokens, and stays where it is as long as the record; its sink, abort
 * and external end count for nothing. `number` is for those who watch. NULL: memory ran out, the request is refused, has
 * a time in it, or the case has no steps. */
es_engine_lane *es_engine_lane_new(const es_case *c, es_engine_sink sink, uint64_t number);
void es_engine_lane_free(es_engine_lane *lane); /* before it is submitted, or once it is over and nobody looks at it */

/* The lane waits for a slot, in the order of submission. From any thread. ES_FULL: it has more tokens than a slot holds. */
es_status es_engine_submit(es_engine *engine, es_engine_lane *lane);

es_engine_handle es_engine_lane_handle(es_engine_lane *lane);

/* Asks the lane of that handle to stop (R14). From any thread; the record may be gone. */
es_stop_answer es_engine_stop(es_engine *engine, es_engine_handle handle, uint8_t reason);

/* The same for who has the record; a lane that waits for a slot will end at boundary 0. */
es_stop_answer es_engine_cancel(es_engine *engine, es_engine_lane *lane, uint8_t reason);

/* Whether the lane of that handle is over. From any thread; the record may be gone. */
bool es_engine_over(es_engine *engine, es_engine_handle handle);

/* Waits for that as es_stop_await does, between two looks by `wait`. Whether the lane is over; handle 0: false at once. */
bool es_engine_await(es_engine *engine, es_engine_handle handle, bool (*wait)(void *context), void *context);

/* What a lane left that is over. */
const es_engine_left *es_engine_lane_left(const es_engine_lane *lane);

#endif
