/* encode: writes the cases of the corpus as inputs, for each harness whose form can say them.
 *
 *     encode FOLDER FILE.jsonl…     writes FOLDER/HARNESS/CASE
 *
 * What is written for lane and split is read again as those do, and must be the same case; only its ids may have other
 * numbers. */
#include "encode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader.h"

const char fuzz_name[] = "encode";

void fuzz_put(fuzz_written *to, uint64_t control, uint64_t below) {
  to->fits = to->fits && control < below && to->count < sizeof to->controls;
  if (to->fits) to->controls[to->count++] = (uint8_t)control;
}

void fuzz_put_head(fuzz_written *to, const void *bytes, size_t length) {
  to->fits = to->fits && length <= sizeof to->head - to->length;
  if (!to->fits || length == 0) return;
  memcpy(to->head + to->length, bytes, length);
  to->length += length;
}

size_t fuzz_place(fuzz_written *to, const uint8_t *bytes, size_t length) {
  for (size_t at = 0; at + length <= to->length; at++)
    if (memcmp(to->head + at, bytes, length) == 0) return at;
  fuzz_put_head(to, bytes, length);
  return to->length - length;
}

static void put_limit(fuzz_written *to, uint32_t limit) {
  fuzz_put(to, limit == ES_NO_LIMIT ? 0 : limit < 16 ? 128 + limit : limit < 64 ? 192 + limit : 256, 256);
}

static void put_flush(fuzz_written *to, es_flush flush) {
  to->fits = to->fits && flush.kind < ES_FLUSH_MS;
  fuzz_put(to, flush.n == 1000 ? 192 + flush.kind : flush.n > 8 ? 256 : (flush.n - 1) * ES_FLUSH_MS + flush.kind, 256);
}

static void put_ids(fuzz_written *to, const fuzz_names *known, const uint32_t *ids, uint32_t count) {
  for (uint32_t i = 0; i < count && to->fits; i++) fuzz_put(to, fuzz_number(known, ids[i]), 8);
}

static void put_list(fuzz_written *to, const fuzz_names *known, const uint32_t *ids, uint32_t count) {
  fuzz_put(to, count <= FUZZ_IDS ? count : count <= FUZZ_LISTED ? 240 + count - FUZZ_IDS - 1 : 256, 256);
  put_ids(to, known, ids, count);
}

static void put_text(fuzz_written *to, const es_case *c) {
  for (size_t t = 0; t < c->token_count; t++) fuzz_put_head(to, c->tokens[t].bytes.data, c->tokens[t].bytes.length);
}

static void put_stops(fuzz_written *to, const es_request *r) {
  fuzz_put(to, r->stop_count, FUZZ_STOPS + 1);
  for (uint32_t s = 0; s < r->stop_count && to->fits; s++) {
    uint32_t code = 0;
    while (code < 8 && fuzz_priorities[code] != r->stops[s].priority) code++;
    to->fits = r->stops[s].length < 32 && code < 8;
    fuzz_put(to, fuzz_place(to, r->text + r->stops[s].offset, r->stops[s].length), 256);
    fuzz_put(to, r->stops[s].length + 32 * code, 256);
  }
}

static void put_sink(fuzz_written *to, const es_case *c) {
  fuzz_put(to, c->sink_count, FUZZ_OFFERS + 1);
  for (size_t i = 0; i < c->sink_count; i++) fuzz_put(to, c->sink[i], ES_SINK_GONE + 1);
}

/* The tokens of the case, and none after them. A step without tokens cannot be said. */
static void put_cut(fuzz_written *to, const es_case *c, const fuzz_names *known) {
  to->fits = to->fits && c->token_count <= FUZZ_TOKENS;
  fuzz_put(to, 128 + c->token_count, 256);
  for (size_t s = 0; s < c->step_count; s++) {
    to->fits = to->fits && c->steps[s].count > 0;
    for (size_t i = 0; i < c->steps[s].count && to->fits; i++) {
      const es_token *token = c->tokens + c->steps[s].first + i;
      size_t bytes = token->bytes.length;
      uint32_t number = fuzz_number(known, token->id);
      to->fits = number < 8;
      fuzz_put(to, (bytes < 7 ? bytes : 7) + number * 8 + (i == 0) * 64u + token->special * 128u, 256);
      if (bytes >= 7) fuzz_put(to, bytes, 256);
    }
  }
}

