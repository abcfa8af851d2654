/* Tests of the stream: what its calls say, what a caller must not do, and what a client must not ask. */
#include <stddef.h>
#include <string.h>

#include "crc32c.h"
#include "endstop.h"
#include "test_stream.h"

static _Alignas(max_align_t) unsigned char memory[1 << 21];
static unsigned char before[sizeof memory];
static es_stream_request request;
static es_stream_refusal refusal;
static es_stream *stream;

static void begin(void) {
  request = (es_stream_request)ES_STREAM_REQUEST;
  stream = NULL;
  memset(memory, 0x5A, sizeof memory);
}

static es_status open_stream(void) {
  return es_stream_open(&stream, memory, sizeof memory, &request, &refusal);
}

static void opened(void) {
  ck_assert_msg(open_stream() == ES_OK, "refused: %s", refusal.message);
  ck_assert_str_eq(refusal.param, "");
  ck_assert_str_eq(refusal.message, "");
}

static es_status token(uint32_t id, const char *text) {
  return es_stream_token(stream, id, text, strlen(text), false);
}

/* A step of one token. */
static void step(const char *text) {
  ck_assert_int_eq(token(7, text), ES_OK);
  ck_assert_int_eq(es_stream_step(stream, NULL), ES_OK);
}

static void offers(const char *expected) {
  const char *text = NULL;
  size_t length = es_stream_text(stream, &text);
  ck_assert_uint_eq(length, strlen(expected));
  ck_assert_mem_eq(text, expected, length);
}

static void sends(const char *expected) {
  offers(expected);
  if (*expected) ck_assert_int_eq(es_stream_sent(stream, ES_SENT), ES_OK);
}

static void remember(void) {
  memcpy(before, memory, sizeof memory);
}

static void unchanged(void) {
  ck_assert_mem_eq(memory, before, sizeof memory);
}

#define MISUSE(call)                                                                                                   \
  do {                                                                                                                 \
    remember();                                                                                                        \
    ck_assert_int_eq(call, ES_MISUSE);                                                                                 \
    unchanged();                                                                                                       \
  } while (0)

static es_stream_end ended(const char *cause, const char *reason, uint32_t tokens) {
  es_stream_end end;
  ck_assert(es_stream_ended(stream));
  ck_assert(es_stream_terminal(stream, &end));
  ck_assert_str_eq(end.cause, cause);
  ck_assert_str_eq(end.finish_reason, reason);
  ck_assert_uint_eq(end.tokens, tokens);
  ck_assert(!es_stream_terminal(stream, &end));
  MISUSE(es_stream_token(stream, INT32_MAX + 1u, "x", 1, false));
  ck_assert_int_eq(token(7, "x"), ES_ENDED);
  ck_assert_int_eq(es_stream_step(stream, NULL), ES_ENDED);
  return end;
}

START_TEST(a_request_that_says_nothing_has_no_stops_and_no_limits) {
  const es_stream_request r = ES_STREAM_REQUEST;
  ck_assert(!r.stop && !r.stop_count && !r.stop_token_ids.ids && !r.stop_token_ids.count);
  ck_assert(!r.stop_token_sequences && !r.stop_token_sequence_count && !r.eos_token_ids.ids && !r.eos_token_ids.count);
  ck_assert(!r.ignore_eos && !r.include_stop_str_in_output && r.skip_special_tokens);
  ck_assert(r.min_tokens == 0 && r.max_tokens == ES_STREAM_NONE && r.max_context == ES_STREAM_NONE);
  ck_assert(r.prompt_tokens == 0 && r.deadline_steps == ES_STREAM_NONE && r.max_period == 0 && r.min_repeats == 0);
  ck_assert(r.flush == ES_STREAM_EACH_STEPS && r.flush_n == 1 && r.window == 4096 && !r.bounds);
  const es_bounds *b = &es_default_bounds;
  const es_stream_bounds *d = &es_stream_default_bounds;
  ck_assert(d->stops == b->stops && d->stop_bytes == b->stop_bytes && d->all_stop_bytes == b->all_stop_bytes);
  ck_assert(d->sequences == b->sequences && d->sequence_ids == b->sequence_ids && d->ids == b->ids);
  ck_assert(d->repetition_ids == b->repetition_ids && d->vocabulary == b->vocabulary);
  ck_assert_str_eq(es_version(), ES_VERSION);
}
END_TEST

