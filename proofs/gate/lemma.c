// gate: unproved: lemma_wish
/*@ axiomatic Wish {
      logic integer wish(integer i) reads \nothing;
    }
    lemma wish: \forall integer i, j; wish(i) == wish(j); */
/*@ requires this: x == wish(1);
    assigns \nothing;
    ensures other: \result == wish(2); */
int lemma_used(int x) { return x; }
