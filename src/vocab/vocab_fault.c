/* How a fault in a vocabulary is told, and how its members are looked up. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "vocab_parts.h"

static void say(es_vocab_fault *fault, const char *format, va_list arguments) {
  vsnprintf(fault->message, sizeof fault->message, format, arguments);
}

/* Line and column of a byte, both from 1. */
static void find_line(const es_vocab_source *source, size_t offset, uint64_t *line, uint64_t *column) {
  const char *at = source->text, *end = source->text + offset, *newline;
  *line = 1;
  while (at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
    at = newline + 1;
    (*line)++;
  }
  *column = (uint64_t)(end - at) + 1;
}

bool es_vocab_bad_byte(const es_vocab_source *source, size_t offset, const char *format, ...) {
  va_list arguments;
  *source->fault = (es_vocab_fault){0};
  find_line(source, offset, &source->fault->line, &source->fault->column);
  va_start(arguments, format);
  say(source->fault, format, arguments);
  va_end(arguments);
  return false;
}

bool es_vocab_bad(const es_vocab_source *source, size_t place, const char *format, ...) {
  va_list arguments;
  *source->fault = (es_vocab_fault){0};
  if (source->json.tape)
    es_json_path(&source->json, place, source->fault->member, sizeof source->fault->member);
  else
    find_line(source, place, &source->fault->line, &source->fault->column);
  va_start(arguments, format);
  say(source->fault, format, arguments);
  va_end(arguments);
  return false;
}

bool es_vocab_expected(const es_vocab_source *source, size_t place, const char *what) {
  char found[80];
  es_json_found(&source->json, place, found, sizeof found);
  return es_vocab_bad(source, place, "expected %s, found %s", what, found);
}

bool es_vocab_missing(const es_vocab_source *source, size_t object, const char *name, const char *what) {
  es_vocab_bad(source, object, "expected %s, found nothing", what);
  es_json_member_path(&source->json, object, name, source->fault->member, sizeof source->fault->member);
  return false;
}

bool es_vocab_no_memory(es_vocab_fault *fault) {
  *fault = (es_vocab_fault){0};
  snprintf(fault->message, sizeof fault->message, "out of memory");
  return false;
}

#define LONGEST_PATH 100

void es_vocab_explain(const char *path, const es_vocab_fault *fault, char *out, size_t room) {
  char where[48] = "";
  /* Of a long path the end is told: the reason must stay in sight. */
  size_t length = strlen(path), cut = length > LONGEST_PATH ? length - LONGEST_PATH : 0;
  while (((unsigned char)path[cut] & 0xC0u) == 0x80u) cut++;
  if (fault->line > 0) snprintf(where, sizeof where, ":%" PRIu64 ":%" PRIu64, fault->line, fault->column);
  snprintf(out, room, "%s%s%s: %s%s%s", cut > 0 ? "…" : "", path + cut, where, fault->member,
           fault->member[0] != '\0' ? ": " : "", fault->message);
}

void es_vocab_place_words(const es_vocab_source *source, size_t place, char *out, size_t room) {
  if (source->json.tape) {
    es_json_path(&source->json, place, out, room);
    return;
  }
  uint64_t line, column;
  find_line(source, place, &line, &column);
  snprintf(out, room, "line %" PRIu64, line);
}

bool es_vocab_member(const es_vocab_source *source, size_t object, const char *name, size_t *value) {
  const es_json *json = &source->json;
  es_span wanted = es_span_of(name);
  bool seen = false;
  *value = ES_JSON_ABSENT;
  for (size_t at = object + 1, end = es_json_end(json, object); at < end; at = es_json_after(json, at + 1)) {
    if (!es_span_same(es_json_text_at(json, at), wanted)) continue;
    if (seen) return es_vocab_bad(source, at, "expected this member once, found it twice");
    seen = true;
    if (es_json_given(json, at + 1)) *value = at + 1;
  }
  return true;
}

bool es_vocab_need(const es_vocab_source *source, size_t object, const char *name, es_json_type type, const char *what,
                   size_t *value) {
  if (!es_vocab_member(source, object, name, value)) return false;
  if (*value == ES_JSON_ABSENT) return es_vocab_missing(source, object, name, what);
  if (es_json_type_at(&source->json, *value) != type) return es_vocab_expected(source, *value, what);
  return true;
}

bool es_vocab_number(const es_vocab_source *source, size_t place, const char *what, uint32_t *number) {
  bool whole = es_json_type_at(&source->json, place) == ES_JSON_INTEGER;
  int64_t value = whole ? es_json_integer_at(&source->json, place) : -1;
  if (value < 0 || value > INT32_MAX) return es_vocab_expected(source, place, what);
  *number = (uint32_t)value;
  return true;
}
