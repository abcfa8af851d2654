// The flag's functions as the scenarios call them: of the flag as it is, or of a copy with one planted fault.
#ifndef ES_TEST_RELACY_FLAG_H
#define ES_TEST_RELACY_FLAG_H

#include "status.h"
#include "stopword.h"
#include <stdatomic.h>

// Each copy has a type of its own for a slot; all are alike, and the scenarios have one of these.
struct slot {
  rl::atomic<uint64_t> word;
};

struct flag {
  void (*init)(slot *, uint64_t);
  uint64_t (*epoch)(slot *);
  es_stop_answer (*request)(slot *, uint64_t, uint8_t);
  uint8_t (*poll)(slot *);
  es_status (*ack)(slot *, uint8_t *);
  bool (*over)(slot *, uint64_t);
  bool (*await)(slot *, uint64_t, bool (*)(void *), void *);
  es_status (*recycle)(slot *, uint64_t *);
};

extern const flag flags[]; // written by run.py: the flag as it is, then the copies
extern const unsigned flag_count;

#endif