START_TEST(an_answer_is_sent_piece_by_piece_and_ends_once) {
  const es_stream_stop stops[] = {{"END", 3, 0}};
  request.stop = stops, request.stop_count = 1, request.max_tokens = 64;
  opened();
  step("Hi \xf0\x9f");
  sends("Hi ");
  sends("");
  step("\x98\x8a E");
  sends("😊 ");
  ck_assert_int_eq(token(7, "ND of"), ES_OK);
  ck_assert(!es_stream_ended(stream));
  remember();
  ck_assert_int_eq(token(7, " it"), ES_ENDED); /* R8 */
  unchanged();
  ck_assert_int_eq(es_stream_step(stream, NULL), ES_OK);
  sends("");
  es_stream_end end = ended("stop_string", "stop", 3);
  ck_assert_uint_eq(end.stop_index, 0);
  ck_assert_uint_eq(end.stop_id, ES_STREAM_NONE);
  ck_assert_uint_eq(end.bytes, strlen("Hi 😊 "));
  ck_assert_uint_eq(end.crc32c, es_crc32c(0, (const uint8_t *)"Hi 😊 ", strlen("Hi 😊 ")));
}
END_TEST

START_TEST(R7_an_answer_without_room_for_a_token_is_over_at_once) {
  request.max_tokens = 0;
  opened();
  sends("");
  ended("max_tokens", "length", 0);
}
END_TEST

START_TEST(R9_boundary_0_is_a_step_of_its_own_or_passed_by_the_first_token) {
  const es_stream_event cancelled = {.abort = true};
  opened();
  ck_assert_int_eq(es_stream_step(stream, &cancelled), ES_OK);
  ended("abort", "abort", 0);
  request.deadline_steps = 0;
  opened();
  ck_assert_int_eq(token(7, "x"), ES_ENDED);
  ended("deadline", "timeout", 0);
  request.deadline_steps = 1;
  opened();
  step("x");
  sends("x");
  ended("deadline", "timeout", 1);
  opened();
  ck_assert_int_eq(es_stream_step(stream, NULL), ES_OK);
  step("x");
  sends("x");
  ended("deadline", "timeout", 1);
}
END_TEST

START_TEST(R16_an_external_end_has_its_own_cut_and_reason) {
  opened();
  step("{}");
  sends("{}");
  ck_assert_int_eq(token(7, " and"), ES_OK);
  const es_stream_event event = {.external = true, .cut = 3, .reason = "tool_calls"};
  ck_assert_int_eq(es_stream_step(stream, &event), ES_OK);
  sends(" ");
  ended("external", "tool_calls", 2);
}
END_TEST

START_TEST(R5_an_end_by_an_id_tells_the_id) {
  const uint32_t eos[] = {2};
  request.eos_token_ids = (es_stream_ids){eos, 1};
  opened();
  ck_assert_int_eq(es_stream_token(stream, 2, "</s>", 4, true), ES_OK);
  ck_assert_int_eq(es_stream_step(stream, NULL), ES_OK);
  ck_assert_uint_eq(ended("eos", "stop", 1).stop_id, 2);
}
END_TEST

START_TEST(R11_later_comes_again_with_the_next_step_and_gone_ends_without_a_terminal) {
  es_stream_end end;
  opened();
  step("a");
  offers("a");
  offers("a");
  ck_assert_int_eq(es_stream_sent(stream, ES_SEND_LATER), ES_OK);
  sends("");
  step("b");
  offers("ab");
  ck_assert_int_eq(es_stream_sent(stream, ES_CLIENT_GONE), ES_OK);
  ck_assert(es_stream_ended(stream));
  ck_assert(!es_stream_terminal(stream, &end));
  sends("");
  ck_assert_int_eq(token(7, "c"), ES_ENDED);
}
END_TEST

