/* refusal: the path of the member at fault and the sentence about it (R13), for the reader of cases and for the library. */
#ifndef ES_LIB_REFUSAL_H
#define ES_LIB_REFUSAL_H

#include <stddef.h>
#include <stdint.h>

#include "request.h"

/* What a refusal tells of the request. */
typedef struct {
  es_flush_kind flush; /* the policy asked for */
  uint32_t max_tokens;
  int64_t found; /* the count, length, sum, product, priority, number or id that is at fault */
} es_refusal_facts;

/* The facts of `at`, which es_request_check said of this request with these bounds. */
es_refusal_facts es_refusal_look(es_refusal at, const es_request *request, const es_bounds *bounds);

/* The path of the member at fault: `stop[1]`. As much of it as there is room for, ended by a zero; `room` is above 0. */
void es_refusal_param(es_refusal at, es_flush_kind flush, char *out, size_t room);

/* What was expected and what was found, without the path; room as above. */
void es_refusal_sentence(es_refusal at, es_refusal_facts facts, const es_bounds *bounds, char *out, size_t room);

#endif
