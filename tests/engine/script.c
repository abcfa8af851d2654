#include "script.h"

/* What tokens say: pieces of the stop strings, of characters, and one without bytes. */
static const char *const pieces[] = {"E", "N", "D", "EN", "ab", "\xF0\x9F", "\x98\x8A", "x", "", "NDE"};
static const char stop_text[] = "ENDxx";

uint64_t random_below(uint64_t *state, uint64_t n) { /* splitmix64 */
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (z ^ (z >> 31)) % n;
}

static void empty(script *s) {
  *s = (script){.c = {.id = {"lane", 4}, .has_steps = true, .tokens = s->tokens, .steps = s->steps}};
  s->c.request = (es_request){.text = (const uint8_t *)stop_text,
                              .stops = s->stops,
                              .eos_ids = s->eos,
                              .skip_special = true,
                              .max_tokens = ES_NO_LIMIT,
                              .max_context = ES_NO_LIMIT,
                              .deadline_steps = ES_NO_LIMIT,
                              .flush = {ES_FLUSH_STEPS, 1}};
  s->stops[0] = (es_stop){0, 3, 0};
  s->stops[1] = (es_stop){3, 2, 1};
}

static void add_step(script *s) {
  s->steps[s->c.step_count++] = (es_step){s->c.token_count, 0};
}

static void add_token(script *s, uint32_t lane, const char *text) {
  uint32_t id = SCRIPT_LANE * lane + (uint32_t)s->c.token_count;
  s->tokens[s->c.token_count++] = (es_token){id, false, es_span_of(text)};
  s->steps[s->c.step_count - 1].count++;
}

void script_random(script *s, uint32_t lane, uint32_t deadline, uint64_t *state) {
  empty(s);
  es_request *r = &s->c.request;
  uint64_t steps = random_below(state, SCRIPT_STEPS + 1);
  for (uint64_t i = 0; i < steps; i++) {
    add_step(s);
    for (uint64_t tokens = random_below(state, 4); tokens > 0 && s->c.token_count < SCRIPT_TOKENS; tokens--)
      add_token(s, lane, pieces[random_below(state, sizeof pieces / sizeof *pieces)]);
  }
  r->stop_count = (uint32_t)random_below(state, 3);
  r->include_stop = random_below(state, 4) == 0;
  r->deadline_steps =
      (uint32_t)random_below(state, 4) == 0 ? deadline : (uint32_t)random_below(state, SCRIPT_STEPS + 4);
  if (random_below(state, 4) == 0) r->max_tokens = (uint32_t)random_below(state, SCRIPT_TOKENS);
  if (r->max_tokens == ES_NO_LIMIT && random_below(state, 4) == 0) r->min_tokens = (uint32_t)random_below(state, 4);
  if (random_below(state, 3) == 0) {
    s->eos[0] = SCRIPT_LANE * lane + (uint32_t)random_below(state, SCRIPT_TOKENS);
    r->eos_id_count = 1;
  }
  static const es_flush flushes[] = {
      {ES_FLUSH_STEPS, 1}, {ES_FLUSH_STEPS, 3}, {ES_FLUSH_BYTES, 4}, {ES_FLUSH_TOKENS, 2}};
  r->flush = flushes[random_below(state, 4)];
}

void script_plain(script *s, uint32_t lane, uint32_t steps, uint32_t max_tokens) {
  static const char *const letters[] = {"a", "b", "c", "d"};
  empty(s);
  for (uint32_t i = 0; i < steps; i++) {
    add_step(s);
    add_token(s, lane, letters[i % 4]);
  }
  if (max_tokens > 0) s->c.request.max_tokens = max_tokens;
}
