/* Logic of R11 and R13 (see spec/utf8.md): how bytes fall into characters and maximal ill-formed subparts (Unicode 3.9,
 * table 3-7), as statements about a stream alone. */
#ifndef ES_CHARACTERS_ACSL_H
#define ES_CHARACTERS_ACSL_H

#include "stream.acsl.h"

/*@
  predicate continuation(integer b) = 0x80 <= b <= 0xBF;

  // bytes of the character that lead byte b announces; 0 where b leads none
  logic integer announced(integer b) =
    b <= 0x7F ? 1 : 0xC2 <= b <= 0xDF ? 2 : 0xE0 <= b <= 0xEF ? 3 : 0xF0 <= b <= 0xF4 ? 4 : 0;

  // table 3-7: the second byte after lead byte b lies from the one to the other
  logic integer second_least(integer b) = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
  logic integer second_most(integer b) = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
  predicate second(integer b, integer c) = second_least(b) <= c <= second_most(b);

  // H[p .. p+l) begins a well-formed character, 1 <= l <= 4
  predicate begins(integer sid, integer p, integer l) =
    1 <= l <= announced(H(sid, p)) &&
    (l >= 2 ==> second(H(sid, p), H(sid, p + 1))) &&
    (l >= 3 ==> continuation(H(sid, p + 2))) &&
    (l >= 4 ==> continuation(H(sid, p + 3)));

  predicate character(integer sid, integer p, integer l) = begins(sid, p, l) && l == announced(H(sid, p));

  // bytes of the piece at p: a character, or a maximal ill-formed subpart: the most that begin one, or else one byte
  logic integer piece(integer sid, integer p) =
    announced(H(sid, p)) <= 1 ? 1 :
    H(sid, p + 1) < second_least(H(sid, p)) || H(sid, p + 1) > second_most(H(sid, p)) ? 1 :
    announced(H(sid, p)) == 2 || H(sid, p + 2) < 0x80 || H(sid, p + 2) > 0xBF ? 2 :
    announced(H(sid, p)) == 3 || H(sid, p + 3) < 0x80 || H(sid, p + 3) > 0xBF ? 3 : 4;

  lemma piece_rises: \forall integer sid, p; piece(sid, p) >= 1;

  // H[p .. n) begins with a whole character
  predicate whole(integer sid, integer p, integer n) = character(sid, p, piece(sid, p)) && p + piece(sid, p) <= n;

  // R13: H[p .. n) is characters, one after another, and nothing else
  predicate well_formed(integer sid, integer p, integer n) =
    p == n || (p < n && whole(sid, p, n) && well_formed(sid, p + piece(sid, p), n));
*/

#endif
