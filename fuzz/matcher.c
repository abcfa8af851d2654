/* matcher: symbols one by one against stops that are pieces of them, beside a look at all stops from scratch (R2, R3, R5,
 * R10): stop strings, of which the live ones stay until the first completes, all stop strings, or stop sequences.
 *
 * The head of the input is the text. Controls choose pieces of it and extend each by its own prefix, which makes borders;
 * few letters make completions. What stands at the text's end may be left out, so that only stops are pieces of it.
 * Seldom the first stop is repeated until it is long, and the text has it before all else, whole or nearly so. */
#include "matcher.h"

#include <stdlib.h>
#include <string.h>

#include "frame.h"

const char fuzz_name[] = "matcher";

#define STOPS 8
#define PIECE 32  /* symbols of a stop, at most, before it is extended */
#define EXTRA 16  /* by so many, less than */
#define STREAM 64 /* symbols that are taken */
#define LONG 250u /* symbols of a long stop, at least: a count of them is no byte's */
#define MORE 32u  /* and so many more, less than */
#define ROOM (STOPS * (PIECE + EXTRA) + LONG + MORE)

typedef enum { LIVE_STRINGS, ALL_STRINGS, SEQUENCES } kind;

typedef struct {
  kind kind;
  es_request request;
  es_stop stops[STOPS];
  es_sequence sequences[STOPS];
  uint8_t bytes[ROOM]; /* of all stops; or, as ids: */
  uint32_t ids[ROOM];
  int32_t stream[LONG + MORE + STREAM];
  uint32_t length;
  es_stop_set set;
  es_live_stop live[STOPS];
  int32_t symbols[ROOM + STOPS];
  uint32_t borders[ROOM + STOPS];
  uint16_t progress[2][STOPS];
} bench;

void *fuzz_new(void) {
  return fuzz_room(sizeof(bench));
}

void fuzz_free(void *memory) {
  free(memory);
}

/* A byte of the text as a symbol: of all, or of a few letters. */
static uint8_t letter(uint8_t mode, uint8_t byte) {
  static const uint8_t letters[] = {0, 2, 3, 4};
  uint8_t few = letters[mode >> 2 & 3];
  if (few == 0) return byte;
  return (uint8_t)('a' + byte % few);
}

/* As an id: small, or near the largest there is. */
static uint32_t id_of(uint8_t mode, uint8_t symbol) {
  return mode & 16 ? (uint32_t)INT32_MAX - symbol : symbol;
}

static bool is_long(uint8_t mode) {
  return mode >= 224;
}

static void read_stops(bench *b, uint8_t mode, const uint8_t (*chosen)[3], fuzz_input text) {
  uint32_t at = 0;
  for (uint32_t s = 0; s < b->request.stop_count; s++) {
    uint32_t offset = chosen[s][0] % (uint32_t)text.length, left = (uint32_t)text.length - offset;
    uint32_t piece = 1 + chosen[s][1] % PIECE;
    uint32_t length = piece < left ? piece : left, extra = chosen[s][2] % EXTRA, first = at;
    for (uint32_t i = 0; i < length; i++) b->bytes[at++] = letter(mode, text.bytes[offset + i]);
    for (uint32_t i = 0; i < extra && i < length; i++, at++) b->bytes[at] = b->bytes[first + i];
    uint32_t once = at - first, all = is_long(mode) && s == 0 ? LONG + chosen[s][2] / EXTRA * 2u : 0;
    for (; at - first < all; at++) b->bytes[at] = b->bytes[at - once];
    b->stops[s] = (es_stop){first, at - first, chosen[s][1] < 128 ? 0 : chosen[s][1] / PIECE - 5};
    b->sequences[s] = (es_sequence){first, at - first};
  }
  for (uint32_t i = 0; i < at; i++) b->ids[i] = id_of(mode, b->bytes[i]);
}

