/* Origins as data: all there is to say of them, in full. */
#include "cmds/origins/origins_data.h"

#include "cmds/doc/figure.h"
#include "dump/base/str.h"
#include "dump/model/program.h"

static const char *const where_names[] = {
	[ORIGIN_OF_RUN] = "run", [ORIGIN_OF_TRACE] = "trace", [ORIGIN_OF_EXECUTION] = "execution",
};

static void data_names(struct data *data, const char *key, const origin_names *names)
{
	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < names->len; i++)
		data_str(data, names->at[i]);
	data_end(data);
}

static void data_known(struct data *data, const char *key, int64_t number)
{
	data_key(data, key);
	data_int_or_null(data, number);
}

static void data_flag(struct data *data, const char *key, bool flag)
{
	data_key(data, key);
	data_bool(data, flag);
}

static void data_reach(struct data *data, unsigned reach)
{
	data_key(data, "reach");
	data_list(data);
	for (unsigned i = 0; i < N_REACHES; i++)
		if (reach & 1u << i)
			data_str(data, reach_names[i]);
	if (!reach)
		data_str(data, "absorbed");
	data_end(data);
}

/* "step" is the program's own number of the run. */
static void data_run(struct data *data, const struct origins_report *report, uint32_t run)
{
	key_int(data, "run", run);
	if (report->steps.len)
		data_known(data, "step", origins_step_of(report, run));
}

/* first_nan: what only tensors of runs, or of programs, have is told of these alone. */
static void data_first_nan(struct data *data, const struct origins_report *report,
                           const struct origin_tensor *first)
{
	data_key(data, "first_nan");
	if (!first->node) {
		data_null(data);
		return;
	}
	data_object(data);
	key_str(data, "node", first->node);
	key_int(data, "slot", first->slot);
	if (first->where == ORIGIN_OF_RUN) {
		data_run(data, report, first->run);
	} else {
		key_str(data, "where", where_names[first->where]);
		key_int(data, "record", first->record);
	}
	key_int(data, "exec", first->exec);
	data_end(data);
}

/* What only rows of a run have. */
static void data_of_run(struct data *data, const struct origins_report *report,
                        const struct origin_row *row)
{
	key_str(data, "device", row->device);
	if (row->worker)
		key_str(data, "worker", row->worker);
	data_run(data, report, row->run);
	data_key(data, "runs");
	data_list(data);
	for (size_t i = 0; i < row->runs.len; i++)
		data_uint(data, row->runs.at[i]);
	data_end(data);
	data_names(data, "writers", &row->writers);
	data_key(data, "between");
	if (row->between[1])
		data_ints(data, (int64_t[]){ row->between[0], row->between[1] }, 2);
	else
		data_null(data);
	data_flag(data, "before_dump", row->before_dump);
	key_str(data, "fed", row->fed);
}

/* The batch of a step, if the recorder says which its steps are. */
static void data_batch(struct data *data, const struct origins_report *report,
                       const struct program_batch *batch)
{
	if (!report->has_batches)
		return;
	key_str(data, "model", batch ? batch->model : NULL);
	data_known(data, "fit", batch ? batch->fit : -1);
	data_known(data, "epoch", batch ? batch->epoch : -1);
	data_known(data, "batch", batch ? batch->batch : -1);
}

static void data_of_program(struct data *data, const struct origins_report *report,
                            const struct origin_row *row)
{
	key_str(data, "where", where_names[row->where]);
	key_str(data, "graph", row->graph);
	data_known(data, "execution", row->execution);
	data_batch(data, report, row->batch);
	data_known(data, "call", row->call);
	key_int(data, "record", row->record);
	data_flag(data, "before_window", row->before_window);
}

static void data_also(struct data *data, const struct origin_row *row)
{
	struct str name = {0};

	data_key(data, "also");
	data_list(data);
	for (size_t i = 0; i < row->also.len; i++) {
		str_reset(&name);
		origin_put_name(&name, row->also.at[i].node, row->also.at[i].slot);
		data_text(data, name.text, name.len);
	}
	data_end(data);
	str_release(&name);
}

