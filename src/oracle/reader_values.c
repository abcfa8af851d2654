/* Values outside `request`: a fault in one makes the line bad. */
#include <inttypes.h>

#include "reader_parts.h"

bool es_reader_is_list(es_reader *r, size_t place) {
  return es_json_type_at(&r->json, place) == ES_JSON_LIST || es_reader_expected(r, place, "a list");
}

bool es_reader_text(es_reader *r, size_t place, es_span *out) {
  if (!es_json_given(&r->json, place)) return true;
  if (es_json_type_at(&r->json, place) != ES_JSON_TEXT) return es_reader_expected(r, place, "a text");
  *out = es_json_text_at(&r->json, place);
  return true;
}

bool es_reader_number(es_reader *r, size_t place, int64_t least, int64_t most, uint64_t *out) {
  char range[80];
  if (!es_json_given(&r->json, place)) return true;
  if (es_json_type_at(&r->json, place) == ES_JSON_INTEGER) {
    int64_t number = es_json_integer_at(&r->json, place);
    if (number >= least && number <= most) {
      *out = (uint64_t)number;
      return true;
    }
  }
  snprintf(range, sizeof range, "a whole number from %" PRId64 " to %" PRId64, least, most);
  return es_reader_expected(r, place, range);
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool es_reader_hex(es_reader *r, size_t place, es_span *out) {
  es_vector *hex = &r->vectors[ES_VECTOR_HEX];
  if (!es_json_given(&r->json, place)) return true;
  if (es_json_type_at(&r->json, place) != ES_JSON_TEXT) return es_reader_expected(r, place, "hexadecimal digits");
  es_span digits = es_json_text_at(&r->json, place);
  if (digits.length % 2) return es_reader_bad(r, place, "expected two hexadecimal digits a byte, found an odd number");
  unsigned char *bytes = (unsigned char *)hex->data + hex->count;
  for (size_t i = 0; i < digits.length; i += 2) {
    int high = digit(digits.data[i]), low = digit(digits.data[i + 1]);
    if (high < 0 || low < 0) return es_reader_expected(r, place, "hexadecimal digits");
    bytes[i / 2] = (unsigned char)(high << 4 | low);
  }
  hex->count += digits.length / 2;
  *out = (es_span){(char *)bytes, digits.length / 2};
  return true;
}
