/* encode: the corpus's cases as inputs of the harnesses; what its two files share. */
#ifndef ES_FUZZ_ENCODE_H
#define ES_FUZZ_ENCODE_H

#include "cases.h"
#include "race.h"
#include "run.h"

/* An input as it is written: its head, and its controls in the order in which they are read, so from the end. */
typedef struct {
  uint8_t head[1024], controls[512];
  size_t length, count;
  bool fits; /* the form can say what it must */
} fuzz_written;

void fuzz_put(fuzz_written *to, uint64_t control, uint64_t below);
void fuzz_put_head(fuzz_written *to, const void *bytes, size_t length);
/* Where these bytes stand in the head; they are put there if they do not. */
size_t fuzz_place(fuzz_written *to, const uint8_t *bytes, size_t length);

/* Programs of calls, and requests (encode_calls.c). */
void fuzz_encode_stops(fuzz_written *to, const es_case *c);
void fuzz_encode_matcher(fuzz_written *to, const es_case *c);
void fuzz_encode_guard(fuzz_written *to, const es_case *c, const es_run *run);
void fuzz_encode_utf8(fuzz_written *to, const es_case *c);
void fuzz_encode_race(fuzz_written *to, const es_race *race);

#endif
