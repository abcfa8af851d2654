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

/* Symbol j of stop a. */
/*@ requires stop:  0 <= j < size(ss, a) && \valid_read(s + j) && stop_symbols(s, ss, a);
    assigns  \nothing;
    ensures  symbol: \result == symbol(ss, a, j); */
static int32_t symbol_at(const int32_t *s, uint32_t j) /*@ ghost (uint32_t ss, uint32_t a) */ {
  return s[j];
}

/* Whether stop a is the one that ends a lane whose text is a alone: no other completes before its end, and none
 * beats it there. That is what R10 calls live: (1) says the first, (2) and (3) the second. The one that does is live.
 * Ghost: the set, and a stream that begins with stop a. */
/*@ requires form:    set_valid(compiled) && wf(ss) && stops_rep(compiled, ss) && a < compiled->count;
    requires write:   \valid(progress_of + (0 .. compiled->count - 1));
    requires apart:   \separated(progress_of + (0 .. compiled->count - 1), compiled);
    requires stream:  begins_with(sid, ss, a);
    assigns  progress_of[0 .. compiled->count - 1];
    ensures  live:    \result <==> live(ss, a);
    ensures  covered: !\result ==> \exists integer b; live(ss, b) && kills(ss, b, a); */
static bool is_live(const es_stop_set *compiled, uint32_t a, uint16_t *progress_of)
/*@ ghost (uint32_t sid, uint32_t ss) */ {
  const int32_t *s = compiled->symbols + compiled->stops[a].offset;
  uint32_t last = compiled->stops[a].length - 1;
  //@ assert length: last + 1 == size(ss, a) && stop_symbols(s, ss, a);
  es_matcher_reset(progress_of, compiled->count) /*@ ghost (sid, ss) */;
  /*@ loop invariant place: 0 <= j <= last;
      loop invariant state: matching(progress_of, sid, j, ss);
      loop invariant rep:   set_valid(compiled) && stops_rep(compiled, ss) && stop_symbols(s, ss, a);
      loop invariant none:  no_stop_before(sid, j + 1, ss);
      loop assigns j, progress_of[0 .. compiled->count - 1];
      loop variant last - j; */
  for (uint32_t j = 0; j < last; j++) {
    int32_t c = symbol_at(s, j) /*@ ghost (ss, a) */;
    //@ assert symbol: 0 <= c == H(sid, j);
    es_match match = es_matcher_take(progress_of, compiled, c) /*@ ghost (sid, (uint64_t)j, ss) */;
    if (match.stop >= 0) {
      //@ assert ends: occurs(ss, match.stop, a, j + 1);
      //@ assert inside: inside(ss, match.stop, a);
      //@ assert other:  live(ss, match.stop);
      return false;
    }
    //@ assert nothing: no_stop(sid, j + 1, ss);
  }
  //@ assert not_inside: \forall integer b; 0 <= b < stops(ss) ==> !inside(ss, b, a);
  int32_t c = symbol_at(s, last) /*@ ghost (ss, a) */;
  //@ assert end: 0 <= c == H(sid, last);
  es_match match = es_matcher_take(progress_of, compiled, c) /*@ ghost (sid, (uint64_t)last, ss) */;
  //@ assert whole: completes(sid, size(ss, a), ss, a);
  //@ assert first: match.stop >= 0 && first_stop(sid, size(ss, a), ss, match.stop);
  //@ assert unique: live(ss, a) ==> match.stop == a;
  //@ assert back: match.stop == a ==> live(ss, a);
  //@ assert other: live(ss, match.stop) && before(ss, match.stop, a) && occurs(ss, match.stop, a, size(ss, a));
  //@ assert wins: match.stop != a ==> wins_as_suffix(ss, match.stop, a) || wins_as_same(ss, match.stop, a);
  return match.stop == (int32_t)a;
}

