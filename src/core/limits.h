/* limits: how long a lane may run, and when it runs in circles (R7).
 *
 * Counts tokens and compares ids; knows nothing of text. The caller asks after each token it takes. */
#ifndef ES_LIMITS_H
#define ES_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "request.h"

#ifdef __FRAMAC__
#include "limits.acsl.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ES_WITHIN, ES_AT_MAX_TOKENS, ES_AT_MAX_CONTEXT } es_limit;

typedef struct {
  uint32_t max_tokens;  /* tokens the lane may take, or ES_NO_LIMIT */
  uint32_t max_context; /* prompt and taken tokens together, or ES_NO_LIMIT */
  uint32_t prompt;      /* tokens of the prompt */
  uint32_t taken;       /* tokens taken so far */
} es_limits;

/* Which limit the lane has reached; of two, the one that comes first in the order of causes (R7). Asked before
 * the first token it is what ends a lane before boundary 0. */
/*@ requires valid: \valid_read(limits);
    requires room:  limits->taken <= INT32_MAX && limits->prompt <= INT32_MAX;
    assigns  \nothing;
    behavior tokens:
      assumes  last:   at_max_tokens(limits->taken, limits->max_tokens);
      ensures  result: \result == ES_AT_MAX_TOKENS;
    behavior context:
      assumes  more:   !at_max_tokens(limits->taken, limits->max_tokens);
      assumes  last:   at_max_context(limits->taken, limits->prompt, limits->max_context);
      ensures  result: \result == ES_AT_MAX_CONTEXT;
    behavior within:
      assumes  more:   !at_max_tokens(limits->taken, limits->max_tokens);
      assumes  room:   !at_max_context(limits->taken, limits->prompt, limits->max_context);
      ensures  result: \result == ES_WITHIN;
    complete behaviors; disjoint behaviors; */
es_limit es_limits_reached(const es_limits *limits);

/* Takes one more token and says which limit it reached (R7). */
/*@ requires valid: \valid(limits);
    requires room:  limits->taken < INT32_MAX && limits->prompt <= INT32_MAX;
    assigns  limits->taken;
    ensures  count: limits->taken == \old(limits->taken) + 1;
    behavior tokens:
      assumes  last:   at_max_tokens(limits->taken + 1, limits->max_tokens);
      ensures  result: \result == ES_AT_MAX_TOKENS;
    behavior context:
      assumes  more:   !at_max_tokens(limits->taken + 1, limits->max_tokens);
      assumes  last:   at_max_context(limits->taken + 1, limits->prompt, limits->max_context);
      ensures  result: \result == ES_AT_MAX_CONTEXT;
    behavior within:
      assumes  more:   !at_max_tokens(limits->taken + 1, limits->max_tokens);
      assumes  room:   !at_max_context(limits->taken + 1, limits->prompt, limits->max_context);
      ensures  result: \result == ES_WITHIN;
    complete behaviors; disjoint behaviors; */
es_limit es_limits_take(es_limits *limits);

/* The last ids of a lane, and for each period how many of them repeat the ids one period before. */
typedef struct {
  int32_t *ids;        /* the last max_period ids: id number t at t % max_period */
  int32_t *runs;       /* runs[q − 1]: ids at the end that equal the id q before them */
  uint32_t max_period; /* 0: there is no guard */
  uint32_t min_repeats;
  uint32_t taken;
} es_repetition;

/*@
  // id number j is at j % max_period
  predicate last_ids{L}(int32_t *ids, integer max_period, integer sid, integer n) =
    \forall integer j; 0 <= j < n && n - j <= max_period ==> ids[j % max_period] == H(sid, j);

  // runs[j] is the run of period j + 1
  predicate all_runs{L}(int32_t *runs, integer from, integer to, integer sid, integer n) =
    \forall integer j; from <= j < to ==> longest_run(sid, n, j + 1, runs[j]);
*/

/* Takes one more id and says whether the ids at the end repeat often enough (R7): the last q × min_repeats ids have
 * period q, for some q up to max_period. Ids are compared, whatever their text. Ghost: the stream of ids. */
/*@ requires valid: \valid(r);
    assigns  r->taken, r->ids[0 .. r->max_period - 1], r->runs[0 .. r->max_period - 1];
    behavior without:
      assumes  none:  r->max_period == 0;
      assigns  \nothing;
      ensures  no:    !\result;
    behavior guarded:
      assumes  guard: r->max_period > 0;
      requires valid: repetition_valid(r);
      requires state: repetition_state(r, sid) && id == H(sid, r->taken) && id <= INT32_MAX;
      requires room:  r->taken < INT32_MAX;
      assigns  r->taken, r->ids[0 .. r->max_period - 1], r->runs[0 .. r->max_period - 1];
      ensures  taken: r->taken == \old(r->taken) + 1;
      ensures  valid: repetition_valid(r);
      ensures  state: repetition_state(r, sid);
      ensures  found: \result <==> in_circles(sid, r->taken, r->max_period, r->min_repeats);
    complete behaviors; disjoint behaviors; */
bool es_repetition_take(es_repetition *r, uint32_t id) /*@ ghost (uint32_t sid) */;

#ifdef __cplusplus
}
#endif

#endif
