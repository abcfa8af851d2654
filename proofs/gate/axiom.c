// gate: assumed: axiom all_alike
/*@ axiomatic Wish {
      logic integer wish(integer i) reads \nothing;
      axiom all_alike: \forall integer i, j; wish(i) == wish(j);
    } */
/*@ requires this: x == wish(1);
    assigns \nothing;
    ensures other: \result == wish(2); */
int axiom_used(int x) { return x; }
