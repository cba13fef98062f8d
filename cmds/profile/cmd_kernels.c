/* Reads the options; the answers are in kernels_table.c, kernels_records.c and kernels_diff.c. */
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/table.h"
#include "cmds/lang/registry.h"
#include "cmds/profile/joined.h"
#include "cmds/profile/kernels.h"
#include "cmds/profile/node_flops.h"
#include "cmds/profile/node_lines.h"
#include "cmds/session/nodes.h"
#include "cmds/session/workers.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"
#include "dump/profile/trace.h"

enum {
	GROUP, UNIVERSE, SORT, REVERSE, DEVICE, NODE, OP, KERNEL, STREAM, SOURCE, TOTAL, DEPTH,
	STEP, LIMIT, UNIT, NAMES, COLUMNS, IDLE, OF, COLUMN, DIFF, RECORDS, WORKER, SKIP
};

static const struct opt options[] = {
	[GROUP] = { OPT_WORD, "g", "group",
	            "kernel, shape, op, type, scope, source, device, stream, step, input_shape "
	            "or stack" },
	[UNIVERSE] = { OPT_WORD, "u", "count",
	               "what is counted: kernel, copy, device (both) or host",
	               .former = "universe" },
	[SORT] = SORT_OPT("total, self, calls, mean, max, p95, host, kernel, copy, bytes, nan, "
	                  "name, or the key of a column", false),
	[REVERSE] = REVERSE_OPT(false),
	[DEVICE] = { OPT_WORD, "d", "device_name_filter",
	             "devices whose name has a match; their time is 100 %" },
	[NODE] = { OPT_WORD, "n", "node_name_filter", "nodes whose name has a match" },
	[OP] = { OPT_WORD, "t", "op_type_filter", "op types that have a match" },
	[KERNEL] = { OPT_WORD, "k", "kernel_name_filter",
	             "kernels whose full name has a match, and ops that ran one" },
	[STREAM] = { OPT_WORD, NULL, "stream", "streams that have a match" },
	[SOURCE] = { OPT_WORD, NULL, "source",
	             "source lines that have a match: file.py:12(function)" },
	[TOTAL] = { OPT_WORD, NULL, "total", "rows whose total lies in an interval: \">1ms\"" },
	[DEPTH] = { OPT_INT, NULL, "depth", "scopes of at most this many parts (2)" },
	[STEP] = { OPT_WORD, NULL, "step", "a step, a list (0,2-4), or all" },
	[LIMIT] = LIMIT_OPT(false),
	[UNIT] = { OPT_WORD, NULL, "time_unit", "us, ms or s for all times" },
	[NAMES] = { OPT_WORD, NULL, "names", "names of kernels: short, full or raw" },
	[COLUMNS] = { OPT_WORD, NULL, "columns", "more of them: ", kernel_column_words },
	[IDLE] = { OPT_FLAG, NULL, "idle",
	           "add a row IDLE: the time in which the devices did nothing" },
	[OF] = { OPT_WORD, NULL, "of",
	         "the records behind the row of this name, or behind \"(impossible)\"" },
	[COLUMN] = { OPT_WORD, NULL, "column",
	             "with --of: only those behind this column: host, kernel or copy" },
	[DIFF] = { OPT_WORD, NULL, "diff",
	           "compare with another file or directory, or with step:N" },
	[RECORDS] = { OPT_FLAG, NULL, "records",
	              "all records of a trace, not summed up" },
	[WORKER] = { OPT_WORD, NULL, "worker", "in a summary, only what this worker recorded" },
	[SKIP] = SKIP_OPT(true),
};

static void kernels_free(void *context)
{
	struct kernels *k = context;

	kernel_table_free(k->table);
	step_activities_release(&k->acts);
	step_choice_release(&k->steps);
	if (k->lines)
		node_lines_free(k->lines);
	nan_counts_free(k->nans);
	node_flops_free(k->flops);
	free(k->known);
	profile_close(k->narrowed);
	free(k);
}

const char *kernels_what(enum universe universe)
{
	static const char *const what[] = { "GPU kernels", "GPU copies", "GPU kernels and copies",
	                                    "host times" };

	return what[universe];
}

