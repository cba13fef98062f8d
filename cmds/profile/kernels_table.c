/* The table of `kernels`: a line for each device, the rows, what they come to, and what to beware of. */
#include "cmds/profile/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/columns.h"
#include "cmds/doc/cut.h"
#include "cmds/lang/format.h"
#include "dump/base/mem.h"
#include "dump/profile/label.h"

/* In the order of the table. */
enum column_id { SHARE, CUM, WITH_INNER, SELF, CALLS, MEAN, MAX, HOST, KERNEL, COPY, BYTES, MORE,
                 NAN_COUNT = MORE + MORE_NAN, BAR = MORE + N_MORE_COLUMNS, NAME, N_COLUMN_IDS };

#define BAR_HEADING "          "  /* as wide as the bars are */
#define BAR_COLUMNS ((int)sizeof BAR_HEADING - 1)

struct kernels_view {
	struct kernels *k;
	struct column column[N_COLUMN_IDS];
	enum column_id id[N_COLUMN_IDS];
	size_t n_columns;
	int64_t *cum_ns;                 /* by row */
	int64_t most_ns;                 /* the largest total, at least 1 */
	const char *drop[9];
	bool on_screen;
	uint64_t n_shown;
	/* What takes a pass over a row's records, of the last row that was asked. */
	struct kernel_row_more more;
	uint64_t more_of;                /* row + 1 */
};

/* Columns. */

static void add_column(struct kernels_view *v, enum column_id id, const char *name, const char *heading)
{
	bool is_text = id == NAME || id == BAR || (id >= MORE + MORE_REGS && id <= MORE + MORE_SOURCE);

	v->column[v->n_columns] = (struct column){ name, heading, is_text ? COLUMN_TEXT : COLUMN_NUMBER };
	v->id[v->n_columns++] = id;
}

static void add_columns(struct kernels_view *v)
{
	static const char *const headings[] = { "Kernel", "Copy", "Device", "Host" };
	static const struct { const char *word, *heading; } more[] = {
#define X(id, word, heading) { word, heading },
		MORE_COLUMNS(X)
#undef X
	};
	enum universe u = v->k->table->universe;
	bool scopes = v->k->table->group == GROUP_SCOPE;

	if (v->k->query.nan_of && v->k->query.sort == SORT_NAN)
		add_column(v, NAN_COUNT, "nan", "NaN");
	add_column(v, SHARE, "share", "%");
	if (scopes)
		add_column(v, WITH_INNER, "total_us", "Total");
	else
		add_column(v, CUM, "cum", "Cum%");
	add_column(v, SELF, "self_us", headings[u]);
	add_column(v, CALLS, "calls", "Calls");
	add_column(v, MEAN, "mean_us", "Mean");
	add_column(v, MAX, "max_us", "Max");
	if (u != UNIVERSE_HOST)
		add_column(v, HOST, "host_us", "Host");
	if (u != UNIVERSE_KERNEL && u != UNIVERSE_DEVICE)
		add_column(v, KERNEL, "kernel_us", "Kernel");
	if (u != UNIVERSE_COPY && u != UNIVERSE_DEVICE)
		add_column(v, COPY, "copy_us", "Copy");
	add_column(v, BYTES, "bytes", "Bytes");
	for (size_t i = 0; i < N_MORE_COLUMNS; i++)
		if (v->k->more[i] && MORE + i != NAN_COUNT)
			add_column(v, MORE + (enum column_id)i, more[i].word, more[i].heading);
	if (v->k->query.nan_of && v->k->query.sort != SORT_NAN)
		add_column(v, NAN_COUNT, "nan", "NaN");
	if (v->on_screen)
		add_column(v, BAR, "bar", BAR_HEADING);
	add_column(v, NAME, "name", "Name");
}

static void order_drops(struct kernels_view *v)
{
	static const char *const order[] = { "Cum%", "Bytes", "Max", "Copy", "Kernel", "Host", "Mean" };
	static const char *const headings[] = { "Kernel", "Copy", "Device", "Host" };
	size_t n = 0;

	_Static_assert(sizeof v->drop / sizeof *v->drop >= sizeof order / sizeof *order + 2,
	               "all of them, the bar and an end");
	v->drop[n++] = BAR_HEADING;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (strcmp(order[i], headings[v->k->table->universe]))
			v->drop[n++] = order[i];
}

