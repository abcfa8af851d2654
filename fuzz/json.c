/* json: lines as they come, through the command's own reader: cases, recordings, race orders, and what is none of them.
 *
 * What is read is answered by the reference and the slow model alike; the judge finds that answer right, and says
 * something of a recorded one; each line that is written is JSON. The last byte says whether the reader is strict. */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "json.h"
#include "judge.h"
#include "model.h"
#include "race_run.h"
#include "reader.h"
#include "run.h"
#include "utf8.h"
#include "writer.h"

const char fuzz_name[] = "json";

typedef struct {
  es_run *run;
  es_model *model;
  es_judge *judge;
  es_race_run *race;
  es_json_parser *parser;
  es_buffer line;
} tools;

void *fuzz_new(void) {
  tools *t = fuzz_room(sizeof *t);
  *t = (tools){es_run_new(), es_model_new(), es_judge_new(), es_race_run_new(), es_json_parser_new(), {0}};
  fuzz_demand(t->run && t->model && t->judge && t->race && t->parser, "there is memory");
  return t;
}

void fuzz_free(void *memory) {
  tools *t = memory;
  es_run_free(t->run);
  es_model_free(t->model);
  es_judge_free(t->judge);
  es_race_run_free(t->race);
  es_json_parser_free(t->parser);
  es_buffer_free(&t->line);
  free(t);
}

/* The line that was written is one of JSON. */
static void check_line(tools *t, fuzz_pass pass, fuzz_seen *seen) {
  es_json json;
  size_t length = t->line.length;
  fuzz_note(seen, t->line.data, length);
  fuzz_demand(length > 0 && memchr(t->line.data, '\n', length) == t->line.data + length - 1, "one line, with its end");
  if (pass == FUZZ_LAWS) {
    for (int i = 0; i < ES_JSON_PADDING; i++) es_buffer_bytes(&t->line, " ", 1);
    fuzz_demand(es_json_read(t->parser, t->line.data, length, &json) == ES_JSON_READ, "what is written is JSON");
  }
  es_buffer_clear(&t->line);
}

static void check_answer(tools *t, const es_case *c, const es_result *said) {
  const es_result *model = es_model_case(t->model, c);
  fuzz_demand(model != NULL, "the model answers a case");
  fuzz_demand((said->unsupported.data != NULL) == (model->unsupported.data != NULL), "the same is answered");
  if (said->unsupported.data != NULL) return;
  fuzz_demand(fuzz_difference(said, model) == NULL, "reference and model say the same");
  const es_verdict *verdict = es_judge_case(t->judge, c, said);
  fuzz_demand(verdict != NULL && verdict->kind == ES_CONFORMS, "the judge finds the reference right");
}

static void check_case(tools *t, const es_case *c, const es_result *recorded, fuzz_pass pass, fuzz_seen *seen) {
  const es_result *said = es_run_case(t->run, c);
  fuzz_demand(said != NULL, "a case is answered");
  if (pass == FUZZ_LAWS) check_answer(t, c, said);
  es_write_result(&t->line, said);
  check_line(t, pass, seen);
  if (recorded == NULL) return;
  const es_verdict *verdict = es_judge_case(t->judge, c, recorded);
  fuzz_demand(verdict != NULL && (verdict->kind == ES_VIOLATES) == (verdict->count > 0), "a verdict has its findings");
  es_write_verdict(&t->line, verdict);
  check_line(t, pass, seen);
}

static void check_race(tools *t, const es_race *race, fuzz_pass pass, fuzz_seen *seen) {
  const es_race_result *said = es_race_run_order(t->race, race);
  fuzz_demand(said != NULL, "a race order is answered");
  es_write_race(&t->line, race, said);
  check_line(t, pass, seen);
  es_race answered = *race;
  answered.recorded = said;
  const es_verdict *verdict = es_judge_race(t->judge, &answered);
  fuzz_demand(verdict != NULL && (said->unsupported.data != NULL || verdict->kind == ES_CONFORMS),
              "the judge finds the reference right");
  if (race->recorded == NULL) return;
  verdict = es_judge_race(t->judge, race);
  fuzz_demand(verdict != NULL, "a recorded order is judged");
  es_write_verdict(&t->line, verdict);
  check_line(t, pass, seen);
}

static void check_bad(const es_bad_line *bad, fuzz_seen *seen) {
  fuzz_demand(bad->line > 0 && bad->message[0] != '\0', "a bad line is named, with what is wrong");
  fuzz_demand(es_utf8_valid((const uint8_t *)bad->message, (uint32_t)strlen(bad->message)) &&
                  es_utf8_valid((const uint8_t *)bad->member, (uint32_t)strlen(bad->member)),
              "a message is UTF-8");
  fuzz_note(seen, bad->message, strlen(bad->message));
  fuzz_note_number(seen, bad->line * 4096 + bad->column);
}

fuzz_seen fuzz_one(void *memory, fuzz_input in, fuzz_pass pass) {
  tools *t = memory;
  fuzz_seen seen = FUZZ_NOTHING;
  bool strict = fuzz_below(&in, 2);
  if (in.length == 0) return seen;
  char *text = fuzz_room(in.length);
  memcpy(text, in.bytes, in.length);
  FILE *file = fmemopen(text, in.length, "r");
  es_reader *reader =
      file == NULL ? NULL : es_reader_new(file, (es_reader_options){.strict = strict, .folder = "/none"});
  fuzz_demand(reader != NULL, "there is memory");
  es_case c;
  es_result recorded;
  bool has_result;
  es_bad_line bad;
  for (es_line line; (line = es_reader_next(reader, &c, &recorded, &has_result, &bad)) != ES_LINE_END;) {
    fuzz_demand(line != ES_LINE_ERROR, "a text is read to its end");
    if (line == ES_LINE_CASE) check_case(t, &c, has_result ? &recorded : NULL, pass, &seen);
    if (line == ES_LINE_RACE) check_race(t, es_reader_race(reader), pass, &seen);
    if (line == ES_LINE_BAD) check_bad(&bad, &seen);
  }
  es_reader_free(reader);
  fclose(file);
  free(text);
  return seen;
}
