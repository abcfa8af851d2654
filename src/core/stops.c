#include "stops.h"

#include "matcher.h"

void es_stops_borders(const int32_t *s, uint32_t length, uint32_t *f) /*@ ghost (uint32_t ss, uint32_t i) */ {
  f[1] = 0;
  uint32_t k = 0;
  /*@ loop invariant place: 2 <= q <= length + 1;
      loop invariant last:  k == f[q - 1] && k < q - 1;
      loop invariant done:  \forall integer t; 1 <= t < q ==> longest_border(ss, i, t, f[t]);
      loop assigns q, k, f[1 .. length];
      loop variant length + 1 - q; */
  for (uint32_t q = 2; q <= length; q++) {
    int32_t c = s[q - 1];
    /*@ loop invariant place: k < q - 1 && border(ss, i, q - 1, k);
        loop invariant best:  \forall integer l; border(ss, i, q - 1, l) && l > k ==> symbol(ss, i, l) != c;
        loop assigns k;
        loop variant k; */
    while (k > 0 && s[k] != c) {
      //@ assert between: \forall integer l; f[k] < l < k && border(ss, i, q - 1, l) ==> border(ss, i, k, l);
      //@ assert falls: border(ss, i, k, f[k]);
      k = f[k];
    }
    /*@ assert down: \forall integer l; border(ss, i, q, l) && 1 <= l ==>
          border(ss, i, q - 1, l - 1) && symbol(ss, i, l - 1) == c; */
    if (s[k] == c) {
      //@ assert up: border(ss, i, q - 1 + 1, k + 1);
      k++;
      //@ assert grown: longest_border(ss, i, q, k);
    } else {
      //@ assert nothing: k == 0;
      //@ assert gone: longest_border(ss, i, q, k);
    }
    //@ ghost before: ;
    f[q] = k;
    //@ assert frame: f[q] == k && \forall integer t; 1 <= t < q ==> f[t] == \at(f[t], before);
  }
}

/* Whether stop a is the one that ends a lane whose text is a alone: no other completes before its end, and none
 * beats it there. That is what R10 calls live: (1) says the first, (2) and (3) the second.
 * Ghost: the set, and a stream that begins with stop a. */
/*@ requires form:   set_valid(compiled) && wf(ss) && stops_rep(compiled, ss) && a < compiled->count;
    requires write:  \valid(progress_of + (0 .. compiled->count - 1));
    requires apart:  \separated(progress_of + (0 .. compiled->count - 1), compiled);
    requires stream: begins_with(sid, ss, a);
    assigns  progress_of[0 .. compiled->count - 1];
    ensures  live:   \result <==> live(ss, a); */
static bool is_live(const es_stop_set *compiled, uint32_t a, uint16_t *progress_of)
/*@ ghost (uint32_t sid, uint32_t ss) */ {
  const int32_t *s = compiled->symbols + compiled->stops[a].offset;
  uint32_t last = compiled->stops[a].length - 1;
  //@ assert length: last + 1 == size(ss, a) && stop_symbols(s, ss, a);
  es_matcher_reset(progress_of, compiled->count) /*@ ghost (sid, ss) */;
  /*@ loop invariant place: 0 <= j <= last;
      loop invariant state: matching(progress_of, sid, j, ss);
      loop invariant rep:   set_valid(compiled) && stops_rep(compiled, ss) && stop_symbols(s, ss, a);
      loop invariant none:  \forall integer b, p; 0 <= b < stops(ss) && p <= j ==> !occurs(ss, b, a, p);
      loop assigns j, progress_of[0 .. compiled->count - 1];
      loop variant last - j; */
  for (uint32_t j = 0; j < last; j++) {
    //@ assert is: s[j] == symbol(ss, a, j);
    //@ assert of: 0 <= symbol(ss, a, j) && symbol(ss, a, j) == H(sid, j);
    //@ assert symbol: 0 <= s[j] == H(sid, j);
    es_match match = es_matcher_take(progress_of, compiled, s[j]) /*@ ghost (sid, (uint64_t)j, ss) */;
    if (match.stop >= 0) {
      //@ assert inside: occurs(ss, match.stop, a, j + 1);
      return false;
    }
    //@ assert nothing: \forall integer b; 0 <= b < stops(ss) ==> !completes(sid, j + 1, ss, b);
    //@ assert no_more: \forall integer b; 0 <= b < stops(ss) ==> !occurs(ss, b, a, j + 1);
  }
  //@ assert not_inside: \forall integer b; 0 <= b < stops(ss) ==> !inside(ss, b, a);
  //@ assert is: s[last] == symbol(ss, a, last);
  //@ assert of: 0 <= symbol(ss, a, last) && symbol(ss, a, last) == H(sid, last);
  //@ assert end: 0 <= s[last] == H(sid, last);
  es_match match = es_matcher_take(progress_of, compiled, s[last]) /*@ ghost (sid, (uint64_t)last, ss) */;
  //@ assert whole: completes(sid, last + 1, ss, a);
  //@ assert first: match.stop >= 0 && first_stop(sid, size(ss, a), ss, match.stop);
  //@ assert unique: live(ss, a) ==> match.stop == a;
  //@ assert back: match.stop == a ==> live(ss, a);
  return match.stop == (int32_t)a;
}

