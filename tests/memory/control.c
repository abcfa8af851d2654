/* A program as memory.py's own control: it copies a word, and does the wrong thing that its argument names when memory
 * runs out. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
  const char *fault = count > 1 ? arguments[1] : "";
  char *kept = malloc(8);
  char *word = kept ? malloc(8) : NULL;
  int status = 0;
  if (word) {
    puts("a word");
  } else if (strcmp(fault, "crash") == 0) {
    raise(SIGSEGV);
  } else if (strcmp(fault, "other") == 0) {
    puts("half");
  } else {
    status = 2;
    if (strcmp(fault, "silent") != 0) fputs("memory ran out\n", stderr);
  }
  free(word);
  if (word || strcmp(fault, "leak") != 0) free(kept);
  return status;
}
