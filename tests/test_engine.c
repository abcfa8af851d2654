/* Tests of the engine loop by one thread: what it takes and what it refuses, and what its callers see. Threads and
 * orders are looked at in tests/engine and tests/schedule. */
#include <check.h>
#include <string.h>

#include "engine_mailbox.h"
#include "run.h"

Suite *engine_suite(void);

static es_token tokens[] = {
    {.id = 3, .bytes = {"The E", 5}}, {.id = 4, .bytes = {"ND", 2}}, {.id = 5, .bytes = {"x", 1}}};
static const es_step steps[] = {{0, 1}, {1, 1}, {2, 1}};
static const es_stop stops[] = {{.offset = 0, .length = 3}};

static es_case a_case(void) {
  return (es_case){.request = {.text = (const uint8_t *)"END",
                               .stops = stops,
                               .stop_count = 1,
                               .max_tokens = ES_NO_LIMIT,
                               .max_context = ES_NO_LIMIT,
                               .deadline_steps = ES_NO_LIMIT,
                               .flush = {.kind = ES_FLUSH_STEPS, .n = 1}},
                   .has_steps = true,
                   .tokens = tokens,
                   .token_count = 3,
                   .steps = steps,
                   .step_count = 3};
}

static void no_wait(void *context) {
  (void)context;
  ck_abort_msg("the engine waits, with lanes in it");
}

static es_engine *an_engine(void) {
  es_engine *engine = es_engine_new(&(es_engine_options){.slots = 1, .tokens = 3, .wait = no_wait});
  ck_assert_ptr_nonnull(engine);
  return engine;
}

/* All letters of a box, joined; the last one must be the end, and nothing after it. */
static void assert_letters(es_mailbox *box, const char *expected) {
  char text[64] = "";
  es_span letter;
  es_letter kind;
  while ((kind = es_mailbox_receive(box, &letter)) == ES_LETTER_TEXT) strncat(text, letter.data, letter.length);
  ck_assert_int_eq(kind, ES_LETTER_END);
  ck_assert_str_eq(text, expected);
  ck_assert_int_eq(es_mailbox_receive(box, &letter), ES_LETTER_NONE);
}

START_TEST(options_out_of_range_are_refused) {
  static const es_engine_options wrong[] = {{.slots = 0, .tokens = 1}, {.slots = 65537, .tokens = 1}, {.slots = 1}};
  ck_assert_ptr_null(es_engine_new(&wrong[_i]));
}
END_TEST

START_TEST(a_lane_that_cannot_ride_is_refused) {
  es_mailbox box;
  es_mailbox_open(&box);
  es_case refused = a_case(), seen = a_case(), timed = a_case(), right = a_case();
  refused.refused = true;
  seen.has_steps = false;
  timed.request.flush.kind = ES_FLUSH_MS;
  ck_assert_ptr_null(es_engine_lane_new(&refused, es_mailbox_sink(&box), 0));
  ck_assert_ptr_null(es_engine_lane_new(&seen, es_mailbox_sink(&box), 0));
  ck_assert_ptr_null(es_engine_lane_new(&timed, es_mailbox_sink(&box), 0));
  es_engine_lane *lane = es_engine_lane_new(&right, es_mailbox_sink(&box), 0);
  ck_assert_ptr_nonnull(lane);
  es_engine_lane_free(lane);
}
END_TEST

START_TEST(a_case_with_more_bytes_than_a_lane_counts_is_refused_unread) {
  static const es_token large[] = {{.id = 1, .bytes = {"x", UINT32_MAX / ES_UTF8_GROWTH}},
                                   {.id = 2, .bytes = {"y", 1}}};
  es_mailbox box;
  es_mailbox_open(&box);
  es_case c = a_case();
  c.tokens = large;
  c.token_count = 2;
  c.step_count = 2;
  ck_assert_ptr_null(es_engine_lane_new(&c, es_mailbox_sink(&box), 0));
  es_run *run = es_run_new();
  const es_result *result = es_run_case(run, &c);
  ck_assert_ptr_nonnull(result);
  ck_assert(es_span_same(result->unsupported, es_span_of("the tokens have more bytes than a lane counts: 1.3 GiB")));
  es_run_free(run);
}
END_TEST

