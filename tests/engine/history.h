/* history: what each thread saw of a run of the engine loop, and whether it fits the rules (R8, R9, R12, R14, T7, T8, T10).
 *
 * Each thread keeps its own log, with times but without a word to the others, so that watching adds no order to what is
 * watched. After the run the logs are laid together. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stdio.h>

#include "engine.h"
#include "run.h"

#define NOBODY UINT32_MAX
#define REASON_GONE 255 /* the reason of a request that goes with a disconnect */

typedef struct {
  uint64_t done; /* it was done at the latest then … */
  uint64_t next; /* … and what the thread does next is not done before then */
  es_engine_event event;
} did;

/* A request to stop. */
typedef struct {
  uint64_t begin, end;
  uint32_t lane; /* that it meant; NOBODY: a handle that was never given */
  uint8_t reason;
  es_stop_answer answer;
} asked;

/* What somebody saw of a lane that it knew to be over, or what its client got. */
typedef struct {
  uint32_t lane;
  bool is_client;
  bool closed;              /* the client had gone */
  uint32_t ends;            /* terminals that the client got */
  uint32_t after;           /* letters that the client got after one */
  uint32_t tokens, ids_crc; /* the list, as it saw it */
  uint64_t bytes, crc;      /* the text that it got, or that the record shows */
} saw;

typedef struct {
  void *items;
  size_t count, room;
} list;

/* One thread's. */
typedef struct {
  list dids, askeds, saws;
} thread_log;

/* The time, in whatever unit the run has: of what this thread did last, or of what it does next. Two threads' clocks may
 * differ by `history_margin`. */
extern uint64_t (*history_done)(void), (*history_next)(void);
extern uint64_t history_margin;
extern bool history_exact; /* the clock counts atomic operations: what was done last is what the log tells of */

void log_watch(void *log, const es_engine_event *event); /* es_engine_options.watch, with a thread_log as its context */
void log_asked(thread_log *log, uint64_t begin, uint32_t lane, uint8_t reason, es_stop_answer answer);
void log_saw(thread_log *log, const saw *what);
void log_clear(thread_log *log);
void log_free(thread_log *log);

/* What the record of a lane that is over shows. */
saw saw_record(uint32_t lane, const es_engine_left *left);

typedef struct history history;
history *history_new(void);
void history_free(history *h);

/* Whether the logs fit the rules and each other; logs[0] is the engine's, lane i ran scripts[i] and left lefts[i], NULL if it never came to be. The first
 * fault is said in h's message. */
bool history_check(history *h, const thread_log *logs, size_t log_count, const es_case *const *scripts,
                   const es_engine_left *const *lefts, uint32_t lanes);
const char *history_fault(const history *h);

/* The logs as one race order (spec/formats.md), by their times, with what a right engine ends with. After a check. */
void history_print(history *h, const thread_log *logs, size_t log_count, const es_case *const *scripts, uint32_t lanes,
                   const char *name, FILE *out);

#endif
