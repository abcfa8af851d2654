/* The reader: what it takes for a case, a result or a bad line, and how it goes from line to line. */
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reader_parts.h"
#include "reading.h"

START_TEST(an_unknown_member_is_reported_once) {
  const char *line = "{\"case\":\"a\",\"request\":{\"stops\":1},\"steps\":[[{\"id\":1,\"p\":0.5},{\"id\":1,\"p\":1}]],"
                     "\"expect\":{\"never\":[],\"x\":1}}\n";
  char text[1000];
  snprintf(text, sizeof text, "%s%s", line, line);
  reading r = open_text(text);
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  ck_assert_str_eq(es_reader_unknown(r.reader), "request.stops");
  ck_assert_str_eq(es_reader_unknown(r.reader), "steps[][].p");
  ck_assert_str_eq(es_reader_unknown(r.reader), "expect.x");
  ck_assert_ptr_null(es_reader_unknown(r.reader));
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  ck_assert_ptr_null(es_reader_unknown(r.reader));
  close_reading(&r);
}
END_TEST

START_TEST(a_whole_case_is_read) {
  reading r =
      open_text("{\"case\":\"a\",\"source\":\"s\",\"kind\":\"k\",\"what\":\"w\","
                "\"steps\":[[{\"id\":0,\"text\":\"Hi\"},{\"id\":1,\"hex\":\"F09f\"}],[],[{\"id\":2,\"special\":true}]],"
                "\"abort_after_step\":0,\"external_end\":{\"after_step\":2,\"cut\":17,\"reason\":\"tool_calls\"},"
                "\"sink\":[\"ok\",\"later\",\"gone\"]}");
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  ck_assert(r.c.has_steps && !r.has_result);
  assert_span(r.c.id, "a");
  ck_assert_uint_eq(r.c.step_count, 3);
  ck_assert_uint_eq(r.c.steps[0].count, 2);
  ck_assert_uint_eq(r.c.steps[1].count, 0);
  ck_assert_uint_eq(r.c.steps[2].first, 2);
  assert_span(r.c.tokens[1].bytes, "\xf0\x9f");
  ck_assert(r.c.tokens[2].special && r.c.tokens[2].bytes.data == NULL);
  ck_assert(r.c.has_abort && r.c.external.present);
  ck_assert_uint_eq(r.c.abort_after_step, 0);
  ck_assert_uint_eq(r.c.external.cut, 17);
  assert_span(r.c.external.reason, "tool_calls");
  ck_assert_uint_eq(r.c.sink_count, 3);
  ck_assert_int_eq(r.c.sink[2], ES_SINK_GONE);
  close_reading(&r);
}
END_TEST

