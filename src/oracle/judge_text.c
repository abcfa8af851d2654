/* The text, where the lane ended at the right place: what is missing, what is too much, what was changed.
 *
 * Text that is too much at the end is a leak where the tokens went on just so, and duplicate-text where it repeats what
 * was shown. Text that is missing at the end is a wrong cut if a cut inside or at the start of the token with the stop
 * gives it, and a lost tail otherwise: an incomplete character, or text before that token. Where U+FFFD takes part it
 * is bad-utf8, except that a U+FFFD missing at the end is a lost tail. What is changed otherwise counts as lost text. */
#include "judge_internal.h"

#include <inttypes.h>
#include <string.h>

#define LONGEST_REPEAT 4096 /* bytes looked for anywhere in the text; longer ones only where they end */

typedef struct {
  size_t at;   /* bytes that are the same from the start on */
  es_span due; /* what follows there, up to where both are the same again */
  es_span shown;
  bool end; /* the difference reaches the end of the text */
} es_difference;

static es_difference difference_of(es_span due, es_span shown) {
  size_t at = es_span_common(due, shown);
  size_t most = (due.length < shown.length ? due.length : shown.length) - at;
  size_t same = 0;
  while (same < most && due.data[due.length - 1 - same] == shown.data[shown.length - 1 - same]) same++;
  while (same > 0 && es_span_splits(due, due.length - same)) same--;
  return (es_difference){at, es_span_from(es_span_to(due, due.length - same), at),
                         es_span_from(es_span_to(shown, shown.length - same), at), same == 0};
}

/* In text that repeats itself what is missing or too much can be said to lie at several places: the first of them from
 * `least` on. `longer` is the text that has it. */
static size_t first_place(const es_difference *d, es_span longer, size_t least) {
  size_t length = d->due.length + d->shown.length;
  size_t at = d->at;
  while (at > least && longer.data[at - 1] == longer.data[at - 1 + length]) at--;
  return at;
}

/* Moves the difference to where a delta begins or ends, if that is among its places. */
static void move_to(es_difference *d, es_span longer, size_t wanted) {
  size_t at = first_place(d, longer, wanted);
  if (at != wanted) return;
  es_span *part = d->due.length > 0 ? &d->due : &d->shown;
  d->at = at;
  part->data = longer.data + at;
}

static bool only_replacements(es_span text) {
  if (text.length == 0) return false;
  for (size_t i = 0; i < text.length; i += 3) {
    if (!es_span_begins(es_span_from(text, i), (es_span){ES_REPLACEMENT, 3})) return false;
  }
  return true;
}

static bool has_replacement(es_span text) {
  return es_span_find(text, (es_span){ES_REPLACEMENT, 3}, 0) != ES_NOWHERE;
}

/* Whether text that is too much at `at` repeats what stands right before it. */
static bool repeats(es_span shown, size_t at, size_t length) {
  return at >= length && es_span_same(es_span_to(es_span_from(shown, at - length), length),
                                      es_span_to(es_span_from(shown, at), length));
}

/* The special token whose bytes, invisible by the rules, are this text; NULL if none. */
static const es_token *special_token(const es_view *view, es_span text) {
  for (size_t i = 0; view->due && i < view->due->tokens && i < view->c->token_count; i++) {
    const es_token *token = &view->c->tokens[i];
    if (token->bytes.length > 0 && es_visible(view->c, token).length == 0 && es_span_same(token->bytes, text)) {
      return token;
    }
  }
  return NULL;
}

/* The first step from which the recording is ahead or behind by what it has too much or too little in the end. */
static size_t step_of_change(const es_view *view, es_span shown) {
  if (!view->timed || shown.data != view->deltas.data) return ES_NOWHERE;
  size_t k = view->steps;
  size_t due = view->due->text.length;
  if (due == shown.length) return ES_NOWHERE;
  while (k > 0 && view->shown_at[k] + due == view->sent_at[k] + shown.length) k--;
  return k == view->steps ? ES_NOWHERE : k + 1;
}

/* "the text ends", "the deltas end": only deltas are many. */
static const char *verb(const char *what, const char *one, const char *many) {
  return strcmp(what, "the deltas") == 0 ? many : one;
}

static void say_difference(es_view *view, const es_difference *d) {
  es_words_quote(&view->judge->words, d->due);
  es_find_actual(view);
  es_words_quote(&view->judge->words, d->shown);
  es_find_why(view);
}

/* The end of the text as it must be and as it is. */
static void say_ends(es_view *view, es_span due, es_span shown) {
  es_words_tail(&view->judge->words, due);
  es_find_actual(view);
  es_words_tail(&view->judge->words, shown);
  es_find_why(view);
}

/* Where the token begins that holds the first byte of what ends the lane, in bytes of text. A cut from there to the
 * right place is a wrong cut. For a sequence it is the token before it: one token too many was cut. */
