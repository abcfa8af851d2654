#include "shelf.h"

#include <stdio.h>
#include <stdlib.h>

#define PLACES 8

typedef struct {
  char *path;
  es_vocab *vocab; /* NULL: `why` */
  char why[600];
  uint64_t asked; /* when it was last asked for */
} place;

struct es_shelf {
  place places[PLACES];
  uint64_t clock;
};

es_shelf *es_shelf_new(void) {
  return calloc(1, sizeof(es_shelf));
}

static void clear(place *at) {
  free(at->path);
  es_vocab_free(at->vocab);
  *at = (place){0};
}

void es_shelf_free(es_shelf *shelf) {
  if (shelf == NULL) return;
  for (size_t i = 0; i < PLACES; i++) clear(&shelf->places[i]);
  free(shelf);
}

static char *joined(const char *folder, es_span path) {
  bool relative = folder != NULL && path.length > 0 && path.data[0] != '/';
  size_t before = relative ? strlen(folder) + 1 : 0;
  char *whole = malloc(before + path.length + 1);
  if (whole == NULL) return NULL;
  if (relative) {
    memcpy(whole, folder, before - 1);
    whole[before - 1] = '/';
  }
  memcpy(whole + before, path.data, path.length);
  whole[before + path.length] = '\0';
  return whole;
}

const es_vocab *es_shelf_find(es_shelf *shelf, const char *folder, es_span path, const char **why) {
  char *whole = joined(folder, path);
  if (whole == NULL) {
    *why = "memory ran out";
    return NULL;
  }
  place *at = &shelf->places[0];
  for (size_t i = 0; i < PLACES; i++) {
    place *other = &shelf->places[i];
    if (other->path != NULL && strcmp(other->path, whole) == 0) {
      at = other;
      break;
    }
    if (other->asked < at->asked) at = other;
  }
  if (at->path != NULL && strcmp(at->path, whole) == 0) {
    free(whole);
  } else {
    es_vocab_fault fault = {0};
    clear(at);
    at->path = whole;
    if (memchr(path.data, '\0', path.length) != NULL) {
      snprintf(fault.message, sizeof fault.message, "expected a path, found one with a zero in it");
    } else {
      at->vocab = es_vocab_load(whole, &fault);
    }
    if (at->vocab == NULL) es_vocab_explain(whole, &fault, at->why, sizeof at->why);
  }
  at->asked = ++shelf->clock;
  *why = at->why;
  return at->vocab;
}