es_status es_stops_compile_strings(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled) {
  if (request->stop_count > memory->stop_room) return ES_FULL;
  uint32_t size = 0;
  /*@ loop invariant place: 0 <= i <= request->stop_count;
      loop invariant room:  size <= memory->symbol_room;
      loop assigns i, size, memory->stops[0 .. memory->stop_room - 1], memory->symbols[0 .. memory->symbol_room - 1],
                   memory->borders[0 .. memory->symbol_room - 1];
      loop variant request->stop_count - i; */
  for (uint32_t i = 0; i < request->stop_count; i++) {
    const es_stop *stop = request->stops + i;
    if (stop->length == 0 || stop->length > ES_STOP_MAX_LENGTH) return ES_MISUSE;
    if (stop->length >= memory->symbol_room - size) return ES_FULL;
    const uint8_t *text = request->text + stop->offset;
    /*@ loop invariant place: 0 <= j <= stop->length;
        loop invariant bytes: \forall integer t; 0 <= t < j ==> memory->symbols[size + t] == text[t];
        loop assigns j, memory->symbols[0 .. memory->symbol_room - 1];
        loop variant stop->length - j; */
    for (uint32_t j = 0; j < stop->length; j++) memory->symbols[size + j] = text[j];
    memory->symbols[size + stop->length] = ES_NO_SYMBOL;
    es_stops_borders(memory->symbols + size, stop->length, memory->borders + size) /*@ ghost ((uint32_t)0, i) */;
    memory->stops[i].offset = size;
    memory->stops[i].length = stop->length;
    memory->stops[i].priority = stop->priority;
    memory->stops[i].index = i;
    size += stop->length + 1;
  }
  es_stop_set all = {memory->stops, request->stop_count, memory->symbols, memory->borders, size};
  *compiled = all;
  if (request->min_tokens > 0) return ES_OK; /* any of them may be passed over, and then the others count (R10) */
  /* A stop is judged against the whole compiled, so `all` must keep its stops: mark first, then close ranks. */
  /*@ loop invariant place: 0 <= i <= all.count;
      loop assigns i, memory->stops[0 .. memory->stop_room - 1], memory->progress[0 .. memory->stop_room - 1];
      loop variant all.count - i; */
  for (uint32_t i = 0; i < all.count; i++)
    if (!is_live(&all, i, memory->progress) /*@ ghost ((uint32_t)0, (uint32_t)0) */)
      memory->stops[i].index = UINT32_MAX;
  uint32_t live = 0;
  /*@ loop invariant place: 0 <= live <= i <= all.count;
      loop assigns i, live, memory->stops[0 .. memory->stop_room - 1];
      loop variant all.count - i; */
  for (uint32_t i = 0; i < all.count; i++) {
    if (memory->stops[i].index == UINT32_MAX) continue;
    memory->stops[live] = memory->stops[i];
    live++;
  }
  compiled->count = live;
  return ES_OK;
}

es_status es_stops_compile_sequences(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled) {
  uint32_t count = 0;
  uint32_t size = 0;
  /*@ loop invariant place: 0 <= i <= request->sequence_count && count <= i;
      loop invariant room:  size <= memory->symbol_room && count <= memory->stop_room;
      loop assigns i, size, count, memory->stops[0 .. memory->stop_room - 1],
                   memory->symbols[0 .. memory->symbol_room - 1], memory->borders[0 .. memory->symbol_room - 1];
      loop variant request->sequence_count - i; */
  for (uint32_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = request->sequences + i;
    if (sequence->length == 0 || sequence->length > ES_STOP_MAX_LENGTH) return ES_MISUSE;
    if (sequence->length == 1) continue;
    if (count >= memory->stop_room || sequence->length >= memory->symbol_room - size) return ES_FULL;
    const uint32_t *ids = request->sequence_ids + sequence->offset;
    /*@ loop invariant place: 0 <= j <= sequence->length;
        loop invariant ids:   \forall integer t; 0 <= t < j ==> memory->symbols[size + t] == ids[t];
        loop assigns j, memory->symbols[0 .. memory->symbol_room - 1];
        loop variant sequence->length - j; */
    for (uint32_t j = 0; j < sequence->length; j++) memory->symbols[size + j] = (int32_t)ids[j];
    memory->symbols[size + sequence->length] = ES_NO_SYMBOL;
    es_stops_borders(memory->symbols + size, sequence->length, memory->borders + size) /*@ ghost ((uint32_t)1, i) */;
    memory->stops[count].offset = size;
    memory->stops[count].length = sequence->length;
    memory->stops[count].priority = 0;
    memory->stops[count].index = i;
    size += sequence->length + 1;
    count++;
  }
  es_stop_set all = {memory->stops, count, memory->symbols, memory->borders, size};
  *compiled = all;
  return ES_OK;
}
