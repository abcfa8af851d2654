/* stops: hostile requests (R13) and what compiling makes of their stops (R3, R5, R10).
 *
 * The first fault is looked for in another way: all there are are gathered, and the least place is taken. What passes is
 * compiled, in memory of just the size that it needs, and in one entry less. */
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "model_parts.h"
#include "stops.h"

const char fuzz_name[] = "stops";

#define MOST 12 /* stops, sequences, or ids in a list */
#define RUN 6   /* ids of a sequence */

typedef struct {
  es_request request;
  es_bounds bounds;
  es_stop stops[MOST];
  es_sequence sequences[MOST];
  uint32_t sequence_ids[MOST * RUN];
  uint32_t stop_ids[MOST];
  uint32_t eos_ids[MOST];
  es_buffer decoded;
} asked;

void *fuzz_new(void) {
  asked *a = fuzz_room(sizeof *a);
  a->decoded = (es_buffer){0};
  return a;
}

void fuzz_free(void *memory) {
  es_buffer_free(&((asked *)memory)->decoded);
  free(memory);
}

/* A number near a border, or small. */
static uint32_t number(fuzz_input *in) {
  static const uint32_t borders[] = {INT32_MAX, UINT32_MAX, 4096, 64, 65536, 128};
  uint8_t chosen = fuzz_control(in);
  return chosen < 224 ? chosen % 16 : borders[chosen % 6] + chosen / 6 % 3 - 1;
}

static void read_ids(uint32_t *ids, uint32_t count, fuzz_input *in) {
  for (uint32_t i = 0; i < count; i++) ids[i] = number(in);
}

static void read_bounds(es_bounds *b, fuzz_input *in) {
  *b = es_default_bounds;
  uint8_t chosen = fuzz_control(in);
  if (chosen & 1) b->stops = b->sequences = fuzz_below(in, MOST);
  if (chosen & 2) b->stop_bytes = fuzz_below(in, 32);
  if (chosen & 4) b->all_stop_bytes = fuzz_control(in);
  if (chosen & 8) b->sequence_ids = fuzz_below(in, RUN);
  if (chosen & 16) b->ids = fuzz_below(in, MOST);
  if (chosen & 32) b->vocabulary = number(in);
}

static void read_request(asked *a, fuzz_input *in) {
  uint8_t given = fuzz_control(in);
  es_request *r = &a->request;
  *r = (es_request){.stops = a->stops,
                    .stop_ids = a->stop_ids,
                    .sequence_ids = a->sequence_ids,
                    .sequences = a->sequences,
                    .eos_ids = a->eos_ids,
                    .max_tokens = ES_NO_LIMIT,
                    .max_context = ES_NO_LIMIT,
                    .deadline_steps = ES_NO_LIMIT,
                    .flush = {ES_FLUSH_STEPS, 1}};
  if (given & 1) r->min_tokens = number(in);
  if (given & 2) r->max_tokens = number(in);
  if (given & 4) r->max_context = number(in), r->deadline_steps = number(in);
  if (given & 8) r->max_period = number(in), r->min_repeats = number(in);
  if (given & 16) r->flush.n = number(in);
  if (given & 32) read_ids(a->stop_ids, r->stop_id_count = fuzz_below(in, MOST + 1), in);
  if (given & 64) read_ids(a->eos_ids, r->eos_id_count = fuzz_below(in, MOST + 1), in);
  if (given & 128) r->sequence_count = fuzz_below(in, MOST + 1);
  for (uint32_t s = 0; s < r->sequence_count; s++) {
    a->sequences[s] = (es_sequence){s * RUN, fuzz_below(in, RUN + 1)};
    read_ids(a->sequence_ids + s * RUN, a->sequences[s].length, in);
  }
  r->stop_count = fuzz_below(in, MOST + 1);
  uint8_t where[MOST][3];
  for (uint32_t s = 0; s < r->stop_count; s++)
    for (int i = 0; i < 3; i++) where[s][i] = fuzz_control(in);
  r->text = in->bytes;
  for (uint32_t s = 0; s < r->stop_count; s++) {
    uint32_t offset = in->length > 0 ? where[s][0] % (uint32_t)in->length : 0;
    uint32_t length = where[s][1] % 40, most = (uint32_t)in->length - offset;
    a->stops[s] =
        (es_stop){offset, length < most ? length : most, where[s][2] >= 240 ? where[s][2] - 372 : where[s][2] % 3};
    if (where[s][2] >= 250) a->stops[s].priority = where[s][2] - 124; /* 126 to 131 */
  }
}

