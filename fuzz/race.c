/* race: the input's bytes are the schedule of an engine, controllers and clients over the stop flags and the batch, one
 * call at a time (R14, T8, T10), beside a plain account of what each must answer.
 *
 * Orders of memory are not looked for here: Relacy and the schedules do that. This looks for what a call does to the word
 * and to the lists in any order of calls, stale epochs and the last epoch included. */
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "frame.h"
#include "stopflag.h"

const char fuzz_name[] = "race";

#define SLOTS 4

typedef struct {
  uint64_t epoch;
  uint8_t reason;
  bool acked;
  bool riding; /* its lane is active in the batch */
  bool left;   /* its lane is retired and not flushed */
} lane;

typedef struct {
  es_stop_slot slots[SLOTS];
  es_batch batch;
  uint32_t lanes[SLOTS], retired[SLOTS];
  uint64_t states[SLOTS], retired_states[SLOTS];
  lane expected[SLOTS];
  uint32_t order[SLOTS], left[SLOTS]; /* slots, as they must stand in the batch and in its retired list */
  uint32_t active, gone;
} table;

void *fuzz_new(void) {
  return fuzz_room(sizeof(table));
}

void fuzz_free(void *memory) {
  free(memory);
}

/* What state goes with the lane: it must stay with it. */
static uint64_t state_of(const table *t, uint32_t slot) {
  return t->expected[slot].epoch * SLOTS + slot;
}

/* How far an epoch is off that is another's: by one bit, any of the word's. */
static uint64_t apart(uint8_t chosen) {
  chosen %= 16;
  return UINT64_C(1) << (chosen == 0 ? 0 : 4 * chosen + 3);
}

static void request(table *t, uint32_t slot, uint8_t call, uint8_t with) {
  lane *l = &t->expected[slot];
  /* Now and then a later or an earlier one's. */
  uint64_t off = apart((uint8_t)(call / 32 + call % 2 * 8));
  uint64_t meant = with % 4 == 3 ? l->epoch + off : with % 8 == 2 ? l->epoch - off : l->epoch;
  uint8_t reason = with / 8;
  es_stop_answer expected = meant != l->epoch ? ES_STOP_STALE
                            : l->acked        ? ES_STOP_LATE
                            : l->reason > 0   ? ES_STOP_SECOND
                                              : ES_STOP_WON;
  fuzz_demand(es_stop_request(&t->slots[slot], meant, reason) == expected,
              "R14: the first request wins, a stale one does nothing");
  if (expected == ES_STOP_WON) l->reason = reason > 0 ? reason : 1;
}

static void look(table *t, uint32_t slot, uint8_t with) {
  const lane *l = &t->expected[slot];
  uint64_t meant = with % 2 == 0 ? l->epoch : with < 128 ? l->epoch - apart(with / 2) : l->epoch + apart(with / 2);
  fuzz_demand(es_stop_epoch(&t->slots[slot]) == l->epoch, "R14: the epoch is the lane's");
  fuzz_demand(es_stop_poll(&t->slots[slot]) == l->reason, "R14: the engine reads the first request's reason");
  fuzz_demand(es_stop_over(&t->slots[slot], meant) == (l->acked || meant != l->epoch),
              "R14: over is acknowledged or gone");
}

static void ack(table *t, uint32_t slot) {
  lane *l = &t->expected[slot];
  uint8_t reason = 0;
  es_status status = es_stop_ack(&t->slots[slot], &reason);
  fuzz_demand(status == (l->acked ? ES_MISUSE : ES_OK), "R14: a lane is acknowledged once");
  fuzz_demand(l->acked || reason == l->reason, "R14: with the reason that stands");
  l->acked = true;
}

/* The slot's next lane comes up and rides, if the one before is over and flushed. */
static void recycle(table *t, uint32_t slot) {
  lane *l = &t->expected[slot];
  if (l->riding || l->left) return;
  uint64_t epoch = 0;
  es_status expected = !l->acked ? ES_MISUSE : l->epoch == ES_STOP_LAST_EPOCH ? ES_FULL : ES_OK;
  fuzz_demand(es_stop_recycle(&t->slots[slot], &epoch) == expected, "R14: a slot is reused once its lane is over");
  if (expected != ES_OK) return;
  *l = (lane){.epoch = l->epoch + 1};
  fuzz_demand(epoch == l->epoch, "R14: the next lane has the next epoch");
}

