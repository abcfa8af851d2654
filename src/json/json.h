/* json: one line of JSON as a tape of values, so that C reads what a fast parser in C++ has found.
 *
 * The tape is simdjson's (its doc/tape.md): one word a text, true, false, null, opening or closing bracket, two
 * words a number, in the order of the line. A place is an index into it. Word 0 is the root, so 0 can say "absent". */
#ifndef ES_JSON_JSON_H
#define ES_JSON_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "span.h"

/* Bytes after a text that the parser may look at; what they are does not matter. */
#define ES_JSON_PADDING 64
/* Brackets within brackets. */
#define ES_JSON_DEPTH 256
/* The place of the outermost value, and of a value that is not there. */
#define ES_JSON_TOP ((size_t)1)
#define ES_JSON_ABSENT ((size_t)0)

typedef enum {
  ES_JSON_TEXT = '"',
  ES_JSON_LIST = '[',
  ES_JSON_LIST_END = ']',
  ES_JSON_OBJECT = '{',
  ES_JSON_OBJECT_END = '}',
  ES_JSON_INTEGER = 'l', /* fits in int64_t */
  ES_JSON_LARGE = 'u',   /* an integer that fits in uint64_t only */
  ES_JSON_REAL = 'd',    /* written with a fraction or an exponent */
  ES_JSON_TRUE = 't',
  ES_JSON_FALSE = 'f',
  ES_JSON_NULL = 'n'
} es_json_type;

typedef struct {
  const uint64_t *tape;
  const uint8_t *texts;
} es_json;

typedef enum { ES_JSON_READ, ES_JSON_REFUSED, ES_JSON_NO_MEMORY } es_json_outcome;

typedef struct es_json_parser es_json_parser;

/* NULL when memory ran out. */
es_json_parser *es_json_parser_new(void);
void es_json_parser_free(es_json_parser *parser);

/* Reads one value with nothing but white space around it; ES_JSON_PADDING bytes after it must be readable. The tape is
 * valid until the next call. What is no JSON, or no UTF-8, or has a number or an escape that no machine type holds, is
 * refused without a word on where (repair.h finds that). */
es_json_outcome es_json_read(es_json_parser *parser, const char *text, size_t length, es_json *json);

static inline es_json_type es_json_type_at(const es_json *json, size_t place) {
  return (es_json_type)(json->tape[place] >> 56);
}

/* Whether a value is there; null is absent everywhere. */
static inline bool es_json_given(const es_json *json, size_t place) {
  return place != ES_JSON_ABSENT && es_json_type_at(json, place) != ES_JSON_NULL;
}

/* The place after the value. */
static inline size_t es_json_after(const es_json *json, size_t place) {
  switch (es_json_type_at(json, place)) {
  case ES_JSON_LIST:
  case ES_JSON_OBJECT:
    return (uint32_t)json->tape[place];
  case ES_JSON_INTEGER:
  case ES_JSON_LARGE:
  case ES_JSON_REAL:
    return place + 2;
  default:
    return place + 1;
  }
}

/* Where the elements of a list, or the names and values of an object, end; they begin at `place` + 1. */
static inline size_t es_json_end(const es_json *json, size_t place) {
  return es_json_after(json, place) - 1;
}

static inline es_span es_json_text_at(const es_json *json, size_t place) {
  const uint8_t *text = json->texts + (json->tape[place] & (UINT64_MAX >> 8));
  uint32_t length;
  memcpy(&length, text, sizeof length);
  es_span span = {(const char *)text + sizeof length, length};
  return span;
}

static inline int64_t es_json_integer_at(const es_json *json, size_t place) {
  int64_t number;
  memcpy(&number, &json->tape[place + 1], sizeof number);
  return number;
}

/* For messages (json_words.c). The path of a value or name, cut to fit: `steps[3][0].id`. */
void es_json_path(const es_json *json, size_t place, char *out, size_t room);
/* The path of a member of the object at `place`, there or not. */
void es_json_member_path(const es_json *json, size_t object, const char *name, char *out, size_t room);
/* What stands at a place: `the number -3`. */
void es_json_found(const es_json *json, size_t place, char *out, size_t room);
/* Copies text, cut at a character and cleared of control characters. */
void es_json_copy(char *out, size_t room, es_span text);

#endif
