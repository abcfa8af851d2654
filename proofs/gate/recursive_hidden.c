// gate: assumed: most calls itself
/*@ predicate most(integer n) = \forall integer k; k == n ==> !most(k); */
/*@ assigns \nothing;
    ensures absurd: most(0) <==> !most(0); */
void recursive_hidden(void) {}
