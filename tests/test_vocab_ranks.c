/* tiktoken rank files and tekken.json. */
#include "vocab_rig.h"

START_TEST(a_rank_file_is_bytes_and_ids) {
  es_vocab *vocab = vocab_of("\r\nIQ== 0\r\nZm9v 7\n\n= 3\nAP/+ 1"); /* the last newline may be missing */
  es_vocab_token token;
  ck_assert_int_eq(es_vocab_form_of(vocab), ES_VOCAB_TIKTOKEN);
  ck_assert(!es_vocab_complete(vocab) && !es_vocab_drops_leading_space(vocab));
  assert_token(vocab, 0, "!", false);
  assert_token(vocab, 3, "", false);
  assert_token(vocab, 7, "foo", false);
  ck_assert(es_vocab_find(vocab, 1, &token));
  ck_assert_uint_eq(token.bytes.length, 3);
  ck_assert_mem_eq(token.bytes.data, "\0\xFF\xFE", 3);
  ck_assert_uint_eq(es_vocab_size(vocab), 8);
  es_vocab_free(vocab);
}
END_TEST

#define FIRST "expected base64 (a rank file) or an opening brace (a tokenizer.json or tekken.json), found "

static const broken_vocab broken_ranks[] = {
    {" IQ== 0", "1:1: " FIRST "a space"},
    {"!", "1:1: " FIRST "\"!\""},
    {"IQ== 0\nI", "2:2: expected base64 in groups of four, filled up with =, found the end of the file"},
    {"IQ== 0\nIg", "2:3: expected base64 in groups of four, filled up with =, found the end of the file"},
    {"IQ== 0\nIg=", "2:4: expected base64 in groups of four, filled up with =, found the end of the file"},
    {"IQ== 0\nIg==", "2:5: expected a space and a rank, found the end of the file"},
    {"IQ== 0\nIg== ", "2:6: expected a rank, found the end of the file"},
    {"IQ== 0\nIg==\nIw== 2", "2:5: expected a space and a rank, found the end of the line"},
    {"IQ== 0\n 1", "2:1: expected base64, found a space"},
    {"IQ== 0\n==== 1", "2:1: expected base64, found \"=\""},
    {"IQ== 0\n== 1", "2:3: expected base64, found a space"},
    {"IQ== 0\nI=== 1", "2:2: expected base64, found \"=\""},
    {"IQ== 0\nIg=A 1", "2:3: expected base64, found \"=\""},
    {"IQ== 0\nIg 1", "2:3: expected base64 in groups of four, filled up with =, found a space"},
    {"IQ== 0\nIh== 1", "2:2: expected base64 with no bits beyond its last byte, found \"h\""},
    {"IQ== 0\nZm8= 1\nZm9= 2", "3:3: expected base64 with no bits beyond its last byte, found \"9\""},
    {"IQ== 0\nI-== 1", "2:2: expected base64, found \"-\""},
    {"IQ== 0\nIg==\t1", "2:5: expected a space and a rank, found the byte 0x09"},
    {"IQ== 0\nIg==  1", "2:6: expected a rank, found a space"},
    {"IQ== 0\nIg== 1 ", "2:7: expected the end of the line, found a space"},
    {"IQ== 0\nIg== -1", "2:6: expected a rank, found \"-\""},
    {"IQ== 0\nIg== 1.0", "2:7: expected the end of the line, found \".\""},
    {"IQ== 0\nIg== 01", "2:6: expected a rank without needless zeros"},
    {"IQ== 0\nIg== 2147483648", "2:6: expected a rank up to 2147483647, found more"},
    {"IQ== 0\nIg== 99999999999999999999999999", "2:6: expected a rank up to 2147483647, found more"},
    {"IQ== 5\nIg== 6\nIw== 6\nJA== 5\n", "3:1: expected an id of its own, found 6, which line 2 has"},
    {"IQ== 0\nIg== 1\nIQ== 2\n", "3:1: expected a token of its own, found the one of line 1 again"},
};

START_TEST(a_broken_rank_file_is_refused_with_its_place) {
  assert_broken(&broken_ranks[_i]);
}
END_TEST

