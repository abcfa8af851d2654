// gate: assumed: admit_ensures.c:3: postcondition is considered valid
/*@ assigns \nothing;
    admit ensures seven: \result == 7; */
int admit_ensures(int x) { return x; }
