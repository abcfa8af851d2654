/* span: bytes that stand somewhere else. */
#ifndef ES_JSON_SPAN_H
#define ES_JSON_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A run of bytes; not ended by a zero. `data` is NULL where the member is absent. */
typedef struct {
  const char *data;
  size_t length;
} es_span;

/* The bytes of a text that a zero ends. */
static inline es_span es_span_of(const char *text) {
  es_span span = {text, strlen(text)};
  return span;
}

static inline bool es_span_same(es_span a, es_span b) {
  return a.length == b.length && (a.length == 0 || (a.data && b.data && memcmp(a.data, b.data, a.length) == 0));
}

#endif
