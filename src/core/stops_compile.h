/* stops_compile: what lies between the files that compile a stop set. Not for others: stops.h is.
 *
 * A set is compiled in three steps: stops.c and stops_sequences.c write down its symbols and where each stop lies;
 * es_stops_finish adds the borders; stops_live.c leaves out the stops that are not live (R10). */
#ifndef ES_STOPS_COMPILE_H
#define ES_STOPS_COMPILE_H

#include "stops.h"

/*@
  // the first n stops of ss lie in memory, one after another
  predicate heads{L}(es_live_stop *stops, integer ss, integer n) = \forall integer t; 0 <= t < n ==>
    stops[t].offset == entries(ss, t) && stops[t].length == size(ss, t) && stops[t].priority == priority(ss, t);
  predicate bodies{L}(int32_t *symbols, integer ss, integer n) =
    \forall integer t; 0 <= t < n ==> stop_symbols(symbols + entries(ss, t), ss, t);
  predicate tables{L}(uint32_t *borders, integer ss, integer n) =
    \forall integer t; 0 <= t < n ==> stop_borders(borders + entries(ss, t), ss, t);
  predicate set_in{L}(es_stop_set *c, es_stop_memory m, integer ss) =
    c->stops == m.stops && c->symbols == m.symbols && c->borders == m.borders && c->count == stops(ss) &&
    c->size == entries(ss, stops(ss)) <= m.symbol_room;
*/

/* Gives the stops that lie in `memory` their borders, and makes them the set.
 * Ghost: ss is these stops. */
/*@ requires valid:  \valid(compiled) && memory_valid(memory) && set_apart(compiled, memory);
    requires stops:  wf(ss) && count == stops(ss) <= memory.stop_room;
    requires room:   size == entries(ss, stops(ss)) <= memory.symbol_room && below(ss, stops(ss), size);
    requires placed: heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    assigns  *compiled, memory.borders[0 .. memory.symbol_room - 1];
    ensures  in:     set_in(compiled, memory, ss) && set_valid(compiled);
    ensures  rep:    stops_rep(compiled, ss);
    ensures  heads:  heads(memory.stops, ss, stops(ss)) && bodies(memory.symbols, ss, stops(ss));
    ensures  tables: tables(memory.borders, ss, stops(ss));
    ensures  index:  \forall integer t; 0 <= t < stops(ss) ==>
                       memory.stops[t].index == \old(memory.stops[t].index) == compiled->stops[t].index; */
void es_stops_finish(es_stop_set *compiled, es_stop_memory memory, uint32_t count, uint32_t size)
    /*@ ghost (uint32_t ss) */;

/* Leaves out the stops that are not live, of a set in `memory` with all its stops.
 * Ghost: stream sid + i is the bytes of stop i; ss is all stops, and ls the live ones of them. */
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
void es_stops_drop_dead(es_stop_set *compiled, es_stop_memory memory)
    /*@ ghost (uint32_t sid, uint32_t ss, uint32_t ls) */;

#endif
