/* A request: from JSON to typed data, with the faults that only JSON can have (R13).
 *
 * All faults of a request are noted and the first in the order of R13 is reported, whether it lies in the JSON or in the
 * typed data. So what is at fault here leaves something harmless behind, and indices stay those of the request. */
#include "reader_parts.h"

/* In the order of es_member. */
static const es_shape request_shape = {"request.",
                                       {ES_NAME("stop"), ES_NAME("stop_token_ids"), ES_NAME("stop_token_sequences"),
                                        ES_NAME("eos_token_ids"), ES_NAME("ignore_eos"),
                                        ES_NAME("include_stop_str_in_output"), ES_NAME("skip_special_tokens"),
                                        ES_NAME("min_tokens"), ES_NAME("max_tokens"), ES_NAME("max_context"),
                                        ES_NAME("deadline_steps"), ES_NAME("repetition"), ES_NAME("flush")},
                                       ES_MEMBER_NONE};
static const es_shape stop_shape = {"request.stop[].", {ES_NAME("text"), ES_NAME("priority")}, 2};
static const es_shape repetition_shape = {"request.repetition.", {ES_NAME("max_period"), ES_NAME("min_repeats")}, 2};
/* In the order of es_flush_kind. */
static const es_shape flush_shape = {
    "request.flush.", {ES_NAME("steps"), ES_NAME("bytes"), ES_NAME("tokens"), ES_NAME("ms")}, 4};

/* Where a fault is. That it is one is all that `fault` says here. */
static es_refusal whole(es_member member) {
  return (es_refusal){.fault = ES_FAULT_EMPTY, .member = member, .phase = ES_PHASE_COUNT};
}
static es_refusal element(es_member member, uint32_t index) {
  return (es_refusal){.fault = ES_FAULT_EMPTY, .member = member, .phase = ES_PHASE_ELEMENT, .index = index};
}

static void note_expected(es_request_reading *q, es_refusal at, size_t place, const char *what) {
  char found[80];
  es_json_found(&q->reader->json, place, found, sizeof found);
  es_request_note(q, at, 0, "expected %s, found %s", what, found);
}

/* Notes what is ill in the values [from, to) on the tape. */
static bool ill(es_request_reading *q, es_refusal at, size_t from, size_t to) {
  const es_ill *found = es_ill_within(&q->reader->ills, from, to);
  if (found) es_request_note(q, at, 0, "%s", es_ill_message(found->kind));
  return found != NULL;
}

static void note_oddities(es_request_reading *q, es_refusal at, const es_oddities *oddities) {
  if (oddities->doubled) es_request_note(q, at, 0, "expected each member once, found one twice");
  if (oddities->unknown && q->reader->options.strict) es_request_note(q, at, 0, "expected known members only");
}

/* A number from `least` to 2^31 − 1, or `harmless`. */
static uint32_t number(es_request_reading *q, es_refusal at, size_t place, uint32_t least, uint32_t harmless) {
  const es_json *json = &q->reader->json;
  if (!es_json_given(json, place)) return harmless;
  if (ill(q, at, place, es_json_after(json, place))) return harmless;
  if (es_json_type_at(json, place) == ES_JSON_INTEGER) {
    int64_t value = es_json_integer_at(json, place);
    if (value >= (int64_t)least && value <= ES_LARGEST_ID) return (uint32_t)value;
  }
  char range[60];
  snprintf(range, sizeof range, "a whole number from %u to %d", (unsigned)least, ES_LARGEST_ID);
  note_expected(q, at, place, range);
  return harmless;
}

static bool boolean(es_request_reading *q, es_member member, size_t place, bool absent) {
  const es_json *json = &q->reader->json;
  if (!es_json_given(json, place)) return absent;
  es_json_type type = es_json_type_at(json, place);
  if (type == ES_JSON_TRUE || type == ES_JSON_FALSE) return type == ES_JSON_TRUE;
  if (!ill(q, whole(member), place, es_json_after(json, place)))
    note_expected(q, whole(member), place, "true or false");
  return absent;
}

