/* Tests of the stop flag: one thread, every order of calls, and what comes between two accesses of one call. Orders of
 * memory are looked at in tests/relacy.
 *
 * What comes between: the slot lies in memory that may be read and not written, so that the write of a call faults; the
 * handler of the fault lets another thread's call happen, and the write is tried again. */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stopflag.h"

Suite *stopflag_suite(void);

#define FIRST 5

START_TEST(R14_the_first_request_wins) {
  es_stop_slot slot;
  es_stop_init(&slot, FIRST);
  ck_assert_uint_eq(es_stop_epoch(&slot), FIRST);
  ck_assert_uint_eq(es_stop_poll(&slot), 0);
  ck_assert_int_eq(es_stop_request(&slot, FIRST, 3), ES_STOP_WON);
  ck_assert_int_eq(es_stop_request(&slot, FIRST, 4), ES_STOP_SECOND);
  ck_assert_int_eq(es_stop_request(&slot, FIRST, 3), ES_STOP_SECOND);
  ck_assert_uint_eq(es_stop_poll(&slot), 3);
  ck_assert(!es_stop_over(&slot, FIRST));
}
END_TEST

START_TEST(R14_every_reason_is_told_as_it_was_given_and_none_as_1) {
  for (unsigned given = 0; given <= 255; given++) {
    es_stop_slot slot;
    uint8_t reason = 99, expected = (uint8_t)(given == 0 ? 1 : given);
    uint64_t epoch = 99;
    es_stop_init(&slot, FIRST);
    ck_assert_int_eq(es_stop_request(&slot, FIRST, (uint8_t)given), ES_STOP_WON);
    ck_assert_uint_eq(es_stop_poll(&slot), expected);
    ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_MISUSE);
    ck_assert_int_eq(es_stop_ack(&slot, &reason), ES_OK);
    ck_assert_uint_eq(reason, expected);
    ck_assert_uint_eq(es_stop_poll(&slot), expected);
    ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_OK); /* whatever the reason */
    ck_assert_uint_eq(epoch, FIRST + 1);
  }
}
END_TEST

START_TEST(R14_after_the_acknowledgement_a_request_is_late_and_changes_nothing) {
  es_stop_slot slot;
  uint8_t reason = 99;
  es_stop_init(&slot, FIRST);
  ck_assert_int_eq(es_stop_ack(&slot, &reason), ES_OK);
  ck_assert_uint_eq(reason, 0);
  ck_assert(es_stop_over(&slot, FIRST));
  ck_assert_int_eq(es_stop_request(&slot, FIRST, 3), ES_STOP_LATE);
  ck_assert_uint_eq(es_stop_poll(&slot), 0);
}
END_TEST

START_TEST(R14_a_stale_request_does_not_hit_the_next_lane) {
  es_stop_slot slot;
  uint64_t epoch = 0;
  es_stop_init(&slot, FIRST);
  ck_assert_int_eq(es_stop_request(&slot, FIRST, 3), ES_STOP_WON);
  ck_assert_int_eq(es_stop_ack(&slot, NULL), ES_OK);
  ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_OK);
  ck_assert_uint_eq(epoch, FIRST + 1);
  ck_assert_uint_eq(es_stop_epoch(&slot), FIRST + 1);
  ck_assert_uint_eq(es_stop_poll(&slot), 0);
  ck_assert_int_eq(es_stop_request(&slot, FIRST, 3), ES_STOP_STALE);
  ck_assert_int_eq(es_stop_request(&slot, FIRST + 2, 3), ES_STOP_STALE);
  ck_assert_uint_eq(es_stop_poll(&slot), 0);
  ck_assert(es_stop_over(&slot, FIRST));
  ck_assert(!es_stop_over(&slot, FIRST + 1));
  ck_assert_int_eq(es_stop_request(&slot, FIRST + 1, 4), ES_STOP_WON);
  ck_assert_uint_eq(es_stop_poll(&slot), 4);
}
END_TEST

