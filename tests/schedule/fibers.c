#define _XOPEN_SOURCE 700
#include "fibers.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define STACK 262144
#define LIMIT 400000 /* operations of one run */

typedef struct {
  ucontext_t start;
  jmp_buf at;
  char *stack;
  bool fresh; /* its context is to be made; else it waits at the top of begin() for the next run */
  bool over, paused;
  uint64_t done;
  uintptr_t object; /* of its next operation; 0: none yet */
  bool writes;
} fiber;

static fiber fibers[FIBERS];
static jmp_buf outside;
static void (*const *run_bodies)(uint32_t);
static fibers_choose run_choose;
static uint32_t run_count, current;
static bool inside;
static uint64_t operations;
static const char *failure;

bool fibers_inside(void) {
  return inside;
}

uint32_t fibers_current(void) {
  return current;
}

uint64_t fibers_time(void) {
  return operations;
}

uint64_t fibers_done(void) {
  return inside ? fibers[current].done : operations;
}

uint64_t fibers_next(void) {
  return operations;
}

static uint32_t enabled(void) {
  uint32_t able = 0, alive = 0;
  for (uint32_t i = 0; i < run_count; i++) {
    if (fibers[i].over) continue;
    alive |= 1u << i;
    if (!fibers[i].paused) able |= 1u << i;
  }
  return able ? able : alive;
}

static void go(uint32_t next) {
  current = next;
  fibers[next].paused = false;
  if (fibers[next].fresh) {
    fibers[next].fresh = false;
    setcontext(&fibers[next].start);
  }
  _longjmp(fibers[next].at, 1);
}

/* Hands over to whoever is chosen; comes back when the running fiber is. */
static void hand_over(void) {
  uint32_t able = enabled();
  if (able == 0) _longjmp(outside, 1);
  uint32_t next = run_choose(current, able);
  if (next == current && !fibers[current].over) {
    fibers[current].paused = false;
    return;
  }
  if (fibers[current].over || _setjmp(fibers[current].at) == 0) go(next);
}

void fibers_fail(const char *message) {
  failure = message;
  _longjmp(outside, 1);
}

void fibers_will(uintptr_t object, bool writes) {
  fibers[current].object = object;
  fibers[current].writes = writes;
}

bool fibers_commute(uint32_t a, uint32_t b) {
  const fiber *x = fibers + a, *y = fibers + b;
  return x->object != y->object || x->object == 0 || (!x->writes && !y->writes);
}

void fibers_did(void) {
  fibers[current].done = ++operations;
  if (operations > LIMIT) fibers_fail("T9: no end in sight");
}

void fibers_switch(void) {
  for (uint32_t i = 0; i < run_count; i++) fibers[i].paused = false;
  hand_over();
}

void fibers_pause(void *context) {
  (void)context;
  fibers[current].paused = true;
  if (++operations > LIMIT) fibers_fail("T9: no end in sight");
  hand_over();
}

/* A fiber lives from run to run: making a context costs system calls. */
static void begin(void) {
  for (;;) {
    run_bodies[current](current);
    fibers[current].over = true;
    fibers[current].object = 0;
    if (_setjmp(fibers[current].at) == 0) hand_over();
  }
}

static bool make(fiber *f) {
  if (!f->stack && !(f->stack = malloc(STACK))) return false;
  getcontext(&f->start);
  f->start.uc_stack.ss_sp = f->stack;
  f->start.uc_stack.ss_size = STACK;
  f->start.uc_link = NULL;
  makecontext(&f->start, begin, 0);
  f->fresh = true;
  return true;
}

const char *fibers_run(void (*const *bodies)(uint32_t), uint32_t count, fibers_choose choose) {
  run_bodies = bodies;
  run_choose = choose;
  run_count = count;
  failure = NULL;
  operations = 0;
  for (uint32_t i = 0; i < count; i++) {
    fiber *f = fibers + i;
    /* Whoever did not come to the end of a run that failed begins anew. */
    if ((!f->stack || !f->over) && !make(f)) return "no memory";
    f->over = f->paused = false;
    f->done = 0;
    f->object = 0;
  }
  atomics_begin(count);
  current = 0;
  inside = true;
  /* The first is chosen like all others. */
  if (_setjmp(outside) == 0) go(choose(0, enabled()));
  inside = false;
  atomics_end();
  return failure;
}
