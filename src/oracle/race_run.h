/* race_run: what a right engine ends with, given a race order (spec/races.md). */
#ifndef ES_ORACLE_RACE_RUN_H
#define ES_ORACLE_RACE_RUN_H

#include "race.h"

/* Working memory of runs, kept from order to order. */
typedef struct es_race_run es_race_run;

es_race_run *es_race_run_new(void); /* NULL when memory ran out */
void es_race_run_free(es_race_run *run);

/* The answer, valid until the next call with the same `run`; NULL when memory ran out. */
const es_race_result *es_race_run_order(es_race_run *run, const es_race *race);

#endif
