/* claims: how a model says what must hold. CLAIM gives two formulas of ltl: `name` must hold; `not_name`, the claim
 * denied for runs in which `seen` comes about, must fail: that shows that there are such runs, and its trail is one. */
#define CLAIM(name, says, seen) \
  ltl name { says }             \
  ltl not_##name { !((says) && <>(seen)) }

#if LANES == 2
#define EACH(p) (p(0) && p(1))
#elif LANES == 3
#define EACH(p) (p(0) && p(1) && p(2))
#endif
