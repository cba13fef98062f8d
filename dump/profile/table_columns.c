#include "dump/profile/table_columns.h"

#include <string.h>

#include "dump/base/str.h"
#include "dump/base/wide.h"
#include "dump/format/decimal.h"

enum { NV = 1 << TOOL_NVPROF, NS = 1 << TOOL_NSYS, ROC = 1 << TOOL_ROCPROF };
enum { HEADING_MOST = 64, CELLS_LEAST = 3 };

/* In lower case, without the unit; the first of two for one field in a line counts. */
static const struct { uint8_t tools; uint8_t field; const char *name; } headings[] = {
	{ NV | NS | ROC, FIELD_NAME, "name" },
	{ NV | NS, FIELD_START, "start" },
	{ NV | NS, FIELD_LENGTH, "duration" },
	{ NV | NS, FIELD_DEVICE, "device" },
	{ NV | NS | ROC, FIELD_CORRELATION, "correlation_id" },
	/* nvprof, CSV. */
	{ NV, FIELD_GRID_X, "grid x" }, { NV, FIELD_GRID_Y, "grid y" },
	{ NV, FIELD_GRID_Z, "grid z" }, { NV, FIELD_BLOCK_X, "block x" },
	{ NV, FIELD_BLOCK_Y, "block y" }, { NV, FIELD_BLOCK_Z, "block z" },
	{ NV, FIELD_REGS, "registers per thread" },
	{ NV, FIELD_STATIC, "static smem" }, { NV, FIELD_DYNAMIC, "dynamic smem" },
	{ NV, FIELD_BYTES, "size" }, { NV, FIELD_STREAM, "stream" },
	{ NV, FIELD_METRIC, "metric name" }, { NV, FIELD_METRIC, "event name" },
	{ NV, FIELD_SECTION, "type" }, { NV, FIELD_TOTAL, "time" },
	{ NV | ROC, FIELD_CALLS, "calls" }, { NV, FIELD_MEAN, "avg" },
	{ NV, FIELD_LEAST, "min" }, { NV, FIELD_MOST, "max" },
	/* nvprof, text. */
	{ NV, FIELD_GRID, "grid size" }, { NV, FIELD_BLOCK, "block size" },
	{ NV, FIELD_REGS, "regs*" }, { NV, FIELD_STATIC, "ssmem*" },
	{ NV, FIELD_DYNAMIC, "dsmem*" },
	/* nsys. */
	{ NS, FIELD_CORRELATION, "corrid" },
	{ NS, FIELD_GRID_X, "grdx" }, { NS, FIELD_GRID_Y, "grdy" }, { NS, FIELD_GRID_Z, "grdz" },
	{ NS, FIELD_BLOCK_X, "blkx" }, { NS, FIELD_BLOCK_Y, "blky" },
	{ NS, FIELD_BLOCK_Z, "blkz" },
	{ NS, FIELD_REGS, "reg/trd" }, { NS, FIELD_STATIC, "stcsmem" },
	{ NS, FIELD_DYNAMIC, "dymsmem" }, { NS, FIELD_BYTES, "bytes" },
	{ NS, FIELD_STREAM, "strm" },
	{ NS, FIELD_TOTAL, "total time" }, { NS, FIELD_INSTANCES, "instances" },
	{ NS, FIELD_CALLS, "num calls" }, { NS, FIELD_OPERATIONS, "count" },
	{ NS, FIELD_OPERATIONS, "operations" }, { NS, FIELD_DIRECTION, "operation" },
	{ NS, FIELD_SECTION, "category" },
	{ NS, FIELD_MEAN, "avg" }, { NS, FIELD_LEAST, "min" }, { NS, FIELD_MOST, "max" },
	{ NS, FIELD_MEAN, "average" }, { NS, FIELD_LEAST, "minimum" },
	{ NS, FIELD_MOST, "maximum" },
	/* rocprof; of the three the first two write the same things in two ways. */
	{ ROC, FIELD_NAME, "kernelname" }, { ROC, FIELD_NAME, "kernel_name" },
	{ ROC, FIELD_START, "beginns" }, { ROC, FIELD_START, "start_timestamp" },
	{ ROC, FIELD_END, "endns" }, { ROC, FIELD_END, "end_timestamp" },
	{ ROC, FIELD_DISPATCH, "dispatchns" }, { ROC, FIELD_INDEX, "index" },
	{ ROC, FIELD_PROCESS, "pid" }, { ROC, FIELD_PROCESS, "process_id" },
	{ ROC, FIELD_DEVICE, "gpu-id" }, { ROC, FIELD_DEVICE, "gpu_id" },
	{ ROC, FIELD_DEVICE, "agent_id" }, { ROC, FIELD_STREAM, "stream_id" },
	{ ROC, FIELD_QUEUE, "queue-id" }, { ROC, FIELD_QUEUE, "queue_id" },
	{ ROC, FIELD_THREADS, "grd" }, { ROC, FIELD_THREADS, "grid_size" },
	{ ROC, FIELD_BLOCK, "wgr" }, { ROC, FIELD_BLOCK, "workgroup_size" },
	{ ROC, FIELD_THREADS_X, "grid_size_x" }, { ROC, FIELD_THREADS_Y, "grid_size_y" },
	{ ROC, FIELD_THREADS_Z, "grid_size_z" }, { ROC, FIELD_BLOCK_X, "workgroup_size_x" },
	{ ROC, FIELD_BLOCK_Y, "workgroup_size_y" }, { ROC, FIELD_BLOCK_Z, "workgroup_size_z" },
	{ ROC, FIELD_REGS, "arch_vgpr" }, { ROC, FIELD_REGS, "vgpr" },
	{ ROC, FIELD_REGS, "vgpr_count" },
	{ ROC, FIELD_STATIC, "lds" }, { ROC, FIELD_STATIC, "lds_per_workgroup" },
	{ ROC, FIELD_STATIC, "group_segment_size" }, { ROC, FIELD_STATIC, "lds_block_size" },
	{ ROC, FIELD_DIRECTION, "direction" }, { ROC, FIELD_SOURCE, "source_agent_id" },
	{ ROC, FIELD_TARGET, "destination_agent_id" }, { ROC, FIELD_FUNCTION, "function" },
	{ ROC, FIELD_METRIC, "counter_name" },
	{ ROC, FIELD_TOTAL, "totaldurationns" }, { ROC, FIELD_MEAN, "averagens" },
	{ ROC, FIELD_LEAST, "minns" }, { ROC, FIELD_MOST, "maxns" },
};

