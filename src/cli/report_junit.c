/* Verdicts as JUnit XML: one suite a file, one test case a recording. */
#include <inttypes.h>
#include <string.h>

#include "output.h"
#include "report.h"
#include "text.h"

static struct {
  const char *file;
  es_buffer cases; /* of the suite: its counts come before them */
  es_buffer clean;
  uint64_t tests, failures, errors, skipped;
  bool begun;
} suite;

/* XML has no way to write control characters; they are spelled out like everywhere else. */
static void write_xml(es_buffer *out, const char *bytes, size_t length) {
  es_buffer *clean = &suite.clean;
  es_buffer_clear(clean);
  es_text_clean(clean, bytes, length);
  es_buffer_fail_with(out, clean);
  for (size_t i = 0; i < clean->length && !clean->failed; i++) {
    switch (clean->data[i]) {
    case '&':
      es_buffer_text(out, "&amp;");
      break;
    case '<':
      es_buffer_text(out, "&lt;");
      break;
    case '>':
      es_buffer_text(out, "&gt;");
      break;
    case '"':
      es_buffer_text(out, "&quot;");
      break;
    default:
      es_buffer_bytes(out, &clean->data[i], 1);
    }
  }
}

static void write_attribute(es_buffer *out, const char *name, const char *bytes, size_t length) {
  es_buffer_format(out, " %s=\"", name);
  write_xml(out, bytes, length);
  es_buffer_text(out, "\"");
}

static void file_begins(const char *file, es_report_options options) {
  (void)options;
  suite.file = file;
  suite.tests = suite.failures = suite.errors = suite.skipped = 0;
  es_buffer_clear(&suite.cases);
}

static void write_failure(es_buffer *out, const es_verdict *verdict) {
  es_buffer sentence = {0};
  es_buffer_text(out, "      <failure");
  for (size_t f = 0; f < verdict->count; f++) {
    const es_finding *finding = &verdict->findings[f];
    if (f == 0) {
      write_attribute(out, "type", es_kind_name(finding->kind), strlen(es_kind_name(finding->kind)));
      write_attribute(out, "message", finding->why.data, finding->why.length);
      es_buffer_text(out, ">");
    }
    es_buffer_clear(&sentence);
    es_report_sentence(&sentence, finding, "  ");
    for (size_t i = 0; i < sentence.length && !sentence.failed;) {
      const char *line = sentence.data + i;
      const char *end = memchr(line, '\n', sentence.length - i);
      size_t length = end != NULL ? (size_t)(end - line) : sentence.length - i;
      write_xml(out, line, length);
      i += length + 1;
      if (i < sentence.length) es_buffer_text(out, "\n");
    }
    if (f + 1 < verdict->count) es_buffer_text(out, "\n");
  }
  es_buffer_text(out, verdict->count == 0 ? "/>\n" : "</failure>\n");
  es_buffer_fail_with(out, &sentence);
  es_buffer_free(&sentence);
}

static void judged(const es_judged *judged) {
  es_buffer *out = &suite.cases;
  const es_verdict *verdict = judged->verdict;
  suite.tests++;
  es_buffer_text(out, "    <testcase");
  write_attribute(out, "classname", judged->file, strlen(judged->file));
  write_attribute(out, "name", verdict->id.data, verdict->id.length);
  es_buffer_format(out, " line=\"%" PRIu64 "\"", judged->line);
  es_buffer_text(out, verdict->kind == ES_CONFORMS ? "/>\n" : ">\n");
  switch (verdict->kind) {
  case ES_CONFORMS:
    return;
  case ES_VIOLATES:
    suite.failures++;
    write_failure(out, verdict);
    break;
  case ES_UNSUPPORTED:
    suite.skipped++;
    es_buffer_text(out, "      <skipped message=\"");
    write_xml(out, verdict->why.data, verdict->why.length);
    es_buffer_text(out, "\"/>\n");
    break;
  case ES_UNREADABLE:
    suite.errors++;
    es_buffer_text(out, "      <error");
    if (judged->bad != NULL) {
      write_attribute(out, "type", judged->bad->member, strlen(judged->bad->member));
      write_attribute(out, "message", judged->bad->message, strlen(judged->bad->message));
    }
    es_buffer_text(out, "/>\n");
    break;
  }
  es_buffer_text(out, "    </testcase>\n");
}

static void begin(es_buffer *out) {
  if (!suite.begun) es_buffer_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  suite.begun = true;
}

static void file_ends(void) {
  es_buffer *out = es_output_buffer();
  begin(out);
  es_buffer_text(out, "  <testsuite");
  write_attribute(out, "name", suite.file, strlen(suite.file));
  es_buffer_format(out,
                   " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\" skipped=\"%" PRIu64 "\">\n",
                   suite.tests, suite.failures, suite.errors, suite.skipped);
  es_buffer_bytes(out, suite.cases.data, suite.cases.length);
  es_buffer_text(out, "  </testsuite>\n");
  es_buffer_fail_with(out, &suite.cases);
  es_output_flush();
}

static void ends(void) {
  begin(es_output_buffer());
  es_buffer_text(es_output_buffer(), "</testsuites>\n");
  es_output_flush();
  es_buffer_free(&suite.cases);
  es_buffer_free(&suite.clean);
}

const es_report es_report_junit = {"junit", file_begins, judged, file_ends, ends};
