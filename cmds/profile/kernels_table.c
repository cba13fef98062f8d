/* The table of `kernels`: a line for each device, the rows, their sum, and warnings. */
#include "cmds/profile/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/table.h"
#include "cmds/graph/instruction_text.h"
#include "cmds/profile/family.h"
#include "cmds/profile/node_lines.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"
#include "dump/profile/label.h"

struct kernels_view {
	struct kernels *k;
	int64_t *cum_ns;                 /* by row: the sum in the order of the table */
	int64_t most_ns;                 /* the largest total, at least 1 */
	struct kernel_row sum;           /* of all rows */
	/* Details that take a pass over a row's records, of the last row asked for. */
	struct kernel_row_more more;
	uint64_t more_of;                /* row + 1 */
	struct kernel_row_extra extra;   /* likewise */
	uint64_t extra_of;
	bool fault_said;                 /* lines that could not be found, before the rows */
};

/* Lines are looked up when a row is written. */
static const struct err *fault_of(void *context)
{
	struct kernels_view *v = context;

	return v->fault_said || !v->k->lines ? NULL : node_lines_fault(v->k->lines);
}

/* Cells. */

static const struct kernel_row_more *more_of(struct kernels_view *v, uint64_t row)
{
	if (v->more_of != row + 1) {
		kernel_row_more_release(&v->more);
		kernel_row_more(v->k->table, &v->k->table->rows.at[row], &v->more);
		v->more_of = row + 1;
	}
	return &v->more;
}

static const struct kernel_row_extra *extra_of(struct kernels_view *v, uint64_t row)
{
	if (v->extra_of != row + 1) {
		kernel_row_extra(v->k->table, &v->k->table->rows.at[row], &v->extra);
		v->extra_of = row + 1;
	}
	return &v->extra;
}

static bool names_kernels(const struct kernel_table *t)
{
	return t->group == GROUP_KERNEL || t->group == GROUP_SHAPE;
}

/* Does the name say that tensor cores are used? */
static bool uses_tensor_cores(const char *name)
{
	static const char *const marks[] = {
		"16816", "c1688", "conv1x1", "conv2d_c1_k1", "dgrad_1x1_stride_2x2", "direct_group",
		"first_layer_wgrad_kernel", "h1688", "h884", "hmma", "i16832", "i8816", "s884",
		"s1688", "xmma_gemm", "xmma_implicit_gemm", "xmma_sparse_conv", "xmma_sparse_gemm",
		"xmma_warp_specialized_implicit_gemm",
	};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strstr(name, marks[i]))
			return true;
	return false;
}

static void put_launch(struct str *out, const struct kernels_view *v, const struct kernel_row *row,
                       const char *key)
{
	struct text value = launch_value(kernel_row_launch(v->k->table, row), key);

	if (value.at)
		str_put(out, value.at, value.len);
}

/* Float operations of a row's nodes in 10^9, or in 10^9 a second. */
static void put_flops(struct cell *cell, double value)
{
	const char *form = value < 0.001 ? "%.1e"
	                   : value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f";

	cell->missing = value < 0;
	cell->number = value;
	if (value > 0)
		str_fmt(&cell->text, form, value);
}

static double flops_in_ns(double flops, int64_t ns)
{
	return ns > 0 ? flops / (double)ns : 0;
}

/* Of the whole row, if that is recorded; else from the graph. */
static double flops_of(struct kernels_view *v, uint64_t row)
{
	return v->k->flops ? more_of(v, row)->flops : extra_of(v, row)->flops;
}

/* What kernels read and wrote, or copies copied, in 10^9 bytes a second. */
static void put_byte_rate(struct cell *cell, const struct kernel_row *row,
                          const struct kernel_row_extra *extra, enum universe universe)
{
	int64_t copy_ns = row->sum_ns[ACTIVITY_COPY];

	if (extra->bytes >= 0 && row->total_ns > 0) {
		cell->number = extra->bytes / (double)row->total_ns;
		str_fmt(&cell->text, "%.2f", cell->number);
		return;
	}
	cell->missing = copy_ns <= 0;
	cell->number = copy_ns > 0 ? (double)row->bytes / (double)copy_ns : 0;
	if (copy_ns > 0 && row->bytes > 0 && universe != UNIVERSE_HOST)
		str_fmt(&cell->text, "%.2f", cell->number);
}

static void put_known(struct cell *cell, double value, const char *form)
{
	cell->missing = value < 0;
	cell->number = value;
	if (value >= 0)
		str_fmt(&cell->text, form, value);
}

