/* A small machine over stop words: which lane each event means, whether that lane is over, and what ends it. The words
 * are the core's (stopword.h), so that first request, late and stale ones are not told here a second time. */
#include "race_run.h"

#include <stdlib.h>

#include "stopword.h"

/* Where a lane runs: its word, and whether a lane has been given it that it was not taken back from. */
typedef struct {
  uint64_t word;
  bool given;
} slot;

typedef struct {
  bool begun;
  size_t slot;
  uint64_t epoch;
  bool gone;         /* its client */
  uint8_t asked[32]; /* for each reason a bit: a request to stop this lane had it */
} lane;

struct es_race_run {
  const es_race *race;
  slot *slots;
  size_t slot_count, lane_capacity;
  lane *lanes;
  es_race_end *ends;
  bool *taken; /* for each event whether it made a token part of the answer */
  es_span *committed;
  size_t event_capacity;
  es_race_result result;
};

es_race_run *es_race_run_new(void) {
  return calloc(1, sizeof(es_race_run));
}

void es_race_run_free(es_race_run *run) {
  if (!run) return;
  free(run->slots);
  free(run->lanes);
  free(run->ends);
  free(run->taken);
  free(run->committed);
  free(run);
}

/* A list of `count` in the place of `old`, whose contents do not matter any more; NULL when memory ran out. */
static void *anew(void *old, size_t count, size_t size) {
  free(old);
  return calloc(count, size);
}

static bool make_room(es_race_run *run, size_t lanes, size_t events) {
  if (run->lane_capacity < lanes) {
    run->lane_capacity = 0;
    run->slots = anew(run->slots, lanes, sizeof *run->slots);
    run->lanes = anew(run->lanes, lanes, sizeof *run->lanes);
    run->ends = anew(run->ends, lanes, sizeof *run->ends);
    if (!run->slots || !run->lanes || !run->ends) return false;
    run->lane_capacity = lanes;
  }
  if (run->event_capacity < events) {
    run->event_capacity = 0;
    run->taken = anew(run->taken, events, sizeof *run->taken);
    run->committed = anew(run->committed, events, sizeof *run->committed);
    if (!run->taken || !run->committed) return false;
    run->event_capacity = events;
  }
  return true;
}

/* A lane comes up: it gets the first slot that nobody has, or whose lane is over (R14: in another epoch). */
static void begin(es_race_run *run, lane *l) {
  size_t s = 0;
  while (s < run->slot_count && run->slots[s].given &&
         !es_stopword_over(run->slots[s].word, es_stopword_epoch(run->slots[s].word)))
    s++;
  if (s == run->slot_count) run->slots[run->slot_count++] = (slot){es_stopword_run(0), false};
  slot *place = &run->slots[s];
  if (place->given) place->word = es_stopword_next(place->word);
  place->given = true;
  *l = (lane){.begun = true, .slot = s, .epoch = es_stopword_epoch(place->word)};
}

/* The engine acknowledges: nothing is taken after this. */
static void end(slot *place, es_race_end *its, es_span reason) {
  place->word += ES_STOP_ACKED;
  its->finish_reason = reason;
  its->terminals = 1;
}

/* Where the engine looks at the flag (R9). Whether that ended the lane. */
static bool look(const es_race *race, slot *place, es_race_end *its) {
  uint8_t reason = es_stopword_reason(place->word);
  if (reason) end(place, its, race->reasons[reason - 1]);
  return reason != 0;
}

/* An end that is said to come from tokens, or from outside, comes before the flag; a deadline after it (R9). An engine
 * that says it was asked to stop, or nothing, ends only where it was asked, or where its client is gone. */
static void finish(const es_race *race, const es_race_event *event, slot *place, const lane *l, es_race_end *its) {
  bool deadline = es_span_same(event->text, es_span_of("timeout"));
  bool asked = event->text.data == NULL || event->reason == ES_RACE_ABORT ||
               (event->reason && l->asked[event->reason / 8] >> event->reason % 8 & 1);
  if ((deadline || asked) && look(race, place, its)) return;
  if (deadline || !asked)
    end(place, its, event->text);
  else if (l->gone)
    end(place, its, race->reasons[ES_RACE_ABORT - 1]);
}

/* Gives the slot back, if the lane is over and still has it. */
static void recycle(slot *place, const lane *l) {
  if (!place->given || es_stopword_epoch(place->word) != l->epoch) return;
  uint64_t next = es_stopword_next(place->word);
  place->given = next == place->word;
  place->word = next;
}

/* One event; whether it made its token part of the answer. */
static bool happen(es_race_run *run, const es_race_event *event) {
  const es_race *race = run->race;
  lane *l = &run->lanes[event->lane];
  es_race_end *its = &run->ends[event->lane];
  if (!l->begun) begin(run, l);
  slot *place = &run->slots[l->slot];
  if (event->op == ES_RACE_SET_STOP) {
    l->asked[event->reason / 8] |= (uint8_t)(1 << event->reason % 8);
    es_stopword_request(place->word, l->epoch, event->reason, &place->word);
    return false;
  }
  if (event->op == ES_RACE_RECYCLE) recycle(place, l);
  if (es_stopword_over(place->word, l->epoch)) return false;
  switch (event->op) {
  case ES_RACE_COMMIT:
    its->count++;
    return true;
  case ES_RACE_EMIT: /* the sink says gone (R12) */
    if (l->gone) end(place, its, race->reasons[ES_RACE_ABORT - 1]);
    return false;
  case ES_RACE_READ_STOP:
    look(race, place, its);
    return false;
  case ES_RACE_DISCONNECT:
    l->gone = true;
    return false;
  case ES_RACE_FINISH:
    finish(race, event, place, l, its);
    return false;
  case ES_RACE_ERROR:
    end(place, its, es_span_of("error"));
    return false;
  default:
    return false;
  }
}

/* The tokens of each lane, one lane after another. */
static void gather(es_race_run *run) {
  const es_race *race = run->race;
  size_t first = 0;
  for (size_t i = 0; i < race->lane_count; i++) {
    run->ends[i].first = first;
    first += run->ends[i].count;
    run->ends[i].count = 0;
  }
  for (size_t i = 0; i < race->event_count; i++) {
    es_race_end *its = &run->ends[race->events[i].lane];
    if (run->taken[i]) run->committed[its->first + its->count++] = race->events[i].text;
  }
}

const es_race_result *es_race_run_order(es_race_run *run, const es_race *race) {
  run->result = (es_race_result){0};
  if (race->preempts) {
    run->result.unsupported = es_span_of("no rule says which tokens are left after `preempt`");
    return &run->result;
  }
  if (!make_room(run, race->lane_count, race->event_count)) return NULL;
  run->race = race;
  run->slot_count = 0;
  for (size_t i = 0; i < race->lane_count; i++) {
    run->lanes[i] = (lane){0};
    run->ends[i] = (es_race_end){.has_committed = true, .has_finish_reason = true, .has_terminals = true};
  }
  for (size_t i = 0; i < race->event_count; i++) run->taken[i] = happen(run, &race->events[i]);
  gather(run);
  run->result.committed = run->committed;
  run->result.ends = run->ends;
  return &run->result;
}
