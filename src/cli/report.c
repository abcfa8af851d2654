#include "report.h"

#include <inttypes.h>

#include "text.h"

void es_report_sentence(es_buffer *out, const es_finding *finding, const char *indent) {
  es_buffer_format(out, "%s (%s)", es_kind_name(finding->kind), finding->rule);
  if (finding->has_step) es_buffer_format(out, " at step %" PRIu64, finding->step);
  if (finding->has_byte) es_buffer_format(out, "%s byte %" PRIu64, finding->has_step ? "," : " at", finding->byte);
  es_buffer_text(out, ": ");
  es_text_clean(out, finding->why.data, finding->why.length);
  if (finding->expected.data != NULL) {
    es_buffer_format(out, "\n%sexpected ", indent);
    es_text_clean(out, finding->expected.data, finding->expected.length);
  }
  if (finding->actual.data != NULL) {
    if (finding->expected.data != NULL) es_buffer_text(out, ", found ");
    if (finding->expected.data == NULL) es_buffer_format(out, "\n%sfound ", indent);
    es_text_clean(out, finding->actual.data, finding->actual.length);
  }
}
