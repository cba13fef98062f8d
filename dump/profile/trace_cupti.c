/*
 * Tables that NVIDIA's CUPTI fills, as nsys exports them and nvprof writes them. Device records
 * come first; a call that launched one is then known by its process and correlation; the innermost
 * NVTX range around the call, on its thread, is the record's op. So of calls and ranges only those
 * of some use are kept. Source: the exporter's own tables, and "exported data" in the documentation
 * of Nsight Systems.
 */
#include "dump/profile/database_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/format/decimal.h"

#define NO_PROCESS INT64_MAX
#define PUSH_POP 59              /* NVTX_EVENTS.eventType */

struct range {
	int64_t start_ns, end_ns, thread;
	uint32_t name, told;             /* told: with what its program put behind the name */
};

/* A call that launched something. */
struct call {
	int64_t start_ns, thread;
	uint32_t first;                  /* place in all.at: of its records the first by start */
	const struct range *range;       /* NULL: it is in none */
	bool known;                      /* the call was recorded */
};

struct cupti {
	struct trace *trace;
	struct database *db;
	bool is_nsys;
	struct wanted_texts texts;
	struct id_map processes;         /* small numbers */
	struct id_map call_of;           /* by key */
	VEC(struct call) calls;
	VEC(uint32_t) call_at;           /* by place in all.at, + 1; 0: none */
	VEC(struct range) ranges;
	struct { int64_t id; uint32_t label; } ways[32];         /* of copies */
	size_t n_ways;
	struct str text;
	struct err *err;
};

/* Correlations, which are unique in a process only. False: it is none. */
static bool key_of(struct cupti *c, int64_t process, int64_t correlation, int64_t *key)
{
	uint32_t *place = id_map_place(&c->processes, process);

	if (*place == MAP_NONE)
		*place = (uint32_t)c->processes.len;
	*key = (int64_t)((uint64_t)*place << 32 | (uint64_t)correlation);
	return correlation >= 0 && correlation <= UINT32_MAX && *place < INT32_MAX;
}

/* The record that was just added may have been launched by a call. */
static void expect_call(struct cupti *c, int64_t process, int64_t correlation)
{
	size_t at = c->trace->all.at.len - 1;
	const struct activity *all = c->trace->all.at.at;
	struct call *call;
	uint32_t *place;
	int64_t key;

	while (c->call_at.len <= at)
		vec_push(&c->call_at, 0);
	if (!key_of(c, process, correlation, &key))
		return;
	place = id_map_place(&c->call_of, key);
	if (*place == MAP_NONE) {
		*place = (uint32_t)c->calls.len;
		vec_push(&c->calls, ((struct call){ .first = (uint32_t)at }));
	}
	c->call_at.at[at] = *place + 1;
	call = &c->calls.at[*place];
	if (all[at].start_ns < all[call->first].start_ns)
		call->first = (uint32_t)at;
}

/* Records. */

#define KERNEL_COLUMNS(X) \
	X(START, "start") X(END, "end") X(DEVICE, "deviceId") X(STREAM, "streamId") \
	X(CORRELATION, "correlationId") X(PROCESS, "globalPid") X(NAME, "demangledName") \
	X(SHORT_NAME, "shortName") X(OLD_NAME, "name") X(REGS, "registersPerThread") \
	X(GRID_X, "gridX") X(GRID_Y, "gridY") X(GRID_Z, "gridZ") \
	X(BLOCK_X, "blockX") X(BLOCK_Y, "blockY") X(BLOCK_Z, "blockZ") \
	X(STATIC, "staticSharedMemory") X(DYNAMIC, "dynamicSharedMemory") \
	X(BYTES, "bytes") X(WAY, "copyKind")

#define X(id, name) COLUMN_##id,
enum { KERNEL_COLUMNS(X) N_COLUMNS };
#undef X

static const char *const columns[] = {
#define X(id, name) name,
	KERNEL_COLUMNS(X)
#undef X
};

