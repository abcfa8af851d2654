// Scenarios of the stop flag for Relacy: an engine that takes tokens and ends lanes, clients that ask and wait, and plain
// memory on both sides, so that an order that is too weak is a data race.
//
//   scenarios FLAG NAME full       every interleaving, and for each load the newest word or the one before
//   scenarios FLAG NAME bound N    at most N switches away from a thread that could have gone on
//   scenarios FLAG NAME random N   N interleavings by chance (the same ones each time), loads up to two words back
//
// FLAG is 0 for the flag as it is, else the number of a copy (run.py). Prints name, result and iterations; with
// ES_RELACY_SHOW set, also the course of a run that fails.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "flag.h"

namespace {

constexpr uint64_t FIRST = 7; // the epoch of the first lane; the next has one more
constexpr unsigned MOST_STEPS = 2, CLIENTS = 2;
constexpr unsigned NOT_ASKED = 99;

// What a client does once it has asked.
enum client { WAITS, LOOKS };

// The flag that is explored, and the scenario. A Relacy suite for each would be compiled once each, which takes long.
const flag *the;
struct scenario;
const scenario *chosen;

// What a lane leaves to those who read it: written by the engine alone, with no order of its own.
struct lane_left {
  rl::var<unsigned> tokens[MOST_STEPS], count, after;
};

struct rig {
  slot word;
  lane_left first, next;
  rl::var<unsigned> why[CLIENTS + 1]; // by reason: what the client wrote before it asked
  rl::var<unsigned> told[CLIENTS + 1];
  rl::atomic<uint64_t> handed; // the epoch of the next lane, for its client; 0: not yet

  void set() {
    the->init(&word, FIRST);
    handed.store(0, rl::mo_relaxed, $);
    for (auto &answer : told) answer($) = NOT_ASKED;
  }

  // The engine's boundary loop: a token into the list, then a look at the flag (R9). The reason found, 0 if the lane came
  // to its own end.
  uint8_t run(lane_left &lane, unsigned steps) {
    uint8_t reason = 0;
    unsigned count = 0;
    while (reason == 0 && count < steps) {
      lane.tokens[count]($) = count + 1;
      count++;
      reason = the->poll(&word);
    }
    lane.count($) = count;
    return reason;
  }

  // Acknowledges; what was polled before stands.
  uint8_t end(uint8_t polled) {
    uint8_t reason = 0;
    RL_ASSERT(the->ack(&word, &reason) == ES_OK);
    RL_ASSERT(polled == 0 || reason == polled);
    return reason;
  }

  void recycle() {
    uint64_t epoch = 0;
    RL_ASSERT(the->recycle(&word, &epoch) == ES_OK);
    RL_ASSERT(epoch == FIRST + 1);
  }

  // The engine was told: it sees what the client wrote.
  void read_why(uint8_t reason) {
    if (reason != 0) RL_ASSERT(why[reason]($) == 100u + reason);
  }

  es_stop_answer ask(uint64_t epoch, uint8_t reason) {
    why[reason]($) = 100u + reason;
    es_stop_answer answer = the->request(&word, epoch, reason);
    told[reason]($) = answer;
    return answer;
  }

  static bool yield(void *) {
    rl::yield(1, $);
    return true;
  }

  // Whoever knows that the lane is over reads all of it.
  void read(lane_left &lane) {
    unsigned count = lane.count($);
    RL_ASSERT(1 <= count && count <= MOST_STEPS);
    for (unsigned i = 0; i < count; i++) RL_ASSERT(lane.tokens[i]($) == i + 1);
  }

  // Waits for the end, or looks once: with three threads that wait there are too many interleavings to see them all.
  bool is_over(uint64_t epoch, client client) {
    if (client == LOOKS) return the->over(&word, epoch);
    RL_ASSERT(the->await(&word, epoch, &yield, nullptr));
    return true;
  }

  void ask_and_read(uint64_t epoch, uint8_t reason, lane_left &lane, client client) {
    es_stop_answer answer = ask(epoch, reason);
    if (answer == ES_STOP_LATE || is_over(epoch, client)) read(lane);
  }

  bool was(unsigned reason, es_stop_answer answer) {
    return told[reason]($) == unsigned(answer);
  }

