/* The unit tests: runs the suites of all tests/test_*.c, as CK_FORK, CK_RUN_SUITE and their like say. */
#include <check.h>
#include <stdlib.h>

Suite *arbiter_suite(void);
Suite *batch_suite(void);
Suite *crc32c_suite(void);
Suite *engine_suite(void);
Suite *guard_suite(void);
Suite *judge_suite(void);
Suite *lane_suite(void);
Suite *limits_suite(void);
Suite *matcher_suite(void);
Suite *race_suite(void);
Suite *reader_suite(void);
Suite *request_suite(void);
Suite *stopflag_suite(void);
Suite *stops_suite(void);
Suite *stopword_suite(void);
Suite *stream_suite(void);
Suite *utf8_suite(void);
Suite *vocab_suite(void);
Suite *writer_suite(void);

int main(void) {
  static Suite *(*const suites[])(void) = {utf8_suite,     stops_suite, matcher_suite, request_suite, limits_suite,
                                           arbiter_suite,  guard_suite, crc32c_suite,  lane_suite,    reader_suite,
                                           writer_suite,   judge_suite, vocab_suite,   stream_suite,  stopword_suite,
                                           stopflag_suite, batch_suite, race_suite,    engine_suite};
  SRunner *runner = srunner_create(NULL);
  for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) srunner_add_suite(runner, suites[i]());
  srunner_run_all(runner, CK_ENV);
  /* A run that chose no test would else pass. */
  int wrong = srunner_ntests_failed(runner) > 0 || srunner_ntests_run(runner) == 0;
  srunner_free(runner);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
