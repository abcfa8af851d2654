/* batch: the active lanes in order, and exit compaction (T10).
 *
 * Active lanes stand side by side, each with a row of state of the caller's. In the same step in which lanes end they
 * go to the retired list, in order; the kept ones close ranks, in order, and their rows move with them. Retired lanes
 * are to be flushed before the next step: until then none can end. Knows lanes by number only. */
#ifndef ES_BATCH_H
#define ES_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint32_t *lanes;   /* of the active, in the order in which they came: room for `capacity` */
  uint8_t *rows;     /* their state, row_bytes each; like the lists, it is the caller's */
  uint32_t *retired; /* lanes that ended in the last step, in the same order: room for `capacity` */
  uint8_t *retired_rows;
  uint32_t capacity;
  uint32_t row_bytes; /* capacity × row_bytes is below 2^32 */
  uint32_t count;     /* active */
  uint32_t retired_count;
} es_batch;

#ifdef __FRAMAC__
#include "batch.acsl.h"
#endif

/* Puts a lane at the end, with its row. ES_FULL: no room. */
/*@ requires batch: batch_memory(b) && batch_counts(b);
    requires row:   \valid_read(row + (0 .. b->row_bytes - 1)) &&
                    \separated(row + (0 .. b->row_bytes - 1), b, b->rows + (0 .. b->capacity * b->row_bytes - 1));
    assigns  b->count, b->lanes[0 .. b->capacity - 1], b->rows[0 .. b->capacity * b->row_bytes - 1];
    ensures  full:  \result == ES_FULL <==> \old(b->count) == b->capacity;
    ensures  ok:    \result == ES_OK || \result == ES_FULL;
    ensures  count: b->count == \old(b->count) + (\result == ES_OK ? 1 : 0);
    ensures  kept:  \forall integer p; 0 <= p < \old(b->count) ==> b->lanes[p] == \old(b->lanes[p]);
    ensures  rows:  \forall integer j; 0 <= j < \old(b->count) * b->row_bytes ==> b->rows[j] == \old(b->rows[j]);
    ensures  lane:  \result == ES_OK ==> b->lanes[\old(b->count)] == lane;
    ensures  row:   \result == ES_OK ==> \forall integer j; 0 <= j < b->row_bytes ==>
                      b->rows[\old(b->count) * b->row_bytes + j] == row[j]; */
es_status es_batch_add(es_batch *b, uint32_t lane, const uint8_t *row);

/* Exit compaction: the lanes whose place is marked in `ended` leave. ES_MISUSE: retired ones are not flushed yet. */
/*@ requires batch: batch_memory(b) && batch_counts(b);
    requires ended: \valid_read(ended + (0 .. b->count - 1)) &&
                    \separated(ended + (0 .. b->count - 1), b, b->lanes + (0 .. b->capacity - 1),
                               b->retired + (0 .. b->capacity - 1), b->rows + (0 .. b->capacity * b->row_bytes - 1),
                               b->retired_rows + (0 .. b->capacity * b->row_bytes - 1));
    assigns  b->count, b->retired_count, b->lanes[0 .. b->capacity - 1], b->retired[0 .. b->capacity - 1],
             b->rows[0 .. b->capacity * b->row_bytes - 1], b->retired_rows[0 .. b->capacity * b->row_bytes - 1];
    ensures  again: \result == ES_MISUSE <==> \old(b->retired_count) > 0;
    ensures  ok:    \result == ES_OK || (\result == ES_MISUSE && b->count == \old(b->count) &&
                      b->retired_count == \old(b->retired_count));
    ensures  same:  \result == ES_MISUSE ==> \forall integer p; 0 <= p < b->count ==> b->lanes[p] == \old(b->lanes[p]);
    ensures  count: \result == ES_OK ==> b->count == kept_before(ended, \old(b->count)) &&
                      b->retired_count == ended_before(ended, \old(b->count));
    ensures  T10:   \result == ES_OK ==> \forall integer p; 0 <= p < \old(b->count) ==>
                      (ended[p] ? b->retired[ended_before(ended, p)] == \old(b->lanes[p]) :
                                  b->lanes[kept_before(ended, p)] == \old(b->lanes[p]));
    ensures  rows:  \result == ES_OK ==> \forall integer p, j; 0 <= p < \old(b->count) && 0 <= j < b->row_bytes ==>
                      (ended[p] ? b->retired_rows[ended_before(ended, p) * b->row_bytes + j] ==
                                    \old(b->rows[p * b->row_bytes + j]) :
                                  b->rows[kept_before(ended, p) * b->row_bytes + j] ==
                                    \old(b->rows[p * b->row_bytes + j])); */
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
