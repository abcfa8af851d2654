#include "load.h"

#include <stdlib.h>

#include "crc32c.h"
#include "engine_mailbox.h"
#include "script.h"

struct load {
  load_options options;
  es_engine *engine;
  script *scripts;
  es_mailbox *boxes;
  _Atomic(es_engine_lane *) *records; /* NULL: not submitted yet */
  const es_case **cases;
  const es_engine_left **lefts;
  thread_log *logs; /* by thread */
  history *history;
  _Atomic(uint32_t) submitted, newest, clients_done;
};

/* A lane of a client. */
typedef struct {
  uint32_t lane; /* NOBODY: none */
  bool leaves, idle;
  saw got;
} watched;

static void *room(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) {
    fputs("load: no memory\n", stderr);
    exit(2);
  }
  return memory;
}

load *load_new(const load_options *o) {
  load *l = room(1, sizeof *l);
  l->options = *o;
  uint64_t state = o->seed;
  l->scripts = room(o->lanes, sizeof *l->scripts);
  l->boxes = room(o->lanes, sizeof *l->boxes);
  l->records = room(o->lanes, sizeof *l->records);
  l->cases = room(o->lanes, sizeof *l->cases);
  l->lefts = room(o->lanes, sizeof *l->lefts);
  l->logs = room(load_threads(l), sizeof *l->logs);
  l->history = history_new();
  atomic_init(&l->submitted, 0);
  atomic_init(&l->newest, 0);
  atomic_init(&l->clients_done, 0);
  for (uint32_t i = 0; i < o->lanes; i++) {
    script_random(l->scripts + i, i, o->deadline, &state);
    l->cases[i] = &l->scripts[i].c;
    atomic_init(l->records + i, NULL);
    es_mailbox_open(l->boxes + i);
  }
  es_engine_options options = {o->slots, o->lanes * SCRIPT_TOKENS, o->holes, o->pause, log_watch, l->logs};
  l->engine = es_engine_new(&options);
  if (l->engine && l->history) return l;
  load_free(l);
  return NULL;
}

void load_free(load *l) {
  for (uint32_t i = 0; i < l->options.lanes; i++) es_engine_lane_free(atomic_load(l->records + i));
  for (uint32_t i = 0; i < load_threads(l); i++) log_free(l->logs + i);
  if (l->history) history_free(l->history);
  es_engine_free(l->engine);
  free(l->scripts);
  free(l->boxes);
  free(l->records);
  free(l->cases);
  free(l->lefts);
  free(l->logs);
  free(l);
}

uint32_t load_threads(const load *l) {
  return 1 + l->options.clients + l->options.controllers;
}

static void submit(load *l, uint32_t lane) {
  es_engine_lane *record = es_engine_lane_new(l->cases[lane], es_mailbox_sink(l->boxes + lane), lane);
  if (!record || es_engine_submit(l->engine, record) != ES_OK) {
    fputs("load: a lane was refused\n", stderr);
    exit(2);
  }
  atomic_store_explicit(l->records + lane, record, memory_order_release);
  atomic_store_explicit(&l->newest, lane, memory_order_relaxed);
  if (atomic_fetch_add_explicit(&l->submitted, 1, memory_order_acq_rel) + 1 == l->options.lanes)
    es_engine_close(l->engine);
}

static es_engine_lane *record_of(load *l, uint32_t lane) {
  return atomic_load_explicit(l->records + lane, memory_order_acquire);
}

static es_stop_answer cancel(load *l, thread_log *log, uint32_t lane, uint8_t reason) {
  uint64_t begin = history_next();
  es_stop_answer answer = es_engine_cancel(l->engine, record_of(l, lane), reason);
  log_asked(log, begin, lane, reason, answer);
  return answer;
}

static void note_record(load *l, thread_log *log, uint32_t lane) {
  saw s = saw_record(lane, es_engine_lane_left(record_of(l, lane)));
  log_saw(log, &s);
}

/* Looks into one mailbox. Whether anything came of it. */
static bool visit(load *l, thread_log *log, watched *w, uint64_t *state) {
  es_mailbox *box = l->boxes + w->lane;
  bool moved = false;
  es_span text;
  es_letter letter = ES_LETTER_TEXT;
  for (uint64_t n = random_below(state, 4); n > 0 && !w->got.closed && letter != ES_LETTER_NONE; n--) {
    letter = es_mailbox_receive(box, &text);
    if (letter == ES_LETTER_NONE) break;
    moved = true;
    w->got.after += w->got.ends > 0;
    w->got.ends += letter == ES_LETTER_END;
    if (letter != ES_LETTER_TEXT) continue;
    w->got.crc = es_crc32c((uint32_t)w->got.crc, (const uint8_t *)text.data, (uint32_t)text.length);
    w->got.bytes += text.length;
  }
  if (w->leaves && !w->got.closed && w->got.ends == 0 && random_below(state, 8) == 0) {
    es_mailbox_close(box);
    w->got.closed = moved = true;
    cancel(l, log, w->lane, REASON_GONE);
  }
  if ((w->got.ends > 0 || w->got.closed) && es_engine_over(l->engine, es_engine_lane_handle(record_of(l, w->lane)))) {
    if (!w->got.closed) w->got.after += es_mailbox_receive(box, &text) != ES_LETTER_NONE;
    log_saw(log, &w->got);
    note_record(l, log, w->lane);
    w->lane = NOBODY;
    moved = true;
  }
  return moved;
}

