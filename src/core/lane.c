#include "lane.h"

#include "crc32c.h"

/* Statuses that are not looked at cannot be other than ES_OK: the lane has asked before. */

/*@ ghost
  /@ requires edge: edge(sid, e);
     assigns  \nothing;
     ensures  settled: settled(sid, e); @/
  void settle_edge(uint32_t sid, uint64_t e) {
    /@ assert start: settled(sid, 0) && 0 <= 0 < piece(sid, 0); @/
    /@ loop invariant place: 0 <= k <= e && covered(sid, k);
       loop assigns k;
       loop variant e - k; @/
    for (uint64_t k = 0; k < e; k++) {
      /@ assert next: covered(sid, k + 1); @/
    }
  }
*/

/* How far stops let the text be shown: L of R10, and what holds the rest. */
/*@ requires given:  lane_given(lane, ss, qs);
    requires state:  lane_memory(lane, ss, qs) && lane_reading(lane, sid, ids, at, ss, qs);
    assigns  \nothing;
    ensures  kind:   \result.kind == hold_kind(string_bytes(lane), sequence_bytes(lane, at), 0);
    ensures  index:  \result.index == hold_of(lane, ss, qs, \result.kind);
    ensures  L:      0 <= \result.bytes <= lane->guard.taken &&
                     lane->guard.taken - \result.bytes == (lane->request->include_stop ? lane->guard.taken :
                       before_stops(at, lane->guard.taken, lane->limits.taken, lane->string_hold, lane->sequence_hold));
    ensures  none:   \result.kind == ES_HOLD_NOTHING ==> \result.bytes == 0;
    ensures  string: \result.kind == ES_HOLD_STRING ==> \result.bytes == lane->string_hold > 0 && !inclusive(ss);
    ensures  some:   \result.kind == ES_HOLD_SEQUENCE ==> \result.bytes > 0 && !inclusive(ss); */
static es_hold
stop_hold(const es_lane *lane) /*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ss, uint32_t qs) */ {
  es_hold hold = {ES_HOLD_NOTHING, 0, 0};
  if (lane->request->include_stop) return hold;
  //@ assert lists: \valid_read(lane->strings->stops + (0 .. lane->strings->count - 1));
  //@ assert ids: \valid_read(lane->sequences->stops + (0 .. lane->sequences->count - 1));
  if (lane->string_hold > 0) {
    hold.kind = ES_HOLD_STRING;
    //@ assert holder: lane->string_holder < stops(ss) == lane->strings->count;
    hold.index = lane->strings->stops[lane->string_holder].index;
    hold.bytes = lane->string_hold;
  }
  if (lane->sequence_hold > 0) {
    //@ assert place: lane->sequence_place <= lane->guard.taken;
    uint64_t bytes = lane->guard.taken - lane->sequence_place;
    if (bytes > hold.bytes) {
      hold.kind = ES_HOLD_SEQUENCE;
      //@ assert holder: lane->sequence_holder < stops(qs) == lane->sequences->count;
      hold.index = lane->sequences->stops[lane->sequence_holder].index;
      hold.bytes = bytes;
    }
  }
  return hold;
}

