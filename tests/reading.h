/* reading: a reader over text in memory, for the tests of the reader. */
#ifndef ES_TESTS_READING_H
#define ES_TESTS_READING_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

/* What the reader said last. */
typedef struct {
  FILE *file;
  es_reader *reader;
  es_case c;
  es_result result;
  bool has_result;
  es_bad_line bad;
} reading;

static inline reading open_bytes(const void *bytes, size_t length, bool strict) {
  reading r = {.file = tmpfile()};
  ck_assert_ptr_nonnull(r.file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, r.file), length);
  rewind(r.file);
  r.reader = es_reader_new(r.file, (es_reader_options){.strict = strict});
  ck_assert_ptr_nonnull(r.reader);
  return r;
}

static inline reading open_text(const char *text) {
  return open_bytes(text, strlen(text), false);
}

static inline es_line next(reading *r) {
  return es_reader_next(r->reader, &r->c, &r->result, &r->has_result, &r->bad);
}

static inline void close_reading(reading *r) {
  es_reader_free(r->reader);
  fclose(r->file);
}

static inline void assert_span(es_span span, const char *expected) {
  ck_assert_ptr_nonnull(span.data);
  ck_assert_uint_eq(span.length, strlen(expected));
  ck_assert_mem_eq(span.data, expected, span.length);
}

/* The line is bad, at this member. */
static inline void assert_bad(const char *line, const char *member) {
  reading r = open_text(line);
  ck_assert_msg(next(&r) == ES_LINE_BAD, "taken: %s", line);
  ck_assert_msg(strcmp(r.bad.member, member) == 0, "%s: expected %s, found %s", line, member, r.bad.member);
  ck_assert_uint_gt(strlen(r.bad.message), 0);
  ck_assert_uint_eq(r.bad.line, 1);
  ck_assert_int_eq(next(&r), ES_LINE_END);
  close_reading(&r);
}

/* The tests of requests, which are part of the reader's suite. */
TCase *reader_request_tests(void);

#endif
