/* Recordings that do not tell the tokens: what can be seen from outside.
 *
 * Nothing is guessed: each finding is one that no sequence of tokens could excuse. A stop string in the text is a leak
 * where the result says that this stop ended the lane, and a missed stop where it says otherwise or text of other
 * stops follows. Text with a U+FFFD may stand for bytes that are no U+FFFD, so a stop with one is not looked for. */
#include "judge_internal.h"

#include <inttypes.h>

static bool has_id(const uint32_t *ids, size_t count, uint32_t id) {
  for (size_t i = 0; i < count; i++) {
    if (ids[i] == id) return true;
  }
  return false;
}

bool es_is_eos(const es_request *request, uint32_t id) {
  return !request->ignore_eos && has_id(request->eos_ids, request->eos_id_count, id);
}

bool es_is_stop_token(const es_request *request, uint32_t id) {
  for (size_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = &request->sequences[i];
    if (sequence->length == 1 && request->sequence_ids[sequence->offset] == id) return true;
  }
  return has_id(request->stop_ids, request->stop_id_count, id);
}

static bool any_stop_token(const es_request *request) {
  for (size_t i = 0; i < request->sequence_count; i++) {
    if (request->sequences[i].length == 1) return true;
  }
  return request->stop_id_count > 0;
}

/* The request's index of the longest sequence of two or more that the first `end` ids end with; ES_NOWHERE if none. */
static size_t sequence_at(const es_view *view, size_t end) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  size_t found = ES_NOWHERE, longest = 1;
  for (size_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = &request->sequences[i];
    if (sequence->length <= longest || sequence->length > end) continue;
    size_t same = 0;
    while (same < sequence->length &&
           request->sequence_ids[sequence->offset + same] == r->token_ids[end - sequence->length + same]) {
      same++;
    }
    if (same < sequence->length) continue;
    found = i;
    longest = sequence->length;
  }
  return found;
}

static bool begin(es_view *view, const char *rule, es_kind kind, const char *expected) {
  if (!es_find(view, rule, kind, ES_NOWHERE, ES_NOWHERE)) return false;
  es_buffer_text(&view->judge->words, expected);
  es_find_actual(view);
  es_words_result(&view->judge->words, view->recorded);
  es_find_why(view);
  return true;
}

/* The result names this stop string as the one that ended the lane. */
static bool names(const es_view *view, es_span stop) {
  const es_result *r = view->recorded;
  return r->stop_reason_kind == ES_REASON_TEXT && es_span_same(r->stop_reason, stop);
}

/* The first stop string in the text, by where it is complete; the longest of several. ES_NOWHERE if none. */
static size_t first_stop(const es_request *request, es_span text, size_t *end) {
  size_t first = ES_NOWHERE;
  for (size_t i = 0; i < request->stop_count; i++) {
    es_span stop = es_stop_text(request, i);
    if (es_span_find(stop, (es_span){ES_REPLACEMENT, 3}, 0) != ES_NOWHERE) continue;
    size_t at = es_span_find(text, stop, 0);
    if (at == ES_NOWHERE || (first != ES_NOWHERE && at + stop.length > *end)) continue;
    if (first != ES_NOWHERE && at + stop.length == *end && stop.length <= es_stop_text(request, first).length) continue;
    first = i;
    *end = at + stop.length;
  }
  return first;
}

