#include "stream_rig.h"

#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t size) {
  void *memory = malloc(size + 1);
  ck_assert_ptr_nonnull(memory);
  return memory;
}

/* A list of ids of its own. */
static es_stream_ids ids_of(client_request *client, const uint32_t *ids, uint32_t count) {
  es_stream_ids list = {client->ids + client->id_count, count};
  if (count > 0) memcpy(client->ids + client->id_count, ids, count * sizeof *ids);
  client->id_count += count;
  return list;
}

client_request client_request_of(const es_request *request) {
  client_request client = {.request = ES_STREAM_REQUEST};
  es_stream_request *r = &client.request;
  size_t ids = (size_t)request->stop_id_count + request->eos_id_count;
  for (uint32_t i = 0; i < request->stop_count; i++) client.text_size += request->stops[i].length;
  for (uint32_t i = 0; i < request->sequence_count; i++) ids += request->sequences[i].length;
  client.stops = room(request->stop_count * sizeof *client.stops);
  client.sequences = room(request->sequence_count * sizeof *client.sequences);
  client.text = room(client.text_size);
  client.ids = room(ids * sizeof *client.ids);
  size_t place = 0;
  for (uint32_t i = 0; i < request->stop_count; i++) {
    const es_stop *stop = request->stops + i;
    client.stops[i] = (es_stream_stop){client.text + place, stop->length, stop->priority};
    if (stop->length > 0) memcpy(client.text + place, request->text + stop->offset, stop->length);
    place += stop->length;
  }
  for (uint32_t i = 0; i < request->sequence_count; i++) {
    const es_sequence *sequence = request->sequences + i;
    client.sequences[i] = ids_of(&client, request->sequence_ids + sequence->offset, sequence->length);
  }
  r->stop = client.stops;
  r->stop_count = request->stop_count;
  r->stop_token_ids = ids_of(&client, request->stop_ids, request->stop_id_count);
  r->stop_token_sequences = client.sequences;
  r->stop_token_sequence_count = request->sequence_count;
  r->eos_token_ids = ids_of(&client, request->eos_ids, request->eos_id_count);
  r->ignore_eos = request->ignore_eos;
  r->include_stop_str_in_output = request->include_stop;
  r->skip_special_tokens = request->skip_special;
  r->min_tokens = request->min_tokens;
  r->max_tokens = request->max_tokens;
  r->max_context = request->max_context;
  r->prompt_tokens = request->prompt_tokens;
  r->deadline_steps = request->deadline_steps;
  r->max_period = request->max_period;
  r->min_repeats = request->min_repeats;
  r->flush = (es_stream_flush)request->flush.kind;
  r->flush_n = request->flush.n;
  return client;
}

void client_request_forget(client_request *client) {
  memset(client->text, 0xAA, client->text_size);
  memset(client->ids, 0xAA, client->id_count * sizeof *client->ids);
  memset(client->stops, 0xAA, client->request.stop_count * sizeof *client->stops);
  memset(client->sequences, 0xAA, client->request.stop_token_sequence_count * sizeof *client->sequences);
  free(client->text);
  free(client->ids);
  free(client->stops);
  free(client->sequences);
  memset(&client->request, 0xAA, sizeof client->request);
}

es_status stream_place(placed_stream *placed, const es_request *request, uint32_t window, unsigned offset,
                       es_stream_refusal *refusal) {
  client_request client = client_request_of(request);
  client.request.window = window;
  placed->size = es_stream_size(&client.request);
  placed->arena = room(placed->size + 2 * CANARY + 8 * offset);
  placed->block = placed->arena + CANARY + 8 * offset;
  placed->stream = NULL;
  memset(placed->arena, 0xC5, placed->size + 2 * CANARY + 8 * offset);
  es_status status = es_stream_open(&placed->stream, placed->block, placed->size, &client.request, refusal);
  client_request_forget(&client);
  return status;
}

