/* Tests of limits: counting at the borders, and repetition against a look at the whole history. */
#include <check.h>
#include <string.h>

#include "limits.h"

Suite *limits_suite(void);

#define LONGEST 9 /* ids in a history */

START_TEST(R7_the_last_allowed_token_ends_by_length) {
  es_limits limits = {2, ES_NO_LIMIT, 0, 0};
  ck_assert_int_eq(es_limits_reached(&limits), ES_WITHIN);
  ck_assert_int_eq(es_limits_take(&limits), ES_WITHIN);
  ck_assert_int_eq(es_limits_take(&limits), ES_AT_MAX_TOKENS);
  ck_assert_uint_eq(limits.taken, 2);
}
END_TEST

START_TEST(R7_prompt_and_tokens_together_end_by_context) {
  es_limits limits = {ES_NO_LIMIT, 5, 3, 0};
  ck_assert_int_eq(es_limits_take(&limits), ES_WITHIN);
  ck_assert_int_eq(es_limits_take(&limits), ES_AT_MAX_CONTEXT);
}
END_TEST

START_TEST(R7_no_room_for_a_token_is_seen_before_the_first) {
  es_limits none = {0, ES_NO_LIMIT, 0, 0}, prompt = {ES_NO_LIMIT, 3, 3, 0}, room = {1, 4, 3, 0};
  ck_assert_int_eq(es_limits_reached(&none), ES_AT_MAX_TOKENS);
  ck_assert_int_eq(es_limits_reached(&prompt), ES_AT_MAX_CONTEXT);
  ck_assert_int_eq(es_limits_reached(&room), ES_WITHIN);
  ck_assert_uint_eq(room.taken, 0);
}
END_TEST

START_TEST(R7_of_two_limits_max_tokens_counts) {
  for (uint32_t taken = 0; taken <= 3; taken++)
    for (uint32_t max = 0; max <= 3; max++)
      for (uint32_t context = 0; context <= 5; context++)
        for (uint32_t prompt = 0; prompt <= 3; prompt++) {
          es_limits limits = {max, context, prompt, taken};
          es_limit expected = taken >= max                ? ES_AT_MAX_TOKENS
                              : prompt + taken >= context ? ES_AT_MAX_CONTEXT
                                                          : ES_WITHIN;
          ck_assert_int_eq(es_limits_reached(&limits), expected);
        }
}
END_TEST

START_TEST(R7_limits_hold_to_the_largest_numbers) {
  es_limits tokens = {INT32_MAX, ES_NO_LIMIT, INT32_MAX, INT32_MAX - 2};
  ck_assert_int_eq(es_limits_take(&tokens), ES_WITHIN);
  ck_assert_int_eq(es_limits_take(&tokens), ES_AT_MAX_TOKENS);
  es_limits context = {ES_NO_LIMIT, INT32_MAX, 1, INT32_MAX - 3};
  ck_assert_int_eq(es_limits_take(&context), ES_WITHIN);
  ck_assert_int_eq(es_limits_take(&context), ES_AT_MAX_CONTEXT);
  es_limits both = {ES_NO_LIMIT, INT32_MAX, INT32_MAX, INT32_MAX - 1}; /* the sum is above 2^31 */
  ck_assert_int_eq(es_limits_take(&both), ES_AT_MAX_CONTEXT);
  es_limits last = {ES_NO_LIMIT, ES_NO_LIMIT - 1, INT32_MAX, INT32_MAX - 1}; /* the greatest sum there is */
  ck_assert_int_eq(es_limits_take(&last), ES_AT_MAX_CONTEXT);
  es_limits neither = {ES_NO_LIMIT, ES_NO_LIMIT, INT32_MAX, INT32_MAX - 1};
  ck_assert_int_eq(es_limits_take(&neither), ES_WITHIN);
}
END_TEST

