#include "utf8.h"

#ifdef __FRAMAC__
#include "utf8_steps.acsl.h"
#endif

/* The byte begins something: a character of one byte, a longer one, or nothing. */
/*@ requires valid: \valid(u);
    requires state: u->pending == 0 && settled(sid, n);
    requires room:  n < UINT64_MAX;
    requires byte:  b == H(sid, n);
    assigns  *u;
    ensures  state: utf8_state(u, sid, n + 1);
    ensures  whole: \result.character > 0 ==> u->pending == 0 && character(sid, n, 1);
    ensures  lone:  \result.bad > 0 ==> announced(H(sid, n)) == 0;
    ensures  count: \result.bad + \result.character + u->pending == 1; */
static es_utf8_step begin(es_utf8 *u, uint8_t b) /*@ ghost (uint32_t sid, uint64_t n) */ {
  es_utf8_step step = {0, 0};
  if (b <= 0x7F) {
    //@ assert one: character(sid, n, 1) && piece(sid, n) == 1;
    //@ assert after: settled(sid, n + 1) && \forall integer l; !incomplete(sid, n + 1, l);
    //@ assert state: utf8_state(u, sid, n + 1);
    step.character = 1;
    return step;
  }
  if (b < 0xC2 || b > 0xF4) {
    //@ assert none: announced(H(sid, n)) == 0 && piece(sid, n) == 1;
    //@ assert after: settled(sid, n + 1) && \forall integer l; !incomplete(sid, n + 1, l);
    //@ assert state: utf8_state(u, sid, n + 1);
    step.bad = 1;
    return step;
  }
  u->pending = 1;
  u->low = 0x80;
  u->high = 0xBF;
  if (b <= 0xDF) {
    u->wanted = 2;
  } else if (b <= 0xEF) {
    u->wanted = 3;
    if (b == 0xE0) u->low = 0xA0;
    if (b == 0xED) u->high = 0x9F;
  } else {
    u->wanted = 4;
    if (b == 0xF0) u->low = 0x90;
    if (b == 0xF4) u->high = 0x8F;
  }
  //@ assert wanted: u->wanted == announced(b) && 1 < announced(b);
  //@ assert next: u->low == second_least(b) && u->high == second_most(b);
  //@ assert lead: begins(sid, n, 1);
  //@ assert only: \forall integer l; incomplete(sid, n + 1, l) <==> l == 1;
  //@ assert place: utf8_place(sid, n + 1, 1, announced(b), second_least(b), second_most(b));
  //@ assert state: utf8_state(u, sid, n + 1);
  return step;
}

/* The byte goes on with the character that is incomplete. */
/*@ requires valid: \valid(u);
    requires state: utf8_state(u, sid, n) && u->pending > 0;
    requires room:  n < UINT64_MAX;
    requires byte:  begins(sid, n - u->pending, u->pending + 1);
    assigns  *u;
    ensures  state: utf8_state(u, sid, n + 1);
    ensures  whole: \result.character > 0 ==> u->pending == 0 && \result.character <= n + 1 &&
                      character(sid, n + 1 - \result.character, \result.character);
    ensures  count: \result.bad == 0 && \result.character + u->pending == \old(u->pending) + 1; */
static es_utf8_step go_on(es_utf8 *u) /*@ ghost (uint32_t sid, uint64_t n) */ {
  es_utf8_step step = {0, 0};
  //@ ghost uint64_t a = (uint64_t)(n - u->pending);
  //@ assert from: settled(sid, a) && u->wanted == announced(H(sid, a)) && u->pending < u->wanted;
  u->pending++;
  u->low = 0x80;
  u->high = 0xBF;
  //@ assert longer: begins(sid, a, u->pending) && a + u->pending == n + 1;
  if (u->pending < u->wanted) {
    //@ assert only: \forall integer l; incomplete(sid, n + 1, l) <==> l == u->pending;
    //@ assert place: utf8_place(sid, n + 1, u->pending, u->wanted, 0x80, 0xBF);
    //@ assert state: utf8_state(u, sid, n + 1);
    return step;
  }
  //@ assert all: character(sid, a, u->pending) && u->pending == piece(sid, a);
  //@ assert after: settled(sid, n + 1) && \forall integer l; !incomplete(sid, n + 1, l);
  step.character = (uint8_t)u->pending;
  u->pending = 0;
  //@ assert state: utf8_state(u, sid, n + 1);
  return step;
}

