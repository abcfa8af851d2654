/* lane: any well-formed case through the reference and through the slow model (R1 to R16): the same answer. */
#include "answers.h"

const char fuzz_name[] = "lane";

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  fuzz_answers *with = memory;
  fuzz_case_read(&with->made, in);
  return fuzz_compare(with, pass);
}
