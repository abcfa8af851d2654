#include "text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum { MOST_COLUMNS = 8 };

void es_text_table_cell(es_text_table *table, const char *bytes, size_t length) {
  es_buffer *cells = &table->cells;
  size_t start = cells->length;
  size_t most = table->columns[table->cell_count++ % table->count].most;
  es_text_clean(cells, bytes, length);
  if (most > 0 && !cells->failed &&
      es_text_fit(cells->data + start, cells->length - start, most) < cells->length - start) {
    cells->length = start + es_text_fit(cells->data + start, cells->length - start, most - 1);
    es_buffer_text(cells, "…");
  }
  es_buffer_bytes(cells, "", 1);
}

void es_text_table_number(es_text_table *table, uint64_t number) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
  es_text_table_cell(table, digits, (size_t)length);
}

static void repeat(es_buffer *out, const char *what, size_t times) {
  for (size_t i = 0; i < times; i++) es_buffer_text(out, what);
}

static void print_cell(es_buffer *out, const char *cell, size_t width, bool right, bool last) {
  size_t room = width - es_text_width(cell, strlen(cell));
  if (right) repeat(out, " ", room);
  es_buffer_text(out, cell);
  if (!last) repeat(out, " ", right ? 2 : room + 2);
  while (last && out->length > 0 && out->data[out->length - 1] == ' ') out->length--;
  if (last) es_buffer_text(out, "\n");
}

void es_text_table_print(es_text_table *table, es_buffer *out, bool colour) {
  size_t widths[MOST_COLUMNS];
  size_t count = table->count < MOST_COLUMNS ? table->count : MOST_COLUMNS;
  es_buffer_fail_with(out, &table->cells);
  if (table->cells.length == 0 || table->cells.failed) return;
  const char *end = table->cells.data + table->cells.length;
  for (size_t c = 0; c < count; c++)
    widths[c] = es_text_width(table->columns[c].title, strlen(table->columns[c].title));
  size_t column = 0;
  for (const char *cell = table->cells.data; cell < end; cell += strlen(cell) + 1, column++) {
    size_t width = es_text_width(cell, strlen(cell));
    if (width > widths[column % count]) widths[column % count] = width;
  }
  if (colour) es_buffer_text(out, "\033[1m");
  for (size_t c = 0; c < count; c++) {
    print_cell(out, table->columns[c].title, widths[c], table->columns[c].right, c + 1 == count);
  }
  if (colour) es_buffer_text(out, "\033[0m");
  for (size_t c = 0; c < count; c++) {
    repeat(out, "─", widths[c]);
    es_buffer_text(out, c + 1 == count ? "\n" : "  ");
  }
  column = 0;
  for (const char *cell = table->cells.data; cell < end; cell += strlen(cell) + 1, column++) {
    size_t c = column % count;
    print_cell(out, cell, widths[c], table->columns[c].right, c + 1 == count);
  }
  es_buffer_clear(&table->cells);
  table->cell_count = 0;
}

void es_text_table_free(es_text_table *table) {
  es_buffer_free(&table->cells);
}
