/* Parts that have nothing to say are left out; what a command shows in full links to it. */
#include "cmds/overview/overview_answer.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/figure.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/origins/origins_answer.h"
#include "cmds/origins/origins_data.h"

enum {
	LABEL_COLS = 10,         /* what a part is called, before what it says */
	COST_COLS = 40,          /* of a name: templates fill lines otherwise */
};

/* A part's name, which opens its command. */
static void put_label(struct doc *doc, const char *label, const char *command)
{
	if (command)
		doc_link(doc, ROLE_STRONG, label, "%s", command);
	else
		doc_put(doc, ROLE_STRONG, "%s", label);
	doc_put(doc, ROLE_PLAIN, "%*s", LABEL_COLS - (int)strlen(label), "");
}

/* "command NAME" behind a name. */
static void put_name(struct doc *doc, const char *command, const char *name)
{
	struct str line = {0};

	words_put_with(&line, command, name);
	doc_link(doc, ROLE_PLAIN, name, "%s", line.text);
	str_release(&line);
}

/* The head. */

static const char *what(const struct overview_head *head)
{
	return head->arrays ? "Arrays" : head->v1 || head->v2 ? "Dump"
	       : head->profile ? "Profile" : head->graph ? "Graph" : "Nothing is open";
}

/* " of 20 runs" */
static void put_number(struct str *out, const char *before, int64_t n, const char *noun)
{
	if (n >= 0)
		str_fmt(out, "%s%" PRId64 " %s%s", before, n, noun, plural((uint64_t)n));
}

