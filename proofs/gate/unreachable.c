// gate: dead code: unreachable_assert_never cannot be reached
/*@ assigns \nothing;
    ensures two: \result == 2; */
int unreachable(void) {
  return 2;
  //@ assert never: \false;
}
