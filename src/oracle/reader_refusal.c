/* Refusals: which of several faults of a request is reported, and in which words (R13). */
#include <stdarg.h>

#include "reader_parts.h"
#include "refusal.h"

void es_request_note(es_request_reading *q, es_refusal fault, size_t name, const char *format, ...) {
  es_case *c = q->c;
  if (q->refused && !es_refusal_before(fault, q->first)) return;
  q->refused = true;
  q->first = fault;
  if (name)
    es_json_copy(c->refusal_param, sizeof c->refusal_param, es_json_text_at(&q->reader->json, name));
  else
    es_refusal_param(fault, c->request.flush.kind, c->refusal_param, sizeof c->refusal_param);
  char message[400];
  size_t length = (size_t)snprintf(message, sizeof message, "%s: ", c->refusal_param);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message + length, sizeof message - length, format, arguments);
  va_end(arguments);
  es_json_copy(c->refusal_message, sizeof c->refusal_message, es_span_of(message));
}

void es_request_note_typed(es_request_reading *q) {
  const es_request *request = &q->c->request;
  const es_bounds *bounds = &q->reader->bounds;
  es_refusal at = es_request_check(request, bounds);
  if (at.fault == ES_FAULT_NONE) return;
  char sentence[200];
  es_refusal_sentence(at, es_refusal_look(at, request, bounds), bounds, sentence, sizeof sentence);
  es_request_note(q, at, 0, "%s", sentence);
}
