#include "dump/profile/table_rows.h"

#include <string.h>

#include "dump/format/decimal.h"

static bool begins(struct text text, const char *with)
{
	return text.len >= strlen(with) && !memcmp(text.at, with, strlen(with));
}

static bool ends(struct text text, const char *with)
{
	size_t n = strlen(with);

	return text.len >= n && !memcmp(text.at + text.len - n, with, n);
}

static struct text cell_of(const struct table_rows *r, const struct cells *cells,
                           enum table_field field)
{
	const struct text *cell = table_cell(&r->columns, cells, field);

	return cell ? text_trimmed(*cell) : (struct text){ "", 0 };
}

/* Names. */

/* "[CUDA memcpy HtoD]", "[CUDA memset]", "[CUDA Unified Memory memcpy DtoH]" */
static bool is_copy(struct text name)
{
	return begins(name, "[CUDA mem") || begins(name, "[CUDA Unified Memory mem");
}

/* "saxpy(int) [118]" is its 118th call, to nvprof. */
static struct text cut_correlation(struct text *name)
{
	struct text number = { "", 0 };
	size_t at = name->len;

	if (at < 4 || name->at[at - 1] != ']')
		return number;
	at--;
	while (at && is_digit(name->at[at - 1]))
		at--;
	if (at < 2 || name->at[at - 1] != '[' || name->at[at - 2] != ' '
	    || name->at[at] == ']')
		return number;
	number = (struct text){ name->at + at, name->len - 1 - at };
	name->len = at - 2;
	return number;
}

/* "Tesla V100 (0)" is device 0; without a number its name is all there is. */
static struct text device_number(struct text name)
{
	size_t at = name.len;

	if (at < 3 || name.at[at - 1] != ')')
		return name;
	at--;
	while (at && is_digit(name.at[at - 1]))
		at--;
	if (!at || name.at[at - 1] != '(' || name.at[at] == ')')
		return name;
	return (struct text){ name.at + at, name.len - 1 - at };
}

/* Launches: "regs:64 shm:2048 grid:8,4,1 block:128,1,1" */

static void put_key(struct str *out, const char *key)
{
	if (out->len)
		str_putc(out, ' ');
	str_puts(out, key);
}

/* "(8 4 1)" or one number in one cell, or three cells. */
static void put_shape(struct table_rows *r, const struct cells *cells, const char *key,
                      enum table_field one, enum table_field x)
{
	struct text whole = cell_of(r, cells, one);
	int64_t size[3];

	for (int i = 0; i < 3; i++)
		if (!table_number(&r->columns, cells, x + i, &size[i]) && !whole.len)
			return;
	put_key(&r->text, key);
	if (!whole.len)
		str_fmt(&r->text, "%lld,%lld,%lld", (long long)size[0], (long long)size[1],
		        (long long)size[2]);
	for (size_t i = 0; i < whole.len && i < 64; i++)
		if (whole.at[i] != '(' && whole.at[i] != ')')
			str_putc(&r->text, whole.at[i] == ' ' ? ',' : whole.at[i]);
}

/* Threads through the threads of a block. */
static bool blocks_of(const struct table_rows *r, const struct cells *cells,
                      enum table_field threads, enum table_field block, int64_t *out)
{
	int64_t n, size;

	if (!table_number(&r->columns, cells, threads, &n) || n < 0
	    || !table_number(&r->columns, cells, block, &size) || size <= 0)
		return false;
	*out = n / size + (n % size > 0);
	return true;
}

/* AMD's grids are in threads. */
static void put_threads(struct table_rows *r, const struct cells *cells)
{
	int64_t x, y, z;

	if (blocks_of(r, cells, FIELD_THREADS, FIELD_BLOCK, &x)) {
		put_key(&r->text, "grid:");
		str_int(&r->text, x);
	} else if (blocks_of(r, cells, FIELD_THREADS_X, FIELD_BLOCK_X, &x)
	           && blocks_of(r, cells, FIELD_THREADS_Y, FIELD_BLOCK_Y, &y)
	           && blocks_of(r, cells, FIELD_THREADS_Z, FIELD_BLOCK_Z, &z)) {
		put_key(&r->text, "grid:");
		str_fmt(&r->text, "%lld,%lld,%lld", (long long)x, (long long)y, (long long)z);
	}
}

