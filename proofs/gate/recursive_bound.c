// gate: assumed: far calls itself
/*@ logic integer step(integer x) = x == 3 ? 2 : 1; */
/*@ lemma step_rises: \forall integer x; step(x) >= 1; */
/*@ logic integer far(integer x, integer y) = x >= y ? 0 : 1 + far(x + step(x), y + 2); */
/*@ assigns \nothing;
    ensures absurd: far(0, 1) > far(2, 3); */
void recursive_bound(void) {}
