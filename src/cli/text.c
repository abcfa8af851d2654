#include "text.h"

typedef struct {
  uint32_t first, last;
} range;

/* Characters that take two columns, and marks that take none, by blocks: what occurs in the output of models. */
static const range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x303E},   {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1AFF0, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
    {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6D7}, {0x1F6DC, 0x1F6DF},
    {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7EB}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
    {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};
static const range narrow[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
};
/* Characters that act on the terminal or on the direction of the text around them. */
static const range acting[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C}, {0x200E, 0x200F},   {0x2028, 0x202E},
    {0x2066, 0x206F}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE007F},
};

static bool is_in(const range *ranges, size_t count, uint32_t character) {
  for (size_t i = 0; i < count; i++) {
    if (character >= ranges[i].first && character <= ranges[i].last) return true;
  }
  return false;
}

#define IS_IN(ranges, character) is_in(ranges, sizeof(ranges) / sizeof((ranges)[0]), character)

/* The character at the start of `bytes` (length > 0): its length, or 0 where the bytes are no UTF-8. */
static size_t read_character(const char *bytes, size_t length, uint32_t *character) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint8_t lead = (uint8_t)bytes[0];
  size_t taken = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
  if (taken > length || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) return 0;
  uint32_t value = taken == 1 ? lead : lead & (0xFFu >> (taken + 1));
  for (size_t i = 1; i < taken; i++) {
    uint8_t byte = (uint8_t)bytes[i];
    if ((byte & 0xC0) != 0x80) return 0;
    value = (value << 6) | (byte & 0x3F);
  }
  if (value < least[taken] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return 0;
  *character = value;
  return taken;
}

static size_t columns_of(uint32_t character) {
  if (character < 0x300) return 1;
  return IS_IN(narrow, character) ? 0 : IS_IN(wide, character) ? 2 : 1;
}

/* Appends the next character of `bytes`, spelled out where it could act. Returns how many bytes it was. */
static size_t clean_character(es_buffer *out, const char *bytes, size_t length) {
  uint32_t character = 0;
  size_t taken = read_character(bytes, length, &character);
  if (taken == 0) {
    es_buffer_format(out, "\\x%02x", (unsigned)(uint8_t)bytes[0]);
    return 1;
  }
  if (!IS_IN(acting, character)) {
    es_buffer_bytes(out, bytes, taken);
  } else if (character == '\n' || character == '\t' || character == '\r') {
    es_buffer_text(out, character == '\n' ? "\\n" : character == '\t' ? "\\t" : "\\r");
  } else if (character < 0x80) {
    es_buffer_format(out, "\\x%02x", (unsigned)character);
  } else {
    es_buffer_format(out, "\\u{%x}", (unsigned)character);
  }
  return taken;
}

void es_text_clean(es_buffer *out, const char *bytes, size_t length) {
  for (size_t i = 0; i < length;) i += clean_character(out, bytes + i, length - i);
}

void es_text_quote(es_buffer *out, const char *bytes, size_t length, size_t columns) {
  size_t start = out->length + 1;
  es_buffer_text(out, "\"");
  for (size_t i = 0; i < length && !out->failed;) {
    size_t before = out->length;
    if (bytes[i] == '"' || bytes[i] == '\\') es_buffer_text(out, "\\");
    i += clean_character(out, bytes + i, length - i);
    if (columns == 0 || es_text_width(out->data + start, out->length - start) <= columns) continue;
    out->length = before;
    es_buffer_text(out, "\"…");
    return;
  }
  es_buffer_text(out, "\"");
}

size_t es_text_width(const char *bytes, size_t length) {
  size_t width = 0;
  for (size_t i = 0; i < length;) {
    uint32_t character = 0;
    size_t taken = read_character(bytes + i, length - i, &character);
    width += taken == 0 ? 1 : columns_of(character);
    i += taken == 0 ? 1 : taken;
  }
  return width;
}

size_t es_text_fit(const char *bytes, size_t length, size_t columns) {
  size_t width = 0;
  for (size_t i = 0; i < length;) {
    uint32_t character = 0;
    size_t taken = read_character(bytes + i, length - i, &character);
    width += taken == 0 ? 1 : columns_of(character);
    if (width > columns) return i;
    i += taken == 0 ? 1 : taken;
  }
  return length;
}
