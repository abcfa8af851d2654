/* stopflag: one atomic word per lane slot, by which any thread may ask a lane to stop (R9, R14).
 *
 * The engine alone acknowledges and recycles; any thread may request, look and wait. Nothing here locks, and no call of
 * the engine's waits for anybody. What the word says is stopword's; the orders of its accesses, by the pair that each
 * belongs to:
 *
 *   request → poll          what the requester wrote before it asked is seen by the engine that is told of it
 *   ack → over, await,      what the engine wrote before it acknowledged, the list of tokens above all, is seen by who
 *         a request told      learns that the lane is over
 *         that it is late
 *   recycle → the same      who finds the next lane in the slot sees all of the lane before as well
 *
 * The word says no more than that a lane is over: what it left (its tokens, its terminal) is the caller's, and must
 * outlive those who may still look at it. */
#ifndef ES_STOPFLAG_H
#define ES_STOPFLAG_H

#include <stdatomic.h>

#include "status.h"
#include "stopword.h"

#if ATOMIC_LLONG_LOCK_FREE != 2
#error "expected 64-bit atomics without locks"
#endif

typedef struct {
  _Atomic(uint64_t) word;
} es_stop_slot;

/* Makes a slot ready for its first lane, in that epoch (at most ES_STOP_LAST_EPOCH), before any other thread sees it. */
void es_stop_init(es_stop_slot *slot, uint64_t epoch);

/* The epoch of the lane that has the slot now; the engine hands it to those who may ask that lane to stop, by something
 * that orders memory (a lock, a release and an acquire): who got it otherwise may still see the lane before in the slot,
 * and be told that the lane of this epoch is over or that it meant another. */
uint64_t es_stop_epoch(es_stop_slot *slot);

/* Asks the lane of that epoch to stop. From any thread, without a loop of its own. `reason` is 1 to 255, of the
 * caller's meaning; 0 counts as 1. */
es_stop_answer es_stop_request(es_stop_slot *slot, uint64_t epoch, uint8_t reason);

/* Why the engine's lane is asked to stop; 0: it is not. The engine calls it at the boundary (R9): after the key-value
 * cache and the list of tokens both hold the step's tokens, before the next step begins. A request that happened before
 * is seen; one that comes while the engine looks may be seen at the next boundary. */
static inline uint8_t es_stop_poll(es_stop_slot *slot) {
  return (uint8_t)atomic_load_explicit(&slot->word, memory_order_acquire);
}

/* The engine says that its lane is over, for whatever cause, once all that the lane leaves is written: nothing is taken
 * after it. `reason` (may be NULL): that of the first request up to now, 0 if there was none; it may have come too late
 * to be the cause. It brings nothing else: what that requester wrote is seen after another es_stop_poll. ES_MISUSE: it
 * said so before. */
es_status es_stop_ack(es_stop_slot *slot, uint8_t *reason);

/* Whether the lane of that epoch is over. From any thread. */
bool es_stop_over(es_stop_slot *slot, uint64_t epoch);

/* Waits until the lane of that epoch is over. Between two looks it calls `wait`, which sleeps as the caller likes and
 * says whether to go on. Whether the lane is over. */
bool es_stop_await(es_stop_slot *slot, uint64_t epoch, bool (*wait)(void *context), void *context);

/* Gives the slot to the next lane; `epoch` is then that lane's. By the engine alone, once what it left is not needed in
 * the slot. ES_MISUSE: the lane is not over; ES_FULL: the last epoch is used up, and the slot stays as it is. */
es_status es_stop_recycle(es_stop_slot *slot, uint64_t *epoch);

#endif
