/* endstop.h: which byte of a language model's output is the last one shown, why it ended, and when each may be shown.
 *
 * A stream is one running generation. You hand it the tokens that the model gave, step by step; it says what text may
 * be sent now and when the answer is over. It is the reference: the rules are numbered (R1 … R16, spec/rules.md), and
 * the comments below name them.
 *
 *     es_stream_request request = ES_STREAM_REQUEST;            what the client asked for
 *     es_stream_stop stops[] = {{"END", 3, 0}};
 *     request.stop = stops, request.stop_count = 1, request.max_tokens = 64;
 *
 *     size_t size = es_stream_size(&request);                   from any allocator
 *     void *memory = malloc(size);
 *     if (es_stream_open(&stream, memory, size, &request, &refusal) != ES_OK) …   refusal.param, refusal.message
 *
 *     while (!es_stream_ended(stream)) {
 *       for (each token that the forward pass brought) es_stream_token(stream, id, bytes, length, special);
 *       es_stream_step(stream, NULL);
 *       while ((length = es_stream_text(stream, &text)) > 0)
 *         if (es_stream_sent(stream, send(text, length)) …      see es_delivery
 *     }
 *     if (es_stream_terminal(stream, &end)) …                   finish_reason, tokens: the last thing said
 *     free(memory);
 *
 * Nothing here allocates, reads, writes, locks or keeps global state. Different streams may be used from different
 * threads at the same time; one stream is used by one thread at a time. Nothing aborts: misuse has a status.
 * All of a stream lies in the memory that it was opened in; that may be freed at any time, and moved never. */
#ifndef ENDSTOP_H
#define ENDSTOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ES_VERSION "0.3.0"

#if defined __GNUC__
#define ES_API __attribute__((visibility("default")))
#else
#define ES_API
#endif

/* What a call says. */
#ifndef ES_STATUS_H
#define ES_STATUS_H
typedef enum {
  ES_OK = 0,
  ES_ENDED, /* the answer had ended: nothing changed */
  ES_FULL,  /* memory of the caller's is too small for this: nothing changed but what that memory holds */
  ES_MISUSE /* an argument or a call out of order that a caller must not make: nothing changed */
} es_status;
#endif

/* ---- What the client asked for -------------------------------------------------------------------------------- */

/* No limit of this kind. */
#define ES_STREAM_NONE UINT32_MAX

/* A stop string: UTF-8, not ended by a zero. Of stops that are complete at one place the higher priority wins
 * (−128 … 127), then the longest, then the first in the list (R3). */
typedef struct {
  const char *text;
  size_t length;
  int priority;
} es_stream_stop;

typedef struct {
  const uint32_t *ids;
  size_t count;
} es_stream_ids;

/* When what may be shown is sent (R11). */
typedef enum {
  ES_STREAM_EACH_STEPS,  /* every n steps */
  ES_STREAM_EACH_BYTES,  /* when n bytes are waiting */
  ES_STREAM_EACH_TOKENS, /* n tokens after text was last sent */
  ES_STREAM_EACH_MS      /* when the oldest byte has waited for n milliseconds */
} es_stream_flush;

/* How much a client may ask for (R13). Whatever is set, no stop has more than 65,535 bytes or ids, no list more than
 * 32,767 of them. */
typedef struct {
  uint32_t stops;          /* 64 stop strings */
  uint32_t stop_bytes;     /* of 1,024 bytes each */
  uint32_t all_stop_bytes; /* and 16,384 in all */
  uint32_t sequences;      /* 64 stop sequences */
  uint32_t sequence_ids;   /* of 16 ids each */
  uint32_t ids;            /* 256 ids in any other list */
  uint32_t repetition_ids; /* 4,096: period × repeats */
  uint32_t vocabulary;     /* ids in the vocabulary: an id that is not below it is refused; ES_STREAM_NONE: not known */
} es_stream_bounds;

extern ES_API const es_stream_bounds es_stream_default_bounds;

/* The names are those of the OpenAI and vLLM APIs. Start with ES_STREAM_REQUEST: no stops, no limits. */
typedef struct {
  const es_stream_stop *stop;
  size_t stop_count;
  es_stream_ids stop_token_ids;
  const es_stream_ids *stop_token_sequences; /* of two ids or more; one id is a stop token */
  size_t stop_token_sequence_count;
  es_stream_ids eos_token_ids;
  bool ignore_eos;
  bool include_stop_str_in_output;
  bool skip_special_tokens; /* true: special tokens have no text */
  uint32_t min_tokens;
  uint32_t max_tokens;     /* or ES_STREAM_NONE */
  uint32_t max_context;    /* tokens of prompt and answer together, or ES_STREAM_NONE */
  uint32_t prompt_tokens;  /* counts towards max_context only */
  uint32_t deadline_steps; /* or ES_STREAM_NONE */
  uint32_t max_period;     /* repetition: the last max_period × min_repeats ids at most are compared; 0: none */
  uint32_t min_repeats;
  es_stream_flush flush;
  uint32_t flush_n; /* at least 1 */
  uint32_t window;  /* bytes that may wait in the stream besides those held back, to 2^30: see es_stream_token */
  const es_stream_bounds *bounds; /* NULL: es_stream_default_bounds */
} es_stream_request;

