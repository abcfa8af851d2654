/* A case: everything in it that is not its request. A fault here is a bad line. */
#include <stdlib.h>

#include "reader_parts.h"

enum {
  CASE_ID,
  SOURCE,
  KIND,
  WHAT,
  REQUEST,
  PROMPT_TOKENS,
  VOCAB,
  STEPS,
  ABORT,
  EXTERNAL,
  SINK,
  EXPECT,
  RESULT,
  MEMBERS
};
static const es_shape case_shape = {"",
                                    {ES_NAME("case"), ES_NAME("source"), ES_NAME("kind"), ES_NAME("what"),
                                     ES_NAME("request"), ES_NAME("prompt_tokens"), ES_NAME("vocab"), ES_NAME("steps"),
                                     ES_NAME("abort_after_step"), ES_NAME("external_end"), ES_NAME("sink"),
                                     ES_NAME("expect"), ES_NAME("result")},
                                    MEMBERS};

enum { TOKEN_ID, TOKEN_TEXT, TOKEN_HEX, TOKEN_SPECIAL, TOKEN_MEMBERS };
static const es_shape token_shape = {
    "steps[][].", {ES_NAME("id"), ES_NAME("text"), ES_NAME("hex"), ES_NAME("special")}, TOKEN_MEMBERS};

static const es_shape external_shape = {"external_end.", {ES_NAME("after_step"), ES_NAME("cut"), ES_NAME("reason")}, 3};

/* What is in it is for those who compare results; here only its names count. */
static const es_shape expect_shape = {"expect.",
                                      {ES_NAME("case"), ES_NAME("unsupported"), ES_NAME("deltas"), ES_NAME("text"),
                                       ES_NAME("finish_reason"), ES_NAME("cause"), ES_NAME("stop_reason"),
                                       ES_NAME("tokens"), ES_NAME("token_ids"), ES_NAME("stop_index"),
                                       ES_NAME("delta_steps"), ES_NAME("terminal"), ES_NAME("terminals"),
                                       ES_NAME("param"), ES_NAME("message"), ES_NAME("never")},
                                      16};

static bool grow_ids(es_reader *r) {
  size_t capacity = r->id_capacity ? 2 * r->id_capacity : 1024;
  es_id_slot *slots = calloc(capacity, sizeof *slots);
  if (!slots) return es_reader_no_memory(r);
  for (size_t i = 0; i < r->id_capacity; i++) {
    if (r->ids[i].generation != r->generation) continue;
    size_t at = (r->ids[i].id * 0x9E3779B97F4A7C15u >> 32) & (capacity - 1);
    while (slots[at].generation) at = (at + 1) & (capacity - 1);
    slots[at] = r->ids[i];
  }
  free(r->ids);
  r->ids = slots;
  r->id_capacity = capacity;
  return true;
}

/* The same id always has the same bytes and the same `special`. */
static bool consistent(es_reader *r, size_t place, size_t index) {
  const es_token *tokens = r->vectors[ES_VECTOR_TOKENS].data, *token = &tokens[index];
  if (2 * r->id_count >= r->id_capacity && !grow_ids(r)) return false;
  size_t mask = r->id_capacity - 1, at = (token->id * 0x9E3779B97F4A7C15u >> 32) & mask;
  while (r->ids[at].generation == r->generation && r->ids[at].id != token->id) at = (at + 1) & mask;
  if (r->ids[at].generation != r->generation) {
    r->ids[at] = (es_id_slot){r->generation, token->id, index};
    r->id_count++;
    return true;
  }
  const es_token *first = &tokens[r->ids[at].token];
  if (token->special != first->special)
    return es_reader_bad(r, place, "expected the same `special` wherever token %u occurs, found another", token->id);
  if (!es_span_same(token->bytes, first->bytes))
    return es_reader_bad(r, place, "expected the same bytes wherever token %u occurs, found others", token->id);
  return true;
}

