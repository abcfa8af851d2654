/* overlap: stops that are made of each other, in a text that is made of them, against the slow model (R2, R3, R10).
 *
 * The head of the input is a program, two bytes an instruction. The first ones make stops: of the letters below, or of
 * stops made before, their prefixes, suffixes and repeats. The others write pieces of stops into the text. */
#include "answers.h"

const char fuzz_name[] = "overlap";

#define ROOM 1024 /* bytes of all stops together, or of the text */

typedef struct {
  uint8_t bytes[ROOM];
  size_t length;
} text;

/* Few letters, so that they repeat; of one byte to four, two of which share their first byte. */
static const char *const letters[] = {"a", "b", "\xC3\xA9", "\xC3\xA8", "\xF0\x9F\x98\x8A"};

static void append(text *to, const uint8_t *bytes, size_t length) {
  if (length > ROOM - to->length) return;
  memmove(to->bytes + to->length, bytes, length);
  to->length += length;
}

static void append_letters(text *to, uint8_t which) {
  for (int i = 0; i < 3; i++, which /= 6) {
    if (which % 6 == 5) continue;
    es_span letter = es_span_of(letters[which % 6]);
    append(to, (const uint8_t *)letter.data, letter.length);
  }
}

static es_span piece_of(const fuzz_case *made, const text *all, uint32_t stop, size_t from, size_t to) {
  es_stop chosen = made->stops[stop];
  from %= chosen.length + 1;
  to %= chosen.length + 1;
  if (from > to) from = 0;
  return (es_span){(const char *)all->bytes + chosen.offset + from, to - from};
}

/* Makes a stop out of the letters and the stops before it. */
static void make_stop(fuzz_case *made, text *all, uint8_t how, uint8_t which) {
  size_t offset = all->length;
  uint32_t count = made->c.request.stop_count;
  if (count == 0 || how % 8 == 0) {
    append_letters(all, which);
  } else {
    const es_stop *base = &made->stops[how / 8 % count];
    size_t some = 1 + which % base->length;
    const uint8_t *bytes = all->bytes + base->offset;
    if (how % 8 == 1) append(all, bytes, some);                                   /* a prefix */
    if (how % 8 == 2) append(all, bytes + base->length - some, some);             /* a suffix */
    if (how % 8 == 3) append(all, bytes, base->length), append(all, bytes, some); /* extended by its own prefix */
    if (how % 8 == 4) append(all, bytes + base->length - some, some), append(all, bytes, base->length);
    if (how % 8 == 5) append(all, bytes, base->length), append_letters(all, which); /* extended */
    if (how % 8 == 6) append_letters(all, which), append(all, bytes, base->length);
    if (how % 8 == 7) append(all, bytes, base->length); /* the same once more */
  }
  if (!fuzz_add_stop(made, offset, all->length - offset, how / 64 == 3)) all->length = offset;
}

static void write_text(const fuzz_case *made, const text *all, text *to, uint8_t what, uint8_t which) {
  uint32_t count = made->c.request.stop_count;
  if (count == 0 || what % 16 == 15) {
    append_letters(to, which);
    return;
  }
  es_span piece = piece_of(made, all, what % count, what / 16 % 2 ? which / 16 : 0, which);
  append(to, (const uint8_t *)piece.data, piece.length);
}

fuzz_seen fuzz_one(void *memory, fuzz_input in) {
  fuzz_answers *with = memory;
  fuzz_case *made = &with->made;
  static text all, shown; /* static for their size; nothing is read that was not written in this run */
  all.length = shown.length = 0;
  fuzz_case_reset(made);
  made->c.request.text = all.bytes;
  uint8_t options = fuzz_control(&in);
  made->c.request.include_stop = (options & 7) == 7;
  made->c.request.min_tokens = options & 8 ? options >> 4 : 0;
  uint32_t stops = 1 + fuzz_below(&in, FUZZ_STOPS);
  fuzz_cut cut;
  fuzz_read_cut(&cut, &in);
  const uint8_t *op;
  for (uint32_t s = 0; s < stops && fuzz_text(&in, 2, &op) == 2; s++) make_stop(made, &all, op[0], op[1]);
  while (fuzz_text(&in, 2, &op) == 2 && shown.length < ROOM / 4) write_text(made, &all, &shown, op[0], op[1]);
  fuzz_cut_text(made, shown.bytes, shown.length, &cut);
  return fuzz_compare(with);
}
