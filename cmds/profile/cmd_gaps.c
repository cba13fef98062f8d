#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/lang/pattern.h"
#include "cmds/profile/kernel_short.h"
#include "cmds/profile/kernels.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"
#include "dump/profile/gaps.h"
#include "dump/profile/trace.h"

enum { DEVICE, STEP };
enum { START_COLUMNS = 24 };

static const struct opt options[] = {
	[DEVICE] = { OPT_WORD, "d", "device_name_filter", "devices whose name has a match" },
	[STEP] = { OPT_WORD, NULL, "step", "a step, a list (0,2-4), or all" },
	SORT_KEY_OPT, REVERSE_OPT(true), LIMIT_OPT(false), SKIP_OPT(true), COLUMNS_OPT
};

struct gap_row {
	const struct activities *acts;
	struct gap gap;
};

struct cause_sum {
	uint64_t n;
	int64_t ns;
};

struct gaps_view {
	struct step_activities acts;
	VEC(struct gap_row) at;
	struct cause_sum sum[N_GAP_CAUSES];
	int64_t idle_ns;
};

static const struct activity *before_of(const struct gap_row *row)
{
	return &row->acts->at.at[row->gap.before];
}

static const struct activity *after_of(const struct gap_row *row)
{
	return &row->acts->at.at[row->gap.after];
}

static void put_kernel(struct str *out, const struct gap_row *row, const struct activity *a)
{
	const char *name = row->acts->names.key[a->kernel];

	put_kernel_short(out, name, strlen(name));
}

/* This column is beside the names that matter more. */
static void put_start_of_kernel(struct str *out, const struct gap_row *row,
                                const struct activity *a)
{
	struct str name = {0};

	put_kernel(&name, row, a);
	put_shortened(out, str_text(&name), START_COLUMNS, false);
	str_release(&name);
}

static void put_device(struct str *out, const struct gap_row *row)
{
	put_short_device(out, row->acts->devices.key[after_of(row)->device],
	                 row->acts->devices.key, row->acts->devices.len);
}

static void put_cause(struct cell *cell, const struct gap_row *row)
{
	cell->missing = row->gap.cause == GAP_UNKNOWN;
	if (!cell->missing)
		cell_str(cell, gap_cause_names[row->gap.cause]);
}

#define GAP_COLUMNS(COL) \
	COL(dur_us, "Gap", TIME, 0, 3, cell->whole = row->gap.len_ns) \
	COL(at, "At", AFTER, 0, 0, \
	    cell->whole = row->gap.start_ns - row->acts->begin_us * 1000) \
	COL(start_us, NULL, TIME, 0, 2, cell->whole = row->gap.start_ns) \
	COL(where, "Device", TEXT, 2, 0, put_device(&cell->text, row)) \
	COL(device, NULL, TEXT, 0, 1, \
	    cell_str(cell, device_in_file(row->acts, after_of(row)->device))) \
	COL(cause, "Cause", TEXT, 0, 6, put_cause(cell, row)) \
	COL(before, NULL, TEXT, 0, 4, \
	    cell_str(cell, row->acts->names.key[before_of(row)->kernel])) \
	COL(after, NULL, TEXT, 0, 5, \
	    cell_str(cell, row->acts->names.key[after_of(row)->kernel])) \
	COL(from, "After", TEXT, 1, 0, put_start_of_kernel(&cell->text, row, before_of(row))) \
	COL(to, "Before", TEXT, 0, 0, put_kernel(&cell->text, row, after_of(row)))

enum { GAP_COLUMNS(COL_ID) };
static const struct col gap_cols[] = { GAP_COLUMNS(COL_ROW) };

static const struct sort_word gap_words[] = {
	{ "", { FALLS(dur_us), RISES(start_us) } }, { 0 },
};
static const struct table_sorts gap_sorts = { .words = gap_words };

