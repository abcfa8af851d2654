/* Lemmas that the proof of limits.c takes its steps by (R7: limits and repetition). Nothing else needs them. */
#ifndef ES_LIMITS_STEPS_ACSL_H
#define ES_LIMITS_STEPS_ACSL_H

#include "limits.acsl.h"

/*@
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
