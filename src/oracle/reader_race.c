/* A race order: one interleaving, event by event. A fault in it is a bad line. What events carry besides is theirs. */
#include "reader_parts.h"

enum { CASE_ID, SOURCE, KIND, WHAT, EVENTS, EXPECT, RESULT, MEMBERS };
static const es_shape race_shape = {"",
                                    {ES_NAME("case"), ES_NAME("source"), ES_NAME("kind"), ES_NAME("what"),
                                     ES_NAME("events"), ES_NAME("expect"), ES_NAME("result")},
                                    MEMBERS};

enum { THREAD, OP, TOK, REQ, REASON, EVENT_MEMBERS };
static const es_shape event_shape = {
    NULL, {ES_NAME("thread"), ES_NAME("op"), ES_NAME("tok"), ES_NAME("req"), ES_NAME("reason")}, EVENT_MEMBERS};

/* One request of the order. */
typedef struct {
  es_span name;
  bool finished;
} race_lane;

/* Ops with a name of their own: who does them, and whether they need a token. Those that are ES_RACE_OTHER have no say
 * in the answer, but are as strictly read. */
typedef struct {
  const char *name;
  es_race_op op;
  const char *thread; /* NULL: any */
  bool needs_tok;
} race_word;

static const race_word words[] = {{"forward_launch", ES_RACE_OTHER, "engine", false},
                                  {"sample", ES_RACE_OTHER, "engine", true},
                                  {"kv_append", ES_RACE_OTHER, "engine", false},
                                  {"token_commit", ES_RACE_COMMIT, "engine", true},
                                  {"emit", ES_RACE_EMIT, "engine", false},
                                  {"read_stop", ES_RACE_READ_STOP, "engine", false},
                                  {"dequeue", ES_RACE_READ_STOP, "engine", false},
                                  {"set_stop", ES_RACE_SET_STOP, NULL, false},
                                  {"disconnect", ES_RACE_DISCONNECT, "client", false},
                                  {"finish", ES_RACE_FINISH, "engine", false},
                                  {"error", ES_RACE_ERROR, "engine", false},
                                  {"recycle", ES_RACE_RECYCLE, "engine", false},
                                  {"preempt", ES_RACE_PREEMPT, NULL, false}};

static bool is(es_span span, const char *text) {
  return es_span_same(span, es_span_of(text));
}

/* Whether the object, if it is one, has a member of this name that is not null. */
static bool has(const es_json *json, size_t object, const char *name) {
  if (es_json_type_at(json, object) != ES_JSON_OBJECT) return false;
  for (size_t at = object + 1, end = es_json_end(json, object); at < end; at = es_json_after(json, at + 1))
    if (is(es_json_text_at(json, at), name) && es_json_given(json, at + 1)) return true;
  return false;
}

bool es_reader_is_race(const es_reader *r, size_t place) {
  return has(&r->json, place, "events");
}

/* The word of an op, NULL where it is carried along. */
static const race_word *word_of(es_span op) {
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    if (is(op, words[w].name)) return &words[w];
  return NULL;
}

static bool thread(es_reader *r, size_t place, size_t event, es_span *out) {
  if (!es_json_given(&r->json, place)) return es_reader_missing(r, event, "thread", "who does it");
  if (es_json_type_at(&r->json, place) == ES_JSON_TEXT) *out = es_json_text_at(&r->json, place);
  return is(*out, "engine") || is(*out, "control") || is(*out, "client") ||
         es_reader_expected(r, place, "\"engine\", \"control\" or \"client\"");
}

/* The lane of that name, which may come up here. */
static bool lane_of(es_reader *r, size_t place, size_t *lane) {
  es_vector *lanes = &r->vectors[ES_VECTOR_RACE_LANES];
  es_span name = {NULL, 0};
  if (!es_reader_text(r, place, &name)) return false;
  const race_lane *known = lanes->data;
  for (*lane = 0; *lane < lanes->count; ++*lane)
    if (es_span_same(known[*lane].name, name)) return true;
  if (lanes->count == ES_RACE_LANES)
    return es_reader_bad(r, place, "expected at most %d requests in one order, found more", ES_RACE_LANES);
  race_lane *added = es_vector_add(r, ES_VECTOR_RACE_LANES, sizeof *added);
  if (added) *added = (race_lane){.name = name};
  return added != NULL;
}

static uint8_t known_reason(const es_reader *r, es_span reason) {
  const es_vector *reasons = &r->vectors[ES_VECTOR_RACE_REASONS];
  for (size_t i = 0; i < reasons->count; i++)
    if (es_span_same(((const es_span *)reasons->data)[i], reason)) return (uint8_t)(i + 1);
  return 0;
}

static bool add_reason(es_reader *r, es_span reason) {
  es_span *added = es_vector_add(r, ES_VECTOR_RACE_REASONS, sizeof *added);
  if (added) *added = reason;
  return added != NULL;
}

/* The reason of a request to stop: `abort` if it gives none. What only tokens can bring is none. */
static bool stop_reason(es_reader *r, size_t place, uint8_t *reason) {
  es_span given = {NULL, 0};
  if (!es_reader_text(r, place, &given)) return false;
  if (given.data && (given.length == 0 || is(given, "stop") || is(given, "length") || is(given, "repetition")))
    return es_reader_expected(r, place, "a reason that a request to stop can have");
  *reason = given.data ? known_reason(r, given) : ES_RACE_ABORT;
  if (*reason) return true;
  if (r->vectors[ES_VECTOR_RACE_REASONS].count == ES_RACE_REASONS)
    return es_reader_bad(r, place, "expected at most %d reasons in one order, found more", ES_RACE_REASONS);
  if (!add_reason(r, given)) return false;
  *reason = (uint8_t)r->vectors[ES_VECTOR_RACE_REASONS].count;
  return true;
}

