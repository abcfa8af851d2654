/* Tests of the guard: every call in every state against a model that keeps the whole history, and each flush policy at
 * its border. ES_SEED chooses the random walk. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"

Suite *guard_suite(void);

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ROOM 3
#define DEPTH 4

/* What must hold, told by counts from the start. The bytes of R are byte_of(0), byte_of(1), … */
typedef struct {
  es_guard guard;
  uint8_t text[ROOM];
  es_guard_state state;
  uint64_t taken, allowed, sent, cut;
  uint64_t steps, tokens, now, since;
  bool again, waiting;
  uint32_t terminals;
} pair;

static uint8_t byte_of(uint64_t place) {
  return (uint8_t)(place * 37 + 1);
}

static void open_pair(pair *p, es_flush flush) {
  memset(p, 0, sizeof *p);
  memset(&p->guard, 0x55, sizeof p->guard); /* what was there does not matter */
  es_guard_open(&p->guard, p->text, ROOM, flush);
}

static uint64_t held(const pair *p) {
  if (p->state == ES_GUARD_OPEN) return p->taken - p->sent;
  return p->state == ES_GUARD_ENDING ? p->cut - p->sent : 0;
}

/* Each call says whether the guard may have changed. */
static bool is_ok(es_status found, es_status expected, const char *name) {
  if (found != expected) ck_abort_msg("%s: expected %d, found %d", name, (int)expected, (int)found);
  return found == ES_OK;
}

static bool push(pair *p, uint32_t length) {
  uint8_t bytes[2] = {byte_of(p->taken), byte_of(p->taken + 1)};
  es_status expected = p->state != ES_GUARD_OPEN ? ES_ENDED : held(p) + length > ROOM ? ES_FULL : ES_OK;
  if (!is_ok(es_guard_push(&p->guard, bytes, length), expected, "push")) return false;
  p->taken += length;
  return true;
}

/* What allow and end say of a place. */
static es_status at_place(const pair *p, uint64_t place) {
  if (p->state != ES_GUARD_OPEN) return ES_ENDED;
  return p->allowed <= place && place <= p->taken ? ES_OK : ES_MISUSE;
}

static bool allow(pair *p, uint64_t place) {
  if (!is_ok(es_guard_allow(&p->guard, place), at_place(p, place), "allow")) return false;
  p->allowed = place;
  return true;
}

static bool end(pair *p, uint64_t cut) {
  if (!is_ok(es_guard_end(&p->guard, cut), at_place(p, cut), "end")) return false;
  p->cut = p->allowed = cut;
  p->state = ES_GUARD_ENDING;
  return true;
}

/* R11, R12. */
static uint64_t due(const pair *p) {
  uint64_t bytes = p->allowed - p->sent, n = p->guard.flush.n;
  if (p->state == ES_GUARD_ENDING) return bytes;
  if (p->state != ES_GUARD_OPEN || bytes == 0) return 0;
  bool wanted[] = {p->steps % n == 0, bytes >= n, p->tokens >= n, p->now >= p->since + n};
  return p->again || wanted[p->guard.flush.kind] ? bytes : 0;
}

static bool step(pair *p, uint32_t tokens, bool later) {
  p->now += later;
  p->steps++;
  p->tokens += tokens;
  if (p->state == ES_GUARD_OPEN && p->allowed > p->sent && !p->waiting) {
    p->waiting = true;
    p->since = p->now;
  }
  uint32_t found = es_guard_step(&p->guard, tokens, p->now);
  if (found != due(p)) ck_abort_msg("step: expected %ju due, found %u", (uintmax_t)due(p), found);
  return true;
}

static bool answer(pair *p, uint64_t length, es_answer said) {
  bool over = p->state == ES_GUARD_DONE || p->state == ES_GUARD_GONE;
  es_status expected = over ? ES_ENDED : length > p->allowed - p->sent ? ES_MISUSE : ES_OK;
  if (!is_ok(es_guard_answer(&p->guard, (uint32_t)length, said), expected, "answer")) return false;
  if (said == ES_ANSWER_LATER) {
    p->again = true;
  } else if (said == ES_ANSWER_OK) {
    p->sent += length;
    p->again = p->waiting = false;
    if (length > 0) p->tokens = 0;
  } else {
    p->state = ES_GUARD_GONE;
  }
  return true;
}

static bool terminal(pair *p) {
  bool expected = p->state == ES_GUARD_ENDING && p->sent == p->cut;
  if (es_guard_terminal(&p->guard) != expected) ck_abort_msg("terminal: expected %d", expected);
  if (!expected) return false;
  p->state = ES_GUARD_DONE;
  p->terminals++;
  return true;
}

#define CALLS 22

