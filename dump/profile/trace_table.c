/*
 * Line by line: outside a table a line may be a heading, inside one it is a row. A text of nsys is
 * known by the rule below its heading, so such a heading waits for the next line.
 */
#include "dump/profile/trace_table.h"

#include <inttypes.h>
#include <string.h>

#include "dump/base/path.h"
#include "dump/base/str.h"
#include "dump/format/text_lines.h"
#include "dump/profile/table_rows.h"

enum { PROGRESS_LINES = 1024 };  /* between two looks at progress */

enum layout { LAYOUT_COMMAS, LAYOUT_BLANKS, LAYOUT_RULED };
enum place { OUTSIDE, AT_RULE, AT_UNITS, AT_ROWS };

struct reading {
	struct table_rows rows;
	struct text_lines lines;
	struct cells cells;
	enum place place;
	enum layout layout;
	struct cell_rule rule;
	struct str first;                /* the first heading of the table */
	bool no_kernels;                 /* nvprof says so */
	bool calls_follow;               /* of an API, by the line above the heading */
	uint64_t n_open, open_off;       /* rows that end within quotes; where the first ends */
	bool is_cut;                     /* the last row ends before its last field */
	bool no_end;                     /* the last row may end within its last field */
};

static const struct trace_source tools[N_TABLE_TOOLS];

static bool begins(struct text line, const char *with)
{
	return line.len >= strlen(with) && !memcmp(line.at, with, strlen(with));
}

static bool has(struct text line, const char *word)
{
	return line.len && memmem(line.at, line.len, word, strlen(word));
}

/* Lines of nvprof around its tables. */

/* "==2119== Profiling result:", or "======== Profiling result:" without the process. */
static bool is_banner(struct text line)
{
	size_t i = 2;

	if (!begins(line, "=="))
		return false;
	while (i < line.len && (is_digit(line.at[i]) || line.at[i] == '='))
		i++;
	return i > 4 && i < line.len && line.at[i] == ' ' && line.at[i - 1] == '=';
}

static void take_banner(struct reading *r, struct text line)
{
	size_t n = 0;

	while (2 + n < line.len && is_digit(line.at[2 + n]))
		n++;
	str_reset(&r->rows.process);
	str_put(&r->rows.process, line.at + 2, n);
	r->calls_follow = has(line, "API calls:");
	r->place = OUTSIDE;
}

/* Headings. */

static bool read_heading(struct reading *r, struct text line)
{
	enum layout layout = LAYOUT_COMMAS;
	struct table_columns columns;

	cells_at_commas(&r->cells, line);
	if (!table_columns_read(&columns, &r->cells)) {
		layout = LAYOUT_BLANKS;
		cells_at_blanks(&r->cells, line, CELLS_MOST);
		if (!table_columns_read(&columns, &r->cells))
			return false;
	}
	r->rows.columns = columns;
	r->layout = layout;
	str_reset(&r->first);
	str_put(&r->first, r->cells.at[0].at, r->cells.at[0].len);
	return true;
}

/* A heading begins a table. False: it is none. */
static bool take_heading(struct reading *r, struct text line)
{
	struct table_columns *columns = &r->rows.columns;

	if (!read_heading(r, line))
		return false;
	if (r->calls_follow && columns->form == FORM_SECTIONS)
		columns->form = FORM_CALLS;
	table_rows_start(&r->rows);
	r->rows.trace->source = &tools[columns->tool];
	r->place = AT_ROWS;
	if (columns->tool == TOOL_NVPROF && r->layout == LAYOUT_COMMAS)
		r->place = AT_UNITS;
	if (columns->tool == TOOL_NSYS && r->layout == LAYOUT_BLANKS)
		r->place = AT_RULE;
	return true;
}

static void take_rule(struct reading *r, struct text line)
{
	bool fits = cells_read_rule(&r->rule, line) && r->rule.n == r->rows.columns.n;

	r->layout = LAYOUT_RULED;
	r->place = fits ? AT_ROWS : OUTSIDE;
}

/* Rows. */

/* nvprof says of what its totals are only in the first row of a kind. */
static void cut_at_blanks(struct reading *r, struct text line)
{
	const struct table_columns *columns = &r->rows.columns;
	struct text text = text_trimmed(line);
	bool short_row = columns->at[FIELD_SECTION] == 1 && text.len && is_digit(*text.at);
	struct cells *cells = &r->cells;

	cells_at_blanks(cells, text, columns->n - short_row);
	if (!short_row)
		return;
	memmove(cells->at + 1, cells->at, (CELLS_MOST - 1) * sizeof *cells->at);
	cells->at[0] = (struct text){ "", 0 };
	cells->n++;
}

static void cut(struct reading *r, struct text line)
{
	switch (r->layout) {
	case LAYOUT_COMMAS: cells_at_commas(&r->cells, line); break;
	case LAYOUT_BLANKS: cut_at_blanks(r, line); break;
	case LAYOUT_RULED: cells_at_rule(&r->cells, line, &r->rule); break;
	}
}

