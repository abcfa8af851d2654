#include "sources.h"

#include "output.h"

enum { KEY_STRICT = 's', KEY_VOCAB = 'v' };

static const struct argp_option options[] = {
    {"strict", KEY_STRICT, NULL, 0, "refuse members that the format does not know", 0},
    {"vocab", KEY_VOCAB, "FILE", 0,
     "the vocabulary of lines that name none: a tokenizer.json, a tiktoken rank file or a tekken.json; tokens may then "
     "be ids alone",
     0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  static char standard_input[] = "-";
  static char *only_standard_input[] = {standard_input};
  es_sources *sources = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    sources->files = only_standard_input;
    sources->file_count = 1;
    return 0;
  case KEY_STRICT:
    sources->strict = true;
    return 0;
  case KEY_VOCAB:
    sources->vocab_path = argument;
    return 0;
  case ARGP_KEY_ARGS:
    sources->files = state->argv + state->next;
    sources->file_count = state->argc - state->next;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp es_sources_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

bool es_sources_open(es_sources *sources) {
  es_vocab_fault fault;
  char why[600];
  sources->shelf = es_shelf_new();
  if (sources->shelf == NULL) {
    es_message("endstop: memory ran out");
    return false;
  }
  if (sources->vocab_path == NULL) return true;
  sources->vocab = es_vocab_load(sources->vocab_path, &fault);
  if (sources->vocab != NULL) return true;
  es_vocab_explain(sources->vocab_path, &fault, why, sizeof why);
  es_message("--vocab: %s", why);
  es_sources_close(sources);
  return false;
}

void es_sources_close(es_sources *sources) {
  es_vocab_free(sources->vocab);
  es_shelf_free(sources->shelf);
}
