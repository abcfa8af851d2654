/* mutate: changes that know what inputs are made of: a head that is text or a program of two bytes a call, a tail of
 * controls. Half of all changes are libFuzzer's own. */
#include <string.h>

#include "frame.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* libFuzzer's */

/* The next number of a row that begins with libFuzzer's seed. */
static uint32_t draw(uint32_t *row, size_t bound) {
  *row = *row * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(*row >> 8) * bound >> 24);
}

/* Puts bytes at a place, if there is room. */
static size_t put(uint8_t *data, size_t size, size_t max_size, size_t at, const uint8_t *bytes, size_t length) {
  if (length > max_size - size) return size;
  memmove(data + at + length, data + at, size - at);
  memcpy(data + at, bytes, length);
  return size + length;
}

/* A character of two bytes to four, whole or cut inside, in the head. */
static size_t cut_character(uint8_t *data, size_t size, size_t max_size, uint32_t *row) {
  static const char *const characters[] = {"\xC3\xA9",     "\xE2\x82\xAC",     "\xF0\x9F\x98\x8A", "\xEF\xBF\xBD",
                                           "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF", "\xE0\xA0\x80",     "\xC2\x80"};
  const char *chosen = characters[draw(row, sizeof characters / sizeof characters[0])];
  size_t length = strlen(chosen);
  if (draw(row, 2) == 0) length = 1 + draw(row, length);
  return put(data, size, max_size, draw(row, size / 2 + 1), (const uint8_t *)chosen, length);
}

/* One byte of text goes from a token to the next: the lowest bits of two controls, which follow one another. */
static size_t move_cut(uint8_t *data, size_t size, uint32_t *row) {
  if (size < 2) return size;
  size_t at = size / 2 + draw(row, size - size / 2 - 1);
  bool forward = draw(row, 2) == 0;
  uint8_t *from = data + at + forward, *to = data + at + !forward;
  if ((*from & 7) == 0 || (*to & 7) == 7) return size;
  --*from, ++*to;
  return size;
}

/* A piece of the head is extended by its own prefix: stops are pieces of it, and so they overlap. */
static size_t extend(uint8_t *data, size_t size, size_t max_size, uint32_t *row) {
  uint8_t piece[24];
  if (size < 2) return size;
  size_t at = draw(row, size / 2);
  size_t length = 1 + draw(row, size / 2 - at < sizeof piece ? size / 2 - at : sizeof piece);
  memcpy(piece, data + at, length);
  return put(data, size, max_size, at + length, piece, 1 + draw(row, length));
}

/* A call goes up to eight calls before its place: a request to stop moves across a boundary. */
static size_t move_call(uint8_t *data, size_t size, uint32_t *row) {
  if (size < 4) return size;
  size_t from = 1 + draw(row, size / 2 - 1), back = 1 + draw(row, from < 8 ? from : 8);
  uint8_t call[2], *to = data + 2 * (from - back);
  memcpy(call, data + 2 * from, 2);
  memmove(to + 2, to, 2 * back);
  memcpy(to, call, 2);
  return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  uint32_t row = seed;
  if (size == 0 || max_size < size) return LLVMFuzzerMutate(data, size, max_size); /* making small wants less */
  switch (draw(&row, 8)) {
  case 0:
    return cut_character(data, size, max_size, &row);
  case 1:
    return move_cut(data, size, &row);
  case 2:
    return extend(data, size, max_size, &row);
  case 3:
    return move_call(data, size, &row);
  default:
    return LLVMFuzzerMutate(data, size, max_size);
  }
}