static void read(bench *b, fuzz_input in) {
  uint8_t mode = fuzz_control(&in);
  b->kind = mode % 4 == 3 ? SEQUENCES : mode % 4 == 2 ? ALL_STRINGS : LIVE_STRINGS;
  b->request = (es_request){.text = b->bytes,
                            .stops = b->stops,
                            .sequence_ids = b->ids,
                            .sequences = b->sequences,
                            .min_tokens = b->kind == ALL_STRINGS};
  uint32_t left_out = fuzz_below(&in, 64);
  uint32_t count = fuzz_below(&in, STOPS + 1);
  uint8_t chosen[STOPS][3];
  for (uint32_t s = 0; s < count; s++)
    for (int i = 0; i < 3; i++) chosen[s][i] = fuzz_control(&in);
  b->request.stop_count = b->request.sequence_count = in.length > 0 ? count : 0;
  read_stops(b, mode, (const uint8_t(*)[3])chosen, in);
  uint32_t length = in.length > left_out ? (uint32_t)in.length - left_out : 0;
  uint32_t first = is_long(mode) && b->request.stop_count > 0 ? b->stops[0].length - left_out % 4 : 0;
  b->length = first + (length < STREAM ? length : STREAM);
  for (uint32_t i = 0; i < b->length; i++) {
    uint8_t symbol = i < first ? b->bytes[i] : letter(mode, in.bytes[i - first]);
    b->stream[i] = b->kind == SEQUENCES ? (int32_t)id_of(mode, symbol) : symbol;
  }
}

/* Symbol j of stop s of the request. */
FUZZ_UNSEEN static int32_t asked(const bench *b, uint32_t s, uint32_t j) {
  uint32_t at = b->stops[s].offset + j;
  return b->kind == SEQUENCES ? (int32_t)b->ids[at] : b->bytes[at];
}

/* Whether the first n symbols of the stream end with the first `length` of stop s. */
FUZZ_UNSEEN static bool ends_with(const bench *b, uint32_t n, uint32_t s, uint32_t length) {
  if (length > n) return false;
  for (uint32_t j = length; j > 0; j--)
    if (asked(b, s, j - 1) != b->stream[n - length + j - 1]) return false;
  return true;
}

/* The stop of the request that counts after n symbols (R3, R5), or −1. Ids have no priority, and one id is a token. */
FUZZ_UNSEEN static int32_t first_of_all(const bench *b, uint32_t n) {
  int32_t best = -1;
  for (uint32_t s = 0; s < b->request.stop_count; s++) {
    es_stop stop = b->stops[s];
    if ((b->kind == SEQUENCES && stop.length < 2) || !ends_with(b, n, s, stop.length)) continue;
    es_stop rival = b->stops[best < 0 ? 0 : best];
    bool higher = b->kind != SEQUENCES && stop.priority > rival.priority;
    bool same = b->kind == SEQUENCES || stop.priority == rival.priority;
    if (best < 0 || higher || (same && stop.length > rival.length)) best = (int32_t)s;
  }
  return best;
}

/* The most symbols that a stop of the set holds after n (R10), and the first that does. */
FUZZ_UNSEEN static uint32_t most_held(const bench *b, uint32_t n, uint32_t *holder) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < b->set.count; k++) {
    uint32_t length = b->set.stops[k].length - 1;
    while (length > most && !ends_with(b, n, b->set.stops[k].index, length)) length--;
    if (length > most) most = length, *holder = k;
  }
  return most;
}

static void check(const bench *b, uint32_t n, es_match match) {
  int32_t first = first_of_all(b, n);
  fuzz_demand((match.stop >= 0) == (first >= 0), "R2: a stop completes where it is a suffix, and nowhere else");
  fuzz_demand(first < 0 || b->set.stops[match.stop].index == (uint32_t)first, "R3: of several the one that counts");
  uint32_t holder = 0, most = most_held(b, n, &holder);
  fuzz_demand(match.hold == most, "R10: held is the longest proper prefix of a stop at the end");
  fuzz_demand(most == 0 || match.holder == holder, "R10: the first that holds it");
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  bench *b = memory;
  fuzz_seen seen = FUZZ_NOTHING;
  read(b, in);
  es_stop_memory room = {b->live, b->symbols, b->borders, b->progress[0], STOPS, ROOM + STOPS};
  es_status compiled = b->kind == SEQUENCES ? es_stops_compile_sequences(&b->request, &room, &b->set)
                                            : es_stops_compile_strings(&b->request, &room, &b->set);
  fuzz_demand(compiled == ES_OK, "there is room for all stops");
  es_matcher_reset(b->progress[1], b->set.count);
  for (uint32_t n = 1; n <= b->length; n++) {
    es_match match = es_matcher_take(b->progress[1], &b->set, b->stream[n - 1]);
    if (pass == FUZZ_LAWS) check(b, n, match);
    fuzz_note_number(&seen, (uint64_t)(match.stop + 1) << 32 | match.hold << 8 | match.holder);
    if (match.stop >= 0 && b->kind == LIVE_STRINGS) break; /* the lane is over */
  }
  return seen;
}
