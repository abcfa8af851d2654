/* buffer: bytes that grow. The one place where the oracle appends text. */
#ifndef ES_ORACLE_BUFFER_H
#define ES_ORACLE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as {0}. `failed` stays set once memory ran out; appending is then without effect. */
typedef struct {
  char *data;
  size_t length;
  size_t capacity;
  bool failed;
} es_buffer;

void es_buffer_clear(es_buffer *buffer); /* empty again, memory kept */
void es_buffer_free(es_buffer *buffer);
/* What a part lacks because memory ran out, the whole lacks too. */
static inline void es_buffer_fail_with(es_buffer *whole, const es_buffer *part) {
  whole->failed |= part->failed;
}
void es_buffer_bytes(es_buffer *buffer, const void *bytes, size_t length);
void es_buffer_text(es_buffer *buffer, const char *text);
void es_buffer_number(es_buffer *buffer, uint64_t number);
void es_buffer_format(es_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `bytes` as a JSON string with its quotes; they must be UTF-8. */
void es_buffer_json_string(es_buffer *buffer, const void *bytes, size_t length);
/* `bytes` as {"hex":"…"}. */
void es_buffer_json_hex(es_buffer *buffer, const void *bytes, size_t length);

#endif
