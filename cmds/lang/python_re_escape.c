/* Escapes and sets. */
#include "cmds/lang/python_re_parts.h"

#include <string.h>

#include "dump/base/utf8.h"

enum { BASE_OCTAL = 8 };

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

static void put_code(struct rewriter *r, uint32_t cp)
{
	str_fmt(r->out, "\\x{%x}", (unsigned)cp);
}

/* What an escape stands for, where it is the same inside and outside a set. */
enum escape { ESCAPE_CODE, ESCAPE_CLASS, ESCAPE_OTHER };

static bool read_hex(struct rewriter *r, size_t begin, int digits, uint32_t *cp)
{
	if (re_take_number(r, BASE_HEX, digits, cp) < digits)
		return re_fail(r, begin, "incomplete escape %.*s", (int)(r->at - begin),
		            r->text + begin);
	if (*cp > 0x10ffff)
		return re_fail(r, begin, "bad escape %.*s", (int)(r->at - begin), r->text + begin);
	return true;
}

static bool check_octal(struct rewriter *r, size_t begin, uint32_t cp)
{
	return cp <= 0377 || re_fail(r, begin, "octal escape value %.*s outside of range 0-0o377",
	                          (int)(r->at - begin), r->text + begin);
}

/*
 * Reads an escape from its backslash on. ESCAPE_CLASS and ESCAPE_OTHER: *cp is the letter or digit
 * behind it.
 */
static bool read_escape(struct rewriter *r, enum escape *kind, uint32_t *cp)
{
	static const char controls[] = "a\af\fn\nr\rt\tv\v";
	size_t begin = r->at++;
	const char *control;
	char c = re_peek(r);

	if (r->at == r->len)
		return re_fail(r, begin, "bad escape (end of pattern)");
	*kind = ESCAPE_CODE;
	r->at += utf8_next(r->text + r->at, r->len - r->at, cp);
	control = re_is_letter(c) ? strchr(controls, c) : NULL;
	if (control) {
		*cp = (unsigned char)control[1];
		return true;
	}
	if (c == 'x')
		return read_hex(r, begin, 2, cp);
	if (c == 'u')
		return read_hex(r, begin, 4, cp);
	if (c == 'U')
		return read_hex(r, begin, 8, cp);
	if (re_is_letter(c) && strchr("dDsSwW", c))
		*kind = ESCAPE_CLASS;
	else if (re_is_letter(c) || is_digit(c))
		*kind = ESCAPE_OTHER;
	return true;
}

bool re_put_reference(struct rewriter *r, size_t at, size_t name_at, uint32_t group)
{
	if (group > r->groups.len || !group)
		return re_fail(r, name_at, "invalid group reference %u", (unsigned)group);
	if (!r->groups.at[group - 1].closed)
		return re_fail(r, at, "cannot refer to an open group");
	str_fmt(r->out, "\\g{%u}", (unsigned)group);
	return true;
}

/*
 * A backslash and digits outside a set: three octal ones, or a leading 0, are a code; all else is a
 * group.
 */
static bool rewrite_number(struct rewriter *r, size_t begin)
{
	const char *d = r->text + begin + 1;
	uint32_t value;

	r->at = begin + 1;
	if (d[0] == '0' || (is_octal(d[0]) && is_octal(d[1]) && is_octal(d[2]))) {
		re_take_number(r, BASE_OCTAL, 3, &value);
		if (!check_octal(r, begin, value))
			return false;
		put_code(r, value);
		return true;
	}
	re_take_number(r, 10, 2, &value);
	return re_put_reference(r, begin, begin + 1, value);
}

bool re_rewrite_escape(struct rewriter *r)
{
	size_t begin = r->at;
	enum escape kind;
	uint32_t cp;

	if (!read_escape(r, &kind, &cp))
		return false;
	re_top(r)->last = ITEM_OTHER;
	if (kind == ESCAPE_CODE) {
		put_code(r, cp);
	} else if (kind == ESCAPE_CLASS) {
		str_fmt(r->out, "\\%c", (char)cp);
	} else if (is_digit((char)cp)) {
		return rewrite_number(r, begin);
	} else if (strchr("AbBZ", (char)cp)) {
		str_fmt(r->out, "\\%c", cp == 'Z' ? 'z' : (char)cp);
		re_top(r)->last = ITEM_PLACE;
	} else {
		return re_fail(r, begin, "bad escape \\%c", (char)cp);
	}
	return true;
}

/* A member of a set: one character, or a class. */
struct member {
	bool is_class;
	uint32_t cp;             /* of a class: its letter */
	size_t begin, end;       /* where it stands */
};

static bool read_member(struct rewriter *r, size_t open, struct member *out)
{
	enum escape kind = ESCAPE_CODE;

	out->begin = r->at;
	if (r->at == r->len)
		return re_fail(r, open, "unterminated character set");
	if (re_peek(r) != '\\') {
		r->at += utf8_next(r->text + r->at, r->len - r->at, &out->cp);
	} else if (!read_escape(r, &kind, &out->cp)) {
		return false;
	} else if (kind == ESCAPE_OTHER && out->cp == 'b') {
		out->cp = '\b';
	} else if (kind == ESCAPE_OTHER && is_octal((char)out->cp)) {
		r->at = out->begin + 1;
		re_take_number(r, BASE_OCTAL, 3, &out->cp);
		if (!check_octal(r, out->begin, out->cp))
			return false;
	} else if (kind == ESCAPE_OTHER) {
		return re_fail(r, out->begin, "bad escape \\%c", (char)out->cp);
	}
	out->is_class = kind == ESCAPE_CLASS;
	out->end = r->at;
	return true;
}

static void put_member(struct rewriter *r, const struct member *member)
{
	if (member->is_class)
		str_fmt(r->out, "\\%c", (char)member->cp);
	else
		put_code(r, member->cp);
}

/* The second half of "low-high"; the - has been taken. */
static bool rewrite_range(struct rewriter *r, size_t open, const struct member *low)
{
	struct member high;

	if (!read_member(r, open, &high))
		return false;
	if (low->is_class || high.is_class || high.cp < low->cp)
		return re_fail(r, low->begin, "bad character range %.*s-%.*s",
		            (int)(low->end - low->begin), r->text + low->begin,
		            (int)(high.end - high.begin), r->text + high.begin);
	put_member(r, low);
	str_putc(r->out, '-');
	put_member(r, &high);
	return true;
}

bool re_rewrite_set(struct rewriter *r)
{
	size_t open = r->at++;
	bool first = true;

	str_putc(r->out, '[');
	if (re_take(r, '^'))
		str_putc(r->out, '^');
	while (first || re_peek(r) != ']') {
		struct member low;

		first = false;
		if (!read_member(r, open, &low))
			return false;
		if (re_peek(r) != '-' || (r->at + 1 < r->len && r->text[r->at + 1] == ']')) {
			put_member(r, &low);
			continue;
		}
		r->at++;
		if (!rewrite_range(r, open, &low))
			return false;
	}
	r->at++;
	str_putc(r->out, ']');
	re_top(r)->last = ITEM_OTHER;
	return true;
}
