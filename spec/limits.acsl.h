/* Logic of R7 (see spec/limits.md): limits and repetition as statements about token counts and ids alone. */
#ifndef ES_LIMITS_ACSL_H
#define ES_LIMITS_ACSL_H

#include "stream.acsl.h"

/*@
  // n taken tokens, after a prompt of p, reach a limit
  predicate at_max_tokens(integer n, integer max_tokens) = max_tokens != ES_NO_LIMIT && n >= max_tokens;
  predicate at_max_context(integer n, integer p, integer max_context) =
    max_context != ES_NO_LIMIT && n + p >= max_context;

  // there are `length` symbols at the end of H[0 .. n), and they have period q
  predicate periodic(integer sid, integer n, integer length, integer q) =
    0 <= length <= n && \forall integer j; n - length <= j && j + q < n ==> H(sid, j) == H(sid, j + q);

  // the last q * times ids have period q
  predicate loop_of(integer sid, integer n, integer q, integer times) = periodic(sid, n, q * times, q);

  // R7: … for some q up to max_period
  predicate in_circles(integer sid, integer n, integer max_period, integer times) =
    \exists integer q; 1 <= q <= max_period && loop_of(sid, n, q, times);

  // of the symbols at the end, those that equal the symbol q before them are r, and no more
  predicate longest_run(integer sid, integer n, integer q, integer r) =
    0 <= r && (n < q ? r == 0 : periodic(sid, n, r + q, q) && !periodic(sid, n, r + q + 1, q));

*/

/* Macros, so that what a contract says of a guard in memory is said of its members, one by one.
 * repetition_state: the ids of the stream sid up to r->taken have come in. */
#define repetition_valid(r)                                                                             \
  (\valid(r) && (r)->max_period >= 1 && (r)->min_repeats >= 2 &&                                        \
   (r)->max_period * (r)->min_repeats <= INT32_MAX && \valid((r)->ids + (0 .. (r)->max_period - 1)) &&  \
   \valid((r)->runs + (0 .. (r)->max_period - 1)) &&                                                    \
   \separated(r, (r)->ids + (0 .. (r)->max_period - 1), (r)->runs + (0 .. (r)->max_period - 1)))
#define repetition_state(r, sid)                           \
  (last_ids((r)->ids, (r)->max_period, sid, (r)->taken) && \
   all_runs((r)->runs, 0, (r)->max_period, sid, (r)->taken))

#endif
