/* Where and why the lane ended: missed-stop, no-end and false-stop, or else wrong-stop and wrong-reason.
 *
 * The place is told by what agrees: tokens, text and reasons. One of them alone that disagrees is a wrong count, a leak
 * or lost text, or a wrong reason; two that disagree in the same direction are another place.
 *   missed-stop  a stop or token end was complete, but the engine took more tokens or kept text beyond it
 *   no-end       the same for limits, abort, deadline and external ends; and a lane said to be open that had ended
 *   false-stop   the engine ended where nothing ends the lane
 *   wrong-stop   the right place, but another stop is named
 *   wrong-reason the right place, but another cause or finish_reason */
#include "judge_internal.h"

#include <inttypes.h>

static void expect_end(es_view *view) {
  es_words_result(&view->judge->words, view->due);
  es_find_actual(view);
  es_words_result(&view->judge->words, view->recorded);
  if (view->recorded->has_tokens || view->recorded->has_token_ids || !view->shown.data) return;
  es_buffer_text(&view->judge->words, ", text ");
  es_words_tail(&view->judge->words, view->shown);
}

static void went_on(es_view *view, const es_claim *claim) {
  const es_result *r = view->recorded, *due = view->due;
  es_buffer *words = &view->judge->words;
  bool stop = es_cause_is_stop(due->cause) && !(claim->open && !claim->further && !claim->more);
  es_kind kind = stop ? ES_KIND_MISSED_STOP : ES_KIND_NO_END;
  if (!es_find(view, es_words_rule(due->cause), kind, view->steps, due->text.length)) return;
  expect_end(view);
  es_find_why(view);
  es_words_end(view);
  if (claim->more) {
    uint64_t tokens = es_counted(r);
    uint64_t more = tokens - due->tokens;
    es_buffer_format(words, ", but the engine went on for %" PRIu64 " more token%s", more, more == 1 ? "" : "s");
  } else if (claim->open) {
    es_buffer_text(words, ", but the result says that the lane is still open");
    return;
  } else if (claim->further) {
    es_buffer_text(words, ", but the text goes on with ");
    es_words_quote(words, es_span_from(view->shown, due->text.length));
  } else {
    es_buffer_text(words, ", but the engine went past it");
  }
  if (claim->reason_differs || claim->stop_differs) {
    es_buffer_text(words, "; it gives ");
    es_words_result(words, &(es_result){.cause = r->cause,
                                        .has_finish_reason = r->has_finish_reason,
                                        .finish_reason = r->finish_reason,
                                        .stop_reason_kind = r->stop_reason_kind,
                                        .stop_reason = r->stop_reason,
                                        .stop_reason_ids = r->stop_reason_ids,
                                        .stop_reason_count = r->stop_reason_count});
  }
}

/* The rule that a false end broke: R6 where its stop is there but came too soon to count. */
static const char *false_rule(es_view *view, size_t place) {
  if (place != ES_NOWHERE && view->c->request.min_tokens > 0) return "R6";
  if (view->recorded->cause.data) return es_words_rule(view->recorded->cause);
  return "R3";
}

/* The last token that the result counts, or of the case where it counts none; NULL if there is none. */
static const es_token *last_counted(const es_view *view) {
  const es_case *c = view->c;
  const es_result *r = view->recorded;
  uint64_t count = r->has_tokens || r->has_token_ids ? es_counted(r) : c->token_count;
  return count > 0 && count <= c->token_count ? &c->tokens[count - 1] : NULL;
}

/* What the request may have left out that the engine knew. */
static void advise(es_view *view) {
  static const struct {
    const char *reason;
    const char *member;
  } others[] = {{"length", "max_tokens or max_context"},
                {"abort", "abort_after_step, or sink if the client was gone"},
                {"timeout", "deadline_steps"},
                {"repetition", "repetition"}};
  const es_result *r = view->recorded;
  const es_request *request = &view->c->request;
  es_buffer *words = &view->judge->words;
  const es_token *last = last_counted(view);
  bool stop = !r->finish_reason.data || es_span_is(r->finish_reason, "stop");
  if (stop && (!r->cause.data || es_span_is(r->cause, "eos")) && last && request->eos_id_count == 0) {
    es_buffer_format(words, "; if token id %" PRIu32 " is an end-of-sequence token, give it in eos_token_ids",
                     last->id);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (!es_span_is(r->finish_reason, others[i].reason)) continue;
    es_buffer_format(words, "; if the engine had a reason that the case does not tell, give it as %s",
                     others[i].member);
  }
}

