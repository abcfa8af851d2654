/* request: what a lane is asked to do, as typed data, and whether it may be asked (R13).
 *
 * Everything is the caller's: the request points to arrays it does not own. Nothing is known here of JSON. */
#ifndef ES_REQUEST_H
#define ES_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No limit of this kind. */
#define ES_NO_LIMIT UINT32_MAX

/* A stop string: bytes [offset, offset + length) of the request's text. */
typedef struct {
  uint32_t offset;
  uint32_t length;
  int32_t priority; /* −128 … 127; the higher wins among stops that complete at one place (R3) */
} es_stop;

/* A stop sequence: ids [offset, offset + length) of the request's sequence ids. */
typedef struct {
  uint32_t offset;
  uint32_t length;
} es_sequence;

typedef enum { ES_FLUSH_STEPS, ES_FLUSH_BYTES, ES_FLUSH_TOKENS, ES_FLUSH_MS } es_flush_kind;

typedef struct {
  es_flush_kind kind;
  uint32_t n; /* at least 1 */
} es_flush;

typedef struct {
  const uint8_t *text; /* the bytes of all stop strings */
  const es_stop *stops;
  uint32_t stop_count;
  const uint32_t *stop_ids; /* stop_token_ids */
  uint32_t stop_id_count;
  const uint32_t *sequence_ids; /* the ids of all stop sequences */
  const es_sequence *sequences;
  uint32_t sequence_count;
  const uint32_t *eos_ids; /* eos_token_ids */
  uint32_t eos_id_count;
  bool ignore_eos;
  bool include_stop; /* include_stop_str_in_output */
  bool skip_special; /* skip_special_tokens; true where a request does not say */
  uint32_t min_tokens;
  uint32_t max_tokens;     /* or ES_NO_LIMIT */
  uint32_t max_context;    /* tokens of prompt and answer together, or ES_NO_LIMIT */
  uint32_t prompt_tokens;  /* counts towards max_context only; at most 2^31 − 1, or es_lane_open refuses */
  uint32_t deadline_steps; /* or ES_NO_LIMIT */
  uint32_t max_period;     /* repetition: 0 where there is no guard */
  uint32_t min_repeats;
  es_flush flush;
} es_request;

/* How much a request may ask for (R13); settable. */
typedef struct {
  uint32_t stops;          /* 64 */
  uint32_t stop_bytes;     /* 1,024, each */
  uint32_t all_stop_bytes; /* 16,384 */
  uint32_t sequences;      /* 64 */
  uint32_t sequence_ids;   /* 16, each */
  uint32_t ids;            /* 256, a list */
  uint32_t repetition_ids; /* 4,096: period × repeats */
  uint32_t vocabulary;     /* one above the highest id; ES_NO_LIMIT where none is given */
} es_bounds;

/* The members of a request, in the order in which faults are looked for (spec/formats.md). */
typedef enum {
  ES_MEMBER_STOP,
  ES_MEMBER_STOP_TOKEN_IDS,
  ES_MEMBER_STOP_TOKEN_SEQUENCES,
  ES_MEMBER_EOS_TOKEN_IDS,
  ES_MEMBER_IGNORE_EOS,
  ES_MEMBER_INCLUDE_STOP,
  ES_MEMBER_SKIP_SPECIAL,
  ES_MEMBER_MIN_TOKENS,
  ES_MEMBER_MAX_TOKENS,
  ES_MEMBER_MAX_CONTEXT,
  ES_MEMBER_DEADLINE_STEPS,
  ES_MEMBER_REPETITION,
  ES_MEMBER_FLUSH,
  ES_MEMBER_NONE
} es_member;

typedef enum {
  ES_FAULT_NONE,
  ES_FAULT_TOO_MANY,         /* the list has more elements than the bounds allow */
  ES_FAULT_EMPTY,            /* an empty stop string or sequence */
  ES_FAULT_NOT_UTF8,         /* a stop string that is no UTF-8 */
  ES_FAULT_TOO_LONG,         /* one element is longer than the bounds allow */
  ES_FAULT_TOTAL,            /* the stop strings together are longer than the bounds allow */
  ES_FAULT_TOO_LARGE,        /* a number, an id or a product above what is allowed */
  ES_FAULT_TOO_SMALL,        /* a number below what is allowed */
  ES_FAULT_PRIORITY,         /* a priority outside −128 … 127 */
  ES_FAULT_MIN_ABOVE_MAX,    /* min_tokens above max_tokens */
  ES_FAULT_NOT_IN_VOCABULARY /* an id outside the given vocabulary */
} es_fault;