static bool finish(es_reader *r, size_t event, size_t reason, es_race_event *out) {
  race_lane *lane = (race_lane *)r->vectors[ES_VECTOR_RACE_LANES].data + out->lane;
  if (lane->finished) return es_reader_bad(r, event, "expected one finish of a lane, found a second");
  lane->finished = true;
  if (!es_reader_text(r, reason, &out->text)) return false;
  return !out->text.data || out->text.length > 0 || es_reader_expected(r, reason, "a reason that is not empty");
}

/* What an op needs: its thread, its token. */
static bool fits(es_reader *r, size_t place, const race_word *word, es_span by, const size_t *found, es_span *tok) {
  if (word->thread && !is(by, word->thread))
    return es_reader_bad(r, found[THREAD], "expected \"%s\", who alone does %s, found \"%.*s\"", word->thread,
                         word->name, (int)by.length, by.data);
  if (!word->needs_tok) return true;
  return es_json_given(&r->json, found[TOK]) ? es_reader_text(r, found[TOK], tok)
                                             : es_reader_missing(r, place, "tok", "the token");
}

/* `named`: the order names its requests, so that an op that counts says which it means. */
static bool event(es_reader *r, size_t place, bool named) {
  size_t found[EVENT_MEMBERS];
  es_span name = {NULL, 0}, by = {NULL, 0};
  es_race_event e = {.op = ES_RACE_OTHER};
  if (!es_reader_members(r, place, &event_shape, found) || !thread(r, found[THREAD], place, &by)) return false;
  if (!es_json_given(&r->json, found[OP])) return es_reader_missing(r, place, "op", "what is done");
  if (!es_reader_text(r, found[OP], &name)) return false;
  const race_word *word = word_of(name);
  if (word && !fits(r, place, word, by, found, &e.text)) return false;
  if (word) e.op = word->op;
  if (es_json_given(&r->json, found[REQ]) && !lane_of(r, found[REQ], &e.lane)) return false;
  if (e.op == ES_RACE_OTHER) return true;
  if (named && !es_json_given(&r->json, found[REQ]))
    return es_reader_missing(r, place, "req", "the request that is meant, as other events name theirs");
  if (e.op == ES_RACE_SET_STOP && !stop_reason(r, found[REASON], &e.reason)) return false;
  if (e.op == ES_RACE_FINISH && !finish(r, place, found[REASON], &e)) return false;
  if (e.op == ES_RACE_PREEMPT) r->race.preempts = true;
  es_race_event *added = es_vector_add(r, ES_VECTOR_RACE_EVENTS, sizeof *added);
  if (added) *added = e;
  return added != NULL;
}

static bool events(es_reader *r, size_t place) {
  const es_json *json = &r->json;
  bool named = false;
  if (!es_reader_is_list(r, place)) return false;
  size_t end = es_json_end(json, place);
  for (size_t at = place + 1; at < end && !named; at = es_json_after(json, at)) named = has(json, at, "req");
  if (!named && !es_vector_add(r, ES_VECTOR_RACE_LANES, sizeof(race_lane))) return false;
  if (!named) *(race_lane *)r->vectors[ES_VECTOR_RACE_LANES].data = (race_lane){0};
  for (size_t at = place + 1; at < end; at = es_json_after(json, at))
    if (!event(r, at, named)) return false;
  return true;
}

/* The lists stand still now: the order may point to them. */
static bool point(es_reader *r) {
  es_vector *lanes = &r->vectors[ES_VECTOR_RACE_LANES], *reasons = &r->vectors[ES_VECTOR_RACE_REASONS];
  es_vector *found = &r->vectors[ES_VECTOR_RACE_EVENTS], *names = &r->vectors[ES_VECTOR_RACE_NAMES];
  es_race_event *list = found->data;
  for (size_t i = 0; i < found->count; i++)
    if (list[i].op == ES_RACE_FINISH && list[i].text.data) list[i].reason = known_reason(r, list[i].text);
  for (size_t i = 0; i < lanes->count; i++) {
    es_span *name = es_vector_add(r, ES_VECTOR_RACE_NAMES, sizeof *name);
    if (!name) return false;
    *name = ((const race_lane *)lanes->data)[i].name;
  }
  r->race.events = list;
  r->race.event_count = found->count;
  r->race.lanes = names->data;
  r->race.lane_count = lanes->count;
  r->race.reasons = reasons->data;
  return true;
}

bool es_reader_race_order(es_reader *r, size_t place) {
  size_t found[MEMBERS];
  es_span for_people;
  r->race = (es_race){0};
  if (!es_reader_members(r, place, &race_shape, found)) return false;
  if (!es_json_given(&r->json, found[CASE_ID])) return es_reader_missing(r, place, "case", "the id of the case");
  if (!es_reader_text(r, found[CASE_ID], &r->race.id)) return false;
  if (r->race.id.length == 0) return es_reader_expected(r, found[CASE_ID], "an id that is not empty");
  if (!es_reader_text(r, found[SOURCE], &for_people) || !es_reader_text(r, found[KIND], &for_people) ||
      !es_reader_text(r, found[WHAT], &for_people))
    return false;
  if (!add_reason(r, es_span_of("abort")) || !events(r, found[EVENTS]) || !point(r)) return false;
  if (es_json_given(&r->json, found[EXPECT]) && !es_reader_race_expect(r, found[EXPECT])) return false;
  return !es_json_given(&r->json, found[RESULT]) || es_reader_race_result(r, found[RESULT]);
}