static size_t least_cut(const es_view *view) {
  const es_result *due = view->due;
  size_t first = view->cut;
  if (es_span_is(due->cause, "stop_string") && view->c->request.include_stop) {
    first -= es_stop_text(&view->c->request, (size_t)due->stop_index).length;
  }
  if (es_span_is(due->cause, "stop_sequence") && first > 0) first--;
  size_t start = es_view_token_start(view, es_view_token_at(view, first));
  if ((es_span_is(due->cause, "eos") || es_span_is(due->cause, "stop_token")) && view->c->request.include_stop) {
    start = es_view_token_start(view, due->tokens);
  }
  bool inside;
  size_t text = es_decoded_length(view->raw, start, &inside);
  return inside ? text - 3 : text;
}

static bool cuts(const es_view *view) {
  es_span cause = view->due->cause;
  if (es_span_is(cause, "eos") || es_span_is(cause, "stop_token")) return view->c->request.include_stop;
  return es_span_is(cause, "stop_string") || es_span_is(cause, "stop_sequence") || es_span_is(cause, "external");
}

static void changed(es_view *view, const es_difference *d, size_t step, const char *what) {
  es_buffer *words = &view->judge->words;
  bool characters =
      d->due.length > 0 ? has_replacement(d->due) || has_replacement(d->shown) : has_replacement(d->shown);
  if (d->shown.length == 0) characters = only_replacements(d->due);
  if (characters) {
    if (!es_find(view, "R11", ES_KIND_BAD_UTF8, step, d->at)) return;
    say_difference(view, d);
    es_buffer_format(words, "at byte %zu of %s ", d->at, what);
    es_words_quote(words, d->due);
    es_buffer_text(words, " is due, but ");
    if (d->shown.length > 0) es_words_quote(words, d->shown);
    if (d->shown.length == 0) es_buffer_text(words, "nothing");
    es_buffer_text(words, " was shown: each maximal ill-formed subpart is one U+FFFD, and a split character is whole");
    return;
  }
  if (!es_find(view, "R12", ES_KIND_LOST_TEXT, step, d->at)) return;
  say_difference(view, d);
  es_words_quote(words, d->due);
  es_buffer_format(words, " is missing at byte %zu of %s", d->at, what);
  if (d->shown.length > 0) es_buffer_text(words, "; there is ");
  if (d->shown.length > 0) es_words_quote(words, d->shown);
}

/* A lane that is still open has lost nothing yet: the text was due and has not come. */
static void not_yet(es_view *view, es_span due, es_span shown, size_t step) {
  es_buffer *words = &view->judge->words;
  if (!es_find(view, "R11", ES_KIND_LATE, step, shown.length)) return;
  say_ends(view, due, shown);
  es_words_quote(words, es_span_from(due, shown.length));
  es_buffer_text(words,
                 " was due, but has not come by the last step; the lane is open, so it is late and not yet lost");
}

static void missing_at_end(es_view *view, es_span due, es_span shown, size_t step, const char *what) {
  es_buffer *words = &view->judge->words;
  es_span missing = es_span_from(due, shown.length);
  if (view->due && es_span_is(view->due->cause, "open")) {
    not_yet(view, due, shown, step);
    return;
  }
  bool character = view->due && es_view_broken_cut(view) && es_span_is(missing, ES_REPLACEMENT);
  bool last = step == ES_NOWHERE || step == view->steps;
  if (!character && only_replacements(missing)) {
    es_difference all = {shown.length, missing, (es_span){"", 0}, true};
    changed(view, &all, step, what);
    return;
  }
  if (view->due && !character && last && cuts(view) && shown.length >= least_cut(view)) {
    const char *rule = es_words_rule(view->due->cause);
    if (!es_find(view, es_span_is(view->due->cause, "stop_string") ? "R4" : rule, ES_KIND_WRONG_CUT, step,
                 shown.length)) {
      return;
    }
    say_ends(view, due, shown);
    es_words_end(view);
    es_buffer_format(words, ", so the cut is at byte %zu of the text, but %s %s at byte %zu: ", due.length, what,
                     verb(what, "ends", "end"), shown.length);
    es_words_quote(words, missing);
    es_buffer_text(words, " was cut away as well");
    return;
  }
  if (!es_find(view, "R12", ES_KIND_LOST_TAIL, step, shown.length)) return;
  say_ends(view, due, shown);
  es_buffer_format(words, "%s %s ", what, verb(what, "ends", "end"));
  es_buffer_text(words, shown.length > 0 ? "with " : "before the first byte");
  if (shown.length > 0) es_words_tail(words, shown);
  es_buffer_text(words, character ? ": the incomplete character at the cut must come out as one U+FFFD" : ": ");
  if (!character) es_words_quote(words, missing);
  if (!character) es_buffer_text(words, " was never sent");
}

