/* Tests of request: every bound of R13 at its border, and every fault next to every other in their order. */
#include <check.h>
#include <string.h>

#include "request.h"

Suite *request_suite(void);

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define TOO_LARGE ((uint32_t)INT32_MAX + 1)

static uint8_t text[1025];
static es_stop stops[65];
static uint32_t ids[257], eos[257], sequence_ids[17];
static es_sequence sequences[65];
static es_request request;

/* A request at all of its bounds at once. */
static void begin(void) {
  memset(text, 'a', sizeof text);
  for (uint32_t i = 0; i < COUNT(stops); i++) stops[i] = (es_stop){0, 256, i % 2 ? 127 : -128};
  for (uint32_t i = 0; i < COUNT(ids); i++) ids[i] = eos[i] = INT32_MAX;
  for (uint32_t i = 0; i < COUNT(sequence_ids); i++) sequence_ids[i] = INT32_MAX;
  for (uint32_t i = 0; i < COUNT(sequences); i++) sequences[i] = (es_sequence){0, 16};
  request = (es_request){.text = text,
                         .stops = stops,
                         .stop_count = 64,
                         .stop_ids = ids,
                         .stop_id_count = 256,
                         .sequence_ids = sequence_ids,
                         .sequences = sequences,
                         .sequence_count = 64,
                         .eos_ids = eos,
                         .eos_id_count = 256,
                         .min_tokens = INT32_MAX,
                         .max_tokens = INT32_MAX,
                         .max_context = INT32_MAX,
                         .deadline_steps = INT32_MAX,
                         .max_period = 2048,
                         .min_repeats = 2,
                         .flush = {ES_FLUSH_MS, INT32_MAX}};
}

static void refused(es_fault fault, es_member member, es_phase phase, uint32_t index, bool pair) {
  es_refusal found = es_request_check(&request, &es_default_bounds);
  ck_assert_int_eq(found.fault, fault);
  ck_assert_int_eq(found.member, member);
  ck_assert_int_eq(found.phase, phase);
  ck_assert_uint_eq(found.index, index);
  ck_assert(found.pair == pair);
}

static void taken(void) {
  refused(ES_FAULT_NONE, ES_MEMBER_NONE, ES_PHASE_COUNT, 0, false);
}

START_TEST(R13_a_request_at_all_bounds_is_taken) {
  taken();
}
END_TEST

START_TEST(R13_an_empty_request_is_taken) {
  request = (es_request){.max_tokens = ES_NO_LIMIT,
                         .max_context = ES_NO_LIMIT,
                         .deadline_steps = ES_NO_LIMIT,
                         .flush = {ES_FLUSH_STEPS, 1}};
  taken();
  request.max_tokens = request.max_context = request.deadline_steps = 0;
  taken();
}
END_TEST

START_TEST(R13_64_stops_are_taken_and_65_are_too_many) {
  request.stop_count = 65;
  refused(ES_FAULT_TOO_MANY, ES_MEMBER_STOP, ES_PHASE_COUNT, 0, false);
}
END_TEST

START_TEST(R13_an_empty_stop_is_refused_at_its_index) {
  for (uint32_t i = 0; i < 64; i++) {
    stops[i].length = 0;
    refused(ES_FAULT_EMPTY, ES_MEMBER_STOP, ES_PHASE_ELEMENT, i, false);
    stops[i].length = 1;
  }
  taken();
}
END_TEST

START_TEST(R13_a_stop_of_1024_bytes_is_taken_and_of_1025_is_too_long) {
  request.stop_count = 16; /* 16 × 1,024 = 16,384 */
  for (uint32_t i = 0; i < 16; i++) stops[i].length = 1024;
  taken();
  stops[15].length = 1025;
  stops[0].length = 1;
  refused(ES_FAULT_TOO_LONG, ES_MEMBER_STOP, ES_PHASE_ELEMENT, 15, false);
}
END_TEST

START_TEST(R13_stops_of_16384_bytes_in_all_are_taken_and_one_more_is_too_long) {
  stops[63].length++;
  refused(ES_FAULT_TOTAL, ES_MEMBER_STOP, ES_PHASE_TOTAL, 0, false);
  stops[0].length--;
  taken();
}
END_TEST

