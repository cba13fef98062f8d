#include "dump/base/str.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

static void reserve(struct str *s, size_t more)
{
	size_t cap = s->cap ? s->cap : 32;

	if (more < s->cap - s->len)
		return;
	while (cap - s->len <= more)
		cap *= 2;
	s->text = mem_realloc(s->text, cap);
	s->cap = cap;
}

void str_put(struct str *s, const char *text, size_t len)
{
	reserve(s, len);
	if (len)
		memcpy(s->text + s->len, text, len);
	s->len += len;
	s->text[s->len] = '\0';
}

void str_puts(struct str *s, const char *text)
{
	str_put(s, text, strlen(text));
}

void str_putc(struct str *s, char c)
{
	reserve(s, 1);
	s->text[s->len++] = c;
	s->text[s->len] = '\0';
}

void str_int(struct str *s, int64_t number)
{
	char digits[24], *at = digits + sizeof digits;
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		*--at = '-';
	str_put(s, at, (size_t)(digits + sizeof digits - at));
}

void str_fill(struct str *s, char c, size_t n)
{
	reserve(s, n);
	memset(s->text + s->len, c, n);
	s->len += n;
	s->text[s->len] = '\0';
}

void str_vfmt(struct str *s, const char *fmt, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	reserve(s, 64);
	n = vsnprintf(s->text + s->len, s->cap - s->len, fmt, args);
	assert(n >= 0);
	if ((size_t)n >= s->cap - s->len) {
		reserve(s, (size_t)n);
		vsnprintf(s->text + s->len, s->cap - s->len, fmt, again);
	}
	va_end(again);
	s->len += (size_t)n;
}

void str_fmt(struct str *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	str_vfmt(s, fmt, args);
	va_end(args);
}

void str_cut(struct str *s, size_t len)
{
	assert(len <= s->len);
	if (s->text) {
		s->len = len;
		s->text[len] = '\0';
	}
}

void str_reset(struct str *s)
{
	str_cut(s, 0);
}

void str_release(struct str *s)
{
	free(s->text);
	*s = (struct str){0};
}

const char *str_text(const struct str *s)
{
	return s->text ? s->text : "";
}

const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

int texts_order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t texts_sort_once(const char **at, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(at, n, sizeof *at, texts_order);
	for (size_t i = 0; i < n; i++)
		if (!kept || strcmp(at[kept - 1], at[i]))
			at[kept++] = at[i];
	return kept;
}
