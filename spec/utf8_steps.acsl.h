/* Logic of utf8's proof (see spec/utf8.md): lemmas on characters, edges and text, in the order in which one leads to the
 * next, and what its loops keep. */
#ifndef ES_UTF8_STEPS_ACSL_H
#define ES_UTF8_STEPS_ACSL_H

#include "utf8.acsl.h"

/*@
  lemma piece_begins: \forall integer sid, p; announced(H(sid, p)) >= 1 ==> begins(sid, p, piece(sid, p));
  lemma piece_most: \forall integer sid, p, l; begins(sid, p, l) ==> l <= piece(sid, p);
  lemma piece_whole: \forall integer sid, p;
    character(sid, p, piece(sid, p)) <==> piece(sid, p) == announced(H(sid, p));
  lemma piece_tail: \forall integer sid, p, q; p < q < p + piece(sid, p) ==> continuation(H(sid, q));
  lemma reaches_on: \forall integer sid, p, e; p + piece(sid, p) <= e ==>
    (reaches(sid, p, e) <==> reaches(sid, p + piece(sid, p), e));
  lemma parts_start: \forall integer sid; parts_text(sid, 0);
  lemma shown_alone: \forall integer sid, a;
    text_length(sid, a, a + piece(sid, a)) == shown_length(sid, a, a + piece(sid, a));
  lemma shown_here: \forall integer sid, a, n; a + piece(sid, a) <= n ==>
    shown_length(sid, a, n) == shown_length(sid, a, a + piece(sid, a));
  lemma parts_here: \forall integer sid, a; parts_length(sid, a) ==>
    text_length(sid, 0, a + piece(sid, a)) == text_length(sid, 0, a) + shown_length(sid, a, a + piece(sid, a));
  lemma parts_length_step: \forall integer sid, a; parts_length(sid, a) ==> parts_length(sid, a + piece(sid, a));
  lemma parts_first_step: \forall integer sid, a; parts_text(sid, a) ==> parts_first(sid, a + piece(sid, a));
  lemma parts_then_step: \forall integer sid, a; parts_text(sid, a) ==> parts_then(sid, a + piece(sid, a));
  lemma parts_step: \forall integer sid, a, e;
    parts_text(sid, a) && a + piece(sid, a) <= e <= a + piece(sid, a) ==> parts_text(sid, e);
  lemma settled_edge: \forall integer sid, a; settled(sid, a) ==> edge(sid, a + piece(sid, a));
  lemma settled_after: \forall integer sid, a, e; settled(sid, a) && a + piece(sid, a) <= e ==>
    (reaches(sid, 0, e) <==> reaches(sid, a + piece(sid, a), e));
  lemma settled_before: \forall integer sid, a, p; settled(sid, a) && p < a + piece(sid, a) && edge(sid, p) ==>
    p + piece(sid, p) <= a + piece(sid, a);
  lemma settled_leads: \forall integer sid, a, p;
    settled(sid, a) && 0 <= p < a + piece(sid, a) && !continuation(H(sid, p)) ==> edge(sid, p);
  lemma parts_pieces_step: \forall integer sid, a; settled(sid, a) &&
    (\forall integer e; a + piece(sid, a) <= e ==> (reaches(sid, 0, e) <==> reaches(sid, a + piece(sid, a), e))) ==>
    parts_pieces(sid, a + piece(sid, a));
  lemma settled_step: \forall integer sid, a, e;
    settled(sid, a) && a + piece(sid, a) <= e <= a + piece(sid, a) ==> settled(sid, e);
  lemma incomplete_most: \forall integer sid, a, k, l;
    settled(sid, a) && begins(sid, a, k) && incomplete(sid, a + k, l) ==> l <= k;
  lemma incomplete_here: \forall integer sid, a, k; settled(sid, a) && begins(sid, a, k) && k < announced(H(sid, a)) ==>
    (\forall integer l; incomplete(sid, a + k, l) <==> l == k);
  lemma incomplete_none: \forall integer sid, a;
    settled(sid, a) && (announced(H(sid, a)) == 0 || piece(sid, a) == announced(H(sid, a))) ==>
    (\forall integer l; !incomplete(sid, a + piece(sid, a), l));
  lemma begins_next: \forall integer sid, p, l; begins(sid, p, l) && l < announced(H(sid, p)) ==>
    (begins(sid, p, l + 1) <==> (l == 1 ? second(H(sid, p), H(sid, p + 1)) : continuation(H(sid, p + l))));
  lemma piece_broken: \forall integer sid, p, l; begins(sid, p, l) && !begins(sid, p, l + 1) ==> piece(sid, p) == l;

  // the same, where a sum is known by another name
  lemma incomplete_at: \forall integer sid, a, k, n, l;
    settled(sid, a) && begins(sid, a, k) && k < announced(H(sid, a)) && a + k <= n <= a + k ==>
    (incomplete(sid, n, l) <==> l == k);
  lemma incomplete_gone: \forall integer sid, a, e, l; settled(sid, a) && a + piece(sid, a) <= e <= a + piece(sid, a) &&
    (announced(H(sid, a)) == 0 || piece(sid, a) == announced(H(sid, a))) ==> !incomplete(sid, e, l);
  lemma begins_at: \forall integer sid, p, l, m, q;
    begins(sid, p, l) && l < announced(H(sid, p)) && l + 1 <= m <= l + 1 && p + l <= q <= p + l ==>
    (begins(sid, p, m) <==> (l == 1 ? second(H(sid, p), H(sid, q)) : continuation(H(sid, q))));

  // T6: what is decoded piece by piece is what is decoded at once
  lemma text_joins: \forall integer sid, a, m, n; settled(sid, a) && settled(sid, m) && a <= m <= n ==>
    text_length(sid, a, n) == text_length(sid, a, m) + text_length(sid, m, n);
  lemma text_from: \forall integer sid, a, n, k; settled(sid, a) && a <= n && 0 <= k ==>
    text_byte(sid, a, n, k) == text_byte(sid, 0, n, text_length(sid, 0, a) + k);
  lemma text_joins_first: \forall integer sid, a, m, n, k;
    settled(sid, a) && settled(sid, m) && a <= m <= n && 0 <= k < text_length(sid, a, m) ==>
    text_byte(sid, a, n, k) == text_byte(sid, a, m, k);
  lemma text_joins_then: \forall integer sid, a, m, n, k;
    settled(sid, a) && settled(sid, m) && a <= m <= n && 0 <= k && text_length(sid, a, m) <= k ==>
    text_byte(sid, a, n, k) == text_byte(sid, m, n, k - text_length(sid, a, m));
*/

