/* What each step spent its time on, and in one sentence what holds the program up. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/lang/words.h"
#include "cmds/profile/kernels.h"
#include "cmds/profile/profile_time.h"
#include "cmds/profile/step_verdict.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/profile/trace.h"

struct step_times {
	const char *label;
	int64_t number;
	bool is_step;            /* false: it is all of a trace without steps */
	bool warm_up, unread;
	bool counts;             /* in the means */
	bool has_time;
	int64_t start_ns;
	struct breakdown of;
};

/* Of one part, or the total, over the steps that are no warm-ups. */
struct spread {
	double mean_ns, deviation_ns;    /* deviation NAN: of a single step */
};

struct steps_view {
	struct step_times *at;
	size_t n, n_counted, n_unread;   /* n_unread: left out of the means because of that */
	struct spread spread[N_TIME_PARTS + 1];  /* of the parts, and of the total */
	struct breakdown sum;            /* of those that count */
	bool no_parts;                   /* of some only the total is known */
	bool no_starts;
	struct step_verdict verdict;
};

/* Reading. */

/* From the first record to the last. */
static struct stretch all_of(const struct activities *acts)
{
	struct stretch all = { INT64_MAX, INT64_MIN };

	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];

		if (a->start_ns < all.start_ns)
			all.start_ns = a->start_ns;
		if (a->start_ns + a->len_ns > all.end_ns)
			all.end_ns = a->start_ns + a->len_ns;
	}
	return acts->at.len ? all : (struct stretch){ 0, 0 };
}

/* Of a summary it is known how long steps took, of an older one not what they did. */
static bool has_spans(const struct profile *profile)
{
	return profile->trace && profile->trace->more.sums.len;
}

static void read_spans(struct call *call, struct profile *profile, struct steps_view *v)
{
	const struct trace *trace = profile->trace;

	for (size_t i = 0; i < v->n; i++) {
		const struct step *step = &profile->steps.at[i];
		const struct breakdown *parts = step_is_trace(step)
		                                ? trace->parts
		                                : trace->steps.at[step->trace_step].parts;
		struct extent extent;

		v->at[i].is_step = !step_is_trace(step);
		if (parts)
			v->at[i].of = *parts;
		else if (step_extent(step, &extent))
			v->at[i].of.total_ns = extent.span_ns;
		v->no_parts |= !parts;
	}
	v->no_starts = true;
	if (v->no_parts)                 /* sums of some would look like those of all */
		for (size_t i = 0; i < v->n; i++)
			v->at[i].of = (struct breakdown){ .total_ns = v->at[i].of.total_ns };
	else if (trace->workers.len > 1)
		call_warn(call, "Each step is shown as the worker had it that took longest.");
}

/* What runs in a step of a trace may belong to another: its instants count all the same. */
static bool read_trace(struct call *call, struct profile *profile, struct steps_view *v)
{
	const struct trace *trace = profile->trace;
	size_t n = v->n;
	struct stretch *steps = mem_alloc(n * sizeof *steps);
	struct breakdown *out = mem_alloc(n * sizeof *out);
	bool ok;

	for (size_t i = 0; i < n; i++) {
		const struct step *step = &profile->steps.at[i];

		v->at[i].is_step = !step_is_trace(step);
		steps[i] = step_is_trace(step)
			? all_of(&trace->all)
			: (struct stretch){ trace->steps.at[step->trace_step].start_ns,
			                    trace->steps.at[step->trace_step].end_ns };
		v->at[i].start_ns = steps[i].start_ns;
	}
	ok = breakdown_of(&trace->all, steps, n, out, call->progress, &call->err);
	for (size_t i = 0; i < n; i++)
		v->at[i].of = out[i];
	free(steps);
	free(out);
	return ok;
}

static bool read_step(struct call *call, struct profile *profile, size_t i,
                      struct step_times *out)
{
	struct step_choice one = { .profile = profile };
	struct step_activities acts;
	struct extent extent;
	struct stretch all = {0};
	bool ok;

