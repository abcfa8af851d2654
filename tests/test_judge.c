/* The judge: one planted fault, one finding of the right kind; and no finding where nothing is wrong. */
#include <check.h>
#include <string.h>

#include "judge_lane.h"

Suite *judge_suite(void);

START_TEST(what_the_reference_gives_conforms) {
  given("END/<-end->", "Hi |you<-,en|x| E|ND and");
  due();
  conforms();
  r.has_deltas = false;
  conforms();
  r.text.data = NULL;
  r.cause.data = NULL;
  conforms();
}
END_TEST

START_TEST(R11_deltas_may_be_regrouped_if_no_byte_is_early_or_late) {
  given("END", "ab|cd|E|x END");
  due();
  shown("ab|cd|Ex "); /* fewer than steps: not matched to them */
  conforms();
  shown("a|b|c|d|Ex ");
  r.has_delta_steps = true;
  r.delta_steps = delta_steps;
  memcpy(delta_steps, (uint64_t[]){1, 1, 2, 2, 4}, 5 * sizeof *delta_steps);
  conforms();
  delta_steps[2] = 3;
  delta_steps[3] = 3;
  found(ES_KIND_LATE, "R10", "\"cd\" was due with step 2");
}
END_TEST

START_TEST(R11_sooner_than_the_flush_policy_is_no_fault_while_R10_allows_it) {
  given("END", "ab|cd|E|x END");
  c.request.flush = (es_flush){ES_FLUSH_STEPS, 3};
  due();
  conforms();
  shown("ab|cd||Ex ");
  conforms();
  shown("ab|cd|E|x ");
  found(ES_KIND_LEAK, "R10", "could still become the stop \"END\"");
}
END_TEST

START_TEST(R4_a_stop_left_in_the_text_is_a_leak) {
  given("END", "Hi |END. More");
  due();
  shown("Hi |END");
  found(ES_KIND_LEAK, "R4", "the stop \"END\" was complete after token 2 (bytes 3–5)");
  shown("Hi |EN");
  found(ES_KIND_LEAK, "R4", "\"EN\" was shown after it");
  shown("Hi |END. More");
  found(ES_KIND_LEAK, "R4", "\"END. More\" was shown after it");
}
END_TEST

START_TEST(R4_bytes_after_an_included_stop_are_a_leak) {
  given("END", "Hi |END. More");
  c.request.include_stop = true;
  due();
  shown("Hi |END. More");
  found(ES_KIND_LEAK, "R4", "\". More\" was shown after it");
}
END_TEST

START_TEST(R10_text_that_may_still_be_cut_is_a_leak) {
  given("<-end->", "Hi|<-,en|d of it");
  due();
  shown("Hi|<-en|d of it");
  found(ES_KIND_LEAK, "R10", "\"<-en\" was shown at step 2 while it could still become the stop \"<-end->\"");
  shown("Hi|<-|end of it");
  found(ES_KIND_LEAK, "R10", "\"<-\" was shown at step 2");
  given("<-end->", "Hi|<-,en");
  due();
  shown("Hi|<-en");
  found(ES_KIND_LEAK, "R10", "though the lane is open");
}
END_TEST

START_TEST(R1_the_text_of_a_special_token_is_a_leak) {
  given("", "ok|!</s>");
  c.request.eos_ids = (uint32_t[]){1};
  c.request.eos_id_count = 1;
  due();
  shown("ok|</s>");
  found(ES_KIND_LEAK, "R1", "the special token 1 has no visible bytes");
}
END_TEST

START_TEST(R10_text_that_nothing_could_change_is_late) {
  given("END", "ab|cd|e");
  due();
  shown("ab||cde");
  found(ES_KIND_LATE, "R10",
        "\"cd\" was due with step 2 (no continuation could cut or change it), but came with step 3");
  shown("|abcd|e");
  found(ES_KIND_LATE, "R10", "\"ab\" was due with step 1");
}
END_TEST

