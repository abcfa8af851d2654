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
    \valid_read(compiled->symbols + (0 .. compiled->size - 1)) && \valid_read(compiled->borders + (0 .. compiled->size - 1));
*/

/* Compiles the stop strings of a request into `compiled`, which points into `memory` (R2, R3). With `min_tokens` 0 only
 * the live ones stay (R10). ES_FULL: the memory is too small; ES_MISUSE: a stop is empty or too long. What lies in
 * `memory` then means nothing, and `compiled` is as it was. */
/*@ requires valid: request_valid(request) && \valid_read(memory) && \valid(compiled);
    requires write: \valid(memory->stops + (0 .. memory->stop_room - 1)) &&
                    \valid(memory->progress + (0 .. memory->stop_room - 1)) &&
                    \valid(memory->symbols + (0 .. memory->symbol_room - 1)) &&
                    \valid(memory->borders + (0 .. memory->symbol_room - 1));
    assigns  *compiled, memory->stops[0 .. memory->stop_room - 1], memory->progress[0 .. memory->stop_room - 1],
             memory->symbols[0 .. memory->symbol_room - 1], memory->borders[0 .. memory->symbol_room - 1];
    ensures  status: \result == ES_OK || \result == ES_FULL || \result == ES_MISUSE;
    ensures  valid:  \result == ES_OK ==> set_valid(compiled) && compiled->count <= request->stop_count;
    ensures  all:    \result == ES_OK && request->min_tokens > 0 ==> compiled->count == request->stop_count;
    ensures  some:   \result == ES_OK && request->stop_count > 0 ==> compiled->count > 0;
    ensures  not:    \result != ES_OK ==> compiled->count == \old(compiled->count); */
es_status es_stops_compile_strings(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled);

/* Compiles the stop sequences of two ids or more into `compiled` (R5). A sequence of one id is a stop token: left out. */
/*@ requires valid: request_valid(request) && \valid_read(memory) && \valid(compiled);
    requires write: \valid(memory->stops + (0 .. memory->stop_room - 1)) &&
                    \valid(memory->symbols + (0 .. memory->symbol_room - 1)) &&
                    \valid(memory->borders + (0 .. memory->symbol_room - 1));
    assigns  *compiled, memory->stops[0 .. memory->stop_room - 1], memory->symbols[0 .. memory->symbol_room - 1],
             memory->borders[0 .. memory->symbol_room - 1];
    ensures  status: \result == ES_OK || \result == ES_FULL || \result == ES_MISUSE;
    ensures  valid:  \result == ES_OK ==> set_valid(compiled) && compiled->count <= request->sequence_count;
    ensures  not:    \result != ES_OK ==> compiled->count == \old(compiled->count); */
es_status es_stops_compile_sequences(const es_request *request, const es_stop_memory *memory, es_stop_set *compiled);

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
