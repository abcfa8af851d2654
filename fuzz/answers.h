/* answers: what the harnesses that run cases work with; it gives them fuzz_new and fuzz_free. */
#ifndef ES_FUZZ_ANSWERS_H
#define ES_FUZZ_ANSWERS_H

#include "cases.h"
#include "model.h"
#include "run.h"

typedef struct {
  fuzz_case made;
  es_run *run;
  es_run *other; /* for a second answer beside the first */
  es_model *model;
} fuzz_answers;

/* What the reference says to the case that was made; it must say something. */
const es_result *fuzz_ask(fuzz_answers *with, es_run *run);

/* The same, and demands that the slow model says it too, where laws must hold. */
fuzz_seen fuzz_compare(fuzz_answers *with, fuzz_pass pass);

#endif
