/* Requests: which are refused, which member is named, and that the first of several faults is (R13). */
#include "reading.h"

/* The line is a case whose request is refused for `param`; NULL: it is not refused. */
static void assert_refused(const char *request, const char *param, bool strict) {
  char line[40000];
  snprintf(line, sizeof line, "{\"case\":\"a\",\"request\":%s,\"steps\":[]}\n", request);
  reading r = open_bytes(line, strlen(line), strict);
  ck_assert_msg(next(&r) == ES_LINE_CASE, "%s: bad line: %s: %s", request, r.bad.member, r.bad.message);
  ck_assert_msg(r.c.refused == (param != NULL), "%.200s: refused: %d", request, r.c.refused);
  if (param) {
    ck_assert_str_eq(r.c.refusal_param, param);
    ck_assert_msg(strncmp(r.c.refusal_message, param, strlen(param)) == 0, "%s", r.c.refusal_message);
    ck_assert_uint_gt(strlen(r.c.refusal_message), strlen(param) + 2);
  }
  close_reading(&r);
}

START_TEST(R13_a_whole_request_is_read) {
  reading r = open_text("{\"case\":\"a\",\"request\":{\"stop\":[\"END\",{\"text\":\"\\n\",\"priority\":-128}],"
                        "\"stop_token_ids\":[7],\"stop_token_sequences\":[[5,9],[1]],\"eos_token_ids\":[2,2147483647],"
                        "\"ignore_eos\":true,\"include_stop_str_in_output\":true,\"skip_special_tokens\":false,"
                        "\"min_tokens\":1,\"max_tokens\":64,\"max_context\":4096,\"deadline_steps\":9,"
                        "\"repetition\":{\"max_period\":16,\"min_repeats\":4},\"flush\":{\"tokens\":8}},"
                        "\"prompt_tokens\":12,\"steps\":[]}");
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  const es_request *q = &r.c.request;
  ck_assert(!r.c.refused);
  ck_assert_uint_eq(q->stop_count, 2);
  ck_assert_uint_eq(q->stops[1].offset, 3);
  ck_assert_uint_eq(q->stops[1].length, 1);
  ck_assert_int_eq(q->stops[1].priority, -128);
  ck_assert_mem_eq(q->text, "END\n", 4);
  ck_assert_uint_eq(q->stop_ids[0], 7);
  ck_assert_uint_eq(q->sequence_count, 2);
  ck_assert_uint_eq(q->sequences[1].offset, 2);
  ck_assert_uint_eq(q->sequence_ids[2], 1);
  ck_assert_uint_eq(q->eos_ids[1], 2147483647);
  ck_assert(q->ignore_eos && q->include_stop && !q->skip_special);
  ck_assert_uint_eq(q->min_tokens, 1);
  ck_assert_uint_eq(q->max_tokens, 64);
  ck_assert_uint_eq(q->max_context, 4096);
  ck_assert_uint_eq(q->deadline_steps, 9);
  ck_assert_uint_eq(q->max_period, 16);
  ck_assert_uint_eq(q->min_repeats, 4);
  ck_assert_int_eq(q->flush.kind, ES_FLUSH_TOKENS);
  ck_assert_uint_eq(q->flush.n, 8);
  ck_assert_uint_eq(q->prompt_tokens, 12);
  close_reading(&r);
}
END_TEST

START_TEST(R13_null_and_absent_are_the_defaults) {
  reading r = open_text("{\"case\":\"a\",\"steps\":[]}\n"
                        "{\"case\":\"b\",\"request\":{\"stop\":null,\"max_tokens\":null,\"skip_special_tokens\":null,"
                        "\"repetition\":null,\"flush\":null},\"prompt_tokens\":null,\"sink\":null,\"steps\":[]}");
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(next(&r), ES_LINE_CASE);
    const es_request *q = &r.c.request;
    ck_assert(!r.c.refused && !q->ignore_eos && !q->include_stop && q->skip_special);
    ck_assert_uint_eq(q->stop_count, 0);
    ck_assert_uint_eq(q->max_tokens, ES_NO_LIMIT);
    ck_assert_uint_eq(q->max_context, ES_NO_LIMIT);
    ck_assert_uint_eq(q->deadline_steps, ES_NO_LIMIT);
    ck_assert_uint_eq(q->max_period, 0);
    ck_assert_int_eq(q->flush.kind, ES_FLUSH_STEPS);
    ck_assert_uint_eq(q->flush.n, 1);
  }
  close_reading(&r);
}
END_TEST

