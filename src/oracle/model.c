#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "model_parts.h"

/* Why a lane is over, and where its text is cut; `cause` NULL while it is open. */
typedef struct {
  const char *cause;
  es_span reason;
  size_t cut;
  es_stop_reason_kind kind;
  es_span stop_text;
  const uint32_t *stop_ids;
  size_t stop_id_count;
  bool has_index;
  uint64_t index;
} ending;

struct es_model {
  es_buffer raw;  /* R */
  es_buffer text; /* the joined deltas */
  uint32_t *ids;  /* of the tokens taken */
  size_t *ends;   /* ends[n]: bytes of R after token n */
  size_t count;   /* tokens taken */
  size_t token_room;
  es_delta *deltas; /* lengths only, until the result is made */
  size_t delta_count;
  size_t step_room;
  bool *live; /* which stop strings hold text */
  size_t stop_room;
  size_t allowed; /* bytes of R that may be shown (R10), at the last boundary */
  size_t sent;    /* bytes of R that the sink has */
  size_t tokens_sent;
  size_t offers;
  bool again; /* the last offer was answered `later` */
  bool gone;
  es_result result;
};

es_model *es_model_new(void) {
  return calloc(1, sizeof(es_model));
}

void es_model_free(es_model *model) {
  if (model == NULL) return;
  es_buffer_free(&model->raw);
  es_buffer_free(&model->text);
  free(model->ids);
  free(model->ends);
  free(model->deltas);
  free(model->live);
  free(model);
}

static ending plain_end(const char *cause, const char *reason, size_t cut) {
  return (ending){.cause = cause, .reason = es_span_of(reason), .cut = cut, .kind = ES_REASON_NULL};
}

/* Room for a case of this size; arrays only grow. */
static bool make_room(es_model *model, size_t tokens, size_t steps, size_t stops) {
  if (model->ids == NULL || tokens > model->token_room) {
    free(model->ids);
    free(model->ends);
    model->ids = malloc((tokens + 1) * sizeof *model->ids);
    model->ends = malloc((tokens + 1) * sizeof *model->ends);
    model->token_room = tokens;
  }
  if (model->deltas == NULL || steps > model->step_room) {
    free(model->deltas);
    model->deltas = malloc((steps + 1) * sizeof *model->deltas);
    model->step_room = steps;
  }
  if (model->live == NULL || stops > model->stop_room) {
    free(model->live);
    model->live = malloc((stops + 1) * sizeof *model->live);
    model->stop_room = stops;
  }
  return model->ids != NULL && model->ends != NULL && model->deltas != NULL && model->live != NULL;
}

/* The end that the last token brought, if any: R5, R2 and R7 in the order of causes at one token. */
static ending end_by_token(const es_model *model, const es_request *request, uint32_t id) {
  size_t n = model->count;
  size_t length = model->raw.length;
  bool counts = n > request->min_tokens;
  if (counts && es_model_is_eos(request, id)) return plain_end("eos", "stop", length);
  if (counts && es_model_is_stop_token(request, id)) {
    ending end = plain_end("stop_token", "stop", length);
    end.kind = ES_REASON_ID;
    end.stop_ids = &model->ids[n - 1];
    end.stop_id_count = 1;
    return end;
  }
  if (counts) {
    size_t passed_over = model->ends[request->min_tokens];
    es_model_completion found = es_model_first_completion(request, model->raw.data, length, passed_over);
    if (found.place != ES_MODEL_NOT_FOUND) {
      es_stop stop = request->stops[found.index];
      ending end = plain_end("stop_string", "stop", request->include_stop ? found.place : found.place - stop.length);
      end.kind = ES_REASON_TEXT;
      end.stop_text = (es_span){(const char *)request->text + stop.offset, stop.length};
      end.has_index = true;
      end.index = found.index;
      return end;
    }
    size_t sequence = es_model_sequence(request, model->ids, n);
    if (sequence != ES_MODEL_NOT_FOUND) {
      es_sequence stop = request->sequences[sequence];
      ending end = plain_end("stop_sequence", "stop", request->include_stop ? length : model->ends[n - stop.length]);
      end.kind = ES_REASON_IDS;
      end.stop_ids = request->sequence_ids + stop.offset;
      end.stop_id_count = stop.length;
      end.has_index = true;
      end.index = sequence;
      return end;
    }
  }
  if (request->max_tokens != ES_NO_LIMIT && n >= request->max_tokens) return plain_end("max_tokens", "length", length);
  if (request->max_context != ES_NO_LIMIT && n + request->prompt_tokens >= request->max_context) {
    return plain_end("max_context", "length", length);
  }
  if (es_model_repeats(request, model->ids, n)) return plain_end("repetition", "repetition", length);
  return (ending){.cause = NULL};
}