/* The text and priority of an object; absent where there is no text. */
static size_t stop_members(es_request_reading *q, es_refusal at, size_t place, int32_t *priority, bool *memory) {
  const es_json *json = &q->reader->json;
  size_t found[2];
  es_oddities oddities;
  *memory = es_reader_find(q->reader, place, &stop_shape, found, &oddities);
  if (!*memory) return ES_JSON_ABSENT;
  note_oddities(q, at, &oddities);
  if (es_json_given(json, found[1])) {
    int64_t value = es_json_type_at(json, found[1]) == ES_JSON_INTEGER ? es_json_integer_at(json, found[1]) : INT64_MAX;
    if (value < -128 || value > 127)
      note_expected(q, at, found[1], "a priority from -128 to 127");
    else
      *priority = (int32_t)value;
  }
  if (!es_json_given(json, found[0]))
    es_request_note(q, at, 0, "expected a member `text`, found none");
  else if (es_json_type_at(json, found[0]) != ES_JSON_TEXT)
    note_expected(q, at, found[0], "a stop string");
  else
    return found[0];
  return ES_JSON_ABSENT;
}

static bool stop(es_request_reading *q, size_t place, uint32_t index) {
  es_reader *r = q->reader;
  es_refusal at = element(ES_MEMBER_STOP, index);
  int32_t priority = 0;
  bool memory = true;
  size_t text = ES_JSON_ABSENT;
  ill(q, at, place, es_json_after(&r->json, place));
  if (es_json_type_at(&r->json, place) == ES_JSON_TEXT)
    text = place;
  else if (es_json_type_at(&r->json, place) == ES_JSON_OBJECT)
    text = stop_members(q, at, place, &priority, &memory);
  else
    note_expected(q, at, place, "a stop string or an object with `text`");
  es_span bytes = text ? es_json_text_at(&r->json, text) : (es_span){"?", 1};
  es_vector *all = &r->vectors[ES_VECTOR_STOP_TEXT];
  if (!memory || !es_vector_reserve(r, ES_VECTOR_STOP_TEXT, 1, bytes.length)) return false;
  es_stop *stop = es_vector_add(r, ES_VECTOR_STOPS, sizeof *stop);
  if (!stop) return false;
  *stop = (es_stop){(uint32_t)all->count, (uint32_t)bytes.length, priority};
  if (bytes.length > 0) memcpy((char *)all->data + all->count, bytes.data, bytes.length);
  all->count += bytes.length;
  return true;
}

static bool stops(es_request_reading *q, size_t place) {
  const es_json *json = &q->reader->json;
  es_json_type type = es_json_type_at(json, place);
  if (type == ES_JSON_TEXT || type == ES_JSON_OBJECT) return stop(q, place, 0);
  if (type != ES_JSON_LIST) {
    if (!ill(q, whole(ES_MEMBER_STOP), place, es_json_after(json, place)))
      note_expected(q, whole(ES_MEMBER_STOP), place, "a stop string or a list of them");
    return true;
  }
  uint32_t index = 0;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at))
    if (!stop(q, at, index++)) return false;
  return true;
}

/* The ids of a list. A fault is at element `index`, or where there is `one` place for all of them, there. */
static bool ids(es_request_reading *q, size_t place, es_vector_name vector, es_member member, const es_refusal *one) {
  const es_json *json = &q->reader->json;
  if (es_json_type_at(json, place) != ES_JSON_LIST) {
    es_refusal at = one ? *one : whole(member);
    if (!ill(q, at, place, es_json_after(json, place))) note_expected(q, at, place, "a list of token ids");
    return true;
  }
  uint32_t index = 0;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at), index++) {
    es_refusal fault = one ? *one : element(member, index);
    uint32_t *id = es_vector_add(q->reader, vector, sizeof *id);
    if (!id) return false;
    *id = number(q, fault, at, 0, 0);
    if (!es_json_given(json, at)) note_expected(q, fault, at, "a token id");
  }
  return true;
}

static bool sequences(es_request_reading *q, size_t place) {
  es_reader *r = q->reader;
  const es_json *json = &r->json;
  es_vector *all = &r->vectors[ES_VECTOR_SEQUENCE_IDS];
  if (es_json_type_at(json, place) != ES_JSON_LIST) {
    es_refusal at = whole(ES_MEMBER_STOP_TOKEN_SEQUENCES);
    if (!ill(q, at, place, es_json_after(json, place))) note_expected(q, at, place, "a list of lists of token ids");
    return true;
  }
  uint32_t index = 0;
  for (size_t at = place + 1, end = es_json_end(json, place); at < end; at = es_json_after(json, at), index++) {
    es_refusal fault = element(ES_MEMBER_STOP_TOKEN_SEQUENCES, index);
    size_t first = all->count;
    if (!ids(q, at, ES_VECTOR_SEQUENCE_IDS, ES_MEMBER_STOP_TOKEN_SEQUENCES, &fault)) return false;
    es_sequence *sequence = es_vector_add(r, ES_VECTOR_SEQUENCES, sizeof *sequence);
    if (!sequence) return false;
    *sequence = (es_sequence){(uint32_t)first, (uint32_t)(all->count - first)};
  }
  return true;
}

