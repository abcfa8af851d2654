/* Tests of the stream: it refuses what the core refuses, in the same words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refusal.h"
#include "stream_rig.h"
#include "test_stream.h"

void stream_refuses(const es_request *asked, const es_bounds *bounds) {
  char param[80], message[200];
  es_refusal at = es_request_check(asked, bounds);
  es_refusal_param(at, asked->flush.kind, param, sizeof param);
  int length = snprintf(message, sizeof message, "%s: ", param);
  es_refusal_sentence(at, es_refusal_look(at, asked, bounds), bounds, message + length,
                      sizeof message - (size_t)length);
  const es_stream_bounds same = {bounds->stops,        bounds->stop_bytes, bounds->all_stop_bytes, bounds->sequences,
                                 bounds->sequence_ids, bounds->ids,        bounds->repetition_ids, bounds->vocabulary};
  client_request client = client_request_of(asked);
  client.request.bounds = &same;
  size_t size = es_stream_size(&client.request);
  void *block = malloc(size);
  ck_assert_ptr_nonnull(block);
  es_stream *opened_stream = NULL;
  es_stream_refusal found;
  es_status status = es_stream_open(&opened_stream, block, size, &client.request, &found);
  if (at.fault == ES_FAULT_NONE) {
    ck_assert_msg(status == ES_OK, "expected no fault, found %s", found.message);
  } else {
    ck_assert_int_eq(status, ES_MISUSE);
    ck_assert_str_eq(found.param, param);
    ck_assert_str_eq(found.message, message);
  }
  client_request_forget(&client);
  free(block);
}

static uint64_t random_state;

static uint32_t below(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

/* A number that is a border more often than not. */
static uint32_t some(uint32_t border) {
  static const uint32_t far[] = {0, 1, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX};
  return below(20) == 0 ? far[below(5)] : below(2) ? border + below(3) - (border > 0) : below(border + 2);
}

START_TEST(R13_random_requests_are_refused_as_the_core_refuses_them) {
  const char *given = getenv("ES_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
  printf("stream: ES_SEED=%ju\n", (uintmax_t)seed);
  random_state = seed * 2 + 1;
  size_t faults[ES_MEMBER_NONE + 1] = {0};
  for (int i = 0; i < 10000; i++) {
    static const uint8_t text[] = "abc\xc3\xa9\xff";
    const es_bounds bounds = {3, 5, below(8) ? 9 : 4, 3, 3, 4, 12, below(2) ? 8 : ES_NO_LIMIT};
    uint32_t ids[8];
    es_stop stops[5];
    es_sequence sequences[5];
    for (size_t k = 0; k < 8; k++) ids[k] = below(12) == 0 ? some(8) : below(8);
    for (size_t k = 0; k < 5; k++) {
      stops[k] = (es_stop){below(2), below(8) ? 1 + below(4) : below(7),
                           below(8) ? 0 : (int32_t)(below(2) ? some(127) : 0 - some(128))};
      sequences[k] = (es_sequence){below(4), below(8) ? 1 + below(2) : below(5)};
    }
    es_request r = {.text = text, .stops = stops, .stop_ids = ids, .eos_ids = ids + 1, .sequence_ids = ids};
    r.sequences = sequences;
    r.stop_count = below(6) ? below(4) : below(6);
    r.stop_id_count = below(6) ? below(4) : below(6);
    r.eos_id_count = below(6) ? below(4) : below(6);
    r.sequence_count = below(6) ? below(4) : below(6);
    r.max_tokens = r.max_context = r.deadline_steps = ES_NO_LIMIT;
    if (below(2)) r.max_tokens = some(3);
    if (below(2)) r.min_tokens = some(3);
    if (below(2)) r.max_context = some(3);
    if (below(2)) r.deadline_steps = some(3);
    if (below(4) == 0) r.max_period = some(4);
    if (r.max_period || below(4) == 0) r.min_repeats = some(3);
    r.flush = (es_flush){(es_flush_kind)below(4), below(4) ? 1 : some(1)};
    faults[es_request_check(&r, &bounds).member]++;
    stream_refuses(&r, &bounds);
  }
  for (es_member m = 0; m <= ES_MEMBER_NONE; m++)
    if (m < ES_MEMBER_IGNORE_EOS || m > ES_MEMBER_SKIP_SPECIAL) ck_assert_msg(faults[m] > 0, "member %d", (int)m);
}
END_TEST

START_TEST(R13_a_sequence_is_refused_by_its_first_id_at_fault_wherever_it_stands) {
  static const uint32_t ids[][3] = {{8, 1, 2}, {1, 8, 2}, {1, 2, 8}, {7, 8, 9}, {8, 9, 8}, {1, UINT32_MAX, 8}};
  static const char *const found[] = {"found 8", "found 8", "found 8", "found 8", "found 8", "found 4294967295"};
  es_bounds bounds = es_default_bounds;
  bounds.vocabulary = 8;
  const es_sequence sequence = {0, 3};
  const es_request r = {.sequence_ids = ids[_i], .sequences = &sequence, .sequence_count = 1};
  char message[200];
  es_refusal at = {ES_FAULT_NOT_IN_VOCABULARY, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, 0, false};
  es_refusal_sentence(at, es_refusal_look(at, &r, &bounds), &bounds, message, sizeof message);
  const char *number = strstr(message, "found ");
  ck_assert_msg(number && strcmp(number, found[_i]) == 0, "expected %s, found: %s", found[_i], message);
}
END_TEST

TCase *stream_refuse_tests(void) {
  TCase *tests = tcase_create("refuse");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, R13_random_requests_are_refused_as_the_core_refuses_them);
  tcase_add_loop_test(tests, R13_a_sequence_is_refused_by_its_first_id_at_fault_wherever_it_stands, 0, 6);
  return tests;
}
