/* Logic of R10 and R11 (see spec/utf8.md): where characters and maximal ill-formed subparts end, and what text they
 * are, as statements about a stream alone. */
#ifndef ES_UTF8_ACSL_H
#define ES_UTF8_ACSL_H

#include "characters.acsl.h"

/*@
  // piece by piece one comes from p to e
  predicate reaches(integer sid, integer p, integer e) = p == e || (p < e && reaches(sid, p + piece(sid, p), e));

  // a piece of the stream ends at e, or nothing was before
  predicate edge(integer sid, integer e) = 0 <= e && reaches(sid, 0, e);

  // the last l bytes of H[0 .. n) are a character still incomplete
  predicate incomplete(integer sid, integer n, integer l) =
    1 <= l <= n && edge(sid, n - l) && begins(sid, n - l, l) && l < announced(H(sid, n - l));

  // R10: a character or a maximal ill-formed subpart of H[0 .. n) ends at e; a character incomplete at n has no end yet
  predicate ends(integer sid, integer n, integer e) =
    0 <= e <= n && edge(sid, e) && (e == n ==> \forall integer l; !incomplete(sid, n, l));

  // R10: the longest prefix of H[0 .. n) within `limit` at whose end a character or a maximal ill-formed subpart ends
  predicate frontier(integer sid, integer n, integer limit, integer f) =
    ends(sid, n, f) && f <= limit && \forall integer e; ends(sid, n, e) && e <= limit ==> e <= f;

  // R11: bytes of text that the piece at p of H[p .. n) gives, and byte k of them: itself if it is whole, or U+FFFD
  logic integer shown_length(integer sid, integer p, integer n) =
    piece(sid, p) == announced(H(sid, p)) && p + piece(sid, p) <= n ? piece(sid, p) : 3;
  logic integer shown_byte(integer sid, integer p, integer n, integer k) =
    piece(sid, p) == announced(H(sid, p)) && p + piece(sid, p) <= n ? H(sid, p + k) :
    k == 0 ? 0xEF : k == 1 ? 0xBF : 0xBD;

  // R11, R12: the bytes of text that H[p .. n) gives where nothing comes after it, and byte k of them
  logic integer text_length(integer sid, integer p, integer n) =
    p >= n ? 0 : shown_length(sid, p, n) + text_length(sid, p + piece(sid, p), n);
  logic integer text_byte(integer sid, integer p, integer n, integer k) =
    p >= n ? 0 : k < shown_length(sid, p, n) ? shown_byte(sid, p, n, k) :
    text_byte(sid, p + piece(sid, p), n, k - shown_length(sid, p, n));

  // T6: the text of H[0 .. n) is that of H[0 .. a), and then that of H[a .. n)
  predicate parts_length(integer sid, integer a) =
    \forall integer n; a <= n ==> text_length(sid, 0, n) == text_length(sid, 0, a) + text_length(sid, a, n);
  predicate parts_first(integer sid, integer a) = \forall integer n, k;
    a <= n && 0 <= k < text_length(sid, 0, a) ==> text_byte(sid, 0, n, k) == text_byte(sid, 0, a, k);
  predicate parts_then(integer sid, integer a) = \forall integer n, k;
    a <= n && text_length(sid, 0, a) <= k ==>
    text_byte(sid, 0, n, k) == text_byte(sid, a, n, k - text_length(sid, 0, a));
  predicate parts_text(integer sid, integer a) = parts_length(sid, a) && parts_first(sid, a) && parts_then(sid, a);

  // it parts the pieces before it from those after it
  predicate parts_pieces(integer sid, integer a) =
    (\forall integer e; a <= e ==> (reaches(sid, 0, e) <==> reaches(sid, a, e))) &&
    (\forall integer p; p < a && edge(sid, p) ==> p + piece(sid, p) <= a) &&
    (\forall integer p; 0 <= p < a && !continuation(H(sid, p)) ==> edge(sid, p));

  // an edge, and what is true of every edge (see covered)
  predicate settled(integer sid, integer a) = edge(sid, a) && parts_pieces(sid, a) && parts_text(sid, a);

  // each byte lies in the piece of a settled edge; so every edge is settled
  predicate covered(integer sid, integer k) = \exists integer q; settled(sid, q) && q <= k < q + piece(sid, q);

  // after n bytes: the last `pending` of them are a character still incomplete, of `wanted` bytes in all, and the next
  // byte that goes on with it lies between low and high
  predicate utf8_place(integer sid, integer n, integer pending, integer wanted, integer low, integer high) =
    0 <= pending <= 3 && pending <= n && settled(sid, n - pending) &&
    (\forall integer l; incomplete(sid, n, l) <==> 1 <= l == pending) &&
    (pending > 0 ==>
      wanted == announced(H(sid, n - pending)) &&
      low == (pending == 1 ? second_least(H(sid, n - pending)) : 0x80) &&
      high == (pending == 1 ? second_most(H(sid, n - pending)) : 0xBF));
*/

#endif
