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

  // T2, T4: what is held is the bytes of R that were not sent
  predicate held_text{L}(uint8_t *text, integer held, integer sent, integer sid) =
    \forall integer j; 0 <= j < held ==> text[j] == H(sid, sent + j);

  // T4, T7: how far text came, and how that goes with the end
  predicate guard_at(integer state, integer terminals, integer held, integer capacity, integer sent, integer allowed,
                     integer taken, integer cut, integer n) =
    held <= capacity && sent <= allowed <= taken && n >= 1 &&
    (state == ES_GUARD_OPEN ==> terminals == 0 && sent + held == taken) &&
    (state == ES_GUARD_ENDING ==> terminals == 0 && cut <= taken && sent + held == cut && allowed == cut) &&
    (state == ES_GUARD_DONE ==> terminals == 1 && held == 0 && sent == cut) &&
    (state == ES_GUARD_GONE ==> terminals == 0 && held == 0) &&
    (state == ES_GUARD_OPEN || state == ES_GUARD_ENDING || state == ES_GUARD_DONE || state == ES_GUARD_GONE);
*/

/* Macros, so that what a contract says of a guard in memory is said of its members, one by one. */
#define guard_text(g, sid) held_text((g)->text, (g)->held, (g)->sent, sid)
#define guard_state(g)                                                                                              \
  guard_at((g)->state, (g)->terminals, (g)->held, (g)->capacity, (g)->sent, (g)->allowed, (g)->taken, (g)->cut, \
           (g)->flush.n)
#define guard_valid(g)                                              \
  (\valid(g) && \valid((g)->text + (0 .. (g)->capacity - 1)) &&    \
   \separated(g, (g)->text + (0 .. (g)->capacity - 1)))

#endif
