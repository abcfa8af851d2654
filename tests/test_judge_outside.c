/* The judge of recordings that do not tell the tokens: what can be seen from outside, and nothing guessed. */
#include <check.h>
#include <string.h>

#include "judge_lane.h"

/* The lane's true result, without its tokens. */
static void seen(const char *stop_list, const char *lane) {
  given(stop_list, lane);
  due();
  c.has_steps = false;
  c.token_count = c.step_count = 0;
}

START_TEST(a_true_result_conforms_without_its_tokens) {
  seen("END", "Hi |you END");
  conforms();
  given("END", "Hi |you END");
  c.request.include_stop = true;
  due();
  c.has_steps = false;
  conforms();
}
END_TEST

START_TEST(R4_a_stop_left_at_the_end_is_a_leak) {
  seen("END", "Hi |you END");
  shown("Hi |you END");
  found(ES_KIND_LEAK, "R4", "although stops are not to be included");
  r.stop_reason_kind = ES_REASON_ABSENT;
  found(ES_KIND_LEAK, "R4", "the stop \"END\" stands in `text` at byte 7");
}
END_TEST

START_TEST(R3_a_stop_in_the_text_of_a_lane_that_went_on_is_missed) {
  seen("END", "Hi |you END");
  shown("Hi |you END more");
  ended("open", NULL, 3);
  r.terminals = 0;
  found(ES_KIND_MISSED_STOP, "R3", "and more text follows: \" more\"");
  shown("Hi |you END");
  ended("max_tokens", "length", 2);
  r.terminals = 1;
  found(ES_KIND_MISSED_STOP, "R3", "does not say that it ended the lane");
}
END_TEST

START_TEST(R6_a_stop_that_may_not_have_counted_is_no_fault) {
  seen("END", "Hi |you END");
  c.request.min_tokens = 2;
  shown("END |you ");
  r.tokens = r.token_id_count = 3;
  conforms();
}
END_TEST

START_TEST(R5_ids_tell_a_missed_token_end) {
  seen("", "a|b|c");
  c.request.stop_ids = (uint32_t[]){1};
  c.request.stop_id_count = 1;
  found(ES_KIND_MISSED_STOP, "R5", "token 2 (id 1) is a stop token, but the engine went on for 1 more token");
  c.request.min_tokens = 2;
  conforms();
}
END_TEST

START_TEST(R4_an_included_stop_must_be_there) {
  given("END", "Hi |you END");
  c.request.include_stop = true;
  due();
  c.has_steps = false;
  shown("Hi |you ");
  found(ES_KIND_WRONG_CUT, "R4", "the text does not end with it");
}
END_TEST

START_TEST(R16_an_external_end_names_its_own_reason) {
  seen("END", "Hi ");
  c.external = (es_external_end){.present = true, .after_step = 1, .cut = 3, .reason = span("stop")};
  ended("external", "stop", 1);
  r.cause.data = NULL;
  r.terminals = 1;
  r.stop_reason_kind = ES_REASON_TEXT;
  r.stop_reason = span("stop");
  shown("Hi ");
  conforms();
  r.stop_reason = span("###");
  found(ES_KIND_WRONG_STOP, "R3", "not among the request's");
}
END_TEST

START_TEST(R3_a_stop_that_is_not_of_the_request_is_a_wrong_stop) {
  seen("END", "Hi |you END");
  r.stop_reason = span("###");
  r.has_stop_index = false;
  found(ES_KIND_WRONG_STOP, "R3", "not among the request's");
  r.stop_reason_kind = ES_REASON_ID;
  r.stop_reason_ids = (uint32_t[]){7};
  r.stop_reason_count = 1;
  conforms(); /* it may be an end-of-sequence token of the engine's own */
  c.request.ignore_eos = true;
  found(ES_KIND_WRONG_STOP, "R3", "not among the request's");
  seen("END/###", "Hi |you END");
  conforms();
  r.stop_index = 1;
  found(ES_KIND_WRONG_STOP, "R3", "index and text do not belong together");
  r.stop_index = 2;
  found(ES_KIND_WRONG_STOP, "R3", "index and text do not belong together");
}
END_TEST