es_hold es_lane_hold(const es_lane *lane)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  es_hold hold = stop_hold(lane) /*@ ghost (sid, ids, at, ss, qs) */;
  const es_guard *g = &lane->guard;
  //@ ghost uint64_t n = g->taken;
  //@ ghost uint64_t a = n - lane->character.pending;
  /*@ assert exact: \forall integer hs, hq; hold_exact(sid, n, ss, hs) && hold_exact(ids, lane->limits.taken, qs, hq) ==>
        hs == lane->string_hold && hq == lane->sequence_hold; */
  //@ assert shown: hold.bytes <= n - g->allowed && lane->character.pending <= n - g->allowed;
  //@ assert last: ends(sid, n, a);
  //@ assert settled: settled(sid, a);
  /*@ assert open_character: lane->character.pending > 0 ==> incomplete(sid, n, lane->character.pending) &&
        begins(sid, a, lane->character.pending) && n <= a + piece(sid, a); */
  //@ assert inside: \forall integer e; a < e < n ==> !edge(sid, e);
  //@ assert none: \forall integer e; a < e ==> !ends(sid, n, e);
  if (hold.bytes < lane->character.pending) {
    hold.kind = ES_HOLD_CHARACTER;
    hold.index = 0;
    hold.bytes = lane->character.pending;
    //@ assert character_edge: settled(sid, n - hold.bytes);
    //@ assert character: may_show(sid, ids, at, ss, qs, n, lane->limits.taken, n - hold.bytes);
    return hold;
  }
  /* A stop string begins where a character begins, a sequence may begin inside one: then the whole of it waits. */
  if (hold.kind == ES_HOLD_SEQUENCE) {
    uint64_t known = g->allowed - g->sent;
    uint32_t rest = (uint32_t)(g->held - known);
    uint32_t limit = (uint32_t)(rest - hold.bytes);
    //@ assert all: g->allowed + rest == n && g->allowed + limit == n - hold.bytes;
    uint32_t end = es_utf8_floor(g->text + known, rest, limit) /*@ ghost (sid, g->allowed) */;
    hold.bytes = rest - end;
    //@ assert place: g->allowed + end <= n - hold.bytes <= g->allowed + end;
    //@ assert sequence_edge: settled(sid, n - hold.bytes);
    //@ assert sequence: may_show(sid, ids, at, ss, qs, n, lane->limits.taken, n - hold.bytes);
    return hold;
  }
  if (hold.kind == ES_HOLD_STRING) {
    //@ assert held: held(sid, n, ss, lane->string_holder, hold.bytes);
    //@ assert suffix: suffix(sid, n, ss, lane->string_holder, hold.bytes);
    //@ assert lead: H(sid, n - hold.bytes) == symbol(ss, lane->string_holder, 0);
    //@ assert begins: edge(sid, n - hold.bytes);
    //@ ghost settle_edge(sid, (uint64_t)(n - hold.bytes));
    //@ assert string_edge: settled(sid, n - hold.bytes);
    //@ assert string: may_show(sid, ids, at, ss, qs, n, lane->limits.taken, n - hold.bytes);
    return hold;
  }
  //@ assert nothing_edge: settled(sid, n - hold.bytes);
  //@ assert nothing: may_show(sid, ids, at, ss, qs, n, lane->limits.taken, n);
  return hold;
}

/* Reads what is there at a boundary: ends the lane, or lets all text be shown but `held` bytes (R9, R10, R16). */
/*@ requires state:  lane_state(lane, sid, ids, at, ts, ss, qs) && lane->due == 0 && !lane->offered;
    requires open:   lane->end.cause == ES_CAUSE_OPEN;
    requires held:   lane->natural.cause == ES_CAUSE_OPEN ==>
                       lane->character.pending <= held <= lane->guard.taken - lane->guard.allowed &&
                       settled(sid, lane->guard.taken - held) &&
                       (!inclusive(ss) ==> lane->guard.taken - held <=
                          before_stops(at, lane->guard.taken, lane->limits.taken, lane->string_hold,
                                       lane->sequence_hold));
    assigns  lane->end.cause, lane->end.cut, lane->guard.state, lane->guard.cut, lane->guard.allowed, lane->guard.held;
    ensures  state:  lane_state(lane, sid, ids, at, ts, ss, qs);
    ensures  R9:     lane->natural.cause != ES_CAUSE_OPEN && !there.external ==>
                       lane->end.cause == lane->natural.cause && lane->end.cut == lane->natural.cut;
    ensures  R16:    there.external ==>
                       (\let cut = external_cut(there.external_cut, \old(lane->guard.allowed), lane->guard.taken);
                        lane->natural.cause != ES_CAUSE_OPEN && lane->natural.cut <= cut ?
                          lane->end.cause == lane->natural.cause && lane->end.cut == lane->natural.cut :
                          lane->end.cause == ES_CAUSE_EXTERNAL && lane->end.cut == cut);
    ensures  others: lane->natural.cause == ES_CAUSE_OPEN && !there.external ==>
                       lane->end.cause == (there.abort ? ES_CAUSE_ABORT : there.deadline ? ES_CAUSE_DEADLINE :
                         ES_CAUSE_OPEN) &&
                       (lane->end.cause != ES_CAUSE_OPEN ==> lane->end.cut == lane->guard.taken);
    ensures  open:   lane->end.cause == ES_CAUSE_OPEN ==> lane->natural.cause == ES_CAUSE_OPEN &&
                       lane->guard.allowed == lane->guard.taken - held;
    ensures  ending: lane->end.cause != ES_CAUSE_OPEN ==> lane->guard.state == ES_GUARD_ENDING;
    ensures  shown:  lane->guard.allowed >= \old(lane->guard.allowed); */