es_utf8_step es_utf8_take(es_utf8 *u, uint8_t b) /*@ ghost (uint32_t sid, uint64_t n) */ {
  if (u->pending == 0) return begin(u, b) /*@ ghost (sid, n) */;
  //@ ghost uint64_t a = (uint64_t)(n - u->pending);
  //@ assert known: utf8_state(u, sid, n) && incomplete(sid, n, u->pending);
  //@ assert here: begins(sid, a, u->pending) && u->pending < announced(H(sid, a)) && settled(sid, a);
  /*@ assert range: (u->low <= b <= u->high) <==> (u->pending == 1 ? second(H(sid, a), b) : continuation(b)); */
  //@ assert next: begins(sid, a, u->pending + 1) <==> u->low <= b <= u->high;
  if (u->low <= b && b <= u->high) return go_on(u) /*@ ghost (sid, n) */;
  //@ assert broken: piece(sid, a) == u->pending;
  //@ assert closed: settled(sid, n);
  u->pending = 0;
  es_utf8_step step = begin(u, b) /*@ ghost (sid, n) */;
  step.bad = (uint8_t)(step.bad + 1);
  return step;
}

/*@
  // the text of H[base .. p) is written, as it is in H[base .. n)
  predicate decoded{L}(uint8_t *out, integer sid, integer base, integer p, integer n, integer written) =
    text_at(sid, base, p, n, written) && copies(sid, base, p, n, written) &&
    \forall integer k; 0 <= k < written ==> out[k] == text_byte(sid, base, n, k);
*/

/* Writes U+FFFD for the piece at p, which is no whole character. */
/*@ requires write: written + 3 <= UINT32_MAX && \valid(out + (written .. written + 2));
    requires piece: p < n && !whole(sid, p, n);
    requires next:  q == p + piece(sid, p) || p + piece(sid, p) > n == q;
    requires text:  decoded(out, sid, base, p, n, written);
    assigns  out[written .. written + 2];
    ensures  count: \result == written + 3;
    ensures  text:  decoded(out, sid, base, q, n, \result); */
static uint32_t put_mark(uint8_t *out, uint32_t written)
/*@ ghost (uint32_t sid, uint64_t base, uint64_t p, uint64_t q, uint64_t n) */ {
  //@ assert three: shown_length(sid, p, n) == 3;
  /*@ assert mark: shown_byte(sid, p, n, 0) == 0xEF && shown_byte(sid, p, n, 1) == 0xBF &&
        shown_byte(sid, p, n, 2) == 0xBD; */
  /*@ assert mine: \forall integer k; written <= k < written + 3 ==>
        text_byte(sid, base, n, k) == shown_byte(sid, p, n, k - written); */
  //@ assert step: text_at(sid, base, p + piece(sid, p), n, written + 3);
  //@ assert text: text_at(sid, base, q, n, written + 3);
  //@ assert next: text_at(sid, base, q, n, written + 3) && copies(sid, base, q, n, written + 3);
  out[written] = 0xEF;
  out[written + 1] = 0xBF;
  out[written + 2] = 0xBD;
  //@ assert old: \forall integer k; 0 <= k < written ==> out[k] == text_byte(sid, base, n, k);
  //@ assert new: \forall integer k; written <= k < written + 3 ==> out[k] == text_byte(sid, base, n, k);
  return written + 3;
}

/* Writes a U+FFFD for each ill-formed subpart that the byte at a closed: that of the `pending` bytes at p before it,
 * and itself. */
/*@ requires place:  base <= p && p + pending == a < n;
    requires few:    bad <= (pending > 0 ? 2 : 1);
    requires broken: bad > 0 && pending > 0 ==> piece(sid, p) == pending < announced(H(sid, p));
    requires lone:   bad > (pending > 0 ? 1 : 0) ==> announced(H(sid, a)) == 0;
    requires write:  written + 3 * bad <= UINT32_MAX && \valid(out + (written .. written + 3 * bad - 1));
    requires text:   decoded(out, sid, base, p, n, written);
    assigns  out[written .. written + 3 * bad - 1];
    ensures  count:  \result == written + 3 * bad;
    ensures  none:   bad == 0 ==> decoded(out, sid, base, p, n, \result);
    ensures  before: bad == 1 && pending > 0 ==> decoded(out, sid, base, a, n, \result);
    ensures  all:    bad > (pending > 0 ? 1 : 0) ==> decoded(out, sid, base, a + 1, n, \result); */
