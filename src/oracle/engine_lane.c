/* engine_lane: a lane's record, and how other threads reach the lane. */
#include "engine_parts.h"

#include <stdlib.h>

/* All memory that the lane will need, so that the engine's thread allocates none. */
static bool prepare(es_engine_lane *lane) {
  const es_case *c = lane->script;
  es_run *run = lane->run;
  size_t bytes = 0;
  for (size_t i = 0; i < c->token_count; i++) bytes += c->tokens[i].bytes.length;
  if (bytes > UINT32_MAX / ES_UTF8_GROWTH || !es_run_case_room(run, c, bytes)) return false;
  lane->deltas = calloc(c->step_count + 1, sizeof *lane->deltas);
  return lane->deltas && es_run_lane_room(run, &c->request) &&
         es_stops_compile_strings(&c->request, &run->string_memory, &run->strings) == ES_OK &&
         es_stops_compile_sequences(&c->request, &run->sequence_memory, &run->sequences) == ES_OK &&
         es_lane_open(&run->lane, &c->request, &run->strings, &run->sequences, &run->memory) == ES_OK;
}

es_engine_lane *es_engine_lane_new(const es_case *c, es_engine_sink sink, uint64_t number) {
  if (c->refused || !c->has_steps || c->request.flush.kind == ES_FLUSH_MS) return NULL;
  es_engine_lane *lane = calloc(1, sizeof *lane);
  if (!lane) return NULL;
  lane->script = c;
  lane->sink = sink;
  lane->number = number;
  atomic_init(&lane->place, 0);
  lane->run = es_run_new();
  if (lane->run && prepare(lane)) return lane;
  es_engine_lane_free(lane);
  return NULL;
}

void es_engine_lane_free(es_engine_lane *lane) {
  if (!lane) return;
  es_run_free(lane->run);
  free(lane->deltas);
  free(lane);
}

es_status es_engine_submit(es_engine *engine, es_engine_lane *lane) {
  if (lane->script->token_count > engine->options.tokens) return ES_FULL;
  es_engine_lane *newest = atomic_load_explicit(&engine->submitted, memory_order_relaxed);
  /* Release: the engine that takes the list finds the records written. */
  do lane->next = newest;
  while (!atomic_compare_exchange_strong_explicit(&engine->submitted, &newest, lane, memory_order_release,
                                                  memory_order_relaxed));
  return ES_OK;
}

es_engine_handle es_engine_lane_handle(es_engine_lane *lane) {
  /* Acquire: with the engine's exchange as it admits the lane; the slot's word is seen in this epoch, or a later one. */
  uint64_t place = atomic_load_explicit(&lane->place, memory_order_acquire);
  return place < SLOTS ? 0 : place;
}

es_stop_answer es_engine_stop(es_engine *engine, es_engine_handle handle, uint8_t reason) {
  return es_stop_request(&engine->slots[handle % SLOTS].stop, handle / SLOTS, reason);
}

es_stop_answer es_engine_cancel(es_engine *engine, es_engine_lane *lane, uint8_t reason) {
  uint64_t place = 0;
  if (reason == 0) reason = 1;
  /* One exchange of the engine's and one of ours: either it finds the reason there, or we find the handle. */
  if (atomic_compare_exchange_strong_explicit(&lane->place, &place, reason, memory_order_release, memory_order_acquire))
    return ES_STOP_WON;
  return place < SLOTS ? ES_STOP_SECOND : es_engine_stop(engine, place, reason);
}

bool es_engine_over(es_engine *engine, es_engine_handle handle) {
  return handle && es_stop_over(&engine->slots[handle % SLOTS].stop, handle / SLOTS);
}

bool es_engine_await(es_engine *engine, es_engine_handle handle, bool (*wait)(void *context), void *context) {
  return handle && es_stop_await(&engine->slots[handle % SLOTS].stop, handle / SLOTS, wait, context);
}

const es_engine_left *es_engine_lane_left(const es_engine_lane *lane) {
  return &lane->left;
}
