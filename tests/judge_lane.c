/* A lane in one line, for the tests of the judge. */
#include "judge_lane.h"

#include <check.h>
#include <string.h>

#include "run.h"

static es_run *run;
es_judge *judge;
es_case c;
es_result r;
static es_token tokens[64];
static es_step steps[32];
static es_stop stops[8];
static char stop_text[128];
es_delta deltas[33];
uint64_t delta_steps[33];
static char joined[256];
uint32_t ids[65];

es_span span(const char *text) {
  return (es_span){text, strlen(text)};
}

/* The lane, with stops parted by '/'. */
void given(const char *stop_list, const char *lane) {
  memset(&c, 0, sizeof c);
  c.id = span("case");
  c.has_steps = true;
  c.tokens = tokens;
  c.steps = steps;
  for (const char *at = lane; *at; at += *at != 0) {
    size_t length = strcspn(at, ",|");
    es_token token = {(uint32_t)c.token_count, *at == '!', {at + (*at == '!'), length - (*at == '!')}};
    if (c.token_count == 0 || at[-1] == '|') steps[c.step_count++] = (es_step){c.token_count, 0};
    if (length > 0) tokens[c.token_count++] = token;
    if (length > 0) steps[c.step_count - 1].count++;
    at += length;
  }
  c.request = (es_request){.text = (const uint8_t *)stop_text,
                           .stops = stops,
                           .skip_special = true,
                           .max_tokens = ES_NO_LIMIT,
                           .max_context = ES_NO_LIMIT,
                           .deadline_steps = ES_NO_LIMIT,
                           .flush = {ES_FLUSH_STEPS, 1}};
  strcpy(stop_text, stop_list);
  for (uint32_t from = 0; stop_list[from]; from += stop_list[from] == '/') {
    uint32_t length = (uint32_t)strcspn(stop_list + from, "/");
    stops[c.request.stop_count++] = (es_stop){from, length, 0};
    from += length;
  }
}

/* What the reference does with it; every member is there. */
void due(void) {
  r = *es_run_case(run, &c);
  memcpy(deltas, r.deltas, r.delta_count * sizeof *deltas);
  memcpy(ids, r.token_ids, r.token_id_count * sizeof *ids);
  memcpy(joined, r.text.data, r.text.length);
  r.deltas = deltas;
  r.token_ids = ids;
  r.text.data = joined;
}

void shown_in_deltas(const char *list) {
  r.delta_count = 0;
  for (const char *at = list;; at++) {
    size_t length = strcspn(at, "|");
    deltas[r.delta_count++] = (es_delta){{at, length}, true};
    at += length;
    if (!*at) break;
  }
}

void shown(const char *list) {
  shown_in_deltas(list);
  r.text.length = 0;
  for (size_t i = 0; i < r.delta_count; i++) {
    memcpy(joined + r.text.length, deltas[i].bytes.data, deltas[i].bytes.length);
    r.text.length += deltas[i].bytes.length;
  }
  r.text.data = joined;
}

void ended(const char *cause, const char *finish_reason, uint64_t count) {
  r.cause = span(cause);
  r.finish_reason = finish_reason ? span(finish_reason) : (es_span){NULL, 0};
  r.stop_reason_kind = ES_REASON_NULL;
  r.has_stop_index = false;
  r.tokens = r.token_id_count = count;
  for (uint32_t i = 0; i < count; i++) ids[i] = i;
}

const es_verdict *verdict(void) {
  r.has_terminal = false;
  return es_judge_case(judge, &c, &r);
}

void conforms(void) {
  const es_verdict *v = verdict();
  for (size_t i = 0; i < v->count; i++)
    ck_abort_msg("%s: %.*s", es_kind_name(v->findings[i].kind), (int)v->findings[i].why.length,
                 v->findings[i].why.data);
  ck_assert_int_eq(v->kind, ES_CONFORMS);
}

/* The only finding is of this kind and rule, and its sentence holds `phrase`. */
void found(es_kind kind, const char *rule, const char *phrase) {
  const es_verdict *v = verdict();
  ck_assert_int_eq(v->kind, ES_VIOLATES);
  for (size_t i = 0; i < v->count; i++) {
    const es_finding *f = &v->findings[i];
    char why[1000] = {0};
    memcpy(why, f->why.data, f->why.length);
    ck_assert_msg(f->kind == kind, "found %s: %s", es_kind_name(f->kind), why);
    ck_assert_str_eq(f->rule, rule);
    ck_assert_msg(strstr(why, phrase) != NULL, "expected `%s` in `%s`", phrase, why);
  }
  ck_assert_uint_eq(v->count, 1);
}

void begin_judge(void) {
  run = es_run_new();
  judge = es_judge_new();
}

void end_judge(void) {
  es_run_free(run);
  es_judge_free(judge);
}
