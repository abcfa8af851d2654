/* case: what an engine is given (spec/formats.md), as plain data.
 *
 * A case, its request and its tokens live in memory of the reader and are valid until its next line. Only
 * cases that are well-formed outside `request` come to be; a request at fault is a case with a refusal (R13). */
#ifndef ES_ORACLE_CASE_H
#define ES_ORACLE_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "request.h"
#include "span.h"

typedef struct {
  uint32_t id;
  bool special;
  es_span bytes; /* empty where the token has none; the first that is shown is without the space that a vocabulary
                    drops there (R1) */
} es_token;

/* Tokens [first, first + count) of the case's list. */
typedef struct {
  size_t first;
  size_t count;
} es_step;

typedef struct {
  bool present;
  uint64_t after_step;
  uint64_t cut; /* bytes of R */
  es_span reason;
} es_external_end;

typedef enum { ES_SINK_OK, ES_SINK_LATER, ES_SINK_GONE } es_sink_answer;

typedef struct {
  es_span id;                /* `case` */
  es_request request;        /* core's typed request; prompt_tokens is inside */
  bool refused;              /* the request is at fault (R13): `refusal_*` says where and why */
  char refusal_param[80];    /* `stop[1]`, `repetition.max_period`, … */
  char refusal_message[200]; /* one sentence for a person */
  bool has_steps;            /* false in recordings that only say what came out */
  const es_token *tokens;
  size_t token_count;
  const es_step *steps;
  size_t step_count;
  bool has_abort;
  uint64_t abort_after_step;
  es_external_end external;
  const es_sink_answer *sink; /* what the sink answers to each offer; afterwards gone repeats, else ok */
  size_t sink_count;
} es_case;

#endif
