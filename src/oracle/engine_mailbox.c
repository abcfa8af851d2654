#include "engine_mailbox.h"

#define FOR_THE_END 2u

static void put(es_mailbox *box, uint32_t written, es_span letter) {
  box->letters[written % ES_MAILBOX] = letter;
  /* Release: the reader that counts this letter finds it written. */
  atomic_store_explicit(&box->written, written + 1, memory_order_release);
}

static es_answer offer(void *context, es_span text, bool last) {
  es_mailbox *box = context;
  /* Relaxed: nothing the client wrote is read because of it. */
  if (atomic_load_explicit(&box->closed, memory_order_relaxed)) return ES_ANSWER_GONE;
  uint32_t written = atomic_load_explicit(&box->written, memory_order_relaxed);
  /* Acquire: the client is done with a letter before its place is written again. */
  uint32_t used = written - atomic_load_explicit(&box->read, memory_order_acquire);
  if (!last && used >= ES_MAILBOX - FOR_THE_END) return ES_ANSWER_LATER;
  put(box, written, text);
  return ES_ANSWER_OK;
}

static void over(void *context, const es_terminal *terminal) {
  es_mailbox *box = context;
  es_span end = {NULL, 0};
  box->terminal = *terminal;
  put(box, atomic_load_explicit(&box->written, memory_order_relaxed), end);
}

void es_mailbox_open(es_mailbox *box) {
  atomic_init(&box->written, 0);
  atomic_init(&box->read, 0);
  atomic_init(&box->closed, false);
}

es_engine_sink es_mailbox_sink(es_mailbox *box) {
  es_engine_sink sink = {offer, over, box};
  return sink;
}

es_letter es_mailbox_receive(es_mailbox *box, es_span *text) {
  uint32_t read = atomic_load_explicit(&box->read, memory_order_relaxed);
  if (atomic_load_explicit(&box->written, memory_order_acquire) == read) return ES_LETTER_NONE;
  es_span letter = box->letters[read % ES_MAILBOX];
  atomic_store_explicit(&box->read, read + 1, memory_order_release);
  if (!letter.data) return ES_LETTER_END;
  *text = letter;
  return ES_LETTER_TEXT;
}

void es_mailbox_close(es_mailbox *box) {
  atomic_store_explicit(&box->closed, true, memory_order_relaxed);
}
