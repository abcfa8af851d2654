#include "repair.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* What may come next. */
typedef enum { EXPECT_VALUE, EXPECT_VALUE_OR_END, EXPECT_NAME, EXPECT_NAME_OR_END, EXPECT_COLON, EXPECT_NEXT } expected;

typedef struct {
  char *line;
  size_t length;
  size_t at;    /* the next byte */
  size_t place; /* the next place on the tape */
  size_t depth;
  char brackets[ES_JSON_DEPTH]; /* the brackets that are open */
  es_ills *ills;
  es_syntax_fault *fault;
  bool no_memory;
} scanner;

const char *es_ill_message(es_ill_kind kind) {
  switch (kind) {
  case ES_ILL_SURROGATE:
    return "expected UTF-8 text, found a lone surrogate escape, which is no character";
  case ES_ILL_BYTES:
    return "expected UTF-8 text, found bytes that are no UTF-8";
  default:
    return "expected a whole number, found one beyond every machine number";
  }
}

const es_ill *es_ill_within(const es_ills *ills, size_t from, size_t to) {
  size_t low = 0, high = ills->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ills->ills[middle].place < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low < ills->count && ills->ills[low].place < to ? &ills->ills[low] : NULL;
}

size_t es_character_length(const char *text, size_t length) {
  const unsigned char *b = (const unsigned char *)text;
  if (length == 0) return 0;
  if (b[0] < 0x80) return 1;
  size_t wanted = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
  if (b[0] < 0xC2 || b[0] > 0xF4 || length < wanted) return 0;
  unsigned low = b[0] == 0xE0 ? 0xA0 : b[0] == 0xF0 ? 0x90 : 0x80;
  unsigned high = b[0] == 0xED ? 0x9F : b[0] == 0xF4 ? 0x8F : 0xBF;
  if (b[1] < low || b[1] > high) return 0;
  for (size_t i = 2; i < wanted; i++)
    if ((b[i] & 0xC0) != 0x80) return 0;
  return wanted;
}

static bool syntax(scanner *s, size_t offset, const char *message) {
  *s->fault = (es_syntax_fault){offset, message};
  return false;
}

/* Notes that the value or name at the present place is ill; once for each. */
static bool ill(scanner *s, size_t offset, es_ill_kind kind) {
  es_ills *ills = s->ills;
  if (ills->count > 0 && ills->ills[ills->count - 1].place == s->place) return true;
  if (ills->count == ills->capacity) {
    size_t capacity = ills->capacity ? 2 * ills->capacity : 16;
    es_ill *grown = realloc(ills->ills, capacity * sizeof *grown);
    if (!grown) {
      s->no_memory = true;
      return false;
    }
    ills->ills = grown;
    ills->capacity = capacity;
  }
  ills->ills[ills->count++] = (es_ill){s->place, offset, kind};
  return true;
}

/* The value of four hexadecimal digits, or -1. */
static int32_t four_digits(const scanner *s, size_t at) {
  int32_t value = 0;
  if (s->length - at < 4) return -1;
  for (size_t i = at; i < at + 4; i++) {
    char c = s->line[i];
    int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
    if (digit < 0) return -1;
    value = 16 * value + digit;
  }
  return value;
}