START_TEST(R12_the_last_text_may_not_come_after_the_last_step) {
  given("", "ab|cd");
  c.request.max_tokens = 2;
  due();
  r.has_delta_steps = true;
  r.delta_steps = delta_steps;
  memcpy(delta_steps, (uint64_t[]){1, 2}, 2 * sizeof *delta_steps);
  conforms();
  delta_steps[1] = 3;
  found(ES_KIND_LATE, "R10", "but came after the last step");
}
END_TEST

START_TEST(R11_text_kept_past_the_flush_policy_is_late) {
  given("", "a|b|c|d|e");
  c.request.flush = (es_flush){ES_FLUSH_TOKENS, 2};
  due();
  shown("|||abcd|");
  r.text = span("abcd");
  found(ES_KIND_LATE, "R11", "\"ab\" was due with step 2 (the flush policy");
}
END_TEST

START_TEST(R11_an_open_lane_may_show_what_R10_allows_and_owes_what_was_due) {
  given("END", "a|b|c|dE");
  c.request.flush = (es_flush){ES_FLUSH_STEPS, 3};
  due();
  shown("a|b|c|d");
  conforms();
  shown("a|b|c|dE");
  found(ES_KIND_LEAK, "R10", "\"dE\" was shown at the end of the text though the lane is open");
  shown("a|b||");
  found(ES_KIND_LATE, "R11", "\"c\" was due, but has not come by the last step");
}
END_TEST

START_TEST(R3_an_engine_that_goes_on_after_a_stop_has_missed_it) {
  given("END", "a|b END|c|d");
  due();
  shown("a|b END|c|d");
  ended("open", NULL, 4);
  found(ES_KIND_MISSED_STOP, "R3", "was complete after token 2 (bytes 3–5), but the engine went on for 2 more tokens");
  ended("max_tokens", "length", 4);
  found(ES_KIND_MISSED_STOP, "R3", "went on for 2 more tokens");
  r.has_tokens = r.has_token_ids = false;
  found(ES_KIND_MISSED_STOP, "R3", "the text goes on with \"ENDcd\"");
  r.cause.data = NULL;
  r.has_finish_reason = false;
  found(ES_KIND_MISSED_STOP, "R3", "the text goes on with \"ENDcd\"");
}
END_TEST

START_TEST(R3_the_first_completion_counts_not_the_first_of_the_list) {
  given("two/one", "a one b two c");
  due();
  shown("a one b ");
  ended("stop_string", "stop", 1);
  r.stop_reason_kind = ES_REASON_TEXT;
  r.stop_reason = span("two");
  found(ES_KIND_MISSED_STOP, "R3", "the stop \"one\" was complete after token 1 (bytes 2–4), but the text goes on");
}
END_TEST

START_TEST(R3_another_stop_at_the_same_place_is_a_wrong_stop) {
  given("ND/END", "a END");
  due();
  r.stop_reason = span("ND");
  found(ES_KIND_WRONG_STOP, "R3", "stop_reason is \"ND\"");
  shown("a E");
  found(ES_KIND_WRONG_STOP, "R3", "stop_reason is \"ND\"");
  due();
  r.stop_index = 0;
  found(ES_KIND_WRONG_STOP, "R3", "another place of the request's list");
  due();
  r.stop_reason_kind = ES_REASON_NULL;
  found(ES_KIND_WRONG_STOP, "R3", "stop_reason is null");
}
END_TEST

START_TEST(R3_a_later_stop_of_the_same_token_is_a_wrong_stop) {
  given("sO/yesOb", "a |yesObs");
  due();
  ended("stop_string", "stop", 2);
  shown("a |");
  r.stop_reason_kind = ES_REASON_TEXT;
  r.stop_reason = span("yesOb");
  found(ES_KIND_WRONG_STOP, "R3",
        "the stop \"sO\" was complete after token 2 (bytes 4–5), but stop_reason is \"yesOb\"");
}
END_TEST

