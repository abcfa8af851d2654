/* reader: cases, race orders, results and recordings from JSON Lines (spec/formats.md), one line at a time in constant memory. */
#ifndef ES_ORACLE_READER_H
#define ES_ORACLE_READER_H

#include <stdio.h>

#include "case.h"
#include "race.h"
#include "request.h"
#include "result.h"
#include "shelf.h"

typedef struct {
  bool strict;             /* unknown members are refused: in `request` a rejection, elsewhere a bad line */
  const es_bounds *bounds; /* how much a request may ask for; NULL: es_default_bounds */
  const char *folder;      /* where the paths of vocabularies begin that are not absolute; NULL: the working folder */
  es_shelf *shelf;         /* where vocabularies are kept, for several readers; NULL: the reader keeps its own */
  const es_vocab *vocab;   /* for lines that name none; NULL: none */
  size_t longest_line;     /* in bytes; 0: 1 GiB */
} es_reader_options;

typedef enum {
  ES_LINE_CASE, /* a case, with a result if it is a recording */
  ES_LINE_RACE, /* a race order: es_reader_race tells it; of the case only the id is there */
  ES_LINE_BAD,  /* the line is at fault; the next call goes on with the next line */
  ES_LINE_END,
  ES_LINE_ERROR /* the file cannot be read further, or memory ran out */
} es_line;

/* What is wrong with a line, and where. */
typedef struct {
  uint64_t line;     /* from 1 */
  uint64_t column;   /* byte in the line, from 1; 0 where only the member is known */
  char member[160];  /* `steps[3][0].id`; empty where the line is no JSON */
  char message[240]; /* what was expected and what was found */
} es_bad_line;

typedef struct es_reader es_reader;

/* Reads from `file`, which stays the caller's. NULL when memory ran out. */
es_reader *es_reader_new(FILE *file, es_reader_options options);
void es_reader_free(es_reader *reader);

/* The next line that is not empty. Case and result are valid until the next call; `has_result` tells whether the
 * case carries one (a recording). A line is handed out before the next one is waited for. */
es_line es_reader_next(es_reader *reader, es_case *c, es_result *result, bool *has_result, es_bad_line *bad);

/* The race order of the line last read, valid until the next one. */
const es_race *es_reader_race(const es_reader *reader);

/* The next unknown member seen and not yet reported (each name once a file), or NULL: `request.stops`. */
const char *es_reader_unknown(es_reader *reader);

/* The line number and the bytes of the line last read, for messages and progress. */
uint64_t es_reader_line_number(const es_reader *reader);
uint64_t es_reader_bytes(const es_reader *reader); /* bytes read so far */

#endif
