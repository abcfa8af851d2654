/* utf8: any bytes (R10, R11): the laws of decoding, and the slow model's second opinion on each answer. */
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "model_parts.h"
#include "utf8.h"

const char fuzz_name[] = "utf8";

#define LONGEST 256

void *fuzz_new(void) {
  return calloc(1, sizeof(es_buffer));
}

void fuzz_free(void *memory) {
  es_buffer_free(memory);
  free(memory);
}

/* Bytes of a place of just their size, so that a sanitizer sees a write past it. */
typedef struct {
  uint8_t *bytes;
  uint32_t length;
} text;

static text decode(const uint8_t *in, size_t length) {
  text out = {fuzz_room(ES_UTF8_GROWTH * length), 0};
  out.length = es_utf8_decode(in, (uint32_t)length, out.bytes);
  return out;
}

static bool same(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
  return a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0);
}

static void check_decode(es_buffer *model, const uint8_t *in, size_t length, text all) {
  es_buffer_clear(model);
  es_model_decode(model, (const char *)in, length);
  fuzz_demand(same((const uint8_t *)model->data, model->length, all.bytes, all.length),
              "R11: decoded as the model does");
  fuzz_demand(es_utf8_valid(all.bytes, all.length), "T6: what was decoded is UTF-8");
  fuzz_demand(es_utf8_valid(in, (uint32_t)length) == same(in, length, all.bytes, all.length),
              "R13: valid is what decoding leaves alone");
  text again = decode(all.bytes, all.length);
  fuzz_demand(same(again.bytes, again.length, all.bytes, all.length), "decoding twice is decoding once");
  free(again.bytes);
}

/* Two parts, cut where a character ends, are the whole. */
static void check_parts(const uint8_t *in, size_t length, size_t limit, text all) {
  uint32_t edge = es_utf8_floor(in, (uint32_t)length, (uint32_t)limit);
  fuzz_demand(edge <= limit, "R10: an edge at or before the limit");
  fuzz_demand(edge == es_model_shown_end((const char *)in, length, limit), "R10: the edge that the model finds");
  text first = decode(in, edge), rest = decode(in + edge, length - edge);
  fuzz_demand(first.length + rest.length == all.length && same(first.bytes, first.length, all.bytes, first.length) &&
                  same(rest.bytes, rest.length, all.bytes + first.length, rest.length),
              "R11: decoding in parts is decoding at once");
  free(first.bytes);
  free(rest.bytes);
}

/* Byte by byte: the characters and subparts that were settled, and those pending, are all there are. */
static void check_take(const uint8_t *in, size_t length) {
  es_utf8 u = {0, 0, 0, 0};
  size_t edge = 0;
  for (size_t i = 0; i < length; i++) {
    uint16_t before = u.pending;
    es_utf8_step step = es_utf8_take(&u, in[i]);
    size_t known = i + 1 - edge;
    edge += es_model_shown_end((const char *)in + edge, known, known);
    fuzz_demand(edge == i + 1 - u.pending, "R10: pending is what may not be shown");
    fuzz_demand(step.character == 0 || es_utf8_valid(in + i + 1 - step.character, step.character),
                "R10: a character is one");
    fuzz_demand(u.pending > 0 || step.bad > 0 || step.character == before + 1,
                "R10: no byte is in two characters or none");
  }
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  fuzz_seen seen = FUZZ_NOTHING;
  uint8_t place = fuzz_control(&in);
  const uint8_t *bytes;
  size_t length = fuzz_text(&in, LONGEST, &bytes);
  if (length == 0) return seen;
  text all = decode(bytes, length);
  if (pass == FUZZ_LAWS) {
    check_decode(memory, bytes, length, all);
    check_parts(bytes, length, place % (length + 1), all);
    check_take(bytes, length);
  }
  fuzz_note(&seen, all.bytes, all.length);
  free(all.bytes);
  return seen;
}