#define BIT(field) (UINT64_C(1) << FIELD_##field)

/* A table is of the first form whose fields are all there. */
static const struct { uint8_t tool, form; uint64_t needs; } forms[] = {
	{ TOOL_NVPROF, FORM_METRICS, BIT(METRIC) },
	{ TOOL_NVPROF, FORM_RECORDS, BIT(START) | BIT(LENGTH) | BIT(GRID_X) | BIT(NAME) },
	{ TOOL_NVPROF, FORM_RECORDS, BIT(START) | BIT(LENGTH) | BIT(GRID) | BIT(NAME) },
	{ TOOL_NVPROF, FORM_SECTIONS, BIT(TOTAL) | BIT(CALLS) | BIT(MEAN) | BIT(NAME) },
	{ TOOL_NSYS, FORM_RECORDS, BIT(START) | BIT(LENGTH) | BIT(GRID_X) | BIT(NAME) },
	{ TOOL_NSYS, FORM_KERNEL_TOTALS, BIT(TOTAL) | BIT(INSTANCES) | BIT(NAME) },
	{ TOOL_NSYS, FORM_BOTH_TOTALS, BIT(TOTAL) | BIT(INSTANCES) | BIT(SECTION)
	                               | BIT(DIRECTION) },
	{ TOOL_NSYS, FORM_COPY_TOTALS, BIT(TOTAL) | BIT(OPERATIONS) | BIT(DIRECTION) },
	{ TOOL_NSYS, FORM_CALLS, BIT(TOTAL) | BIT(CALLS) | BIT(NAME) },
	{ TOOL_NSYS, FORM_CALLS, BIT(START) | BIT(LENGTH) | BIT(CORRELATION) | BIT(NAME) },
	{ TOOL_NVPROF, FORM_CALLS, BIT(START) | BIT(LENGTH) | BIT(NAME) },
	{ TOOL_ROCPROF, FORM_COUNTERS, BIT(NAME) | BIT(METRIC) },
	{ TOOL_ROCPROF, FORM_DISPATCHES, BIT(START) | BIT(END) | BIT(NAME) },
	{ TOOL_ROCPROF, FORM_COPIES, BIT(START) | BIT(END) | BIT(DIRECTION) },
	{ TOOL_ROCPROF, FORM_CALLS, BIT(START) | BIT(END) | BIT(FUNCTION) },
	{ TOOL_ROCPROF, FORM_COUNTERS, BIT(NAME) | BIT(DEVICE) },
	{ TOOL_ROCPROF, FORM_STATS, BIT(TOTAL) | BIT(CALLS) | BIT(NAME) },
};

