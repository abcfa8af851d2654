/* How a place in JSON, and what stands there, is told. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "json.h"
#include "repair.h"

void es_json_copy(char *out, size_t room, es_span text) {
  size_t length = 0, character;
  while (length < text.length && (character = es_character_length(text.data + length, text.length - length)) > 0 &&
         length + character < room) {
    for (size_t i = 0; i < character; i++)
      out[length + i] = (unsigned char)text.data[length + i] < 0x20 ? '?' : text.data[length + i];
    length += character;
  }
  out[length] = '\0';
}

/* Appends one part of a path. */
static void append(char *out, size_t room, const char *before, es_span text) {
  size_t length = strlen(out);
  if (text.length == 0 || length + strlen(before) >= room) return;
  memcpy(out + length, before, strlen(before) + 1);
  length += strlen(before);
  es_json_copy(out + length, room - length, text);
}

void es_json_path(const es_json *json, size_t place, char *out, size_t room) {
  size_t at = ES_JSON_TOP;
  out[0] = '\0';
  while (at != place) {
    bool list = es_json_type_at(json, at) == ES_JSON_LIST;
    size_t end = es_json_end(json, at), index = 0, next, value;
    if (!list && es_json_type_at(json, at) != ES_JSON_OBJECT) return;
    for (at++; at < end; at = next, index++) {
      value = list ? at : at + 1;
      next = es_json_after(json, value);
      if (place < next) break;
    }
    if (at >= end) return;
    if (list) {
      char number[32];
      int length = snprintf(number, sizeof number, "[%zu]", index);
      append(out, room, "", (es_span){number, (size_t)length});
    } else {
      append(out, room, out[0] ? "." : "", es_json_text_at(json, at));
      if (place == at) return;
    }
    at = value;
  }
}

void es_json_found(const es_json *json, size_t place, char *out, size_t room) {
  char text[24];
  switch (es_json_type_at(json, place)) {
  case ES_JSON_TEXT:
    es_json_copy(text, sizeof text, es_json_text_at(json, place));
    snprintf(out, room, "the text \"%s%s\"", text, strlen(text) < es_json_text_at(json, place).length ? "…" : "");
    return;
  case ES_JSON_LIST:
    snprintf(out, room, "a list");
    return;
  case ES_JSON_OBJECT:
    snprintf(out, room, "an object");
    return;
  case ES_JSON_INTEGER:
    snprintf(out, room, "the number %" PRId64, es_json_integer_at(json, place));
    return;
  case ES_JSON_LARGE:
    snprintf(out, room, "the number %" PRIu64, json->tape[place + 1]);
    return;
  case ES_JSON_REAL:
    snprintf(out, room, "a number with a fraction or an exponent");
    return;
  case ES_JSON_TRUE:
    snprintf(out, room, "true");
    return;
  case ES_JSON_FALSE:
    snprintf(out, room, "false");
    return;
  default:
    snprintf(out, room, "null");
    return;
  }
}

void es_json_member_path(const es_json *json, size_t object, const char *name, char *out, size_t room) {
  es_json_path(json, object, out, room);
  append(out, room, out[0] ? "." : "", es_span_of(name));
}