START_TEST(R12_a_character_lost_at_the_end_is_a_lost_tail_where_the_text_came_late) {
  given("", "x|y|z");
  c.tokens = (es_token[]){{0, false, span("\xe8\xaa")}, {1, false, span("\x9e")}, {2, false, span("\xe4\xb8")}};
  c.token_count = c.step_count = 3;
  c.request.max_tokens = 3;
  due();
  shown_in_deltas("||\xe8\xaa\x9e");
  r.text = span("\xe8\xaa\x9e");
  const es_verdict *v = verdict();
  ck_assert_uint_eq(v->count, 2);
  ck_assert_int_eq(v->findings[0].kind, ES_KIND_LOST_TAIL);
  ck_assert_uint_eq(v->findings[0].step, 3);
  ck_assert_int_eq(v->findings[1].kind, ES_KIND_LATE);
  ck_assert_uint_eq(v->findings[1].step, 2);
}
END_TEST

START_TEST(deltas_that_show_later_tokens_are_not_timed) {
  given("", "x|y");
  c.tokens = (es_token[]){{1, false, span("\x98\x8a")}, {6, false, span("\x98\x8b")}};
  due();
  shown_in_deltas("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd");
  r.text.data = NULL;
  conforms();
}
END_TEST

START_TEST(text_that_the_named_stop_does_not_cut_is_no_part_of_the_wrong_stop) {
  given("abc/bc", "xxabc");
  due();
  shown("ZZZ");
  r.stop_reason = span("bc");
  const es_verdict *v = verdict();
  ck_assert_uint_eq(v->count, 2);
  ck_assert_int_eq(v->findings[0].kind, ES_KIND_LOST_TEXT);
  ck_assert_int_eq(v->findings[1].kind, ES_KIND_WRONG_STOP);
}
END_TEST

START_TEST(R5_an_engine_that_goes_on_after_a_token_end_has_missed_it) {
  given("", "ok|!</s>|!<pad>|!<pad>");
  c.request.eos_ids = (uint32_t[]){1};
  c.request.eos_id_count = 1;
  due();
  ended("open", NULL, 4);
  shown("ok|||");
  found(ES_KIND_MISSED_STOP, "R5",
        "token 2 (id 1) is an end-of-sequence token, but the engine went on for 2 more tokens");
}
END_TEST

START_TEST(R6_a_stop_that_does_not_count_yet_is_a_false_stop) {
  given("END", "a|END|b|c");
  c.request.min_tokens = 3;
  due();
  shown("a|");
  ended("stop_string", "stop", 2);
  r.stop_reason_kind = ES_REASON_TEXT;
  r.stop_reason = span("END");
  r.terminals = 1;
  found(ES_KIND_FALSE_STOP, "R6", "which does not count before more than 3 tokens were taken");
}
END_TEST

START_TEST(R3_an_end_where_nothing_ends_the_lane_is_a_false_stop) {
  given("END", "a|EN|c|END");
  due();
  shown("a|");
  ended("stop_string", "stop", 2);
  r.stop_reason_kind = ES_REASON_TEXT;
  r.stop_reason = span("END");
  found(ES_KIND_FALSE_STOP, "R3", "by the stop \"END\", which is not complete there; by the rules it ends only where");
  ended("max_tokens", "length", 2);
  found(ES_KIND_FALSE_STOP, "R7", "the engine ended the lane after token 2 with cause \"max_tokens\"");
  given("END", "a|EN");
  due();
  shown("a|EN");
  ended("eos", "stop", 2);
  r.terminals = 1;
  found(ES_KIND_FALSE_STOP, "R5", "it is still open after token 2");
}
END_TEST

START_TEST(R7_a_limit_that_is_passed_is_no_end) {
  given("", "a|b|c|d");
  c.request.max_tokens = 2;
  due();
  shown("a|b|c");
  ended("max_tokens", "length", 3);
  found(ES_KIND_NO_END, "R7", "max_tokens 2 was reached, but the engine went on for 1 more token");
}
END_TEST

