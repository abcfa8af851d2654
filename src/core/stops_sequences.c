#include "stops_compile.h"

#ifdef __FRAMAC__
#include "stops_steps.acsl.h"
#endif

/*@
  lemma sequence_token{L}: \forall es_sequence *sequences, integer count, uint32_t *ids, integer ss, i;
    asked_sequences(sequences, count, ids, ss) && sequences[i].length < 2 ==> !has_source(ss, i);
  lemma sequence_next{L}: \forall es_sequence *sequences, integer count, uint32_t *ids, integer ss, k, i;
    asked_sequences(sequences, count, ids, ss) && 0 <= i < count && sequences[i].length >= 2 && up_to(ss, k, i) ==>
    source(ss, k) == i && up_to(ss, k + 1, i + 1) && sequences[i].length == size(ss, k);
  lemma sequence_sizes{L}: \forall es_sequence *sequences, integer count, uint32_t *ids, integer ss, k;
    asked_sequences(sequences, count, ids, ss) && sequences_sound(sequences, count) && 0 <= k < stops(ss) ==>
    1 <= size(ss, k) <= ES_STOP_MAX_LENGTH;
*/

/* Whether the stop sequences of two ids or more may be compiled and have room. */
/*@ requires valid:  \valid_read(sequences + (0 .. count - 1)) && asked_sequences(sequences, count, ids, ss);
    assigns  \nothing;
    ensures  misuse: \result == ES_MISUSE <==> !sequences_sound(sequences, count);
    ensures  full:   \result == ES_FULL <==> sequences_sound(sequences, count) && !has_room(memory, ss);
    ensures  known:  \result == ES_OK || \result == ES_FULL || \result == ES_MISUSE;
    ensures  form:   \result == ES_OK ==> wf(ss);
    ensures  below:  \result == ES_OK ==> below(ss, stops(ss), memory.symbol_room); */
