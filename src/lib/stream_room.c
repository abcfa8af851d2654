/* stream_room: the one block that a stream lies in. */
#include "stream_parts.h"

/* Of stops as long as they may be, so many still have places of 32 bits. */
#define MOST_STOPS 32767

const es_stream_bounds es_stream_default_bounds = {64, 1024, 16384, 64, 16, 256, 4096, ES_STREAM_NONE};

static uint32_t least(size_t a, uint32_t b) {
  return a < b ? (uint32_t)a : b;
}

es_bounds es_stream_bounds_of(const es_stream_request *request) {
  const es_stream_bounds *asked = request->bounds ? request->bounds : &es_stream_default_bounds;
  es_bounds bounds = {least(asked->stops, MOST_STOPS),
                      least(asked->stop_bytes, ES_STOP_MAX_LENGTH),
                      asked->all_stop_bytes,
                      least(asked->sequences, MOST_STOPS),
                      least(asked->sequence_ids, ES_STOP_MAX_LENGTH),
                      least(asked->ids, INT32_MAX),
                      least(asked->repetition_ids, INT32_MAX),
                      asked->vocabulary};
  return bounds;
}

/* How much of the request's lists may be copied. */
static void count(const es_stream_request *request, const es_bounds *bounds, uint32_t counts[ES_PARTS]) {
  uint32_t stops = least(request->stop ? request->stop_count : 0, bounds->stops), bytes = 0, longest_stop = 0;
  for (uint32_t i = 0; i < stops; i++) {
    uint32_t length = least(request->stop[i].length, bounds->stop_bytes);
    bytes += length;
    if (length > longest_stop) longest_stop = length;
  }
  bytes = least(bytes, bounds->all_stop_bytes);
  const es_stream_ids *lists = request->stop_token_sequences;
  uint32_t sequences = least(lists ? request->stop_token_sequence_count : 0, bounds->sequences), ids = 0, longest = 1;
  for (uint32_t i = 0; i < sequences; i++) {
    uint32_t length = least(lists[i].count, bounds->sequence_ids);
    ids += length;
    if (length > longest) longest = length;
  }
  /* Held back are a stop but for its last byte, or a character but for its last, and the window serves the rest. */
  uint32_t waiting = least(request->window, ES_LARGEST_WINDOW) + longest_stop + 3;
  uint32_t period = least(request->max_period, bounds->repetition_ids / 2);
  counts[ES_PART_SHOWN] = ES_UTF8_GROWTH * waiting;
  counts[ES_PART_TEXT] = waiting;
  counts[ES_PART_STOP_TEXT] = bytes;
  counts[ES_PART_STOPS] = counts[ES_PART_LIVE_STRINGS] = stops;
  counts[ES_PART_COMPILING] = counts[ES_PART_STRING_PROGRESS] = stops;
  counts[ES_PART_STRING_SYMBOLS] = counts[ES_PART_STRING_BORDERS] = bytes + stops;
  counts[ES_PART_STOP_IDS] = least(request->stop_token_ids.count, bounds->ids);
  counts[ES_PART_EOS_IDS] = least(request->eos_token_ids.count, bounds->ids);
  counts[ES_PART_SEQUENCE_IDS] = ids;
  counts[ES_PART_SEQUENCES] = counts[ES_PART_LIVE_SEQUENCES] = counts[ES_PART_SEQUENCE_PROGRESS] = sequences;
  counts[ES_PART_SEQUENCE_SYMBOLS] = counts[ES_PART_SEQUENCE_BORDERS] = ids + sequences;
  counts[ES_PART_STARTS] = longest;
  counts[ES_PART_REPETITION_IDS] = counts[ES_PART_REPETITION_RUNS] = period;
}

#define ELEMENT(type)                                                                                                  \
  { sizeof(type), _Alignof(type) }

static const struct {
  size_t size;
  size_t alignment;
} elements[ES_PARTS] = {
    [ES_PART_SHOWN] = ELEMENT(uint8_t),
    [ES_PART_TEXT] = ELEMENT(uint8_t),
    [ES_PART_STOP_TEXT] = ELEMENT(uint8_t),
    [ES_PART_STOPS] = ELEMENT(es_stop),
    [ES_PART_STOP_IDS] = ELEMENT(uint32_t),
    [ES_PART_SEQUENCE_IDS] = ELEMENT(uint32_t),
    [ES_PART_SEQUENCES] = ELEMENT(es_sequence),
    [ES_PART_EOS_IDS] = ELEMENT(uint32_t),
    [ES_PART_LIVE_STRINGS] = ELEMENT(es_live_stop),
    [ES_PART_STRING_SYMBOLS] = ELEMENT(int32_t),
    [ES_PART_STRING_BORDERS] = ELEMENT(uint32_t),
    [ES_PART_COMPILING] = ELEMENT(uint16_t),
    [ES_PART_LIVE_SEQUENCES] = ELEMENT(es_live_stop),
    [ES_PART_SEQUENCE_SYMBOLS] = ELEMENT(int32_t),
    [ES_PART_SEQUENCE_BORDERS] = ELEMENT(uint32_t),
    [ES_PART_STRING_PROGRESS] = ELEMENT(uint16_t),
    [ES_PART_SEQUENCE_PROGRESS] = ELEMENT(uint16_t),
    [ES_PART_STARTS] = ELEMENT(uint64_t),
    [ES_PART_REPETITION_IDS] = ELEMENT(uint32_t),
    [ES_PART_REPETITION_RUNS] = ELEMENT(uint32_t),
};

es_layout es_stream_lay(const es_stream_request *request, const es_bounds *bounds) {
  es_layout layout = {{0}, {0}, sizeof(es_stream)};
  count(request, bounds, layout.counts);
  for (size_t p = 0; p < ES_PARTS; p++) {
    size_t over = layout.size % elements[p].alignment, gap = over > 0 ? elements[p].alignment - over : 0;
    if (SIZE_MAX - layout.size <= gap || (SIZE_MAX - layout.size - gap) / elements[p].size <= layout.counts[p]) {
      layout.size = SIZE_MAX;
      return layout;
    }
    layout.offsets[p] = layout.size + gap;
    layout.size = layout.offsets[p] + elements[p].size * layout.counts[p];
  }
  return layout;
}

size_t es_stream_size(const es_stream_request *request) {
  if (!request) return 0;
  es_bounds bounds = es_stream_bounds_of(request);
  return es_stream_lay(request, &bounds).size;
}