START_TEST(R9_a_stop_flag_that_is_not_heeded_is_no_end) {
  given("", "par|tial| never");
  c.has_abort = true;
  c.abort_after_step = 2;
  due();
  shown("par|tial| never");
  ended("open", NULL, 3);
  r.terminals = 0;
  found(ES_KIND_NO_END, "R9", "the stop flag was seen at boundary 2, but the engine went on for 1 more token");
}
END_TEST

START_TEST(R12_a_lane_that_ended_and_is_said_to_be_open_is_no_end) {
  given("END", "a END");
  due();
  ended("open", NULL, 1);
  r.terminals = 0;
  found(ES_KIND_NO_END, "R3", "but the result says that the lane is still open");
  due();
  r.terminals = 0;
  found(ES_KIND_NO_END, "R12", "no terminal was sent");
}
END_TEST

START_TEST(R12_more_after_the_terminal_is_after_end) {
  given("END", "a END");
  due();
  r.terminals = 2;
  found(ES_KIND_AFTER_END, "R12", "the end was told 2 times");
  shown("a |END");
  found(ES_KIND_AFTER_END, "R12", "\"END\" was sent although the lane was over");
  r.text = span("a EN");
  found(ES_KIND_AFTER_END, "R12", "\"END\" was sent although the lane was over");
  due();
  c.sink = (es_sink_answer[]){ES_SINK_GONE};
  c.sink_count = 1;
  due();
  r.terminals = 1;
  found(ES_KIND_AFTER_END, "R12", "the client is gone");
}
END_TEST

START_TEST(R4_a_cut_elsewhere_is_a_wrong_cut) {
  given("END", "Hi |you END. More");
  due();
  shown("Hi |");
  found(ES_KIND_WRONG_CUT, "R4", "the text ends at byte 3: \"you \" was cut away as well");
  shown("Hi |you");
  found(ES_KIND_WRONG_CUT, "R4", "\" \" was cut away as well");
  c.request.include_stop = true;
  due();
  shown("Hi |you ");
  found(ES_KIND_WRONG_CUT, "R4", "\"END\" was cut away as well");
}
END_TEST

START_TEST(R12_held_text_that_never_comes_is_a_lost_tail) {
  given("<-end->", "Hi |<-en");
  c.request.max_tokens = 2;
  due();
  shown("Hi |");
  found(ES_KIND_LOST_TAIL, "R12", "\"<-en\" was never sent");
  given("END/abX", "Hi ab|c END");
  due();
  shown("Hi |");
  found(ES_KIND_LOST_TAIL, "R12", "\"abc \" was never sent");
  given("", "Hi \xF0\x9F");
  c.request.max_tokens = 1;
  due();
  shown("Hi ");
  found(ES_KIND_LOST_TAIL, "R12", "must come out as one U+FFFD");
}
END_TEST

START_TEST(R12_text_missing_in_the_middle_is_lost_text) {
  given("", "one |two |three");
  due();
  shown("one ||three");
  found(ES_KIND_LOST_TEXT, "R12", "\"two \" is missing at byte 4 of the text");
  given("", "a|a|a|b");
  due();
  shown("a||a|b");
  found(ES_KIND_LOST_TEXT, "R12", "\"a\" is missing");
  given("", "a|a|a");
  due();
  shown("a||a");
  found(ES_KIND_LOST_TEXT, "R12", "\"a\" is missing");
}
END_TEST

START_TEST(R11_text_shown_twice_is_duplicate_text) {
  given("", "one |two |three");
  due();
  shown("one |two two |three");
  found(ES_KIND_DUPLICATE_TEXT, "R11", "\"two \" was shown twice");
  shown("one |two |threethree");
  found(ES_KIND_DUPLICATE_TEXT, "R11", "\"three\" was shown twice");
  shown("one |two |one three");
  found(ES_KIND_DUPLICATE_TEXT, "R11", "\"one \" was shown twice");
}
END_TEST

