/* Logic of R1 to R12 for a whole lane (see spec/lane.md): what its bytes and ids say, and how a lane in memory goes with
 * them.
 *
 * A lane has four streams: sid, the bytes of R; ids, its tokens; at, the places in R where they begin; ts, the text that
 * is shown. Its request is two stop sets: ss, the strings, and qs, the sequences. Included by lane.h after its types. */
#ifndef ES_LANE_ACSL_H
#define ES_LANE_ACSL_H

#include "crc32c.acsl.h"
#include "limits.acsl.h"
#include "stops.acsl.h"
#include "utf8_laws.acsl.h"

/*@
  axiomatic Asked {
    predicate inclusive(integer ss) reads \nothing;       // stops are included (R4)
    logic integer minimum(integer ss) reads \nothing;     // min_tokens (R6)
  }

  // a stop string begins with a character: it was checked to be UTF-8 (R13)
  predicate begins_whole(integer ss) = \forall integer i; 0 <= i < stops(ss) ==> !continuation(symbol(ss, i, 0));

  // the first n tokens begin in R one after the other, and none behind `taken`
  predicate rising(integer at, integer n, integer taken) =
    \forall integer t, u; 0 <= t <= u < n ==> 0 <= H(at, t) <= H(at, u) <= taken;

  lemma rising_wider: \forall integer at, n, a, b; rising(at, n, a) && a <= b ==> rising(at, n, b);
  lemma rising_next: \forall integer at, n, m, taken; rising(at, n, taken) && taken <= H(at, n) <= taken && 0 <= taken &&
    n + 1 <= m <= n + 1 ==> rising(at, m, taken);

  // R2, R3: p is the first place after a and up to b where a stop completes
  predicate first_place(integer sid, integer a, integer b, integer ss, integer p) =
    a < p <= b && !no_stop(sid, p, ss) && \forall integer q; a < q < p ==> no_stop(sid, q, ss);
  predicate nowhere(integer sid, integer a, integer b, integer ss) =
    \forall integer p; a < p <= b ==> no_stop(sid, p, ss);

  // R2 to R4: what a stop string that completes after a and up to b makes of the lane
  predicate string_end(integer sid, integer a, integer b, integer ss, integer index, integer cut) =
    \exists integer i, p; first_place(sid, a, b, ss, p) && first_stop(sid, p, ss, i) && index == source(ss, i) &&
      (inclusive(ss) ? cut == p : cut == p - size(ss, i));

  // R5: what a stop sequence that completes at n ids makes of a lane that has `taken` bytes then
  predicate sequence_end(integer ids, integer at, integer n, integer taken, integer ss, integer qs, integer index,
                         integer cut) =
    \exists integer i; first_stop(ids, n, qs, i) && index == source(qs, i) &&
      (inclusive(ss) ==> cut == taken) && (!inclusive(ss) ==> cut == H(at, n - size(qs, i)));

  // R6: bytes of R before the first token whose ends count, of n tokens and `taken` bytes
  logic integer counted_from(integer at, integer n, integer min_tokens, integer taken) =
    n > min_tokens ? H(at, min_tokens) : taken;

  // R10: L, where hs bytes at the end of R begin a stop string, and hq ids at the end of n begin a stop sequence
  logic integer before_sequence(integer at, integer taken, integer n, integer hq) = hq > 0 ? H(at, n - hq) : taken;
  logic integer before_stops(integer at, integer taken, integer n, integer hs, integer hq) =
    taken - hs <= before_sequence(at, taken, n, hq) ? taken - hs : before_sequence(at, taken, n, hq);

  // R10: of R, which has `taken` bytes in n tokens, the first f may be shown, and not a byte more or less
  predicate may_show(integer sid, integer ids, integer at, integer ss, integer qs, integer taken, integer n, integer f) =
    \forall integer hs, hq; hold_exact(sid, taken, ss, hs) && hold_exact(ids, n, qs, hq) ==>
      (inclusive(ss) ==> frontier(sid, taken, taken, f)) &&
      (!inclusive(ss) ==> frontier(sid, taken, before_stops(at, taken, n, hs, hq), f));

  lemma sequence_end_is: \forall integer ids, at, n, taken, ss, qs, cut, i; first_stop(ids, n, qs, i) &&
    (inclusive(ss) ==> cut == taken) && (!inclusive(ss) ==> cut == H(at, n - size(qs, i))) ==>
    sequence_end(ids, at, n, taken, ss, qs, source(qs, i), cut);
  lemma remainder: \forall integer j, m; 0 <= j && 0 < m ==> 0 <= j % m < m;
  lemma hold_unique: \forall integer sid, n, ss, a, b; hold_exact(sid, n, ss, a) && hold_exact(sid, n, ss, b) ==> a == b;
  lemma held_down: \forall integer sid, n, m, ss, i, l; suffix(sid, m, ss, i, l) && n == m - 1 && 1 <= l <= size(ss, i) &&
    0 <= i < stops(ss) ==> held(sid, n, ss, i, l - 1);
  lemma hold_grows: \forall integer sid, n, m, ss, a, i, l; hold_exact(sid, n, ss, a) && suffix(sid, m, ss, i, l) &&
    m == n + 1 && 1 <= l <= size(ss, i) && 0 <= i < stops(ss) ==> held(sid, n, ss, i, l - 1) && l - 1 <= a;

  predicate lane_set{L}(es_stop_set *compiled, integer ss) =
    wf(ss) && set_valid(compiled) && stops_rep(compiled, ss) &&
    \forall integer i; 0 <= i < stops(ss) ==> compiled->stops[i].index == source(ss, i);

  // what a lane only reads: its request and its compiled stops
  predicate lane_given{L}(es_lane *lane, integer ss, integer qs) =
    request_valid(lane->request) && (lane->request->include_stop <==> inclusive(ss)) &&
    lane->request->min_tokens == minimum(ss) &&
    lane_set(lane->strings, ss) && begins_whole(ss) && lane_set(lane->sequences, qs) &&
    (\forall integer i; 0 <= i < stops(qs) ==> size(qs, i) <= lane->memory.start_count) &&
    \separated(lane->memory.string_progress + (0 .. stops(ss) - 1), lane->strings) &&
    \separated(lane->memory.sequence_progress + (0 .. stops(qs) - 1), lane->sequences);

  // what it writes: all there, all apart
  predicate lane_store{L}(es_lane *lane, int64_t *starts, integer start_count, uint16_t *strings, integer ss,
                          uint16_t *sequences, integer qs, uint8_t *text, integer capacity) =
    \valid(lane) && start_count >= 1 && \valid(starts + (0 .. start_count - 1)) &&
    \valid(strings + (0 .. stops(ss) - 1)) && \valid(sequences + (0 .. stops(qs) - 1)) &&
    \valid(text + (0 .. capacity - 1)) &&
    \separated(lane, starts + (0 .. start_count - 1), strings + (0 .. stops(ss) - 1),
               sequences + (0 .. stops(qs) - 1), text + (0 .. capacity - 1));
  predicate lane_loop{L}(es_lane *lane, int32_t *ids, int32_t *runs, integer max_period, integer min_repeats) =
    max_period > 0 ==>
      min_repeats >= 2 && max_period * min_repeats <= INT32_MAX &&
      \valid(ids + (0 .. max_period - 1)) && \valid(runs + (0 .. max_period - 1)) &&
      \separated(lane, ids + (0 .. max_period - 1), runs + (0 .. max_period - 1));
  // how far it came
  predicate lane_at(integer n, integer prompt, integer step_tokens, integer boundary, integer taken, integer sent,
                    integer tokens, integer step, integer every, integer shown, integer due) =
    n <= INT32_MAX && prompt <= INT32_MAX && step_tokens <= n && boundary <= INT32_MAX && tokens <= INT32_MAX &&
    step < every && taken <= UINT64_MAX / 32 && shown <= 3 * sent &&
    (boundary == 0 ==> n == 0 && taken == 0 && due == 0);

  // how text and end go together (T4, T7)
  predicate ends_at(integer sid, integer cause, integer natural, integer natural_cut, integer cut, integer state,
                    integer guard_cut, integer allowed, integer taken, integer sent, integer held, integer due) =
    (cause == ES_CAUSE_OPEN <==> state == ES_GUARD_OPEN) &&
    (cause == ES_CAUSE_OPEN && natural != ES_CAUSE_OPEN ==> allowed <= natural_cut <= taken) &&
    (cause == ES_CAUSE_OPEN ==> settled(sid, allowed)) &&
    (cause == ES_CAUSE_OPEN || held > 0 ==> settled(sid, sent)) &&
    (state == ES_GUARD_ENDING || state == ES_GUARD_DONE ==> guard_cut == cut) &&
    (due > 0 ==> due == allowed - sent <= held);

  // R10: of the stops that the last `hold` symbols begin, the first
  predicate first_holder(integer sid, integer n, integer ss, integer holder, integer hold) =
    held(sid, n, ss, holder, hold) && \forall integer i; held(sid, n, ss, i, hold) ==> holder <= i;

  // what a matcher and its lane know after n symbols (T1, T3)
  predicate matched{L}(uint16_t *progress_of, integer sid, integer n, integer ss, integer hold, integer holder) =
    matching(progress_of, sid, n, ss) && hold_exact(sid, n, ss, hold) &&
    (hold > 0 ==> first_holder(sid, n, ss, holder, hold));

  // where the last of n tokens begin
  predicate begun{L}(int64_t *starts, integer start_count, integer at, integer n) =
    \forall integer t; 0 <= t < n && n - t <= start_count ==> starts[t % start_count] == H(at, t);

  // what was allowed stays within what may be shown
  predicate shown_within(integer at, integer allowed, integer taken, integer n, integer pending, integer hs, integer hq,
                         integer ss) =
    allowed + pending <= taken &&
    (!inclusive(ss) ==> allowed + hs <= taken && allowed <= before_sequence(at, taken, n, hq));

  // after n tokens with `taken` bytes, none of which brought an end: what matchers, characters and starts know is exact
  // (T1, T3), and what was allowed stays within what may be shown
  predicate reading{L}(uint16_t *string_progress, uint16_t *sequence_progress, int64_t *starts, integer start_count,
                       integer sid, integer ids, integer at, integer ss, integer qs, integer n, integer taken,
                       integer allowed, integer string_hold, integer string_holder, integer sequence_hold,
                       integer sequence_holder, integer sequence_place, integer pending, integer wanted,
                       integer low, integer high) =
    matched(string_progress, sid, taken, ss, string_hold, string_holder) &&
    matched(sequence_progress, ids, n, qs, sequence_hold, sequence_holder) &&
    (sequence_hold > 0 ==> sequence_place == H(at, n - sequence_hold)) &&
    utf8_place(sid, taken, pending, wanted, low, high) &&
    rising(at, n, taken) && begun(starts, start_count, at, n) &&
    shown_within(at, allowed, taken, n, pending, string_hold, sequence_hold, ss) &&
    nowhere(sid, counted_from(at, n, minimum(ss), taken), taken, ss) && nowhere(ids, minimum(ss), n, qs);

  // the last ids, and how they repeat (R7)
  predicate looping{L}(int32_t *last, int32_t *runs, integer max_period, integer ids, integer n) =
    max_period > 0 ==> last_ids(last, max_period, ids, n) && all_runs(runs, 0, max_period, ids, n);

  // R5: token n, from 1, ends a lane by what it is
  predicate listed{L}(uint32_t *list, integer count, integer id) = \exists integer i; 0 <= i < count && list[i] == id;
  predicate eos_at{L}(es_request *r, integer n, integer id) =
    n > r->min_tokens && !r->ignore_eos && listed(r->eos_ids, r->eos_id_count, id);
  predicate stop_token{L}(es_request *r, integer id) =
    listed(r->stop_ids, r->stop_id_count, id) ||
    \exists integer i; 0 <= i < r->sequence_count && r->sequences[i].length == 1 &&
      r->sequence_ids[r->sequences[i].offset] == id;
  predicate stop_token_at{L}(es_request *r, integer n, integer id) = n > r->min_tokens && stop_token(r, id);

  // R1: bytes of a token that are visible
  logic integer visible{L}(es_lane_token *token, es_request *r) =
    token->special && r->skip_special ? 0 : token->length;

  // what is said of a token with this id and so many visible bytes, to a lane that has room for so many
  logic integer take_answer(integer cause, integer natural, integer boundary, integer id, integer taken,
                            integer bytes, integer room) =
    cause != ES_CAUSE_OPEN || natural != ES_CAUSE_OPEN ? ES_ENDED : boundary == 0 || id > INT32_MAX ? ES_MISUSE :
    taken >= INT32_MAX || bytes > room ? ES_FULL : ES_OK;

  // R10: what holds bytes back, where s bytes may be of a stop string, q of a stop sequence, and the last c are a
  // character still incomplete
  logic integer hold_kind(integer s, integer q, integer c) =
    c > s && c > q ? ES_HOLD_CHARACTER : q > s ? ES_HOLD_SEQUENCE : s > 0 ? ES_HOLD_STRING : ES_HOLD_NOTHING;

  // R11: what the flush policy counts, after one step more: steps modulo n, and tokens, `all` of them, as far as they go
  predicate step_counted(integer step, integer before, integer n, integer tokens, integer all) =
    step == (before + 1 >= n ? 0 : before + 1) && tokens == (all <= INT32_MAX ? all : INT32_MAX);

  // R11: the first n bytes of `out` are the text that H[p .. e) gives
  predicate text_of{L}(uint8_t *out, integer n, integer sid, integer p, integer e) =
    n == text_length(sid, p, e) && \forall integer k; 0 <= k < n ==> out[k] == text_byte(sid, p, e, k);

  // what a lane is opened with
  predicate lane_memory_valid{L}(es_lane_memory *m, es_request *request, integer strings, integer sequences) =
    \valid_read(m) && \valid(m->string_progress + (0 .. strings - 1)) &&
    \valid(m->sequence_progress + (0 .. sequences - 1)) && \valid(m->starts + (0 .. m->start_count - 1)) &&
    \valid(m->text + (0 .. m->text_capacity - 1)) &&
    (request->max_period > 0 ==>
       \valid(m->ids + (0 .. request->max_period - 1)) && \valid(m->runs + (0 .. request->max_period - 1)));
*/