static void put_bound(struct cell *cell, enum kernel_bound bound)
{
	cell->missing = bound == BOUND_UNKNOWN;
	if (!cell->missing)
		cell_str(cell, bound == BOUND_COMPUTE ? "compute" : "memory");
}

static void put_list(struct cell *cell, const char *const *at, size_t n)
{
	data_list(cell->data);
	for (size_t i = 0; i < n; i++)
		data_str(cell->data, at[i]);
	data_end(cell->data);
}

/* Of a fusion what is in it: "fusion_33: add, reduce". */
static void put_inside(struct str *out, const struct kernels_view *v, const struct kernel_row *row)
{
	struct str opcodes = {0};

	if (names_kernels(v->k->table) || v->k->table->group == GROUP_OP)
		if (fusion_put_opcodes(v->k->profile, row->name, &opcodes))
			str_fmt(out, ": %s", opcodes.text);
	str_release(&opcodes);
}

static void put_fusion(struct cell *cell, const struct kernels_view *v,
                       const struct kernel_row *row)
{
	cell->missing = !fusion_put(v->k->profile, row->name, &cell->text);
}

static void put_shown_name(struct str *out, const struct kernels_view *v,
                           const struct kernel_row *row)
{
	const struct kernel_table *t = v->k->table;

	if (row != &v->sum) {
		put_row_name(out, v->k, row);
		put_inside(out, v, row);
		return;
	}
	str_fmt(out, "%zu row%s", t->rows.len, recorded_plural(t->rows.len, v->k->on_screen));
	if (t->shown_ns == t->whole_ns)
		return;
	str_puts(out, " of ");
	put_time(out, t->whole_ns, v->k->unit);
}

static int64_t p95_or_0(const struct kernel_table *t, const struct kernel_row *row)
{
	int64_t p95_ns = kernel_row_p95(t, row);

	return p95_ns < 0 ? 0 : p95_ns;
}

