/* Tests of stops: which are live, by the three clauses of R10 to the letter; borders by definition; memory at its edge. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "stops.h"

Suite *stops_suite(void);

#define MOST 3
#define LONGEST 4

typedef struct {
  uint32_t length;
  uint8_t text[LONGEST];
  int32_t priority;
} word;

static word words[3 * (2 + 4 + 8 + 16)];

/* All words of up to `longest` of two letters, each with `priorities` priorities from 0; returns how many. */
static uint32_t fill_words(uint32_t longest, int32_t priorities) {
  uint32_t w = 0;
  for (uint32_t length = 1; length <= longest; length++)
    for (uint32_t bits = 0; bits < 1u << length; bits++)
      for (int32_t priority = 0; priority < priorities; priority++, w++) {
        words[w].length = length;
        words[w].priority = priority;
        for (uint32_t j = 0; j < length; j++) words[w].text[j] = bits >> j & 1 ? 'b' : 'a';
      }
  return w;
}

static bool is_at(const word *b, const word *a, uint32_t place) {
  return place + b->length <= a->length && memcmp(a->text + place, b->text, b->length) == 0;
}

/* R10: stop A is live unless another stop B … */
static bool live_by_R10(const word *const *stops, uint32_t count, uint32_t of) {
  const word *a = stops[of];
  for (uint32_t other = 0; other < count; other++) {
    const word *b = stops[other];
    if (other == of) continue;
    /* (1) occurs in A ending before A's last byte */
    for (uint32_t end = b->length; end < a->length; end++)
      if (is_at(b, a, end - b->length)) return false;
    /* (2) is a proper suffix of A and has a higher priority */
    if (b->length < a->length && is_at(b, a, a->length - b->length) && b->priority > a->priority) return false;
    /* (3) has A's text and either a higher priority, or the same priority and a lower index */
    bool same_text = b->length == a->length && is_at(b, a, 0);
    if (same_text && (b->priority > a->priority || (b->priority == a->priority && other < of))) return false;
  }
  return true;
}

/* A request of these words; the arrays stay valid till the next one. */
static es_request request_of(const word *const *stops, uint32_t count, uint32_t min_tokens) {
  static uint8_t text[MOST * LONGEST];
  static es_stop list[MOST];
  es_request request = {.text = text, .stops = list, .stop_count = count, .min_tokens = min_tokens};
  uint32_t size = 0;
  for (uint32_t i = 0; i < count; i++) {
    es_stop stop = {size, stops[i]->length, stops[i]->priority};
    list[i] = stop;
    memcpy(text + size, stops[i]->text, stop.length);
    size += stop.length;
  }
  return request;
}

/* The longest proper border of the first q symbols, by trying. */
static uint32_t border_of(const int32_t *s, uint32_t q) {
  uint32_t k = q - 1;
  while (memcmp(s, s + q - k, k * sizeof *s) != 0) k--;
  return k;
}

static void is_stop(const es_stop_set *set, uint32_t live, const word *a, uint32_t index) {
  const es_live_stop *stop = set->stops + live;
  if (stop->index != index || stop->length != a->length || stop->priority != a->priority)
    ck_abort_msg("live stop %u: expected stop %u of the request, found %u", live, index, stop->index);
  const int32_t *s = set->symbols + stop->offset;
  for (uint32_t j = 0; j < a->length; j++)
    if (s[j] != a->text[j]) ck_abort_msg("live stop %u, symbol %u: expected %d, found %d", live, j, a->text[j], s[j]);
  if (s[a->length] != ES_NO_SYMBOL) ck_abort_msg("live stop %u is not closed", live);
  for (uint32_t q = 1; q <= a->length; q++)
    if (set->borders[stop->offset + q] != border_of(s, q)) ck_abort_msg("live stop %u, border %u", live, q);
}

static void check_list(const word *const *stops, uint32_t count) {
  es_live_stop live[MOST];
  int32_t symbols[MOST * (LONGEST + 1)];
  uint32_t borders[MOST * (LONGEST + 1)];
  uint16_t progress[MOST];
  es_stop_memory memory = {live, symbols, borders, progress, MOST, MOST * (LONGEST + 1)};
  for (uint32_t min_tokens = 0; min_tokens <= 1; min_tokens++) {
    es_request request = request_of(stops, count, min_tokens);
    es_stop_set set;
    if (es_stops_compile_strings(&request, &memory, &set) != ES_OK) ck_abort_msg("not compiled");
    uint32_t expected = 0;
    for (uint32_t i = 0; i < count; i++) {
      if (min_tokens == 0 && !live_by_R10(stops, count, i)) continue;
      if (expected >= set.count) ck_abort_msg("stop %u of %u is missing, min_tokens %u", i, count, min_tokens);
      is_stop(&set, expected, stops[i], i);
      expected++;
    }
    if (set.count != expected) ck_abort_msg("expected %u stops, found %u", expected, set.count);
  }
}

