/* Decoders of a tokenizer.json: the bytes of a token, and what cannot be said token by token. */
#include "vocab_rig.h"

#define STEPS(steps) "{\"type\":\"Sequence\",\"decoders\":[" steps "]}"
#define REPLACE(pattern, content)                                                                                      \
  "{\"type\":\"Replace\",\"pattern\":{\"String\":\"" pattern "\"},\"content\":\"" content "\"}"
#define STRIP(content, start, stop)                                                                                    \
  "{\"type\":\"Strip\",\"content\":\"" content "\",\"start\":" start ",\"stop\":" stop "}"
#define METASPACE(rest) "{\"type\":\"Metaspace\",\"replacement\":\"▁\"" rest "}"
#define FALLBACK "{\"type\":\"ByteFallback\"}"
#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define FUSE "{\"type\":\"Fuse\"}"
#define BYTES "{\"type\":\"ByteLevel\",\"add_prefix_space\":true,\"trim_offsets\":true,\"use_regex\":true}"
#define FILE_OF(decoder, token) "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"" token "\":0}},\"decoder\":" decoder "}"

static const struct {
  const char *file;
  const char *bytes;
  bool drops;
} decoded[] = {
    {FILE_OF(BYTES, "Ġthe"), " the", false},
    {FILE_OF(BYTES, "ĊâĤ¬"), "\n\xE2\x82\xAC", false},
    {FILE_OF(BYTES, "Ã©"), "\xC3\xA9", false},
    {FILE_OF(BYTES, "é"), "\xE9", false},  /* U+00E9 writes the byte E9 */
    {FILE_OF(BYTES, "Ġ▁"), "Ġ▁", false},   /* one character beyond the map: all stand for themselves */
    {FILE_OF(BYTES, "a b"), "a b", false}, /* a space is none of the map */
    {FILE_OF(BYTES, "!~¡¬®ÿ"), "!~\xA1\xAC\xAE\xFF", false},
    {FILE_OF(BYTES, "ġĢŁłŃ"), "\x7F\x80\x9F\xA0\xAD", false},
    {FILE_OF(BYTES, "ń"), "ń", false},               /* U+0144, one beyond the last */
    {FILE_OF(BYTES, "\xC2\xAD"), "\xC2\xAD", false}, /* U+00AD does not print: Ń writes the byte AD */
    {FILE_OF(BYTES, "\xC2\xA0"), "\xC2\xA0", false},
    {FILE_OF(BYTES, "\x7F"), "\x7F", false},
    {FILE_OF(BYTES, "😊"), "😊", false},
    {FILE_OF(BYTES, ""), "", false},
    {FILE_OF(FALLBACK, "<0x41>"), "A", false},
    {FILE_OF(FALLBACK, "<0xfF>"), "\xFF", false},
    {FILE_OF(FALLBACK, "<0x+A>"), "\n", false}, /* the library reads a sign here */
    {FILE_OF(FALLBACK, "<0x-A>"), "<0x-A>", false},
    {FILE_OF(FALLBACK, "<0xA+>"), "<0xA+>", false},
    {FILE_OF(FALLBACK, "<0x0G>"), "<0x0G>", false},
    {FILE_OF(FALLBACK, "<0x041>"), "<0x041>", false},
    {FILE_OF(FALLBACK, "<0xé>"), "<0xé>", false},
    {FILE_OF(FALLBACK, "<0X41>"), "<0X41>", false},
    {FILE_OF(FUSE, "▁a"), "▁a", false},
    {FILE_OF(STEPS(""), "▁a"), "▁a", false},
    {FILE_OF(REPLACE("▁", " "), "▁▁a▁"), "  a ", false},
    {FILE_OF(REPLACE("aa", "b"), "aaa"), "ba", false},
    {FILE_OF(REPLACE(A64, "b"), A64 "a"), "ba", false},
    {FILE_OF(REPLACE("abc", ""), "ababcabcab"), "abab", false},
    {FILE_OF(STEPS(REPLACE("a", "bb") "," REPLACE("bb", "c") "," REPLACE("c", "ddd")), "axb"), "dddxb", false},
    {FILE_OF(STEPS(REPLACE("▁", " ") "," FALLBACK "," FUSE "," STRIP(" ", "1", "0")), "▁a"), " a", true},
    {FILE_OF(STEPS(REPLACE("▁", " ") "," FALLBACK "," FUSE "," STRIP(" ", "1", "0")), "<0xE2>"), "\xE2", true},
    {FILE_OF(STEPS(REPLACE("▁", " ") "," FALLBACK "," FUSE), "▁a"), " a", false},
    {FILE_OF(STEPS(FUSE "," STRIP("x", "0", "0")), "▁a"), "▁a", false},
    {FILE_OF(STEPS(STEPS(REPLACE("a", "b")) "," STEPS(BYTES "," FUSE "," STRIP(" ", "1", "0"))), "Ġa"), " b", true},
    {FILE_OF(STEPS(FALLBACK "," REPLACE("A", "b")), "<0x41>"), "b", false},
    {FILE_OF(METASPACE(""), "▁a▁"), " a ", true},
    {FILE_OF(METASPACE(",\"prepend_scheme\":\"always\",\"split\":true"), "▁a"), " a", true},
    {FILE_OF(METASPACE(",\"prepend_scheme\":\"first\""), "▁a"), " a", true},
    {FILE_OF(METASPACE(",\"prepend_scheme\":\"never\""), "▁a"), " a", false},
    {FILE_OF(METASPACE(",\"add_prefix_space\":true"), "▁a"), " a", true},
    {FILE_OF(METASPACE(",\"add_prefix_space\":false"), "▁a"), " a", false},
    {FILE_OF(METASPACE(",\"add_prefix_space\":true,\"prepend_scheme\":\"never\""), "▁a"), " a", false},
    {FILE_OF(METASPACE(",\"add_prefix_space\":false,\"prepend_scheme\":\"never\""), "▁a"), " a", false},
    {FILE_OF(STEPS(FALLBACK "," METASPACE("")), "▁a"), " a", true},
    {FILE_OF(STEPS(METASPACE("") "," FUSE), "▁a"), " a", true},
    {FILE_OF("{\"type\":\"Metaspace\",\"replacement\":\"_\"}", "_a▁"), " a▁", true},
};

