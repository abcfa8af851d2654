/* stream: every call of endstop.h, in any order, for ever, with any bytes, ids, events and answers.
 *
 * For Eva, which follows all runs at once; nothing here is run. A volatile is a value that nobody knows. The shapes of
 * requests are given, since they say where all lies in the stream's block; what is in them is unknown. */
#include <stdlib.h>

#include "endstop.h"
#include "refusal.h"

static volatile uint32_t some_number;
#define SOME (some_number != 0)
static volatile char some_char;
static volatile int some_int;
static volatile uint64_t some_time;
static volatile size_t some_size;

#define TEXT 8 /* bytes of a token */

static uint32_t some_up_to(uint32_t most) {
  uint32_t n = some_number;
  return n < most ? n : most;
}

/* One call, whichever. */
static void call(es_stream *stream) {
  char bytes[TEXT];
  const char *text;
  es_stream_event event = {SOME, SOME, some_time, "filter", some_time};
  es_stream_end end;
  size_t length;
  switch (some_int) {
  case 0:
    length = some_up_to(TEXT);
    for (size_t i = 0; i < TEXT; i++) bytes[i] = some_char;
    es_stream_token(stream, some_number, bytes, length, SOME);
    break;
  case 1:
    es_stream_token(stream, some_number, NULL, some_size, SOME);
    break;
  case 2:
    if (SOME) event.reason = SOME ? "" : NULL;
    es_stream_step(stream, &event);
    break;
  case 3:
    es_stream_step(stream, NULL);
    break;
  case 4:
    es_stream_text(stream, NULL);
    length = es_stream_text(stream, &text);
    for (size_t i = 0; i < length; i++) bytes[0] = text[i];
    break;
  case 5:
    es_stream_sent(stream, (es_delivery)some_number);
    break;
  case 6:
    es_stream_terminal(stream, NULL);
    if (es_stream_terminal(stream, &end) && end.cause[0] == 0) some_int = 1;
    break;
  default:
    if (!es_stream_ended(stream)) es_stream_tokens(stream);
  }
}

static void use(es_stream *stream) {
  while (SOME) call(stream);
}

/* Opens a stream in as many bytes as it says that it needs, and uses it. */
static void live(const es_stream_request *request) {
  es_stream *stream;
  es_stream_refusal refusal;
  size_t size = es_stream_size(request);
  void *memory = malloc(size);
  if (es_stream_open(&stream, memory, size, request, &refusal) == ES_OK) {
    use(stream);
  } else {
    if (refusal.param[0] == '\0' && refusal.message[0] == '\0') some_int = 1;
  }
  free(memory);
}

static es_stream_request some_request(void) {
  es_stream_request request = ES_STREAM_REQUEST;
  request.ignore_eos = SOME;
  request.include_stop_str_in_output = SOME;
  request.skip_special_tokens = SOME;
  request.min_tokens = some_number;
  request.max_tokens = some_number;
  request.max_context = some_number;
  request.prompt_tokens = some_number;
  request.deadline_steps = some_number;
  request.flush = (es_stream_flush)some_number;
  request.flush_n = some_number;
  request.window = 16;
  return request;
}

/* Nothing asked for, and the bounds that stand when none are given. */
void plain(void) {
  es_stream_request request = some_request();
  live(&request);
}

/* Two stop strings, of which perhaps one is live. */
void strings(void) {
  char first[3], second[2];
  for (size_t i = 0; i < sizeof first; i++) first[i] = some_char;
  for (size_t i = 0; i < sizeof second; i++) second[i] = some_char;
  es_stream_stop stops[] = {{first, sizeof first, some_int}, {second, sizeof second, some_int}};
  es_stream_request request = some_request();
  request.stop = stops;
  request.stop_count = 2;
  live(&request);
}

/* Ids of every kind, and repetition. */
void ids(void) {
  uint32_t first[3], second[1], stop[2], eos[2];
  for (size_t i = 0; i < 3; i++) first[i] = some_number;
  for (size_t i = 0; i < 2; i++) stop[i] = eos[i] = some_number;
  second[0] = some_number;
  es_stream_ids sequences[] = {{first, 3}, {second, 1}};
  es_stream_request request = some_request();
  request.stop_token_ids = (es_stream_ids){stop, 2};
  request.eos_token_ids = (es_stream_ids){eos, 2};
  request.stop_token_sequences = sequences;
  request.stop_token_sequence_count = 2;
  request.max_period = 3;
  request.min_repeats = some_number;
  live(&request);
}

