// gate: absurd: dead_branch_wp_smoke_dead_code
/*@ requires high: x > 3;
    assigns \nothing;
    ensures two: \result == 2; */
int dead_branch(int x) {
  if (x < 2) return 1;
  return 2;
}
