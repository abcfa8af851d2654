#include "utf8.h"

/* The byte begins something: a character of one byte, a longer one, or nothing. */
/*@ requires valid: \valid(u);
    requires state: utf8_state(u, sid, n, good, bad) && u->pending == 0;
    requires room:  n < UINT64_MAX && good < UINT64_MAX && bad < UINT64_MAX;
    requires byte:  b == H(sid, n);
    assigns  *u;
    ensures  state: utf8_state(u, sid, n + 1, good + (\result.character > 0 ? 1 : 0), bad + \result.bad);
    ensures  whole: \result.character > 0 ==> u->pending == 0 && character(sid, n, 1);
    ensures  none:  \result.bad > 0 ==> announced(H(sid, n)) == 0;
    ensures  count: \result.bad + \result.character + u->pending == 1; */
static es_utf8_step begin(es_utf8 *u, uint8_t b) /*@ ghost (uint32_t sid, uint64_t n, uint64_t good, uint64_t bad) */ {
  es_utf8_step step = {0, 0};
  if (b <= 0x7F) {
    //@ assert one: character(sid, n, 1);
    step.character = 1;
    //@ assert parsed(sid, n + 1, good + 1, bad);
    return step;
  }
  if (b < 0xC2 || b > 0xF4) {
    //@ assert none: announced(H(sid, n)) == 0;
    step.bad = 1;
    //@ assert parsed(sid, n + 1, good, bad + 1);
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
  //@ assert before: parsed(sid, n + 1 - u->pending, good, bad);
  //@ assert lead: begins(sid, n + 1 - u->pending, u->pending);
  //@ assert wanted: u->wanted == announced(b);
  //@ assert next: \forall integer c; (u->low <= c <= u->high) <==> second(b, c);
  return step;
}

es_utf8_step es_utf8_take(es_utf8 *u, uint8_t b)
/*@ ghost (uint32_t sid, uint64_t n, uint64_t good, uint64_t bad) */ {
  if (u->pending == 0) return begin(u, b) /*@ ghost (sid, n, good, bad) */;
  if (u->low <= b && b <= u->high) {
    es_utf8_step step = {0, 0};
    //@ assert longer: begins(sid, n - u->pending, u->pending + 1);
    u->pending++;
    u->low = 0x80;
    u->high = 0xBF;
    if (u->pending == u->wanted) {
      //@ assert all: character(sid, n + 1 - u->pending, u->pending);
      step.character = (uint8_t)u->pending;
      u->pending = 0;
      //@ assert parsed(sid, n + 1, good + 1, bad);
      return step;
    }
    //@ assert still: parsed(sid, n + 1 - u->pending, good, bad);
    return step;
  }
  //@ assert broken: !begins(sid, n - u->pending, u->pending + 1);
  //@ assert closed: parsed(sid, n, good, bad + 1);
  //@ assert none: !character(sid, n - u->pending, announced(H(sid, n - u->pending)));
  u->pending = 0;
  es_utf8_step step = begin(u, b) /*@ ghost (sid, n, good, (uint64_t)(bad + 1)) */;
  step.bad = (uint8_t)(step.bad + 1);
  return step;
}

/* U+FFFD. */
/*@ requires write: \valid(out + (0 .. 2));
    assigns  out[0 .. 2]; */
static void put_replacement(uint8_t *out) {
  out[0] = 0xEF;
  out[1] = 0xBF;
  out[2] = 0xBD;
}

uint32_t es_utf8_decode(const uint8_t *in, uint32_t length, uint8_t *out) /*@ ghost (uint32_t sid) */ {
  es_utf8 u = {0, 0, 0, 0};
  uint32_t written = 0;
  //@ ghost uint64_t good = 0;
  //@ ghost uint64_t bad = 0;
  /*@ loop invariant place: 0 <= i <= length;
      loop invariant state: utf8_state(&u, sid, i, good, bad);
      loop invariant few:   good + bad <= i - u.pending;
      loop invariant room:  written <= 3 * (i - u.pending);
      loop assigns i, u, written, good, bad, out[0 .. 3 * length - 1];
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    es_utf8_step step = es_utf8_take(&u, in[i]) /*@ ghost (sid, (uint64_t)i, good, bad) */;
    /*@ ghost good = (uint64_t)(good + (step.character > 0 ? 1 : 0)); */
    /*@ ghost bad = (uint64_t)(bad + step.bad); */
    if (step.bad > 0) {
      put_replacement(out + written);
      written += 3;
    }
    if (step.bad > 1) {
      put_replacement(out + written);
      written += 3;
    }
    /*@ loop invariant byte: 0 <= k <= step.character;
        loop invariant room: written + (step.character - k) <= 3 * (i + 1 - u.pending);
        loop assigns k, written, out[0 .. 3 * length - 1];
        loop variant step.character - k; */
    for (uint32_t k = 0; k < step.character; k++) {
      out[written] = in[i + 1 - step.character + k];
      written++;
    }
  }
  if (u.pending > 0) {
    put_replacement(out + written);
    written += 3;
  }
  return written;
}

