#include "scenes.h"

#include <stdlib.h>

#include "fibers.h"
#include "script.h"

#define LANES 2
#define STEPS 3
#define SLOTS_OF_A_HANDLE 65536

const scene scenes[SCENES] = {
    {"both", 2, {0, 0}, false, 98880, 937},    /* two ask the same lane */
    {"each", 2, {0, 1}, false, 133341, 676},   /* each asks a lane of its own */
    {"reuse", 1, {0, 0}, false, 133544, 6438}, /* the second lane has the slot of the first, whom they mean */
    {"early", 1, {1, 1}, true, 409512, 2334},  /* they may ask before the lane has a slot */
};

static const scene *now;
static bool looks;
static es_engine *engine;
static script scripts[LANES];
static const es_case *const cases[LANES] = {&scripts[0].c, &scripts[1].c};
static es_engine_lane *records[LANES];
static thread_log logs[SCENE_FIBERS];
static history *checked;
static uint32_t notes[SCENE_FIBERS]; /* what each wrote before it asked */
static const char *noted;
static uint32_t terminals[LANES];

static es_answer take(void *context, es_span text, bool last) {
  (void)context, (void)text, (void)last;
  return ES_ANSWER_OK;
}

static void over(void *context, const es_terminal *terminal) {
  (void)terminal;
  ++*(uint32_t *)context;
}

/* Who is told of a request sees what was written before it. */
static void watch(void *context, const es_engine_event *event) {
  (void)context;
  log_watch(logs, event);
  if (event->did == ES_DID_READ_STOP && event->value && notes[event->value] != event->value)
    noted = "R14: the engine saw a request, and not what was written before it";
}

void scene_begin(const scene *s, bool races) {
  now = s;
  looks = races;
  noted = NULL;
  if (!checked) checked = history_new();
  history_done = fibers_done;
  history_next = fibers_next;
  es_engine_options options = {s->slots, SCRIPT_TOKENS, false, fibers_pause, watch, NULL};
  engine = es_engine_new(&options);
  for (uint32_t i = 0; i < SCENE_FIBERS; i++) {
    log_clear(logs + i);
    notes[i] = 0;
  }
  for (uint32_t i = 0; i < LANES; i++) {
    terminals[i] = 0;
    script_plain(scripts + i, i, STEPS, STEPS);
    records[i] = es_engine_lane_new(cases[i], (es_engine_sink){take, over, terminals + i}, i);
    if (!engine || !records[i] || es_engine_submit(engine, records[i]) != ES_OK) exit(2);
  }
  es_engine_close(engine);
}

static void run_engine(uint32_t self) {
  (void)self;
  es_engine_run(engine);
}

static void look(uint32_t self, uint32_t lane) {
  saw s = saw_record(lane, es_engine_lane_left(records[lane]));
  log_saw(logs + self, &s);
}

static void ask(uint32_t self) {
  uint32_t lane = now->asks[self - 1];
  /* The slots are given out in order, and all begin in epoch 1. */
  es_engine_handle handle = SLOTS_OF_A_HANDLE + (now->slots > 1 ? lane : 0);
  notes[self] = self;
  uint64_t begin = fibers_next();
  uint8_t reason = (uint8_t)self;
  es_stop_answer answer =
      now->early ? es_engine_cancel(engine, records[lane], reason) : es_engine_stop(engine, handle, reason);
  log_asked(logs + self, begin, lane, reason, answer);
  if (answer == ES_STOP_LATE || answer == ES_STOP_STALE) look(self, lane);
  if (!looks) return;
  if (now->early) handle = es_engine_lane_handle(records[lane]);
  if (es_engine_over(engine, handle)) look(self, lane);
}

void (*const scene_bodies[SCENE_FIBERS])(uint32_t) = {run_engine, ask, ask};

const char *scene_fault(void) {
  const es_engine_left *lefts[LANES];
  for (uint32_t i = 0; i < LANES; i++) lefts[i] = es_engine_lane_left(records[i]);
  if (!history_check(checked, logs, SCENE_FIBERS, cases, lefts, LANES)) return history_fault(checked);
  for (uint32_t i = 0; i < LANES; i++)
    if (terminals[i] != 1) return "T7: a lane's sink got no terminal, or two";
  return noted;
}

void scene_print(const char *name, FILE *out) {
  history_print(checked, logs, SCENE_FIBERS, cases, LANES, name, out);
}

void scene_end(void) {
  for (uint32_t i = 0; i < LANES; i++) es_engine_lane_free(records[i]);
  es_engine_free(engine);
}
