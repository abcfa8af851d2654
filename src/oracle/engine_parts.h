/* engine_parts: what the two files of the engine share; nobody else includes it.
 *
 * engine.c: the loop · engine_lane.c: a lane's record, and how others reach the lane. */
#ifndef ES_ORACLE_ENGINE_PARTS_H
#define ES_ORACLE_ENGINE_PARTS_H

#include "batch.h"
#include "engine.h"
#include "run_internal.h"

#define SLOTS 65536 /* at most; a handle is the epoch times this, and the slot */

struct es_engine_lane {
  const es_case *script;
  es_engine_sink sink;
  uint64_t number;
  uint64_t step; /* steps taken */
  es_run *run;   /* the lane of the core, its memory, its tokens and its text */
  es_engine_delta *deltas;
  es_engine_left left;
  es_engine_lane *next; /* submitted before it; in the engine's queue, after it */
  /* 0 while it waits, its handle once it has a slot; 1 to 255: it waits and is asked to stop, that is why. */
  _Atomic(uint64_t) place;
};

typedef struct {
  es_stop_slot stop;
  uint64_t epoch;    /* the engine's own copy */
  bool ready;        /* flushed and recycled, no lane in it */
  uint32_t kv_count; /* the key-value cache: here the ids that a model would have computed it from */
  uint32_t *kv;
} es_engine_slot;

struct es_engine {
  es_engine_options options;
  es_engine_slot *slots;
  uint32_t *kv;
  es_batch batch;               /* lanes by their slot; the state of each: its record, 0 for a hole */
  bool *ended;                  /* by place, in this step */
  es_engine_lane *first, *last; /* wait for a slot, in order */
  es_engine_ridden rode;
  _Atomic(es_engine_lane *) submitted; /* the newest first */
  _Atomic(bool) closing;
};

#endif
