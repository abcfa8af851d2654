/*@ axiomatic Wish {
      logic integer wish(integer i) reads \nothing;
    }
    lemma wish_one: \forall integer i; wish(i) == 1; */
/*@ requires this: x == wish(1);
    assigns \nothing;
    ensures one: \result == 1; */
int first_use(int x) { return x; }
