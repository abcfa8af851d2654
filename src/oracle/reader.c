/* Lines: from the file to the parser, and from what the parser says to a case, a result or a bad line. */
#include "reader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader_parts.h"

#ifdef ES_FUZZ_CHUNK /* lines that lie in two reads, and a reader that is cheap to make */
#define CHUNK ((size_t)ES_FUZZ_CHUNK)
#else
#define CHUNK ((size_t)1 << 18)
#endif
#define LONGEST_LINE ((size_t)1 << 30)
#define MEBIBYTE ((size_t)1 << 20)

es_reader *es_reader_new(FILE *file, es_reader_options options) {
  es_reader *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->file = file;
  r->descriptor = fileno(file);
  r->options = options;
  if (r->options.longest_line == 0) r->options.longest_line = LONGEST_LINE;
  r->bounds = options.bounds ? *options.bounds : es_default_bounds;
  r->parser = es_json_parser_new();
  if (r->parser) return r;
  es_reader_free(r);
  return NULL;
}

void es_reader_free(es_reader *r) {
  if (!r) return;
  for (size_t i = 0; i < ES_VECTORS; i++) free(r->vectors[i].data);
  for (size_t i = 0; i < r->unknown_count; i++) free(r->unknown[i].text);
  es_json_parser_free(r->parser);
  es_shelf_free(r->own_shelf);
  free(r->ills.ills);
  free(r->ids);
  free(r->names);
  free(r->data);
  free(r);
}

/* Reads what is there, and waits only if nothing is: the next line may depend on the answer to the last one, so the
 * descriptor is read, not the stream, which would wait for a full buffer. */
static bool fill(es_reader *r) {
  if (r->start > 0) {
    memmove(r->data, r->data + r->start, r->end - r->start);
    r->end -= r->start;
    r->start = 0;
  }
  if (r->capacity < r->end + CHUNK + ES_JSON_PADDING) {
    size_t capacity = 2 * (r->end + CHUNK) + ES_JSON_PADDING;
    char *data = realloc(r->data, capacity);
    if (!data) return es_reader_no_memory(r);
    r->data = data;
    r->capacity = capacity;
  }
  size_t room = r->capacity - ES_JSON_PADDING - r->end;
  if (r->descriptor < 0) {
    size_t got = fread(r->data + r->end, 1, room, r->file);
    if (got == 0 && ferror(r->file)) return false;
    r->ended = got == 0;
    r->end += got;
  } else {
    ssize_t got;
    while ((got = read(r->descriptor, r->data + r->end, room)) < 0) {
      struct pollfd ready = {.fd = r->descriptor, .events = POLLIN};
      if (errno == EAGAIN)
        poll(&ready, 1, -1);
      else if (errno != EINTR)
        return false;
    }
    r->ended = got == 0;
    r->end += (size_t)got;
  }
  memset(r->data + r->end, 0, ES_JSON_PADDING);
  return true;
}

typedef enum { LINE, LINE_TOO_LONG, LINE_END, LINE_ERROR } line_outcome;

/* The next line, without its newline. The byte after it is readable and no digit. */
static line_outcome next_line(es_reader *r, char **line, size_t *length) {
  size_t searched = 0; /* bytes from `start` on that have no newline */
  for (;;) {
    size_t have = r->end - r->start;
    char *newline = have > searched ? memchr(r->data + r->start + searched, '\n', have - searched) : NULL;
    if (newline || (r->ended && (have > 0 || r->skipping))) {
      *line = r->data + r->start;
      *length = newline ? (size_t)(newline - *line) : have;
      size_t taken = *length + (newline != NULL);
      r->start += taken;
      r->bytes += taken;
      r->line++;
      bool too_long = r->skipping || *length > r->options.longest_line;
      r->skipping = false;
      return too_long ? LINE_TOO_LONG : LINE;
    }
    if (r->ended) return LINE_END;
    searched = have;
    if (have > r->options.longest_line) r->skipping = true;
    if (r->skipping) {
      r->bytes += have;
      r->start = r->end;
      searched = 0;
    }
    if (!fill(r)) return LINE_ERROR;
  }
}

static bool blank(const char *line, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') return false;
  return true;
}

static bool bad_column(es_reader *r, size_t offset, const char *message) {
  r->bad->column = r->mark + offset + 1;
  snprintf(r->bad->message, sizeof r->bad->message, "%s", message);
  return false;
}