static void get_cell(void *context, uint64_t at, int id, struct cell *cell)
{
	const struct gaps_view *v = context;
	const struct gap_row *row = &v->at.at[at];

	switch (id) {
	GAP_COLUMNS(COL_CASE)
	}
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct gaps_view *v = table_context(context);

	(void)progress, (void)err;
	key_us(data, "idle_us", v->idle_ns);
	data_key(data, "causes");
	data_object(data);
	for (int cause = 0; cause < N_GAP_CAUSES; cause++) {
		data_key(data, gap_cause_names[cause]);
		data_object(data);
		key_int(data, "gaps", (int64_t)v->sum[cause].n);
		key_us(data, "total_us", v->sum[cause].ns);
		data_end(data);
	}
	data_end(data);
	return true;
}

/* Finding. */

static void take(struct gaps_view *v, const struct activities *acts, const struct gap *gap)
{
	vec_push(&v->at, ((struct gap_row){ acts, *gap }));
	v->sum[gap->cause].n++;
	v->sum[gap->cause].ns += gap->len_ns;
	v->idle_ns += gap->len_ns;
}

static bool take_all(struct call *call, struct gaps_view *v, struct pattern *device)
{
	gap_list gaps = {0};
	bool ok = true;

	for (size_t s = 0; ok && s < v->acts.n; s++) {
		const struct activities *acts = v->acts.refs[s];

		gaps.len = 0;
		ok = gaps_find(acts, &gaps, call->progress, &call->err);
		for (size_t i = 0; ok && i < gaps.len; i++) {
			const char *name = acts->devices.key[
				acts->at.at[gaps.at[i].after].device];

			if (!device || pattern_fits(device, name, strlen(name), &call->err))
				take(v, acts, &gaps.at[i]);
		}
	}
	vec_release(&gaps);
	return ok && !call->err.code;
}

static bool has_device_rows(struct call *call, const struct step_activities *acts)
{
	size_t n = 0;

	for (size_t i = 0; i < acts->n; i++)
		n += acts->refs[i]->n_of[ACTIVITY_KERNEL] + acts->refs[i]->n_of[ACTIVITY_COPY];
	if (!n)
		call_error(call, "ERROR: No device rows in this profile: it holds host times "
		           "only.");
	return n;
}

/* The answer. */

static void put_head(struct call *call, const struct gaps_view *v)
{
	struct str text = {0};
	const char *before = "; ";

	str_fmt(&text, "gaps: %zu, idle ", v->at.len);
	put_time(&text, v->idle_ns, UNIT_AUTO);
	for (int cause = 0; cause < N_GAP_CAUSES; cause++) {
		if (!v->sum[cause].n)
			continue;
		str_fmt(&text, "%s%s ", before, gap_cause_names[cause]);
		put_percent(&text, percent_of(v->sum[cause].ns, v->idle_ns));
		str_putc(&text, '%');
		before = ", ";
	}
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	doc_newline(call->out);
	str_release(&text);
}

static void put_view(struct call *call, struct gaps_view *v)
{
	struct table *table = TABLE_OF(call->out, gap_cols, get_cell, v);

	table->sorts = &gap_sorts;
	table->n_rows = v->at.len;
	if (!table_arrange(call, table))
		return;
	put_head(call, v);
	table_show(call, table);
	doc_typed_as(call->out, "gaps", put_beside);
}

static void view_free(void *context)
{
	struct gaps_view *v = context;

	step_activities_release(&v->acts);
	vec_release(&v->at);
	free(v);
}

static void gaps_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct step_choice steps = {0};
	struct pattern *device = NULL;
	struct gaps_view *v;

	if (!need_steps(call, call->shell->profile)
	    || !need_records(call, call->shell->profile))
		return;
	doc_set_of_step(call->out);
	kernels_warn_of_trace(call);
	v = mem_alloc(sizeof *v);
	doc_keep(call->out, view_free, v);
	if (opt[DEVICE].word && *opt[DEVICE].word)
		device = pattern_new(opt[DEVICE].word, PATTERN_SEARCH, false, &call->err);
	if (!call->err.code && steps_choose(call, call->shell->profile, opt[STEP].word, &steps)
	    && step_activities_of(call, &steps, &v->acts) && has_device_rows(call, &v->acts)
	    && take_all(call, v, device))
		put_view(call, v);
	step_choice_release(&steps);
	pattern_free(device);
}

const struct cmd cmd_gaps = {
	.name = "gaps", .summary = "When devices did nothing, and why", OPTS(options),
	.runless = true, .whole_words = true, .exec = gaps_exec,
};
