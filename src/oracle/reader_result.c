/* A result: what an engine did, in a recording or as an adapter's answer. A fault here is a bad line. */
#include "reader_parts.h"

enum {
  CASE_ID,
  UNSUPPORTED,
  DELTAS,
  TEXT,
  FINISH_REASON,
  CAUSE,
  STOP_REASON,
  TOKENS,
  TOKEN_IDS,
  STOP_INDEX,
  DELTA_STEPS,
  TERMINAL,
  TERMINALS,
  PARAM,
  MESSAGE,
  MEMBERS
};
static const es_shape result_shape = {
    "result.",
    {ES_NAME("case"), ES_NAME("unsupported"), ES_NAME("deltas"), ES_NAME("text"), ES_NAME("finish_reason"),
     ES_NAME("cause"), ES_NAME("stop_reason"), ES_NAME("tokens"), ES_NAME("token_ids"), ES_NAME("stop_index"),
     ES_NAME("delta_steps"), ES_NAME("terminal"), ES_NAME("terminals"), ES_NAME("param"), ES_NAME("message")},
    MEMBERS};
static const es_shape hex_shape = {"result.deltas[].", {ES_NAME("hex")}, 1};
static const es_shape terminal_shape = {"result.terminal.", {ES_NAME("bytes"), ES_NAME("crc32c")}, 2};

static bool utf8(es_span bytes) {
  for (size_t at = 0, length; at < bytes.length; at += length)
    if ((length = es_character_length(bytes.data + at, bytes.length - at)) == 0) return false;
  return true;
}

/* Text, or the bytes of {"hex":"…"} where they are no UTF-8. */
static bool text_or_hex(es_reader *r, size_t place, es_span *bytes, bool *valid) {
  size_t hex;
  *valid = true;
  if (es_json_type_at(&r->json, place) == ES_JSON_TEXT) {
    *bytes = es_json_text_at(&r->json, place);
    return true;
  }
  if (es_json_type_at(&r->json, place) != ES_JSON_OBJECT) return es_reader_expected(r, place, "a text or {\"hex\":…}");
  if (!es_reader_members(r, place, &hex_shape, &hex)) return false;
  if (!es_json_given(&r->json, hex)) return es_reader_missing(r, place, "hex", "hexadecimal digits");
  if (!es_reader_hex(r, hex, bytes)) return false;
  *valid = utf8(*bytes);
  return true;
}

static bool deltas(es_reader *r, size_t place, es_result *result) {
  const es_json *json = &r->json;
  if (!es_reader_is_list(r, place)) return false;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at)) {
    es_delta *delta = es_vector_add(r, ES_VECTOR_DELTAS, sizeof *delta);
    if (!delta || !text_or_hex(r, at, &delta->bytes, &delta->valid)) return false;
  }
  result->has_deltas = true;
  result->deltas = r->vectors[ES_VECTOR_DELTAS].data;
  result->delta_count = r->vectors[ES_VECTOR_DELTAS].count;
  return true;
}

static bool delta_steps(es_reader *r, size_t place, es_result *result) {
  const es_json *json = &r->json;
  uint64_t step = 1;
  if (!es_reader_is_list(r, place)) return false;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at)) {
    uint64_t *entry = es_vector_add(r, ES_VECTOR_DELTA_STEPS, sizeof *entry);
    if (!entry) return false;
    if (!es_json_given(json, at)) return es_reader_expected(r, at, "the number of a step");
    if (!es_reader_number(r, at, (int64_t)step, ES_LARGEST_SIZE, &step)) return false; /* never falling */
    *entry = step;
  }
  size_t count = r->vectors[ES_VECTOR_DELTA_STEPS].count;
  if (!result->has_deltas || count != result->delta_count)
    return es_reader_bad(r, place, "expected one entry for each of %zu deltas, found %zu", result->delta_count, count);
  result->has_delta_steps = true;
  result->delta_steps = r->vectors[ES_VECTOR_DELTA_STEPS].data;
  return true;
}

/* A list of token ids. */
static bool ids(es_reader *r, size_t place, es_vector_name vector) {
  const es_json *json = &r->json;
  if (!es_reader_is_list(r, place)) return false;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at)) {
    uint32_t *id = es_vector_add(r, vector, sizeof *id);
    uint64_t value = 0;
    if (!id) return false;
    if (!es_json_given(json, at)) return es_reader_expected(r, at, "a token id");
    if (!es_reader_number(r, at, 0, ES_LARGEST_ID, &value)) return false;
    *id = (uint32_t)value;
  }
  return true;
}