/* R7 to the letter: for some q, the last q × repeats ids have period q. */
static bool repeats(const uint32_t *ids, uint32_t n, uint32_t max_period, uint32_t min_repeats) {
  for (uint32_t q = 1; q <= max_period; q++) {
    bool all = q * min_repeats <= n;
    for (uint32_t j = 0; all && j < q * (min_repeats - 1); j++) all = ids[n - 1 - j] == ids[n - 1 - j - q];
    if (all) return true;
  }
  return false;
}

/* All histories of ids, the last of which is any of `kinds`. */
static void every_history(es_repetition r, uint32_t *ids, uint32_t n, const uint32_t *kinds, uint32_t kind_count,
                          uint32_t most) {
  for (uint32_t k = 0; k < kind_count; k++) {
    int32_t ring[4], runs[4];
    memcpy(ring, r.ids, sizeof ring);
    memcpy(runs, r.runs, sizeof runs);
    es_repetition next = r;
    next.ids = ring;
    next.runs = runs;
    ids[n] = kinds[k];
    bool found = es_repetition_take(&next, kinds[k]);
    if (found != repeats(ids, n + 1, r.max_period, r.min_repeats))
      ck_abort_msg("period %u, repeats %u, %u ids: found %d", r.max_period, r.min_repeats, n + 1, found);
    if (n + 1 < most) every_history(next, ids, n + 1, kinds, kind_count, most);
  }
}

START_TEST(R7_repetition_is_what_the_whole_history_says) {
  static const uint32_t kinds[] = {0, 7, INT32_MAX};
  for (uint32_t period = 1; period <= 4; period++)
    for (uint32_t times = 2; times <= 4; times++) {
      uint32_t ids[LONGEST + 4];
      int32_t ring[4] = {0}, runs[4] = {0};
      es_repetition r = {ring, runs, period, times, 0};
      every_history(r, ids, 0, kinds, 3, LONGEST - 1);
      every_history(r, ids, 0, kinds, 2, LONGEST + 3);
    }
}
END_TEST

START_TEST(R7_the_first_ids_repeat_nothing) {
  int32_t ring[2] = {0}, runs[2] = {0};
  es_repetition r = {ring, runs, 2, 2, 0};
  ck_assert(!es_repetition_take(&r, 0)); /* the ring holds zeros that are no ids yet */
  ck_assert(es_repetition_take(&r, 0));
  ck_assert_uint_eq(r.taken, 2);
}
END_TEST

START_TEST(R7_without_a_guard_nothing_repeats_and_nothing_is_written) {
  es_repetition none = {NULL, NULL, 0, 0, 0};
  for (int i = 0; i < 3; i++) ck_assert(!es_repetition_take(&none, 7));
  ck_assert_uint_eq(none.taken, 0);
}
END_TEST

START_TEST(R7_a_repetition_stays_one_to_the_largest_number_of_tokens) {
  int32_t ring[1] = {7}, runs[1] = {INT32_MAX - 2};
  es_repetition r = {ring, runs, 1, INT32_MAX, INT32_MAX - 2};
  ck_assert(es_repetition_take(&r, 7));
  ck_assert_int_eq(runs[0], INT32_MAX - 1);
}
END_TEST

Suite *limits_suite(void) {
  Suite *suite = suite_create("limits");
  TCase *tests = tcase_create("limits");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, R7_the_last_allowed_token_ends_by_length);
  tcase_add_test(tests, R7_prompt_and_tokens_together_end_by_context);
  tcase_add_test(tests, R7_no_room_for_a_token_is_seen_before_the_first);
  tcase_add_test(tests, R7_of_two_limits_max_tokens_counts);
  tcase_add_test(tests, R7_limits_hold_to_the_largest_numbers);
  tcase_add_test(tests, R7_repetition_is_what_the_whole_history_says);
  tcase_add_test(tests, R7_the_first_ids_repeat_nothing);
  tcase_add_test(tests, R7_without_a_guard_nothing_repeats_and_nothing_is_written);
  tcase_add_test(tests, R7_a_repetition_stays_one_to_the_largest_number_of_tokens);
  suite_add_tcase(suite, tests);
  return suite;
}