START_TEST(R1_a_token_is_the_bytes_it_adds) {
  es_vocab *vocab = vocab_of(decoded[_i].file);
  assert_token(vocab, 0, decoded[_i].bytes, false);
  ck_assert_msg(es_vocab_drops_leading_space(vocab) == decoded[_i].drops, "%s", decoded[_i].file);
  es_vocab_free(vocab);
}
END_TEST

START_TEST(R1_every_byte_has_its_character) {
  char text[4000] = "{\"decoder\":" BYTES ",\"model\":{\"type\":\"BPE\",\"vocab\":{";
  unsigned others = 0;
  for (unsigned byte = 0; byte < 256; byte++) {
    bool prints = (byte >= 0x21 && byte <= 0x7E) || byte >= 0xA1;
    unsigned character = prints && byte != 0xAD ? byte : 0x100 + others++;
    char name[8];
    if (character < 0x80)
      snprintf(name, sizeof name, "%s%c", character == '"' || character == '\\' ? "\\" : "", (char)character);
    else
      snprintf(name, sizeof name, "%c%c", (char)(0xC0 | character >> 6), (char)(0x80 | (character & 0x3F)));
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s\"%s\":%u", byte > 0 ? "," : "", name, byte);
  }
  strcat(text, "}}}");
  es_vocab *vocab = vocab_of(text);
  for (uint32_t byte = 0; byte < 256; byte++) {
    es_vocab_token token;
    ck_assert(es_vocab_find(vocab, byte, &token));
    ck_assert_uint_eq(token.bytes.length, 1);
    ck_assert_uint_eq((unsigned char)token.bytes.data[0], byte);
  }
  es_vocab_free(vocab);
}
END_TEST

#define KIND "expected a decoder that gives each token its own bytes, found "
#define ACROSS "expected this before the tokens are joined; behind, it acts across tokens"