START_TEST(R11_a_delta_that_is_no_UTF8_is_bad) {
  given("", "a|\xF0\x9F|\x98\x8A");
  due();
  shown("a|\xF0\x9F|\x98\x8A");
  deltas[1].valid = deltas[2].valid = false;
  found(ES_KIND_BAD_UTF8, "R11", "delta 2, \"\\xf0\\x9f\", is no UTF-8 by itself");
}
END_TEST

START_TEST(R11_one_replacement_for_each_ill_formed_subpart) {
  given("", "a|\xF0\x9F|\x98\x8A|b\xE2\x82|c");
  due();
  conforms();
  shown("a|\uFFFD|\uFFFD|b|\uFFFDc");
  found(ES_KIND_BAD_UTF8, "R11", "\"😊\" is due, but \"\\ufffd\\ufffd\" was shown");
  shown("a||😊|b|\uFFFD\uFFFDc");
  found(ES_KIND_BAD_UTF8, "R11", "1 U+FFFD too many");
  shown("a||😊|b|c");
  found(ES_KIND_BAD_UTF8, "R11", "\"\\ufffd\" is due");
}
END_TEST

START_TEST(R7_another_reason_at_the_right_place_is_a_wrong_reason) {
  given("END", "a END");
  c.request.max_tokens = 1;
  due();
  r.cause = span("max_tokens");
  r.finish_reason = span("length");
  found(ES_KIND_WRONG_REASON, "R3", "but the result gives cause \"max_tokens\"");
  due();
  r.finish_reason = span("length");
  found(ES_KIND_WRONG_REASON, "R3", "finish_reason does not go with that: \"length\"");
  r.cause.data = NULL;
  found(ES_KIND_WRONG_REASON, "R3", "but the result gives finish_reason \"length\"");
}
END_TEST

START_TEST(R8_a_miscount_is_a_wrong_count) {
  given("END", "a|END,b|c");
  due();
  r.tokens = 3;
  found(ES_KIND_WRONG_COUNT, "R8", "2 tokens were taken, the ending one included, but the result counts 3");
  due();
  ids[r.token_id_count++] = 2;
  found(ES_KIND_WRONG_COUNT, "R8", "the first difference is at token 3");
}
END_TEST

START_TEST(R15_a_terminal_that_sums_up_other_text_is_a_wrong_count) {
  given("END", "a|END,b|c");
  due();
  r.terminal_bytes++;
  const es_verdict *v = es_judge_case(judge, &c, &r);
  ck_assert_uint_eq(v->count, 1);
  ck_assert_int_eq(v->findings[0].kind, ES_KIND_WRONG_COUNT);
  ck_assert_str_eq(v->findings[0].rule, "R15");
  r.terminal_bytes--;
  ck_assert_int_eq(es_judge_case(judge, &c, &r)->kind, ES_CONFORMS);
  r.terminal_crc32c ^= 1;
  ck_assert_int_eq(es_judge_case(judge, &c, &r)->kind, ES_VIOLATES);
}
END_TEST

START_TEST(R13_requests_are_refused_or_taken_as_they_must) {
  given("", "a");
  due();
  c.refused = true;
  strcpy(c.refusal_param, "stop[1]");
  strcpy(c.refusal_message, "stop[1]: an empty stop");
  found(ES_KIND_ACCEPTED_BAD_REQUEST, "R13", "stop[1]: an empty stop");
  due();
  conforms();
  r.param = span("stop[0]");
  found(ES_KIND_WRONG_REASON, "R13", "the refusal names \"stop[0]\"");
  r.param.data = NULL;
  r.tokens = 1;
  found(ES_KIND_WRONG_COUNT, "R13", "a refused request has no lane");
  r.cause = span("eos");
  r.tokens = 0;
  r.param = span("stop[1]");
  found(ES_KIND_WRONG_REASON, "R13", "another reason");
  r.cause.data = r.param.data = NULL;
  conforms();
  r.has_finish_reason = false;
  conforms();
  r.text = span("a");
  found(ES_KIND_ACCEPTED_BAD_REQUEST, "R13", "stop[1]: an empty stop");
  due();
  r.has_terminals = true;
  r.terminals = 0;
  conforms();
  r.terminals = 1;
  found(ES_KIND_AFTER_END, "R13", "nothing that a terminal could end");
  due();
  c.refused = false;
  found(ES_KIND_REJECTED_GOOD_REQUEST, "R13", "nothing in the request is at fault");
  r.cause.data = NULL;
  found(ES_KIND_REJECTED_GOOD_REQUEST, "R13", "nothing in the request is at fault");
  due();
  r.has_tokens = r.has_token_ids = r.has_deltas = false;
  r.text.data = r.cause.data = NULL;
  r.finish_reason = span("error"); /* an engine that broke down, perhaps */
  found(ES_KIND_FALSE_STOP, "R3", "it is still open after token 1");
}
END_TEST

