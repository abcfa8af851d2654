/* run_internal: what the files of run share with those of the engine, whose lanes keep the same; nobody else includes it. */
#ifndef ES_ORACLE_RUN_INTERNAL_H
#define ES_ORACLE_RUN_INTERNAL_H

#include "lane.h"
#include "run.h"

struct es_run {
  es_lane lane;
  es_stop_set strings;
  es_stop_set sequences;
  es_stop_memory string_memory;
  es_stop_memory sequence_memory;
  es_lane_memory memory;
  uint32_t id_room; /* of memory.ids and memory.runs */
  uint8_t *raw;     /* R */
  size_t raw_length;
  size_t raw_room;
  char *shown; /* the joined deltas */
  size_t shown_length;
  size_t shown_room;
  es_delta *deltas;
  es_boundary_trace *trace;
  size_t trace_count;
  size_t step_room; /* of deltas; trace has one more */
  uint32_t *token_ids;
  size_t token_room;
  uint32_t stop_id;
  size_t offers; /* made so far */
  es_result result;
};

/* run_room.c: the memory of a run, made larger when a case needs more and kept for the next. False: memory ran out. */
bool es_run_case_room(es_run *run, const es_case *c, size_t bytes); /* `bytes`: of all its tokens */
bool es_run_lane_room(es_run *run, const es_request *request);

#endif
