/* encode: the corpus's cases as inputs of the harnesses; what its files share. */
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

/* Ids by their numbers in the input: as they are where all are small, else in the order in which they come up. */
typedef struct {
  uint32_t id[8];
  uint32_t count;
} fuzz_names;

fuzz_names fuzz_name_all(const es_case *c);
uint32_t fuzz_number(const fuzz_names *known, uint32_t id); /* 8 and more: it has none */

/* Whether `b` is case `a` with its ids by their numbers. */
bool fuzz_same_case(const es_case *a, const es_case *b);

/* Programs of calls, and requests (encode_calls.c). */
void fuzz_encode_stops(fuzz_written *to, const es_case *c);
void fuzz_encode_matcher(fuzz_written *to, const es_case *c);
void fuzz_encode_guard(fuzz_written *to, const es_case *c, const es_run *run);
void fuzz_encode_utf8(fuzz_written *to, const es_case *c);
void fuzz_encode_race(fuzz_written *to, const es_race *race);

#endif
