/* Tests of the lane: each rule that the parts make together, at its border. */
#include <check.h>
#include <string.h>

#include "lane_rig.h"

Suite *lane_suite(void);

#define COUNT(list) (sizeof(list) / sizeof *(list))

START_TEST(R7_no_room_for_a_token_ends_before_boundary_0) {
  rig.request.max_tokens = 0;
  rig_open();
  rig_ended(ES_CAUSE_MAX_TOKENS, 0, 0);
  rig.request.max_tokens = ES_NO_LIMIT;
  rig.request.max_context = rig.request.prompt_tokens = 3;
  rig_open();
  rig_ended(ES_CAUSE_MAX_CONTEXT, 0, 0);
  rig.request.max_tokens = 0;
  rig_open();
  rig_ended(ES_CAUSE_MAX_TOKENS, 0, 0);
}
END_TEST

START_TEST(R9_a_lane_may_end_at_boundary_0) {
  rig_open();
  rig_boundary((es_boundary){false, 0, true, true});
  rig_ended(ES_CAUSE_ABORT, 0, 0);
  rig_open();
  rig_boundary((es_boundary){true, 7, true, true});
  rig_ended(ES_CAUSE_EXTERNAL, 0, 0);
  rig.request.deadline_steps = 0;
  rig_open();
  rig_boundary(NOTHING);
  rig_ended(ES_CAUSE_DEADLINE, 0, 0);
}
END_TEST

START_TEST(R7_a_prompt_that_no_number_holds_is_misuse) {
  es_lane lane;
  rig_open();
  es_request request = *rig.lane.request;
  request.prompt_tokens = (uint32_t)INT32_MAX + 1;
  ck_assert_int_eq(es_lane_open(&lane, &request, rig.lane.strings, rig.lane.sequences, &rig.lane.memory), ES_MISUSE);
  request.prompt_tokens = INT32_MAX;
  ck_assert_int_eq(es_lane_open(&lane, &request, rig.lane.strings, rig.lane.sequences, &rig.lane.memory), ES_OK);
}
END_TEST

START_TEST(R9_no_token_is_taken_before_boundary_0) {
  es_lane_token token = {ABC, false, (const uint8_t *)"ab", 2};
  rig_open();
  ck_assert_int_eq(es_lane_take(&rig.lane, &token), ES_MISUSE);
  ck_assert_uint_eq(rig.lane.limits.taken, 0);
  ck_assert_uint_eq(rig.lane.guard.taken, 0);
}
END_TEST

START_TEST(R5_an_id_that_no_vocabulary_has_is_misuse_and_not_taken) {
  es_lane_token token = {UINT32_MAX, false, (const uint8_t *)"ab", 2};
  rig_start();
  ck_assert_int_eq(es_lane_take(&rig.lane, &token), ES_MISUSE);
  token.id = (uint32_t)INT32_MAX + 1;
  ck_assert_int_eq(es_lane_take(&rig.lane, &token), ES_MISUSE);
  ck_assert_uint_eq(rig.lane.limits.taken, 0);
  token.id = INT32_MAX;
  ck_assert_int_eq(es_lane_take(&rig.lane, &token), ES_OK);
}
END_TEST

START_TEST(R9_the_deadline_is_boundary_d_and_the_callers_word_for_it_is_not_read) {
  rig.request.deadline_steps = 2;
  rig_start();
  rig_take(ABC, "a");
  rig_boundary((es_boundary){false, 0, false, true});
  rig_boundary(NOTHING);
  rig_shows("a");
  rig_ended(ES_CAUSE_DEADLINE, 1, 1);
}
END_TEST

START_TEST(R4_a_stop_across_tokens_is_cut_and_the_rest_of_the_token_dropped) {
  rig_stop("xyz");
  rig_stop("END");
  rig_start();
  rig_step(ABC, "aE");
  rig_shows("a");
  rig_holds(ES_HOLD_STRING, 1, 1);
  rig_step(ABC, "NDb");
  rig_shows("a");
  ck_assert_uint_eq(rig_ended(ES_CAUSE_STOP_STRING, 1, 2).stop_index, 1);
}
END_TEST

