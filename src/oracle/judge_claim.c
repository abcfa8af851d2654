/* What a recording claims of the end of its lane, beside what the rules say: more tokens or fewer, text that goes on or
 * falls short, another reason, another stop. judge_end.c says which fault that is. */
#include "judge_internal.h"

#include "utf8.h"

uint64_t es_counted(const es_result *r) {
  return r->has_tokens ? r->tokens : r->token_id_count;
}

const char *es_reason_of(es_span cause) {
  if (es_cause_is_stop(cause)) return "stop";
  if (es_span_is(cause, "max_tokens") || es_span_is(cause, "max_context")) return "length";
  if (es_span_is(cause, "deadline")) return "timeout";
  if (es_span_is(cause, "abort") || es_span_is(cause, "disconnect")) return "abort";
  if (es_span_is(cause, "engine_error") || es_span_is(cause, "invalid_request")) return "error";
  return es_span_is(cause, "repetition") ? "repetition" : NULL;
}

bool es_cause_is_stop(es_span cause) {
  return es_span_is(cause, "stop_string") || es_span_is(cause, "stop_token") || es_span_is(cause, "stop_sequence") ||
         es_span_is(cause, "eos");
}

bool es_reasons_disagree(const es_result *r) {
  if (!r->cause.data || !r->has_finish_reason) return false;
  if (es_span_is(r->cause, "open")) return r->finish_reason.data != NULL;
  const char *reason = es_reason_of(r->cause);
  return reason ? !es_span_is(r->finish_reason, reason) : !r->finish_reason.data;
}

bool es_same_finish(const es_result *a, const es_result *b) {
  if (!a->finish_reason.data || !b->finish_reason.data) return !a->finish_reason.data && !b->finish_reason.data;
  return es_span_same(a->finish_reason, b->finish_reason);
}

bool es_same_stop_reason(const es_result *a, const es_result *b) {
  if (a->stop_reason_kind != b->stop_reason_kind) return false;
  if (a->stop_reason_kind == ES_REASON_TEXT) return es_span_same(a->stop_reason, b->stop_reason);
  if (a->stop_reason_count != b->stop_reason_count) return false;
  for (size_t i = 0; i < a->stop_reason_count; i++) {
    if (a->stop_reason_ids[i] != b->stop_reason_ids[i]) return false;
  }
  return true;
}

static bool stop_differs(const es_result *r, const es_result *due) {
  /* Some engines name the end-of-sequence token too: that is the id that ended it. */
  bool eos = es_span_is(due->cause, "eos") && r->stop_reason_kind == ES_REASON_ID && due->token_id_count > 0 &&
             r->stop_reason_ids[0] == due->token_ids[due->token_id_count - 1];
  bool reason = r->stop_reason_kind != ES_REASON_ABSENT && !eos && !es_same_stop_reason(r, due);
  /* For a stop token the id says which it is; an index besides is not judged (Reading 13). */
  bool index = r->has_stop_index && due->has_stop_index && r->stop_index != due->stop_index;
  return reason || index;
}

/* Whether the text goes on beyond the cut just as the tokens do. A last U+FFFD may be the engine's own end inside a
 * character; the one that an incomplete character at the cut left need not be there when it went on. */
static bool goes_on(es_view *view) {
  es_span shown = view->shown, due = view->due->text;
  if (!shown.data || es_span_same(shown, due)) return false;
  size_t cut = due.length - (es_view_broken_cut(view) && due.length >= 3 ? 3 : 0);
  if (shown.length <= cut) return false;
  es_span whole = es_view_whole(view);
  size_t common = es_span_common(shown, whole);
  if (common == shown.length) return true;
  return common >= cut && common + 3 == shown.length && es_span_is(es_span_from(shown, common), ES_REPLACEMENT);
}

/* Whether the text ends before the text due does, perhaps inside a character. */
static bool falls_short(const es_view *view) {
  es_span shown = view->shown, due = view->due->text;
  if (!shown.data || es_span_same(shown, due)) return false;
  size_t common = es_span_common(shown, due);
  if (common == due.length) return false;
  return common == shown.length || es_span_is(es_span_from(shown, common), ES_REPLACEMENT);
}

/* Whether token_ids shows that a token of a later step was taken. More ids of the ending step are but a wrong count. */
static bool took_next_step(const es_view *view) {
  const es_result *r = view->recorded;
  const es_case *c = view->c;
  if (!r->has_token_ids || view->steps >= c->step_count) return false;
  size_t next = c->steps[view->steps].first;
  if (next >= c->token_count || next >= r->token_id_count || next < view->due->tokens) return false;
  return r->token_ids[next] == c->tokens[next].id;
}