uint32_t es_utf8_floor(const uint8_t *in, uint32_t length, uint32_t limit) /*@ ghost (uint32_t sid) */ {
  es_utf8 u = {0, 0, 0, 0};
  uint32_t end = 0;
  //@ ghost uint64_t good = 0;
  //@ ghost uint64_t bad = 0;
  /*@ loop invariant place: 0 <= i <= length;
      loop invariant state: utf8_state(&u, sid, i, good, bad);
      loop invariant few:   good + bad <= i - u.pending;
      loop invariant end:   0 <= end <= limit;
      loop assigns i, u, end, good, bad;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    uint32_t pending = u.pending;
    es_utf8_step step = es_utf8_take(&u, in[i]) /*@ ghost (sid, (uint64_t)i, good, bad) */;
    /*@ ghost good = (uint64_t)(good + (step.character > 0 ? 1 : 0)); */
    /*@ ghost bad = (uint64_t)(bad + step.bad); */
    if (i > limit) return end;
    if (pending > 0 && step.bad > 0) end = i;
    if (i + 1 - u.pending <= limit) end = i + 1 - u.pending;
  }
  return end;
}

int es_utf8_valid(const uint8_t *in, uint32_t length) /*@ ghost (uint32_t sid) */ {
  es_utf8 u = {0, 0, 0, 0};
  //@ ghost uint64_t good = 0;
  /*@ loop invariant place: 0 <= i <= length;
      loop invariant state: utf8_state(&u, sid, i, good, 0);
      loop invariant few:   good <= i - u.pending;
      loop invariant rest:  characters(sid, 0, length) <==> characters(sid, i - u.pending, length);
      loop assigns i, u, good;
      loop variant length - i; */
  for (uint32_t i = 0; i < length; i++) {
    //@ ghost uint32_t place = (uint32_t)(i - u.pending);
    es_utf8_step step = es_utf8_take(&u, in[i]) /*@ ghost (sid, (uint64_t)i, good, (uint64_t)0) */;
    //@ assert no: step.bad > 0 ==> !characters(sid, place, length);
    if (step.bad > 0) return 0;
    /*@ assert on: step.character > 0 ==> character(sid, place, step.character) &&
          step.character == announced(H(sid, place)) && place + step.character == i + 1; */
    //@ assert stays: step.character == 0 ==> place == i + 1 - u.pending;
    //@ assert next: step.character > 0 ==> (characters(sid, place, length) <==> characters(sid, i + 1, length));
    //@ assert rest: characters(sid, place, length) <==> characters(sid, i + 1 - u.pending, length);
    /*@ ghost good = (uint64_t)(good + (step.character > 0 ? 1 : 0)); */
  }
  return u.pending == 0;
}
