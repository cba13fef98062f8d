/*
 * A reader by descent. It goes down only at brackets, at most MAX_DEPTH of them. What may be an
 * expression but is no literal (a name, a call, an operator) is not read to its end: it is
 * malformed at once.
 */
#include "cmds/lang/literal.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/base/utf8.h"

enum { MAX_DEPTH = 64 };
#define MAX_WHOLE ((wide_int)1 << 100)

struct reader {
	const char *text;
	size_t len, at;
	struct arena *mem;
	int depth;
	struct err *err;
};

static struct literal *read_value(struct reader *r);

static void *refuse(struct reader *r, enum err_code code, const char *what)
{
	err_fill(r->err, code, "command", r->at, "%s", what);
	return NULL;
}

static void *invalid(struct reader *r)
{
	if (r->at >= r->len)
		return refuse(r, ERR_SYNTAX, "unexpected EOF while parsing (<unknown>, line 1)");
	return refuse(r, ERR_SYNTAX, "invalid syntax (<unknown>, line 1)");
}

static void *malformed(struct reader *r)
{
	return refuse(r, ERR_VALUE, "malformed node or string");
}

static char peek(const struct reader *r)
{
	return r->at < r->len ? r->text[r->at] : '\0';
}

static char next_char(struct reader *r)
{
	while (r->at < r->len && strchr(" \t\f\n\r", r->text[r->at]))
		r->at++;
	return peek(r);
}

static bool is_name_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

static struct literal *make(struct reader *r, enum literal_kind kind)
{
	struct literal *made = arena_alloc(r->mem, sizeof *made);

	made->kind = kind;
	return made;
}

/*
 * Digits of the base with single _ between them; before_ok: a _ may come first (after 0x). Put into
 * out without _.
 */
static bool take_digits(struct reader *r, unsigned base, bool before_ok, struct str *out)
{
	size_t begin = out->len;
	bool may_split = before_ok;

	for (;; r->at++) {
		char c = peek(r), lower = (char)(c | 0x20);
		unsigned d = is_digit(c) ? (unsigned)(c - '0')
		             : lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10 : 99;

		if (d < base)
			str_putc(out, c);
		else if (c != '_' || !may_split)
			break;
		may_split = d < base;
	}
	return out->len > begin && r->text[r->at - 1] != '_';
}

static wide_int whole_of(const char *digits, unsigned base)
{
	wide_int value = 0;

	for (const char *at = digits; *at && value < MAX_WHOLE; at++) {
		int d = is_digit(*at) ? *at - '0' : (*at | 0x20) - 'a' + 10;

		value = value * (int)base + d;
	}
	return value < MAX_WHOLE ? value : MAX_WHOLE;
}

static struct literal *make_int(struct reader *r, const char *digits, unsigned base)
{
	struct literal *made = make(r, LITERAL_INT);

	made->whole = whole_of(digits, base);
	made->real = base == 10 ? strtod(digits, NULL) : (double)made->whole;
	return made;
}

/* 0x, 0o or 0b stands before the digits. */
static struct literal *read_in_base(struct reader *r, unsigned base, struct str *digits)
{
	r->at += 2;
	if (!take_digits(r, base, true, digits))
		return invalid(r);
	return make_int(r, digits->text, base);
}

static bool all_zeros(const char *digits)
{
	return digits[strspn(digits, "0")] == '\0';
}

/* [digits][.digits][e[sign]digits][j] */
static struct literal *read_decimal(struct reader *r, struct str *digits)
{
	bool is_int = true, any = take_digits(r, 10, false, digits);
	struct literal *made;

	if (peek(r) == '.') {
		is_int = false;
		str_putc(digits, '.');
		r->at++;
		any |= take_digits(r, 10, false, digits);
	}
	if (any && (peek(r) == 'e' || peek(r) == 'E')) {
		is_int = false;
		str_putc(digits, 'e');
		r->at++;
		if (peek(r) == '-' || peek(r) == '+')
			str_putc(digits, r->text[r->at++]);
		any = take_digits(r, 10, false, digits);
	}
	if (!any)
		return invalid(r);
	if (peek(r) == 'j' || peek(r) == 'J') {
		r->at++;
		made = make(r, LITERAL_COMPLEX);
		made->real = strtod(digits->text, NULL);
		return made;
	}
	if (is_int && digits->text[0] == '0' && !all_zeros(digits->text))
		return invalid(r);
	if (is_int)
		return make_int(r, digits->text, 10);
	made = make(r, LITERAL_FLOAT);
	made->real = strtod(digits->text, NULL);
	return made;
}

