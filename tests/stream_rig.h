/* stream_rig: a case of spec/formats.md through endstop.h, for the tests of the stream. */
#ifndef ES_TESTS_STREAM_RIG_H
#define ES_TESTS_STREAM_RIG_H

#include "case.h"
#include "endstop.h"

#define CANARY 64 /* bytes on each side of a stream's block that nobody may touch */

/* A request as a client of the library makes it: what it points to is its own, and forgotten once the stream is open. */
typedef struct {
  es_stream_request request;
  es_stream_stop *stops;
  es_stream_ids *sequences;
  uint32_t *ids;
  char *text;
  size_t text_size, id_count;
} client_request;

client_request client_request_of(const es_request *request);
/* Overwrites all that the request points to, and frees it. */
void client_request_forget(client_request *client);

/* A stream in a block of just its size, `offset` × 8 bytes from where the largest alignment is, between canaries. */
typedef struct {
  unsigned char *arena;
  unsigned char *block;
  size_t size;
  es_stream *stream;
} placed_stream;

es_status stream_place(placed_stream *placed, const es_request *request, uint32_t window, unsigned offset,
                       es_stream_refusal *refusal);
/* Looks at the canaries. */
void stream_remove(placed_stream *placed);

/* What came of it. */
typedef struct {
  char *text; /* all that was sent */
  size_t length;
  size_t *ends; /* where in it the delta of each step ends */
  size_t steps;
  es_stream_end end;
  bool has_end;
  bool ended;
  size_t fulls;   /* tokens that did not fit at first */
  bool abandoned; /* one did not fit at all, and the answer was aborted before it */
} played;

/* Plays a case: its steps, abort, external end and sink. Boundary 0 is passed by a call of its own, or where nothing
 * happens there by the first token. A token that does not fit is handed in again after an empty step. */
played stream_play(es_stream *stream, const es_case *c, bool step_0);
void played_free(played *p);

#endif
