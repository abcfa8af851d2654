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

  // the first c stops of ss are those that come from before place i
  predicate up_to(integer ss, integer c, integer i) =
    0 <= c <= stops(ss) && (\forall integer k; 0 <= k < c ==> source(ss, k) < i) &&
    (c < stops(ss) ==> source(ss, c) >= i);

  // entries of the first n stops in memory: one a symbol and one a stop
  logic integer entries(integer ss, integer n) = n <= 0 ? 0 : entries(ss, n - 1) + size(ss, n - 1) + 1;

  predicate below(integer ss, integer n, integer end) =
    \forall integer t; 0 <= t < n ==> 0 <= entries(ss, t) && entries(ss, t) + size(ss, t) < end;

  // the stream sid begins with stop a
  predicate begins_with(integer sid, integer ss, integer a) =
    \forall integer j; 0 <= j < size(ss, a) ==> symbol(ss, a, j) >= 0 && symbol(ss, a, j) == H(sid, j);

  // stream sid + a begins with stop a
  predicate streams(integer sid, integer ss) = \forall integer a, j; 0 <= a < stops(ss) && 0 <= j < size(ss, a) ==>
    symbol(ss, a, j) >= 0 && symbol(ss, a, j) == H(sid + a, j);

  lemma occurs_completes: \forall integer sid, ss, a, b, p;
    begins_with(sid, ss, a) && wf(ss) && 0 <= b < stops(ss) && 0 <= p <= size(ss, a) ==>
    (completes(sid, p, ss, b) <==> occurs(ss, b, a, p));
  lemma dead_inside: \forall integer ss, a, b, p; 0 <= b < stops(ss) && occurs(ss, b, a, p) && p < size(ss, a) ==>
    !live(ss, a);
  lemma live_first: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) && live(ss, a) ==>
    first_stop(sid, size(ss, a), ss, a);
  lemma first_live: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) &&
    first_stop(sid, size(ss, a), ss, a) && (\forall integer b; 0 <= b < stops(ss) ==> !inside(ss, b, a)) ==> live(ss, a);
  lemma begins_completes: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) && 0 <= a < stops(ss) ==>
    completes(sid, size(ss, a), ss, a);

  // R10: what ends a lane is live
  predicate no_stop_before(integer sid, integer n, integer ss) =
    \forall integer m, i; m < n ==> !completes(sid, m, ss, i);
  lemma completes_inside: \forall integer sid, n, ss, a, b, p;
    wf(ss) && completes(sid, n, ss, a) && 0 <= b < stops(ss) && occurs(ss, b, a, p) ==>
    completes(sid, n - size(ss, a) + p, ss, b);
  lemma completes_with: \forall integer sid, n, ss, a, b;
    wf(ss) && completes(sid, n, ss, a) && 0 <= b < stops(ss) && occurs(ss, b, a, size(ss, a)) ==>
    completes(sid, n, ss, b);
  lemma completes_earlier: \forall integer sid, n, ss, a, b;
    wf(ss) && completes(sid, n, ss, a) && 0 <= b < stops(ss) && inside(ss, b, a) ==>
    \exists integer m; m < n && completes(sid, m, ss, b);
  lemma nothing_inside: \forall integer sid, n, ss, a, b;
    wf(ss) && no_stop_before(sid, n, ss) && completes(sid, n, ss, a) && 0 <= b < stops(ss) ==> !inside(ss, b, a);
  lemma first_is_live: \forall integer sid, n, ss, a;
    wf(ss) && no_stop_before(sid, n, ss) && first_stop(sid, n, ss, a) ==> live(ss, a);

  // R10: to leave out what is not live changes neither the place where a lane ends nor the stop that counts there
  lemma same_border: \forall integer ss, i, ls, k, q, l; same_stop(ss, i, ls, k) && longest_border(ss, i, q, l) &&
    q <= size(ss, i) ==> longest_border(ls, k, q, l);
  lemma live_wf: \forall integer ss, ls; wf(ss) && live_list(ss, ls) && stops(ls) <= stops(ss) ==> wf(ls);
  lemma live_completes: \forall integer sid, n, ss, ls, k; live_list(ss, ls) && 0 <= k < stops(ls) ==>
    (completes(sid, n, ls, k) <==> completes(sid, n, ss, source(ls, k)));
  lemma live_is_there: \forall integer sid, n, ss, ls, i; live_list(ss, ls) && live(ss, i) && completes(sid, n, ss, i) ==>
    \exists integer k; completes(sid, n, ls, k) && source(ls, k) == i;
  lemma left_out_adds_none: \forall integer sid, n, ss, ls; live_list(ss, ls) && no_stop(sid, n, ss) ==>
    no_stop(sid, n, ls);
  lemma not_live_not_first: \forall integer sid, n, ss, a; wf(ss) && covered(ss) && no_stop_before(sid, n, ss) &&
    completes(sid, n, ss, a) && !live(ss, a) ==>
    \exists integer b; live(ss, b) && completes(sid, n, ss, b) && before(ss, b, a);
  lemma left_out_loses_none: \forall integer sid, n, ss, ls; wf(ss) && live_list(ss, ls) && covered(ss) &&
    no_stop_before(sid, n, ss) && no_stop(sid, n, ls) ==> no_stop(sid, n, ss);
  lemma before_through: \forall integer ss, a, b, c; before(ss, a, b) && before(ss, b, c) ==> before(ss, a, c);
  lemma before_kept: \forall integer ss, ls, k, l; live_list(ss, ls) && 0 <= k < stops(ls) && 0 <= l < stops(ls) &&
    before(ls, k, l) ==> before(ss, source(ls, k), source(ls, l));
  lemma left_out_same_first: \forall integer sid, n, ss, ls, k; wf(ss) && live_list(ss, ls) && covered(ss) &&
    no_stop_before(sid, n, ss) && first_stop(sid, n, ls, k) ==> first_stop(sid, n, ss, source(ls, k));

  // a stop set that keeps the order of its list, one place of the list after another
  lemma up_to_this: \forall integer ss, c, i; in_order(ss) && up_to(ss, c, i) && has_source(ss, i) ==>
    c < stops(ss) && source(ss, c) == i && up_to(ss, c + 1, i + 1);
  lemma up_to_not_this: \forall integer ss, c, i; up_to(ss, c, i) && !has_source(ss, i) ==> up_to(ss, c, i + 1);

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