	vec_push(&one.at, i);
	ok = step_activities_of(call, &one, &acts);
	if (ok && step_extent(&profile->steps.at[i], &extent))
		all = (struct stretch){ extent.start_us * 1000,
		                        extent.start_us * 1000 + extent.span_ns };
	out->is_step = true;
	out->start_ns = all.start_ns;
	ok = ok && breakdown_of(acts.refs[0], &all, 1, &out->of, call->progress, &call->err);
	step_activities_release(&acts);
	step_choice_release(&one);
	return ok;
}

static bool read_all(struct call *call, struct profile *profile, struct steps_view *v)
{
	struct step_survey *survey = steps_survey(call, profile);
	bool ok = survey;

	v->n = profile->steps.len;
	v->at = arena_alloc(doc_mem(call->out), v->n * sizeof *v->at);
	for (size_t i = 0; ok && i < profile->steps.len; i++) {
		struct step_times *times = &v->at[i];

		times->label = profile->steps.at[i].label;
		times->number = profile->steps.at[i].number;
		times->warm_up = survey[i].warm_up;
		times->unread = survey[i].unread;
		times->has_time = survey[i].span_ns >= 0;
		if (!profile->trace)
			ok = read_step(call, profile, i, times);
	}
	free(survey);
	if (ok && has_spans(profile))
		read_spans(call, profile, v);
	return ok && (!profile->trace || has_spans(profile) || read_trace(call, profile, v));
}

/* Sums. */

enum { TOTAL = N_TIME_PARTS };

static int64_t time_of(const struct step_times *step, int part)
{
	return part == TOTAL ? step->of.total_ns : step->of.part_ns[part];
}

static struct spread spread_of(const struct steps_view *v, int part)
{
	double sum = 0, squares = 0, mean;

	for (size_t i = 0; i < v->n; i++)
		if (v->at[i].counts)
			sum += (double)time_of(&v->at[i], part);
	mean = sum / (double)v->n_counted;
	for (size_t i = 0; i < v->n; i++) {
		double away = (double)time_of(&v->at[i], part) - mean;

		squares += v->at[i].counts ? away * away : 0;
	}
	return (struct spread){ mean, v->n_counted > 1
	                              ? sqrt(squares / (double)(v->n_counted - 1)) : NAN };
}

/*
 * Warm-ups count where no other step was read whole. Without a step that was read whole all count
 * that have a time.
 */
static void add_up(struct steps_view *v)
{
	size_t whole = 0, kept = 0;

	for (size_t i = 0; i < v->n; i++) {
		whole += !v->at[i].unread;
		kept += !v->at[i].unread && !v->at[i].warm_up;
	}
	for (size_t i = 0; i < v->n; i++) {
		struct step_times *step = &v->at[i];

		step->counts = whole ? !step->unread && !(step->warm_up && kept) : step->has_time;
		v->n_counted += step->counts;
		v->n_unread += !step->counts && step->unread;
		v->sum.recorded |= step->of.recorded;
		for (int part = 0; step->counts && part < N_TIME_PARTS; part++)
			v->sum.part_ns[part] = saturated_sum(v->sum.part_ns[part],
			                                     step->of.part_ns[part]);
		if (step->counts)
			v->sum.total_ns = saturated_sum(v->sum.total_ns, step->of.total_ns);
	}
	for (int part = 0; part <= TOTAL; part++)
		v->spread[part] = spread_of(v, part);
	v->verdict = step_verdict_of(&v->sum);
}

static bool is_recorded(const struct steps_view *v, int part)
{
	return part == TOTAL || v->sum.recorded >> part & 1;
}

/* Cells. Below the steps stand their mean and their deviation. */