/* Whether the stop strings may be compiled and have room. */
/*@ requires valid:  \valid_read(stops + (0 .. count - 1)) && asked_strings(stops, count, text, ss);
    assigns  \nothing;
    ensures  misuse: \result == ES_MISUSE <==> !strings_sound(stops, count);
    ensures  full:   \result == ES_FULL <==> strings_sound(stops, count) && !has_room(memory, ss);
    ensures  known:  \result == ES_OK || \result == ES_FULL || \result == ES_MISUSE;
    ensures  form:   \result == ES_OK ==> wf(ss);
    ensures  fits:   \result == ES_OK ==> fits(memory, ss); */
static es_status strings_fit(const es_stop *stops, uint32_t count, es_stop_memory memory)
/*@ ghost (const uint8_t *text, uint32_t ss) */ {
  uint64_t needed = 0;
  /*@ loop invariant place:  0 <= i <= count;
      loop invariant sound:  \forall integer t; 0 <= t < i ==> 1 <= stops[t].length <= ES_STOP_MAX_LENGTH;
      loop invariant needed: needed == entries(ss, i) && 2 * i <= needed <= i * (ES_STOP_MAX_LENGTH + 1);
      loop invariant up:     \forall integer t; 0 <= t < i ==> entries(ss, t) + size(ss, t) + 1 <= needed;
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

/* Makes what lies in `memory` from stop.offset on stop k of the set: closes it and gives it its borders. */
/*@ requires valid:  memory_valid(memory) && wf(ss) && 0 <= k < stops(ss);
    requires room:   k < memory.stop_room && stop.offset + stop.length < memory.symbol_room;
    requires stop:   stop.length == size(ss, k) && stop.priority == priority(ss, k) && stop.offset == entries(ss, k);
    requires copied: \forall integer j; 0 <= j < stop.length ==> memory.symbols[stop.offset + j] == symbol(ss, k, j);
    requires below:  below(ss, k, stop.offset);
    requires before: heads(memory.stops, ss, k) && bodies(memory.symbols, ss, k) && tables(memory.borders, ss, k);
    assigns  memory.stops[k], memory.symbols[stop.offset + stop.length],
             memory.borders[stop.offset + 1 .. stop.offset + stop.length];
    ensures  heads:  heads(memory.stops, ss, k + 1);
    ensures  bodies: bodies(memory.symbols, ss, k + 1);
    ensures  tables: tables(memory.borders, ss, k + 1);
    ensures  index:  memory.stops[k].index == stop.index; */
static void put(es_stop_memory memory, uint32_t k, es_live_stop stop) /*@ ghost (uint32_t ss) */ {
  int32_t *symbols = memory.symbols + stop.offset;
  uint32_t *borders = memory.borders + stop.offset;
  symbols[stop.length] = ES_NO_SYMBOL;
  //@ assert symbols: stop_symbols(symbols, ss, k);
  //@ assert closed: bodies(memory.symbols, ss, k);
  es_stops_borders(symbols, stop.length, borders) /*@ ghost (ss, k) */;
  //@ assert symbols: stop_symbols(symbols, ss, k);
  //@ assert borders: stop_borders(borders, ss, k);
  //@ assert heads: heads(memory.stops, ss, k);
  //@ assert bodies: bodies(memory.symbols, ss, k);
  //@ assert tables: tables(memory.borders, ss, k);
  memory.stops[k] = stop;
  //@ assert last: stop_borders(borders, ss, k) && stop_symbols(symbols, ss, k);
  //@ assert all_heads: heads(memory.stops, ss, k + 1);
  //@ assert all_bodies: bodies(memory.symbols, ss, k);
  //@ assert all_tables: tables(memory.borders, ss, k);
}

/* Puts a stop string into `memory`, from entry `size` on. */
/*@ requires valid:  memory_valid(memory) && wf(ss) && 0 <= i < stops(ss);
    requires room:   i < memory.stop_room && size + stop.length < memory.symbol_room;
    requires stop:   stop.length == size(ss, i) && stop.priority == priority(ss, i) && size == entries(ss, i);
    requires read:   \valid_read(text + (0 .. stop.length - 1));
    requires text:   \forall integer j; 0 <= j < stop.length ==> text[j] == symbol(ss, i, j);
    requires below:  below(ss, i, size);
    requires before: heads(memory.stops, ss, i) && bodies(memory.symbols, ss, i) && tables(memory.borders, ss, i);
    assigns  memory.stops[i], memory.symbols[size .. size + stop.length], memory.borders[size + 1 .. size + stop.length];
    ensures  heads:  heads(memory.stops, ss, i + 1);
    ensures  bodies: bodies(memory.symbols, ss, i + 1);
    ensures  tables: tables(memory.borders, ss, i + 1);
    ensures  index:  memory.stops[i].index == i; */
static void put_string(es_stop_memory memory, uint32_t i, uint32_t size, es_stop stop, const uint8_t *text)
/*@ ghost (uint32_t ss) */ {
  es_live_stop live = {size, stop.length, stop.priority, i};
  int32_t *symbols = memory.symbols + size;
  /*@ loop invariant place:  0 <= j <= stop.length;
      loop invariant copied: \forall integer t; 0 <= t < j ==> symbols[t] == symbol(ss, i, t);
      loop invariant bodies: bodies(memory.symbols, ss, i);
      loop assigns j, symbols[0 .. stop.length - 1];
      loop variant stop.length - j; */
  for (uint32_t j = 0; j < stop.length; j++) symbols[j] = text[j];
  put(memory, i, live) /*@ ghost (ss) */;
}

/* Puts all stop strings into `memory`, where they have room; the entries that they take. */
/*@ requires valid: \valid_read(stops + (0 .. count - 1)) && memory_valid(memory);
    requires read:  \forall integer i; 0 <= i < count ==>
                      \valid_read(text + (stops[i].offset .. stops[i].offset + stops[i].length - 1));
    requires apart: strings_apart(memory, stops, count);
    requires asked: asked_strings(stops, count, text, ss) && wf(ss) && fits(memory, ss);
    assigns  memory.stops[0 .. memory.stop_room - 1], memory.symbols[0 .. memory.symbol_room - 1],
             memory.borders[0 .. memory.symbol_room - 1];
    ensures  size:   \result == entries(ss, stops(ss)) && below(ss, stops(ss), \result);
    ensures  heads:  heads(memory.stops, ss, stops(ss));
    ensures  bodies: bodies(memory.symbols, ss, stops(ss));
    ensures  tables: tables(memory.borders, ss, stops(ss));
    ensures  index:  \forall integer t; 0 <= t < stops(ss) ==> memory.stops[t].index == t; */
static uint32_t put_strings(const es_stop *stops, uint32_t count, const uint8_t *text, es_stop_memory memory)
/*@ ghost (uint32_t ss) */ {
  uint32_t size = 0;
  /*@ loop invariant place:  0 <= i <= count;
      loop invariant size:   size == entries(ss, i) && below(ss, i, size);
      loop invariant offset: \forall integer t; 0 <= t < count ==> stops[t].offset == \at(stops[t].offset, Pre);
      loop invariant length: \forall integer t; 0 <= t < count ==> stops[t].length == size(ss, t);
      loop invariant first:  \forall integer t; 0 <= t < count ==> stops[t].priority == priority(ss, t);
      loop invariant heads:  heads(memory.stops, ss, i);
      loop invariant bodies: bodies(memory.symbols, ss, i);
      loop invariant tables: tables(memory.borders, ss, i);
      loop invariant index:  \forall integer t; 0 <= t < i ==> memory.stops[t].index == t;
      loop assigns i, size, memory.stops[0 .. memory.stop_room - 1], memory.symbols[0 .. memory.symbol_room - 1],
                   memory.borders[0 .. memory.symbol_room - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    es_stop stop = stops[i];
    //@ assert room: size + stop.length + 1 <= memory.symbol_room;
    //@ ghost before: ;
    put_string(memory, i, size, stop, text + stop.offset) /*@ ghost (ss) */;
    //@ assert same_o: \forall integer t; 0 <= t < count ==> stops[t].offset == \at(stops[t].offset, before);
    //@ assert same_l: \forall integer t; 0 <= t < count ==> stops[t].length == \at(stops[t].length, before);
    //@ assert same_p: \forall integer t; 0 <= t < count ==> stops[t].priority == \at(stops[t].priority, before);
    size += stop.length + 1;
    //@ assert next: size == entries(ss, i + 1);
  }
  return size;
}

