// The only C++ of the oracle: simdjson's fully validating parser behind the interface of json.h.
//
// simdjson keeps its buffers from line to line. They grow by doubling, so that lines which get longer bit by bit do not
// have them made anew each time.
extern "C" {
#include "json.h"
}

#include <new>

#include <simdjson.h>

static_assert(simdjson::SIMDJSON_PADDING <= ES_JSON_PADDING, "lines need more room after them");

// simdjson makes the list of its implementations when it is first used, in functions that may not throw: a process whose
// memory runs out there would be ended. So it is made at the start.
[[maybe_unused]] static const auto chosen = simdjson::get_active_implementation() -> name();

struct es_json_parser {
  simdjson::dom::parser parser;
  size_t capacity = 0;
};

extern "C" es_json_parser *es_json_parser_new(void) {
  return new (std::nothrow) es_json_parser;
}

extern "C" void es_json_parser_free(es_json_parser *parser) {
  delete parser;
}

static bool reserve(es_json_parser *parser, size_t length) {
  size_t capacity = parser->capacity > 4096 ? parser->capacity : 4096;
  while (capacity < length) capacity *= 2;
  if (capacity == parser->capacity) return true;
  parser->capacity = 0;
  if (parser->parser.allocate(capacity, ES_JSON_DEPTH) || parser->parser.doc.allocate(capacity)) return false;
  parser->capacity = capacity;
  return true;
}

extern "C" es_json_outcome es_json_read(es_json_parser *parser, const char *text, size_t length, es_json *json) {
  if (!reserve(parser, length)) return ES_JSON_NO_MEMORY;
  simdjson::error_code fault = parser->parser.parse(text, length, false).error();
  if (fault) return fault == simdjson::MEMALLOC ? ES_JSON_NO_MEMORY : ES_JSON_REFUSED;
  json->tape = parser->parser.doc.tape.get();
  json->texts = parser->parser.doc.string_buf.get();
  return ES_JSON_READ;
}
