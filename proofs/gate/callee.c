// gate: assumed: it calls elsewhere
/*@ assigns \nothing;
    ensures one: \result == 1; */
int elsewhere(void);
/*@ assigns \nothing;
    ensures two: \result == 2; */
int callee(void) { return elsewhere() + 1; }