static uint32_t put_marks(uint8_t *out, uint32_t written, uint32_t pending, uint32_t bad)
/*@ ghost (uint32_t sid, uint64_t base, uint64_t p, uint64_t a, uint64_t n) */ {
  if (bad == 0) return written;
  //@ ghost uint64_t next = (uint64_t)(a + 1);
  if (pending == 0) return put_mark(out, written) /*@ ghost (sid, base, p, next, n) */;
  written = put_mark(out, written) /*@ ghost (sid, base, p, a, n) */;
  if (bad == 1) return written;
  return put_mark(out, written) /*@ ghost (sid, base, a, next, n) */;
}

/*@ requires size:  at + length <= UINT32_MAX && written + length <= UINT32_MAX;
    requires read:  \valid_read(in + (at .. at + length - 1));
    requires write: \valid(out + (written .. written + length - 1));
    requires apart: \separated(in + (at .. at + length - 1), out + (written .. written + length - 1));
    assigns  out[written .. written + length - 1];
    ensures  same:  \forall integer k; written <= k < written + length ==> out[k] == \old(in[at + (k - written)]); */
static void copy(const uint8_t *in, uint32_t at, uint32_t length, uint8_t *out, uint32_t written) {
  /*@ loop invariant place: 0 <= k <= length;
      loop invariant in:    \forall integer t; at <= t < at + length ==> in[t] == \at(in[t], Pre);
      loop invariant out:   \forall integer t; written <= t < written + k ==>
        out[t] == \at(in[at + (t - written)], Pre);
      loop assigns k, out[written .. written + length - 1];
      loop variant length - k; */
  for (uint32_t k = 0; k < length; k++) {
    //@ assert apart: \forall integer t; at <= t < at + length ==> in + t != out + (written + k);
    out[written + k] = in[at + k];
  }
}

/* Writes the whole character at p, which is in[at .. at + length). */
/*@ requires size:  1 <= length <= 4 && at + length <= UINT32_MAX && character(sid, p, length);
    requires place: base + at == p && p + length == q && q <= n;
    requires read:  \valid_read(in + (at .. at + length - 1));
    requires write: written + length <= UINT32_MAX && \valid(out + (written .. written + length - 1));
    requires apart: \separated(in + (at .. at + length - 1), out + (written .. written + length - 1));
    requires bytes: \forall integer j; at <= j < at + length ==> in[j] == H(sid, base + j);
    requires text:  decoded(out, sid, base, p, n, written);
    assigns  out[written .. written + length - 1];
    ensures  count: \result == written + length;
    ensures  text:  decoded(out, sid, base, q, n, \result); */
static uint32_t put_character(const uint8_t *in, uint32_t at, uint32_t length, uint8_t *out, uint32_t written)
/*@ ghost (uint32_t sid, uint64_t base, uint64_t p, uint64_t q, uint64_t n) */ {
  //@ assert all: piece(sid, p) == length && shown_length(sid, p, n) == length;
  /*@ assert mine: \forall integer k; written <= k < written + length ==>
        text_byte(sid, base, n, k) == H(sid, p + (k - written)); */
  //@ assert next: text_at(sid, base, q, n, written + length) && copies(sid, base, q, n, written + length);
  /*@ assert from: \forall integer k; written <= k < written + length ==>
        in[at + (k - written)] == text_byte(sid, base, n, k); */
  copy(in, at, length, out, written);
  //@ assert old: \forall integer k; 0 <= k < written ==> out[k] == text_byte(sid, base, n, k);
  //@ assert new: \forall integer k; written <= k < written + length ==> out[k] == text_byte(sid, base, n, k);
  return written + length;
}