START_TEST(R4_an_included_stop_is_shown_and_nothing_is_held_for_it) {
  rig_stop("END");
  rig.request.include_stop = true;
  rig_start();
  rig_step(ABC, "aEN");
  rig_shows("aEN");
  rig_holds(ES_HOLD_NOTHING, 0, 0);
  rig_step(ABC, "Db");
  rig_shows("aEND");
  rig_ended(ES_CAUSE_STOP_STRING, 4, 2);
}
END_TEST

START_TEST(R3_the_first_completion_in_a_token_counts) {
  rig_stop("d");
  rig_stop("bc");
  rig_start();
  rig_step(ABC, "abcd");
  rig_shows("a");
  ck_assert_uint_eq(rig_ended(ES_CAUSE_STOP_STRING, 1, 1).stop_index, 1);
}
END_TEST

START_TEST(R5_a_token_end_shows_its_text_only_if_included_and_visible) {
  static const struct {
    uint32_t id;
    bool include, special;
    const char *text;
    es_cause cause;
  } rows[] = {{EOS, false, false, "a", ES_CAUSE_EOS},
              {EOS, true, false, "a|", ES_CAUSE_EOS},
              {EOS, true, true, "a", ES_CAUSE_EOS},
              {STOP_TOKEN, false, false, "a", ES_CAUSE_STOP_TOKEN},
              {STOP_TOKEN, true, false, "a|", ES_CAUSE_STOP_TOKEN},
              {7, false, false, "a", ES_CAUSE_STOP_TOKEN},
              {7, true, false, "a|", ES_CAUSE_STOP_TOKEN}};
  rig_stop("|"); /* never looked at */
  rig_sequence(2, 7, 7, 0);
  rig_sequence(1, 7, 0, 0);
  for (size_t i = 0; i < COUNT(rows); i++) {
    rig.request.include_stop = rows[i].include;
    rig.shown_size = 0;
    rig_start();
    rig_step(ABC, "a");
    ck_assert_int_eq(rig_token(rows[i].id, "|", rows[i].special), ES_OK);
    rig_boundary(NOTHING);
    rig_shows(rows[i].text);
    ck_assert_uint_eq(rig_ended(rows[i].cause, rig.shown_size, 2).stop_id, rows[i].id);
  }
}
END_TEST

START_TEST(R5_an_ignored_eos_is_text_unless_it_is_a_stop_token) {
  rig.request.ignore_eos = true;
  rig_start();
  rig_step(EOS, "e");
  rig_shows("e");
  rig.request.stop_ids = rig.request.eos_ids;
  rig.shown_size = 0;
  rig_start();
  rig_step(EOS, "e");
  rig_ended(ES_CAUSE_STOP_TOKEN, 0, 1);
}
END_TEST

START_TEST(R1_a_special_token_has_text_only_if_it_is_not_skipped) {
  rig_start();
  ck_assert_int_eq(rig_token(ABC, "<s>", true), ES_OK);
  rig_step(ABC, "a");
  rig_shows("a");
  rig.request.skip_special = false;
  rig_start();
  ck_assert_int_eq(rig_token(ABC, "<s>", true), ES_OK);
  rig_step(ABC, "a");
  rig_shows("a<s>a");
}
END_TEST

START_TEST(R5_a_sequence_is_cut_where_its_first_token_begins) {
  for (int include = 0; include < 2; include++) {
    rig.request.sequence_count = 0;
    rig_sequence(3, 9, 9, 9);
    rig_sequence(3, 5, 6, 7);
    rig.request.include_stop = include;
    rig.shown_size = 0;
    rig_start();
    rig_step(ABC, "ab");
    rig_step(5, "cd");
    rig_shows(include ? "abcd" : "ab");
    rig_step(6, "");
    rig_holds(include ? ES_HOLD_NOTHING : ES_HOLD_SEQUENCE, !include, include ? 0 : 2);
    rig_step(7, "e");
    rig_shows(include ? "abcde" : "ab");
    ck_assert_uint_eq(rig_ended(ES_CAUSE_STOP_SEQUENCE, include ? 5 : 2, 4).stop_index, 1);
  }
}
END_TEST

