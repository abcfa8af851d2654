/* Tests of the stop word: every call on every word at the borders against the three things that a word says. */
#include <check.h>

#include "stopword.h"

Suite *stopword_suite(void);

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const uint64_t epochs[] = {0, 1, 2, ES_STOP_LAST_EPOCH / 2, ES_STOP_LAST_EPOCH - 1, ES_STOP_LAST_EPOCH};

typedef struct {
  uint64_t epoch;
  uint8_t reason;
  bool acked;
} said;

static uint64_t word_of(said s) {
  return s.epoch << 16 | (uint64_t)(s.acked ? 1 : 0) << 8 | s.reason;
}

/* All that the functions read of a word. */
static void check_word(uint64_t word, said s) {
  ck_assert_uint_eq(word, word_of(s));
  ck_assert_uint_eq(es_stopword_epoch(word), s.epoch);
  ck_assert_uint_eq(es_stopword_reason(word), s.reason);
  ck_assert_int_eq(es_stopword_can_ack(word), !s.acked);
  for (size_t i = 0; i < COUNT(epochs); i++)
    ck_assert_int_eq(es_stopword_over(word, epochs[i]), s.acked || s.epoch != epochs[i]);
}

static es_stop_answer expected_answer(said s, uint64_t epoch) {
  if (s.epoch != epoch) return ES_STOP_STALE;
  if (s.acked) return ES_STOP_LATE;
  return s.reason ? ES_STOP_SECOND : ES_STOP_WON;
}

static void check_requests(said s) {
  for (size_t i = 0; i < COUNT(epochs); i++)
    for (unsigned reason = 1; reason <= 255; reason++) {
      uint64_t next = 12345;
      es_stop_answer answer = es_stopword_request(word_of(s), epochs[i], (uint8_t)reason, &next);
      uint64_t expected = answer == ES_STOP_WON ? word_of((said){s.epoch, (uint8_t)reason, false}) : word_of(s);
      if (answer != expected_answer(s, epochs[i]) || next != expected)
        ck_abort_msg("word %jx, request %u: %d", (uintmax_t)word_of(s), reason, (int)answer);
    }
}

START_TEST(R14_every_word_says_what_it_is_made_of_and_takes_the_first_request_alone) {
  for (unsigned reason = 0; reason <= 255; reason++)
    for (int acked = 0; acked <= 1; acked++) {
      said s = {epochs[_i], (uint8_t)reason, acked};
      check_word(word_of(s), s);
      check_requests(s);
    }
}
END_TEST

START_TEST(R14_an_acknowledgement_keeps_epoch_and_reason) {
  for (unsigned reason = 0; reason <= 255; reason++)
    check_word(word_of((said){epochs[_i], (uint8_t)reason, false}) + ES_STOP_ACKED,
               (said){epochs[_i], (uint8_t)reason, true});
}
END_TEST

START_TEST(R14_the_next_lane_begins_with_nothing_asked) {
  for (unsigned reason = 0; reason <= 255; reason++) {
    said runs = {epochs[_i], (uint8_t)reason, false}, over = {epochs[_i], (uint8_t)reason, true};
    ck_assert_uint_eq(es_stopword_next(word_of(runs)), word_of(runs));
    uint64_t next = es_stopword_next(word_of(over));
    if (epochs[_i] == ES_STOP_LAST_EPOCH)
      ck_assert_uint_eq(next, word_of(over));
    else
      check_word(next, (said){epochs[_i] + 1, 0, false});
  }
  check_word(es_stopword_run(epochs[_i]), (said){epochs[_i], 0, false});
}
END_TEST

/* Why a second look after a lost exchange is enough: no word comes back. */
START_TEST(R14_a_word_only_goes_forward) {
  said s = {epochs[_i], 0, false};
  uint64_t asked, word = word_of(s);
  ck_assert_int_eq(es_stopword_request(word, s.epoch, 255, &asked), ES_STOP_WON);
  ck_assert_uint_gt(asked, word);
  ck_assert_uint_gt(word + ES_STOP_ACKED, asked);
  ck_assert_uint_gt(asked + ES_STOP_ACKED, word + ES_STOP_ACKED);
  if (s.epoch < ES_STOP_LAST_EPOCH) ck_assert_uint_gt(es_stopword_next(asked + ES_STOP_ACKED), asked + ES_STOP_ACKED);
}
END_TEST

Suite *stopword_suite(void) {
  Suite *suite = suite_create("stopword");
  TCase *tests = tcase_create("stopword");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, R14_every_word_says_what_it_is_made_of_and_takes_the_first_request_alone, 0,
                      COUNT(epochs));
  tcase_add_loop_test(tests, R14_an_acknowledgement_keeps_epoch_and_reason, 0, COUNT(epochs));
  tcase_add_loop_test(tests, R14_the_next_lane_begins_with_nothing_asked, 0, COUNT(epochs));
  tcase_add_loop_test(tests, R14_a_word_only_goes_forward, 0, COUNT(epochs));
  suite_add_tcase(suite, tests);
  return suite;
}