  // In the word the reason of the one that won, or none.
  void one_won(uint64_t epoch, unsigned clients) {
    unsigned won = 0, second = 0;
    for (unsigned reason = 1; reason <= clients; reason++) {
      if (was(reason, ES_STOP_WON)) won = won == 0 ? reason : NOT_ASKED;
      if (was(reason, ES_STOP_SECOND)) second++;
      RL_ASSERT(!was(reason, ES_STOP_STALE));
    }
    RL_ASSERT(second == 0 || won != 0);
    RL_ASSERT(the->epoch(&word) == epoch);
    RL_ASSERT(the->poll(&word) == won);
    RL_ASSERT(the->over(&word, epoch));
  }
};

// One client asks while the lane runs and ends: each sees what the other wrote.
void ask(rig &r, unsigned thread) {
  if (thread == 1) return r.ask_and_read(FIRST, 1, r.first, WAITS);
  uint8_t reason = r.run(r.first, 2);
  r.read_why(reason);
  r.end(reason);
}

void after_ask(rig &r) {
  r.one_won(FIRST, 1);
}

// Two clients ask, each for a reason of its own: one wins, and its reason stays.
template <client client, unsigned steps> void two(rig &r, unsigned thread) {
  if (thread > 0) return r.ask_and_read(FIRST, uint8_t(thread), r.first, client);
  uint8_t reason = r.run(r.first, steps);
  r.read_why(reason);
  r.end(reason);
}

void after_two(rig &r) {
  r.one_won(FIRST, 2);
}

// The lane ends by itself, and the engine is told at the acknowledgement that somebody asked: a look after it brings what
// that client wrote; the reason alone does not.
template <bool looks> void at_ack(rig &r, unsigned thread) {
  if (thread == 1) return r.ask_and_read(FIRST, 1, r.first, WAITS);
  r.first.tokens[0]($) = 1;
  r.first.count($) = 1;
  uint8_t reason = r.end(0);
  if (looks) RL_ASSERT(the->poll(&r.word) == reason);
  r.read_why(reason);
}

// The slot goes to the next lane at once, while clients ask the first one: none hits the next, and who is told that it
// came too late for the slot sees what the engine did after the acknowledgement as well.
template <client client> void reuse(rig &r, unsigned thread) {
  if (thread > 0) {
    es_stop_answer answer = r.ask(FIRST, uint8_t(thread));
    if (answer == ES_STOP_LATE || answer == ES_STOP_STALE || r.is_over(FIRST, client)) r.read(r.first);
    if (answer == ES_STOP_STALE) RL_ASSERT(r.first.after($) == 1);
    return;
  }
  r.end(r.run(r.first, 1));
  r.first.after($) = 1;
  r.recycle();
  RL_ASSERT(r.run(r.next, 1) == 0);
  RL_ASSERT(r.end(0) == 0);
}

void after_reuse(rig &r) {
  RL_ASSERT(the->epoch(&r.word) == FIRST + 1 && the->poll(&r.word) == 0);
}

// One who only waits for the first lane is not held up by the next, which does not end, and sees all of the first; asking
// then, it is told that it is late, or for another lane.
void wait(rig &r, unsigned thread) {
  if (thread == 1) {
    if (r.is_over(FIRST, WAITS)) r.read(r.first);
    es_stop_answer answer = r.ask(FIRST, 1);
    RL_ASSERT(answer == ES_STOP_LATE || answer == ES_STOP_STALE);
    return;
  }
  r.end(r.run(r.first, 2));
  r.recycle();
  RL_ASSERT(r.run(r.next, 2) == 0);
}

// Each lane of the slot has its client; the second is handed its epoch when its lane begins. Only its own reaches a lane.
template <client client, rl::memory_order hands, rl::memory_order takes> void handed_over(rig &r, unsigned thread) {
  if (thread == 1) return r.ask_and_read(FIRST, 1, r.first, client);
  if (thread == 2) {
    uint64_t epoch = r.handed.load(takes, $);
    if (epoch != 0) r.ask_and_read(epoch, 2, r.next, client);
    return;
  }
  uint8_t reason = r.run(r.first, 1);
  RL_ASSERT(reason <= 1);
  r.read_why(reason);
  r.end(reason);
  r.recycle();
  r.handed.store(FIRST + 1, hands, $);
  reason = r.run(r.next, 1);
  RL_ASSERT(reason == 0 || reason == 2);
  r.read_why(reason);
  r.end(reason);
}

void after_handed_over(rig &r) {
  RL_ASSERT(!r.was(2, ES_STOP_STALE) && !r.was(2, ES_STOP_SECOND));
  RL_ASSERT(the->poll(&r.word) == (r.was(2, ES_STOP_WON) ? 2 : 0));
}

// Uses that the flag does not allow: each must be found with the right flag too, else the scenarios see nothing.
void reads_before_the_end(rig &r, unsigned thread) {
  if (thread == 0) {
    r.end(r.run(r.first, 2));
  } else if (r.ask(FIRST, 1) == ES_STOP_WON) {
    r.read(r.first);
  }
}

void takes_after_the_end(rig &r, unsigned thread) {
  if (thread == 1) return r.ask_and_read(FIRST, 1, r.first, WAITS);
  r.end(r.run(r.first, 1));
  r.first.tokens[1]($) = 2;
  r.first.count($) = 2;
}

void reuses_the_list(rig &r, unsigned thread) {
  if (thread == 1) return r.ask_and_read(FIRST, 1, r.first, WAITS);
  r.end(r.run(r.first, 1));
  r.recycle();
  r.run(r.first, 1);
}

void after_none(rig &) {}

struct scenario {
  const char *name;
  int threads;
  void (*thread)(rig &, unsigned);
  void (*after)(rig &);
};

constexpr scenario scenarios[] = {
    {"ask", 2, ask, after_ask},
    {"at-ack", 2, at_ack<true>, after_ask},
    {"wait", 2, wait, after_none},
    {"reuse", 2, reuse<WAITS>, after_reuse},
    {"two", 3, two<LOOKS, 1>, after_two},
    {"two-wait", 3, two<WAITS, 2>, after_two},
    {"two-reuse", 3, reuse<LOOKS>, after_reuse},
    {"two-reuse-wait", 3, reuse<WAITS>, after_reuse},
    {"handed", 3, handed_over<LOOKS, rl::mo_release, rl::mo_acquire>, after_handed_over},
    {"handed-wait", 3, handed_over<WAITS, rl::mo_release, rl::mo_acquire>, after_handed_over},
    {"bad-told-by-ack-alone", 2, at_ack<false>, after_ask},
    {"bad-handed-relaxed", 3, handed_over<WAITS, rl::mo_relaxed, rl::mo_relaxed>, after_handed_over},
    {"bad-reads-before-the-end", 2, reads_before_the_end, after_none},
    {"bad-takes-after-the-end", 2, takes_after_the_end, after_none},
    {"bad-reuses-the-list", 2, reuses_the_list, after_none},
};

template <int threads> struct suite : rl::test_suite<suite<threads>, threads>, rig {
  void before() {
    set();
  }
  void thread(unsigned index) {
    chosen->thread(*this, index);
  }
  void after() {
    chosen->after(*this);
  }
};

void explore(const char *search, const char *number) {
  std::ostream quiet(nullptr); // Relacy tells the course of a run that fails
  rl::test_params params;
  params.output_stream = std::getenv("ES_RELACY_SHOW") != nullptr ? static_cast<std::ostream *>(&std::cout) : &quiet;
  params.progress_stream = &quiet;
  params.execution_depth_limit = 400;
  params.search_type = rl::sched_full;
  if (std::strcmp(search, "bound") == 0) {
    params.search_type = rl::sched_bound;
    params.context_bound = unsigned(std::strtoul(number, nullptr, 10));
  } else if (std::strcmp(search, "random") == 0) {
    params.search_type = rl::sched_random;
    params.iteration_count = std::strtoull(number, nullptr, 10);
  }
  chosen->threads == 2 ? rl::simulate<suite<2>>(params) : rl::simulate<suite<3>>(params);
  std::printf("%s\t%s\t%llu\n", chosen->name, rl::test_result_str(params.test_result),
              static_cast<unsigned long long>(params.stop_iteration));
}

} // namespace

int main(int count, char **words) {
  unsigned long number = count >= 4 ? std::strtoul(words[1], nullptr, 10) : flag_count;
  for (const auto &one : scenarios)
    if (count >= 4 && std::strcmp(one.name, words[2]) == 0) chosen = &one;
  if (chosen == nullptr || number >= flag_count) {
    std::fprintf(stderr, "scenarios: expected a FLAG below %u, NAME and full|bound N|random N; NAMEs are:\n",
                 flag_count);
    for (const auto &one : scenarios) std::fprintf(stderr, "  %s\n", one.name);
    return 2;
  }
  the = &flags[number];
  explore(words[3], count > 4 ? words[4] : "0");
}
