/* edges: calls that a caller gets wrong or seldom makes: what the headers say of them holds, and what is refused changes
 * nothing. The input chooses one of three, then their arguments, out of numbers at the borders of their types.
 *
 * A lane with little room, misused, with its counters near their end (R8, R9, R11, T8); a guard whose clock goes back and
 * whose counts are large (R11, R12); faults in their order, and stops that nobody checked given to the compiler (R13). */
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "lane.h"

const char fuzz_name[] = "edges";

#define TEXT 24 /* bytes that a lane or guard holds, at most */

typedef struct {
  uint8_t text[TEXT];
  uint8_t out[3 * TEXT];
  uint16_t progress[2][1];
  int64_t starts[3];
} bench;

void *fuzz_new(void) {
  return fuzz_room(sizeof(bench));
}

void fuzz_free(void *memory) {
  free(memory);
}

static uint32_t edge(uint8_t chosen) {
  static const uint32_t edges[] = {0, 1, 2, 3, INT32_MAX - 1, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX};
  return edges[chosen % 8];
}

/* The lane. */

static const uint8_t bytes[] = "abab\xF0\x9F\x98\x8A"
                               "ab";
static const es_stop asked_stops[] = {{0, 3, 0}};
static const uint32_t asked_ids[] = {1, 2, 3};
static const es_sequence asked_sequences[] = {{0, 3}};

typedef struct {
  es_lane lane;
  bench *room;
  bool pending; /* an offer waits for its answer */
  bool early;   /* there was no room: what may be shown is due at the next boundary */
} driven;

static void take(driven *d, uint8_t what, uint8_t with) {
  const es_lane *l = &d->lane;
  es_lane before = *l;
  es_lane_token token = {edge(what / 8), what & 128, bytes, with % sizeof bytes};
  uint32_t visible = token.special && l->request->skip_special ? 0 : token.length;
  bool over = l->end.cause != ES_CAUSE_OPEN || l->natural.cause != ES_CAUSE_OPEN;
  bool wrong = l->boundary == 0 || token.id > INT32_MAX;
  bool last = l->limits.taken >= INT32_MAX, full = visible > l->guard.capacity - l->guard.held;
  es_status expected = over ? ES_ENDED : wrong ? ES_MISUSE : last || full ? ES_FULL : ES_OK;
  fuzz_demand(es_lane_take(&d->lane, &token) == expected, "R8: a token is taken while the lane is open and has room");
  if (expected == ES_OK) {
    fuzz_demand(l->limits.taken == before.limits.taken + 1, "R7: and counts");
    return;
  }
  if (expected == ES_FULL && !last) before.guard.again = d->early = true;
  fuzz_demand(memcmp(l, &before, sizeof before) == 0, "T8: a token that is refused changes nothing");
}

static void boundary(driven *d, uint8_t with) {
  const es_lane *l = &d->lane;
  es_lane before = *l;
  es_status expected = l->end.cause == ES_CAUSE_OPEN ? ES_OK : ES_ENDED;
  fuzz_demand(es_lane_boundary(&d->lane, (es_boundary){.abort = with >= 224}, with) == expected, "R9: until the end");
  if (expected == ES_ENDED) {
    fuzz_demand(memcmp(l, &before, sizeof before) == 0, "R12: a boundary after the end changes nothing");
    return;
  }
  d->pending = false;
  fuzz_demand(l->boundary == (before.boundary < INT32_MAX ? before.boundary + 1 : INT32_MAX),
              "R9: boundaries are counted");
  if (d->early && before.boundary > 0)
    fuzz_demand(l->due == l->guard.allowed - l->guard.sent, "R11: a policy does not wait for what has no room");
  if (before.boundary > 0) d->early = false;
}

static void offer(driven *d, uint8_t with) {
  uint32_t due = d->lane.due, length = 1, room = with % (sizeof d->room->out + 1);
  es_status expected = due > room / ES_UTF8_GROWTH ? ES_FULL : ES_OK;
  fuzz_demand(es_lane_offer(&d->lane, d->room->out, room, &length) == expected, "R11: offered where there is room");
  d->pending = due > 0 && expected == ES_OK;
  fuzz_demand(d->pending ? length > 0 && length <= 3 * due : length == 0, "R11: no more than three bytes for one");
}

