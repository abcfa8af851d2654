#include "matcher.h"

#ifdef __FRAMAC__
#include "stops_steps.acsl.h"
#endif

/* One stop: the longest prefix of it at the end of the stream, the whole included, after symbol c. */
/*@ requires stop:  wf(ss) && 0 <= i < stops(ss);
    requires read:  \valid_read(s + (0 .. size(ss, i))) && \valid_read(f + (0 .. size(ss, i)));
    requires rep:   stop_symbols(s, ss, i) && stop_borders(f, ss, i);
    requires state: progress(sid, n, ss, i, m);
    requires next:  0 <= c == H(sid, n);
    assigns  \nothing;
    ensures  state: progress(sid, n + 1, ss, i, \result); */
static uint32_t advance(const int32_t *s, const uint32_t *f, uint32_t m, int32_t c)
/*@ ghost (uint32_t sid, uint64_t n, uint32_t ss, uint32_t i) */ {
  uint32_t k = m;
  /*@ loop invariant place: 0 <= k <= size(ss, i) && suffix(sid, n, ss, i, k);
      loop invariant best:  \forall integer l;
                              k < l < size(ss, i) && suffix(sid, n, ss, i, l) ==> symbol(ss, i, l) != c;
      loop assigns k;
      loop variant k; */
  while (k > 0 && s[k] != c) {
    //@ assert between: \forall integer l; f[k] < l < k && suffix(sid, n, ss, i, l) ==> border(ss, i, k, l);
    //@ assert falls: border(ss, i, k, f[k]);
    k = f[k];
  }
  /*@ assert down: \forall integer l; 1 <= l && suffix(sid, n + 1, ss, i, l) ==>
        suffix(sid, n, ss, i, l - 1) && symbol(ss, i, l - 1) == c; */
  if (s[k] == c) {
    //@ assert up: suffix(sid, n + 1, ss, i, k + 1);
    k++;
    //@ assert grown: progress(sid, n + 1, ss, i, k);
    return k;
  }
  //@ assert nothing: k == 0 && suffix(sid, n + 1, ss, i, 0);
  //@ assert gone: progress(sid, n + 1, ss, i, k);
  return k;
}

void es_matcher_reset(uint16_t *progress_of, uint32_t count) /*@ ghost (uint32_t sid, uint32_t ss) */ {
  /*@ loop invariant place: 0 <= i <= count;
      loop invariant state: \forall integer t; 0 <= t < i ==> progress_of[t] == 0;
      loop assigns i, progress_of[0 .. count - 1];
      loop variant count - i; */
  for (uint32_t i = 0; i < count; i++) progress_of[i] = 0;
}

/* The longest proper border of a whole stop: what goes on when it is complete (R6). */
/*@ requires stop: 1 <= length == size(ss, i) && \valid_read(f + (0 .. length)) && stop_borders(f, ss, i);
    assigns  \nothing;
    ensures  most: longest_border(ss, i, size(ss, i), \result); */
static uint32_t whole_border(const uint32_t *f, uint32_t length) /*@ ghost (uint32_t ss, uint32_t i) */ {
  return f[length];
}

/* Whether stop a counts before stop b, where a comes after b in the request and both complete (R3). */
/*@ requires valid: \valid_read(a) && \valid_read(b);
    assigns  \nothing;
    ensures  before: \result != 0 <==> a->priority > b->priority ||
                       (a->priority == b->priority && a->length > b->length); */
static int beats(const es_live_stop *a, const es_live_stop *b) {
  return a->priority > b->priority || (a->priority == b->priority && a->length > b->length);
}

es_match es_matcher_take(uint16_t *progress_of, const es_stop_set *compiled, int32_t c)
/*@ ghost (uint32_t sid, uint64_t n, uint32_t ss) */ {
  es_match match = {-1, 0, 0};
  /*@ loop invariant place:  0 <= i <= compiled->count;
      loop invariant index:  -1 <= match.stop < i;
      loop invariant rest:   \forall integer t; i <= t < stops(ss) ==> progress(sid, n, ss, t, progress_of[t]);
      loop invariant state:  \forall integer t; 0 <= t < i ==> progress(sid, n + 1, ss, t, progress_of[t]);
      loop invariant none:   match.stop == -1 ==> \forall integer t; 0 <= t < i ==> !completes(sid, n + 1, ss, t);
      loop invariant first:  match.stop >= 0 ==> completes(sid, n + 1, ss, match.stop) &&
        \forall integer t; 0 <= t < i && completes(sid, n + 1, ss, t) ==> before(ss, match.stop, t);
      loop invariant holder: match.hold > 0 ==> match.holder < i && held(sid, n + 1, ss, match.holder, match.hold) &&
        \forall integer t; held(sid, n + 1, ss, t, match.hold) ==> match.holder <= t;
      loop invariant most:   \forall integer t, l; 0 <= t < i && held(sid, n + 1, ss, t, l) ==> l <= match.hold;
      loop assigns i, match, progress_of[0 .. compiled->count - 1];
      loop variant compiled->count - i; */
  for (uint32_t i = 0; i < compiled->count; i++) {
    const es_live_stop *stop = compiled->stops + i;
    const uint32_t *borders = compiled->borders + stop->offset;
    uint32_t length = stop->length;
    //@ assert rep: stop_symbols(compiled->symbols + stop->offset, ss, i) && stop_borders(borders, ss, i);
    uint32_t m = advance(compiled->symbols + stop->offset, borders, progress_of[i], c) /*@ ghost (sid, n, ss, i) */;
    progress_of[i] = (uint16_t)m;
    uint32_t prefix = m;
    if (m == length) {
      //@ assert complete: completes(sid, n + 1, ss, i);
      prefix = whole_border(borders, length) /*@ ghost (ss, i) */;
      if (match.stop < 0 || beats(stop, compiled->stops + match.stop)) {
        match.stop = (int32_t)i;
        //@ assert chosen: \forall integer t; 0 <= t <= i && completes(sid, n + 1, ss, t) ==> before(ss, i, t);
      } else {
        //@ assert stays: before(ss, match.stop, i);
      }
      //@ assert inner: held(sid, n + 1, ss, i, prefix);
      //@ assert inner_most: \forall integer l; held(sid, n + 1, ss, i, l) ==> border(ss, i, length, l) && l <= prefix;
    } else {
      //@ assert incomplete: !completes(sid, n + 1, ss, i);
      //@ assert outer: held(sid, n + 1, ss, i, prefix);
      //@ assert outer_most: \forall integer l; held(sid, n + 1, ss, i, l) ==> l <= prefix;
    }
    if (prefix > match.hold) {
      match.hold = prefix;
      match.holder = i;
    }
  }
  return match;
}
