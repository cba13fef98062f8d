#include "cmds/program/tensor_filter.h"

#include <string.h>

#include "cmds/lang/python.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/tensor_rows.h"
#include "cmds/session/suggest.h"

static bool read_number(const char *text, uint64_t *number)
{
	int64_t value;

	if (!python_digits(text, strlen(text), &value))
		return false;
	*number = (uint64_t)value;
	return true;
}

static bool read_dtype(const char *text, uint32_t *dtype)
{
	for (uint32_t wire = 1; wire < 64; wire++) {
		const struct dtype_info *info = dtype_info(wire);

		if (info && !strcmp(info->name, text)) {
			*dtype = wire;
			return true;
		}
	}
	return false;
}

static const char *behind(const char *text, const char *begin)
{
	size_t len = strlen(begin);

	return strncmp(text, begin, len) ? NULL : text + len;
}

static bool read_filter(const struct filters *filters, const char *text,
                        struct tensor_filter *out, struct err *err)
{
	const struct named_filter *named;
	const char *rest;

	*out = (struct tensor_filter){ .ask = ASK_NAMED, .named = program_filter_of(text) };
	if (out->named < N_PROGRAM_FILTERS)
		return true;
	if ((named = filters_find(filters, text))) {
		out->ask = ASK_EXPRESSION;
		out->expression = named->filter;
		return true;
	}
	if ((rest = behind(text, "dtype:"))) {
		out->ask = ASK_DTYPE;
		return read_dtype(rest, &out->dtype) ||
		       err_at(err, ERR_VALUE, "command", 0,
		              "There is no element type named \"%.40s\".", rest);
	}
	out->ask = behind(text, "rank:") ? ASK_RANK : ASK_SIZE;
	rest = behind(text, out->ask == ASK_RANK ? "rank:" : "size>");
	return (rest && read_number(rest, &out->number)) ||
	       err_at(err, ERR_VALUE, "command", 0,
	              "There is no tensor filter named \"%.100s\".", text);
}

bool tensor_filter_choose(struct call *call, const char *text, struct tensor_filter *out)
{
	struct err err = {0};

	if (read_filter(&call->shell->filters, text, out, &err))
		return true;
	call_error(call, "ERROR: %s", err.msg);
	suggest_filter(call, text);
	return false;
}

static enum answer3 known(const struct health *health, unsigned bit, bool passes)
{
	return !(health->known & bit) ? ANSWER_OPEN : passes ? ANSWER_YES : ANSWER_NO;
}

static enum answer3 ask_named(enum program_filter named, const struct health *h)
{
	switch (named) {
	case PROGRAM_HAS_INF_OR_NAN: return known(h, HEALTH_BAD, h->bad);
	case PROGRAM_HAS_NAN: return known(h, HEALTH_COUNTS, h->nan);
	case PROGRAM_HAS_INF: return known(h, HEALTH_COUNTS, h->neg_inf || h->pos_inf);
	case PROGRAM_HAS_ZERO: return known(h, HEALTH_SIGNS, h->zero);
	case PROGRAM_HAS_NEGATIVE: return known(h, HEALTH_SIGNS, h->negative);
	case N_PROGRAM_FILTERS: break;
	}
	return ANSWER_OPEN;
}

static enum answer3 ask_health(const struct tensor_filter *filter, const struct health *h)
{
	switch (filter->ask) {
	case ASK_NAMED: return ask_named(filter->named, h);
	case ASK_DTYPE: return known(h, HEALTH_DTYPE, h->dtype == filter->dtype);
	case ASK_RANK: return known(h, HEALTH_RANK, h->rank == filter->number);
	case ASK_SIZE: return known(h, HEALTH_SIZE, h->size > filter->number);
	case ASK_EXPRESSION: break;
	}
	return ANSWER_OPEN;
}

/* Expressions. */

struct tensor_subject {
	struct filter_subject subject;   /* first member: passed to the callbacks */
	struct program_reads *reads;
	const struct program_tensor *tensor;
	struct health health;            /* from LEVEL_HEAD on */
	struct str name;                 /* scratch for the node's name */
	bool has_survey;                 /* at LEVEL_ELEMENTS, if the value is stored */
	struct value *value;
	struct survey survey;
};

static enum filter_told told_if(bool told)
{
	return told ? FIELD_TOLD : FIELD_NOT_TOLD;
}

static enum filter_told put_number(struct filter_number *out, bool told, int64_t number)
{
	*out = filter_integer(number);
	return told_if(told);
}

static enum filter_told get_number(struct filter_subject *subject, enum filter_field field,
                                   struct filter_number *out)
{
	struct tensor_subject *s = (struct tensor_subject *)subject;
	const struct program *program = s->reads->program;
	const struct health *h = &s->health;
	int64_t number = 0;
	bool told;

