/* Phrases of verdicts: texts in quotes, why a lane ends, what a result claims. */
#include "judge_internal.h"

#include <inttypes.h>

#include "utf8.h"

/* Longer texts are shortened to this many bytes from each end. */
#define QUOTED_END 24u

/* Every byte of a text that is no UTF-8 as U+FFFD-free escape, so that a message can always be printed. */
static void escape(es_buffer *words, es_span text) {
  bool valid = es_utf8_valid((const uint8_t *)text.data, (uint32_t)text.length) != 0;
  for (size_t i = 0; i < text.length; i++) {
    uint8_t byte = (uint8_t)text.data[i];
    if (byte == '\n') {
      es_buffer_text(words, "\\n");
    } else if (byte == '\t') {
      es_buffer_text(words, "\\t");
    } else if (byte == '"' || byte == '\\') {
      es_buffer_format(words, "\\%c", byte);
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !valid)) {
      es_buffer_format(words, "\\x%02x", byte);
    } else if (byte == 0xEF && i + 2 < text.length && (uint8_t)text.data[i + 1] == 0xBF &&
               (uint8_t)text.data[i + 2] == 0xBD) {
      es_buffer_text(words, "\\ufffd");
      i += 2;
    } else {
      es_buffer_bytes(words, text.data + i, 1);
    }
  }
}

/* Where the first part of a long text ends and its last one begins: never inside a character. */
static size_t head_of(es_span text) {
  size_t end = QUOTED_END;
  while (es_span_splits(text, end)) end--;
  return end;
}

static size_t tail_of(es_span text) {
  size_t start = text.length - QUOTED_END;
  while (es_span_splits(text, start)) start++;
  return start;
}

void es_words_quote(es_buffer *words, es_span text) {
  es_buffer_text(words, "\"");
  if (text.length <= 2 * QUOTED_END + 8) {
    escape(words, text);
  } else {
    escape(words, es_span_to(text, head_of(text)));
    es_buffer_text(words, "…");
    escape(words, es_span_from(text, tail_of(text)));
  }
  es_buffer_text(words, "\"");
}

void es_words_tail(es_buffer *words, es_span text) {
  bool whole = text.length <= QUOTED_END + 8;
  es_buffer_text(words, whole ? "\"" : "…\"");
  escape(words, whole ? text : es_span_from(text, tail_of(text)));
  es_buffer_text(words, "\"");
}

void es_words_count(es_buffer *words, uint64_t count, const char *what) {
  es_buffer_number(words, count);
  es_buffer_format(words, " %s%s", what, count == 1 ? "" : "s");
}

void es_words_ids(es_buffer *words, const uint32_t *ids, size_t count) {
  es_buffer_text(words, "[");
  for (size_t i = 0; i < count; i++) {
    if (count > 12 && i == 6) {
      es_buffer_text(words, ", …");
      i = count - 6;
    }
    if (i > 0) es_buffer_text(words, ", ");
    es_buffer_number(words, ids[i]);
  }
  es_buffer_text(words, "]");
}

static void stop_string_end(es_view *view) {
  es_buffer *words = &view->judge->words;
  size_t stop = (size_t)view->due->stop_index;
  if (stop >= view->c->request.stop_count) return;
  es_span text = es_stop_text(&view->c->request, stop);
  size_t from = view->c->request.include_stop ? view->cut - text.length : view->cut;
  es_buffer_text(words, "the stop ");
  es_words_quote(words, text);
  es_buffer_format(words, " was complete after token %" PRIu64, view->due->tokens);
  if (text.length == 1) es_buffer_format(words, " (byte %zu)", from);
  if (text.length > 1) es_buffer_format(words, " (bytes %zu–%zu)", from, from + text.length - 1);
}

