/* reader_parts: what the files of the reader share. Not for others, but for es_reader_next_result.
 *
 * reader.c: lines · reader_members.c: members of objects, faults, unknown names · reader_values.c: texts, numbers, bytes ·
 * reader_case.c: a case · reader_request.c and reader_refusal.c: its request · reader_vocab.c: its vocabulary ·
 * reader_result.c: a result · reader_race.c and reader_race_result.c: a race order, and what an engine made of it. */
#ifndef ES_ORACLE_READER_PARTS_H
#define ES_ORACLE_READER_PARTS_H

#include "json.h"
#include "reader.h"
#include "repair.h"

#define ES_LARGEST_ID INT32_MAX
#define ES_LARGEST_SIZE ((int64_t)1 << 53) /* numbers that every reader of JSON holds exactly */

/* Elements of one type; the memory is kept from line to line. */
typedef struct {
  void *data;
  size_t count;
  size_t capacity;
} es_vector;

/* What cases and results point to. */
typedef enum {
  ES_VECTOR_HEX, /* decoded bytes; has room for all of the line, so that it is never moved within it */
  ES_VECTOR_TOKENS,
  ES_VECTOR_STEPS,
  ES_VECTOR_SINK,
  ES_VECTOR_STOP_TEXT,
  ES_VECTOR_STOPS,
  ES_VECTOR_STOP_IDS,
  ES_VECTOR_SEQUENCE_IDS,
  ES_VECTOR_SEQUENCES,
  ES_VECTOR_EOS_IDS,
  ES_VECTOR_DELTAS,
  ES_VECTOR_DELTA_STEPS,
  ES_VECTOR_STOP_REASON_IDS,
  ES_VECTOR_TOKEN_IDS,
  ES_VECTOR_RACE_EVENTS,
  ES_VECTOR_RACE_LANES,
  ES_VECTOR_RACE_NAMES,
  ES_VECTOR_RACE_REASONS,
  ES_VECTOR_RACE_ENDS,
  ES_VECTOR_RACE_COMMITTED,
  ES_VECTORS
} es_vector_name;

/* The names that an object may have. */
typedef struct {
  const char *path; /* what stands before an unknown name in a message: `request.`; NULL: any name may be there */
  struct {
    const char *text;
    size_t length;
  } names[20];
  size_t count;
} es_shape;
#define ES_NAME(name)                                                                                                  \
  { name, sizeof(name) - 1 }

/* Names in an object that ought not to be there. */
typedef struct {
  size_t doubled;     /* the place of the first name that occurs for the second time, also further within; or absent */
  size_t unknown;     /* the place of the first unknown name, or absent */
  bool unknown_given; /* an unknown name has a value other than null */
  uint32_t doubled_known; /* bit i: name i of the shape occurs twice */
} es_oddities;

/* Hash tables that are emptied by counting `generation` up. */
typedef struct {
  uint32_t generation;
  uint32_t id;
  size_t token; /* the first token with this id */
} es_id_slot;

typedef struct {
  uint32_t generation;
  size_t object; /* where on the tape the object is that has the name */
  size_t name;
} es_name_slot;

typedef struct {
  uint64_t hash;
  char *text;
} es_unknown_name;

/* Unknown names that are remembered, so that each is reported once a file; further ones go unreported. */
#define ES_UNKNOWN_NAMES 256

struct es_reader {
  es_reader_options options;
  es_bounds bounds; /* of the present line: those of the options, with its vocabulary */
  es_shelf *own_shelf;
  const es_vocab *vocab; /* of the present line, or NULL */
  FILE *file;
  int descriptor; /* -1: the file is none of the system's */
  char *data;     /* bytes [start, end) are read and not yet handed out */
  size_t start, end, capacity;
  bool ended;
  bool skipping; /* within a line that is too long */
  uint64_t line, bytes;
  size_t mark; /* bytes of a byte order mark before the line */

  es_json_parser *parser;
  es_json json;
  es_ills ills; /* of the present line */
  bool no_memory;
  es_bad_line *bad;

  uint32_t generation;
  es_id_slot *ids;
  size_t id_capacity, id_count;
  es_name_slot *names;
  size_t name_capacity, name_count;
  es_unknown_name unknown[ES_UNKNOWN_NAMES];
  size_t unknown_count, unknown_reported;