START_TEST(the_text_alone_may_be_wrong_and_so_may_the_deltas) {
  given("END", "Hi |END. More");
  due();
  r.text = span("Hi END");
  found(ES_KIND_LEAK, "R4", "so `text` must end at byte 3");
  due();
  shown_in_deltas("Hi |END");
  found(ES_KIND_LEAK, "R4", "so the deltas must end at byte 3");
}
END_TEST

START_TEST(R3_without_a_count_text_of_the_ending_token_is_a_leak_and_text_of_later_ones_a_missed_stop) {
  given("END", "Hi |END. More| and more");
  due();
  r.has_tokens = r.has_token_ids = r.has_deltas = false;
  r.text = span("Hi END. More");
  found(ES_KIND_LEAK, "R4", "\"END. More\" was shown after it");
  r.text = span("Hi END. More ");
  found(ES_KIND_MISSED_STOP, "R3", "the text goes on with \"END. More \"");
}
END_TEST

START_TEST(R3_the_first_completion_counts_with_stops_included_too) {
  given("two/one", "a one b two c");
  c.request.include_stop = true;
  due();
  shown("a one b two");
  r.stop_reason = span("two");
  r.stop_index = 0;
  found(ES_KIND_MISSED_STOP, "R3",
        "the text goes on with \" b two\"; it gives cause \"stop_string\", stop_reason \"two\"");
}
END_TEST

START_TEST(R5_text_of_an_included_token_end_is_cut_away) {
  given("", "a|b|</s>");
  c.request.stop_ids = (uint32_t[]){2};
  c.request.stop_id_count = 1;
  due();
  shown("a|b|</s>");
  found(ES_KIND_LEAK, "R5", "token 3 (id 2) is a stop token, so the text must end at byte 2, but \"</s>\" was shown");
  shown("a||");
  found(ES_KIND_LOST_TAIL, "R12", "\"b\" was never sent");
  c.request.include_stop = true;
  due();
  shown("a|b|");
  found(ES_KIND_WRONG_CUT, "R5", "\"</s>\" was cut away as well");
}
END_TEST

START_TEST(R5_a_stop_sequence_is_held_and_cut) {
  static const es_sequence sequence = {0, 2};
  given("", "a|b|c|d|e");
  c.request.sequence_ids = (uint32_t[]){2, 3};
  c.request.sequences = &sequence;
  c.request.sequence_count = 1;
  due();
  shown("a|b|c|");
  r.text = span("ab");
  found(ES_KIND_LEAK, "R5", "the stop sequence [2, 3] was complete after token 4, so the deltas must end at byte 2");
  due();
  shown("a||||");
  found(ES_KIND_WRONG_CUT, "R5", "\"b\" was cut away as well");
  due();
  r.stop_reason_kind = ES_REASON_ID;
  r.stop_reason_count = 1;
  found(ES_KIND_WRONG_STOP, "R5", "but stop_reason is 2");
  given("", "a|b|c|d|e");
  due();
  c.request.sequence_ids = (uint32_t[]){2, 9};
  c.request.sequences = &sequence;
  c.request.sequence_count = 1;
  found(ES_KIND_LEAK, "R10", "\"c\" was shown at step 3 while its tokens could still become the stop sequence [2, 9]");
}
END_TEST

