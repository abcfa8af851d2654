#include "answers.h"

#include <stdio.h>
#include <stdlib.h>

void *fuzz_new(void) {
  fuzz_answers *with = fuzz_room(sizeof *with);
  with->run = es_run_new();
  with->other = es_run_new();
  with->model = es_model_new();
  fuzz_demand(with->run && with->other && with->model, "there is memory");
  return with;
}

void fuzz_free(void *memory) {
  fuzz_answers *with = memory;
  es_run_free(with->run);
  es_run_free(with->other);
  es_model_free(with->model);
  free(with);
}

const es_result *fuzz_ask(fuzz_answers *with, es_run *run) {
  const es_result *result = es_run_case(run, &with->made.c);
  fuzz_demand(result != NULL && result->unsupported.data == NULL, "a case is answered");
  return result;
}

static void compare(fuzz_answers *with, const es_result *reference) {
  const es_result *model = es_model_case(with->model, &with->made.c);
  fuzz_demand(model != NULL && model->unsupported.data == NULL, "the model answers a case");
  const char *differs = fuzz_difference(reference, model);
  if (differs != NULL) fprintf(stderr, "reference and model differ in %s\n", differs);
  fuzz_demand(differs == NULL, "reference and model say the same");
}

fuzz_seen fuzz_compare(fuzz_answers *with, fuzz_pass pass) {
  const es_result *reference = fuzz_ask(with, with->run);
  if (pass == FUZZ_LAWS) compare(with, reference);
  fuzz_seen seen = FUZZ_NOTHING;
  fuzz_note_result(&seen, reference);
  return seen;
}
