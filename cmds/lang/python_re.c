/*
 * One walk from left to right, without recursion: a stack holds the open groups. For each branch it
 * knows what the last item was, because that decides whether a repeat may follow. What Python takes
 * literally and PCRE2 does not is written escaped, so no feature of PCRE2 that Python lacks can be
 * reached.
 */
#include "cmds/lang/python_re.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "dump/base/str.h"
#include "dump/base/utf8.h"
#include "dump/base/vec.h"

enum item { ITEM_NONE, ITEM_PLACE /* ^ $ \b: not to be repeated */, ITEM_REPEAT, ITEM_OTHER };
enum { MAX_REPEAT = 65535, BASE_OCTAL = 8, BASE_HEX = 16 };

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

static bool fail(struct rewriter *r, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static bool fail(struct rewriter *r, size_t at, const char *fmt, ...)
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

/* "WHAT 'repr of the name'" */
static bool fail_name(struct rewriter *r, size_t at, const char *what, size_t name_len)
{
	struct str repr = {0};

	python_repr(&repr, r->text + at, name_len);
	fail(r, at, "%s %s", what, str_text(&repr));
	str_release(&repr);
	return false;
}

/* '\0' at the end. */
static char peek(const struct rewriter *r)
{
	return r->at < r->len ? r->text[r->at] : '\0';
}

static bool take(struct rewriter *r, char c)
{
	if (peek(r) != c || !c)
		return false;
	r->at++;
	return true;
}

static size_t char_bytes(const struct rewriter *r, size_t at)
{
	uint32_t cp;

	return at < r->len ? utf8_next(r->text + at, r->len - at, &cp) : 0;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int digit_value(char c)
{
	char lower = (char)(c | 0x20);

	if (is_digit(c))
		return c - '0';
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : BASE_HEX;
}

/* At most max digits of the base; how many there were. */
static int take_number(struct rewriter *r, int base, int max, uint32_t *out)
{
	int n = 0;

	*out = 0;
	while (n < max && r->at < r->len && digit_value(peek(r)) < base) {
		*out = *out * (uint32_t)base + (uint32_t)digit_value(r->text[r->at++]);
		n++;
	}
	return n;
}

static struct level *top(struct rewriter *r)
{
	return vec_last(&r->levels);
}

static void put_code(struct rewriter *r, uint32_t cp)
{
	str_fmt(r->out, "\\x{%x}", (unsigned)cp);
}

/* What an escape stands for, where it is the same inside and outside a set. */
enum escape { ESCAPE_CODE, ESCAPE_CLASS, ESCAPE_OTHER };

static bool read_hex(struct rewriter *r, size_t begin, int digits, uint32_t *cp)
{
	if (take_number(r, BASE_HEX, digits, cp) < digits)
		return fail(r, begin, "incomplete escape %.*s", (int)(r->at - begin),
		            r->text + begin);
	if (*cp > 0x10ffff)
		return fail(r, begin, "bad escape %.*s", (int)(r->at - begin), r->text + begin);
	return true;
}

static bool check_octal(struct rewriter *r, size_t begin, uint32_t cp)
{
	return cp <= 0377 || fail(r, begin, "octal escape value %.*s outside of range 0-0o377",
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
	char c = peek(r);

	if (r->at == r->len)
		return fail(r, begin, "bad escape (end of pattern)");
	*kind = ESCAPE_CODE;
	r->at += utf8_next(r->text + r->at, r->len - r->at, cp);
	control = is_letter(c) ? strchr(controls, c) : NULL;
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
	if (is_letter(c) && strchr("dDsSwW", c))
		*kind = ESCAPE_CLASS;
	else if (is_letter(c) || is_digit(c))
		*kind = ESCAPE_OTHER;
	return true;
}

static bool put_reference(struct rewriter *r, size_t at, size_t name_at, uint32_t group)
{
	if (group > r->groups.len || !group)
		return fail(r, name_at, "invalid group reference %u", (unsigned)group);
	if (!r->groups.at[group - 1].closed)
		return fail(r, at, "cannot refer to an open group");
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
		take_number(r, BASE_OCTAL, 3, &value);
		if (!check_octal(r, begin, value))
			return false;
		put_code(r, value);
		return true;
	}
	take_number(r, 10, 2, &value);
	return put_reference(r, begin, begin + 1, value);
}

static bool rewrite_escape(struct rewriter *r)
{
	size_t begin = r->at;
	enum escape kind;
	uint32_t cp;

	if (!read_escape(r, &kind, &cp))
		return false;
	top(r)->last = ITEM_OTHER;
	if (kind == ESCAPE_CODE) {
		put_code(r, cp);
	} else if (kind == ESCAPE_CLASS) {
		str_fmt(r->out, "\\%c", (char)cp);
	} else if (is_digit((char)cp)) {
		return rewrite_number(r, begin);
	} else if (strchr("AbBZ", (char)cp)) {
		str_fmt(r->out, "\\%c", cp == 'Z' ? 'z' : (char)cp);
		top(r)->last = ITEM_PLACE;
	} else {
		return fail(r, begin, "bad escape \\%c", (char)cp);
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
		return fail(r, open, "unterminated character set");
	if (peek(r) != '\\') {
		r->at += utf8_next(r->text + r->at, r->len - r->at, &out->cp);
	} else if (!read_escape(r, &kind, &out->cp)) {
		return false;
	} else if (kind == ESCAPE_OTHER && out->cp == 'b') {
		out->cp = '\b';
	} else if (kind == ESCAPE_OTHER && is_octal((char)out->cp)) {
		r->at = out->begin + 1;
		take_number(r, BASE_OCTAL, 3, &out->cp);
		if (!check_octal(r, out->begin, out->cp))
			return false;
	} else if (kind == ESCAPE_OTHER) {
		return fail(r, out->begin, "bad escape \\%c", (char)out->cp);
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
		return fail(r, low->begin, "bad character range %.*s-%.*s",
		            (int)(low->end - low->begin), r->text + low->begin,
		            (int)(high.end - high.begin), r->text + high.begin);
	put_member(r, low);
	str_putc(r->out, '-');
	put_member(r, &high);
	return true;
}

static bool rewrite_set(struct rewriter *r)
{
	size_t open = r->at++;
	bool first = true;

	str_putc(r->out, '[');
	if (take(r, '^'))
		str_putc(r->out, '^');
	while (first || peek(r) != ']') {
		struct member low;

		first = false;
		if (!read_member(r, open, &low))
			return false;
		if (peek(r) != '-' || (r->at + 1 < r->len && r->text[r->at + 1] == ']')) {
			put_member(r, &low);
			continue;
		}
		r->at++;
		if (!rewrite_range(r, open, &low))
			return false;
	}
	r->at++;
	str_putc(r->out, ']');
	top(r)->last = ITEM_OTHER;
	return true;
}

static void rewrite_literal(struct rewriter *r)
{
	size_t n = char_bytes(r, r->at);

	if (peek(r) == '{')
		str_putc(r->out, '\\');
	str_put(r->out, r->text + r->at, n);
	r->at += n;
	top(r)->last = ITEM_OTHER;
}

/* Digits of a count, all of them; how many. One that is too large stays so. */
static int take_count(struct rewriter *r, uint32_t *out)
{
	int n = take_number(r, 10, 9, out);

	while (is_digit(peek(r))) {
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
	bool comma = take(r, ',');

	*max = *min;
	if (comma)
		n_max = take_count(r, max);
	*is_repeat = (n_min || comma) && take(r, '}');
	if (!*is_repeat) {
		r->at = begin;
		return true;
	}
	if (*min > MAX_REPEAT || *max > MAX_REPEAT)
		return fail(r, begin, "the repetition number is too large");
	if (!n_max)
		*max = UINT32_MAX;
	return *min <= *max || fail(r, begin + 1, "min repeat greater than max repeat");
}

static bool rewrite_repeat(struct rewriter *r)
{
	size_t begin = r->at;
	uint32_t min = 0, max = 0;
	bool counted = peek(r) == '{', is_repeat = true;

	if (!counted)
		r->at++;
	else if (!read_counts(r, &min, &max, &is_repeat))
		return false;
	if (!is_repeat) {
		rewrite_literal(r);
		return true;
	}
	if (top(r)->last == ITEM_NONE || top(r)->last == ITEM_PLACE)
		return fail(r, begin, "nothing to repeat");
	if (top(r)->last == ITEM_REPEAT)
		return fail(r, begin, "multiple repeat");
	if (!counted)
		str_putc(r->out, r->text[begin]);
	else if (max == UINT32_MAX)
		str_fmt(r->out, "{%u,}", (unsigned)min);
	else
		str_fmt(r->out, "{%u,%u}", (unsigned)min, (unsigned)max);
	if (peek(r) == '?' || peek(r) == '+')
		str_putc(r->out, r->text[r->at++]);
	top(r)->last = ITEM_REPEAT;
	return true;
}

static struct level *push_level(struct rewriter *r, size_t open)
{
	bool verbose = top(r)->verbose;
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
	while (r->at < r->len && peek(r) != terminator)
		r->at++;
	*len = r->at - *begin;
	if (!*len)
		return fail(r, r->at, "missing group name");
	if (r->at == r->len)
		return fail(r, *begin, "missing %c, unterminated name", terminator);
	r->at++;
	return true;
}

static bool is_identifier(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_letter(name[i]) && name[i] != '_' && (unsigned char)name[i] < 0x80 &&
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
		return fail(r, begin,
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
	top(r)->last = ITEM_OTHER;
	return put_reference(r, begin, begin, group);
}

/*
 * After "(?" comes what Python does not know; at is where it begins, the rewriter at its last
 * character (or escape).
 */
static bool fail_extension(struct rewriter *r, size_t at)
{
	size_t n = char_bytes(r, r->at);

	if (!n)
		return fail(r, r->at, "unexpected end of pattern");
	if (peek(r) == '\\')
		n += char_bytes(r, r->at + 1);
	return fail(r, at - 1, "unknown extension ?%.*s", (int)(r->at + n - at), r->text + at);
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
		return fail(r, begin, "bad group number");
	} else if (number > UINT16_MAX) {
		return fail(r, begin, "invalid group reference %lld", (long long)number);
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
		return fail(r, open, "missing ), unterminated comment");
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
	bool is_alpha = is_letter(peek(r)) || (unsigned char)peek(r) >= 0x80;

	return fail(r, r->at, "%s", is_alpha ? "unknown flag" : what);
}

/* Letters up to one of ends. on: they are switched on, else off. */
static bool read_flags(struct rewriter *r, const char *ends, bool on, const char *missing,
                       unsigned *out)
{
	while (r->at == r->len || !strchr(ends, peek(r))) {
		unsigned flag = flag_of(peek(r));

		if (!flag)
			return fail_flag(r, missing);
		r->at++;
		if (on && r->text[r->at - 1] == 'L')
			return fail(r, r->at,
			            "bad inline flags: cannot use 'L' flag with a str pattern");
		*out |= flag;
		if (on && (*out & FLAG_A) && (*out & FLAG_U))
			return fail(r, r->at,
			            "bad inline flags: flags 'a', 'u' and 'L' are incompatible");
		if (!on && strchr("auL", r->text[r->at - 1]))
			return fail(r, r->at,
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
	if (take(r, ')')) {
		set_global(r, on);
		return true;
	}
	if (take(r, '-')) {
		if (!flag_of(peek(r)))
			return fail_flag(r, "missing flag");
		if (!read_flags(r, ":", false, "missing :", &off))
			return false;
	}
	if (on & off)
		return fail(r, r->at, "bad inline flags: flag turned on and off");
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
	char c = peek(r);

	if (flag_of(c) || c == '-')
		return rewrite_flags(r, open);
	if (c && strchr("=!:>", c)) {
		r->at++;
		return open_same(r, open);
	}
	if (take(r, '#'))
		return skip_comment(r, open);
	if (take(r, '('))
		return open_condition(r, open);
	if (take(r, 'P')) {
		if (take(r, '<'))
			return open_named(r, open);
		if (take(r, '='))
			return rewrite_named_reference(r);
	} else if (take(r, '<')) {
		if (take(r, '=') || take(r, '!'))
			return open_same(r, open);
	}
	return fail_extension(r, begin);
}

static bool open_group(struct rewriter *r)
{
	size_t open = r->at++;

	if (take(r, '?'))
		return open_extension(r, open);
	open_capture(r, open, NULL, 0);
	return true;
}

static bool close_group(struct rewriter *r)
{
	if (r->levels.len == 1)
		return fail(r, r->at, "unbalanced parenthesis");
	if (top(r)->group)
		r->groups.at[top(r)->group - 1].closed = true;
	r->levels.len--;
	top(r)->last = ITEM_OTHER;
	str_putc(r->out, ')');
	r->at++;
	return true;
}

static bool begin_branch(struct rewriter *r)
{
	struct level *level = top(r);

	if (++level->n_bars > 1 && level->is_condition)
		return fail(r, r->at, "conditional backref with more than two branches");
	level->last = ITEM_NONE;
	str_putc(r->out, '|');
	r->at++;
	return true;
}

/* Blanks and comments of a verbose pattern. */
static bool skip_verbose(struct rewriter *r)
{
	size_t begin = r->at;

	if (!top(r)->verbose)
		return false;
	r->at += strspn(r->text + r->at, " \t\n\r\v\f");
	if (peek(r) == '#')
		r->at += strcspn(r->text + r->at, "\n");
	return r->at > begin;
}

static bool rewrite_next(struct rewriter *r)
{
	switch (peek(r)) {
	case '\\':
		return rewrite_escape(r);
	case '[':
		return rewrite_set(r);
	case '*':
	case '+':
	case '?':
	case '{':
		return rewrite_repeat(r);
	case '(':
		return open_group(r);
	case ')':
		return close_group(r);
	case '|':
		return begin_branch(r);
	case '^':
	case '$':
		rewrite_literal(r);
		top(r)->last = ITEM_PLACE;
		return true;
	default:
		rewrite_literal(r);
		return true;
	}
}

static bool check_end(struct rewriter *r)
{
	if (r->levels.len > 1)
		return fail(r, top(r)->open, "missing ), unterminated subpattern");
	for (size_t i = 0; i < r->conditions.len; i++)
		if (r->conditions.at[i].group > r->groups.len)
			return fail(r, r->conditions.at[i].at, "invalid group reference %u",
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
