#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"
#include "text.h"

enum { PIECE = 1 << 16 };

static struct {
  es_buffer pending;
  bool each_line;
  bool terminal;
  bool coloured;
} output;

void es_output_begin(bool each_line) {
  const char *kind = getenv("TERM");
  const char *plain = getenv("NO_COLOR");
  output.terminal = isatty(STDOUT_FILENO) == 1;
  output.each_line = each_line || output.terminal;
  output.coloured = output.terminal && kind != NULL && strcmp(kind, "dumb") != 0 && (plain == NULL || *plain == '\0');
}

bool es_output_is_coloured(void) {
  return output.coloured;
}

es_buffer *es_output_buffer(void) {
  return &output.pending;
}

void es_output_line(void) {
  if (output.each_line || output.pending.length >= PIECE) es_output_flush();
}

/* Ends the process; what was not written is not tried again. */
static void give_up(const char *why) {
  es_message("endstop: standard output: %s", why);
  exit(ES_EXIT_FAULT);
}

void es_output_flush(void) {
  if (output.pending.failed) give_up("memory ran out");
  if (output.terminal && output.pending.length > 0) es_progress_hide();
  for (size_t done = 0; done < output.pending.length;) {
    ssize_t written = write(STDOUT_FILENO, output.pending.data + done, output.pending.length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) give_up(strerror(errno));
    done += (size_t)written;
  }
  es_buffer_clear(&output.pending);
}

void es_output_end(void) {
  es_output_flush();
  es_buffer_free(&output.pending);
}

void es_message(const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  es_buffer line = {0};
  es_text_clean(&line, message, (size_t)length < sizeof message ? (size_t)length : sizeof message - 1);
  es_buffer_text(&line, "\n");
  es_progress_hide();
  if (line.failed) {
    fputs("endstop: memory ran out\n", stderr);
  } else {
    fwrite(line.data, 1, line.length, stderr);
  }
  es_buffer_free(&line);
}
