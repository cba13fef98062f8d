/* The executions of a program: its steps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/pattern.h"
#include "cmds/program/choose.h"
#include "cmds/program/step_row.h"
#include "cmds/program/tensor_filter.h"

enum { FILTER, OP_TYPE, GRAPH, STACKS, CHECKSUM, SKIP, MAX, HOST, DEVICE };

static const struct opt options[] = {
	[FILTER] = FILTER_OPT,
	[OP_TYPE] = { OPT_WORD, "t", "op_type_filter",
	              "keep op types that match from their start" },
	[GRAPH] = GRAPH_OPT,
	[STACKS] = { OPT_FLAG, NULL, "stacks",
	             "add the ids of the stack's frames to JSON and CSV" },
	[CHECKSUM] = { OPT_FLAG, NULL, "checksum",
	               "add the CRC-32 of the elements to JSON and CSV" },
	[SKIP] = SKIP_OPT(false),
	[MAX] = MAX_OPT,
	[HOST] = HOST_OPT,
	[DEVICE] = ON_DEVICE_OPT,
	SORT_KEY_OPT, REVERSE_OPT(true), COLUMNS_OPT
};

/* Does a tensor of the step pass? */
static enum answer3 ask_step(struct call *call, const struct tensor_filter *filter,
                             struct program_reads *reads, uint32_t step)
{
	uint64_t n = program_n_tensors(reads->program, step);
	enum answer3 answer = ANSWER_NO;

	for (uint64_t i = 0; i < n && answer != ANSWER_YES && !call->err.code; i++) {
		struct program_tensor t = program_tensor(reads->program, step, i);
		struct err err = {0};
		enum answer3 one = tensor_filter_ask(filter, reads, &t, &err);

		answer = one == ANSWER_NO ? answer : one;
		if (tensor_filter_gave_up(&err))
			call->err = err;
		else if (err.code)
			call_damage(call, err.src, &err);
	}
	return answer;
}

static const char *word_of(const struct call *call, int option)
{
	const char *word = call->args.opt[option].word;

	return word && *word ? word : NULL;
}

/* Takes the steps of this graph, place, type and filter. */
static void take_rows(struct call *call, struct step_rows *rows, uint32_t graph,
                      const struct whereabouts *there, struct pattern *op,
                      const struct tensor_filter *filter)
{
	const struct program *program = rows->program;

	for (uint32_t i = 0; i < program->steps.len && !call->err.code; i++) {
		const struct program_step *step = &program->steps.at[i];
		enum answer3 answer = ANSWER_YES;

		if (!(i % 256) && !progress_step(call->progress, i, program->steps.len))
			err_fill(&call->err, ERR_CANCELLED, "command", 0, "stopped");
		if ((graph != PROGRAM_NONE && step->graph != graph) ||
		    !step_is_there(program, there, i) ||
		    (op && !pattern_hits(op, step->op, strlen(step->op), 0, NULL, NULL)))
			continue;
		if (filter)
			answer = ask_step(call, filter, &rows->reads, i);
		rows->judged.unknown += answer == ANSWER_OPEN;
		if (answer == ANSWER_YES)
			vec_push(&rows->rows, i);
	}
	if (op && pattern_gave_up(op))
		pattern_too_long(NULL, &call->err);
}

static bool put_summary(void *table, struct data *data, struct progress *progress, struct err *err)
{
	const struct step_rows *rows = table_context(table);

	(void)progress, (void)err;
	judged_put_data(&rows->judged, "executions", data);
	return true;
}

static void put_heading(struct call *call, const struct step_rows *rows)
{
	const struct program *program = rows->program;
	struct str modes = {0};

	put_modes(program, &modes);
	if (rows->judged.matched == program->steps.len)
		doc_line_put(call->out, ROLE_PLAIN, "%zu execution%s. %s", program->steps.len,
		             plural(program->steps.len), modes.text);
	else
		doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " of %zu executions match. %s",
		             rows->judged.matched, program->steps.len, modes.text);
	doc_newline(call->out);
	str_release(&modes);
}

static void show(struct call *call, struct step_rows *rows)
{
	struct table *table;

	rows->judged.all = rows->program->steps.len;
	rows->judged.matched = rows->rows.len;
	rows->stacks = call->args.opt[STACKS].given;
	rows->checksum = call->args.opt[CHECKSUM].given;
	rows->signs = call->on_screen;
	if (rows->signs)
		rows->current = call->shell->program_step;
	table = step_rows_table(call, rows);
	if (!table)
		return;
	if (call->on_screen && table->n_rows == rows->program->steps.len)
		doc_set_of_runs(call->out);
	put_heading(call, rows);
	table_put_list(call, table);
	doc_typed_as(call->out, NULL, put_summary);
	judged_put_foot(call, &rows->judged, "executions");
	put_unscanned(call);
	if (rows->err.code)
		call_damage(call, rows->err.src, &rows->err);
}

static void lx_exec(struct call *call)
{
	const char *filter_word = word_of(call, FILTER), *op_word = word_of(call, OP_TYPE);
	struct tensor_filter filter;
	struct step_rows *rows;
	struct pattern *op = NULL;
	struct whereabouts there;
	uint32_t graph;

	if (filter_word && !tensor_filter_choose(call, filter_word, &filter))
		return;
	if (!choose_graph(call, word_of(call, GRAPH), &graph) ||
	    !choose_whereabouts(call, word_of(call, HOST), word_of(call, DEVICE), &there) ||
	    !need_scan(call))
		return;
	if (op_word && !(op = pattern_new(op_word, PATTERN_MATCH, false, &call->err)))
		return;
	rows = step_rows_new(call->out, call->shell->program);
	take_rows(call, rows, graph, &there, op, filter_word ? &filter : NULL);
	pattern_free(op);
	if (!call->err.code)
		show(call, rows);
}

/* While they are read: when each began and what it is. */

enum { SO_FAR_ROWS = 200 };

/* The start of the program, as far as it is known; else its first step's. */
static int64_t start_us(const struct program *program)
{
	int64_t first = INT64_MAX, us;

	for (size_t i = 0; i < program->sets.len; i++)
		if (program->sets.at[i].has_start &&
		    program_us(program->sets.at[i].start, &us) && us < first)
			first = us;
	if (first == INT64_MAX && program->steps.len && program_us(program->steps.at[0].time, &us))
		first = us;
	return first;
}

static struct doc *lx_so_far(const struct shell *shell)
{
	const struct program *program = programs_so_far(shell->programs);
	struct doc *doc;
	int64_t first, us;

	if (!program)
		return NULL;
	doc = doc_new();
	first = start_us(program);
	doc_line_put(doc, ROLE_PLAIN, "%zu executions so far...", program->steps.len);
	doc_newline(doc);
	doc_line_put(doc, ROLE_STRONG, "%5s  %8s  %-8s  Op type", "#", "t (ms)", "Kind");
	for (uint32_t i = 0; i < program->steps.len && i < SO_FAR_ROWS; i++) {
		const struct program_step *step = &program->steps.at[i];
		bool known = program_us(step->time, &us);

		doc_line_put(doc, ROLE_PLAIN, "%5" PRIu32 "  %8.1f  %-8s  %s", i,
		             known ? (double)(us - first) / 1000 : 0,
		             step->is_function ? "function" : "op", step->op);
	}
	return doc;
}

const struct cmd cmd_lx = {
	.name = "list_executions", .alias = "lx",
	.summary = "Steps of a recorded program, with their health",
	OPTS(options), .of_program = true, .lists_runs = true, .exec = lx_exec,
	.so_far = lx_so_far,
};