static struct literal *read_number(struct reader *r)
{
	static const struct {
		char letter;
		unsigned base;
	} bases[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };
	struct str digits = {0};
	struct literal *made = NULL;
	unsigned base = 10;

	for (size_t i = 0; i < 3 && peek(r) == '0' && r->at + 1 < r->len; i++)
		if ((r->text[r->at + 1] | 0x20) == bases[i].letter)
			base = bases[i].base;
	made = base == 10 ? read_decimal(r, &digits) : read_in_base(r, base, &digits);
	str_release(&digits);
	return made && is_name_char(peek(r)) ? invalid(r) : made;
}

/* A number, perhaps after a sign. */
static struct literal *read_signed(struct reader *r)
{
	struct literal *made;
	bool minus = peek(r) == '-';

	if (minus || peek(r) == '+')
		r->at++;
	next_char(r);
	if (!is_digit(peek(r)) && peek(r) != '.')
		return peek(r) ? malformed(r) : invalid(r);
	made = read_number(r);
	if (made && minus) {
		made->whole = -made->whole;
		made->real = -made->real;
	}
	return made;
}

/* A string in single quote marks; of its text only the length counts. */
static struct literal *read_text(struct reader *r)
{
	struct literal *made = make(r, LITERAL_STR);
	char quote = r->text[r->at++];

	while (peek(r) != quote) {
		uint32_t cp;

		if (r->at < r->len && peek(r) == '\\')
			r->at++;
		if (r->at >= r->len)
			return refuse(r, ERR_SYNTAX,
			              "EOL while scanning string literal (<unknown>, line 1)");
		r->at += utf8_next(r->text + r->at, r->len - r->at, &cp);
		made->len++;
	}
	r->at++;
	return made;
}

static struct literal *read_name(struct reader *r)
{
	static const struct {
		const char *name;
		enum literal_kind kind;
		int value;
	} names[] = {
		{ "None", LITERAL_NONE, 0 },
		{ "False", LITERAL_BOOL, 0 },
		{ "True", LITERAL_BOOL, 1 },
	};
	size_t begin = r->at;

	while (is_name_char(peek(r)))
		r->at++;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct literal *made;

		if (strlen(names[i].name) != r->at - begin ||
		    memcmp(names[i].name, r->text + begin, r->at - begin))
			continue;
		made = make(r, names[i].kind);
		made->whole = names[i].value;
		made->real = names[i].value;
		return made;
	}
	return malformed(r);
}

/*
 * Items with commas between them up to close ('\0': the end), which is passed. One item without a
 * comma is no tuple: it is the result itself.
 */
static struct literal *read_items(struct reader *r, enum literal_kind kind, char close)
{
	struct literal *made = make(r, kind), **tail = &made->first;
	bool comma = false;

	while (next_char(r) != close) {
		if (made->len && !comma)
			return invalid(r);
		*tail = read_value(r);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
		made->len++;
		comma = next_char(r) == ',';
		r->at += comma;
	}
	if (close)
		r->at++;
	else if (!made->len)
		return invalid(r);
	return kind == LITERAL_TUPLE && made->len == 1 && !comma ? made->first : made;
}

static struct literal *read_brackets(struct reader *r)
{
	bool is_list = r->text[r->at++] == '[';
	struct literal *made;

	if (++r->depth > MAX_DEPTH)
		return refuse(r, ERR_SYNTAX, "too many nested parentheses (<unknown>, line 1)");
	made = is_list ? read_items(r, LITERAL_LIST, ']') : read_items(r, LITERAL_TUPLE, ')');
	r->depth--;
	return made;
}

static struct literal *read_value(struct reader *r)
{
	char c = next_char(r);

	if (c == '[' || c == '(')
		return read_brackets(r);
	if (c == '-' || c == '+' || c == '.' || is_digit(c))
		return read_signed(r);
	if (c == '\'' || c == '"')
		return read_text(r);
	if (is_name_char(c))
		return read_name(r);
	return c == '{' ? malformed(r) : invalid(r);
}

struct literal *literal_read(const char *text, struct arena *mem, struct err *err)
{
	struct reader r = { .text = text, .len = strlen(text), .mem = mem, .err = err };

	return read_items(&r, LITERAL_TUPLE, '\0');
}

const char *literal_type(const struct literal *literal)
{
	static const char *const names[] = {
		[LITERAL_INT] = "int", [LITERAL_FLOAT] = "float", [LITERAL_COMPLEX] = "complex",
		[LITERAL_BOOL] = "bool", [LITERAL_NONE] = "NoneType", [LITERAL_STR] = "str",
		[LITERAL_LIST] = "list", [LITERAL_TUPLE] = "tuple",
	};

	return names[literal->kind];
}
