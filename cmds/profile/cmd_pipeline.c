#include <stdlib.h>

#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/profile/kernels.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/profile/pipeline.h"

enum { STEP };

static const struct opt options[] = {
	[STEP] = { OPT_WORD, NULL, "step", "a step, a list (0,2-4), or all (all)" },
	TABLE_OPTS
};

struct pipeline_view {
	struct stages stages;
	int64_t self_ns;         /* of all stages */
	int64_t of_category[N_STAGE_CATEGORIES];
};

#define STAGE_COLUMNS(COL) \
	COL(share, "%", PERCENT, 0, 6, cell->number = percent_of(stage->self_ns, v->self_ns)) \
	COL(self_us, "Self", TIME, 0, 5, cell->whole = stage->self_ns) \
	COL(total_us, "Total", TIME, 2, 4, cell->whole = stage->total_ns) \
	COL(count, "Count", COUNT, 1, 3, cell->whole = (int64_t)stage->count) \
	COL(category, "Category", TEXT, 3, 2, \
	    cell_str(cell, stage_category_names[stage->category])) \
	COL(stage, "Stage", TEXT, 0, 1, cell_str(cell, stage->name))

enum { STAGE_COLUMNS(COL_ID) };
static const struct col stage_cols[] = { STAGE_COLUMNS(COL_ROW) };

static const struct sort_word stage_words[] = { { "", { FALLS(self_us), RISES(stage) } }, { 0 } };
static const struct table_sorts stage_sorts = { .words = stage_words };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct pipeline_view *v = context;
	const struct input_stage *stage = &v->stages.at.at[row];

	switch (id) {
	STAGE_COLUMNS(COL_CASE)
	}
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct pipeline_view *v = table_context(context);

	(void)progress, (void)err;
	key_us(data, "self_us", v->self_ns);
	data_key(data, "categories");
	data_object(data);
	for (int i = 0; i < N_STAGE_CATEGORIES; i++)
		key_us(data, stage_category_names[i], v->of_category[i]);
	data_end(data);
	return true;
}

static void add_up(struct pipeline_view *v)
{
	for (size_t i = 0; i < v->stages.at.len; i++) {
		const struct input_stage *stage = &v->stages.at.at[i];

		v->self_ns += stage->self_ns;
		v->of_category[stage->category] += stage->self_ns;
	}
}

static void put_head(struct call *call, const struct pipeline_view *v)
{
	struct str text = {0};
	const char *before = ": ";

	str_fmt(&text, "pipeline: %zu stage%s, self ", v->stages.at.len,
	        plural(v->stages.at.len));
	put_time(&text, v->self_ns, UNIT_AUTO);
	for (int i = 0; i < N_STAGE_CATEGORIES; i++) {
		if (!v->of_category[i])
			continue;
		str_fmt(&text, "%s%s ", before, stage_category_names[i]);
		put_percent(&text, percent_of(v->of_category[i], v->self_ns));
		str_putc(&text, '%');
		before = ", ";
	}
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	doc_newline(call->out);
	str_release(&text);
}

static void put_view(struct call *call, struct pipeline_view *v)
{
	struct table *table = TABLE_OF(call->out, stage_cols, get_cell, v);

	table->n_rows = v->stages.at.len;
	table->cut_start = true;
	table->sorts = &stage_sorts;
	if (!table_arrange(call, table))
		return;
	if (v->stages.at.len) {
		put_head(call, v);
		table_show(call, table);
	} else {
		table_type(call, table);
		doc_line_put(call->out, ROLE_PLAIN, "No stage of an input pipeline is recorded.");
	}
	doc_typed_as(call->out, "pipeline", put_beside);
}

static void view_free(void *context)
{
	struct pipeline_view *v = context;

	stages_release(&v->stages);
	free(v);
}

static void pipeline_exec(struct call *call)
{
	const char *word = call->args.opt[STEP].word;
	struct step_activities acts = {0};
	struct step_choice steps = {0};
	struct pipeline_view *v;

	if (!need_steps(call, call->shell->profile))
		return;
	doc_set_of_step(call->out);
	kernels_warn_of_trace(call);
	v = mem_alloc(sizeof *v);
	doc_keep(call->out, view_free, v);
	if (steps_choose(call, call->shell->profile, word ? word : "all", &steps)
	    && step_activities_of(call, &steps, &acts)) {
		for (size_t i = 0; i < acts.n; i++)
			stages_add(&v->stages, acts.refs[i]);
		add_up(v);
		put_view(call, v);
	}
	step_activities_release(&acts);
	step_choice_release(&steps);
}

const struct cmd cmd_pipeline = {
	.name = "pipeline", .summary = "Stages of the input pipeline, and the time of each",
	OPTS(options), .runless = true, .whole_words = true, .exec = pipeline_exec,
};
