/* flush: what a lane's text goes through, from the engine to the client, and how its slot is used again
 * (R8, R12, R14, T7, T8, T10).
 *
 * The engine steps the lanes that have a slot: takes a token of each, looks at the flags, offers each open lane's text
 * to its sink. Lanes that ended are acknowledged and retired; the retired ones are flushed and their terminals sent
 * before the next step; a slot is given to the next lane at once. A sink answers ok, later (at most WAITS times a lane)
 * or gone. A client reads on, or cancels, or disconnects: then its sink says gone from some moment on, and the lane is
 * asked to stop, by a request that means its epoch and may come when the slot is another's.
 *
 * With -DENDLESS a step may be empty, for ever: only a request ends such a lane.
 *
 * Faults, -DBUG=n, each with the claims that it must break:
 *   1 T7_all_text              the terminal goes before the last text
 *   2 T8_in_order              text that the sink answered later is dropped
 *   3 T8_in_order              text that the sink took is offered again
 *   4 T8_in_order T7_all_text  a slot is used again before its text is flushed
 *   5 T10_flushed              the next step begins before the retired lanes are flushed
 *   6 T10_rides_no_further     a lane that ended rides one more step
 *   7 R14_next_lane            a request does not look at the epoch: a late one hits the next lane
 *   8 T7_one_terminal T7_last  who cancels is sent a terminal by the front end as well
 *   9 T9_gone_ends             the engine is deaf
 *  10 T7_gone                  a client that is gone is sent a terminal
 *  11 T9_all_end               the slot of a client that is gone is not given back
 *  12 T9_all_end no_deadlock   a retired lane whose sink said later waits for a next step
 *  13 T7_last                  text is offered to a sink that said gone */
#ifndef BUG
#define BUG 0
#endif
#ifndef LANES
#define LANES 2
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef TOKENS
#define TOKENS 2 /* a lane takes no more */
#endif
#ifndef WAITS
#define WAITS 1 /* how often the sink of a lane says later */
#endif

c_decl {
\#include "stopword.h"
}
c_state "uint64_t word[2]" "Global" /* the stop flag of each slot */
c_state "uint64_t read[3]" "Global" /* what who asks that lane to stop read of it */

#define OPEN       0
#define STOP       1 /* a natural end */
#define LENGTH     2
#define ABORT      3
#define DISCONNECT 4

#define NONE 255

/* Of a slot. */
byte owner[SLOTS] = NONE;                    /* the lane that has it */
bool retired[SLOTS];                         /* that lane has ended and is to be flushed */
chan text[SLOTS] = [TOKENS + 2] of { byte }; /* what is not sent: one piece a token, 16 × lane + number */

/* Of a lane. */
byte slot[LANES] = NONE; /* what the engine handed out with it: its slot … */
byte epoch[LANES];       /* … and that one's epoch */
byte taken[LANES];       /* tokens */
byte cause[LANES];
byte waits[LANES];     /* how often its sink said later */
bool left[LANES];      /* the client disconnected */
bool gone[LANES];      /* the sink said so */
byte got[LANES];       /* pieces of text that the client has */
byte terminals[LANES]; /* that were sent */

byte next;  /* the lane that is to come */
byte ended; /* processes that came to their end */

/* Only claims look at these. */
bool asked[LANES];   /* a request for this lane won */
bool aborted[LANES]; /* it was found at a boundary */
bool acked[LANES];
bool after_end; /* something was offered or sent after the terminal, or after gone */
bool after_ack; /* a token was taken after the acknowledgement */
bool wrong;     /* a piece of text was not the next one of that lane */
bool stepping;  /* the tokens of a step are taken, the boundary is not reached */

#if SLOTS == 1
#define all_free (owner[0] == NONE)
#else
#define all_free (owner[0] == NONE && owner[1] == NONE)
#endif
#define offers(l) (!gone[l] || BUG == 13)
#define active(s) (owner[s] != NONE && !retired[s])

/* Text goes to the client: each piece must be its lane's next one. */
inline deliver() {
  do
  :: nempty(text[s]) ->
     text[s] ? piece;
     got[l]++;
     wrong = wrong || piece != 16 * l + got[l];
     printf("engine emit lane=%d tok=%d\n", l, piece % 16)
  :: empty(text[s]) -> break
  od;
  piece = 0
}

inline drop() {
  do
  :: nempty(text[s]) -> text[s] ? piece
  :: empty(text[s]) -> break
  od;
  piece = 0
}

