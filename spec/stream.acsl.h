/* Logic: a stream is any sequence of symbols (bytes of R, or ids of tokens).
 *
 * H is uninterpreted: no axiom says anything of it, so what is proved holds for every stream. */
#ifndef ES_STREAM_ACSL_H
#define ES_STREAM_ACSL_H

/*@
  axiomatic Stream {
    // symbol i of stream sid, i from 0
    logic integer H(integer sid, integer i) reads \nothing;
  }
*/

#endif
