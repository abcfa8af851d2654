#include "stopflag.h"

void es_stop_init(es_stop_slot *slot, uint64_t epoch) {
  atomic_init(&slot->word, es_stopword_run(epoch));
}

uint64_t es_stop_epoch(es_stop_slot *slot) {
  /* Only the engine changes the epoch: it needs no order with itself. */
  return es_stopword_epoch(atomic_load_explicit(&slot->word, memory_order_relaxed));
}

es_stop_answer es_stop_request(es_stop_slot *slot, uint64_t epoch, uint8_t reason) {
  uint64_t next;
  if (reason == 0) reason = 1;
  uint64_t word = atomic_load_explicit(&slot->word, memory_order_acquire);
  es_stop_answer answer = es_stopword_request(word, epoch, reason, &next);
  if (answer != ES_STOP_WON) return answer;
  /* A word that was not as it was read has gone forward, so that a second look decides: there is no loop. */
  if (atomic_compare_exchange_strong_explicit(&slot->word, &word, next, memory_order_release, memory_order_acquire))
    return ES_STOP_WON;
  return es_stopword_request(word, epoch, reason, &next);
}

es_status es_stop_ack(es_stop_slot *slot, uint8_t *reason) {
  /* Nobody else acknowledges: what this relaxed read says of that stays so. */
  if (!es_stopword_can_ack(atomic_load_explicit(&slot->word, memory_order_relaxed))) return ES_MISUSE;
  /* An addition, not a store: a request may come in between, and its reason stays. One instruction on x86-64. */
  uint64_t word = atomic_fetch_add_explicit(&slot->word, ES_STOP_ACKED, memory_order_release);
  if (reason) *reason = es_stopword_reason(word);
  return ES_OK;
}

bool es_stop_over(es_stop_slot *slot, uint64_t epoch) {
  return es_stopword_over(atomic_load_explicit(&slot->word, memory_order_acquire), epoch);
}

bool es_stop_await(es_stop_slot *slot, uint64_t epoch, bool (*wait)(void *context), void *context) {
  while (!es_stop_over(slot, epoch))
    if (!wait(context)) return es_stop_over(slot, epoch);
  return true;
}

es_status es_stop_recycle(es_stop_slot *slot, uint64_t *epoch) {
  /* A lane that is over takes no request: nobody else changes this word. */
  uint64_t word = atomic_load_explicit(&slot->word, memory_order_relaxed);
  uint64_t next = es_stopword_next(word);
  if (next == word) return es_stopword_can_ack(word) ? ES_MISUSE : ES_FULL;
  atomic_store_explicit(&slot->word, next, memory_order_release);
  *epoch = es_stopword_epoch(next);
  return ES_OK;
}
