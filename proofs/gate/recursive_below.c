// gate: assumed: more calls itself
/*@ logic integer more(integer n) = n <= 0 ? 1 + more(n - 1) : 0; */
/*@ assigns \nothing;
    ensures absurd: more(0) == more(-1) + 1; */
void recursive_below(void) {}
