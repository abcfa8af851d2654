/* explore: the engine loop under chosen schedules: every one of the small scenes, random ones of a small load.
 *
 *   explore all [quick]            every schedule; their number is pinned
 *   explore random COUNT [SEED]    so many schedules of the load
 *   explore --replay STRING        one schedule again, as a failure printed it
 *
 * STRING: the scene, then who went on at each switch: E the engine, A, B … the others, each with how often in a row. */
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

/* The next schedule in order: the last choice that can be another one. False: that was the last. */
static bool next_plan(void) {
  for (planned = made; planned > 0; planned--) {
    uint32_t rest = choices[planned - 1] & ~((2u << path[planned - 1]) - 1);
    if (rest == 0) continue;
    path[planned - 1] = (uint8_t)lowest(rest);
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
static bool play_scene(const scene *s, bool again) {
  char name[32];
  made = 0;
  atomics_all = !again;
  atomics_races = again;
  scene_begin(s, again);
  const char *fault = fibers_run(scene_bodies, SCENE_FIBERS, choose_planned);
  const char *wrong = scene_fault();
  if (!fault) fault = wrong;
  if (fault) {
    snprintf(name, sizeof name, "%s%s", s->name, again ? "-again" : "");
    printf("explore: %s: %s\n", name, fault);
    scene_print(name, stdout);
    print_replay(name);
  }
  scene_end();
  return !fault;
}

static bool play_all(const scene *s, bool again) {
  uint64_t count, expected = again ? s->again_schedules : s->schedules;
  atomics_forget();
  do {
    count = switches = 0;
    planned = 0;
    atomics_again = false;
    do {
      count++;
      if (!play_scene(s, again)) return false;
    } while (!atomics_again && next_plan());
  } while (atomics_again);
  printf("explore: %s%s: %" PRIu64 " schedules, %" PRIu64 " switches\n", s->name, again ? "-again" : "", count,
         switches);
  if (count == expected) return true;
  printf("explore: %s: expected %" PRIu64 " schedules\n", s->name, expected);
  return expected == 0;
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
  atomics_all = atomics_races = true;
  history_done = fibers_done;
  history_next = fibers_next;
  playing = load_new(&options);
  if (!playing) exit(2);
  const char *fault = fibers_run(bodies, load_threads(playing), choose);
  if (!fault) fault = load_fault(playing);
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
    bool again = length > strlen(name);
    atomics_forget();
    return play_scene(scenes + i, again) ? 0 : 1;
  }
  return 2;
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "random") == 0) {
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : (uint64_t)time(NULL) % 1000000 * 1000000;
    return explore_randomly(strtoull(argv[2], NULL, 10), seed);
  }
  if (argc > 2 && strcmp(argv[1], "--replay") == 0) return replay(argv[2]);
  if (argc < 2 || strcmp(argv[1], "all") != 0) {
    fputs("explore: expected `all [quick]`, `random COUNT [SEED]` or `--replay STRING`\n", stderr);
    return 2;
  }
  for (size_t i = 0; i < SCENES; i++)
    if (!play_all(scenes + i, false)) return 1;
  if (argc > 2) return 0;
  for (size_t i = 0; i < SCENES; i++)
    if (!play_all(scenes + i, true)) return 1;
  return 0;
}