/* Marks stop i if it is not live. */
/*@ requires valid:  set_valid(all) && memory_valid(memory) && \valid(memory.progress + (0 .. memory.stop_room - 1));
    requires in:     set_in(all, memory, ss) && wf(ss) && stops(ss) <= memory.stop_room && 0 <= i < stops(ss);
    requires below:  below(ss, stops(ss), entries(ss, stops(ss)));
    requires apart:  set_apart(all, memory);
    requires placed: heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss)) &&
                     tables(memory.borders, ss, stops(ss));
    requires index:  memory.stops[i].index == i;
    requires stream: sid + stops(ss) <= UINT32_MAX && streams(sid, ss);
    assigns  memory.stops[i].index, memory.progress[0 .. memory.stop_room - 1];
    ensures  heads:   heads(memory.stops, ss, stops(ss));
    ensures  tables:  tables(memory.borders, ss, stops(ss));
    ensures  live:    live(ss, i) ==> memory.stops[i].index == i;
    ensures  dead:    !live(ss, i) ==> memory.stops[i].index == UINT32_MAX;
    ensures  covered: live(ss, i) || \exists integer b; live(ss, b) && kills(ss, b, i); */
static void judge(const es_stop_set *all, es_stop_memory memory, uint32_t i)
/*@ ghost (uint32_t sid, uint32_t ss) */ {
  //@ assert rep: stops_rep(all, ss);
  //@ assert stream: begins_with(sid + i, ss, i);
  if (is_live(all, i, memory.progress) /*@ ghost ((uint32_t)(sid + i), ss) */) return;
  memory.stops[i].index = UINT32_MAX;
  //@ assert heads:  heads(memory.stops, ss, stops(ss));
  //@ assert tables: tables(memory.borders, ss, stops(ss));
}