static const struct {
  const char *line, *member;
} bad_lines[] = {
    {"[]", ""},
    {"{\"steps\":[]}", "case"},
    {"{\"case\":\"\",\"steps\":[]}", "case"},
    {"{\"case\":7,\"steps\":[]}", "case"},
    {"{\"case\":\"a\"}", "steps"},
    {"{\"case\":\"a\",\"case\":\"a\",\"steps\":[]}", "case"},
    {"{\"case\":\"a\",\"request\":7,\"steps\":[]}", "request"},
    {"{\"case\":\"a\",\"prompt_tokens\":-1,\"steps\":[]}", "prompt_tokens"},
    {"{\"case\":\"a\",\"prompt_tokens\":99999999999999999999,\"steps\":[]}", "prompt_tokens"},
    {"{\"case\":\"a\",\"steps\":[[1]]}", "steps[0][0]"},
    {"{\"case\":\"a\",\"steps\":[[{\"text\":\"a\"}]]}", "steps[0][0].id"},
    {"{\"case\":\"a\",\"steps\":[[],[{\"id\":2147483648}]]}", "steps[1][0].id"},
    {"{\"case\":\"a\",\"steps\":[[{\"id\":1,\"text\":\"a\",\"hex\":\"61\"}]]}", "steps[0][0]"},
    {"{\"case\":\"a\",\"steps\":[[{\"id\":1,\"hex\":\"616\"}]]}", "steps[0][0].hex"},
    {"{\"case\":\"a\",\"steps\":[[{\"id\":1,\"hex\":\"6g\"}]]}", "steps[0][0].hex"},
    {"{\"case\":\"a\",\"steps\":[[{\"id\":1,\"text\":\"a\"}],[{\"id\":1,\"text\":\"b\"}]]}", "steps[1][0]"},
    {"{\"case\":\"a\",\"steps\":[[{\"id\":1,\"text\":\"a\"}],[{\"id\":1}]]}", "steps[1][0]"},
    {"{\"case\":\"a\",\"steps\":[[{\"id\":1},{\"id\":1,\"special\":true}]]}", "steps[0][1]"},
    {"{\"case\":\"a\",\"steps\":[[{\"id\":1,\"special\":1}]]}", "steps[0][0].special"},
    {"{\"case\":\"a\",\"steps\":[],\"abort_after_step\":9007199254740993}", "abort_after_step"},
    {"{\"case\":\"a\",\"steps\":[],\"external_end\":{\"after_step\":1,\"cut\":0}}", "external_end.reason"},
    {"{\"case\":\"a\",\"steps\":[],\"external_end\":{\"after_step\":1,\"cut\":0,\"reason\":\"\"}}",
     "external_end.reason"},
    {"{\"case\":\"a\",\"steps\":[],\"external_end\":{\"after_step\":1,\"cut\":-1,\"reason\":\"x\"}}",
     "external_end.cut"},
    {"{\"case\":\"a\",\"vocab\":\"a\\u0000b\",\"steps\":[]}", "vocab"},
    {"{\"case\":\"a\",\"steps\":[],\"sink\":[\"ok\",\"maybe\"]}", "sink[1]"},
    {"{\"case\":\"a\",\"steps\":[],\"expect\":7}", "expect"},
    {"{\"case\":\"a\",\"steps\":[],\"note\":{\"b\":[{\"c\":1,\"c\":2}]}}", "note.b[0].c"},
    {"{\"case\":\"a\",\"result\":{\"case\":\"b\"}}", "result"},
    {"{\"case\":\"a\",\"result\":{\"deltas\":[null]}}", "result.deltas[0]"},
    {"{\"case\":\"a\",\"result\":{\"deltas\":[{\"hex\":\"f\"}]}}", "result.deltas[0].hex"},
    {"{\"case\":\"a\",\"result\":{\"deltas\":[\"a\"],\"delta_steps\":[0]}}", "result.delta_steps[0]"},
    {"{\"case\":\"a\",\"result\":{\"deltas\":[\"a\",\"b\"],\"delta_steps\":[2,1]}}", "result.delta_steps[1]"},
    {"{\"case\":\"a\",\"result\":{\"deltas\":[\"a\",\"b\"],\"delta_steps\":[1]}}", "result.delta_steps"},
    {"{\"case\":\"a\",\"result\":{\"delta_steps\":[1]}}", "result.delta_steps"},
    {"{\"case\":\"a\",\"result\":{\"text\":{\"hex\":\"f\"}}}", "result.text.hex"},
    {"{\"case\":\"a\",\"result\":{\"terminal\":{\"bytes\":1,\"crc32c\":7}}}", "result.terminal.crc32c"},
    {"{\"case\":\"a\",\"result\":{\"cause\":\"bored\"}}", "result.cause"},
    {"{\"case\":\"a\",\"result\":{\"stop_reason\":1.5}}", "result.stop_reason"},
    {"{\"case\":\"a\",\"result\":{\"tokens\":-1}}", "result.tokens"},
    {"{\"case\":\"a\",\"result\":{\"terminal\":{\"bytes\":1}}}", "result.terminal.crc32c"},
    {"{\"case\":\"a\",\"result\":{\"terminal\":{\"bytes\":1,\"crc32c\":\"0000ABCD\"}}}", "result.terminal.crc32c"},
};

START_TEST(a_fault_outside_the_request_is_a_bad_line_at_its_member) {
  assert_bad(bad_lines[_i].line, bad_lines[_i].member);
}
END_TEST

START_TEST(a_bad_line_wins_over_a_refusal) {
  assert_bad("{\"case\":\"a\",\"request\":{\"stop\":\"\"},\"steps\":[[{\"id\":-1}]]}", "steps[0][0].id");
}
END_TEST