static void put_figure(struct cupti *c, struct database_rows *rows, const char *key, int column)
{
	int64_t number;

	if (!database_int(rows, (size_t)column, &number))
		return;
	str_puts(&c->text, c->text.len ? " " : "");
	str_puts(&c->text, key);
	str_int(&c->text, number);
}

static void put_shape(struct cupti *c, struct database_rows *rows, const char *key, int x)
{
	int64_t size[3];

	for (int i = 0; i < 3; i++)
		if (!database_int(rows, (size_t)(x + i), &size[i]))
			return;
	str_fmt(&c->text, "%s%s%lld,%lld,%lld", c->text.len ? " " : "", key, (long long)size[0],
	        (long long)size[1], (long long)size[2]);
}

static uint32_t launch_of(struct cupti *c, struct database_rows *rows)
{
	int64_t shared, dynamic = 0;

	str_reset(&c->text);
	put_figure(c, rows, "regs:", COLUMN_REGS);
	database_int(rows, COLUMN_DYNAMIC, &dynamic);
	if (database_int(rows, COLUMN_STATIC, &shared)
	    && !__builtin_add_overflow(shared, dynamic, &shared))
		str_fmt(&c->text, "%sshm:%lld", c->text.len ? " " : "", (long long)shared);
	put_shape(c, rows, "grid:", COLUMN_GRID_X);
	put_shape(c, rows, "block:", COLUMN_BLOCK_X);
	return c->text.len ? trace_name(c->trace, c->text.text, c->text.len) : MAP_NONE;
}

static uint32_t kernel_name(struct cupti *c, struct database_rows *rows)
{
	static const uint8_t names[] = { COLUMN_NAME, COLUMN_OLD_NAME, COLUMN_SHORT_NAME };

	for (size_t i = 0; i < sizeof names; i++) {
		int64_t id;

		if (database_int(rows, names[i], &id))
			return texts_find(&c->texts, id);
	}
	return TRACE_NO_NAME;
}

/* "[CUDA memcpy Host-to-Device]" */
static uint32_t copy_name(struct cupti *c, struct database_rows *rows)
{
	const char *label = "?";
	int64_t way;

	for (size_t i = 0; database_int(rows, COLUMN_WAY, &way) && i < c->n_ways; i++)
		if (c->ways[i].id == way)
			label = c->trace->all.names.key[c->ways[i].label];
	str_reset(&c->text);
	str_fmt(&c->text, "[CUDA memcpy %s]", label);
	return trace_name(c->trace, c->text.text, c->text.len);
}

enum what { KERNELS, COPIES, MEMSETS };

static void take_record(struct cupti *c, struct database_rows *rows, enum what what)
{
	struct activity a = { .node = MAP_NONE, .op = TRACE_NO_NAME, .launch = MAP_NONE,
	                      .launch_delay_ns = -1 };
	struct trace_record record = { .correlation = TRACE_NO_ID, .external = TRACE_NO_ID,
	                               .step = TRACE_OUTSIDE };
	int64_t end_ns, device = 0, stream = 0, correlation, process;
	bool has_process = database_int(rows, COLUMN_PROCESS, &process);

	if (!database_int(rows, COLUMN_START, &a.start_ns)
	    || !database_int(rows, COLUMN_END, &end_ns)
	    || __builtin_sub_overflow(end_ns, a.start_ns, &a.len_ns) || a.len_ns < 0) {
		c->trace->n_left_out++;
		return;
	}
	database_int(rows, COLUMN_DEVICE, &device);
	database_int(rows, COLUMN_STREAM, &stream);
	a.kind = what == KERNELS ? ACTIVITY_KERNEL : ACTIVITY_COPY;
	a.device = trace_device_number(c->trace, device) & 0x3fffffff;
	a.stream = trace_stream_number(c->trace, has_process, process >> 24 & 0xffffff, stream);
	a.raw = what == KERNELS ? kernel_name(c, rows)
	        : what == COPIES ? copy_name(c, rows) : trace_name(c->trace, "[CUDA memset]", 13);
	if (what == KERNELS)
		a.launch = launch_of(c, rows);
	else
		record.has_bytes = database_int(rows, COLUMN_BYTES, &a.bytes);
	if (database_int(rows, COLUMN_CORRELATION, &correlation) && correlation >= 0)
		record.correlation = correlation;
	trace_add(c->trace, &a, &record);
	if (record.correlation != TRACE_NO_ID)
		expect_call(c, has_process ? process >> 24 : NO_PROCESS, correlation);
}