/* Text beyond the cut that is just what the tokens go on with, or the text of the ending token. */
static bool is_leak(es_view *view, es_span due, es_span shown) {
  if (!view->due) return false;
  es_span whole = es_view_whole(view);
  if (es_span_begins(whole, shown)) return true;
  bool longer = es_span_begins(shown, due);
  if (longer && repeats(shown, due.length, shown.length - due.length)) return false;
  size_t kept = due.length - (es_view_broken_cut(view) && due.length >= 3 && !longer ? 3 : 0);
  size_t common = es_span_common(whole, shown);
  bool broken; /* the ending token's own text ends inside a character */
  size_t all = es_decoded_length(view->raw, view->raw.length, &broken);
  if (broken && view->raw.length > view->cut && shown.length == all && common + 3 == all && longer) return true;
  return common > kept && common + 3 == shown.length && es_span_is(es_span_from(shown, common), ES_REPLACEMENT);
}

static void leaked(es_view *view, es_span due, es_span more, size_t step, const char *what) {
  es_buffer *words = &view->judge->words;
  es_span cause = view->due->cause;
  const char *rule = es_span_is(cause, "open") ? "R10" : es_span_is(cause, "stop_string") ? "R4" : es_words_rule(cause);
  if (!es_find(view, rule, ES_KIND_LEAK, step, due.length)) return;
  es_words_tail(words, due);
  es_find_actual(view);
  es_words_tail(words, due);
  es_buffer_text(words, " + ");
  es_words_quote(words, more);
  es_find_why(view);
  if (es_span_is(cause, "open")) {
    es_words_quote(words, more);
    es_buffer_format(words, " was shown at the end of %s though the lane is open and it may still be cut or changed",
                     what);
    return;
  }
  es_words_end(view);
  es_buffer_format(words, ", so %s must end at byte %zu, but ", what, due.length);
  es_words_quote(words, more);
  es_buffer_text(words, " was shown after it");
}

static void too_much(es_view *view, const es_difference *d, es_span shown, size_t step, const char *what) {
  es_buffer *words = &view->judge->words;
  bool again = repeats(shown, d->at, d->shown.length);
  const es_token *special = again ? NULL : special_token(view, d->shown);
  if (special) {
    if (!es_find(view, "R1", ES_KIND_LEAK, step, d->at)) return;
    say_difference(view, d);
    es_buffer_format(words, "the special token %" PRIu32 " has no visible bytes, but %s %s its text ", special->id,
                     what, verb(what, "shows", "show"));
    es_words_quote(words, d->shown);
  } else if (only_replacements(d->shown)) {
    if (!es_find(view, "R11", ES_KIND_BAD_UTF8, step, d->at)) return;
    say_difference(view, d);
    es_buffer_format(words, "%s %s %zu U+FFFD too many at byte %zu: one stands for each maximal ill-formed subpart",
                     what, verb(what, "has", "have"), d->shown.length / 3, d->at);
  } else if (again ||
             (d->shown.length <= LONGEST_REPEAT && es_span_find(es_span_to(shown, d->at), d->shown, 0) != ES_NOWHERE)) {
    if (!es_find(view, "R11", ES_KIND_DUPLICATE_TEXT, step, d->at)) return;
    say_difference(view, d);
    es_words_quote(words, d->shown);
    es_buffer_format(words, " was shown twice: once before byte %zu of %s and once more there", d->at, what);
  } else {
    if (!es_find(view, "R12", ES_KIND_LEAK, step, d->at)) return;
    say_difference(view, d);
    es_buffer_format(words, "%s %s ", what, verb(what, "shows", "show"));
    es_words_quote(words, d->shown);
    es_buffer_format(words, " at byte %zu, which is no part of the text up to the cut", d->at);
  }
}

/* Text after a gone client, or after the terminal, is neither leak nor repetition: nothing at all may come there. */
static bool after_the_end(es_view *view, const es_difference *d, es_span due, size_t step) {
  const es_result *r = view->recorded;
  bool gone =
      view->due && view->due->has_terminals && view->due->terminals == 0 && !es_span_is(view->due->cause, "open");
  bool again = r->has_terminals && r->terminals > 1;
  if (!gone && !again) return false;
  es_buffer *words = &view->judge->words;
  if (!es_find(view, "R12", ES_KIND_AFTER_END, step, due.length)) return true;
  es_buffer_text(words, gone ? "nothing after the sink said gone" : "nothing after the terminal");
  es_find_actual(view);
  es_words_quote(words, d->shown);
  if (again) es_buffer_format(words, ", terminals %" PRIu64, r->terminals);
  es_find_why(view);
  es_words_quote(words, d->shown);
  es_buffer_text(words, gone ? " was sent although the sink had said that the client is gone"
                             : " was sent although the lane was over, and the terminal came more than once");
  return true;
}

