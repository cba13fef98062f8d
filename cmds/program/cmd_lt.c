/* Tensors of a step, or of all: lt and la. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/lang/pattern.h"
#include "cmds/program/choose.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/tensor_cells.h"
#include "cmds/program/tensor_filter.h"
#include "cmds/session/program.h"
#include "dump/base/mem.h"

enum { FILTER, EXCLUDE, NODE_NAME, OP_TYPE, SORT_BY, REVERSE, ALL_STEPS, STEP, GRAPH, CHECKSUM,
       SKIP, MAX, HOST, DEVICE, HEALTH, COLUMNS };

static const struct opt options[] = {
	[FILTER] = FILTER_OPT,
	[EXCLUDE] = { OPT_WORD, "fenn", "filter_exclude_node_names",
	              "with -f: skip nodes whose name matches" },
	[NODE_NAME] = { OPT_WORD, "n", "node_name_filter",
	                "keep nodes whose name matches from its start" },
	[OP_TYPE] = { OPT_WORD, "t", "op_type_filter",
	              "keep op types that match from their start" },
	[SORT_BY] = SORT_OPT("timestamp (default), dump_size, op_type, tensor_name, size or bad; "
	                     "with --health dtype, shape, min or max; or the key of a column",
	                     false),
	[REVERSE] = REVERSE_OPT(false),
	[ALL_STEPS] = { OPT_FLAG, NULL, "all-steps", "of all steps, and what belongs to none" },
	[STEP] = STEP_OPT,
	[GRAPH] = GRAPH_OPT,
	[CHECKSUM] = { OPT_FLAG, NULL, "checksum",
	               "typed rows have the CRC-32 of the stored elements" },
	[SKIP] = SKIP_OPT(false),
	[MAX] = MAX_OPT,
	[HOST] = HOST_OPT,
	[DEVICE] = ON_DEVICE_OPT,
	[HEALTH] = { OPT_FLAG, NULL, "health",
	             "what each tensor holds, as far as it was recorded: NaN and Inf, type, shape; "
	             "of a whole one the least and largest element, and how the others lie" },
	[COLUMNS] = COLUMNS_OPT,
};

static const struct sort_word sort_words[] = {
	{ "timestamp", { 0 } }, { "dump_size", { RISES(size_bytes) } },
	{ "op_type", { RISES(op) } }, { "tensor_name", { RISES(tensor) } },
	{ "size", { RISES(size) } }, { "bad", { RISES(bad) } }, { "dtype", { RISES(dtype) } },
	{ "shape", { RISES(shape) } }, { "min", { RISES(min) } }, { "max", { RISES(max) } }, { 0 },
};
static const struct table_sorts sorts = {
	.words = sort_words, .refusal = "Unsupported key to sort tensors by: %s",
	.missing_first = true,
};

/* The options that narrow a list, parsed. */
struct narrowing {
	struct pattern *name, *op, *exclude;     /* NULL: not asked for */
	uint32_t graph;
	struct whereabouts there;
	bool has_filter;
	struct tensor_filter filter;
};

static const char *word_of(const struct call *call, int option)
{
	const char *word = call->args.opt[option].word;

	return word && *word ? word : NULL;
}

static bool read_pattern(struct call *call, int option, struct pattern **out)
{
	const char *text = word_of(call, option);

	*out = text ? pattern_new(text, PATTERN_MATCH, false, &call->err) : NULL;
	return *out || !text;
}

static void narrowing_release(struct narrowing *n)
{
	pattern_free(n->name);
	pattern_free(n->op);
	pattern_free(n->exclude);
}

static bool narrowing_read(struct call *call, struct narrowing *n)
{
	const char *filter = word_of(call, FILTER);

	*n = (struct narrowing){ .has_filter = filter };
	if (word_of(call, EXCLUDE) && !filter)
		return err_at(&call->err, ERR_VALUE, "command", 0,
		              "The flag --filter_exclude_node_names is valid "
		              "only when the flag -f or --tensor_filter is used.");
	if (filter && !tensor_filter_choose(call, filter, &n->filter))
		return false;
	return choose_graph(call, word_of(call, GRAPH), &n->graph) &&
	       choose_whereabouts(call, word_of(call, HOST), word_of(call, DEVICE), &n->there) &&
	       read_pattern(call, NODE_NAME, &n->name) && read_pattern(call, OP_TYPE, &n->op) &&
	       read_pattern(call, EXCLUDE, &n->exclude);
}

