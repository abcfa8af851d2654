/* result: what an engine did (spec/formats.md), as plain data: read from a recording, or made by the reference. */
#ifndef ES_ORACLE_RESULT_H
#define ES_ORACLE_RESULT_H

#include "case.h"

typedef enum { ES_REASON_ABSENT, ES_REASON_NULL, ES_REASON_TEXT, ES_REASON_ID, ES_REASON_IDS } es_stop_reason_kind;

/* One delta: its bytes. `valid` is false where they are no UTF-8 (written {"hex":…}). */
typedef struct {
  es_span bytes;
  bool valid;
} es_delta;

/* Every member an engine cannot tell is absent: has_… is false, or the span's data NULL. */
typedef struct {
  es_span id;          /* `case` */
  es_span unsupported; /* data not NULL: the engine does not support the case, and this is why */
  bool has_deltas;
  const es_delta *deltas;
  size_t delta_count;
  bool has_delta_steps;
  const uint64_t *delta_steps; /* delta_count entries */
  es_span text;
  bool text_valid; /* false where `text` was given as {"hex":…} */
  bool has_finish_reason;
  es_span finish_reason; /* data NULL with has_finish_reason: null, the lane is open */
  es_span cause;         /* the word of spec/formats.md */
  es_stop_reason_kind stop_reason_kind;
  es_span stop_reason;             /* ES_REASON_TEXT */
  const uint32_t *stop_reason_ids; /* ES_REASON_ID: one; ES_REASON_IDS */
  size_t stop_reason_count;
  bool has_tokens;
  uint64_t tokens;
  bool has_token_ids;
  const uint32_t *token_ids;
  size_t token_id_count;
  bool has_stop_index;
  uint64_t stop_index;
  bool has_terminal;
  uint64_t terminal_bytes;
  uint32_t terminal_crc32c;
  bool has_terminals;
  uint64_t terminals;
  es_span param;
  es_span message;
} es_result;

#endif
