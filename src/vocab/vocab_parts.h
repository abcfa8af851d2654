/* vocab_parts: what the readers of vocabularies share.
 *
 * A reader lists the pieces of a file as they stand there; es_vocab_build looks for contradictions, puts them in order
 * and turns each into the bytes that it stands for. */
#ifndef ES_VOCAB_VOCAB_PARTS_H
#define ES_VOCAB_VOCAB_PARTS_H

#include "json.h"
#include "vocab.h"

/* The longest file, and the most bytes that all tokens may have. */
#define ES_VOCAB_LIMIT ((size_t)128 << 20)

/* Bytes that grow. Starts as {0}. */
typedef struct {
  char *data;
  size_t length;
  size_t capacity;
} es_vocab_bytes;

bool es_vocab_bytes_reserve(es_vocab_bytes *bytes, size_t more);                  /* false: memory ran out */
bool es_vocab_bytes_append(es_vocab_bytes *bytes, const char *data, size_t more); /* the same */

/* The bytes of a regular file, with room for ES_JSON_PADDING more. */
bool es_vocab_fetch(const char *path, es_vocab_bytes *bytes, es_vocab_fault *fault);

/* A file under examination. */
typedef struct {
  char *text; /* ES_JSON_PADDING bytes follow it */
  size_t length;
  es_json json;          /* `tape` is NULL where the file is no JSON */
  es_vocab_fault *fault; /* where to say what is wrong */
} es_vocab_source;

/* These say what is wrong and return false. A place is one of the tape, or a byte of a file that is no JSON. */
bool es_vocab_bad(const es_vocab_source *source, size_t place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool es_vocab_bad_byte(const es_vocab_source *source, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool es_vocab_expected(const es_vocab_source *source, size_t place, const char *what); /* JSON */
bool es_vocab_missing(const es_vocab_source *source, size_t object, const char *name, const char *what);
bool es_vocab_no_memory(es_vocab_fault *fault);
/* Where a place is, within a sentence. */
void es_vocab_place_words(const es_vocab_source *source, size_t place, char *out, size_t room);

/* The value of a member, ES_JSON_ABSENT if it is not there or null; false: the object has it twice. */
bool es_vocab_member(const es_vocab_source *source, size_t object, const char *name, size_t *value);
/* The same of a member that must be there and have a type. `what` is the type in words. */
bool es_vocab_need(const es_vocab_source *source, size_t object, const char *name, es_json_type type, const char *what,
                   size_t *value);
/* A whole number from 0 to 2^31−1. */
bool es_vocab_number(const es_vocab_source *source, size_t place, const char *what, uint32_t *number);

/* Adds the bytes that base64 text stands for (RFC 4648: padded, nothing but the alphabet, unused bits 0).
 * Returns the length of the text, or where in it the fault is: `why` then says what was expected. `out` has room. */
size_t es_vocab_base64(es_span text, es_vocab_bytes *out, const char **why);

typedef enum { ES_PIECE_MODEL, ES_PIECE_ADDED } es_piece_kind;

/* A token as the file has it. */
typedef struct {
  es_span text;
  size_t place;
  uint32_t id;
  es_piece_kind kind;
  bool special;
} es_piece;

/* Starts as {0}. */
typedef struct {
  es_piece *pieces;
  size_t count;
  size_t capacity;
} es_pieces;

bool es_pieces_add(const es_vocab_source *source, es_pieces *pieces, es_piece piece);

/* What of a tokenizer.json's decoder is said token by token (decoder.c). */
typedef enum { ES_DECODE_REPLACE, ES_DECODE_BYTE_FALLBACK, ES_DECODE_BYTE_LEVEL } es_decode_kind;

typedef struct {
  es_decode_kind kind;
  es_span pattern; /* of ES_DECODE_REPLACE, not empty */
  es_span content;
} es_decode_step;

#define ES_DECODE_STEPS 16

typedef struct {
  es_decode_step steps[ES_DECODE_STEPS];
  size_t count;
  bool falls_back; /* from here on a token may be a byte */
  bool fused;      /* from here on tokens are one text */
  bool drops_leading_space;
} es_decoder;

/* Reads the member `decoder`; false: it does not say the bytes of each token, or not these alone. */
bool es_decoder_read(const es_vocab_source *source, size_t place, es_decoder *decoder);

typedef enum { ES_DECODE_DONE, ES_DECODE_TOO_LONG, ES_DECODE_NO_MEMORY } es_decode_outcome;

/* Adds the bytes of a token to `out`, which holds no more than ES_VOCAB_LIMIT. `rooms` are for its use alone. */
es_decode_outcome es_decoder_apply(const es_decoder *decoder, es_span text, es_vocab_bytes rooms[2],
                                   es_vocab_bytes *out);

/* What the pieces of a form must keep to. */
typedef struct {
  es_vocab_form form;
  bool complete;
  bool model_unique; /* no two pieces of the model have the same text */
  bool added_unique;
  bool special_by_text;      /* a piece with the text of a special one is special */
  const es_decoder *decoder; /* NULL: the text is the bytes */
} es_vocab_rules;

/* The vocabulary of one piece or more; NULL: the pieces contradict one another, or memory ran out. */
es_vocab *es_vocab_build(const es_vocab_source *source, es_pieces *pieces, const es_vocab_rules *rules);

/* The readers of the three forms. */
es_vocab *es_vocab_read_tokenizer(const es_vocab_source *source);
es_vocab *es_vocab_read_tiktoken(const es_vocab_source *source);
es_vocab *es_vocab_read_tekken(const es_vocab_source *source);

#endif