START_TEST(of_two_thousand_ids_on_a_line_each_has_its_own_bytes) {
  static char line[200000];
  for (int wrong = -1; wrong < 2000; wrong += 1000) { /* of the id with this number other bytes the second time */
    size_t at = (size_t)snprintf(line, sizeof line, "{\"case\":\"a\",\"steps\":[[");
    for (int i = 0; i < 4000; i++)
      at += (size_t)snprintf(line + at, sizeof line - at, "%s{\"id\":%d,\"text\":\"%d\"}", i > 0 ? "," : "",
                             i % 2000 * 7919, wrong >= 0 && i == 2000 + wrong ? -1 : i % 2000);
    snprintf(line + at, sizeof line - at, "]]}");
    reading r = open_text(line);
    ck_assert_int_eq(next(&r), wrong < 0 ? ES_LINE_CASE : ES_LINE_BAD);
    if (wrong >= 0) {
      char member[32];
      snprintf(member, sizeof member, "steps[0][%d]", 2000 + wrong);
      ck_assert_str_eq(r.bad.member, member);
    }
    close_reading(&r);
  }
}
END_TEST

START_TEST(the_result_of_another_case_is_a_bad_line) {
  reading r = open_text("{\"case\":\"a\",\"result\":{\"case\":\"b\",\"text\":\"x\"}}\n"
                        "{\"case\":\"a\",\"result\":{\"case\":\"a\",\"text\":\"x\"}}");
  ck_assert_int_eq(next(&r), ES_LINE_BAD);
  ck_assert_str_eq(r.bad.member, "result");
  ck_assert_str_eq(r.bad.message, "expected the result of this case, found that of another");
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  close_reading(&r);
}
END_TEST

#define VOCAB "\"vocab\":\"corpus/cases/vocab/bytes.json\","

START_TEST(with_a_vocabulary_a_token_may_leave_out_its_bytes) {
  reading r = open_text("{\"case\":\"a\",\"steps\":[[{\"id\":0},{\"id\":0,\"text\":\"Hi\"},{\"id\":9}]],"
                        "\"vocab\":\"corpus/cases/vocab/bytes.json\"}\n"
                        "{\"case\":\"a\",\"steps\":[[{\"id\":0}]]}");
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  assert_span(r.c.tokens[0].bytes, "Hi");
  ck_assert(!r.c.tokens[0].special && r.c.tokens[2].special);
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  ck_assert_uint_eq(r.c.tokens[0].bytes.length, 0); /* a line that names none has none */
  close_reading(&r);
}
END_TEST

START_TEST(a_vocabulary_of_the_options_serves_lines_that_name_none) {
  es_vocab_fault fault;
  es_vocab *vocab = es_vocab_load("corpus/cases/vocab/ranks.tiktoken", &fault);
  ck_assert_ptr_nonnull(vocab);
  reading r = open_text("{\"case\":\"a\",\"steps\":[[{\"id\":1}]]}\n"
                        "{\"case\":\"a\"," VOCAB "\"steps\":[[{\"id\":0}]]}");
  es_reader_free(r.reader);
  r.reader = es_reader_new(r.file, (es_reader_options){.vocab = vocab});
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  assert_span(r.c.tokens[0].bytes, " END");
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  assert_span(r.c.tokens[0].bytes, "Hi");
  close_reading(&r);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(a_token_at_odds_with_the_vocabulary_is_a_bad_line) {
  assert_bad("{\"case\":\"a\"," VOCAB "\"steps\":[[{\"id\":0},{\"id\":10}]]}", "steps[0][1]");
  assert_bad("{\"case\":\"a\"," VOCAB "\"steps\":[[{\"id\":0,\"text\":\"hi\"}]]}", "steps[0][0]");
  assert_bad("{\"case\":\"a\"," VOCAB "\"steps\":[[{\"id\":0,\"special\":true}]]}", "steps[0][0]");
  assert_bad("{\"case\":\"a\"," VOCAB "\"steps\":[[{\"id\":9,\"special\":false}]]}", "steps[0][0]");
}
END_TEST

START_TEST(a_vocabulary_that_cannot_be_read_is_a_bad_line_each_time) {
  const char *line = "{\"case\":\"a\",\"steps\":[],\"vocab\":\"corpus/cases/vocab/none.json\"}\n";
  char text[1000];
  snprintf(text, sizeof text, "%s%s", line, line);
  reading r = open_text(text);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(next(&r), ES_LINE_BAD);
    ck_assert_str_eq(r.bad.member, "vocab");
    ck_assert_ptr_nonnull(strstr(r.bad.message, "corpus/cases/vocab/none.json: "));
  }
  close_reading(&r);
}
END_TEST

