/* Logic of R2, R3, R5 and R10 (see spec/matcher.md): stops and streams, without memory.
 *
 * A stop set ss is any list of stops; a stop is a run of symbols: the bytes of a stop string or the ids of a stop
 * sequence. The functions are uninterpreted: no axiom says anything of them. */
#ifndef ES_STOPS_ACSL_H
#define ES_STOPS_ACSL_H

#include "stream.acsl.h"

/*@
  axiomatic Stops {
    logic integer stops(integer ss) reads \nothing;                          // how many
    logic integer size(integer ss, integer i) reads \nothing;                // symbols of stop i
    logic integer symbol(integer ss, integer i, integer j) reads \nothing;   // symbol j of stop i
    logic integer priority(integer ss, integer i) reads \nothing;            // priority of stop i
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

  // the stream sid begins with stop a
  predicate begins_with(integer sid, integer ss, integer a) =
    \forall integer j; 0 <= j < size(ss, a) ==> symbol(ss, a, j) >= 0 && symbol(ss, a, j) == H(sid, j);

  lemma occurs_completes: \forall integer sid, ss, a, b, p;
    begins_with(sid, ss, a) && wf(ss) && 0 <= b < stops(ss) && 0 <= p <= size(ss, a) ==>
    (completes(sid, p, ss, b) <==> occurs(ss, b, a, p));
  lemma dead_inside: \forall integer ss, a, b, p; 0 <= b < stops(ss) && occurs(ss, b, a, p) && p < size(ss, a) ==>
    !live(ss, a);
  lemma live_first: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) && live(ss, a) ==>
    first_stop(sid, size(ss, a), ss, a);
  lemma first_live: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) &&
    first_stop(sid, size(ss, a), ss, a) && (\forall integer b; 0 <= b < stops(ss) ==> !inside(ss, b, a)) ==> live(ss, a);
  lemma suffix_border: \forall integer sid, n, ss, i, k, l; suffix(sid, n, ss, i, k) && 0 <= l < k ==>
    (suffix(sid, n, ss, i, l) <==> border(ss, i, k, l));
  lemma suffix_up: \forall integer sid, n, ss, i, l; suffix(sid, n, ss, i, l) && symbol(ss, i, l) == H(sid, n) ==>
    suffix(sid, n + 1, ss, i, l + 1);
  lemma suffix_down: \forall integer sid, n, ss, i, l; suffix(sid, n + 1, ss, i, l) && 1 <= l ==>
    suffix(sid, n, ss, i, l - 1) && symbol(ss, i, l - 1) == H(sid, n);
  lemma border_up: \forall integer ss, i, q, k; border(ss, i, q, k) && symbol(ss, i, k) == symbol(ss, i, q) ==>
    border(ss, i, q + 1, k + 1);
  lemma border_down: \forall integer ss, i, q, k; border(ss, i, q, k) && 1 <= k ==>
    border(ss, i, q - 1, k - 1) && symbol(ss, i, k - 1) == symbol(ss, i, q - 1);
  lemma border_trans: \forall integer ss, i, q, k, l; border(ss, i, q, k) && border(ss, i, k, l) ==>
    border(ss, i, q, l);
*/

#endif
