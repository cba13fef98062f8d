/* The runs recorded in one directory: a program that was run again left several. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "cmds/program/listed.h"

static const struct pos positionals[] = {
	{ "run", "open this one: its number, or its run id or the beginning of it", true },
};

static const struct opt options[] = { TABLE_OPTS };

struct runs_here {
	struct programs *programs;
	size_t current;
	struct programs_counts *counts;
};

static void put_hosts(struct cell *cell, const struct runs_here *r, uint64_t run)
{
	size_t n = programs_head(r->programs, run).n_sets;
	struct data *data = cell->data;

	if (data)
		data_list(data);
	for (size_t i = 0; i < n; i++) {
		const char *host = programs_host(r->programs, run, i);
		bool is_new = true;

		for (size_t k = 0; k < i && is_new; k++)
			is_new = strcmp(host, programs_host(r->programs, run, k)) != 0;
		if (is_new && data)
			data_str(data, host);
		else if (is_new)
			str_fmt(&cell->text, "%s%s", cell->text.len ? ", " : "", host);
	}
	if (data)
		data_end(data);
}

#define RUN_COLUMNS(COL) \
	COL(run, "#", COUNT, 0, 1, cell->whole = (int64_t)run + 1) \
	COL(current, " ", FLAG, 0, 9, cell_mark(cell, run == r->current)) \
	COL(run_id, "Run id", TEXT, 0, 2, cell_or_null(cell, head.run_id)) \
	COL(tensorflow_version, "TensorFlow", TEXT, 0, 3, \
	    cell_or_null(cell, head.tensorflow_version)) \
	COL(t0_us, NULL, COUNT, 0, 4, cell_known(cell, head.has_start, head.start_us)) \
	COL(sets, "Sets", COUNT, 0, 5, cell->whole = (int64_t)head.n_sets) \
	COL(executions, "Executions", COUNT, 0, 7, \
	    cell->whole = (int64_t)r->counts[run].executions) \
	COL(traces, "Traces", COUNT, 0, 8, cell->whole = (int64_t)r->counts[run].traces) \
	COL(hosts, "Hosts", OWN, 0, 6, put_hosts(cell, r, run))

enum { RUN_COLUMNS(COL_ID) };
static const struct col run_cols[] = { RUN_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t run, int id, struct cell *cell)
{
	const struct runs_here *r = context;
	struct program_head head = programs_head(r->programs, run);

	switch (id) {
	RUN_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	(void)context;
	str_fmt(out, "runs %" PRIu64, row + 1);
}

static void list(struct call *call)
{
	struct shell *shell = call->shell;
	size_t n = programs_len(shell->programs);
	struct arena *mem = doc_mem(call->out);
	struct runs_here *r = arena_alloc(mem, sizeof *r);
	struct table *table;

	*r = (struct runs_here){ .programs = shell->programs, .current = shell->program_at };
	r->counts = arena_alloc(mem, n * sizeof *r->counts);
	for (uint32_t i = 0; i < n; i++) {
		const struct err *fault = &r->counts[i].fault;

		if (!programs_count(shell->programs, i, &r->counts[i], call->progress, &call->err))
			return;
		if (fault->code)
			call_damage(call, fault->src, fault);
	}
	table = TABLE_OF(call->out, run_cols, get_cell, r);
	table->link = put_link;
	table->n_rows = n;
	table_put_counted(call, table, COL_run_id,
	                  n == 1 ? "run of the program" : "runs of the program");
}

/* By number from 1, by run id, or by a prefix that no other run id has. */
static bool find(struct call *call, const char *word, size_t *run)
{
	const struct programs *programs = call->shell->programs;
	size_t n = programs_len(programs), len = strlen(word), found = 0;
	int64_t number;

	if (python_digits(word, len, &number) && number > 0 && number <= (int64_t)n) {
		*run = (size_t)number - 1;
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		const char *id = programs_head(programs, i).run_id;

		if (!id || strncmp(id, word, len) != 0)
			continue;
		*run = i;
		found++;
	}
	if (found > 1)
		call_error(call, "ERROR: %zu runs begin with \"%s\": give more of the id.", found,
		           word);
	else if (!found)
		call_error(call, "ERROR: There is no run \"%s\": \"runs\" lists them.", word);
	return found == 1;
}

struct told {
	size_t from, to;
};

static bool told_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct told *told = context;

	(void)progress, (void)err;
	data_object(data);
	data_key(data, "from");
	data_uint(data, told->from + 1);
	data_key(data, "to");
	data_uint(data, told->to + 1);
	data_key(data, "moved");
	data_bool(data, told->from != told->to);
	data_end(data);
	return true;
}

static void runs_exec(struct call *call)
{
	struct told *told;
	size_t from = call->shell->program_at, to = from;

	if (!call->args.pos[0]) {
		list(call);
		return;
	}
	if (!find(call, call->args.pos[0], &to) ||
	    !program_enter(call->shell, to, call->progress, &call->err))
		return;
	told = arena_alloc(doc_mem(call->out), sizeof *told);
	*told = (struct told){ from, to };
	call_line(call, "lx");
	doc_typed(call->out, DATA_VALUE, told_put_data, told);
	call->moved |= from != to;
}

const struct cmd cmd_runs_program = {
	.name = "runs", .summary = "Runs of the program in this directory; open another",
	OPTS(options), POSITIONALS(positionals), .of_program = true, .exec = runs_exec,
};