static bool token(es_reader *r, size_t place) {
  size_t found[TOKEN_MEMBERS];
  uint64_t id = 0;
  if (!es_reader_members(r, place, &token_shape, found)) return false;
  es_token *t = es_vector_add(r, ES_VECTOR_TOKENS, sizeof *t);
  if (!t) return false;
  *t = (es_token){0};
  if (!es_json_given(&r->json, found[TOKEN_ID])) return es_reader_missing(r, place, "id", "the id of the token");
  if (!es_reader_number(r, found[TOKEN_ID], 0, ES_LARGEST_ID, &id)) return false;
  t->id = (uint32_t)id;
  if (es_json_given(&r->json, found[TOKEN_TEXT]) && es_json_given(&r->json, found[TOKEN_HEX]))
    return es_reader_bad(r, place, "expected `text` or `hex`, found both");
  if (!es_reader_text(r, found[TOKEN_TEXT], &t->bytes) || !es_reader_hex(r, found[TOKEN_HEX], &t->bytes)) return false;
  bool given_special = es_json_given(&r->json, found[TOKEN_SPECIAL]);
  if (given_special) {
    es_json_type type = es_json_type_at(&r->json, found[TOKEN_SPECIAL]);
    if (type != ES_JSON_TRUE && type != ES_JSON_FALSE)
      return es_reader_expected(r, found[TOKEN_SPECIAL], "true or false");
    t->special = type == ES_JSON_TRUE;
  }
  if (r->vocab && !es_reader_token_bytes(r, place, t, given_special)) return false;
  return consistent(r, place, r->vectors[ES_VECTOR_TOKENS].count - 1);
}

static bool steps(es_reader *r, size_t place, es_case *c) {
  const es_json *json = &r->json;
  if (!es_reader_is_list(r, place)) return false;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at)) {
    if (!es_reader_is_list(r, at)) return false;
    size_t first = r->vectors[ES_VECTOR_TOKENS].count;
    for (size_t t = at + 1, last = es_json_end(json, at); t < last; t = es_json_after(json, t))
      if (!token(r, t)) return false;
    es_step *step = es_vector_add(r, ES_VECTOR_STEPS, sizeof *step);
    if (!step) return false;
    *step = (es_step){first, r->vectors[ES_VECTOR_TOKENS].count - first};
  }
  c->has_steps = true;
  c->tokens = r->vectors[ES_VECTOR_TOKENS].data;
  c->token_count = r->vectors[ES_VECTOR_TOKENS].count;
  c->steps = r->vectors[ES_VECTOR_STEPS].data;
  c->step_count = r->vectors[ES_VECTOR_STEPS].count;
  es_reader_drop_space(r, c);
  return true;
}

static bool external(es_reader *r, size_t place, es_external_end *external) {
  size_t found[3];
  if (!es_reader_members(r, place, &external_shape, found)) return false;
  if (!es_json_given(&r->json, found[0])) return es_reader_missing(r, place, "after_step", "the step");
  if (!es_json_given(&r->json, found[1])) return es_reader_missing(r, place, "cut", "the bytes of R that are kept");
  if (!es_json_given(&r->json, found[2])) return es_reader_missing(r, place, "reason", "a reason");
  external->present = true;
  if (!es_reader_number(r, found[0], 0, ES_LARGEST_SIZE, &external->after_step) ||
      !es_reader_number(r, found[1], 0, ES_LARGEST_SIZE, &external->cut) ||
      !es_reader_text(r, found[2], &external->reason))
    return false;
  return external->reason.length > 0 || es_reader_expected(r, found[2], "a reason that is not empty");
}

static bool sink(es_reader *r, size_t place, es_case *c) {
  static const struct {
    const char *text;
    es_sink_answer answer;
  } words[] = {{"ok", ES_SINK_OK}, {"later", ES_SINK_LATER}, {"gone", ES_SINK_GONE}};
  const es_json *json = &r->json;
  if (!es_reader_is_list(r, place)) return false;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at)) {
    es_span word = es_json_type_at(json, at) == ES_JSON_TEXT ? es_json_text_at(json, at) : (es_span){NULL, 0};
    size_t i = 0;
    while (i < 3 && (word.length != strlen(words[i].text) || memcmp(word.data, words[i].text, word.length) != 0)) i++;
    if (i == 3) return es_reader_expected(r, at, "\"ok\", \"later\" or \"gone\"");
    es_sink_answer *answer = es_vector_add(r, ES_VECTOR_SINK, sizeof *answer);
    if (!answer) return false;
    *answer = words[i].answer;
  }
  c->sink = r->vectors[ES_VECTOR_SINK].data;
  c->sink_count = r->vectors[ES_VECTOR_SINK].count;
  return true;
}

