/* run: cases to results, by the reference or by the slow model; race orders to what a right engine ends with. */
#include "run.h"

#include <inttypes.h>
#include <string.h>

#include "cli.h"
#include "input.h"
#include "model.h"
#include "output.h"
#include "race_run.h"
#include "trace.h"
#include "writer.h"

typedef enum { MATCHER_BYTES, MATCHER_MODEL } matcher;

typedef struct {
  matcher matcher;
  bool trace;
  es_sources sources;
} call;

enum { KEY_MATCHER = 'm', KEY_TRACE = 't' };

static const struct argp_option options[] = {
    {"matcher", KEY_MATCHER, "NAME", 0,
     "what finds the stops: `bytes', the reference (default), or `model', the slow second implementation", 0},
    {"trace", KEY_TRACE, NULL, 0, "for people: a table of what happened at each step, in the place of results of cases",
     0},
    {0},
};

static const char documentation[] =
    "Reads cases and race orders, one JSON object a line, from the files or standard input, and writes one result a "
    "line, in order.\v"
    "A line is answered before the next one is waited for, so this is an adapter. Lines at fault are reported on "
    "standard error and have no result.";

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  call *made = state->input;
  switch (key) {
  case KEY_MATCHER:
    if (strcmp(argument, "bytes") == 0) {
      made->matcher = MATCHER_BYTES;
    } else if (strcmp(argument, "model") == 0) {
      made->matcher = MATCHER_MODEL;
    } else {
      argp_error(state, "--matcher: expected bytes or model, found `%s'", argument);
    }
    return 0;
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &made->sources;
    return 0;
  case KEY_TRACE:
    made->trace = true;
    return 0;
  case ARGP_KEY_END:
    if (made->trace && made->matcher == MATCHER_MODEL) {
      argp_error(state, "--trace: expected --matcher bytes, found model, which keeps no trace");
    }
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* What answers the lines; of `run` and `model` one is there. */
typedef struct {
  es_run *run;
  es_model *model;
  es_race_run *race;
  es_trace trace;
} engine;

/* A race order has no text, so that neither matcher nor trace has a part in it. */
static bool answer_race(engine *with, const es_race *race) {
  const es_race_result *result = es_race_run_order(with->race, race);
  if (result != NULL) es_write_race(es_output_buffer(), race, result);
  return result != NULL;
}

static bool answer_case(const call *made, engine *with, const es_case *c) {
  const es_result *result = with->model != NULL ? es_model_case(with->model, c) : es_run_case(with->run, c);
  if (result == NULL) return false;
  if (made->trace) {
    es_trace_case(&with->trace, es_output_buffer(), c, result, with->run);
  } else {
    es_write_result(es_output_buffer(), result);
  }
  return true;
}

static int run_file(const call *made, engine *with, const char *name) {
  es_input input;
  es_input_line line;
  bool fault = false;
  if (!es_input_open(&input, name, &made->sources)) return ES_EXIT_FAULT;
  while (es_input_next(&input, &line, &fault)) {
    if (line.kind == ES_LINE_BAD) continue;
    if (!(line.kind == ES_LINE_RACE ? answer_race(with, line.race) : answer_case(made, with, &line.c))) {
      es_message("%s:%" PRIu64 ": memory ran out", input.name, line.number);
      fault = true;
      break;
    }
    es_output_line();
  }
  es_output_flush();
  es_input_close(&input);
  return fault ? ES_EXIT_FAULT : ES_EXIT_CONFORMS;
}

int es_cli_run(int argc, char **argv) {
  static const struct argp_child children[] = {{&es_sources_argp, 0, NULL, 0}, {0}};
  static const struct argp parser = {options, parse_option, "[FILE...]", documentation, children, NULL, NULL};
  call made = {0};
  if (!es_cli_parse(&parser, argc, argv, 0, &made)) return ES_EXIT_FAULT;
  if (!es_sources_open(&made.sources)) return ES_EXIT_FAULT;
  engine with = {.race = es_race_run_new()};
  if (made.matcher == MATCHER_MODEL) {
    with.model = es_model_new();
  } else {
    with.run = es_run_new();
  }
  int status = ES_EXIT_CONFORMS;
  bool ready = (with.model != NULL || with.run != NULL) && with.race != NULL;
  if (!ready) {
    es_message("endstop run: memory ran out");
    status = ES_EXIT_FAULT;
  }
  for (int f = 0; ready && f < made.sources.file_count; f++) {
    int found = run_file(&made, &with, made.sources.files[f]);
    if (found > status) status = found;
  }
  es_output_end();
  es_trace_free(&with.trace);
  es_model_free(with.model);
  es_run_free(with.run);
  es_race_run_free(with.race);
  es_sources_close(&made.sources);
  return status;
}
