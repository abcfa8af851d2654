// gate: assumed: axiom all_alike
#define RULE axiom
/*@ axiomatic Wish {
      logic integer wish(integer i) reads \nothing;
      RULE all_alike: \forall integer i, j; wish(i) == wish(j);
    } */
/*@ requires this: x == wish(1);
    assigns \nothing;
    ensures other: \result == wish(2); */
int axiom_by_name(int x) { return x; }
