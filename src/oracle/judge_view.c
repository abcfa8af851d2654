/* The recording as the judge looks at it: joined text, and how much of it was shown, sent and allowed at each step. */
#include "judge_internal.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

bool es_span_is(es_span span, const char *text) {
  return span.data && es_span_same(span, es_span_of(text));
}

es_span es_span_from(es_span span, size_t from) {
  if (from > span.length) from = span.length;
  return (es_span){span.data ? span.data + from : NULL, span.length - from};
}

es_span es_span_to(es_span span, size_t to) {
  return (es_span){span.data, to < span.length ? to : span.length};
}

bool es_span_begins(es_span span, es_span head) {
  return head.length <= span.length && es_span_same(es_span_to(span, head.length), head);
}

bool es_span_splits(es_span span, size_t at) {
  return at > 0 && at < span.length && ((uint8_t)span.data[at] & 0xC0) == 0x80;
}

size_t es_span_common(es_span a, es_span b) {
  size_t most = a.length < b.length ? a.length : b.length;
  size_t same = 0;
  while (same < most && a.data[same] == b.data[same]) same++;
  while (same > 0 && (es_span_splits(a, same) || es_span_splits(b, same))) same--;
  return same;
}

size_t es_span_find(es_span in, es_span what, size_t from) {
  for (size_t at = from; at + what.length <= in.length; at++) {
    if (memcmp(in.data + at, what.data, what.length) == 0) return at;
  }
  return ES_NOWHERE;
}

es_span es_stop_text(const es_request *request, size_t index) {
  const es_stop *stop = &request->stops[index];
  return (es_span){(const char *)request->text + stop->offset, stop->length};
}

es_span es_visible(const es_case *c, const es_token *token) {
  if (token->special && c->request.skip_special) return (es_span){"", 0};
  return token->bytes;
}

/* Room for `count` numbers in the judge, or NULL. */
static size_t *numbers_for(es_judge *judge, size_t count) {
  if (count > judge->number_capacity) {
    size_t *numbers = count > SIZE_MAX / sizeof *numbers ? NULL : realloc(judge->numbers, count * sizeof *numbers);
    if (!numbers) {
      judge->failed = true;
      return NULL;
    }
    judge->numbers = numbers;
    judge->number_capacity = count;
  }
  return judge->numbers;
}

size_t es_decoded_length(es_span raw, size_t length, bool *incomplete) {
  es_utf8 state = {0};
  size_t text = 0;
  for (size_t at = 0; at < length && at < raw.length; at++) {
    es_utf8_step step = es_utf8_take(&state, (uint8_t)raw.data[at]);
    text += 3u * step.bad + step.character;
  }
  if (incomplete) *incomplete = state.pending > 0;
  return text + (state.pending > 0 ? 3 : 0);
}

bool es_view_broken_cut(const es_view *view) {
  bool incomplete = false;
  es_decoded_length(view->raw, view->cut, &incomplete);
  return incomplete;
}

static void decode(es_buffer *out, es_span raw) {
  es_utf8 state = {0};
  for (size_t at = 0; at < raw.length; at++) {
    es_utf8_step step = es_utf8_take(&state, (uint8_t)raw.data[at]);
    for (uint8_t bad = 0; bad < step.bad; bad++) es_buffer_text(out, ES_REPLACEMENT);
    es_buffer_bytes(out, raw.data + at + 1 - step.character, step.character);
  }
  if (state.pending > 0) es_buffer_text(out, ES_REPLACEMENT);
}

es_span es_view_whole(es_view *view) {
  es_judge *judge = view->judge;
  if (judge->whole_due.length == 0) {
    for (size_t i = 0; i < view->c->token_count; i++) {
      es_span bytes = es_visible(view->c, &view->c->tokens[i]);
      es_buffer_bytes(&judge->whole, bytes.data, bytes.length);
    }
    decode(&judge->whole_due, (es_span){judge->whole.data, judge->whole.length});
  }
  if (judge->whole.failed || judge->whole_due.failed) judge->failed = true;
  return (es_span){judge->whole_due.data, judge->whole_due.length};
}

size_t es_view_token_start(const es_view *view, uint64_t number) {
  size_t start = 0;
  for (uint64_t i = 1; i < number && i <= view->c->token_count; i++) {
    start += es_visible(view->c, &view->c->tokens[i - 1]).length;
  }
  return start;
}

uint64_t es_view_token_at(const es_view *view, size_t at) {
  size_t end = 0;
  for (size_t i = 0; i < view->c->token_count; i++) {
    end += es_visible(view->c, &view->c->tokens[i]).length;
    if (at < end) return i + 1;
  }
  return view->c->token_count;
}

size_t es_view_step_of(const es_view *view, size_t byte) {
  if (!view->timed) return ES_NOWHERE;
  for (size_t k = 1; k <= view->steps; k++) {
    if (view->shown_at[k] > byte) return k;
  }
  return ES_NOWHERE;
}

