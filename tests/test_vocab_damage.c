/* The vocabularies of corpus/vocab, cut short and changed at random: refused with a place and a reason, or read; never
 * worse. Run with sanitizers as well. */
#include <stdlib.h>

#include "vocab_rig.h"

static const char *const files[] = {"corpus/vocab/deepseek-4k.json", "corpus/vocab/moonshine-4k.json",
                                    "corpus/vocab/gpt2-4k.tiktoken", "corpus/vocab/tekken-2k.json"};
#define FILES ((int)(sizeof files / sizeof *files))
#define JSON(file) (strstr((file), ".json") != NULL)

static char *text; /* of the file under test, with a byte of room */
static size_t length;

static void read_file(int which) {
  FILE *file = fopen(files[which], "rb");
  ck_assert_msg(file != NULL, "%s: cannot be read", files[which]);
  text = malloc(1 << 20);
  ck_assert_ptr_nonnull(text);
  length = fread(text, 1, 1 << 20, file);
  fclose(file);
  ck_assert_uint_gt(length, 1 << 10);
  ck_assert_uint_lt(length, 1 << 20);
}

/* The numbers of a linear congruential generator; their upper bits. */
static uint32_t chance(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % below);
}

/* Reads `size` bytes in memory of just that size, so that a sanitizer sees a step too far. */
static es_vocab *read_part(size_t size, es_vocab_fault *fault) {
  char *part = malloc(size > 0 ? size : 1);
  ck_assert_ptr_nonnull(part);
  memcpy(part, text, size);
  es_vocab *vocab = es_vocab_read(part, size, fault);
  free(part);
  return vocab;
}

static void assert_told(const es_vocab_fault *fault, const char *what, size_t at) {
  ck_assert_msg(fault->message[0] != '\0' && strlen(fault->message) < sizeof fault->message - 1 &&
                    (fault->line > 0) == (fault->column > 0) && (fault->line > 0 || fault->member[0] != '\0'),
                "%s at byte %zu: %" PRIu64 ":%" PRIu64 " %s: %s", what, at, fault->line, fault->column, fault->member,
                fault->message);
}

/* A JSON file has an end, so no part of one is a vocabulary; the place is where the part ends, or where a text began
 * that is cut. A rank file has none: cut between lines, or within the last rank, it is a shorter file. */
START_TEST(a_file_cut_short_is_refused_where_it_ends) {
  read_file(_i);
  size_t steps = 150, all = length;
  while (JSON(files[_i]) && text[all - 1] != '}') all--;
  for (size_t step = 0; step < steps; step++) {
    /* near the beginning, near the end, and in between */
    size_t size = step < 40 ? step : step < 110 ? 40 + (all - 80) / 70 * (step - 40) : all - (steps - step);
    es_vocab_fault fault;
    es_vocab *vocab = read_part(size, &fault);
    if (JSON(files[_i])) ck_assert_msg(vocab == NULL, "%s: the first %zu bytes were read", files[_i], size);
    if (vocab == NULL) {
      assert_told(&fault, files[_i], size);
      uint64_t lines = 1;
      for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
      ck_assert_msg(fault.line > 0 && fault.line <= lines, "%s: byte %zu: line %" PRIu64, files[_i], size, fault.line);
      if (JSON(files[_i]) && size > 0)
        ck_assert_msg(fault.line == lines, "%s: byte %zu: line %" PRIu64 ": %s", files[_i], size, fault.line,
                      fault.message);
    }
    es_vocab_free(vocab);
  }
  free(text);
}
END_TEST

START_TEST(a_file_with_a_changed_byte_is_read_or_refused) {
  const char *seed = getenv("ES_SEED");
  uint64_t state = seed ? strtoull(seed, NULL, 10) : 1;
  printf("vocab: ES_SEED=%" PRIu64 "\n", state);
  read_file(_i);
  static const char likely[] = "\"\\{}[]:,0-9.e \n\t=+/\x00\x80\xC3\xE2\xFF";
  for (unsigned round = 0; round < 150; round++) {
    char kept[4];
    size_t place[4], count = 1 + chance(&state, 4);
    for (size_t i = 0; i < count; i++) {
      place[i] = chance(&state, (uint32_t)length);
      kept[i] = text[place[i]];
      text[place[i]] = likely[chance(&state, sizeof likely - 1)];
    }
    es_vocab_fault fault;
    es_vocab *vocab = read_part(length, &fault);
    if (vocab == NULL) assert_told(&fault, files[_i], place[0]);
    for (uint32_t id = 0; vocab && id < es_vocab_size(vocab) && id < 10000; id++) {
      es_vocab_token token;
      uint32_t sum = 0;
      if (!es_vocab_find(vocab, id, &token)) continue;
      for (size_t i = 0; i < token.bytes.length; i++) sum += (unsigned char)token.bytes.data[i];
      ck_assert_uint_le(sum, 255 * token.bytes.length);
    }
    es_vocab_free(vocab);
    for (size_t i = count; i > 0; i--) text[place[i - 1]] = kept[i - 1];
  }
  free(text);
}
END_TEST

TCase *vocab_damage_tests(void) {
  TCase *tests = tcase_create("damage");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, a_file_cut_short_is_refused_where_it_ends, 0, FILES);
  tcase_add_loop_test(tests, a_file_with_a_changed_byte_is_read_or_refused, 0, FILES);
  return tests;
}