static bool call(pair *p, uint32_t number) {
  uint64_t all = p->allowed - p->sent;
  bool parts = p->guard.flush.kind != ES_FLUSH_MS; /* only whole offers keep the age of the oldest byte */
  switch (number) {
  case 0:
    return push(p, 0);
  case 1:
    return push(p, 1);
  case 2:
    return push(p, 2);
  case 3:
    return allow(p, p->allowed - 1);
  case 4:
    return allow(p, p->allowed);
  case 5:
    return allow(p, p->allowed + 1);
  case 6:
    return allow(p, p->taken);
  case 7:
    return allow(p, p->taken + 1);
  case 8:
    return end(p, p->allowed - 1);
  case 9:
    return end(p, p->allowed);
  case 10:
    return end(p, p->taken);
  case 11:
    return end(p, p->taken + 1);
  case 12:
    return step(p, 0, true);
  case 13:
    return step(p, 1, false);
  case 14:
    return step(p, 2, true);
  case 15:
    return answer(p, all, ES_ANSWER_OK);
  case 16:
    return answer(p, all, ES_ANSWER_LATER);
  case 17:
    return answer(p, all, ES_ANSWER_GONE);
  case 18:
    return answer(p, all + 1, ES_ANSWER_OK);
  case 19:
    return answer(p, parts && all > 0 ? 1 : all, ES_ANSWER_OK);
  case 20:
    return answer(p, parts ? 0 : all, ES_ANSWER_OK);
  default:
    return terminal(p);
  }
}

/* Makes one call and compares all there is; a call that is refused changes nothing. */
static void check_call(pair *p, uint32_t number) {
  es_guard before;
  memcpy(&before, &p->guard, sizeof before);
  const es_guard *g = &p->guard;
  if (!call(p, number) && memcmp(&before, g, sizeof before) != 0) ck_abort_msg("call %u changed something", number);
  if (g->state != p->state || g->terminals != p->terminals || g->held != held(p) || g->sent != p->sent ||
      g->allowed != p->allowed || g->taken != p->taken || g->again != p->again || g->text != p->text)
    ck_abort_msg("call %u: state %d, held %u, sent %ju", number, (int)g->state, g->held, (uintmax_t)g->sent);
  bool ended = p->state == ES_GUARD_ENDING || p->state == ES_GUARD_DONE;
  if (ended && g->cut != p->cut) ck_abort_msg("call %u: expected cut %ju", number, (uintmax_t)p->cut);
  for (uint32_t j = 0; j < g->held; j++)
    if (g->text[j] != byte_of(g->sent + j)) ck_abort_msg("call %u: byte %u of the text", number, j);
}

static void every_schedule(const pair *from, uint32_t depth) {
  for (uint32_t number = 0; number < CALLS; number++) {
    pair p;
    memcpy(&p, from, sizeof p);
    p.guard.text = p.text;
    check_call(&p, number);
    if (depth > 1) every_schedule(&p, depth - 1);
  }
}

static const es_flush policies[] = {{ES_FLUSH_STEPS, 1}, {ES_FLUSH_STEPS, 2},  {ES_FLUSH_BYTES, 1},
                                    {ES_FLUSH_BYTES, 2}, {ES_FLUSH_TOKENS, 1}, {ES_FLUSH_TOKENS, 3},
                                    {ES_FLUSH_MS, 1},    {ES_FLUSH_MS, 2}};

START_TEST(R11_R12_every_call_after_every_other_is_as_the_history_says) {
  pair p;
  open_pair(&p, policies[_i]);
  every_schedule(&p, DEPTH);
}
END_TEST

START_TEST(R11_R12_a_long_random_walk_is_as_the_history_says) {
  const char *given = getenv("ES_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 1, random = seed * 2 + 1;
  if (_i == 0) printf("guard: ES_SEED=%ju\n", (uintmax_t)seed);
  for (int walk = 0; walk < 2000; walk++) {
    pair p;
    open_pair(&p, policies[_i]);
    for (int i = 0; i < 100; i++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      uint32_t number = (uint32_t)(random >> 33) % (CALLS + 8);
      /* Text comes in more often; ends and a sink that is gone are rare, so that most walks are long. */
      bool last = (number >= 9 && number <= 10) || number == 17;
      if (number >= CALLS || (last && random >> 62)) number = (const uint32_t[]){1, 6, 14, 15}[random >> 60 & 3];
      check_call(&p, number);
    }
  }
}
END_TEST

/* A guard with `n` bytes that may be shown. */
static void shown(pair *p, es_flush flush, uint32_t n) {
  open_pair(p, flush);
  for (uint32_t i = 0; i < n; i++) push(p, 1);
  allow(p, n);
}

START_TEST(R11_tokens_are_counted_to_the_largest_number_and_no_further) {
  pair p;
  shown(&p, (es_flush){ES_FLUSH_TOKENS, INT32_MAX}, 1);
  ck_assert_uint_eq(es_guard_step(&p.guard, INT32_MAX - 1, 0), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 0), 1);
  ck_assert_uint_eq(es_guard_step(&p.guard, INT32_MAX, 0), 1);
  ck_assert_uint_eq(p.guard.tokens, INT32_MAX);
  shown(&p, (es_flush){ES_FLUSH_TOKENS, INT32_MAX}, 1);
  es_guard_step(&p.guard, 1, 0);
  es_guard_step(&p.guard, INT32_MAX, 0); /* one more than there are numbers */
  ck_assert_uint_eq(p.guard.tokens, INT32_MAX);
}
END_TEST

