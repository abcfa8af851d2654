/* Logic of R2, R3, R5 and R10 (see spec/matcher.md): stops and streams, without memory.
 *
 * A stop set ss is any list of stops; a stop is a run of symbols: the bytes of a stop string or the ids of a stop
 * sequence. The functions are uninterpreted: no axiom says anything of them. What follows from these words, for proofs,
 * is in stops_steps.acsl.h and stops_live.acsl.h. */
#ifndef ES_STOPS_ACSL_H
#define ES_STOPS_ACSL_H

#include "stream.acsl.h"

/*@
  axiomatic Stops {
    logic integer stops(integer ss) reads \nothing;                          // how many
    logic integer size(integer ss, integer i) reads \nothing;                // symbols of stop i
    logic integer symbol(integer ss, integer i, integer j) reads \nothing;   // symbol j of stop i
    logic integer priority(integer ss, integer i) reads \nothing;            // priority of stop i
    logic integer source(integer ss, integer k) reads \nothing; // where stop k stands in the list that ss is made from
  }

  predicate wf(integer ss) =
    0 <= stops(ss) <= INT32_MAX && \forall integer i; 0 <= i < stops(ss) ==> 1 <= size(ss, i) <= ES_STOP_MAX_LENGTH;

  // the first l symbols of stop i are a suffix of H[0 .. n)
  predicate suffix(integer sid, integer n, integer ss, integer i, integer l) =
    0 <= l <= n && \forall integer j; 0 <= j < l ==> symbol(ss, i, j) == H(sid, n - l + j);

  // R2: stop i completes at n
  predicate completes(integer sid, integer n, integer ss, integer i) =
    0 <= i < stops(ss) && suffix(sid, n, ss, i, size(ss, i));

  // R10: l symbols at the end are a proper prefix of stop i
  predicate held(integer sid, integer n, integer ss, integer i, integer l) =
    0 <= i < stops(ss) && 0 <= l < size(ss, i) && suffix(sid, n, ss, i, l);

  // R10: `hold` is the longest such suffix
  predicate hold_exact(integer sid, integer n, integer ss, integer hold) =
    (hold == 0 || \exists integer i; held(sid, n, ss, i, hold)) &&
    (\forall integer i, l; held(sid, n, ss, i, l) ==> l <= hold);

  predicate no_stop(integer sid, integer n, integer ss) = \forall integer i; !completes(sid, n, ss, i);

  // R3: stop a comes before stop b where both complete
  predicate before(integer ss, integer a, integer b) =
    priority(ss, a) > priority(ss, b) ||
    (priority(ss, a) == priority(ss, b) && (size(ss, a) > size(ss, b) || (size(ss, a) == size(ss, b) && a <= b)));

  // R3: b is the stop that counts at n
  predicate first_stop(integer sid, integer n, integer ss, integer b) =
    completes(sid, n, ss, b) && \forall integer i; completes(sid, n, ss, i) ==> before(ss, b, i);

  // the first k symbols of stop i are also its last k before place q
  predicate border(integer ss, integer i, integer q, integer k) =
    0 <= k < q && \forall integer j; 0 <= j < k ==> symbol(ss, i, j) == symbol(ss, i, q - k + j);

  predicate longest_border(integer ss, integer i, integer q, integer k) =
    border(ss, i, q, k) && \forall integer l; border(ss, i, q, l) ==> l <= k;

  // m is the longest prefix of stop i, the whole included, at the end of H[0 .. n)
  predicate progress(integer sid, integer n, integer ss, integer i, integer m) =
    0 <= m <= size(ss, i) && suffix(sid, n, ss, i, m) &&
    \forall integer l; 0 <= l <= size(ss, i) && suffix(sid, n, ss, i, l) ==> l <= m;

  // R10: stop b occurs in stop a and ends before its place p
  predicate occurs(integer ss, integer b, integer a, integer p) =
    size(ss, b) <= p <= size(ss, a) &&
    \forall integer j; 0 <= j < size(ss, b) ==> symbol(ss, b, j) == symbol(ss, a, p - size(ss, b) + j);

  // R10: what makes stop a never the one that ends a lane, because of stop b: (1) b ends in a before its last symbol,
  // (2) b is a proper suffix of a and has a higher priority, (3) b is a again, of higher priority or earlier
  predicate inside(integer ss, integer b, integer a) = \exists integer p; p < size(ss, a) && occurs(ss, b, a, p);
  predicate wins_as_suffix(integer ss, integer b, integer a) =
    size(ss, b) < size(ss, a) && occurs(ss, b, a, size(ss, a)) && priority(ss, b) > priority(ss, a);
  predicate wins_as_same(integer ss, integer b, integer a) =
    size(ss, b) == size(ss, a) && occurs(ss, b, a, size(ss, a)) &&
    (priority(ss, b) > priority(ss, a) || (priority(ss, b) == priority(ss, a) && b < a));

  predicate live(integer ss, integer a) =
    0 <= a < stops(ss) && \forall integer b; 0 <= b < stops(ss) ==>
      !inside(ss, b, a) && !wins_as_suffix(ss, b, a) && !wins_as_same(ss, b, a);

  // R10: b shows that a is not live
  predicate kills(integer ss, integer b, integer a) =
    inside(ss, b, a) || wins_as_suffix(ss, b, a) || wins_as_same(ss, b, a);

  // each stop that is not live has a live one that shows it
  predicate covered(integer ss) = \forall integer a; 0 <= a < stops(ss) ==>
    live(ss, a) || \exists integer b; live(ss, b) && kills(ss, b, a);

  // stop k of ls is stop i of ss
  predicate same_stop(integer ss, integer i, integer ls, integer k) =
    size(ls, k) == size(ss, i) && priority(ls, k) == priority(ss, i) &&
    \forall integer j; 0 <= j < size(ss, i) ==> symbol(ls, k, j) == symbol(ss, i, j);

  // ss keeps the order of the list that it is made from
  predicate in_order(integer ss) =
    0 <= stops(ss) && \forall integer k, l; 0 <= k < l < stops(ss) ==> source(ss, k) < source(ss, l);
  predicate has_source(integer ss, integer i) = \exists integer k; 0 <= k < stops(ss) && source(ss, k) == i;

  // R10: ls is the live stops of ss, in their order, and nothing else
  predicate live_list(integer ss, integer ls) =
    in_order(ls) &&
    (\forall integer k; 0 <= k < stops(ls) ==>
       live(ss, source(ls, k)) && same_stop(ss, source(ls, k), ls, k)) &&
    (\forall integer i; live(ss, i) ==> has_source(ls, i));

  // entries of the first n stops in memory: one a symbol and one a stop
  logic integer entries(integer ss, integer n) = n <= 0 ? 0 : entries(ss, n - 1) + size(ss, n - 1) + 1;

  predicate below(integer ss, integer n, integer end) =
    \forall integer t; 0 <= t < n ==> 0 <= entries(ss, t) && entries(ss, t) + size(ss, t) < end;

  // stream sid + a begins with stop a
  predicate streams(integer sid, integer ss) = \forall integer a, j; 0 <= a < stops(ss) && 0 <= j < size(ss, a) ==>
    symbol(ss, a, j) >= 0 && symbol(ss, a, j) == H(sid + a, j);
*/

#endif
