#include "history_parts.h"

#include <inttypes.h>
#include <stdlib.h>

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

/* A right engine sees at the first look after a request was the first that it was made. */
static void look(history *h, const es_engine_event *e, uint64_t when, uint32_t lanes) {
  for (uint32_t i = 0; e->did == ES_DID_READ_STOP && i < lanes; i++) {
    lane_view *lane = h->lanes + i;
    if (lane->slot != e->slot || lane->epoch != e->epoch || lane->seen || !lane->winner) continue;
    lane->seen = 2 * lane->winner->end <= when;
    if (lane->seen) lane->boundaries = (uint32_t)e->place + 1;
  }
}

static void print_did(const history *h, const es_engine_event *e, uint32_t lanes, FILE *out) {
  uint64_t epoch = e->epoch - (e->did == ES_DID_RECYCLE);
  fprintf(out, "{\"thread\":\"engine\",\"op\":\"%s\"", op_of(e));
  for (uint32_t i = 0; i < lanes; i++)
    if (h->lanes[i].stage != NOT_YET && h->lanes[i].slot == e->slot && h->lanes[i].epoch == epoch)
      fprintf(out, ",\"req\":\"L%" PRIu32 "\"", i);
  if (e->did >= ES_DID_SAMPLE && e->did <= ES_DID_COMMIT) fprintf(out, ",\"tok\":\"%" PRIu64 "\"", e->value);
  if (e->did == ES_DID_READ_STOP) fprintf(out, ",\"boundary\":%" PRIu64 ",\"reason\":%" PRIu64, e->place, e->value);
  fputc('}', out);
}

static void print_asked(const asked *a, FILE *out) {
  if (a->reason == REASON_GONE)
    fprintf(out, "{\"thread\":\"client\",\"op\":\"disconnect\",\"req\":\"L%" PRIu32 "\"},", a->lane);
  static const char *const answers[] = {"won", "second", "late", "stale"};
  fprintf(out, "{\"thread\":\"control\",\"op\":\"set_stop\",\"reason\":%d,\"answer\":\"%s\"", a->reason,
          answers[a->answer]);
  if (a->lane != NOBODY) fprintf(out, ",\"req\":\"L%" PRIu32 "\"", a->lane);
  fputc('}', out);
}

void history_print(history *h, const thread_log *logs, size_t log_count, const es_case *const *scripts, uint32_t lanes,
                   const char *name, FILE *out) {
  list all = {0};
  for (size_t l = 0; l < log_count; l++) {
    for (size_t i = 0; i < logs[l].dids.count; i++) {
      const did *d = (const did *)logs[l].dids.items + i;
      bool atomic = d->event.did == ES_DID_READ_STOP || d->event.did == ES_DID_RECYCLE;
      if (!op_of(&d->event)) continue;
      happened *one = list_add(&all, sizeof *one);
      *one = (happened){atomic ? 2 * d->done : 2 * d->next + 1, all.count, d, NULL};
    }
    for (size_t i = 0; i < logs[l].askeds.count; i++) {
      const asked *a = (const asked *)logs[l].askeds.items + i;
      happened *one = list_add(&all, sizeof *one);
      *one = (happened){2 * a->end, all.count, NULL, a};
    }
  }
  if (all.count > 0) qsort(all.items, all.count, sizeof(happened), earlier);
  fprintf(out, "{\"case\":\"%s\",\"events\":[", name);
  for (uint32_t i = 0; i < lanes; i++) h->lanes[i].seen = false;
  for (size_t i = 0; i < all.count; i++) {
    const happened *one = (const happened *)all.items + i;
    if (i > 0) fputc(',', out);
    if (one->d) {
      print_did(h, &one->d->event, lanes, out);
      look(h, &one->d->event, one->when, lanes);
    } else {
      print_asked(one->a, out);
    }
  }
  fputs("],\"expect\":{\"per_request\":{", out);
  for (uint32_t i = 0; i < lanes; i++) {
    const es_result *r = history_expected(h, scripts[i], h->lanes + i);
    if (!r) break;
    fprintf(out, "%s\"L%" PRIu32 "\":{\"committed\":[", i > 0 ? "," : "", i);
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
