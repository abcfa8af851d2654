/* cli: what the verbs of the command share. */
#ifndef ES_CLI_H
#define ES_CLI_H

#include <argp.h>
#include <stdbool.h>

#include "endstop.h"

#define ES_CLI_VERSION "endstop " ES_VERSION ", format 1"

/* What the command answers to whoever started it; the higher one wins. */
enum { ES_EXIT_CONFORMS = 0, ES_EXIT_VIOLATES = 1, ES_EXIT_FAULT = 2 };

/* One verb: argv[0] is the name it goes by in messages, `endstop run`. Returns the exit status. */
int es_cli_run(int argc, char **argv);
int es_cli_check(int argc, char **argv);

/* Reads a command line. argp itself says what is wrong with one, and ends; false: memory ran out, which is said. */
bool es_cli_parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *made);

#endif
