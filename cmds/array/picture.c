/*
 * A picture is a small matrix of buckets, filled in one pass over the elements. Heat maps and
 * sparklines put each element into the bucket of its place, histograms into that of its value. The
 * kind's rule gives the bucket's value; glyphs are chosen when a line is asked for.
 */
#include "cmds/array/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/picture_parts.h"
#include "cmds/lang/format.h"
#include "dump/base/mem.h"
#include "dump/base/wide.h"

#define HIST_ROWS 10
#define MAX_ACROSS 4096         /* most buckets in a row, and most rows */
#define MAX_STRETCH 4
#define LEAST_ROWS 2
#define UPPER_HALF "\u2580"
#define LOWER_HALF "\u2584"

const char *const picture_names[] = {
#define X(id, name, rule) [PICTURE_##id] = name,
	PICTURE_KINDS(X)
#undef X
};

const char *const picture_rules[] = {
#define X(id, name, rule) [PICTURE_##id] = rule,
	PICTURE_KINDS(X)
#undef X
};

static const struct ramp ascii_heat = { 10, { " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" } };
static const struct ramp ascii_spark = { 8, { " ", ".", ":", "-", "=", "+", "*", "#" } };
static const struct ramp block_heat = { 5, { " ", "\u2591", "\u2592", "\u2593", "\u2588" } };
static const struct ramp block_bars = {
	8, { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" },
};

const char *const picture_bad_glyphs[] = { "", "v", "^", "N" };

static uint64_t divide_up(uint64_t n, uint64_t by)
{
	return n / by + (n % by != 0);
}

uint64_t side_begin(const struct side *side, uint32_t bucket)
{
	uint64_t begin;

	if (side->even)
		return (uint64_t)((wide_uint)side->elems * bucket / side->n);
	begin = side->each * bucket;
	return begin < side->elems ? begin : side->elems;
}

/* The pass. */

static void add_to_bucket(struct bucket *bucket, enum picture_kind kind, double x)
{
	enum bad bad = isnan(x) ? BAD_NAN : x > 0 ? BAD_POS_INF : BAD_NEG_INF;

	if (!isfinite(x)) {
		bucket->bad = bad > bucket->bad ? bad : bucket->bad;
		return;
	}
	bucket->n_finite++;
	if (kind == PICTURE_HEAT)
		bucket->value += x / (double)bucket->n_finite -
		                 bucket->value / (double)bucket->n_finite;
	else
		bucket->value = fabs(x) > bucket->value ? fabs(x) : bucket->value;
}

static void go_on(const struct side *side, uint64_t *next, uint32_t *bucket)
{
	if (++*next == side_begin(side, *bucket + 1))
		++*bucket;
}

static void add_by_place(void *context, uint64_t first, const double *numbers, size_t n)
{
	struct picture *p = context;
	uint64_t end = side_begin(&p->columns, p->column_bucket + 1);

	(void)first;
	for (size_t i = 0; i < n; i++) {
		add_to_bucket(&p->bucket[(uint64_t)p->row_bucket * p->columns.n + p->column_bucket],
		              p->style.kind, numbers[i]);
		if (++p->next_column < end)
			continue;
		if (++p->column_bucket == p->columns.n) {
			p->next_column = p->column_bucket = 0;
			go_on(&p->rows, &p->next_row, &p->row_bucket);
		}
		end = side_begin(&p->columns, p->column_bucket + 1);
	}
}

static void add_by_value(void *context, uint64_t first, const double *numbers, size_t n)
{
	struct picture *p = context;
	struct scale bins = { .low = p->scale.low, .top = p->scale.top };

	(void)first;
	for (size_t i = 0; i < n; i++) {
		uint32_t bin;

		if (!isfinite(numbers[i]))
			continue;
		bin = (uint32_t)(scale_part(&bins, numbers[i]) * p->columns.n);
		bin = bin < p->columns.n ? bin : p->columns.n - 1;
		p->bucket[bin].value++;
		p->bucket[bin].n_finite++;
	}
}

/* Lines. */

static int glyph_of(const struct picture *p, double value)
{
	int k = (int)(scale_part(&p->scale, value) * p->ramp->n);

	return k < p->ramp->n ? k : p->ramp->n - 1;
}

static void put_bad(const struct bucket *bucket, struct line *line)
{
	line_put(line, ROLE_BAD, picture_bad_glyphs[bucket->bad], 1);
}

static int step_of(const struct picture *p, const struct bucket *bucket)
{
	return bucket && bucket->n_finite ? scale_step(&p->scale, bucket->value) : 0;
}

static void put_bucket(const struct picture *p, const struct bucket *bucket, struct line *line)
{
	size_t begin = line->text.len;

	if (bucket->bad) {
		put_bad(bucket, line);
		return;
	}
	str_puts(&line->text, bucket->n_finite ? p->ramp->glyph[glyph_of(p, bucket->value)] : " ");
	if (p->scale.colours && bucket->n_finite)
		line_shade(line, scale_role(&p->scale), begin, line->text.len, 0,
		           step_of(p, bucket));
}

/* Two buckets in one glyph; lower may be NULL. A bad one takes the whole glyph. */
static void put_halves(const struct picture *p, const struct bucket *upper,
                       const struct bucket *lower, struct line *line)
{
	size_t begin = line->text.len;
	int above = step_of(p, upper), below = step_of(p, lower);

	if (upper->bad || (lower && lower->bad)) {
		put_bad(lower && lower->bad > upper->bad ? lower : upper, line);
	} else if (above) {
		str_puts(&line->text, UPPER_HALF);
		line_shade(line, scale_role(&p->scale), begin, line->text.len, above, below);
	} else if (below) {
		str_puts(&line->text, LOWER_HALF);
		line_shade(line, scale_role(&p->scale), begin, line->text.len, below, 0);
	} else {
		str_putc(&line->text, ' ');
	}
}

double picture_highest_bin(const struct picture *p)
{
	double most = 0;

	for (uint32_t i = 0; p->bucket && i < p->columns.n; i++)
		most = p->bucket[i].value > most ? p->bucket[i].value : most;
	return most;
}

double picture_bin_width(const struct picture *p)
{
	return (p->scale.top / 2 - p->scale.low / 2) / p->columns.n * 2;
}

/* Bars of values, filled from below, in a histogram and in a sparkline that fills its pane. */

static int bar_rows(const struct picture *p)
{
	int rows = (int)p->style.rows;

	if (p->style.kind == PICTURE_SPARK)
		return p->style.pane_rows ? rows : 1;
	return rows && (rows < HIST_ROWS || p->style.pane_rows) ? rows : HIST_ROWS;
}

/* What bar i shows in the row that begins `below` rows above the ground. */
static void put_bar_part(const struct picture *p, const struct bucket *bucket, double part,
                         int below, struct line *line)
{
	int steps = p->style.blocks ? block_bars.n : 1;
	int fill = (int)lround(part * bar_rows(p) * steps), here;
	size_t begin = line->text.len;

	here = (bucket->n_finite && !fill ? 1 : fill) - below * steps;
	if (here <= 0)
		str_putc(&line->text, ' ');
	else if (p->style.blocks)
		str_puts(&line->text, block_bars.glyph[here < steps ? here - 1 : steps - 1]);
	else
		str_putc(&line->text, '#');
	if (p->style.kind == PICTURE_SPARK && p->scale.colours && here > 0)
		line_shade(line, scale_role(&p->scale), begin, line->text.len,
		           step_of(p, bucket), 0);
}

/* A bar that is not empty always shows something. */
static void put_bars(const struct picture *p, uint64_t row, struct line *line)
{
	struct scale height = { .top = picture_highest_bin(p), .log = p->scale.log };
	bool hist = p->style.kind == PICTURE_HIST;
	int below = bar_rows(p) - 1 - (int)row;

	for (uint32_t i = 0; i < p->columns.n; i++) {
		const struct bucket *bucket = &p->bucket[i];
		double part = scale_part(hist ? &height : &p->scale, bucket->value);

		for (uint32_t k = 0; k < p->columns.stretch; k++)
			if (bucket->bad && !below)
				put_bad(bucket, line);
			else
				put_bar_part(p, bucket, part, below, line);
	}
}

/* A line of a heat map, or of a sparkline that is one line. */
static void put_buckets_of(const struct picture *p, uint64_t row, struct line *line)
{
	uint64_t part = p->style.halves ? 2 * row : row, next = part + 1;
	const struct bucket *upper = &p->bucket[part / p->rows.stretch * p->columns.n];
	const struct bucket *lower = next / p->rows.stretch < p->rows.n
	                                     ? &p->bucket[next / p->rows.stretch * p->columns.n]
	                                     : NULL;

	for (uint32_t i = 0; i < p->columns.n; i++)
		for (uint32_t k = 0; k < p->columns.stretch; k++)
			if (p->style.halves)
				put_halves(p, upper + i, lower ? lower + i : NULL, line);
			else
				put_bucket(p, upper + i, line);
}

static bool has_bars(const struct picture *p)
{
	return p->style.kind == PICTURE_HIST ||
	       (p->style.kind == PICTURE_SPARK && p->style.pane_rows);
}

uint64_t picture_rows(struct body *body)
{
	const struct picture *p = (const struct picture *)body;
	uint64_t parts = (uint64_t)p->rows.n * p->rows.stretch;

	if (has_bars(p))
		return (uint64_t)bar_rows(p);
	return p->style.halves ? divide_up(parts, 2) : parts;
}

bool picture_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err)
{
	const struct picture *p = (const struct picture *)body;

	(void)width, (void)err;
	if (has_bars(p))
		put_bars(p, row, line);
	else
		put_buckets_of(p, row, line);
	return true;
}