/* What a program does not tell is null; of runs only the size may be missing, and is -1. */
static void data_counts(struct data *data, const struct bad_counts *counts, bool of_run)
{
	const struct { const char *key; uint64_t n; } kinds[] = {
		{ "nan", counts->nan }, { "pos_inf", counts->pos_inf },
		{ "neg_inf", counts->neg_inf },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		data_known(data, kinds[i].key, counts_are_bad(counts) ? (int64_t)kinds[i].n : -1);
	data_key(data, "size");
	if (of_run)
		data_int(data, counts->size);
	else
		data_int_or_null(data, counts->size);
}

static void data_walk(struct data *data, const struct origins_report *report,
                      const struct origin_row *row)
{
	bool of_run = row->where == ORIGIN_OF_RUN;

	data_key(data, "walk");
	data_list(data);
	for (size_t i = 0; i < row->walk.len; i++) {
		const struct walk_step *step = &row->walk.at[i];

		data_object(data);
		key_str(data, "node", step->tensor.node);
		key_int(data, "slot", step->tensor.slot);
		key_str(data, "op", *step->op ? step->op : NULL);
		if (of_run)
			data_run(data, report, step->tensor.run);
		else
			data_known(data, "execution", step->execution);
		key_int(data, "exec", step->tensor.exec);
		data_counts(data, &step->counts, of_run);
		data_end(data);
	}
	data_end(data);
}

void origins_put_row_data(struct data *data, const struct origins_report *report,
                          const struct origin_row *row, size_t rank)
{
	data_object(data);
	data_known(data, "rank", rank ? (int64_t)rank : -1);
	key_str(data, "node", row->node);
	key_int(data, "slot", row->slot);
	key_str(data, "op", *row->op ? row->op : NULL);
	key_int(data, "exec", row->exec);
	data_counts(data, &row->counts, row->where == ORIGIN_OF_RUN);
	key_int(data, "times", row->times);
	key_str(data, "reason", origin_reason_names[row->reason]);
	key_str(data, "certainty", row->exact ? "exact" : "bounded");
	key_str(data, "benign", row->benign ? benign_names[row->benign] : NULL);
	data_reach(data, row->reach);
	key_int(data, "spread", row->spread);
	data_names(data, "gap", &row->gap);
	data_names(data, "suspects", &row->suspects);
	if (row->unread.len)
		data_names(data, "unreadable", &row->unread);
	data_names(data, "absorbed_by", &row->absorbed_by);
	if (row->where == ORIGIN_OF_RUN)
		data_of_run(data, report, row);
	else
		data_of_program(data, report, row);
	data_first_nan(data, report, &row->first_nan);
	data_also(data, row);
	data_walk(data, report, row);
	key_str(data, "cannot_order", row->unordered);
	data_end(data);
}

static void data_growth(struct data *data, const struct origins_report *report)
{
	data_key(data, "growth");
	data_object(data);
	for (size_t i = 0; i < report->growth.len; i++) {
		const struct origin_growth *g = &report->growth.at[i];

		data_key(data, g->tensor);
		data_list(data);
		for (size_t k = 0; k < g->n; k++)
			data_float(data, g->max[k], 64);
		data_end(data);
	}
	data_end(data);
}

static void data_rows_from(struct data *data, const char *key, const struct origins_report *report,
                           size_t begin, size_t end)
{
	data_key(data, key);
	data_list(data);
	for (size_t i = begin; i < end; i++)
		origins_put_row_data(data, report, &report->rows.at[i],
		                     i < report->n_origins ? i + 1 : 0);
	data_end(data);
}

void origins_put_data(struct data *data, const struct origins_report *report, size_t n)
{
	data_object(data);
	key_str(data, "dump", report->dump);
	key_int(data, "tensors", report->tensors);
	key_int(data, "bad_tensors", report->bad_tensors);
	if (report->of_program) {
		data_known(data, "first_bad_execution", report->first_bad_execution);
		if (report->has_batches)
			data_known(data, "first_bad_batch",
			           report->first_batch ? report->first_batch->batch : -1);
	} else {
		data_names(data, "runs", &report->runs);
		data_known(data, "first_bad_run",
		           report->first_bad_run ? (int64_t)report->first_bad_run : -1);
		if (report->steps.len)
			data_known(data, "first_bad_step",
			           origins_step_of(report, report->first_bad_run));
	}
	data_growth(data, report);
	key_int(data, "ignored", report->n_ignored);
	key_str(data, "ignored_by", report->n_ignored ? report->ignored_by : NULL);
	data_rows_from(data, "origins", report, 0, n);
	data_rows_from(data, "benign", report, report->n_origins, report->rows.len);
	data_end(data);
}