static bool fits(struct call *call, struct pattern *pattern, const char *text, size_t len)
{
	return text && pattern_fits(pattern, text, len, &call->err);
}

/* Is it in the list before any filter? name: scratch. */
static bool is_listed(struct call *call, const struct narrowing *n, const struct program_tensor *t,
                      struct str *name)
{
	const struct program *program = call->shell->program;
	const char *op = n->op ? tensor_op(program, t) : NULL;
	size_t len;

	if (n->graph != PROGRAM_NONE && tensor_graph(program, t) != n->graph)
		return false;
	if (!tensor_is_there(program, &n->there, t))
		return false;
	if (n->op && !fits(call, n->op, op, op ? strlen(op) : 0))
		return false;
	if (!n->name && !n->exclude)
		return true;
	str_reset(name);
	program_put_name(program, t, name);
	len = (size_t)(strrchr(name->text, ':') - name->text);
	return (!n->name || fits(call, n->name, name->text, len)) &&
	       !(n->exclude && fits(call, n->exclude, name->text, len));
}

/* Takes the rows that are listed and pass. False: call->err is set. */
static bool take_rows(struct call *call, const struct narrowing *n, struct tensor_rows *rows)
{
	const struct program *program = call->shell->program;
	uint64_t len = program_n_tensors(program, rows->of);
	struct str name = {0};

	for (uint64_t i = 0; i < len && !call->err.code; i++) {
		struct program_tensor t = program_tensor(program, rows->of, i);
		enum answer3 verdict = ANSWER_YES;
		struct err err = {0};

		if (!(i % 256) && !progress_step(call->progress, i, len)) {
			err_fill(&call->err, ERR_CANCELLED, "command", 0,
			         "stopped after %" PRIu64 " of %" PRIu64 " tensors", i, len);
			break;
		}
		if (!is_listed(call, n, &t, &name))
			continue;
		if (n->has_filter)
			verdict = tensor_filter_ask(&n->filter, &rows->reads, &t, &err);
		if (tensor_filter_gave_up(&err))
			call->err = err;
		else if (err.code && !rows->err.code)
			rows->err = err;
		rows->judged.all++;
		rows->judged.matched += verdict == ANSWER_YES;
		rows->judged.unknown += verdict == ANSWER_OPEN;
		if (verdict == ANSWER_YES)
			vec_push(&rows->rows, (uint32_t)i);
	}
	str_release(&name);
	return !call->err.code;
}

/* Keys beside the typed rows. */

static bool put_summary(void *table, struct data *data, struct progress *progress, struct err *err)
{
	const struct tensor_rows *rows = table_context(table);

	(void)progress, (void)err;
	judged_put_data(&rows->judged, "tensors", data);
	return true;
}

static void put_heading(struct call *call, const struct tensor_rows *rows, bool alerts)
{
	uint32_t step = rows->of;
	const struct program *program = call->shell->program;
	uint64_t all = program_n_tensors(program, step);
	struct str modes = {0}, at = {0};

	if (rows->judged.matched != all)
		doc_put(call->out, ROLE_PLAIN, "%" PRIu64 " of ", rows->judged.matched);
	doc_put(call->out, ROLE_PLAIN, "%" PRIu64 " dumped tensor(s)", all);
	if (step != PROGRAM_NONE) {
		program_put_step(program, step, &at);
		doc_put(call->out, ROLE_PLAIN, " of %s %s", at.text, program->steps.at[step].op);
	}
	if (alerts)
		doc_put(call->out, ROLE_PLAIN, " with NaN or Inf");
	else if (word_of(call, FILTER))
		doc_put(call->out, ROLE_PLAIN, " passing filter \"%s\"", word_of(call, FILTER));
	put_modes(program, &modes);
	doc_line_put(call->out, ROLE_PLAIN, ": %s", modes.text);
	str_release(&modes);
	str_release(&at);
}

/* Puts the heading of the table, which has no links in its own yet. NULL: call has the error. */
static struct table *show(struct call *call, struct tensor_rows *rows, bool alerts)
{
	struct table *table;

	if (call->on_screen)
		tensor_rows_for_screen(call->out, rows);
	table = tensor_rows_table(call->out, rows);
	table->sorts = alerts ? NULL : &sorts;
	if (!table_arrange(call, table))
		return NULL;
	tensor_rows_measure(table, call->on_screen && call->cols > 0 ? (size_t)call->cols : 0);
	put_heading(call, rows, alerts);
	doc_newline(call->out);
	return table;
}

