/* Findings: their names, how they are begun and worded, and how they become a verdict. */
#include "judge_internal.h"

#include <stdlib.h>

static const char *const kind_names[ES_KIND_COUNT] = {
    [ES_KIND_ACCEPTED_BAD_REQUEST] = "accepted-bad-request",
    [ES_KIND_REJECTED_GOOD_REQUEST] = "rejected-good-request",
    [ES_KIND_MISSED_STOP] = "missed-stop",
    [ES_KIND_FALSE_STOP] = "false-stop",
    [ES_KIND_NO_END] = "no-end",
    [ES_KIND_AFTER_END] = "after-end",
    [ES_KIND_LEAK] = "leak",
    [ES_KIND_LOST_TAIL] = "lost-tail",
    [ES_KIND_LOST_TEXT] = "lost-text",
    [ES_KIND_DUPLICATE_TEXT] = "duplicate-text",
    [ES_KIND_WRONG_CUT] = "wrong-cut",
    [ES_KIND_WRONG_STOP] = "wrong-stop",
    [ES_KIND_BAD_UTF8] = "bad-utf8",
    [ES_KIND_WRONG_REASON] = "wrong-reason",
    [ES_KIND_WRONG_COUNT] = "wrong-count",
    [ES_KIND_LATE] = "late",
};

const char *es_kind_name(es_kind kind) {
  return kind_names[kind];
}

bool es_found(const es_view *view, es_kind kind) {
  for (size_t i = 0; i < view->judge->verdict.count; i++) {
    if (view->judge->findings[i].kind == kind) return true;
  }
  return false;
}

bool es_find(es_view *view, const char *rule, es_kind kind, size_t step, size_t byte) {
  es_judge *judge = view->judge;
  if (es_found(view, kind)) return false;
  size_t at = judge->verdict.count++;
  judge->findings[at] = (es_finding){.rule = rule,
                                     .kind = kind,
                                     .has_step = step != ES_NOWHERE,
                                     .step = step != ES_NOWHERE ? step : 0,
                                     .has_byte = byte != ES_NOWHERE,
                                     .byte = byte != ES_NOWHERE ? byte : 0};
  size_t words = judge->words.length;
  judge->places[at] = (es_words_place){words, words, words};
  return true;
}

void es_find_actual(es_view *view) {
  es_words_place *place = &view->judge->places[view->judge->verdict.count - 1];
  place->actual = place->why = view->judge->words.length;
}

void es_find_why(es_view *view) {
  view->judge->places[view->judge->verdict.count - 1].why = view->judge->words.length;
}

static int worst_first(const void *a, const void *b) {
  const es_finding *x = a, *y = b;
  return (x->kind > y->kind) - (x->kind < y->kind);
}

/* The words have stopped moving: the findings may point to them. */
const es_verdict *es_find_conclude(es_judge *judge) {
  if (judge->failed || judge->words.failed) return NULL;
  for (size_t i = 0; i < judge->verdict.count; i++) {
    es_words_place place = judge->places[i];
    size_t end = i + 1 < judge->verdict.count ? judge->places[i + 1].expected : judge->words.length;
    const char *words = judge->words.data;
    judge->findings[i].expected = (es_span){words + place.expected, place.actual - place.expected};
    judge->findings[i].actual = (es_span){words + place.actual, place.why - place.actual};
    judge->findings[i].why = (es_span){words + place.why, end - place.why};
  }
  qsort(judge->findings, judge->verdict.count, sizeof judge->findings[0], worst_first);
  judge->verdict.findings = judge->findings;
  if (judge->verdict.kind == ES_CONFORMS && judge->verdict.count > 0) judge->verdict.kind = ES_VIOLATES;
  return &judge->verdict;
}
