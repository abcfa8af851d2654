/* A file's bytes: only of a regular file, so that nothing waits for a pipe or reads a device without end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vocab_parts.h"

static bool refuse(es_vocab_fault *fault, const char *expected, const char *found) {
  snprintf(fault->message, sizeof fault->message, "expected %s, found %s", expected, found);
  return false;
}

static const char *kind(mode_t mode) {
  return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

/* Reads to the end, also of a file that says it is empty and is not. */
static bool read_all(int file, size_t size, es_vocab_bytes *bytes, es_vocab_fault *fault) {
  for (;;) {
    size_t more = size > bytes->length ? size - bytes->length : 1 << 16;
    if (!es_vocab_bytes_reserve(bytes, more + ES_JSON_PADDING)) return es_vocab_no_memory(fault);
    ssize_t got = read(file, bytes->data + bytes->length, more);
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return refuse(fault, "a file that can be read", strerror(errno));
    if (got > 0) bytes->length += (size_t)got;
    if (bytes->length > ES_VOCAB_LIMIT) return refuse(fault, "at most 128 MiB", "more");
  }
}

bool es_vocab_fetch(const char *path, es_vocab_bytes *bytes, es_vocab_fault *fault) {
  struct stat about;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return refuse(fault, "a file that can be read", strerror(errno));
  bool good;
  if (fstat(file, &about) != 0)
    good = refuse(fault, "a file that can be read", strerror(errno));
  else if (!S_ISREG(about.st_mode))
    good = refuse(fault, "a regular file", kind(about.st_mode));
  else if (about.st_size > (off_t)ES_VOCAB_LIMIT)
    good = refuse(fault, "at most 128 MiB", "more");
  else
    good = read_all(file, (size_t)about.st_size, bytes, fault);
  close(file);
  return good;
}
