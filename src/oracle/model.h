/* model: the rules once more, slow and obvious, to hold the reference against.
 *
 * Written from spec/rules.md and from nothing else, so that a mistake in the core is not made here as well. It keeps no
 * state between tokens: after each one the whole raw text is searched, held and decoded anew. Of the core it uses only
 * the plain data of a request; what is at fault in one (R13) the reader says, and tests/model/request.py is the second
 * opinion on that. */
#ifndef ES_ORACLE_MODEL_H
#define ES_ORACLE_MODEL_H

#include "case.h"
#include "result.h"

/* Working memory, kept from case to case. */
typedef struct es_model es_model;

es_model *es_model_new(void); /* NULL when memory ran out */
void es_model_free(es_model *model);

/* What the rules say about `c`, in the terms of es_run_case (run.h). Valid until the next call with the same `model`
 * and as long as `c` is; NULL when memory ran out. */
const es_result *es_model_case(es_model *model, const es_case *c);

#endif
