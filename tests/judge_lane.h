/* A lane in one line, for the tests of the judge: a test says what the lane was given, takes the reference's own result,
 * changes one thing and asks for the verdict. */
#ifndef ES_TESTS_JUDGE_LANE_H
#define ES_TESTS_JUDGE_LANE_H

#include <check.h>

#include "judge.h"

extern es_judge *judge;
extern es_case c;
extern es_result r;
extern es_delta deltas[33]; /* r's */
extern uint64_t delta_steps[33];
extern uint32_t ids[65]; /* r's token_ids */

void begin_judge(void);
void end_judge(void);
es_span span(const char *text);

/* The stops, parted by '/', and the lane: tokens parted by ',', steps by '|', '!' before a special token. The id of a
 * token is its place from 0. */
void given(const char *stop_list, const char *lane);
/* What the reference does with it; every member is there. */
void due(void);
/* Other deltas, parted by '|'; and text too. */
void shown_in_deltas(const char *list);
void shown(const char *list);
/* Another end after `count` tokens, which names no stop. */
void ended(const char *cause, const char *finish_reason, uint64_t count);

/* The verdict on `r` without its terminal, which the tests do not keep up to date. */
const es_verdict *verdict(void);
void conforms(void);
/* The only finding is of this kind and rule, and its sentence holds `phrase`. */
void found(es_kind kind, const char *rule, const char *phrase);

/* test_judge_outside.c: recordings without steps. */
void add_judge_outside(Suite *suite);

#endif
