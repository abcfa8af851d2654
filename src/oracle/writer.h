/* writer: results and verdicts as JSON Lines (spec/formats.md). */
#ifndef ES_ORACLE_WRITER_H
#define ES_ORACLE_WRITER_H

#include "buffer.h"
#include "judge.h"
#include "race.h"
#include "result.h"

/* One line with its newline; absent members are left out. */
void es_write_result(es_buffer *out, const es_result *result);
/* The answer to a race order: one end where it has one lane, else one a request. */
void es_write_race(es_buffer *out, const es_race *race, const es_race_result *result);
void es_write_verdict(es_buffer *out, const es_verdict *verdict);

#endif