/* Marks the stops that are not live. */
/*@ requires valid:  set_valid(all) && memory_valid(memory) && \valid(memory.progress + (0 .. memory.stop_room - 1));
    requires in:     set_in(all, memory, ss) && wf(ss) && stops(ss) <= memory.stop_room;
    requires below:  below(ss, stops(ss), entries(ss, stops(ss)));
    requires apart:  set_apart(all, memory);
    requires placed: heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss)) &&
                     tables(memory.borders, ss, stops(ss));
    requires index:  \forall integer t; 0 <= t < stops(ss) ==> memory.stops[t].index == t;
    requires stream: sid + stops(ss) <= UINT32_MAX && streams(sid, ss);
    assigns  memory.stops[0 .. memory.stop_room - 1], memory.progress[0 .. memory.stop_room - 1];
    ensures  in:      set_in(all, memory, ss);
    ensures  heads:   heads(memory.stops, ss, stops(ss));
    ensures  tables:  tables(memory.borders, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    ensures  marked:  marked(memory.stops, ss, 0, stops(ss));
    ensures  covered: covered(ss); */
static void mark_dead(const es_stop_set *all, es_stop_memory memory) /*@ ghost (uint32_t sid, uint32_t ss) */ {
  /*@ loop invariant place:   0 <= i <= stops(ss);
      loop invariant in:      set_in(all, memory, ss) && set_valid(all);
      loop invariant heads:   heads(memory.stops, ss, stops(ss));
      loop invariant tables:  tables(memory.borders, ss, stops(ss));
      loop invariant bodies:  bodies(memory.symbols, ss, stops(ss));
      loop invariant rest:    \forall integer t; i <= t < stops(ss) ==> memory.stops[t].index == t;
      loop invariant marked:  marked(memory.stops, ss, 0, i);
      loop invariant covered: \forall integer t; 0 <= t < i ==>
                                live(ss, t) || \exists integer b; live(ss, b) && kills(ss, b, t);
      loop assigns i, memory.stops[0 .. memory.stop_room - 1], memory.progress[0 .. memory.stop_room - 1];
      loop variant stops(ss) - i; */
  for (uint32_t i = 0; i < all->count; i++) judge(all, memory, i) /*@ ghost (sid, ss) */;
}

