/* Race orders: what a right engine ends with, how an order is read, and how an answer is judged. */
#include <stdlib.h>

#include "race_run.h"
#include "reading.h"
#include "writer.h"

Suite *race_suite(void);

static es_race_run *run;
static char line[4096];

/* An order from words parted by blanks: op, `:` and its token or reason, `@` and its request. `after` closes the line. */
static const char *order(const char *words, const char *after) {
  size_t length = (size_t)snprintf(line, sizeof line, "{\"case\":\"x\",\"events\":[");
  const char *comma = "";
  for (const char *end; *words; words = end + strspn(end, " "), comma = ",") {
    end = words + strcspn(words, " ");
    int op = (int)strcspn(words, " :@"), text = words[op] == ':' ? (int)strcspn(words + op + 1, " @") : -1;
    const char *req = words + op + 1 + text;
    const char *thread = strncmp(words, "set_stop", 8) == 0      ? "control"
                         : strncmp(words, "disconnect", 10) == 0 ? "client"
                                                                 : "engine";
    length += (size_t)snprintf(line + length, sizeof line - length, "%s{\"thread\":\"%s\",\"op\":\"%.*s\"", comma,
                               thread, op, words);
    bool token = strncmp(words, "token", 5) == 0 || strncmp(words, "sample", 6) == 0;
    if (text >= 0)
      length += (size_t)snprintf(line + length, sizeof line - length, ",\"%s\":\"%.*s\"", token ? "tok" : "reason",
                                 text, words + op + 1);
    if (*req == '@')
      length +=
          (size_t)snprintf(line + length, sizeof line - length, ",\"req\":\"%.*s\"", (int)(end - req - 1), req + 1);
    length += (size_t)snprintf(line + length, sizeof line - length, "}");
  }
  snprintf(line + length, sizeof line - length, "]%s}", after);
  return line;
}

/* The answer to the line, without `{"case":"x",` and the last bracket. */
static void assert_answer(const char *text, const char *expected) {
  reading r = open_text(text);
  ck_assert_msg(next(&r) == ES_LINE_RACE, "%s: %s %s", text, r.bad.member, r.bad.message);
  const es_race *race = es_reader_race(r.reader);
  const es_race_result *result = es_race_run_order(run, race);
  ck_assert_ptr_nonnull(result);
  es_buffer out = {0};
  es_write_race(&out, race, result);
  es_buffer_bytes(&out, "", 1);
  ck_assert(!out.failed);
  char whole[1024];
  snprintf(whole, sizeof whole, "{\"case\":\"x\",%s}\n", expected);
  ck_assert_str_eq(out.data, whole);
  es_buffer_free(&out);
  close_reading(&r);
}

/* The order of one lane ends with these tokens, already as JSON, and this reason; NULL: it is open. */
static void ends(const char *words, const char *committed, const char *reason) {
  char expected[512];
  if (reason)
    snprintf(expected, sizeof expected, "\"committed\":[%s],\"finish_reason\":\"%s\",\"terminal_count\":1", committed,
             reason);
  else
    snprintf(expected, sizeof expected, "\"committed\":[%s],\"finish_reason\":null,\"terminal_count\":0", committed);
  assert_answer(order(words, ""), expected);
}

START_TEST(R9_race_the_look_decides_not_the_request) {
  ends("token_commit:a set_stop token_commit:b read_stop token_commit:c", "\"a\",\"b\"", "abort");
  ends("token_commit:a read_stop set_stop token_commit:b", "\"a\",\"b\"", NULL);
  ends("set_stop dequeue token_commit:a", "", "abort");
}
END_TEST

START_TEST(R9_race_what_is_not_committed_is_discarded) {
  ends("forward_launch sample:a sample:b kv_append set_stop read_stop token_commit:a token_commit:b", "", "abort");
}
END_TEST