START_TEST(R10_of_two_stops_those_are_live_that_the_three_clauses_leave) {
  uint32_t kinds = fill_words(4, 3);
  for (uint32_t a = 0; a < kinds; a++)
    for (uint32_t b = 0; b < kinds; b++) check_list((const word *const[]){words + a, words + b}, 2);
}
END_TEST

START_TEST(R10_of_three_stops_those_are_live_that_the_three_clauses_leave) {
  uint32_t kinds = fill_words(3, 2);
  for (uint32_t a = 0; a < kinds; a++)
    for (uint32_t b = 0; b < kinds; b++)
      for (uint32_t c = 0; c < kinds; c++) check_list((const word *const[]){words + a, words + b, words + c}, 3);
}
END_TEST

START_TEST(R10_one_stop_is_live_and_none_are_none) {
  uint32_t kinds = fill_words(4, 1);
  for (uint32_t a = 0; a < kinds; a++) check_list((const word *const[]){words + a}, 1);
  check_list(NULL, 0);
}
END_TEST

/* Memory of the exact size, so that the sanitizer sees a step over its end. */
typedef struct {
  es_stop_memory memory;
  es_stop_set set, before;
} exact;

static exact exactly(uint32_t stop_room, uint32_t symbol_room) {
  exact e;
  memset(&e, 0x55, sizeof e);
  e.memory.stops = malloc(stop_room * sizeof(es_live_stop));
  e.memory.progress = malloc(stop_room * sizeof(uint16_t));
  e.memory.symbols = malloc(symbol_room * sizeof(int32_t));
  e.memory.borders = malloc(symbol_room * sizeof(uint32_t));
  e.memory.stop_room = stop_room;
  e.memory.symbol_room = symbol_room;
  return e;
}

static void compiles(const es_request *request, bool strings, uint32_t stop_room, uint32_t symbol_room,
                     es_status expected) {
  exact e = exactly(stop_room, symbol_room);
  memcpy(&e.before, &e.set, sizeof e.set);
  es_status status = strings ? es_stops_compile_strings(request, &e.memory, &e.set)
                             : es_stops_compile_sequences(request, &e.memory, &e.set);
  ck_assert_int_eq(status, expected);
  if (expected != ES_OK) ck_assert_mem_eq(&e.set, &e.before, sizeof e.set);
  if (expected == ES_OK) ck_assert_uint_eq(e.set.size, symbol_room); /* it was given no more than it needs */
  free(e.memory.stops);
  free(e.memory.progress);
  free(e.memory.symbols);
  free(e.memory.borders);
}

START_TEST(R13_memory_that_just_holds_the_stops_is_enough_and_one_less_is_full) {
  word one = {1, "a", 0}, two = {3, "abc", 0};
  es_request request = request_of((const word *const[]){&one, &two}, 2, 0);
  compiles(&request, true, 2, 2 + 4, ES_OK);
  compiles(&request, true, 2, 2 + 3, ES_FULL);
  compiles(&request, true, 2, 2, ES_FULL);
  compiles(&request, true, 2, 1, ES_FULL);
  compiles(&request, true, 2, 0, ES_FULL);
  compiles(&request, true, 1, 6, ES_FULL);
  request.stop_count = 0;
  compiles(&request, true, 0, 0, ES_OK);
}
END_TEST

START_TEST(R13_a_stop_of_no_bytes_or_too_many_is_misuse) {
  uint8_t *text = calloc(ES_STOP_MAX_LENGTH, 1); /* of the exact size too */
  es_stop stop = {0, ES_STOP_MAX_LENGTH, 0};
  es_request request = {.text = text, .stops = &stop, .stop_count = 1};
  compiles(&request, true, 1, ES_STOP_MAX_LENGTH + 1, ES_OK);
  stop.length++;
  compiles(&request, true, 1, ES_STOP_MAX_LENGTH + 2, ES_MISUSE);
  stop.length = 0;
  compiles(&request, true, 1, 1, ES_MISUSE);
  compiles(&request, true, 0, 0, ES_MISUSE); /* whatever the memory */
  free(text);
}
END_TEST

