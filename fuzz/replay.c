/* replay: a harness without libFuzzer. Under AFL++'s compiler the persistent loop, else each file named, and each file
 * of a folder named, once; with `--seconds S` all of them again and again, until S processor seconds are over, and how
 * many executions that were in how many seconds. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

#ifdef __AFL_COMPILER

#include <unistd.h>

/* What AFL++'s words stand for is GNU C, and cuts lengths short. */
#pragma clang diagnostic ignored "-Wpedantic"
#pragma clang diagnostic ignored "-Wshorten-64-to-32"

__AFL_FUZZ_INIT()

/* In a place of just its size, so that a sanitizer sees a read past it. */
static void run_input(const uint8_t *bytes, size_t length) {
  uint8_t *input = fuzz_room(length);
  memcpy(input, bytes, length);
  LLVMFuzzerTestOneInput(input, length);
  free(input);
}

int main(void) {
  __AFL_INIT();
  const uint8_t *input = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(100000)) run_input(input, (size_t)__AFL_FUZZ_TESTCASE_LEN);
  return 0;
}

#else

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#define LONGEST (1 << 20) /* bytes of an input */

typedef struct {
  uint8_t *bytes; /* a place of just their size */
  size_t length;
} input;

static input *inputs;
static size_t count;

static bool read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
  }
  uint8_t *read = fuzz_room(LONGEST);
  size_t length = fread(read, 1, LONGEST, file);
  bool whole = !ferror(file) && fgetc(file) == EOF;
  fclose(file);
  if (whole) {
    if ((count & (count + 1)) == 0) { /* no room for one more */
      input *more = fuzz_room((2 * count + 1) * sizeof *more);
      if (count > 0) memcpy(more, inputs, count * sizeof *more);
      free(inputs);
      inputs = more;
    }
    inputs[count] = (input){fuzz_room(length), length};
    memcpy(inputs[count++].bytes, read, length);
  } else {
    fprintf(stderr, "%s: not read, or longer than %d bytes\n", path, LONGEST);
  }
  free(read);
  return whole;
}

static bool read_all(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return read_file(path);
  DIR *folder = opendir(path);
  if (folder == NULL) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
  }
  bool all = true;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    char inside[4096];
    int length = snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
    all = length > 0 && (size_t)length < sizeof inside && read_all(inside) && all;
  }
  closedir(folder);
  return all;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void measure(double seconds) {
  double begun = processor_seconds(), used = 0;
  size_t times = 0;
  for (; used < seconds; used = processor_seconds() - begun, times++)
    for (size_t i = 0; i < count; i++) LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].length);
  printf("%s: %zu executions, %.3f seconds\n", fuzz_name, times * count, used);
}

int main(int argc, char **argv) {
  int first = 1;
  double seconds = 0;
  if (argc > 2 && strcmp(argv[1], "--seconds") == 0) seconds = strtod(argv[2], NULL), first = 3;
  bool all = true;
  for (int i = first; i < argc; i++) all = read_all(argv[i]) && all;
  if (seconds > 0 && all && count > 0)
    measure(seconds);
  else
    for (size_t i = 0; i < count; i++) LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].length);
  printf("%s: %zu inputs\n", fuzz_name, count);
  for (size_t i = 0; i < count; i++) free(inputs[i].bytes);
  free(inputs);
  return all && count > 0 ? 0 : 1;
}

#endif
