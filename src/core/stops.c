#include "stops.h"

#include "stops_compile.h"

#ifdef __FRAMAC__
#include "stops_steps.acsl.h"
#endif

/*@
  lemma rep_of_all{L}: \forall es_stop_set *c, integer ss;
    heads(c->stops, ss, stops(ss)) && bodies(c->symbols, ss, stops(ss)) && tables(c->borders, ss, stops(ss)) &&
    c->count == stops(ss) && below(ss, stops(ss), c->size) ==> stops_rep(c, ss);
*/

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

/* Gives stop k of the set its borders. */
/*@ requires valid:  memory_valid(memory) && wf(ss) && 0 <= k < stops(ss) <= memory.stop_room;
    requires room:   below(ss, stops(ss), memory.symbol_room) && below(ss, k, entries(ss, k));
    requires placed: heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    requires before: tables(memory.borders, ss, k);
    assigns  memory.borders[0 .. memory.symbol_room - 1];
    ensures  heads:  heads(memory.stops, ss, stops(ss));
    ensures  tables: tables(memory.borders, ss, k + 1); */
static void fill_one(es_stop_memory memory, uint32_t k) /*@ ghost (uint32_t ss) */ {
  uint32_t offset = memory.stops[k].offset;
  uint32_t length = memory.stops[k].length;
  //@ assert here: offset == entries(ss, k) && length == size(ss, k) && offset + length < memory.symbol_room;
  //@ assert symbols: stop_symbols(memory.symbols + offset, ss, k);
  es_stops_borders(memory.symbols + offset, length, memory.borders + offset) /*@ ghost (ss, k) */;
  //@ assert others: tables(memory.borders, ss, k);
  //@ assert heads: heads(memory.stops, ss, stops(ss));
}

/* Gives all stops of the set their borders. */
/*@ requires valid:  memory_valid(memory) && wf(ss) && count == stops(ss) <= memory.stop_room;
    requires room:   below(ss, stops(ss), memory.symbol_room);
    requires placed: heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    assigns  memory.borders[0 .. memory.symbol_room - 1];
    ensures  heads:  heads(memory.stops, ss, stops(ss));
    ensures  tables: tables(memory.borders, ss, stops(ss)); */
static void fill_borders(es_stop_memory memory, uint32_t count) /*@ ghost (uint32_t ss) */ {
  /*@ loop invariant place:  0 <= k <= count && below(ss, k, entries(ss, k));
      loop invariant heads:  heads(memory.stops, ss, stops(ss));
      loop invariant tables: tables(memory.borders, ss, k);
      loop assigns k, memory.borders[0 .. memory.symbol_room - 1];
      loop variant count - k; */
  for (uint32_t k = 0; k < count; k++) {
    fill_one(memory, k) /*@ ghost (ss) */;
    //@ assert next: entries(ss, k + 1) == entries(ss, k) + size(ss, k) + 1;
  }
}

/* The set as the caller gets it, with all stops in it. */
/*@ requires valid: \valid(compiled) && memory_valid(memory) && set_apart(compiled, memory);
    requires all:   all.stops == memory.stops && all.symbols == memory.symbols && all.borders == memory.borders &&
                    all.count == stops(ss) <= memory.stop_room &&
                    all.size == entries(ss, stops(ss)) <= memory.symbol_room;
    requires below: below(ss, stops(ss), all.size);
    requires heads: heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    requires table: tables(memory.borders, ss, stops(ss));
    assigns  *compiled;
    ensures  in:     set_in(compiled, memory, ss) && set_valid(compiled);
    ensures  rep:    stops_rep(compiled, ss);
    ensures  heads:  heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    ensures  tables: tables(memory.borders, ss, stops(ss));
    ensures  index:  \forall integer t; 0 <= t < stops(ss) ==>
                       memory.stops[t].index == \old(memory.stops[t].index) == compiled->stops[t].index; */
static void give(es_stop_set *compiled, es_stop_set all) /*@ ghost (es_stop_memory memory, uint32_t ss) */ {
  *compiled = all;
  //@ assert in: set_in(compiled, memory, ss) && set_valid(compiled);
  //@ assert tables: tables(memory.borders, ss, stops(ss));
  //@ assert heads: heads(memory.stops, ss, stops(ss));
}

