/* Logic of R7 (see spec/limits.md): limits and repetition as statements about token counts and ids alone. */
#ifndef ES_LIMITS_ACSL_H
#define ES_LIMITS_ACSL_H

#include "stream.acsl.h"

/*@
  // n taken tokens, after a prompt of p, reach a limit
  predicate at_max_tokens(integer n, integer max_tokens) = max_tokens != ES_NO_LIMIT && n >= max_tokens;
  predicate at_max_context(integer n, integer p, integer max_context) =
    max_context != ES_NO_LIMIT && n + p >= max_context;

  // the last r symbols of H[0 .. n) repeat those q places before them
  predicate repeats(integer sid, integer n, integer q, integer r) =
    0 <= r && r + q <= n && \forall integer j; n - r <= j < n ==> H(sid, j) == H(sid, j - q);
*/

#endif