static const struct {
  const char *request, *param;
} refused[] = {
    {"{\"stop\":\"\"}", "stop[0]"},
    {"{\"stop\":[\"a\",\"\"]}", "stop[1]"},
    {"{\"stop\":5}", "stop"},
    {"{\"stop\":[\"a\",5]}", "stop[1]"},
    {"{\"stop\":[null]}", "stop[0]"},
    {"{\"stop\":{\"priority\":1}}", "stop[0]"},
    {"{\"stop\":[\"a\",{\"text\":\"b\",\"priority\":128}]}", "stop[1]"},
    {"{\"stop\":[{\"text\":\"b\",\"priority\":1.0}]}", "stop[0]"},
    {"{\"stop\":[{\"text\":\"b\",\"text\":\"b\"}]}", "stop[0]"},
    {"{\"stop\":[\"a\",\"\\ud800\"]}", "stop[1]"},
    {"{\"stop\":\"\\udc00\"}", "stop[0]"},
    {"{\"stop\":[\"a\",\"\xff\"]}", "stop[1]"},
    {"{\"stop_token_ids\":[1,-1]}", "stop_token_ids[1]"},
    {"{\"stop_token_ids\":[2147483648]}", "stop_token_ids[0]"},
    {"{\"stop_token_ids\":7}", "stop_token_ids"},
    {"{\"stop_token_sequences\":[[1],[]]}", "stop_token_sequences[1]"},
    {"{\"stop_token_sequences\":[[1,\"x\"]]}", "stop_token_sequences[0]"},
    {"{\"stop_token_sequences\":[7]}", "stop_token_sequences[0]"},
    {"{\"eos_token_ids\":[true]}", "eos_token_ids[0]"},
    {"{\"ignore_eos\":1}", "ignore_eos"},
    {"{\"max_tokens\":-1}", "max_tokens"},
    {"{\"max_tokens\":1.0}", "max_tokens"},
    {"{\"max_tokens\":1e2}", "max_tokens"},
    {"{\"max_tokens\":2147483648}", "max_tokens"},
    {"{\"max_tokens\":4294967295}", "max_tokens"},
    {"{\"max_tokens\":18446744073709551615}", "max_tokens"},
    {"{\"max_tokens\":99999999999999999999}", "max_tokens"},
    {"{\"max_context\":1e999}", "max_context"},
    {"{\"max_tokens\":1,\"max_tokens\":1}", "max_tokens"},
    {"{\"min_tokens\":3,\"max_tokens\":2}", "min_tokens"},
    {"{\"repetition\":{}}", "repetition"},
    {"{\"repetition\":{\"max_period\":0,\"min_repeats\":2}}", "repetition.max_period"},
    {"{\"repetition\":{\"min_repeats\":1,\"max_period\":1}}", "repetition.min_repeats"},
    {"{\"repetition\":{\"max_period\":2}}", "repetition"},
    {"{\"repetition\":{\"max_period\":2,\"min_repeats\":2,\"max_period\":2}}", "repetition.max_period"},
    {"{\"repetition\":{\"max_period\":-2}}", "repetition.max_period"},
    {"{\"repetition\":{\"max_period\":2049,\"min_repeats\":2}}", "repetition"},
    {"{\"flush\":{}}", "flush"},
    {"{\"flush\":{\"bytes\":1,\"ms\":1}}", "flush"},
    {"{\"flush\":{\"lines\":1}}", "flush"},
    {"{\"flush\":{\"bytes\":0}}", "flush.bytes"},
    {"{\"flush\":{\"ms\":1,\"ms\":1}}", "flush.ms"},
    {"{\"note\":\"\\udc00\"}", "note"},
    {"{\"note\":{\"a\":1,\"a\":1}}", "note"},
};

START_TEST(R13_a_fault_of_a_request_names_its_member) {
  assert_refused(refused[_i].request, refused[_i].param, false);
}
END_TEST

/* In each, the fault that is reported is not the one that stands first. */
static const struct {
  const char *request, *param;
} ordered[] = {
    {"{\"flush\":5,\"stop\":\"\"}", "stop[0]"},
    {"{\"max_tokens\":\"x\",\"stop\":[\"\",5]}", "stop[0]"},
    {"{\"max_tokens\":-1,\"stop\":[5,\"\"]}", "stop[0]"},
    {"{\"max_context\":-1,\"max_tokens\":1e999}", "max_tokens"},
    {"{\"repetition\":{\"min_repeats\":0,\"max_period\":0}}", "repetition.max_period"},
    {"{\"min_tokens\":3,\"max_tokens\":2,\"flush\":{\"bytes\":0}}", "flush.bytes"},
    {"{\"repetition\":{\"max_period\":3000,\"min_repeats\":2},\"min_tokens\":3,\"max_tokens\":2}", "min_tokens"},
    {"{\"min_tokens\":3,\"max_tokens\":2,\"note\":\"\\ud800\"}", "note"},
    {"{\"note\":\"\\ud800\",\"flush\":{\"bytes\":1.5}}", "flush.bytes"},
    {"{\"stop\":[\"a\",\"\\ud800\",\"\"],\"stop_token_ids\":5}", "stop[1]"},
};