static void put_what(struct doc *doc, const struct overview_head *head)
{
	struct str text = {0};

	str_puts(&text, what(head));
	if (head->runs > 1 || (head->v1 && head->runs >= 0))
		put_number(&text, " of ", head->runs, "run");
	else
		put_number(&text, " of ", head->steps, "step");
	if (head->v1)
		str_puts(&text, " (tfdbg v1)");
	else if (head->v2)
		str_fmt(&text, " (tfdbg v2%s%s)", head->version ? ", TensorFlow " : "",
		        head->version ? head->version : "");
	if (head->span_us > 0) {
		str_puts(&text, ", ");
		put_time(&text, head->span_us * 1000, UNIT_AUTO);
	}
	doc_line_put(doc, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
}

/* "640 tensors of 32 nodes, 1 device, 170.0k; graph of 61 nodes" */
static void put_counts(struct doc *doc, const struct overview_head *head)
{
	struct str text = {0};

	put_number(&text, "", head->tensors, "tensor");
	if (!head->arrays)
		put_number(&text, " of ", head->nodes, head->v2 ? "op" : "node");
	if (head->v2)
		put_number(&text, " in ", head->graphs, "graph");
	put_number(&text, ", ", head->devices, "device");
	if (head->hosts > 1)
		put_number(&text, ", ", head->hosts, "host");
	if (head->bytes >= 0) {
		str_puts(&text, text.len ? ", " : "");
		put_size(&text, head->bytes);
	}
	if (head->graph_nodes >= 0) {
		str_puts(&text, text.len ? "; " : "");
		put_number(&text, "graph of ", head->graph_nodes, "node");
	}
	if (head->mode)
		str_fmt(&text, "%smode %s", text.len ? "; " : "", head->mode);
	if (text.len)
		doc_line_put(doc, ROLE_PLAIN, "  %s", text.text);
	str_release(&text);
}

/* Numbers. */

enum { RUN_CELLS = 60 };

/*
 * The worst of some runs: "." is clean, "#" the first that is bad, "+" bad, "?" not judged as a
 * whole and not known to be bad.
 */
static char sign_of_runs(const struct origins_report *report, size_t begin, size_t end)
{
	char sign = '.';

	for (size_t i = 0; i < report->unjudged_runs.len; i++)
		if (report->unjudged_runs.at[i] > begin && report->unjudged_runs.at[i] <= end)
			sign = '?';

	for (size_t i = begin; i < end; i++) {
		bool bad = i < report->bad_by_run.len && report->bad_by_run.at[i];

		if (i + 1 == report->first_bad_run)
			return '#';
		if (bad)
			sign = '+';
	}
	return sign;
}

static void put_runs(struct doc *doc, const struct origins_report *report)
{
	size_t n = report->runs.len, cells = n < RUN_CELLS ? n : RUN_CELLS;
	struct str text = {0};

	if (n < 2 || !report->first_bad_run)
		return;
	for (size_t i = 0; i < cells; i++)
		str_putc(&text, sign_of_runs(report, i * n / cells, (i + 1) * n / cells));
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_link(doc, ROLE_PLAIN, "runs", "runs");
	doc_line_put(doc, ROLE_PLAIN, " 1-%zu  %s", n, text.text);
	str_release(&text);
}

static void put_numbers(struct doc *doc, const struct overview *o)
{
	const struct origins_report *report = o->numbers;

	if (!report && !o->unjudged)
		return;
	doc_newline(doc);
	put_label(doc, "Numbers", "origins");
	if (!report || report->refused) {
		doc_line_put(doc, ROLE_PLAIN, "%s", report ? report->refused : o->unjudged);
		return;
	}
	origins_put_head(doc, report);
	for (size_t i = 0; i < report->n_origins && i < OVERVIEW_TOP; i++) {
		doc_put(doc, ROLE_PLAIN, "  ");
		origins_put_row(doc, report, i);
		if (!i && o->made_at)
			doc_line_put(doc, ROLE_OWN, "     %s", o->made_at);
	}
	put_runs(doc, report);
}

/* "hidden/weights:0 grew 14 times a run from run 9 to 12, then bad" */
static void put_drift(struct call *call, const struct overview *o)
{
	const struct drift_row *row = &o->drift;
	const struct shell *shell = call->shell;
	enum series_by by = o->series.by;
	bool by_run = by == SERIES_BY_RUN;
	struct str text = {0};

	if (!row->s)
		return;
	str_fmt(&text, "%s grew %.3g times %s from %s ", row->s->tensor, row->growth,
	        by_run ? "a run" : "an execution", by_run ? "run" : "execution");
	drift_put_number(shell, by, row->from_number, &text);
	if (row->bad_number != DRIFT_NEVER && row->bad_number > row->from_number) {
		str_puts(&text, " to ");
		drift_put_number(shell, by, row->bad_number - 1, &text);
		str_puts(&text, ", then bad");
	}
	put_label(call->out, "Drift", "drift");
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
}

/* Time. */

static void put_costs(struct doc *doc, const char *label, const char *command,
                      const struct overview_cost *cost, size_t n)
{
	struct str text = {0};

	if (!n)
		return;
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_link(doc, ROLE_PLAIN, label, "%s", command);
	for (size_t i = 0; i < n; i++) {
		str_reset(&text);
		str_puts(&text, i ? ", " : "  ");
		put_percent(&text, cost[i].share);
		str_puts(&text, "% ");
		put_shortened(&text, cost[i].name, COST_COLS, false);
		doc_put(doc, ROLE_PLAIN, "%s", text.text);
	}
	doc_newline(doc);
	str_release(&text);
}

static void put_gaps(struct doc *doc, const struct overview_time *time)
{
	struct str text = {0};

	for (size_t i = 0; i < time->n_gaps; i++) {
		str_puts(&text, i ? ", " : "");
		put_time(&text, time->gap[i].len_ns, UNIT_AUTO);
		str_puts(&text, " at ");
		put_after(&text, time->gap[i].at_ns);
	}
	if (text.len) {
		doc_put(doc, ROLE_PLAIN, "  ");
		doc_link(doc, ROLE_PLAIN, "gaps", "timeline");
		doc_line_put(doc, ROLE_PLAIN, "     %s", text.text);
	}
	str_release(&text);
}

static void put_time_part(struct doc *doc, const struct overview_time *time)
{
	struct str text = {0};

	if (!time->step)
		return;
	doc_newline(doc);
	put_label(doc, "Time", "kernels");
	if (time->whole)
		str_puts(&text, "whole trace");
	else
		str_fmt(&text, "step %s", time->step);
	if (time->span_ns > 0) {
		str_fmt(&text, ": %s ", time->device);
		put_time(&text, time->span_ns, UNIT_AUTO);
		str_puts(&text, ", busy ");
		put_percent(&text, percent_of(time->busy_ns, time->span_ns));
		str_puts(&text, "%");
	}
	doc_line_put(doc, ROLE_PLAIN, "%s", text.text);
	if (time->verdict)
		doc_line_put(doc, ROLE_PLAIN, "  %s", time->verdict);
	put_costs(doc, "ops     ", "kernels -g op", time->op, time->n_ops);
	put_costs(doc, "kernels ", "kernels -g kernel", time->kernel, time->n_kernels);
	put_gaps(doc, time);
	str_release(&text);
}

static void put_memory(struct doc *doc, const overview_memories *memory)
{
	for (size_t i = 0; i < memory->len; i++) {
		const struct overview_memory *m = &memory->at[i];
		struct str text = {0};

		put_size(&text, m->peak_bytes);
		str_puts(&text, " at ");
		put_after_us(&text, m->at_us);
		if (i)
			doc_put(doc, ROLE_PLAIN, "%*s", LABEL_COLS, "");
		else
			put_label(doc, "Memory", "memory");
		put_name(doc, "memory", m->allocator);
		doc_put(doc, ROLE_PLAIN, " %s", text.text);
		for (size_t k = 0; k < m->n_top; k++)
			doc_put(doc, ROLE_PLAIN, "%s%s", k ? ", " : ": ", m->top[k]);
		doc_newline(doc);
		str_release(&text);
	}
}

/* The dump. */

static void put_dump(struct doc *doc, const struct overview_dump *dump)
{
	if (!dump)
		return;
	doc_newline(doc);
	put_label(doc, "Dump", "doctor");
	doc_put(doc, ROLE_PLAIN,
	        "%s%" PRIu64 " damaged, %" PRIu64 " missing, %" PRIu64 " run%s cut short",
	        dump->damaged || dump->missing || dump->partial || dump->left_out ? ""
	                                                                          : "complete: ",
	        dump->damaged, dump->missing, dump->partial, plural(dump->partial));
	if (dump->left_out)
		doc_put(doc, ROLE_PLAIN, ", %" PRIu64 " left out by the recorder", dump->left_out);
	doc_newline(doc);
	for (size_t i = 0; i < dump->n_problems; i++)
		doc_line_put(doc, ROLE_DAMAGED, "  %s", dump->problem[i]);
}

static void put_next(struct doc *doc, const struct overview *o)
{
	if (!o->n_next)
		return;
	doc_newline(doc);
	put_label(doc, "Next", NULL);
	for (size_t i = 0; i < o->n_next; i++) {
		doc_put(doc, ROLE_PLAIN, "%s", i ? "   " : "");
		doc_link(doc, ROLE_PLAIN, o->next[i], "%s", o->next[i]);
	}
	doc_newline(doc);
}

/* Typed. */

static void put_known(struct data *data, const char *key, int64_t value)
{
	data_key(data, key);
	data_int_or_null(data, value);
}

static void put_kind(struct data *data, const struct overview_head *head)
{
	const struct { bool is; const char *name; } kinds[] = {
		{ head->v1, "v1" }, { head->v2, "v2" }, { head->arrays, "arrays" },
		{ head->profile, "profile" }, { head->graph, "graph" },
	};
	struct str text = {0};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].is)
			str_fmt(&text, "%s%s", text.len ? "+" : "", kinds[i].name);
	data_key(data, "kind");
	data_str(data, text.len ? text.text : NULL);
	str_release(&text);
}

