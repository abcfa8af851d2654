/* load: an engine under load: clients that submit, read slowly and go; controllers that stop lanes early, late and twice,
 * with old handles and made-up ones. Who runs the threads is the caller's. */
#ifndef LOAD_H
#define LOAD_H

#include "history.h"

typedef struct {
  uint32_t lanes, slots, clients, controllers;
  uint32_t window;   /* lanes that a client has at once */
  uint32_t deadline; /* boundaries, of lanes that only a request ends */
  bool holes;
  uint64_t seed;
  void (*pause)(void *); /* a thread has to wait for others */
} load_options;

typedef struct load load;

load *load_new(const load_options *options);
void load_free(load *l);

/* What the threads do: the engine is thread 0, then the clients, then the controllers. */
void load_thread(load *l, uint32_t number);
uint32_t load_threads(const load *l);

/* After all threads: whether what they saw fits the rules, else the fault; the race order. */
const char *load_fault(load *l);
void load_print(load *l, const char *name, FILE *out);

typedef struct {
  uint64_t lanes, tokens, requests, answers[4], disconnects, later, recycles;
  es_engine_ridden rode;
} load_count;
void load_add(const load *l, load_count *count);

#endif
