/* false: goals that are not true. A prover that calls one of them valid cannot be relied on; `prove.py` asks each
 * prover for each of them before it proves anything. None may be a lemma: what is a lemma is taken for granted after. */

/*@
  axiomatic Control {
    logic integer S(integer sid, integer i) reads \nothing;
  }
  predicate between(integer b) = 0x80 <= b <= 0xBF;
  predicate after(integer b, integer c) = b == 0xE0 ? 0xA0 <= c <= 0xBF : between(c);
*/

//@ ensures too_strict: x > 3 ==> x > 4; assigns \nothing;
void f1(int x) {}

//@ ensures last_excluded: between(S(sid, i)) ==> S(sid, i) < 0xBF; assigns \nothing;
void f2(unsigned sid, unsigned i) {}

/*@ requires range: \forall integer c; low <= c <= high <==> after(S(sid, i), c);
    requires out: !(low <= S(sid, i + 1) < high);
    assigns \nothing;
    ensures last_excluded: !after(S(sid, i), S(sid, i + 1)); */
void f3(unsigned sid, unsigned i, unsigned low, unsigned high) {}

//@ ensures all_the_same: S(sid, i) == S(sid, i + 1); assigns \nothing;
void f4(unsigned sid, unsigned i) {}

//@ ensures nothing: \false; assigns \nothing;
void f5(void) {}

/*@ requires \valid(p) && *p < 10;
    assigns *p;
    ensures unchanged: *p == \old(*p); */
void f6(unsigned *p) {
  *p = *p + 1;
}
