// gate: says something else in proofs/gate/two_predicates/a.c
/*@ predicate small(integer i) = i < 9;
    lemma smaller: \forall integer i; small(i) ==> i < 4; */
/*@ requires this: small(x);
    assigns \nothing;
    ensures less: \result < 4; */
int second_use(int x) { return x; }
