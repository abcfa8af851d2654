/* run: drives the core over one case, as an engine would. */
#include "run_internal.h"

#include <string.h>

#include "cause.h"

_Static_assert(ES_HELD_NOTHING == (es_held_by)ES_HOLD_NOTHING && ES_HELD_BY_STRING == (es_held_by)ES_HOLD_STRING &&
                   ES_HELD_BY_SEQUENCE == (es_held_by)ES_HOLD_SEQUENCE &&
                   ES_HELD_BY_CHARACTER == (es_held_by)ES_HOLD_CHARACTER,
               "run.h names what the core names");

static void trace_boundary(es_run *run) {
  const es_lane *lane = &run->lane;
  es_boundary_trace *at = run->trace + run->trace_count++;
  bool ended = lane->end.cause != ES_CAUSE_OPEN;
  es_hold hold = {ES_HOLD_NOTHING, 0, 0};
  if (!ended) hold = es_lane_hold(lane);
  at->taken = lane->guard.taken;
  at->allowed = lane->guard.allowed;
  at->tokens = lane->limits.taken;
  at->held_by = (es_held_by)hold.kind;
  at->held_by_index = hold.index;
  at->ended = ended;
}

static void boundary(es_run *run, const es_case *c, uint64_t k) {
  es_boundary at = {false, 0, false, false};
  at.external = c->external.present && c->external.after_step == k;
  at.external_cut = c->external.cut;
  at.abort = c->has_abort && c->abort_after_step == k;
  es_lane_boundary(&run->lane, at, 0);
}

static es_answer next_answer(es_run *run, const es_case *c) {
  size_t i = run->offers++;
  if (i >= c->sink_count) return ES_ANSWER_OK;
  if (c->sink[i] == ES_SINK_LATER) return ES_ANSWER_LATER;
  return c->sink[i] == ES_SINK_GONE ? ES_ANSWER_GONE : ES_ANSWER_OK;
}

/* Offers what is due until the sink has it, puts it off to the next step, or is gone. */
static void flush(es_run *run, const es_case *c, es_delta *delta) {
  es_lane *lane = &run->lane;
  delta->bytes.data = run->shown + run->shown_length;
  delta->bytes.length = 0;
  delta->valid = true;
  while (lane->due > 0) {
    uint8_t *out = (uint8_t *)run->shown + run->shown_length;
    size_t room = run->shown_room - run->shown_length;
    uint32_t length = 0;
    if (es_lane_offer(lane, out, room > UINT32_MAX ? UINT32_MAX : (uint32_t)room, &length) != ES_OK) return;
    es_answer answer = next_answer(run, c);
    es_lane_answer(lane, answer);
    if (answer != ES_ANSWER_OK) continue;
    run->shown_length += length;
    delta->bytes.length = length;
  }
}

static void take_step(es_run *run, const es_case *c, const es_step *step) {
  for (size_t i = step->first; i < step->first + step->count; i++) {
    const es_token *token = c->tokens + i;
    es_lane_token taken = {token->id, token->special, (const uint8_t *)token->bytes.data,
                           (uint32_t)token->bytes.length};
    uint64_t before = run->lane.guard.taken;
    if (es_lane_take(&run->lane, &taken) != ES_OK) return;
    run->token_ids[run->lane.limits.taken - 1] = token->id;
    if (run->lane.guard.taken == before) continue;
    memcpy(run->raw + run->raw_length, token->bytes.data, token->bytes.length);
    run->raw_length += token->bytes.length;
  }
}

static void name_stop(es_run *run, const es_case *c) {
  const es_lane *lane = &run->lane;
  const es_request *request = &c->request;
  es_result *r = &run->result;
  r->stop_reason_kind = ES_REASON_NULL;
  if (lane->end.cause == ES_CAUSE_STOP_STRING) {
    const es_stop *stop = request->stops + lane->stop_index;
    r->stop_reason_kind = ES_REASON_TEXT;
    r->stop_reason.data = (const char *)request->text + stop->offset;
    r->stop_reason.length = stop->length;
    r->has_stop_index = true;
    r->stop_index = lane->stop_index;
  } else if (lane->end.cause == ES_CAUSE_STOP_TOKEN) {
    run->stop_id = lane->stop_id;
    r->stop_reason_kind = ES_REASON_ID;
    r->stop_reason_ids = &run->stop_id;
    r->stop_reason_count = 1;
  } else if (lane->end.cause == ES_CAUSE_STOP_SEQUENCE) {
    const es_sequence *sequence = request->sequences + lane->stop_index;
    r->stop_reason_kind = ES_REASON_IDS;
    r->stop_reason_ids = request->sequence_ids + sequence->offset;
    r->stop_reason_count = sequence->length;
    r->has_stop_index = true;
    r->stop_index = lane->stop_index;
  } else if (lane->end.cause == ES_CAUSE_EXTERNAL) {
    r->stop_reason_kind = ES_REASON_TEXT;
    r->stop_reason = c->external.reason;
  }
}

