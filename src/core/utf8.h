/* utf8: characters across tokens (R10, R11).
 *
 * Says after each byte how many bytes at the end are a character still incomplete, and turns bytes into text with
 * one U+FFFD per maximal ill-formed subpart. Knows nothing of tokens or stops. */
#ifndef ES_UTF8_H
#define ES_UTF8_H

#include <stdint.h>

#ifdef __FRAMAC__
#include "utf8.acsl.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that text may take for each byte that is decoded: U+FFFD has three. */
#define ES_UTF8_GROWTH 3u

/* Where a stream stands. All zero at its start. (16 bits each, so that no byte of text can be one of them.) */
typedef struct {
  uint16_t pending; /* 0 … 3: bytes at the end that are a character still incomplete */
  uint16_t wanted;  /* bytes of that character in all */
  uint16_t low;     /* the next byte that continues it is low … high */
  uint16_t high;
} es_utf8;

/* What one byte settled. */
typedef struct {
  uint8_t character; /* bytes of the character that it completed, itself included; 0: none */
  uint8_t bad;       /* 0 … 2: ill-formed subparts that it closed, itself perhaps one; they come before it */
} es_utf8_step;

/*@
  // where the stream stands after n bytes
  predicate utf8_state{L}(es_utf8 *u, integer sid, integer n) =
    utf8_place(sid, n, u->pending, u->wanted, u->low, u->high);
*/

/* Takes the next byte of the stream (R10: the bytes still pending may not be shown).
 * Ghost: the stream, and the bytes before this one. */
/*@ requires valid:  \valid(u);
    requires state:  utf8_state(u, sid, n) || (u->pending == 0 && settled(sid, n));
    requires room:   n < UINT64_MAX;
    requires byte:   b == H(sid, n);
    assigns  *u;
    ensures  state:  utf8_state(u, sid, n + 1);
    ensures  whole:  \result.character > 0 ==> u->pending == 0 && \result.character <= n + 1 &&
                       character(sid, n + 1 - \result.character, \result.character);
    ensures  broken: \result.bad > 0 && \old(u->pending) > 0 ==>
                       piece(sid, n - \old(u->pending)) == \old(u->pending) < announced(H(sid, n - \old(u->pending)));
    ensures  lone:   \result.bad > (\old(u->pending) > 0 ? 1 : 0) ==> announced(H(sid, n)) == 0;
    ensures  count:  \result.character + u->pending ==
                       (\result.bad == 0 ? \old(u->pending) + 1 : \old(u->pending) > 0 && \result.bad == 1 ? 1 : 0);
    ensures  few:    0 <= \result.bad <= (\old(u->pending) > 0 ? 2 : 1); */
es_utf8_step es_utf8_take(es_utf8 *u, uint8_t b) /*@ ghost (uint32_t sid, uint64_t n) */;

/* Decodes `length` bytes that begin where a character may begin; an incomplete character at the end is one U+FFFD
 * (R11, R12). `out` has room for ES_UTF8_GROWTH × length bytes and lies elsewhere. Returns the bytes written.
 * Ghost: the stream, and the bytes of it before these. */
/*@ requires size:  length <= UINT32_MAX / 3 && base + length <= UINT64_MAX;
    requires read:  \valid_read(in + (0 .. length - 1));
    requires write: \valid(out + (0 .. 3 * length - 1));
    requires apart: \separated(in + (0 .. length - 1), out + (0 .. 3 * length - 1));
    requires edge:  settled(sid, base);
    requires bytes: \forall integer j; 0 <= j < length ==> in[j] == H(sid, base + j);
    assigns  out[0 .. 3 * length - 1];
    ensures  size:  0 <= \result <= 3 * length;
    ensures  whole: \result == text_length(sid, base, base + length);
    ensures  text:  \forall integer k; 0 <= k < \result ==> out[k] == text_byte(sid, base, base + length, k);
    ensures  same:  well_formed(sid, base, base + length) ==> \result == length;
    ensures  equal: well_formed(sid, base, base + length) ==>
                      \forall integer k; 0 <= k < length ==> out[k] == H(sid, base + k); */
uint32_t es_utf8_decode(const uint8_t *in, uint32_t length, uint8_t *out) /*@ ghost (uint32_t sid, uint64_t base) */;

/* The last place at or before `limit` where a character or a maximal ill-formed subpart of `in` ends; 0 if there is
 * none (R10). `in` begins where a character may begin; a character incomplete at its end has no end yet.
 * Ghost: the stream, and the bytes of it before these. */
/*@ requires read:  \valid_read(in + (0 .. length - 1));
    requires limit: limit <= length && base + length <= UINT64_MAX;
    requires edge:  settled(sid, base);
    requires start: length == 0 ==> \forall integer l; !incomplete(sid, base, l);
    requires bytes: \forall integer j; 0 <= j < length ==> in[j] == H(sid, base + j);
    assigns  \nothing;
    ensures  limit: 0 <= \result <= limit;
    ensures  R10:   frontier(sid, base + length, base + limit, base + \result);
    ensures  edge:  settled(sid, base + \result); */
uint32_t es_utf8_floor(const uint8_t *in, uint32_t length, uint32_t limit) /*@ ghost (uint32_t sid, uint64_t base) */;

/* Whether `length` bytes are well-formed UTF-8 (R13). */
/*@ requires read:  \valid_read(in + (0 .. length - 1));
    requires bytes: \forall integer j; 0 <= j < length ==> in[j] == H(sid, j);
    assigns  \nothing;
    ensures  valid: \result != 0 <==> well_formed(sid, 0, length);
    ensures  flag:  \result == 0 || \result == 1; */
int es_utf8_valid(const uint8_t *in, uint32_t length) /*@ ghost (uint32_t sid) */;

#ifdef __cplusplus
}
#endif

#endif
