/* shelf: the vocabularies that lines name, each read once. */
#ifndef ES_VOCAB_SHELF_H
#define ES_VOCAB_SHELF_H

#include "vocab.h"

typedef struct es_shelf es_shelf;

/* NULL when memory ran out. */
es_shelf *es_shelf_new(void);
void es_shelf_free(es_shelf *shelf);

/* The vocabulary at `path`, which is taken from `folder` unless it is absolute (NULL: from the working folder). It is
 * valid until the next call. NULL: it cannot be read; *why is a sentence that says where and why, valid as long. A few
 * vocabularies stay on the shelf; one that was not asked for in a while makes room. */
const es_vocab *es_shelf_find(es_shelf *shelf, const char *folder, es_span path, const char **why);

#endif