static void picture_free(struct body *body)
{
	free(((struct picture *)body)->bucket);
	free(body);
}

static const struct body_kind picture_kind = {
	.name = "picture", .rows = picture_rows, .line = picture_line, .free = picture_free,
	.chopped = true, .drawn = true,
};
static const struct body_kind pane_kind = {
	.name = "picture", .rows = picture_rows, .line = picture_line, .free = picture_free,
	.chopped = true, .drawn = true, .stage = &picture_stage,
};

/* Making one. */

/* A bucket's elements along one side: as asked for, or more if there were too many buckets. */
static uint64_t bucket_side(uint64_t elems, uint64_t asked, uint64_t most)
{
	uint64_t side = asked ? asked : elems > most ? divide_up(elems, most) : 1;

	return divide_up(elems, side) > MAX_ACROSS ? divide_up(elems, MAX_ACROSS) : side;
}

/*
 * Shares out the elements along one side, which has room for so many buckets. What fills a pane is
 * shared out evenly, so that no room is left, or stretched.
 */
static struct side share_out(const struct picture *p, uint64_t elems, uint64_t asked, uint64_t room)
{
	struct side side = { .elems = elems, .stretch = 1 };

	if (p->style.pane_rows && !asked && elems > room && room <= MAX_ACROSS) {
		side.even = true;
		side.n = (uint32_t)room;
		side.each = divide_up(elems, room);
		return side;
	}
	side.each = bucket_side(elems, asked, room);
	side.n = (uint32_t)divide_up(elems, side.each);
	if (p->style.pane_rows && side.n && side.n < room)
		side.stretch = (uint32_t)(room / side.n);
	return side;
}

