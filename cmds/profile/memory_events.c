#include "cmds/profile/memory_events.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/profile/profile_time.h"
#include "dump/base/mem.h"
#include "dump/profile/trace.h"

struct memory_event {
	int64_t at_ns;                   /* after the first record, or the step's start */
	int64_t bytes, address, allocated, reserved;     /* TRACE_UNSAID: not recorded */
	double fragmentation;            /* negative: not recorded */
	const char *device, *op, *dtype, *shape;         /* NULL: not recorded */
};

struct events_view {
	VEC(struct memory_event) at;
};

static void put_known(struct cell *cell, const char *text)
{
	cell->missing = !text || !*text;
	cell_str(cell, text ? text : "");
}

static void put_bytes(struct cell *cell, int64_t bytes)
{
	cell_known(cell, bytes != TRACE_UNSAID, bytes);
}

static void put_change(struct cell *cell, int64_t bytes)
{
	cell->whole = bytes;
	if (bytes > 0)
		str_putc(&cell->text, '+');
	str_fmt(&cell->text, "%lld", (long long)bytes);
}

static void put_fragmentation(struct cell *cell, double value)
{
	cell->missing = value < 0;
	cell->number = value;
	if (value >= 0)
		str_fmt(&cell->text, "%.4f", value);
}

static void put_name(struct cell *cell, const char *op)
{
	cell_str(cell, op ? op : "-");
}

#define EVENT_COLUMNS(COL) \
	COL(at_us, "At", AFTER, 0, 1, cell->whole = e->at_ns) \
	COL(bytes, "Bytes", COUNT, 0, 4, put_change(cell, e->bytes)) \
	COL(allocated_bytes, "Allocated", SIZE, 0, 6, put_bytes(cell, e->allocated)) \
	COL(reserved_bytes, "Reserved", SIZE, 3, 7, put_bytes(cell, e->reserved)) \
	COL(fragmentation, "Fragmentation", NUMBER, 1, 10, \
	    put_fragmentation(cell, e->fragmentation)) \
	COL(device, "Device", TEXT, 0, 2, cell_str(cell, e->device)) \
	COL(dtype, "Type", WORD, 4, 8, put_known(cell, e->dtype)) \
	COL(shape, "Shape", WORD, 2, 9, put_known(cell, e->shape)) \
	COL(address, NULL, COUNT, 0, 5, put_bytes(cell, e->address)) \
	COL(op, NULL, TEXT, 0, 3, put_known(cell, e->op)) \
	COL(name, "Op", TEXT, 0, 0, put_name(cell, e->op))

enum { EVENT_COLUMNS(COL_ID) };
static const struct col event_cols[] = { EVENT_COLUMNS(COL_ROW) };

/* Events of a step stand as they are added up: at one time, what is freed comes first. */
static const struct sort_word trace_words[] = { { "", { RISES(at_us) } }, { 0 } };
static const struct sort_word step_words[] = {
	{ "", { RISES(at_us), RISES(bytes), RISES(op) } }, { 0 },
};
static const struct table_sorts trace_sorts = { .words = trace_words };
static const struct table_sorts step_sorts = { .words = step_words };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct events_view *v = context;
	const struct memory_event *e = &v->at.at[row];

	switch (id) {
	EVENT_COLUMNS(COL_CASE)
	}
}

static void view_free(void *context)
{
	struct events_view *v = context;

	vec_release(&v->at);
	free(v);
}

static struct events_view *view_new(struct call *call)
{
	struct events_view *v = mem_alloc(sizeof *v);

	doc_keep(call->out, view_free, v);
	return v;
}

static void show(struct call *call, struct events_view *v, const struct table_sorts *sorts)
{
	struct table *table = TABLE_OF(call->out, event_cols, get_cell, v);

	table->n_rows = v->at.len;
	table->cut_start = true;
	table->sorts = sorts;
	if (!table_arrange(call, table))
		return;
	if (v->at.len) {
		table_show(call, table);
	} else {
		table_type(call, table);
		doc_line_put(call->out, ROLE_PLAIN, "No allocations are recorded.");
	}
	doc_typed_as(call->out, "memory", NULL);
}

static bool has_device(struct call *call, const char *device, bool known)
{
	if (device && !known)
		call_error(call, "ERROR: Nothing of \"%s\" is recorded.", device);
	return !device || known;
}

/* Of a trace. */

static const char *text_of(const struct trace *trace, uint32_t name)
{
	return name == MAP_NONE ? NULL : trace->all.names.key[name];
}

static int64_t after_begin(const struct trace *trace, int64_t at_ns)
{
	int64_t after;

	return __builtin_sub_overflow(at_ns, trace->begin_ns, &after) ? 0 : after;
}

static void take_trace(struct events_view *v, const struct trace *trace, const char *device)
{
	for (size_t i = 0; i < trace->memory_events.len; i++) {
		const struct trace_memory_event *e = &trace->memory_events.at[i];
		const char *of = trace->memory.at[e->device].device;

		if (device && strcmp(device, of) != 0)
			continue;
		vec_push(&v->at, ((struct memory_event){
			after_begin(trace, e->at_ns), e->bytes, e->address, e->allocated,
			e->reserved, e->fragmentation, of, text_of(trace, e->op),
			text_of(trace, e->dtype), text_of(trace, e->shape) }));
	}
}

void memory_put_trace_events(struct call *call, const char *device)
{
	const struct trace *trace = call->shell->profile->trace;
	struct events_view *v = view_new(call);
	bool known = false;

	for (size_t i = 0; device && i < trace->memory.len; i++)
		known |= !strcmp(trace->memory.at[i].device, device);
	if (!has_device(call, device, known))
		return;
	take_trace(v, trace, device);
	show(call, v, &trace_sorts);
}

/* Of a step. */

static void take_allocator(struct events_view *v, const struct memory_peaks *peaks, size_t of)
{
	const char *name = peaks->lives.allocators.key[of];
	int64_t allocated = 0;

	for (size_t i = peaks->first[of]; i < peaks->first[of + 1]; i++) {
		const struct life_event *e = &peaks->events.at.at[i];
		int64_t after_us, ns;

		allocated = saturated_sum(allocated, e->bytes);
		if (__builtin_sub_overflow(e->us, peaks->begin_us, &after_us)
		    || __builtin_mul_overflow(after_us, 1000, &ns))
			ns = 0;
		vec_push(&v->at, ((struct memory_event){
			ns, e->bytes, TRACE_UNSAID, allocated, TRACE_UNSAID, -1, name,
			peaks->lives.names.key[e->tensor], NULL, NULL }));
	}
}

void memory_put_step_events(struct call *call, const struct memory_peaks *peaks,
                            const char *allocator)
{
	const struct map *allocators = &peaks->lives.allocators;
	struct events_view *v = view_new(call);
	bool known = false;

	for (size_t i = 0; i < allocators->len; i++) {
		if (allocator && strcmp(allocator, allocators->key[i]) != 0)
			continue;
		known = true;
		if (memory_peaks_recorded(peaks, i))
			take_allocator(v, peaks, i);
	}
	if (!has_device(call, allocator, known))
		return;
	show(call, v, allocator ? NULL : &step_sorts);
}
