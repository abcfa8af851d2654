/* explore: the engine loop under chosen schedules: every one of the small scenes, random ones of a small load.
 *
 *   explore all                    every schedule, with a switch before each atomic operation; their number is pinned
 *   explore races                  the same with the orders of the accesses looked at, and with each looking at the end of
 *                                  the lane; of schedules that differ only in operations that commute, one
 *   explore random COUNT [SEED]    so many schedules of the load
 *   explore --replay STRING        one schedule again, as a failure printed it
 *
 * STRING: the scene, then who went on at each switch: E the engine, A, B … the others, each with how often in a row. It
 * holds for the compiler that it came from: gcc makes an atomic store of atomic_init, clang a plain one. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fibers.h"
#include "load.h"
#include "scenes.h"
#include "script.h"

#define LONGEST 500000

static uint8_t path[LONGEST];     /* who went on */
static uint32_t choices[LONGEST]; /* who might have */
static uint32_t tried[LONGEST];   /* who of them went on in schedules before */
static uint32_t asleep[LONGEST];  /* whose turn here comes to the same as a schedule before */
static bool cut;                  /* all are asleep: the rest was seen */
static uint32_t made, planned;
static uint64_t switches;
static uint64_t random_state, stay; /* out of 16 */

static uint32_t lowest(uint32_t bits) {
  uint32_t i = 0;
  while ((bits >> i & 1) == 0) i++;
  return i;
}

static uint32_t note(uint32_t current, uint32_t enabled, uint32_t next) {
  if (made == LONGEST) fibers_fail("T9: no end in sight");
  choices[made] = enabled;
  path[made++] = (uint8_t)next;
  switches += next != current;
  return next;
}

/* As planned, then always the first. */
static uint32_t choose_planned(uint32_t current, uint32_t enabled) {
  uint32_t next = made < planned ? path[made] : lowest(enabled);
  if ((enabled >> next & 1) == 0) fibers_fail("the schedule does not fit this code");
  return note(current, enabled, next);
}

/* The same, but of schedules that differ only in the order of operations that commute, one (sleep sets). */
static uint32_t choose_reduced(uint32_t current, uint32_t enabled) {
  uint32_t at = made, next;
  if (at == 0) asleep[0] = 0;
  if (at < planned) {
    next = path[at];
  } else {
    tried[at] = 0;
    cut = (enabled & ~asleep[at]) == 0;
    if (cut) fibers_fail("seen before");
    next = lowest(enabled & ~asleep[at]);
  }
  if (at + 1 < LONGEST) asleep[at + 1] = 0;
  for (uint32_t i = 0; i < FIBERS && at + 1 < LONGEST; i++)
    if (i != next && ((asleep[at] | tried[at]) >> i & 1) != 0 && fibers_commute(i, next)) asleep[at + 1] |= 1u << i;
  return note(current, enabled, next);
}

/* The next schedule in order: the last choice that can be another one. False: that was the last. */
static bool next_plan(bool reduced) {
  for (planned = made; planned > 0; planned--) {
    uint32_t at = planned - 1;
    tried[at] = reduced ? tried[at] | 1u << path[at] : (2u << path[at]) - 1;
    uint32_t rest = choices[at] & ~tried[at] & ~(reduced ? asleep[at] : 0);
    if (rest == 0) continue;
    path[at] = (uint8_t)lowest(rest);
    return true;
  }
  return false;
}

static uint32_t choose_randomly(uint32_t current, uint32_t enabled) {
  if ((enabled >> current & 1) != 0 && random_below(&random_state, 16) < stay) return note(current, enabled, current);
  uint32_t next;
  do next = (uint32_t)random_below(&random_state, FIBERS);
  while ((enabled >> next & 1) == 0);
  return note(current, enabled, next);
}

static void print_replay(const char *name) {
  printf("replay: %s:", name);
  for (uint32_t i = 0; i < made;) {
    uint32_t n = 0;
    while (i + n < made && path[i + n] == path[i]) n++;
    printf("%c%" PRIu32, path[i] == 0 ? 'E' : 'A' + path[i] - 1, n);
    i += n;
  }
  putchar('\n');
}

static bool read_replay(const char *text) {
  for (planned = 0; *text;) {
    uint8_t who = *text == 'E' ? 0 : (uint8_t)(*text - 'A' + 1);
    if (who >= FIBERS || !isdigit((unsigned char)text[1])) return false;
    char *end;
    for (unsigned long n = strtoul(text + 1, &end, 10); n > 0 && planned < LONGEST; n--) path[planned++] = who;
    text = end;
  }
  return true;
}

