/* print: stands in the place of answers.c and of the fuzzer's main. The case that a harness makes of an input is printed
 * as a line of spec/formats.md; nothing is compared. A line cannot say all that an input can: the same id has the same
 * bytes. Where an id means nothing to the request, another occurrence gets an id of its own. */
#include <stdio.h>
#include <stdlib.h>

#include "answers.h"
#include "buffer.h"

void *fuzz_new(void) {
  fuzz_answers *with = fuzz_room(sizeof *with);
  with->run = es_run_new();
  with->other = es_run_new();
  with->model = NULL;
  fuzz_demand(with->run && with->other, "there is memory");
  return with;
}

void fuzz_free(void *memory) {
  fuzz_answers *with = memory;
  es_run_free(with->run);
  es_run_free(with->other);
  free(with);
}

static bool among(const uint32_t *ids, uint32_t count, uint32_t id) {
  for (uint32_t i = 0; i < count; i++)
    if (ids[i] == id) return true;
  return false;
}

/* Whether the request would see that a token has another id. */
static bool means(const es_request *r, uint32_t id) {
  if (r->max_period != 0 || among(r->stop_ids, r->stop_id_count, id) || among(r->eos_ids, r->eos_id_count, id))
    return true;
  for (uint32_t s = 0; s < r->sequence_count; s++)
    if (among(r->sequence_ids + r->sequences[s].offset, r->sequences[s].length, id)) return true;
  return false;
}

static bool same_token(es_token a, es_token b) {
  return a.special == b.special && es_span_same(a.bytes, b.bytes);
}

/* An id for each token, so that the same one has the same bytes. */
static bool number_tokens(const es_case *c, uint32_t *ids) {
  for (size_t t = 0; t < c->token_count; t++) {
    ids[t] = c->tokens[t].id;
    for (size_t before = 0; before < t; before++) {
      bool same = c->tokens[before].id == c->tokens[t].id && same_token(c->tokens[before], c->tokens[t]);
      if (same) ids[t] = ids[before];
      if (same) break;
      if (ids[before] != ids[t]) continue;
      if (means(&c->request, c->tokens[t].id)) return false;
      ids[t] = 100 + (uint32_t)t;
    }
  }
  return true;
}

static void put_ids(es_buffer *out, const char *name, const uint32_t *ids, uint32_t count) {
  if (count == 0) return;
  es_buffer_format(out, "\"%s\":[", name);
  for (uint32_t i = 0; i < count; i++) es_buffer_format(out, "%s%u", i > 0 ? "," : "", ids[i]);
  es_buffer_text(out, "],");
}

static void put_limit(es_buffer *out, const char *name, uint32_t limit, uint32_t none) {
  if (limit != none) es_buffer_format(out, "\"%s\":%u,", name, limit);
}

static void put_stops(es_buffer *out, const es_request *r) {
  es_buffer_text(out, "\"stop\":[");
  for (uint32_t s = 0; s < r->stop_count; s++) {
    es_buffer_text(out, s > 0 ? ",{\"text\":" : "{\"text\":");
    es_buffer_json_string(out, r->text + r->stops[s].offset, r->stops[s].length);
    es_buffer_format(out, ",\"priority\":%d}", (int)r->stops[s].priority);
  }
  es_buffer_text(out, "],");
}

static void put_request(es_buffer *out, const es_request *r) {
  static const char *const kinds[] = {"steps", "bytes", "tokens", "ms"};
  es_buffer_text(out, "\"request\":{");
  put_stops(out, r);
  put_ids(out, "stop_token_ids", r->stop_ids, r->stop_id_count);
  put_ids(out, "eos_token_ids", r->eos_ids, r->eos_id_count);
  if (r->sequence_count > 0) {
    es_buffer_text(out, "\"stop_token_sequences\":[");
    for (uint32_t s = 0; s < r->sequence_count; s++)
      for (uint32_t i = 0; i < r->sequences[s].length; i++)
        es_buffer_format(out, "%s%u%s",
                         i > 0   ? ","
                         : s > 0 ? ",["
                                 : "[",
                         r->sequence_ids[r->sequences[s].offset + i], i + 1 == r->sequences[s].length ? "]" : "");
    es_buffer_text(out, "],");
  }
  if (r->ignore_eos) es_buffer_text(out, "\"ignore_eos\":true,");
  if (r->include_stop) es_buffer_text(out, "\"include_stop_str_in_output\":true,");
  if (!r->skip_special) es_buffer_text(out, "\"skip_special_tokens\":false,");
  put_limit(out, "min_tokens", r->min_tokens, 0);
  put_limit(out, "max_tokens", r->max_tokens, ES_NO_LIMIT);
  put_limit(out, "max_context", r->max_context, ES_NO_LIMIT);
  put_limit(out, "deadline_steps", r->deadline_steps, ES_NO_LIMIT);
  if (r->max_period != 0)
    es_buffer_format(out, "\"repetition\":{\"max_period\":%u,\"min_repeats\":%u},", r->max_period, r->min_repeats);
  es_buffer_format(out, "\"flush\":{\"%s\":%u}},", kinds[r->flush.kind], r->flush.n);
  put_limit(out, "prompt_tokens", r->prompt_tokens, 0);
}

