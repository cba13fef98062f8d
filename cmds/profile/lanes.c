#include "cmds/profile/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/profile/kernel_table.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/model/device.h"
#include "dump/profile/packing.h"
#include "dump/profile/trace.h"

#define LEAST_CELLS 8
#define BESIDE 19                /* columns of busy, share and what is between */

struct slice {
	uint32_t at;             /* activity */
	uint32_t row;
};

struct lane_of {
	struct lane_strip strip;
	VEC(struct slice) slices;
};

struct lanes {
	struct body body;
	const struct activities *acts;
	VEC(struct lane_of) at;          /* in natural order of their names */
	int64_t begin_ns, span_ns;
	size_t name_columns;
	size_t cells;
	struct arena mem;
};

static const char *stream_name(const struct activities *acts, const struct activity *a)
{
	return a->stream == MAP_NONE ? "?" : acts->streams.key[a->stream];
}

static void put_name(struct str *out, const struct activities *acts, const struct activity *a)
{
	str_reset(out);
	put_short_device(out, acts->devices.key[a->device], acts->devices.key, acts->devices.len);
	if (a->kind == ACTIVITY_HOST)
		str_puts(out, " host");
	else
		str_fmt(out, " stream %s", stream_name(acts, a));
}

static int by_name(const void *a, const void *b)
{
	const struct lane_of *x = a, *y = b;

	return natural_order(x->strip.name, y->strip.name);
}

static int by_start(const void *a, const void *b, void *acts)
{
	const struct slice *x = a, *y = b;
	const struct activity *at = ((const struct activities *)acts)->at.at;
	const struct activity *p = &at[x->at];
	const struct activity *q = &at[y->at];

	if (p->start_ns != q->start_ns)
		return p->start_ns < q->start_ns ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/*
 * Rows of the host are those of the Chrome trace, where slices of a row don't even touch. Kernels
 * of a stream follow each other, often within a microsecond.
 */
static void finish_lane(struct lanes *lanes, struct lane_of *lane)
{
	struct packing packing = {0};
	bool host = lanes->acts->at.at[lane->slices.at[0].at].kind == ACTIVITY_HOST;

	qsort_r(lane->slices.at, lane->slices.len, sizeof *lane->slices.at, by_start,
	        (void *)lanes->acts);
	for (size_t i = 0; i < lane->slices.len; i++) {
		struct slice *slice = &lane->slices.at[i];
		const struct activity *a = &lanes->acts->at.at[slice->at];

		slice->row = packing_put(&packing, a->start_ns, a->start_ns + a->len_ns - !host);
		busy_add(&lane->strip.busy, a->start_ns - lanes->begin_ns, a->len_ns);
	}
	busy_unite(&lane->strip.busy);
	lane->strip.is_host = host;
	lane->strip.rows = packing.rows;
	lane->strip.n_slices = lane->slices.len;
	packing_release(&packing);
}

static void find_lanes(struct lanes *lanes)
{
	const struct activities *acts = lanes->acts;
	struct map names = {0};
	struct str name = {0};
	uint64_t last = UINT64_MAX;
	uint32_t id = 0;

	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];
		uint64_t key = (uint64_t)a->device << 32 |
		               (a->kind == ACTIVITY_HOST ? MAP_NONE - 1 : a->stream);

		if (!trace_has_place(acts->trace, a))
			continue;
		if (key != last) {
			put_name(&name, acts, a);
			id = map_add(&names, &lanes->mem, name.text, name.len);
			last = key;
		}
		if (id == lanes->at.len)
			vec_add(&lanes->at)->strip.name = names.key[id];
		vec_push(&lanes->at.at[id].slices, ((struct slice){ (uint32_t)i, 0 }));
		if (a->start_ns + a->len_ns - lanes->begin_ns > lanes->span_ns)
			lanes->span_ns = a->start_ns + a->len_ns - lanes->begin_ns;
	}
	map_release(&names);
	str_release(&name);
}

static struct lanes *of_body(const struct body *body)
{
	return (struct lanes *)body;
}

size_t lanes_len(const struct body *body)
{
	return of_body(body)->at.len;
}

const struct lane_strip *lanes_strip(const struct body *body, size_t lane)
{
	return &of_body(body)->at.at[lane].strip;
}

int64_t lanes_span_ns(const struct body *body)
{
	return of_body(body)->span_ns;
}

