/* crc32c: the checksum of what was shown (R15): CRC-32C (Castagnoli), reflected, as in RFC 3720. */
#ifndef ES_CRC32C_H
#define ES_CRC32C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The checksum of what `crc` covers followed by `length` more bytes; 0 covers nothing. "123456789" gives e3069283. */
/*@ requires read: \valid_read(bytes + (0 .. length - 1));
    assigns  \nothing;
    ensures  nothing: length == 0 ==> \result == crc; */
uint32_t es_crc32c(uint32_t crc, const uint8_t *bytes, uint32_t length);

#ifdef __cplusplus
}
#endif

#endif