/* Writes what the byte in[i], at a, settled: marks, and then perhaps a character that ends with it. */
/*@ requires place:  base <= p && p + pending == a && base + i <= a <= base + i && a < n && i < UINT32_MAX;
    requires few:    step.bad <= (pending > 0 ? 2 : 1);
    requires broken: step.bad > 0 && pending > 0 ==> piece(sid, p) == pending < announced(H(sid, p));
    requires lone:   step.bad > (pending > 0 ? 1 : 0) ==> announced(H(sid, a)) == 0;
    requires whole:  step.character > 0 ==> step.character <= i + 1 &&
                       character(sid, a + 1 - step.character, step.character);
    requires count:  step.character > 0 ==>
                       (step.bad == 0 ? step.character == pending + 1 :
                        pending > 0 && step.bad == 1 && step.character == 1);
    requires read:   \valid_read(in + (0 .. i));
    requires write:  written + 3 * step.bad + step.character <= UINT32_MAX &&
                       \valid(out + (written .. written + 3 * step.bad + step.character - 1));
    requires apart:  \separated(in + (0 .. i), out + (written .. written + 3 * step.bad + step.character - 1));
    requires bytes:  \forall integer j; 0 <= j <= i ==> in[j] == H(sid, base + j);
    requires text:   decoded(out, sid, base, p, n, written);
    requires none:   step.character == 0 && step.bad == 0 ==> q == p;
    requires before: step.character == 0 && step.bad == 1 && pending > 0 ==> q == a;
    requires all:    step.character > 0 || step.bad > (pending > 0 ? 1 : 0) ==> q == a + 1;
    assigns  out[written .. written + 3 * step.bad + step.character - 1];
    ensures  count:  \result == written + 3 * step.bad + step.character;
    ensures  text:   decoded(out, sid, base, q, n, \result); */
static uint32_t put_step(const uint8_t *in, uint32_t i, uint32_t pending, es_utf8_step step, uint8_t *out,
                         uint32_t written)
/*@ ghost (uint32_t sid, uint64_t base, uint64_t p, uint64_t a, uint64_t q, uint64_t n) */ {
  /*@ assert apart: \forall integer j; 0 <= j <= i ==>
        \separated(in + j, out + (written .. written + 3 * step.bad - 1)); */
  written = put_marks(out, written, pending, step.bad) /*@ ghost (sid, base, p, a, n) */;
  //@ assert marks: step.character == 0 ==> decoded(out, sid, base, q, n, written);
  if (step.character == 0) return written;
  uint32_t at = i + 1 - step.character;
  //@ ghost uint64_t from = (uint64_t)(base + at);
  //@ assert bytes: \forall integer j; 0 <= j <= i ==> in[j] == H(sid, base + j);
  //@ assert place: step.bad == 0 ? from == p : step.bad == 1 && pending > 0 && from == a;
  //@ assert first: step.bad == 0 ==> decoded(out, sid, base, from, n, written);
  //@ assert then: step.bad != 0 ==> decoded(out, sid, base, from, n, written);
  return put_character(in, at, step.character, out, written) /*@ ghost (sid, base, from, q, n) */;
}

/* Writes U+FFFD for the `pending` bytes at the end, at p, if there are any: nothing comes after them. */
/*@ requires place: base <= p && p + pending <= n <= p + pending && base + length <= n <= base + length;
    requires write: pending > 0 ==> written + 3 <= UINT32_MAX && \valid(out + (written .. written + 2));
    requires cut:   pending > 0 ==> !whole(sid, p, n) && n <= p + piece(sid, p);
    requires text:  decoded(out, sid, base, p, n, written);
    assigns  out[written .. written + (pending > 0 ? 3 : 0) - 1];
    ensures  count: \result == written + (pending > 0 ? 3 : 0);
    ensures  whole: \result == text_length(sid, base, base + length);
    ensures  text:  \forall integer k; 0 <= k < \result ==> out[k] == text_byte(sid, base, base + length, k);
    ensures  same:  well_formed(sid, base, base + length) ==> \result == length;
    ensures  equal: well_formed(sid, base, base + length) ==> \forall integer k; 0 <= k < length ==>
                      out[k] == H(sid, base + k); */
static uint32_t put_rest(uint8_t *out, uint32_t written, uint32_t pending)
/*@ ghost (uint32_t sid, uint64_t base, uint64_t p, uint64_t n, uint32_t length) */ {
  if (pending > 0) written = put_mark(out, written) /*@ ghost (sid, base, p, n, n) */;
  //@ assert end: decoded(out, sid, base, n, n, written);
  return written;
}

