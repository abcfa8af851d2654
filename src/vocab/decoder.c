/* The member `decoder` of a tokenizer.json, as far as it says the bytes of each token by itself (spec/vocab.md). */
#include "repair.h"
#include "vocab_parts.h"

/* Finding a text costs its length times that of the token, if both are made for it. Real ones are a character. */
#define LONGEST_PATTERN 64

static bool add_step(const es_vocab_source *source, size_t type, es_decoder *decoder, es_decode_step step) {
  if (decoder->count == ES_DECODE_STEPS)
    return es_vocab_bad(source, type, "expected at most %d decoders, found more", ES_DECODE_STEPS);
  decoder->steps[decoder->count++] = step;
  return true;
}

/* Whether what comes now can still see the tokens one by one. */
static bool apart(const es_vocab_source *source, size_t type, const es_decoder *decoder) {
  if (!decoder->fused) return true;
  return es_vocab_bad(source, type, "expected this before the tokens are joined; behind, it acts across tokens");
}

static bool drop_space(const es_vocab_source *source, size_t type, es_decoder *decoder) {
  if (decoder->drops_leading_space)
    return es_vocab_bad(source, type, "expected a leading space to be dropped once, found a second time");
  decoder->drops_leading_space = true;
  return true;
}

/* A text of one character. */
static bool read_character(const es_vocab_source *source, size_t object, const char *name, es_span *text) {
  size_t place;
  if (!es_vocab_need(source, object, name, ES_JSON_TEXT, "one character", &place)) return false;
  *text = es_json_text_at(&source->json, place);
  if (text->length > 0 && es_character_length(text->data, text->length) == text->length) return true;
  return es_vocab_expected(source, place, "one character");
}

static bool read_replace(const es_vocab_source *source, size_t object, size_t type, es_decoder *decoder) {
  size_t pattern, text, content;
  if (!apart(source, type, decoder) ||
      !es_vocab_need(source, object, "pattern", ES_JSON_OBJECT, "an object", &pattern) ||
      !es_vocab_need(source, object, "content", ES_JSON_TEXT, "a text", &content) ||
      !es_vocab_member(source, pattern, "String", &text))
    return false;
  if (text == ES_JSON_ABSENT) {
    if (!es_vocab_member(source, pattern, "Regex", &text)) return false;
    if (text != ES_JSON_ABSENT)
      return es_vocab_bad(source, type, "expected a Replace of a plain text, found one of a regular expression");
    return es_vocab_missing(source, pattern, "String", "a text");
  }
  if (es_json_type_at(&source->json, text) != ES_JSON_TEXT) return es_vocab_expected(source, text, "a text");
  es_decode_step step = {ES_DECODE_REPLACE, es_json_text_at(&source->json, text),
                         es_json_text_at(&source->json, content)};
  if (step.pattern.length == 0) return es_vocab_bad(source, text, "expected a text to replace, found an empty one");
  if (step.pattern.length > LONGEST_PATTERN)
    return es_vocab_bad(source, text, "expected a text of at most %d bytes to replace, found a longer one",
                        LONGEST_PATTERN);
  bool one = es_character_length(step.pattern.data, step.pattern.length) == step.pattern.length;
  if (decoder->falls_back && !one)
    return es_vocab_bad(source, type, "expected a Replace of one character after ByteFallback; more may span tokens");
  return add_step(source, type, decoder, step);
}

static bool read_metaspace(const es_vocab_source *source, size_t object, size_t type, es_decoder *decoder) {
  size_t scheme, prefix;
  es_decode_step step = {ES_DECODE_REPLACE, {0}, es_span_of(" ")};
  if (!read_character(source, object, "replacement", &step.pattern) ||
      !es_vocab_member(source, object, "prepend_scheme", &scheme) ||
      !es_vocab_member(source, object, "add_prefix_space", &prefix))
    return false;
  es_span word = es_span_of("always");
  if (scheme != ES_JSON_ABSENT) {
    if (es_json_type_at(&source->json, scheme) == ES_JSON_TEXT) word = es_json_text_at(&source->json, scheme);
    bool known = es_span_same(word, es_span_of("never")) || es_span_same(word, es_span_of("first")) ||
                 es_span_same(word, es_span_of("always"));
    if (!known || es_json_type_at(&source->json, scheme) != ES_JSON_TEXT)
      return es_vocab_expected(source, scheme, "\"never\", \"first\" or \"always\"");
  }
  bool never = es_span_same(word, es_span_of("never"));
  if (prefix != ES_JSON_ABSENT) {
    es_json_type truth = es_json_type_at(&source->json, prefix);
    if (truth != ES_JSON_TRUE && truth != ES_JSON_FALSE) return es_vocab_expected(source, prefix, "true or false");
    if (truth == ES_JSON_FALSE && scheme != ES_JSON_ABSENT && !never)
      return es_vocab_bad(source, prefix, "expected what prepend_scheme says, found the opposite");
    never |= truth == ES_JSON_FALSE;
  }
  return apart(source, type, decoder) && (never || drop_space(source, type, decoder)) &&
         add_step(source, type, decoder, step);
}

