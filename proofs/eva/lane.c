/* The lane as src/lib sees it, in place of src/core/lane.c, whose numbers hang together in ways that Eva cannot follow
 * and WP proves: every status, end and length that lane.h allows, and every access that its contracts allow. */
#include "lane.h"

static volatile uint32_t some_number;
#define SOME (some_number != 0)
static volatile uint8_t some_byte;
static volatile uint16_t some_progress;
static volatile uint64_t some_place;
static volatile int64_t some_start;
static volatile int32_t some_id;

/* Memory of which a contract says `assigns`. */
static void write_all(const es_lane *lane) {
  const es_lane_memory *m = &lane->memory;
  for (uint32_t i = 0; i < m->text_capacity; i++) m->text[i] = some_byte;
  for (uint32_t i = 0; i < lane->strings->count; i++) m->string_progress[i] = some_progress;
  for (uint32_t i = 0; i < lane->sequences->count; i++) m->sequence_progress[i] = some_progress;
  for (uint32_t i = 0; i < m->start_count; i++) m->starts[i] = some_start;
  for (uint32_t i = 0; i < lane->request->max_period; i++) m->ids[i] = m->runs[i] = some_id;
}

/* Memory of which a contract says that it may be read. */
static void read_all(const es_lane *lane) {
  const es_request *r = lane->request;
  const es_stop_set *sets[] = {lane->strings, lane->sequences};
  uint32_t sum = 0;
  for (uint32_t i = 0; i < r->stop_id_count; i++) sum ^= r->stop_ids[i];
  for (uint32_t i = 0; i < r->eos_id_count; i++) sum ^= r->eos_ids[i];
  for (uint32_t i = 0; i < r->sequence_count; i++)
    for (uint32_t j = 0; j < r->sequences[i].length; j++) sum ^= r->sequence_ids[r->sequences[i].offset + j];
  for (uint32_t i = 0; i < 2; i++)
    for (uint32_t j = 0; j < sets[i]->count; j++) {
      uint32_t first = sets[i]->stops[j].offset;
      if (sets[i]->symbols[first] >= 0) sum ^= sets[i]->borders[first + 1];
    }
}

static es_cause some_cause(bool external) {
  uint32_t cause = some_number;
  if (cause > ES_CAUSE_DEADLINE || (cause == ES_CAUSE_EXTERNAL && !external)) return ES_CAUSE_OPEN;
  return (es_cause)cause;
}

es_status es_lane_open(es_lane *lane, const es_request *request, const es_stop_set *strings,
                       const es_stop_set *sequences, const es_lane_memory *memory) {
  if (request->prompt_tokens > INT32_MAX) return ES_MISUSE;
  es_lane fresh = {0};
  fresh.request = request;
  fresh.strings = strings;
  fresh.sequences = sequences;
  fresh.memory = *memory;
  *lane = fresh;
  if (SOME) lane->end.cause = SOME ? ES_CAUSE_MAX_TOKENS : ES_CAUSE_MAX_CONTEXT;
  write_all(lane);
  read_all(lane);
  return ES_OK;
}

es_status es_lane_take(es_lane *lane, const es_lane_token *token) {
  if (lane->end.cause != ES_CAUSE_OPEN || SOME) return ES_ENDED;
  if (lane->boundary == 0 || token->id > INT32_MAX) return ES_MISUSE;
  if (token->length > lane->memory.text_capacity || SOME) return ES_FULL;
  uint8_t sum = 0;
  for (uint32_t i = 0; i < token->length; i++) sum ^= token->bytes[i];
  lane->limits.taken = some_number;
  write_all(lane);
  read_all(lane);
  return ES_OK;
}

es_status es_lane_boundary(es_lane *lane, es_boundary at, uint64_t now) {
  (void)now;
  if (lane->end.cause != ES_CAUSE_OPEN) return ES_ENDED;
  lane->end.cause = some_cause(at.external);
  lane->boundary = 1;
  read_all(lane);
  return ES_OK;
}

es_status es_lane_offer(es_lane *lane, uint8_t *out, uint32_t room, uint32_t *length) {
  *length = 0;
  lane->offered = false;
  //@ split *length > 0;
  if (SOME) return SOME ? ES_OK : ES_FULL;
  for (uint32_t i = 0; i < room; i++) out[i] = some_byte;
  uint32_t n = some_number;
  *length = n < room ? n : room;
  lane->offered = true;
  //@ split *length > 0;
  return ES_OK;
}

es_status es_lane_answer(es_lane *lane, es_answer answer) {
  if (!lane->offered) return ES_MISUSE;
  lane->offered = false;
  if (answer == ES_ANSWER_GONE && lane->end.cause == ES_CAUSE_OPEN) lane->end.cause = ES_CAUSE_DISCONNECT;
  write_all(lane);
  return ES_OK;
}

bool es_lane_terminal(es_lane *lane, es_terminal *terminal) {
  if (lane->end.cause == ES_CAUSE_OPEN || SOME) return false;
  terminal->end = lane->end;
  terminal->stop_index = some_number;
  terminal->stop_id = some_number;
  terminal->tokens = lane->limits.taken;
  terminal->bytes = some_place;
  terminal->crc32c = some_number;
  return true;
}