void es_stops_finish(es_stop_set *compiled, es_stop_memory memory, uint32_t count, uint32_t size)
/*@ ghost (uint32_t ss) */ {
  fill_borders(memory, count) /*@ ghost (ss) */;
  //@ assert index: \forall integer t; 0 <= t < stops(ss) ==> memory.stops[t].index == \at(memory.stops[t].index, Pre);
  es_stop_set all = {memory.stops, count, memory.symbols, memory.borders, size};
  give(compiled, all) /*@ ghost (memory, ss) */;
}

/* Whether the stop strings may be compiled and have room. */
/*@ requires valid:  \valid_read(stops + (0 .. count - 1)) && asked_strings(stops, count, text, ss);
    assigns  \nothing;
    ensures  misuse: \result == ES_MISUSE <==> !strings_sound(stops, count);
    ensures  full:   \result == ES_FULL <==> strings_sound(stops, count) && !has_room(memory, ss);
    ensures  known:  \result == ES_OK || \result == ES_FULL || \result == ES_MISUSE;
    ensures  form:   \result == ES_OK ==> wf(ss);
    ensures  below:  \result == ES_OK ==> below(ss, stops(ss), memory.symbol_room); */
static es_status strings_fit(const es_stop *stops, uint32_t count, es_stop_memory memory)
/*@ ghost (const uint8_t *text, uint32_t ss) */ {
  uint64_t needed = 0;
  /*@ loop invariant place:  0 <= i <= count;
      loop invariant sound:  \forall integer t; 0 <= t < i ==> 1 <= stops[t].length <= ES_STOP_MAX_LENGTH;
      loop invariant needed: needed == entries(ss, i) && 2 * i <= needed <= i * (ES_STOP_MAX_LENGTH + 1);
      loop invariant below:  below(ss, i, needed);
      loop assigns i, needed;
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = stops[i].length;
    if (length == 0 || length > ES_STOP_MAX_LENGTH) return ES_MISUSE;
    needed += length + 1;
    //@ assert one: needed == entries(ss, i + 1);
  }
  //@ assert sizes: \forall integer t; 0 <= t < stops(ss) ==> 1 <= size(ss, t) <= ES_STOP_MAX_LENGTH;
  if (count > memory.stop_room || needed > memory.symbol_room) return ES_FULL;
  //@ assert few: stops(ss) <= INT32_MAX;
  return ES_OK;
}

/* Writes the bytes of a stop string as symbols, and closes them. */
/*@ requires stop:  0 <= i < stops(ss) && length == size(ss, i);
    requires read:  \valid_read(text + (0 .. length - 1));
    requires write: \valid(symbols + (0 .. length));
    requires text:  \forall integer j; 0 <= j < length ==> text[j] == symbol(ss, i, j);
    assigns  symbols[0 .. length];
    ensures  symbols: stop_symbols(symbols, ss, i); */
static void copy_text(int32_t *symbols, const uint8_t *text, uint32_t length) /*@ ghost (uint32_t ss, uint32_t i) */ {
  /*@ loop invariant place:  0 <= j <= length;
      loop invariant copied: \forall integer t; 0 <= t < j ==> symbols[t] == symbol(ss, i, t);
      loop assigns j, symbols[0 .. length - 1];
      loop variant length - j; */
  for (uint32_t j = 0; j < length; j++) symbols[j] = text[j];
  symbols[length] = ES_NO_SYMBOL;
}

/* Writes the symbols of all stop strings, one after another; the entries that they take. */
/*@ requires valid: \valid_read(stops + (0 .. count - 1)) && \valid(symbols + (0 .. room - 1));
    requires read:  \forall integer i; 0 <= i < count ==>
                      \valid_read(text + (stops[i].offset .. stops[i].offset + stops[i].length - 1));
    requires asked: asked_strings(stops, count, text, ss) && wf(ss) && below(ss, stops(ss), room);
    assigns  symbols[0 .. room - 1];
    ensures  size:   \result == entries(ss, stops(ss)) && below(ss, stops(ss), \result);
    ensures  bodies: bodies(symbols, ss, stops(ss)); */
static uint32_t copy_strings(const es_stop *stops, uint32_t count, const uint8_t *text, int32_t *symbols)
/*@ ghost (uint32_t room, uint32_t ss) */ {
  uint32_t size = 0;
  /*@ loop invariant place:  0 <= i <= count;
      loop invariant size:   size == entries(ss, i) && below(ss, i, size);
      loop invariant bodies: bodies(symbols, ss, i);
      loop assigns i, size, symbols[0 .. room - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = stops[i].length;
    //@ assert room: size + length < room;
    copy_text(symbols + size, text + stops[i].offset, length) /*@ ghost (ss, i) */;
    //@ assert before: bodies(symbols, ss, i);
    size += length + 1;
    //@ assert next: size == entries(ss, i + 1);
  }
  return size;
}