static es_status sequences_fit(const es_sequence *sequences, uint32_t count, es_stop_memory memory)
/*@ ghost (const uint32_t *ids, uint32_t ss) */ {
  uint64_t needed = 0;
  uint32_t k = 0;
  /*@ loop invariant place:  0 <= i <= count && k <= i && up_to(ss, k, i);
      loop invariant sound:  \forall integer t; 0 <= t < i ==> 1 <= sequences[t].length <= ES_STOP_MAX_LENGTH;
      loop invariant needed: needed == entries(ss, k) && 2 * k <= needed <= k * (ES_STOP_MAX_LENGTH + 1);
      loop invariant below:  below(ss, k, needed);
      loop assigns i, k, needed;
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = sequences[i].length;
    if (length == 0 || length > ES_STOP_MAX_LENGTH) return ES_MISUSE;
    if (length == 1) {
      //@ assert token: !has_source(ss, i);
      continue;
    }
    //@ assert sequence: source(ss, k) == i && up_to(ss, k + 1, i + 1) && length == size(ss, k);
    needed += length + 1;
    k++;
    //@ assert one: needed == entries(ss, k);
  }
  //@ assert all: k == stops(ss);
  //@ assert sound: sequences_sound(sequences, count);
  //@ assert sizes: \forall integer t; 0 <= t < stops(ss) ==> 1 <= size(ss, t) <= ES_STOP_MAX_LENGTH;
  if (k > memory.stop_room || needed > memory.symbol_room) return ES_FULL;
  //@ assert few: stops(ss) <= INT32_MAX;
  return ES_OK;
}

/* Writes the ids of a stop sequence as symbols, and closes them. */
/*@ requires stop:  0 <= k < stops(ss) && length == size(ss, k);
    requires read:  \valid_read(ids + (0 .. length - 1));
    requires write: \valid(symbols + (0 .. length));
    requires ids:   \forall integer j; 0 <= j < length ==> ids[j] == symbol(ss, k, j) <= INT32_MAX;
    assigns  symbols[0 .. length];
    ensures  symbols: stop_symbols(symbols, ss, k); */
static void copy_ids(int32_t *symbols, const uint32_t *ids, uint32_t length) /*@ ghost (uint32_t ss, uint32_t k) */ {
  /*@ loop invariant place:  0 <= j <= length;
      loop invariant copied: \forall integer t; 0 <= t < j ==> symbols[t] == symbol(ss, k, t);
      loop assigns j, symbols[0 .. length - 1];
      loop variant length - j; */
  for (uint32_t j = 0; j < length; j++) symbols[j] = (int32_t)ids[j];
  symbols[length] = ES_NO_SYMBOL;
}

/* Writes the symbols of the stop sequences of two ids or more, one after another; the entries that they take. */
/*@ requires valid: \valid_read(sequences + (0 .. count - 1)) && \valid(symbols + (0 .. room - 1));
    requires read:  \forall integer i; 0 <= i < count ==>
                      \valid_read(ids + (sequences[i].offset .. sequences[i].offset + sequences[i].length - 1));
    requires asked: asked_sequences(sequences, count, ids, ss) && wf(ss) && below(ss, stops(ss), room);
    assigns  symbols[0 .. room - 1];
    ensures  size:   \result == entries(ss, stops(ss)) && below(ss, stops(ss), \result);
    ensures  bodies: bodies(symbols, ss, stops(ss)); */
static uint32_t copy_sequences(const es_sequence *sequences, uint32_t count, const uint32_t *ids, int32_t *symbols)
/*@ ghost (uint32_t room, uint32_t ss) */ {
  uint32_t size = 0;
  //@ ghost uint32_t k = 0;
  /*@ loop invariant place:  0 <= i <= count && k <= i && up_to(ss, k, i);
      loop invariant size:   size == entries(ss, k) && below(ss, k, size);
      loop invariant bodies: bodies(symbols, ss, k);
      loop assigns i, k, size, symbols[0 .. room - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = sequences[i].length;
    if (length < 2) {
      //@ assert token: !has_source(ss, i);
      continue;
    }
    //@ assert sequence: source(ss, k) == i && up_to(ss, k + 1, i + 1) && length == size(ss, k);
    //@ assert room: size + length < room;
    copy_ids(symbols + size, ids + sequences[i].offset, length) /*@ ghost (ss, k) */;
    //@ assert before: bodies(symbols, ss, k);
    size += length + 1;
    //@ ghost k++;
    //@ assert next: size == entries(ss, k);
  }
  return size;
}

/* Says of stop k where it lies. */
/*@ requires write: \valid(live + k);
    assigns  live[k];
    ensures  place: live[k].offset == offset && live[k].length == length && live[k].priority == 0;
    ensures  index: live[k].index == i; */
static void place(es_live_stop *live, uint32_t k, uint32_t offset, uint32_t length, uint32_t i) {
  es_live_stop stop = {offset, length, 0, i};
  live[k] = stop;
}

/* Says of the stop sequences of two ids or more where they lie; how many they are. */
/*@ requires valid: \valid_read(sequences + (0 .. count - 1)) && \valid(live + (0 .. stops(ss) - 1));
    requires apart: \separated(sequences + (0 .. count - 1), live + (0 .. stops(ss) - 1));
    requires asked: asked_sequences(sequences, count, ids, ss);
    requires below: wf(ss) && below(ss, stops(ss), UINT32_MAX);
    assigns  live[0 .. stops(ss) - 1];
    ensures  count: \result == stops(ss);
    ensures  heads: heads(live, ss, stops(ss));
    ensures  index: \forall integer t; 0 <= t < stops(ss) ==> live[t].index == source(ss, t); */
