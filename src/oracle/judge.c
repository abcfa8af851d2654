/* The judge's order of questions, and whether a request was rightly taken or refused (R13). */
#include "judge_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

es_judge *es_judge_new(void) {
  es_judge *judge = calloc(1, sizeof *judge);
  if (!judge) return NULL;
  judge->run = es_run_new();
  judge->race_run = es_race_run_new();
  if (judge->run && judge->race_run) return judge;
  es_judge_free(judge);
  return NULL;
}

void es_judge_free(es_judge *judge) {
  if (!judge) return;
  es_run_free(judge->run);
  es_race_run_free(judge->race_run);
  es_buffer_free(&judge->words);
  es_buffer_free(&judge->joined);
  es_buffer_free(&judge->whole);
  es_buffer_free(&judge->whole_due);
  free(judge->numbers);
  free(judge);
}

/* Whether the result says that the request was refused. Of contradicting members the more particular ones count:
 * `invalid_request` and `param` can mean nothing else, `error` alone may be an engine that broke down. */
static bool says_refused(const es_result *r) {
  if (es_span_is(r->cause, "invalid_request") || r->param.data) return true;
  return r->has_finish_reason && es_span_is(r->finish_reason, "error") && !r->cause.data;
}

static bool shows_work(const es_result *r) {
  for (size_t i = 0; i < r->delta_count; i++) {
    if (r->deltas[i].bytes.length > 0) return true;
  }
  return (r->has_tokens && r->tokens > 0) || (r->has_token_ids && r->token_id_count > 0) || r->text.length > 0;
}

static void refusal_members(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  bool cause = r->cause.data && !es_span_is(r->cause, "invalid_request");
  bool reason = r->has_finish_reason && !es_span_is(r->finish_reason, "error");
  if ((cause || reason) && es_find(view, "R13", ES_KIND_WRONG_REASON, ES_NOWHERE, ES_NOWHERE)) {
    es_buffer_text(words, "cause \"invalid_request\", finish_reason \"error\"");
    es_find_actual(view);
    es_words_result(words, r);
    es_find_why(view);
    es_buffer_text(words, "the request was refused, as it must be, but the result gives another reason than that");
  }
  es_span param = es_span_of(view->c->refusal_param);
  if (r->param.data && !es_span_same(r->param, param) &&
      es_find(view, "R13", ES_KIND_WRONG_REASON, ES_NOWHERE, ES_NOWHERE)) {
    es_buffer_format(words, "param \"%s\"", view->c->refusal_param);
    es_find_actual(view);
    es_buffer_text(words, "param ");
    es_words_quote(words, r->param);
    es_find_why(view);
    es_buffer_text(words, "the refusal names ");
    es_words_quote(words, r->param);
    es_buffer_format(words, ", but the member at fault is another: %s", view->c->refusal_message);
  }
  if (shows_work(r) && es_find(view, "R13", ES_KIND_WRONG_COUNT, ES_NOWHERE, ES_NOWHERE)) {
    es_buffer_text(words, "no tokens and no text");
    es_find_actual(view);
    es_words_result(words, r);
    es_find_why(view);
    es_buffer_text(words, "a refused request has no lane, but the result counts tokens or has text");
  }
  if (r->has_terminals && r->terminals > 0 && es_find(view, "R13", ES_KIND_AFTER_END, ES_NOWHERE, ES_NOWHERE)) {
    es_buffer_text(words, "terminals 0");
    es_find_actual(view);
    es_buffer_format(words, "terminals %" PRIu64, r->terminals);
    es_find_why(view);
    es_buffer_text(words, "a refused request has no lane, so there is nothing that a terminal could end");
  }
}

static void accepted(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  bool told = r->cause.data || r->has_finish_reason || shows_work(r);
  if (!told || !es_find(view, "R13", ES_KIND_ACCEPTED_BAD_REQUEST, 0, ES_NOWHERE)) return;
  es_buffer_format(words, "a refusal with param \"%s\"", view->c->refusal_param);
  es_find_actual(view);
  es_words_result(words, r);
  es_find_why(view);
  es_buffer_format(words, "the request must be refused before the first token: %s", view->c->refusal_message);
}

/* R13; true when nothing further is to be judged. */
static bool judge_request(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  bool refused = says_refused(r);
  if (view->c->refused) {
    if (refused) refusal_members(view);
    if (!refused) accepted(view);
    return true;
  }
  /* Text or tokens show that the request was taken all the same; then it is the reason that is wrong. */
  bool other = r->has_finish_reason && !es_span_is(r->finish_reason, "error");
  bool elsewhere = r->cause.data && !es_span_is(r->cause, "invalid_request");
  if (!refused || shows_work(r) || other || elsewhere) return false;
  bool bare = !r->cause.data && !r->param.data;
  if (bare) return false;
  if (!es_find(view, "R13", ES_KIND_REJECTED_GOOD_REQUEST, 0, ES_NOWHERE)) return true;
  es_buffer_text(words, "the request accepted");
  es_find_actual(view);
  es_buffer_text(words, "a refusal");
  if (r->param.data) es_buffer_text(words, " with param ");
  if (r->param.data) es_words_quote(words, r->param);
  es_find_why(view);
  es_buffer_text(words, "nothing in the request is at fault, but it was refused");
  if (r->message.data) es_buffer_text(words, ": ");
  if (r->message.data) es_words_quote(words, r->message);
  return true;
}

const es_verdict *es_judge_unsupported(es_judge *judge, es_span why) {
  judge->verdict.kind = ES_UNSUPPORTED;
  judge->verdict.why = why;
  return &judge->verdict;
}

void es_judge_begin(es_judge *judge, es_span id) {
  judge->verdict = (es_verdict){.id = id, .kind = ES_CONFORMS, .findings = judge->findings};
  judge->failed = false;
  es_buffer_clear(&judge->words);
  es_buffer_clear(&judge->joined);
  es_buffer_clear(&judge->whole);
  es_buffer_clear(&judge->whole_due);
}

const es_verdict *es_judge_case(es_judge *judge, const es_case *c, const es_result *result) {
  es_judge_begin(judge, c->id);
  es_view view = {.judge = judge, .c = c, .recorded = result};
  if (result->unsupported.data) return es_judge_unsupported(judge, result->unsupported);
  if (judge_request(&view)) return es_find_conclude(judge);
  if (c->has_steps) {
    view.due = es_run_case(judge->run, c);
    if (!view.due) return NULL;
    if (view.due->unsupported.data) return es_judge_unsupported(judge, view.due->unsupported);
  }
  if (!es_view_prepare(&view)) return NULL;
  es_judge_deltas(&view);
  if (view.due) {
    if (es_judge_end(&view)) {
      es_judge_text(&view);
      es_judge_time(&view);
    }
    es_judge_counts(&view);
  } else {
    es_judge_outside(&view);
  }
  es_judge_terminal(&view);
  return es_find_conclude(judge);
}