START_TEST(R13_the_first_of_several_faults_is_reported) {
  assert_refused(ordered[_i].request, ordered[_i].param, false);
}
END_TEST

/* A list of `count` elements. */
static char *list(const char *member, const char *element, size_t count) {
  static char text[40000];
  size_t length = (size_t)snprintf(text, sizeof text, "{\"%s\":[", member);
  for (size_t i = 0; i < count; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? "," : "", element);
  snprintf(text + length, sizeof text - length, "]}");
  return text;
}

START_TEST(R13_bounds_hold_to_the_last_element) {
  char stop[1100] = "\"";
  memset(stop + 1, 'x', 1024);
  strcpy(stop + 1025, "\"");
  assert_refused(list("stop", "\"a\"", 64), NULL, false);
  assert_refused(list("stop", "\"a\"", 65), "stop", false);
  assert_refused(list("stop", "5", 65), "stop", false);
  assert_refused(list("stop_token_ids", "1", 256), NULL, false);
  assert_refused(list("stop_token_ids", "1", 257), "stop_token_ids", false);
  assert_refused(list("stop", stop, 16), NULL, false);
  assert_refused(list("stop", stop, 17), "stop", false);
  strcpy(stop + 1025, "x\"");
  assert_refused(list("stop", stop, 1), "stop[0]", false);
  assert_refused("{\"repetition\":{\"max_period\":2048,\"min_repeats\":2}}", NULL, false);
  assert_refused("{\"min_tokens\":2,\"max_tokens\":2}", NULL, false);
}
END_TEST

START_TEST(R13_a_lone_surrogate_in_a_stop_is_a_rejection_and_elsewhere_a_bad_line) {
  assert_refused("{\"stop\":\"\\ud800\\u0041\"}", "stop[0]", false);
  assert_refused("{\"stop\":\"\\ud83d\\ude00\"}", NULL, false); /* a pair is a character */
  assert_bad("{\"case\":\"a\",\"steps\":[[{\"id\":1,\"text\":\"\\ud800\"}]]}", "steps[0][0].text");
  assert_bad("{\"case\":\"a\",\"what\":\"\\udfff\",\"steps\":[]}", "what");
  assert_bad("{\"case\":\"a\",\"request\":{\"stop\":\"\\ud800\"},\"what\":\"\xe2\x82\",\"steps\":[]}", "what");
  assert_bad("{\"case\":\"a\",\"result\":{\"deltas\":[\"a\",\"\\ud800\"]}}", "result.deltas[1]");
}
END_TEST

START_TEST(R13_unknown_members_are_refused_only_when_strict) {
  assert_refused("{\"stops\":[\"a\"]}", NULL, false);
  assert_refused("{\"stops\":[\"a\"]}", "stops", true);
  assert_refused("{\"stop\":[\"a\",{\"text\":\"b\",\"prio\":1}]}", "stop[1]", true);
  assert_refused("{\"min_tokens\":3,\"max_tokens\":2,\"stops\":1}", "stops", true);
  assert_refused("{\"flush\":{\"bytes\":1,\"lines\":null}}", NULL, false);
  assert_refused("{\"flush\":{\"bytes\":1,\"lines\":null}}", "flush.bytes", true);
  const char *line = "{\"case\":\"a\",\"step\":1,\"steps\":[]}\n";
  reading r = open_bytes(line, strlen(line), true);
  ck_assert_int_eq(next(&r), ES_LINE_BAD);
  ck_assert_str_eq(r.bad.member, "step");
  close_reading(&r);
}
END_TEST

TCase *reader_request_tests(void) {
  TCase *requests = tcase_create("requests");
  tcase_add_test(requests, R13_a_whole_request_is_read);
  tcase_add_test(requests, R13_null_and_absent_are_the_defaults);
  tcase_add_loop_test(requests, R13_a_fault_of_a_request_names_its_member, 0, sizeof refused / sizeof *refused);
  tcase_add_loop_test(requests, R13_the_first_of_several_faults_is_reported, 0, sizeof ordered / sizeof *ordered);
  tcase_add_test(requests, R13_bounds_hold_to_the_last_element);
  tcase_add_test(requests, R13_a_lone_surrogate_in_a_stop_is_a_rejection_and_elsewhere_a_bad_line);
  tcase_add_test(requests, R13_unknown_members_are_refused_only_when_strict);
  return requests;
}
