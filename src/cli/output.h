/* output: what the command says: lines on standard output, messages on standard error.
 *
 * Standard output is written in whole lines and directly, so that nothing follows after a write that failed. */
#ifndef ES_CLI_OUTPUT_H
#define ES_CLI_OUTPUT_H

#include "buffer.h"

/* `each_line`: whoever gave the input waits for the answer to each line. */
void es_output_begin(bool each_line);

/* Whether people read standard output on a terminal that shows colours. */
bool es_output_is_coloured(void);

/* Where lines are put before es_output_line writes them. */
es_buffer *es_output_buffer(void);

/* A line, or several, is complete: writes it now or, in large pieces, later. Ends the process with a message when it
 * cannot be written. */
void es_output_line(void);
void es_output_flush(void);
void es_output_end(void);

/* A message to a person, on a line of its own; characters that could act on a terminal are spelled out. */
void es_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
