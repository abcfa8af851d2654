#include "frame.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
const char *__asan_default_options(void);

/* Freed memory comes back soon, so that it is still in the cache: some runs' worth stays out of use, not 256 MB. Where
 * a piece of memory was made and freed, a run with ASAN_OPTIONS=malloc_context_size=30 says. */
const char *__asan_default_options(void) {
  return "quarantine_size_mb=1:malloc_context_size=0";
}
#endif
#endif

/* All on memory of this input, so that it takes the same way through the code whatever came before it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {data, size}, other = {data, size};
  const uint8_t *skipped;
  fuzz_text(&other, size / 2 + 1, &skipped);
  void *memory = fuzz_new();
  fuzz_seen first = fuzz_one(memory, in, FUZZ_LAWS);
  fuzz_one(memory, other, FUZZ_TRACES);
  fuzz_seen again = fuzz_one(memory, in, FUZZ_TRACES);
  fuzz_free(memory);
  fuzz_demand(again == first, "an input is answered as on new memory");
  return 0;
}

uint8_t fuzz_control(fuzz_input *in) {
  return in->length > 0 ? in->bytes[--in->length] : 0;
}

uint32_t fuzz_below(fuzz_input *in, uint32_t bound) {
  return fuzz_control(in) % bound;
}

size_t fuzz_text(fuzz_input *in, size_t length, const uint8_t **text) {
  if (length > in->length) length = in->length;
  *text = in->bytes;
  if (length > 0) in->bytes += length;
  in->length -= length;
  return length;
}

void fuzz_note(fuzz_seen *seen, const void *bytes, size_t length) {
  const uint8_t *byte = bytes;
  for (size_t i = 0; i < length; i++) *seen = (*seen ^ byte[i]) * UINT64_C(0x100000001B3);
  fuzz_note_number(seen, length);
}

void fuzz_note_number(fuzz_seen *seen, uint64_t number) {
  *seen = (*seen ^ number) * UINT64_C(0x9E3779B97F4A7C15);
  *seen ^= *seen >> 29;
}

void fuzz_demand(bool holds, const char *law) {
  if (holds) return;
  fprintf(stderr, "%s: broken: %s\n", fuzz_name, law);
  abort();
}

void *fuzz_room(size_t size) {
  void *room = malloc(size > 0 ? size : 1);
  if (room != NULL) return room;
  fprintf(stderr, "%s: memory ran out\n", fuzz_name);
  abort();
}
