/* The characters of a text for the slow model: Unicode 3.9, table 3-7, row by row. */
#include "model_parts.h"

/* A row of the table: lead bytes first … last take `more` further bytes, of which the first lies in low … high and the
 * others in 80 … BF. */
typedef struct {
  uint8_t first, last;
  size_t more;
  uint8_t low, high;
} row;

static const row table_3_7[] = {
    {0x00, 0x7F, 0, 0, 0},       {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
    {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF},
    {0xF0, 0xF0, 3, 0x90, 0xBF}, {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

typedef enum { WELL_FORMED, ILL_FORMED, INCOMPLETE } character_form;

/* The character or maximal ill-formed subpart at the start of `bytes` (length > 0): its length, and which it is.
 * Incomplete: the bytes run out inside what may still become a character. */
static size_t first_character(const char *bytes, size_t length, character_form *form) {
  uint8_t lead = (uint8_t)bytes[0];
  *form = ILL_FORMED;
  for (size_t r = 0; r < sizeof table_3_7 / sizeof table_3_7[0]; r++) {
    row entry = table_3_7[r];
    if (lead < entry.first || lead > entry.last) continue;
    for (size_t i = 1; i <= entry.more; i++) {
      if (i == length) {
        *form = INCOMPLETE;
        return length;
      }
      uint8_t byte = (uint8_t)bytes[i];
      if (byte < (i == 1 ? entry.low : 0x80) || byte > (i == 1 ? entry.high : 0xBF)) return i;
    }
    *form = WELL_FORMED;
    return entry.more + 1;
  }
  return 1;
}

size_t es_model_shown_end(const char *raw, size_t length, size_t limit) {
  size_t end = 0;
  while (end < length) {
    character_form form;
    size_t next = end + first_character(raw + end, length - end, &form);
    if (form == INCOMPLETE || next > limit) break;
    end = next;
  }
  return end;
}

void es_model_decode(es_buffer *text, const char *bytes, size_t length) {
  for (size_t i = 0; i < length;) {
    character_form form;
    size_t taken = first_character(bytes + i, length - i, &form);
    if (form == WELL_FORMED) {
      es_buffer_bytes(text, bytes + i, taken);
    } else {
      es_buffer_bytes(text, "\xEF\xBF\xBD", 3);
    }
    i += taken;
  }
}

uint32_t es_model_crc32c(const char *bytes, size_t length) {
  uint32_t crc = 0xFFFFFFFF;
  for (size_t i = 0; i < length; i++) {
    crc ^= (uint8_t)bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = (crc & 1) ? (crc >> 1) ^ 0x82F63B78 : crc >> 1;
  }
  return crc ^ 0xFFFFFFFF;
}
