/* run_room: the memory of a run. */
#include "run_internal.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for `count` elements of `size` in *array, which keeps nothing of what it held. */
static bool room_for(void *array, size_t count, size_t size) {
  void *old;
  memcpy(&old, array, sizeof old);
  free(old);
  void *fresh = count > SIZE_MAX / size ? NULL : malloc(count * size + 1);
  memcpy(array, &fresh, sizeof fresh);
  return fresh != NULL;
}

es_run *es_run_new(void) {
  return calloc(1, sizeof(es_run));
}

static void free_stops(es_stop_memory *memory) {
  free(memory->stops);
  free(memory->symbols);
  free(memory->borders);
  free(memory->progress);
}

void es_run_free(es_run *run) {
  if (!run) return;
  free_stops(&run->string_memory);
  free_stops(&run->sequence_memory);
  free(run->memory.string_progress);
  free(run->memory.sequence_progress);
  free(run->memory.starts);
  free(run->memory.ids);
  free(run->memory.runs);
  free(run->memory.text);
  free(run->raw);
  free(run->shown);
  free(run->deltas);
  free(run->trace);
  free(run->token_ids);
  free(run);
}

static bool stops_room(es_stop_memory *memory, uint16_t **progress, size_t count, size_t symbols) {
  if (count > memory->stop_room || !memory->stops) {
    memory->stop_room = 0;
    if (!room_for(&memory->stops, count, sizeof *memory->stops)) return false;
    if (!room_for(&memory->progress, count, sizeof *memory->progress)) return false;
    if (!room_for(progress, count, sizeof **progress)) return false;
    memory->stop_room = (uint32_t)count;
  }
  if (symbols > memory->symbol_room || !memory->symbols) {
    memory->symbol_room = 0;
    if (!room_for(&memory->symbols, symbols, sizeof *memory->symbols)) return false;
    if (!room_for(&memory->borders, symbols, sizeof *memory->borders)) return false;
    memory->symbol_room = (uint32_t)symbols;
  }
  return true;
}

bool es_run_lane_room(es_run *run, const es_request *request) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < request->stop_count; i++) bytes += request->stops[i].length + 1;
  if (!stops_room(&run->string_memory, &run->memory.string_progress, request->stop_count, bytes)) return false;
  size_t ids = 0;
  uint32_t longest = 1;
  for (uint32_t i = 0; i < request->sequence_count; i++) {
    ids += request->sequences[i].length + 1;
    if (request->sequences[i].length > longest) longest = request->sequences[i].length;
  }
  if (!stops_room(&run->sequence_memory, &run->memory.sequence_progress, request->sequence_count, ids)) return false;
  if (longest > run->memory.start_count) {
    run->memory.start_count = 0;
    if (!room_for(&run->memory.starts, longest, sizeof *run->memory.starts)) return false;
    run->memory.start_count = longest;
  }
  if (request->max_period > run->id_room) {
    run->id_room = 0;
    if (!room_for(&run->memory.ids, request->max_period, sizeof *run->memory.ids)) return false;
    if (!room_for(&run->memory.runs, request->max_period, sizeof *run->memory.runs)) return false;
    run->id_room = request->max_period;
  }
  return true;
}

bool es_run_case_room(es_run *run, const es_case *c, size_t bytes) {
  if (bytes > run->raw_room || !run->raw) {
    run->raw_room = 0;
    size_t shown = ES_UTF8_GROWTH * bytes;
    if (!room_for(&run->raw, bytes, 1) || !room_for(&run->memory.text, bytes, 1) || !room_for(&run->shown, shown, 1))
      return false;
    run->raw_room = bytes;
    run->shown_room = shown;
    run->memory.text_capacity = (uint32_t)bytes;
  }
  if (c->step_count > run->step_room || !run->deltas) {
    run->step_room = 0;
    if (!room_for(&run->deltas, c->step_count, sizeof *run->deltas)) return false;
    if (!room_for(&run->trace, c->step_count + 1, sizeof *run->trace)) return false;
    run->step_room = c->step_count;
  }
  if (c->token_count > run->token_room || !run->token_ids) {
    run->token_room = 0;
    if (!room_for(&run->token_ids, c->token_count, sizeof *run->token_ids)) return false;
    run->token_room = c->token_count;
  }
  return true;
}