/* Takes the tokens of a step up to the one that ends the lane (R8). */
static ending take_step(es_model *model, const es_case *c, es_step step) {
  const es_request *request = &c->request;
  for (size_t i = 0; i < step.count; i++) {
    es_token token = c->tokens[step.first + i];
    bool visible = !token.special || !request->skip_special;
    bool ends = model->count + 1 > request->min_tokens &&
                (es_model_is_eos(request, token.id) || es_model_is_stop_token(request, token.id));
    if (visible && (!ends || request->include_stop)) {
      es_buffer_bytes(&model->raw, token.bytes.data, token.bytes.length);
    }
    model->ids[model->count++] = token.id;
    model->ends[model->count] = model->raw.length;
    ending end = end_by_token(model, request, token.id);
    if (end.cause != NULL) return end;
  }
  return (ending){.cause = NULL};
}

/* What is read at boundary `k` (R9, R16), given the natural end of its step. */
static ending end_at_boundary(const es_model *model, const es_case *c, uint64_t k, ending natural) {
  size_t length = model->raw.length;
  if (c->external.present && c->external.after_step == k) {
    uint64_t cut = c->external.cut;
    if (cut < model->allowed) cut = model->allowed;
    if (cut > length) cut = length;
    if (natural.cause == NULL || cut < natural.cut) {
      ending end = plain_end("external", "", (size_t)cut);
      end.reason = c->external.reason;
      end.kind = ES_REASON_TEXT;
      end.stop_text = c->external.reason;
      return end;
    }
  }
  if (natural.cause != NULL) return natural;
  if (c->has_abort && c->abort_after_step == k) return plain_end("abort", "abort", length);
  if (c->request.deadline_steps != ES_NO_LIMIT && c->request.deadline_steps == k) {
    return plain_end("deadline", "timeout", length);
  }
  return (ending){.cause = NULL};
}

/* How many bytes of R may be shown while the lane is open (R10). */
static size_t may_be_shown(const es_model *model, const es_request *request) {
  size_t length = model->raw.length;
  size_t limit = length;
  if (!request->include_stop) {
    size_t ids_held = es_model_sequence_hold(request, model->ids, model->count);
    limit = length - es_model_string_hold(request, model->live, model->raw.data, length);
    if (model->ends[model->count - ids_held] < limit) limit = model->ends[model->count - ids_held];
  }
  return es_model_shown_end(model->raw.data, length, limit);
}

/* One offer of R up to `end` to the sink (R11); its text becomes the delta if the sink takes it. */
static es_sink_answer offer(es_model *model, const es_case *c, size_t end, es_delta *delta) {
  es_sink_answer answer = model->offers < c->sink_count ? c->sink[model->offers] : ES_SINK_OK;
  model->offers++;
  model->again = answer == ES_SINK_LATER;
  model->gone = answer == ES_SINK_GONE;
  if (answer != ES_SINK_OK) return answer;
  size_t before = model->text.length;
  es_model_decode(&model->text, model->raw.data + model->sent, end - model->sent);
  delta->bytes.length = model->text.length - before;
  model->sent = end;
  model->tokens_sent = model->count;
  return answer;
}

/* Whether the flush policy sends at boundary `k` what may be shown (R11). */
static bool is_due(const es_model *model, const es_request *request, uint64_t k) {
  switch (request->flush.kind) {
  case ES_FLUSH_STEPS:
    return k % request->flush.n == 0;
  case ES_FLUSH_BYTES:
    return model->allowed - model->sent >= request->flush.n;
  default: /* tokens: what is sent by time is unsupported */
    return model->count - model->tokens_sent >= request->flush.n;
  }
}

/* The delta of step `k` (R11, R12). Returns the end of the lane: the one given, or that the sink is gone. */
static ending form_delta(es_model *model, const es_case *c, uint64_t k, ending end) {
  es_delta *delta = &model->deltas[model->delta_count++];
  *delta = (es_delta){.valid = true};
  if (end.cause != NULL) {
    while (end.cut > model->sent && !model->gone) offer(model, c, end.cut, delta);
    return end;
  }
  model->allowed = may_be_shown(model, &c->request);
  if (model->allowed > model->sent && (model->again || is_due(model, &c->request, k))) {
    if (offer(model, c, model->allowed, delta) == ES_SINK_GONE) return plain_end("disconnect", "abort", model->sent);
  }
  return end;
}