static uint32_t launch_of(struct table_rows *r, const struct cells *cells)
{
	int64_t regs, shared = 0, dynamic = 0;
	bool has_shared = table_number(&r->columns, cells, FIELD_STATIC, &shared);

	has_shared |= table_number(&r->columns, cells, FIELD_DYNAMIC, &dynamic);
	str_reset(&r->text);
	if (table_number(&r->columns, cells, FIELD_REGS, &regs)) {
		put_key(&r->text, "regs:");
		str_int(&r->text, regs);
	}
	if (has_shared && !__builtin_add_overflow(shared, dynamic, &shared)) {
		put_key(&r->text, "shm:");
		str_int(&r->text, shared);
	}
	put_shape(r, cells, "grid:", FIELD_GRID, FIELD_GRID_X);
	put_threads(r, cells);
	put_shape(r, cells, "block:", FIELD_BLOCK, FIELD_BLOCK_X);
	return r->text.len ? trace_name(r->trace, r->text.text, r->text.len) : MAP_NONE;
}

/* Records. */

static bool times_of(const struct table_rows *r, const struct cells *cells, struct activity *a)
{
	int64_t end_ns;

	if (!table_number(&r->columns, cells, FIELD_START, &a->start_ns))
		return false;
	if (table_number(&r->columns, cells, FIELD_END, &end_ns))
		return !__builtin_sub_overflow(end_ns, a->start_ns, &a->len_ns) && a->len_ns >= 0;
	return table_number(&r->columns, cells, FIELD_LENGTH, &a->len_ns) && a->len_ns >= 0
	       && trace_end(a->start_ns, a->len_ns, &end_ns);
}

static int64_t correlation_of(struct table_rows *r, const struct cells *cells, struct text *name)
{
	struct text id = cell_of(r, cells, FIELD_CORRELATION), in_name = { "", 0 };

	if (r->columns.tool == TOOL_NVPROF && !is_copy(*name))
		in_name = cut_correlation(name);
	if (!id.len)
		id = in_name.len ? in_name : cell_of(r, cells, FIELD_INDEX);
	return id.len ? trace_id(r->trace, id.at, id.len) : TRACE_NO_ID;
}

static struct text device_of(const struct table_rows *r, const struct cells *cells)
{
	static const char agent[] = "Agent ";
	struct text name = cell_of(r, cells, FIELD_DEVICE);

	if (r->columns.form == FORM_COPIES) {
		struct text way = cell_of(r, cells, FIELD_DIRECTION);
		bool home = ends(way, "DEVICE_TO_HOST");

		name = cell_of(r, cells, home ? FIELD_SOURCE : FIELD_TARGET);
	}
	if (r->columns.tool != TOOL_ROCPROF)
		return device_number(name);
	if (!begins(name, agent))
		return name;
	return (struct text){ name.at + strlen(agent), name.len - strlen(agent) };
}

static uint32_t stream_of(struct table_rows *r, const struct cells *cells)
{
	struct text process = cell_of(r, cells, FIELD_PROCESS);
	struct text stream = cell_of(r, cells, FIELD_STREAM);

	if (!process.len)
		process = (struct text){ str_text(&r->process), r->process.len };
	if (!stream.len)
		stream = cell_of(r, cells, FIELD_QUEUE);
	return trace_stream_of(r->trace, process, stream);
}

static enum activity_kind kind_of(const struct table_rows *r, struct text name)
{
	switch (r->columns.form) {
	case FORM_DISPATCHES: return ACTIVITY_KERNEL;
	case FORM_COPIES: return ACTIVITY_COPY;
	default: return is_copy(name) ? ACTIVITY_COPY : ACTIVITY_KERNEL;
	}
}

static bool take_record(struct table_rows *r, const struct cells *cells)
{
	struct activity a = { .node = MAP_NONE, .op = TRACE_NO_NAME, .launch = MAP_NONE,
	                      .launch_delay_ns = -1 };
	struct trace_record record = { .external = TRACE_NO_ID, .step = TRACE_OUTSIDE };
	bool copies = r->columns.form == FORM_COPIES;
	struct text name = cell_of(r, cells, copies ? FIELD_DIRECTION : FIELD_NAME);
	struct text device = device_of(r, cells);
	int64_t launched_ns;

	if (!times_of(r, cells, &a))
		return false;
	a.kind = kind_of(r, name);
	record.correlation = correlation_of(r, cells, &name);
	a.raw = trace_name(r->trace, name.at, name.len);
	a.device = trace_device(r->trace, device.at, device.len) & 0x3fffffff;
	a.stream = stream_of(r, cells);
	if (table_number(&r->columns, cells, FIELD_DISPATCH, &launched_ns)
	    && __builtin_sub_overflow(a.start_ns, launched_ns, &a.launch_delay_ns))
		a.launch_delay_ns = -1;
	if (a.kind == ACTIVITY_KERNEL)
		a.launch = launch_of(r, cells);
	else
		record.has_bytes = table_number(&r->columns, cells, FIELD_BYTES, &a.bytes);
	trace_add(r->trace, &a, &record);
	return true;
}

