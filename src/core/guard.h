/* guard: what is shown, flushed and ended (R11, R12).
 *
 * Holds the bytes of R from the first unsent one on, lets out what may be shown when the flush policy wants it, and
 * closes with exactly one terminal after the last byte before the cut. Knows nothing of tokens, stops or characters:
 * it is told how far the text may be shown. The sink is the caller's: it is offered text and its answer handed in. */
#ifndef ES_GUARD_H
#define ES_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "request.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ES_GUARD_OPEN,   /* text comes in */
  ES_GUARD_ENDING, /* the cut is known, text before it is still to be sent */
  ES_GUARD_DONE,   /* all is sent, the terminal is out */
  ES_GUARD_GONE    /* the sink is gone: nothing more is sent, no terminal */
} es_guard_state;

/* What the sink said to an offer (R11). */
typedef enum { ES_ANSWER_OK, ES_ANSWER_LATER, ES_ANSWER_GONE } es_answer;

typedef struct {
  es_guard_state state;
  uint32_t terminals; /* 0 or 1 */
  es_flush flush;
  uint8_t *text;     /* bytes [sent, sent + held) of R */
  uint32_t capacity; /* room in `text` */
  uint32_t held;
  uint64_t sent;    /* bytes of R that the sink took */
  uint64_t allowed; /* bytes of R that may be shown */
  uint64_t taken;   /* bytes of R that came in */
  uint64_t cut;     /* where the text ends; meaningful once it is not open */
  bool again;       /* due whatever the policy: the last offer was answered later (Reading 2), or room ran out */
  uint32_t step;    /* steps made, modulo the policy's n */
  uint32_t tokens;  /* tokens taken since the last send, at most INT32_MAX */
  bool waiting;     /* something may be shown and is unsent … */
  uint64_t since;   /* … since this time, in ms */
} es_guard;

#ifdef __FRAMAC__
#include "guard.acsl.h"
#endif

/* Opens a guard on `capacity` bytes of the caller's. More unsent text than that is ES_FULL at es_guard_push: choose
 * the longest stop, the flush policy's bytes and the longest token together, or more where the sink may be slow. */
/*@ requires valid: \valid(g) && \valid(text + (0 .. capacity - 1)) && \separated(g, text + (0 .. capacity - 1));
    requires flush: flush.n >= 1;
    assigns  *g;
    ensures  state: guard_state(g) && guard_valid(g) && guard_text(g, sid);
    ensures  open:  g->state == ES_GUARD_OPEN && g->taken == 0 && g->sent == 0 && g->allowed == 0 && g->held == 0;
    ensures  given: g->text == text && g->capacity == capacity && g->flush.n == flush.n && g->flush.kind == flush.kind;
    ensures  none:  g->step == 0 && g->tokens == 0 && !g->again && !g->waiting; */
void es_guard_open(es_guard *g, uint8_t *text, uint32_t capacity, es_flush flush) /*@ ghost (uint32_t sid) */;

/* Takes bytes of R. All or none. */
/*@ requires valid: guard_valid(g) && \valid_read(bytes + (0 .. length - 1));
    requires apart: \separated(bytes + (0 .. length - 1), g, g->text + (0 .. g->capacity - 1));
    requires state: guard_state(g) && guard_text(g, sid);
    requires room:  g->taken + length <= UINT64_MAX;
    requires bytes: \forall integer j; 0 <= j < length ==> bytes[j] == H(sid, g->taken + j);
    assigns  g->held, g->taken, g->text[0 .. g->capacity - 1];
    ensures  state: guard_state(g) && guard_text(g, sid) && guard_valid(g);
    behavior taken:
      assumes  open:   g->state == ES_GUARD_OPEN;
      assumes  fits:   length <= g->capacity - g->held;
      ensures  result: \result == ES_OK;
      ensures  count:  g->taken == \old(g->taken) + length && g->held == \old(g->held) + length;
    behavior full:
      assumes  open:   g->state == ES_GUARD_OPEN;
      assumes  large:  length > g->capacity - g->held;
      assigns  \nothing;
      ensures  result: \result == ES_FULL;
    behavior ended:
      assumes  over:   g->state != ES_GUARD_OPEN;
      assigns  \nothing;
      ensures  result: \result == ES_ENDED;
    complete behaviors; disjoint behaviors; */