#define KERNEL_COLUMNS(COL, ASK) \
	COL(name, NULL, TEXT, 0, 1, cell_str(cell, row->name)) \
	COL(short, NULL, TEXT, 0, 2, cell_str(cell, row->short_name)) \
	COL(raw, NULL, OWN, 0, 3, \
	    put_list(cell, more_of(v, at)->raws.at, more_of(v, at)->raws.len)) \
	COL(ops, NULL, OWN, 0, 5, \
	    put_list(cell, more_of(v, at)->ops.at, more_of(v, at)->ops.len)) \
	COL(share, "%", PERCENT, 0, 10, cell->number = percent_of(row->total_ns, t->whole_ns)) \
	COL(cum, "Cum%", PERCENT, 2, 0, cell->number = percent_of(v->cum_ns[at], t->whole_ns)) \
	COL(total_us, "Total", TIME, 0, 8, cell->whole = row->total_ns) \
	COL(self_us, "Self", TIME, 0, 9, cell->whole = row->self_ns) \
	COL(calls, "Calls", COUNT, 0, 11, cell->whole = (int64_t)row->calls) \
	COL(mean_us, "Mean", TIME, 8, 12, cell_known(cell, row->calls, kernel_row_mean(row))) \
	COL(max_us, "Max", TIME, 4, 15, cell_known(cell, row->max_ns >= 0, row->max_ns)) \
	COL(host_us, "Host", TIME, 7, 17, \
	    cell_some(cell, row->sum_ns[ACTIVITY_HOST]); cell->missing = names_kernels(t)) \
	COL(kernel_us, "Kernel", TIME, 6, 18, cell_some(cell, row->sum_ns[ACTIVITY_KERNEL])) \
	COL(copy_us, "Copy", TIME, 5, 19, cell_some(cell, row->sum_ns[ACTIVITY_COPY])) \
	COL(bytes, "Bytes", SIZE, 3, 21, cell_some(cell, row->bytes)) \
	ASK(min_us, "Min", "min", TIME, 0, 13, \
	    cell_known(cell, row->min_ns >= 0, row->min_ns)) \
	ASK(p95_us, "p95", "p95", TIME, 0, 14, \
	    cell->whole = more_of(v, at)->p95_ns; cell->missing = cell->whole < 0) \
	ASK(busy_us, "Busy", "busy", TIME, 0, 16, \
	    cell_known(cell, !t->only_totals, more_of(v, at)->busy_ns)) \
	ASK(execs, "Execs", "execs", COUNT, 0, 20, cell_some(cell, (int64_t)row->execs)) \
	ASK(nodes, "Nodes", "nodes", COUNT, 0, 4, cell->whole = (int64_t)more_of(v, at)->nodes) \
	ASK(gb_s, "GB/s", "gb/s", NUMBER, 0, TYPED_IF_ASKED + 2, \
	    put_byte_rate(cell, row, extra_of(v, at), t->universe)) \
	ASK(launch_us, "Launch", "launch", TIME, 0, 0, cell->missing = true) \
	ASK(gflop, "GFLOP", "gflop", NUMBER, 0, 22, put_flops(cell, flops_of(v, at) / 1e9)) \
	ASK(gflop_s, "GFLOP/s", "gflop/s", NUMBER, 0, 23, \
	    put_flops(cell, flops_in_ns(flops_of(v, at), row->total_ns))) \
	ASK(regs, "Regs", "regs", WORD, 0, 0, put_launch(&cell->text, v, row, "regs:")) \
	ASK(shm, "Shm", "shm", WORD, 0, 0, put_launch(&cell->text, v, row, "shm:")) \
	ASK(grid, "Grid", "grid", WORD, 0, 0, put_launch(&cell->text, v, row, "grid:")) \
	ASK(block, "Block", "block", WORD, 0, 0, put_launch(&cell->text, v, row, "block:")) \
	ASK(tc, "TC", "tc", FLAG, 0, 0, cell->whole = uses_tensor_cores(row->name)) \
	ASK(top_node, "Node", "node", WORD, 0, 6, cell_str(cell, more_of(v, at)->top_node)) \
	ASK(source, "Source", "source", WORD, 0, 7, cell_str(cell, more_of(v, at)->source)) \
	ASK(launch_delay_us, "Launch delay", "launch_delay", TIME, 0, TYPED_IF_ASKED + 1, \
	    cell->whole = more_of(v, at)->launch_delay_ns; cell->missing = cell->whole < 0) \
	ASK(queue, "Queue", "queue", NUMBER, 0, TYPED_IF_ASKED + 3, \
	    put_known(cell, extra_of(v, at)->queue, "%.1f")) \
	ASK(occupancy, "Occupancy", "occupancy", NUMBER, 0, TYPED_IF_ASKED + 4, \
	    put_known(cell, extra_of(v, at)->occupancy, "%.1f")) \
	ASK(bound, "Bound", "bound", WORD, 0, TYPED_IF_ASKED + 5, \
	    put_bound(cell, extra_of(v, at)->bound)) \
	ASK(self_mem, "Self mem", "self_mem", SIZE, 0, TYPED_IF_ASKED + 6, \
	    cell_known(cell, extra_of(v, at)->has_memory, extra_of(v, at)->memory)) \
	ASK(host_total_us, "Host total", "host_total", TIME, 0, TYPED_IF_ASKED + 7, \
	    cell_known(cell, extra_of(v, at)->host_total_ns >= 0, \
	               extra_of(v, at)->host_total_ns)) \
	ASK(device_total_us, "Device total", "device_total", TIME, 0, TYPED_IF_ASKED + 8, \
	    cell_known(cell, extra_of(v, at)->device_total_ns >= 0, \
	               extra_of(v, at)->device_total_ns)) \
	ASK(inside, "Inside", "inside", WORD, 0, TYPED_IF_ASKED + 9, put_fusion(cell, v, row)) \
	ASK(nan, "NaN", "nan", COUNT, 0, 24, cell_some(cell, (int64_t)row->nan)) \
	COL(mean_or_0, NULL, TIME, 0, 0, cell->whole = kernel_row_mean(row)) \
	COL(p95_or_0, NULL, TIME, 0, 0, cell->whole = p95_or_0(t, row)) \
	COL(bar, "", BAR, 1, 0, cell->number = (double)row->total_ns / (double)v->most_ns) \
	COL(shown, "Name", TEXT, 0, 0, put_shown_name(&cell->text, v, row))

#define NO_WORD(...)
#define WORD(key, heading, word, ...) word,
const char *const kernel_column_words[] = { KERNEL_COLUMNS(NO_WORD, WORD) NULL };

enum { KERNEL_COLUMNS(COL_ID, COL_ID) };
static const struct col kernel_cols[] = { KERNEL_COLUMNS(COL_ROW, ASK_ROW) };
const struct kernels_columns columns_of_kernels = KERNELS_COLUMNS(kernel_cols);

