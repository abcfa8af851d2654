/* dump: what the loader makes of a vocabulary, for comparing with the real libraries.
 *
 *   vocab_dump FILE                     form, size and properties on a line; then id, hex, 1 if special
 *   vocab_dump FILE --decode [--keep]   reads lines of ids, writes the hex of the text of each; --keep: special ones too */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shelf.h"

static void print_hex(es_span bytes) {
  for (size_t i = 0; i < bytes.length; i++) printf("%02x", (unsigned char)bytes.data[i]);
}

static void dump(const es_vocab *vocab) {
  static const char *const forms[] = {"tokenizer.json", "tiktoken", "tekken"};
  es_vocab_token token;
  printf("%s\t%" PRIu32 "\t%s\t%s\n", forms[es_vocab_form_of(vocab)], es_vocab_size(vocab),
         es_vocab_complete(vocab) ? "complete" : "without special tokens",
         es_vocab_drops_leading_space(vocab) ? "drops a leading space" : "keeps a leading space");
  for (uint32_t id = 0; id < es_vocab_size(vocab); id++) {
    if (!es_vocab_find(vocab, id, &token)) continue;
    printf("%" PRIu32 "\t", id);
    print_hex(token.bytes);
    printf("\t%d\n", token.special);
  }
}

/* R1: the visible bytes, joined; a leading space is dropped once, if at all. */
static int decode(const es_vocab *vocab, bool keep) {
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) >= 0) {
    bool drop = es_vocab_drops_leading_space(vocab);
    char *at = line, *next;
    for (;; at = next) {
      unsigned long id = strtoul(at, &next, 10);
      es_vocab_token token;
      if (next == at) break;
      if (id > UINT32_MAX || !es_vocab_find(vocab, (uint32_t)id, &token)) {
        fprintf(stderr, "vocab_dump: expected an id of the vocabulary, found %lu\n", id);
        free(line);
        return 1;
      }
      if ((token.special && !keep) || token.bytes.length == 0) continue;
      bool space = drop && token.bytes.data[0] == ' ';
      print_hex((es_span){token.bytes.data + space, token.bytes.length - space});
      drop = false;
    }
    putchar('\n');
  }
  free(line);
  return 0;
}

int main(int count, char **words) {
  es_vocab_fault fault;
  bool decodes = count > 2 && strcmp(words[2], "--decode") == 0, keep = count > 3 && strcmp(words[3], "--keep") == 0;
  if (count < 2 || count > 4 || (count > 2 && !decodes) || (count > 3 && !keep)) {
    fprintf(stderr, "usage: vocab_dump FILE [--decode [--keep]]\n");
    return 2;
  }
  es_vocab *vocab = es_vocab_load(words[1], &fault);
  if (!vocab) {
    char said[800];
    es_vocab_explain(words[1], &fault, said, sizeof said);
    puts(said);
    return 1;
  }
  int status = 0;
  if (decodes)
    status = decode(vocab, keep);
  else
    dump(vocab);
  es_vocab_free(vocab);
  return status;
}
