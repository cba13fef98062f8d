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

#include "cmds/lang/format.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

#define HIST_ROWS 10
#define MAX_ACROSS 4096         /* most buckets in a row, and most rows */
#define MAX_STRETCH 4
#define UPPER_HALF "\u2580"
#define LOWER_HALF "\u2584"

const char *const picture_names[] = {
#define X(id, name, rule) [PICTURE_##id] = name,
	PICTURE_KINDS(X)
#undef X
};

static const char *const rules[] = {
#define X(id, name, rule) [PICTURE_##id] = rule,
	PICTURE_KINDS(X)
#undef X
};

/* Glyphs from low to high. */
struct ramp {
	int n;
	const char *glyph[10];
};
static const struct ramp ascii_heat = { 10, { " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" } };
static const struct ramp ascii_spark = { 8, { " ", ".", ":", "-", "=", "+", "*", "#" } };
static const struct ramp block_heat = { 5, { " ", "\u2591", "\u2592", "\u2593", "\u2588" } };
static const struct ramp block_bars = {
	8, { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" },
};

/* The worst element of a bucket, in this order. */
enum bad { BAD_NONE, BAD_NEG_INF, BAD_POS_INF, BAD_NAN };
static const char *const bad_glyphs[] = { "", "v", "^", "N" };

struct bucket {
	double value; /* sum, largest or count, by the kind; after the pass what the rule says */
	uint64_t n_finite;
	enum bad bad;
};

struct picture {
	struct body body;
	struct picture_style style;
	const struct ramp *ramp;
	uint64_t rows, columns;          /* of elements */
	uint64_t cell_rows, cell_columns;        /* of elements, in a bucket */
	uint32_t high, wide;             /* buckets */
	uint32_t stretch; /* of halves: glyphs beside one another for a bucket, where there is room
	                   */
	struct scale scale;
	uint64_t n_bad[4];               /* buckets by enum bad */
	uint64_t next_row, next_column;  /* of the next element */
	struct bucket *bucket;           /* high * wide */
};

static uint64_t divide_up(uint64_t n, uint64_t by)
{
	return n / by + (n % by != 0);
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

static void add_by_place(void *context, uint64_t first, const double *numbers, size_t n)
{
	struct picture *p = context;

	(void)first;
	for (size_t i = 0; i < n; i++) {
		uint64_t row = p->next_row / p->cell_rows,
			 column = p->next_column / p->cell_columns;

		add_to_bucket(&p->bucket[row * p->wide + column], p->style.kind, numbers[i]);
		if (++p->next_column == p->columns) {
			p->next_column = 0;
			p->next_row++;
		}
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
		bin = (uint32_t)(scale_part(&bins, numbers[i]) * p->wide);
		bin = bin < p->wide ? bin : p->wide - 1;
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
	line_put(line, ROLE_BAD, bad_glyphs[bucket->bad], 1);
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

static double highest_bin(const struct picture *p)
{
	double most = 0;

	for (uint32_t i = 0; i < p->wide; i++)
		most = p->bucket[i].value > most ? p->bucket[i].value : most;
	return most;
}

static int hist_rows(const struct picture *p)
{
	return p->style.rows && p->style.rows < HIST_ROWS ? (int)p->style.rows : HIST_ROWS;
}

/* Histogram columns are filled from below; a bin that is not empty always shows something. */
static void put_bins(const struct picture *p, uint64_t row, struct line *line)
{
	double most = highest_bin(p);
	struct scale height = { .top = most, .log = p->scale.log };
	int below = hist_rows(p) - 1 - (int)row, steps = p->style.blocks ? block_bars.n : 1;

	for (uint32_t i = 0; i < p->wide; i++) {
		double value = p->bucket[i].value;
		int fill = (int)lround(scale_part(&height, value) * hist_rows(p) * steps);
		int here = (value > 0 && !fill ? 1 : fill) - below * steps;

		if (here <= 0)
			str_putc(&line->text, ' ');
		else if (p->style.blocks)
			str_puts(&line->text,
			         block_bars.glyph[here < steps ? here - 1 : steps - 1]);
		else
			str_putc(&line->text, '#');
	}
}

static uint64_t picture_rows(struct body *body)
{
	const struct picture *p = (const struct picture *)body;

	if (p->style.kind == PICTURE_HIST)
		return (uint64_t)hist_rows(p);
	return p->style.halves ? divide_up(p->high, 2) : p->high;
}

static bool picture_line(struct body *body, uint64_t row, int width, struct line *line,
                         struct err *err)
{
	const struct picture *p = (const struct picture *)body;

	(void)width, (void)err;
	if (p->style.kind == PICTURE_HIST) {
		put_bins(p, row, line);
		return true;
	}
	if (p->style.halves)
		row *= 2;
	for (uint32_t i = 0; i < p->wide; i++) {
		const struct bucket *bucket = &p->bucket[row * p->wide + i];

		for (uint32_t k = 0; k < p->stretch; k++)
			if (p->style.halves)
				put_halves(p, bucket, row + 1 < p->high ? bucket + p->wide : NULL,
				           line);
			else
				put_bucket(p, bucket, line);
	}
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

/* Making one. */

/* A bucket's elements along one side: as asked for, or more if there were too many buckets. */
static uint64_t bucket_side(uint64_t elems, uint64_t asked, uint64_t most)
{
	uint64_t side = asked ? asked : elems > most ? divide_up(elems, most) : 1;

	return divide_up(elems, side) > MAX_ACROSS ? divide_up(elems, MAX_ACROSS) : side;
}

/* Sets the rows and columns of elements, and the size of a bucket. */
static void lay_out(struct picture *p, const struct view *view)
{
	const struct picture_style *style = &p->style;
	uint32_t rank = view->shape.rank, rows = style->rows ? style->rows : PICTURE_ROWS;
	bool heat = style->kind == PICTURE_HEAT;

	p->columns = heat && rank ? (uint64_t)view->shape.dim[rank - 1] : view->count;
	p->rows = p->columns ? view->count / p->columns : 0;
	p->cell_columns = bucket_side(p->columns, style->bucket_columns, style->width);
	p->cell_rows = bucket_side(p->rows, style->bucket_rows, style->halves ? 2 * rows : rows);
	p->high = (uint32_t)divide_up(p->rows, p->cell_rows);
	p->wide = (uint32_t)divide_up(p->columns, p->cell_columns);
	p->stretch = style->legend_width && p->wide && p->wide < style->width
	                     ? style->width / p->wide
	                     : 1;
	p->stretch = p->stretch < MAX_STRETCH ? p->stretch : MAX_STRETCH;
	if (style->kind == PICTURE_HIST) {
		p->high = 1;
		p->wide = p->scale.top > p->scale.low ? style->width : 1;
	}
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
	for (uint64_t i = 0; i < (uint64_t)p->high * p->wide; i++)
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

	p->body.kind = &picture_kind;
	p->style = *style;
	p->ramp = ramp_of(style);
	ok = set_scale(p, view, survey, progress, err);
	lay_out(p, view);
	p->bucket = mem_alloc((size_t)p->high * p->wide * sizeof *p->bucket + 1);
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

	*rows = p->cell_rows;
	*columns = p->cell_columns;
	return p->style.kind != PICTURE_HIST;
}

/* What the glyphs mean. */

static void put_ramp(const struct picture *p, struct doc *doc)
{
	struct line *line = doc_open_line(doc);
	struct str entry = {0};

	for (int k = 0; k < p->ramp->n; k++) {
		bool last = k == p->ramp->n - 1;

		str_reset(&entry);
		str_fmt(&entry, "'%s'%s", p->ramp->glyph[k], last ? "<=" : "<");
		put_short(&entry,
		          last ? p->scale.top : scale_at(&p->scale, (double)(k + 1) / p->ramp->n));
		if (line->text.len && p->style.legend_width &&
		    utf8_columns(line->text.text, line->text.len) + 1 +
		                    utf8_columns(entry.text, entry.len) >
		            p->style.legend_width)
			doc_newline(doc);
		str_fmt(&line->text, "%s%s", line->text.len ? " " : "", entry.text);
	}
	doc_newline(doc);
	str_release(&entry);
}

static void put_bad_counts(const struct picture *p, struct doc *doc)
{
	static const char *const names[] = { NULL, "-inf", "+inf", "NaN" };

	for (int bad = BAD_NAN; bad > BAD_NONE; bad--)
		if (p->n_bad[bad])
			doc_line_put(doc, ROLE_BAD, "%s %" PRIu64 " of %" PRIu64 " cells hold %s",
			             bad_glyphs[bad], p->n_bad[bad], (uint64_t)p->high * p->wide,
			             names[bad]);
}

/* A line of parts with commas between, wrapped before a part that does not fit. */
static void put_parts(const struct picture *p, const struct str *text, struct doc *doc)
{
	struct line *line = doc_open_line(doc);

	for (size_t at = 0; at < text->len; ) {
		const char *part = text->text + at, *comma = strstr(part, ", ");
		size_t len = comma ? (size_t)(comma - part) + strlen(", ") : text->len - at;

		if (line->text.len && p->style.legend_width &&
		    line->text.len + len > p->style.legend_width)
			doc_newline(doc);
		str_put(&line->text, part, len);
		at += len;
	}
	doc_newline(doc);
}

/* "rows 0-99, cols 0-511, one cell = 20x7, mean" */
static void put_cell_rule(const struct picture *p, struct doc *doc)
{
	struct str text = {0};

	if (!p->columns || !p->rows) {
		str_puts(&text, "no elements");
	} else if (p->style.kind == PICTURE_HEAT) {
		str_fmt(&text, "rows 0-%" PRIu64 ", cols 0-%" PRIu64 ", %s = %" PRIu64 "x%" PRIu64,
		        p->rows - 1, p->columns - 1, p->style.halves ? "half a cell" : "one cell",
		        p->cell_rows, p->cell_columns);
	} else {
		str_fmt(&text, "elements 0-%" PRIu64 ", one cell = %" PRIu64, p->columns - 1,
		        p->cell_columns);
	}
	if (p->columns && p->rows)
		str_fmt(&text, ", %s%s%s", rules[p->style.kind], p->scale.log ? ", log scale" : "",
		        p->scale.percentiles ? ", 1..99 %" : "");
	put_parts(p, &text, doc);
	str_release(&text);
}

static void put_hist_legend(const struct picture *p, struct doc *doc)
{
	struct line *line = doc_open_line(doc);
	struct str low = {0}, top = {0};
	size_t gap;

	str_fill(&line->text, '-', p->wide);
	doc_newline(doc);
	put_short(&low, p->scale.low);
	put_short(&top, p->scale.top);
	gap = low.len + top.len < p->wide ? p->wide - low.len - top.len : 1;
	doc_line_put(doc, ROLE_PLAIN, "%s%*s%s", low.text, (int)gap, "", top.text);
	doc_put(doc, ROLE_PLAIN, "%" PRIu32 " bin%s, one = ", p->wide, plural(p->wide));
	put_short(&line->text, (p->scale.top / 2 - p->scale.low / 2) / p->wide * 2);
	doc_line_put(doc, ROLE_PLAIN, ", highest holds %.0f%s%s", highest_bin(p),
	             p->scale.log ? ", log height" : "", p->scale.percentiles ? ", 1..99 %" : "");
	str_release(&low);
	str_release(&top);
}

void picture_put_legend(struct body *body, struct doc *doc)
{
	const struct picture *p = (const struct picture *)body;

	if (p->style.kind == PICTURE_HIST) {
		put_hist_legend(p, doc);
		return;
	}
	put_cell_rule(p, doc);
	if (p->style.halves) {
		scale_put_steps(&p->scale, doc_open_line(doc));
		doc_newline(doc);
	} else {
		put_ramp(p, doc);
	}
	put_bad_counts(p, doc);
}

/* Typed data. */

static void put_row(const struct picture *p, uint32_t row, bool bad, struct data *data)
{
	data_list(data);
	for (uint32_t i = 0; i < p->wide; i++) {
		const struct bucket *bucket = &p->bucket[row * p->wide + i];

		if (bad ? !bucket->bad : !bucket->n_finite && p->style.kind != PICTURE_HIST)
			data_null(data);
		else if (bad)
			data_str(data, bad_glyphs[bucket->bad]);
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
		if (p->high)
			put_row(p, 0, bad, data);
		else
			data_null(data);
		return;
	}
	data_list(data);
	for (uint32_t row = 0; row < p->high; row++)
		put_row(p, row, bad, data);
	data_end(data);
}

void picture_put_data(struct body *body, struct data *data)
{
	const struct picture *p = (const struct picture *)body;

	data_key(data, "kind");
	data_str(data, picture_names[p->style.kind]);
	data_key(data, "rule");
	data_str(data, rules[p->style.kind]);
	data_key(data, "cell");
	data_list(data);
	data_uint(data, p->cell_rows);
	data_uint(data, p->cell_columns);
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
