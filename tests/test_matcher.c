/* Tests of the matcher against a look at the whole text: all small stop sets over two symbols with all short texts. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "matcher.h"

Suite *matcher_suite(void);

#define SYMBOLS 2
#define LONGEST_STOP 3
#define WORDS (2 + 4 + 8) /* of 1 … LONGEST_STOP symbols */
#define MOST 3            /* stops in a set */
#define LONGEST_TEXT 7

typedef struct {
  uint32_t length;
  int32_t symbols[LONGEST_STOP];
} word;

static word words[WORDS];

/* A set of stops and what it is compiled to. */
typedef struct {
  uint32_t count;
  const word *words[MOST];
  int32_t priorities[MOST];
  es_stop_set compiled;
  es_live_stop stops[MOST];
  int32_t symbols[MOST * (LONGEST_STOP + 1)];
  uint32_t borders[MOST * (LONGEST_STOP + 1)];
} stop_list;

/* All words of two symbols, the short ones first. */
static void fill_words(int32_t a, int32_t b) {
  uint32_t w = 0;
  for (uint32_t length = 1; length <= LONGEST_STOP; length++)
    for (uint32_t bits = 0; bits < 1u << length; bits++, w++) {
      words[w].length = length;
      for (uint32_t j = 0; j < length; j++) words[w].symbols[j] = bits >> j & 1 ? b : a;
    }
}

static void compile_strings(stop_list *list) {
  uint8_t text[MOST * LONGEST_STOP];
  es_stop stops[MOST];
  uint16_t progress[MOST];
  es_request request = {.text = text, .stops = stops, .stop_count = list->count, .min_tokens = 1}; /* all stay */
  uint32_t size = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    es_stop stop = {size, list->words[i]->length, list->priorities[i]};
    stops[i] = stop;
    for (uint32_t j = 0; j < stop.length; j++) text[size++] = (uint8_t)list->words[i]->symbols[j];
  }
  es_stop_memory memory = {list->stops, list->symbols, list->borders, progress, MOST, MOST * (LONGEST_STOP + 1)};
  if (es_stops_compile_strings(&request, &memory, &list->compiled) != ES_OK) ck_abort_msg("no room");
  if (list->compiled.count != list->count) ck_abort_msg("a stop was left out");
}

static void compile_sequences(stop_list *list) {
  uint32_t ids[MOST * LONGEST_STOP];
  es_sequence sequences[MOST];
  es_request request = {.sequence_ids = ids, .sequences = sequences, .sequence_count = list->count};
  uint32_t size = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    es_sequence sequence = {size, list->words[i]->length};
    sequences[i] = sequence;
    for (uint32_t j = 0; j < sequence.length; j++) ids[size++] = (uint32_t)list->words[i]->symbols[j];
  }
  es_stop_memory memory = {list->stops, list->symbols, list->borders, NULL, MOST, MOST * (LONGEST_STOP + 1)};
  if (es_stops_compile_sequences(&request, &memory, &list->compiled) != ES_OK) ck_abort_msg("no room");
  if (list->compiled.count != list->count) ck_abort_msg("a sequence was left out");
}

/* Whether the first `length` symbols of stop i are the end of the text. */
static bool ends_with(const int32_t *text, uint32_t n, const word *stop, uint32_t length) {
  return length <= n && memcmp(text + n - length, stop->symbols, length * sizeof *text) == 0;
}

/* R3 and R10 to the letter. */
static es_match by_rules(const stop_list *list, const int32_t *text, uint32_t n) {
  es_match match = {-1, 0, 0};
  for (uint32_t i = list->count; i-- > 0;) {
    if (!ends_with(text, n, list->words[i], list->words[i]->length)) continue;
    const word *best = match.stop < 0 ? NULL : list->words[match.stop];
    if (!best || list->priorities[i] > list->priorities[match.stop] ||
        (list->priorities[i] == list->priorities[match.stop] && list->words[i]->length >= best->length))
      match.stop = (int32_t)i;
  }
  for (uint32_t hold = LONGEST_STOP; hold-- > 1 && match.hold == 0;)
    for (uint32_t i = list->count; i-- > 0;)
      if (hold < list->words[i]->length && ends_with(text, n, list->words[i], hold)) {
        match.hold = hold;
        match.holder = i;
      }
  return match;
}

/* All texts that go on from this one, after completions too. */
static void every_text(const stop_list *list, const uint16_t *progress, const int32_t *kinds, int32_t *text, uint32_t n,
                       uint32_t longest) {
  for (uint32_t k = 0; k < SYMBOLS; k++) {
    uint16_t next[MOST];
    memcpy(next, progress, sizeof next);
    text[n] = kinds[k];
    es_match found = es_matcher_take(next, &list->compiled, kinds[k]);
    es_match expected = by_rules(list, text, n + 1);
    if (found.stop != expected.stop) ck_abort_msg("stop: expected %d, found %d", expected.stop, found.stop);
    if (found.hold != expected.hold) ck_abort_msg("hold: expected %u, found %u", expected.hold, found.hold);
    if (found.hold > 0 && found.holder != expected.holder)
      ck_abort_msg("holder: expected %u, found %u", expected.holder, found.holder);
    if (n + 1 < longest) every_text(list, next, kinds, text, n + 1, longest);
  }
}

static void check_list(stop_list *list, bool strings, const int32_t *kinds, uint32_t longest) {
  int32_t text[LONGEST_TEXT];
  uint16_t progress[MOST];
  if (strings)
    compile_strings(list);
  else
    compile_sequences(list);
  es_matcher_reset(progress, list->count);
  for (uint32_t i = list->count; i < MOST; i++) progress[i] = 0;
  every_text(list, progress, kinds, text, 0, longest);
}

