#include "progress.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "output.h"

enum { BAR_COLUMNS = 30, LINE_COLUMNS = 72 };

static struct {
  uint64_t size;
  double next; /* when it may be drawn again */
  bool active;
  volatile sig_atomic_t drawn;
  es_buffer line;
} bar;

static const char clear_line[] = "\r\033[K";

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Leaves the terminal as it was found, then lets the signal do what it does. */
static void leave(int signal_number) {
  ssize_t ignored = 0;
  if (bar.drawn) ignored = write(STDERR_FILENO, clear_line, sizeof clear_line - 1);
  if (es_output_is_coloured()) ignored = write(STDOUT_FILENO, "\033[0m", 4);
  (void)ignored;
  raise(signal_number); /* SA_RESETHAND: this time it ends the process */
}

static void catch_signals(void) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = leave;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(caught[i], &action, NULL);
  }
}

static bool terminal_is_fit(void) {
  struct winsize window;
  const char *kind = getenv("TERM");
  if (!isatty(STDERR_FILENO) || kind == NULL || strcmp(kind, "dumb") == 0) return false;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_col > LINE_COLUMNS;
}

void es_progress_begin(uint64_t size) {
  bar.active = size > 0 && terminal_is_fit();
  if (!bar.active && !es_output_is_coloured()) return;
  catch_signals();
  bar.size = size;
  bar.next = seconds() + 0.5;
}

static void append_megabytes(es_buffer *line, uint64_t bytes) {
  es_buffer_format(line, "%.1f", (double)bytes / 1e6);
}

void es_progress_at(uint64_t done) {
  if (!bar.active) return;
  double now = seconds();
  if (now < bar.next) return;
  bar.next = now + 0.1;
  if (done > bar.size) done = bar.size;
  double part = (double)done / (double)bar.size;
  es_buffer_clear(&bar.line);
  es_buffer_format(&bar.line, "\r%3d %% [", (int)(part * 100));
  for (int i = 0; i < BAR_COLUMNS; i++) es_buffer_text(&bar.line, i < (int)(part * BAR_COLUMNS) ? "=" : " ");
  es_buffer_text(&bar.line, "] ");
  append_megabytes(&bar.line, done);
  es_buffer_text(&bar.line, " of ");
  append_megabytes(&bar.line, bar.size);
  es_buffer_text(&bar.line, " MB\033[K");
  if (bar.line.failed) return;
  bar.drawn = 1;
  if (write(STDERR_FILENO, bar.line.data, bar.line.length) < 0) bar.active = false;
}

void es_progress_hide(void) {
  if (!bar.drawn) return;
  bar.drawn = 0;
  if (write(STDERR_FILENO, clear_line, sizeof clear_line - 1) < 0) bar.active = false;
}

void es_progress_end(void) {
  es_progress_hide();
  es_buffer_free(&bar.line);
  bar.active = false;
}
