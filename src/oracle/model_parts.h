/* model_parts: what the slow model asks about a text, each question answered from scratch. Private to the model. */
#ifndef ES_ORACLE_MODEL_PARTS_H
#define ES_ORACLE_MODEL_PARTS_H

#include "buffer.h"
#include "request.h"

#define ES_MODEL_NOT_FOUND SIZE_MAX

/* Characters (model_utf8.c). */

/* The last place ≤ limit where a character or a maximal ill-formed subpart of the text ends (R10). */
size_t es_model_shown_end(const char *raw, size_t length, size_t limit);

/* Appends `bytes` with one U+FFFD per maximal ill-formed subpart, an incomplete character at the end being one (R11). */
void es_model_decode(es_buffer *text, const char *bytes, size_t length);

uint32_t es_model_crc32c(const char *bytes, size_t length);

/* Stops (model_stops.c). */

typedef struct {
  size_t place; /* bytes of the text where the stop is complete, or ES_MODEL_NOT_FOUND */
  uint32_t index;
} es_model_completion;

/* The first completion of a stop string after the first `after` bytes of the text (R2, R3). */
es_model_completion es_model_first_completion(const es_request *request, const char *raw, size_t length, size_t after);

/* Whether stop `index` can be the one that ends a lane, and so holds text (R10). */
bool es_model_live(const es_request *request, uint32_t index);

/* The length of the longest suffix of the text that is a proper prefix of a stop string marked in `live` (R10 a). */
size_t es_model_string_hold(const es_request *request, const bool *live, const char *raw, size_t length);

/* The longest stop sequence of two ids or more that the ids end with (R5): its index, or ES_MODEL_NOT_FOUND. */
size_t es_model_sequence(const es_request *request, const uint32_t *ids, size_t count);

/* How many of the last ids are a proper prefix of a stop sequence of two or more, at most (R10 b). */
size_t es_model_sequence_hold(const es_request *request, const uint32_t *ids, size_t count);

bool es_model_is_stop_token(const es_request *request, uint32_t id);
bool es_model_is_eos(const es_request *request, uint32_t id);

/* Whether the last ids repeat themselves as often as the request forbids (R7). */
bool es_model_repeats(const es_request *request, const uint32_t *ids, size_t count);

#endif
