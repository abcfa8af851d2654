/* engine_mailbox: a lane's text from the engine to one client, each at its own pace.
 *
 * A ring with one writer and one reader that never wait for each other. A client that reads slowly makes it full: what
 * comes then is put off (R11). Two places are kept free for the end, for the last text and the terminal, so that no
 * client can hold a slot. The text itself stays in the lane's record. */
#ifndef ES_ORACLE_ENGINE_MAILBOX_H
#define ES_ORACLE_ENGINE_MAILBOX_H

#include "engine.h"

#define ES_MAILBOX 4

typedef enum { ES_LETTER_NONE, ES_LETTER_TEXT, ES_LETTER_END } es_letter;

typedef struct {
  es_span letters[ES_MAILBOX]; /* data NULL: the end */
  es_terminal terminal;
  _Atomic(uint32_t) written; /* letters so far; by the engine */
  _Atomic(uint32_t) read;    /* by the client */
  _Atomic(bool) closed;      /* by the client */
} es_mailbox;

void es_mailbox_open(es_mailbox *box);
es_engine_sink es_mailbox_sink(es_mailbox *box);

/* The client's next letter; after ES_LETTER_END there is none, and box->terminal is what the lane ended with.
 * The record is the engine's until es_engine_over or es_engine_await says that the lane is over. */
es_letter es_mailbox_receive(es_mailbox *box, es_span *text);

/* The client goes. The engine learns of it with its next offer; to end the lane at the next boundary, cancel it too. */
void es_mailbox_close(es_mailbox *box);

#endif
