/* A tensor of a run as what a filter asks about: it can all be found out, so nothing is open. */
#include "cmds/session/filter.h"

struct run_subject {
	struct filter_subject subject;   /* first: what the callbacks get */
	const struct run *run;
	const struct tensor *tensor;
	const char *op;
	struct progress *progress;
	struct value *value;     /* from LEVEL_HEAD on; NULL: can't be read */
	bool has_survey;         /* at LEVEL_ELEMENTS */
	struct survey survey;
};

static enum filter_told told_if(bool told)
{
	return told ? FIELD_TOLD : FIELD_ABSENT;
}

static enum filter_told number(struct filter_subject *subject, enum filter_field field,
                               struct filter_number *out)
{
	const struct run_subject *s = (struct run_subject *)subject;
	const struct tensor *t = s->tensor;

	switch (field) {
	case FIELD_BYTES:
		*out = filter_integer(t->size_bytes);
		return told_if(t->size_bytes >= 0);
	case FIELD_TIME:
		*out = filter_integer(run_rel_us(s->run, t));
		return told_if(t->time_us >= 0);
	case FIELD_SLOT:
		*out = filter_integer(t->slot);
		return FIELD_TOLD;
	case FIELD_RANK:
		*out = filter_integer(s->value ? s->value->shape.rank : 0);
		return told_if(s->value);
	case FIELD_COUNT:
		*out = filter_integer(s->value ? s->value->count : 0);
		return told_if(s->value && s->value->state == VALUE_ARRAY);
	default:
		return told_if(s->has_survey &&
		               filter_survey_number(&s->survey, s->value->type, field, out));
	}
}

static enum filter_told text(struct filter_subject *subject, enum filter_field field,
                             const char **out)
{
	const struct run_subject *s = (struct run_subject *)subject;

	switch (field) {
	case FIELD_OP:
		*out = s->op;
		break;
	case FIELD_NODE:
		*out = s->tensor->node;
		break;
	case FIELD_DEVICE:
		*out = s->run->devices.at[s->tensor->device].name;
		break;
	default:
		*out = s->value ? s->value->type->name : NULL;
	}
	return told_if(*out);
}

static enum filter_told shape(struct filter_subject *subject, struct shape *out)
{
	const struct run_subject *s = (struct run_subject *)subject;

	if (s->value)
		*out = s->value->shape;
	return told_if(s->value);
}

/* What can't be read is missing. */
static void read_level(struct filter_subject *subject, enum filter_level level)
{
	struct run_subject *s = (struct run_subject *)subject;
	struct view view;

	if (level == LEVEL_HEAD) {
		s->value = run_value(s->run, s->tensor, subject->err);
	} else if (s->value && s->value->state == VALUE_ARRAY) {
		view_all(&view, s->value);
		s->has_survey = survey_of(&view, &s->survey, s->progress, subject->err);
	}
}

bool filter_passes(const struct filter *filter, const struct run *run, const struct tensor *tensor,
                   const char *op, struct progress *progress, struct err *err)
{
	struct run_subject s = {
		.subject = { .number = number, .text = text, .shape = shape, .read = read_level,
		             .err = err },
		.run = run, .tensor = tensor, .op = op, .progress = progress,
	};
	bool passes = filter_ask(filter, &s.subject) == ANSWER_YES;

	value_close(s.value);
	return passes;
}
