/* cases: a case out of bytes, and two answers to one held against each other.
 *
 * From the tail: options, stops, ids, what the sink says, the tokens; what is left is the text. Stops are mostly
 * pieces of the text, so that they come up in it. The case is always well-formed and its request passes R13. */
#ifndef ES_FUZZ_CASES_H
#define ES_FUZZ_CASES_H

#include "case.h"
#include "frame.h"
#include "result.h"

#define FUZZ_STOPS 8
#define FUZZ_SEQUENCES 3
#define FUZZ_IDS 4    /* in a list or sequence, at most */
#define FUZZ_LISTED 9 /* in a list, now and then */
#define FUZZ_TOKENS 64
#define FUZZ_OFFERS 8

/* How a text is cut: one byte a token. Bits 0 to 2: its bytes, where 7 says that the next control does; 3 to 5: its id;
 * 6: it begins a step; 7: it is special. The text after the last of them is one more token, in a step of its own, or is
 * not taken: then only stops are pieces of it. */
typedef struct {
  uint8_t tokens[FUZZ_TOKENS];
  uint8_t bytes[FUZZ_TOKENS];
  uint32_t count; /* control: in the lowest seven bits */
  bool taken;     /* the rest; control: not the highest bit of the same */
} fuzz_cut;

/* Stops as the controls say them: before it is known which text they are pieces of. */
typedef struct {
  uint8_t offset[FUZZ_STOPS];
  uint8_t length[FUZZ_STOPS]; /* in the lowest five bits; in the highest three the priority */
  uint32_t count;
} fuzz_stop_choice;

/* What three bits of a control stand for. */
extern const int8_t fuzz_priorities[8];
/* And what the highest two of the cut of an external end do. */
extern const char *const fuzz_reasons[4];

typedef struct {
  es_case c;
  es_token tokens[FUZZ_TOKENS + 1];
  es_step steps[FUZZ_TOKENS + 1];
  es_stop stops[FUZZ_STOPS];
  uint32_t stop_ids[FUZZ_LISTED];
  uint32_t eos_ids[FUZZ_LISTED];
  uint32_t sequence_ids[FUZZ_SEQUENCES * FUZZ_IDS];
  es_sequence sequences[FUZZ_SEQUENCES];
  es_sink_answer sink[FUZZ_OFFERS];
} fuzz_case;

/* The empty case: no steps, and a request for nothing. */
void fuzz_case_reset(fuzz_case *made);

/* A text, and two ways to cut it. */
typedef struct {
  fuzz_cut plain, other;
  es_flush flush; /* of the other way, as is what the sink says to `offers` offers */
  size_t offers;
  size_t taken; /* bytes of the text */
} fuzz_split;

/* The request of such a case, without its tokens. What is left of the input is the text. */
void fuzz_split_read(fuzz_case *made, fuzz_split *cuts, fuzz_input *in);

/* A whole case: all that a request can ask. It points into the input. */
void fuzz_case_read(fuzz_case *made, fuzz_input in);

void fuzz_read_cut(fuzz_cut *cut, fuzz_input *in);
void fuzz_read_stops(fuzz_stop_choice *stops, fuzz_input *in);
void fuzz_read_flush(es_flush *flush, fuzz_input *in);
/* What the sink says to the first offers; `last`: the worst that it may say. */
void fuzz_read_sink(fuzz_case *made, fuzz_input *in, es_sink_answer last);

/* Adds the stop text[offset, offset + length) of the request's text, unless it may not be asked (R13) or there is no
 * room. Whether it did. */
bool fuzz_add_stop(fuzz_case *made, size_t offset, size_t length, int32_t priority);

/* Adds pieces of this text as stops, which is then the request's text. */
void fuzz_choose_stops(fuzz_case *made, const fuzz_stop_choice *stops, const uint8_t *text, size_t length);

/* Leaves no token of a cut special, so that all text is visible. */
void fuzz_show_all(fuzz_cut *cut);

/* How much of a text is taken, cut so. */
size_t fuzz_taken(const fuzz_cut *cut, size_t length);

/* Gives the case its tokens: this text, cut so. */
void fuzz_cut_text(fuzz_case *made, const uint8_t *text, size_t length, const fuzz_cut *cut);

/* The first member in which two results differ, or NULL. */
const char *fuzz_difference(const es_result *a, const es_result *b);

void fuzz_note_result(fuzz_seen *seen, const es_result *result);

#endif