START_TEST(R10_the_longer_of_string_and_sequence_holds) {
  rig_stop("no");
  rig_stop("bcx");
  rig_sequence(2, 5, 6, 0);
  rig_start();
  rig_step(5, "bc");
  rig_holds(ES_HOLD_STRING, 1, 2); /* both hold two bytes */
  rig_step(ABC, "!");
  rig_step(5, "abc");
  rig_holds(ES_HOLD_SEQUENCE, 0, 3);
  rig_shows("bc!");
  rig_step(5, "");
  rig_holds(ES_HOLD_STRING, 1, 2);
  rig_shows("bc!a");
}
END_TEST

START_TEST(R10_a_sequence_that_begins_inside_a_character_holds_the_whole_of_it) {
  rig_sequence(2, 5, 6, 0);
  rig_start();
  rig_step(ABC, "a\xC3");
  rig_holds(ES_HOLD_CHARACTER, 0, 1);
  rig_step(5, "\xA4"
              "b");
  rig_holds(ES_HOLD_SEQUENCE, 0, 3);
  rig_shows("a");
  rig_step(6, "c");
  rig_shows("a\xEF\xBF\xBD"); /* Reading 7 */
  rig_ended(ES_CAUSE_STOP_SEQUENCE, 2, 3);
}
END_TEST

START_TEST(R10_a_character_holds_more_than_the_sequence_that_begins_inside_it) {
  rig_sequence(2, 7, 8, 0);
  rig_sequence(2, 5, 6, 0);
  rig_start();
  rig_step(ABC, "a\xF0");
  rig_step(5, "\x9F");
  rig_holds(ES_HOLD_CHARACTER, 0, 2);
  rig_shows("a");
}
END_TEST

START_TEST(R12_an_incomplete_character_at_the_end_is_one_replacement) {
  rig.request.max_tokens = 2;
  rig_start();
  rig_step(ABC, "a\xF0\x9F");
  rig_shows("a");
  rig_step(ABC, "\x98");
  rig_shows("a\xEF\xBF\xBD");
  rig_ended(ES_CAUSE_MAX_TOKENS, 4, 2);
}
END_TEST

START_TEST(R6_an_end_counts_only_after_min_tokens_and_matching_goes_on_across_it) {
  static const uint32_t tokens[] = {EOS, STOP_TOKEN, 5, 6};
  rig_stop("ab");
  rig_stop("bab");
  rig_sequence(2, 5, 6, 0);
  rig.request.min_tokens = 4;
  rig_start();
  for (size_t i = 0; i < COUNT(tokens); i++) rig_step(tokens[i], i % 2 ? "b" : "a");
  rig_shows("aba"); /* "b" may still become "bab" */
  rig_step(6, "ab");
  rig_shows("aba"); /* "bab" completes with "ab", and is longer */
  ck_assert_uint_eq(rig_ended(ES_CAUSE_STOP_STRING, 3, 5).stop_index, 1);
}
END_TEST

START_TEST(R6_each_kind_of_end_counts_at_the_token_after_min_tokens) {
  static const uint32_t last[] = {EOS, STOP_TOKEN, ABC, 6};
  rig_stop("z");
  rig_sequence(2, 6, 6, 0);
  rig.request.min_tokens = 1;
  for (uint32_t i = 0; i < COUNT(last); i++) {
    rig_start();
    rig_step(last[i], i == 2 ? "z" : "");
    ck_assert_int_eq(rig.lane.end.cause, ES_CAUSE_OPEN);
    rig_step(last[i], i == 2 ? "z" : "");
    ck_assert_int_eq(rig.lane.end.cause, (int)(ES_CAUSE_EOS + i));
  }
}
END_TEST

