#include "engine_parts.h"

#include <stdlib.h>

static void watch(const es_engine *e, es_engine_did did, uint32_t slot, uint64_t value, uint64_t place) {
  es_engine_event event = {did, slot, did == ES_DID_STEP ? 0 : e->slots[slot].epoch, value, place};
  if (e->options.watch) e->options.watch(e->options.context, &event);
}

static es_engine_lane *lane_at(const es_engine *e, uint32_t place) {
  return (es_engine_lane *)(uintptr_t)e->batch.states[place];
}

/* Takes the step's tokens, up to the one that ends the lane (R8). */
static void take(es_engine *e, uint32_t place) {
  es_engine_lane *lane = lane_at(e, place);
  uint32_t number = e->batch.lanes[place];
  es_engine_slot *slot = e->slots + number;
  const es_case *script = lane->script;
  if (lane->step++ >= script->step_count) return; /* nothing more comes: the steps are empty until somebody stops it */
  const es_step *step = script->steps + lane->step - 1;
  for (size_t i = step->first; i < step->first + step->count; i++) {
    const es_token *token = script->tokens + i;
    es_lane_token taken = {token->id, token->special, (const uint8_t *)token->bytes.data,
                           (uint32_t)token->bytes.length};
    watch(e, ES_DID_SAMPLE, number, token->id, 0);
    if (es_lane_take(&lane->run->lane, &taken) != ES_OK) return;
    slot->kv[slot->kv_count++] = token->id;
    watch(e, ES_DID_KV_APPEND, number, token->id, slot->kv_count - 1);
    lane->run->token_ids[lane->left.tokens++] = token->id;
    watch(e, ES_DID_COMMIT, number, token->id, lane->left.tokens - 1);
  }
}

/* Offers what is due; after the end until the sink has it or is gone (R12). */
static void offer(es_engine *e, uint32_t place) {
  es_engine_lane *lane = lane_at(e, place);
  es_lane *core = &lane->run->lane;
  es_engine_left *left = &lane->left;
  while (core->due > 0) {
    es_span text = {lane->run->shown + left->text.length, 0};
    uint32_t length = 0;
    uint32_t room = (uint32_t)(lane->run->shown_room - left->text.length);
    if (es_lane_offer(core, (uint8_t *)lane->run->shown + left->text.length, room, &length) != ES_OK) return;
    text.length = length;
    es_answer answer = lane->sink.offer(lane->sink.context, text, core->end.cause != ES_CAUSE_OPEN);
    es_lane_answer(core, answer);
    watch(e, ES_DID_EMIT, e->batch.lanes[place], answer, 0);
    if (answer != ES_ANSWER_OK) continue;
    lane->deltas[left->delta_count++] = (es_engine_delta){lane->step, length};
    left->text.length += length;
  }
}

/* The lane is over: all that it leaves is written, then said so. From here on the record is others'. */
static void finish(es_engine *e, uint32_t place) {
  es_engine_lane *lane = lane_at(e, place);
  es_engine_left *left = &lane->left;
  uint32_t number = e->batch.lanes[place];
  left->end = lane->run->lane.end;
  left->token_ids = lane->run->token_ids;
  left->text.data = lane->run->shown;
  left->deltas = lane->deltas;
  left->has_terminal = es_lane_terminal(&lane->run->lane, &left->terminal);
  if (left->has_terminal) lane->sink.over(lane->sink.context, &left->terminal);
  watch(e, ES_DID_FINISH, number, left->end.cause, left->has_terminal);
  uint8_t reason = 0;
  es_stop_ack(&e->slots[number].stop, &reason);
  e->batch.states[place] = 0;
  e->ended[place] = true;
  watch(e, ES_DID_ACK, number, reason, 0);
}

/* The boundary (R9): cache and list hold the step's tokens, the next step has not begun. */
static void boundary(es_engine *e, uint32_t place) {
  es_engine_lane *lane = lane_at(e, place);
  uint32_t number = e->batch.lanes[place];
  uint8_t reason = es_stop_poll(&e->slots[number].stop);
  watch(e, ES_DID_READ_STOP, number, reason, lane->step);
  lane->left.reason = reason;
  es_lane_boundary(&lane->run->lane, (es_boundary){.abort = reason != 0}, 0);
  offer(e, place);
  if (lane->run->lane.end.cause != ES_CAUSE_OPEN) finish(e, place);
}

/* Nothing of the lane stays in its slot, which takes the next one. */
static void flush(es_engine *e, uint32_t number) {
  es_engine_slot *slot = e->slots + number;
  slot->kv_count = 0;
  watch(e, ES_DID_FLUSH, number, 0, 0);
  slot->ready = es_stop_recycle(&slot->stop, &slot->epoch) == ES_OK;
  watch(e, ES_DID_RECYCLE, number, 0, 0);
}

/* Those that ended leave, before the next step. */
static void leave(es_engine *e) {
  es_batch *b = &e->batch;
  if (e->options.holes) {
    for (uint32_t p = 0; p < b->count; p++)
      if (e->ended[p]) flush(e, b->lanes[p]);
  } else {
    es_batch_compact(b, e->ended);
    for (uint32_t i = 0; i < b->retired_count; i++) flush(e, b->retired[i]);
    es_batch_flushed(b);
  }
  for (uint32_t p = 0; p < e->batch.capacity; p++) e->ended[p] = false;
}

