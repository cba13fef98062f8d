/*
 * The expression becomes a list of operations in postfix order: tests put an answer on a stack,
 * operators take theirs from it.
 */
#include "cmds/session/filter.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/filter_parts.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"

const struct filter_field_row filter_fields[] = {
#define X(id, name, kind, level) [FIELD_##id] = { name, KIND_IS_##kind, LEVEL_##level },
	FILTER_FIELDS(X)
#undef X
};

static const char *const compares[] = {
#define X(id, text) [COMPARE_##id] = text,
	COMPARES(X)
#undef X
};

/* Reading. */

struct parser {
	const char *text;
	size_t at;
	int depth;
	struct filter *filter;
	struct err *err;
};

static bool refuse_at(struct parser *p, size_t at, const char *what)
{
	return err_at(p->err, ERR_SYNTAX, "command", at, "column %zu: %s", at + 1, what);
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->text + p->at, " \t");
}

static bool take(struct parser *p, const char *token)
{
	skip_blanks(p);
	if (strncmp(p->text + p->at, token, strlen(token)))
		return false;
	p->at += strlen(token);
	return true;
}

/* The operator must not be the beginning of a longer one. */
static bool take_compare(struct parser *p, enum compare *out)
{
	for (*out = 0; *out < N_COMPARES; ++*out)
		if (take(p, compares[*out]))
			return true;
	return false;
}

static struct step *add_step(struct parser *p, enum operation operation)
{
	struct step *step = vec_add(&p->filter->steps);

	step->operation = operation;
	return step;
}

#define MANTISSA_MAX ((wide_int)1 << 100)

/* The decimal digits of a number without its sign and unit: mantissa * 10^exponent if *exact. */
struct decimal {
	wide_int mantissa;
	int exponent;
	bool exact;
	double real;
};

static void add_digit(struct decimal *d, char digit, bool fraction)
{
	if (d->mantissa > MANTISSA_MAX / 10) {
		d->exact = false;
		return;
	}
	d->mantissa = d->mantissa * 10 + (digit - '0');
	d->exponent -= fraction;
}

static bool read_decimal(struct parser *p, struct decimal *out)
{
	const char *begin = p->text + p->at, *at = begin;
	bool minus;
	int exponent = 0;

	*out = (struct decimal){ .exact = true };
	if (!is_digit(*at))
		return refuse_at(p, p->at, "expected a number");
	for (; is_digit(*at); at++)
		add_digit(out, *at, false);
	if (*at == '.' && !is_digit(at[1]))
		return refuse_at(p, (size_t)(at + 1 - p->text), "expected a digit");
	if (*at == '.')
		for (at++; is_digit(*at); at++)
			add_digit(out, *at, true);
	if (*at == 'e') {
		minus = *++at == '-';
		at += *at == '-' || *at == '+';
		if (!is_digit(*at))
			return refuse_at(p, (size_t)(at - p->text), "expected a digit");
		for (; is_digit(*at); at++)
			exponent = exponent < 10000 ? exponent * 10 + (*at - '0') : exponent;
		out->exponent += minus ? -exponent : exponent;
	}
	out->real = strtod(begin, NULL);
	p->at = (size_t)(at - p->text);
	return true;
}

/* Units, and what a number with one is multiplied by; times are kept in microseconds. */
static const struct { const char *name; bool is_time; int decimals; int shift; } units[] = {
	{ "us", true, 0, 0 }, { "ms", true, 3, 0 }, { "s", true, 6, 0 },
	{ "k", false, 3, 10 }, { "M", false, 6, 20 }, { "G", false, 9, 30 },
};
enum { N_UNITS = sizeof units / sizeof *units, MILLISECONDS = 1 };