/* Macros, so that what a contract says of a lane in memory is said of its members, one by one. */
#define lane_memory(l, ss, qs)                                                                                        \
  (lane_store(l, (l)->memory.starts, (l)->memory.start_count, (l)->memory.string_progress, ss,                        \
              (l)->memory.sequence_progress, qs, (l)->guard.text, (l)->guard.capacity) &&                             \
   lane_loop(l, (l)->repetition.ids, (l)->repetition.runs, (l)->repetition.max_period, (l)->repetition.min_repeats))
#define lane_counts(l, ts)                                                                                            \
  (lane_at((l)->limits.taken, (l)->limits.prompt, (l)->step_tokens, (l)->boundary, (l)->guard.taken, (l)->guard.sent, \
           (l)->guard.tokens, (l)->guard.step, (l)->guard.flush.n, (l)->shown_bytes, (l)->due) &&   \
   ((l)->repetition.max_period > 0 ==> (l)->repetition.taken == (l)->limits.taken) &&                                 \
   ((l)->offered ==> (l)->due > 0 && (l)->offer_bytes <= 3 * (l)->due) &&                                             \
   checksum(ts, (l)->shown_bytes, (l)->shown_crc32c) &&                                                               \
   ((l)->offered ==> checksum(ts, (l)->shown_bytes + (l)->offer_bytes, (l)->offer_crc32c)))
