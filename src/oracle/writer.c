#include "writer.h"

static void text(es_buffer *out, const char *name, es_span value) {
  if (!value.data) return;
  es_buffer_text(out, name);
  es_buffer_json_string(out, value.data, value.length);
}

static void number(es_buffer *out, const char *name, uint64_t value) {
  es_buffer_text(out, name);
  es_buffer_number(out, value);
}

/* Bytes that are no UTF-8 cannot be a JSON string. */
static void bytes(es_buffer *out, es_span value, bool valid) {
  if (valid)
    es_buffer_json_string(out, value.data, value.length);
  else
    es_buffer_json_hex(out, value.data, value.length);
}

static void ids(es_buffer *out, const char *name, const uint32_t *values, size_t count) {
  es_buffer_text(out, name);
  es_buffer_bytes(out, "[", 1);
  for (size_t i = 0; i < count; i++) {
    if (i > 0) es_buffer_bytes(out, ",", 1);
    es_buffer_number(out, values[i]);
  }
  es_buffer_bytes(out, "]", 1);
}

static void deltas(es_buffer *out, const es_result *result) {
  es_buffer_text(out, ",\"deltas\":[");
  for (size_t i = 0; i < result->delta_count; i++) {
    if (i > 0) es_buffer_bytes(out, ",", 1);
    bytes(out, result->deltas[i].bytes, result->deltas[i].valid);
  }
  es_buffer_bytes(out, "]", 1);
}

static void stop_reason(es_buffer *out, const es_result *result) {
  switch (result->stop_reason_kind) {
  case ES_REASON_ABSENT:
    return;
  case ES_REASON_NULL:
    es_buffer_text(out, ",\"stop_reason\":null");
    return;
  case ES_REASON_TEXT:
    es_buffer_text(out, ",\"stop_reason\":");
    es_buffer_json_string(out, result->stop_reason.data, result->stop_reason.length);
    return;
  case ES_REASON_ID:
    number(out, ",\"stop_reason\":", result->stop_reason_ids[0]);
    return;
  case ES_REASON_IDS:
    ids(out, ",\"stop_reason\":", result->stop_reason_ids, result->stop_reason_count);
    return;
  }
}

static void delta_steps(es_buffer *out, const es_result *result) {
  es_buffer_text(out, ",\"delta_steps\":[");
  for (size_t i = 0; i < result->delta_count; i++) {
    if (i > 0) es_buffer_bytes(out, ",", 1);
    es_buffer_number(out, result->delta_steps[i]);
  }
  es_buffer_bytes(out, "]", 1);
}

static void terminal(es_buffer *out, const es_result *result) {
  char digits[8];
  for (int i = 0; i < 8; i++) digits[i] = "0123456789abcdef"[result->terminal_crc32c >> (28 - 4 * i) & 15];
  number(out, ",\"terminal\":{\"bytes\":", result->terminal_bytes);
  es_buffer_text(out, ",\"crc32c\":\"");
  es_buffer_bytes(out, digits, sizeof digits);
  es_buffer_text(out, "\"}");
}

void es_write_result(es_buffer *out, const es_result *result) {
  es_buffer_text(out, "{\"case\":");
  es_buffer_json_string(out, result->id.data, result->id.length);
  text(out, ",\"unsupported\":", result->unsupported);
  if (result->has_deltas) deltas(out, result);
  if (result->text.data) {
    es_buffer_text(out, ",\"text\":");
    bytes(out, result->text, result->text_valid);
  }
  if (result->has_finish_reason && !result->finish_reason.data)
    es_buffer_text(out, ",\"finish_reason\":null");
  else if (result->has_finish_reason)
    text(out, ",\"finish_reason\":", result->finish_reason);
  text(out, ",\"cause\":", result->cause);
  stop_reason(out, result);
  if (result->has_tokens) number(out, ",\"tokens\":", result->tokens);
  if (result->has_token_ids) ids(out, ",\"token_ids\":", result->token_ids, result->token_id_count);
  if (result->has_stop_index) number(out, ",\"stop_index\":", result->stop_index);
  if (result->has_delta_steps) delta_steps(out, result);
  if (result->has_terminal) terminal(out, result);
  if (result->has_terminals) number(out, ",\"terminals\":", result->terminals);
  text(out, ",\"param\":", result->param);
  text(out, ",\"message\":", result->message);
  es_buffer_text(out, "}\n");
}

static void race_end(es_buffer *out, const es_race_result *result, const es_race_end *end, const char *reason) {
  es_buffer_text(out, "\"committed\":[");
  for (size_t i = 0; i < end->count; i++) {
    es_span tok = result->committed[end->first + i];
    if (i > 0) es_buffer_bytes(out, ",", 1);
    es_buffer_json_string(out, tok.data, tok.length);
  }
  es_buffer_text(out, "]");
  if (end->finish_reason.data)
    text(out, reason, end->finish_reason);
  else
    es_buffer_text(out, reason), es_buffer_text(out, "null");
  number(out, ",\"terminal_count\":", end->terminals);
}

void es_write_race(es_buffer *out, const es_race *race, const es_race_result *result) {
  es_buffer_text(out, "{\"case\":");
  es_buffer_json_string(out, race->id.data, race->id.length);
  es_buffer_text(out, ",");
  if (result->unsupported.data) {
    text(out, "\"unsupported\":", result->unsupported);
  } else if (race->lane_count == 1) {
    race_end(out, result, &result->ends[0], ",\"finish_reason\":");
  } else {
    es_buffer_text(out, "\"per_request\":{");
    for (size_t i = 0; i < race->lane_count; i++) {
      if (i > 0) es_buffer_bytes(out, ",", 1);
      es_buffer_json_string(out, race->lanes[i].data, race->lanes[i].length);
      es_buffer_text(out, ":{");
      race_end(out, result, &result->ends[i], ",\"finish\":");
      es_buffer_bytes(out, "}", 1);
    }
    es_buffer_text(out, "},\"finish_reason\":null");
  }
  es_buffer_text(out, "}\n");
}

static void finding(es_buffer *out, const es_finding *finding) {
  es_buffer_text(out, "{\"rule\":\"");
  es_buffer_text(out, finding->rule);
  es_buffer_text(out, "\",\"kind\":\"");
  es_buffer_text(out, es_kind_name(finding->kind));
  es_buffer_text(out, "\",\"by\":\"rule\"");
  if (finding->has_step) number(out, ",\"step\":", finding->step);
  if (finding->has_byte) number(out, ",\"byte\":", finding->byte);
  text(out, ",\"expected\":", finding->expected);
  text(out, ",\"actual\":", finding->actual);
  text(out, ",\"why\":", finding->why);
  es_buffer_bytes(out, "}", 1);
}

void es_write_verdict(es_buffer *out, const es_verdict *verdict) {
  static const char *const words[] = {"conforms", "violates", "unsupported", "unreadable"};
  es_buffer_text(out, "{\"format\":1,\"case\":");
  es_buffer_json_string(out, verdict->id.data, verdict->id.length);
  es_buffer_text(out, ",\"verdict\":\"");
  es_buffer_text(out, words[verdict->kind]);
  es_buffer_bytes(out, "\"", 1);
  if (verdict->why.data) {
    es_buffer_text(out, ",\"why\":");
    es_buffer_json_string(out, verdict->why.data, verdict->why.length);
  }
  es_buffer_text(out, ",\"faults\":[");
  for (size_t i = 0; i < verdict->count; i++) {
    if (i > 0) es_buffer_bytes(out, ",", 1);
    finding(out, &verdict->findings[i]);
  }
  es_buffer_text(out, "]}\n");
}