static const broken_vocab refused[] = {
    {FILE_OF("3", "a"), "decoder: expected an object with the member type, found the number 3"},
    {FILE_OF("{}", "a"), "decoder.type: expected the name of a decoder, found nothing"},
    {FILE_OF("{\"type\":3}", "a"), "decoder.type: expected the name of a decoder, found the number 3"},
    {FILE_OF("{\"type\":\"Magic\"}", "a"), "decoder.type: expected a known decoder, found the text \"Magic\""},
    {FILE_OF("{\"type\":\"WordPiece\"}", "a"),
     "decoder.type: " KIND "WordPiece: whether it puts a space before a token depends on the token's place"},
    {FILE_OF("{\"type\":\"CTC\"}", "a"), "decoder.type: " KIND "CTC: it drops a token that is like the one before"},
    {FILE_OF("{\"type\":\"BPEDecoder\"}", "a"),
     "decoder.type: " KIND "BPEDecoder: the end of a word is a space, but not at the end of the text"},
    {FILE_OF(STEPS(FUSE ",{\"type\":\"CTC\"}"), "a"),
     "decoder.decoders[1].type: " KIND "CTC: it drops a token that is like the one before"},
    {FILE_OF("{\"type\":\"Sequence\"}", "a"), "decoder.decoders: expected a list, found nothing"},
    {FILE_OF(STEPS("null"), "a"), "decoder.decoders[0]: expected an object with the member type, found null"},
    {FILE_OF("{\"type\":\"Replace\",\"content\":\"\"}", "a"), "decoder.pattern: expected an object, found nothing"},
    {FILE_OF("{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"}}", "a"),
     "decoder.content: expected a text, found nothing"},
    {FILE_OF("{\"type\":\"Replace\",\"pattern\":{},\"content\":\"\"}", "a"),
     "decoder.pattern.String: expected a text, found nothing"},
    {FILE_OF("{\"type\":\"Replace\",\"pattern\":{\"String\":3},\"content\":\"\"}", "a"),
     "decoder.pattern.String: expected a text, found the number 3"},
    {FILE_OF("{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"a\"},\"content\":\"\"}", "a"),
     "decoder.type: expected a Replace of a plain text, found one of a regular expression"},
    {FILE_OF(REPLACE("", "a"), "a"), "decoder.pattern.String: expected a text to replace, found an empty one"},
    {FILE_OF(REPLACE(A64 "a", "a"), "a"),
     "decoder.pattern.String: expected a text of at most 64 bytes to replace, found a longer one"},
    {FILE_OF(STEPS(FUSE "," REPLACE("a", "b")), "a"), "decoder.decoders[1].type: " ACROSS},
    {FILE_OF(STEPS(FUSE "," FALLBACK), "a"), "decoder.decoders[1].type: " ACROSS},
    {FILE_OF(STEPS(FUSE "," BYTES), "a"), "decoder.decoders[1].type: " ACROSS},
    {FILE_OF(STEPS(BYTES "," BYTES), "a"), "decoder.decoders[1].type: " ACROSS},
    {FILE_OF(STEPS(BYTES "," METASPACE("")), "a"), "decoder.decoders[1].type: " ACROSS},
    {FILE_OF(STEPS(FALLBACK "," BYTES), "a"),
     "decoder.decoders[1].type: expected ByteLevel without ByteFallback before it"},
    {FILE_OF(STEPS(FALLBACK "," FALLBACK), "a"),
     "decoder.decoders[1].type: expected ByteFallback once, found it twice"},
    {FILE_OF(STEPS(FALLBACK "," REPLACE("ab", "c")), "a"),
     "decoder.decoders[1].type: expected a Replace of one character after ByteFallback; more may span tokens"},
    {FILE_OF(STRIP(" ", "1", "0"), "a"),
     "decoder.type: expected Strip after Fuse; before it, each token would lose a space"},
    {FILE_OF(STEPS(FUSE "," STRIP(" ", "0", "1")), "a"),
     "decoder.decoders[1].type: expected a Strip with stop 0; at the end no token is the last"},
    {FILE_OF(STEPS(FUSE "," STRIP(" ", "2", "0")), "a"),
     "decoder.decoders[1].type: expected a Strip of at most one space, found one of more"},
    {FILE_OF(STEPS(FUSE "," STRIP("x", "1", "0")), "a"), "decoder.decoders[1].type: expected a Strip of a space"},
    {FILE_OF(STEPS(FUSE "," STRIP("", "1", "0")), "a"),
     "decoder.decoders[1].content: expected one character, found the text \"\""},
    {FILE_OF(STEPS(FUSE "," STRIP("  ", "1", "0")), "a"),
     "decoder.decoders[1].content: expected one character, found the text \"  \""},
    {FILE_OF(STEPS(FUSE "," STRIP(" ", "-1", "0")), "a"),
     "decoder.decoders[1].start: expected a number of characters, found the number -1"},
    {FILE_OF(STEPS(FUSE "," STRIP(" ", "1", "\"\"")), "a"),
     "decoder.decoders[1].stop: expected a number, found the text \"\""},
    {FILE_OF(STEPS(FUSE "," STRIP(" ", "1", "0") "," STRIP(" ", "1", "0")), "a"),
     "decoder.decoders[2].type: expected a leading space to be dropped once, found a second time"},
    {FILE_OF(STEPS(METASPACE("") "," FUSE "," STRIP(" ", "1", "0")), "a"),
     "decoder.decoders[2].type: expected a leading space to be dropped once, found a second time"},
    {FILE_OF("{\"type\":\"Metaspace\"}", "a"), "decoder.replacement: expected one character, found nothing"},
    {FILE_OF("{\"type\":\"Metaspace\",\"replacement\":\"ab\"}", "a"),
     "decoder.replacement: expected one character, found the text \"ab\""},
    {FILE_OF(METASPACE(",\"prepend_scheme\":\"some\""), "a"),
     "decoder.prepend_scheme: expected \"never\", \"first\" or \"always\", found the text \"some\""},
    {FILE_OF(METASPACE(",\"prepend_scheme\":true"), "a"),
     "decoder.prepend_scheme: expected \"never\", \"first\" or \"always\", found true"},
    {FILE_OF(METASPACE(",\"add_prefix_space\":0"), "a"),
     "decoder.add_prefix_space: expected true or false, found the number 0"},
    {FILE_OF(METASPACE(",\"add_prefix_space\":false,\"prepend_scheme\":\"first\""), "a"),
     "decoder.add_prefix_space: expected what prepend_scheme says, found the opposite"},
};

