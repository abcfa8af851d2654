/* Mistral's tekken.json: special tokens first, then as many of the listed ones as the file says are used. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "vocab_parts.h"

/* The special tokens of files that do not list them, and the last version that may leave them out. */
static const char *const old_special[] = {"<unk>",
                                          "<s>",
                                          "</s>",
                                          "[INST]",
                                          "[/INST]",
                                          "[AVAILABLE_TOOLS]",
                                          "[/AVAILABLE_TOOLS]",
                                          "[TOOL_RESULTS]",
                                          "[/TOOL_RESULTS]",
                                          "[TOOL_CALLS]",
                                          "[IMG]",
                                          "<pad>",
                                          "[IMG_BREAK]",
                                          "[IMG_END]",
                                          "[PREFIX]",
                                          "[MIDDLE]",
                                          "[SUFFIX]",
                                          "[SYSTEM_PROMPT]",
                                          "[/SYSTEM_PROMPT]",
                                          "[TOOL_CONTENT]"};
#define OLD_VERSION 7

/* Names are made for ids that no list names, so a large number in a short file would cost much. */
#define MOST_SPECIAL ((uint32_t)1 << 20)

typedef struct {
  uint32_t special; /* ids below this one are special */
  uint32_t size;    /* ids in all */
} counts;

static bool read_count(const es_vocab_source *source, size_t config, const char *name, uint32_t *count) {
  size_t place;
  return es_vocab_need(source, config, name, ES_JSON_INTEGER, "a number", &place) &&
         es_vocab_number(source, place, "a number of tokens", count);
}

static bool read_config(const es_vocab_source *source, size_t *config, counts *c) {
  if (!es_vocab_need(source, ES_JSON_TOP, "config", ES_JSON_OBJECT, "an object", config) ||
      !read_count(source, *config, "default_num_special_tokens", &c->special) ||
      !read_count(source, *config, "default_vocab_size", &c->size))
    return false;
  if (c->size >= c->special) return true;
  es_vocab_bad(source, *config, "expected at least as many tokens as special ones, found %" PRIu32 " and %" PRIu32,
               c->size, c->special);
  return false;
}

/* The rank that a member has to repeat: its index. */
static bool check_rank(const es_vocab_source *source, size_t object, uint32_t index) {
  size_t place;
  uint32_t rank;
  char words[40];
  snprintf(words, sizeof words, "%" PRIu32 ", its index", index);
  if (es_json_type_at(&source->json, object) != ES_JSON_OBJECT) return es_vocab_expected(source, object, "an object");
  if (!es_vocab_need(source, object, "rank", ES_JSON_INTEGER, words, &place) ||
      !es_vocab_number(source, place, words, &rank))
    return false;
  return rank == index || es_vocab_expected(source, place, words);
}

/* Whether the version is one that had no list of special tokens. */
static bool check_old(const es_vocab_source *source, size_t config) {
  size_t version;
  if (!es_vocab_member(source, config, "version", &version)) return false;
  if (version != ES_JSON_ABSENT && es_json_type_at(&source->json, version) == ES_JSON_TEXT) {
    es_span name = es_json_text_at(&source->json, version);
    if (name.length == 2 && name.data[0] == 'v' && name.data[1] >= '1' && name.data[1] <= '0' + OLD_VERSION)
      return true;
  }
  return es_vocab_missing(source, ES_JSON_TOP, "special_tokens", "a list, since config.version is not v1 to v7");
}

static bool add_special(const es_vocab_source *source, es_pieces *pieces, es_span text, size_t place, uint32_t id) {
  es_piece piece = {.text = text, .place = place, .id = id, .kind = ES_PIECE_ADDED, .special = true};
  return es_pieces_add(source, pieces, piece);
}

/* Names the ids that no list names, as the library does: <SPECIAL_20> and so on. `names` has room for all. */
static bool fill_special(const es_vocab_source *source, uint32_t from, uint32_t to, es_vocab_bytes *names,
                         es_pieces *pieces) {
  for (uint32_t id = from; id < to; id++) {
    char name[32];
    size_t length = (size_t)snprintf(name, sizeof name, "<SPECIAL_%" PRIu32 ">", id);
    es_span text = {names->data + names->length, length};
    memcpy(names->data + names->length, name, length);
    names->length += length;
    if (!add_special(source, pieces, text, ES_JSON_TOP, id)) return false;
  }
  return true;
}

