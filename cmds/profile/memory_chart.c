#include "cmds/profile/memory_chart.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/figure.h"
#include "cmds/doc/spark.h"
#include "cmds/lang/format.h"
#include "dump/base/mem.h"
#include "dump/base/wide.h"

enum { LEAST_COLUMNS = 10 };

static int64_t length(const struct memory_curve *curve)
{
	return curve->end_us > curve->begin_us ? curve->end_us - curve->begin_us : 1;
}

size_t chart_columns(int width)
{
	return width > CHART_GUTTER + LEAST_COLUMNS ? (size_t)width - CHART_GUTTER : LEAST_COLUMNS;
}

size_t chart_column(const struct memory_curve *curve, size_t columns, int64_t us)
{
	if (us <= curve->begin_us)
		return 0;
	if (us >= curve->end_us)
		return columns - 1;
	return (size_t)((wide_int)(us - curve->begin_us) * (int64_t)columns / length(curve));
}

int64_t chart_time(const struct memory_curve *curve, size_t columns, size_t column)
{
	return curve->begin_us +
	       (int64_t)(((wide_int)column * length(curve) + (int64_t)columns - 1) /
	                 (int64_t)columns);
}

/* The maximum of each column, on the heap. */
static int64_t *most_of(const struct memory_curve *curve, size_t columns)
{
	int64_t *most = mem_alloc(columns * sizeof *most), now = 0;
	size_t column = 0;

	for (size_t i = 0; i < curve->n; i++) {
		size_t at = chart_column(curve, columns, curve->at[i].us);

		while (column < at)
			most[++column] = now;
		now += curve->at[i].bytes;
		if (now > most[column])
			most[column] = now;
	}
	while (column + 1 < columns)
		most[++column] = now;
	return most;
}

/* How many of `steps` a sum reaches; any sum above 0 reaches one. */
static int height(const struct memory_curve *curve, int64_t bytes, int steps)
{
	return bytes <= 0 ? 0 : (int)(((wide_int)bytes * steps + curve->peak - 1) / curve->peak);
}

void chart_put_strip(const struct memory_curve *curve, size_t columns, bool fine, struct str *out)
{
	int64_t *most = most_of(curve, columns);

	for (size_t i = 0; i < columns; i++)
		if (fine)
			str_puts(out, spark_of((double)most[i] / (double)curve->peak, true));
		else
			str_putc(out, " .:+#"[height(curve, most[i], 4)]);
	free(most);
}

/* What a column reaches of a row that begins `below` rows above the ground. */
static const char *sign_at(const struct memory_curve *curve, int64_t bytes, int rows, int below,
                           bool fine)
{
	int parts = fine ? SPARK_SIGNS : 1;
	int reached = height(curve, bytes, rows * parts) - below * parts;

	if (reached <= 0)
		return " ";
	return fine ? spark_sign((size_t)reached - 1, true) : "#";
}

bool chart_is_flat(const struct memory_curve *curve, int width)
{
	enum { STEPS = 16 };
	size_t columns = chart_columns(width), changes = 0;
	int64_t *most = most_of(curve, columns);

	for (size_t i = 0; i <= columns; i++) {
		int before = i ? height(curve, most[i - 1], STEPS) : 0;

		changes += before != (i < columns ? height(curve, most[i], STEPS) : 0);
	}
	free(most);
	return changes <= 2;
}

void chart_put_axis(int64_t us, int width, struct doc *doc)
{
	size_t columns = chart_columns(width);
	struct str out = {0}, end = {0};

	put_after_us(&end, us);
	str_fill(&out, ' ', CHART_GUTTER);
	put_after_us(&out, 0);
	if (out.len + 1 + end.len <= CHART_GUTTER + columns)
		str_fill(&out, ' ', CHART_GUTTER + columns - out.len - end.len);
	else
		str_putc(&out, ' ');
	str_puts(&out, end.text);
	doc_line_put(doc, ROLE_LIBRARY, "%s", out.text);
	str_release(&out);
	str_release(&end);
}

/* "^ text", the text where there is room. */
static void put_mark(size_t column, size_t columns, const char *text, struct doc *doc)
{
	size_t len = strlen(text);
	struct str out = {0};

	str_fill(&out, ' ', CHART_GUTTER);
	if (column + 2 + len > columns && column > len) {
		str_fill(&out, ' ', column - len - 1);
		str_fmt(&out, "%s ^", text);
	} else {
		str_fill(&out, ' ', column);
		str_puts(&out, "^ ");
		put_cut(&out, text, len, columns > column + 2 ? columns - column - 2 : 0, false);
	}
	doc_line_put(doc, ROLE_STRONG, "%s", out.text);
	str_release(&out);
}

void chart_put(const struct memory_curve *curve, int width, const struct chart_look *look,
               int64_t at_us, const char *text, struct doc *doc)
{
	size_t columns = chart_columns(width);
	int64_t *most = most_of(curve, columns);
	struct str out = {0}, size = {0};

	put_size(&size, curve->peak);
	for (int row = 0; row < look->rows; row++) {
		int below = look->rows - 1 - row;
		const char *label = row == 0 ? size.text : !below ? "0" : "";

		str_reset(&out);
		str_fmt(&out, "%*s ", CHART_GUTTER - 1, label);
		for (size_t i = 0; i < columns; i++)
			str_puts(&out, sign_at(curve, most[i], look->rows, below, look->fine));
		while (out.len && out.text[out.len - 1] == ' ')
			str_cut(&out, out.len - 1);
		doc_line_put(doc, ROLE_PLAIN, "%s", str_text(&out));
	}
	put_mark(chart_column(curve, columns, at_us), columns, text, doc);
	str_release(&out);
	str_release(&size);
	free(most);
}
