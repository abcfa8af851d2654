/* vocab_internal: what a vocabulary is in memory. */
#ifndef ES_VOCAB_VOCAB_INTERNAL_H
#define ES_VOCAB_VOCAB_INTERNAL_H

#include "vocab_parts.h"

typedef struct {
  size_t begin; /* in `bytes` of the vocabulary */
  size_t length;
  uint32_t id;
  bool special;
} es_vocab_entry;

struct es_vocab {
  es_vocab_entry *entries; /* by id; ids may have gaps of any size */
  size_t count;            /* 1 or more */
  es_vocab_bytes bytes;
  es_vocab_form form;
  bool complete;
  bool drops_leading_space;
};

#endif
