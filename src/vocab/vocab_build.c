/* From the pieces of a file to a vocabulary: contradictions, order, bytes. */
#include <inttypes.h>
#include <stdlib.h>

#include "vocab_internal.h"

/* Pieces are compared by a number first; it is what makes sorting fast. */
typedef struct {
  uint64_t number;
  es_piece *piece;
} ranked;

bool es_pieces_add(const es_vocab_source *source, es_pieces *pieces, es_piece piece) {
  if (pieces->count == pieces->capacity) {
    size_t capacity = pieces->capacity ? 2 * pieces->capacity : 1024;
    es_piece *grown = realloc(pieces->pieces, capacity * sizeof *grown);
    if (!grown) return es_vocab_no_memory(source->fault);
    pieces->pieces = grown;
    pieces->capacity = capacity;
  }
  pieces->pieces[pieces->count++] = piece;
  return true;
}

/* By number, then as they stand in the file. */
static int by_number(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->piece > b->piece) - (a->piece < b->piece);
}

/* By number, then by text: many texts with one hash, made so on purpose, cost no more than sorting them. */
static int by_text(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  es_span x = a->piece->text, y = b->piece->text;
  int order = x.length != y.length ? (x.length > y.length) - (x.length < y.length) : memcmp(x.data, y.data, x.length);
  return order != 0 ? order : (a->piece > b->piece) - (a->piece < b->piece);
}

static uint64_t hash(es_span text) {
  uint64_t h = 0xCBF29CE484222325u;
  for (size_t i = 0; i < text.length; i++) h = (h ^ (unsigned char)text.data[i]) * 0x100000001B3u;
  return h;
}

/* The earlier in the file of two pieces that say again what another has said. */
static void note(const es_piece *piece, const es_piece *first, const es_piece **again, const es_piece **said) {
  if (*again && (*again)->place <= piece->place) return;
  *again = piece;
  *said = first;
}

/* Texts that must be unique are; what is special by its text is marked. */
static bool settle_texts(const es_vocab_source *source, const es_pieces *pieces, const es_vocab_rules *rules,
                         ranked *order) {
  const es_piece *again = NULL, *said = NULL;
  for (size_t i = 0; i < pieces->count; i++) order[i] = (ranked){hash(pieces->pieces[i].text), &pieces->pieces[i]};
  qsort(order, pieces->count, sizeof *order, by_text);
  for (size_t from = 0, to; from < pieces->count; from = to) {
    const es_piece *first[2] = {NULL, NULL};
    bool special = false;
    for (to = from; to < pieces->count; to++) {
      es_piece *piece = order[to].piece;
      if (order[to].number != order[from].number || !es_span_same(piece->text, order[from].piece->text)) break;
      bool unique = piece->kind == ES_PIECE_MODEL ? rules->model_unique : rules->added_unique;
      if (unique && first[piece->kind]) note(piece, first[piece->kind], &again, &said);
      if (!first[piece->kind]) first[piece->kind] = piece;
      special |= piece->special;
    }
    for (size_t i = from; i < to && special && rules->special_by_text; i++) order[i].piece->special = true;
  }
  if (!again) return true;
  char words[100];
  es_vocab_place_words(source, said->place, words, sizeof words);
  return es_vocab_bad(source, again->place, "expected a token of its own, found the one of %s again", words);
}

/* One piece an id: an added one wins over the model's. Returns how many ids there are, 0: two claim one id. */
static size_t settle_ids(const es_vocab_source *source, const es_pieces *pieces, ranked *order) {
  const es_piece *again = NULL, *said = NULL;
  bool sorted = true;
  size_t count = 0;
  for (size_t i = 0; i < pieces->count; i++) {
    order[i] = (ranked){pieces->pieces[i].id, &pieces->pieces[i]};
    sorted &= i == 0 || order[i - 1].number < order[i].number;
  }
  if (!sorted) qsort(order, pieces->count, sizeof *order, by_number);
  for (size_t i = 0; i < pieces->count; i++) {
    es_piece *piece = order[i].piece, *before = count > 0 ? order[count - 1].piece : NULL;
    if (!before || before->id != piece->id) {
      order[count++].piece = piece;
      continue;
    }
    bool same = piece->kind == ES_PIECE_ADDED && es_span_same(piece->text, before->text);
    if (piece->kind == before->kind && !same) note(piece, before, &again, &said);
    if (piece->kind == ES_PIECE_ADDED) order[count - 1].piece = piece;
  }
  if (!again) return count;
  char words[100];
  es_vocab_place_words(source, said->place, words, sizeof words);
  es_vocab_bad(source, again->place, "expected an id of its own, found %" PRIu32 ", which %s has", again->id, words);
  return 0;
}

/* The bytes of a token behind those of the others. */
static bool add_bytes(const es_vocab_source *source, const es_piece *piece, const es_decoder *decoder,
                      es_vocab_bytes rooms[2], es_vocab_bytes *bytes) {
  if (!decoder)
    return es_vocab_bytes_append(bytes, piece->text.data, piece->text.length) || es_vocab_no_memory(source->fault);
  switch (es_decoder_apply(decoder, piece->text, rooms, bytes)) {
  case ES_DECODE_DONE:
    return true;
  case ES_DECODE_TOO_LONG:
    return es_vocab_bad(source, piece->place, "expected tokens of at most 128 MiB in all, found more up to this one");
  default:
    return es_vocab_no_memory(source->fault);
  }
}

static bool fill(es_vocab *vocab, const es_vocab_source *source, const ranked *order, size_t count,
                 const es_decoder *decoder) {
  es_vocab_bytes rooms[2] = {{0}, {0}};
  bool good = es_vocab_bytes_reserve(&vocab->bytes, 1) || es_vocab_no_memory(source->fault);
  for (size_t i = 0; good && i < count; i++) {
    const es_piece *piece = order[i].piece;
    size_t begin = vocab->bytes.length;
    good = add_bytes(source, piece, decoder, rooms, &vocab->bytes);
    vocab->entries[i] = (es_vocab_entry){begin, vocab->bytes.length - begin, piece->id, piece->special};
    vocab->count = i + 1;
  }
  free(rooms[0].data);
  free(rooms[1].data);
  return good;
}

es_vocab *es_vocab_build(const es_vocab_source *source, es_pieces *pieces, const es_vocab_rules *rules) {
  ranked *order = calloc(pieces->count, sizeof *order);
  es_vocab *vocab = calloc(1, sizeof *vocab);
  bool good = (order && vocab) || es_vocab_no_memory(source->fault);
  size_t count = 0;
  if (good) good = settle_texts(source, pieces, rules, order) && (count = settle_ids(source, pieces, order)) > 0;
  if (good) {
    vocab->form = rules->form;
    vocab->complete = rules->complete;
    vocab->drops_leading_space = rules->decoder && rules->decoder->drops_leading_space;
    vocab->entries = calloc(count, sizeof *vocab->entries);
    good = vocab->entries || es_vocab_no_memory(source->fault);
  }
  good = good && fill(vocab, source, order, count, rules->decoder);
  free(order);
  if (good) return vocab;
  es_vocab_free(vocab);
  return NULL;
}