static void data_head(struct data *data, const struct overview_head *head)
{
	put_kind(data, head);
	key_str(data, "writer", head->writer);
	key_str(data, "version", head->version);
	put_known(data, "span_us", head->span_us);
	put_known(data, "runs", head->runs);
	put_known(data, "steps", head->steps);
	put_known(data, "tensors", head->tensors);
	put_known(data, "nodes", head->nodes);
	put_known(data, "devices", head->devices);
	put_known(data, "hosts", head->hosts);
	put_known(data, "bytes", head->bytes);
	put_known(data, "graph_nodes", head->graph_nodes);
}

static void data_costs(struct data *data, const char *key, const struct overview_cost *cost,
                       size_t n)
{
	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < n; i++) {
		data_object(data);
		key_str(data, "name", cost[i].name);
		key_us(data, "self_us", cost[i].self_ns);
		data_key(data, "share");
		data_rounded(data, cost[i].share);
		data_end(data);
	}
	data_end(data);
}

static void data_share(struct data *data, const char *key, int64_t part, int64_t whole)
{
	data_key(data, key);
	if (whole > 0)
		data_rounded(data, (double)part / (double)whole);
	else
		data_null(data);
}

static void data_time(struct data *data, const struct overview_time *time)
{
	data_key(data, "time");
	if (!time->step) {
		data_null(data);
		return;
	}
	data_object(data);
	key_str(data, "step", time->step);
	key_str(data, "device", time->device);
	data_share(data, "busy", time->busy_ns, time->span_ns);
	data_share(data, "idle", time->span_ns - time->busy_ns, time->span_ns);
	data_costs(data, "top_ops", time->op, time->n_ops);
	data_costs(data, "top_kernels", time->kernel, time->n_kernels);
	data_key(data, "gaps");
	data_list(data);
	for (size_t i = 0; i < time->n_gaps; i++) {
		data_object(data);
		key_us(data, "at_us", time->gap[i].at_ns);
		key_us(data, "us", time->gap[i].len_ns);
		data_end(data);
	}
	data_end(data);
	key_str(data, "verdict", time->verdict);
	data_end(data);
}

