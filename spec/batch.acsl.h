/* Logic of T10 (see spec/batch.md): who stays and who goes. */
#ifndef ES_BATCH_ACSL_H
#define ES_BATCH_ACSL_H

/*@
  // lanes before place p that stay, and that end
  logic integer kept_before{L}(bool *ended, integer p) = p <= 0 ? 0 : kept_before(ended, p - 1) + (ended[p - 1] ? 0 : 1);
  logic integer ended_before{L}(bool *ended, integer p) =
    p <= 0 ? 0 : ended_before(ended, p - 1) + (ended[p - 1] ? 1 : 0);
*/

/* All there, all apart. */
#define batch_memory(b)                                                                                       \
  (\valid(b) && (b)->capacity * (b)->row_bytes <= UINT32_MAX && \valid((b)->lanes + (0 .. (b)->capacity - 1)) && \
   \valid((b)->retired + (0 .. (b)->capacity - 1)) &&                                                            \
   \valid((b)->rows + (0 .. (b)->capacity * (b)->row_bytes - 1)) &&                                              \
   \valid((b)->retired_rows + (0 .. (b)->capacity * (b)->row_bytes - 1)) &&                                      \
   \separated(b, (b)->lanes + (0 .. (b)->capacity - 1), (b)->retired + (0 .. (b)->capacity - 1),              \
              (b)->rows + (0 .. (b)->capacity * (b)->row_bytes - 1),                                          \
              (b)->retired_rows + (0 .. (b)->capacity * (b)->row_bytes - 1)))
#define batch_counts(b) ((b)->count <= (b)->capacity && (b)->retired_count <= (b)->capacity)

#endif
