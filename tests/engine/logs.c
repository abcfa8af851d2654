#include "history_parts.h"

#include <stdlib.h>

uint64_t (*history_done)(void), (*history_next)(void);
uint64_t history_margin;
bool history_exact;

void *list_add(list *l, size_t size) {
  if (l->count == l->room) {
    size_t room = l->room > 0 ? 2 * l->room : 64;
    void *more = realloc(l->items, room * size);
    if (!more) {
      fputs("history: no memory\n", stderr);
      exit(2);
    }
    l->items = more;
    l->room = room;
  }
  return (char *)l->items + size * l->count++;
}

void log_watch(void *log, const es_engine_event *event) {
  did *d = list_add(&((thread_log *)log)->dids, sizeof *d);
  *d = (did){history_done(), history_next(), *event};
}

void log_asked(thread_log *log, uint64_t begin, uint32_t lane, uint8_t reason, es_stop_answer answer) {
  asked *a = list_add(&log->askeds, sizeof *a);
  *a = (asked){begin, history_done(), lane, reason, answer};
}

void log_saw(thread_log *log, const saw *what) {
  *(saw *)list_add(&log->saws, sizeof *what) = *what;
}

void log_clear(thread_log *log) {
  log->dids.count = log->askeds.count = log->saws.count = 0;
}

void log_free(thread_log *log) {
  free(log->dids.items);
  free(log->askeds.items);
  free(log->saws.items);
  *log = (thread_log){{0}, {0}, {0}};
}
