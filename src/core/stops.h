/* stops: a stop set, normalised and compiled (R3, R5, R10).
 *
 * One form serves stop strings and stop sequences: a stop is a run of symbols, the bytes of a string or the ids of a
 * sequence. Stops that can never be the one that ends a lane are left out (R10: not live). All memory is the
 * caller's. The request must have passed es_request_check. */
#ifndef ES_STOPS_H
#define ES_STOPS_H

#include <stdint.h>

#include "request.h"
#include "status.h"

#define ES_STOP_MAX_LENGTH 65535 /* symbols of one stop, whatever the bounds of a request say: progress is 16 bits */
#define ES_NO_SYMBOL (-1)        /* no byte and no id; closes each stop, so that a match of all of it goes no further */

#ifdef __FRAMAC__
#include "stops.acsl.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled stop: symbols [offset, offset + length) of its set; one entry more is its own. */
typedef struct {
  uint32_t offset;
  uint32_t length;
  int32_t priority;
  uint32_t index; /* its index in the request */
} es_live_stop;

typedef struct {
  const es_live_stop *stops; /* in the order of the request */
  uint32_t count;
  const int32_t *symbols;  /* symbols[offset + length] is ES_NO_SYMBOL */
  const uint32_t *borders; /* borders[offset + q]: the longest proper border of the stop's first q symbols, q from 1 */
  uint32_t size;           /* entries of both in all: one a symbol and one a stop */
} es_stop_set;

/* Where a set is compiled: room for every stop and every symbol of the request. */
typedef struct {
  es_live_stop *stops;
  int32_t *symbols;
  uint32_t *borders;
  uint16_t *progress; /* one a stop, used while compiling */
  uint32_t stop_room;
  uint32_t symbol_room; /* of symbols and of borders: one a symbol and one a stop */
} es_stop_memory;

/*@
  // the symbols, and the borders, of stop i
  predicate stop_symbols{L}(int32_t *s, integer ss, integer i) =
    s[size(ss, i)] == ES_NO_SYMBOL && \forall integer j; 0 <= j < size(ss, i) ==> s[j] == symbol(ss, i, j);
  predicate stop_borders{L}(uint32_t *f, integer ss, integer i) =
    \forall integer q; 1 <= q <= size(ss, i) ==> longest_border(ss, i, q, f[q]);

  // the set in memory is the set ss
  predicate stops_rep{L}(es_stop_set *compiled, integer ss) =
    compiled->count == stops(ss) && \forall integer i; 0 <= i < stops(ss) ==>
      compiled->stops[i].length == size(ss, i) && compiled->stops[i].priority == priority(ss, i) &&
      compiled->stops[i].offset + compiled->stops[i].length < compiled->size &&
      stop_symbols(compiled->symbols + compiled->stops[i].offset, ss, i) &&
      stop_borders(compiled->borders + compiled->stops[i].offset, ss, i);

  predicate set_valid{L}(es_stop_set *compiled) =
    \valid_read(compiled) && \valid_read(compiled->stops + (0 .. compiled->count - 1)) &&
    \valid_read(compiled->symbols + (0 .. compiled->size - 1)) &&
    \valid_read(compiled->borders + (0 .. compiled->size - 1));
*/

