/* What a decoder makes of one token. */
#include "vocab_parts.h"

/* The byte that byte-level vocabularies write as this character, or -1. Bytes that print in Latin-1 are themselves; the
 * others are, in order, the characters from U+0100 on. */
static int32_t byte_of(uint32_t character) {
  if ((character >= 0x21 && character <= 0x7E) || (character >= 0xA1 && character <= 0xFF && character != 0xAD))
    return (int32_t)character;
  if (character < 0x100 || character > 0x143) return -1;
  uint32_t n = character - 0x100;
  return (int32_t)(n < 0x21 ? n : n < 0x43 ? 0x7F + n - 0x21 : 0xAD);
}

/* Writes the bytes that the characters stand for; false: some character stands for none. */
static bool map_bytes(es_span text, es_vocab_bytes *out) {
  size_t before = out->length;
  for (size_t i = 0; i < text.length; i++) {
    uint32_t character = (unsigned char)text.data[i];
    if (character >= 0xC0 && character < 0xE0 && i + 1 < text.length)
      character = (character & 0x1F) << 6 | ((unsigned char)text.data[++i] & 0x3F);
    else if (character >= 0x80)
      character = UINT32_MAX;
    int32_t byte = byte_of(character);
    if (byte < 0) {
      out->length = before;
      return false;
    }
    out->data[out->length++] = (char)byte;
  }
  return true;
}

/* The value of a hexadecimal digit, or -1. */
static int32_t digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of a token `<0x41>`, or -1. A plus sign in place of the first digit counts, since the library has it so. */
static int32_t fallback_byte(es_span text) {
  if (text.length != 6 || memcmp(text.data, "<0x", 3) != 0 || text.data[5] != '>') return -1;
  int32_t high = text.data[3] == '+' ? 0 : digit_of(text.data[3]), low = digit_of(text.data[4]);
  return high < 0 || low < 0 ? -1 : 16 * high + low;
}

static const char *find(es_span text, es_span pattern) {
  const char *at = text.data, *last = text.data + text.length;
  while ((size_t)(last - at) >= pattern.length &&
         (at = memchr(at, pattern.data[0], (size_t)(last - at) - pattern.length + 1)) != NULL) {
    if (memcmp(at, pattern.data, pattern.length) == 0) return at;
    at++;
  }
  return NULL;
}

/* What follows a pattern that was found. */
static es_span after(es_span text, const char *found, const es_decode_step *step) {
  size_t past = (size_t)(found - text.data) + step->pattern.length;
  return (es_span){text.data + past, text.length - past};
}

static es_decode_outcome append(es_vocab_bytes *out, const char *data, size_t length) {
  if (length > ES_VOCAB_LIMIT - out->length) return ES_DECODE_TOO_LONG;
  return es_vocab_bytes_append(out, data, length) ? ES_DECODE_DONE : ES_DECODE_NO_MEMORY;
}

/* The size comes first: a text that grows beyond all bounds is refused before it is written. */
static es_decode_outcome replace(es_span text, const es_decode_step *step, es_vocab_bytes *out) {
  size_t count = 0;
  const char *found;
  es_decode_outcome outcome;
  for (es_span rest = text; (found = find(rest, step->pattern)) != NULL; count++) rest = after(rest, found, step);
  if (count > 0 && step->content.length > ES_VOCAB_LIMIT / count) return ES_DECODE_TOO_LONG;
  for (; count > 0; count--) {
    found = find(text, step->pattern);
    if ((outcome = append(out, text.data, (size_t)(found - text.data))) != ES_DECODE_DONE) return outcome;
    if ((outcome = append(out, step->content.data, step->content.length)) != ES_DECODE_DONE) return outcome;
    text = after(text, found, step);
  }
  return append(out, text.data, text.length);
}

static es_decode_outcome apply_step(const es_decode_step *step, es_span text, es_vocab_bytes *out) {
  char byte;
  int32_t value;
  switch (step->kind) {
  case ES_DECODE_REPLACE:
    return replace(text, step, out);
  case ES_DECODE_BYTE_FALLBACK:
    value = fallback_byte(text);
    byte = (char)value;
    return value < 0 ? append(out, text.data, text.length) : append(out, &byte, 1);
  default:
    if (text.length > ES_VOCAB_LIMIT - out->length) return ES_DECODE_TOO_LONG;
    if (!es_vocab_bytes_reserve(out, text.length)) return ES_DECODE_NO_MEMORY;
    return map_bytes(text, out) ? ES_DECODE_DONE : append(out, text.data, text.length);
  }
}

es_decode_outcome es_decoder_apply(const es_decoder *decoder, es_span text, es_vocab_bytes rooms[2],
                                   es_vocab_bytes *out) {
  if (decoder->count == 0) return append(out, text.data, text.length);
  for (size_t i = 0;; i++) {
    bool last = i + 1 == decoder->count;
    es_vocab_bytes *into = last ? out : &rooms[i % 2];
    if (!last) into->length = 0;
    es_decode_outcome outcome = apply_step(&decoder->steps[i], text, into);
    if (last || outcome != ES_DECODE_DONE) return outcome;
    text = (es_span){into->data ? into->data : "", into->length};
  }
}
