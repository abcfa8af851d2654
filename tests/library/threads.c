/* threads: four threads with streams of their own, to be run under a thread sanitizer; `shared`: all with one, which it
 * must find. */
#include <endstop.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define ROUNDS 200

static _Alignas(8) unsigned char memory[THREADS][1 << 16];
static es_stream *shared;
static const es_stream_stop stops[] = {{"END", 3, 0}, {"ND.", 3, 1}};

static es_stream *open_in(unsigned char *block) {
  es_stream *stream = NULL;
  es_stream_refusal refusal;
  es_stream_request request = ES_STREAM_REQUEST;
  request.stop = stops, request.stop_count = 2;
  if (es_stream_open(&stream, block, sizeof memory[0], &request, &refusal) != ES_OK) exit(2);
  return stream;
}

/* Whether the answer is right: 60 bytes and the end. */
static bool play(es_stream *stream, const char *letters) {
  const char *text;
  for (int i = 0; !es_stream_ended(stream) && i < 100; i++) {
    const char *bytes = i < 20 ? letters : i == 20 ? "E" : "ND";
    es_stream_token(stream, 1, bytes, strlen(bytes), false);
    es_stream_step(stream, NULL);
    while (es_stream_text(stream, &text) > 0) es_stream_sent(stream, ES_SENT);
  }
  es_stream_end end;
  return es_stream_terminal(stream, &end) && end.bytes == 20 * strlen(letters) && end.stop_index == 0;
}

static void *run(void *block) {
  for (int round = 0; round < ROUNDS; round++)
    if (!play(shared ? shared : open_in(block), "abc")) return block;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  bool wrong = false;
  if (argc > 1 && strcmp(argv[1], "shared") == 0) shared = open_in(memory[0]);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(threads + i, NULL, run, memory[i]) != 0) return 2;
  for (int i = 0; i < THREADS; i++) {
    void *failed = NULL;
    pthread_join(threads[i], &failed);
    wrong = wrong || failed;
  }
  printf("%d threads, %d streams each: %s\n", THREADS, ROUNDS, wrong ? "wrong" : "right");
  return wrong;
}
