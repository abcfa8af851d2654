/* What was counted: tokens and their ids (R8), the terminal and its checksum (R15), and how many terminals came (R12). */
#include "judge_internal.h"

#include <inttypes.h>

#include "crc32c.h"

/* The first place where two lists of ids differ, or the end of the shorter. */
static size_t same_ids(const es_result *a, const es_result *b) {
  size_t i = 0;
  while (i < a->token_id_count && i < b->token_id_count && a->token_ids[i] == b->token_ids[i]) i++;
  return i;
}

static void against_itself(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  if (!r->has_tokens || !r->has_token_ids || r->tokens == r->token_id_count) return;
  if (!es_find(view, "R8", ES_KIND_WRONG_COUNT, ES_NOWHERE, ES_NOWHERE)) return;
  es_words_count(words, r->token_id_count, "token");
  es_buffer_text(words, ", as there are token_ids");
  es_find_actual(view);
  es_words_count(words, r->tokens, "token");
  es_find_why(view);
  es_buffer_format(words, "tokens says %" PRIu64 ", but token_ids has %zu", r->tokens, r->token_id_count);
}

static void against_rules(es_view *view) {
  const es_result *r = view->recorded, *due = view->due;
  es_buffer *words = &view->judge->words;
  if (r->has_tokens && r->tokens != due->tokens && es_find(view, "R8", ES_KIND_WRONG_COUNT, view->steps, ES_NOWHERE)) {
    es_words_count(words, due->tokens, "token");
    es_find_actual(view);
    es_words_count(words, r->tokens, "token");
    es_find_why(view);
    es_words_count(words, due->tokens, "token");
    es_buffer_format(words, " %s taken, the ending one included, but the result counts %" PRIu64,
                     due->tokens == 1 ? "was" : "were", r->tokens);
  }
  if (!r->has_token_ids) return;
  size_t same = same_ids(r, due);
  if (same == r->token_id_count && same == due->token_id_count) return;
  if (!es_find(view, "R8", ES_KIND_WRONG_COUNT, ES_NOWHERE, ES_NOWHERE)) return;
  es_words_ids(words, due->token_ids, due->token_id_count);
  es_find_actual(view);
  es_words_ids(words, r->token_ids, r->token_id_count);
  es_find_why(view);
  es_buffer_format(words, "token_ids has %zu ids, %zu are due; the first difference is at token %zu", r->token_id_count,
                   due->token_id_count, same + 1);
}

void es_judge_counts(es_view *view) {
  if (view->due && !view->elsewhere) {
    against_rules(view);
  } else {
    against_itself(view);
  }
}

static bool sums_up(const es_result *r, es_span text) {
  return text.data && r->terminal_bytes == text.length &&
         r->terminal_crc32c == es_crc32c(0, (const uint8_t *)text.data, (uint32_t)text.length);
}

/* A terminal is there so that a client can tell what it lacks: it is right if it sums up what was sent, and right too
 * if it sums up what should have been. */
static void summary(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  if (!r->has_terminal) return;
  if (!view->deltas.data && !r->text.data && !view->due) return;
  es_span due = view->due ? view->due->text : (es_span){0};
  bool right = view->due && view->due->has_terminal && view->due->terminal_bytes == r->terminal_bytes &&
               view->due->terminal_crc32c == r->terminal_crc32c;
  if (right || sums_up(r, view->deltas) || sums_up(r, r->text) || sums_up(r, due)) return;
  if (!es_find(view, "R15", ES_KIND_WRONG_COUNT, ES_NOWHERE, ES_NOWHERE)) return;
  es_span text = view->deltas.data ? view->deltas : r->text.data ? r->text : due;
  uint32_t crc = es_crc32c(0, (const uint8_t *)text.data, (uint32_t)text.length);
  es_buffer_format(words, "%zu bytes, crc32c %08" PRIx32, text.length, crc);
  es_find_actual(view);
  es_buffer_format(words, "%" PRIu64 " bytes, crc32c %08" PRIx32, r->terminal_bytes, r->terminal_crc32c);
  es_find_why(view);
  if (r->terminal_bytes != text.length) {
    es_buffer_format(words, "the terminal counts %" PRIu64 " bytes, but the deltas have %zu", r->terminal_bytes,
                     text.length);
  } else {
    es_buffer_format(words, "the terminal counts %zu bytes rightly, but their CRC-32C is %08" PRIx32 ", not %08" PRIx32,
                     text.length, crc, r->terminal_crc32c);
  }
}

/* Whether a terminal is due, as far as the recording or the rules tell; unknown counts as due. */
static bool terminal_due(const es_view *view, bool *known) {
  const es_result *r = view->recorded;
  *known = true;
  if (view->due) return view->due->has_terminals ? view->due->terminals > 0 : view->due->has_terminal;
  if (es_span_is(r->cause, "open") || (!r->cause.data && r->has_finish_reason && !r->finish_reason.data)) return false;
  for (size_t i = 0; i < view->c->sink_count; i++) {
    if (view->c->sink[i] == ES_SINK_GONE) *known = false;
  }
  if (es_span_is(r->cause, "disconnect") || (!r->cause.data && !r->has_finish_reason)) *known = false;
  return true;
}

void es_judge_terminal(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  summary(view);
  if (!r->has_terminals) return;
  bool known;
  bool due = terminal_due(view, &known);
  bool open = view->due ? es_span_is(view->due->cause, "open") : !due;
  /* A lane that ended elsewhere has its terminal, or lacks it, as a consequence. */
  if (r->terminals == 1 && known && !due && !view->elsewhere) {
    es_kind kind = open ? ES_KIND_FALSE_STOP : ES_KIND_AFTER_END;
    if (!es_find(view, "R12", kind, ES_NOWHERE, ES_NOWHERE)) return;
    es_buffer_text(words, "terminals 0");
    es_find_actual(view);
    es_buffer_text(words, "terminals 1");
    es_find_why(view);
    es_buffer_text(words, open ? "a terminal was sent although the lane is open: nothing has ended it"
                               : "a terminal was sent although the sink had said that the client is gone");
  } else if (r->terminals == 0 && known && due && !view->elsewhere) {
    if (!es_find(view, "R12", ES_KIND_NO_END, ES_NOWHERE, ES_NOWHERE)) return;
    es_buffer_text(words, "terminals 1");
    es_find_actual(view);
    es_buffer_text(words, "terminals 0");
    es_find_why(view);
    es_buffer_text(words,
                   "the lane ended, but no terminal was sent: a client cannot tell its text from a truncated one");
  } else if (r->terminals > 1) {
    if (!es_find(view, "R12", ES_KIND_AFTER_END, ES_NOWHERE, ES_NOWHERE)) return;
    es_buffer_text(words, "one terminal");
    es_find_actual(view);
    es_buffer_format(words, "%" PRIu64 " terminals", r->terminals);
    es_find_why(view);
    es_buffer_format(words, "the end was told %" PRIu64 " times: after the first terminal nothing may come",
                     r->terminals);
  }
}
