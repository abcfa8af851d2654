/* vocab_rig: vocabularies in memory, for the tests of their loaders. */
#ifndef ES_TESTS_VOCAB_RIG_H
#define ES_TESTS_VOCAB_RIG_H

#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#include "vocab.h"

/* A file, and how the loader names what is wrong with it: `2:5: message`, `model.vocab.a: message`, or `message`. */
typedef struct {
  const char *text;
  const char *fault;
} broken_vocab;

static inline void say_fault(const es_vocab_fault *fault, char *out, size_t room) {
  char place[64] = "";
  if (fault->line > 0) snprintf(place, sizeof place, "%" PRIu64 ":%" PRIu64 ": ", fault->line, fault->column);
  snprintf(out, room, "%s%s%s%s", place, fault->member, fault->member[0] ? ": " : "", fault->message);
}

static inline es_vocab *vocab_of(const char *text) {
  es_vocab_fault fault;
  char said[500];
  es_vocab *vocab = es_vocab_read(text, strlen(text), &fault);
  if (!vocab) say_fault(&fault, said, sizeof said);
  ck_assert_msg(vocab != NULL, "%.200s\nrefused: %s", text, said);
  return vocab;
}

static inline void assert_broken(const broken_vocab *broken) {
  es_vocab_fault fault;
  char said[500];
  es_vocab *vocab = es_vocab_read(broken->text, strlen(broken->text), &fault);
  ck_assert_msg(!vocab, "%.200s\nwas read; expected %s", broken->text, broken->fault);
  say_fault(&fault, said, sizeof said);
  ck_assert_msg(strcmp(said, broken->fault) == 0, "%.200s\nexpected %s\nfound    %s", broken->text, broken->fault,
                said);
}

static inline void assert_token(const es_vocab *vocab, uint32_t id, const char *bytes, bool special) {
  es_vocab_token token = {{0}, false};
  ck_assert_msg(es_vocab_find(vocab, id, &token), "%" PRIu32 ": expected \"%s\", found nothing", id, bytes);
  ck_assert_msg(es_span_same(token.bytes, es_span_of(bytes)) && token.bytes.data,
                "%" PRIu32 ": expected \"%s\", found \"%.*s\"", id, bytes, (int)token.bytes.length, token.bytes.data);
  ck_assert_msg(token.special == special, "%" PRIu32 ": special: %d", id, token.special);
}

static inline void assert_no_token(const es_vocab *vocab, uint32_t id) {
  es_vocab_token token;
  ck_assert_msg(!es_vocab_find(vocab, id, &token), "%" PRIu32 ": expected nothing, found a token", id);
}

TCase *vocab_tokenizer_tests(void); /* test_vocab_tokenizer.c */
TCase *vocab_decoder_tests(void);   /* test_vocab_decoder.c */
TCase *vocab_ranks_tests(void);     /* test_vocab_ranks.c */
TCase *vocab_damage_tests(void);    /* test_vocab_damage.c */

#endif
