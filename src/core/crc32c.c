#include "crc32c.h"

#ifdef __FRAMAC__
#include "crc32c_steps.acsl.h"
#endif

/* The register after four bits of value i. */
static const uint32_t four_bits[16] = {
    0x00000000u, 0x105EC76Fu, 0x20BD8EDEu, 0x30E349B1u, 0x417B1DBCu, 0x5125DAD3u, 0x61C69362u, 0x7198540Du,
    0x82F63B78u, 0x92A8FC17u, 0xA24BB5A6u, 0xB21572C9u, 0xC38D26C4u, 0xD3D3E1ABu, 0xE330A81Au, 0xF36E6F75u,
};

/* What four steps add to the register for the four bits v that fall out. */
/*@ requires v:    v < 16;
    assigns  \nothing;
    ensures  bits: \forall integer k; 0 <= k < 32 ==> (bit(\result, k) <==> ES_MADE(v, k)); */
static uint32_t entry(uint32_t v) {
  uint32_t x = four_bits[v];
  //@ assert at_0: v == 0 ==> ES_ALL_AS(x, v);
  //@ assert at_1: v == 1 ==> ES_ALL_AS(x, v);
  //@ assert at_2: v == 2 ==> ES_ALL_AS(x, v);
  //@ assert at_3: v == 3 ==> ES_ALL_AS(x, v);
  //@ assert at_4: v == 4 ==> ES_ALL_AS(x, v);
  //@ assert at_5: v == 5 ==> ES_ALL_AS(x, v);
  //@ assert at_6: v == 6 ==> ES_ALL_AS(x, v);
  //@ assert at_7: v == 7 ==> ES_ALL_AS(x, v);
  //@ assert at_8: v == 8 ==> ES_ALL_AS(x, v);
  //@ assert at_9: v == 9 ==> ES_ALL_AS(x, v);
  //@ assert at_10: v == 10 ==> ES_ALL_AS(x, v);
  //@ assert at_11: v == 11 ==> ES_ALL_AS(x, v);
  //@ assert at_12: v == 12 ==> ES_ALL_AS(x, v);
  //@ assert at_13: v == 13 ==> ES_ALL_AS(x, v);
  //@ assert at_14: v == 14 ==> ES_ALL_AS(x, v);
  //@ assert at_15: v == 15 ==> ES_ALL_AS(x, v);
  //@ assert all: ES_ALL_AS(x, v);
  return x;
}

/* Four bits more. Ghost: of the stream sid, after its first t bits, `ahead` of the next ones already added. */
/*@ requires ahead: 4 <= ahead <= 8 && t < UINT64_MAX - 8;
    requires mixed: mixed(sid, t, ahead, r);
    assigns  \nothing;
    ensures  mixed: mixed(sid, t + 4, ahead - 4, \result); */
static uint32_t half(uint32_t r) /*@ ghost (uint32_t sid, uint64_t t, uint32_t ahead) */ {
  //@ assert falls: (r & 1) != 0 <==> (crc_register(sid, t, 0) ^^ message(sid, t));
  //@ assert falls1: (r & 2) != 0 <==> (crc_register(sid, t, 1) ^^ message(sid, t + 1));
  //@ assert falls2: (r & 4) != 0 <==> (crc_register(sid, t, 2) ^^ message(sid, t + 2));
  //@ assert falls3: (r & 8) != 0 <==> (crc_register(sid, t, 3) ^^ message(sid, t + 3));
  uint32_t x = entry(r & 15u);
  //@ assert moved: \forall integer k; 0 <= k < 28 ==> (bit(r >> 4, k) <==> bit(r, k + 4));
  //@ assert gone: \forall integer k; 28 <= k < 32 ==> !bit(r >> 4, k);
  /*@ assert register: \forall integer k; 0 <= k < 32 ==>
        (crc_register(sid, t + 4, k) <==> ((k < 28 && crc_register(sid, t, k + 4)) ^^ bit(x, k))); */
  /*@ assert next: \forall integer k; 0 <= k < 32 ==>
        (bit(r >> 4, k) <==> ((k < 28 && crc_register(sid, t, k + 4)) ^^ (k < ahead - 4 && message(sid, t + 4 + k)))); */
  //@ assert sum: \forall integer k; 0 <= k < 32 ==> (bit((r >> 4) ^ x, k) <==> (bit(r >> 4, k) ^^ bit(x, k)));
  return (r >> 4) ^ x;
}

uint32_t es_crc32c(uint32_t crc, const uint8_t *bytes, uint32_t length) /*@ ghost (uint32_t sid, uint64_t n) */ {
  uint32_t r = ~crc;
  /*@ loop invariant place: 0 <= i <= length;
      loop invariant bits:  mixed(sid, 8 * (n + i), 0, r);
      loop assigns i, r;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    r ^= bytes[i];
    //@ assert byte: mixed(sid, 8 * (n + i), 8, r);
    r = half(r) /*@ ghost (sid, (uint64_t)(8 * (n + i)), (uint32_t)8) */;
    r = half(r) /*@ ghost (sid, (uint64_t)(8 * (n + i) + 4), (uint32_t)4) */;
  }
  return ~r;
}
