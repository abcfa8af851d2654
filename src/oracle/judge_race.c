/* What is wrong with the answer to a race order: how its lanes ended, then the tokens that they kept. */
#include "judge_internal.h"

#include <inttypes.h>

/* One lane of the order: what is due, and what was recorded. */
typedef struct {
  es_view *view;
  es_span name; /* its request; data NULL where it is the only lane */
  const es_race_result *due_result, *got_result;
  const es_race_end *due, *got;
} lane;

static es_buffer *words_of(const lane *l) {
  return &l->view->judge->words;
}

static void reason(es_buffer *words, es_span reason) {
  es_buffer_text(words, "finish_reason ");
  if (reason.data)
    es_words_quote(words, reason);
  else
    es_buffer_text(words, "null");
}

static void begin_why(const lane *l) {
  es_find_why(l->view);
  if (!l->name.data) return;
  es_buffer_text(words_of(l), "request ");
  es_words_quote(words_of(l), l->name);
  es_buffer_text(words_of(l), ": ");
}

/* How the lane ended: expected, found, and the beginning of the sentence. False where that kind was told already. */
static bool find_end(const lane *l, const char *rule, es_kind kind) {
  if (!es_find(l->view, rule, kind, ES_NOWHERE, ES_NOWHERE)) return false;
  reason(words_of(l), l->due->finish_reason);
  es_buffer_format(words_of(l), ", terminal_count %" PRIu64, l->due->terminals);
  es_find_actual(l->view);
  if (l->got->has_finish_reason) reason(words_of(l), l->got->finish_reason);
  if (l->got->has_finish_reason && l->got->has_terminals) es_buffer_text(words_of(l), ", ");
  if (l->got->has_terminals) es_buffer_format(words_of(l), "terminal_count %" PRIu64, l->got->terminals);
  begin_why(l);
  return true;
}

/* False when the tokens follow from what was found. */
static bool judge_end(const lane *l) {
  const es_race_end *due = l->due, *got = l->got;
  es_buffer *words = words_of(l);
  bool open = (got->has_finish_reason && !got->finish_reason.data) || (got->has_terminals && got->terminals == 0);
  bool ended = (got->has_finish_reason && got->finish_reason.data) || (got->has_terminals && got->terminals > 0);
  if (due->terminals > 0 && open) {
    if (!find_end(l, "R9", ES_KIND_NO_END)) return false;
    es_buffer_text(words, "the lane is over by the end of this order, with ");
    reason(words, due->finish_reason);
    es_buffer_text(words, ", but the result leaves it open");
    return false;
  }
  if (due->terminals == 0 && ended) {
    if (find_end(l, "R14", ES_KIND_FALSE_STOP))
      es_buffer_text(words,
                     "nothing in this order ends the lane: its engine read no request to stop that meant it, and "
                     "no end of its own came");
    return false;
  }
  if (got->terminals > 1 && find_end(l, "R12", ES_KIND_AFTER_END))
    es_buffer_text(words, "a lane has one terminal, whatever comes after its end");
  if (got->has_finish_reason && !es_span_same(got->finish_reason, due->finish_reason) &&
      find_end(l, "R9", ES_KIND_WRONG_REASON))
    es_buffer_text(words, "the first thing in this order that ends the lane gives another reason");
  return true;
}

static void tokens(es_buffer *words, const es_race_result *result, const es_race_end *end) {
  es_buffer_text(words, "committed [");
  for (size_t i = 0; i < end->count; i++) {
    if (i > 0) es_buffer_text(words, ", ");
    if (i == 8) {
      es_buffer_text(words, "…");
      break;
    }
    es_words_quote(words, result->committed[end->first + i]);
  }
  es_buffer_text(words, "]");
}

static void judge_tokens(const lane *l) {
  const es_race_end *due = l->due, *got = l->got;
  size_t same = 0;
  while (same < due->count && same < got->count &&
         es_span_same(l->due_result->committed[due->first + same], l->got_result->committed[got->first + same]))
    same++;
  if (!got->has_committed || (same == due->count && same == got->count)) return;
  bool further = same == due->count, after = further && due->terminals > 0;
  es_kind kind = after                ? ES_KIND_AFTER_END
                 : further            ? ES_KIND_WRONG_COUNT
                 : same == got->count ? ES_KIND_LOST_TAIL
                                      : ES_KIND_LOST_TEXT;
  if (!es_find(l->view, after ? "R14" : "R8", kind, ES_NOWHERE, ES_NOWHERE)) return;
  tokens(words_of(l), l->due_result, due);
  es_find_actual(l->view);
  tokens(words_of(l), l->got_result, got);
  begin_why(l);
  const char *how = after                       ? "was taken though the lane was over"
                    : further                   ? "was taken, but nothing in this order commits it"
                    : kind == ES_KIND_LOST_TAIL ? "was committed, but is missing"
                                                : "is another than the one that was committed";
  es_buffer_format(words_of(l), "token %zu %s", same + 1, how);
}

const es_verdict *es_judge_race(es_judge *judge, const es_race *race) {
  es_judge_begin(judge, race->id);
  es_view view = {.judge = judge};
  const es_race_result *got = race->recorded, *due = es_race_run_order(judge->race_run, race);
  if (!due) return NULL;
  es_span why = got->unsupported.data ? got->unsupported : due->unsupported;
  if (why.data) return es_judge_unsupported(judge, why);
  for (size_t i = 0; i < race->lane_count; i++) {
    lane l = {&view, race->lanes[i], due, got, &due->ends[i], &got->ends[i]};
    if (judge_end(&l)) judge_tokens(&l);
  }
  return es_find_conclude(judge);
}
