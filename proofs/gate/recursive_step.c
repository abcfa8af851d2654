// gate: assumed: far calls itself
/*@ logic integer step(integer x) = x == 3 ? 0 : 1; */
/*@ predicate far(integer x, integer y) = x == y || (x < y && !far(x + step(x), y)); */
/*@ assigns \nothing;
    ensures absurd: far(3, 4) <==> !far(3, 4); */
void recursive_step(void) {}
