#ifndef BASE_SAY_H
#define BASE_SAY_H

#include <stddef.h>
#include <stdio.h>

/* Text as cell text, to a file that may be a terminal. */
void say_to(FILE *out, const char *text, size_t len);

/*
 * Messages on standard error. Whatever they quote, a path, an argument, a name from a file, comes
 * out as cell text (dump/base/utf8.h): no terminal gets a control byte of it.
 */

/* One line, after the program's name. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Lines of a tool, as they are; a newline is put behind the last. */
void say_lines(const char *text);

#endif