START_TEST(a_lane_with_more_tokens_than_a_slot_is_refused_and_one_with_as_many_rides) {
  es_engine *small = es_engine_new(&(es_engine_options){.slots = 1, .tokens = 2, .wait = no_wait}),
            *engine = an_engine();
  es_mailbox box;
  es_mailbox_open(&box);
  es_case c = a_case();
  es_engine_lane *lane = es_engine_lane_new(&c, es_mailbox_sink(&box), 0);
  ck_assert_int_eq(es_engine_submit(small, lane), ES_FULL);
  ck_assert_int_eq(es_engine_submit(engine, lane), ES_OK);
  es_engine_close(engine);
  es_engine_run(engine);
  assert_letters(&box, "The ");
  const es_engine_left *left = es_engine_lane_left(lane);
  ck_assert_int_eq(left->end.cause, ES_CAUSE_STOP_STRING);
  ck_assert_uint_eq(left->tokens, 2);
  ck_assert(left->has_terminal && box.terminal.bytes == 4);
  es_engine_lane_free(lane);
  es_engine_free(engine);
  es_engine_free(small);
}
END_TEST

START_TEST(R9_a_lane_that_waits_has_no_handle_and_ends_at_boundary_0_if_it_is_cancelled) {
  es_engine *engine = an_engine();
  es_mailbox boxes[2];
  es_engine_lane *lanes[2];
  es_case c = a_case();
  for (int i = 0; i < 2; i++) {
    es_mailbox_open(&boxes[i]);
    lanes[i] = es_engine_lane_new(&c, es_mailbox_sink(&boxes[i]), (uint64_t)i);
    ck_assert_int_eq(es_engine_submit(engine, lanes[i]), ES_OK);
  }
  ck_assert_uint_eq(es_engine_lane_handle(lanes[1]), 0);
  ck_assert(!es_engine_over(engine, 0) && !es_engine_await(engine, 0, NULL, NULL));
  ck_assert_int_eq(es_engine_cancel(engine, lanes[1], 0), ES_STOP_WON);
  ck_assert_int_eq(es_engine_cancel(engine, lanes[1], 9), ES_STOP_SECOND);
  ck_assert(es_engine_step(engine));
  es_engine_handle first = es_engine_lane_handle(lanes[0]);
  ck_assert(first != 0 && !es_engine_over(engine, first));
  ck_assert_int_eq(es_engine_cancel(engine, lanes[0], 7), ES_STOP_WON);
  es_engine_close(engine);
  es_engine_run(engine);
  ck_assert(es_engine_over(engine, first) && es_engine_await(engine, first, NULL, NULL));
  ck_assert_int_eq(es_engine_stop(engine, first, 1), ES_STOP_STALE);
  ck_assert_int_eq(es_engine_lane_left(lanes[0])->reason, 7);
  ck_assert_uint_eq(es_engine_lane_left(lanes[0])->tokens, 2);
  ck_assert_int_eq(es_engine_lane_left(lanes[1])->end.cause, ES_CAUSE_ABORT);
  ck_assert_int_eq(es_engine_lane_left(lanes[1])->reason, 1);
  ck_assert_uint_eq(es_engine_lane_left(lanes[1])->tokens, 0);
  assert_letters(&boxes[1], "");
  for (int i = 0; i < 2; i++) es_engine_lane_free(lanes[i]);
  es_engine_free(engine);
}
END_TEST

START_TEST(R12_a_client_that_has_gone_ends_its_lane_without_a_terminal) {
  es_engine *engine = an_engine();
  es_mailbox box;
  es_mailbox_open(&box);
  es_case c = a_case();
  es_engine_lane *lane = es_engine_lane_new(&c, es_mailbox_sink(&box), 0);
  ck_assert_int_eq(es_engine_submit(engine, lane), ES_OK);
  es_mailbox_close(&box);
  es_engine_close(engine);
  es_engine_run(engine);
  ck_assert_int_eq(es_engine_lane_left(lane)->end.cause, ES_CAUSE_DISCONNECT);
  ck_assert(!es_engine_lane_left(lane)->has_terminal);
  es_span letter;
  ck_assert_int_eq(es_mailbox_receive(&box, &letter), ES_LETTER_NONE);
  es_engine_lane_free(lane);
  es_engine_free(engine);
}
END_TEST

