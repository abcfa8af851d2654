/* The writer and the buffer: what is written is what formats.md says, and what the reader reads back. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "reader_parts.h"
#include "writer.h"

#define SPAN(text) ((es_span){text, sizeof(text) - 1})

static void assert_written(es_buffer *out, const char *expected) {
  ck_assert(!out->failed);
  ck_assert_uint_eq(out->length, strlen(expected));
  ck_assert_mem_eq(out->data, expected, out->length);
  es_buffer_free(out);
}

static const es_delta two[] = {{{"Hi \"", 4}, true}, {{"\xff\x00", 2}, false}};
static const uint32_t ids[] = {0, 4294967295u};
static const uint64_t delta_steps[] = {1, 18446744073709551615u};

static es_result everything(void) {
  return (es_result){.id = SPAN("a"),
                     .has_deltas = true,
                     .deltas = two,
                     .delta_count = 2,
                     .has_delta_steps = true,
                     .delta_steps = delta_steps,
                     .text = SPAN("\xff"),
                     .text_valid = false,
                     .has_finish_reason = true,
                     .finish_reason = SPAN("stop"),
                     .cause = SPAN("eos"),
                     .stop_reason_kind = ES_REASON_IDS,
                     .stop_reason_ids = ids,
                     .stop_reason_count = 2,
                     .has_tokens = true,
                     .tokens = 3,
                     .has_token_ids = true,
                     .token_ids = ids,
                     .token_id_count = 2,
                     .has_stop_index = true,
                     .stop_index = 0,
                     .has_terminal = true,
                     .terminal_bytes = 8,
                     .terminal_crc32c = 0x00ffa1b2,
                     .has_terminals = true,
                     .terminals = 1,
                     .param = SPAN("stop[1]"),
                     .message = SPAN("m")};
}

START_TEST(a_result_has_its_members_in_order) {
  es_buffer out = {0};
  es_result result = everything();
  es_write_result(&out, &result);
  assert_written(&out, "{\"case\":\"a\",\"deltas\":[\"Hi \\\"\",{\"hex\":\"ff00\"}],\"text\":{\"hex\":\"ff\"},"
                       "\"finish_reason\":\"stop\",\"cause\":\"eos\",\"stop_reason\":[0,4294967295],\"tokens\":3,"
                       "\"token_ids\":[0,4294967295],\"stop_index\":0,\"delta_steps\":[1,18446744073709551615],"
                       "\"terminal\":{\"bytes\":8,\"crc32c\":\"00ffa1b2\"},\"terminals\":1,\"param\":\"stop[1]\","
                       "\"message\":\"m\"}\n");
}
END_TEST

START_TEST(absent_members_are_left_out) {
  es_buffer out = {0};
  es_result result = {.id = SPAN("a")};
  es_write_result(&out, &result);
  assert_written(&out, "{\"case\":\"a\"}\n");
  result.unsupported = SPAN("needs times");
  es_write_result(&out, &result);
  assert_written(&out, "{\"case\":\"a\",\"unsupported\":\"needs times\"}\n");
}
END_TEST

START_TEST(R12_a_lane_that_stays_open_has_a_null_reason_and_empty_lists) {
  es_buffer out = {0};
  es_result result = {.id = SPAN("a"),
                      .has_deltas = true,
                      .text = SPAN(""),
                      .text_valid = true,
                      .has_finish_reason = true,
                      .cause = SPAN("open"),
                      .stop_reason_kind = ES_REASON_NULL,
                      .has_tokens = true,
                      .has_token_ids = true};
  es_write_result(&out, &result);
  assert_written(&out, "{\"case\":\"a\",\"deltas\":[],\"text\":\"\",\"finish_reason\":null,\"cause\":\"open\","
                       "\"stop_reason\":null,\"tokens\":0,\"token_ids\":[]}\n");
}
END_TEST

START_TEST(a_stop_reason_is_a_text_or_an_id) {
  es_buffer out = {0};
  es_result result = {.id = SPAN("a"), .stop_reason_kind = ES_REASON_TEXT, .stop_reason = SPAN("")};
  es_write_result(&out, &result);
  assert_written(&out, "{\"case\":\"a\",\"stop_reason\":\"\"}\n");
  result = (es_result){.id = SPAN("a"), .stop_reason_kind = ES_REASON_ID, .stop_reason_ids = ids + 1};
  es_write_result(&out, &result);
  assert_written(&out, "{\"case\":\"a\",\"stop_reason\":4294967295}\n");
}
END_TEST

START_TEST(a_verdict_always_lists_its_faults) {
  es_buffer out = {0};
  es_verdict verdict = {.id = SPAN("a"), .kind = ES_CONFORMS};
  es_write_verdict(&out, &verdict);
  assert_written(&out, "{\"format\":1,\"case\":\"a\",\"verdict\":\"conforms\",\"faults\":[]}\n");
  es_finding findings[] = {{.rule = "R10",
                            .kind = ES_KIND_LEAK,
                            .has_step = true,
                            .step = 4,
                            .has_byte = true,
                            .byte = 17,
                            .expected = SPAN("a"),
                            .actual = SPAN("a\n"),
                            .why = SPAN("why")},
                           {.rule = "R12", .kind = ES_KIND_LEAK, .why = SPAN("")}};
  verdict = (es_verdict){.id = SPAN("a"), .kind = ES_VIOLATES, .findings = findings, .count = 2};
  es_write_verdict(&out, &verdict);
  assert_written(&out, "{\"format\":1,\"case\":\"a\",\"verdict\":\"violates\",\"faults\":["
                       "{\"rule\":\"R10\",\"kind\":\"leak\",\"by\":\"rule\",\"step\":4,\"byte\":17,\"expected\":\"a\","
                       "\"actual\":\"a\\n\",\"why\":\"why\"},"
                       "{\"rule\":\"R12\",\"kind\":\"leak\",\"by\":\"rule\",\"why\":\"\"}]}\n");
}
END_TEST

START_TEST(what_is_written_is_read_back) {
  es_buffer out = {0}, again = {0};
  es_result result = everything(), back;
  es_bad_line bad;
  static const uint32_t small[] = {0, 2147483647};
  static const uint64_t rising[] = {1, 9007199254740992};
  char bytes[0x80 + 4];
  for (int i = 0; i < 0x80; i++) bytes[i] = (char)i; /* every control character */
  memcpy(bytes + 0x80, "\xf0\x9f\x98\x8a", 4);
  result.message = (es_span){bytes, sizeof bytes};
  result.stop_reason_ids = result.token_ids = small;
  result.delta_steps = rising;
  es_write_result(&out, &result);
  FILE *file = tmpfile();
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(out.data, 1, out.length, file), out.length);
  rewind(file);
  es_reader *reader = es_reader_new(file, (es_reader_options){.strict = true});
  ck_assert_msg(es_reader_next_result(reader, &back, &bad) == ES_LINE_CASE, "%s: %s", bad.member, bad.message);
  ck_assert_uint_eq(back.message.length, sizeof bytes);
  ck_assert_mem_eq(back.message.data, bytes, sizeof bytes);
  es_write_result(&again, &back);
  ck_assert_uint_eq(again.length, out.length);
  ck_assert_mem_eq(again.data, out.data, out.length);
  es_reader_free(reader);
  fclose(file);
  es_buffer_free(&out);
  es_buffer_free(&again);
}
END_TEST

