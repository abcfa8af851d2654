/* split: one text, cut in two ways into tokens and steps (T5): the same text, the same stop, and while no stop has come
 * the same bytes that may be shown.
 *
 * The first way is plain. The second has a flush policy and a sink that puts off, which may change when text goes, and
 * nothing else; or a sink that goes: then what it has seen is a beginning of the text, nothing comes after, and an end
 * that had come is the same (R12). */
#include "answers.h"

const char fuzz_name[] = "split";

/* What must not depend on the cut. */
typedef struct {
  const es_result *result;
  es_boundary_trace last;
} answer;

static answer ask(fuzz_answers *with, es_run *run) {
  answer said = {.result = fuzz_ask(with, run)};
  size_t count;
  const es_boundary_trace *trace = es_run_trace(run, &count);
  said.last = trace[count - 1];
  return said;
}

static bool said(const es_result *result, const char *cause) {
  return es_span_same(result->cause, es_span_of(cause));
}

static void check_same(answer a, answer b, size_t taken) {
  fuzz_demand(es_span_same(a.result->cause, b.result->cause), "T5: both cuts end or neither");
  fuzz_demand(a.result->has_stop_index == b.result->has_stop_index && a.result->stop_index == b.result->stop_index,
              "T5: the same stop");
  fuzz_demand(a.last.allowed == b.last.allowed, "T5: the same bytes may be shown");
  if (a.last.ended) {
    fuzz_demand(es_span_same(a.result->text, b.result->text), "T5: the same text");
    fuzz_demand(a.result->terminal_crc32c == b.result->terminal_crc32c, "R15: the same text, the same checksum");
  } else {
    fuzz_demand(a.last.held_by == b.last.held_by && a.last.held_by_index == b.last.held_by_index,
                "T5: the same stop holds");
    fuzz_demand(a.last.taken == taken && b.last.taken == taken, "R1: R is the text");
  }
}

static void check_gone(const es_result *whole, const es_result *gone) {
  fuzz_demand(said(gone, "disconnect") ||
                  (es_span_same(gone->cause, whole->cause) && gone->stop_index == whole->stop_index),
              "R12: a lane ends where its sink goes, or keeps the end it had");
  fuzz_demand(gone->terminals == 0, "R12: no terminal for a sink that is gone");
  fuzz_demand(gone->text.length <= whole->text.length &&
                  es_span_same(gone->text, (es_span){whole->text.data, gone->text.length}),
              "R12: what was sent is a beginning of the text");
}

/* Whether the sink has gone: the lane is over, and has no terminal. */
static bool is_gone(answer a) {
  return a.last.ended && a.result->terminals == 0;
}

static bool may_go(const es_case *c) {
  bool goes = false;
  for (size_t i = 0; i < c->sink_count; i++) goes = goes || c->sink[i] == ES_SINK_GONE;
  return goes;
}

static void check(answer a, answer b, size_t taken, const es_case *c) {
  fuzz_demand(!is_gone(a) && (!is_gone(b) || may_go(c)), "R12: a lane that ends has a terminal");
  if (is_gone(b))
    check_gone(a.result, b.result);
  else
    check_same(a, b, taken);
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  fuzz_answers *with = memory;
  fuzz_case *made = &with->made;
  fuzz_split cuts;
  fuzz_split_read(made, &cuts, &in);
  answer a = {0};
  if (pass == FUZZ_LAWS) {
    made->c.sink_count = 0;
    fuzz_cut_text(made, in.bytes, cuts.taken, &cuts.plain);
    a = ask(with, with->other);
  }
  made->c.sink_count = cuts.offers;
  made->c.request.flush = cuts.flush;
  fuzz_cut_text(made, in.bytes, cuts.taken, &cuts.other);
  answer b = ask(with, with->run);
  if (pass == FUZZ_LAWS) check(a, b, cuts.taken, &made->c);
  fuzz_seen seen = FUZZ_NOTHING;
  fuzz_note_result(&seen, b.result);
  return seen;
}
