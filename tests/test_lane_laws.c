/* Tests of the lane: memory at its edge, calls out of order, and the laws: the same text in any tokens and steps ends and
 * is shown alike (T5), and what is held is what some continuation would cut (T3). */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lane_rig.h"

#define TEXT 5 /* letters */
#define WORDS (2 + 4 + 8)

static unsigned char before[sizeof(es_lane)];

static void remember(void) {
  memcpy(before, &rig.lane, sizeof before);
}

static void unchanged(void) {
  ck_assert_mem_eq(&rig.lane, before, sizeof before);
}

/* Nothing but that what may be shown is due at the next boundary. */
static void unchanged_but_due(void) {
  ck_assert(rig.lane.guard.again);
  rig.lane.guard.again = false;
  unchanged();
  rig.lane.guard.again = true;
}

START_TEST(R9_a_lane_that_is_opened_has_taken_nothing) {
  rig.request.max_period = 2;
  rig.request.min_repeats = 3;
  rig_open();
  const es_lane *l = &rig.lane;
  const uint64_t none[] = {
      l->character.pending, l->character.wanted, l->character.low,   l->character.high, l->limits.taken,
      l->repetition.taken,  l->natural.cause,    l->natural.cut,     l->end.cause,      l->end.cut,
      l->stop_index,        l->stop_id,          l->boundary,        l->step_tokens,    l->string_hold,
      l->string_holder,     l->sequence_hold,    l->sequence_holder, l->sequence_place, l->due,
      l->offered,           l->offer_bytes,      l->offer_crc32c,    l->shown_bytes,    l->shown_crc32c,
      l->guard.terminals,   l->guard.held,       l->guard.sent,      l->guard.allowed,  l->guard.taken,
      l->guard.cut,         l->guard.again,      l->guard.step,      l->guard.tokens,   l->guard.waiting,
      l->guard.since,       l->guard.state,
  };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) ck_assert_uint_eq(none[i], 0);
  for (uint32_t q = 0; q < rig.request.max_period; q++) ck_assert_int_eq(l->repetition.runs[q], 0);
  ck_assert_ptr_eq(l->memory.ids, rig.memory.ids);
  ck_assert_ptr_eq(l->memory.runs, rig.memory.runs);
  ck_assert_ptr_eq(l->memory.text, rig.memory.text);
  ck_assert_uint_eq(l->memory.text_capacity, rig.memory.text_capacity);
  rig_holds(ES_HOLD_NOTHING, 0, 0);
}
END_TEST

START_TEST(R11_a_token_that_does_not_fit_is_not_taken_and_fits_once_there_is_room) {
  char text[RIG_ROOM + 2];
  memset(text, 'a', sizeof text);
  text[RIG_ROOM + 1] = 0;
  rig_stop("ab");
  rig_start();
  remember();
  ck_assert_int_eq(rig_token(ABC, text, false), ES_FULL);
  unchanged_but_due();
  ck_assert_int_eq(rig_token(ABC, text, true), ES_OK); /* a special token has no text */
  rig_step(ABC, text + 1);
  ck_assert_uint_eq(rig.shown_size, RIG_ROOM - 1); /* one is held */
  rig_take(ABC, text + 2);
  remember();
  ck_assert_int_eq(rig_token(ABC, "a", false), ES_FULL);
  unchanged_but_due();
  rig_take(ABC, "");
  rig_boundary(NOTHING);
  rig_step(ABC, "b");
  ck_assert_uint_eq(rig_ended(ES_CAUSE_STOP_STRING, 2 * RIG_ROOM - 2, 5).stop_index, 0);
}
END_TEST

