#include "history_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cause.h"

/* One line of the race order: when, and what. */
typedef struct {
  uint64_t when;
  size_t order; /* of those at the same time */
  const did *d;
  const asked *a;
} happened;

static int earlier(const void *x, const void *y) {
  const happened *a = x, *b = y;
  if (a->when != b->when) return a->when < b->when ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static const char *const ops[] = {
    [ES_DID_SAMPLE] = "sample",       [ES_DID_KV_APPEND] = "kv_append", [ES_DID_COMMIT] = "token_commit",
    [ES_DID_READ_STOP] = "read_stop", [ES_DID_EMIT] = "emit",           [ES_DID_FINISH] = "finish",
    [ES_DID_RECYCLE] = "recycle"};

static const char *op_of(const es_engine_event *event) {
  return event->did <= ES_DID_RECYCLE ? ops[event->did] : NULL;
}

/* What a right engine would have seen, from the events alone: the check may have ended at a fault before. It sees a
 * request at the first look after the first was made. */
static void retrace(history *h, const es_engine_event *e, uint64_t when, uint32_t lanes) {
  if (e->did == ES_DID_ADMIT && e->value < lanes) {
    lane_view *lane = h->lanes + e->value;
    lane->stage = RIDES, lane->slot = e->slot, lane->epoch = e->epoch;
  }
  for (uint32_t i = 0; i < lanes; i++) {
    lane_view *lane = h->lanes + i;
    if (lane->stage != RIDES || lane->slot != e->slot || lane->epoch != e->epoch) continue;
    if (e->did == ES_DID_FINISH) lane->stage = FINISHED;
    if (e->did == ES_DID_EMIT)
      *(es_sink_answer *)list_add(&lane->answers, sizeof(es_sink_answer)) = (es_sink_answer)e->value;
    if (e->did != ES_DID_READ_STOP || lane->seen) continue;
    lane->boundaries = (uint32_t)e->place + 1;
    lane->seen = lane->winner && 2 * lane->winner->end <= when;
  }
}

static void print_did(const history *h, const es_engine_event *e, uint32_t lanes, FILE *out) {
  uint64_t epoch = e->epoch - (e->did == ES_DID_RECYCLE);
  fprintf(out, "{\"thread\":\"engine\",\"op\":\"%s\"", op_of(e));
  for (uint32_t i = 0; i < lanes; i++)
    if (h->lanes[i].stage != NOT_YET && h->lanes[i].slot == e->slot && h->lanes[i].epoch == epoch)
      fprintf(out, ",\"req\":\"L%" PRIu32 "\"", i);
  if (e->did >= ES_DID_SAMPLE && e->did <= ES_DID_COMMIT) fprintf(out, ",\"tok\":\"%" PRIu64 "\"", e->value);
  if (e->did == ES_DID_FINISH && es_cause_finish_reason((es_cause)e->value))
    fprintf(out, ",\"reason\":\"%s\"", es_cause_finish_reason((es_cause)e->value));
  if (e->did == ES_DID_READ_STOP) fprintf(out, ",\"boundary\":%" PRIu64 ",\"flag\":%" PRIu64, e->place, e->value);
  fputc('}', out);
}

static void print_asked(const asked *a, FILE *out) {
  if (a->reason == REASON_GONE)
    fprintf(out, "{\"thread\":\"client\",\"op\":\"disconnect\",\"req\":\"L%" PRIu32 "\"},", a->lane);
  static const char *const answers[] = {"won", "second", "late", "stale"};
  fprintf(out, "{\"thread\":\"control\",\"op\":\"set_stop\",\"reason\":\"abort\",\"flag\":%d,\"answer\":\"%s\"",
          a->reason, answers[a->answer]);
  fprintf(out, ",\"req\":\"L%" PRIu32 "\"}", a->lane);
}

void history_print(history *h, const thread_log *logs, size_t log_count, const es_case *const *scripts, uint32_t lanes,
                   const char *name, FILE *out) {
  list all = {0};
  for (size_t l = 0; l < log_count; l++) {
    for (size_t i = 0; i < logs[l].dids.count; i++) {
      const did *d = (const did *)logs[l].dids.items + i;
      bool atomic = d->event.did == ES_DID_READ_STOP || d->event.did == ES_DID_RECYCLE;
      if (!op_of(&d->event) && d->event.did != ES_DID_ADMIT) continue;
      happened *one = list_add(&all, sizeof *one);
      *one = (happened){atomic ? 2 * d->done : 2 * d->next + 1, all.count, d, NULL};
    }
    for (size_t i = 0; i < logs[l].askeds.count; i++) {
      const asked *a = (const asked *)logs[l].askeds.items + i;
      if (a->lane == NOBODY) continue;
      happened *one = list_add(&all, sizeof *one);
      *one = (happened){2 * a->end, all.count, NULL, a};
    }
  }
  if (all.count > 0) qsort(all.items, all.count, sizeof(happened), earlier);
  fprintf(out, "{\"case\":\"%s\",\"events\":[", name);
  for (uint32_t i = 0; i < lanes; i++) {
    lane_view *lane = h->lanes + i;
    lane->seen = false, lane->stage = NOT_YET, lane->answers.count = 0;
  }
  const char *between = "";
  for (size_t i = 0; i < all.count; i++) {
    const happened *one = (const happened *)all.items + i;
    if (one->d) retrace(h, &one->d->event, one->when, lanes);
    if (one->d && !op_of(&one->d->event)) continue;
    fputs(between, out);
    between = ",";
    if (one->d) {
      print_did(h, &one->d->event, lanes, out);
    } else {
      print_asked(one->a, out);
    }
  }
  fputs("],\"expect\":{\"per_request\":{", out);
  between = "";
  for (uint32_t i = 0; i < lanes; i++) {
    const es_result *r = history_expected(h, scripts[i], h->lanes + i);
    if (!r || h->lanes[i].stage != FINISHED) continue; /* a run that was broken off says nothing of the others */
    fprintf(out, "%s\"L%" PRIu32 "\":{\"committed\":[", between, i);
    between = ",";
    for (size_t t = 0; t < r->token_id_count; t++) fprintf(out, "%s\"%" PRIu32 "\"", t > 0 ? "," : "", r->token_ids[t]);
    fputs("],\"finish\":", out);
    if (r->finish_reason.data) {
      fprintf(out, "\"%.*s\"", (int)r->finish_reason.length, r->finish_reason.data);
    } else {
      fputs("null", out);
    }
    fprintf(out, ",\"terminal_count\":%" PRIu64 "}", r->terminals);
  }
  fputs("}}}\n", out);
  free(all.items);
}
