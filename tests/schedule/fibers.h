/* fibers: threads of one processor that change only where the scheduler says so: at atomic operations.
 *
 * The code under test is compiled for a thread sanitizer, and linked with the entry points in atomics.c instead of the
 * sanitizer's own: each atomic operation of the shipped C is carried out, and then somebody is chosen to go on. */
#ifndef FIBERS_H
#define FIBERS_H

#include <stdbool.h>
#include <stdint.h>

#define FIBERS 8

/* Who goes on: one of `enabled` (a bit a fiber; one or more). `current`: who did so far. */
typedef uint32_t (*fibers_choose)(uint32_t current, uint32_t enabled);

/* Runs bodies[i](i) for all i < count, to their ends. NULL, or what went wrong: they do not end, or a data race. */
const char *fibers_run(void (*const *bodies)(uint32_t), uint32_t count, fibers_choose choose);

/* The running fiber waits for others: it is not chosen until another one has done something. */
void fibers_pause(void *context);

/* Called by atomics.c. */
bool fibers_inside(void); /* whether a fiber runs */
uint32_t fibers_current(void);
void fibers_will(uintptr_t object, bool writes); /* the running fiber's next operation */
void fibers_did(void);                           /* an atomic operation was carried out */
void fibers_switch(void);                        /* who goes on? */
void fibers_fail(const char *message);           /* ends the run; does not come back */

/* Whether what these two do next comes to the same in either order: other memory, or both only read. Plain accesses do
 * not count: those that matter are ordered by atomic ones, or they are a race. */
bool fibers_commute(uint32_t a, uint32_t b);

/* Atomic operations in this run; … when the running fiber did its last; … the number of the next. */
uint64_t fibers_time(void);
uint64_t fibers_done(void);
uint64_t fibers_next(void);

/* atomics.c: before and after a run. */
void atomics_begin(uint32_t fibers);
void atomics_end(void);

/* Where fibers switch. */
typedef enum {
  SWITCH_BEFORE, /* before each atomic operation but a fiber's first, for which it has just been chosen */
  SWITCH_EACH,   /* before each */
  SWITCH_BOTH    /* before and after each */
} switch_points;
extern switch_points atomics_switch;
extern bool atomics_races; /* whether data races are looked for */

#endif