static uint32_t place_sequences(const es_sequence *sequences, uint32_t count, es_live_stop *live)
/*@ ghost (const uint32_t *ids, uint32_t ss) */ {
  uint32_t size = 0;
  uint32_t k = 0;
  /*@ loop invariant place:  0 <= i <= count && k <= i && up_to(ss, k, i) && (k < stops(ss) ==> size == entries(ss, k));
      loop invariant length: \forall integer t; 0 <= t < count ==> sequences[t].length == \at(sequences[t].length, Pre);
      loop invariant heads:  heads(live, ss, k);
      loop invariant index:  \forall integer t; 0 <= t < k ==> live[t].index == source(ss, t);
      loop assigns i, k, size, live[0 .. stops(ss) - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = sequences[i].length;
    //@ assert as_asked: \let t = i; length == \at(sequences[t].length, Pre);
    if (length < 2) {
      //@ assert token: !has_source(ss, i);
      continue;
    }
    //@ assert sequence: source(ss, k) == i && up_to(ss, k + 1, i + 1) && length == size(ss, k);
    //@ assert room: k < stops(ss);
    //@ assert apart: \forall integer t; 0 <= t < count ==> \separated(&sequences[t].length, live + k);
    //@ ghost before: ;
    place(live, k, size, length, i);
    //@ assert others: \forall integer t; 0 <= t < count ==> sequences[t].length == \at(sequences[t].length, before);
    //@ assert earlier: \forall integer t; 0 <= t < k ==> live[t].index == \at(live[t].index, before);
    //@ assert last: live[k].index == source(ss, k);
    size += length + 1;
    k++;
    //@ assert next: size == entries(ss, k);
  }
  return k;
}

/* Makes the stop sequences of two ids or more the set, where `memory` has room. */
/*@ requires valid: \valid_read(sequences + (0 .. count - 1)) && memory_valid(memory) && stops(ss) <= memory.stop_room;
    requires set:   \valid(compiled) && set_apart(compiled, memory);
    requires read:  \forall integer i; 0 <= i < count ==>
                      \valid_read(ids + (sequences[i].offset .. sequences[i].offset + sequences[i].length - 1));
    requires apart: \separated(sequences + (0 .. count - 1), memory.stops + (0 .. memory.stop_room - 1));
    requires asked: asked_sequences(sequences, count, ids, ss) && wf(ss);
    requires room:  below(ss, stops(ss), memory.symbol_room) && entries(ss, stops(ss)) <= memory.symbol_room;
    assigns  *compiled, memory.stops[0 .. memory.stop_room - 1], memory.symbols[0 .. memory.symbol_room - 1],
             memory.borders[0 .. memory.symbol_room - 1];
    ensures  in:     set_in(compiled, memory, ss) && set_valid(compiled) && below(ss, stops(ss), compiled->size);
    ensures  rep:    stops_rep(compiled, ss);
    ensures  index:  \forall integer t; 0 <= t < stops(ss) ==> compiled->stops[t].index == source(ss, t); */
static void put_sequences(const es_sequence *sequences, uint32_t count, const uint32_t *ids, es_stop_memory memory,
                          es_stop_set *compiled) /*@ ghost (uint32_t ss) */ {
  uint32_t size = copy_sequences(sequences, count, ids, memory.symbols) /*@ ghost (memory.symbol_room, ss) */;
  uint32_t kept = place_sequences(sequences, count, memory.stops) /*@ ghost (ids, ss) */;
  //@ assert bodies: bodies(memory.symbols, ss, stops(ss));
  es_stops_finish(compiled, memory, kept, size) /*@ ghost (ss) */;
}

es_status es_stops_compile_sequences(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled)
/*@ ghost (uint32_t ss) */ {
  const es_sequence *sequences = request->sequences;
  uint32_t count = request->sequence_count;
  es_stop_memory to = *memory;
  es_status status = sequences_fit(sequences, count, to) /*@ ghost (request->sequence_ids, ss) */;
  if (status != ES_OK) return status;
  put_sequences(sequences, count, request->sequence_ids, to, compiled) /*@ ghost (ss) */;
  return ES_OK;
}