static void stop_in_text(es_view *view, es_span text, const char *what) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  size_t end = 0;
  size_t index = request->min_tokens == 0 ? first_stop(request, text, &end) : ES_NOWHERE;
  if (index == ES_NOWHERE) return;
  es_span stop = es_stop_text(request, index);
  bool last = end == text.length;
  /* Of a cause and a finish_reason that contradict each other the cause counts: that they do is another fault. */
  bool stopped = r->cause.data ? es_span_is(r->cause, "stop_string")
                               : !r->has_finish_reason || es_span_is(r->finish_reason, "stop");
  if (request->include_stop) {
    if (last && stopped) return;
    /* The text of an ending token joins unlooked at when stops are included (R5). */
    if (any_stop_token(request) || request->eos_id_count > 0) return;
  }
  bool named = r->stop_reason_kind == ES_REASON_TEXT ? names(view, stop) : last;
  bool leak = stopped && named;
  if (!es_find(view, leak ? "R4" : "R3", leak ? ES_KIND_LEAK : ES_KIND_MISSED_STOP, ES_NOWHERE, end - stop.length))
    return;
  es_words_tail(words, es_span_to(text, request->include_stop ? end : end - stop.length));
  es_find_actual(view);
  es_words_tail(words, text);
  es_find_why(view);
  es_buffer_text(words, "the stop ");
  es_words_quote(words, stop);
  es_buffer_format(words, " stands in %s at byte %zu", what, end - stop.length);
  if (!last) es_buffer_text(words, ", and more text follows: ");
  if (!last) es_words_quote(words, es_span_from(text, end));
  if (last && leak) es_buffer_text(words, ", although stops are not to be included");
  if (last && !leak) es_buffer_text(words, ", but the result does not say that it ended the lane");
}

static void named_stop(es_view *view) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  bool by_stop =
      r->cause.data ? es_cause_is_stop(r->cause) : r->has_finish_reason && es_span_is(r->finish_reason, "stop");
  const es_external_end *external = &view->c->external;
  if (!by_stop) return;
  if (!r->cause.data && external->present && r->stop_reason_kind == ES_REASON_TEXT &&
      es_span_same(r->stop_reason, external->reason)) {
    return; /* the external end names its own reason */
  }
  bool known = true;
  if (r->stop_reason_kind == ES_REASON_TEXT) {
    known = false;
    for (size_t i = 0; i < request->stop_count && !known; i++) known = names(view, es_stop_text(request, i));
    if (r->has_stop_index && known) {
      known = r->stop_index < request->stop_count && names(view, es_stop_text(request, (size_t)r->stop_index));
    }
  } else if (r->stop_reason_kind == ES_REASON_ID && r->stop_reason_count == 1) {
    /* Without eos_token_ids it may be an end-of-sequence token of the engine's own. */
    known = es_is_stop_token(request, r->stop_reason_ids[0]) || es_is_eos(request, r->stop_reason_ids[0]) ||
            (request->eos_id_count == 0 && !request->ignore_eos);
  } else if (r->stop_reason_kind == ES_REASON_IDS) {
    known = false;
    for (size_t i = 0; i < request->sequence_count && !known; i++) {
      const es_sequence *sequence = &request->sequences[i];
      known = sequence->length == r->stop_reason_count;
      for (size_t j = 0; j < sequence->length && known; j++) {
        known = request->sequence_ids[sequence->offset + j] == r->stop_reason_ids[j];
      }
    }
  }
  if (known) return;
  if (!begin(view, "R3", ES_KIND_WRONG_STOP, "a stop of the request")) return;
  es_buffer_text(words, "the result says that a stop ended the lane which is not among the request's, or whose index "
                        "and text do not belong together");
}

/* A cause that the request gives no ground for. Ids of end-of-sequence are often the engine's own: only ignore_eos
 * speaks against them. */
static void groundless(es_view *view) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  const char *lacks = NULL;
  bool sequences = false;
  for (size_t i = 0; i < request->sequence_count; i++) sequences = sequences || request->sequences[i].length > 1;
  if (es_span_is(r->cause, "stop_string") && request->stop_count == 0) lacks = "stop strings";
  if (es_span_is(r->cause, "stop_token") && !any_stop_token(request)) lacks = "stop tokens";
  if (es_span_is(r->cause, "stop_sequence") && !sequences) lacks = "stop sequences";
  if (es_span_is(r->cause, "deadline") && request->deadline_steps == ES_NO_LIMIT) lacks = "deadline";
  if (es_span_is(r->cause, "repetition") && request->max_period == 0) lacks = "repetition guard";
  if (es_span_is(r->cause, "eos") && request->ignore_eos) lacks = "end-of-sequence tokens that count (ignore_eos)";
  if (lacks) {
    if (!begin(view, es_words_rule(r->cause), ES_KIND_FALSE_STOP, "an end that the request asks for")) return;
    es_buffer_format(&view->judge->words, "the request has no %s, but the result says that one ended the lane", lacks);
    return;
  }
  bool counts = r->has_tokens || r->has_token_ids;
  uint64_t tokens = es_counted(r);
  if (counts && es_cause_is_stop(r->cause) && tokens <= request->min_tokens &&
      begin(view, "R6", ES_KIND_FALSE_STOP, "more tokens than min_tokens before a stop counts")) {
    es_buffer_format(&view->judge->words,
                     "the lane ended by a stop after %" PRIu64 " tokens, but min_tokens is %" PRIu32, tokens,
                     request->min_tokens);
  }
}