/*@
  // ss is these stop strings
  predicate asked_strings{L}(es_stop *stops, integer count, uint8_t *text, integer ss) =
    stops(ss) == count &&
    (\forall integer i; 0 <= i < count ==> size(ss, i) == stops[i].length && priority(ss, i) == stops[i].priority) &&
    (\forall integer i, j; 0 <= i < count && 0 <= j < size(ss, i) ==>
       symbol(ss, i, j) == text[stops[i].offset + j]);
  predicate strings_sound{L}(es_stop *stops, integer count) =
    \forall integer i; 0 <= i < count ==> 1 <= stops[i].length <= ES_STOP_MAX_LENGTH;

  // ss is those of these sequences that have two ids or more, in their order
  predicate asked_sequences{L}(es_sequence *sequences, integer count, uint32_t *ids, integer ss) =
    in_order(ss) &&
    (\forall integer k; 0 <= k < stops(ss) ==> 0 <= source(ss, k) < count &&
       size(ss, k) == sequences[source(ss, k)].length >= 2 && priority(ss, k) == 0) &&
    (\forall integer k, j; 0 <= k < stops(ss) && 0 <= j < size(ss, k) ==>
       symbol(ss, k, j) == ids[sequences[source(ss, k)].offset + j] <= INT32_MAX) &&
    (\forall integer i; 0 <= i < count && sequences[i].length >= 2 ==> has_source(ss, i));
  predicate sequences_sound{L}(es_sequence *sequences, integer count) =
    \forall integer i; 0 <= i < count ==> 1 <= sequences[i].length <= ES_STOP_MAX_LENGTH;

  predicate memory_valid{L}(es_stop_memory m) =
    \valid(m.stops + (0 .. m.stop_room - 1)) && \valid(m.symbols + (0 .. m.symbol_room - 1)) &&
    \valid(m.borders + (0 .. m.symbol_room - 1)) &&
    \separated(m.stops + (0 .. m.stop_room - 1), m.symbols + (0 .. m.symbol_room - 1),
               m.borders + (0 .. m.symbol_room - 1));
  predicate strings_apart{L}(es_stop_memory m, es_stop *stops, integer count) =
    \separated(stops + (0 .. count - 1), m.stops + (0 .. m.stop_room - 1)) &&
    \separated(stops + (0 .. count - 1), m.symbols + (0 .. m.symbol_room - 1)) &&
    \separated(stops + (0 .. count - 1), m.borders + (0 .. m.symbol_room - 1));
  predicate sequences_apart{L}(es_stop_memory m, es_sequence *sequences, integer count, uint32_t *ids) =
    \separated(sequences + (0 .. count - 1), m.stops + (0 .. m.stop_room - 1)) &&
    \separated(sequences + (0 .. count - 1), m.borders + (0 .. m.symbol_room - 1)) &&
    \forall integer i; 0 <= i < count ==>
      \separated(ids + (sequences[i].offset .. sequences[i].offset + sequences[i].length - 1),
                 m.stops + (0 .. m.stop_room - 1)) &&
      \separated(ids + (sequences[i].offset .. sequences[i].offset + sequences[i].length - 1),
                 m.borders + (0 .. m.symbol_room - 1));
  predicate set_apart{L}(es_stop_set *c, es_stop_memory m) =
    \separated(c, m.stops + (0 .. m.stop_room - 1)) && \separated(c, m.symbols + (0 .. m.symbol_room - 1)) &&
    \separated(c, m.borders + (0 .. m.symbol_room - 1)) && \separated(c, m.progress + (0 .. m.stop_room - 1));

  predicate has_room(es_stop_memory m, integer ss) =
    stops(ss) <= m.stop_room && entries(ss, stops(ss)) <= m.symbol_room;
  predicate lies_in{L}(es_stop_set *c, es_stop_memory m) =
    c->stops == m.stops && c->symbols == m.symbols && c->borders == m.borders && c->size <= m.symbol_room;
*/

/* Compiles the stop strings of a request into `compiled`, which points into `memory` (R2, R3). With `min_tokens` 0 only
 * the live ones stay (R10). ES_MISUSE: a stop is empty or too long, whatever the memory. Else ES_FULL: memory is too
 * small. Nothing is written then.
 * Ghost: the bytes of stop string i are the stream sid + i; ss is the stop strings, and ls the live ones of them. */
