#include "trace.h"

#include <inttypes.h>

#include "output.h"
#include "text.h"

enum { TEXT_COLUMNS = 32 };

static const es_text_column columns[] = {
    {"step", true, 0},   {"tokens", true, 0}, {"bytes", true, 0}, {"may show", true, 0},
    {"delta", false, 0}, {"held", false, 0},  {"why", false, 0},
};

/* Puts the cell just written into the table. */
static void put_cell(es_trace *trace) {
  es_text_table_cell(&trace->table, trace->cell.length > 0 ? trace->cell.data : "", trace->cell.length);
  es_buffer_fail_with(&trace->table.cells, &trace->cell);
  es_buffer_clear(&trace->cell);
}

static void write_ids(es_buffer *out, const uint32_t *ids, size_t count) {
  es_buffer_text(out, "[");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) es_buffer_text(out, ", ");
    es_buffer_number(out, ids[i]);
  }
  es_buffer_text(out, "]");
}

/* Which stop it is, as the request names it: `stop[1] "END"`. */
static void write_stop(es_buffer *out, const es_request *request, bool string, uint32_t index) {
  es_buffer_format(out, string ? "stop[%" PRIu32 "] " : "stop_token_sequences[%" PRIu32 "] ", index);
  if (string) {
    es_stop stop = request->stops[index];
    es_text_quote(out, (const char *)request->text + stop.offset, stop.length, TEXT_COLUMNS);
  } else {
    es_sequence sequence = request->sequences[index];
    write_ids(out, request->sequence_ids + sequence.offset, sequence.length);
  }
}

static void write_why(es_buffer *out, const es_case *c, const es_boundary_trace *at) {
  switch (at->held_by) {
  case ES_HELD_NOTHING:
    return;
  case ES_HELD_BY_STRING:
  case ES_HELD_BY_SEQUENCE:
    es_buffer_text(out, "may be the start of ");
    write_stop(out, &c->request, at->held_by == ES_HELD_BY_STRING, at->held_by_index);
    return;
  case ES_HELD_BY_CHARACTER:
    es_buffer_text(out, "an incomplete character");
    return;
  }
}

/* How the lane ended: `ended: stop (stop_string), stop[0] "END", 3 tokens, text "…"`. */
static void write_end(es_buffer *out, const es_case *c, const es_result *result) {
  if (result->finish_reason.data == NULL) {
    es_buffer_text(out, "open");
  } else {
    es_buffer_text(out, "ended: ");
    es_text_clean(out, result->finish_reason.data, result->finish_reason.length);
    es_buffer_text(out, " (");
    es_text_clean(out, result->cause.data, result->cause.length);
    es_buffer_text(out, ")");
  }
  if (result->has_stop_index) {
    es_buffer_text(out, ", ");
    write_stop(out, &c->request, result->stop_reason_kind == ES_REASON_TEXT, (uint32_t)result->stop_index);
  } else if (result->stop_reason_kind == ES_REASON_ID) {
    es_buffer_format(out, ", token %" PRIu32, result->stop_reason_ids[0]);
  }
  es_buffer_format(out, ", %" PRIu64 " token%s, text ", result->tokens, result->tokens == 1 ? "" : "s");
  es_text_quote(out, result->text.data, result->text.length, 0);
  es_buffer_text(out, "\n");
}

static void write_step(es_trace *trace, const es_case *c, const es_result *result, es_span raw, size_t k,
                       const es_boundary_trace *at) {
  es_buffer *cell = &trace->cell;
  es_text_table_number(&trace->table, k);
  es_text_table_number(&trace->table, at->tokens);
  es_text_table_number(&trace->table, at->taken);
  es_text_table_number(&trace->table, at->allowed);
  if (k > 0 && k <= result->delta_count) {
    es_span delta = result->deltas[k - 1].bytes;
    if (delta.length > 0) es_text_quote(cell, delta.data, delta.length, TEXT_COLUMNS);
  }
  put_cell(trace);
  if (!at->ended && at->taken > at->allowed) {
    es_text_quote(cell, raw.data + at->allowed, at->taken - at->allowed, TEXT_COLUMNS);
  }
  put_cell(trace);
  if (at->ended) {
    es_buffer_text(cell, "the end");
  } else {
    write_why(cell, c, at);
  }
  put_cell(trace);
}

void es_trace_case(es_trace *trace, es_buffer *out, const es_case *c, const es_result *result, const es_run *run) {
  bool colour = es_output_is_coloured();
  if (trace->begun) es_buffer_text(out, "\n");
  trace->begun = true;
  es_buffer_text(out, colour ? "\033[1mcase " : "case ");
  es_text_clean(out, c->id.data, c->id.length);
  es_buffer_text(out, colour ? "\033[0m\n" : "\n");
  if (result->unsupported.data != NULL || c->refused) {
    es_span why = result->unsupported.data != NULL ? result->unsupported : result->message;
    es_buffer_text(out, result->unsupported.data != NULL ? "unsupported: " : "refused: ");
    es_text_clean(out, result->param.data, result->param.length);
    if (result->param.length > 0) es_buffer_text(out, ": ");
    es_text_clean(out, why.data, why.length);
    es_buffer_text(out, "\n");
    return;
  }
  size_t count = 0;
  const es_boundary_trace *boundaries = es_run_trace(run, &count);
  trace->table.columns = columns;
  trace->table.count = sizeof columns / sizeof columns[0];
  for (size_t k = 0; k < count; k++) write_step(trace, c, result, es_run_text(run), k, &boundaries[k]);
  es_text_table_print(&trace->table, out, colour);
  write_end(out, c, result);
}

void es_trace_free(es_trace *trace) {
  es_text_table_free(&trace->table);
  es_buffer_free(&trace->cell);
}
