/* Cases as requests and as calls: stops, matcher, guard, utf8; and race orders. These forms say less than a case does. */
#include "encode.h"

/* A number as stops reads one: small, or one of its borders. */
static void put_number(fuzz_written *to, uint32_t n) {
  static const uint32_t borders[] = {INT32_MAX, UINT32_MAX, 4096, 64, 65536, 128};
  uint32_t i = 0;
  while (i < 6 && borders[i] != n) i++;
  fuzz_put(to, n < 16 ? n : i < 6 ? 240 + i : 256, 256);
}

static void put_list(fuzz_written *to, const uint32_t *ids, uint32_t count, uint32_t below) {
  fuzz_put(to, count, below);
  for (uint32_t i = 0; i < count && to->fits; i++) put_number(to, ids[i]);
}

void fuzz_encode_stops(fuzz_written *to, const es_case *c) {
  const es_request *r = &c->request;
  fuzz_put(to, 0, 1); /* the default bounds */
  fuzz_put(to, 255, 256);
  put_number(to, r->min_tokens), put_number(to, r->max_tokens);
  put_number(to, r->max_context), put_number(to, r->deadline_steps);
  put_number(to, r->max_period), put_number(to, r->min_repeats);
  put_number(to, r->flush.n);
  put_list(to, r->stop_ids, r->stop_id_count, 13);
  put_list(to, r->eos_ids, r->eos_id_count, 13);
  fuzz_put(to, r->sequence_count, 13);
  for (uint32_t s = 0; s < r->sequence_count && to->fits; s++)
    put_list(to, r->sequence_ids + r->sequences[s].offset, r->sequences[s].length, 7);
  fuzz_put(to, r->stop_count, 13);
  for (uint32_t s = 0; s < r->stop_count && to->fits; s++) {
    int32_t priority = r->stops[s].priority;
    to->fits = (priority <= -123 && priority >= -128) || priority >= 126 || (priority >= 0 && priority <= 2);
    fuzz_put(to, fuzz_place(to, r->text + r->stops[s].offset, r->stops[s].length), 256);
    fuzz_put(to, r->stops[s].length, 40);
    fuzz_put(to, (uint64_t)(priority < 0 ? priority + 372 : priority > 2 ? priority + 124 : priority), 256);
  }
}

static void put_text(fuzz_written *to, const es_case *c) {
  for (size_t t = 0; t < c->token_count; t++) fuzz_put_head(to, c->tokens[t].bytes.data, c->tokens[t].bytes.length);
}

/* The stop strings in the text, or the sequences in the ids, a byte an id. */
void fuzz_encode_matcher(fuzz_written *to, const es_case *c) {
  const es_request *r = &c->request;
  bool ids = r->stop_count == 0;
  uint8_t bytes[8][32];
  uint32_t count = ids ? r->sequence_count : r->stop_count;
  to->fits = to->fits && count <= 8;
  if (!ids) put_text(to, c);
  for (size_t t = 0; t < c->token_count && ids; t++) {
    to->fits = to->fits && c->tokens[t].id < 256;
    fuzz_put_head(to, &(uint8_t){(uint8_t)c->tokens[t].id}, 1);
  }
  size_t text = to->length, offset[8], length[8];
  for (uint32_t s = 0; s < count && to->fits; s++) {
    length[s] = ids ? r->sequences[s].length : r->stops[s].length;
    to->fits = length[s] <= 32;
    for (size_t i = 0; i < length[s] && to->fits; i++) {
      bytes[s][i] = ids ? (uint8_t)r->sequence_ids[r->sequences[s].offset + i] : r->text[r->stops[s].offset + i];
      to->fits = !ids || r->sequence_ids[r->sequences[s].offset + i] < 256;
    }
    if (to->fits) offset[s] = fuzz_place(to, bytes[s], length[s]);
  }
  if (!to->fits) return;
  fuzz_put(to, ids ? 3 : r->min_tokens > 0 ? 2 : 0, 256);
  fuzz_put(to, to->length - text, 64);
  fuzz_put(to, count, 9);
  for (uint32_t s = 0; s < count && to->fits; s++) {
    int32_t priority = ids ? 0 : r->stops[s].priority;
    to->fits = priority >= -1 && priority <= 2;
    fuzz_put(to, offset[s], 256);
    fuzz_put(to, length[s] - 1 + (priority == 0 ? 0 : (uint32_t)(priority + 5) * 32), 256);
    fuzz_put(to, 0, 1);
  }
}

