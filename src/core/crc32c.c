#include "crc32c.h"

/* The register after four bits of value i. */
static const uint32_t four_bits[16] = {
    0x00000000u, 0x105EC76Fu, 0x20BD8EDEu, 0x30E349B1u, 0x417B1DBCu, 0x5125DAD3u, 0x61C69362u, 0x7198540Du,
    0x82F63B78u, 0x92A8FC17u, 0xA24BB5A6u, 0xB21572C9u, 0xC38D26C4u, 0xD3D3E1ABu, 0xE330A81Au, 0xF36E6F75u,
};

uint32_t es_crc32c(uint32_t crc, const uint8_t *bytes, uint32_t length) {
  if (length == 0) return crc;
  uint32_t r = crc ^ 0xFFFFFFFFu;
  /*@ loop invariant place: 0 <= i <= length;
      loop assigns i, r;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    r ^= bytes[i];
    r = (r >> 4) ^ four_bits[r & 15u];
    r = (r >> 4) ^ four_bits[r & 15u];
  }
  return r ^ 0xFFFFFFFFu;
}
