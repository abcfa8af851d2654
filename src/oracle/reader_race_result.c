/* What an engine made of a race order: the answer for its one lane, or one for each request. */
#include "reader_parts.h"

enum { CASE_ID, UNSUPPORTED, COMMITTED, FINISH_REASON, TERMINAL_COUNT, PER_REQUEST, MEMBERS };
#define ANSWER                                                                                                         \
  ES_NAME("case"), ES_NAME("unsupported"), ES_NAME("committed"), ES_NAME("finish_reason"), ES_NAME("terminal_count"),  \
      ES_NAME("per_request")
static const es_shape result_shape = {"result.", {ANSWER}, MEMBERS};
/* What is in it is for those who compare results; here only its names count. */
static const es_shape expect_shape = {"expect.", {ANSWER}, MEMBERS};

static const es_shape end_shape = {
    "result.per_request.", {ES_NAME("committed"), ES_NAME("finish"), ES_NAME("terminal_count")}, 3};

bool es_reader_race_expect(es_reader *r, size_t place) {
  size_t found[MEMBERS];
  if (!es_reader_members(r, place, &expect_shape, found)) return false;
  for (size_t i = 0; i < MEMBERS; i++)
    if (found[i] && !es_reader_unread(r, found[i])) return false;
  return true;
}

static bool committed(es_reader *r, size_t place, es_race_end *end) {
  const es_json *json = &r->json;
  if (!es_json_given(json, place)) return true;
  if (!es_reader_is_list(r, place)) return false;
  end->has_committed = true;
  end->first = r->vectors[ES_VECTOR_RACE_COMMITTED].count;
  for (size_t at = place + 1, last = es_json_end(json, place); at < last; at = es_json_after(json, at)) {
    if (es_json_type_at(json, at) != ES_JSON_TEXT) return es_reader_expected(r, at, "a token, as text");
    es_span *tok = es_vector_add(r, ES_VECTOR_RACE_COMMITTED, sizeof *tok);
    if (!tok) return false;
    *tok = es_json_text_at(json, at);
    end->count++;
  }
  return true;
}

static bool lane_end(es_reader *r, size_t tokens, size_t reason, size_t terminals, es_race_end *end) {
  end->has_finish_reason = reason != ES_JSON_ABSENT; /* null says that the lane is open */
  end->has_terminals = es_json_given(&r->json, terminals);
  return committed(r, tokens, end) && es_reader_text(r, reason, &end->finish_reason) &&
         es_reader_number(r, terminals, 0, ES_LARGEST_SIZE, &end->terminals);
}

static bool per_request(es_reader *r, size_t place, es_race_end *ends) {
  const es_json *json = &r->json;
  size_t found[3];
  if (!es_reader_is_object(r, place)) return false;
  for (size_t at = place + 1, last = es_json_end(json, place); at < last; at = es_json_after(json, at + 1)) {
    size_t lane = 0;
    while (lane < r->race.lane_count && !es_span_same(r->race.lanes[lane], es_json_text_at(json, at))) lane++;
    if (lane == r->race.lane_count) return es_reader_bad(r, at, "expected a request of this order, found another");
    if (ends[lane].recorded) return es_reader_bad(r, at, "expected each request once, found it twice");
    ends[lane].recorded = true;
    if (!es_reader_members(r, at + 1, &end_shape, found) || !lane_end(r, found[0], found[1], found[2], &ends[lane]))
      return false;
  }
  return true;
}

static bool says_something(const es_race_end *ends, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (ends[i].has_committed || ends[i].has_finish_reason || ends[i].has_terminals) return true;
  return false;
}

bool es_reader_race_result(es_reader *r, size_t place) {
  size_t found[MEMBERS];
  es_span id = r->race.id;
  es_race_result *result = &r->race_result;
  *result = (es_race_result){0};
  if (!es_reader_members(r, place, &result_shape, found) || !es_reader_text(r, found[CASE_ID], &id)) return false;
  if (!es_span_same(id, r->race.id))
    return es_reader_bad(r, found[CASE_ID], "expected the result of this order, found that of another");
  if (!es_reader_text(r, found[UNSUPPORTED], &result->unsupported)) return false;
  for (size_t i = 0; i < r->race.lane_count; i++) {
    es_race_end *end = es_vector_add(r, ES_VECTOR_RACE_ENDS, sizeof *end);
    if (!end) return false;
    *end = (es_race_end){0};
  }
  es_race_end *ends = r->vectors[ES_VECTOR_RACE_ENDS].data;
  bool whole = found[FINISH_REASON] != ES_JSON_ABSENT || es_json_given(&r->json, found[COMMITTED]) ||
               es_json_given(&r->json, found[TERMINAL_COUNT]);
  bool each = es_json_given(&r->json, found[PER_REQUEST]);
  if (!whole && !each && !result->unsupported.data)
    return es_reader_expected(r, place, "at least one member of a result besides case that is not null");
  if (r->race.lane_count == 1 && !lane_end(r, found[COMMITTED], found[FINISH_REASON], found[TERMINAL_COUNT], ends))
    return false;
  for (size_t m = COMMITTED; r->race.lane_count != 1 && m <= TERMINAL_COUNT; m++)
    if (es_json_given(&r->json, found[m]))
      return es_reader_bad(r, found[m], "expected per_request, as the order has several requests, found this");
  if (each && whole && r->race.lane_count == 1)
    return es_reader_bad(r, found[PER_REQUEST], "expected the end of the one request once, found it beside this too");
  if (each && !per_request(r, found[PER_REQUEST], ends)) return false;
  if (!result->unsupported.data && !says_something(ends, r->race.lane_count))
    return es_reader_expected(r, place, "what became of at least one request");
  result->ends = ends;
  result->committed = r->vectors[ES_VECTOR_RACE_COMMITTED].data;
  r->race.recorded = result;
  return true;
}