/* Sets the rows and columns, of elements and of buckets. */
static void lay_out(struct picture *p, const struct view *view)
{
	const struct picture_style *style = &p->style;
	uint32_t rank = view->shape.rank, rows = style->rows ? style->rows : PICTURE_ROWS;
	bool heat = style->kind == PICTURE_HEAT;
	uint64_t columns = heat && rank ? (uint64_t)view->shape.dim[rank - 1] : view->count;

	p->columns = share_out(p, columns, style->bucket_columns, style->width);
	p->rows = share_out(p, columns ? view->count / columns : 0, style->bucket_rows,
	                    style->halves ? 2 * rows : rows);
	if (!style->pane_rows && style->legend_width && p->columns.n &&
	    p->columns.n < style->width)
		p->columns.stretch = style->width / p->columns.n;
	if (!style->pane_rows && p->columns.stretch > MAX_STRETCH)
		p->columns.stretch = MAX_STRETCH;
	if (style->kind == PICTURE_HIST) {
		p->rows.n = 1;
		p->columns.n = p->scale.top > p->scale.low ? style->width : 1;
		p->columns.stretch = style->pane_rows ? style->width / p->columns.n : 1;
	}
}

/* A pane is shared by picture and legend, whose length depends on what is drawn. */
static void lay_out_pane(struct picture *p, const struct view *view, const struct survey *survey)
{
	int rows;

	lay_out(p, view);
	if (!p->style.pane_rows)
		return;
	rows = (int)p->style.pane_rows - picture_legend_rows(p, survey);
	p->style.rows = rows > LEAST_ROWS ? (uint32_t)rows : LEAST_ROWS;
	lay_out(p, view);
}