START_TEST(R7_of_all_ends_at_one_token_the_first_in_order_counts) {
  rig_sequence(2, ABC, ABC, 0);
  rig_stop("zz");
  rig.request.max_tokens = 2;
  rig.request.max_context = 5;
  rig.request.prompt_tokens = 3;
  rig.request.max_period = 1;
  rig.request.min_repeats = 2;
  es_cause expected = ES_CAUSE_STOP_STRING;
  for (; expected <= ES_CAUSE_REPETITION; expected = (es_cause)(expected + 1)) {
    if (expected > ES_CAUSE_STOP_STRING) rig.request.stop_count = 0;
    if (expected > ES_CAUSE_STOP_SEQUENCE) rig.request.sequence_count = 0;
    if (expected > ES_CAUSE_MAX_TOKENS) rig.request.max_tokens = 3;
    if (expected > ES_CAUSE_MAX_CONTEXT) rig.request.max_context = 6;
    rig.shown_size = 0;
    rig_start();
    rig_step(ABC, "z");
    rig_step(ABC, "z");
    rig_ended(expected, expected <= ES_CAUSE_STOP_SEQUENCE ? 0 : 2, 2);
  }
}
END_TEST

START_TEST(R8_after_the_ending_token_none_of_the_step_is_taken) {
  rig_start();
  rig_take(EOS, "");
  unsigned char before[sizeof rig.lane];
  memcpy(before, &rig.lane, sizeof rig.lane);
  ck_assert_int_eq(rig_token(ABC, "x", false), ES_ENDED);
  ck_assert_mem_eq(&rig.lane, before, sizeof rig.lane);
  rig_boundary((es_boundary){false, 0, true, true});
  rig_ended(ES_CAUSE_EOS, 0, 1);
}
END_TEST

START_TEST(R16_an_external_cut_is_raised_to_what_was_allowed_and_lowered_to_the_text) {
  static const struct { uint64_t cut, end; } rows[] = {{0, 2}, {1, 2}, {2, 2}, {3, 3}, {4, 4}, {5, 4}, {UINT64_MAX, 4}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    rig.shown_size = 0;
    rig_start();
    rig_step(ABC, "ab");
    rig_take(ABC, "cd");
    rig_boundary((es_boundary){true, rows[i].cut, true, true});
    ck_assert_uint_eq(rig.shown_size, rows[i].end);
    rig_ended(ES_CAUSE_EXTERNAL, rows[i].end, 2);
  }
}
END_TEST

START_TEST(R16_a_natural_end_loses_only_against_a_smaller_cut) {
  rig_stop("cd");
  for (uint64_t cut = 1; cut <= 2; cut++) {
    rig.shown_size = 0;
    rig_start();
    rig_take(ABC, "abcd");
    rig_boundary((es_boundary){true, cut, true, true});
    rig_ended(cut < 2 ? ES_CAUSE_EXTERNAL : ES_CAUSE_STOP_STRING, cut, 1);
  }
}
END_TEST

START_TEST(R11_what_the_sink_takes_later_is_offered_with_the_next_text_and_after_the_end_at_once) {
  rig.request.flush.n = 3;
  rig.request.max_tokens = 3;
  rig_start();
  rig_take(ABC, "a");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert(!rig_offer(ES_ANSWER_LATER)); /* not due before step 3 */
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert(rig_offer(ES_ANSWER_LATER));
  ck_assert(!rig_offer(ES_ANSWER_OK)); /* once a step */
  rig_step(ABC, "b");
  rig_shows("ab");
  rig_take(ABC, "c");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  es_terminal terminal;
  for (int i = 0; i < 3; i++) {
    ck_assert(!es_lane_terminal(&rig.lane, &terminal));
    ck_assert(rig_offer(ES_ANSWER_LATER));
  }
  ck_assert(rig_offer(ES_ANSWER_OK));
  rig_shows("abc");
  rig_ended(ES_CAUSE_MAX_TOKENS, 3, 3);
}
END_TEST

