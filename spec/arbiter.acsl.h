/* Logic of R7, R9 and R16 (see spec/arbiter.md): which cause and which cut, out of those that are there. */
#ifndef ES_ARBITER_ACSL_H
#define ES_ARBITER_ACSL_H

/*@
  // R16: the cut of an external end: not before what was allowed, not after the text
  logic integer external_cut(integer cut, integer allowed, integer taken) =
    cut < allowed ? allowed : cut > taken ? taken : cut;
*/

#endif
