/* Logic of R10 and R11 (see spec/utf8.md): how bytes fall into characters and maximal ill-formed subparts
 * (Unicode 3.9, table 3-7), as statements about a stream alone. */
#ifndef ES_UTF8_ACSL_H
#define ES_UTF8_ACSL_H

#include "stream.acsl.h"

/*@
  predicate continuation(integer b) = 0x80 <= b <= 0xBF;

  // bytes of the character that lead byte b announces; 0 where b leads none
  logic integer announced(integer b) =
    b <= 0x7F ? 1 : 0xC2 <= b <= 0xDF ? 2 : 0xE0 <= b <= 0xEF ? 3 : 0xF0 <= b <= 0xF4 ? 4 : 0;

  // table 3-7: second byte c after lead byte b
  predicate second(integer b, integer c) =
    b == 0xE0 ? 0xA0 <= c <= 0xBF :
    b == 0xED ? 0x80 <= c <= 0x9F :
    b == 0xF0 ? 0x90 <= c <= 0xBF :
    b == 0xF4 ? 0x80 <= c <= 0x8F : continuation(c);

  // H[p .. p+l) begins a well-formed character, 1 <= l <= 4
  predicate begins(integer sid, integer p, integer l) =
    1 <= l <= announced(H(sid, p)) &&
    (l >= 2 ==> second(H(sid, p), H(sid, p + 1))) &&
    (l >= 3 ==> continuation(H(sid, p + 2))) &&
    (l >= 4 ==> continuation(H(sid, p + 3)));

  predicate character(integer sid, integer p, integer l) = begins(sid, p, l) && l == announced(H(sid, p));

  // R13: H[p .. n) is characters, one after another, and nothing else
  predicate characters(integer sid, integer p, integer n) =
    p == n ||
    (p < n && character(sid, p, announced(H(sid, p))) && characters(sid, p + announced(H(sid, p)), n));

  // H[0 .. n) falls into `good` characters and `bad` maximal ill-formed subparts
  inductive parsed(integer sid, integer n, integer good, integer bad) {
    case parsed_nothing: \forall integer sid; parsed(sid, 0, 0, 0);
    case parsed_character: \forall integer sid, n, good, bad, l;
      parsed(sid, n, good, bad) && character(sid, n, l) ==> parsed(sid, n + l, good + 1, bad);
    case parsed_subpart: \forall integer sid, n, good, bad, l;
      parsed(sid, n, good, bad) && begins(sid, n, l) && l < announced(H(sid, n)) && !begins(sid, n, l + 1)
        ==> parsed(sid, n + l, good, bad + 1);
    case parsed_byte: \forall integer sid, n, good, bad;
      parsed(sid, n, good, bad) && announced(H(sid, n)) == 0 ==> parsed(sid, n + 1, good, bad + 1);
  }
*/

#endif
