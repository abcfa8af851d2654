// gate: proofs/gate/two_orders/a.c: (lemmas): unproved: lemma_wish_one
/*@ axiomatic Wish {
      logic integer wish(integer i) reads \nothing;
    }
    lemma wish_two: \forall integer i; wish(i) == wish(i + 1) == 1;
    lemma wish_one: \forall integer i; wish(i) == 1; */
/*@ requires this: x == wish(1);
    assigns \nothing;
    ensures one: \result == 1; */
int second_use(int x) { return x; }