#define lane_text(l, sid)                                                                                             \
  (guard_state(&(l)->guard) && guard_text(&(l)->guard, sid) &&                                                        \
   ends_at(sid, (l)->end.cause, (l)->natural.cause, (l)->natural.cut, (l)->end.cut, (l)->guard.state, (l)->guard.cut, \
           (l)->guard.allowed, (l)->guard.taken, (l)->guard.sent, (l)->guard.held, (l)->due))
/* What an open lane has read, and knows of it. */
#define lane_ready(l, sid, ids_, at, ss, qs)                                                                          \
  (reading((l)->memory.string_progress, (l)->memory.sequence_progress, (l)->memory.starts, (l)->memory.start_count,   \
           sid, ids_, at, ss, qs, (l)->limits.taken, (l)->guard.taken, (l)->guard.allowed, (l)->string_hold,          \
           (l)->string_holder, (l)->sequence_hold, (l)->sequence_holder, (l)->sequence_place, (l)->character.pending, \
           (l)->character.wanted, (l)->character.low, (l)->character.high) &&                                         \
   looping((l)->repetition.ids, (l)->repetition.runs, (l)->repetition.max_period, ids_, (l)->limits.taken))
/* An open lane that may take a token: no end has come (T9). */
#define lane_reading(l, sid, ids_, at, ss, qs)                                                                        \
  (lane_ready(l, sid, ids_, at, ss, qs) && !at_max_tokens((l)->limits.taken, (l)->limits.max_tokens) &&               \
   !at_max_context((l)->limits.taken, (l)->limits.prompt, (l)->limits.max_context))
