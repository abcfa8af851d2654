/* Tests of the arbiter: all that can come together at a token and at a boundary, against R7, R9 and R16 as a list of
 * candidates of which the first is taken. */
#include <check.h>

#include "arbiter.h"

Suite *arbiter_suite(void);

#define COUNT(list) (sizeof(list) / sizeof *(list))

START_TEST(R7_of_all_that_ends_at_one_token_the_first_in_order_counts) {
  static const es_cause order[] = {ES_CAUSE_EOS,           ES_CAUSE_STOP_TOKEN, ES_CAUSE_STOP_STRING,
                                   ES_CAUSE_STOP_SEQUENCE, ES_CAUSE_MAX_TOKENS, ES_CAUSE_MAX_CONTEXT,
                                   ES_CAUSE_REPETITION};
  for (unsigned set = 0; set < 1u << COUNT(order); set++) {
    es_token_ends ends = {(set & 1) != 0,  (set & 2) != 0,  (set & 4) != 0, (set & 8) != 0,
                          (set & 16) != 0, (set & 32) != 0, (set & 64) != 0};
    es_cause expected = ES_CAUSE_OPEN;
    for (unsigned i = COUNT(order); i-- > 0;)
      if (set >> i & 1) expected = order[i];
    ck_assert_msg(es_arbiter_token(ends) == expected, "ends %x: expected %d, found %d", set, (int)expected,
                  (int)es_arbiter_token(ends));
  }
}
END_TEST

/* R9, R16 as candidates: the smallest cut of a natural and an external end, the natural one first; then the others. */
static es_end by_rules(es_end natural, es_boundary at, uint64_t allowed, uint64_t taken) {
  es_end external = {ES_CAUSE_EXTERNAL, at.external_cut};
  if (external.cut > taken) external.cut = taken;
  if (external.cut < allowed) external.cut = allowed;
  if (natural.cause != ES_CAUSE_OPEN && at.external) return external.cut < natural.cut ? external : natural;
  if (natural.cause != ES_CAUSE_OPEN) return natural;
  if (at.external) return external;
  es_end other = {at.abort ? ES_CAUSE_ABORT : at.deadline ? ES_CAUSE_DEADLINE : ES_CAUSE_OPEN, taken};
  return other;
}

static void every_boundary(es_end natural, uint64_t external_cut, uint64_t allowed, uint64_t taken) {
  for (unsigned set = 0; set < 8; set++) {
    es_boundary at = {(set & 1) != 0, external_cut, (set & 2) != 0, (set & 4) != 0};
    es_end expected = by_rules(natural, at, allowed, taken);
    es_end found = es_arbiter_boundary(natural, at, allowed, taken);
    if (found.cause != expected.cause || found.cut != expected.cut)
      ck_abort_msg(
          "natural %d at %ju, there %x, external cut %ju, allowed %ju, taken %ju: expected %d at %ju, found %d at %ju",
          (int)natural.cause, (uintmax_t)natural.cut, set, (uintmax_t)external_cut, (uintmax_t)allowed,
          (uintmax_t)taken, (int)expected.cause, (uintmax_t)expected.cut, (int)found.cause, (uintmax_t)found.cut);
  }
}

/* All places up to four bytes behind `base`. */
static void every_place(uint64_t base) {
  for (uint64_t taken = 0; taken <= 4; taken++)
    for (uint64_t allowed = 0; allowed <= taken; allowed++)
      for (uint64_t external = 0; external <= 6; external++) {
        uint64_t cuts[] = {base + external, 0, UINT64_MAX};
        for (size_t c = 0; c < COUNT(cuts); c++) {
          es_end open = {ES_CAUSE_OPEN, 0};
          every_boundary(open, cuts[c], base + allowed, base + taken);
          for (int cause = ES_CAUSE_EOS; cause <= ES_CAUSE_REPETITION; cause++)
            for (uint64_t cut = allowed; cut <= taken; cut++) {
              es_end natural = {(es_cause)cause, base + cut};
              every_boundary(natural, cuts[c], base + allowed, base + taken);
            }
        }
      }
}

START_TEST(R9_R16_the_end_at_a_boundary_is_the_first_candidate) {
  every_place(0);
}
END_TEST

START_TEST(R16_cuts_hold_to_the_last_byte_that_can_be_counted) {
  every_place(UINT64_MAX - 6);
}
END_TEST

START_TEST(R9_nothing_there_leaves_the_lane_open) {
  es_end open = {ES_CAUSE_OPEN, 0};
  es_boundary nothing = {false, 0, false, false};
  ck_assert_int_eq(es_arbiter_boundary(open, nothing, 0, 0).cause, ES_CAUSE_OPEN);
}
END_TEST

Suite *arbiter_suite(void) {
  Suite *suite = suite_create("arbiter");
  TCase *tests = tcase_create("arbiter");
  tcase_add_test(tests, R7_of_all_that_ends_at_one_token_the_first_in_order_counts);
  tcase_add_test(tests, R9_R16_the_end_at_a_boundary_is_the_first_candidate);
  tcase_add_test(tests, R16_cuts_hold_to_the_last_byte_that_can_be_counted);
  tcase_add_test(tests, R9_nothing_there_leaves_the_lane_open);
  suite_add_tcase(suite, tests);
  return suite;
}