START_TEST(R11_no_flush_policy_waits_for_a_token_that_does_not_fit) {
  static const es_flush_kind kinds[] = {ES_FLUSH_STEPS, ES_FLUSH_BYTES, ES_FLUSH_TOKENS, ES_FLUSH_MS};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    char text[RIG_ROOM + 1];
    memset(text, 'a', RIG_ROOM);
    text[RIG_ROOM] = 0;
    rig_begin();
    rig.request.flush = (es_flush){kinds[i], 100};
    rig_start();
    rig_step(ABC, text);
    ck_assert_uint_eq(rig.shown_size, 0);
    ck_assert_int_eq(rig_token(ABC, "b", false), ES_FULL);
    rig_boundary(NOTHING);
    ck_assert_uint_eq(rig.shown_size, RIG_ROOM);
    rig_step(ABC, "b");
    ck_assert_uint_eq(rig.shown_size, RIG_ROOM); /* the policy counts again */
  }
}
END_TEST

START_TEST(R11_nor_does_it_wait_for_the_last_token_there_can_be) {
  char text[RIG_ROOM + 1];
  memset(text, 'a', RIG_ROOM);
  text[RIG_ROOM] = 0;
  rig.request.flush = (es_flush){ES_FLUSH_BYTES, 100};
  rig_start();
  rig_step(ABC, text);
  rig.lane.limits.taken = INT32_MAX - 1;
  ck_assert_int_eq(rig_token(ABC, "b", false), ES_FULL);
  rig_boundary(NOTHING);
  ck_assert_uint_eq(rig.shown_size, RIG_ROOM);
  rig_step(ABC, "b");
  ck_assert_uint_eq(rig.lane.limits.taken, INT32_MAX);
}
END_TEST

START_TEST(R5_a_token_end_takes_no_text_however_much_room_there_is) {
  rig.memory.text_capacity = UINT32_MAX; /* as far as the lane knows */
  rig_start();
  rig_step(EOS, "b");
  rig_shows("");
  rig_ended(ES_CAUSE_EOS, 0, 1);
}
END_TEST

START_TEST(R7_no_token_is_taken_beyond_the_largest_number) {
  rig_start();
  rig.lane.limits.taken = INT32_MAX - 1;
  rig_step(ABC, "a");
  remember();
  ck_assert_int_eq(rig_token(ABC, "b", false), ES_FULL);
  unchanged();
  rig_boundary((es_boundary){false, 0, true, false});
  rig_ended(ES_CAUSE_ABORT, 1, INT32_MAX);
}
END_TEST

START_TEST(R9_boundaries_are_counted_to_the_largest_number) {
  rig.request.deadline_steps = INT32_MAX;
  rig_start();
  rig.lane.boundary = INT32_MAX - 1;
  rig_boundary(NOTHING);
  ck_assert_uint_eq(rig.lane.boundary, INT32_MAX);
  rig_boundary(NOTHING);
  rig_ended(ES_CAUSE_DEADLINE, 0, 0);
  rig.request.deadline_steps = ES_NO_LIMIT;
  rig_start();
  rig.lane.boundary = INT32_MAX;
  rig_boundary(NOTHING);
  ck_assert_uint_eq(rig.lane.boundary, INT32_MAX);
}
END_TEST

START_TEST(R5_memory_for_the_longest_sequence_is_enough_and_one_less_is_misuse) {
  rig_sequence(3, 5, 6, 7);
  rig_sequence(2, 5, 6, 0);
  rig.memory.start_count = 3;
  rig_open();
  remember();
  rig.memory.start_count = 2;
  ck_assert_int_eq(es_lane_open(&rig.lane, &rig.request, &rig.strings, &rig.ids, &rig.memory), ES_MISUSE);
  unchanged();
  rig.sequences[0].length = 2;
  rig.sequences[1].length = 3; /* the last is the longest */
  rig.memory.start_count = 3;
  rig_open();
  rig.memory.start_count = 2;
  ck_assert_int_eq(es_lane_open(&rig.lane, &rig.request, &rig.strings, &rig.ids, &rig.memory), ES_MISUSE);
  rig.request.sequence_count = 0;
  rig.memory.start_count = 1;
  rig_open();
  remember();
  rig.memory.start_count = 0;
  ck_assert_int_eq(es_lane_open(&rig.lane, &rig.request, &rig.strings, &rig.ids, &rig.memory), ES_MISUSE);
  unchanged();
}
END_TEST

