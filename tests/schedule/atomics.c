/* atomics: what code compiled with -fsanitize=thread calls, carried out one after the other.
 *
 * Values are sequentially consistent. The orders of the accesses are looked at apart: a clock a fiber tells which plain
 * accesses have happened before which (release, acquire, and the release sequences of C11), and two that conflict and
 * have not are a data race, whatever the values were. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fibers.h"

bool atomics_races;
switch_points atomics_switch;

/* How far each fiber is known to have come. */
typedef struct {
  uint32_t of[FIBERS];
} clocks;

/* The last accesses to a byte, each by the clock of the fiber that made it. */
typedef struct {
  uintptr_t byte;
  uint32_t run;
  clocks reads, writes, atomic_reads, atomic_writes;
} cell;

/* What the releases to an atomic object have published. */
typedef struct {
  uintptr_t object;
  uint32_t run;
  clocks published;
} synced;

#define CELLS (1u << 18)
#define OBJECTS 256
static cell cells[CELLS];
static synced objects[OBJECTS];
static clocks known[FIBERS];
static uint32_t run, cells_used;
static char message[160];

static bool before(const clocks *a, const clocks *b, uint32_t except) {
  for (uint32_t i = 0; i < FIBERS; i++)
    if (i != except && a->of[i] > b->of[i]) return false;
  return true;
}

static void join(clocks *a, const clocks *b) {
  for (uint32_t i = 0; i < FIBERS; i++)
    if (b->of[i] > a->of[i]) a->of[i] = b->of[i];
}

static cell *cell_of(uintptr_t byte) {
  uint32_t i = (uint32_t)(byte * UINT64_C(0x9E3779B97F4A7C15) >> 40) % CELLS;
  while (cells[i].run == run && cells[i].byte != byte) i = (i + 1) % CELLS;
  if (cells[i].run != run) {
    if (++cells_used > CELLS / 2) fibers_fail("more memory than the race detector has room for");
    cells[i] = (cell){.byte = byte, .run = run};
  }
  return cells + i;
}

static synced *synced_of(uintptr_t object) {
  uint32_t i = (uint32_t)(object * UINT64_C(0x9E3779B97F4A7C15) >> 56) % OBJECTS;
  while (objects[i].run == run && objects[i].object != object) i = (i + 1) % OBJECTS;
  if (objects[i].run != run) objects[i] = (synced){.object = object, .run = run};
  return objects + i;
}

static void race(const char *what, uint32_t self) {
  snprintf(message, sizeof message, "data race: fiber %u %s memory that another uses, with no order between", self,
           what);
  fibers_fail(message);
}

static void look(const volatile void *at, size_t size, bool write, bool atomic) {
  if (!atomics_races || !fibers_inside()) return;
  uint32_t self = fibers_current();
  const clocks *mine = known + self;
  for (size_t i = 0; i < size; i++) {
    cell *c = cell_of((uintptr_t)at + i);
    bool ordered = before(&c->writes, mine, self) && (!write || before(&c->reads, mine, self));
    if (!atomic)
      ordered = ordered && before(&c->atomic_writes, mine, self) && (!write || before(&c->atomic_reads, mine, self));
    if (!ordered) race(write ? "writes" : "reads", self);
    clocks *last = atomic ? (write ? &c->atomic_writes : &c->atomic_reads) : write ? &c->writes : &c->reads;
    last->of[self] = mine->of[self];
  }
}

static bool acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

static bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* What an atomic operation with that order means for the clocks. A store without release hides what others published; an
 * exchange without does not. */
static void order_of(const volatile void *at, int order, bool reads, bool writes) {
  if (!atomics_races || !fibers_inside()) return;
  clocks *mine = known + fibers_current();
  synced *s = synced_of((uintptr_t)at);
  if (reads && acquires(order)) join(mine, &s->published);
  if (!writes) return;
  if (!reads) s->published = (clocks){{0}};
  if (!releases(order)) return;
  join(&s->published, mine);
  mine->of[fibers_current()]++;
}

/* Memory that is freed comes back only after the run: what another fiber does with it would look like a race. */
void __real_free(void *memory);
void __wrap_free(void *memory);
static void *freed[4096];
static size_t freed_count;

void __wrap_free(void *memory) {
  if (!fibers_inside() || freed_count == sizeof freed / sizeof *freed) {
    __real_free(memory);
  } else {
    freed[freed_count++] = memory;
  }
}

