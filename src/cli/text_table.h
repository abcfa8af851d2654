/* text_table: tables for people, the one printer of all verbs.
 *
 * Cells are cleaned (text.h), columns are as wide as their widest cell on a terminal. */
#ifndef ES_CLI_TEXT_TABLE_H
#define ES_CLI_TEXT_TABLE_H

#include "buffer.h"

typedef struct {
  const char *title;
  bool right;  /* numbers stand at the right */
  size_t most; /* columns it may take; what is longer ends in `…`; 0: any */
} es_text_column;

/* Starts as {.columns = …, .count = …}; cells are given row by row. */
typedef struct {
  const es_text_column *columns;
  size_t count;
  es_buffer cells; /* each ended by a zero, which no cleaned text has in it */
  size_t cell_count;
} es_text_table;

void es_text_table_cell(es_text_table *table, const char *bytes, size_t length);
void es_text_table_number(es_text_table *table, uint64_t number);

/* Appends the table and forgets its rows; nothing if there are none. */
void es_text_table_print(es_text_table *table, es_buffer *out, bool colour);
void es_text_table_free(es_text_table *table);

#endif
