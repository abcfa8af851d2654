/* judge_internal: what the files of the judge share; nobody else includes it.
 *
 * The judge compares what came out with what the reference gives, first where the lane ended, then the text, then
 * when each byte was shown, then what was counted. The first fault found on that way hides what follows from it:
 * a missed stop is no leak and no wrong count besides. Each kind is reported once, at its first place. */
#ifndef ES_ORACLE_JUDGE_INTERNAL_H
#define ES_ORACLE_JUDGE_INTERNAL_H

#include "buffer.h"
#include "judge.h"
#include "race_run.h"
#include "run.h"

/* U+FFFD. */
#define ES_REPLACEMENT "\xEF\xBF\xBD"

/* No step, no byte: the finding is about the whole. */
#define ES_NOWHERE SIZE_MAX

/* Where a finding's words lie in the judge's buffer. */
typedef struct {
  size_t expected, actual, why;
} es_words_place;

struct es_judge {
  es_run *run;
  es_race_run *race_run;
  es_buffer words; /* expected, actual and why of all findings, one after another */
  es_finding findings[ES_KIND_COUNT];
  es_words_place places[ES_KIND_COUNT];
  es_verdict verdict;
  es_buffer joined;    /* the recorded deltas */
  es_buffer whole;     /* visible bytes of all the case's tokens, taken or not */
  es_buffer whole_due; /* the same, decoded */
  size_t *numbers;     /* of steps or of tokens */
  size_t number_capacity;
  bool failed; /* memory ran out */
};

/* One recording beside what the rules say. */
typedef struct {
  es_judge *judge;
  const es_case *c;
  const es_result *recorded;
  const es_result *due; /* the reference's result; NULL in recordings without steps */
  const es_boundary_trace *trace;
  size_t steps;     /* that the reference takes */
  es_span raw;      /* R (spec/rules.md) */
  size_t cut;       /* in bytes of R, once the lane has ended */
  es_span deltas;   /* the recorded deltas joined; data NULL where absent */
  es_span shown;    /* deltas, or else text; data NULL where the recording has neither */
  size_t bad_delta; /* the first that is no UTF-8 by itself, or ES_NOWHERE … */
  size_t bad_from;  /* … and where its bytes lie in `deltas` */
  size_t bad_to;
  bool timed;               /* deltas are matched to steps: the three lists below hold, entry 0 is boundary 0 */
  const size_t *shown_at;   /* bytes of `deltas` shown up to each step */
  const size_t *sent_at;    /* bytes of the text that the reference had sent by then */
  const size_t *allowed_at; /* bytes of the text that may be shown by then (R10) */
  bool elsewhere;           /* the lane ended at another place than by the rules: text and counts follow from that */
  size_t text_step;         /* the step from which the text is wrong; later steps are not judged for time */
} es_view;

/* judge.c: empties what the last verdict left behind; and the verdict where there is nothing to compare. */
void es_judge_begin(es_judge *judge, es_span id);
const es_verdict *es_judge_unsupported(es_judge *judge, es_span why);

/* judge_find.c: a finding is begun, which opens `expected`; then `actual` and `why` are opened in turn, and what
 * is appended to the judge's words goes there. Begin answers false where that kind has been reported already. */
bool es_find(es_view *view, const char *rule, es_kind kind, size_t step, size_t byte);
void es_find_actual(es_view *view);
void es_find_why(es_view *view);
bool es_found(const es_view *view, es_kind kind);
/* All findings as a verdict, the worst first; NULL when memory ran out. Their words may not grow after that. */
const es_verdict *es_find_conclude(es_judge *judge);

/* judge_view.c: text by tokens and steps. */
bool es_span_is(es_span span, const char *text);
bool es_span_begins(es_span span, es_span head);
bool es_span_splits(es_span span, size_t at); /* `at` lies inside a character */
size_t es_span_common(es_span a, es_span b);  /* whole characters that are the same from the start on, in bytes */
size_t es_span_find(es_span in, es_span what, size_t from); /* or ES_NOWHERE */
es_span es_span_from(es_span span, size_t from);
es_span es_span_to(es_span span, size_t to);
es_span es_stop_text(const es_request *request, size_t index);
es_span es_visible(const es_case *c, const es_token *token);
bool es_view_prepare(es_view *view);
/* All the text of the case, as if nothing ended it; decoded. */
es_span es_view_whole(es_view *view);
/* Bytes of the text that R[0, length) of the whole decodes to, an incomplete end as one U+FFFD; `incomplete` may be
 * NULL. */
