#include "limits.h"

#ifdef __FRAMAC__
#include "limits_steps.acsl.h"
#endif

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

/* How many ids at the end equal the id q before them, after `id` is taken, where it were `run` before.
 * Ghost: the stream of ids. */
/*@ requires period: 1 <= q <= max_period;
    requires read:   \valid_read(ids + (0 .. max_period - 1)) && last_ids(ids, max_period, sid, n);
    requires id:     id == H(sid, n) && id <= INT32_MAX && n < INT32_MAX;
    requires run:    longest_run(sid, n, q, run);
    assigns  \nothing;
    ensures  run:    longest_run(sid, n + 1, q, \result); */
static uint32_t run_on(const int32_t *ids, uint32_t max_period, uint32_t n, uint32_t id, uint32_t q, uint32_t run)
/*@ ghost (uint32_t sid) */ {
  if (n < q) {
    //@ assert few: longest_run(sid, n + 1, q, 0);
    return 0;
  }
  //@ assert place: 0 <= (n - q) % max_period < max_period;
  //@ assert before: ids[(n - q) % max_period] == H(sid, n - q);
  if (ids[(n - q) % max_period] != (int32_t)id) {
    //@ assert other: longest_run(sid, n + 1, q, 0);
    return 0;
  }
  //@ assert room: run <= n;
  //@ assert again: longest_run(sid, n + 1, q, run + 1);
  return run + 1;
}

/* Whether a run is long enough: q × again ids after the first q. */
/*@ requires period: 1 <= q <= max_period && 1 <= again && max_period * again <= INT32_MAX;
    requires run:    longest_run(sid, n, q, run);
    assigns  \nothing;
    ensures  often:  \result <==> loop_of(sid, n, q, again + 1); */
static bool often(uint32_t run, uint32_t q,
                  uint32_t again) /*@ ghost (uint32_t sid, uint32_t n, uint32_t max_period) */ {
  //@ assert room: 0 <= q * again <= max_period * again;
  //@ assert sum: q * (again + 1) == q * again + q;
  return run >= q * again;
}

bool es_repetition_take(es_repetition *r, uint32_t id) /*@ ghost (uint32_t sid) */ {
  if (r->max_period == 0) return false;
  uint32_t n = r->taken;
  uint32_t max_period = r->max_period;
  uint32_t again = r->min_repeats - 1;
  int32_t *runs = r->runs;
  //@ assert product: max_period * again <= INT32_MAX;
  //@ assert few: 1 <= max_period <= INT32_MAX;
  bool found = false;
  /*@ loop invariant place: 1 <= q <= max_period + 1;
      loop invariant ids:   last_ids(r->ids, max_period, sid, n);
      loop invariant done:  all_runs(runs, 0, q - 1, sid, n + 1);
      loop invariant rest:  all_runs(runs, q - 1, max_period, sid, n);
      loop invariant found: found <==> in_circles(sid, n + 1, q - 1, again + 1);
      loop assigns q, found, runs[0 .. max_period - 1];
      loop variant max_period + 1 - q; */
  for (uint32_t q = 1; q <= max_period; q++) {
    uint32_t run = run_on(r->ids, max_period, n, id, q, (uint32_t)runs[q - 1]) /*@ ghost (sid) */;
    //@ assert room: run <= n;
    //@ ghost before: ;
    runs[q - 1] = (int32_t)run;
    //@ assert frame: \forall integer t; 0 <= t < max_period && t != q - 1 ==> runs[t] == \at(runs[t], before);
    if (often(run, q, again) /*@ ghost (sid, (uint32_t)(n + 1), max_period) */) found = true;
    //@ assert found: found <==> in_circles(sid, n + 1, q, again + 1);
    //@ assert done: all_runs(runs, 0, q, sid, n + 1);
  }
  //@ ghost closing: ;
  r->ids[n % max_period] = (int32_t)id;
  //@ assert runs: \forall integer t; 0 <= t < max_period ==> runs[t] == \at(runs[t], closing);
  //@ assert ring: last_ids(r->ids, max_period, sid, n + 1);
  //@ ghost counting: ;
  r->taken = n + 1;
  //@ assert still_runs: \forall integer t; 0 <= t < max_period ==> runs[t] == \at(runs[t], counting);
  //@ assert still_ids: \forall integer t; 0 <= t < max_period ==> r->ids[t] == \at(r->ids[t], counting);
  return found;
}