static void join(table *t, uint32_t slot) {
  lane *l = &t->expected[slot];
  if (l->riding || l->left || l->acked) return;
  es_status expected = t->active < t->batch.capacity ? ES_OK : ES_FULL;
  fuzz_demand(es_batch_add(&t->batch, slot, state_of(t, slot)) == expected, "T10: a lane joins where there is room");
  if (expected != ES_OK) return;
  l->riding = true;
  t->order[t->active++] = slot;
}

/* The engine's boundary: lanes that are over leave, and, as `also` says, some that end by themselves. */
static void boundary(table *t, uint8_t also) {
  bool ended[SLOTS];
  for (uint32_t p = 0; p < t->active; p++) {
    uint32_t slot = t->order[p];
    lane *l = &t->expected[slot];
    if (t->gone == 0 && !l->acked && (l->reason > 0 || (also >> slot & 1))) ack(t, slot);
    ended[p] = l->acked;
  }
  es_status status = es_batch_compact(&t->batch, ended);
  fuzz_demand(status == (t->gone > 0 ? ES_MISUSE : ES_OK), "T10: none leaves before those that left are flushed");
  if (status != ES_OK) return;
  uint32_t kept = 0;
  for (uint32_t p = 0; p < t->active; p++) {
    uint32_t slot = t->order[p];
    if (ended[p]) {
      t->left[t->gone++] = slot;
      t->expected[slot].riding = false;
      t->expected[slot].left = true;
    } else {
      t->order[kept++] = slot;
    }
  }
  t->active = kept;
}

static void flush(table *t) {
  es_batch_flushed(&t->batch);
  for (uint32_t i = 0; i < t->gone; i++) t->expected[t->left[i]].left = false;
  t->gone = 0;
}

static void check_batch(const table *t) {
  const es_batch *b = &t->batch;
  fuzz_demand(b->count == t->active && b->retired_count == t->gone, "T10: no lane is lost or doubled");
  for (uint32_t p = 0; p < t->active; p++)
    fuzz_demand(b->lanes[p] == t->order[p] && b->states[p] == state_of(t, t->order[p]),
                "T10: the kept ones stand in order, each with its state");
  for (uint32_t i = 0; i < t->gone; i++)
    fuzz_demand(b->retired[i] == t->left[i] && b->retired_states[i] == state_of(t, t->left[i]),
                "T10: the retired ones stand in order, each with its state");
}

static void begin(table *t, fuzz_input *in) {
  uint8_t chosen = fuzz_control(in);
  memset(t->expected, 0, sizeof t->expected);
  t->batch = (es_batch){t->lanes, t->states, t->retired, t->retired_states, 1 + chosen % SLOTS, 0, 0};
  t->active = t->gone = 0;
  for (uint32_t slot = 0; slot < SLOTS; slot++) {
    t->expected[slot].epoch = chosen & 128 ? ES_STOP_LAST_EPOCH - slot : slot * 8;
    es_stop_init(&t->slots[slot], t->expected[slot].epoch);
  }
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  (void)pass; /* the account costs no more than the calls */
  table *t = memory;
  begin(t, &in);
  fuzz_seen seen = FUZZ_NOTHING;
  const uint8_t *call;
  while (fuzz_text(&in, 2, &call) == 2) {
    uint32_t slot = call[0] / 8 % SLOTS;
    switch (call[0] % 8) {
    case 0:
    case 1:
      request(t, slot, call[0], call[1]);
      break;
    case 2:
      look(t, slot, call[1]);
      break;
    case 3:
      if (!t->expected[slot].riding) ack(t, slot);
      break;
    case 4:
      recycle(t, slot);
      break;
    case 5:
      join(t, slot);
      break;
    case 6:
      boundary(t, call[1]);
      break;
    case 7:
      flush(t);
      break;
    }
    check_batch(t);
    fuzz_note_number(&seen, es_stop_epoch(&t->slots[slot]) * 256 + es_stop_poll(&t->slots[slot]));
  }
  for (uint32_t slot = 0; slot < SLOTS; slot++) look(t, slot, 0);
  return seen;
}
