/* When text was shown: too early (leak, R10) or too late (late, R10 and R11).
 *
 * A flush policy or a sink says when text is sent, R10 what may be shown at all. So text is early only where R10 did
 * not allow it yet: an engine that sends sooner than its policy, but nothing that could still be cut, shows nothing
 * wrong. It is late where the reference had sent it by then. Text that never comes is lost, not late. */
#include "judge_internal.h"

#include <inttypes.h>

/* What the bytes shown too early could still become. */
static void say_hold(es_view *view, size_t step) {
  es_buffer *words = &view->judge->words;
  const es_boundary_trace *trace = &view->trace[step];
  const es_request *request = &view->c->request;
  if (trace->held_by == ES_HELD_BY_STRING && trace->held_by_index < request->stop_count) {
    es_buffer_text(words, " while it could still become the stop ");
    es_words_quote(words, es_stop_text(request, trace->held_by_index));
  } else if (trace->held_by == ES_HELD_BY_SEQUENCE && trace->held_by_index < request->sequence_count) {
    const es_sequence *sequence = &request->sequences[trace->held_by_index];
    es_buffer_text(words, " while its tokens could still become the stop sequence ");
    es_words_ids(words, request->sequence_ids + sequence->offset, sequence->length);
  } else if (trace->held_by == ES_HELD_BY_CHARACTER) {
    es_buffer_text(words, " while its last character was not complete");
  } else {
    es_buffer_text(words, " before the tokens up to that step gave it");
  }
}

static void early(es_view *view, size_t step) {
  es_buffer *words = &view->judge->words;
  size_t from = view->allowed_at[step];
  es_span more = es_span_from(es_span_to(view->deltas, view->shown_at[step]), from);
  if (!es_find(view, "R10", ES_KIND_LEAK, step, from)) return;
  es_buffer_text(words, "at most ");
  es_words_count(words, from, "byte");
  es_buffer_format(words, " of text by step %zu", step);
  es_find_actual(view);
  es_words_count(words, view->shown_at[step], "byte");
  es_find_why(view);
  es_words_quote(words, more);
  es_buffer_format(words, " was shown at step %zu", step);
  say_hold(view, step);
}

static void late(es_view *view, size_t step) {
  es_buffer *words = &view->judge->words;
  size_t from = view->shown_at[step], to = view->sent_at[step];
  size_t came = step;
  while (came <= view->steps && view->shown_at[came] < to) came++;
  bool plain =
      view->c->sink_count == 0 && view->c->request.flush.kind == ES_FLUSH_STEPS && view->c->request.flush.n == 1;
  if (!es_find(view, plain ? "R10" : "R11", ES_KIND_LATE, step, from)) return;
  es_words_count(words, to, "byte");
  es_buffer_format(words, " of text by step %zu", step);
  es_find_actual(view);
  es_words_count(words, from, "byte");
  es_find_why(view);
  es_words_quote(words, es_span_to(es_span_from(view->due->text, from), to - from));
  es_buffer_format(words, " was due with step %zu (%s), but came ", step,
                   plain ? "no continuation could cut or change it" : "the flush policy and the sink's answers say so");
  if (came <= view->steps) es_buffer_format(words, "with step %zu", came);
  if (came > view->steps) es_buffer_text(words, "after the last step");
}

void es_judge_time(es_view *view) {
  if (!view->timed) return;
  size_t right = es_span_common(view->deltas, view->due->text);
  bool was_early = false, was_late = false;
  for (size_t k = 0; k <= view->steps && k < view->text_step; k++) {
    size_t shown = view->shown_at[k];
    /* A step whose text ends inside a character is that of a delta that is no UTF-8, which has been said. */
    if (es_span_splits(view->due->text, shown)) continue;
    if (!was_early && shown > view->allowed_at[k] && shown <= right) {
      early(view, k);
      was_early = true;
    }
    if (!was_late && shown < view->sent_at[k] && view->sent_at[k] <= right) {
      late(view, k);
      was_late = true;
    }
  }
}