START_TEST(R14_a_lane_is_acknowledged_once) {
  es_stop_slot slot;
  uint8_t reason = 99;
  es_stop_init(&slot, FIRST);
  ck_assert_int_eq(es_stop_ack(&slot, NULL), ES_OK);
  ck_assert_int_eq(es_stop_ack(&slot, &reason), ES_MISUSE);
  ck_assert_uint_eq(reason, 99);
  ck_assert(es_stop_over(&slot, FIRST));
}
END_TEST

START_TEST(R14_a_slot_whose_lane_is_not_over_is_not_given_away) {
  es_stop_slot slot;
  uint64_t epoch = 99;
  es_stop_init(&slot, FIRST);
  ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_MISUSE);
  ck_assert_int_eq(es_stop_request(&slot, FIRST, 3), ES_STOP_WON);
  ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_MISUSE);
  ck_assert_uint_eq(epoch, 99);
  ck_assert_uint_eq(es_stop_epoch(&slot), FIRST);
  ck_assert_uint_eq(es_stop_poll(&slot), 3);
}
END_TEST

START_TEST(R14_after_the_last_epoch_a_slot_stays_as_it_is) {
  es_stop_slot slot;
  uint64_t epoch = 99;
  es_stop_init(&slot, ES_STOP_LAST_EPOCH - 1);
  ck_assert_int_eq(es_stop_ack(&slot, NULL), ES_OK);
  ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_OK);
  ck_assert_uint_eq(epoch, ES_STOP_LAST_EPOCH);
  ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_MISUSE);
  ck_assert_int_eq(es_stop_ack(&slot, NULL), ES_OK);
  epoch = 99;
  ck_assert_int_eq(es_stop_recycle(&slot, &epoch), ES_FULL);
  ck_assert_uint_eq(epoch, 99);
  ck_assert(es_stop_over(&slot, ES_STOP_LAST_EPOCH));
  ck_assert_int_eq(es_stop_request(&slot, ES_STOP_LAST_EPOCH, 3), ES_STOP_LATE);
}
END_TEST

/* One who waits, and what is done at each of its looks. */
typedef struct {
  es_stop_slot *slot;
  int looks, ends_at, gives_up_at;
} waiter;

static bool wait(void *context) {
  waiter *w = context;
  if (w->looks++ > 3) ck_abort_msg("who waits is not told of the end");
  if (w->looks == w->ends_at) es_stop_ack(w->slot, NULL);
  return w->looks != w->gives_up_at;
}