static bool set_scale(struct picture *p, struct view *view, const struct survey *survey,
                      struct progress *progress, struct err *err)
{
	p->scale = p->style.scale;
	if (!scale_take_ends(&p->scale, view, survey, progress, err))
		return false;
	if (p->style.kind != PICTURE_SPARK)
		return true;
	p->scale.top = fmax(fabs(p->scale.low), fabs(p->scale.top));
	p->scale.low = 0;
	return true;
}

static void settle(struct picture *p)
{
	for (uint64_t i = 0; i < (uint64_t)p->rows.n * p->columns.n; i++)
		p->n_bad[p->bucket[i].bad]++;
}

static const struct ramp *ramp_of(const struct picture_style *style)
{
	if (style->kind == PICTURE_HEAT)
		return style->blocks ? &block_heat : &ascii_heat;
	return style->blocks ? &block_bars : &ascii_spark;
}

struct body *picture_body(struct view *view, const struct survey *survey,
                          const struct picture_style *style, struct progress *progress,
                          struct err *err)
{
	struct picture *p = mem_alloc(sizeof *p);
	number_sink *sink = style->kind == PICTURE_HIST ? add_by_value : add_by_place;
	bool ok;

	p->body.kind = style->pane_rows ? &pane_kind : &picture_kind;
	p->style = *style;
	p->ramp = ramp_of(style);
	ok = set_scale(p, view, survey, progress, err);
	lay_out_pane(p, view, survey);
	p->bucket = mem_alloc((size_t)p->rows.n * p->columns.n * sizeof *p->bucket + 1);
	if (!ok || !numbers_each(view, sink, p, progress, err)) {
		picture_free(&p->body);
		return NULL;
	}
	settle(p);
	return &p->body;
}

bool picture_bucket(struct body *body, uint64_t *rows, uint64_t *columns)
{
	const struct picture *p = (const struct picture *)body;

	*rows = p->rows.each;
	*columns = p->columns.each;
	return p->style.kind != PICTURE_HIST;
}

/* Typed data. */

static void put_row(const struct picture *p, uint32_t row, bool bad, struct data *data)
{
	data_list(data);
	for (uint32_t i = 0; i < p->columns.n; i++) {
		const struct bucket *bucket = &p->bucket[row * p->columns.n + i];

		if (bad ? !bucket->bad : !bucket->n_finite && p->style.kind != PICTURE_HIST)
			data_null(data);
		else if (bad)
			data_str(data, picture_bad_glyphs[bucket->bad]);
		else if (p->style.kind == PICTURE_HIST)
			data_uint(data, bucket->n_finite);
		else
			data_float(data, bucket->value, 64);
	}
	data_end(data);
}

static void put_buckets(const struct picture *p, const char *key, bool bad, struct data *data)
{
	data_key(data, key);
	if (p->style.kind != PICTURE_HEAT) {
		if (p->rows.n)
			put_row(p, 0, bad, data);
		else
			data_null(data);
		return;
	}
	data_list(data);
	for (uint32_t row = 0; row < p->rows.n; row++)
		put_row(p, row, bad, data);
	data_end(data);
}

void picture_put_data(struct body *body, struct data *data)
{
	const struct picture *p = (const struct picture *)body;

	data_key(data, "kind");
	data_str(data, picture_names[p->style.kind]);
	data_key(data, "rule");
	data_str(data, picture_rules[p->style.kind]);
	data_key(data, "cell");
	data_list(data);
	data_uint(data, p->rows.each);
	data_uint(data, p->columns.each);
	data_end(data);
	data_key(data, "low");
	data_float(data, p->scale.low, 64);
	data_key(data, "high");
	data_float(data, p->scale.top, 64);
	data_key(data, "log");
	data_bool(data, p->scale.log);
	data_key(data, "percentiles");
	data_bool(data, p->scale.percentiles);
	put_buckets(p, "data", false, data);
	put_buckets(p, "bad", true, data);
}