/* Takes a fault if its place comes before that of the one known. */
static void fault(es_refusal *first, es_fault kind, bool pair, es_member member, es_phase phase, uint32_t index) {
  uint64_t places[2] = {((((uint64_t)pair * 16 + member) * 4 + phase) << 32) + index,
                        ((((uint64_t)first->pair * 16 + first->member) * 4 + first->phase) << 32) + first->index};
  if (first->fault == ES_FAULT_NONE || places[0] < places[1]) *first = (es_refusal){kind, member, phase, index, pair};
}

static bool is_utf8(asked *a, const es_stop *stop) {
  const char *bytes = (const char *)a->request.text + stop->offset;
  es_buffer_clear(&a->decoded);
  es_model_decode(&a->decoded, bytes, stop->length);
  return a->decoded.length == stop->length && memcmp(a->decoded.data, bytes, stop->length) == 0;
}

static es_fault id_fault(const es_bounds *b, uint32_t id) {
  return id > INT32_MAX ? ES_FAULT_TOO_LARGE : id >= b->vocabulary ? ES_FAULT_NOT_IN_VOCABULARY : ES_FAULT_NONE;
}

static void list_faults(es_refusal *first, const es_bounds *b, es_member member, const uint32_t *ids, uint32_t count) {
  if (count > b->ids) fault(first, ES_FAULT_TOO_MANY, false, member, ES_PHASE_COUNT, 0);
  for (uint32_t i = 0; i < count; i++)
    if (id_fault(b, ids[i])) fault(first, id_fault(b, ids[i]), false, member, ES_PHASE_ELEMENT, i);
}

static void stop_faults(es_refusal *first, asked *a) {
  const es_bounds *b = &a->bounds;
  uint64_t total = 0;
  if (a->request.stop_count > b->stops) fault(first, ES_FAULT_TOO_MANY, false, ES_MEMBER_STOP, ES_PHASE_COUNT, 0);
  for (uint32_t s = 0; s < a->request.stop_count; s++) {
    const es_stop *stop = a->stops + s;
    total += stop->length;
    es_fault is = stop->length == 0                               ? ES_FAULT_EMPTY
                  : stop->length > b->stop_bytes                  ? ES_FAULT_TOO_LONG
                  : !is_utf8(a, stop)                             ? ES_FAULT_NOT_UTF8
                  : stop->priority < -128 || stop->priority > 127 ? ES_FAULT_PRIORITY
                                                                  : ES_FAULT_NONE;
    if (is != ES_FAULT_NONE) fault(first, is, false, ES_MEMBER_STOP, ES_PHASE_ELEMENT, s);
  }
  if (total > b->all_stop_bytes) fault(first, ES_FAULT_TOTAL, false, ES_MEMBER_STOP, ES_PHASE_TOTAL, 0);
}

static void sequence_faults(es_refusal *first, const asked *a) {
  const es_member member = ES_MEMBER_STOP_TOKEN_SEQUENCES;
  if (a->request.sequence_count > a->bounds.sequences)
    fault(first, ES_FAULT_TOO_MANY, false, member, ES_PHASE_COUNT, 0);
  for (uint32_t s = 0; s < a->request.sequence_count; s++) {
    es_sequence q = a->sequences[s];
    es_fault is = q.length == 0                       ? ES_FAULT_EMPTY
                  : q.length > a->bounds.sequence_ids ? ES_FAULT_TOO_LONG
                                                      : ES_FAULT_NONE;
    for (uint32_t i = 0; i < q.length && is == ES_FAULT_NONE; i++)
      is = id_fault(&a->bounds, a->sequence_ids[q.offset + i]);
    if (is != ES_FAULT_NONE) fault(first, is, false, member, ES_PHASE_ELEMENT, s);
  }
}