/* One schedule of a scene. Whether it was right; a fault is printed. */
static bool play_scene(const scene *s, bool races, fibers_choose choose) {
  char name[32];
  made = 0;
  cut = false;
  atomics_switch = races ? SWITCH_EACH : SWITCH_BEFORE;
  atomics_races = races;
  scene_begin(s, races);
  const char *fault = fibers_run(scene_bodies, SCENE_FIBERS, choose);
  if (cut) {
    scene_end();
    return true;
  }
  const char *wrong = scene_fault(); /* also for what is printed of a run that failed */
  if (!fault) fault = wrong;
  if (fault) {
    snprintf(name, sizeof name, "%s%s", s->name, races ? "-races" : "");
    printf("explore: %s: %s\n", name, fault);
    scene_print(name, stdout);
    print_replay(name);
  }
  scene_end();
  return !fault;
}

static bool play_all(const scene *s, bool races) {
  uint64_t count, expected = races ? s->race_schedules : s->schedules;
  count = switches = 0;
  planned = 0;
  do {
    if (!play_scene(s, races, races ? choose_reduced : choose_planned)) return false;
    count += !cut;
  } while (next_plan(races));
  printf("explore: %s%s: %" PRIu64 " schedules, %" PRIu64 " switches\n", s->name, races ? "-races" : "", count,
         switches);
  if (count == expected) return true;
  printf("explore: %s: expected %" PRIu64 " schedules\n", s->name, expected);
  return false;
}

static load *playing;

static void load_body(uint32_t self) {
  load_thread(playing, self);
}

/* One schedule of the load; what it runs depends on the seed alone. */
static bool play_load(uint64_t seed, fibers_choose choose, load_count *count) {
  static void (*const bodies[])(uint32_t) = {load_body, load_body, load_body, load_body, load_body};
  load_options options = {.lanes = 4,
                          .slots = 2,
                          .clients = 2,
                          .controllers = 2,
                          .window = 2,
                          .deadline = 6,
                          .holes = seed % 4 == 3,
                          .seed = seed,
                          .pause = fibers_pause};
  made = 0;
  atomics_switch = SWITCH_BOTH;
  atomics_races = true;
  history_done = fibers_done;
  history_next = fibers_next;
  playing = load_new(&options);
  if (!playing) exit(2);
  const char *fault = fibers_run(bodies, load_threads(playing), choose);
  const char *wrong = load_fault(playing);
  if (!fault) fault = wrong;
  if (fault) {
    char name[40];
    snprintf(name, sizeof name, "load-%" PRIu64, seed);
    printf("explore: %s: %s\n", name, fault);
    load_print(playing, name, stdout);
    print_replay(name);
  } else {
    load_add(playing, count);
  }
  load_free(playing);
  return !fault;
}

static int explore_randomly(uint64_t schedules, uint64_t seed) {
  load_count count = {0};
  printf("explore: seed %" PRIu64 "\n", seed);
  fflush(stdout);
  for (uint64_t i = 0; i < schedules; i++) {
    static const uint64_t stays[] = {0, 8, 12, 15};
    random_state = seed + i;
    stay = stays[random_below(&random_state, 4)];
    if (!play_load(seed + i, choose_randomly, &count)) return 1;
  }
  printf("explore: random: %" PRIu64 " schedules, %" PRIu64 " switches, %" PRIu64 " lanes, %" PRIu64
         " requests (%" PRIu64 " won, %" PRIu64 " second, %" PRIu64 " late, %" PRIu64 " stale), %" PRIu64
         " disconnects, %" PRIu64 " put off\n",
         schedules, switches, count.lanes, count.requests, count.answers[0], count.answers[1], count.answers[2],
         count.answers[3], count.disconnects, count.later);
  return 0;
}

static int replay(const char *text) {
  const char *colon = strchr(text, ':');
  if (!colon || !read_replay(colon + 1)) return 2;
  size_t length = (size_t)(colon - text);
  load_count count = {0};
  if (strncmp(text, "load-", 5) == 0) return play_load(strtoull(text + 5, NULL, 10), choose_planned, &count) ? 0 : 1;
  for (size_t i = 0; i < SCENES; i++) {
    const char *name = scenes[i].name;
    if (strncmp(text, name, strlen(name)) != 0) continue;
    bool races = length > strlen(name);
    return play_scene(scenes + i, races, choose_planned) ? 0 : 1;
  }
  return 2;
}

int main(int argc, char **argv) {
  history_exact = true;
  if (argc > 2 && strcmp(argv[1], "random") == 0) {
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : (uint64_t)time(NULL) % 1000000 * 1000000;
    return explore_randomly(strtoull(argv[2], NULL, 10), seed);
  }
  if (argc > 2 && strcmp(argv[1], "--replay") == 0) return replay(argv[2]);
  if (argc != 2 || (strcmp(argv[1], "all") != 0 && strcmp(argv[1], "races") != 0)) {
    fputs("explore: expected `all`, `races`, `random COUNT [SEED]` or `--replay STRING`\n", stderr);
    return 2;
  }
  for (size_t i = 0; i < SCENES; i++)
    if (!play_all(scenes + i, argv[1][0] == 'r')) return 1;
  return 0;
}
