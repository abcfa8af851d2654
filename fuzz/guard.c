/* guard: any calls in any order under a hostile sink (R11, R12): what is sent is R from its first byte on, up to what may
 * be shown, each byte once; what is due is what the flush policy says; one terminal, after all of it and only then.
 *
 * The input's head is the program, one byte a call and one its argument; a call of MANY and more does much at once. Beside
 * the guard runs a plain account. */
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "guard.h"

const char fuzz_name[] = "guard";

#define TEXT 512 /* bytes of R at most */
#define MANY 224

typedef struct {
  es_guard guard;
  uint8_t *room; /* of the guard: as many bytes as it is told of */
  uint32_t capacity;
  uint8_t raw[TEXT]; /* R */
  uint32_t taken, allowed, sent, cut;
  bool ended, gone, over; /* over: the terminal is out */
  bool again;
  uint64_t steps, tokens; /* tokens since the last send */
  bool waiting;
  uint64_t since, now;
} account;

void *fuzz_new(void) {
  account *a = fuzz_room(sizeof *a);
  a->room = NULL;
  return a;
}

void fuzz_free(void *memory) {
  account *a = memory;
  free(a->room);
  free(a);
}

static void push(account *a, uint8_t length) {
  uint8_t bytes[256] = {0};
  if (a->taken + length > TEXT) return;
  for (uint32_t i = 0; i < length; i++) bytes[i] = (uint8_t)(a->taken + i + (a->taken + i) / 256 * 7);
  es_status status = es_guard_push(&a->guard, bytes, length);
  es_status expected = a->ended || a->gone ? ES_ENDED : length > a->capacity - (a->taken - a->sent) ? ES_FULL : ES_OK;
  fuzz_demand(status == expected, "push: taken while open and where there is room");
  if (status != ES_OK) return;
  memcpy(a->raw + a->taken, bytes, length);
  a->taken += length;
}

static void allow(account *a, uint32_t place) {
  es_status status = es_guard_allow(&a->guard, place);
  bool right = a->allowed <= place && place <= a->taken;
  fuzz_demand(status == (a->ended || a->gone ? ES_ENDED : right ? ES_OK : ES_MISUSE), "allow: only ever further");
  if (status == ES_OK) a->allowed = place;
}

static void end(account *a, uint32_t cut) {
  es_status status = es_guard_end(&a->guard, cut);
  bool right = a->allowed <= cut && cut <= a->taken;
  fuzz_demand(status == (a->ended || a->gone ? ES_ENDED
                         : right             ? ES_OK
                                             : ES_MISUSE),
              "end: once, not before what may be shown");
  if (status != ES_OK) return;
  a->ended = true;
  a->cut = a->allowed = cut;
}

/* Whether the policy, in the words of R11, sends now. */
static bool policy_sends(const account *a) {
  uint32_t n = a->guard.flush.n;
  switch (a->guard.flush.kind) {
  case ES_FLUSH_STEPS:
    return a->steps % n == 0;
  case ES_FLUSH_BYTES:
    return a->allowed - a->sent >= n;
  case ES_FLUSH_TOKENS:
    return a->tokens >= n;
  case ES_FLUSH_MS:
    return a->now >= a->since && a->now - a->since >= n;
  }
  return false;
}

/* A step ends and its text is offered; the sink takes what it likes of it. */
static void step(account *a, uint8_t what) {
  uint32_t tokens = what & 3;
  a->now += what >> 2 & 7;
  a->steps++;
  a->tokens += tokens;
  uint32_t due = es_guard_step(&a->guard, tokens, a->now);
  bool open = !a->ended && !a->gone;
  uint32_t unsent = a->allowed - a->sent;
  if (open && unsent > 0 && !a->waiting) a->waiting = true, a->since = a->now;
  uint32_t expected = a->gone || a->over ? 0 : a->ended || a->again || policy_sends(a) ? unsent : 0;
  fuzz_demand(due == expected, "R11: what is due is what the policy says, after the end all of it");
  fuzz_demand(due == 0 || memcmp(a->guard.text, a->raw + a->sent, due) == 0, "R12: what is offered is the next of R");
}

static void answer(account *a, uint32_t length, uint8_t how) {
  es_answer said = how % 16 == 0 ? ES_ANSWER_GONE : how % 4 == 1 ? ES_ANSWER_LATER : ES_ANSWER_OK;
  bool closed = a->gone || a->over;
  bool right = length <= a->allowed - a->sent;
  fuzz_demand(closed || !right || memcmp(a->guard.text, a->raw + a->sent, length) == 0,
              "R12: what is sent is the next of R");
  es_status status = es_guard_answer(&a->guard, length, said);
  fuzz_demand(status == (closed ? ES_ENDED : right ? ES_OK : ES_MISUSE), "answer: of what was offered");
  if (status != ES_OK) return;
  a->again = said == ES_ANSWER_LATER || (a->again && said == ES_ANSWER_GONE);
  if (said == ES_ANSWER_GONE) a->gone = true;
  if (said != ES_ANSWER_OK) return;
  a->sent += length;
  if (length > 0) a->tokens = 0;
  if (a->sent == a->allowed) a->waiting = false;
}

static void terminal(account *a) {
  bool due = a->ended && !a->gone && !a->over && a->sent == a->cut;
  fuzz_demand(es_guard_terminal(&a->guard) == due, "R12: one terminal, once all before the cut is sent");
  a->over = a->over || due;
}

static void begin(account *a, fuzz_input *in) {
  es_flush_kind kind = (es_flush_kind)fuzz_below(in, ES_FLUSH_MS + 1);
  uint8_t n = fuzz_control(in);
  es_flush flush = {kind, n < 240 ? 1 + n % 12u : 17 * (n - 239u)};
  free(a->room);
  uint32_t capacity = fuzz_control(in);
  *a = (account){.room = fuzz_room(capacity), .capacity = capacity};
  es_guard_open(&a->guard, a->room, capacity, flush);
}

/* Lets all go out that must, with a sink that takes everything. */
static void finish(account *a) {
  end(a, a->taken);
  step(a, 0);
  uint32_t rest = a->allowed - a->sent;
  if (!a->gone && !a->over) answer(a, rest, 2);
  fuzz_demand(a->gone || a->sent == a->cut, "R12: all before the cut is sent");
  terminal(a);
  fuzz_demand(a->gone != a->over, "R12: one terminal, or none where the sink is gone");
  terminal(a);
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  (void)pass; /* the account costs no more than the calls */
  account *a = memory;
  begin(a, &in);
  const uint8_t *call;
  while (fuzz_text(&in, 2, &call) == 2) {
    uint8_t with = call[1];
    bool many = call[0] >= MANY;
    switch (call[0] % 8) {
    case 0:
    case 1:
      push(a, many ? with : with % 32);
      break;
    case 2:
      allow(a, many ? a->taken : a->allowed + with % 16 - (with >= 240));
      break;
    case 3:
      if (with >= 192) end(a, a->allowed + with % 16);
      break;
    case 4:
      step(a, with);
      break;
    case 5: /* one, or 63 to 255 */
      for (int more = many ? call[0] % 32 / 8 * 64 + 62 : 0; more >= 0; more--) step(a, with);
      break;
    case 6:
      answer(a, with % 64, call[0] / 8);
      break;
    case 7:
      terminal(a);
      break;
    }
  }
  finish(a);
  fuzz_seen seen = FUZZ_NOTHING;
  fuzz_note_number(&seen, a->guard.sent);
  fuzz_note_number(&seen, a->guard.state);
  fuzz_note_number(&seen, a->guard.terminals);
  return seen;
}
