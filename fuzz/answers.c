#include "answers.h"

#include <stdio.h>
#include <stdlib.h>

#include "model_parts.h"

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

/* The first stop string that holds most of the text, and how much (R10 a). */
static size_t string_hold(const es_request *r, es_span text, uint32_t *index) {
  size_t most = 0;
  for (uint32_t s = 0; s < r->stop_count; s++) {
    bool only[FUZZ_STOPS] = {false};
    only[s] = es_model_live(r, s);
    size_t held = es_model_string_hold(r, only, text.data, text.length);
    if (held > most) most = held, *index = s;
  }
  return most;
}

/* The first stop sequence that holds most of the ids, and how many (R10 b). */
static size_t sequence_hold(const es_request *r, const uint32_t *ids, size_t count, uint32_t *index) {
  size_t most = 0;
  for (uint32_t s = 0; s < r->sequence_count; s++) {
    es_request one = *r;
    one.sequences = r->sequences + s, one.sequence_count = 1;
    size_t held = es_model_sequence_hold(&one, ids, count);
    if (held > most) most = held, *index = s;
  }
  return most;
}

/* What the reference says that holds at a boundary at which the lane is open, looked for from scratch: the longest of the
 * three, a stop before a character and a string before a sequence where they hold as much. */
static void check_hold(const es_case *c, const es_result *result, es_boundary_trace at, es_span all) {
  const es_request *r = &c->request;
  es_span text = {all.data, at.taken};
  uint32_t index = 0, string = 0, sequence = 0;
  size_t stop = 0, ids = 0, by_ids = 0, whole = es_model_shown_end(text.data, text.length, text.length);
  if (!r->include_stop) stop = string_hold(r, text, &string);
  if (!r->include_stop) ids = sequence_hold(r, result->token_ids, at.tokens, &sequence);
  for (size_t t = at.tokens - ids; t < at.tokens; t++) /* the text of these */
    if (!c->tokens[t].special || !r->skip_special) by_ids += c->tokens[t].bytes.length;
  size_t most = by_ids > stop ? by_ids : stop;
  es_held_by by = ES_HELD_NOTHING;
  if (text.length - whole > most)
    by = ES_HELD_BY_CHARACTER;
  else if (by_ids > stop)
    by = ES_HELD_BY_SEQUENCE, index = sequence;
  else if (stop > 0)
    by = ES_HELD_BY_STRING, index = string;
  fuzz_demand(at.allowed == es_model_shown_end(text.data, text.length, text.length - most),
              "R10: what may be shown, whether it is due or not");
  fuzz_demand(at.held_by == by && at.held_by_index == index, "R10: the first that holds most is said to");
}

/* At the last boundary at which the lane is open. */
static void check_last_hold(const fuzz_answers *with, const es_result *result) {
  size_t count;
  const es_boundary_trace *trace = es_run_trace(with->run, &count);
  while (count > 0 && trace[count - 1].ended) count--;
  if (count > 0) check_hold(&with->made.c, result, trace[count - 1], es_run_text(with->run));
}

fuzz_seen fuzz_compare(fuzz_answers *with, fuzz_pass pass) {
  const es_result *reference = fuzz_ask(with, with->run);
  if (pass == FUZZ_LAWS) compare(with, reference), check_last_hold(with, reference);
  fuzz_seen seen = FUZZ_NOTHING;
  fuzz_note_result(&seen, reference);
  return seen;
}