/* The rows of a table, if there is one. */
static bool take_table(struct cupti *c, const char *table, const char *const *names, size_t n,
                       void (*take)(struct cupti *c, struct database_rows *rows, enum what what),
                       enum what what)
{
	struct database_rows *rows;
	struct err why = {0};

	if (!database_has(c->db, table))
		return true;
	rows = database_rows(c->db, table, names, n, &why);
	while (rows && database_next(rows, &why))
		take(c, rows, what);
	database_rows_free(rows);
	if (why.code)
		*c->err = why;
	return !why.code;
}

static bool take_records(struct cupti *c)
{
	static const struct { const char *table; enum what what; } tables[] = {
		{ "CUPTI_ACTIVITY_KIND_KERNEL", KERNELS },
		{ "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", KERNELS },
		{ "CUPTI_ACTIVITY_KIND_MEMCPY", COPIES },
		{ "CUPTI_ACTIVITY_KIND_MEMCPY2", COPIES },
		{ "CUPTI_ACTIVITY_KIND_MEMSET", MEMSETS },
	};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (!take_table(c, tables[i].table, columns, N_COLUMNS, take_record,
		                tables[i].what))
			return false;
	return true;
}

/* Ways of copies. */

static void add_way(struct cupti *c, int64_t id, struct text label)
{
	if (c->n_ways == sizeof c->ways / sizeof *c->ways)
		return;
	c->ways[c->n_ways].id = id;
	c->ways[c->n_ways++].label = trace_name(c->trace, label.at, label.len);
}

static void take_way(struct cupti *c, struct database_rows *rows, enum what what)
{
	int64_t id;

	(void)what;
	if (database_int(rows, 0, &id))
		add_way(c, id, database_text(rows, 1));
}

static bool read_ways(struct cupti *c)
{
	static const struct { int64_t id; struct text label; } usual[] = {
		{ 1, { "Host-to-Device", 14 } }, { 2, { "Device-to-Host", 14 } },
		{ 8, { "Device-to-Device", 16 } }, { 10, { "Peer-to-Peer", 12 } },
	};
	static const char *const names[] = { "id", "label" };

	if (!take_table(c, "ENUM_CUDA_MEMCPY_OPER", names, 2, take_way, COPIES))
		return false;
	if (c->n_ways)
		return true;
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		add_way(c, usual[i].id, usual[i].label);
	return true;
}

/* Calls. */

/* The first call counts. */
static void note_call(struct cupti *c, int64_t process, int64_t correlation, int64_t start_ns,
                      int64_t thread)
{
	struct call *call;
	uint32_t at;
	int64_t key;

	if (!key_of(c, process, correlation, &key))
		return;
	at = id_map_find(&c->call_of, key);
	call = at == MAP_NONE ? NULL : &c->calls.at[at];
	if (!call || call->known)
		return;
	call->known = true;
	call->start_ns = start_ns;
	call->thread = thread;
}

static void take_call(struct cupti *c, struct database_rows *rows, enum what what)
{
	int64_t start_ns, correlation, thread;
	bool has_thread = database_int(rows, 2, &thread);

	(void)what;
	if (!database_int(rows, 0, &start_ns) || !database_int(rows, 1, &correlation))
		return;
	if (has_thread)
		note_call(c, thread >> 24, correlation, start_ns, thread);
	note_call(c, NO_PROCESS, correlation, start_ns, has_thread ? thread : 0);
}

