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

#ifdef __FRAMAC__
#include "request.acsl.h"
#endif

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

  // stop string i is H[0 .. length) of stream sid + i
  predicate request_text{L}(es_request *r, integer sid) =
    \forall integer i, j; 0 <= i < r->stop_count && 0 <= j < r->stops[i].length ==>
      r->text[r->stops[i].offset + j] == H(sid + i, j);

  logic integer total_length{L}(es_stop *stops, integer count) =
    count <= 0 ? 0 : total_length(stops, count - 1) + stops[count - 1].length;

  logic integer fault_of_ids{L}(uint32_t *ids, integer count, integer vocabulary) = // the first id's that has one
    count <= 0 ? ES_FAULT_NONE :
    fault_of_ids(ids, count - 1, vocabulary) != ES_FAULT_NONE ? fault_of_ids(ids, count - 1, vocabulary) :
    fault_of_id(ids[count - 1], vocabulary);

  predicate stops_fault{L}(es_request *r, es_bounds *b, integer sid, integer phase, integer index, integer fault) =
    phase == ES_PHASE_ELEMENT && 0 <= index < r->stop_count ?
      fault_of_stop(sid + index, r->stops[index].length, b->stop_bytes, r->stops[index].priority, fault) :
      fault == (phase == ES_PHASE_COUNT && index == 0 && r->stop_count > b->stops ? ES_FAULT_TOO_MANY :
                phase == ES_PHASE_TOTAL && index == 0 && total_length(r->stops, r->stop_count) > b->all_stop_bytes ?
                  ES_FAULT_TOTAL : ES_FAULT_NONE);

  logic integer ids_fault{L}(uint32_t *ids, integer count, es_bounds *b, integer phase, integer index) =
    phase == ES_PHASE_COUNT && index == 0 && count > b->ids ? ES_FAULT_TOO_MANY :
    phase == ES_PHASE_ELEMENT && 0 <= index < count ? fault_of_id(ids[index], b->vocabulary) : ES_FAULT_NONE;

  logic integer sequence_fault{L}(uint32_t *ids, integer length, es_bounds *b) =
    length == 0 ? ES_FAULT_EMPTY : length > b->sequence_ids ? ES_FAULT_TOO_LONG :
    fault_of_ids(ids, length, b->vocabulary);

  logic integer sequences_fault{L}(es_request *r, es_bounds *b, integer phase, integer index) =
    phase == ES_PHASE_COUNT && index == 0 && r->sequence_count > b->sequences ? ES_FAULT_TOO_MANY :
    phase == ES_PHASE_ELEMENT && 0 <= index < r->sequence_count ?
      sequence_fault(r->sequence_ids + r->sequences[index].offset, r->sequences[index].length, b) : ES_FAULT_NONE;

  logic integer repetition_fault{L}(es_request *r, integer index) =
    r->max_period == 0 && r->min_repeats == 0 ? ES_FAULT_NONE : // absent
    index == 0 ? fault_of_count(r->max_period, 1) : index == 1 ? fault_of_count(r->min_repeats, 2) : ES_FAULT_NONE;

  // members that are one number: its fault is at ES_PHASE_ELEMENT, index 0
  logic integer number_fault{L}(es_request *r, integer member) =
    member == ES_MEMBER_MIN_TOKENS ? fault_of_count(r->min_tokens, 0) :
    member == ES_MEMBER_MAX_TOKENS ? fault_of_number(r->max_tokens) :
    member == ES_MEMBER_MAX_CONTEXT ? fault_of_number(r->max_context) :
    member == ES_MEMBER_DEADLINE_STEPS ? fault_of_number(r->deadline_steps) :
    member == ES_MEMBER_FLUSH ? fault_of_count(r->flush.n, 1) : ES_FAULT_NONE;

  // R13: what is at fault in a member by itself
  predicate single_fault{L}(es_request *r, es_bounds *b, integer sid, integer member, integer phase, integer index,
                            integer fault) =
    member == ES_MEMBER_STOP ? stops_fault(r, b, sid, phase, index, fault) :
    fault == (
      member == ES_MEMBER_STOP_TOKEN_IDS ? ids_fault(r->stop_ids, r->stop_id_count, b, phase, index) :
      member == ES_MEMBER_STOP_TOKEN_SEQUENCES ? sequences_fault(r, b, phase, index) :
      member == ES_MEMBER_EOS_TOKEN_IDS ? ids_fault(r->eos_ids, r->eos_id_count, b, phase, index) :
      member == ES_MEMBER_REPETITION && phase == ES_PHASE_ELEMENT ? repetition_fault(r, index) :
      phase == ES_PHASE_ELEMENT && index == 0 ? number_fault(r, member) : ES_FAULT_NONE);

  // R13: what concerns two members
  logic integer pair_fault{L}(es_request *r, es_bounds *b, integer member, integer phase, integer index) =
    phase != ES_PHASE_TOTAL || index != 0 ? ES_FAULT_NONE :
    member == ES_MEMBER_MIN_TOKENS && r->max_tokens != ES_NO_LIMIT && r->min_tokens > r->max_tokens ?
      ES_FAULT_MIN_ABOVE_MAX :
    member == ES_MEMBER_REPETITION && r->max_period * r->min_repeats > b->repetition_ids ? ES_FAULT_TOO_LARGE :
    ES_FAULT_NONE;

  predicate fault_at{L}(es_request *r, es_bounds *b, integer sid,
                        integer pair, integer member, integer phase, integer index, integer fault) =
    pair == 0 ? single_fault(r, b, sid, member, phase, index, fault) :
    fault == (pair == 1 ? pair_fault(r, b, member, phase, index) : ES_FAULT_NONE);

  // x is the first fault of this member by itself
  predicate first_single{L}(es_request *r, es_bounds *b, integer sid, integer member, es_refusal x) =
    (x.fault == ES_FAULT_NONE ==>
       \forall integer phase, index; single_fault(r, b, sid, member, phase, index, ES_FAULT_NONE)) &&
    (x.fault != ES_FAULT_NONE ==>
       x.pair == 0 && x.member == member && single_fault(r, b, sid, member, x.phase, x.index, x.fault) &&
       \forall integer phase, index; !single_fault(r, b, sid, member, phase, index, ES_FAULT_NONE) ==>
         !(phase < x.phase || (phase == x.phase && index < x.index)));

  // no member before this one has a fault by itself
  predicate none_before{L}(es_request *r, es_bounds *b, integer sid, integer member) =
    \forall integer m, phase, index; m < member ==> single_fault(r, b, sid, m, phase, index, ES_FAULT_NONE);

  // x is the first fault that a member before this one has by itself
  predicate first_among{L}(es_request *r, es_bounds *b, integer sid, integer member, es_refusal x) =
    (x.fault == ES_FAULT_NONE ==> none_before(r, b, sid, member)) &&
    (x.fault != ES_FAULT_NONE ==> none_before(r, b, sid, x.member) && x.member < member &&
       first_single(r, b, sid, x.member, x));

  // x is the first fault in any place
  predicate first_fault{L}(es_request *r, es_bounds *b, integer sid, es_refusal x) =
    (x.fault == ES_FAULT_NONE ==> \forall integer pair, member, phase, index;
       fault_at(r, b, sid, pair, member, phase, index, ES_FAULT_NONE)) &&
    (x.fault != ES_FAULT_NONE ==> fault_at(r, b, sid, x.pair, x.member, x.phase, x.index, x.fault) &&
       \forall integer pair, member, phase, index; !fault_at(r, b, sid, pair, member, phase, index, ES_FAULT_NONE) ==>
         !place_before(pair, member, phase, index, x.pair, x.member, x.phase, x.index));

  // a is reported before b
  predicate refusal_before(es_refusal a, es_refusal b) =
    a.fault != ES_FAULT_NONE &&
    (b.fault == ES_FAULT_NONE ||
     place_before(a.pair, a.member, a.phase, a.index, b.pair, b.member, b.phase, b.index));
*/

/* The first fault of the request, or ES_FAULT_NONE where there is none in any place (R13).
 * Ghost: the bytes of stop string i are the stream sid + i. */
/*@ requires valid:   request_valid(request) && \valid_read(bounds);
    requires text:    request_text(request, sid) && sid + request->stop_count <= UINT32_MAX;
    assigns  \nothing;
    ensures  first:   first_fault(request, bounds, sid, \result); */
es_refusal es_request_check(const es_request *request, const es_bounds *bounds) /*@ ghost (uint32_t sid) */;

/* Whether fault `a` is reported before fault `b`: where both are faults, the order of their places (R13). */
/*@ assigns  \nothing;
    ensures  before: \result <==> refusal_before(a, b); */
bool es_refusal_before(es_refusal a, es_refusal b);

#ifdef __cplusplus
}
#endif

#endif