/* All lists of `count` words from number `first` on, priorities 0 or as the bits of `priorities` say. */
static void every_list(uint32_t count, uint32_t first, uint32_t priorities, bool strings, const int32_t *kinds,
                       uint32_t longest) {
  uint32_t kind_count = WORDS - first, lists = 1;
  for (uint32_t i = 0; i < count; i++) lists *= kind_count;
  for (uint32_t number = 0; number < lists; number++) {
    stop_list list = {.count = count};
    for (uint32_t i = 0, rest = number; i < count; i++, rest /= kind_count) {
      list.words[i] = words + first + rest % kind_count;
      list.priorities[i] = priorities >> i & 1 ? 1 : 0;
    }
    check_list(&list, strings, kinds, longest);
  }
}

static const int32_t letters[SYMBOLS] = {'a', 'b'};

START_TEST(R2_R10_every_small_stop_set_on_every_short_text_is_as_a_look_at_the_whole) {
  fill_words('a', 'b');
  for (uint32_t count = 0; count <= MOST; count++) every_list(count, 0, 0, true, letters, LONGEST_TEXT);
}
END_TEST

START_TEST(R3_priority_then_length_then_index_decides_at_one_place) {
  fill_words('a', 'b');
  for (uint32_t priorities = 1; priorities < 4; priorities++) every_list(2, 0, priorities, true, letters, 5);
  for (uint32_t priorities = 1; priorities < 7; priorities++) every_list(3, 0, priorities, true, letters, 4);
}
END_TEST

START_TEST(R5_R10_sequences_of_ids_match_as_strings_do) {
  static const int32_t ids[SYMBOLS] = {0, INT32_MAX};
  fill_words(0, INT32_MAX);
  for (uint32_t count = 1; count <= MOST; count++) every_list(count, 2, 0, false, ids, 6);
}
END_TEST

START_TEST(R3_negative_priorities_lose_against_none) {
  fill_words('a', 'b');
  stop_list list = {.count = 2, .words = {words, words}, .priorities = {-128, 127}};
  check_list(&list, true, letters, 3);
  list.priorities[0] = 0;
  list.priorities[1] = -1;
  check_list(&list, true, letters, 3);
}
END_TEST

START_TEST(R2_a_symbol_of_no_stop_forgets_all) {
  static const int32_t kinds[SYMBOLS] = {'a', 0};
  fill_words('a', 'b');
  every_list(2, 0, 0, true, kinds, 5);
}
END_TEST

/* Law: after a completion the matcher stands where it would without one; a longest stop has a longest border. */
START_TEST(R6_the_longest_stop_of_one_letter_holds_all_but_one_and_completes_again) {
  uint32_t length = ES_STOP_MAX_LENGTH, room = length + 1;
  uint8_t *text = malloc(length);
  int32_t *symbols = malloc(room * sizeof *symbols);
  uint32_t *borders = malloc(room * sizeof *borders);
  ck_assert(text && symbols && borders);
  memset(text, 'a', length);
  es_stop stop = {0, length, 0};
  es_live_stop live;
  uint16_t progress = 0;
  es_request request = {.text = text, .stops = &stop, .stop_count = 1, .min_tokens = 1};
  es_stop_memory memory = {&live, symbols, borders, &progress, 1, room};
  es_stop_set set;
  ck_assert_int_eq(es_stops_compile_strings(&request, &memory, &set), ES_OK);
  es_matcher_reset(&progress, 1);
  for (uint32_t n = 1; n < length; n++) {
    es_match match = es_matcher_take(&progress, &set, 'a');
    if (match.stop >= 0 || match.hold != n) ck_abort_msg("after %u: stop %d, hold %u", n, match.stop, match.hold);
  }
  for (int again = 0; again < 2; again++) {
    es_match match = es_matcher_take(&progress, &set, 'a');
    ck_assert_int_eq(match.stop, 0);
    ck_assert_uint_eq(match.hold, length - 1);
  }
  ck_assert_uint_eq(es_matcher_take(&progress, &set, 'b').hold, 0);
  ck_assert_uint_eq(progress, 0);
  free(text);
  free(symbols);
  free(borders);
}
END_TEST

START_TEST(R2_reset_forgets_the_stops_of_the_set_and_no_more) {
  uint16_t progress[3] = {3, 2, 1};
  es_matcher_reset(progress, 0);
  ck_assert_uint_eq(progress[0], 3);
  es_matcher_reset(progress, 2);
  ck_assert_uint_eq(progress[0], 0);
  ck_assert_uint_eq(progress[1], 0);
  ck_assert_uint_eq(progress[2], 1);
}
END_TEST

Suite *matcher_suite(void) {
  Suite *suite = suite_create("matcher");
  TCase *tests = tcase_create("matcher");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, R2_R10_every_small_stop_set_on_every_short_text_is_as_a_look_at_the_whole);
  tcase_add_test(tests, R3_priority_then_length_then_index_decides_at_one_place);
  tcase_add_test(tests, R5_R10_sequences_of_ids_match_as_strings_do);
  tcase_add_test(tests, R3_negative_priorities_lose_against_none);
  tcase_add_test(tests, R2_a_symbol_of_no_stop_forgets_all);
  tcase_add_test(tests, R6_the_longest_stop_of_one_letter_holds_all_but_one_and_completes_again);
  tcase_add_test(tests, R2_reset_forgets_the_stops_of_the_set_and_no_more);
  suite_add_tcase(suite, tests);
  return suite;
}
