/* Bytes that grow, and base64. */
#include <stdlib.h>

#include "vocab_parts.h"

bool es_vocab_bytes_reserve(es_vocab_bytes *bytes, size_t more) {
  if (more <= bytes->capacity - bytes->length) return true;
  if (more > SIZE_MAX / 4 - bytes->length) return false;
  size_t capacity = bytes->capacity < 64 ? 64 : bytes->capacity;
  while (capacity < bytes->length + more) capacity *= 2;
  char *data = realloc(bytes->data, capacity);
  if (!data) return false;
  bytes->data = data;
  bytes->capacity = capacity;
  return true;
}

bool es_vocab_bytes_append(es_vocab_bytes *bytes, const char *data, size_t more) {
  if (!es_vocab_bytes_reserve(bytes, more)) return false;
  if (more > 0) memcpy(bytes->data + bytes->length, data, more);
  bytes->length += more;
  return true;
}

/* The six bits of a letter, or -1. */
static int32_t six_bits(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

size_t es_vocab_base64(es_span text, es_vocab_bytes *out, const char **why) {
  size_t length = text.length;
  while (length > 0 && text.length - length < 2 && text.data[length - 1] == '=') length--;
  uint32_t bits = 0;
  for (size_t i = 0; i < length; i++) {
    int32_t six = six_bits(text.data[i]);
    if (six < 0) {
      *why = "base64";
      return i;
    }
    bits = bits << 6 | (uint32_t)six;
    if (i % 4 > 0) out->data[out->length++] = (char)(bits >> (6 - 2 * (i % 4)) & 0xFF);
  }
  *why = NULL;
  if (length == 0)
    *why = "base64";
  else if (text.length % 4 != 0)
    *why = "base64 in groups of four, filled up with =";
  if (*why) return text.length;
  size_t unused = text.length - length;
  if (unused > 0 && (bits & ((1u << (2 * unused)) - 1)) != 0) {
    *why = "base64 with no bits beyond its last byte";
    return length - 1;
  }
  return text.length;
}
