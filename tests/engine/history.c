#include "history_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cause.h"

history *history_new(void) {
  history *h = calloc(1, sizeof *h);
  if (h) h->run = es_run_new();
  return h;
}

void history_free(history *h) {
  for (uint32_t i = 0; i < h->lane_room; i++) free(h->lanes[i].answers.items);
  free(h->lanes);
  free(h->slots.items);
  free(h->steps.items);
  es_run_free(h->run);
  free(h);
}

const char *history_fault(const history *h) {
  return h->fault;
}

static bool fault(history *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fault(history *h, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(h->fault, sizeof h->fault, format, arguments);
  va_end(arguments);
  return false;
}

static bool prepare(history *h, uint32_t lanes) {
  h->fault[0] = 0;
  h->slots.count = 0;
  if (lanes > h->lane_room) {
    lane_view *more = realloc(h->lanes, lanes * sizeof *more);
    if (!more) return fault(h, "no memory");
    memset(more + h->lane_room, 0, (lanes - h->lane_room) * sizeof *more);
    h->lanes = more;
    h->lane_room = lanes;
  }
  for (uint32_t i = 0; i < lanes; i++) {
    list answers = h->lanes[i].answers;
    answers.count = 0;
    h->lanes[i] = (lane_view){.answers = answers};
  }
  return true;
}

static slot_view *slot_of(history *h, uint32_t number) {
  while (h->slots.count <= number) *(slot_view *)list_add(&h->slots, sizeof(slot_view)) = (slot_view){NOBODY, 1};
  return (slot_view *)h->slots.items + number;
}

/* The first of the requests that won; there may be one a lane. */
static bool note_winners(history *h, const thread_log *logs, size_t log_count, uint32_t lanes) {
  for (size_t l = 0; l < log_count; l++)
    for (size_t i = 0; i < logs[l].askeds.count; i++) {
      const asked *a = (const asked *)logs[l].askeds.items + i;
      if (a->lane == NOBODY) {
        if (a->answer != ES_STOP_STALE)
          return fault(h, "R14: a request for a lane that never was: answer %d", a->answer);
        continue;
      }
      if (a->lane >= lanes) return fault(h, "a request for lane %" PRIu32 ", of %" PRIu32, a->lane, lanes);
      lane_view *lane = h->lanes + a->lane;
      lane->second += a->answer == ES_STOP_SECOND;
      if (a->answer != ES_STOP_WON) continue;
      lane->winner = a;
      if (++lane->won > 1)
        return fault(h, "R14: lane %" PRIu32 ": two requests were told that they are the first", a->lane);
    }
  return true;
}

static bool admit(history *h, slot_view *slot, const did *d, uint32_t lanes) {
  if (d->event.value >= lanes) return fault(h, "lane %" PRIu64 " of %" PRIu32, d->event.value, lanes);
  uint32_t number = (uint32_t)d->event.value;
  lane_view *lane = h->lanes + number;
  if (slot->lane != NOBODY)
    return fault(h, "T10: lane %" PRIu32 " was put into the slot of lane %" PRIu32, number, slot->lane);
  if (lane->stage != NOT_YET) return fault(h, "T10: lane %" PRIu32 " was put into a slot twice", number);
  if (d->event.epoch != slot->epoch) return fault(h, "R14: lane %" PRIu32 " in a wrong epoch", number);
  slot->lane = number;
  lane->stage = RIDES;
  lane->slot = d->event.slot;
  lane->epoch = slot->epoch;
  return true;
}

static bool poll(history *h, uint32_t number, lane_view *lane, uint64_t begin, const did *d) {
  if (d->event.place != lane->boundaries++)
    return fault(h, "R9: lane %" PRIu32 ": boundary %" PRIu64 " after %" PRIu32, number, d->event.place,
                 lane->boundaries - 2);
  if (lane->seen) return fault(h, "R9: lane %" PRIu32 " rode on after boundary %" PRIu32, number, lane->boundaries - 2);
  const asked *winner = lane->winner;
  if (history_exact) begin = d->done;
  lane->seen = d->event.value != 0;
  lane->reason = (uint8_t)d->event.value;
  if (lane->seen && (!winner || winner->reason != lane->reason))
    return fault(h, "R14: lane %" PRIu32 ": nobody won who asked with reason %d", number, lane->reason);
  if (lane->seen && winner->begin > d->done + history_margin)
    return fault(h, "R14: lane %" PRIu32 ": a request was seen before it was made", number);
  if (!lane->seen && winner && winner->end + history_margin < begin)
    return fault(h, "R9: lane %" PRIu32 ": asked to stop before boundary %" PRIu64 ", and not seen there", number,
                 d->event.place);
  return true;
}

/* One event of a lane that has a slot; `begin`: it was not done before. */
static bool follow(history *h, slot_view *slot, uint64_t begin, const did *d, const es_case *script) {
  const es_engine_event *e = &d->event;
  uint32_t number = slot->lane;
  lane_view *lane = h->lanes + number;
  static const stage before[] = {
      [ES_DID_FINISH] = RIDES, [ES_DID_ACK] = FINISHED, [ES_DID_FLUSH] = ACKED, [ES_DID_RECYCLE] = FLUSHED};
  stage right = e->did < ES_DID_FINISH ? RIDES : before[e->did];
  if (lane->stage != right)
    return fault(h, "R12: lane %" PRIu32 ": event %d of the engine in stage %d, not %d", number, e->did, lane->stage,
                 right);
  if (e->epoch != lane->epoch + (e->did == ES_DID_RECYCLE))
    return fault(h, "R14: lane %" PRIu32 ": a wrong epoch", number);
  if (right != RIDES || e->did == ES_DID_FINISH) lane->stage++;
  switch (e->did) {
  case ES_DID_KV_APPEND:
  case ES_DID_COMMIT:
    if (e->place != lane->tokens)
      return fault(h, "T8: lane %" PRIu32 ": token %" PRIu32 " at place %" PRIu64 " of the slot's cache or its list",
                   number, lane->tokens, e->place);
    if (lane->tokens >= script->token_count || e->value != script->tokens[lane->tokens].id)
      return fault(h, "T8: lane %" PRIu32 ": token id %" PRIu64 " at place %" PRIu32, number, e->value, lane->tokens);
    lane->tokens += e->did == ES_DID_COMMIT;
    break;
  case ES_DID_READ_STOP:
    return poll(h, number, lane, begin, d);
  case ES_DID_EMIT:
    *(es_sink_answer *)list_add(&lane->answers, sizeof(es_sink_answer)) = (es_sink_answer)e->value;
    break;
  case ES_DID_FINISH:
    lane->cause = (es_cause)e->value;
    lane->terminals = (uint32_t)e->place;
    break;
  case ES_DID_ACK:
    lane->ack_begin = begin, lane->ack_end = d->done;
    lane->reason_at_ack = (uint8_t)e->value;
    if (e->value ? !lane->winner || lane->winner->reason != e->value : lane->winner != NULL)
      return fault(h, "R14: lane %" PRIu32 ": at its end the flag said %" PRIu64 ", and who won said otherwise", number,
                   e->value);
    break;
  case ES_DID_RECYCLE:
    lane->recycle_begin = begin, lane->recycle_end = d->done;
    slot->epoch++;
    slot->lane = NOBODY;
    break;
  default:
    break;
  }
  return true;
}

static bool follow_engine(history *h, const thread_log *log, const es_case *const *scripts, uint32_t lanes) {
  uint64_t begin = 0;
  for (size_t i = 0; i < log->dids.count; i++) {
    const did *d = (const did *)log->dids.items + i;
    slot_view *slot = slot_of(h, d->event.slot);
    if (d->event.did == ES_DID_STEP) {
      for (size_t s = 0; s < h->slots.count; s++) {
        uint32_t in = ((slot_view *)h->slots.items)[s].lane;
        if (in != NOBODY && h->lanes[in].stage != RIDES)
          return fault(h, "T10: a step began before the slot of lane %" PRIu32 " was flushed", in);
      }
    } else if (d->event.did == ES_DID_ADMIT) {
      if (!admit(h, slot, d, lanes)) return false;
    } else {
      if (slot->lane == NOBODY)
        return fault(h, "R12: slot %" PRIu32 ": event %d with no lane in it", d->event.slot, d->event.did);
      if (!follow(h, slot, begin, d, scripts[slot->lane])) return false;
    }
    begin = d->next;
  }
  for (uint32_t i = 0; i < lanes; i++)
    if (h->lanes[i].stage != RECYCLED) return fault(h, "T9: lane %" PRIu32 " never ended", i);
  return true;
}

/* Whether the answer to a request has a place between its begin and its end (R14). */
static bool fits(history *h, const asked *a) {
  const lane_view *lane = h->lanes + a->lane;
  bool late = a->answer == ES_STOP_LATE || a->answer == ES_STOP_STALE;
  uint64_t end = a->end + history_margin;
  if (late && end < lane->ack_begin)
    return fault(h, "R14: lane %" PRIu32 ": a request was told that it is late, before the end", a->lane);
  if (a->answer == ES_STOP_STALE && end < lane->recycle_begin)
    return fault(h, "R14: lane %" PRIu32 ": a request was told that it is stale, while the lane had its slot", a->lane);
  if (!late && a->begin > lane->ack_end + history_margin)
    return fault(h, "R14: lane %" PRIu32 ": a request after the end was taken", a->lane);
  if (a->answer != ES_STOP_STALE && a->begin > lane->recycle_end + history_margin)
    return fault(h, "R14: lane %" PRIu32 ": a request after its slot was recycled is not stale", a->lane);
  if (a->answer == ES_STOP_SECOND && (lane->won == 0 || end < lane->winner->begin))
    return fault(h, "R14: lane %" PRIu32 ": a request was told that it is the second, and there was no first", a->lane);
  return true;
}

const es_result *history_expected(history *h, const es_case *script, const lane_view *lane) {
  es_case c = *script;
  h->steps.count = 0;
  for (size_t i = 0; i < c.step_count; i++) *(es_step *)list_add(&h->steps, sizeof(es_step)) = c.steps[i];
  while (h->steps.count + 1 < lane->boundaries) *(es_step *)list_add(&h->steps, sizeof(es_step)) = (es_step){0, 0};
  c.steps = h->steps.items;
  c.step_count = h->steps.count;
  c.has_abort = lane->seen;
  c.abort_after_step = lane->boundaries - 1;
  c.sink = lane->answers.items;
  c.sink_count = lane->answers.count;
  return es_run_case(h->run, &c);
}

/* The record against the reference, asked to stop at the boundary where the engine saw it. */
static bool right(history *h, uint32_t number, const es_case *script, const es_engine_left *left) {
  const lane_view *lane = h->lanes + number;
  const es_result *r = history_expected(h, script, lane);
  if (!r) return fault(h, "no memory");
  if (!es_span_same(r->cause, es_span_of(es_cause_word(left->end.cause))) || lane->cause != left->end.cause)
    return fault(h, "R9: lane %" PRIu32 " ended by %s, not by %.*s", number, es_cause_word(left->end.cause),
                 (int)r->cause.length, r->cause.data);
  if (left->end.cause == ES_CAUSE_ABORT && left->reason != lane->reason)
    return fault(h, "R14: lane %" PRIu32 " ended for reason %d, not %d", number, left->reason, lane->reason);
  if (r->tokens != left->tokens || lane->tokens != left->tokens ||
      memcmp(r->token_ids, left->token_ids, left->tokens * sizeof(uint32_t)) != 0)
    return fault(h, "T8: lane %" PRIu32 " has %" PRIu32 " tokens, committed %" PRIu32 ", and should have %" PRIu64,
                 number, left->tokens, lane->tokens, r->tokens);
  if (!es_span_same(r->text, left->text))
    return fault(h, "T4: lane %" PRIu32 " sent %zu bytes of text, not these %zu", number, left->text.length,
                 r->text.length);
  if (r->terminals != left->has_terminal || lane->terminals != left->has_terminal ||
      (left->has_terminal &&
       (r->terminal_bytes != left->terminal.bytes || r->terminal_crc32c != left->terminal.crc32c)))
    return fault(h, "T7: lane %" PRIu32 ": another terminal than the reference's", number);
  uint32_t sent = 0;
  for (size_t k = 0; k < r->delta_count; k++) {
    if (r->deltas[k].bytes.length == 0) continue;
    const es_engine_delta *delta = left->deltas + sent;
    if (sent++ >= left->delta_count || delta->step != k + 1 || delta->length != r->deltas[k].bytes.length)
      return fault(h, "R11: lane %" PRIu32 ": another delta than the reference's at step %zu", number, k + 1);
  }
  if (sent != left->delta_count)
    return fault(h, "R11: lane %" PRIu32 " sent %" PRIu32 " deltas, not %" PRIu32, number, left->delta_count, sent);
  return true;
}

/* What others saw of the lane, against what it left. */
static bool seen_right(history *h, const saw *s, const es_engine_left *left) {
  saw whole = saw_record(s->lane, left);
  lane_view *lane = h->lanes + s->lane;
  if (!s->is_client) {
    if (s->tokens != whole.tokens || s->ids_crc != whole.ids_crc || s->bytes != whole.bytes || s->crc != whole.crc ||
        s->ends != whole.ends)
      return fault(h, "T8: lane %" PRIu32 ": who knew that it is over saw %" PRIu32 " tokens, and it left %" PRIu32,
                   s->lane, s->tokens, whole.tokens);
    return true;
  }
  lane->clients++;
  if (s->ends > 1 || s->after > 0)
    return fault(h, "T7: the client of lane %" PRIu32 " got something after the terminal", s->lane);
  if (!s->closed && (s->ends != 1 || s->bytes != whole.bytes || s->crc != whole.crc))
    return fault(
        h, "T4: the client of lane %" PRIu32 " got %" PRIu32 " terminals and %" PRIu64 " bytes, not these %" PRIu64,
        s->lane, s->ends, s->bytes, whole.bytes);
  if (s->closed && s->bytes > whole.bytes)
    return fault(h, "T2: the client of lane %" PRIu32 " got more than was sent", s->lane);
  return true;
}

bool history_check(history *h, const thread_log *logs, size_t log_count, const es_case *const *scripts,
                   const es_engine_left *const *lefts, uint32_t lanes) {
  if (!prepare(h, lanes) || !note_winners(h, logs, log_count, lanes) || !follow_engine(h, logs, scripts, lanes))
    return false;
  for (uint32_t i = 0; i < lanes; i++)
    if (!right(h, i, scripts[i], lefts[i])) return false;
  for (size_t l = 0; l < log_count; l++) {
    for (size_t i = 0; i < logs[l].askeds.count; i++) {
      const asked *a = (const asked *)logs[l].askeds.items + i;
      if (a->lane != NOBODY && !fits(h, a)) return false;
    }
    for (size_t i = 0; i < logs[l].saws.count; i++) {
      const saw *s = (const saw *)logs[l].saws.items + i;
      if (!seen_right(h, s, lefts[s->lane])) return false;
    }
  }
  return true;
}