START_TEST(R11_a_step_that_tells_no_time_has_the_time_told_last) {
  request.flush = ES_STREAM_EACH_MS, request.flush_n = 10;
  opened();
  ck_assert_int_eq(token(7, "a"), ES_OK);
  ck_assert_int_eq(es_stream_step(stream, &(es_stream_event){.now = 100}), ES_OK);
  sends("");
  step("b");
  sends("");
  ck_assert_int_eq(es_stream_step(stream, &(es_stream_event){.now = 110}), ES_OK);
  sends("ab");
}
END_TEST

START_TEST(a_full_window_is_emptied_whatever_the_policy) {
  const es_stream_flush policies[] = {ES_STREAM_EACH_STEPS, ES_STREAM_EACH_BYTES, ES_STREAM_EACH_TOKENS,
                                      ES_STREAM_EACH_MS};
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    begin();
    request.flush = policies[i], request.flush_n = 1000, request.window = 5;
    opened();
    step("12345");
    sends("");
    ck_assert_int_eq(token(7, "6789"), ES_FULL);
    ck_assert_int_eq(token(7, "6789"), ES_FULL);
    ck_assert_uint_eq(es_stream_tokens(stream), 1);
    ck_assert_int_eq(es_stream_step(stream, NULL), ES_OK);
    sends("12345");
    step("6789");
    ck_assert_int_eq(es_stream_step(stream, &(es_stream_event){.abort = true}), ES_OK);
    sends("6789");
    ended("abort", "abort", 2);
  }
}
END_TEST

START_TEST(the_window_is_free_besides_what_is_held_back) {
  static char held[99], more[100];
  memset(held, 'a', sizeof held);
  memset(more, 'a', sizeof more);
  const es_stream_stop stops[] = {{"END", 3, 0}, {more, 100, 0}};
  request.window = 5, request.stop = stops, request.stop_count = 2;
  opened();
  ck_assert_int_eq(es_stream_token(stream, 7, held, sizeof held, false), ES_OK);
  ck_assert_int_eq(es_stream_step(stream, NULL), ES_OK);
  sends("");
  ck_assert_int_eq(token(7, "12345"), ES_OK);
  request.stop_count = 0;
  opened();
  step("\xf0\x9f\x98");
  sends("");
  step("\x8a"
       "1234");
  sends("😊1234");
}
END_TEST

START_TEST(two_streams_in_one_piece_of_memory_do_not_meet) {
  const es_stream_stop stops[] = {{"b", 1, 0}};
  es_stream *other = NULL;
  request.stop = stops, request.stop_count = 1;
  size_t size = es_stream_size(&request);
  opened();
  ck_assert_int_eq(es_stream_open(&other, memory + (size + 7) / 8 * 8, size, &request, NULL), ES_OK);
  es_stream *first = stream;
  step("a");
  stream = other;
  step("ab");
  sends("a");
  ended("stop_string", "stop", 1);
  stream = first;
  sends("a");
  ck_assert(!es_stream_ended(stream));
}
END_TEST

START_TEST(memory_must_be_there_and_aligned_and_large_enough) {
  size_t size = es_stream_size(&request);
  ck_assert_uint_eq(es_stream_size(NULL), 0);
  ck_assert_int_eq(es_stream_open(&stream, memory, size, &request, &refusal), ES_OK);
  stream = NULL;
  remember();
  ck_assert_int_eq(es_stream_open(&stream, memory, size - 1, &request, &refusal), ES_FULL);
  ck_assert_str_eq(refusal.param, "");
  ck_assert_uint_gt(strlen(refusal.message), 0);
  ck_assert_int_eq(es_stream_open(&stream, memory, size - 1, &request, NULL), ES_FULL);
  for (size_t offset = 1; offset < 8; offset++)
    ck_assert_int_eq(es_stream_open(&stream, memory + offset, size, &request, &refusal), ES_MISUSE);
  ck_assert_str_eq(refusal.param, "");
  ck_assert_int_eq(es_stream_open(&stream, NULL, size, &request, &refusal), ES_MISUSE);
  ck_assert_int_eq(es_stream_open(NULL, memory, size, &request, &refusal), ES_MISUSE);
  ck_assert_int_eq(es_stream_open(&stream, memory, size, NULL, &refusal), ES_MISUSE);
  ck_assert_uint_gt(strlen(refusal.message), 0);
  ck_assert_ptr_null(stream);
  unchanged();
}
END_TEST