#define lane_state(l, sid, ids_, at, ts, ss, qs)                                                                      \
  (lane_memory(l, ss, qs) && lane_counts(l, ts) && lane_text(l, sid) &&                                               \
   ((l)->end.cause == ES_CAUSE_OPEN && (l)->natural.cause == ES_CAUSE_OPEN ==>                                        \
      lane_reading(l, sid, ids_, at, ss, qs)))

/* What a lane took over from its request and its memory, and a lane that has taken nothing. */
#define lane_asked(l, request, m)                                                                           \
  ((l)->limits.max_tokens == request.max_tokens && (l)->limits.max_context == request.max_context &&      \
   (l)->limits.prompt == request.prompt_tokens && (l)->repetition.max_period == request.max_period &&     \
   (l)->repetition.min_repeats == request.min_repeats && (l)->repetition.ids == m.ids &&                  \
   (l)->repetition.runs == m.runs && (l)->memory.string_progress == m.string_progress &&                  \
   (l)->memory.sequence_progress == m.sequence_progress && (l)->memory.starts == m.starts &&              \
   (l)->memory.start_count == m.start_count && (l)->guard.text == m.text &&                               \
   (l)->guard.capacity == m.text_capacity && (l)->guard.flush.kind == request.flush.kind &&               \
   (l)->guard.flush.n == request.flush.n)