static bool may_be_heading(const struct reading *r)
{
	const struct text *first = &r->cells.at[0];

	return r->cells.n != r->rows.columns.n
	       || (first->len == r->first.len && !memcmp(first->at, r->first.text, first->len));
}

static void take_row(struct reading *r, struct text line)
{
	bool is_row;

	cut(r, line);
	if (may_be_heading(r)) {
		if (take_heading(r, line))
			return;
		cut(r, line);
	}
	if (r->cells.open_quote && !r->n_open++)
		r->open_off = r->lines.off - (r->lines.held.len - r->lines.from);
	if (r->cells.open_quote)
		return;
	if (r->layout == LAYOUT_COMMAS && r->lines.is_cut && line.at[line.len - 1] == ',') {
		r->is_cut = true;
		return;
	}
	is_row = r->cells.n == r->rows.columns.n;
	if (r->place == AT_UNITS) {
		r->place = AT_ROWS;
		if (table_columns_take_units(&r->rows.columns, &r->cells))
			return;
	}
	if (is_row)
		table_rows_take(&r->rows, &r->cells);
	else
		r->rows.trace->n_left_out++;
	r->no_end = is_row && r->lines.is_cut && line.at[line.len - 1] != '"';
}

/* Tables of rocprof may have empty lines in them. */
static void take_line(struct reading *r, struct text line)
{
	if (is_banner(line)) {
		take_banner(r, line);
	} else if (r->place == AT_RULE) {
		take_rule(r, line);
	} else if (!text_trimmed(line).len) {
		if (r->rows.columns.tool != TOOL_ROCPROF)
			r->place = OUTSIDE;
	} else if (r->place != OUTSIDE) {
		take_row(r, line);
	} else if (!take_heading(r, line) && begins(line, "No kernels were profiled")) {
		r->no_kernels = true;
	}
}

/* The whole file. */

static bool read_lines(struct reading *r, struct progress *progress, struct err *err)
{
	struct text line;

	for (uint64_t n = 0; text_lines_next(&r->lines, &line); n++) {
		if (n % PROGRESS_LINES == 0
		    && !progress_step(progress, r->lines.off, r->lines.file->size))
			return err_at(err, ERR_CANCELLED, r->lines.file->path, 0, "stopped");
		take_line(r, line);
	}
	return true;
}

/* Nothing to show: why. */
static bool nothing_in(const struct reading *r, struct err *err)
{
	const struct trace *trace = r->rows.trace;
	const char *path = r->lines.file->path, *why = "no table of kernels is in it";

	if (trace->all.at.len || trace->totals.len || trace->n_left_out || r->n_open || r->is_cut)
		return false;
	if (r->rows.seen & 1u << FORM_METRICS)
		why = "nvprof metrics are not supported.";
	else if (r->rows.seen & 1u << FORM_COUNTERS)
		why = "rocprof counters without times.";
	else if (r->no_kernels)
		why = "nvprof recorded no kernels.";
	else if (r->rows.seen & 1u << FORM_CALLS)
		why = "only API calls are recorded, no kernels.";
	else if (r->rows.seen)
		return false;
	return !err_at(err, ERR_UNSUPPORTED, path, 0, "%s", why);
}

static bool load(struct trace *trace, struct file *file, struct progress *progress,
                 struct err *err)
{
	struct reading r = { .rows = { .trace = trace, .file_name = path_name(file->path) } };
	bool ok;

	text_lines_start(&r.lines, file);
	ok = read_lines(&r, progress, err) && !nothing_in(&r, err);
	if (ok)
		trace_warn_cut(trace, &r.lines.why);
	if (ok && r.n_open)
		trace_warn_damage(trace, "%" PRIu64 " row%s left out: a quoted field has no end "
		                  "(byte %" PRIu64 ").", r.n_open,
		                  r.n_open == 1 ? " is" : "s are", r.open_off);
	if (ok && r.is_cut)
		trace_warn_damage(trace, "1 row is left out: the file ends behind its last comma "
		                  "and may be cut (byte %" PRIu64 ").", r.lines.off);
	if (ok && r.no_end && !r.lines.why.code)
		trace_warn_no_end(trace, r.lines.off);
	text_lines_release(&r.lines);
	cells_release(&r.cells);
	str_release(&r.first);
	table_rows_release(&r.rows);
	return ok;
}

const struct trace_source table_source = { .name = "table", .what = "a table of kernels",
                                           .load = load };

static const struct trace_source tools[N_TABLE_TOOLS] = {
	[TOOL_NVPROF] = { .name = "nvprof", .what = "a table of nvprof", .load = load },
	[TOOL_NSYS] = { .name = "nsys", .what = "a table of nsys", .load = load },
	[TOOL_ROCPROF] = { .name = "rocprof", .what = "a table of rocprof", .load = load },
};
