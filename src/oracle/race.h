/* race: one interleaving of the threads that serve lanes, and what an engine ends with (spec/races.md), as plain data.
 *
 * Everything lives in memory of the reader, or of the run, and is valid until its next line. */
#ifndef ES_ORACLE_RACE_H
#define ES_ORACLE_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span.h"

#define ES_RACE_LANES 1024  /* lanes in one order */
#define ES_RACE_REASONS 255 /* reasons to stop in one order: as many as a stop word tells apart */
#define ES_RACE_ABORT 1     /* the reason that is always there */

/* Ops that have a say in the answer; all others are carried along. */
typedef enum {
  ES_RACE_OTHER,
  ES_RACE_COMMIT,
  ES_RACE_EMIT,
  ES_RACE_READ_STOP,
  ES_RACE_SET_STOP,
  ES_RACE_DISCONNECT,
  ES_RACE_FINISH,
  ES_RACE_ERROR,
  ES_RACE_RECYCLE,
  ES_RACE_PREEMPT
} es_race_op;

typedef struct {
  es_race_op op;
  size_t lane;
  es_span text;   /* of a commit its token, of a finish its reason: data NULL where it gives none */
  uint8_t reason; /* of set_stop, and of a finish whose reason a request to stop may have; else 0 */
} es_race_event;

/* How a lane ended, by the rules or as recorded: what a recording leaves out is absent. */
typedef struct {
  bool recorded; /* `per_request` names it */
  bool has_committed;
  size_t first, count; /* its tokens, of the result's `committed` */
  bool has_finish_reason;
  es_span finish_reason; /* data NULL: the lane is open */
  bool has_terminals;
  uint64_t terminals;
} es_race_end;

typedef struct {
  es_span unsupported; /* data not NULL: there is no answer, and this is why */
  const es_span *committed;
  const es_race_end *ends; /* one a lane */
} es_race_result;

typedef struct {
  es_span id; /* `case` */
  const es_race_event *events;
  size_t event_count;
  const es_span
      *lanes; /* `req` of each, in the order in which they come up; one without a name where there is no `req` */
  size_t lane_count;
  const es_span *reasons;         /* reason r is entry r − 1 */
  bool preempts;                  /* no rule says what becomes of the tokens then */
  const es_race_result *recorded; /* what an engine made of it; NULL where the line has no `result` */
} es_race;

#endif