START_TEST(R14_who_waits_is_told_whether_the_lane_is_over) {
  static const struct {
    int ends_at, gives_up_at, looks;
    bool over;
  } rows[] = {{3, 0, 3, true}, {3, 3, 3, true}, {0, 2, 2, false}, {1, 1, 1, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    es_stop_slot slot;
    waiter w = {&slot, 0, rows[i].ends_at, rows[i].gives_up_at};
    es_stop_init(&slot, FIRST);
    ck_assert_int_eq(es_stop_await(&slot, FIRST, wait, &w), rows[i].over);
    ck_assert_int_eq(w.looks, rows[i].looks);
  }
}
END_TEST

START_TEST(R14_who_waits_for_a_lane_that_is_over_is_not_kept) {
  es_stop_slot slot;
  uint64_t epoch;
  waiter w = {&slot, 0, 0, 0};
  es_stop_init(&slot, FIRST);
  es_stop_ack(&slot, NULL);
  ck_assert(es_stop_await(&slot, FIRST, wait, &w));
  es_stop_recycle(&slot, &epoch);
  ck_assert(es_stop_await(&slot, FIRST, wait, &w));
  ck_assert_int_eq(w.looks, 0);
}
END_TEST

/* The call that comes between, and the slot that may not be written before. */
static void (*comes_between)(es_stop_slot *slot);
static es_stop_slot *guarded;
static size_t page;

static void on_fault(int signal) {
  (void)signal;
  if (comes_between == NULL || mprotect(guarded, page, PROT_READ | PROT_WRITE) != 0) _exit(3);
  void (*call)(es_stop_slot *) = comes_between;
  comes_between = NULL;
  call(guarded);
}

static void guard(es_stop_slot *slot, void (*call)(es_stop_slot *)) {
  comes_between = call;
  guarded = slot;
  ck_assert_int_eq(mprotect(slot, page, PROT_READ), 0);
}

static es_stop_slot *new_slot(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
  int zero = open("/dev/zero", O_RDWR);
  void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
  ck_assert(zero >= 0 && memory != MAP_FAILED);
  close(zero);
  struct sigaction action = {.sa_handler = on_fault};
  ck_assert_int_eq(sigaction(SIGSEGV, &action, NULL) | sigaction(SIGBUS, &action, NULL), 0);
  es_stop_init(memory, FIRST);
  return memory;
}

static void request_9(es_stop_slot *slot) {
  if (es_stop_request(slot, FIRST, 9) != ES_STOP_WON) _exit(4);
}

static void acknowledge(es_stop_slot *slot) {
  if (es_stop_ack(slot, NULL) != ES_OK) _exit(4);
}

static void recycle(es_stop_slot *slot) {
  uint64_t epoch;
  if (es_stop_ack(slot, NULL) != ES_OK || es_stop_recycle(slot, &epoch) != ES_OK) _exit(4);
}

START_TEST(R14_a_request_that_another_call_comes_into_is_told_what_it_came_to) {
  static const struct {
    void (*between)(es_stop_slot *slot);
    es_stop_answer answer;
    uint8_t reason;
  } rows[] = {{request_9, ES_STOP_SECOND, 9}, {acknowledge, ES_STOP_LATE, 0}, {recycle, ES_STOP_STALE, 0}};
  es_stop_slot *slot = new_slot();
  guard(slot, rows[_i].between);
  ck_assert_int_eq(es_stop_request(slot, FIRST, 3), rows[_i].answer);
  ck_assert(comes_between == NULL);
  ck_assert_uint_eq(es_stop_poll(slot), rows[_i].reason);
}
END_TEST

START_TEST(R14_a_request_that_comes_into_the_acknowledgement_is_not_lost) {
  es_stop_slot *slot = new_slot();
  uint8_t reason = 99;
  guard(slot, request_9);
  ck_assert_int_eq(es_stop_ack(slot, &reason), ES_OK);
  ck_assert(comes_between == NULL);
  ck_assert_uint_eq(reason, 9);
  ck_assert_uint_eq(es_stop_poll(slot), 9);
  ck_assert(es_stop_over(slot, FIRST));
}
END_TEST

START_TEST(R9_a_request_is_read_at_the_first_boundary_after_it) {
  es_stop_slot slot;
  es_stop_init(&slot, FIRST);
  int taken = 0, asked_at = _i;
  uint8_t reason = 0;
  while (reason == 0 && taken < 5) {
    if (taken == asked_at) es_stop_request(&slot, FIRST, 2);
    taken++;
    reason = es_stop_poll(&slot);
  }
  ck_assert_int_eq(taken, asked_at + 1);
  ck_assert_uint_eq(reason, 2);
}
END_TEST

Suite *stopflag_suite(void) {
  Suite *suite = suite_create("stopflag");
  TCase *tests = tcase_create("stopflag");
  tcase_add_test(tests, R14_the_first_request_wins);
  tcase_add_test(tests, R14_every_reason_is_told_as_it_was_given_and_none_as_1);
  tcase_add_test(tests, R14_after_the_acknowledgement_a_request_is_late_and_changes_nothing);
  tcase_add_test(tests, R14_a_stale_request_does_not_hit_the_next_lane);
  tcase_add_test(tests, R14_a_lane_is_acknowledged_once);
  tcase_add_test(tests, R14_a_slot_whose_lane_is_not_over_is_not_given_away);
  tcase_add_test(tests, R14_after_the_last_epoch_a_slot_stays_as_it_is);
  tcase_add_test(tests, R14_who_waits_is_told_whether_the_lane_is_over);
  tcase_add_test(tests, R14_who_waits_for_a_lane_that_is_over_is_not_kept);
  tcase_add_loop_test(tests, R14_a_request_that_another_call_comes_into_is_told_what_it_came_to, 0, 3);
  tcase_add_test(tests, R14_a_request_that_comes_into_the_acknowledgement_is_not_lost);
  tcase_add_loop_test(tests, R9_a_request_is_read_at_the_first_boundary_after_it, 0, 5);
  suite_add_tcase(suite, tests);
  return suite;
}