	switch (field) {
	case FIELD_BYTES:
		return put_number(out, true, program_size_bytes(program, s->tensor));
	case FIELD_TIME:
		told = program_time_us(program, program_tensor_time(program, s->tensor), &number);
		return put_number(out, told, number);
	case FIELD_SLOT:
		number = program_slot(program, s->tensor);
		return put_number(out, number >= 0, number);
	case FIELD_RANK:
		return put_number(out, h->known & HEALTH_RANK, (int64_t)h->rank);
	case FIELD_COUNT:
		return put_number(out, h->known & HEALTH_SIZE, (int64_t)h->size);
	case FIELD_NAN:
		return put_number(out, h->known & HEALTH_COUNTS, (int64_t)h->nan);
	case FIELD_INF:
		return put_number(out, h->known & HEALTH_COUNTS,
		                  (int64_t)(h->neg_inf + h->pos_inf));
	case FIELD_ZEROS:
		return put_number(out, h->known & HEALTH_SIGNS, (int64_t)h->zero);
	default:
		if (!s->value)
			return FIELD_NOT_TOLD;
		return s->has_survey &&
		       filter_survey_number(&s->survey, s->value->type, field, out)
		               ? FIELD_TOLD : FIELD_ABSENT;
	}
}

static enum filter_told get_text(struct filter_subject *subject, enum filter_field field,
                                 const char **out)
{
	struct tensor_subject *s = (struct tensor_subject *)subject;
	const struct program *program = s->reads->program;
	const struct dtype_info *info;

	switch (field) {
	case FIELD_OP:
		*out = tensor_op(program, s->tensor);
		break;
	case FIELD_NODE:
		str_reset(&s->name);
		program_put_name(program, s->tensor, &s->name);
		str_cut(&s->name, (size_t)(strrchr(s->name.text, ':') - s->name.text));
		*out = s->name.text;
		break;
	case FIELD_DEVICE:
		*out = tensor_device(program, s->tensor);
		break;
	default:
		info = s->health.known & HEALTH_DTYPE ? dtype_on_wire(s->health.dtype) : NULL;
		*out = info ? info->name : NULL;
	}
	return told_if(*out);
}

/* If only the rank is known, all dimensions are open. */
static enum filter_told get_shape(struct filter_subject *subject, struct shape *out)
{
	const struct tensor_subject *s = (struct tensor_subject *)subject;
	const struct health *h = &s->health;

	if (h->known & HEALTH_SHAPE)
		*out = h->shape;
	else if (!(h->known & HEALTH_RANK) || h->rank > SHAPE_MAX_RANK)
		return FIELD_NOT_TOLD;
	else
		for (out->rank = 0; out->rank < h->rank; out->rank++)
			out->dim[out->rank] = -1;
	return FIELD_TOLD;
}

/* Only a stored tensor has more than LEVEL_HEAD. */
static void read_level(struct filter_subject *subject, enum filter_level level)
{
	struct tensor_subject *s = (struct tensor_subject *)subject;
	struct err none = {0};
	struct view view;

	if (level == LEVEL_HEAD) {
		if (!program_health(s->reads, s->tensor, &s->health, NULL, subject->err))
			s->health = (struct health){0};
		return;
	}
	s->value = program_value(s->reads, s->tensor, &none);
	if (none.code && none.code != ERR_MISSING && !subject->err->code)
		*subject->err = none;
	if (s->value && s->value->state == VALUE_ARRAY) {
		view_all(&view, s->value);
		s->has_survey = survey_of(&view, &s->survey, NULL, subject->err);
	}
}

static enum answer3 ask_expression(const struct filter *filter, struct program_reads *reads,
                                   const struct program_tensor *tensor, struct err *err)
{
	struct tensor_subject s = {
		.subject = { .number = get_number, .text = get_text, .shape = get_shape,
		             .read = read_level, .err = err },
		.reads = reads, .tensor = tensor,
	};
	enum answer3 answer = filter_ask(filter, &s.subject);

	value_close(s.value);
	str_release(&s.name);
	return answer;
}

enum { MODE_CURT_HEALTH = 2 };   /* says that something is bad, not what */

/* Decided without reading the record: a good tensor has neither NaN nor Inf. */
static bool ask_index(const struct tensor_filter *filter, const struct program *program,
                      const struct program_tensor *tensor, enum answer3 *answer)
{
	enum program_bad bad = program_bad(program, tensor);

	if (filter->ask != ASK_NAMED || bad == PROGRAM_UNSCANNED)
		return false;
	switch (filter->named) {
	case PROGRAM_HAS_INF_OR_NAN:
		*answer = bad == PROGRAM_CANT_TELL ? ANSWER_OPEN :
		          bad == PROGRAM_BAD       ? ANSWER_YES :
		                                     ANSWER_NO;
		return true;
	case PROGRAM_HAS_NAN:
	case PROGRAM_HAS_INF:
		*answer = ANSWER_NO;
		return bad == PROGRAM_GOOD && program_mode(program, tensor) != MODE_CURT_HEALTH;
	default:
		return false;
	}
}

enum answer3 tensor_filter_ask(const struct tensor_filter *filter, struct program_reads *reads,
                               const struct program_tensor *tensor, struct err *err)
{
	struct health health = {0};
	enum answer3 answer;

	if (filter->ask == ASK_EXPRESSION)
		return ask_expression(filter->expression, reads, tensor, err);
	if (ask_index(filter, reads->program, tensor, &answer))
		return answer;
	if (!program_health(reads, tensor, &health, NULL, err))
		return ANSWER_OPEN;
	return ask_health(filter, &health);
}

bool tensor_filter_gave_up(const struct err *err)
{
	return err->code == ERR_LIMIT && !strcmp(err->src, "command");
}
