/* trace: what happened at each step of a case, as a table for people. */
#ifndef ES_CLI_TRACE_H
#define ES_CLI_TRACE_H

#include "run.h"
#include "text_table.h"

/* Starts as {0}. */
typedef struct {
  es_text_table table;
  es_buffer cell;
  bool begun; /* a case was told: the next one stands apart */
} es_trace;

/* Appends the case just answered by `run`. */
void es_trace_case(es_trace *trace, es_buffer *out, const es_case *c, const es_result *result, const es_run *run);
void es_trace_free(es_trace *trace);

#endif
