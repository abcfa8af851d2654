/* text: bytes of unknown origin made fit for a person's terminal. */
#ifndef ES_CLI_TEXT_H
#define ES_CLI_TEXT_H

#include "buffer.h"

/* Appends `bytes` so that nothing in them can act: control and direction characters and bytes that are no UTF-8 are
 * spelled out (`\n`, `\x1b`, `\u{202e}`), everything else stays. */
void es_text_clean(es_buffer *out, const char *bytes, size_t length);

/* The same between quotes, with `"` and `\` spelled out as well, and at most `columns` wide (0: all of it); what is left
 * out shows as `…` after the closing quote. */
void es_text_quote(es_buffer *out, const char *bytes, size_t length, size_t columns);

/* The columns that clean text takes on a terminal. */
size_t es_text_width(const char *bytes, size_t length);

/* How many bytes of clean text fit into `columns`. */
size_t es_text_fit(const char *bytes, size_t length, size_t columns);

#endif
