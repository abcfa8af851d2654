/* arbiter: one cause out of many (R7, R9, R16).
 *
 * Knows the order of causes at one token and at one boundary, and nothing else. */
#ifndef ES_ARBITER_H
#define ES_ARBITER_H

#include <stdbool.h>
#include <stdint.h>

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

#ifdef __FRAMAC__
#include "arbiter.acsl.h"
#endif

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

/*@
  // the causes that are there at one token
  predicate at_token(es_token_ends ends, integer cause) =
    (cause == ES_CAUSE_EOS && ends.eos) || (cause == ES_CAUSE_STOP_TOKEN && ends.stop_token) ||
    (cause == ES_CAUSE_STOP_STRING && ends.stop_string) || (cause == ES_CAUSE_STOP_SEQUENCE && ends.stop_sequence) ||
    (cause == ES_CAUSE_MAX_TOKENS && ends.max_tokens) || (cause == ES_CAUSE_MAX_CONTEXT && ends.max_context) ||
    (cause == ES_CAUSE_REPETITION && ends.repetition);
*/

/* The cause that counts at one token, or ES_CAUSE_OPEN (R7). */
/*@ assigns  \nothing;
    ensures  there: \result != ES_CAUSE_OPEN ==> at_token(ends, \result);
    ensures  first: \forall integer cause; at_token(ends, cause) ==>
                      \result != ES_CAUSE_OPEN && token_order(\result) <= token_order(cause); */
es_cause es_arbiter_token(es_token_ends ends);

/* What the engine reads at a boundary, in this order (R9). */
typedef struct {
  bool external;         /* a grammar, a parser or a filter wants the lane to end here (R16) */
  uint64_t external_cut; /* and where */
  bool abort;            /* the stop flag is set */
  bool deadline;         /* this is the last boundary that the lane may see */
} es_boundary;

/*@
  // what a boundary is read to say
  predicate at_boundary(es_boundary at, integer cause) =
    (cause == ES_CAUSE_EXTERNAL && at.external) || (cause == ES_CAUSE_ABORT && at.abort) ||
    (cause == ES_CAUSE_DEADLINE && at.deadline);
*/

/* The end that counts at a boundary: `natural` is that of the step before it, if any; `allowed` what could be shown at
 * the boundary before, `taken` all bytes of R. Natural ends win, except over an external one with a smaller cut. */
/*@ requires order: allowed <= taken;
    requires cut:   natural.cause != ES_CAUSE_OPEN ==> allowed <= natural.cut <= taken;
    assigns  \nothing;
    behavior natural_wins:
      assumes ended:   natural.cause != ES_CAUSE_OPEN;
      assumes first:   at.external ==> natural.cut <= external_cut(at.external_cut, allowed, taken);
      ensures cause:   \result.cause == natural.cause && \result.cut == natural.cut;
    behavior read:
      assumes smaller: natural.cause != ES_CAUSE_OPEN ==>
                         at.external && external_cut(at.external_cut, allowed, taken) < natural.cut;
      ensures there:   \result.cause != ES_CAUSE_OPEN ==> at_boundary(at, \result.cause);
      ensures first:   \forall integer cause; at_boundary(at, cause) ==>
                         \result.cause != ES_CAUSE_OPEN && boundary_order(\result.cause) <= boundary_order(cause);
      ensures cut:     \result.cut == (at.external ? external_cut(at.external_cut, allowed, taken) : taken);
    complete behaviors; disjoint behaviors; */
es_end es_arbiter_boundary(es_end natural, es_boundary at, uint64_t allowed, uint64_t taken);

#ifdef __cplusplus
}
#endif

#endif