static bool read_calls(struct cupti *c)
{
	static const char *const names[] = { "start", "correlationId", "globalTid" };

	return take_table(c, "CUPTI_ACTIVITY_KIND_RUNTIME", names, 3, take_call, KERNELS)
	       && take_table(c, "CUPTI_ACTIVITY_KIND_DRIVER", names, 3, take_call, KERNELS);
}

/* Ranges. */

/* PyTorch's emit_nvtx puts more behind the name of an op. */
static struct text cut_details(struct text name)
{
	static const char *const details[] = { ", op_id = ", ", seq = ", ", sizes = " };

	for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
		const char *at = memmem(name.at, name.len, details[i], strlen(details[i]));

		if (at)
			name.len = (size_t)(at - name.at);
	}
	return name;
}

static void take_range(struct cupti *c, struct database_rows *rows, enum what what)
{
	struct range range;
	struct text text = database_text(rows, 5);
	int64_t type, id;

	(void)what;
	if (!database_int(rows, 0, &range.start_ns) || !database_int(rows, 1, &range.end_ns)
	    || !database_int(rows, 2, &range.thread) || !database_int(rows, 3, &type)
	    || type != PUSH_POP || range.end_ns <= range.start_ns)
		return;
	if (!text.len && database_int(rows, 4, &id)) {
		const char *name = c->trace->all.names.key[texts_find(&c->texts, id)];

		text = (struct text){ name, strlen(name) };
	}
	range.told = trace_name(c->trace, text.at, text.len);
	text = cut_details(text);
	range.name = trace_name(c->trace, text.at, text.len);
	vec_push(&c->ranges, range);
}

/* "step 3", "iteration 17" */
static bool step_of(const char *name, int64_t *number)
{
	static const char *const words[] = { "step ", "iteration " };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i]);

		if (!strncasecmp(name, words[i], n)
		    && decimal_is_whole(name + n, strlen(name + n), number) && *number >= 0)
			return true;
	}
	return false;
}

/* By thread and start; of ranges that start together the longer is around the others. */
static int by_range(const void *a, const void *b)
{
	const struct range *p = a, *q = b;

	if (p->thread != q->thread)
		return p->thread < q->thread ? -1 : 1;
	if (p->start_ns != q->start_ns)
		return p->start_ns < q->start_ns ? -1 : 1;
	return (p->end_ns < q->end_ns) - (p->end_ns > q->end_ns);
}

static int by_call(const void *a, const void *b)
{
	const struct call *p = *(const struct call *const *)a, *q = *(const struct call *const *)b;

	if (p->thread != q->thread)
		return p->thread < q->thread ? -1 : 1;
	return (p->start_ns > q->start_ns) - (p->start_ns < q->start_ns);
}

/* What is open at a time on a thread, the innermost last. */
typedef VEC(const struct range *) open_ranges;

static void open_until(struct cupti *c, size_t *next, int64_t thread, int64_t at_ns,
                       open_ranges *open)
{
	for (; *next < c->ranges.len; ++*next) {
		const struct range *range = &c->ranges.at[*next];

		if (range->thread > thread
		    || (range->thread == thread && range->start_ns > at_ns))
			break;
		while (open->len && ((*vec_last(open))->thread != range->thread
		                     || (*vec_last(open))->end_ns <= range->start_ns))
			open->len--;
		vec_push(open, range);
	}
	while (open->len && ((*vec_last(open))->thread != thread
	                     || (*vec_last(open))->end_ns <= at_ns))
		open->len--;
}

static void find_ops(struct cupti *c)
{
	const struct call **order = mem_alloc((c->calls.len + 1) * sizeof *order);
	open_ranges open = {0};
	size_t n = 0, next = 0;

	for (size_t i = 0; i < c->calls.len; i++)
		if (c->calls.at[i].known)
			order[n++] = &c->calls.at[i];
	if (n)
		qsort(order, n, sizeof *order, by_call);
	for (size_t i = 0; i < n; i++) {
		open_until(c, &next, order[i]->thread, order[i]->start_ns, &open);
		if (open.len)
			c->calls.at[order[i] - c->calls.at].range = *vec_last(&open);
	}
	vec_release(&open);
	free(order);
}

