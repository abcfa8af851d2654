/* repair: what is wrong with a line that the parser refused, and what can be read of it all the same (R13).
 *
 * A lone surrogate escape, bytes that are no UTF-8 and a number beyond every machine type are faults of one value: inside
 * `request` they refuse the request and do not spoil the line. Each is replaced, at the same length, by something
 * harmless, and its place on the tape is noted. */
#ifndef ES_JSON_REPAIR_H
#define ES_JSON_REPAIR_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { ES_ILL_SURROGATE, ES_ILL_BYTES, ES_ILL_NUMBER } es_ill_kind;

typedef struct {
  size_t place;  /* of the value or name on the tape that the repaired line has (json.h) */
  size_t offset; /* of the first thing wrong in it, in bytes of the line */
  es_ill_kind kind;
} es_ill;

/* In the order of the line. Starts as zeroes; `count` is set anew by each repair. */
typedef struct {
  es_ill *ills;
  size_t count;
  size_t capacity;
} es_ills;

typedef enum {
  ES_REPAIR_DONE,   /* the line is JSON now */
  ES_REPAIR_SYNTAX, /* it is none: `fault` says where and why */
  ES_REPAIR_NO_MEMORY
} es_repair_outcome;

typedef struct {
  size_t offset;       /* bytes of the line before the fault */
  const char *message; /* what was expected */
} es_syntax_fault;

/* The byte after the line must be readable and may be no digit. */
es_repair_outcome es_json_repair(char *line, size_t length, es_ills *ills, es_syntax_fault *fault);

/* A sentence on what is wrong with a value. */
const char *es_ill_message(es_ill_kind kind);

/* The first ill value in the places [from, to), or NULL. */
const es_ill *es_ill_within(const es_ills *ills, size_t from, size_t to);

/* The bytes of the well-formed character (Unicode 3.9, table 3-7) that `text` begins with; 0: it begins with none. */
size_t es_character_length(const char *text, size_t length);

#endif