/* On the screen kernels and copies are by kernel unless something else is said. */
void kernels_put_what(struct str *out, const struct kernel_table *table, bool on_screen)
{
	str_fmt(out, "kernels: %s", kernels_what(table->universe));
	if (!on_screen || table->group != GROUP_KERNEL || table->universe == UNIVERSE_HOST)
		str_fmt(out, " by %s", kernel_group_names[table->group]);
}

bool group_cuts_start(enum kernel_group group)
{
	return group == GROUP_OP || group == GROUP_SCOPE || group == GROUP_SOURCE
	       || group == GROUP_STACK;
}

void kernels_put_device(struct str *out, const struct kernels *k, const char *device,
                        const char *const *devices, size_t n)
{
	const struct trace *trace = k->acts.refs[0]->trace;

	if (trace && trace->workers.len > 1)
		str_puts(out, device);
	else
		put_short_device(out, device, devices, n);
}

void put_row_name(struct str *out, const struct kernels *k, const struct kernel_row *row)
{
	if (k->table->group == GROUP_DEVICE || k->table->group == GROUP_STREAM) {
		size_t device = strcspn(row->name, " ");
		struct str name = {0};

		str_put(&name, row->name, device);
		kernels_put_device(out, k, str_text(&name), k->known, k->n_known);
		str_puts(out, row->name + device);
		str_release(&name);
	} else if (k->names == NAMES_SHORT) {
		str_puts(out, row->short_name);
	} else if (k->names == NAMES_FULL) {
		str_puts(out, row->name);
	} else {
		struct kernel_row_more more;

		kernel_row_more(k->table, row, &more);
		str_puts(out, more.raws.len && *more.raws.at[0] ? more.raws.at[0] : row->name);
		kernel_row_more_release(&more);
	}
}

/* The index of an option's word in a list; -1: not given. False: not in the list. */
static bool choose(struct call *call, int option, const char *const *words, int n, int *out)
{
	const char *word = call->args.opt[option].word;
	struct str all = {0};

	for (*out = word ? 0 : -1; *out >= 0 && *out < n; ++*out)
		if (!strcmp(word, words[*out]))
			return true;
	if (!word)
		return true;
	for (int i = 0; i < n; i++)
		str_fmt(&all, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", words[i]);
	call_error(call, "ERROR: \"%s\" is not one of %s.", word, all.text);
	str_release(&all);
	return false;
}

static bool pattern_option(struct call *call, int option, struct pattern **out)
{
	const char *word = call->args.opt[option].word;

	if (!word || !*word)
		return true;
	*out = pattern_new(word, PATTERN_SEARCH, false, &call->err);
	return *out;
}

static bool read_patterns(struct call *call, struct kernel_query *q)
{
	return pattern_option(call, DEVICE, &q->device) && pattern_option(call, NODE, &q->node) &&
	       pattern_option(call, OP, &q->op) && pattern_option(call, KERNEL, &q->kernel) &&
	       pattern_option(call, STREAM, &q->stream) && pattern_option(call, SOURCE, &q->source);
}

static void free_patterns(struct kernel_query *q)
{
	struct pattern *all[] = { q->device, q->node, q->op, q->kernel, q->stream, q->source };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i])
			pattern_free(all[i]);
	q->device = q->node = q->op = q->kernel = q->stream = q->source = NULL;
}

bool kernels_asks(const struct kernels *k, const char *word, const char *key)
{
	return table_asks(k->columns, word) || table_asks(k->columns, key) || !strcmp(k->sort, key);
}

/* The columns of the rows that are asked for. */
static const struct kernels_columns *columns_of(const struct opt_value *opt)
{
	return opt[RECORDS].given ? &columns_of_trace
	       : opt[OF].given    ? &columns_of_records
	       : opt[DIFF].given  ? &columns_of_diff
	                          : &columns_of_kernels;
}

/* Words for the table mean nothing to rows that are no sums. */
static bool read_columns(struct call *call, struct kernels *k)
{
	struct opt_value *opt = call->args.opt;
	const struct kernels_columns *cols = columns_of(opt);
	const char *unknown = table_unknown_column(opt[COLUMNS].word, cols->at, cols->n);

	k->columns = k->args.opt[COLUMNS].word;
	if (unknown && !table_unknown_word(opt[COLUMNS].word, kernel_column_words)) {
		opt[COLUMNS] = (struct opt_value){0};
		unknown = NULL;
	}
	if (unknown)
		call_error(call, "ERROR: There is no column \"%.*s\".", (int)strcspn(unknown, ","),
		           unknown);
	if (cols != &columns_of_kernels && table_unknown_column(k->sort, cols->at, cols->n))
		opt[SORT] = (struct opt_value){0};
	return !unknown;
}