/* An escape; `at` is at its backslash. */
static bool escape(scanner *s) {
  size_t start = s->at;
  if (s->length - start < 2 || !strchr("\"\\/bfnrtu", s->line[start + 1]) || s->line[start + 1] == '\0')
    return syntax(s, start, "expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
  s->at += 2;
  if (s->line[start + 1] != 'u') return true;
  int32_t unit = four_digits(s, s->at);
  if (unit < 0) return syntax(s, start, "expected four hexadecimal digits after \\u");
  s->at += 4;
  if (unit < 0xD800 || unit > 0xDFFF) return true;
  if (unit < 0xDC00 && s->length - s->at >= 6 && s->line[s->at] == '\\' && s->line[s->at + 1] == 'u') {
    int32_t second = four_digits(s, s->at + 2);
    if (second >= 0xDC00 && second <= 0xDFFF) {
      s->at += 6;
      return true;
    }
  }
  memcpy(s->line + start + 2, "fffd", 4);
  return ill(s, start, ES_ILL_SURROGATE);
}

/* A text or name; `at` is at its first quote. */
static bool text(scanner *s) {
  size_t start = s->at++;
  while (s->at < s->length) {
    unsigned char byte = (unsigned char)s->line[s->at];
    if (byte == '"') {
      s->at++;
      s->place++;
      return true;
    }
    if (byte == '\\') {
      if (!escape(s)) return false;
    } else if (byte < 0x20) {
      return syntax(s, s->at, "expected \\u and four digits instead of a control character within a text");
    } else {
      size_t length = es_character_length(s->line + s->at, s->length - s->at);
      if (length == 0) {
        s->line[s->at] = '?';
        if (!ill(s, s->at, ES_ILL_BYTES)) return false;
        length = 1;
      }
      s->at += length;
    }
  }
  return syntax(s, start, "expected a quote that ends this text");
}

static size_t digits(const scanner *s, size_t at) {
  size_t first = at;
  while (at < s->length && s->line[at] >= '0' && s->line[at] <= '9') at++;
  return at - first;
}

/* Whether a machine type holds the number, written from `start` to `end`. */
static bool holds(const scanner *s, size_t start, size_t end, bool whole) {
  if (!whole) return isfinite(strtod(s->line + start, NULL));
  bool negative = s->line[start] == '-';
  uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : UINT64_MAX, value = 0;
  for (size_t i = start + negative; i < end; i++) {
    uint64_t digit = (uint64_t)(s->line[i] - '0');
    if (value > (most - digit) / 10) return false;
    value = 10 * value + digit;
  }
  return true;
}

static bool number(scanner *s) {
  size_t start = s->at, at = start + (s->line[start] == '-');
  size_t count = digits(s, at);
  if (count == 0 || (count > 1 && s->line[at] == '0'))
    return syntax(s, start, "expected a number without needless zeros");
  at += count;
  bool whole = true;
  if (at < s->length && s->line[at] == '.') {
    count = digits(s, at + 1);
    if (count == 0) return syntax(s, start, "expected digits after the point of this number");
    at += 1 + count;
    whole = false;
  }
  if (at < s->length && (s->line[at] == 'e' || s->line[at] == 'E')) {
    at++;
    if (at < s->length && (s->line[at] == '+' || s->line[at] == '-')) at++;
    count = digits(s, at);
    if (count == 0) return syntax(s, start, "expected digits in the exponent of this number");
    at += count;
    whole = false;
  }
  if (!holds(s, start, at, whole)) {
    s->line[start] = '0';
    memset(s->line + start + 1, ' ', at - start - 1);
    if (!ill(s, start, ES_ILL_NUMBER)) return false;
  }
  s->at = at;
  s->place += 2;
  return true;
}

static bool literal(scanner *s) {
  static const char *const words[] = {"true", "false", "null"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (s->length - s->at < length || memcmp(s->line + s->at, words[i], length) != 0) continue;
    s->at += length;
    s->place++;
    return true;
  }
  return syntax(s, s->at, "expected a value");
}

/* A value, or its opening bracket. Says what comes after it. */
static bool value(scanner *s, expected *next) {
  char byte = s->line[s->at];
  *next = EXPECT_NEXT;
  if (byte == '"') return text(s);
  if (byte == '-' || (byte >= '0' && byte <= '9')) return number(s);
  if (byte != '[' && byte != '{') return literal(s);
  if (s->depth == ES_JSON_DEPTH) return syntax(s, s->at, "expected no more than 256 brackets within one another");
  s->brackets[s->depth++] = byte;
  s->at++;
  s->place++;
  *next = byte == '[' ? EXPECT_VALUE_OR_END : EXPECT_NAME_OR_END;
  return true;
}

/* A closing bracket, if the byte is the one that is due. */
static bool closes(scanner *s) {
  if (s->depth == 0 || s->line[s->at] != (s->brackets[s->depth - 1] == '[' ? ']' : '}')) return false;
  s->depth--;
  s->at++;
  s->place++;
  return true;
}

static bool part(scanner *s, expected *next) {
  char byte = s->line[s->at];
  switch (*next) {
  case EXPECT_VALUE_OR_END:
  case EXPECT_NAME_OR_END:
    if (closes(s)) {
      *next = EXPECT_NEXT;
      return true;
    }
    if (*next == EXPECT_VALUE_OR_END) return value(s, next);
    /* fall through */
  case EXPECT_NAME:
    if (byte != '"') return syntax(s, s->at, "expected the name of a member, in quotes");
    *next = EXPECT_COLON;
    return text(s);
  case EXPECT_COLON:
    if (byte != ':') return syntax(s, s->at, "expected a colon after the name of a member");
    s->at++;
    *next = EXPECT_VALUE;
    return true;
  case EXPECT_NEXT:
    if (s->depth == 0) return syntax(s, s->at, "expected the end of the line after the value");
    if (closes(s)) return true;
    if (byte != ',') return syntax(s, s->at, "expected a comma or a closing bracket");
    s->at++;
    *next = s->brackets[s->depth - 1] == '[' ? EXPECT_VALUE : EXPECT_NAME;
    return true;
  default:
    return value(s, next);
  }
}

es_repair_outcome es_json_repair(char *line, size_t length, es_ills *ills, es_syntax_fault *fault) {
  scanner s = {.line = line, .length = length, .place = ES_JSON_TOP, .ills = ills, .fault = fault};
  expected next = EXPECT_VALUE;
  ills->count = 0;
  while (s.at < length) {
    if (strchr(" \t\r\n", line[s.at]) && line[s.at] != '\0') {
      s.at++;
      continue;
    }
    if (!part(&s, &next)) return s.no_memory ? ES_REPAIR_NO_MEMORY : ES_REPAIR_SYNTAX;
  }
  if (s.depth == 0 && next == EXPECT_NEXT) return ES_REPAIR_DONE;
  *fault = (es_syntax_fault){length, "expected more; the line ends too early"};
  return ES_REPAIR_SYNTAX;
}
