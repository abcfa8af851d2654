// gate: assumed: pointer: a call through a pointer
/*@ assigns \nothing;
    ensures one: \result == 1; */
int one(void) { return 1; }
int (*const chosen)(void) = one;
/*@ assigns \nothing;
    ensures two: \result == 2; */
int pointer(void) {
  int x;
  //@ calls one;
  x = (*chosen)();
  return x + 1;
}
