/* stdatomic: C11's atomics by Relacy's, as far as stopflag uses them, so that stopflag.c is compiled as it is.
 *
 * Relacy is of before C++17 and takes no acquire on failure beside a release on success: an exchange that fails is a
 * relaxed load and an acquire fence. The fence would order what was loaded relaxed before it, too, were there anything. */
#ifndef ES_TEST_STDATOMIC_H
#define ES_TEST_STDATOMIC_H

#include <relacy/relacy.hpp>

#define _Atomic(type) rl::atomic<type>

/* Relacy has these names for code that is written for it. */
#undef memory_order_relaxed
#undef memory_order_acquire
#undef memory_order_release
#define memory_order_relaxed rl::mo_relaxed
#define memory_order_acquire rl::mo_acquire
#define memory_order_release rl::mo_release

#define atomic_init(object, value) (object)->store(value, rl::mo_relaxed, RL_INFO)
#define atomic_load_explicit(object, order) (object)->load(order, RL_INFO)
#define atomic_store_explicit(object, value, order) (object)->store(value, order, RL_INFO)
#define atomic_fetch_add_explicit(object, value, order) (object)->fetch_add(value, order, RL_INFO)
#define atomic_compare_exchange_strong_explicit(object, expected, desired, won, lost)                                  \
  es_test_exchange(object, expected, desired, won, lost, RL_INFO)

template <typename T>
bool es_test_exchange(rl::atomic<T> *object, T *expected, T desired, rl::memory_order won, rl::memory_order lost,
                      rl::debug_info_param where) {
  if (object->compare_exchange(rl::bool_t<false>(), *expected, desired, won, rl::mo_relaxed, where)) return true;
  if (lost == rl::mo_acquire) rl::atomic_thread_fence(rl::mo_acquire, where);
  return false;
}

#endif
