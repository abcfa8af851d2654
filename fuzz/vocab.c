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

/* In a rank file each token stands in base64 at the start of a line, before a space. */
static void check_rank(const es_vocab *vocab, uint32_t id, fuzz_input in) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  es_vocab_token token;
  char code[128] = "\n"; /* longer tokens are left out */
  size_t length = 1;
  if (!es_vocab_find(vocab, id, &token) || token.bytes.length > 90) return;
  for (size_t i = 0; i < token.bytes.length; i += 3) {
    size_t left = token.bytes.length - i;
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; j++) bits = bits << 8 | (j < left ? (uint8_t)token.bytes.data[i + j] : 0);
    for (size_t j = 0; j < 4; j++) code[length++] = j <= left ? letters[bits >> (18 - 6 * j) & 63] : '=';
  }
  if (length == 1) code[length++] = '='; /* as Whisper's file has it */
  code[length++] = ' ';
  bool first = in.length >= length - 1 && memcmp(in.bytes, code + 1, length - 1) == 0;
  bool there = first;
  for (size_t at = 0; !there && at + length <= in.length; at++) there = memcmp(in.bytes + at, code, length) == 0;
  fuzz_demand(there, "a token of a rank file stands in it");
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
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
  if (pass == FUZZ_LAWS && es_vocab_form_of(vocab) == ES_VOCAB_TIKTOKEN)
    for (uint32_t id = 0; id < 16; id++) check_rank(vocab, id, in);
  fuzz_note_number(&seen,
                   es_vocab_form_of(vocab) * 4u + es_vocab_complete(vocab) * 2u + es_vocab_drops_leading_space(vocab));
  es_vocab_free(vocab);
  return seen;
}