/* Writes all but the incomplete character at the end, of which u knows then. */
/*@ requires size:  length <= UINT32_MAX / 3 && base + length <= n <= base + length;
    requires start: \valid(u) && u->pending == 0;
    requires read:  \valid_read(in + (0 .. length - 1));
    requires write: \valid(out + (0 .. 3 * length - 1));
    requires apart: \separated(in + (0 .. length - 1), out + (0 .. 3 * length - 1));
    requires edge:  settled(sid, base);
    requires bytes: \forall integer j; 0 <= j < length ==> in[j] == H(sid, base + j);
    assigns  *u, out[0 .. 3 * length - 1];
    ensures  state: length > 0 ==> utf8_state(u, sid, n);
    ensures  place: u->pending <= length;
    ensures  room:  \result <= 3 * (length - u->pending);
    ensures  text:  decoded(out, sid, base, n - u->pending, n, \result); */
static uint32_t put_pieces(const uint8_t *in, uint32_t length, uint8_t *out, es_utf8 *u)
/*@ ghost (uint32_t sid, uint64_t base, uint64_t n) */ {
  uint32_t written = 0;
  //@ ghost uint64_t p = base;
  /*@ loop invariant place: 0 <= i <= length && base <= p && p + u->pending <= base + i <= p + u->pending;
      loop invariant state: i > 0 ==> utf8_state(u, sid, base + i);
      loop invariant start: i == 0 ==> u->pending == 0;
      loop invariant room:  written <= 3 * (p - base);
      loop invariant text:  decoded(out, sid, base, p, n, written);
      loop invariant in:    \forall integer j; 0 <= j < length ==> in[j] == H(sid, base + j);
      loop assigns i, *u, p, written, out[0 .. 3 * length - 1];
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    uint32_t pending = u->pending;
    //@ ghost uint64_t a = (uint64_t)(base + i);
    es_utf8_step step = es_utf8_take(u, in[i]) /*@ ghost (sid, a) */;
    //@ ghost uint64_t q = (uint64_t)(a + 1 - u->pending);
    //@ assert room: written + 3 * step.bad + step.character <= 3 * (q - base) <= 3 * length;
    /*@ assert apart: \separated(in + (0 .. length - 1),
          out + (written .. written + 3 * step.bad + step.character - 1)); */
    written = put_step(in, i, pending, step, out, written) /*@ ghost (sid, base, p, a, q, n) */;
    //@ ghost p = q;
    //@ assert text: decoded(out, sid, base, p, n, written);
  }
  return written;
}

uint32_t es_utf8_decode(const uint8_t *in, uint32_t length, uint8_t *out) /*@ ghost (uint32_t sid, uint64_t base) */ {
  es_utf8 u = {0, 0, 0, 0};
  //@ ghost uint64_t n = (uint64_t)(base + length);
  uint32_t written = put_pieces(in, length, out, &u) /*@ ghost (sid, base, n) */;
  //@ ghost uint64_t p = (uint64_t)(n - u.pending);
  //@ assert place: u.pending > 0 ==> utf8_place(sid, n, u.pending, u.wanted, u.low, u.high);
  //@ assert held: u.pending > 0 ==> incomplete(sid, n, u.pending);
  //@ assert open: u.pending > 0 ==> begins(sid, p, u.pending) && u.pending < announced(H(sid, p));
  //@ assert cut: u.pending > 0 ==> !whole(sid, p, n) && n <= p + piece(sid, p);
  return put_rest(out, written, u.pending) /*@ ghost (sid, base, p, n, length) */;
}