#include "utf8_laws.acsl.h"

/*@
  lemma whole_most: \forall integer sid, p, n; whole(sid, p, n) ==>
    piece(sid, p) == announced(H(sid, p)) && p + piece(sid, p) <= n;
  lemma whole_here: \forall integer sid, p, l, n; character(sid, p, l) && p + l <= n ==>
    whole(sid, p, n) && piece(sid, p) == l;
  lemma well_formed_next: \forall integer sid, p, q, n;
    whole(sid, p, n) && p + piece(sid, p) <= q <= p + piece(sid, p) ==>
    (well_formed(sid, p, n) <==> well_formed(sid, q, n));

  // the first w bytes of the text of H[base .. n) are those of H[base .. p)
  predicate text_at(integer sid, integer base, integer p, integer n, integer w) =
    w + text_length(sid, p, n) == text_length(sid, base, n) &&
    (\forall integer k; w <= k ==> text_byte(sid, base, n, k) == text_byte(sid, p, n, k - w));
  lemma text_at_start: \forall integer sid, base, n; text_at(sid, base, base, n, 0);
  lemma text_at_here: \forall integer sid, base, p, n, w, k;
    text_at(sid, base, p, n, w) && p < n && w <= k < w + shown_length(sid, p, n) ==>
    text_byte(sid, base, n, k) == shown_byte(sid, p, n, k - w);
  lemma text_at_step: \forall integer sid, base, p, n, w; text_at(sid, base, p, n, w) && p < n ==>
    text_at(sid, base, p + piece(sid, p), n, w + shown_length(sid, p, n));
  lemma text_at_next: \forall integer sid, base, p, q, n, w, v; text_at(sid, base, p, n, w) && p < n &&
    p + piece(sid, p) <= q <= p + piece(sid, p) && w + shown_length(sid, p, n) <= v <= w + shown_length(sid, p, n) ==>
    text_at(sid, base, q, n, v);
  lemma text_at_end: \forall integer sid, base, p, n, w; text_at(sid, base, p, n, w) && n <= p ==>
    w == text_length(sid, base, n);

  // so far the text of well-formed H[base .. n) is H[base .. p) itself
  predicate copies(integer sid, integer base, integer p, integer n, integer w) = well_formed(sid, base, n) ==>
    well_formed(sid, p, n) && w == p - base &&
    \forall integer k; 0 <= k < w ==> text_byte(sid, base, n, k) == H(sid, base + k);
  lemma shown_whole: \forall integer sid, p, n; whole(sid, p, n) ==> shown_length(sid, p, n) == piece(sid, p);
  lemma shown_whole_byte: \forall integer sid, p, n, k; whole(sid, p, n) ==> shown_byte(sid, p, n, k) == H(sid, p + k);
  lemma well_formed_whole: \forall integer sid, p, n; well_formed(sid, p, n) && p < n ==>
    whole(sid, p, n) && well_formed(sid, p + piece(sid, p), n);
  lemma text_at_whole: \forall integer sid, base, p, n, w, k;
    text_at(sid, base, p, n, w) && p < n && whole(sid, p, n) && w <= k < w + shown_length(sid, p, n) ==>
    text_byte(sid, base, n, k) == H(sid, p + (k - w));
  lemma copies_here: \forall integer sid, base, p, n, w, k; copies(sid, base, p, n, w) && text_at(sid, base, p, n, w) &&
    well_formed(sid, base, n) && p < n && w <= k < w + shown_length(sid, p, n) ==>
    text_byte(sid, base, n, k) == H(sid, base + k);
  lemma copies_step: \forall integer sid, base, p, n, w;
    copies(sid, base, p, n, w) && text_at(sid, base, p, n, w) && p < n ==>
    copies(sid, base, p + piece(sid, p), n, w + shown_length(sid, p, n));
  lemma copies_next: \forall integer sid, base, p, q, n, w, v;
    copies(sid, base, p, n, w) && text_at(sid, base, p, n, w) && p < n &&
    p + piece(sid, p) <= q <= p + piece(sid, p) && w + shown_length(sid, p, n) <= v <= w + shown_length(sid, p, n) ==>
    copies(sid, base, q, n, v);
*/

#endif
