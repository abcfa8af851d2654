/* A Hugging Face tokenizer.json: the model's vocabulary, the added tokens, and the decoder that makes bytes of both. */
#include <stdlib.h>

#include "vocab_parts.h"

static const char id_words[] = "an id from 0 to 2147483647";

static bool read_version(const es_vocab_source *source) {
  size_t version;
  if (!es_vocab_member(source, ES_JSON_TOP, "version", &version)) return false;
  if (version == ES_JSON_ABSENT) return true;
  if (es_json_type_at(&source->json, version) == ES_JSON_TEXT &&
      es_span_same(es_json_text_at(&source->json, version), es_span_of("1.0")))
    return true;
  return es_vocab_expected(source, version, "version \"1.0\"");
}

/* Refuses models whose tokens are no pieces of text by themselves. A model without a type is an old file's BPE or
 * Unigram, told by its other members. */
static bool check_model(const es_vocab_source *source, size_t model, bool *list) {
  static const char words[] = "the type \"BPE\", \"Unigram\" or \"WordLevel\"";
  size_t type, merges, vocab;
  if (es_json_type_at(&source->json, model) != ES_JSON_OBJECT) return es_vocab_expected(source, model, "an object");
  if (!es_vocab_member(source, model, "type", &type) || !es_vocab_member(source, model, "merges", &merges) ||
      !es_vocab_member(source, model, "vocab", &vocab))
    return false;
  if (type == ES_JSON_ABSENT) {
    *list = vocab != ES_JSON_ABSENT && es_json_type_at(&source->json, vocab) == ES_JSON_LIST;
    return *list || merges != ES_JSON_ABSENT || es_vocab_missing(source, model, "type", words);
  }
  if (es_json_type_at(&source->json, type) != ES_JSON_TEXT) return es_vocab_expected(source, type, words);
  es_span name = es_json_text_at(&source->json, type);
  *list = es_span_same(name, es_span_of("Unigram"));
  if (*list || es_span_same(name, es_span_of("BPE")) || es_span_same(name, es_span_of("WordLevel"))) return true;
  if (es_span_same(name, es_span_of("WordPiece")))
    return es_vocab_bad(source, type, "expected %s, found WordPiece: its text depends on the tokens beside", words);
  return es_vocab_expected(source, type, words);
}

/* {"the":5, …} */
static bool read_ids(const es_vocab_source *source, size_t vocab, es_pieces *pieces) {
  const es_json *json = &source->json;
  for (size_t at = vocab + 1, end = es_json_end(json, vocab); at < end; at = es_json_after(json, at + 1)) {
    es_piece piece = {.text = es_json_text_at(json, at), .place = at + 1, .kind = ES_PIECE_MODEL};
    if (!es_vocab_number(source, at + 1, id_words, &piece.id) || !es_pieces_add(source, pieces, piece)) return false;
  }
  return true;
}

/* [["the",-3.5], …]: the index is the id. */
static bool read_scores(const es_vocab_source *source, size_t vocab, es_pieces *pieces) {
  const es_json *json = &source->json;
  for (size_t at = vocab + 1, end = es_json_end(json, vocab); at < end; at = es_json_after(json, at)) {
    es_piece piece = {.place = at, .id = (uint32_t)pieces->count, .kind = ES_PIECE_MODEL};
    bool pair = es_json_type_at(json, at) == ES_JSON_LIST && es_json_type_at(json, at + 1) == ES_JSON_TEXT;
    es_json_type score = pair ? es_json_type_at(json, at + 2) : ES_JSON_NULL;
    pair = (score == ES_JSON_REAL || score == ES_JSON_INTEGER || score == ES_JSON_LARGE) &&
           es_json_type_at(json, at + 4) == ES_JSON_LIST_END;
    if (!pair) return es_vocab_bad(source, at, "expected a piece and its score, found something else");
    piece.text = es_json_text_at(json, at + 1);
    if (!es_pieces_add(source, pieces, piece)) return false;
  }
  return true;
}

static bool read_added_token(const es_vocab_source *source, size_t object, es_pieces *pieces) {
  const es_json *json = &source->json;
  size_t id, content, special;
  if (es_json_type_at(json, object) != ES_JSON_OBJECT) return es_vocab_expected(source, object, "an object");
  es_piece piece = {.place = object, .kind = ES_PIECE_ADDED};
  if (!es_vocab_need(source, object, "id", ES_JSON_INTEGER, id_words, &id) ||
      !es_vocab_number(source, id, id_words, &piece.id) ||
      !es_vocab_need(source, object, "content", ES_JSON_TEXT, "a text", &content) ||
      !es_vocab_member(source, object, "special", &special))
    return false;
  if (special == ES_JSON_ABSENT) return es_vocab_missing(source, object, "special", "true or false");
  es_json_type truth = es_json_type_at(json, special);
  if (truth != ES_JSON_TRUE && truth != ES_JSON_FALSE) return es_vocab_expected(source, special, "true or false");
  piece.text = es_json_text_at(json, content);
  piece.special = truth == ES_JSON_TRUE;
  piece.place = id;
  return es_pieces_add(source, pieces, piece);
}

static bool read_pieces(const es_vocab_source *source, es_pieces *pieces, bool *list) {
  size_t model, vocab, added;
  if (!es_vocab_member(source, ES_JSON_TOP, "model", &model) || !check_model(source, model, list) ||
      !es_vocab_need(source, model, "vocab", *list ? ES_JSON_LIST : ES_JSON_OBJECT,
                     *list ? "a list of pieces and scores" : "an object of tokens and ids", &vocab) ||
      !(*list ? read_scores : read_ids)(source, vocab, pieces) ||
      !es_vocab_member(source, ES_JSON_TOP, "added_tokens", &added))
    return false;
  if (pieces->count == 0) return es_vocab_bad(source, vocab, "expected a token, found none");
  if (added == ES_JSON_ABSENT) return true;
  if (es_json_type_at(&source->json, added) != ES_JSON_LIST) return es_vocab_expected(source, added, "a list");
  for (size_t at = added + 1, end = es_json_end(&source->json, added); at < end; at = es_json_after(&source->json, at))
    if (!read_added_token(source, at, pieces)) return false;
  return true;
}

es_vocab *es_vocab_read_tokenizer(const es_vocab_source *source) {
  es_pieces pieces = {0};
  es_decoder decoder;
  es_vocab *vocab = NULL;
  size_t place;
  bool list = false;
  if (read_version(source) && read_pieces(source, &pieces, &list) &&
      es_vocab_member(source, ES_JSON_TOP, "decoder", &place)) {
    if (place == ES_JSON_ABSENT) {
      es_vocab_missing(source, ES_JSON_TOP, "decoder", "a decoder (without one tokens are joined with spaces)");
    } else if (es_decoder_read(source, place, &decoder)) {
      es_vocab_rules rules = {.form = ES_VOCAB_TOKENIZER_JSON,
                              .complete = true,
                              .model_unique = !list,
                              .special_by_text = true,
                              .decoder = &decoder};
      vocab = es_vocab_build(source, &pieces, &rules);
    }
  }
  free(pieces.pieces);
  return vocab;
}
