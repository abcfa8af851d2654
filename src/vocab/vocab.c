/* A vocabulary, and what it says of an id. */
#include "vocab.h"

#include <stdlib.h>

#include "vocab_internal.h"

void es_vocab_free(es_vocab *vocab) {
  if (!vocab) return;
  free(vocab->entries);
  free(vocab->bytes.data);
  free(vocab);
}

/* Ids without gaps stand at their own index; else the id is at most that far. */
bool es_vocab_find(const es_vocab *vocab, uint32_t id, es_vocab_token *token) {
  size_t low = 0, high = id < vocab->count ? id : vocab->count - 1;
  const es_vocab_entry *entry = &vocab->entries[high];
  while (entry->id != id) {
    if (low >= high) return false;
    size_t middle = low + (high - low) / 2;
    if (vocab->entries[middle].id < id)
      low = middle + 1;
    else
      high = middle;
    entry = &vocab->entries[high];
  }
  *token = (es_vocab_token){{vocab->bytes.data + entry->begin, entry->length}, entry->special};
  return true;
}

es_vocab_form es_vocab_form_of(const es_vocab *vocab) {
  return vocab->form;
}
uint32_t es_vocab_size(const es_vocab *vocab) {
  return vocab->entries[vocab->count - 1].id + 1;
}
bool es_vocab_complete(const es_vocab *vocab) {
  return vocab->complete;
}
bool es_vocab_drops_leading_space(const es_vocab *vocab) {
  return vocab->drops_leading_space;
}
