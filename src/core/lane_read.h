/* lane_read: what lies between lane_take.c and lane_read.c. Not for others: lane.h is. */
#ifndef ES_LANE_READ_H
#define ES_LANE_READ_H

#include "lane.h"

/* What a matcher says after a token, and the stop that completed and counts, if any. */
typedef struct {
  es_match match;
  bool there;
  uint32_t index; /* of the stop in the request */
  uint64_t cut;   /* R4 */
  uint64_t place; /* where the ids that match.hold counts begin in R, if it counts any */
} es_lane_found;

/* What the text and the id of one token say. */
typedef struct {
  es_lane_found string;
  es_lane_found sequence;
} es_lane_reading;

/* Reads the text and the id of the next token of an open lane: the first stop string that completes in it (R2, R3) and
 * the stop sequence that completes with it (R5), each if such an end counts (R6), and what both hold back after it (R10).
 * Notes where the token begins. Ghost: as es_lane_open. */
/*@ requires sets:  lane_set(lane->strings, ss) && lane_set(lane->sequences, qs) && \valid_read(lane->request) &&
                    (lane->request->include_stop <==> inclusive(ss)) && lane->request->min_tokens == minimum(ss) &&
                    \forall integer i; 0 <= i < stops(qs) ==> size(qs, i) <= lane->memory.start_count;
    requires write: \valid_read(lane) && lane->memory.start_count >= 1 &&
                    \valid(lane->memory.starts + (0 .. lane->memory.start_count - 1)) &&
                    \valid(lane->memory.string_progress + (0 .. stops(ss) - 1)) &&
                    \valid(lane->memory.sequence_progress + (0 .. stops(qs) - 1));
    requires apart: \separated(lane, lane->memory.string_progress + (0 .. stops(ss) - 1),
                               lane->memory.sequence_progress + (0 .. stops(qs) - 1)) &&
                    \separated(lane, lane->memory.starts + (0 .. lane->memory.start_count - 1)) &&
                    \separated(lane->memory.string_progress + (0 .. stops(ss) - 1), lane->strings) &&
                    \separated(lane->memory.sequence_progress + (0 .. stops(qs) - 1), lane->sequences);
    requires room:  lane->limits.taken < INT32_MAX && lane->guard.taken + length <= UINT64_MAX / 32;
    requires bytes: \valid_read(bytes + (0 .. length - 1)) && held_text(bytes, length, lane->guard.taken, sid);
    requires id:    id <= INT32_MAX && id == H(ids, lane->limits.taken);
    requires text:  matched(lane->memory.string_progress, sid, lane->guard.taken, ss, lane->string_hold,
                            lane->string_holder);
    requires ids:   matched(lane->memory.sequence_progress, ids, lane->limits.taken, qs, lane->sequence_hold,
                            lane->sequence_holder);
    requires at:    rising(at, lane->limits.taken, lane->guard.taken) && lane->guard.taken == H(at, lane->limits.taken) &&
                    begun(lane->memory.starts, lane->memory.start_count, at, lane->limits.taken);
    requires shown: lane->guard.allowed <= lane->guard.taken &&
                    (!inclusive(ss) ==>
                       lane->guard.allowed + lane->string_hold <= lane->guard.taken &&
                       lane->guard.allowed <=
                         before_sequence(at, lane->guard.taken, lane->limits.taken, lane->sequence_hold));
    assigns  lane->memory.string_progress[0 .. stops(ss) - 1], lane->memory.sequence_progress[0 .. stops(qs) - 1],
             lane->memory.starts[0 .. lane->memory.start_count - 1];
    ensures  text:  !\result.string.there ==>
                      matched(lane->memory.string_progress, sid, lane->guard.taken + length, ss,
                              \result.string.match.hold, \result.string.match.holder) &&
                      (!inclusive(ss) ==>
                         lane->guard.allowed + \result.string.match.hold <= lane->guard.taken + length) &&
                      (lane->limits.taken + 1 > minimum(ss) ==>
                         nowhere(sid, lane->guard.taken, lane->guard.taken + length, ss));
    ensures  R2:    \result.string.there ==> lane->limits.taken + 1 > minimum(ss) &&
                      !nowhere(sid, lane->guard.taken, lane->guard.taken + length, ss);
    ensures  R3:    \result.string.there ==>
                      string_end(sid, lane->guard.taken, lane->guard.taken + length, ss, \result.string.index,
                                 \result.string.cut) &&
                      lane->guard.allowed <= \result.string.cut <= lane->guard.taken + length;
    ensures  ids:   matched(lane->memory.sequence_progress, ids, lane->limits.taken + 1, qs,
                            \result.sequence.match.hold, \result.sequence.match.holder) &&
                    (\result.sequence.match.hold > 0 ==>
                       \result.sequence.place == H(at, lane->limits.taken + 1 - \result.sequence.match.hold)) &&
                    (!inclusive(ss) ==> lane->guard.allowed <=
                       before_sequence(at, lane->guard.taken + length, lane->limits.taken + 1,
                                       \result.sequence.match.hold));
    ensures  R5:    \result.sequence.there <==>
                      lane->limits.taken + 1 > minimum(ss) && !no_stop(ids, lane->limits.taken + 1, qs);
    ensures  cut:   \result.sequence.there ==>
                      sequence_end(ids, at, lane->limits.taken + 1, lane->guard.taken + length, ss, qs,
                                   \result.sequence.index, \result.sequence.cut) &&
                      lane->guard.allowed <= \result.sequence.cut <= lane->guard.taken + length;
    ensures  at:    begun(lane->memory.starts, lane->memory.start_count, at, lane->limits.taken + 1);
    ensures  same:  lane->character.pending == \old(lane->character.pending) &&
                    lane->character.wanted == \old(lane->character.wanted) &&
                    lane->character.low == \old(lane->character.low) &&
                    lane->character.high == \old(lane->character.high); */
es_lane_reading es_lane_read(const es_lane *lane, const uint8_t *bytes, uint32_t length, uint32_t id)
    /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ss, uint32_t qs) */;

#endif