es_status es_guard_push(es_guard *g, const uint8_t *bytes, uint32_t length) /*@ ghost (uint32_t sid) */;

/* Lets the text be shown up to `place`, a number of bytes of R. What was once allowed stays so. */
/*@ requires valid: guard_valid(g) && guard_state(g);
    assigns  g->allowed;
    ensures  state: guard_state(g);
    behavior further:
      assumes  open:   g->state == ES_GUARD_OPEN;
      assumes  place:  g->allowed <= place <= g->taken;
      ensures  result: \result == ES_OK && g->allowed == place;
    behavior misuse:
      assumes  open:   g->state == ES_GUARD_OPEN;
      assumes  place:  !(g->allowed <= place <= g->taken);
      assigns  \nothing;
      ensures  result: \result == ES_MISUSE;
    behavior ended:
      assumes  over:   g->state != ES_GUARD_OPEN;
      assigns  \nothing;
      ensures  result: \result == ES_ENDED;
    complete behaviors; disjoint behaviors; */
es_status es_guard_allow(es_guard *g, uint64_t place);

/* Ends the text at `cut` (R4): what lies after it is dropped, what lies before it is due (R12). The first end counts. */
/*@ requires valid: guard_valid(g) && guard_state(g);
    assigns  g->state, g->cut, g->allowed, g->held;
    ensures  state: guard_state(g);
    ensures  text:  \forall integer sid; \at(guard_text(g, sid), Pre) ==> guard_text(g, sid);
    behavior first:
      assumes  open:   g->state == ES_GUARD_OPEN;
      assumes  cut:    g->allowed <= cut <= g->taken;
      ensures  result: \result == ES_OK && g->state == ES_GUARD_ENDING && g->cut == cut;
    behavior misuse:
      assumes  open:   g->state == ES_GUARD_OPEN;
      assumes  cut:    !(g->allowed <= cut <= g->taken);
      assigns  \nothing;
      ensures  result: \result == ES_MISUSE;
    behavior again:
      assumes  over:   g->state != ES_GUARD_OPEN;
      assigns  \nothing;
      ensures  result: \result == ES_ENDED;
    complete behaviors; disjoint behaviors; */
es_status es_guard_end(es_guard *g, uint64_t cut);

/* Closes a step in which `tokens` tokens were taken, at time `now` in ms, and says how many bytes from `g->text` on
 * are to be offered to the sink: 0 where nothing is due (R11). After the end everything up to the cut is (R12). */
/*@ requires valid: guard_valid(g) && guard_state(g);
    requires few:   g->tokens <= INT32_MAX && tokens <= INT32_MAX && g->step < UINT32_MAX;
    assigns  g->step, g->tokens, g->waiting, g->since;
    ensures  state: guard_state(g) && g->tokens <= INT32_MAX;
    ensures  text:  \forall integer sid; \at(guard_text(g, sid), Pre) ==> guard_text(g, sid);
    ensures  some:  0 <= \result <= g->held;
    ensures  all:   \result == 0 || \result == g->allowed - g->sent;
    ensures  end:   g->state == ES_GUARD_ENDING ==> \result == g->held;
    ensures  later: g->state == ES_GUARD_OPEN && g->again ==> \result == g->allowed - g->sent;
    ensures  due:   g->state == ES_GUARD_OPEN && !g->again && g->allowed > g->sent ==>
                      (\result > 0 <==>
                         flush_due(g->flush.kind, g->flush.n, g->step, g->allowed - g->sent, g->tokens, now - g->since));
    ensures  step:  g->step == (\old(g->step) + 1 >= g->flush.n ? 0 : \old(g->step) + 1);
    ensures  tokens: g->tokens == (\old(g->tokens) + tokens <= INT32_MAX ? \old(g->tokens) + tokens : INT32_MAX);
    ensures  waits: g->waiting <==> \old(g->waiting) || (g->state == ES_GUARD_OPEN && g->allowed > g->sent);
    ensures  since: g->since == (g->waiting && !\old(g->waiting) ? now : \old(g->since));
    ensures  over:  g->state == ES_GUARD_DONE || g->state == ES_GUARD_GONE ==> \result == 0; */
