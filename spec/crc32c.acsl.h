/* Logic of R15 (see spec/crc32c.md): the checksum by its definition, one bit at a time. */
#ifndef ES_CRC32C_ACSL_H
#define ES_CRC32C_ACSL_H

/*@
  // the register after one more zero bit: polynomial 0x1EDC6F41, reflected
  logic integer crc_bit(integer r) = r % 2 == 1 ? (r / 2) ^ 0x82F63B78 : r / 2;
*/

#endif
