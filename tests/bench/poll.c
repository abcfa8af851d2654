/* What a look at the stop flag costs beside a plain load: functions for objdump to count, and loops to time. */
#include <stdio.h>
#include <time.h>

#include "stopflag.h"

#define TIMES 100000000

bool poll_flag(es_stop_slot *slot);
bool poll_plain(const volatile uint64_t *word);
bool poll_dear(es_stop_slot *slot, uint64_t epoch);

/* As an engine uses it: a branch on what was read. */
bool poll_flag(es_stop_slot *slot) {
  return es_stop_poll(slot) != 0;
}

bool poll_plain(const volatile uint64_t *word) {
  return *word != 0;
}

/* What must be counted as too dear: a poll that looks at the epoch too. */
bool poll_dear(es_stop_slot *slot, uint64_t epoch) {
  uint64_t word = atomic_load_explicit(&slot->word, memory_order_acquire);
  return (word / ES_STOP_EPOCH == epoch) & (word % 256 != 0);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds for the flag and for the plain word, a line a round. */
int main(void) {
  es_stop_slot slot;
  volatile uint64_t word = 0;
  uint64_t found = 0;
  es_stop_init(&slot, 0);
  for (int round = 0; round < 5; round++) {
    double begun = seconds();
    for (long i = 0; i < TIMES; i++)
      if (es_stop_poll(&slot)) found++;
    double between = seconds();
    for (long i = 0; i < TIMES; i++)
      if (word) found++;
    printf("%.4f %.4f\n", between - begun, seconds() - between);
  }
  return found > 0;
}
