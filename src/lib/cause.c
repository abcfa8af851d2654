#include "cause.h"

#include <stddef.h>

static const struct {
  const char *cause;
  const char *reason;
} words[] = {
    [ES_CAUSE_OPEN] = {"open", NULL},
    [ES_CAUSE_EOS] = {"eos", "stop"},
    [ES_CAUSE_STOP_TOKEN] = {"stop_token", "stop"},
    [ES_CAUSE_STOP_STRING] = {"stop_string", "stop"},
    [ES_CAUSE_STOP_SEQUENCE] = {"stop_sequence", "stop"},
    [ES_CAUSE_MAX_TOKENS] = {"max_tokens", "length"},
    [ES_CAUSE_MAX_CONTEXT] = {"max_context", "length"},
    [ES_CAUSE_REPETITION] = {"repetition", "repetition"},
    [ES_CAUSE_EXTERNAL] = {"external", NULL},
    [ES_CAUSE_ABORT] = {"abort", "abort"},
    [ES_CAUSE_DEADLINE] = {"deadline", "timeout"},
    [ES_CAUSE_DISCONNECT] = {"disconnect", "abort"},
};

const char *es_cause_word(es_cause cause) {
  return words[cause].cause;
}

const char *es_cause_finish_reason(es_cause cause) {
  return words[cause].reason;
}