/* Whether the engine took an end by what a token is for one that counts, before min_tokens (R6). */
static bool token_too_soon(const es_view *view, const es_claim *claim) {
  const es_result *r = view->recorded;
  const es_request *request = &view->c->request;
  uint64_t count = es_counted(r);
  const es_token *last = last_counted(view);
  if (!claim->fewer || !last || count > request->min_tokens) return false;
  return es_is_stop_token(request, last->id) || es_is_eos(request, last->id);
}

static void say_too_soon(es_view *view) {
  es_buffer_format(&view->judge->words,
                   ", which does not count before more than %" PRIu32 " tokens were taken (min_tokens)",
                   view->c->request.min_tokens);
}

static void ended_early(es_view *view, const es_claim *claim, size_t named, size_t place) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  size_t byte = view->shown.data ? view->shown.length : ES_NOWHERE;
  bool soon = named == ES_NOWHERE && token_too_soon(view, claim);
  if (!es_find(view, soon ? "R6" : false_rule(view, place), ES_KIND_FALSE_STOP, ES_NOWHERE, byte)) return;
  expect_end(view);
  es_find_why(view);
  es_buffer_text(words, "the engine ended the lane");
  if (claim->fewer) {
    es_buffer_format(words, " after token %" PRIu64, es_counted(r));
  }
  if (r->cause.data || r->has_finish_reason) {
    es_buffer_text(words, " with ");
    es_words_result(
        words,
        &(es_result){.cause = r->cause, .has_finish_reason = r->has_finish_reason, .finish_reason = r->finish_reason});
  }
  if (named != ES_NOWHERE) {
    es_buffer_text(words, " by the stop ");
    es_words_quote(words, es_stop_text(&view->c->request, named));
    if (place == ES_NOWHERE) es_buffer_text(words, ", which is not complete there");
    if (place != ES_NOWHERE && view->c->request.min_tokens > 0) say_too_soon(view);
  }
  if (soon) {
    es_buffer_format(words, " by token id %" PRIu32, last_counted(view)->id);
    say_too_soon(view);
  }
  if (named == ES_NOWHERE && r->stop_reason_kind == ES_REASON_TEXT) {
    es_buffer_text(words, ", naming ");
    es_words_quote(words, r->stop_reason);
    es_buffer_text(words, ", which is no stop of the request");
  }
  es_buffer_text(words, "; by the rules ");
  if (es_span_is(view->due->cause, "open")) {
    es_buffer_format(words, "nothing ends it: it is still open after token %" PRIu64, view->due->tokens);
    advise(view);
  } else {
    es_buffer_text(words, "it ends only where ");
    es_words_end(view);
  }
}

static void other_stop(es_view *view) {
  es_buffer *words = &view->judge->words;
  const es_result *r = view->recorded, *due = view->due;
  bool stop = es_cause_is_stop(due->cause) && !es_span_is(due->cause, "eos");
  if (!es_find(view, es_words_rule(due->cause), stop ? ES_KIND_WRONG_STOP : ES_KIND_WRONG_REASON, view->steps,
               ES_NOWHERE)) {
    return;
  }
  bool by_index = r->stop_reason_kind == ES_REASON_ABSENT || es_same_stop_reason(r, due);
  if (by_index) {
    es_buffer_format(words, "stop_index %" PRIu64, due->stop_index);
    es_find_actual(view);
    es_buffer_format(words, "stop_index %" PRIu64, r->stop_index);
  } else {
    es_words_result(words, due);
    es_find_actual(view);
    es_words_result(words, r);
  }
  es_find_why(view);
  es_words_end(view);
  es_buffer_text(words,
                 by_index ? ", but the result names another place of the request's list" : ", but stop_reason is ");
  if (!by_index) es_words_stop_reason(words, r);
}

static void other_reason(es_view *view) {
  const es_result *r = view->recorded, *due = view->due;
  es_buffer *words = &view->judge->words;
  if (!es_find(view, es_words_rule(due->cause), ES_KIND_WRONG_REASON, view->steps, ES_NOWHERE)) return;
  const es_result *sides[2] = {due, r};
  for (int side = 0; side < 2; side++) {
    if (side == 1) es_find_actual(view);
    if (r->cause.data) es_buffer_text(words, "cause ");
    if (r->cause.data) es_words_quote(words, sides[side]->cause);
    if (!r->has_finish_reason) continue;
    es_buffer_text(words, r->cause.data ? ", finish_reason " : "finish_reason ");
    if (sides[side]->finish_reason.data) es_words_quote(words, sides[side]->finish_reason);
    if (!sides[side]->finish_reason.data) es_buffer_text(words, "null");
  }
  es_find_why(view);
  es_words_end(view);
  if (es_span_same(r->cause, due->cause)) {
    es_buffer_text(words, ", and finish_reason does not go with that: ");
    if (r->finish_reason.data) es_words_quote(words, r->finish_reason);
    if (!r->finish_reason.data) es_buffer_text(words, "null");
    return;
  }
  es_buffer_text(words, ", but the result gives ");
  es_words_result(words, &(es_result){.cause = r->cause, .has_finish_reason = true, .finish_reason = r->finish_reason});
}

