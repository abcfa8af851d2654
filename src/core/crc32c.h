/* crc32c: the checksum of what was shown (R15): CRC-32C (Castagnoli), reflected, as in RFC 3720. */
#ifndef ES_CRC32C_H
#define ES_CRC32C_H

#include <stdint.h>

#ifdef __FRAMAC__
#include "crc32c.acsl.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The checksum of what `crc` covers followed by `length` more bytes; 0 covers nothing. "123456789" gives e3069283.
 * Ghost: the stream of what is shown, and how many bytes of it `crc` covers. */
/*@ requires read:  \valid_read(bytes + (0 .. length - 1));
    requires crc:   checksum(sid, n, crc);
    requires room:  n + length < UINT64_MAX / 8;
    requires bytes: \forall integer j; 0 <= j < length ==> bytes[j] == H(sid, n + j);
    assigns  \nothing;
    ensures  more:  checksum(sid, n + length, \result); */
uint32_t es_crc32c(uint32_t crc, const uint8_t *bytes, uint32_t length) /*@ ghost (uint32_t sid, uint64_t n) */;

#ifdef __cplusplus
}
#endif

#endif