START_TEST(R5_a_sequence_that_just_fits_is_cut_at_its_first_token) {
  rig_sequence(3, 5, 6, 7);
  rig.memory.start_count = 3;
  rig_start();
  for (int i = 0; i < 5; i++) rig_step(ABC, "a");
  rig_step(5, "b");
  rig_step(6, "c");
  rig_step(7, "d");
  rig_shows("aaaaa");
  rig_ended(ES_CAUSE_STOP_SEQUENCE, 5, 8);
}
END_TEST

START_TEST(R11_an_offer_needs_room_for_replacements_and_no_more) {
  uint8_t out[3 * RIG_ROOM];
  uint32_t length = 7;
  rig_start();
  rig_take(ABC, "\xFF\xFF");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert_int_eq(es_lane_offer(&rig.lane, out, 5, &length), ES_FULL);
  ck_assert_uint_eq(length, 0);
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_OK), ES_MISUSE);
  ck_assert_int_eq(es_lane_offer(&rig.lane, out, 6, &length), ES_OK);
  ck_assert_int_eq(es_lane_offer(&rig.lane, out, 5, &length), ES_FULL); /* the offer before it is void */
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_OK), ES_MISUSE);
  ck_assert_int_eq(es_lane_offer(&rig.lane, out, 6, &length), ES_OK);
  ck_assert_uint_eq(length, 6);
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_OK), ES_OK);
  ck_assert_uint_eq(rig.lane.shown_bytes, 6);
}
END_TEST

START_TEST(R11_an_answer_without_an_offer_is_misuse) {
  uint8_t out[3 * RIG_ROOM];
  uint32_t length;
  rig_start();
  remember();
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_GONE), ES_MISUSE);
  ck_assert_int_eq(es_lane_offer(&rig.lane, out, 0, &length), ES_OK); /* nothing is due: no offer */
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_GONE), ES_MISUSE);
  unchanged();
  rig_step(ABC, "a");
  remember();
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_OK), ES_MISUSE); /* answered before */
  unchanged();
}
END_TEST

START_TEST(R12_an_offer_not_answered_before_the_next_boundary_is_void_and_nothing_is_lost) {
  uint8_t out[3 * RIG_ROOM];
  uint32_t length;
  rig_start();
  rig_take(ABC, "ab");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert_int_eq(es_lane_offer(&rig.lane, out, sizeof out, &length), ES_OK);
  rig_take(ABC, "cd");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  remember();
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_OK), ES_MISUSE);
  unchanged();
  ck_assert(rig_offer(ES_ANSWER_OK));
  rig_shows("abcd");
}
END_TEST

START_TEST(R11_the_policy_is_told_of_the_lanes_tokens_and_of_the_time) {
  uint8_t out[3 * RIG_ROOM];
  uint32_t length;
  rig.request.flush = (es_flush){ES_FLUSH_TOKENS, 2};
  rig_start();
  rig_step(ABC, "a");
  rig_boundary(NOTHING);
  rig_shows("");
  rig_step(ABC, "b");
  rig_shows("ab");
  rig_take(ABC, "c");
  rig_take(ABC, "d");
  rig_boundary(NOTHING);
  rig_shows("abcd");
  rig.request.flush = (es_flush){ES_FLUSH_MS, 5};
  rig_start();
  rig_take(ABC, "a");
  for (uint64_t now = 10; now <= 15; now++) {
    ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, now), ES_OK);
    ck_assert_int_eq(es_lane_offer(&rig.lane, out, sizeof out, &length), ES_OK);
    ck_assert_uint_eq(length, now == 15);
  }
}
END_TEST