/* Whether the engine ended past, or before, the place of the rules. */
static bool ended_past(const es_claim *claim, bool later) {
  if (claim->open) return true;
  if (claim->more) return claim->next_step || claim->further || claim->reason_differs || claim->stop_differs;
  if (claim->fewer) return false;
  return later || (claim->further && claim->reason_differs);
}

static bool ended_before(const es_claim *claim, const es_result *r, bool earlier, bool here) {
  if (here) return false;
  if (claim->fewer) return claim->shorter || claim->reason_differs || claim->stop_differs;
  if (claim->more) return false;
  if (earlier || (claim->stop_differs && claim->shorter)) return true;
  /* With as many tokens, text that is missing is a false stop only if a stop is said to have cut it. */
  if (!claim->reason_differs || !claim->shorter) return false;
  return !claim->counted || es_cause_is_stop(r->cause);
}

/* Without a count of tokens only text beyond the ending token shows that more were taken: what comes before it may
 * be the stop itself, left in the text. */
static bool beyond_the_token(es_view *view) {
  es_span whole_raw = {view->judge->whole.data, view->judge->whole.length};
  size_t end = es_view_token_start(view, view->due->tokens + 1);
  return view->shown.length > es_decoded_length(whole_raw, end, NULL);
}

bool es_judge_end(es_view *view) {
  const es_result *r = view->recorded, *due = view->due;
  es_claim claim = es_claim_of(view);
  bool open = es_span_is(due->cause, "open");
  bool by_string = es_span_is(due->cause, "stop_string");
  /* Where the stop string is complete that ends the lane by the rules; past any place where another ends it. */
  size_t here = ES_NOWHERE - 1;
  if (by_string && view->c->request.include_stop) here = view->cut;
  if (by_string && !view->c->request.include_stop) {
    here = view->cut + es_stop_text(&view->c->request, (size_t)due->stop_index).length;
  }
  bool elsewhere = claim.stop_differs || claim.reason_differs;
  size_t named = es_claim_stop(view);
  size_t place = claim.same || !elsewhere ? ES_NOWHERE : es_claim_place(view, named, here);
  if (named == ES_NOWHERE && place == ES_NOWHERE && claim.fewer) place = es_claim_too_soon(view, &named);
  if (open && claim.reason_differs && !claim.open) {
    ended_early(view, &claim, named, place);
    view->elsewhere = true;
    return false;
  }
  /* Another stop that is complete with the same token, though later in it, and does not leave the first one shown. */
  bool same_token = by_string && place != ES_NOWHERE && place > here && !claim.further && claim.counted &&
                    !claim.more && !claim.fewer && place <= es_view_token_start(view, due->tokens + 1);
  bool later = by_string && place != ES_NOWHERE && place > here && !same_token;
  if (!claim.counted && claim.further && beyond_the_token(view)) later = true;
  /* The stop is in the text and the result says that none ended it: it was passed by, not left in. */
  if (by_string && claim.further && claim.stop_differs && r->stop_reason_kind == ES_REASON_NULL &&
      !es_cause_is_stop(r->cause)) {
    later = true;
  }
  if (!open && ended_past(&claim, later)) {
    went_on(view, &claim);
    view->elsewhere = true;
    return false;
  }
  if (!open && ended_before(&claim, r, place != ES_NOWHERE && place < here, place == here || same_token)) {
    ended_early(view, &claim, named, place);
    view->elsewhere = true;
    return false;
  }
  if (claim.stop_differs) other_stop(view);
  bool reason_wrong =
      (r->cause.data && !es_span_same(r->cause, due->cause)) || (r->has_finish_reason && !es_same_finish(r, due));
  if (reason_wrong) other_reason(view);
  /* The stop that is named at the same place brings its own cut: text and name are one fault. */
  return place != here && !same_token;
}
