/* progress: one line on a person's terminal that says how far a long file is.
 *
 * Drawn on standard error, only if that is a terminal, only after half a second, at most ten times a second. There is
 * one terminal, so there is one bar. */
#ifndef ES_CLI_PROGRESS_H
#define ES_CLI_PROGRESS_H

#include <stdint.h>

void es_progress_begin(uint64_t size); /* 0: the size is not known, and there is no bar */
void es_progress_at(uint64_t done);
void es_progress_hide(void); /* clears the line, before something else is written to the terminal */
void es_progress_end(void);

#endif