/* By position, as C++ before C++20 knows no other way. */
#define ES_STREAM_REQUEST                                                                                              \
  {                                                                                                                    \
    NULL, 0, {NULL, 0}, NULL, 0, {NULL, 0}, false, false, true, 0, ES_STREAM_NONE, ES_STREAM_NONE, 0, ES_STREAM_NONE,  \
        0, 0, ES_STREAM_EACH_STEPS, 1, 4096, NULL                                                                      \
  }

/* Why a request may not be asked (R13): tell the client both. */
typedef struct {
  char param[80];    /* the member at fault: `stop[1]` */
  char message[200]; /* a sentence for a person */
} es_stream_refusal;

/* ---- One stream ----------------------------------------------------------------------------------------------- */

typedef struct es_stream es_stream;

/* The bytes that a stream for this request needs; bounded by window and bounds, whatever the client sent. */
ES_API size_t es_stream_size(const es_stream_request *request);

/* Opens a stream in `memory`, of `size` bytes and aligned like malloc's. Request and bounds are copied and may go.
 * ES_MISUSE with `refusal->param` not empty: the request is at fault, whatever the memory. With it empty: a pointer is
 * missing or the memory not aligned; ES_FULL: it is too small. `refusal->message` tells each, and is empty after ES_OK.
 * A limit that leaves no room for a token ends the stream here (R7). `refusal` may be NULL. */
ES_API es_status es_stream_open(es_stream **stream, void *memory, size_t size, const es_stream_request *request,
                                es_stream_refusal *refusal);

/* For callers that have bytes and no ids; not where the request speaks of ids, or of repetition: ES_MISUSE. */
#define ES_NO_ID UINT32_MAX

/* Takes one token of the current step, with the bytes that the vocabulary gives it (not text: half a character is fine).
 * ES_ENDED: the answer ended with a token before, and this one is no part of it (R8): drop it, do not count it.
 * ES_FULL: more text waits than the window holds; nothing is taken. Make the step's end: all that may be shown is due
 * then, whatever the flush policy. Send it and hand the token in again. Where nothing is due, or none of it can be sent,
 * the token fits only once the client takes text, or never: abort. That end counts as a step's (deadline_steps, flush by
 * steps). A window of what the flush policy gathers and one
 * step's bytes together is never full, but where stop sequences hold text back or the client is slow. */
ES_API es_status es_stream_token(es_stream *stream, uint32_t id, const void *bytes, size_t length, bool special);

/* What else happened by the end of a step (R9, R16). */
typedef struct {
  bool abort;    /* the client or an operator cancelled */
  bool external; /* a grammar, a tool-call parser or a filter ends the answer … */
  uint64_t cut;  /* … after this many bytes of the tokens' text so far; what could be shown before stays shown … */
  const char *reason; /* … with this finish_reason, not empty; must outlive the stream */
  uint64_t now;       /* milliseconds from any beginning, for ES_STREAM_EACH_MS */
} es_stream_event;

/* The boundary after the tokens of a step: the answer goes on or ends here, and text may become due. `event` may be
 * NULL: nothing happened, and the time is the one told last. A call before the first token is the boundary before it,
 * where a request that was cancelled while it waited ends without a token; leave it out where there is nothing to tell
 * and the first step brings a token; where that may be empty, make it.
 * ES_ENDED: it was over before. ES_MISUSE: an external end has no reason. */
ES_API es_status es_stream_step(es_stream *stream, const es_stream_event *event);

/* Whether the answer is over: take no more tokens, send what is left, say the terminal. */
ES_API bool es_stream_ended(const es_stream *stream);

/* The text to send now: UTF-8, complete by itself, not ended by a zero, valid until the next call. 0: none. */
ES_API size_t es_stream_text(es_stream *stream, const char **text);

/* What became of it. Later: nothing is lost, it comes again with the next step's text, or at once when the answer is
 * over. Gone: the client is; the stream ends, and there will be no terminal (R12). Text of which nothing was said before
 * the next es_stream_step counts as not sent, and comes again. ES_MISUSE: there was no text. */
typedef enum { ES_SENT, ES_SEND_LATER, ES_CLIENT_GONE } es_delivery;
ES_API es_status es_stream_sent(es_stream *stream, es_delivery delivery);

/* The last thing said of an answer (R15). */
typedef struct {
  const char *finish_reason; /* "stop", "length", "abort", "timeout", "repetition", or an external reason */
  const char *cause;         /* "stop_string", "stop_token", "stop_sequence", "eos", "max_tokens", "max_context",
                                "repetition", "abort", "deadline", "external" */
  uint32_t stop_index;       /* of "stop_string" and "stop_sequence": which of the request's; else ES_STREAM_NONE */
  uint32_t stop_id;          /* of "stop_token" and "eos": the id; else ES_STREAM_NONE */
  uint32_t tokens;           /* taken, the ending one included */
  uint64_t bytes;            /* of all text sent, and their checksum: */
  uint32_t crc32c;
} es_stream_end;

/* True once: when the answer is over and all its text is sent. */
ES_API bool es_stream_terminal(es_stream *stream, es_stream_end *end);

/* Tokens taken so far. */
ES_API uint32_t es_stream_tokens(const es_stream *stream);

/* The ES_VERSION of the library that runs. */
ES_API const char *es_version(void);

#ifdef __cplusplus
}
#endif

#endif
