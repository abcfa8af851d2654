/* stream_request: whether a client's request may be asked (R13), and the copy of it that a stream keeps.
 *
 * The core checks stops and sequences that lie together; a client's do not, and are copied only once it is known that
 * there are not too many. So each is checked as a request of its own, and es_refusal_before says what comes first. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "refusal.h"
#include "stream_parts.h"

typedef struct {
  es_refusal at;
  es_refusal_facts facts;
} finding;

static uint32_t clipped(size_t number) {
  return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* A request that asks for nothing. */
static es_request nothing(void) {
  es_request request = {.max_tokens = ES_NO_LIMIT, .max_context = ES_NO_LIMIT, .deadline_steps = ES_NO_LIMIT};
  request.flush = (es_flush){ES_FLUSH_STEPS, 1};
  return request;
}

/* Notes what the core says of `part`, which is element `index` of the whole, if that comes before what was found. */
static void note(finding *first, const es_request *part, const es_bounds *bounds, uint32_t index) {
  es_refusal at = es_request_check(part, bounds);
  es_refusal_facts facts = es_refusal_look(at, part, bounds);
  if (index > 0) at.index = index;
  if (es_refusal_before(at, first->at)) *first = (finding){at, facts};
}

/* Notes a fault of a whole list, of which `found` is told. */
static void note_list(finding *first, es_fault fault, es_member member, es_phase phase, uint64_t found) {
  es_refusal at = {fault, member, phase, 0, false};
  if (es_refusal_before(at, first->at)) *first = (finding){at, {ES_FLUSH_STEPS, 0, (int64_t)found}};
}

static void check_stops(finding *first, const es_stream_request *request, const es_bounds *bounds) {
  if (request->stop_count > bounds->stops) {
    note_list(first, ES_FAULT_TOO_MANY, ES_MEMBER_STOP, ES_PHASE_COUNT, clipped(request->stop_count));
    return;
  }
  es_bounds of_one = *bounds;
  of_one.all_stop_bytes = ES_NO_LIMIT;
  uint64_t total = 0;
  for (uint32_t i = 0; i < request->stop_count; i++) {
    const es_stream_stop *stop = request->stop + i;
    es_stop copy = {0, clipped(stop->length), stop->priority};
    es_request one = nothing();
    one.text = (const uint8_t *)stop->text;
    one.stops = &copy;
    one.stop_count = 1;
    note(first, &one, &of_one, i);
    total += copy.length;
  }
  if (total > bounds->all_stop_bytes) note_list(first, ES_FAULT_TOTAL, ES_MEMBER_STOP, ES_PHASE_TOTAL, total);
}

static void check_sequences(finding *first, const es_stream_request *request, const es_bounds *bounds) {
  size_t count = request->stop_token_sequence_count;
  if (count > bounds->sequences) {
    note_list(first, ES_FAULT_TOO_MANY, ES_MEMBER_STOP_TOKEN_SEQUENCES, ES_PHASE_COUNT, clipped(count));
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    es_sequence copy = {0, clipped(request->stop_token_sequences[i].count)};
    es_request one = nothing();
    one.sequence_ids = request->stop_token_sequences[i].ids;
    one.sequences = &copy;
    one.sequence_count = 1;
    note(first, &one, bounds, i);
  }
}

/* Everything but stops and sequences. The lists stay where they are. */
static es_request numbers_of(const es_stream_request *request) {
  es_request numbers = nothing();
  numbers.stop_ids = request->stop_token_ids.ids;
  numbers.stop_id_count = clipped(request->stop_token_ids.count);
  numbers.eos_ids = request->eos_token_ids.ids;
  numbers.eos_id_count = clipped(request->eos_token_ids.count);
  numbers.ignore_eos = request->ignore_eos;
  numbers.include_stop = request->include_stop_str_in_output;
  numbers.skip_special = request->skip_special_tokens;
  numbers.min_tokens = request->min_tokens;
  numbers.max_tokens = request->max_tokens;
  numbers.max_context = request->max_context;
  numbers.prompt_tokens = request->prompt_tokens;
  numbers.deadline_steps = request->deadline_steps;
  numbers.max_period = request->max_period;
  numbers.min_repeats = request->min_repeats;
  if (request->flush <= ES_STREAM_EACH_MS) numbers.flush.kind = (es_flush_kind)request->flush;
  numbers.flush.n = request->flush_n;
  return numbers;
}

