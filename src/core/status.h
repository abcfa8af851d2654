/* status: what a call into the core says (no call aborts). */
#ifndef ES_STATUS_H
#define ES_STATUS_H

typedef enum {
  ES_OK = 0,
  ES_ENDED, /* the lane had ended: nothing changed */
  ES_FULL,  /* memory of the caller's is too small for this: nothing changed but what that memory holds */
  ES_MISUSE /* an argument or a call out of order that a caller must not make: nothing changed */
} es_status;

#endif
