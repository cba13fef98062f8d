/*
 * The list of operations is evaluated with what the list of tensors tells; if the outcome is open,
 * again with the head of the record, then with its elements.
 */
#include <string.h>

#include "cmds/session/filter_parts.h"

static enum answer3 answer_from(bool yes)
{
	return yes ? ANSWER_YES : ANSWER_NO;
}

static struct filter_number from_elem(const struct dtype_info *type, const void *elem)
{
	if (type->kind == KIND_FLOAT || type->kind == KIND_SMALL_FLOAT)
		return (struct filter_number){ .real = number_of(type, elem) };
	if (type->kind == KIND_UINT)
		return filter_integer((uint64_t)int_value(type->dtype, elem));
	return filter_integer(int_value(type->dtype, elem));
}

bool filter_survey_number(const struct survey *survey, const struct dtype_info *type,
                          enum filter_field field, struct filter_number *out)
{
	if (field == FIELD_NAN || field == FIELD_INF || field == FIELD_ZEROS) {
		*out = filter_integer(field == FIELD_NAN   ? survey->n_nan :
		                      field == FIELD_ZEROS ? survey->n_zero :
		                                             survey->n_pos_inf + survey->n_neg_inf);
		return true;
	}
	if (!survey->ordered || !survey->n_finite)
		return false;
	if (field == FIELD_MIN || field == FIELD_MAX)
		*out = from_elem(type, field == FIELD_MIN ? survey->min : survey->max);
	else
		*out = (struct filter_number){ .real = field == FIELD_MEAN ? survey->mean
		                                                           : survey->std };
	return true;
}

/* Tests. */

/* Of what is not told; of what there is not. */
static enum answer3 without(enum filter_told told)
{
	return told == FIELD_ABSENT ? ANSWER_NO : ANSWER_OPEN;
}

static int order(const struct filter_number *a, const struct filter_number *b)
{
	long double x, y;

	if (a->whole && b->whole)
		return (a->integer > b->integer) - (a->integer < b->integer);
	x = a->whole ? (long double)a->integer : a->real;
	y = b->whole ? (long double)b->integer : b->real;
	return (x > y) - (x < y);
}

static enum answer3 ask_number(struct filter_subject *s, const struct test *test)
{
	struct filter_number number;
	enum filter_told told = s->number(s, test->field, &number);
	int is;

	if (told != FIELD_TOLD)
		return without(told);
	is = order(&number, &test->number);
	switch (test->compare) {
	case COMPARE_EQUAL:
		return answer_from(is == 0);
	case COMPARE_NOT_EQUAL:
		return answer_from(is != 0);
	case COMPARE_LESS:
		return answer_from(is < 0);
	case COMPARE_LESS_EQUAL:
		return answer_from(is <= 0);
	case COMPARE_GREATER:
		return answer_from(is > 0);
	default:
		return answer_from(is >= 0);
	}
}

static enum answer3 ask_text(struct filter_subject *s, const struct test *test)
{
	const char *text;
	enum filter_told told = s->text(s, test->field, &text);
	bool is;

	if (told != FIELD_TOLD)
		return without(told);
	if (!test->pattern)
		return answer_from(!strcmp(text, test->text) == (test->compare == COMPARE_EQUAL));
	is = pattern_hits(test->pattern, text, strlen(text), 0, NULL, NULL);
	if (pattern_gave_up(test->pattern) && !s->err->code)
		err_fill(s->err, ERR_LIMIT, "command", 0,
		         "the filter's regular expression takes too long on \"%.100s\": "
		         "give it fewer ways to match",
		         text);
	return answer_from(is == (test->compare == COMPARE_MATCH));
}

static enum answer3 ask_shape(struct filter_subject *s, const struct test *test)
{
	const struct shape *want = &test->shape;
	struct shape shape;
	enum filter_told told = s->shape(s, &shape);
	bool open = false;

	if (told != FIELD_TOLD)
		return without(told);
	if (shape.rank != want->rank)
		return answer_from(test->compare != COMPARE_EQUAL);
	for (uint32_t i = 0; i < want->rank; i++) {
		if (want->dim[i] < 0)
			continue;
		if (shape.dim[i] >= 0 && shape.dim[i] != want->dim[i])
			return answer_from(test->compare != COMPARE_EQUAL);
		open |= shape.dim[i] < 0;
	}
	return open ? ANSWER_OPEN : answer_from(test->compare == COMPARE_EQUAL);
}

static enum answer3 ask(struct filter_subject *s, const struct test *test)
{
	if (filter_fields[test->field].level > s->level)
		return ANSWER_OPEN;
	switch (filter_fields[test->field].kind) {
	case KIND_IS_NUMBER:
		return ask_number(s, test);
	case KIND_IS_TEXT:
		return ask_text(s, test);
	default:
		return ask_shape(s, test);
	}
}

static enum answer3 opposite(enum answer3 a)
{
	return a == ANSWER_OPEN ? ANSWER_OPEN : answer_from(a == ANSWER_NO);
}

static enum answer3 both(enum answer3 a, enum answer3 b)
{
	if (a == ANSWER_NO || b == ANSWER_NO)
		return ANSWER_NO;
	return a == ANSWER_YES && b == ANSWER_YES ? ANSWER_YES : ANSWER_OPEN;
}

static enum answer3 either(enum answer3 a, enum answer3 b)
{
	return opposite(both(opposite(a), opposite(b)));
}

static enum answer3 evaluate(const struct filter *filter, struct filter_subject *s)
{
	enum answer3 stack[STACK] = {0};
	size_t n = 0;

	for (size_t i = 0; i < filter->steps.len; i++) {
		const struct step *step = &filter->steps.at[i];

		switch (step->operation) {
		case PUT_TEST:
			stack[n++] = ask(s, &step->test);
			break;
		case DO_NOT:
			stack[n - 1] = opposite(stack[n - 1]);
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

enum answer3 filter_ask(const struct filter *filter, struct filter_subject *s)
{
	enum answer3 answer;

	s->level = LEVEL_LISTED;
	while ((answer = evaluate(filter, s)) == ANSWER_OPEN && s->level < LEVEL_ELEMENTS)
		s->read(s, ++s->level);
	return answer;
}