/* Cells. */

static int64_t mean_ns(const struct kernel_row *row)
{
	return (2 * row->total_ns + (int64_t)row->calls) / (2 * (int64_t)row->calls);
}

static const struct kernel_row_more *more_of(struct kernels_view *v, uint64_t row)
{
	if (v->more_of != row + 1) {
		kernel_row_more_release(&v->more);
		kernel_row_more(v->k->table, &v->k->table->rows.at[row], &v->more);
		v->more_of = row + 1;
	}
	return &v->more;
}

/* Tensor cores are used, as far as a name tells. */
static bool uses_tensor_cores(const char *name)
{
	static const char *const marks[] = {
		"16816", "c1688", "conv1x1", "conv2d_c1_k1", "dgrad_1x1_stride_2x2", "direct_group",
		"first_layer_wgrad_kernel", "h1688", "h884", "hmma", "i16832", "i8816", "s884", "s1688", "xmma_gemm",
		"xmma_implicit_gemm", "xmma_sparse_conv", "xmma_sparse_gemm", "xmma_warp_specialized_implicit_gemm",
	};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strstr(name, marks[i]))
			return true;
	return false;
}

/* The value behind "grid:" in what a label says of the launch. */
static void put_launch(struct str *out, const struct kernels_view *v, const struct kernel_row *row, const char *key)
{
	const char *launch = kernel_row_launch(v->k->table, row), *at = launch ? strstr(launch, key) : NULL;

	if (at)
		str_put(out, at + strlen(key), strcspn(at + strlen(key), " "));
}

/* A column that is a time or a count; false: it is neither, or there is nothing. */
static bool number_in(struct kernels_view *v, uint64_t at, enum column_id id, int64_t *value)
{
	const struct kernel_row *row = &v->k->table->rows.at[at];

	switch ((int)id) {
	case WITH_INNER: *value = row->total_ns; return true;
	case SELF: *value = row->self_ns; return true;
	case CALLS: *value = (int64_t)row->calls; return true;
	case MEAN: *value = mean_ns(row); return true;
	case MAX: *value = row->max_ns; return true;
	case HOST: *value = row->sum_ns[ACTIVITY_HOST]; return *value != 0;
	case KERNEL: *value = row->sum_ns[ACTIVITY_KERNEL]; return *value != 0;
	case COPY: *value = row->sum_ns[ACTIVITY_COPY]; return *value != 0;
	case BYTES: *value = row->bytes; return *value != 0;
	case NAN_COUNT: *value = (int64_t)row->nan; return *value != 0;
	case MORE + MORE_MIN: *value = row->min_ns; return true;
	case MORE + MORE_P95: *value = more_of(v, at)->p95_ns; return *value >= 0;
	case MORE + MORE_BUSY: *value = more_of(v, at)->busy_ns; return true;
	case MORE + MORE_EXECS: *value = (int64_t)row->execs; return *value != 0;
	case MORE + MORE_NODES: *value = (int64_t)more_of(v, at)->nodes; return true;
	default: return false;
	}
}

/* The row's part of the largest share. */
static void put_bar(const struct kernels_view *v, const struct kernel_row *row, struct str *out)
{
	int n = (int)(((__int128)row->total_ns * BAR_COLUMNS * 2 + v->most_ns) /
	              ((__int128)v->most_ns * 2));

	str_fill(out, '#', (size_t)n);
	str_fill(out, ' ', (size_t)(BAR_COLUMNS - n));
}

/* Of its nodes: what they computed, or how fast. */
static double flop_figure(struct kernels_view *v, uint64_t at, enum column_id id)
{
	const struct kernel_row *row = &v->k->table->rows.at[at];
	double flops = v->k->flops ? more_of(v, at)->flops : 0;

	if (id == MORE + MORE_GFLOP)
		return flops / 1e9;
	return row->total_ns > 0 ? flops / (double)row->total_ns : 0;
}