static bool read_strip(const es_vocab_source *source, size_t object, size_t type, es_decoder *decoder) {
  size_t place[2];
  uint32_t count[2];
  es_span content;
  if (!read_character(source, object, "content", &content)) return false;
  for (size_t i = 0; i < 2; i++)
    if (!es_vocab_need(source, object, i == 0 ? "start" : "stop", ES_JSON_INTEGER, "a number", &place[i]) ||
        !es_vocab_number(source, place[i], "a number of characters", &count[i]))
      return false;
  if (count[1] > 0) return es_vocab_bad(source, type, "expected a Strip with stop 0; at the end no token is the last");
  if (count[0] == 0) return true;
  if (count[0] > 1) return es_vocab_bad(source, type, "expected a Strip of at most one space, found one of more");
  if (!es_span_same(content, es_span_of(" "))) return es_vocab_bad(source, type, "expected a Strip of a space");
  if (!decoder->fused)
    return es_vocab_bad(source, type, "expected Strip after Fuse; before it, each token would lose a space");
  return drop_space(source, type, decoder);
}

static bool read_byte_fallback(const es_vocab_source *source, size_t type, es_decoder *decoder) {
  if (!apart(source, type, decoder)) return false;
  if (decoder->falls_back) return es_vocab_bad(source, type, "expected ByteFallback once, found it twice");
  decoder->falls_back = true;
  return add_step(source, type, decoder, (es_decode_step){.kind = ES_DECODE_BYTE_FALLBACK});
}

static bool read_byte_level(const es_vocab_source *source, size_t type, es_decoder *decoder) {
  if (!apart(source, type, decoder)) return false;
  if (decoder->falls_back) return es_vocab_bad(source, type, "expected ByteLevel without ByteFallback before it");
  decoder->fused = true;
  return add_step(source, type, decoder, (es_decode_step){.kind = ES_DECODE_BYTE_LEVEL});
}

static bool refuse_kind(const es_vocab_source *source, size_t type, es_span name) {
  static const char *const known[][2] = {
      {"WordPiece", "whether it puts a space before a token depends on the token's place"},
      {"CTC", "it drops a token that is like the one before"},
      {"BPEDecoder", "the end of a word is a space, but not at the end of the text"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (es_span_same(name, es_span_of(known[i][0])))
      return es_vocab_bad(source, type, "expected a decoder that gives each token its own bytes, found %s: %s",
                          known[i][0], known[i][1]);
  return es_vocab_expected(source, type, "a known decoder");
}

static bool read_any(const es_vocab_source *source, size_t object, es_decoder *decoder) {
  size_t type, list;
  if (es_json_type_at(&source->json, object) != ES_JSON_OBJECT)
    return es_vocab_expected(source, object, "an object with the member type");
  if (!es_vocab_need(source, object, "type", ES_JSON_TEXT, "the name of a decoder", &type)) return false;
  es_span name = es_json_text_at(&source->json, type);
  if (es_span_same(name, es_span_of("ByteLevel"))) return read_byte_level(source, type, decoder);
  if (es_span_same(name, es_span_of("ByteFallback"))) return read_byte_fallback(source, type, decoder);
  if (es_span_same(name, es_span_of("Metaspace"))) return read_metaspace(source, object, type, decoder);
  if (es_span_same(name, es_span_of("Replace"))) return read_replace(source, object, type, decoder);
  if (es_span_same(name, es_span_of("Strip"))) return read_strip(source, object, type, decoder);
  if (es_span_same(name, es_span_of("Fuse"))) {
    decoder->fused = true;
    return true;
  }
  if (!es_span_same(name, es_span_of("Sequence"))) return refuse_kind(source, type, name);
  if (!es_vocab_need(source, object, "decoders", ES_JSON_LIST, "a list", &list)) return false;
  for (size_t at = list + 1, end = es_json_end(&source->json, list); at < end; at = es_json_after(&source->json, at))
    if (!read_any(source, at, decoder)) return false;
  return true;
}

bool es_decoder_read(const es_vocab_source *source, size_t place, es_decoder *decoder) {
  *decoder = (es_decoder){0};
  return read_any(source, place, decoder);
}