static void put_steps(es_buffer *out, const es_case *c, const uint32_t *ids) {
  es_buffer_text(out, "\"steps\":[");
  for (size_t s = 0; s < c->step_count; s++) {
    es_buffer_text(out, s > 0 ? ",[" : "[");
    for (size_t t = c->steps[s].first; t < c->steps[s].first + c->steps[s].count; t++) {
      es_span bytes = c->tokens[t].bytes;
      es_buffer_format(out, "%s{\"id\":%u,\"hex\":\"", t > c->steps[s].first ? "," : "", ids[t]);
      for (size_t i = 0; i < bytes.length; i++) es_buffer_format(out, "%02x", (unsigned)(uint8_t)bytes.data[i]);
      es_buffer_text(out, c->tokens[t].special ? "\",\"special\":true}" : "\"}");
    }
    es_buffer_text(out, "]");
  }
  es_buffer_text(out, "]");
}

static void put_ends(es_buffer *out, const es_case *c) {
  static const char *const answers[] = {"ok", "later", "gone"};
  if (c->has_abort) es_buffer_format(out, ",\"abort_after_step\":%u", (unsigned)c->abort_after_step);
  if (c->external.present) {
    es_buffer_format(out,
                     ",\"external_end\":{\"after_step\":%u,\"cut\":%u,\"reason\":", (unsigned)c->external.after_step,
                     (unsigned)c->external.cut);
    es_buffer_json_string(out, c->external.reason.data, c->external.reason.length);
    es_buffer_text(out, "}");
  }
  for (size_t i = 0; i < c->sink_count; i++)
    es_buffer_format(out, "%s\"%s\"%s", i > 0 ? "," : ",\"sink\":[", answers[c->sink[i]],
                     i + 1 == c->sink_count ? "]" : "");
}

static void print(const es_case *c) {
  uint32_t *ids = fuzz_room(c->token_count * sizeof *ids);
  es_buffer out = {0};
  if (number_tokens(c, ids)) {
    es_buffer_text(&out, "{\"case\":\"fuzz\",");
    put_request(&out, &c->request);
    put_steps(&out, c, ids);
    put_ends(&out, c);
    printf("%.*s}\n", (int)out.length, out.data);
  } else
    fprintf(stderr, "an id that the request looks at has other bytes each time: no line can say that\n");
  fflush(stdout); /* what is run next may crash */
  es_buffer_free(&out);
  free(ids);
}

const es_result *fuzz_ask(fuzz_answers *with, es_run *run) {
  print(&with->made.c);
  const es_result *result = es_run_case(run, &with->made.c);
  fuzz_demand(result != NULL, "a case is answered");
  return result;
}

fuzz_seen fuzz_compare(fuzz_answers *with, fuzz_pass pass) {
  (void)pass;
  print(&with->made.c);
  return FUZZ_NOTHING;
}

int main(int argc, char **argv) {
  static uint8_t read[1 << 20];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) {
    fprintf(stderr, "print-%s: expected a file that can be read\n", fuzz_name);
    return 2;
  }
  size_t length = fread(read, 1, sizeof read, file);
  fclose(file);
  void *memory = fuzz_new();
  fuzz_one(memory, (fuzz_input){read, length}, FUZZ_LAWS);
  fuzz_free(memory);
  return 0;
}
