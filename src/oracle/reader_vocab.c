/* The vocabulary of a line: tokens that are given by their ids alone (R1). */
#include "reader_parts.h"

bool es_reader_vocab(es_reader *r, size_t place) {
  es_span path = {0};
  const char *why = NULL;
  if (!es_reader_text(r, place, &path)) return false;
  r->vocab = r->options.vocab;
  if (path.data) {
    if (!r->options.shelf && !r->own_shelf && !(r->own_shelf = es_shelf_new())) return es_reader_no_memory(r);
    r->vocab = es_shelf_find(r->options.shelf ? r->options.shelf : r->own_shelf, r->options.folder, path, &why);
    if (!r->vocab) return es_reader_bad(r, place, "%s", why);
  }
  r->bounds.vocabulary = r->vocab && es_vocab_complete(r->vocab) ? es_vocab_size(r->vocab) : ES_NO_LIMIT;
  return true;
}

bool es_reader_token_bytes(es_reader *r, size_t place, es_token *token, bool given_special) {
  es_vocab_token known;
  if (!es_vocab_find(r->vocab, token->id, &known)) {
    if (token->bytes.data) return true;
    return es_reader_bad(r, place, "expected `text` or `hex`, for the vocabulary does not know token %u, found neither",
                         token->id);
  }
  if (given_special && token->special != known.special)
    return es_reader_bad(r, place, "expected token %u to be %s, as in the vocabulary, found another `special`",
                         token->id, known.special ? "special" : "ordinary");
  if (token->bytes.data && !es_span_same(token->bytes, known.bytes))
    return es_reader_bad(r, place, "expected the bytes that the vocabulary gives token %u, found others", token->id);
  if (!token->bytes.data) token->bytes = known.bytes;
  token->special = known.special;
  return true;
}

void es_reader_drop_space(const es_reader *r, const es_case *c) {
  es_token *tokens = r->vectors[ES_VECTOR_TOKENS].data;
  if (!r->vocab || !es_vocab_drops_leading_space(r->vocab)) return;
  for (size_t i = 0; i < c->token_count; i++) {
    es_token *token = &tokens[i];
    if (token->bytes.length == 0 || (token->special && c->request.skip_special)) continue;
    es_vocab_token known;
    bool by_id = es_vocab_find(r->vocab, token->id, &known) && token->bytes.data == known.bytes.data;
    if (by_id && token->bytes.data[0] == ' ') token->bytes = (es_span){token->bytes.data + 1, token->bytes.length - 1};
    return;
  }
}