/* Takes stop i as the next that stays. */
/*@ requires valid: memory_valid(memory) && count <= memory.stop_room && k <= i < count && live(ss, i) && source(ls, k) == i;
    requires list:  wf(ss) && live_list(ss, ls) && k < stops(ls);
    requires taken: taken(memory.stops, ss, ls, k);
    requires rest:  rest(memory.stops, ss, i, count) && marked(memory.stops, ss, i, count);
    requires below: count == stops(ss) && below(ss, count, memory.symbol_room) && tables(memory.borders, ss, count);
    requires bodies: bodies(memory.symbols, ss, count);
    assigns  memory.stops[k];
    ensures  taken: taken(memory.stops, ss, ls, k + 1);
    ensures  tables: tables(memory.borders, ss, count) && bodies(memory.symbols, ss, count);
    ensures  rest:  rest(memory.stops, ss, i + 1, count) && marked(memory.stops, ss, i + 1, count); */
static void stay(es_stop_memory memory, uint32_t k, uint32_t i)
/*@ ghost (uint32_t ss, uint32_t ls, uint32_t count) */ {
  es_live_stop stop = memory.stops[i];
  //@ assert stop: stop.offset == entries(ss, i) && stop.length == size(ls, k) && stop.priority == priority(ls, k);
  //@ assert index: stop.index == i;
  memory.stops[k] = stop;
  //@ assert tables: tables(memory.borders, ss, count);
  //@ assert bodies: bodies(memory.symbols, ss, count);
}

/* Leaves out the memory.stops that are marked; how many stay. */
/*@ requires valid:  memory_valid(memory) && count <= memory.stop_room && count == stops(ss) && wf(ss) && live_list(ss, ls);
    requires heads:  heads(memory.stops, ss, count);
    requires marked: marked(memory.stops, ss, 0, count);
    requires below:  below(ss, count, memory.symbol_room) && tables(memory.borders, ss, count);
    requires bodies: bodies(memory.symbols, ss, count);
    assigns  memory.stops[0 .. count - 1];
    ensures  count: \result == stops(ls) <= count;
    ensures  tables: tables(memory.borders, ss, count) && bodies(memory.symbols, ss, count);
    ensures  taken: taken(memory.stops, ss, ls, \result); */
static uint32_t close_ranks(es_stop_memory memory, uint32_t count) /*@ ghost (uint32_t ss, uint32_t ls) */ {
  uint32_t kept = 0;
  /*@ loop invariant place:  0 <= i <= count && kept <= i && up_to(ls, kept, i);
      loop invariant taken:  taken(memory.stops, ss, ls, kept);
      loop invariant tables: tables(memory.borders, ss, count);
      loop invariant bodies: bodies(memory.symbols, ss, count);
      loop invariant rest:   rest(memory.stops, ss, i, count);
      loop invariant marked: marked(memory.stops, ss, i, count);
      loop assigns i, kept, memory.stops[0 .. count - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    if (memory.stops[i].index == UINT32_MAX) {
      //@ assert dead: !has_source(ls, i);
      continue;
    }
    //@ assert live: live(ss, i) && has_source(ls, i);
    //@ assert next: source(ls, kept) == i && up_to(ls, kept + 1, i + 1);
    stay(memory, kept, i) /*@ ghost (ss, ls, count) */;
    kept++;
  }
  return kept;
}

/* Makes the first `kept` stops the set. */
/*@ requires valid:  \valid(compiled) && memory_valid(memory) && set_apart(compiled, memory);
    requires in:     set_in(compiled, memory, ss) && stops(ss) <= memory.stop_room && kept == stops(ls) <= stops(ss);
    requires below:  below(ss, stops(ss), entries(ss, stops(ss)));
    requires list:   wf(ss) && live_list(ss, ls);
    requires placed: taken(memory.stops, ss, ls, kept) && bodies(memory.symbols, ss, stops(ss)) &&
                     tables(memory.borders, ss, stops(ss));
    assigns  compiled->count;
    ensures  valid:  set_valid(compiled) && wf(ls);
    ensures  rep:    stops_rep(compiled, ls);
    ensures  index:  \forall integer k; 0 <= k < stops(ls) ==> compiled->stops[k].index == source(ls, k); */