START_TEST(R13_a_stop_that_is_no_UTF8_is_refused) {
  text[1024] = 0xC3;
  stops[63] = (es_stop){1024, 1, 0};
  refused(ES_FAULT_NOT_UTF8, ES_MEMBER_STOP, ES_PHASE_ELEMENT, 63, false);
  text[1023] = 0xC3;
  text[1024] = 0xA4;
  refused(ES_FAULT_NOT_UTF8, ES_MEMBER_STOP, ES_PHASE_ELEMENT, 63, false);
  stops[63] = (es_stop){1023, 2, 0};
  taken();
}
END_TEST

START_TEST(R13_a_priority_outside_a_signed_byte_is_refused) {
  static const int32_t outside[] = {-129, 128, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < COUNT(outside); i++) {
    stops[5].priority = outside[i];
    refused(ES_FAULT_PRIORITY, ES_MEMBER_STOP, ES_PHASE_ELEMENT, 5, false);
  }
}
END_TEST

static void check_id_list(uint32_t *list, uint32_t *count, es_member member) {
  *count = 257;
  refused(ES_FAULT_TOO_MANY, member, ES_PHASE_COUNT, 0, false);
  *count = 256;
  list[255] = TOO_LARGE;
  refused(ES_FAULT_TOO_LARGE, member, ES_PHASE_ELEMENT, 255, false);
  list[0] = UINT32_MAX;
  refused(ES_FAULT_TOO_LARGE, member, ES_PHASE_ELEMENT, 0, false);
}

START_TEST(R13_256_ids_up_to_2_31_less_one_are_a_list) {
  check_id_list(eos, &request.eos_id_count, ES_MEMBER_EOS_TOKEN_IDS);
  check_id_list(ids, &request.stop_id_count, ES_MEMBER_STOP_TOKEN_IDS);
}
END_TEST

START_TEST(R13_64_sequences_of_1_to_16_ids_are_taken) {
  sequences[63] = (es_sequence){16, 1};
  taken();
  sequence_ids[16] = TOO_LARGE;
  refused(ES_FAULT_TOO_LARGE, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, 63, false);
  sequences[63] = (es_sequence){1, 16}; /* at fault in its last id */
  refused(ES_FAULT_TOO_LARGE, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, 63, false);
  sequences[63].length = 0;
  refused(ES_FAULT_EMPTY, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, 63, false);
  sequences[62] = (es_sequence){0, 17};
  refused(ES_FAULT_TOO_LONG, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_ELEMENT, 62, false);
  request.sequence_count = 65;
  refused(ES_FAULT_TOO_MANY, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_COUNT, 0, false);
}
END_TEST

static void check_limit(uint32_t *number, es_member member, bool none) {
  static const uint32_t large[] = {TOO_LARGE, ES_NO_LIMIT - 1, ES_NO_LIMIT};
  uint32_t before = *number;
  for (size_t i = 0; i < COUNT(large); i++) {
    *number = large[i];
    if (none && large[i] == ES_NO_LIMIT)
      taken();
    else
      refused(ES_FAULT_TOO_LARGE, member, ES_PHASE_ELEMENT, 0, false);
  }
  *number = before;
}

START_TEST(R13_numbers_above_2_31_less_one_are_refused_and_no_limit_is_none) {
  check_limit(&request.min_tokens, ES_MEMBER_MIN_TOKENS, false);
  check_limit(&request.max_tokens, ES_MEMBER_MAX_TOKENS, true);
  check_limit(&request.max_context, ES_MEMBER_MAX_CONTEXT, true);
  check_limit(&request.deadline_steps, ES_MEMBER_DEADLINE_STEPS, true);
  check_limit(&request.flush.n, ES_MEMBER_FLUSH, false);
  request.flush.n = 0;
  refused(ES_FAULT_TOO_SMALL, ES_MEMBER_FLUSH, ES_PHASE_ELEMENT, 0, false);
}
END_TEST

