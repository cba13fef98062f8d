#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/lang/words.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"

static const struct opt options[] = { TABLE_OPTS };
static const struct pos positions[] = {
	{ "to", "next, prev, or a step's number; left out: list the steps", true },
};

/* The list. */

struct step_list {
	const struct profile *profile;
	size_t current;          /* when it was made */
	struct step_survey *survey;
};

#define STEP_COLUMNS(COL) \
	COL(current, "", FLAG, 0, 4, cell_mark(cell, row == list->current)) \
	COL(step, "Step", TEXT, 0, 1, cell_str(cell, step->label)) \
	COL(span_us, "Span", TIME, 0, 3, cell_known(cell, span_ns >= 0, span_ns)) \
	COL(warm_up, "Warm-up", FLAG, 0, 5, cell->whole = list->survey[row].warm_up) \
	COL(file, "File", TEXT, 0, 2, cell_str(cell, step->file))

enum { STEP_COLUMNS(COL_ID) };
static const struct col step_cols[] = { STEP_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct step_list *list = context;
	const struct step *step = &list->profile->steps.at[row];
	int64_t span_ns = list->survey[row].span_ns;

	switch (id) {
	STEP_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct step_list *list = context;
	const char *label = list->profile->steps.at[row].label;

	if (label[0] == '-')
		return;
	words_put_with(out, "step", label);
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
	struct table *table;

	doc_set_of_step(call->out);
	doc_keep(call->out, list_free, list);
	list->profile = profile;
	list->current = profile->current;
	list->survey = steps_survey(call, call->shell->profile);
	if (!list->survey)
		return;
	table = TABLE_OF(call->out, step_cols, get_cell, list);
	table->n_rows = profile->steps.len;
	table->link = put_link;
	if (!table_arrange(call, table))
		return;
	doc_line_put(call->out, ROLE_PLAIN, "%zu step(s):", profile->steps.len);
	doc_newline(call->out);
	table_show(call, table);
}

/* Going. */

static bool find(struct call *call, const char *word, size_t *to)
{
	const struct profile *profile = call->shell->profile;
	size_t n = profile->steps.len;

	if (!strcmp(word, "next") || !strcmp(word, "prev")) {
		bool next = *word == 'n';

		if (profile->current >= n || profile->current == (next ? n - 1 : 0)) {
			call_error(call, "ERROR: There is no step %s step %s.",
			           next ? "after" : "before",
			           profile->current < n ? profile->steps.at[profile->current].label
			                                : "?");
			return false;
		}
		*to = next ? profile->current + 1 : profile->current - 1;
		return true;
	}
	return steps_find(call, profile, word, to);
}

static void put_arrival(struct call *call)
{
	const struct profile *profile = call->shell->profile;
	const struct step *step = &profile->steps.at[profile->current];
	struct extent extent;
	struct str text = {0};

	str_fmt(&text, "Step %s (%zu of %zu): %s", step->label, profile->current + 1,
	        profile->steps.len, step->file);
	if (step_extent(step, &extent)) {
		str_puts(&text, ", ");
		put_time(&text, extent.span_ns, UNIT_AUTO);
	}
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
}

static void step_exec(struct call *call)
{
	const char *word = call->args.pos[0];
	size_t to;

	if (!need_steps(call, call->shell->profile))
		return;
	if (!word) {
		put_list(call);
		return;
	}
	if (!find(call, word, &to) ||
	    !profile_enter(call->shell->profile, to, call->progress, &call->err))
		return;
	profile_forget(call->shell->profile);
	put_arrival(call);
}

const struct cmd cmd_step = {
	.name = "step", .summary = "Another step of the profile, or a list of them",
	OPTS(options), POSITIONALS(positions), .runless = true, .exec = step_exec,
};