void atomics_begin(uint32_t fibers) {
  run++;
  cells_used = 0;
  memset(known, 0, sizeof known);
  for (uint32_t i = 0; i < fibers; i++) known[i].of[i] = 1;
}

void atomics_end(void) {
  while (freed_count > 0) __real_free(freed[--freed_count]);
}

static void will(const volatile void *at, bool writes) {
  if (!fibers_inside()) return;
  fibers_will((uintptr_t)at, writes);
  if (atomics_switch != SWITCH_BEFORE || fibers_done() > 0) fibers_switch();
}

static void did(void) {
  if (!fibers_inside()) return;
  fibers_did();
  if (atomics_switch == SWITCH_BOTH) fibers_switch();
}

/* Reads and writes at once: what was there is `old`. */
#define CHANGE(bits, type, name, next)                                                                                 \
  type __tsan_atomic##bits##_##name(volatile type *at, type value, int order);                                         \
  type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) {                                        \
    will(at, true);                                                                                                    \
    look(at, sizeof *at, true, true);                                                                                  \
    order_of(at, order, true, true);                                                                                   \
    type old = *at;                                                                                                    \
    *at = next;                                                                                                        \
    did();                                                                                                             \
    return old;                                                                                                        \
  }

#define ATOMICS(bits, type)                                                                                            \
  type __tsan_atomic##bits##_load(const volatile type *at, int order);                                                 \
  type __tsan_atomic##bits##_load(const volatile type *at, int order) {                                                \
    will(at, false);                                                                                                   \
    look(at, sizeof *at, false, true);                                                                                 \
    order_of(at, order, true, false);                                                                                  \
    type value = *at;                                                                                                  \
    did();                                                                                                             \
    return value;                                                                                                      \
  }                                                                                                                    \
  void __tsan_atomic##bits##_store(volatile type *at, type value, int order);                                          \
  void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                                         \
    will(at, true);                                                                                                    \
    look(at, sizeof *at, true, true);                                                                                  \
    order_of(at, order, false, true);                                                                                  \
    *at = value;                                                                                                       \
    did();                                                                                                             \
  }                                                                                                                    \
  CHANGE(bits, type, exchange, value)                                                                                  \
  CHANGE(bits, type, fetch_add, (type)(old + value))                                                                   \
  /* gcc calls the one, clang the other. */                                                                            \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type old, type value, int order, int failed);     \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type old, type value, int order, int failed) {    \
    will(at, true);                                                                                                    \
    type was = *at;                                                                                                    \
    look(at, sizeof *at, was == old, true);                                                                            \
    order_of(at, was == old ? order : failed, true, was == old);                                                       \
    if (was == old) *at = value;                                                                                       \
    did();                                                                                                             \
    return was;                                                                                                        \
  }                                                                                                                    \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *old, type value, int order, int failed);  \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *old, type value, int order, int failed) { \
    type wanted = *old;                                                                                                \
    type was = __tsan_atomic##bits##_compare_exchange_val(at, wanted, value, order, failed);                           \
    /* When it was as wanted, *old may be another thread's by now. */                                                  \
    if (was != wanted) *old = was;                                                                                     \
    return was == wanted;                                                                                              \
  }

ATOMICS(8, uint8_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

#define PLAIN(name, size, write)                                                                                       \
  void __tsan_##name(void *at);                                                                                        \
  void __tsan_##name(void *at) {                                                                                       \
    look(at, size, write, false);                                                                                      \
  }
#define PLAIN_SIZE(size)                                                                                               \
  PLAIN(read##size, size, false)                                                                                       \
  PLAIN(write##size, size, true)                                                                                       \
  PLAIN(unaligned_read##size, size, false)                                                                             \
  PLAIN(unaligned_write##size, size, true)
PLAIN_SIZE(1)
PLAIN_SIZE(2)
PLAIN_SIZE(4)
PLAIN_SIZE(8)
PLAIN_SIZE(16)

void __tsan_read_range(void *at, size_t size);
void __tsan_read_range(void *at, size_t size) {
  look(at, size, false, false);
}
void __tsan_write_range(void *at, size_t size);
void __tsan_write_range(void *at, size_t size) {
  look(at, size, true, false);
}
void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller) {
  (void)caller;
}
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
