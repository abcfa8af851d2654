/* parse: reads cases as `endstop run` does and does nothing with them: what reading alone costs. */
#include <inttypes.h>
#include <stdio.h>

#include "reader.h"

int main(void) {
  es_reader *reader = es_reader_new(stdin, (es_reader_options){.strict = false});
  if (!reader) return 2;
  es_case c;
  es_result result;
  es_bad_line bad;
  bool has_result;
  uint64_t cases = 0;
  uint64_t tokens = 0;
  es_line line;
  while ((line = es_reader_next(reader, &c, &result, &has_result, &bad)) == ES_LINE_CASE) {
    cases++;
    tokens += c.token_count;
  }
  es_reader_free(reader);
  printf("%" PRIu64 " %" PRIu64 "\n", cases, tokens);
  return line == ES_LINE_END ? 0 : 2;
}