/* Whatever a client may ask for, with bounds that allow no more than the lists here have; one list may be missing.
 * The memory will not do, so that nothing is opened. */
typedef enum { NOTHING, STOPS, TEXTS, STOP_IDS, SEQUENCES, SEQUENCE_IDS, EOS_IDS, MISSING } list;

static void asked(list missing) {
  uint64_t memory[16];
  char text[3];
  uint32_t ids[3];
  for (size_t i = 0; i < 3; i++) {
    text[i] = some_char;
    ids[i] = some_number;
  }
  es_stream_stop stops[2];
  es_stream_ids sequences[2];
  for (size_t i = 0; i < 2; i++) {
    stops[i] = (es_stream_stop){missing == TEXTS ? NULL : text, some_size, some_int};
    sequences[i] = (es_stream_ids){missing == SEQUENCE_IDS ? NULL : ids, some_size};
  }
  es_stream_bounds bounds = {missing == TEXTS ? 2 : some_up_to(2),
                             some_up_to(3),
                             some_number,
                             missing == SEQUENCE_IDS ? 2 : some_up_to(2),
                             some_up_to(3),
                             some_up_to(3),
                             some_number,
                             some_number};
  es_stream_request request = some_request();
  request.stop = missing == STOPS ? NULL : stops;
  request.stop_count = missing == TEXTS ? 2 : some_size;
  request.stop_token_ids = (es_stream_ids){missing == STOP_IDS ? NULL : ids, some_size};
  request.stop_token_sequences = missing == SEQUENCES ? NULL : sequences;
  request.stop_token_sequence_count = missing == SEQUENCE_IDS ? 2 : some_size;
  request.eos_token_ids = (es_stream_ids){missing == EOS_IDS ? NULL : ids, some_size};
  request.max_period = some_number;
  request.min_repeats = some_number;
  request.window = some_number;
  request.bounds = &bounds;
  es_stream_size(&request);
  es_stream *stream;
  es_stream_refusal refusal;
  es_stream_open(&stream, SOME ? memory : NULL, sizeof memory, &request, SOME ? &refusal : NULL);
}

/* What is said of a request of the core's, with all of it in one place. */
void refused(void) {
  uint8_t text[4];
  uint32_t ids[3];
  for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)some_up_to(255);
  for (size_t i = 0; i < 3; i++) ids[i] = some_number;
  es_stop stops[] = {{0, 3, some_int}, {3, 1, some_int}, {1, 2, some_int}};
  es_sequence sequences[] = {{0, 2}, {2, 1}, {1, 1}};
  es_request request = {.text = text, .stops = stops, .stop_count = 3, .stop_ids = ids, .stop_id_count = 3};
  request.sequence_ids = ids;
  request.sequences = sequences;
  request.sequence_count = 3;
  request.eos_ids = ids;
  request.eos_id_count = 3;
  request.min_tokens = some_number;
  request.max_tokens = some_number;
  request.max_context = some_number;
  request.deadline_steps = some_number;
  request.max_period = some_number;
  request.min_repeats = some_number;
  request.flush.kind = (es_flush_kind)some_up_to(ES_FLUSH_MS);
  request.flush.n = some_number;
  es_bounds bounds = {some_number, some_number, some_number, some_number,
                      some_number, some_number, some_number, some_number};
  es_refusal at = es_request_check(&request, &bounds);
  es_refusal_facts facts = es_refusal_look(at, &request, &bounds);
  char param[80], sentence[100];
  es_refusal_param(at, facts.flush, param, sizeof param);
  es_refusal_sentence(at, facts, &bounds, sentence, sizeof sentence);
}

/* No stream. */
static void nothing(void) {
  es_stream_end end;
  const char *text;
  es_stream_token(NULL, some_number, "a", 1, SOME);
  es_stream_step(NULL, NULL);
  es_stream_text(NULL, &text);
  es_stream_sent(NULL, ES_SENT);
  es_stream_terminal(NULL, &end);
  es_stream_ended(NULL);
  es_stream_tokens(NULL);
  es_stream_size(NULL);
  es_stream_open(NULL, NULL, some_size, NULL, NULL);
  es_version();
}

void asked_all(void) {
  asked(NOTHING);
}

void asked_texts(void) {
  asked(TEXTS);
}

int main(void) {
  plain();
  strings();
  ids();
  for (int missing = NOTHING; missing < MISSING; missing++) asked((list)missing);
  refused();
  nothing();
  return 0;
}