/* All text that the slot holds is offered to its lane's sink. */
inline offer() {
  after_end = after_end || gone[l] || terminals[l] > 0;
  if
  :: left[l] -> gone[l] = true; printf("client gone lane=%d\n", l);
#if BUG != 13
     drop()
#endif
  :: !left[l] && waits[l] < WAITS -> waits[l]++; printf("client later lane=%d\n", l);
#if BUG == 2
     drop()
#endif
  :: !left[l] ->
#if BUG == 3
     text[s] ? <piece>; text[s] ! piece;
#endif
     deliver()
  fi
}

inline terminal() {
  d_step {
    after_end = after_end || gone[l] || terminals[l] > 0;
    terminals[l]++;
    printf("engine finish lane=%d cause=%d terminal=1\n", l, cause[l])
  }
}

/* The slot goes to the next lane, if there is one. */
inline give() {
  owner[s] = NONE;
  if
  :: next < LANES ->
     owner[s] = next;
     slot[next] = s;
     c_code { now.epoch[now.next] = es_stopword_epoch(now.word[Pengine->s]); };
     printf("client submit lane=%d\n", next);
     next++
  :: else
  fi
}

inline take() {
  taken[l]++;
  after_ack = after_ack || acked[l];
  text[s] ! 16 * l + taken[l];
  printf("engine token_commit lane=%d tok=%d\n", l, taken[l]);
  if
  :: taken[l] < TOKENS
  :: taken[l] < TOKENS -> cause[l] = STOP
  :: taken[l] >= TOKENS -> cause[l] = LENGTH
  fi
}

inline poll() {
  d_step {
    c_code { now.aborted[Pengine->l] = es_stopword_reason(now.word[Pengine->s]) != 0; };
    printf("engine read_stop lane=%d\n", l);
    if
    :: aborted[l] -> cause[l] = ABORT
    :: else
    fi
  }
}

inline acknowledge() {
  d_step {
    c_code { now.word[Pengine->s] += es_stopword_can_ack(now.word[Pengine->s]) ? ES_STOP_ACKED : 0; };
    acked[l] = true
  }
}

/* All that is left of the lane in this slot, then its terminal; its slot goes to the next at once. */
inline flush() {
#if BUG == 1
  if
  :: !gone[l] -> terminal()
  :: else
  fi;
#endif
#if BUG != 4
  do
  :: atomic { nempty(text[s]) && offers(l) -> offer() };
#if BUG == 12
     if
     :: waits[l] > 0 -> false
     :: else
     fi
#endif
  :: empty(text[s]) || !offers(l) -> break
  od;
#endif
#if BUG != 1
  if
#if BUG == 10
  :: terminal()
#else
  :: !gone[l] -> terminal()
  :: gone[l] -> printf("engine finish lane=%d cause=%d terminal=0\n", l, cause[l])
#endif
  fi;
#endif
#if BUG == 11
  if
  :: gone[l] -> goto next_slot
  :: else
  fi;
#endif
  atomic {
    printf("engine recycle lane=%d\n", l);
    retired[s] = false;
    c_code { now.word[Pengine->s] = es_stopword_next(now.word[Pengine->s]); };
    give()
  }
}

proctype engine() {
  byte s, l, piece;
  d_step { for (s : 0 .. SLOTS - 1) { give() } };

step:
  atomic {
    stepping = true;
    for (s : 0 .. SLOTS - 1) {
      l = owner[s];
      if
      :: active(s) && taken[l] <= TOKENS -> take()
#ifdef ENDLESS
      :: active(s)
#endif
      :: else
      fi
    }
    s = 0
  };
  stepping = false;

  do /* the boundary of each lane, then the step's text; those that ended leave, with all that they leave written */
  :: atomic { s == SLOTS -> s = 0; break }
  :: atomic { s < SLOTS && !active(s) -> s++ }
  :: atomic { s < SLOTS && active(s) -> l = owner[s] };
#if BUG != 9
     if
     :: cause[l] == OPEN -> poll()
     :: else
     fi;
#endif
     if
     :: atomic { cause[l] == OPEN && nempty(text[s]) -> offer();
          if
          :: gone[l] -> cause[l] = DISCONNECT
          :: else
          fi
        }
     :: else
     fi;
     if
     :: cause[l] != OPEN ->
        acknowledge();
#if BUG == 6
        if
        :: taken[l] <= TOKENS -> goto step
        :: true
        fi;
#endif
        retired[s] = true
     :: else
     fi;
     s++
  od;
#if BUG == 5
  if
  :: goto step
  :: true
  fi;
#endif

  do /* the retired ones are flushed */
  :: atomic { s == SLOTS -> s = 0; break }
  :: atomic { s < SLOTS && !retired[s] -> s++ }
  :: atomic { s < SLOTS && retired[s] -> l = owner[s] };
     flush();
next_slot:
     s++
  od;

  if
  :: next == LANES && all_free -> ended++
  :: else -> goto step
  fi
}

