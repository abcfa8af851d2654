/* matcher: which stop completes, and how much may still become one (R2, R3, R5, R10).
 *
 * Takes one symbol at a time, bytes for stop strings or ids for stop sequences. Goes on after a completion as if
 * there had been none, for ends that are passed over (R6). */
#ifndef ES_MATCHER_H
#define ES_MATCHER_H

#include <stdint.h>

#include "stops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one symbol settled. */
typedef struct {
  int32_t stop;    /* the stop of the set that counts here (R3), or −1 */
  uint32_t hold;   /* symbols at the end that are a proper prefix of a stop, the most there are (R10) */
  uint32_t holder; /* the first stop that they are a prefix of; meaningless where hold is 0 */
} es_match;

/*@
  predicate matching{L}(uint16_t *progress_of, integer sid, integer n, integer ss) =
    \forall integer i; 0 <= i < stops(ss) ==> progress(sid, n, ss, i, progress_of[i]);
*/

/* Before the first symbol: no stop has begun. */
/*@ requires write: \valid(progress_of + (0 .. count - 1));
    requires form:   wf(ss) && count == stops(ss);
    assigns  progress_of[0 .. count - 1];
    ensures  state: matching(progress_of, sid, 0, ss); */
void es_matcher_reset(uint16_t *progress_of, uint32_t count) /*@ ghost (uint32_t sid, uint32_t ss) */;

/* Takes the next symbol, 0 or more. `progress_of` has one entry a stop of the set.
 * Ghost: the stream, the symbols before this one, the stop set. */
/*@ requires form:   set_valid(compiled) && wf(ss) && stops_rep(compiled, ss);
    requires write: \valid(progress_of + (0 .. compiled->count - 1));
    requires apart: \separated(progress_of + (0 .. compiled->count - 1), compiled);
    requires state: matching(progress_of, sid, n, ss);
    requires room:  n < UINT64_MAX;
    requires next:  0 <= c == H(sid, n);
    assigns  progress_of[0 .. compiled->count - 1];
    ensures  index:  -1 <= \result.stop < stops(ss);
    ensures  none:   \result.stop == -1 <==> no_stop(sid, n + 1, ss);
    ensures  first:  \result.stop >= 0 ==> first_stop(sid, n + 1, ss, \result.stop);
    ensures  hold:   hold_exact(sid, n + 1, ss, \result.hold);
    ensures  holder: \result.hold > 0 ==> held(sid, n + 1, ss, \result.holder, \result.hold) &&
                       \forall integer i; held(sid, n + 1, ss, i, \result.hold) ==> \result.holder <= i;
    ensures  state:  matching(progress_of, sid, n + 1, ss); */
es_match es_matcher_take(uint16_t *progress_of, const es_stop_set *compiled, int32_t c)
    /*@ ghost (uint32_t sid, uint64_t n, uint32_t ss) */;

#ifdef __cplusplus
}
#endif

#endif
