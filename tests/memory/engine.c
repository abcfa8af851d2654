/* An engine with one lane, for memory.py: what came, or that memory ran out. */
#include <stdio.h>
#include <stdlib.h>

#include "engine_mailbox.h"

static void no_wait(void *context) {
  (void)context;
}

int main(void) {
  static const es_token tokens[] = {{.id = 3, .bytes = {"The E", 5}}, {.id = 4, .bytes = {"ND", 2}}};
  static const es_step steps[] = {{0, 1}, {1, 1}};
  static const es_stop stops[] = {{.offset = 0, .length = 3}};
  static const uint32_t ids[] = {1, 2};
  static const es_sequence sequences[] = {{0, 2}};
  es_case c = {.request = {.text = (const uint8_t *)"END",
                           .stops = stops,
                           .stop_count = 1,
                           .sequence_ids = ids,
                           .sequences = sequences,
                           .sequence_count = 1,
                           .max_tokens = 9,
                           .max_context = ES_NO_LIMIT,
                           .deadline_steps = ES_NO_LIMIT,
                           .max_period = 2,
                           .min_repeats = 3,
                           .flush = {.kind = ES_FLUSH_STEPS, .n = 1}},
               .has_steps = true,
               .tokens = tokens,
               .token_count = 2,
               .steps = steps,
               .step_count = 2};
  es_mailbox box;
  es_mailbox_open(&box);
  es_engine *engine = es_engine_new(&(es_engine_options){.slots = 2, .tokens = 4, .wait = no_wait});
  es_engine_lane *lane = es_engine_lane_new(&c, es_mailbox_sink(&box), 0);
  int status = 2;
  if (engine && lane && es_engine_submit(engine, lane) == ES_OK) {
    es_engine_close(engine);
    es_engine_run(engine);
    const es_engine_left *left = es_engine_lane_left(lane);
    printf("%.*s, %u tokens\n", (int)left->text.length, left->text.data, left->tokens);
    status = 0;
  } else {
    fputs("memory ran out\n", stderr);
  }
  es_engine_lane_free(lane);
  es_engine_free(engine);
  return status;
}
