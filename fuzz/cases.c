#include "cases.h"

#include "utf8.h"

const int8_t fuzz_priorities[8] = {0, 0, 0, 1, 2, -1, 127, -128};
const char *const fuzz_reasons[4] = {"content_filter", "tool_calls", "error", "grammar: no way on"};

void fuzz_case_reset(fuzz_case *made) {
  made->c = (es_case){.id = es_span_of("fuzz"), .has_steps = true};
  es_request *request = &made->c.request;
  request->stops = made->stops;
  request->stop_ids = made->stop_ids;
  request->eos_ids = made->eos_ids;
  request->sequence_ids = made->sequence_ids;
  request->sequences = made->sequences;
  request->skip_special = true;
  request->max_tokens = request->max_context = request->deadline_steps = ES_NO_LIMIT;
  request->flush = (es_flush){ES_FLUSH_STEPS, 1};
  made->c.tokens = made->tokens;
  made->c.steps = made->steps;
  made->c.sink = made->sink;
}

void fuzz_read_cut(fuzz_cut *cut, fuzz_input *in) {
  uint8_t count = fuzz_control(in);
  cut->count = (count & 127u) % (FUZZ_TOKENS + 1);
  cut->taken = count < 128;
  for (uint32_t t = 0; t < cut->count; t++) {
    if (in->length == 0) cut->count = t + 1; /* nothing is left to cut */
    cut->tokens[t] = fuzz_control(in);
    cut->bytes[t] = (cut->tokens[t] & 7) == 7 ? fuzz_control(in) : cut->tokens[t] & 7;
  }
}

void fuzz_read_flush(es_flush *flush, fuzz_input *in) {
  uint8_t chosen = fuzz_control(in);
  flush->kind = (es_flush_kind)(chosen % ES_FLUSH_MS); /* a case has no times */
  flush->n = chosen < 192 ? 1 + chosen / ES_FLUSH_MS % 8 : 1000;
}

void fuzz_read_sink(fuzz_case *made, fuzz_input *in, es_sink_answer last) {
  made->c.sink_count = fuzz_below(in, FUZZ_OFFERS + 1);
  for (size_t i = 0; i < made->c.sink_count; i++) made->sink[i] = (es_sink_answer)fuzz_below(in, (uint32_t)last + 1);
}

void fuzz_read_stops(fuzz_stop_choice *stops, fuzz_input *in) {
  stops->count = fuzz_below(in, FUZZ_STOPS + 1);
  for (uint32_t s = 0; s < stops->count; s++) {
    stops->offset[s] = fuzz_control(in);
    stops->length[s] = fuzz_control(in);
  }
}

void fuzz_choose_stops(fuzz_case *made, const fuzz_stop_choice *stops, const uint8_t *text, size_t length) {
  made->c.request.text = text;
  for (uint32_t s = 0; s < stops->count && length > 0; s++) {
    size_t offset = stops->offset[s] % length;
    size_t bytes = stops->length[s] % 32;
    if (bytes > length - offset) bytes = length - offset;
    fuzz_add_stop(made, offset, bytes, fuzz_priorities[stops->length[s] / 32]);
  }
}

void fuzz_show_all(fuzz_cut *cut) {
  for (uint32_t t = 0; t < cut->count; t++) cut->tokens[t] &= 0x7F;
}

bool fuzz_add_stop(fuzz_case *made, size_t offset, size_t length, int32_t priority) {
  es_request *request = &made->c.request;
  if (request->stop_count == FUZZ_STOPS || length == 0 || length > es_default_bounds.stop_bytes) return false;
  if (!es_utf8_valid(request->text + offset, (uint32_t)length)) return false;
  made->stops[request->stop_count++] = (es_stop){(uint32_t)offset, (uint32_t)length, priority};
  return true;
}

size_t fuzz_taken(const fuzz_cut *cut, size_t length) {
  size_t taken = 0;
  for (uint32_t t = 0; t < cut->count; t++) taken += cut->bytes[t];
  return cut->taken || taken > length ? length : taken;
}

void fuzz_cut_text(fuzz_case *made, const uint8_t *text, size_t length, const fuzz_cut *cut) {
  es_case *c = &made->c;
  size_t at = 0;
  c->token_count = c->step_count = 0;
  for (uint32_t t = 0; t <= cut->count; t++) {
    bool rest = t == cut->count;
    if (rest && (!cut->taken || at == length)) break;
    uint8_t control = rest ? 0x40 : cut->tokens[t];
    size_t bytes = rest || cut->bytes[t] > length - at ? length - at : cut->bytes[t];
    if (t == 0 || (control & 0x40)) made->steps[c->step_count++] = (es_step){t, 0};
    made->steps[c->step_count - 1].count++;
    es_span span = {bytes > 0 ? (const char *)text + at : "", bytes};
    made->tokens[c->token_count++] = (es_token){control >> 3 & 7, (control & 0x80) != 0, span};
    at += bytes;
  }
}

/* None, or a number below 16, or one below 64. */
static uint32_t read_limit(fuzz_input *in) {
  uint8_t chosen = fuzz_control(in);
  return chosen < 128 ? ES_NO_LIMIT : chosen < 192 ? chosen % 16 : chosen % 64;
}

static uint32_t read_ids(uint32_t *ids, uint32_t count, fuzz_input *in) {
  for (uint32_t i = 0; i < count; i++) ids[i] = fuzz_below(in, 8);
  return count;
}

/* Few ids, now and then more. */
static uint32_t read_list(uint32_t *ids, fuzz_input *in) {
  uint8_t chosen = fuzz_control(in);
  uint32_t few = chosen % (FUZZ_IDS + 1);
  return read_ids(ids, chosen < 240 ? few : FUZZ_IDS + 1 + few, in);
}

