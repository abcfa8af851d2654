/* From bytes to the reader of their form. */
#include <stdio.h>
#include <stdlib.h>

#include "repair.h"
#include "vocab_parts.h"

/* The file as a tape, whole: one ill text or number makes it no vocabulary. */
static bool parse(es_vocab_source *source, es_json_parser *parser) {
  es_json json;
  es_ills ills = {0};
  es_syntax_fault syntax;
  es_json_outcome outcome = es_json_read(parser, source->text, source->length, &json);
  if (outcome == ES_JSON_READ) {
    source->json = json;
    return true;
  }
  if (outcome == ES_JSON_NO_MEMORY) return es_vocab_no_memory(source->fault);
  switch (es_json_repair(source->text, source->length, &ills, &syntax)) {
  case ES_REPAIR_NO_MEMORY:
    es_vocab_no_memory(source->fault);
    break;
  case ES_REPAIR_SYNTAX:
    es_vocab_bad_byte(source, syntax.offset, "%s", syntax.message);
    if (syntax.offset == source->length)
      snprintf(source->fault->message, sizeof source->fault->message, "expected more; the file ends too early");
    break;
  case ES_REPAIR_DONE:
    if (ills.count > 0)
      es_vocab_bad_byte(source, ills.ills[0].offset, "%s", es_ill_message(ills.ills[0].kind));
    else
      es_vocab_bad_byte(source, 0, "expected JSON that can be read");
    break;
  }
  free(ills.ills);
  return false;
}

static es_vocab *read_json(es_vocab_source *source) {
  es_json_parser *parser = es_json_parser_new();
  es_vocab *vocab = NULL;
  size_t model, config;
  if (!parser) {
    es_vocab_no_memory(source->fault);
  } else if (parse(source, parser)) {
    if (es_json_type_at(&source->json, ES_JSON_TOP) != ES_JSON_OBJECT)
      es_vocab_expected(source, ES_JSON_TOP, "an object");
    else if (es_vocab_member(source, ES_JSON_TOP, "model", &model) &&
             es_vocab_member(source, ES_JSON_TOP, "config", &config)) {
      if (model != ES_JSON_ABSENT)
        vocab = es_vocab_read_tokenizer(source);
      else if (config != ES_JSON_ABSENT)
        vocab = es_vocab_read_tekken(source);
      else
        es_vocab_bad(source, ES_JSON_TOP, "expected the member model (a tokenizer.json) or config (a tekken.json)");
    }
  }
  es_json_parser_free(parser);
  return vocab;
}

/* The form of a text that has ES_JSON_PADDING bytes after it and may be changed. */
static es_vocab *read_source(es_vocab_source *source) {
  size_t first = 0;
  while (first < source->length && memchr(" \t\r\n", source->text[first], 4)) first++;
  if (first == source->length) {
    es_vocab_bad_byte(source, 0, "expected a vocabulary, found an empty file");
    return NULL;
  }
  memset(source->text + source->length, 0, ES_JSON_PADDING);
  return memchr("{[\"", source->text[first], 3) ? read_json(source) : es_vocab_read_tiktoken(source);
}

es_vocab *es_vocab_read(const char *bytes, size_t length, es_vocab_fault *fault) {
  es_vocab_source source = {.length = length, .fault = fault};
  *fault = (es_vocab_fault){0};
  if (length > ES_VOCAB_LIMIT) {
    snprintf(fault->message, sizeof fault->message, "expected at most 128 MiB, found more");
    return NULL;
  }
  source.text = malloc(length + ES_JSON_PADDING);
  if (!source.text) {
    es_vocab_no_memory(fault);
    return NULL;
  }
  if (length > 0) memcpy(source.text, bytes, length);
  es_vocab *vocab = read_source(&source);
  free(source.text);
  return vocab;
}

es_vocab *es_vocab_load(const char *path, es_vocab_fault *fault) {
  es_vocab_bytes bytes = {0};
  es_vocab *vocab = NULL;
  *fault = (es_vocab_fault){0};
  if (es_vocab_fetch(path, &bytes, fault)) {
    es_vocab_source source = {.text = bytes.data, .length = bytes.length, .fault = fault};
    vocab = read_source(&source);
  }
  free(bytes.data);
  return vocab;
}
