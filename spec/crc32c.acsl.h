/* Logic of R15 (see spec/crc32c.md): CRC-32C by its definition, a register of 32 bits that takes one bit at a time. */
#ifndef ES_CRC32C_ACSL_H
#define ES_CRC32C_ACSL_H

#include "stream.acsl.h"

/* For the proof of the table: the definition makes bit k of x from the four lowest bits of v, which fall out; literally,
 * so that bits of numbers are worked out and not reasoned about. */
#define ES_MADE(v, k)                                                                        \
  ((((v) & 1) != 0 && castagnoli((k) + 3)) ^^ (((v) & 2) != 0 && castagnoli((k) + 2)) ^^     \
   (((v) & 4) != 0 && castagnoli((k) + 1)) ^^ (((v) & 8) != 0 && castagnoli(k)))
#define ES_AS(x, v, k) (((x) & (1 << (k))) != 0 <==> ES_MADE(v, k))
#define ES_FOUR_AS(x, v, k) (ES_AS(x, v, k) && ES_AS(x, v, k + 1) && ES_AS(x, v, k + 2) && ES_AS(x, v, k + 3))
#define ES_ALL_AS(x, v)                                                                         \
  (ES_FOUR_AS(x, v, 0) && ES_FOUR_AS(x, v, 4) && ES_FOUR_AS(x, v, 8) && ES_FOUR_AS(x, v, 12) && \
   ES_FOUR_AS(x, v, 16) && ES_FOUR_AS(x, v, 20) && ES_FOUR_AS(x, v, 24) && ES_FOUR_AS(x, v, 28))

/*@
  // bit k of x, the lowest first
  predicate bit(integer x, integer k) = (x & (1 << k)) != 0;

  // the polynomial x³² + x²⁸ + x²⁷ + … + 1 (1EDC6F41), reflected: x³¹ is bit 0
  predicate castagnoli(integer k) =
    k == 31 - 28 || k == 31 - 27 || k == 31 - 26 || k == 31 - 25 || k == 31 - 23 || k == 31 - 22 || k == 31 - 20 ||
    k == 31 - 19 || k == 31 - 18 || k == 31 - 14 || k == 31 - 13 || k == 31 - 11 || k == 31 - 10 || k == 31 - 9 ||
    k == 31 - 8 || k == 31 - 6 || k == 31 - 0;

  // bit t of the stream of bytes, the lowest of each byte first
  predicate message(integer sid, integer t) = bit(H(sid, t / 8), t % 8);

  // bit k of the register after t bits: all ones at first; then it moves down by one, and where the bit that falls out
  // differs from that of the message the polynomial is added
  predicate crc_register(integer sid, integer t, integer k) =
    t <= 0 ? 0 <= k < 32 :
      ((k < 31 && crc_register(sid, t - 1, k + 1)) ^^
       (castagnoli(k) && (crc_register(sid, t - 1, 0) ^^ message(sid, t - 1))));

  // R15: crc is the checksum of H[0 .. n): the register with all bits turned
  predicate checksum(integer sid, integer n, integer crc) =
    \forall integer k; 0 <= k < 32 ==> (bit(crc, k) <==> !crc_register(sid, 8 * n, k));

  // r is the register after t bits, the next `ahead` bits of the message already added to it
  predicate mixed(integer sid, integer t, integer ahead, integer r) =
    \forall integer k; 0 <= k < 32 ==> (bit(r, k) <==> (crc_register(sid, t, k) ^^ (k < ahead && message(sid, t + k))));

*/

#endif