static void lacks(void) {
  MISUSE(open_stream());
  ck_assert_str_eq(refusal.param, "");
  ck_assert_uint_gt(strlen(refusal.message), 0);
  es_stream_size(&request);
  begin();
}

START_TEST(a_list_that_is_not_there_is_misuse) {
  const es_stream_stop stop = {NULL, 1, 0};
  const es_stream_ids sequence = {NULL, 1};
  request.stop_count = 1;
  lacks();
  request.stop = &stop, request.stop_count = 1;
  lacks();
  request.stop_token_ids.count = 1;
  lacks();
  request.stop_token_sequence_count = 1;
  lacks();
  request.stop_token_sequences = &sequence, request.stop_token_sequence_count = 1;
  lacks();
  request.eos_token_ids.count = 1;
  lacks();
}
END_TEST

START_TEST(calls_out_of_order_or_without_a_stream_are_misuse_and_change_nothing) {
  const char *text;
  es_stream_end end;
  opened();
  MISUSE(es_stream_sent(stream, ES_SENT));
  MISUSE(es_stream_token(stream, 7, NULL, 1, false));
  MISUSE(es_stream_token(stream, (uint32_t)INT32_MAX + 1, "a", 1, false));
  MISUSE(es_stream_token(stream, ES_NO_ID - 1, "a", 1, false));
  ck_assert_int_eq(es_stream_token(stream, INT32_MAX, NULL, 0, false), ES_OK);
  step("a");
  MISUSE(es_stream_sent(stream, ES_SENT)); /* there is text, and it was not asked for */
  offers("a");
  MISUSE(es_stream_sent(stream, (es_delivery)3));
  MISUSE(es_stream_step(stream, &(es_stream_event){.external = true}));
  ck_assert_int_eq(es_stream_sent(stream, ES_SENT), ES_OK);
  MISUSE(es_stream_sent(stream, ES_SENT));
  MISUSE(es_stream_token(NULL, 7, "a", 1, false));
  MISUSE(es_stream_step(NULL, NULL));
  MISUSE(es_stream_sent(NULL, ES_SENT));
  ck_assert(es_stream_ended(NULL));
  ck_assert(!es_stream_terminal(NULL, &end) && !es_stream_terminal(stream, &end));
  ck_assert_uint_eq(es_stream_text(NULL, &text), 0);
  ck_assert_uint_eq(es_stream_text(stream, NULL), 0);
  ck_assert_uint_eq(es_stream_tokens(NULL), 0);
  ck_assert_int_eq(es_stream_step(stream, &(es_stream_event){.abort = true}), ES_OK);
  ck_assert(!es_stream_terminal(stream, NULL));
  ended("abort", "abort", 2);
}
END_TEST

START_TEST(tokens_without_ids_are_misuse_where_the_request_speaks_of_ids) {
  const uint32_t ids[] = {5, 6};
  const es_stream_ids list = {ids, 2};
  opened();
  ck_assert_int_eq(token(ES_NO_ID, "a"), ES_OK);
  request.stop_token_ids = list;
  opened();
  MISUSE(token(ES_NO_ID, "a"));
  begin();
  request.eos_token_ids = list;
  opened();
  MISUSE(token(ES_NO_ID, "a"));
  begin();
  request.stop_token_sequences = &list, request.stop_token_sequence_count = 1;
  opened();
  MISUSE(token(ES_NO_ID, "a"));
  begin();
  request.max_period = 1, request.min_repeats = 2;
  opened();
  MISUSE(token(ES_NO_ID, "a"));
}
END_TEST