static void decide(es_lane *lane, es_boundary there, uint64_t held)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  es_guard *g = &lane->guard;
  es_end end = es_arbiter_boundary(lane->natural, there, g->allowed, g->taken);
  //@ assert external: there.external <==> at_boundary(there, ES_CAUSE_EXTERNAL);
  //@ assert abort: there.abort <==> at_boundary(there, ES_CAUSE_ABORT);
  //@ assert deadline: there.deadline <==> at_boundary(there, ES_CAUSE_DEADLINE);
  if (end.cause != ES_CAUSE_OPEN) {
    //@ assert cut: g->allowed <= end.cut <= g->taken;
    lane->end.cause = end.cause;
    lane->end.cut = end.cut;
    es_guard_end(g, end.cut);
    //@ assert ended_counts: lane_counts(lane, ts);
    //@ assert ended_text: lane_text(lane, sid);
    //@ assert ended_state: lane_state(lane, sid, ids, at, ts, ss, qs);
    return;
  }
  //@ assert open: lane->natural.cause == ES_CAUSE_OPEN;
  es_guard_allow(g, g->taken - held);
  //@ assert open_text: lane_text(lane, sid);
  //@ assert open_reading: lane_reading(lane, sid, ids, at, ss, qs);
  //@ assert open_state: lane_state(lane, sid, ids, at, ts, ss, qs);
}

/* Closes the step before a boundary: what is due now (R11, R12). Before the first boundary there was no step. */
/*@ requires state: lane_state(lane, sid, ids, at, ts, ss, qs) && lane->due == 0 && !lane->offered;
    requires over:  lane->end.cause != ES_CAUSE_OPEN ==> lane->guard.state == ES_GUARD_ENDING;
    assigns  lane->guard.step, lane->guard.tokens, lane->guard.waiting, lane->guard.since, lane->due, lane->boundary,
             lane->step_tokens;
    ensures  count: lane->step_tokens == 0 && lane->boundary ==
                      (\old(lane->boundary) < INT32_MAX ? \old(lane->boundary) + 1 : \old(lane->boundary));
    ensures  R12:   lane->end.cause != ES_CAUSE_OPEN ==> lane->due == lane->guard.held;
    ensures  state: lane_state(lane, sid, ids, at, ts, ss, qs);
    behavior first:
      assumes  first:  lane->boundary == 0;
      ensures  R11:    lane->due == 0 && lane->guard.step == \old(lane->guard.step) &&
                         lane->guard.tokens == \old(lane->guard.tokens) &&
                         (lane->guard.waiting <==> \old(lane->guard.waiting)) &&
                         lane->guard.since == \old(lane->guard.since);
    behavior later:
      assumes  later:  lane->boundary > 0;
      ensures  R11:    lane->end.cause == ES_CAUSE_OPEN ==> lane_due(lane, now);
      ensures  counts: step_counted(lane->guard.step, \old(lane->guard.step), lane->guard.flush.n, lane->guard.tokens,
                                    \old(lane->guard.tokens) + \old(lane->step_tokens));
      ensures  waits:  (lane->guard.waiting <==> \old(lane->guard.waiting) ||
                          (lane->end.cause == ES_CAUSE_OPEN && lane->guard.allowed > lane->guard.sent)) &&
                         lane->guard.since == (lane->guard.waiting && !\old(lane->guard.waiting) ? now :
                                                 \old(lane->guard.since));
    complete behaviors; disjoint behaviors; */
