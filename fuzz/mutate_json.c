/* mutate_json: changes that know lines of JSON (spec/formats.md): members and elements come, go and change places, texts
 * are cut and escaped, a stop grows by its own prefix, a number of a step moves. Half of all changes are libFuzzer's own.
 *
 * What is read here need not be JSON: a place that does not fit is left as it is. */
#include <stdio.h>
#include <string.h>

#include "frame.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* libFuzzer's */

#define MARKS 256
#define DEPTH 32
#define NEW 512 /* bytes that one change writes */

/* Bytes [begin, end) of the line. */
typedef struct {
  size_t begin, end;
} part;

/* What stands where. */
typedef struct {
  part pairs[MARKS];   /* two elements or members side by side: where the first begins, where the comma is */
  part strings[MARKS]; /* within their quotes */
  part objects[MARKS]; /* of each string: the innermost object that it is in */
  part numbers[MARKS];
  size_t pair_count, string_count, number_count;
} marks;

typedef struct {
  uint8_t *data;
  size_t size, max_size;
  uint32_t row; /* of numbers drawn, that begins with libFuzzer's seed */
} line;

static uint32_t draw(line *l, size_t bound) {
  l->row = l->row * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(l->row >> 8) * bound >> 24);
}

/* Puts bytes in the place of a part, if there is room. */
static void replace(line *l, part old, const void *bytes, size_t length) {
  if (length > l->max_size - (l->size - (old.end - old.begin))) return;
  memmove(l->data + old.begin + length, l->data + old.end, l->size - old.end);
  if (length > 0) memcpy(l->data + old.begin, bytes, length);
  l->size = l->size - (old.end - old.begin) + length;
}

static bool is_digit(uint8_t c) {
  return c >= '0' && c <= '9';
}

/* The end of the string whose text begins here: its quote, or the end of the line. */
static size_t string_end(const line *l, size_t at) {
  while (at < l->size && l->data[at] != '"') at += l->data[at] == '\\' ? 2 : 1;
  return at < l->size ? at : l->size;
}

/* The end of the element or member that begins here. */
static size_t element_end(const line *l, size_t at) {
  for (size_t depth = 0; at < l->size; at++) {
    uint8_t c = l->data[at];
    if (c == '"') at = string_end(l, at + 1);
    if (c == '{' || c == '[') depth++;
    if ((c == '}' || c == ']' || c == ',') && depth == 0) return at;
    if (c == '}' || c == ']') depth--;
  }
  return l->size;
}

static void look(const line *l, marks *m) {
  size_t begin[DEPTH] = {0}, object[DEPTH] = {0}, depth = 0;
  m->pair_count = m->string_count = m->number_count = 0;
  for (size_t at = 0; at < l->size; at++) {
    uint8_t c = l->data[at];
    if (c == '"') {
      part text = {at + 1, string_end(l, at + 1)};
      if (m->string_count < MARKS) {
        m->objects[m->string_count] = (part){object[depth], object[depth]};
        m->strings[m->string_count++] = text;
      }
      at = text.end;
    } else if ((c == '{' || c == '[') && depth + 1 < DEPTH) {
      depth++;
      begin[depth] = at + 1;
      object[depth] = c == '{' ? at : object[depth - 1];
    } else if ((c == '}' || c == ']') && depth > 0) {
      depth--;
    } else if (c == ',') {
      if (m->pair_count < MARKS) m->pairs[m->pair_count++] = (part){begin[depth], at};
      begin[depth] = at + 1;
    } else if (is_digit(c) && (at == 0 || !is_digit(l->data[at - 1])) && m->number_count < MARKS) {
      size_t end = at;
      while (end < l->size && is_digit(l->data[end])) end++;
      m->numbers[m->number_count++] = (part){at, end};
    }
  }
}

/* Two neighbours change places: an event moves across another, a step or token or member before the one before it. */
static void swap(line *l, const marks *m) {
  if (m->pair_count == 0) return;
  part pair = m->pairs[draw(l, m->pair_count)];
  size_t end = element_end(l, pair.end + 1), first = pair.end - pair.begin, second = end - pair.end - 1;
  uint8_t changed[NEW];
  if (first + 1 + second > sizeof changed) return;
  memcpy(changed, l->data + pair.end + 1, second);
  changed[second] = ',';
  memcpy(changed + second + 1, l->data + pair.begin, first);
  replace(l, (part){pair.begin, end}, changed, first + 1 + second);
}

