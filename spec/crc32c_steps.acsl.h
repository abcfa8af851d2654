/* Lemmas that the proof of crc32c.c takes its steps by (R15: the register and its table). Nothing else needs them. */
#ifndef ES_CRC32C_STEPS_ACSL_H
#define ES_CRC32C_STEPS_ACSL_H

#include "crc32c.acsl.h"

/*@
  lemma bit_down: \forall integer x, k; 0 <= k ==> (bit(x >> 4, k) <==> bit(x, k + 4));
  lemma bit_xor: \forall integer x, y, k; 0 <= k ==> (bit(x ^ y, k) <==> (bit(x, k) ^^ bit(y, k)));
  lemma byte_bit: \forall integer sid, i, k; 0 <= i && 0 <= k < 8 ==> (message(sid, 8 * i + k) <==> bit(H(sid, i), k));
  lemma register_step: \forall integer sid, t, k; 0 <= t ==> (crc_register(sid, t + 1, k) <==>
    ((k < 31 && crc_register(sid, t, k + 1)) ^^ (castagnoli(k) && (crc_register(sid, t, 0) ^^ message(sid, t)))));
  lemma register_four: \forall integer sid, t, k; 0 <= t && 0 <= k < 32 ==> (crc_register(sid, t + 4, k) <==>
    ((k < 28 && crc_register(sid, t, k + 4)) ^^
     (castagnoli(k + 3) && (crc_register(sid, t, 0) ^^ message(sid, t))) ^^
     (castagnoli(k + 2) && (crc_register(sid, t, 1) ^^ message(sid, t + 1))) ^^
     (castagnoli(k + 1) && (crc_register(sid, t, 2) ^^ message(sid, t + 2))) ^^
     (castagnoli(k) && (crc_register(sid, t, 3) ^^ message(sid, t + 3)))));
*/

#endif
