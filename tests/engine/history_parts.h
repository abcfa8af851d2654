/* history_parts: what the files of the history share: logs.c, history.c and history_print.c. */
#ifndef HISTORY_PARTS_H
#define HISTORY_PARTS_H

#include "history.h"

void *list_add(list *l, size_t size); /* a new item at the end; ends the program when memory ran out */

typedef enum { NOT_YET, RIDES, FINISHED, ACKED, FLUSHED, RECYCLED } stage;

/* What the logs say of one lane. */
typedef struct {
  stage stage;
  uint32_t slot;
  uint64_t epoch;
  uint32_t tokens, boundaries, terminals;
  es_cause cause;
  bool seen; /* the engine saw a request, at its last boundary */
  uint8_t reason, reason_at_ack;
  uint64_t ack_begin, ack_end, recycle_begin, recycle_end;
  uint32_t won, second, clients;
  const asked *winner;
  list answers; /* es_sink_answer: what its sink said */
} lane_view;

typedef struct {
  uint32_t lane; /* in it, or NOBODY */
  uint64_t epoch;
} slot_view;

struct history {
  lane_view *lanes;
  uint32_t lane_room;
  list slots; /* slot_view */
  list steps; /* es_step */
  es_run *run;
  char fault[400];
};

/* What a right engine does with the lane, asked to stop where the engine saw it. */
const es_result *history_expected(history *h, const es_case *script, const lane_view *lane);

#endif