/* One goes, comes twice, or comes up elsewhere too. */
static void move(line *l, const marks *m) {
  if (m->pair_count == 0) return;
  part pair = m->pairs[draw(l, m->pair_count)];
  part one = {pair.end, element_end(l, pair.end + 1)}; /* with its comma */
  uint8_t copy[NEW];
  uint32_t how = draw(l, 3);
  if (how == 0) {
    replace(l, one, "", 0);
  } else if (one.end - one.begin <= sizeof copy) {
    memcpy(copy, l->data + one.begin, one.end - one.begin);
    size_t at = how == 1 ? one.end : m->pairs[draw(l, m->pair_count)].end;
    replace(l, (part){at, at}, copy, one.end - one.begin);
  }
}

/* Where these characters end that begin here, with spaces between them or without; 0 where they do not stand here. */
static size_t match(const line *l, size_t at, const char *characters) {
  for (; *characters != '\0'; characters++, at++) {
    while (at < l->size && l->data[at] == ' ') at++;
    if (at == l->size || l->data[at] != (uint8_t)*characters) return 0;
  }
  return at;
}

/* Steps are joined, or one begins at a token. */
static void move_step(line *l) {
  const char *const from = draw(l, 2) == 0 ? "}],[{" : "},{", *const to = from[1] == ']' ? "},{" : "}],[{";
  size_t found = 0;
  part chosen = {0, 0};
  for (size_t at = 0; at < l->size; at++) {
    size_t end = match(l, at, from);
    if (end > 0 && l->data[at] != ' ' && draw(l, ++found) == 0) chosen = (part){at, end};
  }
  if (found > 0) replace(l, chosen, to, strlen(to));
}

/* A character of a text is written as an escape, or one comes that needs care. */
static void escape(line *l, const marks *m) {
  static const char *const with_care[] = {"\\n",      "\\\"",         "\\u0000",          "\\ud83d\\ude0a",
                                          "\\ud800",  "\\udc00",      "\\u00e9",          "\\u2028",
                                          "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x8A", "\xEF\xBF\xBD"};
  if (m->string_count == 0) return;
  part text = m->strings[draw(l, m->string_count)];
  size_t at = text.begin + draw(l, text.end - text.begin + 1);
  if (draw(l, 2) == 0 && at < text.end && l->data[at] >= 0x20 && l->data[at] < 0x7F && l->data[at] != '\\') {
    char written[8];
    snprintf(written, sizeof written, "\\u%04x", l->data[at]);
    replace(l, (part){at, at + 1}, written, 6);
  } else {
    const char *chosen = with_care[draw(l, sizeof with_care / sizeof *with_care)];
    replace(l, (part){at, at}, chosen, strlen(chosen));
  }
}

/* Where the member begins, or the end of its name, that has this value; 0 where it does not. */
static size_t key_of(const line *l, size_t value, const char *key) {
  size_t length = strlen(key);
  while (value > 0 && l->data[value - 1] == ' ') value--;
  if (value == 0 || l->data[--value] != ':') return 0;
  while (value > 0 && l->data[value - 1] == ' ') value--;
  return value >= length && memcmp(l->data + value - length, key, length) == 0 ? value - length : 0;
}

static size_t append(char *to, size_t at, const void *bytes, size_t length) {
  if (at + length > NEW) return NEW + 1;
  memcpy(to + at, bytes, length);
  return at + length;
}

/* `"text":"…"`, or, where a character is cut, `"hex":"…"`. */
static size_t append_text(char *to, size_t at, const uint8_t *text, size_t length, bool hex) {
  at = append(to, at, hex ? "\"hex\":\"" : "\"text\":\"", hex ? 7 : 8);
  for (size_t i = 0; i < length && at <= NEW && hex; i++) {
    char digits[3];
    snprintf(digits, sizeof digits, "%02x", text[i]);
    at = append(to, at, digits, 2);
  }
  if (at <= NEW && !hex) at = append(to, at, text, length);
  return at > NEW ? at : append(to, at, "\"", 1);
}