START_TEST(a_whole_result_is_read) {
  reading r = open_text(
      "{\"case\":\"a\",\"result\":{\"deltas\":[\"a\",{\"hex\":\"ff\"},{\"hex\":\"62\"}],\"text\":{\"hex\":\"ff\"},"
      "\"finish_reason\":\"stop\",\"cause\":\"eos\",\"stop_reason\":[5,9],\"tokens\":3,\"token_ids\":[0,1],"
      "\"stop_index\":4,\"delta_steps\":[1,1,3],\"terminal\":{\"bytes\":8,\"crc32c\":\"00ffa1b2\"},"
      "\"terminals\":2,\"param\":\"p\",\"message\":\"m\"}}\n"
      "{\"case\":\"b\",\"result\":{\"finish_reason\":null,\"stop_reason\":null}}\n"
      "{\"case\":\"c\",\"result\":{\"unsupported\":\"why\",\"stop_reason\":7}}");
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  const es_result *e = &r.result;
  ck_assert(r.has_result && !r.c.has_steps && e->has_deltas && e->has_delta_steps && e->has_terminal &&
            e->has_terminals);
  assert_span(e->id, "a");
  assert_span(e->deltas[1].bytes, "\xff");
  ck_assert(e->deltas[0].valid && !e->deltas[1].valid && e->deltas[2].valid && !e->text_valid);
  assert_span(e->finish_reason, "stop");
  assert_span(e->cause, "eos");
  ck_assert_int_eq(e->stop_reason_kind, ES_REASON_IDS);
  ck_assert_uint_eq(e->stop_reason_count, 2);
  ck_assert_uint_eq(e->stop_reason_ids[1], 9);
  ck_assert(e->has_tokens && e->has_token_ids && e->has_stop_index);
  ck_assert_uint_eq(e->tokens, 3);
  ck_assert_uint_eq(e->token_id_count, 2);
  ck_assert_uint_eq(e->stop_index, 4);
  ck_assert_uint_eq(e->delta_steps[2], 3);
  ck_assert_uint_eq(e->terminal_bytes, 8);
  ck_assert_uint_eq(e->terminal_crc32c, 0x00ffa1b2);
  ck_assert_uint_eq(e->terminals, 2);
  assert_span(e->param, "p");
  assert_span(e->message, "m");
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  ck_assert(e->has_finish_reason && !e->finish_reason.data && !e->has_deltas && !e->has_tokens && !e->text.data);
  ck_assert_int_eq(e->stop_reason_kind, ES_REASON_NULL);
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  assert_span(e->unsupported, "why");
  ck_assert(!e->has_finish_reason);
  ck_assert_int_eq(e->stop_reason_kind, ES_REASON_ID);
  close_reading(&r);
}
END_TEST

START_TEST(an_adapter_s_answer_is_read_alone) {
  reading r = open_text("{\"case\":\"a\",\"deltas\":[\"x\"]}\n{\"deltas\":[]}\n{\"case\":\"a\",\"text\":\"\\ud800\"}");
  ck_assert_int_eq(es_reader_next_result(r.reader, &r.result, &r.bad), ES_LINE_CASE);
  assert_span(r.result.deltas[0].bytes, "x");
  ck_assert_int_eq(es_reader_next_result(r.reader, &r.result, &r.bad), ES_LINE_BAD);
  ck_assert_str_eq(r.bad.member, "case");
  ck_assert_int_eq(es_reader_next_result(r.reader, &r.result, &r.bad), ES_LINE_BAD);
  ck_assert_str_eq(r.bad.member, "text");
  ck_assert_int_eq(es_reader_next_result(r.reader, &r.result, &r.bad), ES_LINE_END);
  close_reading(&r);
}
END_TEST

static const struct {
  const char *line;
  uint64_t column;
} no_json[] = {
    {"{\"case\":\"a\",\"steps\":[],}", 24},
    {"{\"case\":\"a\"", 12},
    {"[1,2", 5},
    {"{\"case\":\"a\"} x", 14},
    {"{\"case\":\"a\\q\"}", 11},
    {"{\"a\":01}", 6},
    {"{\"a\":1.}", 6},
    {"{\"a\":-}", 6},
    {"{\"a\":\"\x01\"}", 7},
    {"{\"a\":tru}", 6},
    {"{\"a\" 1}", 6},
    {"{\"a\":\"b}", 6},
    {"{\"a\":\"\\u12g4\"}", 7},
    {"{\"a\":[1}", 8},
    {"\xff", 1},
    {"{1:2}", 2},
    {"\xef\xbb\xbf{\"a\":tru}", 9},
};

