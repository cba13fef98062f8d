#include "cmds/profile/memory_trace.h"

#include "cmds/doc/table.h"
#include "cmds/profile/memory_events.h"
#include "cmds/session/steps.h"
#include "dump/profile/trace.h"

#define PEAK_COLUMNS(COL) \
	COL(peak_bytes, "Peak", SIZE, 0, 2, cell->whole = m->peak_bytes) \
	COL(peak_at_us, "At", AFTER, 0, 3, \
	    cell->whole = m->peak_at_ns - trace->begin_ns) \
	COL(live, NULL, COUNT, 0, 4, cell->missing = true) \
	COL(tensors, "Tensors", COUNT, 0, 5, cell->whole = (int64_t)m->n_allocated) \
	COL(total_bytes, NULL, SIZE, 0, 6, cell->missing = true) \
	COL(in_use_bytes, NULL, SIZE, 0, 7, cell->missing = true) \
	COL(allocator, "Name", TEXT, 0, 1, cell_str(cell, m->device))

enum { PEAK_COLUMNS(COL_ID) };
static const struct col peak_cols[] = { PEAK_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct trace *trace = context;
	const struct trace_memory *m = &trace->memory.at[row];

	switch (id) {
	PEAK_COLUMNS(COL_CASE)
	}
}

void memory_put_trace(struct call *call, const char *device, bool events)
{
	struct trace *trace = call->shell->profile->trace;
	struct table *table;

	if (!trace->memory.len) {
		need_statistics(call, call->shell->profile);
		return;
	}
	if (events) {
		memory_put_trace_events(call, device);
		return;
	}
	table = TABLE_OF(call->out, peak_cols, get_cell, trace);
	table->n_rows = trace->memory.len;
	if (!table_arrange(call, table))
		return;
	table_show(call, table);
	doc_typed_as(call->out, "memory", NULL);
}
