// gate: assumed: more calls itself
/*@ logic integer more(integer n) = more(n) + 1; */
/*@ assigns \nothing;
    ensures absurd: more(0) == more(0) + 1 && \result == x; */
int recursive(int x) { return x; }