START_TEST(R13_repetition_names_the_member_at_fault) {
  static const struct {
    uint32_t max_period, min_repeats;
    es_fault fault;
    es_phase phase;
    uint32_t index;
  } rows[] = {
      {0, 2, ES_FAULT_TOO_SMALL, ES_PHASE_ELEMENT, 0},         {0, 1, ES_FAULT_TOO_SMALL, ES_PHASE_ELEMENT, 0},
      {TOO_LARGE, 0, ES_FAULT_TOO_LARGE, ES_PHASE_ELEMENT, 0}, {1, 0, ES_FAULT_TOO_SMALL, ES_PHASE_ELEMENT, 1},
      {1, 1, ES_FAULT_TOO_SMALL, ES_PHASE_ELEMENT, 1},         {1, TOO_LARGE, ES_FAULT_TOO_LARGE, ES_PHASE_ELEMENT, 1},
      {1, 4097, ES_FAULT_TOO_LARGE, ES_PHASE_TOTAL, 0},        {65536, 65536, ES_FAULT_TOO_LARGE, ES_PHASE_TOTAL, 0},
      {INT32_MAX, 2, ES_FAULT_TOO_LARGE, ES_PHASE_TOTAL, 0},   {1, INT32_MAX, ES_FAULT_TOO_LARGE, ES_PHASE_TOTAL, 0}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    request.max_period = rows[i].max_period;
    request.min_repeats = rows[i].min_repeats;
    refused(rows[i].fault, ES_MEMBER_REPETITION, rows[i].phase, rows[i].index, rows[i].phase == ES_PHASE_TOTAL);
  }
  request.max_period = 1;
  request.min_repeats = 4096;
  taken();
  request.max_period = request.min_repeats = 0;
  taken();
}
END_TEST

START_TEST(R13_min_tokens_above_max_tokens_is_refused_and_equal_is_taken) {
  request.min_tokens = request.max_tokens = 1;
  taken();
  request.min_tokens = 2;
  refused(ES_FAULT_MIN_ABOVE_MAX, ES_MEMBER_MIN_TOKENS, ES_PHASE_TOTAL, 0, true);
  request.max_tokens = ES_NO_LIMIT;
  taken();
  request.min_tokens = request.max_tokens = 0;
  taken();
}
END_TEST

START_TEST(R13_bounds_are_settable) {
  es_bounds none = {0, 0, 0, 0, 0, 0, 0, 0}, exact = {64, 256, 16384, 64, 16, 256, 4096, (uint32_t)INT32_MAX + 1};
  ck_assert_int_eq(es_request_check(&request, &exact).fault, ES_FAULT_NONE);
  struct {
    uint32_t *bound;
    es_fault fault;
    es_member member;
  } rows[] = {{&exact.stops, ES_FAULT_TOO_MANY, ES_MEMBER_STOP},
              {&exact.stop_bytes, ES_FAULT_TOO_LONG, ES_MEMBER_STOP},
              {&exact.all_stop_bytes, ES_FAULT_TOTAL, ES_MEMBER_STOP},
              {&exact.sequences, ES_FAULT_TOO_MANY, ES_MEMBER_STOP_TOKEN_SEQUENCES},
              {&exact.sequence_ids, ES_FAULT_TOO_LONG, ES_MEMBER_STOP_TOKEN_SEQUENCES},
              {&exact.ids, ES_FAULT_TOO_MANY, ES_MEMBER_STOP_TOKEN_IDS},
              {&exact.repetition_ids, ES_FAULT_TOO_LARGE, ES_MEMBER_REPETITION},
              {&exact.vocabulary, ES_FAULT_NOT_IN_VOCABULARY, ES_MEMBER_STOP_TOKEN_IDS}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    (*rows[i].bound)--;
    es_refusal found = es_request_check(&request, &exact);
    ck_assert_int_eq(found.fault, rows[i].fault);
    ck_assert_int_eq(found.member, rows[i].member);
    (*rows[i].bound)++;
  }
  request = (es_request){.max_tokens = ES_NO_LIMIT, .flush = {ES_FLUSH_STEPS, 1}};
  ck_assert_int_eq(es_request_check(&request, &none).fault, ES_FAULT_NONE);
}
END_TEST

static void unknown_to(uint32_t vocabulary, es_fault fault, es_member member, uint32_t index) {
  es_bounds bounds = es_default_bounds;
  bounds.vocabulary = vocabulary;
  es_refusal found = es_request_check(&request, &bounds);
  ck_assert_int_eq(found.fault, fault);
  ck_assert_int_eq(found.member, member);
  ck_assert_uint_eq(found.index, index);
}