/* An object that is a member; false where it cannot be looked into. */
static bool object(es_request_reading *q, es_member member, size_t place, const es_shape *shape, size_t *found,
                   es_oddities *oddities) {
  const es_json *json = &q->reader->json;
  if (es_json_type_at(json, place) == ES_JSON_OBJECT) return es_reader_find(q->reader, place, shape, found, oddities);
  if (!ill(q, whole(member), place, es_json_after(json, place))) note_expected(q, whole(member), place, "an object");
  return false;
}

static void repetition(es_request_reading *q, size_t place) {
  es_request *request = &q->c->request;
  const es_json *json = &q->reader->json;
  size_t found[2];
  es_oddities oddities;
  if (!object(q, ES_MEMBER_REPETITION, place, &repetition_shape, found, &oddities)) return;
  for (uint32_t i = 0; i < 2; i++)
    if (oddities.doubled_known >> i & 1)
      es_request_note(q, element(ES_MEMBER_REPETITION, i), 0, "expected each member once, found it twice");
  /* What is in unknown members, and missing ones, come after the values of the known ones (reading 17). */
  es_refusal after = whole(ES_MEMBER_REPETITION);
  after.phase = ES_PHASE_TOTAL;
  note_oddities(q, after, &oddities);
  request->max_period = number(q, element(ES_MEMBER_REPETITION, 0), found[0], 1, 1);
  request->min_repeats = number(q, element(ES_MEMBER_REPETITION, 1), found[1], 2, 2);
  ill(q, after, place, es_json_after(json, place));
  if (!es_json_given(json, found[0])) es_request_note(q, after, 0, "expected a member `max_period`, found none");
  if (!es_json_given(json, found[1])) es_request_note(q, after, 0, "expected a member `min_repeats`, found none");
}

static void flush(es_request_reading *q, size_t place) {
  es_request *request = &q->c->request;
  const es_json *json = &q->reader->json;
  size_t found[4];
  es_oddities oddities;
  uint32_t kinds = 0;
  if (!object(q, ES_MEMBER_FLUSH, place, &flush_shape, found, &oddities)) return;
  for (uint32_t i = 0; i < 4; i++) {
    if (!es_json_given(json, found[i])) continue;
    kinds++;
    request->flush.kind = (es_flush_kind)i;
  }
  if (kinds != 1 || oddities.unknown_given)
    es_request_note(q, whole(ES_MEMBER_FLUSH), 0, "expected one of `steps`, `bytes`, `tokens` and `ms`, found %s",
                    oddities.unknown ? "an unknown member"
                    : kinds == 0     ? "none"
                                     : "several");
  if (oddities.unknown && q->reader->options.strict)
    es_request_note(q, element(ES_MEMBER_FLUSH, 0), 0, "expected known members only");
  if (oddities.doubled) es_request_note(q, element(ES_MEMBER_FLUSH, 0), 0, "expected each member once, found it twice");
  request->flush.n = number(q, element(ES_MEMBER_FLUSH, 0), found[request->flush.kind], 1, 1);
}

/* Unknown members are looked at after all known ones, and before what concerns two members. */
static void unknown(es_request_reading *q, size_t place, const es_oddities *oddities) {
  const es_json *json = &q->reader->json;
  for (size_t at = place + 1, end = es_json_end(json, place), next; at < end; at = next) {
    es_span name = es_json_text_at(json, at);
    bool known = false;
    next = es_json_after(json, at + 1);
    for (es_member m = 0; m < ES_MEMBER_NONE; m++)
      known = known || (name.length == request_shape.names[m].length &&
                        memcmp(name.data, request_shape.names[m].text, name.length) == 0);
    if (known) continue;
    const es_ill *found = es_ill_within(&q->reader->ills, at, next);
    if (found)
      es_request_note(q, whole(ES_MEMBER_NONE), at, "%s", es_ill_message(found->kind));
    else if (oddities->doubled >= at && oddities->doubled < next)
      es_request_note(q, whole(ES_MEMBER_NONE), at, "expected each member once, found one twice");
    else if (q->reader->options.strict)
      es_request_note(q, whole(ES_MEMBER_NONE), at, "expected known members only");
    else
      continue;
    return;
  }
}