void stream_remove(placed_stream *placed) {
  bool touched = false;
  for (unsigned char *at = placed->arena; at < placed->block; at++) touched = touched || *at != 0xC5;
  for (size_t i = 0; i < CANARY; i++) touched = touched || placed->block[placed->size + i] != 0xC5;
  ck_assert_msg(!touched, "expected bytes only of the block to be written, found others");
  free(placed->arena);
}

/* For what is looked at so often that noting the place each time would take most of the time. */
static void must(bool right) {
  if (!right) ck_abort_msg("a call says or does what it must not");
}

/* A case that is being played. */
typedef struct {
  es_stream *stream;
  const es_case *c;
  size_t offers;
  played p;
  size_t text_room;
} play;

static es_delivery next_delivery(play *a) {
  size_t i = a->offers++;
  if (i >= a->c->sink_count) return ES_SENT;
  return a->c->sink[i] == ES_SINK_LATER ? ES_SEND_LATER : a->c->sink[i] == ES_SINK_GONE ? ES_CLIENT_GONE : ES_SENT;
}

static void send_all(play *a) {
  const char *text;
  for (size_t length; (length = es_stream_text(a->stream, &text)) > 0;) {
    es_delivery delivery = next_delivery(a);
    if (delivery == ES_SENT) {
      must(a->p.length + length <= a->text_room);
      memcpy(a->p.text + a->p.length, text, length);
      a->p.length += length;
    }
    must(es_stream_sent(a->stream, delivery) == ES_OK);
  }
}

static void boundary(play *a, uint64_t k) {
  const es_case *c = a->c;
  es_stream_event event = {0};
  event.abort = a->p.abandoned || (c->has_abort && c->abort_after_step == k);
  event.external = c->external.present && c->external.after_step == k;
  event.cut = c->external.cut;
  event.reason = c->external.reason.data;
  must(es_stream_step(a->stream, event.abort || event.external ? &event : NULL) == ES_OK);
}

/* False: the answer is over, or the token does not fit. */
static bool take(play *a, const es_token *token) {
  es_status status = es_stream_token(a->stream, token->id, token->bytes.data, token->bytes.length, token->special);
  if (status == ES_FULL) {
    a->p.fulls++;
    must(es_stream_step(a->stream, NULL) == ES_OK);
    if (es_stream_ended(a->stream)) return false;
    send_all(a);
    status = es_stream_token(a->stream, token->id, token->bytes.data, token->bytes.length, token->special);
    a->p.abandoned = status == ES_FULL;
  }
  must(status == ES_OK || status == ES_ENDED || status == ES_FULL);
  return status == ES_OK;
}

played stream_play(es_stream *stream, const es_case *c, bool step_0) {
  play a = {.stream = stream, .c = c};
  for (size_t i = 0; i < c->token_count; i++) a.text_room += 3 * c->tokens[i].bytes.length;
  a.p.text = room(a.text_room);
  a.p.ends = room((c->step_count + 1) * sizeof *a.p.ends);
  bool silent = c->step_count > 0 && c->steps[0].count > 0 && c->request.deadline_steps > 0 &&
                !(c->has_abort && c->abort_after_step == 0) && !(c->external.present && c->external.after_step == 0);
  if ((step_0 || !silent) && !es_stream_ended(stream)) boundary(&a, 0);
  while (a.p.steps < c->step_count && !es_stream_ended(stream)) {
    const es_step *step = c->steps + a.p.steps;
    for (size_t i = step->first; i < step->first + step->count; i++)
      if (!take(&a, c->tokens + i)) break;
    if (!es_stream_ended(stream)) boundary(&a, a.p.steps + 1);
    send_all(&a);
    a.p.ends[a.p.steps++] = a.p.length;
  }
  a.p.ended = es_stream_ended(stream);
  a.p.has_end = es_stream_terminal(stream, &a.p.end);
  es_stream_end again;
  ck_assert(!es_stream_terminal(stream, &again));
  return a.p;
}

void played_free(played *p) {
  free(p->text);
  free(p->ends);
}