static void put_flop_figure(double value, struct str *out)
{
	if (value > 0)
		str_fmt(out, value < 0.001 ? "%.1e" : value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
}

static void put_text_cell(struct kernels_view *v, uint64_t at, enum column_id id, struct str *out)
{
	const struct kernel_row *row = &v->k->table->rows.at[at];

	switch ((int)id) {
	case NAME: put_row_name(out, v->k, row); break;
	case BAR: put_bar(v, row, out); break;
	case MORE + MORE_REGS: put_launch(out, v, row, "regs:"); break;
	case MORE + MORE_SHM: put_launch(out, v, row, "shm:"); break;
	case MORE + MORE_GRID: put_launch(out, v, row, "grid:"); break;
	case MORE + MORE_BLOCK: put_launch(out, v, row, "block:"); break;
	case MORE + MORE_TC: str_puts(out, uses_tensor_cores(row->name) ? "yes" : "-"); break;
	case MORE + MORE_NODE: str_puts(out, more_of(v, at)->top_node); break;
	case MORE + MORE_SOURCE: str_puts(out, more_of(v, at)->source); break;
	case MORE + MORE_GFLOP:
	case MORE + MORE_FLOP_RATE: put_flop_figure(flop_figure(v, at, id), out); break;
	case MORE + MORE_RATE:
		if (row->bytes > 0 && row->sum_ns[ACTIVITY_COPY] > 0 && v->k->table->universe != UNIVERSE_HOST)
			str_fmt(out, "%.2f", (double)row->bytes / (double)row->sum_ns[ACTIVITY_COPY]);
		break;
	default: break;
	}
	if (!out->len)
		str_putc(out, '-');
}

static void put_value(struct kernels_view *v, enum column_id id, int64_t value, struct str *out)
{
	bool is_count = id == CALLS || id == NAN_COUNT || id == MORE + MORE_EXECS || id == MORE + MORE_NODES;

	if (id == BYTES)
		put_size(out, value);
	else if (is_count)
		str_fmt(out, "%lld", (long long)value);
	else
		put_time(out, value, v->k->unit);
}

/* The Σ row. */
static void put_sum(struct kernels_view *v, enum column_id id, struct str *out)
{
	const struct kernel_table *t = v->k->table;
	bool scopes = t->group == GROUP_SCOPE;

	switch (id) {
	case SHARE: put_percent(out, percent_of(t->shown_ns, t->whole_ns)); break;
	case WITH_INNER: put_time(out, t->shown_ns, v->k->unit); break;
	case SELF:
		if (!scopes)
			put_time(out, t->shown_ns, v->k->unit);
		break;
	case CALLS:
		if (!scopes)
			str_fmt(out, "%llu", (unsigned long long)t->calls);
		break;
	case NAME:
		str_fmt(out, "%zu row%s", t->rows.len, recorded_plural(t->rows.len, v->k->on_screen));
		if (t->shown_ns != t->whole_ns) {
			str_puts(out, " of ");
			put_time(out, t->whole_ns, v->k->unit);
		}
		break;
	default: break;
	}
}

static void put_cell(void *context, uint64_t row, size_t column, struct str *out)
{
	struct kernels_view *v = context;
	enum column_id id = v->id[column];
	const struct kernel_table *t = v->k->table;
	int64_t value;

	if (row >= v->n_shown)
		put_sum(v, id, out);
	else if (id == SHARE)
		put_percent(out, percent_of(t->rows.at[row].total_ns, t->whole_ns));
	else if (id == CUM)
		put_percent(out, percent_of(v->cum_ns[row], t->whole_ns));
	else if (number_in(v, row, id, &value))
		put_value(v, id, value, out);
	else
		put_text_cell(v, row, id, out);
}

static bool cell_number(void *context, uint64_t row, size_t column, double *out)
{
	struct kernels_view *v = context;
	enum column_id id = v->id[column];
	const struct kernel_table *t = v->k->table;
	int64_t value;

	if (id == SHARE || id == CUM)
		*out = percent_of(id == SHARE ? t->rows.at[row].total_ns : v->cum_ns[row], t->whole_ns);
	else if (id == MORE + MORE_RATE && t->rows.at[row].sum_ns[ACTIVITY_COPY] > 0)
		*out = (double)t->rows.at[row].bytes / (double)t->rows.at[row].sum_ns[ACTIVITY_COPY];
	else if (id == MORE + MORE_GFLOP || id == MORE + MORE_FLOP_RATE)
		*out = flop_figure(v, row, id);
	else if (number_in(v, row, id, &value))
		*out = (double)value;
	else
		return false;
	return true;
}

static void put_link(void *context, uint64_t at, struct str *out)
{
	const struct kernels_view *v = context;

	kernels_put_drill(v->k, &v->k->table->rows.at[at], out);
}

/* Head and notes. */

static void put_device(struct doc *doc, const struct kernels *k, const struct device_facts *d, const struct call *call)
{
	struct str out = {0};
	size_t len;

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
			str_fmt(&out, ", %llu stream%s", (unsigned long long)d->streams, d->streams > 1 ? "s" : "");
		if (out.len > (size_t)call->cols)
			str_cut(&out, len);
	}
	doc_line_put(doc, ROLE_PLAIN, "%s", out.text);
	str_release(&out);
}