static bool read_unit(struct parser *p, enum filter_field field, int *decimals, int *shift)
{
	size_t begin = p->at;
	int i = field == FIELD_TIME ? MILLISECONDS : N_UNITS;

	for (int k = 0; k < N_UNITS; k++)
		if (!strncmp(p->text + p->at, units[k].name, strlen(units[k].name))) {
			i = k;
			p->at += strlen(units[k].name);
			break;
		}
	*decimals = *shift = 0;
	if (i == N_UNITS)
		return true;
	if (units[i].is_time != (field == FIELD_TIME))
		return refuse_at(p, begin, "this unit does not fit the field");
	if (field == FIELD_BYTES)
		*shift = units[i].shift;
	else
		*decimals = units[i].decimals;
	return true;
}

/* As an integer if it is one. */
static struct filter_number number_from(const struct decimal *d, int decimals, int shift,
                                        bool minus)
{
	struct filter_number out = { .real = ldexp(d->real * pow(10, decimals), shift) };
	int exponent = d->exponent + decimals;

	out.whole = d->exact;
	out.integer = d->mantissa;
	for (; out.whole && exponent < 0; exponent++) {
		out.whole = out.integer % 10 == 0;
		out.integer /= 10;
	}
	for (; out.whole && exponent > 0 && out.integer; exponent--) {
		out.whole = out.integer <= MANTISSA_MAX / 10;
		out.integer *= 10;
	}
	out.whole = out.whole && out.integer <= MANTISSA_MAX >> shift;
	if (out.whole)
		out.integer <<= shift;
	if (minus) {
		out.integer = out.whole ? -out.integer : 0;
		out.real = -out.real;
	}
	return out;
}

static bool read_number(struct parser *p, struct test *test)
{
	struct decimal decimal;
	int decimals, shift;
	bool minus = take(p, "-");

	if (!minus)
		skip_blanks(p);
	if (!read_decimal(p, &decimal) || !read_unit(p, test->field, &decimals, &shift))
		return false;
	test->number = number_from(&decimal, decimals, shift, minus);
	return true;
}

static bool read_string(struct parser *p, struct test *test)
{
	struct str text = {0};
	size_t begin;
	char quote;

	skip_blanks(p);
	begin = p->at;
	quote = p->text[p->at];
	if (quote != '"' && quote != '\'')
		return refuse_at(p, begin, "expected a text in quotes");
	for (p->at++; p->text[p->at] && p->text[p->at] != quote; p->at++) {
		if (p->text[p->at] == '\\' && p->text[p->at + 1])
			p->at++;
		str_putc(&text, p->text[p->at]);
	}
	test->text = mem_copy(str_text(&text), text.len);
	str_release(&text);
	if (!p->text[p->at])
		return refuse_at(p, begin, "the quote is not closed");
	p->at++;
	return true;
}

static bool read_pattern(struct parser *p, struct test *test, size_t begin)
{
	struct err own = {0};

	test->pattern = pattern_new(test->text, PATTERN_SEARCH, false, &own);
	return test->pattern ||
	       err_at(p->err, ERR_REGEX, "command", begin, "column %zu: %s", begin + 1, own.msg);
}

static bool read_dims(struct parser *p, struct test *test)
{
	struct shape *shape = &test->shape;

	if (!take(p, "["))
		return refuse_at(p, p->at, "expected [");
	if (take(p, "]"))
		return true;
	do {
		int64_t dim = -1;

		if (shape->rank == SHAPE_MAX_RANK)
			return refuse_at(p, p->at, "too many dimensions");
		if (!take(p, "_")) {
			if (!is_digit(p->text[p->at]))
				return refuse_at(p, p->at, "expected a size or _");
			for (dim = 0; is_digit(p->text[p->at]); p->at++) {
				if (dim > (INT64_MAX - 9) / 10)
					return refuse_at(p, p->at, "the size is too large");
				dim = dim * 10 + (p->text[p->at] - '0');
			}
		}
		shape->dim[shape->rank++] = dim;
	} while (take(p, ","));
	return take(p, "]") || refuse_at(p, p->at, "expected , or ]");
}