/* Ill values are the request's only if they lie in it. */
static bool ills_in_request(es_reader *r, size_t request) {
  size_t after = request ? es_json_after(&r->json, request) : 0;
  const es_ill *ill = es_ill_within(&r->ills, 0, request);
  if (!ill) ill = es_ill_within(&r->ills, after, SIZE_MAX);
  if (!ill) return true;
  r->bad->column = r->mark + ill->offset + 1;
  return es_reader_bad(r, ill->place, "%s", es_ill_message(ill->kind));
}

static bool labels(es_reader *r, size_t place, const size_t *found, es_case *c) {
  es_span for_people;
  if (!es_json_given(&r->json, found[CASE_ID])) return es_reader_missing(r, place, "case", "the id of the case");
  if (!es_reader_text(r, found[CASE_ID], &c->id)) return false;
  if (c->id.length == 0) return es_reader_expected(r, found[CASE_ID], "an id that is not empty");
  return es_reader_text(r, found[SOURCE], &for_people) && es_reader_text(r, found[KIND], &for_people) &&
         es_reader_text(r, found[WHAT], &for_people) && es_reader_vocab(r, found[VOCAB]);
}

static bool result_of_case(es_reader *r, size_t place, const es_case *c, es_result *result, bool *has_result) {
  if (!es_json_given(&r->json, place)) return true;
  if (!es_reader_result(r, place, result)) return false;
  if (!result->id.data) result->id = c->id;
  *has_result = true;
  return (result->id.length == c->id.length && memcmp(result->id.data, c->id.data, c->id.length) == 0) ||
         es_reader_bad(r, place, "expected the result of this case, found that of another");
}

static bool expectation(es_reader *r, size_t place) {
  size_t found[16];
  if (!es_reader_members(r, place, &expect_shape, found)) return false;
  for (size_t i = 0; i < 16; i++)
    if (found[i] && !es_reader_unread(r, found[i])) return false;
  return true;
}

bool es_reader_case(es_reader *r, size_t place, es_case *c, es_result *result, bool *has_result) {
  size_t found[MEMBERS];
  uint64_t prompt_tokens = 0;
  *c = (es_case){0};
  *result = (es_result){0};
  *has_result = false;
  if (!es_reader_members(r, place, &case_shape, found)) return false;
  if (!ills_in_request(r, found[REQUEST]) || !labels(r, place, found, c)) return false;
  if (!es_reader_number(r, found[PROMPT_TOKENS], 0, ES_LARGEST_ID, &prompt_tokens)) return false;
  c->request.prompt_tokens = (uint32_t)prompt_tokens;
  if (es_json_given(&r->json, found[REQUEST]) && !es_reader_is_object(r, found[REQUEST])) return false;
  if (!es_reader_request(r, es_json_given(&r->json, found[REQUEST]) ? found[REQUEST] : ES_JSON_ABSENT, c)) return false;
  if (es_json_given(&r->json, found[STEPS]) && !steps(r, found[STEPS], c)) return false;
  c->has_abort = es_json_given(&r->json, found[ABORT]);
  if (!es_reader_number(r, found[ABORT], 0, ES_LARGEST_SIZE, &c->abort_after_step)) return false;
  if (es_json_given(&r->json, found[EXTERNAL]) && !external(r, found[EXTERNAL], &c->external)) return false;
  if (es_json_given(&r->json, found[SINK]) && !sink(r, found[SINK], c)) return false;
  if (es_json_given(&r->json, found[EXPECT]) && !expectation(r, found[EXPECT])) return false;
  if (!result_of_case(r, found[RESULT], c, result, has_result)) return false;
  return c->has_steps || *has_result || es_reader_missing(r, place, "steps", "the steps of the case, or a `result`");
}
