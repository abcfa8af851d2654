#include "batch.h"

static void copy_row(uint8_t *rows, uint32_t place, const uint8_t *from, uint32_t row_bytes) {
  for (uint32_t j = 0; j < row_bytes; j++) rows[place * row_bytes + j] = from[j];
}

es_status es_batch_add(es_batch *b, uint32_t lane, const uint8_t *row) {
  if (b->count >= b->capacity) return ES_FULL;
  b->lanes[b->count] = lane;
  copy_row(b->rows, b->count, row, b->row_bytes);
  b->count++;
  return ES_OK;
}

es_status es_batch_compact(es_batch *b, const bool *ended) {
  if (b->retired_count > 0) return ES_MISUSE;
  uint32_t kept = 0;
  uint32_t gone = 0;
  for (uint32_t p = 0; p < b->count; p++) {
    const uint8_t *row = b->rows + p * b->row_bytes;
    if (ended[p]) {
      b->retired[gone] = b->lanes[p];
      copy_row(b->retired_rows, gone, row, b->row_bytes);
      gone++;
    } else {
      if (kept < p) {
        b->lanes[kept] = b->lanes[p];
        copy_row(b->rows, kept, row, b->row_bytes);
      }
      kept++;
    }
  }
  b->count = kept;
  b->retired_count = gone;
  return ES_OK;
}

void es_batch_flushed(es_batch *b) {
  b->retired_count = 0;
}
