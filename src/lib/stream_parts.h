/* stream_parts: what the files of the stream share. Not for others.
 *
 * stream.c: the calls · stream_request.c: may it be asked, and the copy of it · stream_room.c: where all of it lies. */
#ifndef ES_LIB_STREAM_PARTS_H
#define ES_LIB_STREAM_PARTS_H

#include "endstop.h"
#include "lane.h"

/* The bytes that a window may have at most: what waits, with what is held back, is decoded at once. */
#define ES_LARGEST_WINDOW ((uint32_t)1 << 30)

struct es_stream {
  es_lane lane;
  es_request request;
  es_stop_set strings;
  es_stop_set sequences;
  uint8_t *shown; /* the text to send */
  uint32_t shown_room;
  bool needs_ids;         /* the request speaks of ids */
  uint64_t now;           /* the time told last, in ms */
  const char *end_reason; /* of an external end */
};

/* What lies in the block behind the stream. */
typedef enum {
  ES_PART_SHOWN,
  ES_PART_TEXT,
  ES_PART_STOP_TEXT, /* the request's copy … */
  ES_PART_STOPS,
  ES_PART_STOP_IDS,
  ES_PART_SEQUENCE_IDS,
  ES_PART_SEQUENCES,
  ES_PART_EOS_IDS,
  ES_PART_LIVE_STRINGS, /* … its compiled stops … */
  ES_PART_STRING_SYMBOLS,
  ES_PART_STRING_BORDERS,
  ES_PART_COMPILING,
  ES_PART_LIVE_SEQUENCES,
  ES_PART_SEQUENCE_SYMBOLS,
  ES_PART_SEQUENCE_BORDERS,
  ES_PART_STRING_PROGRESS, /* … and what the lane remembers */
  ES_PART_SEQUENCE_PROGRESS,
  ES_PART_STARTS,
  ES_PART_REPETITION_IDS,
  ES_PART_REPETITION_RUNS,
  ES_PARTS
} es_part;

typedef struct {
  uint32_t counts[ES_PARTS]; /* elements */
  size_t offsets[ES_PARTS];  /* bytes from the beginning of the block */
  size_t size;               /* SIZE_MAX where no block could be that large */
} es_layout;

/* The bounds of a request, none beyond what the core can count. */
es_bounds es_stream_bounds_of(const es_stream_request *request);

/* Where everything lies for this request, of which no more than the bounds allow is looked at. */
es_layout es_stream_lay(const es_stream_request *request, const es_bounds *bounds);

/* Whether a list is missing that is said to have elements. */
bool es_stream_lacks(const es_stream_request *request, const es_bounds *bounds);

/* Whether the request may be asked (R13); where not, `refusal` says why. It lacks nothing. */
bool es_stream_may(const es_stream_request *request, const es_bounds *bounds, es_stream_refusal *refusal);

/* Copies a request that may be asked into the block. */
void es_stream_copy(es_request *copy, unsigned char *block, const es_layout *layout, const es_stream_request *request);

#endif
