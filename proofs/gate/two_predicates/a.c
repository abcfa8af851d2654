/*@ predicate small(integer i) = i < 3;
    lemma smaller: \forall integer i; small(i) ==> i < 4; */
/*@ requires this: small(x);
    assigns \nothing;
    ensures less: \result < 4; */
int first_use(int x) { return x; }