static void narrow(es_stop_set *compiled, uint32_t kept)
/*@ ghost (es_stop_memory memory, uint32_t ss, uint32_t ls) */ {
  compiled->count = kept;
  //@ assert tables: tables(memory.borders, ss, stops(ss));
  //@ assert taken: taken(memory.stops, ss, ls, stops(ls));
  //@ assert in: compiled->borders == memory.borders && compiled->symbols == memory.symbols;
  //@ assert in: compiled->stops == memory.stops && compiled->size == entries(ss, stops(ss));
}

/* Leaves out the stops that are not live. */
/*@ requires valid:  \valid(compiled) && memory_valid(memory) && \valid(memory.progress + (0 .. memory.stop_room - 1));
    requires in:     set_in(compiled, memory, ss) && wf(ss) && stops(ss) <= memory.stop_room;
    requires below:  below(ss, stops(ss), entries(ss, stops(ss)));
    requires apart:  set_apart(compiled, memory);
    requires placed: heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss)) &&
                     tables(memory.borders, ss, stops(ss));
    requires index:  \forall integer t; 0 <= t < stops(ss) ==> memory.stops[t].index == t;
    requires stream: sid + stops(ss) <= UINT32_MAX && streams(sid, ss);
    requires live:   live_list(ss, ls);
    assigns  compiled->count, memory.stops[0 .. memory.stop_room - 1], memory.progress[0 .. memory.stop_room - 1];
    ensures  valid:   set_valid(compiled) && wf(ls);
    ensures  rep:     stops_rep(compiled, ls);
    ensures  index:   \forall integer k; 0 <= k < stops(ls) ==> compiled->stops[k].index == source(ls, k);
    ensures  covered: covered(ss); */
static void drop_dead(es_stop_set *compiled, es_stop_memory memory)
/*@ ghost (uint32_t sid, uint32_t ss, uint32_t ls) */ {
  /* A stop is judged against the whole set, so that must keep its stops: mark first, then close ranks. */
  mark_dead(compiled, memory) /*@ ghost (sid, ss) */;
  uint32_t kept = close_ranks(memory, compiled->count) /*@ ghost (ss, ls) */;
  narrow(compiled, kept) /*@ ghost (memory, ss, ls) */;
}

/* The set as the caller gets it, with all stops in it. */
/*@ requires valid: \valid(compiled) && memory_valid(memory) && set_apart(compiled, memory);
    requires all:   all.stops == memory.stops && all.symbols == memory.symbols && all.borders == memory.borders &&
                    all.count == stops(ss) <= memory.stop_room && all.size == entries(ss, stops(ss)) <= memory.symbol_room;
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

es_status es_stops_compile_strings(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled)
/*@ ghost (uint32_t sid, uint32_t ss, uint32_t ls) */ {
  uint32_t count = request->stop_count;
  bool first = request->min_tokens == 0;
  es_stop_memory to = *memory;
  es_status status = strings_fit(request->stops, count, to) /*@ ghost (request->text, ss) */;
  if (status != ES_OK) return status;
  uint32_t size = put_strings(request->stops, count, request->text, to) /*@ ghost (ss) */;
  es_stop_set all = {to.stops, count, to.symbols, to.borders, size};
  give(compiled, all) /*@ ghost (to, ss) */;
  /* With min_tokens above 0 any of them may be passed over, and then the others count (R10). */
  if (first) drop_dead(compiled, to) /*@ ghost (sid, ss, ls) */;
  return ES_OK;
}