START_TEST(R16_an_external_end_cuts_the_text) {
  given("", "a|bcd{|x");
  c.external = (es_external_end){true, 2, 4, span("tool_calls")};
  due();
  shown("a|bcd{");
  found(ES_KIND_LEAK, "R16", "the external end \"tool_calls\" came at boundary 2");
  shown("a|bc");
  found(ES_KIND_WRONG_CUT, "R16", "\"d\" was cut away as well");
  shown("a|bcd{|x");
  ended("open", NULL, 3);
  r.terminals = 0;
  found(ES_KIND_NO_END, "R16", "the engine went on for 1 more token");
}
END_TEST

START_TEST(a_finding_says_where) {
  given("END", "ab|c\xC3|\xA9"
               "d|END");
  due();
  shown("ab|c\xC3|\xA9"
        "d|");
  deltas[1].valid = deltas[2].valid = false;
  const es_verdict *v = verdict();
  ck_assert_uint_eq(v->count, 1);
  ck_assert(v->findings[0].has_step && v->findings[0].has_byte);
  ck_assert_uint_eq(v->findings[0].step, 2);
  ck_assert_uint_eq(v->findings[0].byte, 2);
  shown("ab|céd||");
  conforms(); /* as many deltas as steps, but not one a step: é is not there before step 3 */
  r.has_delta_steps = true;
  r.delta_steps = (uint64_t[]){1, 2, 3, 4};
  v = verdict();
  ck_assert_uint_eq(v->count, 1);
  ck_assert_uint_eq(v->findings[0].step, 2);
  ck_assert_uint_eq(v->findings[0].byte, 3);
  r.has_delta_steps = false;
  shown("ab||cd|");
  r.text = span("abcéd");
  v = verdict();
  ck_assert_int_eq(v->findings[0].kind, ES_KIND_LOST_TEXT);
  ck_assert_uint_eq(v->findings[0].step, 3);
  ck_assert_uint_eq(v->findings[0].byte, 3);
}
END_TEST

START_TEST(faults_that_do_not_follow_from_each_other_are_all_found) {
  given("END", "a|\xC3|\xA9|END");
  due();
  shown("a|\xC3|\xA9|");
  deltas[1].valid = deltas[2].valid = false;
  r.tokens = 9;
  r.terminals = 2;
  const es_verdict *v = verdict();
  ck_assert_uint_eq(v->count, 3);
  ck_assert_int_eq(v->findings[0].kind, ES_KIND_AFTER_END);
  ck_assert_int_eq(v->findings[1].kind, ES_KIND_BAD_UTF8);
  ck_assert_int_eq(v->findings[2].kind, ES_KIND_WRONG_COUNT);
  ck_assert_mem_eq(v->findings[0].expected.data, "one terminal", v->findings[0].expected.length);
  ck_assert_mem_eq(v->findings[1].why.data, "delta 2, ", 9);
  ck_assert_mem_eq(v->findings[2].expected.data, "4 tokens", v->findings[2].expected.length);
  ck_assert_mem_eq(v->findings[2].actual.data, "9 tokens", v->findings[2].actual.length);
}
END_TEST

START_TEST(what_an_engine_does_not_support_is_not_judged) {
  given("END", "a END");
  due();
  r.unsupported = span("no stop strings");
  ck_assert_int_eq(verdict()->kind, ES_UNSUPPORTED);
  due();
  c.request.flush.kind = ES_FLUSH_MS;
  ck_assert_int_eq(verdict()->kind, ES_UNSUPPORTED);
}
END_TEST

