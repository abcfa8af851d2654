// gate: admit_requires: assumed: admit_requires.c:2: precondition is considered valid
/*@ admit requires seven: x == 7;
    assigns \nothing;
    ensures seven: \result == 7; */
int admit_requires(int x) { return x; }