static bool read_field(struct parser *p, enum filter_field *out)
{
	size_t len = 0;

	skip_blanks(p);
	while ((p->text[p->at + len] >= 'a' && p->text[p->at + len] <= 'z') ||
	       p->text[p->at + len] == '_')
		len++;
	for (*out = 0; *out < N_FILTER_FIELDS; ++*out)
		if (strlen(filter_fields[*out].name) == len &&
		    !strncmp(filter_fields[*out].name, p->text + p->at, len)) {
			p->at += len;
			return true;
		}
	return refuse_at(p, p->at, len ? "there is no such field" : "expected a field, ! or (");
}

static bool fits_kind(enum compare compare, enum field_kind kind)
{
	switch (compare) {
	case COMPARE_EQUAL:
	case COMPARE_NOT_EQUAL:
		return true;
	case COMPARE_MATCH:
	case COMPARE_NOT_MATCH:
		return kind == KIND_IS_TEXT;
	default:
		return kind == KIND_IS_NUMBER;
	}
}

static bool read_operand(struct parser *p, struct test *test)
{
	size_t begin;

	switch (filter_fields[test->field].kind) {
	case KIND_IS_NUMBER:
		return read_number(p, test);
	case KIND_IS_SHAPE:
		return read_dims(p, test);
	default:
		skip_blanks(p);
		begin = p->at;
		return read_string(p, test) &&
		       (test->compare == COMPARE_EQUAL || test->compare == COMPARE_NOT_EQUAL ||
		        read_pattern(p, test, begin));
	}
}

static bool read_test(struct parser *p)
{
	struct test *test = &add_step(p, PUT_TEST)->test;
	enum compare again;
	size_t begin;

	if (!read_field(p, &test->field))
		return false;
	skip_blanks(p);
	begin = p->at;
	if (!take_compare(p, &test->compare)) {
		test->compare = COMPARE_GREATER;
		test->number.whole = true;
		return filter_fields[test->field].kind == KIND_IS_NUMBER ||
		       refuse_at(p, p->at, "expected a comparison");
	}
	if (!fits_kind(test->compare, filter_fields[test->field].kind))
		return refuse_at(p, begin, "this comparison does not fit the field");
	if (!read_operand(p, test))
		return false;
	skip_blanks(p);
	begin = p->at;
	return !take_compare(p, &again) || refuse_at(p, begin, "comparisons can't be chained");
}

static bool read_or(struct parser *p);

static bool deeper(struct parser *p)
{
	return ++p->depth <= FILTER_MAX_DEPTH || refuse_at(p, p->at, "nested too deeply");
}

static bool read_not(struct parser *p)
{
	bool ok;

	if (take(p, "!")) {
		ok = deeper(p) && read_not(p);
		add_step(p, DO_NOT);
	} else if (take(p, "(")) {
		ok = deeper(p) && read_or(p) &&
		     (take(p, ")") || refuse_at(p, p->at, "expected )"));
	} else {
		return read_test(p);
	}
	p->depth--;
	return ok;
}

static bool read_and(struct parser *p)
{
	if (!read_not(p))
		return false;
	while (take(p, "&&")) {
		if (!read_not(p))
			return false;
		add_step(p, DO_AND);
	}
	return true;
}

static bool read_or(struct parser *p)
{
	if (!read_and(p))
		return false;
	while (take(p, "||")) {
		if (!read_and(p))
			return false;
		add_step(p, DO_OR);
	}
	return true;
}

static bool read_all(struct parser *p)
{
	if (strlen(p->text) > FILTER_MAX_BYTES)
		return refuse_at(p, FILTER_MAX_BYTES, "the expression is too long");
	if (!read_or(p))
		return false;
	skip_blanks(p);
	return !p->text[p->at] || refuse_at(p, p->at, "expected && or ||");
}

struct filter *filter_parse(const char *text, struct err *err)
{
	struct parser p = { .text = text, .filter = mem_alloc(sizeof *p.filter), .err = err };

	if (read_all(&p))
		return p.filter;
	filter_free(p.filter);
	return NULL;
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->steps.len; i++) {
		free(filter->steps.at[i].test.text);
		pattern_free(filter->steps.at[i].test.pattern);
	}
	vec_release(&filter->steps);
	free(filter);
}