static void put_part(struct cell *cell, const struct steps_view *v, uint64_t row, int part)
{
	double ns = row == v->n ? v->spread[part].mean_ns : v->spread[part].deviation_ns;

	if (row < v->n) {
		cell_some(cell, time_of(&v->at[row], part));
		cell->missing = !is_recorded(v, part) || !v->at[row].has_time;
		return;
	}
	cell->empty = isnan(ns);
	if (!cell->empty)
		cell_some(cell, (int64_t)llround(ns));
}

static void put_label(struct cell *cell, const struct steps_view *v, uint64_t row)
{
	const struct step_times *step = row < v->n ? &v->at[row] : NULL;

	str_puts(&cell->text, step ? step->label : row == v->n ? "mean" : "deviation");
	if (step && step->warm_up)
		str_puts(&cell->text, " (warm-up)");
}

#define TIMES_COLUMNS(COL) \
	COL(step, NULL, COUNT, 0, 1, cell_known(cell, step->is_step, step->number)) \
	COL(start_us, NULL, TIME, 0, 2, \
	    cell_known(cell, !v->no_starts && step->has_time, step->start_ns)) \
	COL(total_us, "Total", TIME, 0, 3, put_part(cell, v, row, TOTAL)) \
	COL(device_compute_us, "Compute", TIME, 0, 4, \
	    put_part(cell, v, row, PART_DEVICE_COMPUTE)) \
	COL(collectives_us, "Exchange", TIME, 1, 6, put_part(cell, v, row, PART_COLLECTIVES)) \
	COL(device_copy_us, "Copy", TIME, 1, 5, put_part(cell, v, row, PART_DEVICE_COPY)) \
	COL(host_compute_us, "Host", TIME, 1, 7, put_part(cell, v, row, PART_HOST_COMPUTE)) \
	COL(launch_us, "Launch", TIME, 1, 8, put_part(cell, v, row, PART_LAUNCH)) \
	COL(input_us, "Input", TIME, 1, 9, put_part(cell, v, row, PART_INPUT)) \
	COL(output_us, "Output", TIME, 1, 10, put_part(cell, v, row, PART_OUTPUT)) \
	COL(compile_us, "Compile", TIME, 1, 11, put_part(cell, v, row, PART_COMPILE)) \
	COL(other_us, "Other", TIME, 1, 12, put_part(cell, v, row, PART_OTHER)) \
	COL(warm_up, NULL, FLAG, 0, 13, cell->whole = step->warm_up) \
	COL(label, "Step", TEXT, 0, 0, put_label(cell, v, row))

enum { TIMES_COLUMNS(COL_ID) };
static const struct col times_cols[] = { TIMES_COLUMNS(COL_ROW) };

static const int column_of[] = {
	[PART_DEVICE_COMPUTE] = COL_device_compute_us, [PART_COLLECTIVES] = COL_collectives_us,
	[PART_DEVICE_COPY] = COL_device_copy_us, [PART_COMPILE] = COL_compile_us,
	[PART_INPUT] = COL_input_us, [PART_OUTPUT] = COL_output_us, [PART_LAUNCH] = COL_launch_us,
	[PART_HOST_COMPUTE] = COL_host_compute_us, [PART_OTHER] = COL_other_us,
};

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct steps_view *v = context;
	const struct step_times *step = &v->at[row < v->n ? row : 0];

	switch (id) {
	TIMES_COLUMNS(COL_CASE)
	}
}

