/* vocab: ids to bytes (R1), from the files that models come with (spec/vocab.md).
 *
 * Three forms, told apart by what is in them: a Hugging Face tokenizer.json, a tiktoken rank file, Mistral's tekken.json.
 * Bytes are those that a token adds to a running text: a byte-level token its bytes, ▁ a space, <0x41> one byte. */
#ifndef ES_VOCAB_VOCAB_H
#define ES_VOCAB_VOCAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span.h"

typedef enum { ES_VOCAB_TOKENIZER_JSON, ES_VOCAB_TIKTOKEN, ES_VOCAB_TEKKEN } es_vocab_form;

typedef struct es_vocab es_vocab;

typedef struct {
  es_span bytes; /* never NULL; valid as long as the vocabulary */
  bool special;
} es_vocab_token;

/* Why a file is no vocabulary, and where: a member, a line, or (neither) the file as a whole. */
typedef struct {
  uint64_t line;     /* from 1; 0 where the place is a member */
  uint64_t column;   /* byte in the line, from 1 */
  char member[160];  /* `model.vocab.the`; empty where the file is no JSON */
  char message[240]; /* what was expected and what was found */
} es_vocab_fault;

/* Reads the file at `path`: a regular file of at most 128 MiB. NULL: it is no vocabulary, `fault` says why, or memory
 * ran out, and it says so. */
es_vocab *es_vocab_load(const char *path, es_vocab_fault *fault);

/* The same of `length` bytes in memory, which need not outlive the call. */
es_vocab *es_vocab_read(const char *bytes, size_t length, es_vocab_fault *fault);

/* The sentence of a fault: `path:3:17: expected …`, `path: model.vocab.the: expected …`. */
void es_vocab_explain(const char *path, const es_vocab_fault *fault, char *out, size_t room);

void es_vocab_free(es_vocab *vocab);

es_vocab_form es_vocab_form_of(const es_vocab *vocab);

/* The token with this id; false: the vocabulary does not know it. */
bool es_vocab_find(const es_vocab *vocab, uint32_t id, es_vocab_token *token);

/* One above the highest id. */
uint32_t es_vocab_size(const es_vocab *vocab);

/* Whether the file lists all ids. A rank file leaves out the special tokens: ids it does not know may exist. */
bool es_vocab_complete(const es_vocab *vocab);

/* Whether a text that begins with a space loses it: once, at R[0] (R1). */
bool es_vocab_drops_leading_space(const es_vocab *vocab);

#endif
