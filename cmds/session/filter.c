/*
 * The expression becomes a list of operations in postfix order: tests put an answer on a stack,
 * operators take theirs from it. Answers are yes, no or unknown: the list is evaluated with what
 * the listing of the dump tells; if the outcome is unknown, again with the head of the file, then
 * with its elements.
 */
#include "cmds/session/filter.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/survey.h"
#include "cmds/lang/pattern.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

__extension__ typedef __int128 wide;

enum field_kind { KIND_IS_NUMBER, KIND_IS_TEXT, KIND_IS_SHAPE };
enum level { LEVEL_LISTED, LEVEL_HEAD, LEVEL_ELEMENTS };

enum field {
#define X(id, name, kind, level) FIELD_##id,
	FILTER_FIELDS(X)
#undef X
	N_FIELDS
};

static const struct { const char *name; enum field_kind kind; enum level level; } fields[] = {
#define X(id, name, kind, level) [FIELD_##id] = { name, KIND_IS_##kind, LEVEL_##level },
	FILTER_FIELDS(X)
#undef X
};

/* Longer ones first. */
#define COMPARES(X) \
	X(EQUAL, "==") X(NOT_EQUAL, "!=") X(LESS_EQUAL, "<=") X(GREATER_EQUAL, ">=") \
	X(NOT_MATCH, "!~") X(LESS, "<") X(GREATER, ">") X(MATCH, "~")

enum compare {
#define X(id, text) COMPARE_##id,
	COMPARES(X)
#undef X
	N_COMPARES
};

static const char *const compares[] = {
#define X(id, text) [COMPARE_##id] = text,
	COMPARES(X)
#undef X
};

/* Integers are compared as integers: they may be longer than a double holds. */
struct number {
	bool whole;
	wide integer;
	double real;
};

struct test {
	enum field field;
	enum compare compare;
	struct number number;
	char *text;
	struct pattern *pattern;         /* COMPARE_MATCH, COMPARE_NOT_MATCH */
	struct shape shape;              /* dim -1: any */
};

enum operation { PUT_TEST, DO_NOT, DO_AND, DO_OR };
struct step {
	enum operation operation;
	struct test test;
};

struct filter {
	VEC(struct step) steps;
};

/* Each level of brackets keeps at most two answers waiting. */
#define STACK (3 * FILTER_MAX_DEPTH)

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

#define MANTISSA_MAX ((wide)1 << 100)

