/* Logic of R7, R9 and R16 (see spec/arbiter.md): which cause and which cut, out of those that are there. */
#ifndef ES_ARBITER_ACSL_H
#define ES_ARBITER_ACSL_H

/*@
  // R7: the order of causes at one token; 0: no token brings this cause
  logic integer token_order(integer cause) =
    cause == ES_CAUSE_EOS ? 1 : cause == ES_CAUSE_STOP_TOKEN ? 2 : cause == ES_CAUSE_STOP_STRING ? 3 :
    cause == ES_CAUSE_STOP_SEQUENCE ? 4 : cause == ES_CAUSE_MAX_TOKENS ? 5 : cause == ES_CAUSE_MAX_CONTEXT ? 6 :
    cause == ES_CAUSE_REPETITION ? 7 : 0;

  // R9: the order in which a boundary is read; 0: it is not read there
  logic integer boundary_order(integer cause) =
    cause == ES_CAUSE_EXTERNAL ? 1 : cause == ES_CAUSE_ABORT ? 2 : cause == ES_CAUSE_DEADLINE ? 3 : 0;

  // R16: the cut of an external end: not before what was allowed, not after the text
  logic integer external_cut(integer cut, integer allowed, integer taken) =
    cut < allowed ? allowed : cut > taken ? taken : cut;
*/

#endif