static void close_step(es_lane *lane, uint64_t now)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  uint32_t tokens = lane->step_tokens;
  lane->step_tokens = 0;
  if (lane->boundary == 0) {
    lane->boundary = 1;
    //@ assert first_state: lane_state(lane, sid, ids, at, ts, ss, qs);
    return;
  }
  if (lane->boundary < INT32_MAX) lane->boundary++;
  lane->due = es_guard_step(&lane->guard, tokens, now);
  //@ assert later_counts: lane_counts(lane, ts);
  //@ assert later_text: lane_text(lane, sid);
  //@ assert later_state: lane_state(lane, sid, ids, at, ts, ss, qs);
}

es_status es_lane_boundary(es_lane *lane, es_boundary there, uint64_t now)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  if (lane->end.cause != ES_CAUSE_OPEN) return ES_ENDED;
  there.deadline = lane->request->deadline_steps != ES_NO_LIMIT && lane->boundary >= lane->request->deadline_steps;
  /*@ assert deadline: there.deadline <==> lane->request->deadline_steps != ES_NO_LIMIT &&
        lane->boundary >= lane->request->deadline_steps; */
  uint64_t held = 0;
  if (lane->natural.cause == ES_CAUSE_OPEN) {
    es_hold hold = es_lane_hold(lane) /*@ ghost (sid, ids, at, ts, ss, qs) */;
    held = hold.bytes;
  }
  lane->due = 0;
  lane->offered = false; /* an offer that was not answered is void: more may be due now */
  //@ assert nothing: lane_state(lane, sid, ids, at, ts, ss, qs);
  decide(lane, there, held) /*@ ghost (sid, ids, at, ts, ss, qs) */;
  /*@ assert shown: lane->end.cause == ES_CAUSE_OPEN ==>
        may_show(sid, ids, at, ss, qs, lane->guard.taken, lane->limits.taken, lane->guard.allowed); */
  close_step(lane, now) /*@ ghost (sid, ids, at, ts, ss, qs) */;
  //@ assert same: lane->request->deadline_steps == \at(lane->request->deadline_steps, Pre);
  return ES_OK;
}

/* Text that was made, and the checksum of all text up to its end. */
typedef struct {
  uint32_t bytes;
  uint32_t crc32c;
} es_part;

/* Makes text of the next bytes of R, and sums it on. Ghost: R and the bytes of it that were sent, the text and the bytes
 * of it that were shown. */
/*@ requires size:   length <= UINT32_MAX / 3 && sent + length <= UINT64_MAX / 32 && shown <= 3 * sent;
    requires read:   \valid_read(in + (0 .. length - 1));
    requires write:  \valid(out + (0 .. 3 * length - 1));
    requires apart:  \separated(in + (0 .. length - 1), out + (0 .. 3 * length - 1));
    requires edge:   settled(sid, sent);
    requires bytes:  \forall integer j; 0 <= j < length ==> in[j] == H(sid, sent + j);
    requires sum:    checksum(ts, shown, crc32c);
    requires joined: \forall integer k; 0 <= k < text_length(sid, sent, sent + length) ==>
                       H(ts, shown + k) == text_byte(sid, sent, sent + length, k);
    assigns  out[0 .. 3 * length - 1];
    ensures  size:   0 <= \result.bytes <= 3 * length;
    ensures  text:   text_of(out, \result.bytes, sid, sent, sent + length);
    ensures  sum:    checksum(ts, shown + \result.bytes, \result.crc32c); */
