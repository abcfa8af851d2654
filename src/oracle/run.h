/* run: one case through the reference, and what it did at each step. */
#ifndef ES_ORACLE_RUN_H
#define ES_ORACLE_RUN_H

#include "case.h"
#include "result.h"

/* The core's es_hold_kind, in its order. */
typedef enum { ES_HELD_NOTHING, ES_HELD_BY_STRING, ES_HELD_BY_SEQUENCE, ES_HELD_BY_CHARACTER } es_held_by;

/* The lane after boundary k; entry 0 is boundary 0. */
typedef struct {
  uint64_t taken;   /* bytes of R */
  uint64_t allowed; /* bytes of R that may be shown (R10); the cut once the lane has ended, if not by a gone sink */
  uint64_t tokens;  /* tokens taken */
  es_held_by held_by;
  uint32_t held_by_index; /* the request's index of the stop string or sequence that holds most */
  bool ended;
} es_boundary_trace;

/* Working memory of runs, kept from case to case. */
typedef struct es_run es_run;

es_run *es_run_new(void); /* NULL when memory ran out */
void es_run_free(es_run *run);

/* Runs `c` through the reference. The result and the trace are valid until the next call with the same `run`.
 * Returns NULL when memory ran out. */
const es_result *es_run_case(es_run *run, const es_case *c);

/* The trace of the last case: one entry for each boundary from 0 on, to the last step taken. */
const es_boundary_trace *es_run_trace(const es_run *run, size_t *count);

/* R of the last case: the visible bytes of all taken tokens. */
es_span es_run_text(const es_run *run);

#endif
