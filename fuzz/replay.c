/* replay: a harness without libFuzzer. Under AFL++'s compiler the persistent loop, else each file named, and each file
 * of a folder named, once. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

/* In a place of just its size, so that a sanitizer sees a read past it. */
static void run_input(const uint8_t *bytes, size_t length) {
  uint8_t *input = fuzz_room(length);
  memcpy(input, bytes, length);
  LLVMFuzzerTestOneInput(input, length);
  free(input);
}

#ifdef __AFL_COMPILER

#include <unistd.h>

/* What AFL++'s words stand for is GNU C, and cuts lengths short. */
#pragma clang diagnostic ignored "-Wpedantic"
#pragma clang diagnostic ignored "-Wshorten-64-to-32"

__AFL_FUZZ_INIT()

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

#define LONGEST (1 << 20) /* bytes of an input */

static size_t ran;

static bool replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
  }
  uint8_t *read = fuzz_room(LONGEST);
  size_t length = fread(read, 1, LONGEST, file);
  bool whole = !ferror(file) && fgetc(file) == EOF;
  fclose(file);
  if (whole)
    run_input(read, length);
  else
    fprintf(stderr, "%s: not read, or longer than %d bytes\n", path, LONGEST);
  free(read);
  ran += whole;
  return whole;
}

static bool replay(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return replay_file(path);
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
    all = length > 0 && (size_t)length < sizeof inside && replay(inside) && all;
  }
  closedir(folder);
  return all;
}

int main(int argc, char **argv) {
  bool all = true;
  for (int i = 1; i < argc; i++) all = replay(argv[i]) && all;
  printf("%s: %zu inputs\n", fuzz_name, ran);
  return all && ran > 0 ? 0 : 1;
}

#endif