static void answer(driven *d, uint8_t with) {
  es_lane before = d->lane;
  es_answer said = with % 8 == 0 ? ES_ANSWER_GONE : with % 4 == 1 ? ES_ANSWER_LATER : ES_ANSWER_OK;
  es_status status = es_lane_answer(&d->lane, said);
  fuzz_demand(status == (d->pending ? ES_OK : ES_MISUSE), "R11: an offer is answered once");
  fuzz_demand(d->pending || memcmp(&d->lane, &before, sizeof before) == 0, "R11: an answer to nothing changes nothing");
  es_end end = before.end;
  if (status == ES_OK && said == ES_ANSWER_GONE && end.cause == ES_CAUSE_OPEN)
    end = (es_end){ES_CAUSE_DISCONNECT, before.guard.sent};
  fuzz_demand(d->lane.end.cause == end.cause && d->lane.end.cut == end.cut,
              "R12: an open lane ends where its sink goes, with what was sent");
  if (status == ES_OK && said != ES_ANSWER_LATER) d->early = false;
  d->pending = false;
}

/* What the terminal says, if all is sent: the lane's end, and what it took and showed. */
static void terminal(es_lane *l) {
  es_terminal said;
  bool due = l->end.cause != ES_CAUSE_OPEN && l->end.cause != ES_CAUSE_DISCONNECT && l->guard.state != ES_GUARD_GONE &&
             l->guard.sent == l->end.cut;
  fuzz_demand(es_lane_terminal(l, &said) == due, "R12: a terminal once all before the cut is sent");
  fuzz_demand(!due || (said.end.cause == l->end.cause && said.end.cut == l->end.cut && said.tokens == l->limits.taken &&
                       said.bytes == l->shown_bytes),
              "R15: it says why and where the lane ended");
  fuzz_demand(!es_lane_terminal(l, &said), "R12: and no other");
}

static void drive_lane(bench *room, fuzz_input in, fuzz_seen *seen) {
  es_live_stop live[2];
  int32_t symbols[2][4];
  uint32_t borders[2][4];
  es_stop_set strings, sequences;
  driven d = {.room = room};
  uint8_t form = fuzz_control(&in), counts = fuzz_control(&in);
  es_request request = {.text = bytes,
                        .stops = asked_stops,
                        .stop_count = form & 1,
                        .sequence_ids = asked_ids,
                        .sequences = asked_sequences,
                        .sequence_count = form >> 1 & 1,
                        .skip_special = form & 4,
                        .max_tokens = ES_NO_LIMIT,
                        .max_context = ES_NO_LIMIT,
                        .prompt_tokens = edge(counts),
                        .deadline_steps = form & 8 ? INT32_MAX : ES_NO_LIMIT,
                        .flush = {(es_flush_kind)(form >> 4 & 3), 1 + edge(form >> 6)}};
  es_stop_memory string_memory = {live, symbols[0], borders[0], room->progress[0], 1, 4};
  es_stop_memory id_memory = {live + 1, symbols[1], borders[1], NULL, 1, 4};
  fuzz_demand(es_stops_compile_strings(&request, &string_memory, &strings) == ES_OK &&
                  es_stops_compile_sequences(&request, &id_memory, &sequences) == ES_OK,
              "there is room for both stops");
  es_lane_memory memory = {room->progress[0], room->progress[1],        room->starts, counts >> 3 & 3, NULL, NULL,
                           room->text,        fuzz_below(&in, TEXT + 1)};
  memset(&d.lane, 0, sizeof d.lane); /* the bytes between its members, too: it is compared as bytes */
  uint32_t longest = request.sequence_count > 0 ? 3 : 1;
  bool right = memory.start_count >= longest && request.prompt_tokens <= INT32_MAX;
  es_lane before = d.lane;
  fuzz_demand(es_lane_open(&d.lane, &request, &strings, &sequences, &memory) == (right ? ES_OK : ES_MISUSE),
              "a lane opens with a place for each id of the longest sequence, and a prompt that can be counted");
  fuzz_demand(right || memcmp(&d.lane, &before, sizeof before) == 0, "a lane that does not open is left alone");
  if (!right) return;
  const uint8_t *call;
  while (fuzz_text(&in, 2, &call) == 2) {
    switch (call[0] % 8) {
    case 0:
    case 1:
    case 2:
      take(&d, call[0], call[1]);
      break;
    case 3:
    case 4:
      boundary(&d, call[1]);
      break;
    case 5:
      offer(&d, call[1]);
      break;
    case 6:
      answer(&d, call[1]);
      break;
    case 7: /* two billion calls on */
      if (d.lane.boundary > 0) d.lane.boundary = INT32_MAX - call[1] % 4;
      /* Sequences know their tokens by number. */
      if (call[0] >= 128 && request.sequence_count == 0) d.lane.limits.taken = INT32_MAX - call[1] / 64;
      break;
    }
    fuzz_note_number(seen, d.lane.guard.taken << 8 | d.lane.guard.sent);
    fuzz_note_number(seen, (uint64_t)d.lane.due << 32 | d.lane.end.cause);
  }
  terminal(&d.lane);
}