static void data_memory(struct data *data, const overview_memories *memory)
{
	data_key(data, "memory");
	data_list(data);
	for (size_t i = 0; i < memory->len; i++) {
		const struct overview_memory *m = &memory->at[i];

		data_object(data);
		key_str(data, "allocator", m->allocator);
		key_int(data, "peak_bytes", m->peak_bytes);
		key_int(data, "at_us", m->at_us);
		data_key(data, "top");
		data_list(data);
		for (size_t k = 0; k < m->n_top; k++)
			data_str(data, m->top[k]);
		data_end(data);
		data_end(data);
	}
	data_end(data);
}

static void data_numbers(struct data *data, const struct overview *o)
{
	const struct origins_report *report = o->numbers;
	const char *reason = report ? report->refused : o->unjudged ? o->unjudged : "not searched";
	bool judged = report && !report->refused;

	data_key(data, "numbers");
	data_object(data);
	data_key(data, "judged");
	data_bool(data, judged);
	key_str(data, "reason", judged ? NULL : reason);
	put_known(data, "bad_tensors", judged ? (int64_t)report->bad_tensors : -1);
	put_known(data, "origins", judged ? (int64_t)report->n_origins : -1);
	put_known(data, "benign", judged ? (int64_t)(report->rows.len - report->n_origins) : -1);
	put_known(data, "first_bad_run",
	          judged && report->first_bad_run ? (int64_t)report->first_bad_run : -1);
	put_known(data, "first_bad_step",
	          !judged              ? -1
	          : report->of_program ? report->first_bad_execution
	                               : origins_step_of(report, report->first_bad_run));
	data_key(data, "top");
	data_list(data);
	for (size_t i = 0; judged && i < report->n_origins && i < OVERVIEW_TOP; i++)
		origins_put_row_data(data, report, &report->rows.at[i], i + 1);
	data_end(data);
	data_key(data, "bad_by_run");
	if (judged && !report->of_program) {
		data_list(data);
		for (size_t i = 0; i < report->runs.len; i++)
			data_uint(data, i < report->bad_by_run.len ? report->bad_by_run.at[i] : 0);
		data_end(data);
	} else {
		data_null(data);
	}
	data_end(data);
}

static void data_drift(struct data *data, const struct overview *o)
{
	data_key(data, "drift");
	if (o->drift.s)
		drift_put_row(data, &o->series, &o->drift);
	else
		data_null(data);
}

static void data_dump(struct data *data, const struct overview_dump *dump)
{
	data_key(data, "dump");
	if (!dump) {
		data_null(data);
		return;
	}
	data_object(data);
	put_known(data, "damaged", (int64_t)dump->damaged);
	put_known(data, "missing", (int64_t)dump->missing);
	put_known(data, "partial_runs", (int64_t)dump->partial);
	put_known(data, "left_out", (int64_t)dump->left_out);
	data_key(data, "problems");
	data_list(data);
	for (size_t i = 0; i < dump->n_problems; i++)
		data_str(data, dump->problem[i]);
	data_end(data);
	data_end(data);
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct overview *o = context;

	(void)progress, (void)err;
	data_object(data);
	data_head(data, &o->head);
	data_numbers(data, o);
	data_drift(data, o);
	data_time(data, &o->time);
	data_memory(data, &o->memory);
	data_dump(data, o->dump);
	data_key(data, "next");
	data_list(data);
	for (size_t i = 0; i < o->n_next; i++)
		data_str(data, o->next[i]);
	data_end(data);
	data_end(data);
	return true;
}

void overview_put(struct call *call, const struct overview *overview)
{
	put_what(call->out, &overview->head);
	put_counts(call->out, &overview->head);
	put_numbers(call->out, overview);
	put_drift(call, overview);
	put_time_part(call->out, &overview->time);
	put_memory(call->out, &overview->memory);
	put_dump(call->out, overview->dump);
	put_next(call->out, overview);
	doc_typed(call->out, DATA_VALUE, put_data, (void *)overview);
}
