/*
 * One walk from left to right, without recursion: a stack holds the open groups. For each branch it
 * knows what the last item was, because that decides whether a repeat may follow. What Python takes
 * literally and PCRE2 does not is written escaped, so no feature of PCRE2 that Python lacks can be
 * reached.
 */
#include "cmds/lang/python_re.h"

#include <stdarg.h>
#include <string.h>

#include "cmds/lang/python_re_parts.h"
#include "dump/base/utf8.h"

enum { MAX_REPEAT = 65535 };

bool re_fail(struct rewriter *r, size_t at, const char *fmt, ...)
{
	struct str msg = {0};
	va_list args;

	va_start(args, fmt);
	str_vfmt(&msg, fmt, args);
	va_end(args);
	err_fill(r->err, ERR_REGEX, "command", at, "%s at position %zu", str_text(&msg),
	         utf8_count(r->text, at));
	str_release(&msg);
	return false;
}

size_t re_char_bytes(const struct rewriter *r, size_t at)
{
	uint32_t cp;

	return at < r->len ? utf8_next(r->text + at, r->len - at, &cp) : 0;
}

static int digit_value(char c)
{
	char lower = (char)(c | 0x20);

	if (is_digit(c))
		return c - '0';
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : BASE_HEX;
}

int re_take_number(struct rewriter *r, int base, int max, uint32_t *out)
{
	int n = 0;

	*out = 0;
	while (n < max && r->at < r->len && digit_value(re_peek(r)) < base) {
		*out = *out * (uint32_t)base + (uint32_t)digit_value(r->text[r->at++]);
		n++;
	}
	return n;
}

static void rewrite_literal(struct rewriter *r)
{
	size_t n = re_char_bytes(r, r->at);

	if (re_peek(r) == '{')
		str_putc(r->out, '\\');
	str_put(r->out, r->text + r->at, n);
	r->at += n;
	re_top(r)->last = ITEM_OTHER;
}

/* Digits of a count, all of them; how many. One that is too large stays so. */
static int take_count(struct rewriter *r, uint32_t *out)
{
	int n = re_take_number(r, 10, 9, out);

	while (is_digit(re_peek(r))) {
		*out = MAX_REPEAT + 1;
		r->at++;
	}
	return n;
}

/*
 * Reads "{m}", "{m,}", "{,n}" or "{m,n}" from its brace on. *is_repeat false: it is none, and
 * nothing was read.
 */
static bool read_counts(struct rewriter *r, uint32_t *min, uint32_t *max, bool *is_repeat)
{
	size_t begin = r->at++;
	int n_min = take_count(r, min), n_max = n_min;
	bool comma = re_take(r, ',');

	*max = *min;
	if (comma)
		n_max = take_count(r, max);
	*is_repeat = (n_min || comma) && re_take(r, '}');
	if (!*is_repeat) {
		r->at = begin;
		return true;
	}
	if (*min > MAX_REPEAT || *max > MAX_REPEAT)
		return re_fail(r, begin, "the repetition number is too large");
	if (!n_max)
		*max = UINT32_MAX;
	return *min <= *max || re_fail(r, begin + 1, "min repeat greater than max repeat");
}

static bool rewrite_repeat(struct rewriter *r)
{
	size_t begin = r->at;
	uint32_t min = 0, max = 0;
	bool counted = re_peek(r) == '{', is_repeat = true;

	if (!counted)
		r->at++;
	else if (!read_counts(r, &min, &max, &is_repeat))
		return false;
	if (!is_repeat) {
		rewrite_literal(r);
		return true;
	}
	if (re_top(r)->last == ITEM_NONE || re_top(r)->last == ITEM_PLACE)
		return re_fail(r, begin, "nothing to repeat");
	if (re_top(r)->last == ITEM_REPEAT)
		return re_fail(r, begin, "multiple repeat");
	if (!counted)
		str_putc(r->out, r->text[begin]);
	else if (max == UINT32_MAX)
		str_fmt(r->out, "{%u,}", (unsigned)min);
	else
		str_fmt(r->out, "{%u,%u}", (unsigned)min, (unsigned)max);
	if (re_peek(r) == '?' || re_peek(r) == '+')
		str_putc(r->out, r->text[r->at++]);
	re_top(r)->last = ITEM_REPEAT;
	return true;
}

static bool begin_branch(struct rewriter *r)
{
	struct level *level = re_top(r);

	if (++level->n_bars > 1 && level->is_condition)
		return re_fail(r, r->at, "conditional backref with more than two branches");
	level->last = ITEM_NONE;
	str_putc(r->out, '|');
	r->at++;
	return true;
}

/* Blanks and comments of a verbose pattern. */
static bool skip_verbose(struct rewriter *r)
{
	size_t begin = r->at;

	if (!re_top(r)->verbose)
		return false;
	r->at += strspn(r->text + r->at, " \t\n\r\v\f");
	if (re_peek(r) == '#')
		r->at += strcspn(r->text + r->at, "\n");
	return r->at > begin;
}

static bool rewrite_next(struct rewriter *r)
{
	switch (re_peek(r)) {
	case '\\':
		return re_rewrite_escape(r);
	case '[':
		return re_rewrite_set(r);
	case '*':
	case '+':
	case '?':
	case '{':
		return rewrite_repeat(r);
	case '(':
		return re_open_group(r);
	case ')':
		return re_close_group(r);
	case '|':
		return begin_branch(r);
	case '^':
	case '$':
		rewrite_literal(r);
		re_top(r)->last = ITEM_PLACE;
		return true;
	default:
		rewrite_literal(r);
		return true;
	}
}

static bool check_end(struct rewriter *r)
{
	if (r->levels.len > 1)
		return re_fail(r, re_top(r)->open, "missing ), unterminated subpattern");
	for (size_t i = 0; i < r->conditions.len; i++)
		if (r->conditions.at[i].group > r->groups.len)
			return re_fail(r, r->conditions.at[i].at, "invalid group reference %u",
			            (unsigned)r->conditions.at[i].group);
	return true;
}

bool python_re_rewrite(const char *text, struct str *out, struct re_flags *flags, struct err *err)
{
	struct rewriter r = {
		.text = text, .len = strlen(text), .out = out, .flags = flags, .err = err
	};
	bool ok = true;

	*flags = (struct re_flags){0};
	vec_add(&r.levels);
	while (ok && r.at < r.len)
		if (!skip_verbose(&r))
			ok = rewrite_next(&r);
	ok = ok && check_end(&r);
	vec_release(&r.levels);
	vec_release(&r.groups);
	vec_release(&r.conditions);
	return ok;
}