#define lane_fresh(l)                                                                                       \
  ((l)->natural.cause == ES_CAUSE_OPEN && (l)->end.cut == 0 && (l)->boundary == 0 &&                        \
   (l)->step_tokens == 0 && (l)->limits.taken == 0 && (l)->repetition.taken == 0 &&                         \
   (l)->character.pending == 0 && (l)->string_hold == 0 && (l)->sequence_hold == 0 && (l)->due == 0 &&      \
   !(l)->offered && (l)->shown_bytes == 0 && (l)->shown_crc32c == 0 && (l)->stop_index == 0 &&              \
   (l)->stop_id == 0 && (l)->guard.taken == 0 && (l)->guard.sent == 0 && (l)->guard.allowed == 0 &&         \
   (l)->guard.held == 0 && (l)->guard.step == 0 && (l)->guard.tokens == 0 && !(l)->guard.again &&           \
   !(l)->guard.waiting)

/* R10: bytes that stop strings and sequences hold back. */
#define string_bytes(l) ((l)->request->include_stop ? 0 : (l)->string_hold)
#define sequence_bytes(l, at)                                                                               \
  ((l)->request->include_stop ? 0 : (l)->guard.taken -                                                      \
     before_sequence(at, (l)->guard.taken, (l)->limits.taken, (l)->sequence_hold))
