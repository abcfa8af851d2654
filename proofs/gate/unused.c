// gate: dead code: no public function needs it
/*@ assigns \nothing;
    ensures two: \result == 2; */
static int unused(void) { return 2; }
/*@ assigns \nothing;
    ensures three: \result == 3; */
int used(void) { return 3; }
