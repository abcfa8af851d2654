/* Verdicts as JSON Lines (spec/formats.md). */
#include "output.h"
#include "report.h"
#include "writer.h"

static void file_begins(const char *file, es_report_options options) {
  (void)file;
  (void)options;
}

static void judged(const es_judged *judged) {
  es_write_verdict(es_output_buffer(), judged->verdict);
  es_output_line();
}

static void nothing(void) {}

const es_report es_report_json = {"json", file_begins, judged, nothing, nothing};
