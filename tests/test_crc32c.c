/* Tests of crc32c against the vectors of RFC 3720 and the definition, bit by bit. */
#include <check.h>

#include "crc32c.h"

Suite *crc32c_suite(void);

/* The polynomial 1EDC6F41, reflected, one bit at a time. */
static uint32_t by_bits(const uint8_t *bytes, uint32_t length) {
  uint32_t r = UINT32_MAX;
  for (uint32_t i = 0; i < 8 * length; i++) {
    uint32_t bit = (r ^ (uint32_t)(bytes[i / 8] >> (i % 8))) & 1u;
    r = bit ? (r >> 1) ^ 0x82F63B78u : r >> 1;
  }
  return ~r;
}

START_TEST(R15_the_vectors_of_RFC_3720_hold) {
  uint8_t zeros[32] = {0}, ones[32], up[32], down[32];
  for (uint8_t i = 0; i < 32; i++) {
    ones[i] = 0xFF;
    up[i] = i;
    down[i] = (uint8_t)(31 - i);
  }
  ck_assert_uint_eq(es_crc32c(0, (const uint8_t *)"123456789", 9), 0xE3069283u);
  ck_assert_uint_eq(es_crc32c(0, zeros, 32), 0x8A9136AAu);
  ck_assert_uint_eq(es_crc32c(0, ones, 32), 0x62A8AB43u);
  ck_assert_uint_eq(es_crc32c(0, up, 32), 0x46DD794Eu);
  ck_assert_uint_eq(es_crc32c(0, down, 32), 0x113FDB5Cu);
}
END_TEST

START_TEST(R15_each_byte_is_as_its_bits) {
  for (unsigned a = 0; a < 256; a++) {
    uint8_t bytes[2] = {(uint8_t)a, 0x80};
    ck_assert_uint_eq(es_crc32c(0, bytes, 1), by_bits(bytes, 1));
    ck_assert_uint_eq(es_crc32c(0, bytes, 2), by_bits(bytes, 2));
  }
}
END_TEST

START_TEST(R15_nothing_changes_nothing) {
  uint8_t none = 0;
  ck_assert_uint_eq(es_crc32c(0, &none, 0), 0);
  ck_assert_uint_eq(es_crc32c(UINT32_MAX, &none, 0), UINT32_MAX);
  ck_assert_uint_ne(es_crc32c(0, &none, 1), 0);
}
END_TEST

/* Law: the checksum of joined deltas is that of the text, wherever they are parted. */
START_TEST(R15_parts_one_after_another_are_the_whole) {
  uint8_t bytes[257];
  for (uint32_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 37u);
  uint32_t whole = by_bits(bytes, sizeof bytes);
  for (uint32_t cut = 0; cut <= sizeof bytes; cut++)
    ck_assert_uint_eq(es_crc32c(es_crc32c(0, bytes, cut), bytes + cut, (uint32_t)sizeof bytes - cut), whole);
}
END_TEST

Suite *crc32c_suite(void) {
  Suite *suite = suite_create("crc32c");
  TCase *tests = tcase_create("crc32c");
  tcase_add_test(tests, R15_the_vectors_of_RFC_3720_hold);
  tcase_add_test(tests, R15_each_byte_is_as_its_bits);
  tcase_add_test(tests, R15_nothing_changes_nothing);
  tcase_add_test(tests, R15_parts_one_after_another_are_the_whole);
  suite_add_tcase(suite, tests);
  return suite;
}