uint32_t es_guard_step(es_guard *g, uint32_t tokens, uint64_t now);

/* Hands in what the sink said to the offer of the first `length` bytes. ok: they are sent; later: nothing changes but
 * that they are due again; gone: nothing more is ever sent. */
/*@ requires valid: guard_valid(g) && guard_state(g) && guard_text(g, sid);
    assigns  g->state, g->held, g->sent, g->again, g->tokens, g->waiting, g->text[0 .. g->capacity - 1];
    ensures  state: guard_state(g) && guard_text(g, sid) && guard_valid(g);
    ensures  few:   g->tokens <= \old(g->tokens);
    behavior sent:
      assumes  open:   g->state == ES_GUARD_OPEN || g->state == ES_GUARD_ENDING;
      assumes  length: length <= g->allowed - g->sent;
      assumes  answer: answer == ES_ANSWER_OK;
      ensures  result: \result == ES_OK && g->sent == \old(g->sent) + length && g->held == \old(g->held) - length;
      ensures  stays:  g->state == \old(g->state) && !g->again;
      ensures  tokens: g->tokens == (length > 0 ? 0 : \old(g->tokens));
      ensures  waits:  g->waiting <==> \old(g->waiting) && g->sent < g->allowed;
    behavior later:
      assumes  open:   g->state == ES_GUARD_OPEN || g->state == ES_GUARD_ENDING;
      assumes  length: length <= g->allowed - g->sent;
      assumes  answer: answer == ES_ANSWER_LATER;
      assigns  g->again;
      ensures  result: \result == ES_OK && g->again;
      ensures  same:   g->state == \old(g->state) && g->held == \old(g->held) && g->sent == \old(g->sent);
      ensures  counts: g->tokens == \old(g->tokens) && (g->waiting <==> \old(g->waiting));
    behavior gone:
      assumes  open:   g->state == ES_GUARD_OPEN || g->state == ES_GUARD_ENDING;
      assumes  length: length <= g->allowed - g->sent;
      assumes  answer: answer != ES_ANSWER_OK && answer != ES_ANSWER_LATER;
      assigns  g->state, g->held;
      ensures  result: \result == ES_OK && g->state == ES_GUARD_GONE && g->sent == \old(g->sent);
    behavior misuse:
      assumes  open:   g->state == ES_GUARD_OPEN || g->state == ES_GUARD_ENDING;
      assumes  length: length > g->allowed - g->sent;
      assigns  \nothing;
      ensures  result: \result == ES_MISUSE;
    behavior ended:
      assumes  over:   g->state != ES_GUARD_OPEN && g->state != ES_GUARD_ENDING;
      assigns  \nothing;
      ensures  result: \result == ES_ENDED;
    complete behaviors; disjoint behaviors; */
es_status es_guard_answer(es_guard *g, uint32_t length, es_answer answer) /*@ ghost (uint32_t sid) */;

/* The one terminal (R12): true once, when the text has ended and all of it is sent. */
/*@ requires valid: guard_valid(g) && guard_state(g);
    assigns  g->state, g->terminals;
    ensures  state: guard_state(g);
    ensures  once:  \result <==> g->terminals == \old(g->terminals) + 1;
    ensures  all:   \result ==> g->state == ES_GUARD_DONE && g->sent == g->cut;
    ensures  none:  !\result ==> g->terminals == \old(g->terminals) && g->state == \old(g->state);
    ensures  when:  \result <==> \old(g->state) == ES_GUARD_ENDING && \old(g->held) == 0; */
bool es_guard_terminal(es_guard *g);

#ifdef __cplusplus
}
#endif

#endif
