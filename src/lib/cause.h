/* cause: the words of spec/formats.md for why a lane is over. */
#ifndef ES_LIB_CAUSE_H
#define ES_LIB_CAUSE_H

#include "arbiter.h"

/* `stop_string`, …; `open` while the lane runs. */
const char *es_cause_word(es_cause cause);

/* `stop`, `length`, …; NULL where the lane is open, and for an external end, which has a reason of its own (R16). */
const char *es_cause_finish_reason(es_cause cause);

#endif
