/* Laws of edges for those who read a stream (see spec/utf8.md). utf8_steps.acsl.h, which leads up to them, includes them
 * where they are proved. */
#ifndef ES_UTF8_LAWS_ACSL_H
#define ES_UTF8_LAWS_ACSL_H

#include "utf8.acsl.h"

/*@
  lemma settled_start: \forall integer sid; settled(sid, 0);
  lemma settled_inside: \forall integer sid, a, e; settled(sid, a) && a < e < a + piece(sid, a) ==> !edge(sid, e);
  lemma covered_here: \forall integer sid, q, k; settled(sid, q) && q <= k < q + piece(sid, q) ==> covered(sid, k);
  lemma covered_next: \forall integer sid, k, m; covered(sid, k) && k + 1 <= m <= k + 1 ==> covered(sid, m);
  lemma covered_edge: \forall integer sid, e; covered(sid, e) && edge(sid, e) ==> settled(sid, e);
  lemma place_settled: \forall integer sid, n, pending, wanted, low, high, a;
    utf8_place(sid, n, pending, wanted, low, high) && n - pending <= a <= n - pending ==> settled(sid, a);
*/

#endif