es_claim es_claim_of(es_view *view) {
  const es_result *r = view->recorded, *due = view->due;
  es_claim claim = {0};
  uint64_t tokens = es_counted(r);
  /* Of tokens and token_ids that contradict each other one is a wrong count, and not the one that is right. */
  if (r->has_token_ids && r->token_id_count == due->tokens) tokens = due->tokens;
  claim.counted = r->has_tokens || r->has_token_ids;
  claim.more = claim.counted && tokens > due->tokens;
  claim.fewer = claim.counted && tokens < due->tokens;
  claim.next_step = claim.more && took_next_step(view);
  bool cause_differs = r->cause.data && !es_span_same(r->cause, due->cause);
  bool finish_differs = r->has_finish_reason && !es_same_finish(r, due);
  bool disagree = es_reasons_disagree(r);
  claim.reason_differs =
      r->cause.data ? cause_differs && (finish_differs || !r->has_finish_reason || !disagree) : finish_differs;
  claim.stop_differs = !cause_differs && !finish_differs && stop_differs(r, due);
  bool cause_open = es_span_is(r->cause, "open");
  claim.open = r->cause.data ? cause_open && !disagree : r->has_finish_reason && !r->finish_reason.data;
  claim.further = goes_on(view);
  claim.same = !view->shown.data || es_span_same(view->shown, due->text);
  claim.shorter = falls_short(view);
  return claim;
}

/* The stop string that the result names, as an index of the request; ES_NOWHERE where it names none. */
size_t es_claim_stop(const es_view *view) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  if (r->cause.data && !es_span_is(r->cause, "stop_string")) return ES_NOWHERE;
  if (r->stop_reason_kind != ES_REASON_TEXT) {
    return r->has_stop_index && r->cause.data && r->stop_index < request->stop_count ? (size_t)r->stop_index
                                                                                     : ES_NOWHERE;
  }
  for (size_t i = 0; i < request->stop_count; i++) {
    if (es_span_same(es_stop_text(request, i), r->stop_reason)) return i;
  }
  return ES_NOWHERE;
}

/* Where the lane would have ended with the named stop: a place in the whole at which that stop is complete and whose cut
 * gives the text shown. The place of the end by the rules is asked first. */
size_t es_claim_place(es_view *view, size_t named, size_t here) {
  if (named == ES_NOWHERE || !view->shown.data) return ES_NOWHERE;
  es_span text = es_stop_text(&view->c->request, named);
  es_span all = es_view_whole(view);
  es_span whole = {view->judge->whole.data, view->judge->whole.length};
  size_t found = ES_NOWHERE, read = 0, length = 0;
  es_utf8 state = {0};
  for (size_t at = es_span_find(whole, text, 0); at != ES_NOWHERE; at = es_span_find(whole, text, at + 1)) {
    size_t cut = view->c->request.include_stop ? at + text.length : at;
    for (; read < cut; read++) {
      es_utf8_step step = es_utf8_take(&state, (uint8_t)whole.data[read]);
      length += 3u * step.bad + step.character;
    }
    if (length > view->shown.length) return found;
    if (length + (state.pending > 0 ? 3 : 0) != view->shown.length) continue;
    if (!es_span_begins(all, es_span_to(view->shown, length))) return found;
    if (at + text.length == here) return here;
    if (found == ES_NOWHERE) found = at + text.length;
  }
  return found;
}

/* A stop that is complete at the last token the result counts, though it came too soon to count (R6): engines that do
 * not name their stop end there if they pass over min_tokens. Its place in the whole, or ES_NOWHERE. */
size_t es_claim_too_soon(es_view *view, size_t *named) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  uint64_t last = es_counted(r);
  if (last == 0 || last > request->min_tokens) return ES_NOWHERE;
  (void)es_view_whole(view);
  size_t begin = es_view_token_start(view, last), end = es_view_token_start(view, last + 1);
  es_span upto = {view->judge->whole.data, end};
  for (size_t i = 0; i < request->stop_count; i++) {
    size_t length = es_stop_text(request, i).length;
    size_t at = es_span_find(upto, es_stop_text(request, i), begin >= length ? begin - length + 1 : 0);
    if (at == ES_NOWHERE) continue;
    *named = i;
    return at + length;
  }
  return ES_NOWHERE;
}
