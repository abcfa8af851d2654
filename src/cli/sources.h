/* sources: what a verb reads, and how; the part of the command line that the verbs share. */
#ifndef ES_CLI_SOURCES_H
#define ES_CLI_SOURCES_H

#include <argp.h>
#include <stdbool.h>

#include "shelf.h"

typedef struct {
  char **files; /* `-` is standard input, and what is read where none is named */
  int file_count;
  bool strict;
  const char *vocab_path;
  es_vocab *vocab;
  es_shelf *shelf;
} es_sources;

/* Options and arguments, as a child of the verb's parser; its input is an es_sources of zeroes. */
extern const struct argp es_sources_argp;

/* Reads the vocabulary that was named. False, after a message, where that is not possible. */
bool es_sources_open(es_sources *sources);
void es_sources_close(es_sources *sources);

#endif