START_TEST(R9_race_a_boundary_reads_external_end_flag_deadline_in_this_order) {
  ends("set_stop finish:tool_calls", "", "tool_calls");
  ends("set_stop finish:timeout", "", "abort");
  ends("finish:timeout set_stop", "", "timeout");
  ends("set_stop finish:stop", "", "stop");
}
END_TEST

START_TEST(R9_race_finish_as_asked_needs_somebody_who_asked) {
  ends("finish token_commit:a", "\"a\"", NULL);
  ends("finish:abort token_commit:a", "\"a\"", NULL);
  ends("set_stop finish", "", "abort");
  ends("disconnect finish token_commit:a", "", "abort");
  ends("set_stop:shutdown finish:shutdown", "", "shutdown");
  ends("finish:shutdown set_stop:shutdown", "", "shutdown"); /* nobody had asked: the reason is its own */
  ends("set_stop:abort set_stop:shutdown finish:shutdown", "", "abort");
}
END_TEST

START_TEST(R12_race_a_client_that_is_gone_is_seen_at_the_next_offer) {
  ends("emit disconnect token_commit:a emit token_commit:b", "\"a\"", "abort");
  ends("disconnect read_stop token_commit:a finish:stop emit", "\"a\"", "stop");
}
END_TEST

START_TEST(R12_race_a_lane_ends_once) {
  ends("error finish:stop error", "", "error");
  ends("finish:stop disconnect emit set_stop read_stop error", "", "stop");
}
END_TEST

START_TEST(R14_race_the_first_request_wins) {
  ends("set_stop:shutdown set_stop:abort read_stop", "", "shutdown");
  ends("set_stop read_stop set_stop:shutdown read_stop finish:shutdown", "", "abort");
}
END_TEST

START_TEST(R14_race_a_request_never_hits_the_next_lane) {
  const char *two =
      "\"per_request\":{\"A\":{\"committed\":[],\"finish\":\"stop\",\"terminal_count\":1},\"B\":{\"committed\":"
      "[\"b\"],\"finish\":null,\"terminal_count\":0}},\"finish_reason\":null";
  assert_answer(order("finish:stop@A recycle@A set_stop@A read_stop@B token_commit:b@B", ""), two);
  assert_answer(order("set_stop@A finish:stop@A recycle@A recycle@A read_stop@B token_commit:b@B", ""), two);
  assert_answer(order("set_stop@A finish:stop@A read_stop@B recycle@A token_commit:b@B set_stop@A read_stop@B", ""),
                two);
}
END_TEST

START_TEST(R14_race_lanes_side_by_side_have_words_of_their_own) {
  assert_answer(order("token_commit:a@A set_stop@B recycle@A read_stop@A read_stop@B finish:length@A", ""),
                "\"per_request\":{\"A\":{\"committed\":[\"a\"],\"finish\":\"length\",\"terminal_count\":1},\"B\":{"
                "\"committed\":[],\"finish\":\"abort\",\"terminal_count\":1}},\"finish_reason\":null");
  assert_answer(order("set_stop:grammar@B finish:grammar@A", ""), /* what is asked of B says nothing of A (T11) */
                "\"per_request\":{\"B\":{\"committed\":[],\"finish\":null,\"terminal_count\":0},\"A\":{"
                "\"committed\":[],\"finish\":\"grammar\",\"terminal_count\":1}},\"finish_reason\":null");
}
END_TEST

START_TEST(orders_of_any_size_and_of_nothing) {
  ends("", "", NULL);
  char many[2000] = "";
  for (int i = 0; i < 100; i++) strcat(many, "recycle ");
  ends(many, "", NULL);
  ends("", "", NULL);
}
END_TEST

START_TEST(after_a_preemption_there_is_no_answer) {
  assert_answer(order("token_commit:a preempt finish:stop", ""),
                "\"unsupported\":\"no rule says which tokens are left after `preempt`\"");
}
END_TEST

