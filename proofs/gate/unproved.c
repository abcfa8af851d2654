// gate: unproved: more_ensures_one
/*@ requires room: x < 9;
    assigns \nothing;
    ensures one: \result == x + 2; */
int more(int x) { return x + 1; }
