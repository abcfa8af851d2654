/* seen: what harnesses write down and say, for the frame and for all else that reads inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

void fuzz_note(fuzz_seen *seen, const void *bytes, size_t length) {
  const uint8_t *byte = bytes;
  size_t i = 0;
  for (uint64_t eight; length - i >= sizeof eight; i += sizeof eight) {
    memcpy(&eight, byte + i, sizeof eight);
    fuzz_note_number(seen, eight);
  }
  for (; i < length; i++) fuzz_note_number(seen, byte[i]);
  fuzz_note_number(seen, length);
}

void fuzz_broken(const char *law) {
  fprintf(stderr, "%s: broken: %s\n", fuzz_name, law);
  abort();
}

void *fuzz_room(size_t size) {
  void *room = malloc(size > 0 ? size : 1);
  if (room != NULL) return room;
  fprintf(stderr, "%s: memory ran out\n", fuzz_name);
  abort();
}