/* What was submitted since the last look, behind those that wait. */
static void fetch(es_engine *e) {
  /* Acquire: with the release of the submissions. */
  es_engine_lane *newest = atomic_exchange_explicit(&e->submitted, NULL, memory_order_acquire);
  es_engine_lane *after = NULL;
  es_engine_lane *last = newest;
  while (newest) {
    es_engine_lane *before = newest->next;
    newest->next = after;
    after = newest;
    newest = before;
  }
  if (!after) return;
  if (e->first) {
    e->last->next = after;
  } else {
    e->first = after;
  }
  e->last = last;
}

/* A place for a lane in that slot: at the end, or without compaction where another has left. */
static uint32_t seat(es_engine *e, uint32_t number, es_engine_lane *lane) {
  es_batch *b = &e->batch;
  for (uint32_t p = 0; e->options.holes && p < b->count; p++) {
    if (lane_at(e, p) || e->ended[p]) continue;
    b->lanes[p] = number;
    b->states[p] = (uintptr_t)lane;
    return p;
  }
  es_batch_add(b, number, (uintptr_t)lane);
  return b->count - 1;
}

/* The lane that waits longest gets that slot, and sees boundary 0. Whether it is over already. */
static bool admit(es_engine *e, uint32_t number) {
  es_engine_slot *slot = e->slots + number;
  es_engine_lane *lane = e->first;
  e->first = lane->next;
  slot->ready = false;
  uint32_t place = seat(e, number, lane);
  watch(e, ES_DID_ADMIT, number, lane->number, 0);
  es_engine_handle handle = slot->epoch * SLOTS + number;
  uint64_t asked = 0;
  /* Release: who reads the handle finds the slot's word in this epoch. Acquire: with es_engine_cancel's release. Who asked
   * before is first: its request is in the slot before others know the handle. */
  if (!atomic_compare_exchange_strong_explicit(&lane->place, &asked, handle, memory_order_release,
                                               memory_order_acquire)) {
    es_stop_request(&slot->stop, slot->epoch, (uint8_t)asked);
    atomic_store_explicit(&lane->place, handle, memory_order_release);
  }
  boundary(e, place);
  return e->ended[place];
}

/* Whoever waits moves into the slots that are ready, at once. */
static void fill(es_engine *e) {
  bool again = true;
  while (again) {
    again = false;
    for (uint32_t s = 0; s < e->options.slots && e->first; s++)
      if (e->slots[s].ready) again |= admit(e, s);
    if (again) leave(e);
  }
}

bool es_engine_step(es_engine *e) {
  fetch(e);
  fill(e);
  uint32_t lanes = 0;
  for (uint32_t p = 0; p < e->batch.count; p++) lanes += lane_at(e, p) != NULL;
  if (lanes == 0) return false;
  watch(e, ES_DID_STEP, 0, 0, 0);
  e->rode.steps++;
  e->rode.places += e->batch.count;
  e->rode.lanes += lanes;
  for (uint32_t p = 0; p < e->batch.count; p++)
    if (lane_at(e, p)) take(e, p);
  for (uint32_t p = 0; p < e->batch.count; p++)
    if (lane_at(e, p)) boundary(e, p);
  leave(e);
  return true;
}

void es_engine_run(es_engine *e) {
  for (;;) {
    /* Acquire: with es_engine_close; what was submitted before it is found by the step below. */
    bool closing = atomic_load_explicit(&e->closing, memory_order_acquire);
    if (es_engine_step(e)) continue;
    if (closing) return;
    e->options.wait(e->options.context);
  }
}

void es_engine_close(es_engine *e) {
  atomic_store_explicit(&e->closing, true, memory_order_release);
}

es_engine_ridden es_engine_rode(const es_engine *e) {
  return e->rode;
}

es_engine *es_engine_new(const es_engine_options *options) {
  uint32_t n = options->slots;
  if (n == 0 || n > SLOTS || options->tokens == 0) return NULL;
  es_engine *e = calloc(1, sizeof *e);
  if (!e) return NULL;
  e->options = *options;
  e->slots = calloc(n, sizeof *e->slots);
  e->kv = calloc((size_t)n * options->tokens, sizeof *e->kv);
  e->ended = calloc(n, sizeof *e->ended);
  e->batch.lanes = calloc(n, sizeof *e->batch.lanes);
  e->batch.retired = calloc(n, sizeof *e->batch.retired);
  e->batch.states = calloc(n, sizeof *e->batch.states);
  e->batch.retired_states = calloc(n, sizeof *e->batch.retired_states);
  e->batch.capacity = n;
  atomic_init(&e->submitted, NULL);
  atomic_init(&e->closing, false);
  if (!e->slots || !e->kv || !e->ended || !e->batch.lanes || !e->batch.retired || !e->batch.states ||
      !e->batch.retired_states) {
    es_engine_free(e);
    return NULL;
  }
  for (uint32_t s = 0; s < n; s++) {
    e->slots[s].kv = e->kv + (size_t)s * options->tokens;
    e->slots[s].epoch = 1;
    e->slots[s].ready = true;
    es_stop_init(&e->slots[s].stop, 1);
  }
  return e;
}

void es_engine_free(es_engine *e) {
  if (!e) return;
  free(e->slots);
  free(e->kv);
  free(e->ended);
  free(e->batch.lanes);
  free(e->batch.retired);
  free(e->batch.states);
  free(e->batch.retired_states);
  free(e);
}
