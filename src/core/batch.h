/* batch: the active lanes in order, and exit compaction (T10).
 *
 * Active lanes stand side by side, each with a word of state that is the caller's: a pointer, an index. In the same
 * step in which lanes end they go to the retired list, in order; the kept ones close ranks, in order, and their state
 * goes with them. Retired lanes are to be flushed before the next step: until then none can leave. Knows lanes by number
 * only. */
#ifndef ES_BATCH_H
#define ES_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint32_t *lanes;          /* of the active, in the order in which they came: room for `capacity` */
  uint64_t *states;         /* theirs, place by place */
  uint32_t *retired;        /* lanes that ended in the last step, in the same order: room for `capacity` */
  uint64_t *retired_states; /* theirs */
  uint32_t capacity;
  uint32_t count; /* active */
  uint32_t retired_count;
} es_batch;

#ifdef __FRAMAC__
#include "batch.acsl.h"
#endif

/* Puts a lane at the end. ES_FULL: no room. */
/*@ requires batch: batch_memory(b) && b->count <= b->capacity;
    assigns  b->count, b->lanes[b->count], b->states[b->count];
    ensures  status: \result == (\old(b->count) < b->capacity ? ES_OK : ES_FULL);
    ensures  count:  b->count == \old(b->count) + (\result == ES_OK ? 1 : 0);
    ensures  kept:   \forall integer p; 0 <= p < \old(b->count) ==> b->lanes[p] == \old(b->lanes[p]) &&
                       b->states[p] == \old(b->states[p]);
    ensures  lane:   \result == ES_OK ==> b->lanes[b->count - 1] == lane && b->states[b->count - 1] == state;
    behavior full:
      assumes  full:   b->count == b->capacity;
      assigns  \nothing; */
es_status es_batch_add(es_batch *b, uint32_t lane, uint64_t state);

/* Exit compaction: the lanes whose place is marked in `ended` leave. ES_MISUSE: retired ones are not flushed yet. */
/*@ requires batch: batch_memory(b) && b->count <= b->capacity;
    requires ended: \valid_read(ended + (0 .. b->count - 1));
    assigns  b->count, b->retired_count, b->lanes[0 .. b->count - 1], b->retired[0 .. b->count - 1],
             b->states[0 .. b->count - 1], b->retired_states[0 .. b->count - 1];
    ensures  status: \result == (\old(b->retired_count) == 0 ? ES_OK : ES_MISUSE);
    ensures  same:   \result == ES_MISUSE ==> b->count == \old(b->count) && b->retired_count == \old(b->retired_count) &&
                       \forall integer p; 0 <= p < b->count ==> b->lanes[p] == \old(b->lanes[p]) &&
                         b->states[p] == \old(b->states[p]) && b->retired[p] == \old(b->retired[p]) &&
                         b->retired_states[p] == \old(b->retired_states[p]);
    ensures  count:  \result == ES_OK ==> b->count == kept_before(ended, \old(b->count)) &&
                       b->retired_count == \old(b->count) - b->count;
    ensures  stay:   \result == ES_OK ==> \forall integer p; 0 <= p < \old(b->count) && !ended[p] ==>
                       0 <= kept_before(ended, p) < b->count &&
                       b->lanes[kept_before(ended, p)] == \old(b->lanes[p]) &&
                       b->states[kept_before(ended, p)] == \old(b->states[p]);
    ensures  leave:  \result == ES_OK ==> \forall integer p; 0 <= p < \old(b->count) && ended[p] ==>
                       0 <= p - kept_before(ended, p) < b->retired_count &&
                       b->retired[p - kept_before(ended, p)] == \old(b->lanes[p]) &&
                       b->retired_states[p - kept_before(ended, p)] == \old(b->states[p]); */
es_status es_batch_compact(es_batch *b, const bool *ended);

/* The retired lanes are flushed: the next step may begin. */
/*@ requires valid: \valid(b);
    assigns  b->retired_count;
    ensures  none: b->retired_count == 0; */
void es_batch_flushed(es_batch *b);

#ifdef __cplusplus
}
#endif

#endif