/* What is shown; on the screen also of which step, and what the line filters by. */
static void put_title(struct call *call, const struct kernels *k)
{
	struct str text = {0}, shown = {0};

	str_fmt(&text, "kernels: %s by %s", kernels_what(k->table->universe), kernel_group_names[k->table->group]);
	if (call->on_screen) {
		for (size_t i = 0; i < k->acts.n; i++)
			str_fmt(&text, "%s%s", i ? "," : ", step ", k->acts.labels[i]);
		kernels_put_filters(k, &text);
	}
	put_shortened(&shown, text.text, call->on_screen ? (size_t)call->cols : text.len, false);
	doc_line_put(call->out, ROLE_PLAIN, "%s", shown.text);
	str_release(&text);
	str_release(&shown);
}

static void put_warnings(struct call *call, const struct kernels *k)
{
	const struct kernel_table *t = k->table;
	struct doc *doc = call->out;
	size_t before = doc_warnings(doc);       /* said elsewhere */

	if (t->has_gpu_executor && !t->has_kernels)
		doc_warn(doc, "No device activity recorded: GPU times cannot be given (tracing lib missing or not "
		              "permitted).");
	if (t->universe == UNIVERSE_HOST && t->host_has_gpu)
		doc_warn(doc, "These are times the host needed to dispatch the op; the GPU may run it later and "
		              "longer. See stream lanes.");
	if (t->n_zero)
		doc_warn(doc, "%llu of %llu kernels are shorter than the clock unit (1 us); their time is lost in "
		              "the total.", (unsigned long long)t->n_zero, (unsigned long long)t->n_kernels);
	if (percent_of(t->lost_ns, t->whole_ns) > 5)
		doc_warn(doc, "%.1f%% of device time has no op (fused or library kernels).",
		         percent_of(t->lost_ns, t->whole_ns));
	if (t->n_impossible)
		doc_warn(doc, "%zu record%s with impossible times %s left out.", t->n_impossible,
		         plural(t->n_impossible), t->n_impossible == 1 ? "is" : "are");
	for (size_t i = 0; i < k->steps.warm_ups.len; i++)
		doc_warn(doc, "Step %s looks like a warm-up (compilation, autotuning, allocation). Excluded from the "
		              "mean.", call->shell->profile->steps.at[k->steps.warm_ups.at[i]].label);
	for (size_t i = before; i < doc_warnings(doc); i++) {
		if (i == before)
			doc_newline(doc);
		doc_line_put(doc, ROLE_PLAIN, "note: %s", doc_warning(doc, i));
	}
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
	key_str(data, "device", d->device);
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
	const struct kernels_view *v = context;
	const struct kernel_table *t = v->k->table;

	(void)progress, (void)err;
	key_str(data, "universe", universe_names[t->universe]);
	key_str(data, "group", kernel_group_names[t->group]);
	key_str(data, "sort", kernel_sort_names[v->k->query.sort]);
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

static void put_list(struct data *data, const char *key, const char *const *at, size_t n)
{
	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < n; i++)
		data_str(data, at[i]);
	data_end(data);
}