_Static_assert(N_TABLE_FIELDS <= 64, "fields are a set of bits");

/* Units. */

/* The second is the power of ten, the third that of two where a unit has one. */
static const struct { const char *name; int8_t power; uint8_t shift; } units[] = {
	{ "ns", 0, 0 }, { "nsec", 0, 0 }, { "us", 3, 0 }, { "usec", 3, 0 },
	{ "ms", 6, 0 }, { "msec", 6, 0 }, { "s", 9, 0 }, { "sec", 9, 0 },
	{ "b", 0, 0 }, { "bytes", 0, 0 }, { "kb", 3, 10 }, { "mb", 6, 20 }, { "gb", 9, 30 },
	{ "tb", 12, 40 },
	{ "%", 0, 0 },
};

static bool is_same(struct text text, const char *lower)
{
	size_t i = 0;

	while (i < text.len && lower[i] &&
	       (text.at[i] >= 'A' && text.at[i] <= 'Z' ? text.at[i] + 32 : text.at[i]) == lower[i])
		i++;
	return i == text.len && !lower[i];
}

/* nvprof's MB is 2^20 bytes, that of nsys 10^6. */
static bool read_unit(struct text text, enum table_tool tool, struct table_unit *out)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (!is_same(text, units[i].name))
			continue;
		*out = (struct table_unit){ .is_share = *units[i].name == '%' };
		if (tool == TOOL_NVPROF && units[i].shift)
			out->shift = units[i].shift;
		else
			out->power = units[i].power;
		return true;
	}
	return false;
}

/* "Start (ns)" and "Time(%)" without what is in parentheses, if that is a unit. */
static struct text cut_unit(struct text name, enum table_tool tool, struct table_unit *unit)
{
	const char *open = name.len && name.at[name.len - 1] == ')'
	                   ? memrchr(name.at, '(', name.len) : NULL;
	struct text inner;

	if (!open)
		return name;
	inner = (struct text){ open + 1, name.len - (size_t)(open + 1 - name.at) - 1 };
	if (!read_unit(inner, tool, unit))
		return name;
	return text_trimmed((struct text){ name.at, (size_t)(open - name.at) });
}

/* Headings. */

static enum table_field field_of(struct text name, enum table_tool tool)
{
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		if (headings[i].tools & 1u << tool && is_same(name, headings[i].name))
			return (enum table_field)headings[i].field;
	return FIELD_NONE;
}