/* The lane from before boundary 0 to its end or to the end of its steps. */
static ending run_lane(es_model *model, const es_case *c) {
  const es_request *request = &c->request;
  if (request->max_tokens == 0) return plain_end("max_tokens", "length", 0);
  if (request->max_context != ES_NO_LIMIT && request->prompt_tokens >= request->max_context) {
    return plain_end("max_context", "length", 0);
  }
  ending end = end_at_boundary(model, c, 0, (ending){.cause = NULL});
  for (uint64_t k = 1; end.cause == NULL && k <= c->step_count; k++) {
    end = end_at_boundary(model, c, k, take_step(model, c, c->steps[k - 1]));
    end = form_delta(model, c, k, end);
  }
  return end;
}

static const es_result *refusal(es_model *model, const es_case *c) {
  model->result.has_deltas = true;
  model->result.deltas = model->deltas;
  model->result.text = es_span_of("");
  model->result.text_valid = true;
  model->result.has_finish_reason = true;
  model->result.finish_reason = es_span_of("error");
  model->result.cause = es_span_of("invalid_request");
  model->result.stop_reason_kind = ES_REASON_NULL;
  model->result.has_tokens = true;
  model->result.has_token_ids = true;
  model->result.token_ids = model->ids;
  model->result.param = es_span_of(c->refusal_param);
  model->result.message = es_span_of(c->refusal_message);
  return &model->result;
}

static const es_result *answer(es_model *model, ending end) {
  const char *text = model->text.length > 0 ? model->text.data : "";
  const char *delta = text;
  for (size_t i = 0; i < model->delta_count; i++) {
    model->deltas[i].bytes.data = delta;
    delta += model->deltas[i].bytes.length;
  }
  es_result *result = &model->result;
  result->has_deltas = true;
  result->deltas = model->deltas;
  result->delta_count = model->delta_count;
  result->text = (es_span){text, model->text.length};
  result->text_valid = true;
  result->has_finish_reason = true;
  result->finish_reason = end.cause == NULL ? (es_span){NULL, 0} : end.reason;
  result->cause = es_span_of(end.cause == NULL ? "open" : end.cause);
  result->stop_reason_kind = end.cause == NULL ? ES_REASON_NULL : end.kind;
  result->stop_reason = end.stop_text;
  result->stop_reason_ids = end.stop_ids;
  result->stop_reason_count = end.stop_id_count;
  result->has_stop_index = end.has_index;
  result->stop_index = end.index;
  result->has_tokens = true;
  result->tokens = model->count;
  result->has_token_ids = true;
  result->token_ids = model->ids;
  result->token_id_count = model->count;
  result->has_terminals = true;
  result->has_terminal = end.cause != NULL && !model->gone;
  if (result->has_terminal) {
    result->terminals = 1;
    result->terminal_bytes = model->text.length;
    result->terminal_crc32c = es_model_crc32c(text, model->text.length);
  }
  return result;
}

const es_result *es_model_case(es_model *model, const es_case *c) {
  es_buffer_clear(&model->raw);
  es_buffer_clear(&model->text);
  model->count = model->delta_count = model->allowed = model->sent = model->tokens_sent = model->offers = 0;
  model->again = model->gone = false;
  model->result = (es_result){.id = c->id};
  bool refused = c->refused; /* what a refused request holds is not looked at */
  if (!make_room(model, c->token_count, c->step_count, refused ? 0 : c->request.stop_count)) return NULL;
  if (refused) return refusal(model, c);
  if (c->request.flush.kind == ES_FLUSH_MS) {
    model->result.unsupported = es_span_of("flush by time needs times, and a case has none");
    return &model->result;
  }
  if (!c->has_steps) {
    model->result.unsupported = es_span_of("the case has no steps to run");
    return &model->result;
  }
  model->ends[0] = 0;
  for (uint32_t s = 0; s < c->request.stop_count; s++) model->live[s] = es_model_live(&c->request, s);
  ending end = run_lane(model, c);
  if (model->raw.failed || model->text.failed) return NULL;
  return answer(model, end);
}
