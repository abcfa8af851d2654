#include "arbiter.h"

es_cause es_arbiter_token(es_token_ends ends) {
  if (ends.eos) return ES_CAUSE_EOS;
  if (ends.stop_token) return ES_CAUSE_STOP_TOKEN;
  if (ends.stop_string) return ES_CAUSE_STOP_STRING;
  if (ends.stop_sequence) return ES_CAUSE_STOP_SEQUENCE;
  if (ends.max_tokens) return ES_CAUSE_MAX_TOKENS;
  if (ends.max_context) return ES_CAUSE_MAX_CONTEXT;
  if (ends.repetition) return ES_CAUSE_REPETITION;
  return ES_CAUSE_OPEN;
}

es_end es_arbiter_boundary(es_end natural, es_boundary at, uint64_t allowed, uint64_t taken) {
  es_end end = {ES_CAUSE_OPEN, taken};
  if (at.external) {
    uint64_t cut = at.external_cut < allowed ? allowed : at.external_cut > taken ? taken : at.external_cut;
    if (natural.cause != ES_CAUSE_OPEN && natural.cut <= cut) return natural;
    end.cause = ES_CAUSE_EXTERNAL;
    end.cut = cut;
    return end;
  }
  if (natural.cause != ES_CAUSE_OPEN) return natural;
  if (at.abort) {
    end.cause = ES_CAUSE_ABORT;
  } else if (at.deadline) {
    end.cause = ES_CAUSE_DEADLINE;
  }
  return end;
}
