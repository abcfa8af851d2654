/* vocab: any file as a vocabulary (R1): it is one, and then each id is answered within its bounds, or it is none, and
 * there is a sentence that says why. */
#include "vocab.h"

#include <string.h>

#include "frame.h"
#include "utf8.h"

const char fuzz_name[] = "vocab";

void *fuzz_new(void) {
  return NULL;
}

void fuzz_free(void *memory) {
  (void)memory;
}

static void check_fault(const es_vocab_fault *fault, fuzz_seen *seen) {
  char said[800];
  es_vocab_explain("file", fault, said, sizeof said);
  fuzz_demand(fault->message[0] != '\0' && strncmp(said, "file:", 5) == 0, "a fault is explained");
  fuzz_demand(es_utf8_valid((const uint8_t *)said, (uint32_t)strlen(said)), "an explanation is UTF-8");
  fuzz_note(seen, said, strlen(said));
}

static void check_token(const es_vocab *vocab, uint32_t id, fuzz_seen *seen) {
  es_vocab_token token;
  if (!es_vocab_find(vocab, id, &token)) return;
  fuzz_demand(id < es_vocab_size(vocab), "no id is at or above the size");
  fuzz_demand(token.bytes.data != NULL, "a token has bytes, or none of them");
  fuzz_note_number(seen, id);
  fuzz_note(seen, token.bytes.data, token.bytes.length);
}

fuzz_seen fuzz_one(void *memory, fuzz_input in) {
  (void)memory;
  fuzz_seen seen = FUZZ_NOTHING;
  es_vocab_fault fault;
  es_vocab *vocab = es_vocab_read((const char *)in.bytes, in.length, &fault);
  if (vocab == NULL) {
    check_fault(&fault, &seen);
    return seen;
  }
  uint32_t size = es_vocab_size(vocab);
  es_vocab_token last;
  fuzz_demand(size > 0 && es_vocab_find(vocab, size - 1, &last), "the highest id is there");
  for (uint32_t id = 0; id < 64; id++) check_token(vocab, id, &seen), check_token(vocab, size - 32 + id, &seen);
  check_token(vocab, UINT32_MAX, &seen);
  fuzz_note_number(&seen,
                   es_vocab_form_of(vocab) * 4u + es_vocab_complete(vocab) * 2u + es_vocab_drops_leading_space(vocab));
  es_vocab_free(vocab);
  return seen;
}