static void put_options(fuzz_written *to, const es_case *c, const fuzz_names *known) {
  const es_request *r = &c->request;
  bool limited = r->max_tokens != ES_NO_LIMIT || r->max_context != ES_NO_LIMIT || r->deadline_steps != ES_NO_LIMIT ||
                 r->prompt_tokens > 0;
  bool listed = r->stop_id_count + r->eos_id_count + r->sequence_count > 0;
  bool ended = c->has_abort || c->external.present;
  fuzz_put(to,
           r->include_stop + !r->skip_special * 2u + r->ignore_eos * 4u + limited * 8u + (r->min_tokens > 0) * 16u +
               listed * 32u + (r->max_period > 0) * 64u + ended * 128u,
           256);
  if (limited) {
    put_limit(to, r->max_tokens), put_limit(to, r->max_context);
    fuzz_put(to, r->prompt_tokens, 8);
    put_limit(to, r->deadline_steps);
  }
  if (r->min_tokens > 0) fuzz_put(to, r->min_tokens, 8);
  if (listed) {
    put_list(to, known, r->stop_ids, r->stop_id_count);
    put_list(to, known, r->eos_ids, r->eos_id_count);
    fuzz_put(to, r->sequence_count, FUZZ_SEQUENCES + 1);
    for (uint32_t s = 0; s < r->sequence_count && to->fits; s++) {
      fuzz_put(to, r->sequences[s].length, FUZZ_IDS);
      put_ids(to, known, r->sequence_ids + r->sequences[s].offset, r->sequences[s].length);
    }
  }
  if (r->max_period > 0) fuzz_put(to, r->max_period - 1, 4), fuzz_put(to, r->min_repeats - 2, 3);
  if (ended) {
    uint32_t reason = 0;
    while (c->external.present && reason < 4 && !es_span_same(c->external.reason, es_span_of(fuzz_reasons[reason])))
      reason++;
    to->fits = to->fits && reason < 4 && c->external.cut < 64 && c->abort_after_step < 8 && c->external.after_step < 8;
    fuzz_put(to, c->has_abort + c->external.present * 2u + c->abort_after_step * 4 + c->external.after_step * 32, 256);
    fuzz_put(to, c->external.cut + reason * 64, 256);
  }
}

static void encode_lane(fuzz_written *to, const es_case *c) {
  fuzz_names known = fuzz_name_all(c);
  put_text(to, c);
  put_options(to, c, &known);
  put_flush(to, c->request.flush);
  put_stops(to, &c->request);
  put_sink(to, c);
  put_cut(to, c, &known);
}

/* As the case cuts it, and, with its sink and flush policy, in two. */
static void encode_split(fuzz_written *to, const es_case *c) {
  fuzz_names one = {{0}, 8}; /* ids do not matter here */
  es_case plain = *c;
  es_token tokens[FUZZ_TOKENS];
  to->fits = c->token_count <= FUZZ_TOKENS;
  for (size_t t = 0; t < c->token_count && to->fits; t++) tokens[t] = (es_token){0, false, c->tokens[t].bytes};
  plain.tokens = tokens;
  put_text(to, c);
  size_t half = to->length / 2;
  fuzz_put(to, c->request.include_stop, 2);
  put_flush(to, c->request.flush);
  put_stops(to, &c->request);
  put_sink(to, c);
  put_cut(to, &plain, &one);
  fuzz_put(to, 1, 256);
  fuzz_put(to, 64 + 7, 256);
  fuzz_put(to, half, 256);
}

/* What split reads, put together to the case that it came from. */
static bool same_split(const es_case *c, fuzz_input in) {
  fuzz_case made;
  fuzz_split cuts;
  fuzz_split_read(&made, &cuts, &in);
  made.c.request.flush = cuts.flush;
  fuzz_cut_text(&made, in.bytes, cuts.taken, &cuts.plain);
  es_case plain = *c;
  es_token *tokens = fuzz_room((c->token_count + 1) * sizeof *tokens);
  for (size_t t = 0; t < c->token_count; t++) tokens[t] = (es_token){0, false, c->tokens[t].bytes};
  plain.tokens = tokens;
  bool same = fuzz_same_case(&plain, &made.c);
  free(tokens);
  return same;
}