/* The line as a tape. What only the parser refuses is repaired and noted in `ills`. */
static bool parse(es_reader *r, char *line, size_t length) {
  es_syntax_fault fault;
  r->ills.count = 0;
  switch (es_json_read(r->parser, line, length, &r->json)) {
  case ES_JSON_READ:
    return true;
  case ES_JSON_NO_MEMORY:
    return es_reader_no_memory(r);
  default:
    break;
  }
  switch (es_json_repair(line, length, &r->ills, &fault)) {
  case ES_REPAIR_NO_MEMORY:
    return es_reader_no_memory(r);
  case ES_REPAIR_SYNTAX:
    return bad_column(r, fault.offset, fault.message);
  case ES_REPAIR_DONE:
    break;
  }
  if (es_json_read(r->parser, line, length, &r->json) == ES_JSON_READ) return true;
  return bad_column(r, 0, "expected JSON that can be read");
}

/* Empties what the last line left behind. */
static bool begin(es_reader *r, size_t length) {
  for (size_t i = 0; i < ES_VECTORS; i++) r->vectors[i].count = 0;
  r->id_count = r->name_count = 0;
  if (++r->generation == 0) { /* all four billion are used up */
    if (r->ids) memset(r->ids, 0, r->id_capacity * sizeof *r->ids);
    if (r->names) memset(r->names, 0, r->name_capacity * sizeof *r->names);
    r->generation = 1;
  }
  return es_vector_reserve(r, ES_VECTOR_HEX, 1, length);
}

/* What a part that was read, or was not, makes of the line. */
static es_line outcome(es_reader *r, bool read) {
  if (r->no_memory) {
    snprintf(r->bad->message, sizeof r->bad->message, "out of memory");
    return ES_LINE_ERROR;
  }
  return read ? ES_LINE_CASE : ES_LINE_BAD;
}

/* Brings the next line onto the tape. ES_LINE_CASE: it is there, and `bad` is ready for its faults. */
static es_line next_tape(es_reader *r, es_bad_line *bad) {
  char *line;
  size_t length;
  r->bad = bad;
  for (;;) {
    *bad = (es_bad_line){0};
    errno = 0;
    line_outcome found = next_line(r, &line, &length);
    bad->line = r->line;
    if (found == LINE_END) return ES_LINE_END;
    if (found == LINE_ERROR) {
      const char *why = r->no_memory ? "out of memory" : strerror(errno);
      snprintf(bad->message, sizeof bad->message, "the file cannot be read further: %s", why);
      return ES_LINE_ERROR;
    }
    if (found == LINE_TOO_LONG) {
      char message[60];
      snprintf(message, sizeof message, "expected a line of at most %zu MiB", r->options.longest_line / MEBIBYTE);
      bad_column(r, r->options.longest_line, message);
      return ES_LINE_BAD;
    }
    r->mark = r->line == 1 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    line += r->mark;
    length -= r->mark;
    if (!blank(line, length)) break;
  }
  return outcome(r, begin(r, length) && parse(r, line, length));
}

/* Where no request is that could be refused, a value that cannot be read makes the line bad (Reading 11). */
static bool no_ill(es_reader *r) {
  const es_ill *ill = es_ill_within(&r->ills, 0, SIZE_MAX);
  if (!ill) return true;
  es_json_path(&r->json, ill->place, r->bad->member, sizeof r->bad->member);
  return bad_column(r, ill->offset, es_ill_message(ill->kind));
}

es_line es_reader_next(es_reader *r, es_case *c, es_result *result, bool *has_result, es_bad_line *bad) {
  es_line line = next_tape(r, bad);
  if (line != ES_LINE_CASE) return line;
  if (!es_reader_is_race(r, ES_JSON_TOP)) return outcome(r, es_reader_case(r, ES_JSON_TOP, c, result, has_result));
  line = outcome(r, no_ill(r) && es_reader_race_order(r, ES_JSON_TOP));
  *c = (es_case){.id = r->race.id};
  *result = (es_result){0};
  *has_result = r->race.recorded != NULL;
  return line == ES_LINE_CASE ? ES_LINE_RACE : line;
}

const es_race *es_reader_race(const es_reader *r) {
  return &r->race;
}

es_line es_reader_next_result(es_reader *r, es_result *result, es_bad_line *bad) {
  es_line line = next_tape(r, bad);
  if (line != ES_LINE_CASE) return line;
  if (!no_ill(r)) return ES_LINE_BAD;
  *result = (es_result){0};
  if (!es_reader_result(r, ES_JSON_TOP, result)) return outcome(r, false);
  return outcome(r, result->id.data || es_reader_missing(r, ES_JSON_TOP, "case", "the id of the case"));
}

uint64_t es_reader_line_number(const es_reader *r) {
  return r->line;
}
uint64_t es_reader_bytes(const es_reader *r) {
  return r->bytes;
}