static void client(load *l, uint32_t number, thread_log *log, uint64_t *state) {
  const load_options *o = &l->options;
  watched *window = room(o->window, sizeof *window);
  uint32_t next = number, held = 0;
  for (uint32_t i = 0; i < o->window; i++) window[i].lane = NOBODY;
  while (next < o->lanes || held > 0) {
    bool moved = false;
    for (uint32_t i = 0; i < o->window; i++) {
      watched *w = window + i;
      if (w->lane == NOBODY) {
        if (next >= o->lanes) continue;
        *w = (watched){.lane = next, .leaves = random_below(state, 6) == 0, .got = {.lane = next, .is_client = true}};
        submit(l, next);
        next += o->clients;
        held++;
        moved = true;
      } else if (visit(l, log, w, state)) {
        moved = true;
        held -= w->lane == NOBODY;
      }
    }
    if (!moved) o->pause(NULL);
  }
  free(window);
  atomic_fetch_add_explicit(&l->clients_done, 1, memory_order_relaxed);
}

/* A lane that may just be at work. */
static uint32_t pick(load *l, uint64_t *state) {
  uint32_t newest = atomic_load_explicit(&l->newest, memory_order_relaxed);
  uint32_t back = (uint32_t)random_below(state, 2 * l->options.clients * l->options.window);
  return newest > back ? newest - back : 0;
}

static void stop(load *l, thread_log *log, uint32_t lane, es_engine_handle handle, uint8_t reason) {
  uint64_t begin = history_next();
  es_stop_answer answer = es_engine_stop(l->engine, handle, reason);
  log_asked(log, begin, lane, reason, answer);
  /* Who is told that the lane is over sees all that it left. */
  if (lane != NOBODY && (answer == ES_STOP_LATE || answer == ES_STOP_STALE)) note_record(l, log, lane);
}

static bool wait(void *context) {
  ((load *)context)->options.pause(NULL);
  return true;
}

static void controller(load *l, thread_log *log, uint64_t *state) {
  uint32_t old = NOBODY;
  es_engine_handle old_handle = 0;
  while (atomic_load_explicit(&l->clients_done, memory_order_relaxed) < l->options.clients) {
    uint32_t lane = pick(l, state);
    uint8_t reason = (uint8_t)(1 + random_below(state, 200));
    es_engine_lane *record = record_of(l, lane);
    es_engine_handle handle = record ? es_engine_lane_handle(record) : 0;
    switch (random_below(state, 8)) {
    case 0:
      if (!record || cancel(l, log, lane, reason) > ES_STOP_SECOND) break;
      while ((handle = es_engine_lane_handle(record)) == 0) l->options.pause(NULL);
      es_engine_await(l->engine, handle, wait, l);
      note_record(l, log, lane);
      break;
    case 1:
      if (handle) stop(l, log, lane, handle, reason);
      break;
    case 2:
      if (old_handle) stop(l, log, old, old_handle, reason);
      break;
    case 3:
      if (handle) old = lane, old_handle = handle;
      break;
    case 4:
      if (handle) stop(l, log, NOBODY, handle + (UINT64_C(1) << 40), reason);
      break;
    default:
      l->options.pause(NULL);
    }
  }
}

void load_thread(load *l, uint32_t number) {
  uint64_t state = l->options.seed + 1000 * (number + 1);
  if (number == 0) {
    es_engine_run(l->engine);
  } else if (number <= l->options.clients) {
    client(l, number - 1, l->logs + number, &state);
  } else {
    controller(l, l->logs + number, &state);
  }
}

const char *load_fault(load *l) {
  for (uint32_t i = 0; i < l->options.lanes; i++)
    l->lefts[i] = record_of(l, i) ? es_engine_lane_left(record_of(l, i)) : NULL;
  bool fits = history_check(l->history, l->logs, load_threads(l), l->cases, l->lefts, l->options.lanes);
  return fits ? NULL : history_fault(l->history);
}

void load_print(load *l, const char *name, FILE *out) {
  history_print(l->history, l->logs, load_threads(l), l->cases, l->options.lanes, name, out);
}

void load_add(const load *l, load_count *count) {
  es_engine_ridden rode = es_engine_rode(l->engine);
  count->rode.steps += rode.steps;
  count->rode.places += rode.places;
  count->rode.lanes += rode.lanes;
  count->lanes += l->options.lanes;
  for (size_t i = 0; i < l->logs[0].dids.count; i++) {
    const es_engine_event *e = &((const did *)l->logs[0].dids.items)[i].event;
    count->tokens += e->did == ES_DID_COMMIT;
    count->later += e->did == ES_DID_EMIT && e->value == ES_ANSWER_LATER;
    count->recycles += e->did == ES_DID_RECYCLE;
  }
  for (uint32_t t = 1; t < load_threads(l); t++)
    for (size_t i = 0; i < l->logs[t].askeds.count; i++) {
      const asked *a = (const asked *)l->logs[t].askeds.items + i;
      count->requests++;
      count->answers[a->answer]++;
      count->disconnects += a->reason == REASON_GONE;
    }
}