bool es_stream_lacks(const es_stream_request *request, const es_bounds *bounds) {
  if (!request->stop && request->stop_count > 0) return true;
  for (size_t i = 0; i < request->stop_count && i < bounds->stops; i++)
    if (!request->stop[i].text && request->stop[i].length > 0) return true;
  if (!request->stop_token_sequences && request->stop_token_sequence_count > 0) return true;
  for (size_t i = 0; i < request->stop_token_sequence_count && i < bounds->sequences; i++)
    if (!request->stop_token_sequences[i].ids && request->stop_token_sequences[i].count > 0) return true;
  return (!request->stop_token_ids.ids && request->stop_token_ids.count > 0) ||
         (!request->eos_token_ids.ids && request->eos_token_ids.count > 0);
}

/* What the core does not know of: numbers of the server's own. */
static bool check_own(const es_stream_request *request, es_stream_refusal *refusal) {
  bool prompt = request->prompt_tokens > INT32_MAX;
  if (!prompt && request->window <= ES_LARGEST_WINDOW) return true;
  const char *param = prompt ? "prompt_tokens" : "window";
  snprintf(refusal->param, sizeof refusal->param, "%s", param);
  snprintf(refusal->message, sizeof refusal->message, "%s: expected at most %" PRIu32 ", found %" PRIu32, param,
           prompt ? (uint32_t)INT32_MAX : ES_LARGEST_WINDOW, prompt ? request->prompt_tokens : request->window);
  return false;
}

bool es_stream_may(const es_stream_request *request, const es_bounds *bounds, es_stream_refusal *refusal) {
  finding first = {.at = {.fault = ES_FAULT_NONE}};
  es_request numbers = numbers_of(request);
  check_stops(&first, request, bounds);
  check_sequences(&first, request, bounds);
  note(&first, &numbers, bounds, 0);
  if (request->flush > ES_STREAM_EACH_MS)
    note_list(&first, ES_FAULT_TOO_LARGE, ES_MEMBER_FLUSH, ES_PHASE_COUNT, request->flush);
  if (first.at.fault == ES_FAULT_NONE) return check_own(request, refusal);
  char sentence[118]; /* with the path before it as long as the message may be */
  es_refusal_param(first.at, first.facts.flush, refusal->param, sizeof refusal->param);
  es_refusal_sentence(first.at, first.facts, bounds, sentence, sizeof sentence);
  snprintf(refusal->message, sizeof refusal->message, "%s: %s", refusal->param, sentence);
  return false;
}

/* Copies a list of ids, which may be nowhere when it is empty. */
static const uint32_t *copied(uint32_t *to, const es_stream_ids *from) {
  if (from->count > 0) memcpy(to, from->ids, from->count * sizeof *to);
  return to;
}

void es_stream_copy(es_request *copy, unsigned char *block, const es_layout *layout, const es_stream_request *request) {
  const size_t *at = layout->offsets;
  uint8_t *text = block + at[ES_PART_STOP_TEXT];
  es_stop *stops = (void *)(block + at[ES_PART_STOPS]);
  uint32_t *ids = (void *)(block + at[ES_PART_SEQUENCE_IDS]);
  es_sequence *sequences = (void *)(block + at[ES_PART_SEQUENCES]);
  *copy = numbers_of(request);
  copy->stop_ids = copied((void *)(block + at[ES_PART_STOP_IDS]), &request->stop_token_ids);
  copy->eos_ids = copied((void *)(block + at[ES_PART_EOS_IDS]), &request->eos_token_ids);
  uint32_t place = 0;
  for (uint32_t i = 0; i < request->stop_count; i++) {
    const es_stream_stop *stop = request->stop + i;
    stops[i] = (es_stop){place, (uint32_t)stop->length, stop->priority};
    memcpy(text + place, stop->text, stop->length);
    place += stops[i].length;
  }
  copy->text = text;
  copy->stops = stops;
  copy->stop_count = (uint32_t)request->stop_count;
  place = 0;
  for (uint32_t i = 0; i < request->stop_token_sequence_count; i++) {
    sequences[i] = (es_sequence){place, (uint32_t)request->stop_token_sequences[i].count};
    copied(ids + place, request->stop_token_sequences + i);
    place += sequences[i].length;
  }
  copy->sequence_ids = ids;
  copy->sequences = sequences;
  copy->sequence_count = (uint32_t)request->stop_token_sequence_count;
}
