/* Logic of R11 and R12 (see spec/guard.md): when what may be shown is due. */
#ifndef ES_GUARD_ACSL_H
#define ES_GUARD_ACSL_H

#include "stream.acsl.h"

/*@
  // R11: the flush policy wants text sent: `step` steps were made since its last multiple of n, `bytes` may be shown and
  // are unsent, `tokens` were taken since the last send, and the oldest of these bytes has waited `ms`
  predicate flush_due(integer kind, integer n, integer step, integer bytes, integer tokens, integer ms) =
    (kind == ES_FLUSH_STEPS && step == 0) || (kind == ES_FLUSH_BYTES && bytes >= n) ||
    (kind == ES_FLUSH_TOKENS && tokens >= n) || (kind == ES_FLUSH_MS && ms >= n);
*/

#endif
