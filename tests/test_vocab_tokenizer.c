/* Hugging Face tokenizer.json: models and added tokens. */
#include "vocab_rig.h"

#define FUSE "\"decoder\":{\"type\":\"Fuse\"}"
#define BPE(vocab) "{" FUSE ",\"model\":{\"type\":\"BPE\",\"merges\":[],\"vocab\":{" vocab "}}}"
#define UNIGRAM(vocab) "{" FUSE ",\"model\":{\"type\":\"Unigram\",\"vocab\":" vocab "}}"
#define ADDED(added)                                                                                                   \
  "{" FUSE ",\"added_tokens\":" added ",\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"<s>\":1,\"b\":2}}}"

START_TEST(a_BPE_maps_names_to_ids) {
  es_vocab *vocab = vocab_of(BPE("\"b\":1,\"\":7,\"a\":0,\"\\u0000x\":2147483647"));
  es_vocab_token token;
  ck_assert_int_eq(es_vocab_form_of(vocab), ES_VOCAB_TOKENIZER_JSON);
  ck_assert(es_vocab_complete(vocab) && !es_vocab_drops_leading_space(vocab));
  assert_token(vocab, 0, "a", false);
  assert_token(vocab, 1, "b", false);
  assert_token(vocab, 7, "", false);
  assert_no_token(vocab, 2);
  ck_assert(es_vocab_find(vocab, 2147483647, &token));
  ck_assert_uint_eq(token.bytes.length, 2);
  ck_assert_mem_eq(token.bytes.data, "\0x", 2);
  ck_assert_uint_eq(es_vocab_size(vocab), 2147483648u);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(a_Unigram_counts_its_pieces) {
  es_vocab *vocab = vocab_of(UNIGRAM("[[\"<unk>\",0],[\"a\",-1.5],[\"a\",18446744073709551615]]"));
  assert_token(vocab, 1, "a", false);
  assert_token(vocab, 2, "a", false); /* the same piece again is another id, as in the library */
  ck_assert_uint_eq(es_vocab_size(vocab), 3);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(a_model_without_a_type_is_told_by_its_members) {
  es_vocab *vocab = vocab_of("{" FUSE ",\"model\":{\"type\":null,\"merges\":[],\"vocab\":{\"a\":0}}}");
  assert_token(vocab, 0, "a", false);
  es_vocab_free(vocab);
  vocab = vocab_of("{" FUSE ",\"model\":{\"vocab\":[[\"a\",0.0]]}}");
  assert_token(vocab, 0, "a", false);
  es_vocab_free(vocab);
  vocab = vocab_of("{" FUSE ",\"model\":{\"type\":\"WordLevel\",\"vocab\":{\"a\":0}}}");
  assert_token(vocab, 0, "a", false);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(an_added_token_wins_over_the_model) {
  es_vocab *vocab =
      vocab_of(ADDED("[{\"id\":2,\"content\":\"c\",\"special\":false},{\"id\":9,\"content\":\"d\",\"special\":true},"
                     "{\"id\":9,\"content\":\"d\",\"special\":false}]"));
  assert_token(vocab, 0, "a", false);
  assert_token(vocab, 2, "c", false);
  assert_token(vocab, 9, "d", true);
  ck_assert_uint_eq(es_vocab_size(vocab), 10);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(R1_special_is_what_has_the_text_of_a_special_token) {
  es_vocab *vocab = vocab_of(
      ADDED("[{\"id\":5,\"content\":\"<s>\",\"special\":true},{\"id\":0,\"content\":\"a\",\"special\":false}]"));
  assert_token(vocab, 5, "<s>", true);
  assert_token(vocab, 1, "<s>", true);
  assert_token(vocab, 0, "a", false);
  es_vocab_free(vocab);
}
END_TEST

static const broken_vocab broken[] = {
    {"{\"version\":\"2.0\",\"model\":{}}", "version: expected version \"1.0\", found the text \"2.0\""},
    {"{\"model\":{\"type\":\"BPE\",\"type\":\"BPE\"}}", "model.type: expected this member once, found it twice"},
    {"{\"model\":3}", "model: expected an object, found the number 3"},
    {"{\"model\":{}}", "model.type: expected the type \"BPE\", \"Unigram\" or \"WordLevel\", found nothing"},
    {"{\"model\":{\"vocab\":{\"a\":0}}}",
     "model.type: expected the type \"BPE\", \"Unigram\" or \"WordLevel\", found nothing"},
    {"{\"model\":{\"type\":\"CharLevel\"}}",
     "model.type: expected the type \"BPE\", \"Unigram\" or \"WordLevel\", found the text \"CharLevel\""},
    {"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{}}}",
     "model.type: expected the type \"BPE\", \"Unigram\" or \"WordLevel\", found WordPiece: its text depends on the "
     "tokens beside"},
    {"{\"model\":{\"type\":\"BPE\"}}", "model.vocab: expected an object of tokens and ids, found nothing"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":[]}}", "model.vocab: expected an object of tokens and ids, found a list"},
    {"{\"model\":{\"type\":\"Unigram\",\"vocab\":{}}}",
     "model.vocab: expected a list of pieces and scores, found an object"},
    {"{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0}}}",
     "decoder: expected a decoder (without one tokens are joined with spaces), found nothing"},
    {BPE(""), "model.vocab: expected a token, found none"},
    {BPE("\"the\":-1"), "model.vocab.the: expected an id from 0 to 2147483647, found the number -1"},
    {BPE("\"the\":2147483648"), "model.vocab.the: expected an id from 0 to 2147483647, found the number 2147483648"},
    {BPE("\"the\":18446744073709551615"),
     "model.vocab.the: expected an id from 0 to 2147483647, found the number 18446744073709551615"},
    {BPE("\"the\":1.0"),
     "model.vocab.the: expected an id from 0 to 2147483647, found a number with a fraction or an exponent"},
    {BPE("\"the\":\"1\""), "model.vocab.the: expected an id from 0 to 2147483647, found the text \"1\""},
    {BPE("\"the\":null"), "model.vocab.the: expected an id from 0 to 2147483647, found null"},
    {BPE("\"a\":5,\"b\":6,\"c\":5,\"d\":6"),
     "model.vocab.c: expected an id of its own, found 5, which model.vocab.a has"},
    {BPE("\"a\":5,\"b\":6,\"a\":7"),
     "model.vocab.a: expected a token of its own, found the one of model.vocab.a again"},
    {UNIGRAM("[[\"a\",0],\"b\"]"), "model.vocab[1]: expected a piece and its score, found something else"},
    {UNIGRAM("[[\"a\"]]"), "model.vocab[0]: expected a piece and its score, found something else"},
    {UNIGRAM("[[]]"), "model.vocab[0]: expected a piece and its score, found something else"},
    {UNIGRAM("[[1,2]]"), "model.vocab[0]: expected a piece and its score, found something else"},
    {UNIGRAM("[[\"a\",\"b\"]]"), "model.vocab[0]: expected a piece and its score, found something else"},
    {UNIGRAM("[[\"a\",0,0]]"), "model.vocab[0]: expected a piece and its score, found something else"},
    {UNIGRAM("[]"), "model.vocab: expected a token, found none"},
    {ADDED("{}"), "added_tokens: expected a list, found an object"},
    {ADDED("[3]"), "added_tokens[0]: expected an object, found the number 3"},
    {ADDED("[{\"content\":\"c\",\"special\":true}]"),
     "added_tokens[0].id: expected an id from 0 to 2147483647, found nothing"},
    {ADDED("[{\"id\":-1,\"content\":\"c\",\"special\":true}]"),
     "added_tokens[0].id: expected an id from 0 to 2147483647, found the number -1"},
    {ADDED("[{\"id\":true,\"content\":\"c\",\"special\":true}]"),
     "added_tokens[0].id: expected an id from 0 to 2147483647, found true"},
    {ADDED("[{\"id\":7,\"special\":true}]"), "added_tokens[0].content: expected a text, found nothing"},
    {ADDED("[{\"id\":7,\"content\":7,\"special\":true}]"),
     "added_tokens[0].content: expected a text, found the number 7"},
    {ADDED("[{\"id\":7,\"content\":\"c\"}]"), "added_tokens[0].special: expected true or false, found nothing"},
    {ADDED("[{\"id\":7,\"content\":\"c\",\"special\":1}]"),
     "added_tokens[0].special: expected true or false, found the number 1"},
    {ADDED("[{\"id\":7,\"id\":8,\"content\":\"c\",\"special\":true}]"),
     "added_tokens[0].id: expected this member once, found it twice"},
    {ADDED("[{\"id\":7,\"content\":\"c\",\"special\":true},{\"id\":7,\"content\":\"d\",\"special\":true}]"),
     "added_tokens[1].id: expected an id of its own, found 7, which added_tokens[0].id has"},
};

START_TEST(a_broken_file_is_refused_with_its_place) {
  assert_broken(&broken[_i]);
}
END_TEST

TCase *vocab_tokenizer_tests(void) {
  TCase *tests = tcase_create("tokenizer.json");
  tcase_add_test(tests, a_BPE_maps_names_to_ids);
  tcase_add_test(tests, a_Unigram_counts_its_pieces);
  tcase_add_test(tests, a_model_without_a_type_is_told_by_its_members);
  tcase_add_test(tests, an_added_token_wins_over_the_model);
  tcase_add_test(tests, R1_special_is_what_has_the_text_of_a_special_token);
  tcase_add_loop_test(tests, a_broken_file_is_refused_with_its_place, 0, sizeof broken / sizeof *broken);
  return tests;
}