/* Says of all stop strings where they lie. */
/*@ requires valid: \valid_read(stops + (0 .. count - 1)) && \valid(live + (0 .. count - 1));
    requires apart: \separated(stops + (0 .. count - 1), live + (0 .. count - 1));
    requires asked: count == stops(ss) && \forall integer i; 0 <= i < count ==>
                      size(ss, i) == stops[i].length && priority(ss, i) == stops[i].priority;
    requires below: wf(ss) && below(ss, stops(ss), UINT32_MAX);
    assigns  live[0 .. count - 1];
    ensures  heads: heads(live, ss, stops(ss));
    ensures  index: \forall integer t; 0 <= t < stops(ss) ==> live[t].index == t; */
static void place_strings(const es_stop *stops, uint32_t count, es_live_stop *live) /*@ ghost (uint32_t ss) */ {
  uint32_t size = 0;
  /*@ loop invariant place:  0 <= i <= count && (i < count ==> size == entries(ss, i));
      loop invariant length: \forall integer t; 0 <= t < count ==> stops[t].length == size(ss, t);
      loop invariant first:  \forall integer t; 0 <= t < count ==> stops[t].priority == priority(ss, t);
      loop invariant heads:  heads(live, ss, i);
      loop invariant index:  \forall integer t; 0 <= t < i ==> live[t].index == t;
      loop assigns i, size, live[0 .. count - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    es_live_stop stop = {size, stops[i].length, stops[i].priority, i};
    live[i] = stop;
    size += stop.length + 1;
    //@ assert next: size == entries(ss, i + 1);
  }
}

/* Makes all stop strings the set, where `memory` has room. */
/*@ requires valid: \valid_read(stops + (0 .. count - 1)) && memory_valid(memory) && count <= memory.stop_room;
    requires set:   \valid(compiled) && set_apart(compiled, memory);
    requires read:  \forall integer i; 0 <= i < count ==>
                      \valid_read(text + (stops[i].offset .. stops[i].offset + stops[i].length - 1));
    requires apart: strings_apart(memory, stops, count);
    requires asked: asked_strings(stops, count, text, ss) && wf(ss);
    requires room:  below(ss, stops(ss), memory.symbol_room) && entries(ss, stops(ss)) <= memory.symbol_room;
    assigns  *compiled, memory.stops[0 .. memory.stop_room - 1], memory.symbols[0 .. memory.symbol_room - 1],
             memory.borders[0 .. memory.symbol_room - 1];
    ensures  in:     set_in(compiled, memory, ss) && set_valid(compiled) && below(ss, stops(ss), compiled->size);
    ensures  rep:    stops_rep(compiled, ss);
    ensures  heads:  heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    ensures  tables: tables(memory.borders, ss, stops(ss));
    ensures  index:  \forall integer t; 0 <= t < stops(ss) ==>
                       memory.stops[t].index == t == compiled->stops[t].index; */
static void put_strings(const es_stop *stops, uint32_t count, const uint8_t *text, es_stop_memory memory,
                        es_stop_set *compiled) /*@ ghost (uint32_t ss) */ {
  uint32_t size = copy_strings(stops, count, text, memory.symbols) /*@ ghost (memory.symbol_room, ss) */;
  //@ assert same: \forall integer t; 0 <= t < count ==> stops[t].priority == \at(stops[t].priority, Pre);
  place_strings(stops, count, memory.stops) /*@ ghost (ss) */;
  //@ assert bodies: bodies(memory.symbols, ss, stops(ss));
  es_stops_finish(compiled, memory, count, size) /*@ ghost (ss) */;
}

es_status es_stops_compile_strings(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled)
/*@ ghost (uint32_t sid, uint32_t ss, uint32_t ls) */ {
  uint32_t count = request->stop_count;
  bool first = request->min_tokens == 0;
  es_stop_memory to = *memory;
  es_status status = strings_fit(request->stops, count, to) /*@ ghost (request->text, ss) */;
  if (status != ES_OK) return status;
  put_strings(request->stops, count, request->text, to, compiled) /*@ ghost (ss) */;
  /* With min_tokens above 0 any of them may be passed over, and then the others count (R10). */
  if (first) es_stops_drop_dead(compiled, to) /*@ ghost (sid, ss, ls) */;
  return ES_OK;
}