/* Ranges within no other may be steps. */
static void find_steps(struct cupti *c)
{
	const struct range *outer = NULL;

	for (size_t i = 0; i < c->ranges.len; i++) {
		const struct range *range = &c->ranges.at[i];
		int64_t number;

		if (outer && outer->thread == range->thread && range->start_ns < outer->end_ns)
			continue;
		outer = range;
		if (step_of(c->trace->all.names.key[range->name], &number))
			trace_add_step(c->trace, number, range->start_ns,
			               range->end_ns - range->start_ns);
	}
}

static bool read_ranges(struct cupti *c)
{
	static const char *const names[] = { "start", "end", "globalTid", "eventType", "textId",
	                                     "text" };

	if (!take_table(c, "NVTX_EVENTS", names, 6, take_range, KERNELS))
		return false;
	if (c->ranges.len)
		qsort(c->ranges.at, c->ranges.len, sizeof *c->ranges.at, by_range);
	find_ops(c);
	find_steps(c);
	return true;
}

/* Records and their calls. */

static void give_op(struct cupti *c, struct activity *a, const struct range *range)
{
	struct trace_record *record = &c->trace->records.at[a->record];

	a->node = range->name;
	if (range->told == range->name)
		return;
	record->op = TRACE_OP_TOLD;
	record->told = range->told;
}

static void attribute(struct cupti *c)
{
	for (size_t i = 0; i < c->call_at.len; i++) {
		struct activity *a = &c->trace->all.at.at[i];
		const struct call *call;

		if (!c->call_at.at[i])
			continue;
		call = &c->calls.at[c->call_at.at[i] - 1];
		if (!call->known)
			continue;
		if (call->range)
			give_op(c, a, call->range);
		if (call->first == i
		    && __builtin_sub_overflow(a->start_ns, call->start_ns, &a->launch_delay_ns))
			a->launch_delay_ns = -1;
	}
}

static bool read_texts(struct cupti *c)
{
	static const char *const kernels[] = { "demangledName", "shortName", "name" };
	static const char *const ranges[] = { "textId" };

	return texts_want(&c->texts, c->db, "CUPTI_ACTIVITY_KIND_KERNEL", kernels, 3, c->err)
	       && texts_want(&c->texts, c->db, "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", kernels,
	                     3, c->err)
	       && texts_want(&c->texts, c->db, "NVTX_EVENTS", ranges, 1, c->err)
	       && (c->is_nsys ? texts_read(&c->texts, c->trace, c->db, "StringIds", "id", "value",
	                                   c->err)
	                      : texts_read(&c->texts, c->trace, c->db, "StringTable", "_id_",
	                                   "value", c->err));
}

static void warn(struct cupti *c)
{
	if (!c->trace->all.at.len || database_has(c->db, "CUPTI_ACTIVITY_KIND_KERNEL")
	    || database_has(c->db, "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL"))
		return;
	trace_warn(c->trace, "No device activity recorded: GPU times cannot be given (tracing lib "
	           "missing or not permitted).");
}

bool read_cupti(struct trace *trace, struct database *db, bool is_nsys, struct err *err)
{
	struct cupti c = { .trace = trace, .db = db, .is_nsys = is_nsys, .err = err };
	bool ok = read_texts(&c) && read_ways(&c) && take_records(&c) && read_calls(&c)
	          && read_ranges(&c);

	if (ok) {
		attribute(&c);
		warn(&c);
	}
	texts_release(&c.texts);
	id_map_release(&c.processes);
	id_map_release(&c.call_of);
	vec_release(&c.calls);
	vec_release(&c.call_at);
	vec_release(&c.ranges);
	str_release(&c.text);
	return ok;
}
