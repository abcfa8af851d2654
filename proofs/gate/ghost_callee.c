// gate: unproved: wish_ensures
/*@ ghost
  /@ assigns \nothing;
     ensures wish: x == 1; @/
  static void wish(int x) {
  }
*/
/*@ assigns \nothing;
    ensures one: \result == 1; */
int ghost_callee(int x) {
  /*@ ghost wish(x); */
  return x;
}
