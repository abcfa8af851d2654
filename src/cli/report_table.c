/* Verdicts at a glance: a row for each file, what is wrong in it counted by kind; `other` is unsupported or unreadable. */
#include <inttypes.h>
#include <string.h>

#include "output.h"
#include "report.h"
#include "text_table.h"

static const es_text_column columns[] = {{"file", false, 60},  {"recordings", true, 0}, {"conform", true, 0},
                                         {"violate", true, 0}, {"other", true, 0},      {"faults", false, 0}};

static struct {
  es_text_table table;
  const char *file;
  uint64_t recordings, conform, violate;
  uint64_t kinds[ES_KIND_COUNT];
} report = {.table = {.columns = columns, .count = sizeof columns / sizeof columns[0]}};

static void file_begins(const char *file, es_report_options options) {
  (void)options;
  const char *slash = strrchr(file, '/');
  report.file = slash == NULL ? file : slash + 1;
  report.recordings = report.conform = report.violate = 0;
  memset(report.kinds, 0, sizeof report.kinds);
}

static void judged(const es_judged *judged) {
  report.recordings++;
  report.conform += judged->verdict->kind == ES_CONFORMS;
  report.violate += judged->verdict->kind == ES_VIOLATES;
  for (size_t f = 0; f < judged->verdict->count; f++) report.kinds[judged->verdict->findings[f].kind]++;
}

/* `missed-stop 44, leak 27`: the most frequent first. */
static void tell_kinds(es_buffer *out) {
  for (const char *before = "";; before = ", ") {
    size_t most = 0;
    for (size_t k = 1; k < ES_KIND_COUNT; k++)
      if (report.kinds[k] > report.kinds[most]) most = k;
    if (report.kinds[most] == 0) return;
    es_buffer_format(out, "%s%s %" PRIu64, before, es_kind_name((es_kind)most), report.kinds[most]);
    report.kinds[most] = 0;
  }
}

static void file_ends(void) {
  es_buffer faults = {0};
  if (report.recordings == 0) return;
  tell_kinds(&faults);
  es_text_table_cell(&report.table, report.file, strlen(report.file));
  es_text_table_number(&report.table, report.recordings);
  es_text_table_number(&report.table, report.conform);
  es_text_table_number(&report.table, report.violate);
  es_text_table_number(&report.table, report.recordings - report.conform - report.violate);
  es_text_table_cell(&report.table, faults.data, faults.length);
  es_buffer_fail_with(&report.table.cells, &faults);
  es_buffer_free(&faults);
}

static void ends(void) {
  es_text_table_print(&report.table, es_output_buffer(), es_output_is_coloured());
  es_output_line();
  es_text_table_free(&report.table);
}

const es_report es_report_table = {"table", file_begins, judged, file_ends, ends};
