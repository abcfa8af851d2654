/* Lemmas of R10, for the proof of stops_live.c: a stop is live exactly if it is what counts where it stands alone, and
 * to leave out the others changes no end. */
#ifndef ES_STOPS_LIVE_ACSL_H
#define ES_STOPS_LIVE_ACSL_H

#include "stops.acsl.h"

/*@
  // the stream sid begins with stop a
  predicate begins_with(integer sid, integer ss, integer a) =
    \forall integer j; 0 <= j < size(ss, a) ==> symbol(ss, a, j) >= 0 && symbol(ss, a, j) == H(sid, j);

  lemma occurs_completes: \forall integer sid, ss, a, b, p;
    begins_with(sid, ss, a) && wf(ss) && 0 <= b < stops(ss) && 0 <= p <= size(ss, a) ==>
    (completes(sid, p, ss, b) <==> occurs(ss, b, a, p));
  lemma occurs_inside: \forall integer ss, a, b, p; occurs(ss, b, a, p) && p < size(ss, a) ==> inside(ss, b, a);
  lemma dead_inside: \forall integer ss, a, b, p; 0 <= b < stops(ss) && occurs(ss, b, a, p) && p < size(ss, a) ==>
    !live(ss, a);
  lemma live_first: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) && live(ss, a) ==>
    first_stop(sid, size(ss, a), ss, a);
  lemma first_live: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) &&
    first_stop(sid, size(ss, a), ss, a) && (\forall integer b; 0 <= b < stops(ss) ==> !inside(ss, b, a)) ==>
    live(ss, a);
  lemma begins_completes: \forall integer sid, ss, a; begins_with(sid, ss, a) && wf(ss) && 0 <= a < stops(ss) ==>
    completes(sid, size(ss, a), ss, a);

  // R10: what ends a lane is live
  predicate no_stop_before(integer sid, integer n, integer ss) =
    \forall integer m, i; m < n ==> !completes(sid, m, ss, i);
  lemma none_more: \forall integer sid, n, ss; no_stop_before(sid, n, ss) && no_stop(sid, n, ss) ==>
    no_stop_before(sid, n + 1, ss);
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

  // R10: ls has the stops of ss that are live
  lemma same_borders: \forall integer ss, i, ls, k, q, l; same_stop(ss, i, ls, k) && 0 <= q <= size(ss, i) ==>
    (border(ss, i, q, l) <==> border(ls, k, q, l));
  lemma same_border: \forall integer ss, i, ls, k, q, l; same_stop(ss, i, ls, k) && longest_border(ss, i, q, l) &&
    q <= size(ss, i) ==> longest_border(ls, k, q, l);
  lemma live_stop: \forall integer ss, ls, k; live_list(ss, ls) && 0 <= k < stops(ls) ==>
    0 <= source(ls, k) < stops(ss) && same_stop(ss, source(ls, k), ls, k);
  lemma live_size: \forall integer ss, ls, k; wf(ss) && live_list(ss, ls) && 0 <= k < stops(ls) ==>
    1 <= size(ls, k) <= ES_STOP_MAX_LENGTH;
  lemma live_wf: \forall integer ss, ls; wf(ss) && live_list(ss, ls) && stops(ls) <= stops(ss) ==> wf(ls);

  // R10: to leave out what is not live changes neither the place where a lane ends nor the stop that counts there
  lemma live_completes: \forall integer sid, n, ss, ls, k; live_list(ss, ls) && 0 <= k < stops(ls) ==>
    (completes(sid, n, ls, k) <==> completes(sid, n, ss, source(ls, k)));
  lemma live_is_there: \forall integer sid, n, ss, ls, i;
    live_list(ss, ls) && live(ss, i) && completes(sid, n, ss, i) ==>
    \exists integer k; completes(sid, n, ls, k) && source(ls, k) == i;
  lemma left_out_adds_none: \forall integer sid, n, ss, ls, k; live_list(ss, ls) && completes(sid, n, ls, k) ==>
    completes(sid, n, ss, source(ls, k));
  lemma not_live_not_first: \forall integer sid, n, ss, a; wf(ss) && covered(ss) && no_stop_before(sid, n, ss) &&
    completes(sid, n, ss, a) && !live(ss, a) ==>
    \exists integer b; live(ss, b) && completes(sid, n, ss, b) && before(ss, b, a);
  lemma left_out_loses_none: \forall integer sid, n, ss, ls; wf(ss) && live_list(ss, ls) && covered(ss) &&
    no_stop_before(sid, n, ss) && no_stop(sid, n, ls) ==> no_stop(sid, n, ss);
  lemma before_through: \forall integer ss, a, b, c; before(ss, a, b) && before(ss, b, c) ==> before(ss, a, c);
  lemma before_kept: \forall integer ss, ls, k, l; live_list(ss, ls) && 0 <= k < stops(ls) && 0 <= l < stops(ls) &&
    before(ls, k, l) ==> before(ss, source(ls, k), source(ls, l));
  lemma left_out_before_live: \forall integer sid, n, ss, ls, k, i; live_list(ss, ls) && first_stop(sid, n, ls, k) &&
    live(ss, i) && completes(sid, n, ss, i) ==> before(ss, source(ls, k), i);
  lemma left_out_before: \forall integer sid, n, ss, ls, k, i; wf(ss) && live_list(ss, ls) && covered(ss) &&
    no_stop_before(sid, n, ss) && first_stop(sid, n, ls, k) && completes(sid, n, ss, i) ==>
    before(ss, source(ls, k), i);
  lemma left_out_same_first: \forall integer sid, n, ss, ls, k; wf(ss) && live_list(ss, ls) && covered(ss) &&
    no_stop_before(sid, n, ss) && first_stop(sid, n, ls, k) ==> first_stop(sid, n, ss, source(ls, k));
*/

#endif
