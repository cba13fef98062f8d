/* Groups, references to them, conditions, inline flags. */
#include "cmds/lang/python_re_parts.h"

#include <string.h>

#include "cmds/lang/python.h"

/* "WHAT 'repr of the name'" */
static bool fail_name(struct rewriter *r, size_t at, const char *what, size_t name_len)
{
	struct str repr = {0};

	python_repr(&repr, r->text + at, name_len);
	re_fail(r, at, "%s %s", what, str_text(&repr));
	str_release(&repr);
	return false;
}

static struct level *push_level(struct rewriter *r, size_t open)
{
	bool verbose = re_top(r)->verbose;
	struct level *level = vec_add(&r->levels);

	level->open = open;
	level->verbose = verbose;
	return level;
}

static void open_capture(struct rewriter *r, size_t open, const char *name, size_t name_len)
{
	struct group *group = vec_add(&r->groups);

	group->name = name;
	group->name_len = name_len;
	push_level(r, open)->group = (uint32_t)r->groups.len;
	str_putc(r->out, '(');
}

/* 0: no group has this name. */
static uint32_t find_group(const struct rewriter *r, const char *name, size_t len)
{
	for (size_t i = 0; i < r->groups.len; i++)
		if (r->groups.at[i].name && r->groups.at[i].name_len == len &&
		    !memcmp(r->groups.at[i].name, name, len))
			return (uint32_t)i + 1;
	return 0;
}

/* The text up to the terminator, which is passed. */
static bool read_name(struct rewriter *r, char terminator, size_t *begin, size_t *len)
{
	*begin = r->at;
	while (r->at < r->len && re_peek(r) != terminator)
		r->at++;
	*len = r->at - *begin;
	if (!*len)
		return re_fail(r, r->at, "missing group name");
	if (r->at == r->len)
		return re_fail(r, *begin, "missing %c, unterminated name", terminator);
	r->at++;
	return true;
}

static bool is_identifier(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!re_is_letter(name[i]) && name[i] != '_' && (unsigned char)name[i] < 0x80 &&
		    !(i && is_digit(name[i])))
			return false;
	return true;
}

static bool open_named(struct rewriter *r, size_t open)
{
	size_t begin, len;
	uint32_t group;

	if (!read_name(r, '>', &begin, &len))
		return false;
	if (!is_identifier(r->text + begin, len))
		return fail_name(r, begin, "bad character in group name", len);
	group = find_group(r, r->text + begin, len);
	if (group)
		return re_fail(r, begin,
		            "redefinition of group name '%.*s' as group %zu; was group %u",
		            (int)len, r->text + begin, r->groups.len + 1, (unsigned)group);
	open_capture(r, open, r->text + begin, len);
	return true;
}

static bool rewrite_named_reference(struct rewriter *r)
{
	size_t begin, len;
	uint32_t group;

	if (!read_name(r, ')', &begin, &len))
		return false;
	if (!is_identifier(r->text + begin, len))
		return fail_name(r, begin, "bad character in group name", len);
	group = find_group(r, r->text + begin, len);
	if (!group)
		return fail_name(r, begin, "unknown group name", len);
	re_top(r)->last = ITEM_OTHER;
	return re_put_reference(r, begin, begin, group);
}

/*
 * After "(?" comes what Python does not know; at is where it begins, the rewriter at its last
 * character (or escape).
 */
static bool fail_extension(struct rewriter *r, size_t at)
{
	size_t n = re_char_bytes(r, r->at);

	if (!n)
		return re_fail(r, r->at, "unexpected end of pattern");
	if (re_peek(r) == '\\')
		n += re_char_bytes(r, r->at + 1);
	return re_fail(r, at - 1, "unknown extension ?%.*s", (int)(r->at + n - at), r->text + at);
}

static bool open_condition(struct rewriter *r, size_t open)
{
	size_t begin, len;
	int64_t number = 0;

	if (!read_name(r, ')', &begin, &len))
		return false;
	if (is_identifier(r->text + begin, len)) {
		number = find_group(r, r->text + begin, len);
		if (!number)
			return fail_name(r, begin, "unknown group name", len);
	} else if (!python_int(r->text + begin, len, &number) || number < 0) {
		return fail_name(r, begin, "bad character in group name", len);
	} else if (!number) {
		return re_fail(r, begin, "bad group number");
	} else if (number > UINT16_MAX) {
		return re_fail(r, begin, "invalid group reference %lld", (long long)number);
	}
	vec_push(&r->conditions, ((struct condition){ (uint32_t)number, begin }));
	push_level(r, open)->is_condition = true;
	str_fmt(r->out, "(?(%u)", (unsigned)number);
	return true;
}

static bool skip_comment(struct rewriter *r, size_t open)
{
	const char *end = memchr(r->text + r->at, ')', r->len - r->at);

	if (!end)
		return re_fail(r, open, "missing ), unterminated comment");
	r->at = (size_t)(end - r->text) + 1;
	return true;
}

