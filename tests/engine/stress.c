/* stress: the engine loop under real threads: 1 engine, 4 clients, 3 controllers, for some seconds. Every round's history
 * is checked. `stress SECONDS [SEED]`; to be built with a thread sanitizer too. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

#define CLIENTS 4
#define CONTROLLERS 3
#define STUCK 120 /* seconds without an end */

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void sleep_a_little(void *context) {
  (void)context;
  sched_yield();
}

typedef struct {
  load *l;
  uint32_t number;
} job;

static void *thread(void *context) {
  job *j = context;
  load_thread(j->l, j->number);
  return NULL;
}

/* One round. Whether it was right. */
static bool play(const load_options *options, load_count *count) {
  load *l = load_new(options);
  if (!l) exit(2);
  pthread_t threads[1 + CLIENTS + CONTROLLERS];
  job jobs[1 + CLIENTS + CONTROLLERS];
  for (uint32_t i = 0; i < load_threads(l); i++) {
    jobs[i] = (job){l, i};
    if (pthread_create(threads + i, NULL, thread, jobs + i) != 0) exit(2);
  }
  for (uint32_t i = 0; i < load_threads(l); i++) pthread_join(threads[i], NULL);
  const char *fault = load_fault(l);
  if (fault) printf("stress: seed %" PRIu64 ": %s\n", options->seed, fault);
  load_add(l, count);
  load_free(l);
  return !fault;
}

int main(int argc, char **argv) {
  uint64_t seconds = argc > 1 ? strtoull(argv[1], NULL, 10) : 2;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : nanoseconds() % 1000000000;
  uint64_t begun = nanoseconds();
  load_count compact = {0}, holes = {0};
  history_done = history_next = nanoseconds;
  history_margin = 10000;
  printf("stress: seed %" PRIu64 "\n", seed);
  fflush(stdout);
  for (uint64_t round = 0; round == 0 || nanoseconds() - begun < seconds * 1000000000; round++) {
    load_options options = {.lanes = 1000,
                            .slots = 4,
                            .clients = CLIENTS,
                            .controllers = CONTROLLERS,
                            .window = 4,
                            .deadline = 300,
                            .holes = round % 4 == 3,
                            .seed = seed + round,
                            .pause = sleep_a_little};
    alarm(STUCK);
    if (!play(&options, options.holes ? &holes : &compact)) return 1;
  }
  load_count all = compact;
  for (int i = 0; i < 4; i++) all.answers[i] += holes.answers[i];
  printf("stress: %" PRIu64 " lanes, %" PRIu64 " tokens, %" PRIu64 " recycles, %" PRIu64 " requests (%" PRIu64
         " won, %" PRIu64 " second, %" PRIu64 " late, %" PRIu64 " stale), %" PRIu64 " disconnects, %" PRIu64
         " put off; places that rode with a lane: "
         "%.1f %%, without compaction %.1f %%; %" PRIu64 " s\n",
         all.lanes + holes.lanes, all.tokens + holes.tokens, all.recycles + holes.recycles,
         all.requests + holes.requests, all.answers[0], all.answers[1], all.answers[2], all.answers[3],
         all.disconnects + holes.disconnects, all.later + holes.later,
         100.0 * (double)compact.rode.lanes / (double)(compact.rode.places ? compact.rode.places : 1),
         100.0 * (double)holes.rode.lanes / (double)(holes.rode.places ? holes.rode.places : 1),
         (nanoseconds() - begun) / 1000000000);
  return 0;
}