size_t es_decoded_length(es_span raw, size_t length, bool *incomplete);
/* Whether an incomplete character stands at the cut. */
bool es_view_broken_cut(const es_view *view);
/* Where the bytes of token `number` (from 1) of the case begin in the whole. */
size_t es_view_token_start(const es_view *view, uint64_t number);
/* The token (from 1) of the case whose bytes hold byte `at` of the whole, and the step (from 1) of a token. */
uint64_t es_view_token_at(const es_view *view, size_t at);
/* The step that showed byte `byte` of the deltas, or ES_NOWHERE. */
size_t es_view_step_of(const es_view *view, size_t byte);

/* judge_words.c: phrases for people. */
void es_words_quote(es_buffer *words, es_span text); /* in quotes, escaped, long ones shortened in the middle */
void es_words_tail(es_buffer *words, es_span text);  /* the same, with the end of a long one only */
void es_words_count(es_buffer *words, uint64_t count, const char *what); /* `1 token`, `2 tokens` */
void es_words_ids(es_buffer *words, const uint32_t *ids, size_t count);
void es_words_end(es_view *view); /* why and where the lane ends by the rules */
void es_words_stop_reason(es_buffer *words, const es_result *r);
void es_words_result(es_buffer *words, const es_result *r); /* `cause "eos", 5 tokens` */
const char *es_words_rule(es_span cause);                   /* the rule that a cause comes from */

/* The stages. */
void es_judge_outside(es_view *view);  /* judge_outside.c: recordings without steps */
bool es_judge_end(es_view *view);      /* judge_end.c: false when the text follows from what was found */
void es_judge_text(es_view *view);     /* judge_text.c */
void es_judge_deltas(es_view *view);   /* judge_text.c: each valid by itself */
void es_judge_time(es_view *view);     /* judge_time.c */
void es_judge_counts(es_view *view);   /* judge_count.c: tokens and ids */
void es_judge_terminal(es_view *view); /* judge_count.c: what the terminal says and how many there were */
/* What `text` and the joined deltas differ in, where no text is due (judge_text.c). */
void es_judge_text_against(es_view *view, es_span due, es_span shown, const char *what);

/* judge_outside.c: what a token is to a request (R5). */
bool es_is_eos(const es_request *request, uint32_t id);
bool es_is_stop_token(const es_request *request, uint32_t id);

/* judge_claim.c: what a recording claims of the end, against the reference. */
typedef struct {
  bool more, fewer;    /* tokens, against the reference */
  bool next_step;      /* token_ids has ids of a step that the reference does not take */
  bool counted;        /* the recording tells its tokens */
  bool reason_differs; /* cause and finish_reason, as far as they are given, both say something else */
  bool stop_differs;   /* the same cause, but another stop is named */
  bool open;           /* the result says that the lane is open */
  bool further;        /* the text goes on beyond the cut, as the case's tokens do */
  bool shorter;        /* the text is a proper prefix of the text due */
  bool same;           /* the text is the text due, or there is none */
} es_claim;
/* The tokens that a result counts, by `tokens` or else by token_ids; 0 where it tells neither. */
uint64_t es_counted(const es_result *r);
es_claim es_claim_of(es_view *view);
/* The stop string that the result names, as an index of the request; ES_NOWHERE where it names none. */
size_t es_claim_stop(const es_view *view);
/* Where the lane would have ended with that stop and the text shown; `here`, the end by the rules, is asked first. */
size_t es_claim_place(es_view *view, size_t named, size_t here);
/* Where a stop is complete at the last token counted, though too soon to count (R6); sets *named. */
size_t es_claim_too_soon(es_view *view, size_t *named);
bool es_same_finish(const es_result *a, const es_result *b);
bool es_same_stop_reason(const es_result *a, const es_result *b);
/* The finish_reason that belongs to a cause; NULL for open and external, whose reason is its own. */
const char *es_reason_of(es_span cause);
bool es_cause_is_stop(es_span cause);
/* Whether cause and finish_reason of the recording contradict each other. */
bool es_reasons_disagree(const es_result *r);

#endif