/* Letters of inline flags, each at most once; in the order of the enum. */
static const char flag_letters[] = "aiLmsux";
enum { FLAG_A = 1, FLAG_I = 2, FLAG_M = 8, FLAG_S = 16, FLAG_U = 32, FLAG_X = 64 };

static unsigned flag_of(char c)
{
	const char *at = c ? strchr(flag_letters, c) : NULL;

	return at ? 1u << (at - flag_letters) : 0;
}

static bool fail_flag(struct rewriter *r, const char *what)
{
	bool is_alpha = re_is_letter(re_peek(r)) || (unsigned char)re_peek(r) >= 0x80;

	return re_fail(r, r->at, "%s", is_alpha ? "unknown flag" : what);
}

/* Letters up to one of ends. on: they are switched on, else off. */
static bool read_flags(struct rewriter *r, const char *ends, bool on, const char *missing,
                       unsigned *out)
{
	while (r->at == r->len || !strchr(ends, re_peek(r))) {
		unsigned flag = flag_of(re_peek(r));

		if (!flag)
			return fail_flag(r, missing);
		r->at++;
		if (on && r->text[r->at - 1] == 'L')
			return re_fail(r, r->at,
			            "bad inline flags: cannot use 'L' flag with a str pattern");
		*out |= flag;
		if (on && (*out & FLAG_A) && (*out & FLAG_U))
			return re_fail(r, r->at,
			            "bad inline flags: flags 'a', 'u' and 'L' are incompatible");
		if (!on && strchr("auL", r->text[r->at - 1]))
			return re_fail(r, r->at,
			            "bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
	}
	return true;
}

/* (?flags) holds for the whole pattern; verbose from here on. */
static void set_global(struct rewriter *r, unsigned on)
{
	r->flags->ascii |= (on & FLAG_A) != 0;
	r->flags->ignore_case |= (on & FLAG_I) != 0;
	r->flags->multi_line |= (on & FLAG_M) != 0;
	r->flags->dot_all |= (on & FLAG_S) != 0;
	for (size_t i = 0; (on & FLAG_X) && i < r->levels.len; i++)
		r->levels.at[i].verbose = true;
}

static void put_flags(struct rewriter *r, unsigned flags)
{
	for (const char *at = flag_letters; *at; at++)
		if (flag_of(*at) & flags & (FLAG_I | FLAG_M | FLAG_S))
			str_putc(r->out, *at);
}

/* (?aiLmsux) or (?aimsux-imsx:...), from the first letter or the - on. */
static bool rewrite_flags(struct rewriter *r, size_t open)
{
	unsigned on = 0, off = 0;
	struct level *level;

	if (!read_flags(r, ")-:", true, "missing -, : or )", &on))
		return false;
	if (re_take(r, ')')) {
		set_global(r, on);
		return true;
	}
	if (re_take(r, '-')) {
		if (!flag_of(re_peek(r)))
			return fail_flag(r, "missing flag");
		if (!read_flags(r, ":", false, "missing :", &off))
			return false;
	}
	if (on & off)
		return re_fail(r, r->at, "bad inline flags: flag turned on and off");
	r->at++;
	level = push_level(r, open);
	level->verbose = (level->verbose || (on & FLAG_X)) && !(off & FLAG_X);
	str_puts(r->out, "(?");
	put_flags(r, on);
	if (off) {
		str_putc(r->out, '-');
		put_flags(r, off);
	}
	str_putc(r->out, ':');
	return true;
}

/* A group that is written in PCRE2 as it is in Python: n bytes from open on. */
static bool open_same(struct rewriter *r, size_t open)
{
	push_level(r, open);
	str_put(r->out, r->text + open, r->at - open);
	return true;
}

/* A group that begins with "(?", which has been passed. */
static bool open_extension(struct rewriter *r, size_t open)
{
	size_t begin = r->at;
	char c = re_peek(r);

	if (flag_of(c) || c == '-')
		return rewrite_flags(r, open);
	if (c && strchr("=!:>", c)) {
		r->at++;
		return open_same(r, open);
	}
	if (re_take(r, '#'))
		return skip_comment(r, open);
	if (re_take(r, '('))
		return open_condition(r, open);
	if (re_take(r, 'P')) {
		if (re_take(r, '<'))
			return open_named(r, open);
		if (re_take(r, '='))
			return rewrite_named_reference(r);
	} else if (re_take(r, '<')) {
		if (re_take(r, '=') || re_take(r, '!'))
			return open_same(r, open);
	}
	return fail_extension(r, begin);
}

bool re_open_group(struct rewriter *r)
{
	size_t open = r->at++;

	if (re_take(r, '?'))
		return open_extension(r, open);
	open_capture(r, open, NULL, 0);
	return true;
}

bool re_close_group(struct rewriter *r)
{
	if (r->levels.len == 1)
		return re_fail(r, r->at, "unbalanced parenthesis");
	if (re_top(r)->group)
		r->groups.at[re_top(r)->group - 1].closed = true;
	r->levels.len--;
	re_top(r)->last = ITEM_OTHER;
	str_putc(r->out, ')');
	r->at++;
	return true;
}