START_TEST(R11_steps_are_counted_to_the_largest_number) {
  pair p;
  shown(&p, (es_flush){ES_FLUSH_STEPS, INT32_MAX}, 1);
  p.guard.step = INT32_MAX - 2;
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 0), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 0), 1);
  ck_assert_uint_eq(p.guard.step, 0);
}
END_TEST

START_TEST(R11_the_age_of_the_oldest_byte_counts_not_that_of_the_newest) {
  pair p;
  shown(&p, (es_flush){ES_FLUSH_MS, 10}, 1);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, UINT64_MAX - 10), 0);
  push(&p, 1);
  allow(&p, 2);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, UINT64_MAX - 1), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, UINT64_MAX), 2);
}
END_TEST

START_TEST(R11_what_a_sink_leaves_of_an_offer_keeps_its_age) {
  pair p;
  shown(&p, (es_flush){ES_FLUSH_MS, 10}, 2);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 0), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 10), 2);
  ck_assert_int_eq(es_guard_answer(&p.guard, 1, ES_ANSWER_OK), ES_OK);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 11), 1);
}
END_TEST

START_TEST(R11_a_clock_that_goes_back_wants_nothing) {
  pair p;
  shown(&p, (es_flush){ES_FLUSH_MS, 1}, 1);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 10), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 9), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 10), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 11), 1);
}
END_TEST

START_TEST(R12_a_policy_of_no_known_kind_wants_nothing_before_the_end) {
  pair p;
  shown(&p, (es_flush){(es_flush_kind)99, 1}, 2);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 1), 0);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 9), 0);
  end(&p, 2);
  ck_assert_uint_eq(es_guard_step(&p.guard, 1, 9), 2);
}
END_TEST

START_TEST(R12_an_answer_of_no_known_kind_is_gone) {
  pair p;
  shown(&p, policies[0], 1);
  answer(&p, 1, (es_answer)99);
  ck_assert_int_eq(p.guard.state, ES_GUARD_GONE);
}
END_TEST

START_TEST(R11_no_room_takes_nothing_but_empty_text) {
  pair p;
  open_pair(&p, policies[0]);
  es_guard_open(&p.guard, p.text, 0, policies[0]);
  ck_assert_int_eq(es_guard_push(&p.guard, p.text, 0), ES_OK);
  ck_assert_int_eq(es_guard_push(&p.guard, p.text, 1), ES_FULL);
  ck_assert_int_eq(es_guard_push(&p.guard, p.text, UINT32_MAX), ES_FULL);
}
END_TEST

/* Law: pushing a and then b is pushing ab. */
START_TEST(R11_text_in_parts_is_the_text) {
  pair parts, whole;
  open_pair(&parts, policies[0]);
  open_pair(&whole, policies[0]);
  push(&parts, 1);
  push(&parts, 1);
  push(&whole, 2);
  whole.guard.text = parts.guard.text;
  ck_assert_mem_eq(&parts.guard, &whole.guard, sizeof whole.guard);
  ck_assert_mem_eq(parts.text, whole.text, 2);
}
END_TEST

/* Law: what was sent is not due again. */
START_TEST(R11_flushing_twice_is_flushing_once) {
  pair p;
  shown(&p, policies[_i], ROOM);
  for (int i = 0; i < 6; i++) step(&p, 1, true);
  ck_assert_uint_eq(due(&p), ROOM);
  answer(&p, ROOM, ES_ANSWER_OK);
  for (int i = 0; i < 6; i++) ck_assert_uint_eq(es_guard_step(&p.guard, 1, 100), 0);
  ck_assert_uint_eq(p.guard.sent, ROOM);
  ck_assert_uint_eq(p.guard.held, 0);
}
END_TEST

Suite *guard_suite(void) {
  Suite *suite = suite_create("guard");
  TCase *tests = tcase_create("guard");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, R11_R12_every_call_after_every_other_is_as_the_history_says, 0, COUNT(policies));
  tcase_add_loop_test(tests, R11_R12_a_long_random_walk_is_as_the_history_says, 0, COUNT(policies));
  tcase_add_test(tests, R11_tokens_are_counted_to_the_largest_number_and_no_further);
  tcase_add_test(tests, R11_steps_are_counted_to_the_largest_number);
  tcase_add_test(tests, R11_the_age_of_the_oldest_byte_counts_not_that_of_the_newest);
  tcase_add_test(tests, R11_what_a_sink_leaves_of_an_offer_keeps_its_age);
  tcase_add_test(tests, R11_a_clock_that_goes_back_wants_nothing);
  tcase_add_test(tests, R12_a_policy_of_no_known_kind_wants_nothing_before_the_end);
  tcase_add_test(tests, R12_an_answer_of_no_known_kind_is_gone);
  tcase_add_test(tests, R11_no_room_takes_nothing_but_empty_text);
  tcase_add_test(tests, R11_text_in_parts_is_the_text);
  tcase_add_loop_test(tests, R11_flushing_twice_is_flushing_once, 0, COUNT(policies));
  suite_add_tcase(suite, tests);
  return suite;
}
