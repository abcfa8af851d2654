/* stopword: what the 64-bit word of a stop flag says, and which word may follow it (R14).
 *
 * Arithmetic alone, so that it can be proved and that models may run it; the atomic accesses are stopflag's. From the
 * lowest bit: 8 of reason (0: nobody asked), 1 whether the engine acknowledged, 7 unused, 48 of epoch. In one epoch a
 * word only goes forward: nobody asked, requested, acknowledged. */
#ifndef ES_STOPWORD_H
#define ES_STOPWORD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ES_STOP_ACKED UINT64_C(0x100)
#define ES_STOP_EPOCH UINT64_C(0x10000)             /* one epoch more */
#define ES_STOP_LAST_EPOCH UINT64_C(0xFFFFFFFFFFFF) /* a slot that came so far is not used again */

/* What a request to stop came to. */
typedef enum {
  ES_STOP_WON,    /* it is the first: the lane ends at the next boundary */
  ES_STOP_SECOND, /* another asked before: its reason stands, the lane ends at the next boundary */
  ES_STOP_LATE,   /* the lane is over already */
  ES_STOP_STALE   /* it meant another lane of this slot: nothing changed */
} es_stop_answer;

#ifdef __FRAMAC__
#include "stopword.acsl.h"
#endif

/* The word of a slot whose lane runs and that nobody asked to stop. */
/*@ requires epoch: epoch <= ES_STOP_LAST_EPOCH;
    assigns  \nothing;
    ensures  runs:  epoch_of(\result) == epoch && reason_of(\result) == 0 && !acked(\result); */
uint64_t es_stopword_run(uint64_t epoch);

/*@ assigns  \nothing;
    ensures  epoch: \result == epoch_of(word); */
uint64_t es_stopword_epoch(uint64_t word);

/* Why the lane was asked to stop, by the first who did; 0: nobody did. */
/*@ assigns  \nothing;
    ensures  reason: \result == reason_of(word); */
uint8_t es_stopword_reason(uint64_t word);

/* Whether the lane of that epoch is over: acknowledged, or another has its slot. */
/*@ assigns  \nothing;
    ensures  over: \result <==> epoch_of(word) != epoch || acked(word); */
bool es_stopword_over(uint64_t word, uint64_t epoch);

/* What a request for that epoch comes to on this word (R14: the first wins, a stale one changes nothing), and the word
 * that is to follow: the same, unless it won. `reason` is not 0. */
/*@ requires reason: 1 <= reason;
    requires write:  \valid(next);
    assigns  *next;
    ensures  stale:  \result == ES_STOP_STALE <==> epoch_of(word) != epoch;
    ensures  late:   \result == ES_STOP_LATE <==> epoch_of(word) == epoch && acked(word);
    ensures  second: \result == ES_STOP_SECOND <==> epoch_of(word) == epoch && !acked(word) && reason_of(word) != 0;
    ensures  first:  \result == ES_STOP_WON <==> epoch_of(word) == epoch && !acked(word) && reason_of(word) == 0;
    ensures  won:    \result == ES_STOP_WON ==> *next == word + reason && epoch_of(*next) == epoch &&
                       reason_of(*next) == reason && !acked(*next);
    ensures  same:   \result != ES_STOP_WON ==> *next == word; */
es_stop_answer es_stopword_request(uint64_t word, uint64_t epoch, uint8_t reason, uint64_t *next);

/* Whether the engine may acknowledge: it has not. The word that follows is ES_STOP_ACKED more, whatever the reason that
 * comes in between. */
/*@ assigns  \nothing;
    ensures  can: \result <==> !acked(word);
    ensures  ack: \result ==> acked(word + ES_STOP_ACKED) && epoch_of(word + ES_STOP_ACKED) == epoch_of(word) &&
                    reason_of(word + ES_STOP_ACKED) == reason_of(word); */
bool es_stopword_can_ack(uint64_t word);

/* The word of the next lane in this slot; the same word if its lane is not over, or its epoch the last. */
/*@ assigns  \nothing;
    ensures  next: acked(word) && epoch_of(word) < ES_STOP_LAST_EPOCH ==>
                     epoch_of(\result) == epoch_of(word) + 1 && reason_of(\result) == 0 && !acked(\result);
    ensures  same: !(acked(word) && epoch_of(word) < ES_STOP_LAST_EPOCH) ==> \result == word; */
uint64_t es_stopword_next(uint64_t word);

#ifdef __cplusplus
}
#endif

#endif