/* Law: offering twice is offering once. */
START_TEST(R11_an_offer_made_twice_is_the_same_offer) {
  uint8_t once[3 * RIG_ROOM], twice[3 * RIG_ROOM];
  uint32_t length, again;
  rig_start();
  rig_take(ABC, "a\xC3\xA4");
  ck_assert_int_eq(es_lane_boundary(&rig.lane, NOTHING, 0), ES_OK);
  ck_assert_int_eq(es_lane_offer(&rig.lane, once, sizeof once, &length), ES_OK);
  remember();
  ck_assert_int_eq(es_lane_offer(&rig.lane, twice, sizeof twice, &again), ES_OK);
  unchanged();
  ck_assert_uint_eq(length, again);
  ck_assert_mem_eq(once, twice, length);
  ck_assert_int_eq(es_lane_answer(&rig.lane, ES_ANSWER_OK), ES_OK);
  ck_assert(!rig_offer(ES_ANSWER_OK));
  ck_assert_uint_eq(rig.lane.shown_bytes, 3);
}
END_TEST

static char words[WORDS][4];

/* R2, R3 to the letter: where the first stop completes in a text, or 0; *best is the stop that counts. */
static uint32_t completes(const char *text, uint32_t n, uint32_t *best) {
  for (uint32_t p = 1; p <= n; p++) {
    uint32_t longest = 0;
    for (uint32_t i = 0; i < rig.request.stop_count; i++) {
      const es_stop *stop = rig.stops + i;
      bool there =
          stop->length <= p && memcmp(text + p - stop->length, rig.stop_text + stop->offset, stop->length) == 0;
      if (!there || stop->length <= longest) continue;
      longest = stop->length;
      *best = i;
    }
    if (longest > 0) return p;
  }
  return 0;
}

/* T3: the bytes that no continuation cuts. A stop of three bytes that has begun needs two more at most. */
static uint32_t safe(const char *text, uint32_t n) {
  uint32_t least = n, best = 0;
  char longer[TEXT + 2];
  memcpy(longer, text, n);
  for (uint32_t bits = 0; bits < 4; bits++) {
    longer[n] = bits & 1 ? 'b' : 'a';
    longer[n + 1] = bits & 2 ? 'b' : 'a';
    uint32_t p = completes(longer, n + 2, &best);
    if (p > 0 && p - rig.stops[best].length < least) least = p - rig.stops[best].length;
  }
  return least;
}

/* What must come of one text, wherever it is parted. */
typedef struct {
  char text[TEXT + 1];
  uint32_t place, cut, best;
  uint32_t safe[TEXT + 1];
} expectation;

static void is_shown(const expectation *e, uint32_t n, uint32_t gaps) {
  if (rig.shown_size != n || memcmp(rig.shown, e->text, n) != 0)
    ck_abort_msg("%s, parted by %u: expected %u bytes, found %u", e->text, gaps, n, rig.shown_size);
}

/* Runs the text with gap i (a digit to the base of three) before letter i + 1: none, a new token, or a new step. */
static void run_parted(const expectation *e, uint32_t gaps) {
  es_lane_token token = {ABC, false, (const uint8_t *)e->text, 1};
  es_boundary nothing = NOTHING;
  uint8_t out[3 * RIG_ROOM];
  uint32_t rest = gaps, length = 0;
  rig.shown_size = 0;
  es_lane_open(&rig.lane, &rig.request, &rig.strings, &rig.ids, &rig.memory);
  es_lane_boundary(&rig.lane, nothing, 0);
  for (uint32_t n = 1; n <= TEXT; n++, rest /= 3, token.length++) {
    if (n < TEXT && rest % 3 == 0) continue;
    es_status status = es_lane_take(&rig.lane, &token);
    bool over = e->place > 0 && e->place <= n - token.length;
    if (status != (over ? ES_ENDED : ES_OK)) ck_abort_msg("%s, parted by %u: status %d", e->text, gaps, (int)status);
    token.bytes += token.length;
    token.length = 0;
    if (n < TEXT && rest % 3 == 1) continue;
    if (es_lane_boundary(&rig.lane, nothing, 0) == ES_ENDED) break;
    es_lane_offer(&rig.lane, out, sizeof out, &length);
    memcpy(rig.shown + rig.shown_size, out, length);
    rig.shown_size += length;
    if (length > 0) es_lane_answer(&rig.lane, ES_ANSWER_OK);
    is_shown(e, e->place > 0 && e->place <= n ? e->cut : e->safe[n], gaps);
  }
  es_terminal terminal;
  bool ended = es_lane_terminal(&rig.lane, &terminal);
  if (ended != (e->place > 0)) ck_abort_msg("%s, parted by %u: ended %d", e->text, gaps, ended);
  if (!ended) return;
  if (terminal.end.cause != ES_CAUSE_STOP_STRING || terminal.end.cut != e->cut || terminal.stop_index != e->best)
    ck_abort_msg("%s, parted by %u: cut %ju, stop %u", e->text, gaps, (uintmax_t)terminal.end.cut, terminal.stop_index);
}

