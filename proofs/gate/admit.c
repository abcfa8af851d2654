// gate: assumed: admit here: x
/*@ assigns \nothing;
    ensures seven: \result == 7; */
int admit_in_code(int x) {
  //@ admit here: x == 7;
  return x;
}
