#include "matcher.h"
#include "stops_compile.h"

#ifdef __FRAMAC__
#include "stops_live.acsl.h"
#include "stops_steps.acsl.h"
#endif

/*@
  // the first n of ls, which are stops of ss that lie where ss has them
  predicate taken{L}(es_live_stop *stops, integer ss, integer ls, integer n) = \forall integer k; 0 <= k < n ==>
    stops[k].offset == entries(ss, source(ls, k)) && stops[k].length == size(ls, k) &&
    stops[k].priority == priority(ls, k) && stops[k].index == source(ls, k);
  lemma same_symbols{L}: \forall int32_t *s, integer ss, i, ls, k;
    same_stop(ss, i, ls, k) && stop_symbols(s, ss, i) ==> stop_symbols(s, ls, k);
  lemma same_table{L}: \forall uint32_t *f, integer ss, i, ls, k;
    same_stop(ss, i, ls, k) && stop_borders(f, ss, i) ==> stop_borders(f, ls, k);
  lemma rep_of_live{L}: \forall es_stop_set *c, integer ss, ls;
    taken(c->stops, ss, ls, stops(ls)) && bodies(c->symbols, ss, stops(ss)) && tables(c->borders, ss, stops(ss)) &&
    c->count == stops(ls) && below(ss, stops(ss), c->size) && live_list(ss, ls) ==> stops_rep(c, ls);

  // stops [i, n) are where they were put; those that are not live are marked
  predicate rest{L}(es_live_stop *stops, integer ss, integer i, integer n) = \forall integer t; i <= t < n ==>
    stops[t].offset == entries(ss, t) && stops[t].length == size(ss, t) && stops[t].priority == priority(ss, t);
  predicate marked{L}(es_live_stop *stops, integer ss, integer i, integer n) = \forall integer t; i <= t < n ==>
    (live(ss, t) ==> stops[t].index == t) && (!live(ss, t) ==> stops[t].index == UINT32_MAX);
*/

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
    //@ assert none: no_stop_before(sid, j + 1 + 1, ss);
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
/*@ requires valid: memory_valid(memory) && count <= memory.stop_room && k <= i < count;
    requires stop:  live(ss, i) && source(ls, k) == i;
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

/* Leaves out the stops that are marked; how many stay. */
/*@ requires valid:  memory_valid(memory) && count == stops(ss) <= memory.stop_room;
    requires list:   wf(ss) && live_list(ss, ls);
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

void es_stops_drop_dead(es_stop_set *compiled, es_stop_memory memory)
/*@ ghost (uint32_t sid, uint32_t ss, uint32_t ls) */ {
  /* A stop is judged against the whole set, so that must keep its stops: mark first, then close ranks. */
  mark_dead(compiled, memory) /*@ ghost (sid, ss) */;
  uint32_t kept = close_ranks(memory, compiled->count) /*@ ghost (ss, ls) */;
  narrow(compiled, kept) /*@ ghost (memory, ss, ls) */;
}