/* Of three lanes the first ends at once and the third comes into its place, the second rides for three steps. */
START_TEST(T10_without_compaction_the_place_of_a_lane_that_ended_rides_on_until_it_is_reused) {
  bool holes = _i == 1;
  static const uint32_t most[] = {1, 3, 1}, submitted_before[] = {1, 1, 2};
  es_engine *engine = es_engine_new(&(es_engine_options){.slots = 2, .tokens = 3, .holes = holes, .wait = no_wait});
  es_mailbox boxes[3];
  es_engine_lane *lanes[3];
  es_case cases[3];
  uint32_t lane = 0;
  for (uint32_t step = 1; step <= 3; step++) {
    for (; lane < 3 && submitted_before[lane] <= step; lane++) {
      es_mailbox_open(&boxes[lane]);
      cases[lane] = a_case();
      cases[lane].request.stop_count = 0;
      cases[lane].request.max_tokens = most[lane];
      lanes[lane] = es_engine_lane_new(&cases[lane], es_mailbox_sink(&boxes[lane]), lane);
      ck_assert_int_eq(es_engine_submit(engine, lanes[lane]), ES_OK);
    }
    ck_assert(es_engine_step(engine));
  }
  ck_assert(!es_engine_step(engine));
  static const char *const texts[] = {"The E", "The ENDx", "The E"};
  for (uint32_t i = 0; i < 3; i++) {
    assert_letters(&boxes[i], texts[i]);
    ck_assert_uint_eq(es_engine_lane_left(lanes[i])->tokens, most[i]);
  }
  es_engine_ridden rode = es_engine_rode(engine);
  ck_assert_uint_eq(rode.steps, 3);
  ck_assert_uint_eq(rode.lanes, 5);
  ck_assert_uint_eq(rode.places, holes ? 6 : 5);
  for (uint32_t i = 0; i < 3; i++) es_engine_lane_free(lanes[i]);
  es_engine_free(engine);
}
END_TEST

static void note_admitted(void *context, const es_engine_event *event) {
  if (event->did == ES_DID_ADMIT) strcat(context, event->value == 0 ? "0" : event->value == 1 ? "1" : "2");
}

START_TEST(who_waits_gets_a_slot_in_the_order_of_submission_however_late_the_others_came) {
  char admitted[8] = "";
  es_engine *engine = es_engine_new(
      &(es_engine_options){.slots = 1, .tokens = 3, .wait = no_wait, .watch = note_admitted, .context = admitted});
  es_mailbox boxes[3];
  es_engine_lane *lanes[3];
  es_case c = a_case();
  for (uint32_t i = 0; i < 3; i++) {
    es_mailbox_open(&boxes[i]);
    lanes[i] = es_engine_lane_new(&c, es_mailbox_sink(&boxes[i]), i);
    ck_assert_int_eq(es_engine_submit(engine, lanes[i]), ES_OK);
    if (i == 1) ck_assert(es_engine_step(engine)); /* the first rides, the second waits */
  }
  es_engine_close(engine);
  es_engine_run(engine);
  ck_assert_str_eq(admitted, "012");
  for (uint32_t i = 0; i < 3; i++) {
    assert_letters(&boxes[i], "The ");
    es_engine_lane_free(lanes[i]);
  }
  es_engine_free(engine);
}
END_TEST

static void close_it(void *context) {
  es_engine_close(*(es_engine **)context);
}

START_TEST(an_engine_with_nothing_to_do_asks_its_caller_to_wait) {
  es_engine *engine = NULL;
  engine = es_engine_new(&(es_engine_options){.slots = 1, .tokens = 3, .wait = close_it, .context = &engine});
  ck_assert(!es_engine_step(engine));
  es_engine_run(engine); /* would not come back, did it not ask */
  ck_assert_uint_eq(es_engine_rode(engine).steps, 0);
  es_engine_free(engine);
}
END_TEST

START_TEST(nothing_is_freed_where_nothing_is) {
  es_engine_free(NULL);
  es_engine_lane_free(NULL);
}
END_TEST

Suite *engine_suite(void) {
  Suite *suite = suite_create("engine");
  TCase *tests = tcase_create("one thread");
  tcase_add_loop_test(tests, options_out_of_range_are_refused, 0, 3);
  tcase_add_test(tests, a_lane_that_cannot_ride_is_refused);
  tcase_add_test(tests, a_case_with_more_bytes_than_a_lane_counts_is_refused_unread);
  tcase_add_test(tests, a_lane_with_more_tokens_than_a_slot_is_refused_and_one_with_as_many_rides);
  tcase_add_test(tests, R9_a_lane_that_waits_has_no_handle_and_ends_at_boundary_0_if_it_is_cancelled);
  tcase_add_test(tests, R12_a_client_that_has_gone_ends_its_lane_without_a_terminal);
  tcase_add_loop_test(tests, T10_without_compaction_the_place_of_a_lane_that_ended_rides_on_until_it_is_reused, 0, 2);
  tcase_add_test(tests, who_waits_gets_a_slot_in_the_order_of_submission_however_late_the_others_came);
  tcase_add_test(tests, an_engine_with_nothing_to_do_asks_its_caller_to_wait);
  tcase_add_test(tests, nothing_is_freed_where_nothing_is);
  suite_add_tcase(suite, tests);
  return suite;
}
