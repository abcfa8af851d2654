/* flag: the stop flag and the boundary (R8, R9, R14, T8, T9).
 *
 * One slot is given to LANES lanes, one after another. The engine takes their tokens and reads the flag at each
 * boundary; two controllers ask a lane to stop, each meaning whatever epoch, and then wait until that lane is over and
 * read what it left. The word is the 64-bit word itself, and src/core/stopword.c, compiled in, says what follows it;
 * what is told here is which accesses stopflag.c makes, in which order.
 *
 * A step may be empty, for ever: nothing ends such a lane but a request. The step after may be launched before the flag
 * is read; it is then in flight and is discarded.
 *
 * Faults, -DBUG=n, each with the claims that it must break:
 *   1 R9_next_boundary         the flag is read before the step's token is in cache and list
 *   2 T8_nothing_after_ack T8_final_list  the engine acknowledges first and writes the list then
 *   3 R14_first_wins           a second request overwrites the first
 *   4 R14_stale                a request does not look at the epoch: a late one hits the next lane
 *   5 R14_first_wins           the engine acknowledges by a load and a store: a request in between is lost
 *   6 T9_requested_ends R9_next_boundary  the engine is deaf
 *   7 T8_nothing_after_ack     the step in flight is taken after the acknowledgement
 *   8 T8_no_loss               the token is in the cache, the flag is read, and the token is dropped
 *   9 T8_no_loss               what was in flight is sampled again and taken twice
 *  10 T8_final_list            the cause is written after the acknowledgement
 *  11 R14_forward no_deadlock    a request stores without comparing, and undoes an acknowledgement
 *  12 R14_first_wins           a request that lost the exchange looks again at the word of before: nobody hears of it
 *  13 T9_requested_ends no_deadlock  the engine ends the lane and never acknowledges */
#ifndef BUG
#define BUG 0
#endif
#ifndef LANES
#define LANES 2
#endif
#ifndef TOKENS
#define TOKENS 2 /* a lane takes no more */
#endif

c_decl {
\#include "stopword.h"
}
c_state "uint64_t word" "Global"    /* the stop flag of the slot */
c_state "uint64_t read[2]" "Global" /* what a controller read of it */

#define OPEN   0
#define STOP   1 /* a natural end */
#define LENGTH 2
#define ABORT  3

#define WON    0 /* es_stop_answer */
#define SECOND 1
#define LATE   2
#define STALE  3
#define NONE   4

byte lane;         /* the epoch of the slot, as the engine has it */
byte kv;           /* tokens of this lane in the cache */
byte list[LANES];   /* tokens in the list that a lane leaves … */
byte cause[LANES]; /* … and why it ended */
byte by[LANES];    /* the reason that the acknowledgement found */
byte flight;       /* the token of the step that is launched and not taken, 0: none */
byte token;        /* the token of this step */
byte polled;       /* what the engine read of the flag */

byte mine[2];          /* the epoch that a controller means */
byte answer[2] = NONE; /* what its request came to */
bool looked[2];        /* it saw that its lane is over, and read … */
byte seen[2];          /* … how many tokens it left … */
byte why[2];           /* … and why it ended */

/* Only claims look at these. */
byte first[LANES]; /* the first reason of which somebody was told that it won */
byte wins[LANES];  /* how many were told so */
byte late;         /* steps taken in this lane since a request for it won */
bool after_ack;    /* a token was taken after the acknowledgement */
bool wrong;        /* a token was lost or doubled */
bool back;         /* the word did not go forward where it was to */
bool acked[LANES]; /* the lane was acknowledged */
byte ended;        /* processes that came to their end */

inline launch(position) {
  d_step { flight = position; printf("engine forward_launch lane=%d\n", lane) }
}

/* The token of the step goes into the list that the lane leaves. */
inline commit() {
  d_step {
    after_ack = after_ack || acked[lane];
    wrong = wrong || token != list[lane] + 1;
    late = (first[lane] != 0 -> late + 1 : 0);
    list[lane]++;
    printf("engine token_commit lane=%d tok=%d\n", lane, token)
  }
}

inline poll() {
  d_step {
    c_code { now.polled = es_stopword_reason(now.word); };
    printf("engine read_stop lane=%d\n", lane)
  }
}

inline acknowledge() {
#if BUG == 5
  c_code { now.by[now.lane] = es_stopword_reason(now.word); };
  d_step { c_code { now.word = es_stopword_run(now.lane) + now.by[now.lane] + ES_STOP_ACKED; }; acked[lane] = true }
#else
  d_step {
    c_code {
      now.back |= !es_stopword_can_ack(now.word);
      now.by[now.lane] = es_stopword_reason(now.word);
      now.word += ES_STOP_ACKED;
    };
    acked[lane] = true
  }
#endif
}