/* A number that is at least `least`, and absent where it is `absent`. */
static void number_fault(es_refusal *first, es_member member, uint32_t index, uint32_t n, uint32_t least, bool absent) {
  if (absent) return;
  if (n < least) fault(first, ES_FAULT_TOO_SMALL, false, member, ES_PHASE_ELEMENT, index);
  if (n > INT32_MAX) fault(first, ES_FAULT_TOO_LARGE, false, member, ES_PHASE_ELEMENT, index);
}

static es_refusal first_fault(asked *a) {
  es_refusal first = {ES_FAULT_NONE, ES_MEMBER_NONE, ES_PHASE_COUNT, 0, false};
  const es_request *r = &a->request;
  bool limited = r->max_tokens != ES_NO_LIMIT, guarded = r->max_period != 0 || r->min_repeats != 0;
  if (limited && r->min_tokens > r->max_tokens)
    fault(&first, ES_FAULT_MIN_ABOVE_MAX, true, ES_MEMBER_MIN_TOKENS, ES_PHASE_TOTAL, 0);
  if ((uint64_t)r->max_period * r->min_repeats > a->bounds.repetition_ids)
    fault(&first, ES_FAULT_TOO_LARGE, true, ES_MEMBER_REPETITION, ES_PHASE_TOTAL, 0);
  number_fault(&first, ES_MEMBER_FLUSH, 0, r->flush.n, 1, false);
  number_fault(&first, ES_MEMBER_REPETITION, 1, r->min_repeats, 2, !guarded);
  number_fault(&first, ES_MEMBER_REPETITION, 0, r->max_period, 1, !guarded);
  number_fault(&first, ES_MEMBER_DEADLINE_STEPS, 0, r->deadline_steps, 0, r->deadline_steps == ES_NO_LIMIT);
  number_fault(&first, ES_MEMBER_MAX_CONTEXT, 0, r->max_context, 0, r->max_context == ES_NO_LIMIT);
  number_fault(&first, ES_MEMBER_MAX_TOKENS, 0, r->max_tokens, 0, !limited);
  number_fault(&first, ES_MEMBER_MIN_TOKENS, 0, r->min_tokens, 0, false);
  list_faults(&first, &a->bounds, ES_MEMBER_EOS_TOKEN_IDS, r->eos_ids, r->eos_id_count);
  sequence_faults(&first, a);
  list_faults(&first, &a->bounds, ES_MEMBER_STOP_TOKEN_IDS, r->stop_ids, r->stop_id_count);
  stop_faults(&first, a);
  return first;
}

/* The longest proper border of the first q symbols, by trying all. */
static uint32_t border_of(const int32_t *symbols, uint32_t q) {
  uint32_t length = q - 1;
  while (length > 0 && memcmp(symbols, symbols + q - length, length * sizeof *symbols) != 0) length--;
  return length;
}

static void check_stop(const es_stop_set *set, es_live_stop stop, uint32_t length) {
  const int32_t *symbols = set->symbols + stop.offset;
  fuzz_demand(stop.length == length && stop.offset + length < set->size, "a stop keeps its length, within its set");
  fuzz_demand(symbols[length] == ES_NO_SYMBOL, "a stop is closed");
  for (uint32_t q = 1; q <= length; q++)
    fuzz_demand(set->borders[stop.offset + q] == border_of(symbols, q), "a border is the longest");
}

