/* Vocabularies as such: finding ids, and files that are none. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vocab_rig.h"

START_TEST(ids_with_gaps_are_found_and_no_others) {
  es_vocab *vocab = vocab_of("YQ== 0\nYg== 1\nYw== 3\nZA== 1000\nZQ== 2147483647\n");
  const uint32_t known[] = {0, 1, 3, 1000, 2147483647},
                 unknown[] = {2, 4, 5, 999, 1001, 2147483646, 2147483648, UINT32_MAX};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_token(vocab, known[i], (const char *[]){"a", "b", "c", "d", "e"}[i], false);
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) assert_no_token(vocab, unknown[i]);
  ck_assert_uint_eq(es_vocab_size(vocab), 2147483648u);
  es_vocab_free(vocab);
}
END_TEST

/* Every set of the ids 1 to 10, among them all ways to have gaps. */
START_TEST(every_pattern_of_gaps_is_found) {
  for (uint32_t set = 1; set < 1 << 10; set++) {
    char text[200] = "";
    for (uint32_t id = 10; id >= 1; id--)
      if (set >> (id - 1) & 1)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%c%c== %" PRIu32 "\n", 'A' + (char)id,
                 "AQgw"[id % 4], id);
    es_vocab *vocab = vocab_of(text);
    for (uint32_t id = 0; id < 13; id++) {
      es_vocab_token token;
      bool there = id >= 1 && id <= 10 && (set >> (id - 1) & 1);
      ck_assert_msg(es_vocab_find(vocab, id, &token) == there, "set %" PRIu32 ", id %" PRIu32, set, id);
      if (there) ck_assert_int_eq((unsigned char)token.bytes.data[0] >> 2, (int)id);
    }
    es_vocab_free(vocab);
  }
}
END_TEST

static const broken_vocab no_vocabularies[] = {
    {"", "1:1: expected a vocabulary, found an empty file"},
    {" \r\n\t\n", "1:1: expected a vocabulary, found an empty file"},
    {"{", "1:2: expected more; the file ends too early"},
    {"{\"a\":\n 1,}", "2:4: expected the name of a member, in quotes"},
    {"{}", "expected the member model (a tokenizer.json) or config (a tekken.json)"},
    {"[]", "expected an object, found a list"},
    {"\"a\"", "expected an object, found the text \"a\""},
    {"{\"model\":null,\"model\":null}", "model: expected this member once, found it twice"},
    {"{\"a\":\"\\ud800\"}", "1:7: expected UTF-8 text, found a lone surrogate escape, which is no character"},
    {"{\n\"a\":\"\xff\"}", "2:6: expected UTF-8 text, found bytes that are no UTF-8"},
    {"{\"a\":1e999}", "1:6: expected a whole number, found one beyond every machine number"},
    {"\xEF\xBB\xBF{}",
     "1:1: expected base64 (a rank file) or an opening brace (a tokenizer.json or tekken.json), found the byte 0xEF"},
    {"GGUF\x03", "1:5: expected a space and a rank, found the byte 0x03"},
};

START_TEST(what_is_no_vocabulary_is_told) {
  assert_broken(&no_vocabularies[_i]);
}
END_TEST

START_TEST(brackets_without_end_are_refused) {
  static char text[1 << 20];
  es_vocab_fault fault;
  memset(text, '[', sizeof text);
  text[0] = '{';
  memcpy(text + 1, "\"a\":", 4);
  ck_assert_ptr_null(es_vocab_read(text, sizeof text, &fault));
  ck_assert_uint_eq(fault.column, 261);
  ck_assert_str_eq(fault.message, "expected no more than 256 brackets within one another");
}
END_TEST

START_TEST(zeros_are_refused) {
  static char text[1 << 16];
  es_vocab_fault fault;
  ck_assert_ptr_null(es_vocab_read(text, sizeof text, &fault));
  ck_assert_uint_eq(fault.line, 1);
  ck_assert_uint_eq(fault.column, 1);
}
END_TEST

START_TEST(more_than_128_MiB_are_refused_unread) {
  es_vocab_fault fault;
  ck_assert_ptr_null(es_vocab_read("", ((size_t)128 << 20) + 1, &fault));
  ck_assert_uint_eq(fault.line, 0);
  ck_assert_str_eq(fault.message, "expected at most 128 MiB, found more");
}
END_TEST

static char folder[] = "/tmp/endstop-vocab-XXXXXX";
static char path[64];

static void make_folder(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
}

static void remove_folder(void) {
  unlink(path);
  rmdir(folder);
}

static void assert_no_file(const char *name, const char *message) {
  es_vocab_fault fault;
  ck_assert_ptr_null(es_vocab_load(name, &fault));
  ck_assert_uint_eq(fault.line, 0);
  ck_assert_str_eq(fault.member, "");
  ck_assert_str_eq(fault.message, message);
}

START_TEST(only_a_regular_file_is_read) {
  assert_no_file(path, "expected a file that can be read, found No such file or directory");
  assert_no_file(folder, "expected a regular file, found a directory");
  assert_no_file("/dev/zero", "expected a regular file, found a device");
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  assert_no_file(path, "expected a regular file, found a pipe"); /* and does not wait for a writer */
}
END_TEST

START_TEST(a_file_is_read_and_a_huge_one_is_not) {
  es_vocab_fault fault;
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs("YQ== 5", file);
  fclose(file);
  es_vocab *vocab = es_vocab_load(path, &fault);
  ck_assert_ptr_nonnull(vocab);
  assert_token(vocab, 5, "a", false);
  es_vocab_free(vocab);
  ck_assert_int_eq(truncate(path, (off_t)600 << 20), 0);
  assert_no_file(path, "expected at most 128 MiB, found more");
}
END_TEST

Suite *vocab_suite(void);

Suite *vocab_suite(void) {
  Suite *suite = suite_create("vocab");
  TCase *tests = tcase_create("vocabularies");
  tcase_add_test(tests, ids_with_gaps_are_found_and_no_others);
  tcase_add_test(tests, every_pattern_of_gaps_is_found);
  tcase_add_loop_test(tests, what_is_no_vocabulary_is_told, 0, sizeof no_vocabularies / sizeof *no_vocabularies);
  tcase_add_test(tests, brackets_without_end_are_refused);
  tcase_add_test(tests, zeros_are_refused);
  tcase_add_test(tests, more_than_128_MiB_are_refused_unread);
  suite_add_tcase(suite, tests);
  TCase *files = tcase_create("files");
  tcase_add_checked_fixture(files, make_folder, remove_folder);
  tcase_add_test(files, only_a_regular_file_is_read);
  tcase_add_test(files, a_file_is_read_and_a_huge_one_is_not);
  suite_add_tcase(suite, files);
  suite_add_tcase(suite, vocab_tokenizer_tests());
  suite_add_tcase(suite, vocab_decoder_tests());
  suite_add_tcase(suite, vocab_ranks_tests());
  suite_add_tcase(suite, vocab_damage_tests());
  return suite;
}