Suite *judge_suite(void) {
  Suite *suite = suite_create("judge");
  TCase *tests = tcase_create("with steps");
  tcase_add_checked_fixture(tests, begin_judge, end_judge);
  tcase_add_test(tests, what_the_reference_gives_conforms);
  tcase_add_test(tests, R11_deltas_may_be_regrouped_if_no_byte_is_early_or_late);
  tcase_add_test(tests, R11_sooner_than_the_flush_policy_is_no_fault_while_R10_allows_it);
  tcase_add_test(tests, R4_a_stop_left_in_the_text_is_a_leak);
  tcase_add_test(tests, R4_bytes_after_an_included_stop_are_a_leak);
  tcase_add_test(tests, R10_text_that_may_still_be_cut_is_a_leak);
  tcase_add_test(tests, R1_the_text_of_a_special_token_is_a_leak);
  tcase_add_test(tests, R10_text_that_nothing_could_change_is_late);
  tcase_add_test(tests, R12_the_last_text_may_not_come_after_the_last_step);
  tcase_add_test(tests, R11_text_kept_past_the_flush_policy_is_late);
  tcase_add_test(tests, R11_an_open_lane_may_show_what_R10_allows_and_owes_what_was_due);
  tcase_add_test(tests, R3_an_engine_that_goes_on_after_a_stop_has_missed_it);
  tcase_add_test(tests, R3_the_first_completion_counts_not_the_first_of_the_list);
  tcase_add_test(tests, R3_another_stop_at_the_same_place_is_a_wrong_stop);
  tcase_add_test(tests, R3_a_later_stop_of_the_same_token_is_a_wrong_stop);
  tcase_add_test(tests, deltas_that_show_later_tokens_are_not_timed);
  tcase_add_test(tests, text_that_the_named_stop_does_not_cut_is_no_part_of_the_wrong_stop);
  tcase_add_test(tests, R12_a_character_lost_at_the_end_is_a_lost_tail_where_the_text_came_late);
  tcase_add_test(tests, R5_an_engine_that_goes_on_after_a_token_end_has_missed_it);
  tcase_add_test(tests, R6_a_stop_that_does_not_count_yet_is_a_false_stop);
  tcase_add_test(tests, R3_an_end_where_nothing_ends_the_lane_is_a_false_stop);
  tcase_add_test(tests, R7_a_limit_that_is_passed_is_no_end);
  tcase_add_test(tests, R9_a_stop_flag_that_is_not_heeded_is_no_end);
  tcase_add_test(tests, R12_a_lane_that_ended_and_is_said_to_be_open_is_no_end);
  tcase_add_test(tests, R12_more_after_the_terminal_is_after_end);
  tcase_add_test(tests, R4_a_cut_elsewhere_is_a_wrong_cut);
  tcase_add_test(tests, R12_held_text_that_never_comes_is_a_lost_tail);
  tcase_add_test(tests, R12_text_missing_in_the_middle_is_lost_text);
  tcase_add_test(tests, R11_text_shown_twice_is_duplicate_text);
  tcase_add_test(tests, R11_a_delta_that_is_no_UTF8_is_bad);
  tcase_add_test(tests, R11_one_replacement_for_each_ill_formed_subpart);
  tcase_add_test(tests, R7_another_reason_at_the_right_place_is_a_wrong_reason);
  tcase_add_test(tests, R8_a_miscount_is_a_wrong_count);
  tcase_add_test(tests, R15_a_terminal_that_sums_up_other_text_is_a_wrong_count);
  tcase_add_test(tests, R13_requests_are_refused_or_taken_as_they_must);
  tcase_add_test(tests, the_text_alone_may_be_wrong_and_so_may_the_deltas);
  tcase_add_test(tests, R3_without_a_count_text_of_the_ending_token_is_a_leak_and_text_of_later_ones_a_missed_stop);
  tcase_add_test(tests, R3_the_first_completion_counts_with_stops_included_too);
  tcase_add_test(tests, R5_text_of_an_included_token_end_is_cut_away);
  tcase_add_test(tests, R5_a_stop_sequence_is_held_and_cut);
  tcase_add_test(tests, R16_an_external_end_cuts_the_text);
  tcase_add_test(tests, a_finding_says_where);
  tcase_add_test(tests, faults_that_do_not_follow_from_each_other_are_all_found);
  tcase_add_test(tests, what_an_engine_does_not_support_is_not_judged);
  suite_add_tcase(suite, tests);
  add_judge_outside(suite);
  return suite;
}
