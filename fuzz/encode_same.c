/* Whether an input says the case that it was written from. Its ids may have other numbers. */
#include "encode.h"

static void name(fuzz_names *known, uint32_t id) {
  for (uint32_t i = 0; i < known->count && i < 8; i++)
    if (known->id[i] == id) return;
  if (known->count < 8) known->id[known->count] = id;
  if (known->count <= 8) known->count++;
}

uint32_t fuzz_number(const fuzz_names *known, uint32_t id) {
  uint32_t i = 0;
  while (i < known->count && i < 8 && known->id[i] != id) i++;
  return i;
}

fuzz_names fuzz_name_all(const es_case *c) {
  const es_request *r = &c->request;
  fuzz_names all = {{0}, 0};
  for (size_t t = 0; t < c->token_count; t++) name(&all, c->tokens[t].id);
  for (uint32_t i = 0; i < r->stop_id_count; i++) name(&all, r->stop_ids[i]);
  for (uint32_t i = 0; i < r->eos_id_count; i++) name(&all, r->eos_ids[i]);
  for (uint32_t s = 0; s < r->sequence_count; s++)
    for (uint32_t i = 0; i < r->sequences[s].length; i++) name(&all, r->sequence_ids[r->sequences[s].offset + i]);
  bool small = true;
  for (uint32_t i = 0; i < all.count && i < 8; i++) small = small && all.id[i] < 8;
  if (small && all.count <= 8) all = (fuzz_names){{0, 1, 2, 3, 4, 5, 6, 7}, 8};
  return all;
}

static bool same_ids(const fuzz_names *known, const uint32_t *ids, const uint32_t *read, uint32_t count) {
  bool same = true;
  for (uint32_t i = 0; i < count; i++) same = same && fuzz_number(known, ids[i]) == read[i];
  return same;
}

static bool same_request(const fuzz_names *known, const es_request *a, const es_request *b) {
  if (a->stop_count != b->stop_count || a->stop_id_count != b->stop_id_count || a->eos_id_count != b->eos_id_count ||
      a->sequence_count != b->sequence_count)
    return false;
  bool same = a->ignore_eos == b->ignore_eos && a->include_stop == b->include_stop &&
              a->skip_special == b->skip_special && a->min_tokens == b->min_tokens && a->max_tokens == b->max_tokens &&
              a->max_context == b->max_context && a->prompt_tokens == b->prompt_tokens &&
              a->deadline_steps == b->deadline_steps && a->max_period == b->max_period &&
              a->min_repeats == b->min_repeats && a->flush.kind == b->flush.kind && a->flush.n == b->flush.n;
  for (uint32_t s = 0; s < a->stop_count && same; s++)
    same = a->stops[s].length == b->stops[s].length && a->stops[s].priority == b->stops[s].priority &&
           memcmp(a->text + a->stops[s].offset, b->text + b->stops[s].offset, a->stops[s].length) == 0;
  for (uint32_t s = 0; s < a->sequence_count && same; s++)
    same = a->sequences[s].length == b->sequences[s].length &&
           same_ids(known, a->sequence_ids + a->sequences[s].offset, b->sequence_ids + b->sequences[s].offset,
                    a->sequences[s].length);
  return same && same_ids(known, a->stop_ids, b->stop_ids, a->stop_id_count) &&
         same_ids(known, a->eos_ids, b->eos_ids, a->eos_id_count);
}

static bool same_tokens(const fuzz_names *known, const es_case *a, const es_case *b) {
  if (a->token_count != b->token_count || a->step_count != b->step_count || a->sink_count != b->sink_count)
    return false;
  bool same = true;
  for (size_t t = 0; t < a->token_count; t++)
    same = same && fuzz_number(known, a->tokens[t].id) == b->tokens[t].id &&
           a->tokens[t].special == b->tokens[t].special && es_span_same(a->tokens[t].bytes, b->tokens[t].bytes);
  for (size_t s = 0; s < a->step_count; s++) same = same && a->steps[s].count == b->steps[s].count;
  for (size_t i = 0; i < a->sink_count; i++) same = same && a->sink[i] == b->sink[i];
  return same;
}

bool fuzz_same_case(const es_case *a, const es_case *b) {
  fuzz_names known = fuzz_name_all(a);
  if (a->has_abort != b->has_abort || a->external.present != b->external.present) return false;
  bool same = !a->has_abort || a->abort_after_step == b->abort_after_step;
  if (a->external.present)
    same = same && a->external.after_step == b->external.after_step && a->external.cut == b->external.cut &&
           es_span_same(a->external.reason, b->external.reason);
  return same && same_request(&known, &a->request, &b->request) && same_tokens(&known, a, b);
}