/* The live stops in the order of the request, and no others (R10). */
static void check_strings(const es_request *r, const es_stop_set *set) {
  uint32_t next = 0;
  for (uint32_t s = 0; s < r->stop_count; s++) {
    if (!es_model_live(r, s)) continue;
    fuzz_demand(next < set->count && set->stops[next].index == s, "R10: the live stops stay, in order");
    es_live_stop stop = set->stops[next++];
    fuzz_demand(stop.priority == r->stops[s].priority, "R3: with their priority");
    check_stop(set, stop, r->stops[s].length);
    for (uint32_t j = 0; j < stop.length; j++)
      fuzz_demand(set->symbols[stop.offset + j] == r->text[r->stops[s].offset + j], "R2: with their bytes");
  }
  fuzz_demand(next == set->count, "R10: and no others");
}

static void check_sequences(const es_request *r, const es_stop_set *set) {
  uint32_t next = 0;
  for (uint32_t s = 0; s < r->sequence_count; s++) {
    es_sequence q = r->sequences[s];
    if (q.length < 2) continue;
    fuzz_demand(next < set->count && set->stops[next].index == s, "R5: sequences of two ids or more, in order");
    es_live_stop stop = set->stops[next++];
    check_stop(set, stop, q.length);
    for (uint32_t j = 0; j < q.length; j++)
      fuzz_demand((uint32_t)set->symbols[stop.offset + j] == r->sequence_ids[q.offset + j], "R5: with their ids");
  }
  fuzz_demand(next == set->count, "R5: and no others");
}

typedef es_status compile(const es_request *, const es_stop_memory *, es_stop_set *);

/* Compiles in memory of this size, then one entry short of it, which must change nothing. */
static void check_compile(const es_request *r, compile *with, uint32_t stops, uint32_t symbols,
                          void (*check)(const es_request *, const es_stop_set *)) {
  es_stop_memory m = {fuzz_room(stops * sizeof *m.stops),
                      fuzz_room(symbols * sizeof *m.symbols),
                      fuzz_room(symbols * sizeof *m.borders),
                      fuzz_room(stops * sizeof *m.progress),
                      stops,
                      symbols};
  es_stop_set set = {0}, before;
  fuzz_demand(with(r, &m, &set) == ES_OK, "what passed is compiled, in room for all");
  check(r, &set);
  before = set;
  if (stops > 0) {
    m.symbol_room--;
    fuzz_demand(with(r, &m, &set) == ES_FULL && memcmp(&set, &before, sizeof set) == 0,
                "too few symbols: nothing changes");
    m.symbol_room++, m.stop_room--;
    fuzz_demand(with(r, &m, &set) == ES_FULL, "too few stops");
    check(r, &set);
  }
  free(m.stops), free(m.symbols), free(m.borders), free(m.progress);
}

static void check_refusal(es_refusal said, es_refusal first) {
  fuzz_demand(said.fault == first.fault, "R13: the fault");
  fuzz_demand(said.fault == ES_FAULT_NONE || (said.member == first.member && said.phase == first.phase &&
                                              said.index == first.index && said.pair == first.pair),
              "R13: where it is");
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  asked *a = memory;
  fuzz_seen seen = FUZZ_NOTHING;
  read_bounds(&a->bounds, &in);
  read_request(a, &in);
  const es_request *r = &a->request;
  es_refusal said = es_request_check(r, &a->bounds);
  if (pass == FUZZ_LAWS) check_refusal(said, first_fault(a));
  fuzz_note_number(&seen, said.fault * 64u + said.member);
  if (said.fault != ES_FAULT_NONE || pass == FUZZ_TRACES) return seen; /* what compiles has memory of its own */
  uint32_t bytes = 0, ids = 0, runs = 0;
  for (uint32_t s = 0; s < r->stop_count; s++) bytes += r->stops[s].length + 1;
  for (uint32_t s = 0; s < r->sequence_count; s++)
    if (r->sequences[s].length > 1) runs++, ids += r->sequences[s].length + 1;
  check_compile(r, es_stops_compile_strings, r->stop_count, bytes, check_strings);
  check_compile(r, es_stops_compile_sequences, runs, ids, check_sequences);
  return seen;
}