START_TEST(a_line_that_is_no_json_names_the_column) {
  reading r = open_text(no_json[_i].line);
  ck_assert_int_eq(next(&r), ES_LINE_BAD);
  ck_assert_str_eq(r.bad.member, "");
  ck_assert_msg(r.bad.column == no_json[_i].column, "%s: column %llu: %s", no_json[_i].line,
                (unsigned long long)r.bad.column, r.bad.message);
  close_reading(&r);
}
END_TEST

START_TEST(empty_lines_carriage_returns_a_mark_and_a_missing_newline_do_no_harm) {
  static const char text[] =
      "\xef\xbb\xbf\r\n{\"case\":\"a\",\"steps\":[]}\r\n\n  \t\r\n{\"case\":\"n\0\"}\n{\"case\":\"b\",\"steps\":[]}";
  reading r = open_bytes(text, sizeof text - 1, false);
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  ck_assert_uint_eq(es_reader_line_number(r.reader), 2);
  ck_assert_int_eq(next(&r), ES_LINE_BAD); /* a byte zero */
  ck_assert_uint_eq(r.bad.line, 5);
  ck_assert_uint_eq(r.bad.column, 11);
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  assert_span(r.c.id, "b");
  ck_assert_uint_eq(es_reader_bytes(r.reader), sizeof text - 1);
  ck_assert_int_eq(next(&r), ES_LINE_END);
  ck_assert_int_eq(next(&r), ES_LINE_END);
  close_reading(&r);
}
END_TEST

START_TEST(brackets_within_brackets_without_end_are_a_bad_line) {
  static char line[200100];
  const char *before = "{\"case\":\"a\",\"steps\":[],\"note\":";
  for (size_t depth = 100; depth <= 100000; depth *= 1000) {
    size_t at = (size_t)snprintf(line, sizeof line, "%s", before);
    memset(line + at, '[', depth);
    memset(line + at + depth, ']', depth);
    memcpy(line + at + 2 * depth, "}", 2);
    reading r = open_text(line);
    ck_assert_int_eq(next(&r), depth == 100 ? ES_LINE_CASE : ES_LINE_BAD);
    close_reading(&r);
  }
}
END_TEST

START_TEST(a_line_is_handed_out_before_the_next_is_awaited) {
  static const char line[] = "{\"case\":\"a\",\"steps\":[]}\n{\"case\":";
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  FILE *file = fdopen(ends[0], "r");
  ck_assert_ptr_nonnull(file);
  reading r = {.file = file, .reader = es_reader_new(file, (es_reader_options){0})};
  ck_assert_int_eq(write(ends[1], line, sizeof line - 1), sizeof line - 1);
  ck_assert_int_eq(next(&r), ES_LINE_CASE); /* would wait for ever if it wanted more */
  ck_assert_int_eq(write(ends[1], "\"b\",\"steps\":[]}\n", 16), 16);
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  assert_span(r.c.id, "b");
  close(ends[1]);
  ck_assert_int_eq(next(&r), ES_LINE_END);
  close_reading(&r);
}
END_TEST

START_TEST(who_has_nothing_yet_is_waited_for) {
  static const char line[] = "{\"case\":\"a\",\"steps\":[]}\n";
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  pid_t writer = fork();
  ck_assert_int_ge(writer, 0);
  if (writer == 0) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    _exit(write(ends[1], line, sizeof line - 1) != sizeof line - 1);
  }
  close(ends[1]);
  FILE *file = fdopen(ends[0], "r");
  reading r = {.file = file, .reader = es_reader_new(file, (es_reader_options){0})};
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  ck_assert_int_eq(next(&r), ES_LINE_END);
  int status = 1;
  ck_assert_int_eq(waitpid(writer, &status, 0), writer);
  ck_assert_int_eq(status, 0);
  close_reading(&r);
}
END_TEST