static bool stop_reason(es_reader *r, size_t place, es_result *result) {
  es_vector *vector = &r->vectors[ES_VECTOR_STOP_REASON_IDS];
  uint64_t value = 0;
  uint32_t *id;
  switch (es_json_type_at(&r->json, place)) {
  case ES_JSON_NULL:
    result->stop_reason_kind = ES_REASON_NULL;
    return true;
  case ES_JSON_TEXT:
    result->stop_reason_kind = ES_REASON_TEXT;
    result->stop_reason = es_json_text_at(&r->json, place);
    return true;
  case ES_JSON_INTEGER:
    if (!es_reader_number(r, place, 0, ES_LARGEST_ID, &value)) return false;
    if (!(id = es_vector_add(r, ES_VECTOR_STOP_REASON_IDS, sizeof *id))) return false;
    *id = (uint32_t)value;
    result->stop_reason_kind = ES_REASON_ID;
    break;
  case ES_JSON_LIST:
    if (!ids(r, place, ES_VECTOR_STOP_REASON_IDS)) return false;
    result->stop_reason_kind = ES_REASON_IDS;
    break;
  default:
    return es_reader_expected(r, place, "a text, a token id, a list of token ids or null");
  }
  result->stop_reason_ids = vector->data;
  result->stop_reason_count = vector->count;
  return true;
}

static bool cause(es_reader *r, size_t place, es_result *result) {
  static const char *const words[] = {"stop_string", "stop_token",   "stop_sequence",   "eos",      "max_tokens",
                                      "max_context", "repetition",   "abort",           "deadline", "external",
                                      "disconnect",  "engine_error", "invalid_request", "open"};
  if (!es_json_given(&r->json, place)) return true;
  if (!es_reader_text(r, place, &result->cause)) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (result->cause.length == strlen(words[i]) && memcmp(result->cause.data, words[i], result->cause.length) == 0)
      return true;
  return es_reader_expected(r, place, "a cause such as \"stop_string\" or \"eos\"");
}

/* Eight lower-case digits, so that equal sums are equal texts. */
static bool crc32c(es_reader *r, size_t place, uint32_t *sum) {
  es_span text =
      es_json_type_at(&r->json, place) == ES_JSON_TEXT ? es_json_text_at(&r->json, place) : (es_span){NULL, 0};
  bool good = text.length == 8;
  *sum = 0;
  for (size_t i = 0; good && i < 8; i++) {
    char c = text.data[i];
    good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    *sum = *sum << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return good || es_reader_expected(r, place, "eight lower-case hexadecimal digits");
}

static bool terminal(es_reader *r, size_t place, es_result *result) {
  size_t found[2];
  if (!es_reader_members(r, place, &terminal_shape, found)) return false;
  if (!es_json_given(&r->json, found[0])) return es_reader_missing(r, place, "bytes", "the bytes of the joined deltas");
  if (!es_json_given(&r->json, found[1]))
    return es_reader_missing(r, place, "crc32c", "the CRC-32C of the joined deltas");
  result->has_terminal = true;
  return es_reader_number(r, found[0], 0, ES_LARGEST_SIZE, &result->terminal_bytes) &&
         crc32c(r, found[1], &result->terminal_crc32c);
}

static bool count(es_reader *r, size_t place, bool *has, uint64_t *out) {
  *has = es_json_given(&r->json, place);
  return es_reader_number(r, place, 0, ES_LARGEST_SIZE, out);
}

bool es_reader_result(es_reader *r, size_t place, es_result *result) {
  const es_json *json = &r->json;
  size_t found[MEMBERS];
  if (!es_reader_members(r, place, &result_shape, found)) return false;
  if (!es_reader_text(r, found[CASE_ID], &result->id) || !es_reader_text(r, found[UNSUPPORTED], &result->unsupported) ||
      !es_reader_text(r, found[FINISH_REASON], &result->finish_reason) || !cause(r, found[CAUSE], result) ||
      !es_reader_text(r, found[PARAM], &result->param) || !es_reader_text(r, found[MESSAGE], &result->message))
    return false;
  bool something = false;
  for (size_t member = 0; member < MEMBERS; member++)
    something = something || (member != CASE_ID && es_json_given(json, found[member]));
  something = something || found[FINISH_REASON] != ES_JSON_ABSENT || found[STOP_REASON] != ES_JSON_ABSENT;
  if (!something) return es_reader_expected(r, place, "at least one member of a result besides case that is not null");
  result->has_finish_reason = found[FINISH_REASON] != ES_JSON_ABSENT; /* null says that the lane is open */
  if (es_json_given(json, found[DELTAS]) && !deltas(r, found[DELTAS], result)) return false;
  if (es_json_given(json, found[DELTA_STEPS]) && !delta_steps(r, found[DELTA_STEPS], result)) return false;
  if (es_json_given(json, found[TEXT]) && !text_or_hex(r, found[TEXT], &result->text, &result->text_valid))
    return false;
  if (found[STOP_REASON] && !stop_reason(r, found[STOP_REASON], result)) return false;
  if (es_json_given(json, found[TOKEN_IDS])) {
    if (!ids(r, found[TOKEN_IDS], ES_VECTOR_TOKEN_IDS)) return false;
    result->has_token_ids = true;
    result->token_ids = r->vectors[ES_VECTOR_TOKEN_IDS].data;
    result->token_id_count = r->vectors[ES_VECTOR_TOKEN_IDS].count;
  }
  if (es_json_given(json, found[TERMINAL]) && !terminal(r, found[TERMINAL], result)) return false;
  return count(r, found[TOKENS], &result->has_tokens, &result->tokens) &&
         count(r, found[STOP_INDEX], &result->has_stop_index, &result->stop_index) &&
         count(r, found[TERMINALS], &result->has_terminals, &result->terminals);
}