/* Which fields the line has for a tool. */
static uint64_t read_as(struct table_columns *columns, const struct cells *cells)
{
	uint64_t has = 0;

	memset(columns->at, 0, sizeof columns->at);
	memset(columns->unit, 0, sizeof columns->unit);
	for (size_t i = 0; i < cells->n; i++) {
		struct text name = text_trimmed(cells->at[i]);
		struct table_unit *unit = &columns->unit[i];
		enum table_field field;

		if (name.len > HEADING_MOST)
			continue;
		field = field_of(cut_unit(name, columns->tool, unit), columns->tool);
		if (field == FIELD_NONE || unit->is_share || columns->at[field])
			continue;
		columns->at[field] = (uint8_t)(i + 1);
		has |= UINT64_C(1) << field;
	}
	return has;
}

bool table_columns_read(struct table_columns *columns, const struct cells *cells)
{
	uint64_t has[N_TABLE_TOOLS];

	if (cells->n < CELLS_LEAST || cells->n > CELLS_MOST)
		return false;
	columns->n = cells->n;
	for (int tool = 0; tool < N_TABLE_TOOLS; tool++) {
		columns->tool = (enum table_tool)tool;
		has[tool] = read_as(columns, cells);
	}
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if ((has[forms[i].tool] & forms[i].needs) != forms[i].needs)
			continue;
		columns->tool = (enum table_tool)forms[i].tool;
		columns->form = (enum table_form)forms[i].form;
		read_as(columns, cells);
		return true;
	}
	return false;
}

bool table_columns_take_units(struct table_columns *columns, const struct cells *cells)
{
	struct table_unit unit[CELLS_MOST] = {0};
	bool any = false;

	if (cells->n != columns->n)
		return false;
	for (size_t i = 0; i < cells->n; i++) {
		struct text text = text_trimmed(cells->at[i]);
		bool is_rate = text.len > 2 && !memcmp(text.at + text.len - 2, "/s", 2);

		if (text.len && !is_rate && !read_unit(text, columns->tool, &unit[i]))
			return false;
		any |= text.len > 0;
	}
	if (any)
		memcpy(columns->unit, unit, sizeof unit);
	return any;
}

/* Cells. */

const struct text *table_cell(const struct table_columns *columns, const struct cells *cells,
                              enum table_field field)
{
	const struct text *cell;

	if (!columns->at[field] || columns->at[field] > cells->n)
		return NULL;
	cell = &cells->at[columns->at[field] - 1];
	return cell->len && !(cell->len == 1 && *cell->at == '-') ? cell : NULL;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Half up. What is too large for nine digits behind the point is whole. */
static bool shifted(const char *text, size_t len, int shift, int64_t *out)
{
	const int64_t billion = INT64_C(1000000000);
	int64_t value;
	wide_int wide;

	if (decimal_scaled(text, len, 9, &value)) {
		wide = ((wide_int)value * (INT64_C(1) << shift)) + billion / 2;
		wide = wide / billion - (wide % billion < 0);
	} else if (decimal_scaled(text, len, 0, &value)) {
		wide = (wide_int)value * (INT64_C(1) << shift);
	} else {
		return false;
	}
	*out = (int64_t)wide;
	return wide <= INT64_MAX && wide >= INT64_MIN;
}

bool table_number(const struct table_columns *columns, const struct cells *cells,
                  enum table_field field, int64_t *out)
{
	const struct text *cell = table_cell(columns, cells, field);
	struct table_unit unit;
	struct text text;
	char digits[48];
	size_t len = 0, letters = 0;

	if (!cell)
		return false;
	text = text_trimmed(*cell);
	unit = columns->unit[columns->at[field] - 1];
	while (letters < text.len && is_letter(text.at[text.len - 1 - letters]))
		letters++;
	if (letters && !read_unit((struct text){ text.at + text.len - letters, letters },
	                          columns->tool, &unit))
		return false;
	for (size_t i = 0; i < text.len - letters; i++) {
		if (text.at[i] == ',')   /* of thousands */
			continue;
		if (len == sizeof digits)
			return false;
		digits[len++] = text.at[i];
	}
	return unit.shift ? shifted(digits, len, unit.shift, out)
	                  : decimal_scaled(digits, len, unit.power, out);
}