static bool too_many(const es_vocab_source *source, size_t place, uint32_t most) {
  return es_vocab_bad(source, place, "expected at most %" PRIu32 " special tokens, found more", most);
}

static bool read_special(const es_vocab_source *source, size_t config, uint32_t count, es_vocab_bytes *names,
                         es_pieces *pieces) {
  size_t list, token;
  uint32_t index = 0;
  const es_json *json = &source->json;
  if (!es_vocab_member(source, ES_JSON_TOP, "special_tokens", &list)) return false;
  if (list == ES_JSON_ABSENT) {
    uint32_t old = sizeof old_special / sizeof *old_special;
    if (!check_old(source, config)) return false;
    if (old > count) return too_many(source, config, count);
    for (; index < old; index++)
      if (!add_special(source, pieces, es_span_of(old_special[index]), ES_JSON_TOP, index)) return false;
    return fill_special(source, index, count, names, pieces);
  }
  if (es_json_type_at(json, list) != ES_JSON_LIST) return es_vocab_expected(source, list, "a list");
  for (size_t at = list + 1, end = es_json_end(json, list); at < end; at = es_json_after(json, at), index++) {
    if (index == count) return too_many(source, at, count);
    if (!check_rank(source, at, index) || !es_vocab_need(source, at, "token_str", ES_JSON_TEXT, "a text", &token))
      return false;
    if (!add_special(source, pieces, es_json_text_at(json, token), token, index)) return false;
  }
  return fill_special(source, index, count, names, pieces);
}

static bool read_vocab(const es_vocab_source *source, counts c, es_vocab_bytes *bytes, es_pieces *pieces) {
  size_t list, token;
  uint32_t index = 0, used = c.size - c.special;
  const es_json *json = &source->json;
  if (!es_vocab_need(source, ES_JSON_TOP, "vocab", ES_JSON_LIST, "a list", &list)) return false;
  for (size_t at = list + 1, end = es_json_end(json, list); at < end && index < used; at = es_json_after(json, at)) {
    if (!check_rank(source, at, index) || !es_vocab_need(source, at, "token_bytes", ES_JSON_TEXT, "base64", &token))
      return false;
    size_t begin = bytes->length;
    const char *why;
    es_vocab_base64(es_json_text_at(json, token), bytes, &why);
    if (why) return es_vocab_expected(source, token, why);
    es_piece piece = {.text = {bytes->data + begin, bytes->length - begin},
                      .place = token,
                      .id = c.special + index++,
                      .kind = ES_PIECE_MODEL};
    if (!es_pieces_add(source, pieces, piece)) return false;
  }
  if (pieces->count == 0) return es_vocab_bad(source, list, "expected a token, found none");
  if (index == used) return true;
  return es_vocab_bad(source, list, "expected %" PRIu32 " tokens, as config says, found %" PRIu32, used, index);
}

es_vocab *es_vocab_read_tekken(const es_vocab_source *source) {
  es_vocab_bytes bytes = {0}, names = {0};
  es_pieces pieces = {0};
  es_vocab *vocab = NULL;
  size_t config;
  counts c;
  bool good = read_config(source, &config, &c);
  if (good && c.special > MOST_SPECIAL) good = too_many(source, config, MOST_SPECIAL);
  if (good)
    good = (es_vocab_bytes_reserve(&bytes, source->length) && es_vocab_bytes_reserve(&names, (size_t)32 * c.special)) ||
           es_vocab_no_memory(source->fault);
  if (good && read_special(source, config, c.special, &names, &pieces) && read_vocab(source, c, &bytes, &pieces)) {
    es_vocab_rules rules = {.form = ES_VOCAB_TEKKEN, .complete = true, .model_unique = true, .added_unique = true};
    vocab = es_vocab_build(source, &pieces, &rules);
  }
  free(pieces.pieces);
  free(names.data);
  free(bytes.data);
  return vocab;
}
