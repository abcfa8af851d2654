/* arbiter: one cause out of many (R7, R9, R16).
 *
 * Knows the order of causes at one token and at one boundary, and nothing else. */
#ifndef ES_ARBITER_H
#define ES_ARBITER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __FRAMAC__
#include "arbiter.acsl.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Why a lane is over. The first seven are natural, in the order in which they count at one token (R7). */
typedef enum {
  ES_CAUSE_OPEN = 0, /* it is not */
  ES_CAUSE_EOS,
  ES_CAUSE_STOP_TOKEN,
  ES_CAUSE_STOP_STRING,
  ES_CAUSE_STOP_SEQUENCE,
  ES_CAUSE_MAX_TOKENS,
  ES_CAUSE_MAX_CONTEXT,
  ES_CAUSE_REPETITION,
  ES_CAUSE_EXTERNAL,
  ES_CAUSE_ABORT,
  ES_CAUSE_DEADLINE,
  ES_CAUSE_DISCONNECT
} es_cause;

/* A cause and the cut in bytes of R that goes with it (R4). */
typedef struct {
  es_cause cause;
  uint64_t cut;
} es_end;

/* What is there at one token. */
typedef struct {
  bool eos;
  bool stop_token;
  bool stop_string;
  bool stop_sequence;
  bool max_tokens;
  bool max_context;
  bool repetition;
} es_token_ends;

/* The cause that counts at one token, or ES_CAUSE_OPEN (R7). */
/*@ assigns  \nothing;
    ensures  eos:      ends.eos ==> \result == ES_CAUSE_EOS;
    ensures  token:    !ends.eos && ends.stop_token ==> \result == ES_CAUSE_STOP_TOKEN;
    ensures  string:   !ends.eos && !ends.stop_token && ends.stop_string ==> \result == ES_CAUSE_STOP_STRING;
    ensures  sequence: !ends.eos && !ends.stop_token && !ends.stop_string && ends.stop_sequence ==>
                         \result == ES_CAUSE_STOP_SEQUENCE;
    ensures  tokens:   !ends.eos && !ends.stop_token && !ends.stop_string && !ends.stop_sequence && ends.max_tokens ==>
                         \result == ES_CAUSE_MAX_TOKENS;
    ensures  context:  !ends.eos && !ends.stop_token && !ends.stop_string && !ends.stop_sequence && !ends.max_tokens &&
                         ends.max_context ==> \result == ES_CAUSE_MAX_CONTEXT;
    ensures  loop:     !ends.eos && !ends.stop_token && !ends.stop_string && !ends.stop_sequence && !ends.max_tokens &&
                         !ends.max_context && ends.repetition ==> \result == ES_CAUSE_REPETITION;
    ensures  open:     !ends.eos && !ends.stop_token && !ends.stop_string && !ends.stop_sequence && !ends.max_tokens &&
                         !ends.max_context && !ends.repetition ==> \result == ES_CAUSE_OPEN; */
es_cause es_arbiter_token(es_token_ends ends);

/* What the engine reads at a boundary, in this order (R9). */
typedef struct {
  bool external;         /* a grammar, a parser or a filter wants the lane to end here (R16) */
  uint64_t external_cut; /* and where */
  bool abort;            /* the stop flag is set */
  bool deadline;         /* this is the last boundary that the lane may see */
} es_boundary;

/* The end that counts at a boundary: `natural` is that of the step before it, if any; `allowed` what could be shown at
 * the boundary before, `taken` all bytes of R. Natural ends win, except over an external one with a smaller cut. */
/*@ requires order: allowed <= taken;
    requires cut:   natural.cause != ES_CAUSE_OPEN ==> allowed <= natural.cut <= taken;
    assigns  \nothing;
    behavior natural_wins:
      assumes ended:   natural.cause != ES_CAUSE_OPEN;
      assumes first:   at.external ==> natural.cut <= external_cut(at.external_cut, allowed, taken);
      ensures cause:   \result.cause == natural.cause && \result.cut == natural.cut;
    behavior external_wins:
      assumes there:   at.external;
      assumes smaller: natural.cause != ES_CAUSE_OPEN ==> external_cut(at.external_cut, allowed, taken) < natural.cut;
      ensures cause:   \result.cause == ES_CAUSE_EXTERNAL;
      ensures cut:     \result.cut == external_cut(at.external_cut, allowed, taken);
    behavior others:
      assumes open:    natural.cause == ES_CAUSE_OPEN && !at.external;
      ensures abort:   at.abort ==> \result.cause == ES_CAUSE_ABORT;
      ensures late:    !at.abort && at.deadline ==> \result.cause == ES_CAUSE_DEADLINE;
      ensures open:    !at.abort && !at.deadline ==> \result.cause == ES_CAUSE_OPEN;
      ensures all:     \result.cut == taken;
    complete behaviors; disjoint behaviors; */
es_end es_arbiter_boundary(es_end natural, es_boundary at, uint64_t allowed, uint64_t taken);

#ifdef __cplusplus
}
#endif

#endif