/* Whoever reads a lane's text, with the front end's part in it. */
proctype client(byte l) {
  byte answer;
  slot[l] != NONE;
  if
  :: goto over /* it reads to the end */
  :: d_step { left[l] = true; printf("client disconnect lane=%d\n", l) }
  :: true /* it cancels, and reads on */
  fi;
  c_code { now.read[Pclient->l] = now.word[now.slot[Pclient->l]]; };
  d_step {
    c_code {
      int i = Pclient->l;
      uint64_t next, *word = &now.word[now.slot[i]], meant = now.epoch[i];
#if BUG == 7
      meant = es_stopword_epoch(*word);
      now.read[i] = *word;
#endif
      es_stop_answer answer = es_stopword_request(now.read[i], meant, 1, &next);
      if (answer == ES_STOP_WON && *word != now.read[i]) answer = es_stopword_request(*word, meant, 1, &next);
      else if (answer == ES_STOP_WON) *word = next;
      now.asked[i] = answer == ES_STOP_WON;
      now.read[i] = 0;
      Pclient->answer = answer;
    };
    printf("control set_stop lane=%d by=%d answer=%d\n", l, l, answer);
    answer = 0
  };
#if BUG == 8
  if
  :: asked[l] && !left[l] -> d_step { after_end = after_end || terminals[l] > 0; terminals[l]++ }
  :: else
  fi;
#endif
over:
  ended++
}

init {
  byte l;
  atomic {
    c_code { now.word[0] = now.word[1] = es_stopword_run(0); };
    for (l : 0 .. LANES - 1) { run client(l) }
    run engine()
  }
}

#include "claims.h"

#define done           (ended == LANES + 1)
#define once(l)        (terminals[l] <= 1)
#define all_text(l)    (terminals[l] == 0 || got[l] == taken[l])
#define no_terminal(l) (!gone[l] || terminals[l] == 0)
#define own_stop(l)    (!aborted[l] || asked[l])
#define ends(l)        ([] (left[l] -> <> acked[l]))
#if SLOTS == 1
#define flushed (!retired[0])
#else
#define flushed (!retired[0] && !retired[1])
#endif

#ifdef ENDLESS
CLAIM(T9_gone_ends, EACH(ends), done && left[0] && cause[0] == ABORT && left[1] && cause[1] == DISCONNECT)
#else
CLAIM(T9_all_end, <> done, waits[0] == 1 && left[1] && terminals[0] == 1)
CLAIM(T7_one_terminal, [] EACH(once), done && terminals[0] == 1 && cause[0] == STOP && asked[0] && waits[0] == 1)
CLAIM(T7_last, [] !after_end, done && terminals[0] == 1 && cause[0] == STOP && terminals[1] == 1 && cause[1] == LENGTH)
CLAIM(T7_all_text, [] EACH(all_text), done && terminals[1] == 1 && got[1] == 1 && cause[1] == ABORT && waits[1] == 1)
CLAIM(T7_gone, [] EACH(no_terminal), done && gone[0] && cause[0] == LENGTH && terminals[1] == 1)
CLAIM(T8_in_order, [] !wrong,
  done && cause[0] == ABORT && taken[0] == 1 && got[0] == 1 && cause[1] == LENGTH && got[1] == 2)
CLAIM(T10_flushed, [] (stepping -> flushed),
  done && terminals[0] == 1 && terminals[1] == 1 && taken[1] == 2 && waits[0] == 1)
CLAIM(T10_rides_no_further, [] !after_ack, done && cause[0] == STOP && left[0] && asked[0] && cause[1] == LENGTH)
CLAIM(R14_next_lane, [] EACH(own_stop), done && left[0] && !asked[0] && cause[0] == LENGTH && cause[1] == LENGTH)
#endif