START_TEST(R1_what_is_not_said_token_by_token_is_refused) {
  assert_broken(&refused[_i]);
}
END_TEST

/* A file whose decoder is `count` times the same Replace. */
static void write_replaces(char *out, size_t room, unsigned count, const char *content) {
  snprintf(
      out, room,
      "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"aaaaaaaa\":0}},\"decoder\":{\"type\":\"Sequence\",\"decoders\":[");
  for (unsigned i = 0; i < count; i++)
    snprintf(out + strlen(out), room - strlen(out),
             "%s{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"%s\"}", i > 0 ? "," : "", content);
  snprintf(out + strlen(out), room - strlen(out), "]}}");
}

START_TEST(a_decoder_that_makes_tokens_grow_without_end_is_refused) {
  static char text[20000], content[1001];
  es_vocab_fault fault;
  memset(content, 'a', 1000);
  write_replaces(text, sizeof text, 16, content); /* 8 bytes, 8,000, 8 million, and no more */
  ck_assert_ptr_null(es_vocab_read(text, strlen(text), &fault));
  ck_assert_str_eq(fault.member, "model.vocab.aaaaaaaa");
  ck_assert_str_eq(fault.message, "expected tokens of at most 128 MiB in all, found more up to this one");
  write_replaces(text, sizeof text, 17, "b");
  ck_assert_ptr_null(es_vocab_read(text, strlen(text), &fault));
  ck_assert_str_eq(fault.member, "decoder.decoders[16].type");
  ck_assert_str_eq(fault.message, "expected at most 16 decoders, found more");
}
END_TEST

TCase *vocab_decoder_tests(void) {
  TCase *tests = tcase_create("decoder");
  tcase_add_loop_test(tests, R1_a_token_is_the_bytes_it_adds, 0, sizeof decoded / sizeof *decoded);
  tcase_add_test(tests, R1_every_byte_has_its_character);
  tcase_add_loop_test(tests, R1_what_is_not_said_token_by_token_is_refused, 0, sizeof refused / sizeof *refused);
  tcase_add_test(tests, a_decoder_that_makes_tokens_grow_without_end_is_refused);
  return tests;
}