static void refuse(es_run *run, const es_case *c) {
  es_result *r = &run->result;
  r->cause = es_span_of("invalid_request");
  r->finish_reason = es_span_of("error");
  r->stop_reason_kind = ES_REASON_NULL;
  r->param = es_span_of(c->refusal_param);
  r->message = es_span_of(c->refusal_message);
}

static void report(es_run *run, const es_case *c, size_t steps) {
  const es_lane *lane = &run->lane;
  es_result *r = &run->result;
  r->deltas = run->deltas;
  r->delta_count = steps;
  r->text.length = run->shown_length;
  r->cause = es_span_of(es_cause_word(lane->end.cause));
  if (es_cause_finish_reason(lane->end.cause)) r->finish_reason = es_span_of(es_cause_finish_reason(lane->end.cause));
  if (lane->end.cause == ES_CAUSE_EXTERNAL) r->finish_reason = c->external.reason;
  name_stop(run, c);
  r->tokens = lane->limits.taken;
  r->token_ids = run->token_ids;
  r->token_id_count = lane->limits.taken;
  es_terminal terminal;
  r->has_terminals = true;
  if (!es_lane_terminal(&run->lane, &terminal)) return;
  r->terminals = 1;
  r->has_terminal = true;
  r->terminal_bytes = terminal.bytes;
  r->terminal_crc32c = terminal.crc32c;
}

const es_result *es_run_case(es_run *run, const es_case *c) {
  es_result fresh = {0};
  run->result = fresh;
  run->raw_length = run->shown_length = run->trace_count = run->offers = 0;
  es_result *r = &run->result;
  r->id = c->id;
  if (!c->refused && c->request.flush.kind == ES_FLUSH_MS) {
    r->unsupported = es_span_of("flush by time needs times, and a case has none");
    return r;
  }
  if (!c->has_steps && !c->refused) {
    r->unsupported = es_span_of("the case has no steps to run");
    return r;
  }
  size_t bytes = 0;
  for (size_t i = 0; i < c->token_count; i++) bytes += c->tokens[i].bytes.length;
  if (bytes > UINT32_MAX / ES_UTF8_GROWTH) {
    r->unsupported = es_span_of("the tokens have more bytes than a lane counts: 1.3 GiB");
    return r;
  }
  if (!es_run_case_room(run, c, bytes)) return NULL;
  r->has_deltas = r->has_finish_reason = r->has_tokens = r->has_token_ids = r->text_valid = true;
  r->text.data = run->shown;
  r->token_ids = run->token_ids;
  r->deltas = run->deltas;
  if (c->refused) {
    refuse(run, c);
    return r;
  }
  if (!es_run_lane_room(run, &c->request)) return NULL;
  if (es_stops_compile_strings(&c->request, &run->string_memory, &run->strings) != ES_OK) return NULL;
  if (es_stops_compile_sequences(&c->request, &run->sequence_memory, &run->sequences) != ES_OK) return NULL;
  if (es_lane_open(&run->lane, &c->request, &run->strings, &run->sequences, &run->memory) != ES_OK) return NULL;
  boundary(run, c, 0);
  trace_boundary(run);
  size_t steps = 0;
  while (steps < c->step_count && run->lane.end.cause == ES_CAUSE_OPEN) {
    take_step(run, c, c->steps + steps);
    boundary(run, c, steps + 1);
    flush(run, c, run->deltas + steps);
    trace_boundary(run);
    steps++;
  }
  report(run, c, steps);
  return r;
}

const es_boundary_trace *es_run_trace(const es_run *run, size_t *count) {
  *count = run->trace_count;
  return run->trace;
}

es_span es_run_text(const es_run *run) {
  es_span text = {(const char *)run->raw, run->raw_length};
  return text;
}