/* Joins the deltas and finds the first that is no UTF-8. */
static void join(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *joined = &view->judge->joined;
  view->bad_delta = ES_NOWHERE;
  if (!r->has_deltas) return;
  for (size_t i = 0; i < r->delta_count; i++) {
    size_t from = joined->length;
    es_buffer_bytes(joined, r->deltas[i].bytes.data, r->deltas[i].bytes.length);
    if (r->deltas[i].valid || view->bad_delta != ES_NOWHERE) continue;
    view->bad_delta = i;
    view->bad_from = from;
    view->bad_to = joined->length;
  }
  view->deltas = (es_span){joined->data ? joined->data : "", joined->length};
}

/* Bytes shown, sent and allowed up to each step. */
static bool time_deltas(es_view *view) {
  const es_result *r = view->recorded;
  size_t entries = view->steps + 1;
  size_t *numbers = numbers_for(view->judge, 3 * entries);
  if (!numbers) return false;
  size_t *shown_at = numbers, *sent_at = numbers + entries, *allowed_at = numbers + 2 * entries;
  size_t next = 0, shown = 0, sent = 0;
  for (size_t k = 0; k < entries; k++) {
    while (next < r->delta_count && (r->has_delta_steps ? r->delta_steps[next] <= k : next < k)) {
      shown += r->deltas[next++].bytes.length;
    }
    if (k > 0) sent += view->due->deltas[k - 1].bytes.length;
    shown_at[k] = shown;
    sent_at[k] = sent;
  }
  es_utf8 state = {0};
  size_t at = 0, text = 0;
  for (size_t k = 0; k < entries; k++) {
    for (; at < view->trace[k].allowed && at < view->raw.length; at++) {
      es_utf8_step step = es_utf8_take(&state, (uint8_t)view->raw.data[at]);
      text += 3u * step.bad + step.character;
    }
    /* What may be shown ends with a character or an ill-formed subpart, so what is pending here is the latter. */
    allowed_at[k] = text + (state.pending > 0 ? 3 : 0);
  }
  /* Once the lane has ended, what was sent is what may be shown: an incomplete character at the cut is out as U+FFFD,
   * and of what a sink refused nothing counts (R12). */
  if (view->trace[view->steps].ended) allowed_at[view->steps] = view->due->text.length;
  view->timed = true;
  view->shown_at = shown_at;
  view->sent_at = sent_at;
  view->allowed_at = allowed_at;
  return true;
}

/* The same deltas as the reference's are on time: nothing need be counted. */
static bool same_deltas(const es_result *r, const es_result *due) {
  if (r->delta_count != due->delta_count) return false;
  for (size_t i = 0; i < r->delta_count; i++) {
    if (!es_span_same(r->deltas[i].bytes, due->deltas[i].bytes)) return false;
    if (r->has_delta_steps && r->delta_steps[i] != i + 1) return false;
  }
  return true;
}

/* Whether a delta, taken as that of its step, shows text of tokens that came later. No engine can: then the deltas are
 * not one a step, though there are as many, and nothing tells when each came. */
static bool before_its_tokens(es_view *view) {
  const es_case *c = view->c;
  size_t common = es_span_common(view->deltas, es_view_whole(view));
  es_utf8 state = {0};
  size_t text = 0, token = 0;
  for (size_t k = 0; k <= view->steps; k++) {
    if (k > 0) {
      for (; token < c->steps[k - 1].first + c->steps[k - 1].count; token++) {
        es_span bytes = es_visible(c, &c->tokens[token]);
        for (size_t at = 0; at < bytes.length; at++) {
          es_utf8_step step = es_utf8_take(&state, (uint8_t)bytes.data[at]);
          text += 3u * step.bad + step.character;
        }
      }
    }
    /* Shown so far, but for an end inside a character, which the engine's own end may have left. */
    es_span shown = es_span_to(view->deltas, view->shown_at[k]);
    size_t reached = shown.length;
    if (state.pending > 0 && reached >= 3 && es_span_is(es_span_from(shown, reached - 3), ES_REPLACEMENT)) reached -= 3;
    if (reached <= common && reached > text) return true;
  }
  return false;
}

bool es_view_prepare(es_view *view) {
  const es_result *r = view->recorded;
  join(view);
  if (view->judge->joined.failed) return false;
  view->shown = r->has_deltas ? view->deltas : r->text;
  view->text_step = ES_NOWHERE;
  if (!view->due) return true;
  size_t entries;
  view->trace = es_run_trace(view->judge->run, &entries);
  view->raw = es_run_text(view->judge->run);
  view->steps = entries - 1;
  view->cut = (size_t)view->trace[view->steps].allowed;
  if (!r->has_deltas || same_deltas(r, view->due)) return true;
  if (r->has_delta_steps) return time_deltas(view);
  if (r->delta_count != view->steps) return true;
  if (!time_deltas(view)) return false;
  if (before_its_tokens(view)) view->timed = false;
  return !view->judge->failed;
}
