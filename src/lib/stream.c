/* stream: a lane with all of its memory, for programs that know nothing of how it is made. */
#include <stdio.h>

#include "cause.h"
#include "stream_parts.h"

_Static_assert(ES_STREAM_EACH_STEPS == (es_stream_flush)ES_FLUSH_STEPS &&
                   ES_STREAM_EACH_BYTES == (es_stream_flush)ES_FLUSH_BYTES &&
                   ES_STREAM_EACH_TOKENS == (es_stream_flush)ES_FLUSH_TOKENS &&
                   ES_STREAM_EACH_MS == (es_stream_flush)ES_FLUSH_MS && ES_STREAM_NONE == ES_NO_LIMIT,
               "endstop.h names what the core names");

/* Compiles the stops and opens the lane; everything has its place. */
static es_status open_lane(es_stream *s, unsigned char *block, const es_layout *layout) {
  const uint32_t *counts = layout->counts;
  const size_t *at = layout->offsets;
  es_stop_memory strings = {(void *)(block + at[ES_PART_LIVE_STRINGS]),
                            (void *)(block + at[ES_PART_STRING_SYMBOLS]),
                            (void *)(block + at[ES_PART_STRING_BORDERS]),
                            (void *)(block + at[ES_PART_COMPILING]),
                            counts[ES_PART_LIVE_STRINGS],
                            counts[ES_PART_STRING_SYMBOLS]};
  es_stop_memory sequences = {(void *)(block + at[ES_PART_LIVE_SEQUENCES]),
                              (void *)(block + at[ES_PART_SEQUENCE_SYMBOLS]),
                              (void *)(block + at[ES_PART_SEQUENCE_BORDERS]),
                              NULL,
                              counts[ES_PART_LIVE_SEQUENCES],
                              counts[ES_PART_SEQUENCE_SYMBOLS]};
  es_lane_memory memory = {(void *)(block + at[ES_PART_STRING_PROGRESS]),
                           (void *)(block + at[ES_PART_SEQUENCE_PROGRESS]),
                           (void *)(block + at[ES_PART_STARTS]),
                           counts[ES_PART_STARTS],
                           (void *)(block + at[ES_PART_REPETITION_IDS]),
                           (void *)(block + at[ES_PART_REPETITION_RUNS]),
                           block + at[ES_PART_TEXT],
                           counts[ES_PART_TEXT]};
  es_status status = es_stops_compile_strings(&s->request, &strings, &s->strings);
  if (status == ES_OK) status = es_stops_compile_sequences(&s->request, &sequences, &s->sequences);
  if (status == ES_OK) status = es_lane_open(&s->lane, &s->request, &s->strings, &s->sequences, &memory);
  return status;
}

static es_status open_stream(es_stream **stream, void *memory, size_t size, const es_stream_request *request,
                             es_stream_refusal *refusal) {
  char *message = refusal->message;
  size_t room = sizeof refusal->message;
  if (!stream || !request) {
    snprintf(message, room, "expected a place for the stream and a request, found a null pointer");
    return ES_MISUSE;
  }
  es_bounds bounds = es_stream_bounds_of(request);
  if (es_stream_lacks(request, &bounds)) {
    snprintf(message, room, "expected the elements of a list, found a null pointer");
    return ES_MISUSE;
  }
  if (!es_stream_may(request, &bounds, refusal)) return ES_MISUSE;
  es_layout layout = es_stream_lay(request, &bounds);
  if (!memory || ((uintptr_t)memory & (_Alignof(es_stream) - 1)) != 0) {
    snprintf(message, room, "expected memory aligned to %zu bytes, found %s", _Alignof(es_stream),
             memory ? "other memory" : "a null pointer");
    return ES_MISUSE;
  }
  if (size < layout.size || layout.size == SIZE_MAX) {
    snprintf(message, room, "expected memory of at least %zu bytes, found %zu", layout.size, size);
    return ES_FULL;
  }
  es_stream *s = memory;
  unsigned char *block = memory;
  *s = (es_stream){0};
  es_stream_copy(&s->request, block, &layout, request);
  s->shown = block + layout.offsets[ES_PART_SHOWN];
  s->shown_room = layout.counts[ES_PART_SHOWN];
  s->needs_ids = s->request.stop_id_count > 0 || s->request.sequence_count > 0 || s->request.eos_id_count > 0 ||
                 s->request.max_period > 0;
  es_status status = open_lane(s, block, &layout);
  if (status == ES_OK) *stream = s;
  return status;
}

