/* Tests of utf8 against table 3-7 of Unicode read the other way round: looking ahead from where a character begins, where
 * the component goes byte by byte. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

Suite *utf8_suite(void);

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define LONGEST 8

/* Table 3-7: lead bytes, bytes of the character, second bytes. */
static const struct {
  uint8_t first, last, length, low, high;
} rows[] = {{0x00, 0x7F, 1, 0, 0},       {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
            {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
            {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F}};

/* Every byte at a border of the table, in any column. */
static const uint8_t borders[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                                  0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
static const uint8_t few[] = {0x41, 0x80, 0x90, 0xA0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF};

typedef enum { WHOLE, ILL_FORMED, INCOMPLETE } piece;

/* What begins at in[0], of the `n` bytes there are, and its length. */
static piece first_piece(const uint8_t *in, uint32_t n, uint32_t *length) {
  for (size_t r = 0; r < COUNT(rows); r++) {
    if (in[0] < rows[r].first || in[0] > rows[r].last) continue;
    for (*length = 1; *length < rows[r].length; (*length)++) {
      if (*length == n) return INCOMPLETE;
      uint8_t low = *length == 1 ? rows[r].low : 0x80;
      uint8_t high = *length == 1 ? rows[r].high : 0xBF;
      if (in[*length] < low || in[*length] > high) return ILL_FORMED;
    }
    return WHOLE;
  }
  *length = 1;
  return ILL_FORMED;
}

/* Bytes of the character that a lead byte announces. */
static uint32_t announced(uint8_t lead) {
  size_t r = 0;
  while (lead > rows[r].last) r++;
  return rows[r].length;
}

/* What the table makes of a text. */
typedef struct {
  uint32_t characters, bad, pending;
  uint8_t text[ES_UTF8_GROWTH * LONGEST];
  uint32_t size;
  uint32_t floor[LONGEST + 1];
} reading;

static reading read_by_table(const uint8_t *in, uint32_t n) {
  reading r = {0};
  for (uint32_t place = 0, length = 0; place < n; place += length) {
    piece found = first_piece(in + place, n - place, &length);
    if (found == WHOLE) {
      memcpy(r.text + r.size, in + place, length);
      r.size += length;
      r.characters++;
    } else {
      memcpy(r.text + r.size, "\xEF\xBF\xBD", 3);
      r.size += 3;
    }
    if (found == ILL_FORMED) r.bad++;
    if (found == INCOMPLETE) r.pending = length;
    if (found != INCOMPLETE)
      for (uint32_t limit = place + length; limit <= n; limit++) r.floor[limit] = place + length;
  }
  return r;
}

static void say_bytes(const uint8_t *in, uint32_t n, const char *what, uint32_t expected, uint32_t found) {
  char hex[2 * LONGEST + 1] = "";
  for (uint32_t i = 0; i < n; i++) snprintf(hex + 2 * i, 3, "%02x", in[i]);
  ck_abort_msg("%s of %s: expected %u, found %u", what, hex, expected, found);
}

/* Everything the component says of one text is what the table says. */
static void same_as_table(const uint8_t *in, uint32_t n) {
  es_utf8 u = {0, 0, 0, 0};
  uint32_t characters = 0, bad = 0;
  reading r = {0};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t before = characters;
    es_utf8_step step = es_utf8_take(&u, in[i]);
    r = read_by_table(in, i + 1);
    characters += step.character > 0;
    bad += step.bad;
    if (u.pending != r.pending) say_bytes(in, i + 1, "pending", r.pending, u.pending);
    if (u.pending > 0 && u.wanted != announced(in[i + 1 - u.pending]))
      say_bytes(in, i + 1, "bytes wanted", announced(in[i + 1 - u.pending]), u.wanted);
    if (characters != r.characters) say_bytes(in, i + 1, "characters", r.characters, characters);
    if (bad != r.bad) say_bytes(in, i + 1, "ill-formed subparts", r.bad, bad);
    if (characters > before) {
      uint32_t length = 0;
      piece found = first_piece(in + i + 1 - step.character, step.character, &length);
      if (found != WHOLE || length != step.character) say_bytes(in, i + 1, "last character", length, step.character);
    }
  }
  uint8_t out[ES_UTF8_GROWTH * LONGEST + 1];
  memset(out, 0x55, sizeof out);
  uint32_t size = es_utf8_decode(in, n, out);
  if (size != r.size || memcmp(out, r.text, size) != 0) say_bytes(in, n, "decoded bytes", r.size, size);
  if (out[size] != 0x55) say_bytes(in, n, "byte behind the text", 0x55, out[size]);
  for (uint32_t limit = 0; limit <= n; limit++) {
    uint32_t end = es_utf8_floor(in, n, limit);
    if (end != r.floor[limit]) say_bytes(in, n, "floor", r.floor[limit], end);
  }
  int valid = r.bad == 0 && r.pending == 0;
  if (es_utf8_valid(in, n) != valid) say_bytes(in, n, "validity", (uint32_t)valid, (uint32_t)!valid);
}

/* All texts of `n` bytes from a list, those before included. */
static void every_text(const uint8_t *list, size_t count, uint8_t *text, uint32_t place, uint32_t n) {
  if (place == n) {
    same_as_table(text, n);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    text[place] = list[i];
    every_text(list, count, text, place + 1, n);
  }
}

START_TEST(R11_no_bytes_are_no_text) {
  uint8_t byte = 0x55;
  ck_assert_uint_eq(es_utf8_decode(&byte, 0, &byte), 0);
  ck_assert_uint_eq(byte, 0x55);
  ck_assert_uint_eq(es_utf8_floor(&byte, 0, 0), 0);
  ck_assert_int_eq(es_utf8_valid(&byte, 0), 1);
}
END_TEST

START_TEST(R11_every_lead_with_every_second_byte_is_as_in_table_3_7) {
  uint8_t all[256], text[2];
  for (unsigned b = 0; b < 256; b++) all[b] = (uint8_t)b;
  every_text(all, COUNT(all), text, 0, 1);
  every_text(all, COUNT(all), text, 0, 2);
}
END_TEST

START_TEST(R11_three_and_four_bytes_at_the_borders_are_as_in_table_3_7) {
  uint8_t text[4];
  every_text(borders, COUNT(borders), text, 0, 3);
  every_text(borders, COUNT(borders), text, 0, 4);
}
END_TEST

START_TEST(R11_what_follows_a_broken_character_begins_anew) {
  uint8_t text[5];
  every_text(few, COUNT(few), text, 0, 5);
}
END_TEST

/* The examples of Unicode 3.9, tables 3-8 to 3-11. */
START_TEST(R11_the_examples_of_the_standard_come_out_as_printed) {
  static const struct {
    const char *in, *out;
    uint32_t length;
  } examples[] = {
      {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "\1\1\1\1\1\1\1\1A", 9},
      {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "\1\1\1\1\1\1\1\1A", 9},
      {"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "\1\1\1\1\1A\1\1B", 9},
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "\1\1\1\1A", 9},
  };
  for (size_t e = 0; e < COUNT(examples); e++) {
    uint8_t out[27], expected[27];
    uint32_t size = 0;
    for (const char *p = examples[e].out; *p; p++) {
      memcpy(expected + size, *p == '\1' ? "\xEF\xBF\xBD" : p, *p == '\1' ? 3 : 1);
      size += *p == '\1' ? 3 : 1;
    }
    ck_assert_uint_eq(es_utf8_decode((const uint8_t *)examples[e].in, examples[e].length, out), size);
    ck_assert_mem_eq(out, expected, size);
  }
}
END_TEST

/* Law: a text cut where a character or a subpart ends decodes part by part; what is decoded decodes to itself. */
START_TEST(R11_decoding_in_parts_is_decoding_the_whole) {
  static const char mixed[] = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x8A\xE2\x82z\xF0\x9F\xED\xA0\x80\xC3";
  const uint8_t *in = (const uint8_t *)mixed;
  uint32_t n = sizeof mixed - 1;
  uint8_t whole[3 * sizeof mixed], parts[3 * sizeof mixed], again[9 * sizeof mixed];
  uint32_t size = es_utf8_decode(in, n, whole);
  for (uint32_t limit = 0; limit <= n; limit++) {
    uint32_t cut = es_utf8_floor(in, n, limit);
    uint32_t head = es_utf8_decode(in, cut, parts);
    ck_assert_int_eq(es_utf8_valid(parts, head), 1);
    ck_assert_uint_eq(head + es_utf8_decode(in + cut, n - cut, parts + head), size);
    ck_assert_mem_eq(parts, whole, size);
    ck_assert_uint_eq(es_utf8_floor(in, n, cut), cut);
  }
  ck_assert_uint_eq(es_utf8_decode(whole, size, again), size);
  ck_assert_mem_eq(again, whole, size);
}
END_TEST

/* Law: where a stream stands is all in its state. */
START_TEST(R10_a_stream_goes_on_from_a_copy_of_its_state) {
  static const char mixed[] = "\xE2\x82\xAC\xF0\x9F\x98\x8A\xED\xA0";
  for (uint32_t cut = 0; cut <= sizeof mixed - 1; cut++) {
    es_utf8 one = {0, 0, 0, 0}, other;
    for (uint32_t i = 0; i < cut; i++) es_utf8_take(&one, (uint8_t)mixed[i]);
    memset(&other, 0x55, sizeof other);
    other = one;
    for (uint32_t i = cut; i < sizeof mixed - 1; i++) {
      es_utf8_step a = es_utf8_take(&one, (uint8_t)mixed[i]), b = es_utf8_take(&other, (uint8_t)mixed[i]);
      ck_assert(a.character == b.character && a.bad == b.bad && one.pending == other.pending);
    }
    ck_assert_uint_eq(one.pending, 0); /* a surrogate: two subparts, both closed */
  }
}
END_TEST

Suite *utf8_suite(void) {
  Suite *suite = suite_create("utf8");
  TCase *tests = tcase_create("utf8");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, R11_no_bytes_are_no_text);
  tcase_add_test(tests, R11_every_lead_with_every_second_byte_is_as_in_table_3_7);
  tcase_add_test(tests, R11_three_and_four_bytes_at_the_borders_are_as_in_table_3_7);
  tcase_add_test(tests, R11_what_follows_a_broken_character_begins_anew);
  tcase_add_test(tests, R11_the_examples_of_the_standard_come_out_as_printed);
  tcase_add_test(tests, R11_decoding_in_parts_is_decoding_the_whole);
  tcase_add_test(tests, R10_a_stream_goes_on_from_a_copy_of_its_state);
  suite_add_tcase(suite, tests);
  return suite;
}
