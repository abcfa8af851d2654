/* Tests of the stream: every case of the corpus through endstop.h is what it is through the oracle, in memory that is
 * just large enough, wherever it lies, and with windows of any size. Run where `corpus` is. */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"
#include "run.h"
#include "stream_rig.h"
#include "test_stream.h"
#include "utf8.h"

Suite *stream_suite(void);

#define NARROW 10 /* ways to have little memory */

static es_run *run;
static char place[400]; /* the case's, told where a test fails */

#define SAME(found, expected)                                                                                          \
  ck_assert_msg((found) == (expected), "%s: expected %s to be %ju, found %ju", place, #found, (uintmax_t)(expected),   \
                (uintmax_t)(found))
#define SAME_WORD(found, expected)                                                                                     \
  ck_assert_msg(strcmp(found, expected) == 0, "%s: expected %s to be %s, found %s", place, #found, expected, found)

static void same_end(const es_case *c, const es_result *r, const played *p) {
  bool external = strncmp(r->cause.data, "external", 8) == 0;
  SAME(p->has_end, r->has_terminal);
  SAME(p->ended, strcmp(r->cause.data, "open") != 0);
  if (!p->has_end) return;
  SAME_WORD(p->end.cause, r->cause.data);
  if (external)
    ck_assert_ptr_eq(p->end.finish_reason, c->external.reason.data);
  else
    SAME_WORD(p->end.finish_reason, r->finish_reason.data);
  SAME(p->end.tokens, r->tokens);
  SAME(p->end.bytes, r->terminal_bytes);
  SAME(p->end.crc32c, r->terminal_crc32c);
  SAME(p->end.stop_index, r->has_stop_index ? r->stop_index : ES_STREAM_NONE);
  if (r->stop_reason_kind == ES_REASON_ID) SAME(p->end.stop_id, r->stop_reason_ids[0]);
  if (strcmp(p->end.cause, "eos") == 0) SAME(p->end.stop_id, r->token_ids[r->tokens - 1]);
  if (strncmp(p->end.cause, "stop_token", 11) != 0 && strcmp(p->end.cause, "eos") != 0)
    SAME(p->end.stop_id, ES_STREAM_NONE);
}

static void same_text(const es_result *r, const played *p) {
  SAME(p->length, r->text.length);
  if (p->length > 0) ck_assert_mem_eq(p->text, r->text.data, p->length);
}

/* The whole: each delta too. */
static void play_whole(const es_case *c, unsigned number) {
  const es_result *r = es_run_case(run, c);
  ck_assert_ptr_nonnull(r);
  if (r->unsupported.data) return;
  size_t bytes = 0;
  for (size_t i = 0; i < c->token_count; i++) bytes += c->tokens[i].bytes.length;
  for (unsigned variant = 0; variant < 2; variant++) {
    placed_stream placed;
    es_stream_refusal refusal;
    ck_assert_int_eq(stream_place(&placed, &c->request, (uint32_t)bytes, (number + variant) % 8, &refusal), ES_OK);
    ck_assert_str_eq(refusal.param, "");
    played p = stream_play(placed.stream, c, variant);
    SAME(p.fulls, 0);
    SAME(p.steps, r->delta_count);
    for (size_t k = 0; k < p.steps; k++) {
      size_t begin = k == 0 ? 0 : p.ends[k - 1];
      if (p.ends[k] - begin != r->deltas[k].bytes.length) SAME(p.ends[k] - begin, r->deltas[k].bytes.length);
    }
    same_text(r, &p);
    same_end(c, r, &p);
    SAME(es_stream_tokens(placed.stream), r->tokens);
    played_free(&p);
    stream_remove(&placed);
  }
}

/* An answer that was abandoned has all the text of the tokens taken before. */
static void same_as_taken(const es_case *c, es_stream *stream, const played *p) {
  static uint8_t raw[1 << 16], text[3 << 16];
  uint32_t length = 0;
  for (uint32_t i = 0; i < es_stream_tokens(stream); i++) {
    const es_token *token = c->tokens + i;
    if ((token->special && c->request.skip_special) || length + token->bytes.length > sizeof raw) continue;
    if (token->bytes.length > 0) memcpy(raw + length, token->bytes.data, token->bytes.length);
    length += (uint32_t)token->bytes.length;
  }
  SAME(p->length, es_utf8_decode(raw, length, text));
  if (p->length > 0) ck_assert_mem_eq(p->text, text, p->length);
  SAME_WORD(p->end.cause, "abort");
}

static size_t fulls, abandoned;

/* With little memory: the same text and end, by more steps. What counts steps, or what was shown at one, is left out,
 * and an answer that would stay open is aborted at its end, for how much of an open one is sent is the flush policy's. */
static void play_narrow(const es_case *c, size_t number) {
  static const uint32_t smallest[] = {0, 1, 3, 16};
  es_case plain = *c;
  uint32_t window = smallest[number / 2 % 4];
  plain.request.deadline_steps = ES_NO_LIMIT;
  plain.external.present = false;
  plain.sink_count = 0;
  if (number % 2) plain.request.flush = (es_flush){ES_FLUSH_TOKENS, INT32_MAX}; /* nothing goes before it must */
  for (size_t i = 0; number >= 8 && i < c->token_count; i++)
    if (c->tokens[i].bytes.length > window) window = (uint32_t)c->tokens[i].bytes.length;
  if (!plain.has_abort || plain.abort_after_step > plain.step_count) {
    plain.has_abort = true;
    plain.abort_after_step = plain.step_count;
  }
  const es_result *r = es_run_case(run, &plain);
  ck_assert_ptr_nonnull(r);
  if (r->unsupported.data) return;
  placed_stream placed;
  ck_assert_int_eq(stream_place(&placed, &plain.request, window, window % 3, NULL), ES_OK);
  played p = stream_play(placed.stream, &plain, true);
  fulls += p.fulls;
  abandoned += p.abandoned;
  ck_assert(p.has_end);
  if (p.abandoned) {
    same_as_taken(&plain, placed.stream, &p);
  } else {
    same_text(r, &p);
    same_end(&plain, r, &p);
  }
  played_free(&p);
  stream_remove(&placed);
}

/* A request at fault for the core is at fault at the same place for the stream, in the same words. */
static size_t refuse(const es_case *c) {
  es_refusal at = es_request_check(&c->request, &es_default_bounds);
  if (at.fault == ES_FAULT_NONE) return 0;
  stream_refuses(&c->request, &es_default_bounds);
  return 1;
}

typedef struct {
  size_t cases, refused;
} counts;

/* Narrow in all ways for one case in `every`, in one way for the others. */
static void play_file(const char *name, size_t every, counts *all) {
  FILE *file = fopen(name, "r");
  ck_assert_msg(file != NULL, "%s: expected a file, found none", name);
  es_reader *reader = es_reader_new(file, (es_reader_options){.folder = "corpus/cases"});
  es_case c;
  es_result result;
  bool has_result;
  es_bad_line bad;
  for (es_line line; (line = es_reader_next(reader, &c, &result, &has_result, &bad)) != ES_LINE_END;) {
    if (line == ES_LINE_BAD || line == ES_LINE_RACE) continue;
    ck_assert_int_eq(line, ES_LINE_CASE);
    snprintf(place, sizeof place, "%s:%ju", name, (uintmax_t)es_reader_line_number(reader));
    if (c.refused) {
      all->refused += refuse(&c);
      continue;
    }
    if (!c.has_steps || c.request.flush.kind == ES_FLUSH_MS) continue;
    play_whole(&c, (unsigned)all->cases);
    for (size_t n = 0; n < NARROW; n++)
      if (all->cases % every == 0 || all->cases % NARROW == n) play_narrow(&c, n);
    all->cases++;
  }
  es_reader_free(reader);
  fclose(file);
}

static counts play_files(const char *pattern, size_t every) {
  counts all = {0, 0};
  glob_t files;
  fulls = abandoned = 0;
  ck_assert_msg(glob(pattern, 0, NULL, &files) == 0, "%s: expected files, found none", pattern);
  for (size_t i = 0; i < files.gl_pathc; i++) play_file(files.gl_pathv[i], every, &all);
  globfree(&files);
  ck_assert_uint_gt(fulls, 100);
  ck_assert_uint_gt(abandoned, 0);
  printf("%s: %zu cases, %zu refused, %zu tokens that had to wait, %zu answers abandoned\n", pattern, all.cases,
         all.refused, fulls, abandoned);
  return all;
}

START_TEST(cases_are_through_the_library_what_they_are_through_the_oracle) {
  counts all = play_files("corpus/cases/*.jsonl", 1);
  ck_assert_uint_gt(all.cases, 400);
  ck_assert_uint_gt(all.refused, 20);
}
END_TEST

START_TEST(recordings_are_through_the_library_what_they_are_through_the_oracle) {
  ck_assert_uint_gt(play_files("corpus/recordings/*-stream.jsonl", 50).cases, 400);
}
END_TEST

static void begin(void) {
  run = es_run_new();
  ck_assert_ptr_nonnull(run);
}

static void end(void) {
  es_run_free(run);
}

Suite *stream_suite(void) {
  Suite *suite = suite_create("stream");
  TCase *tests = tcase_create("corpus");
  tcase_set_timeout(tests, 120);
  tcase_add_checked_fixture(tests, begin, end);
  tcase_add_test(tests, cases_are_through_the_library_what_they_are_through_the_oracle);
  tcase_add_test(tests, recordings_are_through_the_library_what_they_are_through_the_oracle);
  suite_add_tcase(suite, tests);
  suite_add_tcase(suite, stream_use_tests());
  suite_add_tcase(suite, stream_refuse_tests());
  return suite;
}
