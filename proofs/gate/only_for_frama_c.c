// gate: __FRAMAC__ may only include logic
/*@ assigns \nothing;
    ensures two: \result == 2; */
int only_for_frama_c(void) {
#ifdef __FRAMAC__
  return 2;
#else
  return 3;
#endif
}
