#include "batch.h"

es_status es_batch_add(es_batch *b, uint32_t lane, uint64_t state) {
  if (b->count >= b->capacity) return ES_FULL;
  b->lanes[b->count] = lane;
  b->states[b->count] = state;
  b->count++;
  return ES_OK;
}

es_status es_batch_compact(es_batch *b, const bool *ended) {
  if (b->retired_count > 0) return ES_MISUSE;
  uint32_t *lanes = b->lanes;
  uint64_t *states = b->states;
  uint32_t count = b->count;
  uint32_t kept = 0;
  /*@ loop invariant place: 0 <= kept <= p <= count;
      loop invariant kept:  kept == kept_before(ended, p);
      loop invariant few:   \forall integer q; 0 <= q < p ==> 0 <= kept_before(ended, q) &&
        (ended[q] ==> 0 <= q - kept_before(ended, q) < p - kept) && (!ended[q] ==> kept_before(ended, q) < kept);
      loop invariant ahead: \forall integer q; p <= q < count ==>
        lanes[q] == \at(b->lanes[q], Pre) && states[q] == \at(b->states[q], Pre);
      loop invariant stay:  \forall integer q; 0 <= q < p && !ended[q] ==>
        lanes[kept_before(ended, q)] == \at(b->lanes[q], Pre);
      loop invariant stay_too: \forall integer q; 0 <= q < p && !ended[q] ==>
        states[kept_before(ended, q)] == \at(b->states[q], Pre);
      loop invariant leave: \forall integer q; 0 <= q < p && ended[q] ==>
        b->retired[q - kept_before(ended, q)] == \at(b->lanes[q], Pre);
      loop invariant leave_too: \forall integer q; 0 <= q < p && ended[q] ==>
        b->retired_states[q - kept_before(ended, q)] == \at(b->states[q], Pre);
      loop assigns p, kept, b->lanes[0 .. count - 1], b->retired[0 .. count - 1], b->states[0 .. count - 1],
        b->retired_states[0 .. count - 1];
      loop variant count - p; */
  for (uint32_t p = 0; p < count; p++) {
    if (ended[p]) {
      b->retired[p - kept] = lanes[p];
      b->retired_states[p - kept] = states[p];
    } else {
      lanes[kept] = lanes[p];
      states[kept] = states[p];
      /*@ assert here: \let at = p; lanes[kept] == \at(b->lanes[at], Pre) && states[kept] == \at(b->states[at], Pre); */
      //@ assert place: kept_before(ended, p) == kept && kept_before(ended, p + 1) == kept + 1;
      /*@ assert others: \forall integer q; 0 <= q < p && !ended[q] ==>
            lanes[kept_before(ended, q)] == \at(b->lanes[q], Pre) &&
            states[kept_before(ended, q)] == \at(b->states[q], Pre); */
      kept++;
    }
  }
  b->count = kept;
  b->retired_count = count - kept;
  return ES_OK;
}

void es_batch_flushed(es_batch *b) {
  b->retired_count = 0;
}