static bool read_words(struct call *call, struct kernels *k)
{
	static const char *const forms[] = { "short", "full", "raw" };
	const struct opt_value *opt = call->args.opt;
	struct kernel_query *q = &k->query;
	const struct kernels_columns *cols = columns_of(opt);
	int group, universe, names;

	if (!choose(call, GROUP, kernel_group_names, N_GROUPS, &group) ||
	    !choose(call, UNIVERSE, universe_names, N_UNIVERSES, &universe) ||
	    !table_can_sort(call, &kernel_sorts, cols->at, cols->n) ||
	    !choose(call, NAMES, forms, 3, &names))
		return false;
	q->has_group = group >= 0;
	q->group = group >= 0 ? (enum kernel_group)group : GROUP_KERNEL;
	q->has_universe = universe >= 0;
	q->universe = universe >= 0 ? (enum universe)universe : UNIVERSE_KERNEL;
	k->sort = k->args.opt[SORT].word ? k->args.opt[SORT].word : kernel_sorts.words[0].word;
	k->names = names >= 0 ? (enum name_form)names : NAMES_SHORT;
	if (opt[UNIT].given && !figure_unit_parse(opt[UNIT].word, &k->unit)) {
		call_error(call, "ERROR: \"%s\" is not one of us, ms or s.", opt[UNIT].word);
		return false;
	}
	return true;
}

static bool read_query(struct call *call, struct kernels *k)
{
	const struct opt_value *opt = call->args.opt;
	struct kernel_query *q = &k->query;

	q->idle = opt[IDLE].given;
	q->depth = !opt[DEPTH].given ? 2
	           : opt[DEPTH].number < 1 ? 1
	           : opt[DEPTH].number > MAX_SCOPE_DEPTH ? MAX_SCOPE_DEPTH
	           : (uint32_t)opt[DEPTH].number;
	if (opt[TOTAL].given) {
		if (!interval_parse(opt[TOTAL].word, INTERVAL_TIME, &k->total, &call->err))
			return false;
		q->total = &k->total;
	}
	q->source_of = node_line;
	q->context = k->lines;
	return read_words(call, k) && read_columns(call, k) && read_patterns(call, q);
}

/* GPU rows were asked for, and the file has none. */
static bool has_universe(struct call *call, const struct kernels *k)
{
	const struct trace *trace = k->profile->trace;
	size_t n = trace ? trace->totals.len : 0;

	for (size_t i = 0; i < k->acts.n; i++)
		n += k->acts.refs[i]->n_of[ACTIVITY_KERNEL] + k->acts.refs[i]->n_of[ACTIVITY_COPY];
	if (n || !k->query.has_universe || k->query.universe == UNIVERSE_HOST)
		return true;
	call_error(call,
	           "ERROR: No device rows in this profile: it holds host times only (-u host).");
	return false;
}

static void note_devices(struct kernels *k)
{
	k->known = mem_alloc((k->table->devices.len + 1) * sizeof *k->known);
	for (size_t i = 0; i < k->table->devices.len; i++)
		k->known[k->n_known++] = k->table->devices.at[i].device;
}

/* Tensors are read only if the column was requested; known counts are shown in any case. */
static bool count_nans(struct call *call, struct kernels *k)
{
	k->nans = nan_counts_new(call, kernels_asks(k, "nan", "nan"));
	if (k->nans) {
		k->query.nan_of = nan_count_for;
		k->query.nan_context = k->nans;
	}
	return !call->err.code;
}

static bool count_flops(struct call *call, struct kernels *k)
{
	if (!kernels_asks(k, "gflop", "gflop") && !kernels_asks(k, "gflop/s", "gflop_s"))
		return true;
	k->has_flops = true;
	if (k->profile->trace)
		return true;
	k->flops = node_flops_new(call, &k->steps);
	k->query.flops_of = node_flops_of;
	k->query.flops_context = k->flops;
	return k->flops;
}