/* A token becomes two that have its text between them, cut anywhere, in a character too. */
static void split_token(line *l, const marks *m) {
  size_t found = 0, chosen = 0;
  for (size_t s = 0; s < m->string_count; s++)
    if (key_of(l, m->strings[s].begin - 1, "\"text\"") > 0 && draw(l, ++found) == 0) chosen = s;
  if (found == 0) return;
  part text = m->strings[chosen], object = {m->objects[chosen].begin, 0};
  size_t length = text.end - text.begin;
  object.end = element_end(l, object.begin);
  if (memchr(l->data + text.begin, '\\', length) != NULL || l->data[object.begin] != '{' || object.end <= text.end)
    return;
  part before = {object.begin, key_of(l, text.begin - 1, "\"text\"")}, after = {text.end + 1, object.end};
  const uint8_t *bytes = l->data + text.begin;
  size_t cut = draw(l, length + 1);
  bool hex = cut < length && (bytes[cut] & 0xC0) == 0x80;
  char made[NEW];
  size_t at = 0;
  for (int half = 0; half < 2 && at <= NEW; half++) {
    if (half == 1) at = append(made, at, ",", 1);
    if (at <= NEW) at = append(made, at, l->data + before.begin, before.end - before.begin);
    if (at <= NEW) at = append_text(made, at, half == 0 ? bytes : bytes + cut, half == 0 ? cut : length - cut, hex);
    if (at <= NEW) at = append(made, at, l->data + after.begin, after.end - after.begin);
  }
  if (at <= NEW) replace(l, object, made, at);
}

/* A stop grows by its own prefix; or, where there is none, another string does. */
static void extend(line *l, const marks *m) {
  size_t found = 0, chosen = 0, stop = l->size;
  for (size_t s = 0; s < m->string_count; s++) {
    part text = m->strings[s];
    if (text.end - text.begin == 4 && memcmp(l->data + text.begin, "stop", 4) == 0) stop = element_end(l, text.end + 2);
    if (text.end < stop && stop < l->size && text.begin + 4 < stop && draw(l, ++found) == 0) chosen = s;
  }
  if (found == 0 && m->string_count > 0) chosen = draw(l, m->string_count);
  if (m->string_count == 0) return;
  part text = m->strings[chosen];
  size_t length = text.end - text.begin < 64 ? text.end - text.begin : 64;
  uint8_t prefix[64];
  memcpy(prefix, l->data + text.begin, length);
  replace(l, (part){text.end, text.end}, prefix, draw(l, length + 1));
}

/* A number goes one up or down, or to a border; half of the time one whose member has to do with steps. */
static void change_number(line *l, const marks *m) {
  static const char *const borders[] = {"0", "1", "2", "8", "63", "64", "65", "2147483647", "2147483648", "1.5", "-1"};
  if (m->number_count == 0) return;
  size_t found = 0;
  part number = m->numbers[draw(l, m->number_count)];
  bool of_steps = draw(l, 2) == 0;
  for (size_t n = 0; n < m->number_count && of_steps; n++)
    if ((key_of(l, m->numbers[n].begin, "_step\"") > 0 || key_of(l, m->numbers[n].begin, "_steps\"") > 0) &&
        draw(l, ++found) == 0)
      number = m->numbers[n];
  if (number.end - number.begin < 9 && draw(l, 4) != 0) {
    char written[16];
    unsigned value = 0;
    for (size_t i = number.begin; i < number.end; i++) value = value * 10 + (l->data[i] - (unsigned)'0');
    value = draw(l, 2) == 0 || value == 0 ? value + 1 : value - 1;
    replace(l, number, written, (size_t)snprintf(written, sizeof written, "%u", value));
  } else {
    const char *border = borders[draw(l, sizeof borders / sizeof *borders)];
    replace(l, number, border, strlen(border));
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  static marks m; /* static for its size: all that is read was written before */
  line l = {data, size - 1, max_size - 1, seed};
  if (size < 2 || max_size < size || draw(&l, 2) == 0) return LLVMFuzzerMutate(data, size, max_size);
  uint8_t strict = data[size - 1];
  look(&l, &m);
  switch (draw(&l, 8)) {
  case 0:
    swap(&l, &m);
    break;
  case 1:
    move(&l, &m);
    break;
  case 2:
    move_step(&l);
    break;
  case 3:
    escape(&l, &m);
    break;
  case 4:
  case 5:
    split_token(&l, &m);
    break;
  case 6:
    extend(&l, &m);
    break;
  case 7:
    change_number(&l, &m);
    break;
  }
  data[l.size] = strict;
  return l.size + 1;
}
