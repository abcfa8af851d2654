// gate: calls itself, by way of
/*@ assigns \nothing;
    ensures none: \result == 0; */
unsigned recursion(unsigned n) {
  if (n == 0) return 0;
  return recursion(n - 1);
}
