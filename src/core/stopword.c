#include "stopword.h"

uint64_t es_stopword_run(uint64_t epoch) {
  return epoch * ES_STOP_EPOCH;
}

uint64_t es_stopword_epoch(uint64_t word) {
  return word / ES_STOP_EPOCH;
}

uint8_t es_stopword_reason(uint64_t word) {
  return (uint8_t)(word % 256);
}

/*@ assigns \nothing;
    ensures acked: \result <==> acked(word); */
static bool is_acked(uint64_t word) {
  return word / ES_STOP_ACKED % 2 == 1;
}

bool es_stopword_over(uint64_t word, uint64_t epoch) {
  return es_stopword_epoch(word) != epoch || is_acked(word);
}

es_stop_answer es_stopword_request(uint64_t word, uint64_t epoch, uint8_t reason, uint64_t *next) {
  *next = word;
  if (es_stopword_epoch(word) != epoch) return ES_STOP_STALE;
  if (is_acked(word)) return ES_STOP_LATE;
  if (es_stopword_reason(word) != 0) return ES_STOP_SECOND;
  *next = word + reason;
  return ES_STOP_WON;
}

bool es_stopword_can_ack(uint64_t word) {
  return !is_acked(word);
}

uint64_t es_stopword_next(uint64_t word) {
  if (!is_acked(word) || es_stopword_epoch(word) == ES_STOP_LAST_EPOCH) return word;
  return es_stopword_run(es_stopword_epoch(word) + 1);
}