START_TEST(a_buffer_grows_and_is_cleared) {
  es_buffer buffer = {0};
  for (unsigned i = 0; i < 1000; i++) es_buffer_format(&buffer, "%03u", i);
  ck_assert_uint_eq(buffer.length, 3000);
  ck_assert_mem_eq(buffer.data + 2994, "998999", 6);
  es_buffer_clear(&buffer);
  ck_assert_uint_eq(buffer.length, 0);
  es_buffer_number(&buffer, 0);
  es_buffer_number(&buffer, UINT64_MAX);
  assert_written(&buffer, "018446744073709551615");
}
END_TEST

START_TEST(a_buffer_without_memory_says_so_and_keeps_still) {
  es_buffer buffer = {0};
  es_buffer_text(&buffer, "a");
  es_buffer_json_string(&buffer, "b", SIZE_MAX / 2); /* refused before it is looked at */
  ck_assert(buffer.failed);
  es_buffer_text(&buffer, "c");
  ck_assert_uint_eq(buffer.length, 1);
  es_buffer_free(&buffer);
}
END_TEST

Suite *writer_suite(void);

Suite *writer_suite(void) {
  Suite *suite = suite_create("writer");
  TCase *all = tcase_create("all");
  tcase_add_test(all, a_result_has_its_members_in_order);
  tcase_add_test(all, absent_members_are_left_out);
  tcase_add_test(all, R12_a_lane_that_stays_open_has_a_null_reason_and_empty_lists);
  tcase_add_test(all, a_stop_reason_is_a_text_or_an_id);
  tcase_add_test(all, a_verdict_always_lists_its_faults);
  tcase_add_test(all, what_is_written_is_read_back);
  tcase_add_test(all, a_buffer_grows_and_is_cleared);
  tcase_add_test(all, a_buffer_without_memory_says_so_and_keeps_still);
  suite_add_tcase(suite, all);
  return suite;
}
