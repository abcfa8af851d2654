#include "guard.h"

void es_guard_open(es_guard *g, uint8_t *text, uint32_t capacity, es_flush flush) /*@ ghost (uint32_t sid) */ {
  g->state = ES_GUARD_OPEN;
  g->terminals = 0;
  g->flush = flush;
  g->text = text;
  g->capacity = capacity;
  g->held = 0;
  g->sent = 0;
  g->allowed = 0;
  g->taken = 0;
  g->cut = 0;
  g->again = false;
  g->step = 0;
  g->tokens = 0;
  g->waiting = false;
  g->since = 0;
}

es_status es_guard_push(es_guard *g, const uint8_t *bytes, uint32_t length) /*@ ghost (uint32_t sid) */ {
  if (g->state != ES_GUARD_OPEN) return ES_ENDED;
  if (length > g->capacity - g->held) return ES_FULL;
  /*@ loop invariant place: 0 <= j <= length;
      loop invariant bytes: \forall integer t; 0 <= t < g->held + j ==> g->text[t] == H(sid, g->sent + t);
      loop assigns j, g->text[0 .. g->capacity - 1];
      loop variant length - j; */
  for (uint32_t j = 0; j < length; j++) {
    //@ assert byte: bytes[j] == H(sid, g->sent + g->held + j);
    g->text[g->held + j] = bytes[j];
  }
  g->held += length;
  g->taken += length;
  return ES_OK;
}

es_status es_guard_allow(es_guard *g, uint64_t place) {
  if (g->state != ES_GUARD_OPEN) return ES_ENDED;
  if (place < g->allowed || place > g->taken) return ES_MISUSE;
  g->allowed = place;
  return ES_OK;
}

es_status es_guard_end(es_guard *g, uint64_t cut) {
  if (g->state != ES_GUARD_OPEN) return ES_ENDED;
  if (cut < g->allowed || cut > g->taken) return ES_MISUSE;
  g->cut = cut;
  g->allowed = cut;
  g->held = (uint32_t)(cut - g->sent);
  g->state = ES_GUARD_ENDING;
  return ES_OK;
}

/* Whether the flush policy wants what may be shown to go now; `bytes` of it are unsent. */
/*@ requires valid: \valid_read(g) && g->flush.n >= 1;
    assigns  \nothing;
    ensures  due: \result <==> flush_due(g->flush.kind, g->flush.n, g->step, bytes, g->tokens, now - g->since); */
static bool wanted(const es_guard *g, uint64_t bytes, uint64_t now) {
  if (g->flush.kind == ES_FLUSH_STEPS) return g->step == 0;
  if (g->flush.kind == ES_FLUSH_BYTES) return bytes >= g->flush.n;
  if (g->flush.kind == ES_FLUSH_TOKENS) return g->tokens >= g->flush.n;
  if (g->flush.kind == ES_FLUSH_MS) return now >= g->since && now - g->since >= g->flush.n;
  return false;
}

uint32_t es_guard_step(es_guard *g, uint32_t tokens, uint64_t now) {
  g->step = g->step + 1 >= g->flush.n ? 0 : g->step + 1;
  g->tokens = tokens > INT32_MAX - g->tokens ? INT32_MAX : g->tokens + tokens;
  if (g->state == ES_GUARD_ENDING) return g->held;
  if (g->state != ES_GUARD_OPEN) return 0;
  uint64_t bytes = g->allowed - g->sent;
  if (bytes == 0) return 0;
  if (!g->waiting) {
    g->waiting = true;
    g->since = now;
  }
  return g->again || wanted(g, bytes, now) ? (uint32_t)bytes : 0;
}

/* Drops the first `length` bytes: the sink has them. */
/*@ requires valid: guard_valid(g) && g->held <= g->capacity && length <= g->held && guard_text(g, sid);
    requires room:  g->sent + length <= UINT64_MAX;
    assigns  g->held, g->sent, g->text[0 .. g->capacity - 1];
    ensures  text:  guard_text(g, sid) && guard_valid(g);
    ensures  count: g->sent == \old(g->sent) + length && g->held == \old(g->held) - length; */
static void drop(es_guard *g, uint32_t length) /*@ ghost (uint32_t sid) */ {
  /*@ loop invariant place: length <= j <= g->held;
      loop invariant moved: \forall integer t; 0 <= t < j - length ==> g->text[t] == H(sid, g->sent + length + t);
      loop invariant rest:  \forall integer t; j <= t < g->held ==> g->text[t] == H(sid, g->sent + t);
      loop assigns j, g->text[0 .. g->capacity - 1];
      loop variant g->held - j; */
  for (uint32_t j = length; j < g->held; j++) {
    //@ assert byte: g->text[j] == H(sid, g->sent + length + (j - length));
    g->text[j - length] = g->text[j];
  }
  g->held -= length;
  g->sent += length;
}

es_status es_guard_answer(es_guard *g, uint32_t length, es_answer answer) /*@ ghost (uint32_t sid) */ {
  if (g->state != ES_GUARD_OPEN && g->state != ES_GUARD_ENDING) return ES_ENDED;
  if (length > g->allowed - g->sent) return ES_MISUSE;
  if (answer == ES_ANSWER_LATER) {
    g->again = true;
    return ES_OK;
  }
  if (answer == ES_ANSWER_OK) {
    drop(g, length) /*@ ghost (sid) */;
    g->again = false;
    if (length > 0) g->tokens = 0;
    if (g->sent == g->allowed) g->waiting = false;
    return ES_OK;
  }
  g->held = 0;
  g->state = ES_GUARD_GONE;
  return ES_OK;
}

bool es_guard_terminal(es_guard *g) {
  if (g->state != ES_GUARD_ENDING || g->held != 0) return false;
  g->state = ES_GUARD_DONE;
  g->terminals++;
  return true;
}