static bool says_length(const es_result *r) {
  if (r->cause.data) return es_span_is(r->cause, "max_tokens");
  return r->has_finish_reason && es_span_is(r->finish_reason, "length");
}

static void limits(es_view *view) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  if (!r->has_tokens && !r->has_token_ids) return;
  uint64_t tokens = es_counted(r);
  /* Where the two contradict each other one of them is miscounted, which has been said. */
  if (r->has_tokens && r->has_token_ids && r->token_id_count < tokens) tokens = r->token_id_count;
  uint64_t room = ES_NO_LIMIT;
  const char *limit = "max_tokens";
  if (request->max_context != ES_NO_LIMIT) {
    room = request->max_context > request->prompt_tokens ? request->max_context - request->prompt_tokens : 0;
    limit = "max_context";
  }
  if (request->max_tokens != ES_NO_LIMIT && request->max_tokens <= room) {
    room = request->max_tokens;
    limit = "max_tokens";
  }
  bool open = es_span_is(r->cause, "open") || (!r->cause.data && r->has_finish_reason && !r->finish_reason.data);
  if (room != ES_NO_LIMIT && (tokens > room || (tokens == room && open))) {
    if (!begin(view, "R7", ES_KIND_NO_END, "an end at the limit")) return;
    es_buffer_format(words, "%s leaves room for %" PRIu64 " tokens, but %" PRIu64 " were taken%s", limit, room, tokens,
                     open ? " and the lane is said to be open" : "");
    return;
  }
  bool context = !r->cause.data && request->max_context != ES_NO_LIMIT;
  if (!es_reasons_disagree(r) && says_length(r) && request->max_tokens != ES_NO_LIMIT && tokens < request->max_tokens &&
      !context && begin(view, "R7", ES_KIND_WRONG_REASON, "length only at max_tokens")) {
    es_buffer_format(words,
                     "the result says that a limit ended the lane, but only %" PRIu64 " of max_tokens %" PRIu32
                     " tokens were taken",
                     tokens, request->max_tokens);
  }
}

/* What the ids alone tell about ends (R5, R6). */
static void ids(es_view *view) {
  const es_request *request = &view->c->request;
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  if (!r->has_token_ids || (r->has_tokens && r->tokens != r->token_id_count)) return;
  for (size_t n = request->min_tokens + (size_t)1; n <= r->token_id_count; n++) {
    uint32_t id = r->token_ids[n - 1];
    size_t sequence = sequence_at(view, n);
    bool eos = es_is_eos(request, id), stop = es_is_stop_token(request, id);
    if (!eos && !stop && sequence == ES_NOWHERE) continue;
    const char *what = eos ? "an end-of-sequence token" : stop ? "a stop token" : "the last of a stop sequence";
    if (n < r->token_id_count) {
      if (!es_find(view, "R5", ES_KIND_MISSED_STOP, ES_NOWHERE, ES_NOWHERE)) return;
      es_buffer_format(words, "an end after token %zu", n);
      es_find_actual(view);
      es_words_count(words, r->token_id_count, "token");
      es_find_why(view);
      es_buffer_format(words, "token %zu (id %" PRIu32 ") is %s, but the engine went on for %zu more token%s", n, id,
                       what, r->token_id_count - n, r->token_id_count - n == 1 ? "" : "s");
      return;
    }
    bool fits = !r->cause.data ||
                (eos    ? es_span_is(r->cause, "eos")
                 : stop ? es_span_is(r->cause, "stop_token")
                        : es_cause_is_stop(r->cause)) ||
                es_span_is(r->cause, "external") || es_span_is(r->cause, "disconnect");
    if (!fits && begin(view, "R5", ES_KIND_WRONG_REASON, "the cause that the last token gives")) {
      es_buffer_format(words, "the last token (id %" PRIu32 ") is %s, but the result gives the cause ", id, what);
      es_words_quote(words, r->cause);
    }
    return;
  }
  uint32_t last = r->token_id_count > 0 ? r->token_ids[r->token_id_count - 1] : 0;
  bool token = es_span_is(r->cause, "stop_token") || (es_span_is(r->cause, "eos") && request->eos_id_count > 0);
  bool sequence = es_span_is(r->cause, "stop_sequence");
  if ((token || sequence) && begin(view, "R5", ES_KIND_FALSE_STOP, "a token that ends the lane")) {
    es_buffer_format(words, "the last token (id %" PRIu32 ") is none that the request ends a lane with", last);
  }
}