/* The decimal digits of a number without its sign and unit: mantissa * 10^exponent if *exact. */
struct decimal {
	wide mantissa;
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

static bool read_unit(struct parser *p, enum field field, int *decimals, int *shift)
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
static struct number number_from(const struct decimal *d, int decimals, int shift, bool minus)
{
	struct number out = { .real = ldexp(d->real * pow(10, decimals), shift) };
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

static bool read_field(struct parser *p, enum field *out)
{
	size_t len = 0;

	skip_blanks(p);
	while ((p->text[p->at + len] >= 'a' && p->text[p->at + len] <= 'z') ||
	       p->text[p->at + len] == '_')
		len++;
	for (*out = 0; *out < N_FIELDS; ++*out)
		if (strlen(fields[*out].name) == len &&
		    !strncmp(fields[*out].name, p->text + p->at, len)) {
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

	switch (fields[test->field].kind) {
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
		return fields[test->field].kind == KIND_IS_NUMBER ||
		       refuse_at(p, p->at, "expected a comparison");
	}
	if (!fits_kind(test->compare, fields[test->field].kind))
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

/* Answering. */

enum answer_is { NO, YES, UNKNOWN };

/* What is known about a tensor so far. */
struct subject {
	const struct run *run;
	const struct tensor *tensor;
	const char *op;
	enum level level;
	struct value *value;     /* from LEVEL_HEAD on; NULL: can't be read */
	bool has_survey;         /* at LEVEL_ELEMENTS */
	struct survey survey;
	struct err *err;
};

static enum answer_is answer_from(bool yes)
{
	return yes ? YES : NO;
}

static struct number from_integer(wide integer)
{
	return (struct number){ .whole = true, .integer = integer };
}

static struct number from_elem(const struct dtype_info *type, const void *elem)
{
	if (type->kind == KIND_FLOAT || type->kind == KIND_SMALL_FLOAT)
		return (struct number){ .real = number_of(type, elem) };
	if (type->kind == KIND_UINT)
		return from_integer((uint64_t)int_value(type->dtype, elem));
	return from_integer(int_value(type->dtype, elem));
}

static bool element_number(const struct subject *s, enum field field, struct number *out)
{
	const struct survey *survey = &s->survey;
	const struct dtype_info *type;

	if (!s->has_survey)
		return false;
	type = s->value->type;
	if (field == FIELD_NAN || field == FIELD_INF || field == FIELD_ZEROS) {
		*out = from_integer(field == FIELD_NAN   ? survey->n_nan :
		                    field == FIELD_ZEROS ? survey->n_zero :
		                                           survey->n_pos_inf + survey->n_neg_inf);
		return true;
	}
	if (!survey->ordered || !survey->n_finite)
		return false;
	if (field == FIELD_MIN || field == FIELD_MAX)
		*out = from_elem(type, field == FIELD_MIN ? survey->min : survey->max);
	else
		*out = (struct number){ .real = field == FIELD_MEAN ? survey->mean : survey->std };
	return true;
}

/* False: there is none. */
static bool number_field(const struct subject *s, enum field field, struct number *out)
{
	const struct tensor *t = s->tensor;

	switch (field) {
	case FIELD_BYTES:
		*out = from_integer(t->size_bytes);
		return t->size_bytes >= 0;
	case FIELD_TIME:
		*out = from_integer(run_rel_us(s->run, t));
		return t->time_us >= 0;
	case FIELD_SLOT:
		*out = from_integer(t->slot);
		return true;
	case FIELD_RANK:
		*out = from_integer(s->value ? s->value->shape.rank : 0);
		return s->value;
	case FIELD_COUNT:
		*out = from_integer(s->value ? s->value->count : 0);
		return s->value && s->value->state == VALUE_ARRAY;
	default:
		return element_number(s, field, out);
	}
}

static int order(const struct number *a, const struct number *b)
{
	long double x, y;

	if (a->whole && b->whole)
		return (a->integer > b->integer) - (a->integer < b->integer);
	x = a->whole ? (long double)a->integer : a->real;
	y = b->whole ? (long double)b->integer : b->real;
	return (x > y) - (x < y);
}

static bool ask_number(const struct subject *s, const struct test *test)
{
	struct number number;
	int is;

	if (!number_field(s, test->field, &number))
		return false;
	is = order(&number, &test->number);
	switch (test->compare) {
	case COMPARE_EQUAL:
		return is == 0;
	case COMPARE_NOT_EQUAL:
		return is != 0;
	case COMPARE_LESS:
		return is < 0;
	case COMPARE_LESS_EQUAL:
		return is <= 0;
	case COMPARE_GREATER:
		return is > 0;
	default:
		return is >= 0;
	}
}

/* NULL: there is none. */
static const char *text_field(const struct subject *s, enum field field)
{
	switch (field) {
	case FIELD_OP:
		return s->op;
	case FIELD_NODE:
		return s->tensor->node;
	case FIELD_DEVICE:
		return s->run->devices.at[s->tensor->device].name;
	default:
		return s->value ? s->value->type->name : NULL;
	}
}

static bool ask_text(const struct subject *s, const struct test *test)
{
	const char *text = text_field(s, test->field);
	bool is;

	if (!text)
		return false;
	if (!test->pattern)
		return !strcmp(text, test->text) == (test->compare == COMPARE_EQUAL);
	is = pattern_hits(test->pattern, text, strlen(text), 0, NULL, NULL);
	if (pattern_gave_up(test->pattern) && !s->err->code)
		err_fill(s->err, ERR_LIMIT, "command", 0,
		         "the filter's regular expression takes too long on \"%.100s\": "
		         "give it fewer ways to match",
		         text);
	return is == (test->compare == COMPARE_MATCH);
}

static bool ask_shape(const struct subject *s, const struct test *test)
{
	bool is;

	if (!s->value)
		return false;
	is = s->value->shape.rank == test->shape.rank;
	for (uint32_t i = 0; is && i < test->shape.rank; i++)
		is = test->shape.dim[i] < 0 || test->shape.dim[i] == s->value->shape.dim[i];
	return is == (test->compare == COMPARE_EQUAL);
}

static enum answer_is ask(const struct subject *s, const struct test *test)
{
	if (fields[test->field].level > s->level)
		return UNKNOWN;
	switch (fields[test->field].kind) {
	case KIND_IS_NUMBER:
		return answer_from(ask_number(s, test));
	case KIND_IS_TEXT:
		return answer_from(ask_text(s, test));
	default:
		return answer_from(ask_shape(s, test));
	}
}

static enum answer_is both(enum answer_is a, enum answer_is b)
{
	return a == NO || b == NO ? NO : a == YES && b == YES ? YES : UNKNOWN;
}

static enum answer_is either(enum answer_is a, enum answer_is b)
{
	return a == YES || b == YES ? YES : a == NO && b == NO ? NO : UNKNOWN;
}

static enum answer_is evaluate_at(const struct filter *filter, const struct subject *s)
{
	enum answer_is stack[STACK] = {0};
	size_t n = 0;

	for (size_t i = 0; i < filter->steps.len; i++) {
		const struct step *step = &filter->steps.at[i];

		switch (step->operation) {
		case PUT_TEST:
			stack[n++] = ask(s, &step->test);
			break;
		case DO_NOT:
			stack[n - 1] = stack[n - 1] == UNKNOWN ? UNKNOWN :
			                                         answer_from(stack[n - 1] == NO);
			break;
		case DO_AND:
			n--;
			stack[n - 1] = both(stack[n - 1], stack[n]);
			break;
		case DO_OR:
			n--;
			stack[n - 1] = either(stack[n - 1], stack[n]);
			break;
		}
	}
	return stack[0];
}

/* Reads what the next level needs; what can't be read is missing. */
static void go_deeper(struct subject *s, struct progress *progress)
{
	struct view view;

	if (++s->level == LEVEL_HEAD) {
		s->value = run_value(s->run, s->tensor, s->err);
	} else if (s->value && s->value->state == VALUE_ARRAY) {
		view_all(&view, s->value);
		s->has_survey = survey_of(&view, &s->survey, progress, s->err);
	}
}

bool filter_passes(const struct filter *filter, const struct run *run, const struct tensor *tensor,
                   const char *op, struct progress *progress, struct err *err)
{
	struct subject s = { .run = run, .tensor = tensor, .op = op, .err = err };
	enum answer_is answer;

	while ((answer = evaluate_at(filter, &s)) == UNKNOWN && s.level < LEVEL_ELEMENTS)
		go_deeper(&s, progress);
	value_close(s.value);
	return answer == YES;
}