static void every_text(void) {
  for (uint32_t bits = 0; bits < 1u << TEXT; bits++) {
    expectation e = {.place = 0};
    for (uint32_t j = 0; j < TEXT; j++) e.text[j] = bits >> j & 1 ? 'b' : 'a';
    e.place = completes(e.text, TEXT, &e.best);
    e.cut = e.place > 0 ? e.place - rig.stops[e.best].length : TEXT;
    for (uint32_t n = 0; n <= TEXT; n++) e.safe[n] = safe(e.text, n);
    for (uint32_t gaps = 0; gaps < 3 * 3 * 3 * 3; gaps++) run_parted(&e, gaps);
  }
}

START_TEST(T3_T5_any_text_in_any_tokens_and_steps_is_shown_and_ends_by_the_rules) {
  uint32_t count = 0;
  for (uint32_t length = 1; length <= 3; length++)
    for (uint32_t bits = 0; bits < 1u << length; bits++, count++)
      for (uint32_t j = 0; j < length; j++) words[count][j] = bits >> j & 1 ? 'b' : 'a';
  for (uint32_t a = 0; a < WORDS; a++)
    for (uint32_t b = 0; b < WORDS; b++) {
      rig.request.stop_count = 0;
      rig_stop(words[a]);
      rig_stop(words[b]);
      rig_open();
      every_text();
    }
}
END_TEST

TCase *lane_law_tests(void) {
  TCase *tests = tcase_create("laws");
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, rig_begin, NULL);
  tcase_add_test(tests, R9_a_lane_that_is_opened_has_taken_nothing);
  tcase_add_test(tests, R11_a_token_that_does_not_fit_is_not_taken_and_fits_once_there_is_room);
  tcase_add_test(tests, R11_no_flush_policy_waits_for_a_token_that_does_not_fit);
  tcase_add_test(tests, R11_nor_does_it_wait_for_the_last_token_there_can_be);
  tcase_add_test(tests, R5_a_token_end_takes_no_text_however_much_room_there_is);
  tcase_add_test(tests, R7_no_token_is_taken_beyond_the_largest_number);
  tcase_add_test(tests, R9_boundaries_are_counted_to_the_largest_number);
  tcase_add_test(tests, R5_memory_for_the_longest_sequence_is_enough_and_one_less_is_misuse);
  tcase_add_test(tests, R5_a_sequence_that_just_fits_is_cut_at_its_first_token);
  tcase_add_test(tests, R11_an_offer_needs_room_for_replacements_and_no_more);
  tcase_add_test(tests, R11_an_answer_without_an_offer_is_misuse);
  tcase_add_test(tests, R12_an_offer_not_answered_before_the_next_boundary_is_void_and_nothing_is_lost);
  tcase_add_test(tests, R11_the_policy_is_told_of_the_lanes_tokens_and_of_the_time);
  tcase_add_test(tests, R11_an_offer_made_twice_is_the_same_offer);
  tcase_add_test(tests, T3_T5_any_text_in_any_tokens_and_steps_is_shown_and_ends_by_the_rules);
  return tests;
}
