// gate: frama-c warns: [wp] proofs/gate/no_loop_assigns.c
/*@ assigns \nothing;
    ensures all: \result == 0; */
unsigned no_loop_assigns(unsigned n) {
  /*@ loop invariant place: 0 <= n;
      loop variant n; */
  while (n > 0) n--;
  return n;
}