es_status es_stream_open(es_stream **stream, void *memory, size_t size, const es_stream_request *request,
                         es_stream_refusal *refusal) {
  es_stream_refusal unheard;
  if (!refusal) refusal = &unheard;
  refusal->param[0] = refusal->message[0] = '\0';
  return open_stream(stream, memory, size, request, refusal);
}

es_status es_stream_token(es_stream *s, uint32_t id, const void *bytes, size_t length, bool special) {
  if (!s || (!bytes && length > 0)) return ES_MISUSE;
  if (id == ES_NO_ID ? s->needs_ids : id > INT32_MAX) return ES_MISUSE;
  if (s->lane.boundary == 0) es_lane_boundary(&s->lane, (es_boundary){false, 0, false, false}, s->now);
  es_lane_token token = {id == ES_NO_ID ? 0 : id, special, bytes, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX};
  return es_lane_take(&s->lane, &token);
}

es_status es_stream_step(es_stream *s, const es_stream_event *event) {
  if (!s || (event && event->external && (!event->reason || !event->reason[0]))) return ES_MISUSE;
  es_boundary at = {false, 0, false, false};
  if (event) {
    at.external = event->external;
    at.external_cut = event->cut;
    at.abort = event->abort;
    s->now = event->now;
  }
  es_status status = es_lane_boundary(&s->lane, at, s->now);
  if (status == ES_OK && s->lane.end.cause == ES_CAUSE_EXTERNAL) s->end_reason = event->reason;
  return status;
}

bool es_stream_ended(const es_stream *s) {
  return !s || s->lane.end.cause != ES_CAUSE_OPEN;
}

size_t es_stream_text(es_stream *s, const char **text) {
  uint32_t length = 0;
  if (!s || !text) return 0;
  es_lane_offer(&s->lane, s->shown, s->shown_room, &length); /* there is room for all that can be due */
  *text = (const char *)s->shown;
  return length;
}

es_status es_stream_sent(es_stream *s, es_delivery delivery) {
  if (!s) return ES_MISUSE;
  switch (delivery) {
  case ES_SENT:
    return es_lane_answer(&s->lane, ES_ANSWER_OK);
  case ES_SEND_LATER:
    return es_lane_answer(&s->lane, ES_ANSWER_LATER);
  case ES_CLIENT_GONE:
    return es_lane_answer(&s->lane, ES_ANSWER_GONE);
  default:
    return ES_MISUSE;
  }
}

bool es_stream_terminal(es_stream *s, es_stream_end *end) {
  es_terminal terminal;
  if (!s || !end || !es_lane_terminal(&s->lane, &terminal)) return false;
  es_cause cause = terminal.end.cause;
  bool listed = cause == ES_CAUSE_STOP_STRING || cause == ES_CAUSE_STOP_SEQUENCE;
  bool by_id = cause == ES_CAUSE_STOP_TOKEN || cause == ES_CAUSE_EOS;
  end->finish_reason = cause == ES_CAUSE_EXTERNAL ? s->end_reason : es_cause_finish_reason(cause);
  end->cause = es_cause_word(cause);
  end->stop_index = listed ? terminal.stop_index : ES_STREAM_NONE;
  end->stop_id = by_id ? terminal.stop_id : ES_STREAM_NONE;
  end->tokens = terminal.tokens;
  end->bytes = terminal.bytes;
  end->crc32c = terminal.crc32c;
  return true;
}

uint32_t es_stream_tokens(const es_stream *s) {
  return s ? s->lane.limits.taken : 0;
}

const char *es_version(void) {
  return ES_VERSION;
}