static const struct sort_word sort_words[] = {
	{ "total", { FALLS(total_us) } }, { "self", { FALLS(self_us) } },
	{ "calls", { FALLS(calls) } }, { "mean", { FALLS(mean_or_0) } },
	{ "max", { FALLS(max_us) } }, { "p95", { FALLS(p95_or_0) } },
	{ "host", { FALLS(host_us) } }, { "kernel", { FALLS(kernel_us) } },
	{ "copy", { FALLS(copy_us) } }, { "bytes", { FALLS(bytes) } }, { "nan", { FALLS(nan) } },
	{ "name", { 0 } }, { 0 },
};
const struct table_sorts kernel_sorts = {
	.words = sort_words, .turns = true,
	.refusal = "ERROR: \"%s\" is not one of total, self, calls, mean, max, p95, host, kernel, "
	           "copy, bytes, nan or name.",
};

/* Does the row below the table have this column? */
static bool is_in_sum(const struct kernel_table *t, int id)
{
	bool scopes = t->group == GROUP_SCOPE;   /* scopes contain each other */

	return id == COL_share || id == COL_total_us || id == COL_shown ||
	       (!scopes && (id == COL_self_us || id == COL_calls));
}

static void get_cell(void *context, uint64_t at, int id, struct cell *cell)
{
	struct kernels_view *v = context;
	const struct kernel_table *t = v->k->table;
	const struct kernel_row *row = at < t->rows.len ? &t->rows.at[at] : &v->sum;

	cell->empty = row == &v->sum && !is_in_sum(t, id);
	if (cell->empty)
		return;
	switch (id) {
	KERNEL_COLUMNS(COL_CASE, ASK_CASE)
	}
}

static void put_link(void *context, uint64_t at, struct str *out)
{
	const struct kernels_view *v = context;

	if (v->k->table->rows.at[at].calls)
		kernels_put_drill(v->k, &v->k->table->rows.at[at], out);
}

/* The bar of a row that is one kind of work has its colour. */
static enum role cell_role(void *context, uint64_t at, int id)
{
	const struct kernels_view *v = context;
	const struct kernel_row *row;

	if (id != COL_bar || at >= v->k->table->rows.len)
		return ROLE_PLAIN;
	row = &v->k->table->rows.at[at];
	switch (v->k->table->group) {
	case GROUP_KERNEL:
	case GROUP_SHAPE: return family_of("", row->short_name);
	case GROUP_OP:
	case GROUP_TYPE: return family_of(kernel_row_op(v->k->table, row), "");
	default: return ROLE_PLAIN;
	}
}

/* Which columns are shown depends on the question, the universe and the group. */
static bool shows(const struct kernels_view *v, const struct col *col)
{
	enum universe u = v->k->table->universe;
	bool scopes = v->k->table->group == GROUP_SCOPE;

	switch (col->id) {
	case COL_cum: return !scopes;
	case COL_total_us: return scopes;
	case COL_host_us: return u != UNIVERSE_HOST;
	case COL_kernel_us: return u == UNIVERSE_COPY || u == UNIVERSE_HOST;
	case COL_copy_us: return u == UNIVERSE_KERNEL || u == UNIVERSE_HOST;
	case COL_nan: return v->k->query.nan_of;
	case COL_bar: return v->k->on_screen;
	default: return !col->word || kernels_asks(v->k, col->word, col->key);
	}
}

static bool is_typed(const struct kernels_view *v, const struct col *col)
{
	switch (col->id) {
	case COL_short:
	case COL_raw: return names_kernels(v->k->table);
	case COL_gflop:
	case COL_gflop_s: return v->k->has_flops;
	case COL_nan: return v->k->query.nan_of;
	default: return col->typed < TYPED_IF_ASKED || kernels_asks(v->k, col->word, col->key);
	}
}

static struct table *table_of(struct doc *doc, struct kernels_view *v)
{
	static const char *const headings[] = { "Kernel", "Copy", "Device", "Host" };
	struct table *table = TABLE_OF(doc, kernel_cols, get_cell, v);

	table->fault = fault_of;
	for (size_t i = 0; i < table->n_cols; i++) {
		if (!shows(v, &table->cols[i]))
			table->cols[i].heading = NULL;
		if (!is_typed(v, &table->cols[i]))
			table->cols[i].typed = 0;
	}
	table_col(table, COL_self_us)->heading = headings[v->k->table->universe];
	if (!strcmp(v->k->sort, "nan"))
		table_move_first(table, COL_nan);
	table->sorts = &kernel_sorts;
	table->n_rows = v->k->table->rows.len;
	table->n_foot = 1;
	table->unit = v->k->unit;
	table->fine = v->k->fine;
	table->bars_grow = v->k->modern;
	if (v->k->modern)
		table_col(table, COL_bar)->drop = table_col(table, COL_max_us)->drop;
	table->cut_start = group_cuts_start(v->k->table->group);
	table->link = put_link;
	table->role = cell_role;
	return table;
}

