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
  predicate utf8_state{L}(es_utf8 *u, integer sid, integer n, integer good, integer bad) =
    0 <= u->pending <= 3 && u->pending <= n && good >= 0 && bad >= 0 &&
    parsed(sid, n - u->pending, good, bad) &&
    (u->pending > 0 ==>
      begins(sid, n - u->pending, u->pending) &&
      u->wanted == announced(H(sid, n - u->pending)) && u->pending < u->wanted &&
      (\forall integer c; (u->low <= c <= u->high) <==>
        (u->pending == 1 ? second(H(sid, n - u->pending), c) : continuation(c))));
*/

/* Takes the next byte of the stream (R10: the bytes still pending may not be shown).
 * Ghost: the stream, the bytes before this one, and the characters and subparts among them. */
/*@ requires valid: \valid(u);
    requires state: utf8_state(u, sid, n, good, bad);
    requires room:  n < UINT64_MAX && good < UINT64_MAX && bad < UINT64_MAX - 1;
    requires byte:  b == H(sid, n);
    assigns  *u;
    ensures  state: utf8_state(u, sid, n + 1, good + (\result.character > 0 ? 1 : 0), bad + \result.bad);
    ensures  few:   0 <= \result.bad <= 2 && 0 <= \result.character <= 4;
    ensures  whole: \result.character > 0 ==>
                      u->pending == 0 && character(sid, n + 1 - \result.character, \result.character);
    ensures  size:  \result.character <= \old(u->pending) + 1;
    ensures  good:  \result.bad == 0 ==> \result.character + u->pending == \old(u->pending) + 1;
    ensures  none:  \result.bad > 0 ==> !character(sid, n - \old(u->pending), announced(H(sid, n - \old(u->pending))));
    ensures  count: \result.bad + \result.character + u->pending <= \old(u->pending) + 1; */
es_utf8_step es_utf8_take(es_utf8 *u, uint8_t b)
    /*@ ghost (uint32_t sid, uint64_t n, uint64_t good, uint64_t bad) */;

/* Decodes `length` bytes that begin where a character may begin; an incomplete character at the end is one U+FFFD
 * (R11, R12). `out` has room for ES_UTF8_GROWTH × length bytes and lies elsewhere. Returns the bytes written. */
/*@ requires size:  length <= UINT32_MAX / 3;
    requires read:  \valid_read(in + (0 .. length - 1));
    requires write: \valid(out + (0 .. 3 * length - 1));
    requires apart: \separated(in + (0 .. length - 1), out + (0 .. 3 * length - 1));
    requires bytes: \forall integer j; 0 <= j < length ==> in[j] == H(sid, j);
    assigns  out[0 .. 3 * length - 1];
    ensures  size:  0 <= \result <= 3 * length; */
uint32_t es_utf8_decode(const uint8_t *in, uint32_t length, uint8_t *out) /*@ ghost (uint32_t sid) */;

/* The last place at or before `limit` where a character or a maximal ill-formed subpart of `in` ends; 0 if there is
 * none (R10). `in` begins where a character may begin; a character incomplete at its end has no end yet. */
/*@ requires read:  \valid_read(in + (0 .. length - 1));
    requires limit: limit <= length;
    requires bytes: \forall integer j; 0 <= j < length ==> in[j] == H(sid, j);
    assigns  \nothing;
    ensures  limit: 0 <= \result <= limit; */
uint32_t es_utf8_floor(const uint8_t *in, uint32_t length, uint32_t limit) /*@ ghost (uint32_t sid) */;

/* Whether `length` bytes are well-formed UTF-8 (R13). */
/*@ requires read:  \valid_read(in + (0 .. length - 1));
    requires bytes: \forall integer j; 0 <= j < length ==> in[j] == H(sid, j);
    assigns  \nothing;
    ensures  valid: \result != 0 <==> characters(sid, 0, length);
    ensures  yes:   \result != 0 ==> \exists integer good; parsed(sid, length, good, 0);
    ensures  flag:  \result == 0 || \result == 1; */
int es_utf8_valid(const uint8_t *in, uint32_t length) /*@ ghost (uint32_t sid) */;

#ifdef __cplusplus
}
#endif

#endif
