/* server_loop: how a server embeds endstop. Serves four requests from a model that always says the same.
 *
 *     cc server_loop.c $(pkg-config --cflags --libs endstop) && ./a.out */
#include <endstop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tokens as the vocabulary has them: half a character, a stop over two tokens, and more than anyone asked for. */
static const char *const model[] = {"Hel", "lo \xf0\x9f", "\x98\x8a", " wor", "ld E", "ND of", " it"};
#define TOKENS (sizeof model / sizeof *model)

typedef struct {
  bool slow; /* its socket is full every other time */
  size_t tries;
  size_t cancels_at_step; /* 0: never */
} client;

static es_delivery deliver(client *to, const char *text, size_t length) {
  if (to->slow && to->tries++ % 2 == 0) return ES_SEND_LATER;
  return printf("data: {\"text\":\"%.*s\"}\n", (int)length, text) < 0 ? ES_CLIENT_GONE : ES_SENT;
}

/* Sends what is due; false: nothing went. After the end a slow client is asked until it takes the rest. */
static bool send_due(es_stream *stream, client *to) {
  bool went = false;
  const char *text;
  for (size_t length; (length = es_stream_text(stream, &text)) > 0;) {
    es_delivery delivery = deliver(to, text, length);
    es_stream_sent(stream, delivery);
    went = went || delivery == ES_SENT;
  }
  return went;
}

static int serve(const es_stream_request *request, client *to) {
  es_stream *stream;
  es_stream_refusal refusal;
  size_t size = es_stream_size(request);
  void *memory = malloc(size);
  if (!memory || es_stream_open(&stream, memory, size, request, &refusal) != ES_OK) {
    printf("400 %s\n\n", memory ? refusal.message : "out of memory");
    free(memory);
    return memory && refusal.param[0] ? 0 : 1;
  }
  for (size_t step = 1, next = 0; !es_stream_ended(stream); step++) {
    es_stream_event event = {step == to->cancels_at_step, false, 0, NULL, 0};
    for (int i = 0; i < 2; i++, next++) { /* a forward pass brings two tokens */
      const char *bytes = model[next % TOKENS];
      while (es_stream_token(stream, (uint32_t)(next % TOKENS), bytes, strlen(bytes), false) == ES_FULL &&
             !event.abort) {
        es_stream_step(stream, NULL);
        event.abort = !send_due(stream, to); /* or wait for the client */
      }
    }
    es_stream_step(stream, &event);
    send_due(stream, to);
  }
  es_stream_end end;
  if (es_stream_terminal(stream, &end))
    printf("data: {\"finish_reason\":\"%s\",\"cause\":\"%s\",\"tokens\":%u,\"bytes\":%llu,\"crc32c\":\"%08x\"}\n\n",
           end.finish_reason, end.cause, (unsigned)end.tokens, (unsigned long long)end.bytes, (unsigned)end.crc32c);
  free(memory);
  return 0;
}

int main(void) {
  const es_stream_stop stops[] = {{"END", 3, 0}, {"", 0, 0}};
  es_stream_request request = ES_STREAM_REQUEST;
  client fast = {false, 0, 0}, slow = {true, 0, 0}, cancels = {false, 0, 2};
  request.stop = stops, request.stop_count = 1, request.max_tokens = 64;
  int wrong = serve(&request, &fast) | serve(&request, &slow) | serve(&request, &cancels);
  request.stop_count = 2; /* a request that may not be asked */
  return wrong | serve(&request, &fast);
}
