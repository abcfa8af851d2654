/* input: the files a verb is given, read line by line as cases and recordings. */
#ifndef ES_CLI_INPUT_H
#define ES_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "reader.h"
#include "sources.h"

typedef struct {
  const char *name; /* for messages */
  FILE *file;
  bool regular;  /* a plain file: nobody waits for an answer to each line */
  uint64_t size; /* bytes, of a plain file */
  es_reader *reader;
  bool strict;
  bool told_of_bare_ids;
  char *folder; /* of the file: where the paths in it begin */
} es_input;

/* One line: a case or a race order, with a result if it is a recording, or what is wrong with it. */
typedef struct {
  es_line kind;
  es_case c;
  const es_race *race; /* of ES_LINE_RACE */
  es_result result;
  bool has_result;
  es_bad_line bad;
  uint64_t number; /* from 1 */
  uint64_t bytes;  /* of the line */
} es_input_line;

/* Opens a file, or standard input for `-`. False, after a message, if that is not possible. */
bool es_input_open(es_input *input, const char *name, const es_sources *sources);
void es_input_close(es_input *input);

/* The next line; reports unknown members, and bad lines and read errors as they are met. False at the end of the file;
 * `*fault` becomes true if something was at fault. */
bool es_input_next(es_input *input, es_input_line *line, bool *fault);

/* Says what is wrong with a line: `cases.jsonl:12:34: steps[3][0].id: expected …, found …`. */
void es_input_report(const es_input *input, const es_bad_line *bad);

#endif