struct lane_slice lanes_slice(const struct body *body, size_t lane, size_t i)
{
	const struct lanes *lanes = of_body(body);
	const struct slice *slice = &lanes->at.at[lane].slices.at[i];
	const struct activity *a = &lanes->acts->at.at[slice->at];
	int64_t start = a->start_ns - lanes->begin_ns;

	return (struct lane_slice){
		.start_ns = start, .end_ns = start + a->len_ns, .row = slice->row,
		.name = lanes->acts->names.key[a->node], .op = lanes->acts->names.key[a->op],
		.kernel = a->kernel == MAP_NONE ? "" : lanes->acts->names.key[a->kernel],
	};
}

/* Lines. */

static uint64_t lanes_rows(struct body *body)
{
	return lanes_len(body);
}

/* The part of a slice of the span that is busy, as a character. */
static char cell_of(const struct lanes *lanes, const struct lane_strip *strip, size_t cell)
{
	double width = (double)lanes->span_ns / (double)lanes->cells;
	double part = 0;
	double from = width * (double)cell;
	double to = from + width;
	const struct stretch *at = strip->busy.at.at;
	size_t low = 0, high = strip->busy.at.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if ((double)at[mid].end_ns <= from)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < strip->busy.at.len && (double)at[low].start_ns < to; low++) {
		double a = (double)at[low].start_ns, b = (double)at[low].end_ns;

		part += (b < to ? b : to) - (a > from ? a : from);
	}
	part = width > 0 ? part / width : 0;
	return part <= 0 ? ' ' : part < .25 ? '.' : part < .5 ? ':' : part < .75 ? '+' : '#';
}

static void put_right(struct str *out, const struct str *text, size_t width)
{
	str_fill(out, ' ', text->len < width ? width - text->len : 0);
	str_puts(out, str_text(text));
}

static bool lanes_line(struct body *body, uint64_t row, int width, struct line *line,
                       struct err *err)
{
	const struct lanes *lanes = of_body(body);
	const struct lane_strip *strip = lanes_strip(body, row);
	struct str text = {0}, *out = &line->text;
	size_t n;

	(void)width, (void)err;
	str_puts(out, strip->name);
	str_fill(out, ' ', lanes->name_columns - strlen(strip->name));
	put_time(&text, busy_ns(&strip->busy), UNIT_AUTO);
	put_right(out, &text, 9);
	str_reset(&text);
	put_percent(&text, percent_of(busy_ns(&strip->busy), lanes->span_ns));
	put_right(out, &text, 8);
	str_puts(out, "  ");
	for (size_t i = 0; i < lanes->cells; i++)
		str_putc(out, cell_of(lanes, strip, i));
	for (n = out->len; n && out->text[n - 1] == ' '; n--)
		;
	str_cut(out, n);
	str_release(&text);
	return true;
}

void lanes_put_heading(const struct body *body, struct str *out)
{
	str_puts(out, "Lane");
	str_fill(out, ' ', of_body(body)->name_columns - strlen("Lane"));
	str_puts(out, "     Busy       %");
}

static void lanes_free(struct body *body)
{
	struct lanes *lanes = of_body(body);

	for (size_t i = 0; i < lanes->at.len; i++) {
		vec_release(&lanes->at.at[i].slices);
		busy_release(&lanes->at.at[i].strip.busy);
	}
	vec_release(&lanes->at);
	arena_release(&lanes->mem);
	free(lanes);
}

static const struct body_kind lanes_kind = {
	.name = "lanes", .rows = lanes_rows, .line = lanes_line, .free = lanes_free,
};

struct body *lanes_body(const struct activities *acts, int width)
{
	struct lanes *lanes = mem_alloc(sizeof *lanes);
	size_t columns = width > 0 ? (size_t)width : 80;

	lanes->body.kind = &lanes_kind;
	lanes->acts = acts;
	lanes->begin_ns = acts->begin_us * 1000;
	lanes->name_columns = strlen("Lane");
	find_lanes(lanes);
	for (size_t i = 0; i < lanes->at.len; i++) {
		size_t n = strlen(lanes->at.at[i].strip.name);

		finish_lane(lanes, &lanes->at.at[i]);
		if (n > lanes->name_columns)
			lanes->name_columns = n;
	}
	if (lanes->at.len)
		qsort(lanes->at.at, lanes->at.len, sizeof *lanes->at.at, by_name);
	lanes->cells = columns > lanes->name_columns + BESIDE + LEAST_CELLS ?
	               columns - lanes->name_columns - BESIDE : LEAST_CELLS;
	return &lanes->body;
}