/*@ requires valid:  request_valid(request) && \valid_read(memory) && \valid(compiled);
    requires write:  memory_valid(*memory) && \valid(memory->progress + (0 .. memory->stop_room - 1));
    requires apart:  strings_apart(*memory, request->stops, request->stop_count) && set_apart(compiled, *memory);
    requires text:   streams(sid, ss) && sid + request->stop_count <= UINT32_MAX;
    requires asked:  asked_strings(request->stops, request->stop_count, request->text, ss);
    requires live:   request->min_tokens == 0 ==> live_list(ss, ls);
    assigns  *compiled, memory->stops[0 .. memory->stop_room - 1], memory->progress[0 .. memory->stop_room - 1],
             memory->symbols[0 .. memory->symbol_room - 1], memory->borders[0 .. memory->symbol_room - 1];
    behavior misuse:
      assumes  unsound: !strings_sound(request->stops, request->stop_count);
      assigns  \nothing;
      ensures  result: \result == ES_MISUSE;
    behavior full:
      assumes  sound:  strings_sound(request->stops, request->stop_count);
      assumes  full:   !has_room(*memory, ss);
      assigns  \nothing;
      ensures  result: \result == ES_FULL;
    behavior all:
      assumes  sound:  strings_sound(request->stops, request->stop_count);
      assumes  room:   has_room(*memory, ss);
      assumes  later:  request->min_tokens > 0;
      ensures  result: \result == ES_OK;
      ensures  valid:  set_valid(compiled) && wf(ss);
      ensures  in:     lies_in(compiled, \old(*memory));
      ensures  rep:    stops_rep(compiled, ss);
      ensures  index:  \forall integer i; 0 <= i < stops(ss) ==> compiled->stops[i].index == i;
    behavior live:
      assumes  sound:  strings_sound(request->stops, request->stop_count);
      assumes  room:   has_room(*memory, ss);
      assumes  first:  request->min_tokens == 0;
      ensures  result: \result == ES_OK;
      ensures  valid:  set_valid(compiled) && wf(ss) && wf(ls);
      ensures  in:     lies_in(compiled, \old(*memory));
      ensures  rep:    stops_rep(compiled, ls);
      ensures  index:  \forall integer k; 0 <= k < stops(ls) ==> compiled->stops[k].index == source(ls, k);
      ensures  covered: covered(ss);
    complete behaviors; disjoint behaviors; */
es_status es_stops_compile_strings(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled)
    /*@ ghost (uint32_t sid, uint32_t ss, uint32_t ls) */;

/* Compiles the stop sequences of two ids or more into `compiled` (R5). A sequence of one id is a stop token: left out.
 * Errors as above.
 * Ghost: ss is those sequences. */
/*@ requires valid:  request_valid(request) && \valid_read(memory) && \valid(compiled);
    requires write:  memory_valid(*memory);
    requires apart:  sequences_apart(*memory, request->sequences, request->sequence_count, request->sequence_ids) &&
                     set_apart(compiled, *memory);
    requires asked:  asked_sequences(request->sequences, request->sequence_count, request->sequence_ids, ss);
    assigns  *compiled, memory->stops[0 .. memory->stop_room - 1], memory->symbols[0 .. memory->symbol_room - 1],
             memory->borders[0 .. memory->symbol_room - 1];
    behavior misuse:
      assumes  unsound: !sequences_sound(request->sequences, request->sequence_count);
      assigns  \nothing;
      ensures  result: \result == ES_MISUSE;
    behavior full:
      assumes  sound:  sequences_sound(request->sequences, request->sequence_count);
      assumes  full:   !has_room(*memory, ss);
      assigns  \nothing;
      ensures  result: \result == ES_FULL;
    behavior compiled:
      assumes  sound:  sequences_sound(request->sequences, request->sequence_count);
      assumes  room:   has_room(*memory, ss);
      ensures  result: \result == ES_OK;
      ensures  valid:  set_valid(compiled) && wf(ss);
      ensures  in:     lies_in(compiled, \old(*memory));
      ensures  rep:    stops_rep(compiled, ss);
      ensures  index:  \forall integer k; 0 <= k < stops(ss) ==> compiled->stops[k].index == source(ss, k);
    complete behaviors; disjoint behaviors; */
es_status es_stops_compile_sequences(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled)
    /*@ ghost (uint32_t ss) */;

/* Fills the borders of one stop: f[q] is the longest proper border of its first q symbols; f[0] is not used.
 * Ghost: the stop is stop i of ss. */
/*@ requires stop:  wf(ss) && 0 <= i < stops(ss) && length == size(ss, i);
    requires read:  \valid_read(s + (0 .. length - 1));
    requires write: \valid(f + (0 .. length));
    requires rep:   \forall integer j; 0 <= j < length ==> s[j] == symbol(ss, i, j);
    assigns  f[1 .. length];
    ensures  borders: stop_borders(f, ss, i); */
void es_stops_borders(const int32_t *s, uint32_t length, uint32_t *f) /*@ ghost (uint32_t ss, uint32_t i) */;

#ifdef __cplusplus
}
#endif

#endif
