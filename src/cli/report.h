/* report: how verdicts are told: to people, as a table of files, as JSON Lines, as JUnit XML. */
#ifndef ES_CLI_REPORT_H
#define ES_CLI_REPORT_H

#include "buffer.h"
#include "judge.h"
#include "reader.h"

/* A line of a file and its verdict; `bad` says what is wrong with an unreadable one. */
typedef struct {
  const char *file;
  uint64_t line;
  uint64_t bytes; /* of the line: the smallest example is the shortest */
  const es_verdict *verdict;
  const es_bad_line *bad;
} es_judged;

typedef struct {
  bool all; /* text: a sentence for every fault, however many there are of a kind */
} es_report_options;

/* One way to tell verdicts; each function appends to the output and may be called for many files. */
typedef struct {
  const char *name;
  void (*file_begins)(const char *file, es_report_options options);
  void (*judged)(const es_judged *judged);
  void (*file_ends)(void);
  void (*ends)(void); /* frees what is kept, too */
} es_report;

extern const es_report es_report_text;
extern const es_report es_report_table;
extern const es_report es_report_json;
extern const es_report es_report_junit;

/* Appends what is wrong as a sentence: `leak (R10) at step 4, byte 17: …`, with a second line after `indent` for what
 * was expected and what was found. The one printer of faults. */
void es_report_sentence(es_buffer *out, const es_finding *finding, const char *indent);

#endif
