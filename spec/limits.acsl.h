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

  lemma circles_none: \forall integer sid, n, times; !in_circles(sid, n, 0, times);
  lemma circles_more: \forall integer sid, n, p, q, times; in_circles(sid, n, p, times) && p <= q ==>
    in_circles(sid, n, q, times);
  lemma circles_last: \forall integer sid, n, q, times; 1 <= q && loop_of(sid, n, q, times) ==> in_circles(sid, n, q, times);
  lemma circles_or: \forall integer sid, n, q, times; in_circles(sid, n, q, times) && !loop_of(sid, n, q, times) ==>
    in_circles(sid, n, q - 1, times);
  lemma times_least: \forall integer k, p; 0 < p && 0 < p * k ==> p <= p * k;
  lemma times_up: \forall integer a, b, c; 0 <= a <= b && 0 <= c ==> a * c <= b * c;
  lemma ring_place: \forall integer j, n, p; 0 <= j < n && n - j < p ==> j % p != n % p;
  lemma run_up: \forall integer sid, n, q, r; longest_run(sid, n, q, r) && 1 <= q <= n && H(sid, n) == H(sid, n - q) ==>
    longest_run(sid, n + 1, q, r + 1);
  lemma run_ends: \forall integer sid, n, q; 1 <= q && (n < q || H(sid, n) != H(sid, n - q)) ==>
    longest_run(sid, n + 1, q, 0);
  lemma run_least: \forall integer sid, n, q, r, length; longest_run(sid, n, q, r) && 1 <= q && q <= length <= n ==>
    (periodic(sid, n, length, q) <==> length <= r + q);
*/

#endif
