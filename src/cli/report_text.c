/* Verdicts for people: a sentence for each fault, then a table a file and a line for everything. */
#include <inttypes.h>
#include <string.h>

#include "output.h"
#include "report.h"
#include "text.h"
#include "text_table.h"

enum { SENTENCES_OF_A_KIND = 3, EXAMPLE_COLUMNS = 60 };

/* What is known of one kind of fault in one file. */
typedef struct {
  uint64_t count;
  uint64_t smallest; /* bytes of the line that is the example */
  uint64_t line;
  es_buffer example; /* its case */
} tally;

static struct {
  es_report_options options;
  const char *file;
  tally kinds[ES_KIND_COUNT];           /* of the file */
  uint64_t verdicts[ES_UNREADABLE + 1]; /* of all files */
} report;

static const char *paint(const char *colour) {
  return es_output_is_coloured() ? colour : "";
}

static void file_begins(const char *file, es_report_options options) {
  report.file = file;
  report.options = options;
  for (size_t k = 0; k < ES_KIND_COUNT; k++) {
    report.kinds[k].count = 0;
    es_buffer_clear(&report.kinds[k].example);
  }
}

static void count_fault(const es_judged *judged, const es_finding *finding) {
  tally *kind = &report.kinds[finding->kind];
  if (kind->count++ > 0 && judged->bytes >= kind->smallest) return;
  kind->smallest = judged->bytes;
  kind->line = judged->line;
  es_buffer_clear(&kind->example);
  es_buffer_bytes(&kind->example, judged->verdict->id.data, judged->verdict->id.length);
}

/* `file:line: case: ` in bold. */
static void place(es_buffer *out, const es_judged *judged) {
  es_buffer_text(out, paint("\033[1m"));
  es_text_clean(out, judged->file, strlen(judged->file));
  es_buffer_format(out, ":%" PRIu64 ": ", judged->line);
  es_text_clean(out, judged->verdict->id.data, judged->verdict->id.length);
  es_buffer_format(out, "%s: ", paint("\033[0m"));
}

static void judged(const es_judged *judged) {
  es_buffer *out = es_output_buffer();
  const es_verdict *verdict = judged->verdict;
  report.verdicts[verdict->kind]++;
  if (verdict->kind == ES_UNSUPPORTED &&
      (report.options.all || report.verdicts[ES_UNSUPPORTED] <= SENTENCES_OF_A_KIND)) {
    place(out, judged);
    es_buffer_text(out, "unsupported: ");
    es_text_clean(out, verdict->why.data, verdict->why.length);
    es_buffer_text(out, "\n");
    es_output_line();
  }
  for (size_t f = 0; f < verdict->count; f++) {
    const es_finding *finding = &verdict->findings[f];
    count_fault(judged, finding);
    if (!report.options.all && report.kinds[finding->kind].count > SENTENCES_OF_A_KIND) continue;
    place(out, judged);
    es_report_sentence(out, finding, "    ");
    es_buffer_text(out, "\n");
    es_output_line();
  }
}

static void file_ends(void) {
  static const es_text_column columns[] = {
      {"kind", false, 0}, {"faults", true, 0}, {"smallest example", false, EXAMPLE_COLUMNS}, {"line", true, 0}};
  es_text_table table = {.columns = columns, .count = sizeof columns / sizeof columns[0]};
  es_buffer *out = es_output_buffer();
  uint64_t untold = 0;
  for (size_t k = 0; k < ES_KIND_COUNT; k++) {
    const tally *kind = &report.kinds[k];
    if (kind->count == 0) continue;
    if (kind->count > SENTENCES_OF_A_KIND) untold += kind->count - SENTENCES_OF_A_KIND;
    const char *name = es_kind_name((es_kind)k);
    es_text_table_cell(&table, name, strlen(name));
    es_text_table_number(&table, kind->count);
    es_text_table_cell(&table, kind->example.data, kind->example.length);
    es_buffer_fail_with(&table.cells, &kind->example);
    es_text_table_number(&table, kind->line);
  }
  if (table.cell_count > 0) {
    if (untold > 0 && !report.options.all) es_buffer_format(out, "and %" PRIu64 " more (--all tells them)\n", untold);
    es_buffer_text(out, "\n");
    es_text_clean(out, report.file, strlen(report.file));
    es_buffer_text(out, "\n");
    es_text_table_print(&table, out, es_output_is_coloured());
    es_buffer_text(out, "\n");
  }
  es_text_table_free(&table);
  es_output_flush();
}

static void ends(void) {
  es_buffer *out = es_output_buffer();
  const uint64_t *verdicts = report.verdicts;
  uint64_t all = verdicts[ES_CONFORMS] + verdicts[ES_VIOLATES] + verdicts[ES_UNSUPPORTED] + verdicts[ES_UNREADABLE];
  bool clean = verdicts[ES_VIOLATES] + verdicts[ES_UNREADABLE] == 0;
  es_buffer_format(out,
                   "%s%" PRIu64 " recording%s: %" PRIu64 " conform, %" PRIu64 " violate, %" PRIu64
                   " unsupported, %" PRIu64 " unreadable%s\n",
                   paint(clean ? "\033[32m" : "\033[31m"), all, all == 1 ? "" : "s", verdicts[ES_CONFORMS],
                   verdicts[ES_VIOLATES], verdicts[ES_UNSUPPORTED], verdicts[ES_UNREADABLE], paint("\033[0m"));
  es_output_line();
  for (size_t k = 0; k < ES_KIND_COUNT; k++) es_buffer_free(&report.kinds[k].example);
}

const es_report es_report_text = {"text", file_begins, judged, file_ends, ends};
