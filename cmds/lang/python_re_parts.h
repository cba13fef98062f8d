#ifndef LANG_PYTHON_RE_PARTS_H
#define LANG_PYTHON_RE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/lang/python_re.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/*
 * What the rewriter's parts share: python_re.c walks over the pattern, python_re_escape.c rewrites
 * escapes and sets, python_re_group.c groups, references and flags.
 */
enum item { ITEM_NONE, ITEM_PLACE /* ^ $ \b: not to be repeated */, ITEM_REPEAT, ITEM_OTHER };
enum { BASE_HEX = 16 };

struct group {
	const char *name;        /* in the pattern; NULL: none */
	size_t name_len;
	bool closed;
};

/* An open parenthesis; the lowest level is the pattern itself. */
struct level {
	size_t open;             /* where it stands */
	uint32_t group;          /* its number; 0: it captures nothing */
	bool is_condition;
	bool verbose;
	unsigned n_bars;
	enum item last;
};

/* (?(N)...) may come before group N. */
struct condition {
	uint32_t group;
	size_t at;
};

struct rewriter {
	const char *text;
	size_t len, at;
	struct str *out;
	struct re_flags *flags;
	struct err *err;
	VEC(struct level) levels;
	VEC(struct group) groups;
	VEC(struct condition) conditions;
};

/* ERR_REGEX as Python says it: "WHAT at position N"; at: in bytes. Always false. */
bool re_fail(struct rewriter *r, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
size_t re_char_bytes(const struct rewriter *r, size_t at);       /* 0: the end */
/* At most max digits of the base; how many there were. */
int re_take_number(struct rewriter *r, int base, int max, uint32_t *out);

bool re_rewrite_escape(struct rewriter *r);
bool re_rewrite_set(struct rewriter *r);
/* \g{group}. at: where the reference begins, name_at: its name. */
bool re_put_reference(struct rewriter *r, size_t at, size_t name_at, uint32_t group);
bool re_open_group(struct rewriter *r);
bool re_close_group(struct rewriter *r);

/* '\0' at the end. */
static inline char re_peek(const struct rewriter *r)
{
	return r->at < r->len ? r->text[r->at] : '\0';
}

static inline bool re_take(struct rewriter *r, char c)
{
	if (re_peek(r) != c || !c)
		return false;
	r->at++;
	return true;
}

static inline bool re_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline struct level *re_top(struct rewriter *r)
{
	return vec_last(&r->levels);
}

#endif
