/* The command: finds the verb and hands the rest of the line to it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"

ES_API const char *argp_program_version = ES_CLI_VERSION; /* the C library looks for it */

typedef struct {
  const char *name;
  int (*run)(int argc, char **argv);
  char *called; /* its name in messages */
} verb;

static char name_of_run[] = "endstop run";
static char name_of_check[] = "endstop check";

static verb verbs[] = {
    {"run", es_cli_run, name_of_run},
    {"check", es_cli_check, name_of_check},
};

static const char documentation[] =
    "The reference for how the output of a language model ends: which byte is the last one shown, why it ended, and "
    "when each byte may be shown.\v"
    "Verbs:\n"
    "  run     cases to results: the reference, usable as an adapter\n"
    "  check   recordings to verdicts\n"
    "\n"
    "`endstop VERB --help' says more. Exit status: 0 conforms, 1 violates, 2 the input or the call is at fault.";

/* The place of the verb on the command line. */
typedef struct {
  int place;
} call;

static error_t parse_call(int key, char *argument, struct argp_state *state) {
  call *made = state->input;
  (void)argument;
  switch (key) {
  case ARGP_KEY_ARG:
    made->place = state->next - 1;
    state->next = state->argc; /* the rest is the verb's */
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "a verb is expected: run or check");
    /* fall through - it has ended */
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Help and version go through the C library's output; its errors must not be lost either. */
static void check_library_output(void) {
  if (fclose(stdout) != 0) _exit(ES_EXIT_FAULT);
}

bool es_cli_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *made) {
  if (argp_parse(parser, argc, argv, flags, NULL, made) == 0) return true;
  es_message("endstop: memory ran out");
  return false;
}

int main(int argc, char **argv) {
  static const struct argp parser = {NULL, parse_call, "VERB [ARGUMENT...]", documentation, NULL, NULL, NULL};
  call made = {0};
  argp_err_exit_status = ES_EXIT_FAULT;
  signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error like any other */
  atexit(check_library_output);
  if (!es_cli_parse(&parser, argc, argv, ARGP_IN_ORDER, &made)) return ES_EXIT_FAULT;
  for (size_t v = 0; v < sizeof verbs / sizeof verbs[0]; v++) {
    if (strcmp(argv[made.place], verbs[v].name) != 0) continue;
    argv[made.place] = verbs[v].called;
    return verbs[v].run(argc - made.place, argv + made.place);
  }
  es_message("endstop: expected a verb (run or check), found `%s'", argv[made.place]);
  return ES_EXIT_FAULT;
}