/* The smaller a part, the sooner its column goes. */
static void order_columns(const struct steps_view *v, struct table *table)
{
	for (int part = 0; part < N_TIME_PARTS; part++) {
		int larger = 0;

		for (int other = 0; other < N_TIME_PARTS; other++) {
			int64_t more = v->sum.part_ns[other] - v->sum.part_ns[part];

			larger += more > 0 || (!more && other < part);
		}
		table_col(table, column_of[part])->drop = N_TIME_PARTS - larger;
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct steps_view *v = context;

	if (row < v->n && v->at[row].is_step && v->at[row].label[0] != '-')
		words_put_with(out, "kernels --step", v->at[row].label);
}

/* Typed. */

static void put_ns(struct data *data, const char *key, bool known, double ns)
{
	data_key(data, key);
	if (known && !isnan(ns))
		data_us(data, (int64_t)llround(ns));
	else
		data_null(data);
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
#define X(id, name) name "_us",
	static const char *const keys[] = { TIME_PARTS(X) "total_us" };
#undef X
	const struct steps_view *v = table_context(context);
	struct str text = {0};

	(void)progress, (void)err;
	data_key(data, "summary");
	data_object(data);
	key_int(data, "steps", (int64_t)v->n_counted);
	for (int part = TOTAL; part >= 0; part--) {
		data_key(data, keys[part]);
		data_object(data);
		put_ns(data, "mean", is_recorded(v, part), v->spread[part].mean_ns);
		put_ns(data, "deviation", is_recorded(v, part), v->spread[part].deviation_ns);
		data_end(data);
	}
	data_end(data);
	data_key(data, "verdict");
	if (!v->verdict.kind) {
		data_null(data);
		return true;
	}
	put_step_verdict(&text, &v->verdict, &v->sum);
	data_object(data);
	key_str(data, "kind", v->verdict.kind);
	data_key(data, "share");
	data_rounded(data, v->verdict.share);
	key_str(data, "text", text.text);
	data_end(data);
	str_release(&text);
	return true;
}

/* The answer. */

static void put_head(struct call *call, const struct steps_view *v)
{
	size_t warm_ups = v->n - v->n_counted - v->n_unread;
	const char *kind = v->verdict.kind ? v->verdict.kind : "no verdict";
	struct str text = {0};

	if (v->at[0].is_step)
		str_fmt(&text, "steps: %zu, %s; mean ", v->n, kind);
	else
		str_fmt(&text, "steps: none is marked, %s; all of the trace ", kind);
	if (v->n_counted)
		put_time(&text, llround(v->spread[TOTAL].mean_ns), UNIT_AUTO);
	else
		str_puts(&text, "not known");
	if (v->n_counted > 1) {
		str_puts(&text, ", deviation ");
		put_time(&text, llround(v->spread[TOTAL].deviation_ns), UNIT_AUTO);
	}
	if (warm_ups)
		str_fmt(&text, ", without %zu warm-up%s", warm_ups, plural(warm_ups));
	if (v->n_unread)
		str_fmt(&text, "%s %zu step%s that cannot be read whole",
		        warm_ups ? " and" : ", without", v->n_unread, plural(v->n_unread));
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_reset(&text);
	if (v->verdict.kind)
		put_step_verdict(&text, &v->verdict, &v->sum);
	else
		str_puts(&text, v->no_parts ? "what its time went to is not kept"
		                            : "nothing that a device did is recorded");
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	doc_newline(call->out);
	str_release(&text);
}

static void steps_exec(struct call *call)
{
	struct profile *profile = call->shell->profile;
	struct steps_view *v;
	struct table *table;

	if (!need_steps(call, profile) || (!has_spans(profile) && !need_records(call, profile)))
		return;
	doc_set_of_step(call->out);
	kernels_warn_of_trace(call);
	v = arena_alloc(doc_mem(call->out), sizeof *v);
	if (!read_all(call, profile, v))
		return;
	add_up(v);
	table = TABLE_OF(call->out, times_cols, get_cell, v);
	table->n_rows = v->n;
	table->n_foot = v->n_counted > 1 ? 2 : 0;
	table->link = put_link;
	order_columns(v, table);
	if (!table_arrange(call, table))
		return;
	put_head(call, v);
	table_show(call, table);
	doc_typed_as(call->out, "steps", put_beside);
}

static const struct opt options[] = { TABLE_OPTS };

const struct cmd cmd_steps = {
	.name = "steps", .summary = "What each step spent its time on, and what holds it up",
	OPTS(options), .runless = true, .exec = steps_exec,
};