/* Whether the stop sequences of two ids or more may be compiled and have room. */
/*@ requires valid:  \valid_read(sequences + (0 .. count - 1)) && asked_sequences(sequences, count, ids, ss);
    assigns  \nothing;
    ensures  misuse: \result == ES_MISUSE <==> !sequences_sound(sequences, count);
    ensures  full:   \result == ES_FULL <==> sequences_sound(sequences, count) && !has_room(memory, ss);
    ensures  known:  \result == ES_OK || \result == ES_FULL || \result == ES_MISUSE;
    ensures  form:   \result == ES_OK ==> wf(ss);
    ensures  fits:   \result == ES_OK ==> fits(memory, ss); */
static es_status sequences_fit(const es_sequence *sequences, uint32_t count, es_stop_memory memory)
/*@ ghost (const uint32_t *ids, uint32_t ss) */ {
  uint64_t needed = 0;
  uint32_t k = 0;
  /*@ loop invariant place:  0 <= i <= count && k <= i && up_to(ss, k, i);
      loop invariant sound:  \forall integer t; 0 <= t < i ==> 1 <= sequences[t].length <= ES_STOP_MAX_LENGTH;
      loop invariant needed: needed == entries(ss, k) && 2 * k <= needed <= k * (ES_STOP_MAX_LENGTH + 1);
      loop invariant up:     \forall integer t; 0 <= t < k ==> entries(ss, t) + size(ss, t) + 1 <= needed;
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

/* Puts stop sequence i into `memory` as stop k, from entry `size` on. */
/*@ requires valid:  memory_valid(memory) && wf(ss) && 0 <= k < stops(ss);
    requires room:   k < memory.stop_room && size + sequence.length < memory.symbol_room;
    requires stop:   sequence.length == size(ss, k) && priority(ss, k) == 0 && size == entries(ss, k);
    requires read:   \valid_read(ids + (0 .. sequence.length - 1));
    requires ids:    \forall integer j; 0 <= j < sequence.length ==> ids[j] == symbol(ss, k, j) <= INT32_MAX;
    requires below:  below(ss, k, size);
    requires before: heads(memory.stops, ss, k) && bodies(memory.symbols, ss, k) && tables(memory.borders, ss, k);
    assigns  memory.stops[k], memory.symbols[size .. size + sequence.length],
             memory.borders[size + 1 .. size + sequence.length];
    ensures  heads:  heads(memory.stops, ss, k + 1);
    ensures  bodies: bodies(memory.symbols, ss, k + 1);
    ensures  tables: tables(memory.borders, ss, k + 1);
    ensures  index:  memory.stops[k].index == i; */
static void put_sequence(es_stop_memory memory, uint32_t k, uint32_t i, uint32_t size, es_sequence sequence,
                         const uint32_t *ids) /*@ ghost (uint32_t ss) */ {
  es_live_stop live = {size, sequence.length, 0, i};
  int32_t *symbols = memory.symbols + size;
  /*@ loop invariant place:  0 <= j <= sequence.length;
      loop invariant copied: \forall integer t; 0 <= t < j ==> symbols[t] == symbol(ss, k, t);
      loop invariant bodies: bodies(memory.symbols, ss, k);
      loop assigns j, symbols[0 .. sequence.length - 1];
      loop variant sequence.length - j; */
  for (uint32_t j = 0; j < sequence.length; j++) symbols[j] = (int32_t)ids[j];
  put(memory, k, live) /*@ ghost (ss) */;
}

/* Puts the stop sequences of two ids or more into `memory`, where they have room; the set that they are. */
/*@ requires valid: \valid_read(sequences + (0 .. count - 1)) && memory_valid(memory);
    requires read:  \forall integer i; 0 <= i < count ==>
                      \valid_read(ids + (sequences[i].offset .. sequences[i].offset + sequences[i].length - 1));
    requires apart: sequences_apart(memory, sequences, count, ids);
    requires asked: asked_sequences(sequences, count, ids, ss) && sequences_sound(sequences, count);
    requires fits:  wf(ss) && fits(memory, ss);
    assigns  memory.stops[0 .. memory.stop_room - 1], memory.symbols[0 .. memory.symbol_room - 1],
             memory.borders[0 .. memory.symbol_room - 1];
    ensures  where:   \result.stops == memory.stops && \result.symbols == memory.symbols &&
                     \result.borders == memory.borders && \result.count == stops(ss);
    ensures  size:   \result.size == entries(ss, stops(ss)) && below(ss, stops(ss), \result.size);
    ensures  heads:  heads(memory.stops, ss, stops(ss));
    ensures  bodies: bodies(memory.symbols, ss, stops(ss));
    ensures  tables: tables(memory.borders, ss, stops(ss));
    ensures  index:  \forall integer t; 0 <= t < stops(ss) ==> memory.stops[t].index == source(ss, t); */
static es_stop_set put_sequences(const es_sequence *sequences, uint32_t count, const uint32_t *ids,
                                 es_stop_memory memory) /*@ ghost (uint32_t ss) */ {
  uint32_t size = 0;
  uint32_t k = 0;
  /*@ loop invariant place:  0 <= i <= count && k <= i && up_to(ss, k, i);
      loop invariant size:   size == entries(ss, k) && below(ss, k, size);
      loop invariant offset: \forall integer t; 0 <= t < count ==> sequences[t].offset == \at(sequences[t].offset, Pre);
      loop invariant length: \forall integer t; 0 <= t < count ==> sequences[t].length == \at(sequences[t].length, Pre);
      loop invariant ids:    \forall integer t, j; 0 <= t < stops(ss) && 0 <= j < size(ss, t) ==>
                               ids[\at(sequences[source(ss, t)].offset, Pre) + j] == symbol(ss, t, j) <= INT32_MAX;
      loop invariant heads:  heads(memory.stops, ss, k);
      loop invariant bodies: bodies(memory.symbols, ss, k);
      loop invariant tables: tables(memory.borders, ss, k);
      loop invariant index:  \forall integer t; 0 <= t < k ==> memory.stops[t].index == source(ss, t);
      loop assigns i, k, size, memory.stops[0 .. memory.stop_room - 1], memory.symbols[0 .. memory.symbol_room - 1],
                   memory.borders[0 .. memory.symbol_room - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) {
    es_sequence sequence = sequences[i];
    //@ assert as_asked: \let t = i; sequence.length == \at(sequences[t].length, Pre);
    if (sequence.length == 1) {
      //@ assert token: !has_source(ss, i);
      continue;
    }
    //@ assert sequence: source(ss, k) == i && up_to(ss, k + 1, i + 1) && sequence.length == size(ss, k);
    //@ assert room: size + sequence.length + 1 <= memory.symbol_room;
    //@ ghost before: ;
    put_sequence(memory, k, i, size, sequence, ids + sequence.offset) /*@ ghost (ss) */;
    //@ assert last: memory.stops[k].index == source(ss, k);
    /*@ assert same_o: \forall integer t; 0 <= t < count ==>
          sequences[t].offset == \at(sequences[t].offset, before); */
    /*@ assert same_l: \forall integer t; 0 <= t < count ==>
          sequences[t].length == \at(sequences[t].length, before); */
    /*@ assert same_ids: \forall integer t, j; 0 <= t < stops(ss) && 0 <= j < size(ss, t) ==>
          ids[\at(sequences[source(ss, t)].offset, Pre) + j] ==
          \at(ids[\at(sequences[source(ss, t)].offset, Pre) + j], before); */
    //@ assert same_i: \forall integer t; 0 <= t < k ==> memory.stops[t].index == \at(memory.stops[t].index, before);
    size += sequence.length + 1;
    k++;
    //@ assert next: size == entries(ss, k);
  }
  es_stop_set set = {memory.stops, k, memory.symbols, memory.borders, size};
  return set;
}

es_status es_stops_compile_sequences(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled)
/*@ ghost (uint32_t ss) */ {
  const es_sequence *sequences = request->sequences;
  uint32_t count = request->sequence_count;
  es_stop_memory to = *memory;
  es_status status = sequences_fit(sequences, count, to) /*@ ghost (request->sequence_ids, ss) */;
  if (status != ES_OK) return status;
  es_stop_set all = put_sequences(sequences, count, request->sequence_ids, to) /*@ ghost (ss) */;
  give(compiled, all) /*@ ghost (to, ss) */;
  return ES_OK;
}
