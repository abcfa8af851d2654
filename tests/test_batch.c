/* Tests of the batch: exit compaction against a list of lanes of which each is looked at by itself, for every set of lanes
 * that end; the bytes around all memory stay as they are. */
#include <check.h>
#include <string.h>

#include "batch.h"

Suite *batch_suite(void);

#define MOST 8
#define EDGE UINT32_C(0xE7E7E7E7)

typedef struct {
  es_batch batch;
  uint32_t lanes[MOST + 1], retired[MOST + 1];
  uint64_t states[MOST + 1], retired_states[MOST + 1];
} rig;

static void open_rig(rig *r, uint32_t capacity) {
  memset(r, EDGE & 0xFF, sizeof *r);
  r->batch = (es_batch){r->lanes, r->states, r->retired, r->retired_states, capacity, 0, 0};
}

static uint64_t state_of(uint32_t lane) {
  return UINT64_C(0xFEDCBA9800000001) * (lane + 1);
}

static es_status add(rig *r, uint32_t lane) {
  return es_batch_add(&r->batch, lane, state_of(lane));
}

/* These lanes in this order, with the state that they came with. */
static void check_list(const uint32_t *lanes, const uint64_t *states, const uint32_t *expected, uint32_t count) {
  for (uint32_t p = 0; p < count; p++) {
    if (lanes[p] != expected[p] || states[p] != state_of(expected[p]))
      ck_abort_msg("place %u: expected lane %u, found %u", p, expected[p], lanes[p]);
  }
}

static void check_rig(const rig *r, const uint32_t *active, uint32_t count, const uint32_t *retired, uint32_t gone) {
  ck_assert_uint_eq(r->batch.count, count);
  ck_assert_uint_eq(r->batch.retired_count, gone);
  check_list(r->lanes, r->states, active, count);
  check_list(r->retired, r->retired_states, retired, gone);
  for (uint32_t p = r->batch.capacity; p <= MOST; p++) {
    uint32_t states = (uint32_t)r->states[p], retired_states = (uint32_t)r->retired_states[p];
    if (r->lanes[p] != EDGE || r->retired[p] != EDGE || states != EDGE || retired_states != EDGE)
      ck_abort_msg("place %u, behind the last: expected it untouched", p);
  }
}

START_TEST(T10_every_set_of_lanes_that_end_leaves_in_order_and_the_others_close_ranks) {
  for (uint32_t n = 0; n <= MOST; n++)
    for (uint32_t mask = 0; mask < UINT32_C(1) << n; mask++) {
      rig r;
      bool ended[MOST];
      uint32_t active[MOST], retired[MOST], count = 0, gone = 0;
      open_rig(&r, n);
      for (uint32_t p = 0; p < n; p++) {
        uint32_t lane = 100 - p * 7;
        ck_assert_int_eq(add(&r, lane), ES_OK);
        ended[p] = mask >> p & 1;
        *(ended[p] ? &retired[gone++] : &active[count++]) = lane;
      }
      ck_assert_int_eq(es_batch_compact(&r.batch, ended), ES_OK);
      check_rig(&r, active, count, retired, gone);
    }
}
END_TEST

START_TEST(T10_retired_lanes_are_flushed_before_others_end) {
  rig r;
  const bool ended[3] = {true, false, false}, all[2] = {true, true};
  open_rig(&r, 3);
  for (uint32_t lane = 1; lane <= 3; lane++) add(&r, lane);
  ck_assert_int_eq(es_batch_compact(&r.batch, ended), ES_OK);
  ck_assert_int_eq(es_batch_compact(&r.batch, all), ES_MISUSE);
  check_rig(&r, (const uint32_t[]){2, 3}, 2, (const uint32_t[]){1}, 1);
  es_batch_flushed(&r.batch);
  check_rig(&r, (const uint32_t[]){2, 3}, 2, NULL, 0);
  ck_assert_int_eq(es_batch_compact(&r.batch, all), ES_OK);
  check_rig(&r, NULL, 0, (const uint32_t[]){2, 3}, 2);
}
END_TEST

START_TEST(T10_a_step_in_which_nobody_ends_changes_nothing) {
  rig r;
  const bool none[2] = {false, false};
  open_rig(&r, 3);
  add(&r, 1);
  add(&r, 2);
  for (int step = 0; step < 3; step++) {
    ck_assert_int_eq(es_batch_compact(&r.batch, none), ES_OK);
    check_rig(&r, (const uint32_t[]){1, 2}, 2, NULL, 0);
  }
}
END_TEST

START_TEST(T10_a_full_batch_takes_no_lane_until_one_has_left) {
  rig r;
  const bool first[2] = {true, false};
  open_rig(&r, 2);
  ck_assert_int_eq(add(&r, 1), ES_OK);
  ck_assert_int_eq(add(&r, 2), ES_OK);
  ck_assert_int_eq(add(&r, 3), ES_FULL);
  check_rig(&r, (const uint32_t[]){1, 2}, 2, NULL, 0);
  es_batch_compact(&r.batch, first);
  ck_assert_int_eq(add(&r, 3), ES_OK); /* at once: the list of those that left is apart */
  ck_assert_int_eq(add(&r, 4), ES_FULL);
  check_rig(&r, (const uint32_t[]){2, 3}, 2, (const uint32_t[]){1}, 1);
}
END_TEST

START_TEST(T10_a_batch_without_room_takes_nothing) {
  rig r;
  open_rig(&r, 0);
  ck_assert_int_eq(add(&r, 1), ES_FULL);
  ck_assert_int_eq(es_batch_compact(&r.batch, NULL), ES_OK);
  check_rig(&r, NULL, 0, NULL, 0);
}
END_TEST

/* Long runs, lanes coming and going: each lane that came is in one place, in the order in which it came. */
START_TEST(T10_no_lane_is_lost_or_doubled_over_many_steps) {
  rig r;
  uint32_t model[MOST], count = 0, lane = 0, random = 1;
  open_rig(&r, MOST);
  for (int step = 0; step < 5000; step++) {
    random = random * 1664525 + 1013904223;
    for (uint32_t coming = random >> 29; coming > 0 && count < MOST; coming--) {
      ck_assert_int_eq(add(&r, lane), ES_OK);
      model[count++] = lane++;
    }
    bool ended[MOST];
    uint32_t retired[MOST], kept = 0, gone = 0;
    for (uint32_t p = 0; p < count; p++) {
      ended[p] = (random >> (p + 8) & 3) == 0;
      *(ended[p] ? &retired[gone++] : &model[kept++]) = model[p];
    }
    count = kept;
    ck_assert_int_eq(es_batch_compact(&r.batch, ended), ES_OK);
    check_rig(&r, model, count, retired, gone);
    es_batch_flushed(&r.batch);
  }
  ck_assert_uint_gt(lane, 1000);
}
END_TEST

Suite *batch_suite(void) {
  Suite *suite = suite_create("batch");
  TCase *tests = tcase_create("batch");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, T10_every_set_of_lanes_that_end_leaves_in_order_and_the_others_close_ranks);
  tcase_add_test(tests, T10_retired_lanes_are_flushed_before_others_end);
  tcase_add_test(tests, T10_a_step_in_which_nobody_ends_changes_nothing);
  tcase_add_test(tests, T10_a_full_batch_takes_no_lane_until_one_has_left);
  tcase_add_test(tests, T10_a_batch_without_room_takes_nothing);
  tcase_add_test(tests, T10_no_lane_is_lost_or_doubled_over_many_steps);
  suite_add_tcase(suite, tests);
  return suite;
}