static void read_sequences(fuzz_case *made, fuzz_input *in) {
  es_request *request = &made->c.request;
  request->sequence_count = fuzz_below(in, FUZZ_SEQUENCES + 1);
  for (uint32_t s = 0; s < request->sequence_count; s++) {
    uint32_t offset = s * FUZZ_IDS;
    uint32_t length = read_ids(made->sequence_ids + offset, fuzz_below(in, FUZZ_IDS), in);
    if (length == 0) made->sequence_ids[offset] = 0, length = 1;
    made->sequences[s] = (es_sequence){offset, length};
  }
}

static void read_options(fuzz_case *made, fuzz_input *in) {
  es_request *request = &made->c.request;
  uint8_t options = fuzz_control(in);
  request->include_stop = options & 1;
  request->skip_special = !(options & 2);
  request->ignore_eos = options & 4;
  if (options & 8) {
    request->max_tokens = read_limit(in);
    request->max_context = read_limit(in);
    request->prompt_tokens = fuzz_below(in, 8);
    request->deadline_steps = read_limit(in);
  }
  if (options & 16) {
    request->min_tokens = fuzz_below(in, 8);
    if (request->min_tokens > request->max_tokens) request->min_tokens = request->max_tokens;
  }
  if (options & 32) {
    request->stop_id_count = read_list(made->stop_ids, in);
    request->eos_id_count = read_list(made->eos_ids, in);
    read_sequences(made, in);
  }
  if (options & 64) {
    request->max_period = 1 + fuzz_below(in, 4);
    request->min_repeats = 2 + fuzz_below(in, 3);
  }
  if (options & 128) {
    uint8_t ends = fuzz_control(in);
    made->c.has_abort = ends & 1;
    made->c.abort_after_step = ends >> 2 & 7;
    uint8_t cut = fuzz_control(in);
    made->c.external = (es_external_end){ends & 2, ends >> 5, cut % 64, es_span_of(fuzz_reasons[cut / 64])};
  }
}

void fuzz_case_read(fuzz_case *made, fuzz_input in) {
  fuzz_case_reset(made);
  read_options(made, &in);
  fuzz_read_flush(&made->c.request.flush, &in);
  fuzz_stop_choice stops;
  fuzz_read_stops(&stops, &in);
  fuzz_read_sink(made, &in, ES_SINK_GONE);
  fuzz_cut cut;
  fuzz_read_cut(&cut, &in);
  fuzz_choose_stops(made, &stops, in.bytes, in.length);
  fuzz_cut_text(made, in.bytes, in.length, &cut);
}

void fuzz_split_read(fuzz_case *made, fuzz_split *cuts, fuzz_input *in) {
  fuzz_case_reset(made);
  made->c.request.include_stop = fuzz_below(in, 2);
  fuzz_read_flush(&cuts->flush, in);
  fuzz_stop_choice stops;
  fuzz_read_stops(&stops, in);
  fuzz_read_sink(made, in, ES_SINK_GONE);
  cuts->offers = made->c.sink_count;
  fuzz_read_cut(&cuts->plain, in);
  fuzz_read_cut(&cuts->other, in);
  fuzz_show_all(&cuts->plain), fuzz_show_all(&cuts->other);
  fuzz_choose_stops(made, &stops, in->bytes, in->length);
  cuts->taken = fuzz_taken(&cuts->plain, in->length);
  cuts->other.taken = true; /* the same text */
}

static bool same_ids(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count) {
  return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
}

static bool same_deltas(const es_result *a, const es_result *b) {
  if (a->delta_count != b->delta_count) return false;
  for (size_t i = 0; i < a->delta_count; i++)
    if (!es_span_same(a->deltas[i].bytes, b->deltas[i].bytes)) return false;
  return true;
}

static bool same_reason(const es_result *a, const es_result *b) {
  return a->stop_reason_kind == b->stop_reason_kind && es_span_same(a->stop_reason, b->stop_reason) &&
         same_ids(a->stop_reason_ids, a->stop_reason_count, b->stop_reason_ids, b->stop_reason_count);
}

const char *fuzz_difference(const es_result *a, const es_result *b) {
  if (!es_span_same(a->cause, b->cause)) return "cause";
  if (!es_span_same(a->finish_reason, b->finish_reason)) return "finish_reason";
  if (a->has_stop_index != b->has_stop_index || a->stop_index != b->stop_index) return "stop_index";
  if (!same_reason(a, b)) return "stop_reason";
  if (a->tokens != b->tokens) return "tokens";
  if (!same_ids(a->token_ids, a->token_id_count, b->token_ids, b->token_id_count)) return "token_ids";
  if (!es_span_same(a->text, b->text)) return "text";
  if (!same_deltas(a, b)) return "deltas";
  if (a->terminals != b->terminals || a->has_terminal != b->has_terminal) return "terminals";
  if (a->terminal_bytes != b->terminal_bytes || a->terminal_crc32c != b->terminal_crc32c) return "terminal";
  return NULL;
}

static void note_span(fuzz_seen *seen, es_span span) {
  fuzz_note(seen, span.data, span.length);
}

void fuzz_note_result(fuzz_seen *seen, const es_result *result) {
  note_span(seen, result->cause);
  note_span(seen, result->text);
  note_span(seen, result->stop_reason);
  fuzz_note(seen, result->token_ids, result->token_id_count * sizeof *result->token_ids);
  fuzz_note_number(seen, result->stop_index);
  fuzz_note_number(seen, result->terminals);
  fuzz_note_number(seen, result->terminal_crc32c);
  for (size_t i = 0; i < result->delta_count; i++) fuzz_note_number(seen, result->deltas[i].bytes.length);
}