/* In lines a little longer, as long and much longer than the longest, so that it shows within a chunk and after many. */
START_TEST(a_line_that_is_too_long_is_passed_over_and_the_next_one_read) {
  enum { LONGEST = 1 << 20 };
  static const size_t lengths[] = {LONGEST, LONGEST + 1, LONGEST + (1 << 18), 3 * LONGEST};
  static char text[4 * LONGEST];
  static const char end[] = "\n{\"case\":\"b\",\"steps\":[]}\n";
  size_t length = lengths[_i];
  size_t at = (size_t)snprintf(text, sizeof text, "{\"case\":\"a\",\"steps\":[],\"what\":\"");
  memset(text + at, 'x', length - at);
  memcpy(text + length - 2, "\"}", 2);
  memcpy(text + length, end, sizeof end);
  reading r = open_bytes(text, length + sizeof end - 1, false);
  es_reader_free(r.reader);
  r.reader = es_reader_new(r.file, (es_reader_options){.longest_line = LONGEST});
  ck_assert_int_eq(next(&r), length > LONGEST ? ES_LINE_BAD : ES_LINE_CASE);
  if (length > LONGEST) {
    ck_assert_str_eq(r.bad.message, "expected a line of at most 1 MiB");
    ck_assert_uint_eq(r.bad.line, 1);
    ck_assert_uint_eq(r.bad.column, LONGEST + 1);
  }
  ck_assert_int_eq(next(&r), ES_LINE_CASE);
  assert_span(r.c.id, "b");
  ck_assert_uint_eq(es_reader_line_number(r.reader), 2);
  ck_assert_uint_eq(es_reader_bytes(r.reader), length + sizeof end - 1);
  ck_assert_int_eq(next(&r), ES_LINE_END);
  close_reading(&r);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_an_error) {
  FILE *file = fopen("/", "r");
  ck_assert_ptr_nonnull(file);
  reading r = {.file = file, .reader = es_reader_new(file, (es_reader_options){0})};
  ck_assert_int_eq(next(&r), ES_LINE_ERROR);
  ck_assert_uint_gt(strlen(r.bad.message), 0);
  close_reading(&r);
}
END_TEST

Suite *reader_suite(void);

Suite *reader_suite(void) {
  Suite *suite = suite_create("reader");
  suite_add_tcase(suite, reader_request_tests());
  TCase *cases = tcase_create("cases");
  tcase_add_test(cases, an_unknown_member_is_reported_once);
  tcase_add_test(cases, a_whole_case_is_read);
  tcase_add_loop_test(cases, a_fault_outside_the_request_is_a_bad_line_at_its_member, 0,
                      sizeof bad_lines / sizeof *bad_lines);
  tcase_add_test(cases, a_bad_line_wins_over_a_refusal);
  tcase_add_test(cases, with_a_vocabulary_a_token_may_leave_out_its_bytes);
  tcase_add_test(cases, a_vocabulary_of_the_options_serves_lines_that_name_none);
  tcase_add_test(cases, a_token_at_odds_with_the_vocabulary_is_a_bad_line);
  tcase_add_test(cases, a_vocabulary_that_cannot_be_read_is_a_bad_line_each_time);
  tcase_add_test(cases, of_two_thousand_ids_on_a_line_each_has_its_own_bytes);
  tcase_add_test(cases, the_result_of_another_case_is_a_bad_line);
  tcase_add_test(cases, a_whole_result_is_read);
  tcase_add_test(cases, an_adapter_s_answer_is_read_alone);
  suite_add_tcase(suite, cases);
  TCase *lines = tcase_create("lines");
  tcase_add_loop_test(lines, a_line_that_is_no_json_names_the_column, 0, sizeof no_json / sizeof *no_json);
  tcase_add_test(lines, empty_lines_carriage_returns_a_mark_and_a_missing_newline_do_no_harm);
  tcase_add_test(lines, brackets_within_brackets_without_end_are_a_bad_line);
  tcase_add_test(lines, a_line_is_handed_out_before_the_next_is_awaited);
  tcase_add_test(lines, who_has_nothing_yet_is_waited_for);
  tcase_add_loop_test(lines, a_line_that_is_too_long_is_passed_over_and_the_next_one_read, 0, 4);
  tcase_add_test(lines, a_file_that_cannot_be_read_is_an_error);
  suite_add_tcase(suite, lines);
  return suite;
}
