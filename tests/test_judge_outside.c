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

START_TEST(R3_a_stop_that_is_not_of_the_request_is_a_wrong_stop) {
  seen("END", "Hi |you END");
  r.stop_reason = span("###");
  r.has_stop_index = false;
  found(ES_KIND_WRONG_STOP, "R3", "not among the request's");
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

void add_judge_outside(Suite *suite) {
  TCase *tests = tcase_create("without steps");
  tcase_add_checked_fixture(tests, begin_judge, end_judge);
  tcase_add_test(tests, a_true_result_conforms_without_its_tokens);
  tcase_add_test(tests, R4_a_stop_left_at_the_end_is_a_leak);
  tcase_add_test(tests, R3_a_stop_in_the_text_of_a_lane_that_went_on_is_missed);
  tcase_add_test(tests, R6_a_stop_that_may_not_have_counted_is_no_fault);
  tcase_add_test(tests, R5_ids_tell_a_missed_token_end);
  tcase_add_test(tests, R4_an_included_stop_must_be_there);
  tcase_add_test(tests, R3_a_stop_that_is_not_of_the_request_is_a_wrong_stop);
  tcase_add_test(tests, an_end_that_the_request_gives_no_ground_for_is_a_false_stop);
  tcase_add_test(tests, R7_limits_can_be_counted);
  tcase_add_test(tests, members_that_contradict_each_other_are_a_fault);
  tcase_add_test(tests, R12_one_terminal_and_no_more);
  tcase_add_test(tests, R11_deltas_that_are_no_UTF8_are_bad);
  suite_add_tcase(suite, tests);
}
