/* check: recordings to verdicts. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "input.h"
#include "output.h"
#include "report.h"

typedef struct {
  const es_report *report;
  es_report_options options;
  es_sources sources;
} call;

enum { KEY_FORMAT = 'f', KEY_ALL = 'a' };

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, "NAME", 0,
     "`text' for people (default), `table' (a row for each file), `json' (one verdict a line) or `junit'", 0},
    {"all", KEY_ALL, NULL, 0, "text: tell every fault, not just the first few of a kind", 0},
    {0},
};

static const char documentation[] = "Reads recordings (cases or race orders with a `result'), one JSON object a line, "
                                    "from the files or standard input, and says "
                                    "which ones conform to the rules and what is wrong with the others.\v"
                                    "Exit status: 0 all conform, 1 some violate, 2 some could not be read.";

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  static const es_report *const reports[] = {&es_report_text, &es_report_table, &es_report_json, &es_report_junit};
  call *made = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &made->sources;
    return 0;
  case KEY_ALL:
    made->options.all = true;
    return 0;
  case KEY_FORMAT:
    for (size_t r = 0; r < sizeof reports / sizeof reports[0]; r++) {
      if (strcmp(argument, reports[r]->name) != 0) continue;
      made->report = reports[r];
      return 0;
    }
    argp_error(state, "--format: expected text, table, json or junit, found `%s'", argument);
    /* fall through - it has ended */
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int status_of(es_verdict_kind kind) {
  return kind == ES_UNREADABLE ? ES_EXIT_FAULT : kind == ES_VIOLATES ? ES_EXIT_VIOLATES : ES_EXIT_CONFORMS;
}

/* The verdict on a line that cannot be read; it goes by the place where the line stands. */
static es_verdict unreadable(uint64_t line, char *place, size_t room) {
  int length = snprintf(place, room, "line %" PRIu64, line);
  return (es_verdict){.id = {place, (size_t)length}, .kind = ES_UNREADABLE};
}

static int check_file(const call *made, es_judge *judge, const char *name, uint64_t *lines) {
  es_input input;
  es_input_line line;
  char place[32];
  bool fault = false;
  int status = ES_EXIT_CONFORMS;
  if (!es_input_open(&input, name, &made->sources)) return ES_EXIT_FAULT;
  made->report->file_begins(input.name, made->options);
  while (es_input_next(&input, &line, &fault)) {
    if (line.kind != ES_LINE_BAD && !line.has_result) {
      line.kind = ES_LINE_BAD;
      line.bad = (es_bad_line){.line = line.number, .member = "result", .message = "expected a result, found none"};
      es_input_report(&input, &line.bad);
    }
    bool bad = line.kind == ES_LINE_BAD;
    *lines += 1;
    es_verdict no_verdict = unreadable(line.number, place, sizeof place);
    const es_verdict *verdict = bad                         ? &no_verdict
                                : line.kind == ES_LINE_RACE ? es_judge_race(judge, line.race)
                                                            : es_judge_case(judge, &line.c, &line.result);
    if (verdict == NULL) {
      es_message("%s:%" PRIu64 ": memory ran out", input.name, line.number);
      fault = true;
      break;
    }
    if (status_of(verdict->kind) > status) status = status_of(verdict->kind);
    es_judged judged = {input.name, line.number, line.bytes, verdict, bad ? &line.bad : NULL};
    made->report->judged(&judged);
  }
  es_input_close(&input);
  made->report->file_ends();
  es_output_flush();
  return fault ? ES_EXIT_FAULT : status;
}

int es_cli_check(int argc, char **argv) {
  static const struct argp_child children[] = {{&es_sources_argp, 0, NULL, 0}, {0}};
  static const struct argp parser = {options, parse_option, "[FILE...]", documentation, children, NULL, NULL};
  call made = {.report = &es_report_text};
  if (!es_cli_parse(&parser, argc, argv, 0, &made)) return ES_EXIT_FAULT;
  if (!es_sources_open(&made.sources)) return ES_EXIT_FAULT;
  es_judge *judge = es_judge_new();
  if (judge == NULL) {
    es_message("endstop check: memory ran out");
    es_sources_close(&made.sources);
    return ES_EXIT_FAULT;
  }
  int status = ES_EXIT_CONFORMS;
  uint64_t lines = 0;
  for (int f = 0; f < made.sources.file_count; f++) {
    int found = check_file(&made, judge, made.sources.files[f], &lines);
    if (found > status) status = found;
  }
  made.report->ends();
  if (lines == 0 && status != ES_EXIT_FAULT) {
    es_message("endstop check: expected recordings, found none: nothing was judged");
    status = ES_EXIT_FAULT;
  }
  es_output_end();
  es_judge_free(judge);
  es_sources_close(&made.sources);
  return status;
}
