/* See lane_rig.h. */
#include "lane_rig.h"

#include <string.h>

#include "crc32c.h"

lane_rig rig;

static const uint32_t eos_ids[] = {EOS}, stop_ids[] = {STOP_TOKEN};

static struct {
  es_live_stop string_stops[RIG_LIST], id_stops[RIG_LIST];
  int32_t string_symbols[RIG_ROOM], id_symbols[RIG_ROOM];
  uint32_t string_borders[RIG_ROOM], id_borders[RIG_ROOM];
  uint16_t compile_progress[RIG_LIST], string_progress[RIG_LIST], id_progress[RIG_LIST];
  int64_t starts[RIG_LIST];
  int32_t ids[RIG_LIST], runs[RIG_LIST];
  uint8_t text[RIG_ROOM];
} memory;

void rig_begin(void) {
  rig.request = (es_request){.text = rig.stop_text,
                             .stops = rig.stops,
                             .sequence_ids = rig.sequence_ids,
                             .sequences = rig.sequences,
                             .stop_ids = stop_ids,
                             .stop_id_count = 1,
                             .eos_ids = eos_ids,
                             .eos_id_count = 1,
                             .skip_special = true,
                             .max_tokens = ES_NO_LIMIT,
                             .max_context = ES_NO_LIMIT,
                             .deadline_steps = ES_NO_LIMIT,
                             .flush = {ES_FLUSH_STEPS, 1}};
  rig.memory = (es_lane_memory){memory.string_progress,
                                memory.id_progress,
                                memory.starts,
                                RIG_LIST,
                                memory.ids,
                                memory.runs,
                                memory.text,
                                RIG_ROOM};
  rig.shown_size = 0;
  /* What was in the memory before does not matter. */
  memset(&rig.lane, 0x55, sizeof rig.lane);
  memset(&memory, 0x55, sizeof memory);
}

void rig_stop(const char *text) {
  uint32_t offset = 0;
  for (uint32_t i = 0; i < rig.request.stop_count; i++) offset += rig.stops[i].length;
  rig.stops[rig.request.stop_count] = (es_stop){offset, (uint32_t)strlen(text), 0};
  memcpy(rig.stop_text + offset, text, strlen(text));
  rig.request.stop_count++;
}

void rig_sequence(uint32_t count, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t n = rig.request.sequence_count++;
  rig.sequences[n] = (es_sequence){RIG_LIST * n, count};
  memcpy(rig.sequence_ids + RIG_LIST * n, (uint32_t[]){a, b, c}, 3 * sizeof a);
}

void rig_open(void) {
  es_stop_memory string_memory = {
      memory.string_stops, memory.string_symbols, memory.string_borders, memory.compile_progress, RIG_LIST, RIG_ROOM};
  es_stop_memory id_memory = {memory.id_stops, memory.id_symbols, memory.id_borders, NULL, RIG_LIST, RIG_ROOM};
  ck_assert_int_eq(es_stops_compile_strings(&rig.request, &string_memory, &rig.strings), ES_OK);
  ck_assert_int_eq(es_stops_compile_sequences(&rig.request, &id_memory, &rig.ids), ES_OK);
  ck_assert_int_eq(es_lane_open(&rig.lane, &rig.request, &rig.strings, &rig.ids, &rig.memory), ES_OK);
}

es_status rig_token(uint32_t id, const char *text, bool special) {
  es_lane_token token = {id, special, (const uint8_t *)text, (uint32_t)strlen(text)};
  return es_lane_take(&rig.lane, &token);
}

void rig_take(uint32_t id, const char *text) {
  ck_assert_int_eq(rig_token(id, text, false), ES_OK);
}

bool rig_offer(es_answer answer) {
  uint8_t out[3 * RIG_ROOM];
  uint32_t length;
  ck_assert_int_eq(es_lane_offer(&rig.lane, out, sizeof out, &length), ES_OK);
  if (length == 0) return false;
  ck_assert_int_eq(es_lane_answer(&rig.lane, answer), ES_OK);
  if (answer != ES_ANSWER_OK) return true;
  memcpy(rig.shown + rig.shown_size, out, length);
  rig.shown_size += length;
  return true;
}

void rig_boundary(es_boundary at) {
  ck_assert_int_eq(es_lane_boundary(&rig.lane, at, 0), ES_OK);
  while (rig_offer(ES_ANSWER_OK)) continue;
}

void rig_start(void) {
  rig_open();
  rig_boundary(NOTHING);
}

void rig_step(uint32_t id, const char *text) {
  rig_take(id, text);
  rig_boundary(NOTHING);
}

void rig_shows(const char *text) {
  rig.shown[rig.shown_size] = 0;
  ck_assert_str_eq((const char *)rig.shown, text);
}

void rig_holds(es_hold_kind kind, uint32_t index, uint64_t bytes) {
  es_hold hold = es_lane_hold(&rig.lane);
  ck_assert_int_eq(hold.kind, kind);
  ck_assert_uint_eq(hold.index, index);
  ck_assert_uint_eq(hold.bytes, bytes);
}

es_terminal rig_ended(es_cause cause, uint64_t cut, uint32_t tokens) {
  es_terminal terminal, second;
  ck_assert(es_lane_terminal(&rig.lane, &terminal));
  ck_assert_int_eq(terminal.end.cause, cause);
  ck_assert_uint_eq(terminal.end.cut, cut);
  ck_assert_uint_eq(terminal.tokens, tokens);
  ck_assert_uint_eq(terminal.bytes, rig.shown_size);
  ck_assert_uint_eq(terminal.crc32c, es_crc32c(0, rig.shown, rig.shown_size));
  unsigned char before[sizeof rig.lane];
  memcpy(before, &rig.lane, sizeof rig.lane);
  ck_assert(!es_lane_terminal(&rig.lane, &second));
  ck_assert_int_eq(rig_token(1, "x", false), ES_ENDED);
  ck_assert_int_eq(es_lane_boundary(&rig.lane, (es_boundary){true, 0, true, true}, 9), ES_ENDED);
  ck_assert(!rig_offer(ES_ANSWER_OK));
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_OK), ES_MISUSE);
  ck_assert_mem_eq(&rig.lane, before, sizeof rig.lane);
  return terminal;
}