  es_vector vectors[ES_VECTORS];

  es_race race; /* of the present line, if it is one */
  es_race_result race_result;
};

/* Makes room for `more` elements; false, with no_memory set, when there is none. */
bool es_vector_reserve(es_reader *reader, es_vector_name name, size_t size, size_t more);

/* A new element at the end, or NULL. */
static inline void *es_vector_add(es_reader *reader, es_vector_name name, size_t size) {
  es_vector *vector = &reader->vectors[name];
  if (vector->count == vector->capacity && !es_vector_reserve(reader, name, size, 1)) return NULL;
  return (char *)vector->data + size * vector->count++;
}

/* Faults. All return false, so that a reader of a part may end with them. The member is named by the path of `place`;
 * es_reader_expected adds what was found there. */
bool es_reader_bad(es_reader *reader, size_t place, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool es_reader_expected(es_reader *reader, size_t place, const char *what);
bool es_reader_missing(es_reader *reader, size_t object, const char *name, const char *what);
bool es_reader_is_object(es_reader *reader, size_t place); /* or a fault */
/* Memory ran out: the whole reading ends. */
bool es_reader_no_memory(es_reader *reader);
/* Looks up the members of an object: found[i] is the place of the value of name i, absent where there is none.
 * es_reader_members makes oddities a bad line; es_reader_find hands them back. Unknown members are noted for
 * es_reader_unknown, and what is in them is searched for doubled names. */
bool es_reader_find(es_reader *reader, size_t object, const es_shape *shape, size_t *found, es_oddities *oddities);
bool es_reader_members(es_reader *reader, size_t object, const es_shape *shape, size_t *found);
/* A value that is not read: only doubled names make the line bad. */
bool es_reader_unread(es_reader *reader, size_t place);

/* Values outside `request` (reader_values.c); absent or null leaves `out` as it is. */
bool es_reader_text(es_reader *reader, size_t place, es_span *out);
bool es_reader_number(es_reader *reader, size_t place, int64_t least, int64_t most, uint64_t *out);
bool es_reader_hex(es_reader *reader, size_t place, es_span *out);
bool es_reader_is_list(es_reader *reader, size_t place);

/* The parts of a line. */
bool es_reader_case(es_reader *reader, size_t place, es_case *c, es_result *result, bool *has_result);
bool es_reader_request(es_reader *reader, size_t place, es_case *c);
bool es_reader_result(es_reader *reader, size_t place, es_result *result);
/* Whether the line is a race order: it has `events`. */
bool es_reader_is_race(const es_reader *reader, size_t place);
bool es_reader_race_order(es_reader *reader, size_t place);
/* What an engine made of the order that was read, into `race_result`. */
bool es_reader_race_result(es_reader *reader, size_t place);
/* Names that only `expect` and `result` of a race order have. */
bool es_reader_race_expect(es_reader *reader, size_t place);

/* The vocabulary of a line (reader_vocab.c). Sets it, from the path at `place` or from the options. */
bool es_reader_vocab(es_reader *reader, size_t place);
/* Completes a token from it: `given_special`: the line says whether the token is special. */
bool es_reader_token_bytes(es_reader *reader, size_t place, es_token *token, bool given_special);
/* The space that the vocabulary drops where the text begins, R[0] (R1); not where the line itself gives the bytes. */
void es_reader_drop_space(const es_reader *reader, const es_case *c);

/* The next line as a result alone, as an adapter writes it; ES_LINE_CASE says that there is one. */
es_line es_reader_next_result(es_reader *reader, es_result *result, es_bad_line *bad);

/* The request being read: the fault that comes first so far (R13). */
typedef struct {
  es_reader *reader;
  es_case *c;
  es_refusal first;
  bool refused;
} es_request_reading;

/* Notes a fault, which is reported if none comes before it. `name` is the member where ES_MEMBER_NONE stands for one that
 * nobody knows, otherwise absent; `message` says what was expected and found. */
void es_request_note(es_request_reading *q, es_refusal fault, size_t name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Looks for the faults that lie in the typed request, and notes the first. */
void es_request_note_typed(es_request_reading *q);

#endif