#define hold_of(l, ss, qs, kind)                                                                            \
  (kind == ES_HOLD_STRING ? source(ss, (l)->string_holder) :                                                \
   kind == ES_HOLD_SEQUENCE ? source(qs, (l)->sequence_holder) : 0)
/* R11: in an open lane all that may be shown is due where the policy, or an answer later, or a lack of room wants it. */
#define lane_due(l, now)                                                                                    \
  ((l)->guard.allowed > (l)->guard.sent &&                                                                  \
           ((l)->guard.again || flush_due((l)->guard.flush.kind, (l)->guard.flush.n, (l)->guard.step,       \
                                          (l)->guard.allowed - (l)->guard.sent, (l)->guard.tokens,          \
                                          now - (l)->guard.since)) ?                                        \
       (l)->due == (l)->guard.allowed - (l)->guard.sent : (l)->due == 0)

/* An open lane that has seen boundary 0 and may count one token more. */
#define may_take(l)                                                                                         \
  ((l)->end.cause == ES_CAUSE_OPEN && (l)->natural.cause == ES_CAUSE_OPEN && (l)->boundary > 0 &&           \
   (l)->limits.taken < INT32_MAX)
#define take_status(l, token)                                                                              \
  take_answer((l)->end.cause, (l)->natural.cause, (l)->boundary, (token)->id, (l)->limits.taken,           \
              visible(token, (l)->request), (l)->guard.capacity - (l)->guard.held)
/* Visible bytes of a token that the guard has room for: the next of R. */
#define token_text(l, bytes, length, sid)                                                                   \
  (\valid_read(bytes + (0 .. length - 1)) && length <= (l)->guard.capacity - (l)->guard.held &&             \
   (l)->guard.taken + length <= UINT64_MAX / 32 &&                                                          \
   \separated(bytes + (0 .. length - 1), l, (l)->guard.text + (0 .. (l)->guard.capacity - 1)) &&            \
   (\forall integer j; 0 <= j < length ==> bytes[j] == H(sid, (l)->guard.taken + j)))
/* R7: after a token that brought no other end. */
#define ended_by_limits(l, ids_)                                                                            \
  (at_max_tokens((l)->limits.taken, (l)->limits.max_tokens) ? (l)->natural.cause == ES_CAUSE_MAX_TOKENS :   \
   at_max_context((l)->limits.taken, (l)->limits.prompt, (l)->limits.max_context) ?                         \
     (l)->natural.cause == ES_CAUSE_MAX_CONTEXT :                                                           \
   (l)->repetition.max_period > 0 && in_circles(ids_, (l)->limits.taken, (l)->repetition.max_period,        \
                                                (l)->repetition.min_repeats) ?                              \
     (l)->natural.cause == ES_CAUSE_REPETITION : (l)->natural.cause == ES_CAUSE_OPEN)

/*@
  // lane_fresh, and lane_state, as one fact: for a place where paths meet
  predicate lane_new{L}(es_lane *lane) = lane_fresh(lane);
  predicate lane_is{L}(es_lane *lane, integer sid, integer ids, integer at, integer ts, integer ss, integer qs) =
    lane_state(lane, sid, ids, at, ts, ss, qs);
*/

#endif