START_TEST(an_end_that_the_request_gives_no_ground_for_is_a_false_stop) {
  seen("", "Hi");
  ended("stop_string", "stop", 1);
  r.terminals = 1;
  found(ES_KIND_FALSE_STOP, "R3", "the request has no stop strings");
}
END_TEST

START_TEST(R7_limits_can_be_counted) {
  seen("", "a|b|c");
  c.request.max_tokens = 2;
  ended("max_tokens", "length", 3);
  r.terminals = 1;
  found(ES_KIND_NO_END, "R7", "max_tokens leaves room for 2 tokens, but 3 were taken");
  c.request.max_tokens = 4;
  found(ES_KIND_WRONG_REASON, "R7", "only 3 of max_tokens 4");
}
END_TEST

START_TEST(members_that_contradict_each_other_are_a_fault) {
  seen("END", "Hi |you END");
  r.finish_reason = span("length");
  found(ES_KIND_WRONG_REASON, "R3", "do not belong together");
  seen("END", "Hi |you END");
  r.tokens = 5;
  found(ES_KIND_WRONG_COUNT, "R8", "tokens says 5, but token_ids has 2");
  seen("END", "Hi |you END");
  shown_in_deltas("Hi |yo");
  found(ES_KIND_LOST_TAIL, "R12", "the deltas end with \"Hi yo\"");
  shown_in_deltas("Hi |you |x");
  found(ES_KIND_LEAK, "R12", "the deltas show \"x\"");
}
END_TEST

START_TEST(R12_one_terminal_and_no_more) {
  seen("END", "Hi |you END");
  r.terminals = 2;
  found(ES_KIND_AFTER_END, "R12", "2 times");
  r.terminals = 0;
  found(ES_KIND_NO_END, "R12", "no terminal was sent");
}
END_TEST

START_TEST(R11_deltas_that_are_no_UTF8_are_bad) {
  seen("", "a😊");
  r.text.data = NULL;
  shown_in_deltas("a\xF0\x9F|\x98\x8A");
  deltas[0].valid = deltas[1].valid = false;
  found(ES_KIND_BAD_UTF8, "R11", "delta 1");
}
END_TEST

START_TEST(R4_with_stops_included_a_stop_before_the_end_is_a_fault) {
  given("END", "Hi |you END");
  c.request.include_stop = true;
  due();
  c.has_steps = false;
  shown("Hi |you END and");
  ended("max_tokens", "length", 2);
  found(ES_KIND_MISSED_STOP, "R3", "the stop \"END\" stands in `text` at byte 7");
  c.request.stop_ids = (uint32_t[]){9};
  c.request.stop_id_count = 1; /* its text would join unlooked at */
  conforms();
}
END_TEST

START_TEST(R5_ids_tell_a_missed_sequence_and_the_cause_of_the_last_token) {
  static const es_sequence sequences[] = {{0, 2}, {2, 1}};
  static const uint32_t sequence_ids[] = {0, 1, 2};
  seen("", "a|b|c");
  c.request.sequences = sequences;
  c.request.sequence_ids = sequence_ids;
  c.request.sequence_count = 1;
  found(ES_KIND_MISSED_STOP, "R5", "token 2 (id 1) is the last of a stop sequence");
  c.request.min_tokens = 2;
  c.request.sequence_count = 2;
  ended("max_tokens", "length", 3);
  r.terminals = 1;
  found(ES_KIND_WRONG_REASON, "R5", "the last token (id 2) is a stop token, but the result gives the cause");
  ended("stop_token", "stop", 2);
  c.request.min_tokens = 0;
  c.request.sequences = sequences + 1;
  c.request.sequence_count = 1;
  found(ES_KIND_FALSE_STOP, "R5", "the last token (id 1) is none that the request ends a lane with");
}
END_TEST