/* Is there what a group of traces goes by? */
static bool has_group(struct call *call, const struct kernels *k)
{
	const struct trace *trace = k->profile->trace;
	bool shapes = k->query.group == GROUP_INPUT_SHAPE, stacks = k->query.group == GROUP_STACK;

	if (!k->query.has_group || !(shapes || stacks)
	    || (trace && (shapes ? trace->more.shape.len : trace->more.frame.len)))
		return true;
	call_error(call, "ERROR: No %s are recorded in this profile.",
	           shapes ? "shapes of inputs" : "stacks");
	return false;
}

static bool has_trace(struct call *call, const struct kernels *k)
{
	if (!k->profile->trace)
		call_error(call, "ERROR: --records lists a trace of another program; these are "
		           "step statistics of TensorFlow.");
	return k->profile->trace;
}

static void put_records(struct call *call, struct kernels *k)
{
	const char *word = call->args.opt[STEP].word;

	if (has_trace(call, k) && need_records(call, k->profile)
	    && steps_choose(call, k->profile, word ? word : "all", &k->steps)
	    && step_activities_of(call, &k->steps, &k->acts))
		kernels_put_trace(call, k);
}

/* --worker: the profile is what this one told. */
static bool narrow(struct call *call, struct kernels *k)
{
	const char *worker = call->args.opt[WORKER].word;
	const struct trace *trace = k->profile->trace;

	if (!worker || !*worker)
		return true;
	if (!call_is_worker(call, worker, trace ? trace->workers.at : NULL,
	                    trace ? trace->workers.len : 0))
		return false;
	if (trace->workers.len == 1)
		return true;
	k->narrowed = profile_of_worker(k->profile, worker, call->progress, &call->err);
	if (k->narrowed)
		k->profile = k->narrowed;
	return k->narrowed;
}

bool kernels_read_activities(struct call *call, const struct kernels *k,
                             const struct step_choice *steps, struct step_activities *out)
{
	return k->narrowed ? step_activities_with(call, steps, NULL, 0, out)
	                   : step_activities_of(call, steps, out);
}

static void answer(struct call *call, struct kernels *k)
{
	const struct opt_value *opt = call->args.opt;

	if (!read_query(call, k) || !narrow(call, k))
		return;
	if (opt[RECORDS].given) {
		put_records(call, k);
		return;
	}
	if (!has_group(call, k) ||
	    !steps_choose_for_mean(call, k->profile, opt[STEP].word, &k->steps) ||
	    !kernels_read_activities(call, k, &k->steps, &k->acts) || !has_universe(call, k))
		return;
	if (opt[OF].given || opt[DIFF].given)
		steps_say_left_out(call, &k->steps);
	if (opt[OF].given) {
		if (need_records(call, k->profile))
			kernels_put_records(call, k, opt[OF].word, opt[COLUMN].word);
		return;
	}
	if (!count_nans(call, k) || !count_flops(call, k))
		return;
	if (!kernel_table_of(k->acts.refs, k->acts.labels, k->acts.n, &k->query, call->progress,
	                     &k->table, &call->err))
		return;
	note_devices(k);
	if (opt[DIFF].given)
		kernels_put_diff(call, k, opt[DIFF].word);
	else
		kernels_put_table(call, k);
}

static void kernels_exec(struct call *call)
{
	const char *damage;
	struct kernels *k;
	size_t at = 0;

	if (!need_steps(call, call->shell->profile))
		return;
	doc_set_of_step(call->out);
	k = mem_alloc(sizeof *k);
	k->lines = node_lines_new(call->shell);
	k->args = again_keep(call, doc_mem(call->out));
	k->on_screen = call->on_screen;
	k->profile = call->shell->profile;
	k->modern = call->on_screen && call->canvas.modern;
	k->fine = canvas_is_fine(&call->canvas);
	if (k->modern)
		doc_set_fitted(call->out);
	bring_no_node_key(call);
	k->has_ps_of_profile = session_cmd(call->shell, "ps") != cmd_find("ps");
	doc_keep(call->out, kernels_free, k);
	answer(call, k);
	while ((damage = shell_next_damage(call->shell, &at)))    /* CSV has no notes */
		call_fault(call, damage);
	if (node_lines_fault(k->lines))
		call_damage(call, node_lines_fault(k->lines)->src, node_lines_fault(k->lines));
	free_patterns(&k->query);
}

const struct cmd cmd_kernels = {
	.name = "kernels", .alias = "kt",
	.summary = "Where device time went: GPU kernels, copies, host times", OPTS(options),
	.runless = true, .whole_words = true, .exec = kernels_exec, .so_far = kernels_so_far,
};