START_TEST(what_an_event_carries_besides_is_not_looked_at) {
  const char *text = "{\"case\":\"x\",\"what\":\"w\",\"events\":[{\"thread\":\"client\",\"op\":\"submit\",\"limit\":8},"
                     "{\"thread\":\"engine\",\"op\":\"emit\",\"toks\":[1]}],\"expect\":{\"kv\":1},\"steps\":[]}";
  reading r = open_bytes(text, strlen(text), false);
  ck_assert_int_eq(next(&r), ES_LINE_RACE);
  assert_span(r.c.id, "x");
  ck_assert(!r.has_result);
  ck_assert_str_eq(es_reader_unknown(r.reader), "steps");
  ck_assert_str_eq(es_reader_unknown(r.reader), "expect.kv");
  ck_assert_ptr_null(es_reader_unknown(r.reader));
  close_reading(&r);
  const char *good = order("emit finish:stop", ",\"expect\":{\"committed\":[]}");
  r = open_bytes(good, strlen(good), true);
  ck_assert_int_eq(next(&r), ES_LINE_RACE);
  close_reading(&r);
}
END_TEST

#define EVENT(members) "{\"case\":\"x\",\"events\":[{\"thread\":\"engine\",\"op\":\"emit\"}," members "]}"
static const struct {
  const char *line, *member;
} bad_lines[] = {
    {"{\"events\":[]}", "case"},
    {"{\"case\":\"\",\"events\":[]}", "case"},
    {"{\"case\":\"x\",\"what\":1,\"events\":[]}", "what"},
    {"{\"case\":\"x\",\"events\":{}}", "events"},
    {"{\"case\":\"x\",\"events\":[],\"expect\":[]}", "expect"},
    {"{\"case\":\"x\",\"events\":[],\"expect\":{\"committed\":{\"a\":1,\"a\":1}}}", "expect.committed.a"},
    {EVENT("7"), "events[1]"},
    {EVENT("{\"op\":\"emit\"}"), "events[1].thread"},
    {EVENT("{\"thread\":\"transfer\",\"op\":\"done\"}"), "events[1].thread"},
    {EVENT("{\"thread\":1,\"op\":\"done\"}"), "events[1].thread"},
    {EVENT("{\"thread\":\"client\",\"op\":\"token_commit\",\"tok\":\"a\"}"), "events[1].thread"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"disconnect\"}"), "events[1].thread"},
    {EVENT("{\"thread\":\"engine\"}"), "events[1].op"},
    {EVENT("{\"thread\":\"engine\",\"op\":1}"), "events[1].op"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"sample\"}"), "events[1].tok"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"token_commit\",\"tok\":7}"), "events[1].tok"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"emit\",\"op\":\"emit\"}"), "events[1].op"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"x\",\"y\":1,\"y\":2}"), "events[1].y"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"x\",\"y\":\"\\ud800\"}"), "events[1].y"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"emit\",\"req\":\"A\"}"), "events[0].req"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"x\",\"req\":1}"), "events[0].req"},
    {EVENT("{\"thread\":\"control\",\"op\":\"set_stop\",\"reason\":1}"), "events[1].reason"},
    {EVENT("{\"thread\":\"control\",\"op\":\"set_stop\",\"reason\":\"\"}"), "events[1].reason"},
    {EVENT("{\"thread\":\"control\",\"op\":\"set_stop\",\"reason\":\"length\"}"), "events[1].reason"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"finish\",\"reason\":\"\"}"), "events[1].reason"},
    {EVENT("{\"thread\":\"engine\",\"op\":\"finish\"},{\"thread\":\"engine\",\"op\":\"finish\"}"), "events[2]"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{}}", "result"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{\"case\":\"y\",\"finish_reason\":null}}", "result.case"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{\"committed\":[1]}}", "result.committed[0]"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{\"committed\":1}}", "result.committed"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{\"terminal_count\":-1}}", "result.terminal_count"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{\"finish_reason\":1}}", "result.finish_reason"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{\"per_request\":{\"A\":{}}}}", "result.per_request.A"},
    {"{\"case\":\"x\",\"events\":[],\"result\":{\"per_request\":{\"A\":1,\"A\":1}}}", "result.per_request.A"},
};

START_TEST(a_bad_order_is_named_at_its_member) {
  assert_bad(bad_lines[_i].line, bad_lines[_i].member);
}
END_TEST

START_TEST(several_requests_have_no_one_answer) {
  assert_bad(order("emit@A emit@B", ",\"result\":{\"finish_reason\":\"stop\"}"), "result.finish_reason");
  assert_bad(order("emit@A emit@B", ",\"result\":{\"terminal_count\":1}"), "result.terminal_count");
  assert_bad(order("emit@A emit@B", ",\"result\":{\"per_request\":{\"A\":{\"committed\":[null]}}}"),
             "result.per_request.A.committed[0]");
  assert_bad(order("emit@A emit@B", ",\"result\":{\"per_request\":{}}"), "result");
  assert_bad(order("emit@A emit@B", ",\"result\":{\"per_request\":{\"A\":{\"other\":{\"x\":1}}}}"), "result");
  assert_bad(order("emit@A emit@B", ",\"result\":{\"finish_reason\":null}"), "result");
  assert_bad(order("emit@A emit@B", ",\"result\":{\"per_request\":{\"A\":{\"finish\":\"x\"},\"A\":{}}}"),
             "result.per_request.A");
}
END_TEST

START_TEST(one_request_has_one_answer) {
  assert_bad(order("emit@A", ",\"result\":{\"committed\":[],\"per_request\":{\"A\":{\"committed\":[]}}}"),
             "result.per_request");
  assert_bad(order("emit@A", ",\"result\":{\"finish_reason\":null,\"per_request\":{\"A\":{}}}"), "result.per_request");
}
END_TEST

/* The reader and the stop word have room for so many, and no more. */
static void assert_bounded(int count, bool requests, const char *member) {
  size_t room = (size_t)count * 64 + 64, length;
  char *text = malloc(room);
  ck_assert_ptr_nonnull(text);
  length = (size_t)snprintf(text, room, "{\"case\":\"x\",\"events\":[");
  for (int i = 0; i < count; i++)
    length +=
        (size_t)snprintf(text + length, room - length, "%s{\"thread\":\"control\",\"op\":\"set_stop\",\"%s\":\"%d\"}",
                         i > 0 ? "," : "", requests ? "req" : "reason", i);
  snprintf(text + length, room - length, "]}");
  if (member) assert_bad(text, member);
  reading r = open_text(text);
  if (!member) {
    ck_assert_int_eq(next(&r), ES_LINE_RACE);
    ck_assert_ptr_nonnull(es_race_run_order(run, es_reader_race(r.reader)));
  }
  close_reading(&r);
  free(text);
}

START_TEST(requests_and_reasons_are_bounded) {
  assert_bounded(ES_RACE_LANES, true, NULL);
  assert_bounded(ES_RACE_LANES + 1, true, "events[1024].req");
  assert_bounded(ES_RACE_REASONS - 1, false, NULL); /* `abort` is one */
  assert_bounded(ES_RACE_REASONS, false, "events[254].reason");
}
END_TEST

/* The verdict on the order with this result: kinds and rules, parted by blanks. */
static void assert_judged(const char *words, const char *result, const char *expected) {
  char after[512], found[256] = "";
  snprintf(after, sizeof after, ",\"result\":{%s}", result);
  reading r = open_text(order(words, after));
  ck_assert_msg(next(&r) == ES_LINE_RACE && r.has_result, "%s: %s %s", line, r.bad.member, r.bad.message);
  es_judge *judge = es_judge_new();
  const es_verdict *verdict = es_judge_race(judge, es_reader_race(r.reader));
  ck_assert_ptr_nonnull(verdict);
  if (verdict->kind == ES_UNSUPPORTED) strcat(found, "unsupported ");
  for (size_t i = 0; i < verdict->count; i++) {
    const es_finding *f = &verdict->findings[i];
    ck_assert_uint_gt(f->why.length, 0);
    size_t length = strlen(found);
    snprintf(found + length, sizeof found - length, "%s %s ", es_kind_name(f->kind), f->rule);
  }
  ck_assert_str_eq(found, expected);
  es_judge_free(judge);
  close_reading(&r);
}

START_TEST(an_answer_is_judged_as_far_as_it_goes) {
  const char *stopped = "token_commit:a set_stop read_stop token_commit:b";
  assert_judged(stopped, "\"committed\":[\"a\"],\"finish_reason\":\"abort\",\"terminal_count\":1", "");
  assert_judged(stopped, "\"finish_reason\":\"abort\"", "");
  assert_judged(stopped, "\"committed\":[\"a\",\"b\"]", "after-end R14 ");
  assert_judged(stopped, "\"committed\":[]", "lost-tail R8 ");
  assert_judged(stopped, "\"committed\":[\"b\"]", "lost-text R8 ");
  assert_judged(stopped, "\"finish_reason\":\"length\",\"terminal_count\":2", "after-end R12 wrong-reason R9 ");
  assert_judged(stopped, "\"committed\":[\"a\",\"b\"],\"finish_reason\":null", "no-end R9 ");
  assert_judged(stopped, "\"terminal_count\":0", "no-end R9 ");
  assert_judged("token_commit:a", "\"finish_reason\":\"abort\"", "false-stop R14 ");
  assert_judged("token_commit:a", "\"committed\":[\"a\",\"a\"]", "wrong-count R8 ");
  assert_judged("token_commit:a preempt", "\"committed\":[\"a\"]", "unsupported ");
  assert_judged("token_commit:a", "\"unsupported\":\"no\"", "unsupported ");
  assert_judged("token_commit:a@A token_commit:b@B", "\"per_request\":{\"B\":{\"committed\":[],\"finish\":null}}",
                "lost-tail R8 ");
  assert_judged("token_commit:a@A set_stop@A read_stop@A", "\"per_request\":{\"A\":{\"finish\":\"stop\"}}",
                "wrong-reason R9 ");
}
END_TEST

static void begin(void) {
  run = es_race_run_new();
  ck_assert_ptr_nonnull(run);
}

static void end(void) {
  es_race_run_free(run);
}

Suite *race_suite(void) {
  Suite *suite = suite_create("race");
  TCase *tests = tcase_create("orders");
  tcase_add_checked_fixture(tests, begin, end);
  tcase_add_test(tests, R9_race_the_look_decides_not_the_request);
  tcase_add_test(tests, R9_race_what_is_not_committed_is_discarded);
  tcase_add_test(tests, R9_race_a_boundary_reads_external_end_flag_deadline_in_this_order);
  tcase_add_test(tests, R9_race_finish_as_asked_needs_somebody_who_asked);
  tcase_add_test(tests, R12_race_a_client_that_is_gone_is_seen_at_the_next_offer);
  tcase_add_test(tests, R12_race_a_lane_ends_once);
  tcase_add_test(tests, R14_race_the_first_request_wins);
  tcase_add_test(tests, R14_race_a_request_never_hits_the_next_lane);
  tcase_add_test(tests, R14_race_lanes_side_by_side_have_words_of_their_own);
  tcase_add_test(tests, orders_of_any_size_and_of_nothing);
  tcase_add_test(tests, after_a_preemption_there_is_no_answer);
  tcase_add_test(tests, what_an_event_carries_besides_is_not_looked_at);
  tcase_add_loop_test(tests, a_bad_order_is_named_at_its_member, 0, sizeof bad_lines / sizeof *bad_lines);
  tcase_add_test(tests, several_requests_have_no_one_answer);
  tcase_add_test(tests, one_request_has_one_answer);
  tcase_add_test(tests, requests_and_reasons_are_bounded);
  tcase_add_test(tests, an_answer_is_judged_as_far_as_it_goes);
  suite_add_tcase(suite, tests);
  return suite;
}
