/* A tiktoken rank file: lines of base64, a space and a rank, which is the id. */
#include <stdio.h>
#include <stdlib.h>

#include "vocab_parts.h"

/* What stands at a byte of the line. */
static void found_words(const es_vocab_source *source, size_t at, size_t end, char *out, size_t room) {
  unsigned char byte = at < end ? (unsigned char)source->text[at] : 0;
  if (at == source->length)
    snprintf(out, room, "the end of the file");
  else if (at == end)
    snprintf(out, room, "the end of the line");
  else if (byte > 0x20 && byte < 0x7F)
    snprintf(out, room, "\"%c\"", byte);
  else
    snprintf(out, room, byte == ' ' ? "a space" : "the byte 0x%02X", byte);
}

static bool bad(const es_vocab_source *source, size_t at, size_t end, const char *what) {
  char found[40];
  found_words(source, at, end, found, sizeof found);
  return es_vocab_bad_byte(source, at, "expected %s, found %s", what, found);
}

static bool read_rank(const es_vocab_source *source, size_t at, size_t end, uint32_t *rank) {
  uint64_t value = 0;
  size_t start = at;
  for (; at < end; at++) {
    char c = source->text[at];
    if (c < '0' || c > '9') return bad(source, at, end, at == start ? "a rank" : "the end of the line");
    value = 10 * value + (uint64_t)(c - '0');
    if (value > INT32_MAX) return es_vocab_bad_byte(source, start, "expected a rank up to 2147483647, found more");
  }
  if (at == start) return bad(source, at, end, "a rank");
  if (source->text[start] == '0' && at - start > 1)
    return es_vocab_bad_byte(source, start, "expected a rank without needless zeros");
  *rank = (uint32_t)value;
  return true;
}

/* One line, from `at` to before its end. `bytes` has room, so that pieces can point into it. */
static bool read_line(const es_vocab_source *source, size_t at, size_t end, es_vocab_bytes *bytes, es_pieces *pieces) {
  size_t begin = bytes->length, stop = at;
  const char *why;
  while (stop < end && (unsigned char)source->text[stop] > ' ') stop++;
  size_t fault = at + es_vocab_base64((es_span){source->text + at, stop - at}, bytes, &why);
  if (stop - at == 1 && source->text[at] == '=') why = NULL; /* the empty token of Whisper's multilingual.tiktoken */
  if (why && pieces->count == 0)
    return bad(source, fault, end, "base64 (a rank file) or an opening brace (a tokenizer.json or tekken.json)");
  if (why) return bad(source, fault, end, why);
  if (stop == end || source->text[stop] != ' ') return bad(source, stop, end, "a space and a rank");
  es_piece piece = {.text = {bytes->data + begin, bytes->length - begin}, .place = at, .kind = ES_PIECE_MODEL};
  return read_rank(source, stop + 1, end, &piece.id) && es_pieces_add(source, pieces, piece);
}

es_vocab *es_vocab_read_tiktoken(const es_vocab_source *source) {
  es_vocab_bytes bytes = {0};
  es_pieces pieces = {0};
  es_vocab *vocab = NULL;
  bool good = es_vocab_bytes_reserve(&bytes, source->length) || es_vocab_no_memory(source->fault);
  for (size_t at = 0, next; good && at < source->length; at = next) {
    const char *newline = memchr(source->text + at, '\n', source->length - at);
    size_t end = newline ? (size_t)(newline - source->text) : source->length;
    next = end + (newline != NULL);
    if (newline && end > at && source->text[end - 1] == '\r') end--;
    if (end > at) good = read_line(source, at, end, &bytes, &pieces);
  }
  if (good) {
    es_vocab_rules rules = {.form = ES_VOCAB_TIKTOKEN, .model_unique = true};
    vocab = es_vocab_build(source, &pieces, &rules);
  }
  free(pieces.pieces);
  free(bytes.data);
  return vocab;
}
