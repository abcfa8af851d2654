/* judge: what is wrong with a recorded result, by the rules (spec/rules.md). */
#ifndef ES_ORACLE_JUDGE_H
#define ES_ORACLE_JUDGE_H

#include "case.h"
#include "race.h"
#include "result.h"

/* The fault kinds of spec/formats.md; es_kind_name gives the word. Worst first. */
typedef enum {
  ES_KIND_ACCEPTED_BAD_REQUEST,
  ES_KIND_REJECTED_GOOD_REQUEST,
  ES_KIND_MISSED_STOP,
  ES_KIND_FALSE_STOP,
  ES_KIND_NO_END,
  ES_KIND_AFTER_END,
  ES_KIND_LEAK,
  ES_KIND_LOST_TAIL,
  ES_KIND_LOST_TEXT,
  ES_KIND_DUPLICATE_TEXT,
  ES_KIND_WRONG_CUT,
  ES_KIND_WRONG_STOP,
  ES_KIND_BAD_UTF8,
  ES_KIND_WRONG_REASON,
  ES_KIND_WRONG_COUNT,
  ES_KIND_LATE,
  ES_KIND_COUNT
} es_kind;

const char *es_kind_name(es_kind kind);

typedef struct {
  const char *rule; /* `R10` */
  es_kind kind;
  bool has_step;
  uint64_t step; /* from 1; 0 is before the first */
  bool has_byte;
  uint64_t byte;    /* where in the text: bytes of the joined deltas before the fault */
  es_span expected; /* short, UTF-8 */
  es_span actual;
  es_span why; /* one sentence that a person understands at once */
} es_finding;

typedef enum { ES_CONFORMS, ES_VIOLATES, ES_UNSUPPORTED, ES_UNREADABLE } es_verdict_kind;

typedef struct {
  es_span id; /* the case */
  es_verdict_kind kind;
  es_span why;                /* of ES_UNSUPPORTED; data NULL otherwise */
  const es_finding *findings; /* the most telling first */
  size_t count;
} es_verdict;

/* Working memory of verdicts, kept from case to case. */
typedef struct es_judge es_judge;

es_judge *es_judge_new(void);
void es_judge_free(es_judge *judge);

/* Judges a recorded result. The verdict is valid until the next call with the same `judge`; NULL when memory ran out. */
const es_verdict *es_judge_case(es_judge *judge, const es_case *c, const es_result *result);
/* The same for a race order with what an engine made of it. */
const es_verdict *es_judge_race(es_judge *judge, const es_race *race);

#endif
