/* snprintf, as far as src/lib asks for it, in a form that Eva can follow: what it reads and writes, not which text.
 *
 * Trusted: that the C library's does no more. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile char some_char;
static volatile int some_length;

int snprintf(char *out, size_t room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (size_t i = 0; format[i]; i++) {
    if (format[i] != '%') continue;
    i++;
    if (format[i] == 's') {
      strlen(va_arg(arguments, const char *));
    } else if (format[i] == 'l') {
      i++;
      (void)va_arg(arguments, long);
    } else if (format[i] == 'z') {
      i++;
      (void)va_arg(arguments, size_t);
    } else {
      (void)va_arg(arguments, int);
    }
  }
  va_end(arguments);
  for (size_t i = 0; i + 1 < room; i++) out[i] = some_char;
  out[room - 1] = 0;
  return some_length;
}
