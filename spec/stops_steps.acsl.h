/* Lemmas on stops, for the proofs of matcher.c, stops.c and stops_live.c: one symbol, or one stop, more. */
#ifndef ES_STOPS_STEPS_ACSL_H
#define ES_STOPS_STEPS_ACSL_H

#include "stops.acsl.h"

/*@
  lemma suffix_border: \forall integer sid, n, ss, i, k, l; suffix(sid, n, ss, i, k) && 0 <= l < k ==>
    (suffix(sid, n, ss, i, l) <==> border(ss, i, k, l));
  lemma suffix_up: \forall integer sid, n, ss, i, l; suffix(sid, n, ss, i, l) && symbol(ss, i, l) == H(sid, n) ==>
    suffix(sid, n + 1, ss, i, l + 1);
  lemma suffix_down: \forall integer sid, n, ss, i, l; suffix(sid, n, ss, i, l) && 1 <= l ==>
    suffix(sid, n - 1, ss, i, l - 1) && symbol(ss, i, l - 1) == H(sid, n - 1);
  lemma border_up: \forall integer ss, i, q, k; border(ss, i, q, k) && symbol(ss, i, k) == symbol(ss, i, q) ==>
    border(ss, i, q + 1, k + 1);
  lemma border_down: \forall integer ss, i, q, k; border(ss, i, q, k) && 1 <= k ==>
    border(ss, i, q - 1, k - 1) && symbol(ss, i, k - 1) == symbol(ss, i, q - 1);
  lemma border_trans: \forall integer ss, i, q, k, l; border(ss, i, q, k) && border(ss, i, k, l) ==>
    border(ss, i, q, l);

  // the first c stops of ss are those that come from before place i
  predicate up_to(integer ss, integer c, integer i) =
    0 <= c <= stops(ss) && (\forall integer k; 0 <= k < c ==> source(ss, k) < i) &&
    (c < stops(ss) ==> source(ss, c) >= i);

  lemma up_to_this: \forall integer ss, c, i; in_order(ss) && up_to(ss, c, i) && has_source(ss, i) ==>
    c < stops(ss) && source(ss, c) == i && up_to(ss, c + 1, i + 1);
  lemma up_to_not_this: \forall integer ss, c, i; up_to(ss, c, i) && !has_source(ss, i) ==> up_to(ss, c, i + 1);
*/

#endif