void es_words_end(es_view *view) {
  es_buffer *words = &view->judge->words;
  const es_result *due = view->due;
  const es_request *request = &view->c->request;
  uint32_t last = due->token_id_count > 0 ? due->token_ids[due->token_id_count - 1] : 0;
  if (es_span_is(due->cause, "stop_string")) {
    stop_string_end(view);
  } else if (es_span_is(due->cause, "eos")) {
    es_buffer_format(words, "token %" PRIu64 " (id %" PRIu32 ") is an end-of-sequence token", due->tokens, last);
  } else if (es_span_is(due->cause, "stop_token")) {
    es_buffer_format(words, "token %" PRIu64 " (id %" PRIu32 ") is a stop token", due->tokens, last);
  } else if (es_span_is(due->cause, "stop_sequence")) {
    es_buffer_text(words, "the stop sequence ");
    es_words_ids(words, due->stop_reason_ids, due->stop_reason_count);
    es_buffer_format(words, " was complete after token %" PRIu64, due->tokens);
  } else if (es_span_is(due->cause, "max_tokens")) {
    es_buffer_format(words, "max_tokens %" PRIu32 " was reached", request->max_tokens);
  } else if (es_span_is(due->cause, "max_context")) {
    es_buffer_format(words,
                     "the context of %" PRIu32 " tokens (%" PRIu32 " of them prompt) was full after token %" PRIu64,
                     request->max_context, request->prompt_tokens, due->tokens);
  } else if (es_span_is(due->cause, "repetition")) {
    es_buffer_format(words, "the tokens up to token %" PRIu64 " repeat as often as the guard allows", due->tokens);
  } else if (es_span_is(due->cause, "abort")) {
    es_buffer_format(words, "the stop flag was seen at boundary %" PRIu64, view->c->abort_after_step);
  } else if (es_span_is(due->cause, "deadline")) {
    es_buffer_format(words, "the deadline of %" PRIu32 " steps was reached", request->deadline_steps);
  } else if (es_span_is(due->cause, "external")) {
    es_buffer_text(words, "the external end ");
    es_words_quote(words, view->c->external.reason);
    es_buffer_format(words, " came at boundary %" PRIu64, view->c->external.after_step);
  } else if (es_span_is(due->cause, "disconnect")) {
    es_buffer_format(words, "the client was gone at step %zu", view->steps);
  } else {
    es_buffer_format(words, "nothing ends the lane in its %" PRIu64 " tokens", due->tokens);
  }
}

void es_words_stop_reason(es_buffer *words, const es_result *r) {
  switch (r->stop_reason_kind) {
  case ES_REASON_TEXT:
    es_words_quote(words, r->stop_reason);
    return;
  case ES_REASON_ID:
    es_buffer_number(words, r->stop_reason_ids[0]);
    return;
  case ES_REASON_IDS:
    es_words_ids(words, r->stop_reason_ids, r->stop_reason_count);
    return;
  case ES_REASON_NULL:
  case ES_REASON_ABSENT:
    es_buffer_text(words, "null");
    return;
  }
}

void es_words_result(es_buffer *words, const es_result *r) {
  const char *comma = "";
  if (r->cause.data) {
    es_buffer_text(words, "cause ");
    es_words_quote(words, r->cause);
    comma = ", ";
  } else if (r->has_finish_reason) {
    es_buffer_text(words, "finish_reason ");
    if (r->finish_reason.data) {
      es_words_quote(words, r->finish_reason);
    } else {
      es_buffer_text(words, "null");
    }
    comma = ", ";
  }
  if (r->stop_reason_kind != ES_REASON_ABSENT && r->stop_reason_kind != ES_REASON_NULL) {
    es_buffer_format(words, "%sstop_reason ", comma);
    es_words_stop_reason(words, r);
    comma = ", ";
  }
  if (r->has_tokens) es_buffer_format(words, "%s%" PRIu64 " token%s", comma, r->tokens, r->tokens == 1 ? "" : "s");
  if (!r->has_tokens && r->has_token_ids) es_buffer_format(words, "%s%zu token ids", comma, r->token_id_count);
}

const char *es_words_rule(es_span cause) {
  if (es_span_is(cause, "stop_string")) return "R3";
  if (es_span_is(cause, "stop_token") || es_span_is(cause, "stop_sequence") || es_span_is(cause, "eos")) return "R5";
  if (es_span_is(cause, "abort") || es_span_is(cause, "deadline")) return "R9";
  if (es_span_is(cause, "external")) return "R16";
  if (es_span_is(cause, "max_tokens") || es_span_is(cause, "max_context") || es_span_is(cause, "repetition"))
    return "R7";
  return "R12";
}
