// gate: absurd: absurd_wp_smoke_default_requires
/*@ requires low: x > 3;
    requires high: x < 2;
    assigns \nothing;
    ensures seven: \result == 7; */
int absurd(int x) { return x; }