/* Head and notes. */

static void put_device(struct doc *doc, const struct kernels *k, const struct device_facts *d,
                       const struct call *call)
{
	struct str out = {0};
	size_t len, fits;

	put_short_device(&out, d->device, k->known, k->n_known);
	str_puts(&out, ": span ");
	put_time(&out, d->span_ns, k->unit);
	str_puts(&out, ", busy ");
	put_time(&out, d->busy_ns, k->unit);
	str_puts(&out, " (");
	put_percent(&out, percent_of(d->busy_ns, d->span_ns));
	str_puts(&out, "%)");
	if (d->busy_ns)
		str_fmt(&out, ", sum/busy %.2f", (double)d->sum_ns / (double)d->busy_ns);
	fits = out.len;
	if (d->copies) {
		str_puts(&out, ", copies ");
		put_time(&out, d->copy_ns, k->unit);
		str_puts(&out, " (");
		put_time(&out, d->hidden_ns, k->unit);
		str_puts(&out, " hidden)");
	}
	len = out.len;
	if (call->on_screen) {
		str_puts(&out, ", idle ");
		put_time(&out, d->span_ns - d->busy_ns, k->unit);
		if (d->streams)
			str_fmt(&out, ", %llu stream%s", (unsigned long long)d->streams,
			        d->streams > 1 ? "s" : "");
		if (out.len > (size_t)call->cols)
			str_cut(&out, len);
		if (k->modern && out.len > (size_t)call->cols)
			str_cut(&out, fits);
	}
	doc_line_put(doc, ROLE_PLAIN, "%s", out.text);
	str_release(&out);
}

/* What is shown; on the screen also of which step, and what the line filters by. */
static void put_title(struct call *call, const struct kernels *k)
{
	struct str text = {0}, shown = {0};

	kernels_put_what(&text, k->table, call->on_screen);
	if (call->on_screen) {
		for (size_t i = 0; i < k->acts.n; i++)
			if (!strcmp(k->acts.labels[i], "all"))
				str_puts(&text, ", all steps");
			else
				str_fmt(&text, "%s%s",
				        i ? "," : k->acts.n > 1 ? ", steps " : ", step ",
				        k->acts.labels[i]);
		kernels_put_filters(k, &text);
	}
	put_shortened(&shown, text.text, call->on_screen ? (size_t)call->cols : text.len, false);
	doc_line_put(call->out, ROLE_PLAIN, "%s", shown.text);
	str_release(&text);
	str_release(&shown);
}

void kernels_put_notes(struct doc *doc, size_t first)
{
	for (size_t i = first; i < doc_warnings(doc); i++) {
		if (i == first)
			doc_newline(doc);
		doc_line_put(doc, ROLE_PLAIN, "note: %s", doc_warning(doc, i));
	}
}

static void put_warnings(struct call *call, const struct kernels *k)
{
	const struct kernel_table *t = k->table;
	struct doc *doc = call->out;
	size_t before = doc_warnings(doc);       /* warnings from elsewhere */

	kernels_put_trace_warnings(doc, k->profile->trace);
	if (t->has_gpu_executor && !t->has_kernels)
		doc_warn(doc, "No device activity recorded: GPU times cannot be given (tracing lib "
		         "missing or not permitted).");
	if (t->universe == UNIVERSE_HOST && t->host_has_gpu)
		doc_warn(doc, "These are times the host needed to dispatch the op; the GPU may run "
		         "it later and longer. See stream lanes.");
	if (t->n_zero)
		doc_warn(doc, "%llu of %llu kernels are shorter than the clock unit (1 us); their "
		         "time is lost in the total.", (unsigned long long)t->n_zero,
		         (unsigned long long)t->n_kernels);
	if (percent_of(t->lost_ns, t->whole_ns) > 5)
		doc_warn(doc, "%.1f%% of device time has no op (fused or library kernels).",
		         percent_of(t->lost_ns, t->whole_ns));
	if (t->n_impossible)
		doc_warn(doc, "%zu record%s with impossible times %s left out.", t->n_impossible,
		         plural(t->n_impossible), t->n_impossible == 1 ? "is" : "are");
	for (size_t i = 0; i < k->steps.warm_ups.len; i++)
		doc_warn(doc, "Step %s looks like a warm-up (compilation, autotuning, allocation). "
		         "Excluded from the mean.",
		         k->profile->steps.at[k->steps.warm_ups.at[i]].label);
	for (size_t i = 0; i < k->steps.unread.len; i++)
		doc_warn(doc, "Step %s was not read whole, or has no times. "
		         "Excluded from the mean.",
		         k->profile->steps.at[k->steps.unread.at[i]].label);
	kernels_put_notes(doc, before);
}

