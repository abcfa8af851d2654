/* frame: what all harnesses share, and what each gives.
 *
 * A harness is one file with the three functions below. The same source is linked with libFuzzer, with AFL++ or with
 * replay.c. Each input is run on new memory, and once more after its first half was run on that memory: what was seen
 * must be the same, so nothing leaks from one run to the next. The laws, which cost most, are asked once.
 *
 * Control bytes come from the tail of an input, so that its head stays readable text; an input that is used up gives
 * zeros. */
#ifndef ES_FUZZ_FRAME_H
#define ES_FUZZ_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const uint8_t *bytes;
  size_t length;
} fuzz_input;

/* A hash of all that a run has shown; begins as FUZZ_NOTHING. */
typedef uint64_t fuzz_seen;
#define FUZZ_NOTHING UINT64_C(0xCBF29CE484222325)

/* FUZZ_LAWS: on new memory, and all laws must hold. FUZZ_TRACES: only what is shown matters, or what is left behind. */
typedef enum { FUZZ_LAWS, FUZZ_TRACES } fuzz_pass;

/* Of the harness. */
extern const char fuzz_name[];
void *fuzz_new(void); /* its working memory */
void fuzz_free(void *memory);
fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass);

/* Of the frame. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which law is broken, and aborts. */
_Noreturn void fuzz_broken(const char *law);
static inline void fuzz_demand(bool holds, const char *law) {
  if (!holds) fuzz_broken(law);
}

/* Takes the last byte. */
static inline uint8_t fuzz_control(fuzz_input *in) {
  return in->length > 0 ? in->bytes[--in->length] : 0;
}

/* The same, brought below `bound`, which is 1 to 256. */
static inline uint32_t fuzz_below(fuzz_input *in, uint32_t bound) {
  return fuzz_control(in) % bound;
}

/* Takes up to `length` bytes of the head; how many there were. */
static inline size_t fuzz_text(fuzz_input *in, size_t length, const uint8_t **text) {
  if (length > in->length) length = in->length;
  *text = in->bytes;
  if (length > 0) in->bytes += length;
  in->length -= length;
  return length;
}

/* A look from scratch, of whose ways through it a fuzzer learns nothing: it would listen to little else. */
#ifdef __clang__
#define FUZZ_UNSEEN __attribute__((no_sanitize("coverage")))
#else
#define FUZZ_UNSEEN
#endif

/* Adds to what was seen. */
static inline void fuzz_note_number(fuzz_seen *seen, uint64_t number) {
  *seen = (*seen ^ number) * UINT64_C(0x9E3779B97F4A7C15);
  *seen ^= *seen >> 29;
}
void fuzz_note(fuzz_seen *seen, const void *bytes, size_t length);

/* malloc that says so and aborts where memory ran out; `size` may be 0. */
void *fuzz_room(size_t size);

#endif