static void refused(const char *param, const char *message) {
  MISUSE(open_stream());
  ck_assert_str_eq(refusal.param, param);
  ck_assert_str_eq(refusal.message, message);
  ck_assert_int_eq(es_stream_open(&stream, memory, 0, &request, NULL), ES_MISUSE);
}

START_TEST(R13_nothing_beyond_the_bounds_is_looked_at) {
  static char text[1025];
  memset(text, 'a', sizeof text);
  es_stream_stop stop = {text, 1024, 0};
  const uint32_t ids[] = {1, 2};
  es_stream_ids sequence = {ids, SIZE_MAX};
  request.stop = &stop, request.stop_count = 1;
  opened();
  stop.length = 1025;
  refused("stop[0]", "stop[0]: expected a stop string of at most 1024 bytes, found 1025");
  stop.length = SIZE_MAX;
  ck_assert_uint_lt(es_stream_size(&request), 1 << 16);
  refused("stop[0]", "stop[0]: expected a stop string of at most 1024 bytes, found 4294967295");
  request.stop = NULL, request.stop_count = 0;
  request.stop_token_sequences = &sequence, request.stop_token_sequence_count = 1;
  ck_assert_uint_lt(es_stream_size(&request), 1 << 16);
  refused("stop_token_sequences[0]",
          "stop_token_sequences[0]: expected a sequence of at most 16 ids, found 4294967295");
  request.stop_token_sequence_count = 0;
  request.stop_token_ids = (es_stream_ids){ids, SIZE_MAX};
  ck_assert_uint_lt(es_stream_size(&request), 1 << 16);
  refused("stop_token_ids", "stop_token_ids: expected at most 256 ids, found 4294967295");
  request.stop_token_ids.count = 0;
  request.max_period = INT32_MAX, request.min_repeats = 2;
  ck_assert_uint_lt(es_stream_size(&request), 1 << 16);
  refused("repetition", "repetition: expected max_period × min_repeats of at most 4096, found 4294967294");
}
END_TEST

START_TEST(R13_the_memory_for_stops_is_that_of_all_that_may_be_asked) {
  static char text[1024];
  es_stream_stop stops[64];
  for (size_t i = 0; i < 64; i++) stops[i] = (es_stream_stop){text, 1024, 0};
  request.stop = stops, request.stop_count = 16;
  size_t size = es_stream_size(&request);
  request.stop_count = 64;
  ck_assert_uint_lt(es_stream_size(&request), size + 5000);
  request.stop_count = SIZE_MAX;
  ck_assert_uint_lt(es_stream_size(&request), size + 5000);
}
END_TEST

START_TEST(R13_the_servers_own_numbers_come_last) {
  request.prompt_tokens = (uint32_t)INT32_MAX + 1, request.window = (1u << 30) + 1;
  refused("prompt_tokens", "prompt_tokens: expected at most 2147483647, found 2147483648");
  request.prompt_tokens = INT32_MAX;
  refused("window", "window: expected at most 1073741824, found 1073741825");
  request.flush = (es_stream_flush)4;
  refused("flush", "flush: expected one of `steps`, `bytes`, `tokens` and `ms`, found none");
  request.min_tokens = 2, request.max_tokens = 1;
  refused("flush", "flush: expected one of `steps`, `bytes`, `tokens` and `ms`, found none");
  request.flush = ES_STREAM_EACH_TOKENS, request.flush_n = 0;
  refused("flush.tokens", "flush.tokens: expected at least 1, found 0");
  request.flush_n = 1;
  refused("min_tokens", "min_tokens: expected at most `max_tokens`, which is 1, found 2");
}
END_TEST

