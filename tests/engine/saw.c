/* saw: reads a record as others do. Apart from the logs, so that a race detector may watch it and not them. */
#include "crc32c.h"
#include "history.h"

saw saw_record(uint32_t lane, const es_engine_left *left) {
  saw s = {.lane = lane, .tokens = left->tokens, .bytes = left->text.length, .ends = left->has_terminal};
  for (uint32_t i = 0; i < left->tokens; i++) {
    uint32_t id = left->token_ids[i];
    uint8_t bytes[] = {(uint8_t)id, (uint8_t)(id >> 8), (uint8_t)(id >> 16), (uint8_t)(id >> 24)};
    s.ids_crc = es_crc32c(s.ids_crc, bytes, sizeof bytes);
  }
  s.crc = es_crc32c(0, (const uint8_t *)left->text.data, (uint32_t)left->text.length);
  return s;
}