/* An open lane may have shown more than its flush policy says, if R10 allowed it. */
static bool sooner(const es_view *view, es_span due, es_span shown) {
  if (!view->due || !es_span_is(view->due->cause, "open") || !es_span_begins(shown, due)) return false;
  es_buffer *whole = &view->judge->whole_due;
  size_t allowed = es_decoded_length(view->raw, view->cut, NULL);
  return shown.length <= allowed && es_span_begins((es_span){whole->data, whole->length}, shown);
}

void es_judge_text_against(es_view *view, es_span due, es_span shown, const char *what) {
  if (es_span_same(due, shown)) return;
  if (view->due) (void)es_view_whole(view);
  if (sooner(view, due, shown)) return;
  es_difference d = difference_of(due, shown);
  size_t step = step_of_change(view, shown);
  /* What is missing at the end, and cannot be missing in the text of that step, is missing at the last, however late the
   * rest came. */
  if (step != ES_NOWHERE && d.shown.length == 0 && d.end &&
      first_place(&d, due, view->sent_at[step - 1]) >= view->sent_at[step]) {
    step = view->steps;
  }
  if (step != ES_NOWHERE && d.shown.length == 0) move_to(&d, due, view->sent_at[step - 1]);
  size_t seen = shown.data == view->deltas.data ? es_view_step_of(view, d.at) : ES_NOWHERE;
  if (shown.data == view->deltas.data) {
    size_t reach = d.at + (d.shown.length > d.due.length ? d.shown.length : d.due.length);
    /* What a delta that is no UTF-8 did to the text has been said. */
    if (view->bad_delta != ES_NOWHERE && d.at <= view->bad_to && reach + 3 >= view->bad_from) {
      view->text_step = es_view_step_of(view, view->bad_from);
      return;
    }
    view->text_step = step < seen ? step : seen;
  }
  bool inside = step != ES_NOWHERE && step < view->steps && view->shown_at[step] < shown.length;
  if (step != ES_NOWHERE && d.due.length == 0) move_to(&d, shown, view->shown_at[step] - d.shown.length);
  if (d.due.length == 0 && d.end && after_the_end(view, &d, due, step)) return;
  if (d.end && is_leak(view, due, shown) && shown.length > due.length - d.due.length) {
    if (d.due.length == 0 && inside && repeats(shown, d.at, d.shown.length)) {
      too_much(view, &d, shown, step, what);
    } else if (d.due.length == 0) { /* wherever it came too soon: what is too much stands at the end */
      leaked(view, due, es_span_from(shown, due.length), seen, what);
    } else {
      leaked(view, es_span_to(due, d.at), d.shown, seen, what);
    }
  } else if (d.due.length == 0) {
    too_much(view, &d, shown, step, what);
  } else if (d.shown.length == 0 && d.end && !inside) {
    missing_at_end(view, due, shown, step, what);
  } else {
    changed(view, &d, d.shown.length == 0 ? step : seen, what);
  }
}

void es_judge_text(es_view *view) {
  const es_result *r = view->recorded;
  bool both = r->has_deltas && r->text.data;
  bool same = both && es_span_same(view->deltas, r->text);
  if (r->has_deltas) es_judge_text_against(view, view->due->text, view->deltas, same ? "the text" : "the deltas");
  if (r->text.data && !same) es_judge_text_against(view, view->due->text, r->text, "`text`");
}

void es_judge_deltas(es_view *view) {
  const es_result *r = view->recorded;
  es_buffer *words = &view->judge->words;
  if (view->bad_delta != ES_NOWHERE) {
    size_t step = r->has_delta_steps ? (size_t)r->delta_steps[view->bad_delta] : ES_NOWHERE;
    if (!r->has_delta_steps && view->due && r->delta_count == view->steps) step = view->bad_delta + 1;
    if (!es_find(view, "R11", ES_KIND_BAD_UTF8, step, view->bad_from)) return;
    es_buffer_text(words, "valid UTF-8 in each delta");
    es_find_actual(view);
    es_words_quote(words, r->deltas[view->bad_delta].bytes);
    es_find_why(view);
    es_buffer_format(words, "delta %zu, ", view->bad_delta + 1);
    es_words_quote(words, r->deltas[view->bad_delta].bytes);
    es_buffer_text(words, ", is no UTF-8 by itself: a character was cut in two or its bytes were damaged");
  } else if (r->text.data && !r->text_valid) {
    if (!es_find(view, "R11", ES_KIND_BAD_UTF8, ES_NOWHERE, ES_NOWHERE)) return;
    es_buffer_text(words, "valid UTF-8");
    es_find_actual(view);
    es_words_quote(words, r->text);
    es_find_why(view);
    es_buffer_text(words, "text is no UTF-8: bytes that are no character must come out as U+FFFD");
  }
}