/* Typed. */

static void put_gaps(const struct device_facts *d, struct data *data)
{
	data_key(data, "gaps");
	data_list(data);
	for (size_t i = 0; i < d->n_gaps; i++) {
		data_object(data);
		key_us(data, "at_us", d->gap[i].at_ns);
		key_us(data, "us", d->gap[i].len_ns);
		data_end(data);
	}
	data_end(data);
}

static void put_device_data(const struct device_facts *d, struct data *data)
{
	data_object(data);
	key_str(data, "device", d->text);
	key_str(data, "kind", d->is_host ? "host" : "device");
	key_us(data, "span_us", d->span_ns);
	key_us(data, "busy_us", d->busy_ns);
	key_us(data, "idle_us", d->span_ns - d->busy_ns);
	data_key(data, "utilisation");
	if (d->span_ns)
		data_rounded(data, (double)d->busy_ns / (double)d->span_ns);
	else
		data_null(data);
	key_us(data, "sum_us", d->sum_ns);
	key_int(data, "kernels", (int64_t)d->kernels);
	key_us(data, "kernel_us", d->kernel_ns);
	key_int(data, "copies", (int64_t)d->copies);
	key_us(data, "copy_us", d->copy_ns);
	key_us(data, "copy_hidden_us", d->hidden_ns);
	key_int(data, "streams", (int64_t)d->streams);
	put_gaps(d, data);
	data_end(data);
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct kernels_view *v = table_context(context);
	const struct kernel_table *t = v->k->table;

	(void)progress, (void)err;
	key_str(data, "universe", universe_names[t->universe]);
	key_str(data, "group", kernel_group_names[t->group]);
	key_str(data, "sort", v->k->sort);
	data_key(data, "devices");
	data_list(data);
	for (size_t i = 0; i < t->devices.len; i++)
		put_device_data(&t->devices.at[i], data);
	data_end(data);
	key_us(data, "sync_us", t->sync_ns);
	key_us(data, "total_us", t->whole_ns);
	key_us(data, "shown_us", t->shown_ns);
	key_int(data, "absurd", (int64_t)t->n_impossible);
	key_int(data, "bookkeeping", (int64_t)t->n_bookkeeping);
	key_int(data, "row_count", (int64_t)t->rows.len);
	key_int(data, "calls", (int64_t)t->calls);
	return true;
}

static void view_free(void *context)
{
	struct kernels_view *v = context;

	kernel_row_more_release(&v->more);
	free(v->cum_ns);
	free(v);
}

void kernels_put_table(struct call *call, struct kernels *k)
{
	struct kernels_view *v = mem_alloc(sizeof *v);
	const struct kernel_table *t = k->table;
	struct table *table;
	int64_t sum = 0;

	doc_keep(call->out, view_free, v);
	v->k = k;
	table = table_of(call->out, v);
	if (!table_arrange(call, table))
		return;
	k->shown = table;
	v->cum_ns = mem_alloc((t->rows.len + 1) * sizeof *v->cum_ns);
	v->most_ns = 1;
	for (uint64_t i = 0; i < table->n_skipped + table->n_rows; i++) {
		uint64_t row = table->order ? table->order[i] : i;

		v->cum_ns[row] = sum += t->rows.at[row].total_ns;
		if (t->rows.at[row].total_ns > v->most_ns)
			v->most_ns = t->rows.at[row].total_ns;
	}
	v->sum.total_ns = v->sum.self_ns = t->shown_ns;
	v->sum.calls = t->calls;
	put_title(call, k);
	for (size_t i = 0; i < t->devices.len; i++)
		put_device(call->out, k, &t->devices.at[i], call);
	doc_newline(call->out);
	table_show(call, table);
	put_warnings(call, k);
	v->fault_said = fault_of(v);
	kernels_bring_keys(call, k);
	doc_typed_as(call->out, "kernels", put_beside);
}