START_TEST(R5_memory_that_just_holds_the_sequences_is_enough_and_one_less_is_full) {
  uint32_t ids[] = {5, 6, 7, 5, 6};
  es_sequence sequences[] = {{0, 2}, {2, 1}, {2, 3}};
  es_request request = {.sequence_ids = ids, .sequences = sequences, .sequence_count = 3};
  compiles(&request, false, 2, 3 + 4, ES_OK); /* the one of a single id takes no room */
  compiles(&request, false, 2, 3 + 3, ES_FULL);
  compiles(&request, false, 2, 3, ES_FULL);
  compiles(&request, false, 2, 2, ES_FULL);
  compiles(&request, false, 1, 7, ES_FULL);
  compiles(&request, false, 0, 7, ES_FULL);
}
END_TEST

START_TEST(R5_a_sequence_of_no_ids_or_too_many_is_misuse) {
  uint32_t *ids = calloc(ES_STOP_MAX_LENGTH, sizeof *ids);
  es_sequence sequence = {0, ES_STOP_MAX_LENGTH};
  es_request request = {.sequence_ids = ids, .sequences = &sequence, .sequence_count = 1};
  compiles(&request, false, 1, ES_STOP_MAX_LENGTH + 1, ES_OK);
  sequence.length++;
  compiles(&request, false, 1, ES_STOP_MAX_LENGTH + 2, ES_MISUSE);
  sequence.length = 0;
  compiles(&request, false, 1, 1, ES_MISUSE);
  compiles(&request, false, 0, 0, ES_MISUSE);
  free(ids);
}
END_TEST

START_TEST(R5_a_sequence_of_one_id_is_left_out_and_the_others_keep_their_index) {
  uint32_t ids[] = {9, INT32_MAX, 0, 0, 0};
  es_sequence sequences[] = {{0, 1}, {1, 2}, {0, 1}, {2, 3}};
  es_request request = {.sequence_ids = ids, .sequences = sequences, .sequence_count = 4};
  exact e = exactly(2, 7);
  ck_assert_int_eq(es_stops_compile_sequences(&request, &e.memory, &e.set), ES_OK);
  ck_assert_uint_eq(e.set.count, 2);
  ck_assert_uint_eq(e.set.size, 7);
  static const int32_t symbols[] = {INT32_MAX, 0, ES_NO_SYMBOL, 0, 0, 0, ES_NO_SYMBOL};
  ck_assert_mem_eq(e.set.symbols, symbols, sizeof symbols);
  ck_assert_uint_eq(e.set.stops[0].index, 1);
  ck_assert_uint_eq(e.set.stops[1].index, 3);
  ck_assert_uint_eq(e.set.stops[1].offset, 3);
  ck_assert_int_eq(e.set.stops[1].priority, 0);
  for (uint32_t q = 1; q <= 3; q++) ck_assert_uint_eq(e.set.borders[3 + q], q - 1);
  free(e.memory.stops);
  free(e.memory.progress);
  free(e.memory.symbols);
  free(e.memory.borders);
}
END_TEST

START_TEST(R10_borders_are_the_longest_of_every_word_of_two_letters) {
  for (uint32_t bits = 0; bits < 1u << 12; bits++) {
    int32_t s[13];
    uint32_t f[13];
    for (uint32_t j = 0; j < 12; j++) s[j] = bits >> j & 1;
    s[12] = ES_NO_SYMBOL;
    es_stops_borders(s, 12, f);
    for (uint32_t q = 1; q <= 12; q++)
      if (f[q] != border_of(s, q)) ck_abort_msg("word %x, first %u: found %u", bits, q, f[q]);
  }
}
END_TEST

Suite *stops_suite(void) {
  Suite *suite = suite_create("stops");
  TCase *tests = tcase_create("stops");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, R10_of_two_stops_those_are_live_that_the_three_clauses_leave);
  tcase_add_test(tests, R10_of_three_stops_those_are_live_that_the_three_clauses_leave);
  tcase_add_test(tests, R10_one_stop_is_live_and_none_are_none);
  tcase_add_test(tests, R13_memory_that_just_holds_the_stops_is_enough_and_one_less_is_full);
  tcase_add_test(tests, R13_a_stop_of_no_bytes_or_too_many_is_misuse);
  tcase_add_test(tests, R5_memory_that_just_holds_the_sequences_is_enough_and_one_less_is_full);
  tcase_add_test(tests, R5_a_sequence_of_no_ids_or_too_many_is_misuse);
  tcase_add_test(tests, R5_a_sequence_of_one_id_is_left_out_and_the_others_keep_their_index);
  tcase_add_test(tests, R10_borders_are_the_longest_of_every_word_of_two_letters);
  suite_add_tcase(suite, tests);
  return suite;
}
