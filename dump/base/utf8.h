#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/str.h"

/*
 * Bytes as characters on a terminal.
 * A cell text is what may be drawn: printable UTF-8 only. Control characters become ^X (C1:
 * \u0085), bytes that are no UTF-8 become \xNN, direction and other invisible formatting becomes
 * \uNNNN, UTF8_NUL becomes \x00; so one source character may take several columns, and nothing of
 * a file reaches a terminal raw.
 */

#define UTF8_BAD UINT32_MAX
/* NUL in a name of a file, where names end with NUL: no other text has these two bytes. */
#define UTF8_NUL "\xc0\x80"

/*
 * Controls, and characters that draw nothing but change how others are drawn: what no terminal
 * gets as it is.
 */
bool utf8_is_hidden(uint32_t cp);

/* One character of text[0..len), len > 0: how many bytes it has; *cp is UTF8_BAD for a bad byte. */
size_t utf8_next(const char *text, size_t len, uint32_t *cp);

/* The same for cells: UTF8_NUL is one character, *cp 0. */
size_t utf8_next_cell(const char *text, size_t len, uint32_t *cp);

void utf8_put(struct str *out, uint32_t cp);     /* at most 0x10ffff */

/* Appends the cell text of character cp (n bytes at text); returns its width in columns. */
int utf8_cell(struct str *out, const char *text, size_t n, uint32_t cp);

void utf8_escape(struct str *out, const char *text, size_t len);  /* cell text of all of it */
/* The same, but newlines and tabs stay. */
void utf8_escape_lines(struct str *out, const char *text, size_t len);
size_t utf8_columns(const char *text, size_t len);                /* width of its cell text */
bool utf8_is_plain(const char *text, size_t len);         /* printable ASCII only */
size_t utf8_count(const char *text, size_t len); /* characters; a bad byte counts as one */

#endif
