#include "input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "output.h"
#include "progress.h"

/* The folder of a file that is not in the working folder, or NULL: memory ran out. */
static char *folder_of(const char *name) {
  const char *slash = strrchr(name, '/');
  return strndup(name, slash == name ? 1 : (size_t)(slash - name));
}

bool es_input_open(es_input *input, const char *name, const es_sources *sources) {
  bool standard = strcmp(name, "-") == 0;
  *input = (es_input){.name = standard ? "<stdin>" : name, .file = standard ? stdin : fopen(name, "r")};
  struct stat about;
  if (input->file == NULL || fstat(fileno(input->file), &about) != 0) {
    es_message("%s: cannot be read: %s", input->name, strerror(errno));
    es_input_close(input);
    return false;
  }
  input->regular = S_ISREG(about.st_mode);
  input->size = input->regular && about.st_size > 0 ? (uint64_t)about.st_size : 0;
  input->strict = sources->strict;
  bool elsewhere = !standard && strchr(name, '/') != NULL;
  input->folder = elsewhere ? folder_of(name) : NULL;
  input->reader = es_reader_new(input->file, (es_reader_options){.strict = sources->strict,
                                                                 .folder = input->folder,
                                                                 .shelf = sources->shelf,
                                                                 .vocab = sources->vocab});
  if (input->reader == NULL || (elsewhere && input->folder == NULL)) {
    es_message("%s: cannot be read: memory ran out", input->name);
    es_input_close(input);
    return false;
  }
  es_output_begin(!input->regular);
  es_progress_begin(input->size);
  return true;
}

void es_input_close(es_input *input) {
  es_progress_end();
  es_reader_free(input->reader);
  free(input->folder);
  if (input->file != NULL && input->file != stdin) fclose(input->file);
  *input = (es_input){.name = input->name};
}

void es_input_report(const es_input *input, const es_bad_line *bad) {
  char column[24] = "";
  if (bad->column > 0) snprintf(column, sizeof column, ":%" PRIu64, bad->column);
  es_message("%s:%" PRIu64 "%s: %s%s%s", input->name, bad->line, column, bad->member,
             bad->member[0] != '\0' ? ": " : "", bad->message);
}

/* Once a file: a case none of whose tokens has bytes was most likely meant for a vocabulary. */
static void tell_of_bare_ids(es_input *input, const es_input_line *line) {
  if (input->told_of_bare_ids || line->c.token_count == 0) return;
  for (size_t t = 0; t < line->c.token_count; t++)
    if (line->c.tokens[t].bytes.length > 0) return;
  input->told_of_bare_ids = true;
  es_message("%s:%" PRIu64 ": steps: no token has bytes; where ids alone are given, name their vocabulary with --vocab",
             input->name, line->number);
}

bool es_input_next(es_input *input, es_input_line *line, bool *fault) {
  uint64_t before = es_reader_bytes(input->reader);
  errno = 0;
  line->kind = es_reader_next(input->reader, &line->c, &line->result, &line->has_result, &line->bad);
  line->race = es_reader_race(input->reader);
  line->number = es_reader_line_number(input->reader);
  line->bytes = es_reader_bytes(input->reader) - before;
  const char *unknown;
  while (!input->strict && (unknown = es_reader_unknown(input->reader)) != NULL) {
    es_message("%s:%" PRIu64 ": %s: not a member of this format, not looked at", input->name, line->number, unknown);
  }
  if (line->kind == ES_LINE_CASE) tell_of_bare_ids(input, line);
  es_progress_at(es_reader_bytes(input->reader));
  switch (line->kind) {
  case ES_LINE_CASE:
  case ES_LINE_RACE:
    return true;
  case ES_LINE_BAD:
    *fault = true;
    es_input_report(input, &line->bad);
    return true;
  case ES_LINE_ERROR:
    *fault = true;
    if (line->number > 0) {
      es_message("%s:%" PRIu64 ": %s", input->name, line->number, line->bad.message);
    } else {
      es_message("%s: %s", input->name, line->bad.message);
    }
    return false;
  case ES_LINE_END:
    break;
  }
  return false;
}