/* Totals. */

static void note_section(struct table_rows *r, const struct cells *cells)
{
	struct text section = cell_of(r, cells, FIELD_SECTION);

	if (section.len)
		r->kind = begins(section, "GPU activities") ? FORM_RECORDS : FORM_CALLS;
}

static int64_t time_of(const struct table_rows *r, const struct cells *cells,
                       enum table_field field)
{
	int64_t ns;

	return table_number(&r->columns, cells, field, &ns) ? ns : -1;
}

/* One run may be summed up in several ways, as other tables: the first counts. */
static bool is_told(struct table_rows *r, enum activity_kind kind)
{
	if (!r->told[kind])
		r->told[kind] = r->columns.n;
	return r->told[kind] != r->columns.n;
}

static bool take_total(struct table_rows *r, const struct cells *cells, enum activity_kind kind,
                       enum table_field calls)
{
	bool is_name = r->columns.at[FIELD_NAME];
	struct text name = cell_of(r, cells, is_name ? FIELD_NAME : FIELD_DIRECTION);
	struct trace_total total = { .kind = kind };

	if (is_told(r, kind))
		return true;
	if (!table_number(&r->columns, cells, calls, &total.calls) || total.calls <= 0)
		return false;
	total.total_ns = time_of(r, cells, FIELD_TOTAL);
	total.mean_ns = time_of(r, cells, FIELD_MEAN);
	total.min_ns = time_of(r, cells, FIELD_LEAST);
	total.max_ns = time_of(r, cells, FIELD_MOST);
	if (total.mean_ns < 0)
		total.mean_ns = total.total_ns / total.calls;
	return trace_add_total(r->trace, name.at, name.len, &total);
}

static bool take_sectioned(struct table_rows *r, const struct cells *cells)
{
	note_section(r, cells);
	if (r->kind == FORM_CALLS) {
		r->seen |= 1u << FORM_CALLS;
		return true;
	}
	return take_total(r, cells, is_copy(cell_of(r, cells, FIELD_NAME)) ? ACTIVITY_COPY
	                                                                   : ACTIVITY_KERNEL,
	                  FIELD_CALLS);
}

/*
 * rocprof's totals of kernels, copies and calls look alike: "results.copy_stats.csv",
 * "1234_hip_api_stats.csv".
 */
static enum table_form stats_of(const char *file_name)
{
	static const struct { const char *part; uint8_t form; } parts[] = {
		{ "hip_", FORM_CALLS }, { "hsa_", FORM_CALLS }, { "_api_", FORM_CALLS },
		{ "domain_stats", FORM_CALLS }, { "copy_stats", FORM_COPY_TOTALS },
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(file_name, parts[i].part))
			return (enum table_form)parts[i].form;
	return FORM_KERNEL_TOTALS;
}

/* Tables. */

void table_rows_start(struct table_rows *r)
{
	r->kind = r->columns.form == FORM_STATS ? stats_of(r->file_name) : FORM_RECORDS;
	r->seen |= 1u << (r->kind == FORM_CALLS ? r->kind : r->columns.form);
}

static bool take_category(struct table_rows *r, const struct cells *cells)
{
	bool kernels = begins(cell_of(r, cells, FIELD_SECTION), "CUDA_KERNEL");

	return take_total(r, cells, kernels ? ACTIVITY_KERNEL : ACTIVITY_COPY, FIELD_INSTANCES);
}

static bool take_stats(struct table_rows *r, const struct cells *cells)
{
	return r->kind == FORM_CALLS
	       || take_total(r, cells, r->kind == FORM_COPY_TOTALS ? ACTIVITY_COPY
	                                                           : ACTIVITY_KERNEL,
	                     FIELD_CALLS);
}

void table_rows_take(struct table_rows *r, const struct cells *cells)
{
	bool ok = true;

	switch (r->columns.form) {
	case FORM_RECORDS:
	case FORM_DISPATCHES:
	case FORM_COPIES: ok = take_record(r, cells); break;
	case FORM_SECTIONS: ok = take_sectioned(r, cells); break;
	case FORM_KERNEL_TOTALS:
		ok = take_total(r, cells, ACTIVITY_KERNEL, FIELD_INSTANCES);
		break;
	case FORM_COPY_TOTALS:
		ok = take_total(r, cells, ACTIVITY_COPY, FIELD_OPERATIONS);
		break;
	case FORM_BOTH_TOTALS: ok = take_category(r, cells); break;
	case FORM_STATS: ok = take_stats(r, cells); break;
	default: break;
	}
	r->trace->n_left_out += !ok;
}

void table_rows_release(struct table_rows *r)
{
	str_release(&r->process);
	str_release(&r->text);
}