START_TEST(R12_a_sink_that_is_gone_ends_an_open_lane_without_a_terminal) {
  es_terminal terminal;
  rig_start();
  rig_step(ABC, "ab");
  rig_take(ABC, "c");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert(rig_offer(ES_ANSWER_GONE));
  ck_assert_int_eq(rig.lane.end.cause, ES_CAUSE_DISCONNECT);
  ck_assert_uint_eq(rig.lane.end.cut, 2);
  ck_assert_uint_eq(rig.lane.limits.taken, 2);
  ck_assert(!es_lane_terminal(&rig.lane, &terminal));
  ck_assert_int_eq(rig_token(ABC, "d", false), ES_ENDED);
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_ENDED);
  ck_assert(!rig_offer(ES_ANSWER_OK));
}
END_TEST

START_TEST(R12_a_sink_that_is_gone_after_the_end_leaves_the_cause) {
  es_terminal terminal;
  rig.request.max_tokens = 1;
  rig_start();
  rig_take(ABC, "ab");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert(rig_offer(ES_ANSWER_GONE));
  ck_assert(!rig_offer(ES_ANSWER_OK));
  ck_assert_int_eq(rig.lane.end.cause, ES_CAUSE_MAX_TOKENS);
  ck_assert(!es_lane_terminal(&rig.lane, &terminal));
}
END_TEST

Suite *lane_suite(void) {
  Suite *suite = suite_create("lane");
  TCase *tests = tcase_create("lane");
  tcase_add_checked_fixture(tests, rig_begin, NULL);
  tcase_add_test(tests, R7_no_room_for_a_token_ends_before_boundary_0);
  tcase_add_test(tests, R9_a_lane_may_end_at_boundary_0);
  tcase_add_test(tests, R7_a_prompt_that_no_number_holds_is_misuse);
  tcase_add_test(tests, R9_no_token_is_taken_before_boundary_0);
  tcase_add_test(tests, R5_an_id_that_no_vocabulary_has_is_misuse_and_not_taken);
  tcase_add_test(tests, R9_the_deadline_is_boundary_d_and_the_callers_word_for_it_is_not_read);
  tcase_add_test(tests, R4_a_stop_across_tokens_is_cut_and_the_rest_of_the_token_dropped);
  tcase_add_test(tests, R4_an_included_stop_is_shown_and_nothing_is_held_for_it);
  tcase_add_test(tests, R3_the_first_completion_in_a_token_counts);
  tcase_add_test(tests, R5_a_token_end_shows_its_text_only_if_included_and_visible);
  tcase_add_test(tests, R5_an_ignored_eos_is_text_unless_it_is_a_stop_token);
  tcase_add_test(tests, R1_a_special_token_has_text_only_if_it_is_not_skipped);
  tcase_add_test(tests, R5_a_sequence_is_cut_where_its_first_token_begins);
  tcase_add_test(tests, R10_the_longer_of_string_and_sequence_holds);
  tcase_add_test(tests, R10_a_sequence_that_begins_inside_a_character_holds_the_whole_of_it);
  tcase_add_test(tests, R10_a_character_holds_more_than_the_sequence_that_begins_inside_it);
  tcase_add_test(tests, R12_an_incomplete_character_at_the_end_is_one_replacement);
  tcase_add_test(tests, R6_an_end_counts_only_after_min_tokens_and_matching_goes_on_across_it);
  tcase_add_test(tests, R6_each_kind_of_end_counts_at_the_token_after_min_tokens);
  tcase_add_test(tests, R7_of_all_ends_at_one_token_the_first_in_order_counts);
  tcase_add_test(tests, R8_after_the_ending_token_none_of_the_step_is_taken);
  tcase_add_test(tests, R16_an_external_cut_is_raised_to_what_was_allowed_and_lowered_to_the_text);
  tcase_add_test(tests, R16_a_natural_end_loses_only_against_a_smaller_cut);
  tcase_add_test(tests, R11_what_the_sink_takes_later_is_offered_with_the_next_text_and_after_the_end_at_once);
  tcase_add_test(tests, R12_a_sink_that_is_gone_ends_an_open_lane_without_a_terminal);
  tcase_add_test(tests, R12_a_sink_that_is_gone_after_the_end_leaves_the_cause);
  suite_add_tcase(suite, tests);
  suite_add_tcase(suite, lane_law_tests());
  return suite;
}