#define CONFIG(special, size)                                                                                          \
  "\"config\":{\"pattern\":\"\",\"default_num_special_tokens\":" special ",\"default_vocab_size\":" size               \
  ",\"version\":\"v3\"}"
#define WORDS                                                                                                          \
  "\"vocab\":[{\"rank\":0,\"token_bytes\":\"YQ==\",\"token_str\":\"a\"},{\"rank\":1,\"token_bytes\":\"/"               \
  "w==\",\"token_str\":null}]"
#define NAMES                                                                                                          \
  "\"special_tokens\":[{\"rank\":0,\"token_str\":\"<unk>\",\"is_control\":true},{\"rank\":1,\"token_str\":\"</"        \
  "s>\",\"is_control\":false}]"

START_TEST(tekken_has_its_special_tokens_first) {
  es_vocab *vocab = vocab_of("{" CONFIG("4", "6") "," WORDS "," NAMES "}");
  ck_assert_int_eq(es_vocab_form_of(vocab), ES_VOCAB_TEKKEN);
  ck_assert(es_vocab_complete(vocab) && !es_vocab_drops_leading_space(vocab));
  assert_token(vocab, 0, "<unk>", true);
  assert_token(vocab, 1, "</s>", true); /* the library skips all of them, control or not */
  assert_token(vocab, 2, "<SPECIAL_2>", true);
  assert_token(vocab, 3, "<SPECIAL_3>", true);
  assert_token(vocab, 4, "a", false);
  assert_token(vocab, 5, "\xFF", false);
  ck_assert_uint_eq(es_vocab_size(vocab), 6);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(tekken_uses_as_many_tokens_as_it_says) {
  es_vocab *vocab = vocab_of("{" CONFIG("2", "3") "," WORDS "," NAMES "}");
  assert_token(vocab, 2, "a", false);
  ck_assert_uint_eq(es_vocab_size(vocab), 3);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(an_old_tekken_has_the_special_tokens_of_its_time) {
  es_vocab *vocab = vocab_of("{" CONFIG("22", "23") "," WORDS "}");
  assert_token(vocab, 0, "<unk>", true);
  assert_token(vocab, 9, "[TOOL_CALLS]", true);
  assert_token(vocab, 19, "[TOOL_CONTENT]", true);
  assert_token(vocab, 20, "<SPECIAL_20>", true);
  assert_token(vocab, 22, "a", false);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(an_ordinary_token_that_reads_like_a_special_one_is_ordinary) {
  es_vocab *vocab = vocab_of("{" CONFIG("2", "3") "," NAMES ",\"vocab\":[{\"rank\":0,\"token_bytes\":\"PC9zPg==\"}]}");
  assert_token(vocab, 1, "</s>", true);
  assert_token(vocab, 2, "</s>", false);
  es_vocab_free(vocab);
}
END_TEST

#define ONE(token) "{" CONFIG("0", "1") ",\"special_tokens\":[],\"vocab\":[" token "]}"
#define SPECIAL(token) "{" CONFIG("2", "2") ",\"vocab\":[],\"special_tokens\":[" token "]}"

static const broken_vocab broken_tekken[] = {
    {"{\"config\":3}", "config: expected an object, found the number 3"},
    {"{\"config\":{}}", "config.default_num_special_tokens: expected a number, found nothing"},
    {"{" CONFIG("-1", "2") "}", "config.default_num_special_tokens: expected a number of tokens, found the number -1"},
    {"{" CONFIG("1", "2.0") "}",
     "config.default_vocab_size: expected a number, found a number with a fraction or an exponent"},
    {"{" CONFIG("3", "2") "}", "config: expected at least as many tokens as special ones, found 2 and 3"},
    {"{" CONFIG("2147483647", "2147483647") ",\"vocab\":[],\"special_tokens\":[]}",
     "config: expected at most 1048576 special tokens, found more"},
    {"{" CONFIG("19", "19") ",\"vocab\":[]}", "config: expected at most 19 special tokens, found more"},
    {"{\"config\":{\"default_num_special_tokens\":30,\"default_vocab_size\":30,\"version\":\"v11\"},\"vocab\":[]}",
     "special_tokens: expected a list, since config.version is not v1 to v7, found nothing"},
    {"{\"config\":{\"default_num_special_tokens\":30,\"default_vocab_size\":30},\"vocab\":[]}",
     "special_tokens: expected a list, since config.version is not v1 to v7, found nothing"},
    {"{" CONFIG("0", "0") ",\"special_tokens\":[],\"vocab\":[]}", "vocab: expected a token, found none"},
    {"{" CONFIG("0", "0") ",\"special_tokens\":{},\"vocab\":[]}", "special_tokens: expected a list, found an object"},
    {"{" CONFIG("2", "5") "," WORDS "," NAMES "}", "vocab: expected 3 tokens, as config says, found 2"},
    {"{" CONFIG("2", "2147483647") "," WORDS "," NAMES "}",
     "vocab: expected 2147483645 tokens, as config says, found 2"},
    {"{" CONFIG("1", "2") "," WORDS "," NAMES "}", "special_tokens[1]: expected at most 1 special tokens, found more"},
    {"{" CONFIG("2", "3") "," NAMES "}", "vocab: expected a list, found nothing"},
    {SPECIAL("{\"rank\":1,\"token_str\":\"a\"}"), "special_tokens[0].rank: expected 0, its index, found the number 1"},
    {SPECIAL("{\"rank\":0}"), "special_tokens[0].token_str: expected a text, found nothing"},
    {SPECIAL("{\"rank\":0,\"token_str\":\"a\"},{\"rank\":1,\"token_str\":\"a\"}"),
     "special_tokens[1].token_str: expected a token of its own, found the one of special_tokens[0].token_str again"},
    {SPECIAL("7"), "special_tokens[0]: expected an object, found the number 7"},
    {ONE("7"), "vocab[0]: expected an object, found the number 7"},
    {ONE("{\"token_bytes\":\"YQ==\"}"), "vocab[0].rank: expected 0, its index, found nothing"},
    {ONE("{\"rank\":5,\"token_bytes\":\"YQ==\"}"), "vocab[0].rank: expected 0, its index, found the number 5"},
    {ONE("{\"rank\":\"0\",\"token_bytes\":\"YQ==\"}"), "vocab[0].rank: expected 0, its index, found the text \"0\""},
    {ONE("{\"rank\":0}"), "vocab[0].token_bytes: expected base64, found nothing"},
    {ONE("{\"rank\":0,\"token_bytes\":null}"), "vocab[0].token_bytes: expected base64, found nothing"},
    {ONE("{\"rank\":0,\"token_bytes\":\"\"}"), "vocab[0].token_bytes: expected base64, found the text \"\""},
    {ONE("{\"rank\":0,\"token_bytes\":\"YQ=\"}"),
     "vocab[0].token_bytes: expected base64 in groups of four, filled up with =, found the text \"YQ=\""},
    {"{" CONFIG("0", "2") ",\"special_tokens\":[],\"vocab\":[{\"rank\":0,\"token_bytes\":\"YQ==\"},{\"rank\":1,\"token_"
                          "bytes\":\"YQ==\"}]}",
     "vocab[1].token_bytes: expected a token of its own, found the one of vocab[0].token_bytes again"},
};

START_TEST(a_broken_tekken_is_refused_with_its_place) {
  assert_broken(&broken_tekken[_i]);
}
END_TEST

TCase *vocab_ranks_tests(void) {
  TCase *tests = tcase_create("ranks");
  tcase_add_test(tests, a_rank_file_is_bytes_and_ids);
  tcase_add_loop_test(tests, a_broken_rank_file_is_refused_with_its_place, 0,
                      sizeof broken_ranks / sizeof *broken_ranks);
  tcase_add_test(tests, tekken_has_its_special_tokens_first);
  tcase_add_test(tests, tekken_uses_as_many_tokens_as_it_says);
  tcase_add_test(tests, an_old_tekken_has_the_special_tokens_of_its_time);
  tcase_add_test(tests, an_ordinary_token_that_reads_like_a_special_one_is_ordinary);
  tcase_add_loop_test(tests, a_broken_tekken_is_refused_with_its_place, 0,
                      sizeof broken_tekken / sizeof *broken_tekken);
  return tests;
}