START_TEST(R13_an_id_below_the_vocabulary_is_taken_and_the_next_is_refused_at_its_index) {
  for (uint32_t i = 0; i < COUNT(ids); i++) ids[i] = eos[i] = 1000;
  for (uint32_t i = 0; i < COUNT(sequence_ids); i++) sequence_ids[i] = 1000;
  struct {
    uint32_t *id;
    es_member member;
    uint32_t index;
  } rows[] = {{ids, ES_MEMBER_STOP_TOKEN_IDS, 0},
              {ids + 255, ES_MEMBER_STOP_TOKEN_IDS, 255},
              {sequence_ids, ES_MEMBER_STOP_TOKEN_SEQUENCES, 0},
              {sequence_ids + 15, ES_MEMBER_STOP_TOKEN_SEQUENCES, 0},
              {sequence_ids + 16, ES_MEMBER_STOP_TOKEN_SEQUENCES, 63},
              {eos, ES_MEMBER_EOS_TOKEN_IDS, 0},
              {eos + 255, ES_MEMBER_EOS_TOKEN_IDS, 255}};
  sequences[63].offset = 1;
  for (size_t i = 0; i < COUNT(rows); i++) {
    unknown_to(1001, ES_FAULT_NONE, ES_MEMBER_NONE, 0);
    *rows[i].id = 1001;
    unknown_to(1001, ES_FAULT_NOT_IN_VOCABULARY, rows[i].member, rows[i].index);
    unknown_to(1002, ES_FAULT_NONE, ES_MEMBER_NONE, 0);
    unknown_to(ES_NO_LIMIT, ES_FAULT_NONE, ES_MEMBER_NONE, 0);
    *rows[i].id = 1000;
  }
  unknown_to(0, ES_FAULT_NOT_IN_VOCABULARY, ES_MEMBER_STOP_TOKEN_IDS, 0);
}
END_TEST

START_TEST(R13_an_id_that_no_vocabulary_has_is_too_large_with_and_without_one) {
  ids[0] = TOO_LARGE;
  unknown_to(TOO_LARGE, ES_FAULT_TOO_LARGE, ES_MEMBER_STOP_TOKEN_IDS, 0);
  unknown_to(ES_NO_LIMIT - 1, ES_FAULT_TOO_LARGE, ES_MEMBER_STOP_TOKEN_IDS, 0);
}
END_TEST

/* One fault each, in the order in which they are reported; each leaves those before it as they are. */
static void stops_many(void) {
  request.stop_count = 65;
}
static void stop_first(void) {
  stops[0].length = 0;
}
static void stop_second(void) {
  stops[1].priority = 128;
}
static void stops_long(void) {
  stops[2].length = 1024;
}
static void ids_many(void) {
  request.stop_id_count = 257;
}
static void id_first(void) {
  ids[0] = TOO_LARGE;
}
static void id_last(void) {
  ids[255] = TOO_LARGE;
}
static void sequences_many(void) {
  request.sequence_count = 65;
}
static void sequence_first(void) {
  sequences[0].length = 17;
}
static void sequence_last(void) {
  sequences[63].length = 0;
}
static void eos_many(void) {
  request.eos_id_count = 257;
}
static void eos_first(void) {
  eos[0] = TOO_LARGE;
}
static void min_large(void) {
  request.min_tokens = TOO_LARGE;
}
static void max_large(void) {
  request.max_tokens = TOO_LARGE;
}
static void context_large(void) {
  request.max_context = TOO_LARGE;
}
static void deadline_large(void) {
  request.deadline_steps = TOO_LARGE;
}
static void period_large(void) {
  request.max_period = TOO_LARGE;
}
static void repeats_small(void) {
  request.min_repeats = 1;
}
static void flush_small(void) {
  request.flush.n = 0;
}
static void min_above_max(void) {
  if (request.max_tokens <= INT32_MAX) request.max_tokens = INT32_MAX - 1;
}
static void product_large(void) {
  if (request.max_period <= INT32_MAX) request.max_period = 4097;
}

static void (*const plant[])(void) = {
    stops_many,     stop_first,     stop_second,   stops_long,    ids_many,    id_first,      id_last,
    sequences_many, sequence_first, sequence_last, eos_many,      eos_first,   min_large,     max_large,
    context_large,  deadline_large, period_large,  repeats_small, flush_small, min_above_max, product_large};

