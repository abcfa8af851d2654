/* scarce: a library to be loaded before a program, in which an allocation fails: the one with the number SCARCE_AT
 * (from 1), and all that follow it if SCARCE_ON is set. Into the file SCARCE_TOLD it writes how many were asked for, how
 * many of those failed, how many blocks were never freed, and whether main returned (1) or ended by
 * exit (0). By name it stands for the C library's own functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

typedef int program(int, char **, char **);
typedef int starter(program *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

int __libc_start_main(program *of_program, int count, char **arguments, void (*begin)(void), void (*end)(void),
                      void (*end_of_loader)(void), void *stack);

static struct {
  bool armed;    /* main runs: allocations may fail */
  bool counts;   /* from main on, to the end of what is called at the exit */
  bool returned; /* from main, not by exit */
  bool over;     /* nothing is kept any more */
  bool on;
  long at;
  long asked;
  long failed;
  long left;
} scarce;
static program *inner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether the allocation that is asked for now must fail. */
static bool fails(void) {
  if (!scarce.armed) return false;
  pthread_mutex_lock(&lock);
  long number = ++scarce.asked;
  bool now = number == scarce.at || (scarce.on && number > scarce.at && scarce.at > 0);
  scarce.failed += now;
  pthread_mutex_unlock(&lock);
  if (now) errno = ENOMEM;
  return now;
}

/* Of blocks that are older than main: they are not main's to free, and few. */
enum { EARLY = 256 };
static void *early[EARLY];
static size_t early_count;

static void *gained(void *block) {
  if (!block) return NULL;
  pthread_mutex_lock(&lock);
  if (scarce.counts) {
    scarce.left++;
  } else if (!scarce.over) {
    if (early_count == EARLY) abort();
    early[early_count++] = block;
  }
  pthread_mutex_unlock(&lock);
  return block;
}

/* Called before the block is freed, so that nobody else has it yet. */
static void *lost(void *block) {
  if (!block) return NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < early_count; i++) {
    if (early[i] != block) continue;
    early[i] = NULL;
    pthread_mutex_unlock(&lock);
    return block;
  }
  if (scarce.counts) scarce.left--;
  pthread_mutex_unlock(&lock);
  return block;
}

void *malloc(size_t size) {
  return fails() ? NULL : gained(__libc_malloc(size));
}

void *calloc(size_t number, size_t size) {
  return fails() ? NULL : gained(__libc_calloc(number, size));
}

void *realloc(void *block, size_t size) {
  if (fails()) return NULL;
  return gained(__libc_realloc(lost(block), size));
}

void free(void *block) {
  __libc_free(lost(block));
}

static void tell(void) {
  const char *told = getenv("SCARCE_TOLD");
  scarce.counts = false;
  scarce.over = true;
  FILE *file = told ? fopen(told, "w") : NULL;
  if (!file) abort();
  fprintf(file, "%ld %ld %ld %d\n", scarce.asked, scarce.failed, scarce.left, scarce.returned);
  fclose(file);
}

/* Before all others, so that `tell` is called after all that is called at the exit. */
__attribute__((constructor)) static void begin_to_count(void) {
  atexit(tell);
}

static void disarm(void) {
  scarce.armed = false;
}

static int outer(int count_of, char **arguments, char **environment) {
  const char *at = getenv("SCARCE_AT");
  /* What the C library keeps for itself is nobody's leak. */
  static char buffers[2][BUFSIZ];
  setvbuf(stdout, buffers[0], _IOFBF, BUFSIZ);
  setvbuf(stdin, buffers[1], _IOFBF, BUFSIZ);
  atexit(disarm);
  scarce.at = at ? strtol(at, NULL, 10) : 0;
  scarce.on = getenv("SCARCE_ON") != NULL;
  scarce.armed = scarce.counts = true;
  int status = inner(count_of, arguments, environment);
  scarce.returned = true;
  return status;
}

int __libc_start_main(program *of_program, int count_of, char **arguments, void (*begin)(void), void (*end)(void),
                      void (*end_of_loader)(void), void *stack) {
  inner = of_program;
  starter *next;
  *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  return next(outer, count_of, arguments, begin, end, end_of_loader, stack);
}