uint32_t es_utf8_floor(const uint8_t *in, uint32_t length, uint32_t limit) /*@ ghost (uint32_t sid, uint64_t base) */ {
  es_utf8 u = {0, 0, 0, 0};
  uint32_t end = 0;
  //@ ghost uint64_t n = (uint64_t)(base + length);
  /*@ loop invariant place: 0 <= i <= length && 0 <= u.pending <= i;
      loop invariant state: i > 0 ==> utf8_state(&u, sid, base + i);
      loop invariant start: i == 0 ==> u.pending == 0;
      loop invariant end:   0 <= end <= limit && end <= i - u.pending && settled(sid, base + end);
      loop invariant last:  \forall integer e; base + end < e <= base + limit && e <= base + i - u.pending ==>
                              !edge(sid, e);
      loop assigns i, u, end;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    uint32_t pending = u.pending;
    //@ ghost uint64_t a = (uint64_t)(base + i - pending);
    //@ assert before: settled(sid, a);
    es_utf8_step step = es_utf8_take(&u, in[i]) /*@ ghost (sid, (uint64_t)(base + i)) */;
    //@ ghost uint64_t b = (uint64_t)(base + i + 1 - u.pending);
    //@ assert after: settled(sid, b);
    /*@ assert closed: pending > 0 && step.bad > 0 ==> a + piece(sid, a) == base + i && settled(sid, base + i) &&
          b <= base + i + 1; */
    //@ assert size: step.bad == 0 && u.pending == 0 ==> step.character == pending + 1;
    //@ assert character: step.bad == 0 && u.pending == 0 ==> character(sid, a, pending + 1);
    //@ assert piece: step.bad == 0 && u.pending == 0 ==> piece(sid, a) == pending + 1;
    //@ assert inside: pending > 0 && step.bad > 0 ==> \forall integer e; a < e < b && e != base + i ==> !edge(sid, e);
    //@ assert gap: !(pending > 0 && step.bad > 0) ==> \forall integer e; a < e < b ==> !edge(sid, e);
    if (pending > 0 && step.bad > 0 && i <= limit) end = i;
    if (i + 1 - u.pending <= limit) end = i + 1 - u.pending;
  }
  //@ ghost uint64_t a = (uint64_t)(n - u.pending);
  /*@ assert open: u.pending > 0 ==> incomplete(sid, n, u.pending) && begins(sid, a, u.pending) &&
        n <= a + piece(sid, a); */
  //@ assert inside: \forall integer e; a < e < n ==> !edge(sid, e);
  //@ assert none: \forall integer e; a < e ==> !ends(sid, n, e);
  //@ assert empty: length == 0 ==> n == base && \forall integer l; !incomplete(sid, n, l);
  //@ assert whole: length > 0 && u.pending == 0 ==> \forall integer l; !incomplete(sid, n, l);
  //@ assert here: ends(sid, n, base + end);
  return end;
}

int es_utf8_valid(const uint8_t *in, uint32_t length) /*@ ghost (uint32_t sid) */ {
  es_utf8 u = {0, 0, 0, 0};
  /*@ loop invariant place: 0 <= i <= length;
      loop invariant state: i > 0 ==> utf8_state(&u, sid, i);
      loop invariant start: i == 0 ==> u.pending == 0;
      loop invariant rest:  well_formed(sid, 0, length) <==> well_formed(sid, i - u.pending, length);
      loop assigns i, u;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    //@ ghost uint32_t old = u.pending;
    //@ ghost uint32_t p = (uint32_t)(i - old);
    es_utf8_step step = es_utf8_take(&u, in[i]) /*@ ghost (sid, (uint64_t)i) */;
    //@ assert broken: step.bad > 0 && old > 0 ==> piece(sid, p) == old < announced(H(sid, p));
    //@ assert lone: step.bad > 0 && old == 0 ==> p == i && announced(H(sid, p)) == 0;
    //@ assert no: step.bad > 0 ==> !whole(sid, p, length);
    if (step.bad > 0) return 0;
    //@ assert same: step.character == 0 ==> i + 1 - u.pending == p;
    //@ assert gone: step.character > 0 ==> u.pending == 0;
    //@ assert whole: step.character > 0 ==> character(sid, p, step.character) && p + step.character == i + 1;
    //@ assert next: step.character > 0 ==> (well_formed(sid, p, length) <==> well_formed(sid, i + 1, length));
    /*@ assert rest: step.character > 0 ==>
          (well_formed(sid, p, length) <==> well_formed(sid, i + 1 - u.pending, length)); */
    /*@ assert held: step.character == 0 ==>
          (well_formed(sid, p, length) <==> well_formed(sid, i + 1 - u.pending, length)); */
  }
  //@ ghost uint32_t a = (uint32_t)(length - u.pending);
  /*@ assert open: u.pending > 0 ==> incomplete(sid, length, u.pending) && begins(sid, a, u.pending) &&
        u.pending < announced(H(sid, a)); */
  //@ assert cut: u.pending > 0 ==> !whole(sid, a, length);
  //@ assert end: well_formed(sid, a, length) <==> u.pending == 0;
  return u.pending == 0;
}