START_TEST(R13_an_id_outside_the_vocabulary_is_refused) {
  es_stream_bounds bounds = es_stream_default_bounds;
  const uint32_t ids[] = {99, 100};
  const es_stream_ids sequence = {ids, 2};
  bounds.vocabulary = 100;
  request.bounds = &bounds;
  request.eos_token_ids = (es_stream_ids){ids, 1};
  opened();
  request.eos_token_ids.count = 2;
  refused("eos_token_ids[1]", "eos_token_ids[1]: expected ids below 100, the vocabulary's, found 100");
  request.stop_token_sequences = &sequence, request.stop_token_sequence_count = 1;
  refused("stop_token_sequences[0]", "stop_token_sequences[0]: expected ids below 100, the vocabulary's, found 100");
  bounds.vocabulary = ES_STREAM_NONE;
  opened();
}
END_TEST

START_TEST(bounds_go_no_further_than_the_core_counts) {
  static char text[65536];
  const es_stream_bounds largest = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX,
                                    UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  es_stream_stop stop = {text, 65535, 0};
  memset(text, 'a', sizeof text);
  request.bounds = &largest, request.stop = &stop, request.stop_count = 1, request.window = 65535;
  opened();
  ck_assert_int_eq(es_stream_token(stream, 7, text, 65535, false), ES_OK);
  ck_assert_int_eq(es_stream_step(stream, NULL), ES_OK);
  ended("stop_string", "stop", 1);
  stop.length = 65536;
  refused("stop[0]", "stop[0]: expected a stop string of at most 65535 bytes, found 65536");
  stop.length = SIZE_MAX;
  ck_assert_uint_le(es_stream_size(&request), sizeof memory);
  request.window = UINT32_MAX;
  ck_assert_uint_gt(es_stream_size(&request), UINT32_MAX);
  request.max_period = INT32_MAX, request.min_repeats = 1;
  ck_assert_uint_gt(es_stream_size(&request), UINT32_MAX);
}
END_TEST

TCase *stream_use_tests(void) {
  TCase *tests = tcase_create("use");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, begin, NULL);
  tcase_add_test(tests, a_request_that_says_nothing_has_no_stops_and_no_limits);
  tcase_add_test(tests, an_answer_is_sent_piece_by_piece_and_ends_once);
  tcase_add_test(tests, R7_an_answer_without_room_for_a_token_is_over_at_once);
  tcase_add_test(tests, R9_boundary_0_is_a_step_of_its_own_or_passed_by_the_first_token);
  tcase_add_test(tests, R16_an_external_end_has_its_own_cut_and_reason);
  tcase_add_test(tests, R5_an_end_by_an_id_tells_the_id);
  tcase_add_test(tests, R11_later_comes_again_with_the_next_step_and_gone_ends_without_a_terminal);
  tcase_add_test(tests, R11_a_step_that_tells_no_time_has_the_time_told_last);
  tcase_add_test(tests, a_full_window_is_emptied_whatever_the_policy);
  tcase_add_test(tests, the_window_is_free_besides_what_is_held_back);
  tcase_add_test(tests, two_streams_in_one_piece_of_memory_do_not_meet);
  tcase_add_test(tests, memory_must_be_there_and_aligned_and_large_enough);
  tcase_add_test(tests, a_list_that_is_not_there_is_misuse);
  tcase_add_test(tests, calls_out_of_order_or_without_a_stream_are_misuse_and_change_nothing);
  tcase_add_test(tests, tokens_without_ids_are_misuse_where_the_request_speaks_of_ids);
  tcase_add_test(tests, R13_nothing_beyond_the_bounds_is_looked_at);
  tcase_add_test(tests, R13_the_memory_for_stops_is_that_of_all_that_may_be_asked);
  tcase_add_test(tests, R13_the_servers_own_numbers_come_last);
  tcase_add_test(tests, R13_an_id_outside_the_vocabulary_is_refused);
  tcase_add_test(tests, bounds_go_no_further_than_the_core_counts);
  return tests;
}
