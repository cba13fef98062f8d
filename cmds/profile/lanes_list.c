#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/figure.h"
#include "cmds/profile/lanes_parts.h"
#include "dump/base/utf8.h"

enum { TIME_COLUMNS = 9 };

static void put_list_row(const struct lanes_view *v, const struct row *row,
                         const struct lane_slice *slice, int width, struct line *line)
{
	struct str *out = &line->text, text = {0};

	str_puts(out, v->look.fine ? "▌ " : "| ");
	line_mark(line, lanes_work_of(slice), 0, out->len - 1);
	put_time(&text, slice->start_ns, UNIT_AUTO);
	str_fmt(out, "%*s ", TIME_COLUMNS, text.text);
	str_reset(&text);
	put_time(&text, slice->end_ns - slice->start_ns, UNIT_AUTO);
	str_fmt(out, "%*s  ", TIME_COLUMNS, text.text);
	str_reset(&text);
	lanes_put_name(v, row, width, &text);
	put_padded(out, str_text(&text), v->label_columns[width >= LANES_WIDE]);
	str_puts(out, "  ");
	if (*slice->kernel) {
		lanes_put_slice_name(out, slice);
		str_puts(out, "  ");
	}
	utf8_escape(out, slice->name, strlen(slice->name));
	if (*slice->op) {
		str_puts(out, "  ");
		utf8_escape(out, slice->op, strlen(slice->op));
	}
	str_release(&text);
}

void lanes_list_line(const struct lanes_view *v, uint64_t row, const struct stage *stage,
                     int width, struct line *line)
{
	struct lane_slice at = lanes_slice_of(v, &v->rows[stage->row], stage->item), slice = {0};
	const struct row *of;
	struct str name = {0};
	size_t begin;

	if (row == 1) {
		put_padded(&name, "Lane", v->label_columns[width >= LANES_WIDE]);
		str_fmt(&line->text, "  %*s %*s  %s  Name", TIME_COLUMNS, "From", TIME_COLUMNS,
		        "Took", name.text);
		line_mark(line, ROLE_LIBRARY, 0, line->text.len);
	} else if (row && (of = lanes_nth_from(v, at.start_ns, row - LANES_LIST_HEADING, &slice))) {
		put_list_row(v, of, &slice, width, line);
		begin = strcspn(line->text.text, " ");
		if (slice.start_ns < at.end_ns || slice.start_ns == at.start_ns)
			line_mark(line, ROLE_STRONG, begin, line->text.len);
	}
	str_release(&name);
}
