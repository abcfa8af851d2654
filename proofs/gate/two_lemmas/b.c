// gate: smaller says something else in proofs/gate/two_lemmas/a.c
/*@ predicate small(integer i) = i < 3;
    lemma smaller: \forall integer i; small(i) ==> i < 2; */
/*@ requires this: small(x);
    assigns \nothing;
    ensures less: \result < 2; */
int second_use(int x) { return x; }