/* A request that has no more than what split's may have. */
static bool is_plain(const es_case *c) {
  const es_request *r = &c->request;
  for (size_t t = 0; t < c->token_count; t++)
    if (c->tokens[t].special) return false;
  return !c->has_abort && !c->external.present && r->skip_special && r->stop_id_count + r->eos_id_count == 0 &&
         r->sequence_count == 0 && r->min_tokens == 0 && r->max_tokens == ES_NO_LIMIT && r->max_period == 0 &&
         r->max_context == ES_NO_LIMIT && r->deadline_steps == ES_NO_LIMIT && r->prompt_tokens == 0 && !r->ignore_eos;
}

static size_t written;

static fuzz_input put_together(const fuzz_written *w, uint8_t *bytes) {
  memcpy(bytes, w->head, w->length);
  for (size_t i = 0; i < w->count; i++) bytes[w->length + w->count - 1 - i] = w->controls[i];
  return (fuzz_input){bytes, w->length + w->count};
}

static void write_input(const char *folder, const char *harness, es_span id, const fuzz_written *w) {
  if (!w->fits) return;
  uint8_t bytes[sizeof w->head + sizeof w->controls];
  fuzz_input in = put_together(w, bytes);
  char path[1024], safe[100];
  size_t length = id.length < sizeof safe - 1 ? id.length : sizeof safe - 1;
  for (size_t i = 0; i < length; i++) safe[i] = strchr("/ .'\"", id.data[i]) == NULL ? id.data[i] : '_';
  safe[length] = '\0';
  if (snprintf(path, sizeof path, "%s/%s", folder, harness) < (int)sizeof path) mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/%s/%s", folder, harness, safe);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(in.bytes, 1, in.length, file) != in.length || fclose(file) != 0) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(2);
  }
  written++;
}

static void encode_case(const char *folder, const es_case *c, es_run *run) {
  fuzz_written w[6];
  uint8_t bytes[sizeof w->head + sizeof w->controls];
  for (int i = 0; i < 6; i++) w[i].length = w[i].count = 0, w[i].fits = true;
  encode_lane(&w[0], c);
  fuzz_case read;
  if (w[0].fits) fuzz_case_read(&read, put_together(&w[0], bytes));
  if (w[0].fits) fuzz_demand(fuzz_same_case(c, &read.c), "lane reads the case that was written");
  write_input(folder, "lane", c->id, &w[0]);
  if (is_plain(c)) {
    encode_split(&w[1], c);
    if (w[1].fits) fuzz_demand(same_split(c, put_together(&w[1], bytes)), "split reads the case that was written");
    write_input(folder, "split", c->id, &w[1]);
  }
  fuzz_encode_stops(&w[2], c);
  write_input(folder, "stops", c->id, &w[2]);
  if (c->request.stop_count + c->request.sequence_count > 0)
    fuzz_encode_matcher(&w[3], c), write_input(folder, "matcher", c->id, &w[3]);
  fuzz_encode_utf8(&w[4], c);
  write_input(folder, "utf8", c->id, &w[4]);
  const es_result *result = es_run_case(run, c);
  if (result == NULL || result->unsupported.data != NULL) return;
  fuzz_encode_guard(&w[5], c, run);
  write_input(folder, "guard", c->id, &w[5]);
}

static void encode_file(const char *folder, const char *path, es_run *run) {
  char place[512];
  const char *slash = strrchr(path, '/');
  snprintf(place, sizeof place, "%.*s", slash == NULL ? 1 : (int)(slash - path), slash == NULL ? "." : path);
  FILE *file = fopen(path, "r");
  es_reader *reader = file == NULL ? NULL : es_reader_new(file, (es_reader_options){.folder = place});
  if (reader == NULL) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(2);
  }
  es_case c;
  es_result recorded;
  bool has_result;
  es_bad_line bad;
  for (es_line line; (line = es_reader_next(reader, &c, &recorded, &has_result, &bad)) != ES_LINE_END;) {
    if (line == ES_LINE_ERROR) exit(2);
    if (line == ES_LINE_CASE && !c.refused && c.has_steps) encode_case(folder, &c, run);
    if (line != ES_LINE_RACE) continue;
    fuzz_written w = {.fits = true};
    fuzz_encode_race(&w, es_reader_race(reader));
    write_input(folder, "race", c.id, &w);
  }
  es_reader_free(reader);
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: encode FOLDER FILE.jsonl...\n");
    return 2;
  }
  es_run *run = es_run_new();
  fuzz_demand(run != NULL, "there is memory");
  for (int i = 2; i < argc; i++) encode_file(argv[1], argv[i], run);
  es_run_free(run);
  printf("%zu inputs\n", written);
  return written > 0 ? 0 : 1;
}