static void reasons(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  if (!es_reasons_disagree(r)) return;
  if (!es_find(view, es_words_rule(r->cause), ES_KIND_WRONG_REASON, ES_NOWHERE, ES_NOWHERE)) return;
  const char *reason = es_reason_of(r->cause);
  es_buffer_format(words, "finish_reason %s",
                   reason                         ? reason
                   : es_span_is(r->cause, "open") ? "null"
                                                  : "of the external end");
  es_find_actual(view);
  es_buffer_text(words, "finish_reason ");
  if (r->finish_reason.data) es_words_quote(words, r->finish_reason);
  if (!r->finish_reason.data) es_buffer_text(words, "null");
  es_find_why(view);
  es_buffer_text(words, "cause ");
  es_words_quote(words, r->cause);
  es_buffer_text(words, " and this finish_reason do not belong together");
}

/* With stops included the text ends with the stop that ended the lane. */
static void stop_included(es_view *view, es_span text) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  bool by_string = r->cause.data ? es_span_is(r->cause, "stop_string")
                                 : r->has_finish_reason && es_span_is(r->finish_reason, "stop");
  if (!view->c->request.include_stop || !by_string || r->stop_reason_kind != ES_REASON_TEXT) return;
  if (view->c->sink_count > 0 || text.length == 0) return;
  size_t length = r->stop_reason.length;
  if (text.length >= length && es_span_same(es_span_from(text, text.length - length), r->stop_reason)) return;
  if (es_found(view, ES_KIND_LEAK) || es_found(view, ES_KIND_WRONG_STOP)) return;
  if (!es_find(view, "R4", ES_KIND_WRONG_CUT, ES_NOWHERE, text.length)) return;
  es_words_quote(words, r->stop_reason);
  es_buffer_text(words, " at the end");
  es_find_actual(view);
  es_words_tail(words, text);
  es_find_why(view);
  es_buffer_text(words, "the stop ");
  es_words_quote(words, r->stop_reason);
  es_buffer_text(words, " is to be included, but the text does not end with it");
}

void es_judge_outside(es_view *view) {
  const es_result *r = view->recorded;
  bool both = r->has_deltas && r->text.data;
  bool same = both && es_span_same(view->deltas, r->text);
  es_judge_counts(view);
  if (r->text.data) stop_in_text(view, r->text, "`text`");
  if (r->has_deltas && !same) stop_in_text(view, view->deltas, "the deltas");
  /* A stop that only the deltas show is what they and the text differ in. */
  if (both && !same && !es_found(view, ES_KIND_LEAK) && !es_found(view, ES_KIND_MISSED_STOP)) {
    es_judge_text_against(view, r->text, view->deltas, "the deltas");
  }
  if (r->text.data || view->bad_delta == ES_NOWHERE) stop_included(view, r->text.data ? r->text : view->deltas);
  reasons(view);
  if (!es_found(view, ES_KIND_MISSED_STOP) && !es_found(view, ES_KIND_WRONG_REASON)) {
    named_stop(view);
    groundless(view);
  }
  ids(view);
  limits(view);
}
