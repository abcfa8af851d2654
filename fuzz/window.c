/* window: a request to stop, between whose read and write another thread's call falls (R14, T8): it answers as if it had
 * come after that call. And those who wait for the end.
 *
 * The input is the program: which call, and what the other thread does in its window. Orders of memory are not looked at
 * here: Relacy and the schedules do that. */
#include <stdatomic.h>
#include <stdlib.h>

#include "frame.h"

const char fuzz_name[] = "window";

/* The core's own text of the stop flag, with a place before its one exchange at which another thread may be. */
static void (*between)(void *context);
static void *between_context;

static bool exchange(_Atomic(uint64_t) *word, uint64_t *seen, uint64_t next) {
  if (between) between(between_context);
  return atomic_compare_exchange_strong_explicit(word, seen, next, memory_order_release, memory_order_acquire);
}

#undef atomic_compare_exchange_strong_explicit
#define atomic_compare_exchange_strong_explicit(word, seen, next, won, lost) exchange(word, seen, next)
#define es_stop_init window_init
#define es_stop_epoch window_epoch
#define es_stop_request window_request
#define es_stop_poll window_poll
#define es_stop_ack window_ack
#define es_stop_over window_over
#define es_stop_await window_await
#define es_stop_recycle window_recycle
#include "stopflag.c"

void *fuzz_new(void) {
  return fuzz_room(1);
}

void fuzz_free(void *memory) {
  free(memory);
}

typedef struct {
  es_stop_slot slot;
  uint8_t does;  /* what the other thread does in between */
  uint8_t looks; /* left to await */
} window;

static void other_thread(void *context) {
  window *w = context;
  uint64_t epoch;
  between = NULL;
  switch (w->does % 4) {
  case 1:
    window_request(&w->slot, window_epoch(&w->slot), 1 + w->does / 8);
    break;
  case 3:
    window_ack(&w->slot, NULL);
    window_recycle(&w->slot, &epoch);
    break;
  case 2:
    window_ack(&w->slot, NULL);
    break;
  default:
    break;
  }
}

static bool wait_a_look(void *context) {
  window *w = context;
  if (w->looks == 0) return false;
  if (--w->looks == 0 && w->does >= 128) window_ack(&w->slot, NULL);
  return true;
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  (void)memory; /* there is a slot and nothing else */
  (void)pass;   /* the account costs no more than the calls */
  fuzz_seen seen = FUZZ_NOTHING;
  window w = {0};
  window_init(&w.slot, 7);
  const uint8_t *call;
  while (fuzz_text(&in, 2, &call) == 2) {
    uint64_t epoch = window_epoch(&w.slot), next = 0;
    uint8_t reason = window_poll(&w.slot);
    bool over = window_over(&w.slot, epoch);
    w.does = call[1];
    if (call[0] % 4 < 2) {
      between = other_thread, between_context = &w;
      es_stop_answer said = window_request(&w.slot, epoch, call[0]);
      between = NULL;
      /* What falls before the write counts as before the call; where there was none to write, nothing fell between. */
      es_stop_answer expected = over               ? ES_STOP_LATE
                                : reason > 0       ? ES_STOP_SECOND
                                : call[1] % 4 == 1 ? ES_STOP_SECOND
                                : call[1] % 4 == 2 ? ES_STOP_LATE
                                : call[1] % 4 == 3 ? ES_STOP_STALE
                                                   : ES_STOP_WON;
      fuzz_demand(said == expected, "R14: a request that comes second in its window is answered so");
      bool won = said == ES_STOP_WON;
      fuzz_demand(!won || window_poll(&w.slot) == (call[0] > 0 ? call[0] : 1), "R14: the one that won is read");
      fuzz_demand(said != ES_STOP_STALE || window_poll(&w.slot) == 0, "R14: and never hits the slot's next lane");
    } else if (call[0] % 4 == 2) {
      w.looks = call[1] % 4;
      bool acks = w.looks > 0 && w.does >= 128;
      fuzz_demand(window_await(&w.slot, epoch, wait_a_look, &w) == (over || acks),
                  "R14: who waits learns whether it is over");
    } else {
      bool can = window_over(&w.slot, epoch);
      es_status status = window_recycle(&w.slot, &next);
      fuzz_demand(status == (can ? ES_OK : ES_MISUSE), "R14: a slot is reused once its lane is over");
      /* An epoch that is off by one bit, up or down, is another's. */
      uint64_t now = window_epoch(&w.slot), off = UINT64_C(1) << call[1] % 64;
      uint64_t other = call[1] < 128 ? now + off : now - off;
      uint8_t stands = window_poll(&w.slot);
      fuzz_demand(window_request(&w.slot, other, 1) == ES_STOP_STALE && window_over(&w.slot, other) &&
                      window_poll(&w.slot) == stands,
                  "R14: a request for another lane of the slot does nothing");
    }
    fuzz_note_number(&seen, window_epoch(&w.slot) << 8 | window_poll(&w.slot));
  }
  return seen;
}