static void put_rows(struct call *call, struct table *table, const struct tensor_rows *rows)
{
	table_put_list(call, table);
	doc_typed_as(call->out, NULL, put_summary);
	judged_put_foot(call, &rows->judged, "tensors");
	if (rows->err.code)
		call_damage(call, rows->err.src, &rows->err);
}

/* A heading is the same line, sorted by its column. */
static void link_headings(struct call *call, struct table *table, bool with_health)
{
	struct args args = call->args;
	struct str line = {0};

	table->sorted = args.opt[SORT_BY].given ? args.opt[SORT_BY].word : sort_words[0].word;
	table->reverse = args.opt[REVERSE].given;
	args.opt[SORT_BY] = args.opt[REVERSE] = (struct opt_value){0};
	args.opt[HEALTH].given = with_health;
	again_put(call->cmd, &args, &line);
	table->sort_line = arena_copy(doc_mem(call->out), line.text, line.len);
	str_release(&line);
}

/* Does --sort_by or --columns name a column that only --health fills? */
static bool needs_health(const struct call *call)
{
	const char *by = word_of(call, SORT_BY);

	return table_wants(call, &tensor_cols[COL_min]) ||
	       table_wants(call, &tensor_cols[COL_max]) ||
	       (by && (!strcmp(by, "dtype") || !strcmp(by, "shape")));
}

static void lt_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct tensor_rows *rows;
	struct narrowing n;
	uint32_t step = PROGRAM_NONE;

	if (!opt[ALL_STEPS].given && !choose_step(call, &opt[STEP], &step))
		return;
	if (!table_can_sort(call, &sorts, tensor_cols, N_TENSOR_COLS))
		return;
	rows = tensor_rows_new(call->out, call->shell->program, step);
	rows->checksum = opt[CHECKSUM].given || table_wants(call, &tensor_cols[COL_crc32]);
	rows->fine = call->canvas.blocks;
	rows->with_health = opt[HEALTH].given || needs_health(call);
	if (narrowing_read(call, &n) && take_rows(call, &n, rows) &&
	    (!rows->with_health || tensor_rows_read(rows, call->progress, &call->err))) {
		struct table *table = show(call, rows, false);

		if (table) {
			link_headings(call, table, rows->with_health);
			put_rows(call, table, rows);
		}
	}
	narrowing_release(&n);
}

const struct cmd cmd_lt_program = {
	.name = "list_tensors", .alias = "lt", .summary = "Tensors of a step, or of all",
	OPTS(options), .of_program = true, .exec = lt_exec,
};

/* Alerts: what has NaN or Inf. */

enum { LA_SKIP, LA_MAX, LA_HOST, LA_DEVICE };

static const struct opt la_options[] = {
	[LA_SKIP] = SKIP_OPT(false),
	[LA_MAX] = MAX_OPT,
	[LA_HOST] = HOST_OPT,
	[LA_DEVICE] = ON_DEVICE_OPT,
	SORT_KEY_OPT, REVERSE_OPT(true), COLUMNS_OPT
};

static void la_exec(struct call *call)
{
	const struct program *program = call->shell->program;
	uint64_t n = program_n_tensors(program, PROGRAM_NONE);
	struct tensor_rows *rows;
	struct whereabouts there;
	struct table *table;

	if (!choose_whereabouts(call, call->args.opt[LA_HOST].word,
	                        call->args.opt[LA_DEVICE].word, &there) || !need_scan(call))
		return;
	rows = tensor_rows_new(call->out, program, PROGRAM_NONE);
	for (uint64_t i = 0; i < n; i++) {
		struct program_tensor t = program_tensor(program, PROGRAM_NONE, i);
		enum program_bad bad = program_bad(program, &t);

		if (!tensor_is_there(program, &there, &t))
			continue;
		rows->judged.all++;
		rows->judged.unknown += bad == PROGRAM_CANT_TELL;
		if (bad == PROGRAM_BAD)
			vec_push(&rows->rows, (uint32_t)i);
	}
	rows->judged.matched = rows->rows.len;
	table = show(call, rows, true);
	if (!table)
		return;
	put_rows(call, table, rows);
	put_unscanned(call);
}

const struct cmd cmd_la = {
	.name = "list_alerts", .alias = "la", .summary = "Tensors with NaN or Inf, in time order",
	OPTS(la_options), .of_program = true, .exec = la_exec,
};