/* The place of a fault among others: the lowest is the one reported (R13). */
typedef enum { ES_PHASE_COUNT, ES_PHASE_ELEMENT, ES_PHASE_TOTAL } es_phase;

typedef struct {
  es_fault fault; /* ES_FAULT_NONE: the request may be asked */
  es_member member;
  es_phase phase;
  uint32_t
      index; /* ES_PHASE_ELEMENT: which element of a list; for repetition 0 max_period, 1 min_repeats; for flush 0 */
  bool pair; /* concerns two members: looked at after all single ones */
} es_refusal;

extern const es_bounds es_default_bounds;

/*@
  predicate request_valid{L}(es_request *r) =
    \valid_read(r) && \valid_read(r->stops + (0 .. r->stop_count - 1)) &&
    (\forall integer i; 0 <= i < r->stop_count ==>
       r->stops[i].offset + r->stops[i].length <= UINT32_MAX &&
       \valid_read(r->text + (r->stops[i].offset .. r->stops[i].offset + r->stops[i].length - 1))) &&
    \valid_read(r->stop_ids + (0 .. r->stop_id_count - 1)) && \valid_read(r->eos_ids + (0 .. r->eos_id_count - 1)) &&
    \valid_read(r->sequences + (0 .. r->sequence_count - 1)) &&
    (\forall integer i; 0 <= i < r->sequence_count ==>
       r->sequences[i].offset + r->sequences[i].length <= UINT32_MAX &&
       \valid_read(r->sequence_ids +
                    (r->sequences[i].offset .. r->sequences[i].offset + r->sequences[i].length - 1)));

  // a stop string that may be asked for, but for its bytes
  predicate stop_fits{L}(es_stop *stop, es_bounds *bounds) =
    1 <= stop->length <= bounds->stop_bytes && -128 <= stop->priority <= 127;

  // ids that may be asked for
  predicate ids_fit{L}(uint32_t *ids, integer count, es_bounds *bounds) =
    \forall integer i; 0 <= i < count ==> ids[i] <= INT32_MAX && ids[i] < bounds->vocabulary;
*/

/* The first fault of the request, or ES_FAULT_NONE (R13). */
/*@ requires valid:   request_valid(request) && \valid_read(bounds);
    assigns  \nothing;
    ensures  stops:   request->stop_count > bounds->stops ==>
                        \result.fault == ES_FAULT_TOO_MANY && \result.member == ES_MEMBER_STOP;
    ensures  stop:    \result.fault == ES_FAULT_NONE ==>
                        \forall integer i; 0 <= i < request->stop_count ==> stop_fits(request->stops + i, bounds);
    ensures  ids:     \result.fault == ES_FAULT_NONE ==>
                        request->stop_id_count <= bounds->ids && request->eos_id_count <= bounds->ids;
    ensures  lengths: \result.fault == ES_FAULT_NONE ==>
                        \forall integer i; 0 <= i < request->sequence_count ==>
                          1 <= request->sequences[i].length <= bounds->sequence_ids &&
                          ids_fit(request->sequence_ids + request->sequences[i].offset, request->sequences[i].length,
                                  bounds);
    ensures  known:   \result.fault == ES_FAULT_NONE ==>
                        ids_fit(request->stop_ids, request->stop_id_count, bounds) &&
                        ids_fit(request->eos_ids, request->eos_id_count, bounds);
    ensures  numbers: \result.fault == ES_FAULT_NONE ==>
                        request->min_tokens <= INT32_MAX && 1 <= request->flush.n <= INT32_MAX &&
                        (request->max_tokens == ES_NO_LIMIT || request->min_tokens <= request->max_tokens <= INT32_MAX);
    ensures  product: \result.fault == ES_FAULT_NONE ==>
                        request->max_period * request->min_repeats <= bounds->repetition_ids; */
es_refusal es_request_check(const es_request *request, const es_bounds *bounds);

/* Whether fault `a` is reported before fault `b` (R13). */
/*@ assigns  \nothing;
    ensures  none:   a.fault == ES_FAULT_NONE ==> !\result;
    ensures  some:   a.fault != ES_FAULT_NONE && b.fault == ES_FAULT_NONE ==> \result;
    ensures  single: a.fault != ES_FAULT_NONE && b.fault != ES_FAULT_NONE && a.pair != b.pair ==>
                       (\result <==> !a.pair);
    ensures  member: a.fault != ES_FAULT_NONE && b.fault != ES_FAULT_NONE && a.pair == b.pair && a.member != b.member ==>
                       (\result <==> a.member < b.member); */
bool es_refusal_before(es_refusal a, es_refusal b);

#ifdef __cplusplus
}
#endif

#endif
