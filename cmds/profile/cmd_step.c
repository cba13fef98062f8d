#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/columns.h"
#include "cmds/doc/figure.h"
#include "cmds/lang/words.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"

static const struct pos positions[] = {
	{ "to", "next, prev, or a step's number; left out: list the steps", true },
};

/* The list. */

enum { CURRENT, STEP, SPAN, WARM_UP, FILE_NAME, N_COLUMNS };
static const struct column columns[N_COLUMNS] = {
	[CURRENT] = { "current", "", COLUMN_TEXT },
	[STEP] = { "step", "Step", COLUMN_TEXT },
	[SPAN] = { "span_us", "Span", COLUMN_NUMBER },
	[WARM_UP] = { "warm_up", "Warm-up", COLUMN_TEXT },
	[FILE_NAME] = { "file", "File", COLUMN_TEXT },
};

struct step_list {
	const struct profile *profile;
	size_t current;          /* when it was made */
	struct step_survey *survey;
};

static void put_cell(void *context, uint64_t row, size_t column, struct str *out)
{
	const struct step_list *list = context;
	const struct step *step = &list->profile->steps.at[row];

	switch (column) {
	case CURRENT:
		str_puts(out, row == list->current ? "*" : "");
		break;
	case STEP:
		str_puts(out, step->label);
		break;
	case SPAN:
		if (list->survey[row].span_us < 0)
			str_putc(out, '-');
		else
			put_time(out, list->survey[row].span_us * 1000, UNIT_AUTO);
		break;
	case WARM_UP:
		str_puts(out, list->survey[row].warm_up ? "yes" : "-");
		break;
	default:
		str_puts(out, step->file);
		break;
	}
}

static bool cell_number(void *context, uint64_t row, size_t column, double *out)
{
	const struct step_list *list = context;

	*out = (double)list->survey[row].span_us;
	return column == SPAN && *out >= 0;
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct step_list *list = context;
	const char *label = list->profile->steps.at[row].label;

	if (label[0] == '-')
		return;
	words_put_with(out, "step", label);
}

static bool put_rows(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct step_list *list = context;

	(void)progress, (void)err;
	data_rows(data, "step,file,span_us,current,warm_up");
	for (size_t i = 0; i < list->profile->steps.len; i++) {
		const struct step *step = &list->profile->steps.at[i];
		int64_t span_us = list->survey[i].span_us;

		data_object(data);
		key_str(data, "step", step->label);
		key_str(data, "file", step->file);
		data_key(data, "span_us");
		data_us_or_null(data, span_us >= 0, span_us * 1000);
		data_key(data, "current");
		data_bool(data, i == list->current);
		data_key(data, "warm_up");
		data_bool(data, list->survey[i].warm_up);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void list_free(void *context)
{
	struct step_list *list = context;

	free(list->survey);
	free(list);
}

static void put_list(struct call *call)
{
	const struct profile *profile = call->shell->profile;
	struct step_list *list = mem_alloc(sizeof *list);
	struct columns_source source = {
		.context = list, .n_rows = profile->steps.len, .columns = columns, .n_columns = N_COLUMNS,
		.put = put_cell, .number = cell_number, .link = put_link,
	};

	doc_set_of_step(call->out);
	doc_keep(call->out, list_free, list);
	list->profile = profile;
	list->current = profile->current;
	list->survey = steps_survey(call);
	if (!list->survey)
		return;
	doc_line_put(call->out, ROLE_PLAIN, "%zu step(s):", profile->steps.len);
	doc_newline(call->out);
	columns_put(call, &source);
	doc_typed(call->out, DATA_ROWS, put_rows, list);
}

/* Going. */

static bool find(struct call *call, const char *word, size_t *to)
{
	const struct profile *profile = call->shell->profile;
	size_t n = profile->steps.len;

	if (!strcmp(word, "next") || !strcmp(word, "prev")) {
		bool next = *word == 'n';

		if (profile->current >= n || profile->current == (next ? n - 1 : 0)) {
			call_error(call, "ERROR: There is no step %s step %s.", next ? "after" : "before",
			           profile->current < n ? profile->steps.at[profile->current].label : "?");
			return false;
		}
		*to = next ? profile->current + 1 : profile->current - 1;
		return true;
	}
	*to = profile_find_step(profile, word);
	if (*to < n)
		return true;
	call_error(call, "ERROR: There is no step \"%s\": this profile has %zu, from %s to %s.", word, n,
	           profile->steps.at[0].label, vec_last(&profile->steps)->label);
	return false;
}

static void put_arrival(struct call *call)
{
	const struct profile *profile = call->shell->profile;
	const struct step *step = &profile->steps.at[profile->current];
	struct extent extent;
	struct str text = {0};

	str_fmt(&text, "Step %s (%zu of %zu): %s", step->label, profile->current + 1, profile->steps.len, step->file);
	if (step_extent(step, &extent)) {
		str_puts(&text, ", ");
		put_time(&text, (extent.end_us - extent.start_us) * 1000, UNIT_AUTO);
	}
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
}

static void step_exec(struct call *call)
{
	const char *word = call->args.pos[0];
	size_t to;

	if (!need_steps(call))
		return;
	if (!word) {
		put_list(call);
		return;
	}
	if (!find(call, word, &to) || !profile_enter(call->shell->profile, to, call->progress, &call->err))
		return;
	profile_forget(call->shell->profile);
	put_arrival(call);
}

const struct cmd cmd_step = {
	.name = "step", .summary = "Another step of the profile, or a list of them",
	POSITIONALS(positions), .runless = true, .exec = step_exec,
};
