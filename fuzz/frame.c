#include "frame.h"

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
  fuzz_input in = {data, size}, other = {data, size / 2};
  void *memory = fuzz_new();
  fuzz_seen first = fuzz_one(memory, in, FUZZ_LAWS);
  fuzz_one(memory, other, FUZZ_TRACES);
  fuzz_seen again = fuzz_one(memory, in, FUZZ_TRACES);
  fuzz_free(memory);
  fuzz_demand(again == first, "an input is answered as on new memory");
  return 0;
}