START_TEST(R13_of_several_faults_the_first_in_order_is_reported) {
  es_refusal alone[COUNT(plant)];
  for (size_t i = 0; i < COUNT(plant); i++) {
    begin();
    plant[i]();
    alone[i] = es_request_check(&request, &es_default_bounds);
    ck_assert_int_ne(alone[i].fault, ES_FAULT_NONE);
    ck_assert(alone[i].pair == (i >= COUNT(plant) - 2));
  }
  es_refusal none = {ES_FAULT_NONE, ES_MEMBER_NONE, ES_PHASE_COUNT, 0, false};
  for (size_t i = 0; i < COUNT(plant); i++) {
    ck_assert(es_refusal_before(alone[i], none) && !es_refusal_before(none, alone[i]));
    for (size_t j = 0; j < COUNT(plant); j++) {
      begin();
      plant[i]();
      plant[j]();
      es_refusal found = es_request_check(&request, &es_default_bounds), first = alone[i < j ? i : j];
      ck_assert_msg(found.fault == first.fault && found.member == first.member && found.index == first.index,
                    "faults %zu and %zu: found %d at member %d", i, j, (int)found.fault, (int)found.member);
      ck_assert_msg(es_refusal_before(alone[i], alone[j]) == (i < j), "faults %zu and %zu", i, j);
    }
  }
}
END_TEST

/* Every place a fault can have, by the four things that order it. */
static es_refusal place(uint32_t number) {
  static const es_member members[] = {ES_MEMBER_STOP, ES_MEMBER_STOP_TOKEN_IDS, ES_MEMBER_FLUSH};
  return (es_refusal){number % 2 ? ES_FAULT_TOO_LARGE : ES_FAULT_EMPTY, members[number / 2 % 3],
                      (es_phase)(number / 6 % 3), number / 18 % 2, number / 36 % 2 == 1};
}

START_TEST(R13_before_is_a_strict_order_that_parts_all_places) {
  for (uint32_t a = 0; a < 72; a++)
    for (uint32_t b = 0; b < 72; b++) {
      es_refusal x = place(a), y = place(b);
      bool same = x.pair == y.pair && x.member == y.member && x.phase == y.phase && x.index == y.index;
      if (es_refusal_before(x, y) + es_refusal_before(y, x) != !same) ck_abort_msg("places %u and %u", a, b);
      for (uint32_t c = 0; c < 72; c++)
        if (es_refusal_before(x, y) && es_refusal_before(y, place(c)) && !es_refusal_before(x, place(c)))
          ck_abort_msg("places %u, %u and %u", a, b, c);
    }
  es_refusal none = {ES_FAULT_NONE, ES_MEMBER_NONE, ES_PHASE_COUNT, 0, false};
  ck_assert(!es_refusal_before(none, none));
}
END_TEST

Suite *request_suite(void) {
  Suite *suite = suite_create("request");
  TCase *tests = tcase_create("request");
  tcase_add_checked_fixture(tests, begin, NULL);
  tcase_add_test(tests, R13_a_request_at_all_bounds_is_taken);
  tcase_add_test(tests, R13_an_empty_request_is_taken);
  tcase_add_test(tests, R13_64_stops_are_taken_and_65_are_too_many);
  tcase_add_test(tests, R13_an_empty_stop_is_refused_at_its_index);
  tcase_add_test(tests, R13_a_stop_of_1024_bytes_is_taken_and_of_1025_is_too_long);
  tcase_add_test(tests, R13_stops_of_16384_bytes_in_all_are_taken_and_one_more_is_too_long);
  tcase_add_test(tests, R13_a_stop_that_is_no_UTF8_is_refused);
  tcase_add_test(tests, R13_a_priority_outside_a_signed_byte_is_refused);
  tcase_add_test(tests, R13_256_ids_up_to_2_31_less_one_are_a_list);
  tcase_add_test(tests, R13_64_sequences_of_1_to_16_ids_are_taken);
  tcase_add_test(tests, R13_numbers_above_2_31_less_one_are_refused_and_no_limit_is_none);
  tcase_add_test(tests, R13_repetition_names_the_member_at_fault);
  tcase_add_test(tests, R13_min_tokens_above_max_tokens_is_refused_and_equal_is_taken);
  tcase_add_test(tests, R13_bounds_are_settable);
  tcase_add_test(tests, R13_an_id_below_the_vocabulary_is_taken_and_the_next_is_refused_at_its_index);
  tcase_add_test(tests, R13_an_id_that_no_vocabulary_has_is_too_large_with_and_without_one);
  tcase_add_test(tests, R13_of_several_faults_the_first_in_order_is_reported);
  tcase_add_test(tests, R13_before_is_a_strict_order_that_parts_all_places);
  suite_add_tcase(suite, tests);
  return suite;
}
