// gate: unproved: no_variant_terminates
/*@ assigns \nothing;
    ensures all: \result == n; */
unsigned no_variant(unsigned n) {
  unsigned j = 0;
  /*@ loop invariant place: j <= n;
      loop assigns j; */
  while (j < n) j++;
  return j;
}
