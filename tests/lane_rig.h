/* lane_rig: one lane with its memory and its sink, for the tests of the lane. A test changes rig.request, starts, takes
 * steps, and says what the sink has. */
#ifndef ES_TESTS_LANE_RIG_H
#define ES_TESTS_LANE_RIG_H

#include <check.h>

#include "lane.h"

#define RIG_ROOM 64 /* bytes of unsent text */
#define RIG_LIST 4  /* stops, sequences, ids of a sequence, the longest period */
#define NOTHING ((es_boundary){false, 0, false, false})

/* Ids of tokens: two that end a lane, one that does not. */
#define EOS 90
#define STOP_TOKEN 91
#define ABC 1

typedef struct {
  es_request request;
  es_stop stops[RIG_LIST];
  uint8_t stop_text[RIG_ROOM];
  es_sequence sequences[RIG_LIST];
  uint32_t sequence_ids[RIG_LIST * RIG_LIST];
  es_stop_set strings, ids;
  es_lane_memory memory;
  es_lane lane;
  uint8_t shown[8 * RIG_ROOM]; /* what the sink took */
  uint32_t shown_size;
} lane_rig;

extern lane_rig rig;

/* A request that says nothing but eos_token_ids and stop_token_ids. */
void rig_begin(void);
void rig_stop(const char *text);
void rig_sequence(uint32_t count, uint32_t a, uint32_t b, uint32_t c);

/* Compiles and opens; start is boundary 0 too. */
void rig_open(void);
void rig_start(void);

es_status rig_token(uint32_t id, const char *text, bool special);
void rig_take(uint32_t id, const char *text);
/* A boundary, after which the sink takes all that is due. */
void rig_boundary(es_boundary at);
/* A step of one token. */
void rig_step(uint32_t id, const char *text);
/* Offers what is due once; false where nothing is. */
bool rig_offer(es_answer answer);

void rig_shows(const char *text);
void rig_holds(es_hold_kind kind, uint32_t index, uint64_t bytes);
/* The lane ended so: one terminal, and after it every call is refused and changes nothing (R8, R12, R15). */
es_terminal rig_ended(es_cause cause, uint64_t cut, uint32_t tokens);

/* test_lane_laws.c: memory, calls out of order and laws. */
TCase *lane_law_tests(void);

#endif
