#include "limits.h"

es_limit es_limits_reached(const es_limits *limits) {
  if (limits->max_tokens != ES_NO_LIMIT && limits->taken >= limits->max_tokens) return ES_AT_MAX_TOKENS;
  if (limits->max_context != ES_NO_LIMIT && limits->taken + limits->prompt >= limits->max_context)
    return ES_AT_MAX_CONTEXT;
  return ES_WITHIN;
}

es_limit es_limits_take(es_limits *limits) {
  limits->taken++;
  return es_limits_reached(limits);
}

bool es_repetition_take(es_repetition *r, uint32_t id) /*@ ghost (uint32_t sid) */ {
  if (r->max_period == 0) return false;
  bool found = false;
  /*@ loop invariant place: 1 <= q <= r->max_period + 1;
      loop assigns q, found, r->runs[0 .. r->max_period - 1];
      loop variant r->max_period + 1 - q; */
  for (uint32_t q = 1; q <= r->max_period; q++) {
    if (r->taken < q || r->ids[(r->taken - q) % r->max_period] != id) {
      r->runs[q - 1] = 0;
      continue;
    }
    r->runs[q - 1]++;
    if (r->runs[q - 1] >= q * (r->min_repeats - 1)) found = true;
  }
  r->ids[r->taken % r->max_period] = id;
  r->taken++;
  return found;
}
