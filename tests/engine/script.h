/* script: random cases for the engine loop. Every token says by its id which lane it belongs to. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "case.h"

#define SCRIPT_STEPS 8
#define SCRIPT_TOKENS 16
#define SCRIPT_TEXT 4
#define SCRIPT_LANE 100u /* the id of token i of lane n is 100 n + i */

typedef struct {
  es_case c;
  es_token tokens[SCRIPT_TOKENS];
  es_step steps[SCRIPT_STEPS];
  es_stop stops[2];
  uint32_t eos[1];
} script;

uint64_t random_below(uint64_t *state, uint64_t n);

/* Case number `lane`. Ends by itself at the latest at boundary `deadline`. */
void script_random(script *s, uint32_t lane, uint32_t deadline, uint64_t *state);

/* One with `steps` steps of one token of one letter, which nothing ends but `max_tokens` (0: nothing). */
void script_plain(script *s, uint32_t lane, uint32_t steps, uint32_t max_tokens);

#endif
