/* Logic of T10 (see spec/batch.md): who stays, and where. */
#ifndef ES_BATCH_ACSL_H
#define ES_BATCH_ACSL_H

/*@
  // lanes before place p that stay; the others before p leave
  logic integer kept_before{L}(bool *ended, integer p) = p <= 0 ? 0 : kept_before(ended, p - 1) + (ended[p - 1] ? 0 : 1);
*/

/* All there, all apart. */
#define batch_memory(b)                                                                                           \
  (\valid(b) && \valid((b)->lanes + (0 .. (b)->capacity - 1)) && \valid((b)->retired + (0 .. (b)->capacity - 1)) && \
   \valid((b)->states + (0 .. (b)->capacity - 1)) && \valid((b)->retired_states + (0 .. (b)->capacity - 1)) &&      \
   \separated(b, (b)->lanes + (0 .. (b)->capacity - 1), (b)->retired + (0 .. (b)->capacity - 1),                   \
              (b)->states + (0 .. (b)->capacity - 1), (b)->retired_states + (0 .. (b)->capacity - 1)))

#endif