/* The guard. */

static void drive_guard(bench *room, fuzz_input in, fuzz_seen *seen) {
  static const uint8_t some[16] = {0};
  es_guard g;
  uint8_t form = fuzz_control(&in);
  es_flush flush = {(es_flush_kind)(form % 5), 1 + edge(form / 5)};
  if (flush.n == 0) flush.n = 1;
  uint64_t tokens = 0, since = 0, steps = 0; /* since the last send; since a byte waits */
  bool waiting = false;
  es_guard_open(&g, room->text, TEXT, flush);
  const uint8_t *call;
  while (fuzz_text(&in, 2, &call) == 2) {
    uint64_t before = g.allowed, place = g.allowed + call[1] % 8 - 2;
    bool right = place >= g.allowed && place <= g.taken;
    switch (call[0] % 4) {
    case 0:
      es_guard_push(&g, some, call[1] % sizeof some);
      break;
    case 1: {
      bool open = g.state == ES_GUARD_OPEN, ends = call[0] >= 192;
      es_status status = ends ? es_guard_end(&g, place) : es_guard_allow(&g, place);
      fuzz_demand(status == (!open   ? ES_ENDED
                             : right ? ES_OK
                                     : ES_MISUSE),
                  "R12: only ever further, up to what is there");
      fuzz_demand(g.allowed == (status == ES_OK ? place : before), "R12: what is refused changes nothing");
      break;
    }
    case 2: {
      uint32_t more = edge(call[1]) <= INT32_MAX ? edge(call[1]) : 0;
      uint64_t now = edge(call[1] / 8), unsent = g.allowed - g.sent;
      bool open = g.state == ES_GUARD_OPEN;
      if (open && unsent > 0 && !waiting) waiting = true, since = now;
      tokens = tokens + more > INT32_MAX ? INT32_MAX : tokens + more;
      steps++;
      bool wanted = flush.kind == ES_FLUSH_STEPS    ? steps % flush.n == 0
                    : flush.kind == ES_FLUSH_BYTES  ? unsent >= flush.n
                    : flush.kind == ES_FLUSH_TOKENS ? tokens >= flush.n
                    : flush.kind == ES_FLUSH_MS     ? now >= since && now - since >= flush.n
                                                    : false;
      bool due = g.state == ES_GUARD_ENDING || (open && (g.again || wanted));
      fuzz_demand(es_guard_step(&g, more, now) == (due ? unsent : 0), "R11: due is what the policy says, at any count");
      break;
    }
    case 3: {
      bool closed = g.state != ES_GUARD_OPEN && g.state != ES_GUARD_ENDING;
      uint32_t length = call[1] % TEXT;
      bool fits = length <= g.allowed - g.sent;
      es_status status = es_guard_answer(&g, length, call[0] < 16 ? ES_ANSWER_LATER : ES_ANSWER_OK);
      fuzz_demand(status == (closed ? ES_ENDED : fits ? ES_OK : ES_MISUSE), "R11: answered is what was offered");
      if (status == ES_OK && call[0] >= 16 && length > 0) tokens = 0;
      waiting = waiting && g.sent < g.allowed;
      break;
    }
    }
    fuzz_note_number(seen, g.sent << 32 | g.held << 8 | g.state);
  }
}