void fuzz_encode_utf8(fuzz_written *to, const es_case *c) {
  put_text(to, c);
  fuzz_put(to, to->length / 2, 256);
}

static void put_call(fuzz_written *to, uint64_t call, uint64_t with) {
  uint8_t bytes[2] = {(uint8_t)call, (uint8_t)with};
  fuzz_put_head(to, bytes, 2);
}

/* A call for each piece of a length. */
static void put_pieces(fuzz_written *to, uint64_t call, uint64_t length, uint64_t most) {
  for (; length > 0; length -= length < most ? length : most) put_call(to, call, length < most ? length : most);
}

/* What the lane had its guard do at each boundary, and what the sink said while there was something to send. */
void fuzz_encode_guard(fuzz_written *to, const es_case *c, const es_run *run) {
  size_t count, offers = 0;
  const es_boundary_trace *trace = es_run_trace(run, &count);
  fuzz_put(to, c->request.flush.kind, ES_FLUSH_MS + 1);
  fuzz_put(to, c->request.flush.n <= 12 ? c->request.flush.n - 1 : 11, 12);
  fuzz_put(to, 255, 256);
  uint64_t sent = 0;
  for (size_t k = 1; k < count; k++) {
    uint64_t tokens = trace[k].tokens - trace[k - 1].tokens;
    put_pieces(to, 0, trace[k].taken - trace[k - 1].taken, 31);
    put_pieces(to, 2, trace[k].allowed - trace[k - 1].allowed, 15);
    if (trace[k].ended) put_call(to, 3, 192);
    put_call(to, 4, tokens < 3 ? tokens : 3);
    while (trace[k].allowed > sent) {
      es_sink_answer said = offers < c->sink_count ? c->sink[offers] : ES_SINK_OK;
      uint64_t rest = trace[k].allowed - sent;
      uint64_t how = said == ES_SINK_OK ? 2 : said == ES_SINK_LATER ? 1 : 0;
      put_call(to, 6 + 8 * how, rest < 63 ? rest : 63);
      offers++;
      if (said == ES_SINK_OK) sent += rest < 63 ? rest : 63;
      if (said == ES_SINK_GONE || (said == ES_SINK_LATER && !trace[k].ended)) break;
    }
    put_call(to, 7, 0);
  }
}

/* The first lanes ride from the start; a commit is a look at the flag. */
void fuzz_encode_race(fuzz_written *to, const es_race *race) {
  to->fits = race->lane_count <= 4;
  fuzz_put(to, 3, 256);
  for (size_t lane = 0; lane < race->lane_count; lane++) put_call(to, 5 + 8 * lane, 0);
  for (size_t i = 0; i < race->event_count && to->fits; i++) {
    const es_race_event *e = race->events + i;
    uint64_t slot = 8 * e->lane;
    switch (e->op) {
    case ES_RACE_COMMIT:
    case ES_RACE_EMIT:
      put_call(to, 2 + slot, 0);
      break;
    case ES_RACE_SET_STOP:
      put_call(to, slot, e->reason < 31 ? 8u * e->reason : 248);
      break;
    case ES_RACE_DISCONNECT:
      put_call(to, slot, 248);
      break;
    case ES_RACE_READ_STOP:
      put_call(to, 6 + slot, 0);
      break;
    case ES_RACE_FINISH:
    case ES_RACE_ERROR:
      put_call(to, 6 + slot, 1u << e->lane);
      break;
    case ES_RACE_RECYCLE:
      put_call(to, 7 + slot, 0);
      put_call(to, 4 + slot, 0);
      put_call(to, 5 + slot, 0);
      break;
    case ES_RACE_OTHER:
    case ES_RACE_PREEMPT:
      break;
    }
  }
}