static void put_row_data(struct kernels_view *v, uint64_t at, struct data *data)
{
	const struct kernel_table *t = v->k->table;
	const struct kernel_row *row = &t->rows.at[at];
	const struct kernel_row_more *more = more_of(v, at);
	bool kernels = t->group == GROUP_KERNEL || t->group == GROUP_SHAPE;

	data_object(data);
	key_str(data, "name", row->name);
	if (kernels) {
		key_str(data, "short", row->short_name);
		put_list(data, "raw", more->raws.at, more->raws.len);
	}
	key_int(data, "nodes", (int64_t)more->nodes);
	put_list(data, "ops", more->ops.at, more->ops.len);
	key_str(data, "top_node", more->top_node);
	key_str(data, "source", more->source);
	key_us(data, "total_us", row->total_ns);
	key_us(data, "self_us", row->self_ns);
	data_key(data, "share");
	data_rounded(data, percent_of(row->total_ns, t->whole_ns));
	key_int(data, "calls", (int64_t)row->calls);
	key_us(data, "mean_us", mean_ns(row));
	key_us(data, "min_us", row->min_ns);
	data_key(data, "p95_us");
	data_us_or_null(data, more->p95_ns >= 0, more->p95_ns);
	key_us(data, "max_us", row->max_ns);
	key_us(data, "busy_us", more->busy_ns);
	data_key(data, "host_us");
	data_us_or_null(data, !kernels, row->sum_ns[ACTIVITY_HOST]);
	key_us(data, "kernel_us", row->sum_ns[ACTIVITY_KERNEL]);
	key_us(data, "copy_us", row->sum_ns[ACTIVITY_COPY]);
	key_int(data, "execs", (int64_t)row->execs);
	key_int(data, "bytes", row->bytes);
	if (v->k->flops) {
		data_key(data, "gflop");
		data_float(data, flop_figure(v, at, MORE + MORE_GFLOP), 64);
		data_key(data, "gflop_s");
		data_float(data, flop_figure(v, at, MORE + MORE_FLOP_RATE), 64);
	}
	if (v->k->query.nan_of)
		key_int(data, "nan", (int64_t)row->nan);
	data_end(data);
}

static bool put_rows(void *context, struct data *data, struct progress *progress, struct err *err)
{
	struct kernels_view *v = context;

	data_list(data);
	for (uint64_t i = 0; i < v->n_shown; i++) {
		if (!(i % 256) && !progress_step(progress, i, v->n_shown))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped after %llu of %llu rows",
			              (unsigned long long)i, (unsigned long long)v->n_shown);
		put_row_data(v, i, data);
	}
	data_end(data);
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
	struct columns_source source = {
		.context = v, .n_foot = 1, .cut_start = group_cuts_start(t->group), .drop = v->drop, .put = put_cell,
		.number = cell_number, .link = put_link,
	};
	int64_t sum = 0;

	doc_keep(call->out, view_free, v);
	v->k = k;
	v->on_screen = call->on_screen;
	v->n_shown = k->limit && k->limit < t->rows.len ? k->limit : t->rows.len;
	v->cum_ns = mem_alloc((v->n_shown + 1) * sizeof *v->cum_ns);
	v->most_ns = 1;
	for (uint64_t i = 0; i < v->n_shown; i++) {
		v->cum_ns[i] = sum += t->rows.at[i].total_ns;
		if (t->rows.at[i].total_ns > v->most_ns)
			v->most_ns = t->rows.at[i].total_ns;
	}
	add_columns(v);
	order_drops(v);
	put_title(call, k);
	for (size_t i = 0; i < t->devices.len; i++)
		put_device(call->out, k, &t->devices.at[i], call);
	doc_newline(call->out);
	source.n_rows = v->n_shown;
	source.columns = v->column;
	source.n_columns = v->n_columns;
	columns_put(call, &source);
	put_warnings(call, k);
	kernels_bring_keys(call, k);
	doc_typed(call->out, DATA_ROWS, put_rows, v);
	doc_typed_as(call->out, "kernels", put_beside);
}