/* Requests. */

static es_refusal refusal(fuzz_input *in) {
  uint8_t what = fuzz_control(in);
  return (es_refusal){what & 1 ? ES_FAULT_EMPTY : ES_FAULT_NONE, (es_member)(what >> 1 & 3), (es_phase)(what >> 3 & 1),
                      edge(what >> 4), what & 128};
}

/* Where it stands among all faults, as one number for the first parts. */
static uint32_t place_of(es_refusal r) {
  return r.fault == ES_FAULT_NONE ? UINT32_MAX : (uint32_t)r.pair << 16 | (uint32_t)r.member << 8 | (uint32_t)r.phase;
}

static void order_and_compile(fuzz_input in, fuzz_seen *seen) {
  es_refusal a = refusal(&in), b = refusal(&in);
  bool expected =
      place_of(a) != place_of(b) ? place_of(a) < place_of(b) : a.fault != ES_FAULT_NONE && a.index < b.index;
  bool first = es_refusal_before(a, b);
  fuzz_demand(first == expected,
              "R13: pairs after single members, in the order of members, counts, indices; none is last");
  es_stop stops[3];
  es_sequence sequences[3];
  bool sound = true;
  for (int s = 0; s < 3; s++) {
    static const uint32_t lengths[] = {1, 2, 0, ES_STOP_MAX_LENGTH + 1, UINT32_MAX};
    uint32_t length = lengths[fuzz_below(&in, 5)];
    stops[s] = (es_stop){0, length, 0};
    sequences[s] = (es_sequence){0, length};
    sound = sound && length >= 1 && length <= ES_STOP_MAX_LENGTH;
  }
  es_request request = {.text = bytes,
                        .stops = stops,
                        .stop_count = 3,
                        .sequences = sequences,
                        .sequence_count = 3,
                        .sequence_ids = asked_ids};
  es_live_stop live[3];
  int32_t symbols[12];
  uint32_t borders[12];
  uint16_t progress[3];
  es_stop_memory memory = {live, symbols, borders, progress, 3, 12};
  es_stop_set set = {0}, before = set;
  es_status status = es_stops_compile_strings(&request, &memory, &set);
  fuzz_demand(status == (sound ? ES_OK : ES_MISUSE), "R13: stops that no check let through are refused");
  fuzz_demand(sound || memcmp(&set, &before, sizeof set) == 0, "R13: and change nothing");
  status = es_stops_compile_sequences(&request, &memory, &set);
  fuzz_demand(status == (sound ? ES_OK : ES_MISUSE), "R13: and so are sequences");
  static const int32_t priorities[] = {0, -128, 127, -129, 128, INT32_MIN, INT32_MAX};
  es_stop one = {0, 1, priorities[fuzz_below(&in, 7)]};
  request.stops = &one, request.stop_count = 1, request.sequence_count = 0, request.flush.n = 1;
  es_fault fault = es_request_check(&request, &es_default_bounds).fault;
  bool outside = one.priority < -128 || one.priority > 127;
  fuzz_demand(fault == (outside ? ES_FAULT_PRIORITY : ES_FAULT_NONE), "R13: a priority is one byte");
  fuzz_note_number(seen, first * 2u + sound);
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  (void)pass; /* the accounts cost no more than the calls */
  fuzz_seen seen = FUZZ_NOTHING;
  switch (fuzz_below(&in, 3)) {
  case 0:
    drive_lane(memory, in, &seen);
    break;
  case 1:
    drive_guard(memory, in, &seen);
    break;
  default:
    order_and_compile(in, &seen);
  }
  return seen;
}