/* The numbers and switches. */
static void scalars(es_request_reading *q, const size_t *found) {
  es_request *request = &q->c->request;
  request->ignore_eos = boolean(q, ES_MEMBER_IGNORE_EOS, found[ES_MEMBER_IGNORE_EOS], false);
  request->include_stop = boolean(q, ES_MEMBER_INCLUDE_STOP, found[ES_MEMBER_INCLUDE_STOP], false);
  request->skip_special = boolean(q, ES_MEMBER_SKIP_SPECIAL, found[ES_MEMBER_SKIP_SPECIAL], true);
  request->min_tokens = number(q, whole(ES_MEMBER_MIN_TOKENS), found[ES_MEMBER_MIN_TOKENS], 0, 0);
  request->max_tokens = number(q, whole(ES_MEMBER_MAX_TOKENS), found[ES_MEMBER_MAX_TOKENS], 0, ES_NO_LIMIT);
  request->max_context = number(q, whole(ES_MEMBER_MAX_CONTEXT), found[ES_MEMBER_MAX_CONTEXT], 0, ES_NO_LIMIT);
  request->deadline_steps = number(q, whole(ES_MEMBER_DEADLINE_STEPS), found[ES_MEMBER_DEADLINE_STEPS], 0, ES_NO_LIMIT);
}

static void lists_into(es_reader *r, es_request *request) {
  es_vector *v = r->vectors;
  request->text = v[ES_VECTOR_STOP_TEXT].data;
  request->stops = v[ES_VECTOR_STOPS].data;
  request->stop_count = (uint32_t)v[ES_VECTOR_STOPS].count;
  request->stop_ids = v[ES_VECTOR_STOP_IDS].data;
  request->stop_id_count = (uint32_t)v[ES_VECTOR_STOP_IDS].count;
  request->sequence_ids = v[ES_VECTOR_SEQUENCE_IDS].data;
  request->sequences = v[ES_VECTOR_SEQUENCES].data;
  request->sequence_count = (uint32_t)v[ES_VECTOR_SEQUENCES].count;
  request->eos_ids = v[ES_VECTOR_EOS_IDS].data;
  request->eos_id_count = (uint32_t)v[ES_VECTOR_EOS_IDS].count;
}

bool es_reader_request(es_reader *r, size_t place, es_case *c) {
  es_request_reading q = {.reader = r, .c = c};
  size_t found[ES_MEMBER_NONE] = {0};
  es_oddities oddities = {0};
  c->request.flush = (es_flush){ES_FLUSH_STEPS, 1};
  /* Never NULL: empty stops and sequences lie in them too. */
  if (!es_vector_reserve(r, ES_VECTOR_STOP_TEXT, 1, 1) ||
      !es_vector_reserve(r, ES_VECTOR_SEQUENCE_IDS, sizeof(uint32_t), 1))
    return false;
  if (place && !es_reader_find(r, place, &request_shape, found, &oddities)) return false;
  for (es_member m = 0; m < ES_MEMBER_NONE; m++)
    if (oddities.doubled_known >> m & 1) es_request_note(&q, whole(m), 0, "expected each member once, found it twice");
  if (es_json_given(&r->json, found[ES_MEMBER_STOP]) && !stops(&q, found[ES_MEMBER_STOP])) return false;
  size_t at = found[ES_MEMBER_STOP_TOKEN_IDS];
  if (es_json_given(&r->json, at) && !ids(&q, at, ES_VECTOR_STOP_IDS, ES_MEMBER_STOP_TOKEN_IDS, NULL)) return false;
  at = found[ES_MEMBER_STOP_TOKEN_SEQUENCES];
  if (es_json_given(&r->json, at) && !sequences(&q, at)) return false;
  at = found[ES_MEMBER_EOS_TOKEN_IDS];
  if (es_json_given(&r->json, at) && !ids(&q, at, ES_VECTOR_EOS_IDS, ES_MEMBER_EOS_TOKEN_IDS, NULL)) return false;
  lists_into(r, &c->request);
  scalars(&q, found);
  if (es_json_given(&r->json, found[ES_MEMBER_REPETITION])) repetition(&q, found[ES_MEMBER_REPETITION]);
  if (es_json_given(&r->json, found[ES_MEMBER_FLUSH])) flush(&q, found[ES_MEMBER_FLUSH]);
  es_request_note_typed(&q);
  if (oddities.unknown) unknown(&q, place, &oddities);
  c->refused = q.refused;
  return !r->no_memory;
}
