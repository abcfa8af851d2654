/* The stops of a request for the slow model: every place against every stop, byte by byte. */
#include "model_parts.h"

static const char *stop_text(const es_request *request, uint32_t index) {
  return (const char *)request->text + request->stops[index].offset;
}

static bool is_suffix(const char *part, size_t part_length, const char *text, size_t length) {
  if (part_length > length) return false;
  for (size_t back = 1; back <= part_length; back++)
    if (text[length - back] != part[part_length - back]) return false;
  return true;
}

/* R3: at one place the higher priority wins, then the longer stop, then the lower index. */
static bool wins(const es_request *request, uint32_t a, uint32_t b) {
  es_stop first = request->stops[a];
  es_stop second = request->stops[b];
  if (first.priority != second.priority) return first.priority > second.priority;
  if (first.length != second.length) return first.length > second.length;
  return a < b;
}

es_model_completion es_model_first_completion(const es_request *request, const char *raw, size_t length, size_t after) {
  es_model_completion best = {ES_MODEL_NOT_FOUND, 0};
  for (size_t place = after + 1; place <= length && best.place == ES_MODEL_NOT_FOUND; place++) {
    for (uint32_t s = 0; s < request->stop_count; s++) {
      if (!is_suffix(stop_text(request, s), request->stops[s].length, raw, place)) continue;
      if (best.place == ES_MODEL_NOT_FOUND || wins(request, s, best.index)) best = (es_model_completion){place, s};
    }
  }
  return best;
}

bool es_model_live(const es_request *request, uint32_t index) {
  if (request->min_tokens > 0) return true;
  const char *a = stop_text(request, index);
  es_stop stop = request->stops[index];
  for (uint32_t other = 0; other < request->stop_count; other++) {
    if (other == index) continue;
    const char *b = stop_text(request, other);
    es_stop rival = request->stops[other];
    for (size_t end = 1; end < stop.length; end++) {
      if (is_suffix(b, rival.length, a, end)) return false;
    }
    if (!is_suffix(b, rival.length, a, stop.length)) continue;
    if (rival.priority > stop.priority) return false;
    if (rival.length == stop.length && rival.priority == stop.priority && other < index) return false;
  }
  return true;
}

size_t es_model_string_hold(const es_request *request, const bool *live, const char *raw, size_t length) {
  size_t longest = 0;
  for (uint32_t s = 0; s < request->stop_count; s++) {
    if (!live[s]) continue;
    for (size_t held = 1; held < request->stops[s].length && held <= length; held++) {
      if (held > longest && is_suffix(stop_text(request, s), held, raw, length)) longest = held;
    }
  }
  return longest;
}

/* Whether the last `length` ids are the first `length` ids of stop sequence `index`. */
static bool ends_with_ids(const es_request *request, uint32_t index, size_t length, const uint32_t *ids, size_t count) {
  if (length > count) return false;
  for (size_t i = 0; i < length; i++) {
    if (ids[count - length + i] != request->sequence_ids[request->sequences[index].offset + i]) return false;
  }
  return true;
}

size_t es_model_sequence(const es_request *request, const uint32_t *ids, size_t count) {
  size_t best = ES_MODEL_NOT_FOUND;
  for (uint32_t s = 0; s < request->sequence_count; s++) {
    uint32_t length = request->sequences[s].length;
    if (length < 2 || !ends_with_ids(request, s, length, ids, count)) continue;
    if (best == ES_MODEL_NOT_FOUND || length > request->sequences[best].length) best = s;
  }
  return best;
}

size_t es_model_sequence_hold(const es_request *request, const uint32_t *ids, size_t count) {
  size_t longest = 0;
  for (uint32_t s = 0; s < request->sequence_count; s++) {
    for (size_t held = 1; held < request->sequences[s].length; held++) {
      if (held > longest && ends_with_ids(request, s, held, ids, count)) longest = held;
    }
  }
  return longest;
}

bool es_model_is_stop_token(const es_request *request, uint32_t id) {
  for (uint32_t i = 0; i < request->stop_id_count; i++) {
    if (request->stop_ids[i] == id) return true;
  }
  for (uint32_t s = 0; s < request->sequence_count; s++) {
    if (request->sequences[s].length == 1 && request->sequence_ids[request->sequences[s].offset] == id) return true;
  }
  return false;
}

bool es_model_is_eos(const es_request *request, uint32_t id) {
  for (uint32_t i = 0; i < request->eos_id_count && !request->ignore_eos; i++) {
    if (request->eos_ids[i] == id) return true;
  }
  return false;
}

bool es_model_repeats(const es_request *request, const uint32_t *ids, size_t count) {
  for (size_t period = 1; period <= request->max_period; period++) {
    size_t span = period * request->min_repeats;
    if (span > count) continue;
    bool repeats = true;
    for (size_t i = count - span; i + period < count; i++) repeats = repeats && ids[i] == ids[i + period];
    if (repeats) return true;
  }
  return false;
}