START_TEST(R7_an_open_lane_has_room_left) {
  seen("", "a|b|c");
  c.request.max_context = 6;
  c.request.prompt_tokens = 3;
  found(ES_KIND_NO_END, "R7", "max_context leaves room for 3 tokens, but 3 were taken and the lane is said to be open");
  r.cause.data = NULL;
  found(ES_KIND_NO_END, "R7", "max_context leaves room");
  c.request.prompt_tokens = 2;
  conforms();
}
END_TEST

START_TEST(R6_a_stop_within_min_tokens_is_a_false_stop) {
  seen("END", "Hi |you END");
  c.request.min_tokens = 2;
  found(ES_KIND_FALSE_STOP, "R6", "after 2 tokens, but min_tokens is 2");
}
END_TEST

START_TEST(R15_the_terminal_sums_up_what_was_sent) {
  seen("END", "Hi |you END");
  r.terminal_crc32c ^= 1;
  ck_assert_uint_eq(es_judge_case(judge, &c, &r)->count, 1);
  r.has_deltas = false;
  ck_assert_uint_eq(es_judge_case(judge, &c, &r)->count, 1);
  r.text.data = NULL;
  ck_assert_uint_eq(es_judge_case(judge, &c, &r)->count, 0);
}
END_TEST

START_TEST(R12_where_the_client_may_be_gone_no_terminal_is_due) {
  seen("END", "Hi |you END");
  c.sink = (es_sink_answer[]){ES_SINK_GONE};
  c.sink_count = 1;
  r.terminals = 0;
  conforms();
  c.sink_count = 0;
  ended("disconnect", "abort", 2);
  conforms();
  r.cause.data = NULL;
  found(ES_KIND_NO_END, "R12", "no terminal was sent");
  r.has_finish_reason = false;
  conforms();
}
END_TEST

void add_judge_outside(Suite *suite) {
  TCase *tests = tcase_create("without steps");
  tcase_add_checked_fixture(tests, begin_judge, end_judge);
  tcase_add_test(tests, a_true_result_conforms_without_its_tokens);
  tcase_add_test(tests, R4_a_stop_left_at_the_end_is_a_leak);
  tcase_add_test(tests, R3_a_stop_in_the_text_of_a_lane_that_went_on_is_missed);
  tcase_add_test(tests, R6_a_stop_that_may_not_have_counted_is_no_fault);
  tcase_add_test(tests, R5_ids_tell_a_missed_token_end);
  tcase_add_test(tests, R4_an_included_stop_must_be_there);
  tcase_add_test(tests, R16_an_external_end_names_its_own_reason);
  tcase_add_test(tests, R3_a_stop_that_is_not_of_the_request_is_a_wrong_stop);
  tcase_add_test(tests, an_end_that_the_request_gives_no_ground_for_is_a_false_stop);
  tcase_add_test(tests, R7_limits_can_be_counted);
  tcase_add_test(tests, members_that_contradict_each_other_are_a_fault);
  tcase_add_test(tests, R12_one_terminal_and_no_more);
  tcase_add_test(tests, R11_deltas_that_are_no_UTF8_are_bad);
  tcase_add_test(tests, R4_with_stops_included_a_stop_before_the_end_is_a_fault);
  tcase_add_test(tests, R5_ids_tell_a_missed_sequence_and_the_cause_of_the_last_token);
  tcase_add_test(tests, R7_an_open_lane_has_room_left);
  tcase_add_test(tests, R6_a_stop_within_min_tokens_is_a_false_stop);
  tcase_add_test(tests, R15_the_terminal_sums_up_what_was_sent);
  tcase_add_test(tests, R12_where_the_client_may_be_gone_no_terminal_is_due);
  suite_add_tcase(suite, tests);
}
