#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text that grows. Start with {0}; text is always NUL-terminated once something was put,
 * and str_text() is "" before that. May hold NUL bytes: len counts.
 */
struct str {
	char *text;
	size_t len, cap;
};

void str_put(struct str *s, const char *text, size_t len);
void str_puts(struct str *s, const char *text);
void str_putc(struct str *s, char c);
void str_int(struct str *s, int64_t number);            /* decimal; many times as fast as str_fmt */
void str_fill(struct str *s, char c, size_t n);         /* n times c */
void str_fmt(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vfmt(struct str *s, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));
const char *plural(uint64_t n);                         /* "": of one, "s": of any other number */
void str_cut(struct str *s, size_t len);                /* shorten to len */
void str_reset(struct str *s);                          /* emptied, memory kept */
void str_release(struct str *s);                        /* back to {0} */
const char *str_text(const struct str *s);

/* Of ASCII, whatever the locale; c may be EOF. */
static inline bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* For qsort, of elements that begin with a const char *: by the bytes of their texts. */
int texts_order(const void *a, const void *b);
/* Sorts n texts and leaves each of them once; returns how many that are. */
size_t texts_sort_once(const char **at, size_t n);

#endif
