/* Members of objects: which are there, which are there twice, which nobody knows; and how a fault in one is told. */
#include <stdarg.h>
#include <stdlib.h>

#include "reader_parts.h"

bool es_reader_no_memory(es_reader *r) {
  r->no_memory = true;
  return false;
}

bool es_vector_reserve(es_reader *r, es_vector_name name, size_t size, size_t more) {
  es_vector *vector = &r->vectors[name];
  if (more <= vector->capacity - vector->count) return true;
  size_t capacity = 2 * vector->capacity > vector->count + more ? 2 * vector->capacity : vector->count + more + 16;
  void *data = realloc(vector->data, size * capacity);
  if (!data) return es_reader_no_memory(r);
  vector->data = data;
  vector->capacity = capacity;
  return true;
}

bool es_reader_bad(es_reader *r, size_t place, const char *format, ...) {
  va_list arguments;
  es_json_path(&r->json, place, r->bad->member, sizeof r->bad->member);
  va_start(arguments, format);
  vsnprintf(r->bad->message, sizeof r->bad->message, format, arguments);
  va_end(arguments);
  return false;
}

bool es_reader_expected(es_reader *r, size_t place, const char *what) {
  char found[80];
  es_json_found(&r->json, place, found, sizeof found);
  return es_reader_bad(r, place, "expected %s, found %s", what, found);
}

bool es_reader_missing(es_reader *r, size_t object, const char *name, const char *what) {
  es_reader_bad(r, object, "expected %s, found nothing", what);
  es_json_member_path(&r->json, object, name, r->bad->member, sizeof r->bad->member);
  return false;
}

bool es_reader_is_object(es_reader *r, size_t place) {
  return es_json_type_at(&r->json, place) == ES_JSON_OBJECT || es_reader_expected(r, place, "an object");
}

static uint64_t hash(uint64_t seed, es_span text) {
  uint64_t h = (seed ^ 0xCBF29CE484222325u) * 0x9E3779B97F4A7C15u;
  for (size_t i = 0; i < text.length; i++) h = (h ^ (unsigned char)text.data[i]) * 0x100000001B3u;
  return h ^ h >> 29;
}

static bool grow_names(es_reader *r) {
  size_t capacity = r->name_capacity ? 2 * r->name_capacity : 64;
  es_name_slot *slots = calloc(capacity, sizeof *slots);
  if (!slots) return es_reader_no_memory(r);
  for (size_t i = 0; i < r->name_capacity; i++) {
    if (r->names[i].generation != r->generation) continue;
    size_t at = hash(r->names[i].object, es_json_text_at(&r->json, r->names[i].name)) & (capacity - 1);
    while (slots[at].generation) at = (at + 1) & (capacity - 1);
    slots[at] = r->names[i];
  }
  free(r->names);
  r->names = slots;
  r->name_capacity = capacity;
  return true;
}

/* Remembers a name of an object; *doubled when the object has had it before. */
static bool remember(es_reader *r, size_t object, size_t name, bool *doubled) {
  if (2 * r->name_count >= r->name_capacity && !grow_names(r)) return false;
  es_span text = es_json_text_at(&r->json, name);
  size_t mask = r->name_capacity - 1, at = hash(object, text) & mask;
  for (; r->names[at].generation == r->generation; at = (at + 1) & mask) {
    *doubled = r->names[at].object == object && es_span_same(text, es_json_text_at(&r->json, r->names[at].name));
    if (*doubled) return true;
  }
  r->names[at] = (es_name_slot){r->generation, object, name};
  r->name_count++;
  return true;
}

/* Looks for doubled names in a value that is not otherwise read. */
static bool search(es_reader *r, size_t place, es_oddities *oddities) {
  const es_json *json = &r->json;
  size_t open[ES_JSON_DEPTH + 1], depth = 0;
  bool name = false; /* whether a name comes next */
  for (size_t at = place, end = es_json_after(json, place); at < end && !oddities->doubled;) {
    es_json_type type = es_json_type_at(json, at);
    if (name && type == ES_JSON_TEXT) {
      bool doubled = false;
      if (!remember(r, open[depth - 1], at, &doubled)) return false;
      if (doubled) oddities->doubled = at;
      name = false;
      at++;
      continue;
    }
    if (type == ES_JSON_LIST || type == ES_JSON_OBJECT)
      open[depth++] = at;
    else if (type == ES_JSON_LIST_END || type == ES_JSON_OBJECT_END)
      depth--;
    at = type == ES_JSON_LIST || type == ES_JSON_OBJECT ? at + 1 : es_json_after(json, at);
    name = depth > 0 && es_json_type_at(json, open[depth - 1]) == ES_JSON_OBJECT;
  }
  return true;
}

/* Notes an unknown name for es_reader_unknown. */
static bool note(es_reader *r, const es_shape *shape, es_span name) {
  uint64_t h = hash((uintptr_t)shape, name);
  for (size_t i = 0; i < r->unknown_count; i++)
    if (r->unknown[i].hash == h) return true;
  if (r->unknown_count == ES_UNKNOWN_NAMES) return true;
  size_t before = strlen(shape->path), room = before + 160;
  char *text = malloc(room);
  if (!text) return es_reader_no_memory(r);
  memcpy(text, shape->path, before);
  es_json_copy(text + before, room - before, name);
  r->unknown[r->unknown_count++] = (es_unknown_name){h, text};
  return true;
}

const char *es_reader_unknown(es_reader *r) {
  return r->unknown_reported < r->unknown_count ? r->unknown[r->unknown_reported++].text : NULL;
}

bool es_reader_find(es_reader *r, size_t object, const es_shape *shape, size_t *found, es_oddities *oddities) {
  const es_json *json = &r->json;
  *oddities = (es_oddities){0};
  for (size_t i = 0; i < shape->count; i++) found[i] = ES_JSON_ABSENT;
  for (size_t at = object + 1, end = es_json_end(json, object), value; at < end; at = es_json_after(json, value)) {
    es_span name = es_json_text_at(json, at);
    size_t i = 0;
    value = at + 1;
    while (i < shape->count &&
           (name.length != shape->names[i].length || memcmp(name.data, shape->names[i].text, name.length) != 0))
      i++;
    if (i < shape->count) {
      if (found[i] && !oddities->doubled) oddities->doubled = at;
      if (found[i]) oddities->doubled_known |= (uint32_t)1 << i;
      found[i] = value;
      continue;
    }
    bool doubled = false, any = shape->path == NULL;
    if (!remember(r, object, at, &doubled) || !(any || note(r, shape, name)) || !search(r, value, oddities))
      return false;
    if (doubled && !oddities->doubled) oddities->doubled = at;
    if (any) continue;
    if (!oddities->unknown) oddities->unknown = at;
    if (es_json_given(json, value)) oddities->unknown_given = true;
  }
  return true;
}

static bool found_twice(es_reader *r, size_t name) {
  return es_reader_bad(r, name, "expected each member once, found it twice");
}

bool es_reader_unread(es_reader *r, size_t place) {
  es_oddities oddities = {0};
  return search(r, place, &oddities) && (!oddities.doubled || found_twice(r, oddities.doubled));
}

bool es_reader_members(es_reader *r, size_t object, const es_shape *shape, size_t *found) {
  es_oddities oddities;
  if (!es_reader_is_object(r, object) || !es_reader_find(r, object, shape, found, &oddities)) return false;
  if (oddities.doubled) return found_twice(r, oddities.doubled);
  if (oddities.unknown && r->options.strict)
    return es_reader_bad(r, oddities.unknown, "expected known members only, found this one");
  return true;
}