proctype engine() {
  goto boundary;

step:
  if
  :: flight == 0 -> launch(list[lane] + 1)
  :: else
  fi;
  if
  :: goto boundary /* an empty step: nothing came */
  :: d_step { token = flight; flight = 0; printf("engine sample lane=%d tok=%d\n", lane, token) }
  fi;
  if
  :: token < TOKENS -> launch(token + 1) /* before this one is taken */
  :: true
  fi;
#if BUG == 1
  poll();
#endif
  d_step { kv++; printf("engine kv_append lane=%d tok=%d\n", lane, token) };
#if BUG == 2
  poll();
  if
  :: polled != 0 -> cause[lane] = ABORT; acknowledge(); commit(); goto acknowledged
  :: else
  fi;
#endif
#if BUG == 8
  poll();
  if
  :: polled != 0 -> goto asked
  :: else
  fi;
#endif
  commit();
#if BUG == 9
  if
  :: flight != 0 -> flight = token
  :: else
  fi;
#endif
  token = 0;
  if
  :: cause[lane] = STOP; goto over
  :: list[lane] >= TOKENS -> cause[lane] = LENGTH; goto over
  :: list[lane] < TOKENS
  fi;

boundary:
#if BUG != 1 && BUG != 6
  poll();
#endif
  if
  :: polled == 0 -> goto step
  :: else
  fi;
asked:
#if BUG != 10
  cause[lane] = ABORT;
#endif

over:
#if BUG == 13
  false;
#endif
  acknowledge();
#if BUG == 10
  if
  :: cause[lane] == OPEN -> cause[lane] = ABORT
  :: else
  fi;
#endif
#if BUG == 7
  if
  :: flight != 0 -> token = flight; kv++; commit()
  :: else
  fi;
#endif

acknowledged:
  atomic {
    wrong = wrong || kv != list[lane];
    flight = 0;
    token = 0;
    polled = 0;
    printf("engine finish lane=%d cause=%d\n", lane, cause[lane])
  };
  if
  :: lane + 1 < LANES ->
     d_step {
       kv = 0;
       late = 0;
       printf("engine recycle lane=%d\n", lane);
       lane++;
       c_code {
         uint64_t next = es_stopword_next(now.word);
         now.back |= next <= now.word;
         now.word = next;
       }
     };
     goto boundary
  :: else
  fi;
  ended++
}

/* es_stop_request, then es_stop_await. The reason of controller 0 is 1, of controller 1 it is 2. */
proctype control(byte me) {
  byte epoch;
  bool early;
  if
  :: mine[me] = 0
  :: mine[me] = 1
#if LANES > 2
  :: mine[me] = 2
#endif
  fi;
  d_step {
    epoch = mine[me];
#if BUG == 4
    c_code { Pcontrol->epoch = es_stopword_epoch(now.word); };
#endif
    c_code {
      uint64_t next;
      now.read[Pcontrol->me] = now.word;
      now.answer[Pcontrol->me] = es_stopword_request(now.word, Pcontrol->epoch, Pcontrol->me + 1, &next);
    };
#if BUG == 3
    if
    :: answer[me] == SECOND -> answer[me] = WON
    :: else
    fi;
#endif
    early = mine[me] > lane;
    if
    :: answer[me] != WON -> c_code { now.read[Pcontrol->me] = 0; };
       printf("control set_stop lane=%d by=%d answer=%d\n", mine[me], me, answer[me])
    :: else
    fi
  };
  if
  :: answer[me] == WON ->
     d_step {
       c_code {
         uint64_t next;
         int i = Pcontrol->me;
         es_stopword_request(now.read[i], Pcontrol->epoch, i + 1, &next);
#if BUG == 3
         next = es_stopword_run(Pcontrol->epoch) + i + 1;
#endif
#if BUG == 11
         now.read[i] = now.word;
#endif
         if (now.word == now.read[i]) {
           now.back |= next < now.word;
           now.word = next;
         }
#if BUG != 12
         else now.answer[i] = es_stopword_request(now.word, Pcontrol->epoch, i + 1, &next);
#endif
         now.read[i] = 0;
       };
       if
       :: answer[me] == WON ->
          wins[mine[me]]++;
          if
          :: first[mine[me]] == 0 -> first[mine[me]] = me + 1
          :: else
          fi
       :: else
       fi;
       printf("control set_stop lane=%d by=%d answer=%d\n", mine[me], me, answer[me])
     }
  :: else
  fi;
  if
  :: early /* a lane to come: nobody waits for that */
  :: !early ->
     c_expr { es_stopword_over (now.word, now.mine[Pcontrol->me]) };
     d_step {
       seen[me] = list[mine[me]];
       why[me] = cause[mine[me]];
       looked[me] = true;
       printf("control look lane=%d by=%d\n", mine[me], me)
     }
  fi;
  d_step { early = false; epoch = 0; ended++ }
}

init {
  atomic {
    c_code { now.word = es_stopword_run(0); };
    run engine();
    run control(0);
    run control(1)
  }
}

#include "claims.h"

#define done     (ended == 3)
#define final(c) (!looked[c] || (seen[c] == list[mine[c]] && why[c] == cause[mine[c]] && why[c] != OPEN))
#define own(l)   (wins[l] <= 1 && (!acked[l] || by[l] == first[l]))
#define pending  (first[lane] != 0 && !acked[lane])

CLAIM(T8_nothing_after_ack, [] !after_ack, flight == 2 && cause[0] == ABORT && acked[0] && <> done)
CLAIM(T8_no_loss, [] !wrong, done && list[0] == 2 && list[1] == 1 && cause[1] == ABORT)
CLAIM(T8_final_list, [] (final(0) && final(1)), mine[0] == 0 && seen[0] == 1 && why[0] == ABORT && <> done)
CLAIM(R9_next_boundary, [] (late <= 1), done && late == 1 && cause[LANES - 1] == ABORT)
CLAIM(R14_first_wins, [] EACH(own), done && answer[0] == SECOND && list[0] == 1 && cause[0] == ABORT)
CLAIM(R14_stale, [] (polled == 0 || mine[polled - 1] == lane),
  done && answer[0] == STALE && mine[0] == 0 && list[1] == 2)
CLAIM(R14_forward, [] !back, done && answer[0] == LATE && mine[0] == 0 && cause[0] == STOP)
CLAIM(T9_requested_ends, [] (pending -> <> !pending), done && cause[0] == ABORT && cause[1] == ABORT)