static es_part render(const uint8_t *in, uint32_t length, uint8_t *out, uint32_t crc32c)
/*@ ghost (uint32_t sid, uint64_t sent, uint32_t ts, uint64_t shown) */ {
  uint32_t bytes = es_utf8_decode(in, length, out) /*@ ghost (sid, sent) */;
  //@ assert next: \forall integer k; 0 <= k < bytes ==> out[k] == H(ts, shown + k);
  es_part part = {bytes, es_crc32c(crc32c, out, bytes) /*@ ghost (ts, shown) */};
  return part;
}

es_status es_lane_offer(es_lane *lane, uint8_t *out, uint32_t room, uint32_t *length)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  uint32_t due = lane->due;
  //@ ghost uint64_t sent = lane->guard.sent;
  //@ ghost uint64_t shown = lane->shown_bytes;
  *length = 0;
  lane->offered = false;
  if (due == 0) return ES_OK;
  if (due > room / ES_UTF8_GROWTH) return ES_FULL;
  //@ assert edge: settled(sid, sent);
  es_part part = render(lane->guard.text, due, out, lane->shown_crc32c) /*@ ghost (sid, sent, ts, shown) */;
  lane->offer_crc32c = part.crc32c;
  lane->offer_bytes = part.bytes;
  lane->offered = true;
  *length = part.bytes;
  //@ assert same: lane->guard.sent == sent && lane->due == due && *length == part.bytes;
  //@ assert text: text_of(out, part.bytes, sid, sent, sent + due);
  return ES_OK;
}

es_status es_lane_answer(es_lane *lane, es_answer answer)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  if (!lane->offered) return ES_MISUSE;
  es_guard *g = &lane->guard;
  uint32_t due = lane->due;
  //@ assert due: 0 < due == g->allowed - g->sent <= g->held;
  //@ assert open: g->state == ES_GUARD_OPEN || g->state == ES_GUARD_ENDING;
  lane->offered = false;
  if (answer == ES_ANSWER_LATER) {
    if (lane->end.cause == ES_CAUSE_OPEN) lane->due = 0;
    es_guard_answer(g, due, ES_ANSWER_LATER) /*@ ghost (sid) */;
    //@ assert later_counts: lane_counts(lane, ts);
    //@ assert later_text: lane_text(lane, sid);
    //@ assert later_state: lane_state(lane, sid, ids, at, ts, ss, qs);
    return ES_OK;
  }
  lane->due = 0;
  es_guard_answer(g, due, answer) /*@ ghost (sid) */;
  if (answer == ES_ANSWER_OK) {
    lane->shown_bytes += lane->offer_bytes;
    lane->shown_crc32c = lane->offer_crc32c;
    //@ assert all: g->sent == g->allowed;
    //@ assert ok_counts: lane_counts(lane, ts);
    //@ assert ok_text: lane_text(lane, sid);
    //@ assert ok_state: lane_state(lane, sid, ids, at, ts, ss, qs);
    return ES_OK;
  }
  if (lane->end.cause == ES_CAUSE_OPEN) {
    lane->end.cause = ES_CAUSE_DISCONNECT;
    lane->end.cut = lane->guard.sent;
  }
  //@ assert gone_counts: lane_counts(lane, ts);
  //@ assert gone_text: lane_text(lane, sid);
  //@ assert gone_state: lane_state(lane, sid, ids, at, ts, ss, qs);
  return ES_OK;
}

bool es_lane_terminal(es_lane *lane, es_terminal *terminal)
/*@ ghost (uint32_t sid, uint32_t ids, uint32_t at, uint32_t ts, uint32_t ss, uint32_t qs) */ {
  if (!es_guard_terminal(&lane->guard)) return false;
  terminal->end.cause = lane->end.cause;
  terminal->end.cut = lane->end.cut;
  terminal->stop_index = lane->stop_index;
  terminal->stop_id = lane->stop_id;
  terminal->tokens = lane->limits.taken;
  terminal->bytes = lane->shown_bytes;
  terminal->crc32c = lane->shown_crc32c;
  return true;
}
