/* overlap: stops that are made of each other, in a text that is made of them, against the slow model (R2, R3, R10).
 *
 * The head of the input is a program, two bytes an instruction. The first ones make words: of the letters below, or of
 * words made before, their prefixes, suffixes and repeats. Half of the words are stops; if all were, one would mostly lie
 * in another, which then is not live. The other instructions write pieces of words into the text. */
#include "answers.h"

const char fuzz_name[] = "overlap";

#define ROOM 256 /* bytes of all words together, or of the text; the model looks at all of them after each token */
#define WORDS 12

typedef struct {
  uint8_t bytes[ROOM];
  size_t length;
} text;

typedef struct {
  text all;
  struct {
    size_t offset, length;
  } word[WORDS];
  uint32_t count;
} words;

/* Two letters, so that they repeat: of one byte each, or of two bytes of which the first is the same, or of four. */
static const char *const letters[][2] = {{"a", "b"}, {"a", "b"}, {"\xC3\xA9", "\xC3\xA8"}, {"a", "\xF0\x9F\x98\x8A"}};

static void append(text *to, const uint8_t *bytes, size_t length) {
  if (length > ROOM - to->length) return;
  memmove(to->bytes + to->length, bytes, length);
  to->length += length;
}

static void append_letter(text *to, const char *letter) {
  append(to, (const uint8_t *)letter, strlen(letter));
}

/* A letter for each bit of `which` below its highest. */
static void append_letters(text *to, uint8_t how, uint8_t which) {
  for (int bit = 7, begun = 0; bit >= 0; bit--) {
    if (begun) append_letter(to, letters[how / 32 % 4][which >> bit & 1]);
    begun |= which >> bit & 1;
  }
}

/* Makes a word out of the letters and the words before it. */
static void make_word(words *made, uint8_t how, uint8_t which) {
  text *all = &made->all;
  size_t offset = all->length;
  if (made->count == 0 || how % 8 == 0) {
    append_letters(all, how, which);
  } else {
    size_t length = made->word[how / 8 % 4 % made->count].length;
    const uint8_t *base = all->bytes + made->word[how / 8 % 4 % made->count].offset;
    size_t some = 1 + which % length;
    if (how % 8 == 1) append(all, base, some);                            /* a prefix */
    if (how % 8 == 2) append(all, base + length - some, some);            /* a suffix */
    if (how % 8 == 3) append(all, base, length), append(all, base, some); /* extended by its own prefix */
    if (how % 8 == 4) append(all, base + length - some, some), append(all, base, length);
    if (how % 8 == 5) append(all, base, length), append_letters(all, how, which);
    if (how % 8 == 6) append_letters(all, how, which), append(all, base, length);
    if (how % 8 == 7) append(all, base, length); /* the same once more */
  }
  if (all->length == offset) return;
  made->word[made->count].offset = offset;
  made->word[made->count++].length = all->length - offset;
}

/* A prefix of a word, sometimes the whole, or any piece of it. */
static void write_text(const words *made, text *to, uint8_t what, uint8_t which) {
  if (made->count == 0 || what % 16 >= WORDS) {
    append_letters(to, what, which);
    return;
  }
  size_t length = made->word[what % 16 % made->count].length;
  const uint8_t *word = made->all.bytes + made->word[what % 16 % made->count].offset;
  size_t end = which % (length + 1), begin = what >= 192 ? which / 16 % (end + 1) : 0;
  append(to, word + begin, end - begin);
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  fuzz_answers *with = memory;
  fuzz_case *made = &with->made;
  static words made_words; /* static for its size: nothing is read that was not written in this run */
  static text shown;
  words *all = &made_words;
  all->count = 0;
  all->all.length = shown.length = 0;
  fuzz_case_reset(made);
  made->c.request.text = all->all.bytes;
  uint8_t options = fuzz_control(&in);
  made->c.request.include_stop = (options & 7) == 7;
  made->c.request.min_tokens = options & 8 ? options >> 4 : 0;
  uint32_t most = 1 + fuzz_below(&in, WORDS);
  fuzz_cut cut;
  fuzz_read_cut(&cut, &in);
  const uint8_t *op;
  while (all->count < most && fuzz_text(&in, 2, &op) == 2) {
    uint32_t before = all->count;
    make_word(all, op[0], op[1]);
    if (all->count == before) continue;
    if (op[0] < 128) fuzz_add_stop(made, all->word[before].offset, all->word[before].length, op[1] >= 240);
  }
  while (fuzz_text(&in, 2, &op) == 2 && shown.length < ROOM / 2) write_text(all, &shown, op[0], op[1]);
  fuzz_cut_text(made, shown.bytes, shown.length, &cut);
  return fuzz_compare(with, pass);
}
