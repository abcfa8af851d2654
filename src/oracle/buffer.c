#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` bytes after the ones there are. */
static bool reserve(es_buffer *buffer, size_t more) {
  if (buffer->failed) return false;
  if (more <= buffer->capacity - buffer->length) return true;
  size_t capacity = buffer->capacity > 256 ? buffer->capacity : 256;
  while (capacity - buffer->length < more && capacity <= SIZE_MAX / 2) capacity *= 2;
  char *data = capacity - buffer->length < more ? NULL : realloc(buffer->data, capacity);
  if (!data) {
    buffer->failed = true;
    return false;
  }
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

void es_buffer_clear(es_buffer *buffer) {
  buffer->length = 0;
}

void es_buffer_free(es_buffer *buffer) {
  free(buffer->data);
  *buffer = (es_buffer){0};
}

void es_buffer_bytes(es_buffer *buffer, const void *bytes, size_t length) {
  if (length == 0 || !reserve(buffer, length)) return;
  memcpy(buffer->data + buffer->length, bytes, length);
  buffer->length += length;
}

void es_buffer_text(es_buffer *buffer, const char *text) {
  es_buffer_bytes(buffer, text, strlen(text));
}

void es_buffer_number(es_buffer *buffer, uint64_t number) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  es_buffer_bytes(buffer, digits + first, sizeof digits - first);
}

void es_buffer_format(es_buffer *buffer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) buffer->failed = true;
  if (length < 0 || !reserve(buffer, (size_t)length + 1)) return;
  va_start(arguments, format);
  vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  buffer->length += (size_t)length;
}

/* The letter after the backslash for bytes that JSON has a short escape for; 0 elsewhere. */
static char short_escape(unsigned char byte) {
  switch (byte) {
  case '"':
    return '"';
  case '\\':
    return '\\';
  case '\b':
    return 'b';
  case '\f':
    return 'f';
  case '\n':
    return 'n';
  case '\r':
    return 'r';
  case '\t':
    return 't';
  default:
    return 0;
  }
}

static const char hex_digits[] = "0123456789abcdef";

void es_buffer_json_string(es_buffer *buffer, const void *bytes, size_t length) {
  const unsigned char *from = bytes;
  /* No byte takes more than six; reserved once so that the loop need not ask. */
  if (length > (SIZE_MAX - 2) / 6) buffer->failed = true;
  if (buffer->failed || !reserve(buffer, 6 * length + 2)) return;
  char *out = buffer->data + buffer->length;
  *out++ = '"';
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = from[i];
    if (byte >= 0x20 && byte != '"' && byte != '\\') {
      *out++ = (char)byte;
      continue;
    }
    char letter = short_escape(byte);
    *out++ = '\\';
    if (letter) {
      *out++ = letter;
      continue;
    }
    memcpy(out, "u00", 3);
    out[3] = hex_digits[byte >> 4];
    out[4] = hex_digits[byte & 15];
    out += 5;
  }
  *out++ = '"';
  buffer->length = (size_t)(out - buffer->data);
}

void es_buffer_json_hex(es_buffer *buffer, const void *bytes, size_t length) {
  const unsigned char *from = bytes;
  es_buffer_text(buffer, "{\"hex\":\"");
  if (length > SIZE_MAX / 2) buffer->failed = true;
  if (buffer->failed || !reserve(buffer, 2 * length)) return;
  char *out = buffer->data + buffer->length;
  for (size_t i = 0; i < length; i++) {
    *out++ = hex_digits[from[i] >> 4];
    *out++ = hex_digits[from[i] & 15];
  }
  buffer->length += 2 * length;
  es_buffer_text(buffer, "\"}");
}
