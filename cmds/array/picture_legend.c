/* What the glyphs of a picture mean, in lines below it. */
#include "cmds/array/picture_parts.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "dump/base/utf8.h"

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
			             picture_bad_glyphs[bad], p->n_bad[bad],
			             (uint64_t)p->rows.n * p->columns.n, names[bad]);
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

/* "1 row", "2 to 3 elements" */
static void put_each(const struct side *side, const char *noun, struct str *out)
{
	if (side->even && side->elems % side->n)
		str_fmt(out, "%" PRIu64 " to ", side->each - 1);
	str_fmt(out, "%" PRIu64 " %s%s", side->each, noun, side->each == 1 ? "" : "s");
}

/* "rows 0-99, cols 0-511, a cell is 20 rows x 7 columns, their mean" */
static void put_cell_rule(const struct picture *p, struct doc *doc)
{
	bool heat = p->style.kind == PICTURE_HEAT;
	bool one = p->columns.each == 1 && (!heat || p->rows.each == 1);
	struct str text = {0};

	if (!p->columns.elems || !p->rows.elems) {
		str_puts(&text, "no elements");
		put_parts(p, &text, doc);
		str_release(&text);
		return;
	}
	if (heat)
		str_fmt(&text, "rows 0-%" PRIu64 ", cols 0-%" PRIu64 ", ", p->rows.elems - 1,
		        p->columns.elems - 1);
	else
		str_fmt(&text, "elements 0-%" PRIu64 ", ", p->columns.elems - 1);
	str_puts(&text, p->style.halves && heat ? "half a cell is " : "a cell is ");
	if (one) {
		str_puts(&text, "an element");
	} else if (heat) {
		put_each(&p->rows, "row", &text);
		str_puts(&text, " x ");
		put_each(&p->columns, "column", &text);
	} else {
		put_each(&p->columns, "element", &text);
	}
	if (!one || !heat)
		str_fmt(&text, ", %s %s", one ? "its" : "their", picture_rules[p->style.kind]);
	str_fmt(&text, "%s%s", p->scale.log ? ", log scale" : "",
	        p->scale.percentiles ? ", 1..99 %" : "");
	put_parts(p, &text, doc);
	str_release(&text);
}

/* Of bars, what the ground and the highest one stand for. */
static void put_heights(const struct picture *p, struct doc *doc)
{
	doc_put(doc, ROLE_PLAIN, "heights 0 to ");
	put_short(&doc_open_line(doc)->text, p->scale.top);
	doc_newline(doc);
}

static void put_hist_legend(const struct picture *p, struct doc *doc)
{
	struct line *line = doc_open_line(doc);
	struct str low = {0}, top = {0};
	size_t gap, wide = (size_t)p->columns.n * p->columns.stretch;

	str_fill(&line->text, '-', wide);
	doc_newline(doc);
	put_short(&low, p->scale.low);
	put_short(&top, p->scale.top);
	gap = low.len + top.len < wide ? wide - low.len - top.len : 1;
	doc_line_put(doc, ROLE_PLAIN, "%s%*s%s", low.text, (int)gap, "", top.text);
	doc_put(doc, ROLE_PLAIN, "%" PRIu32 " bin%s, one = ", p->columns.n, plural(p->columns.n));
	put_short(&line->text, picture_bin_width(p));
	doc_line_put(doc, ROLE_PLAIN, ", highest holds %.0f%s%s", picture_highest_bin(p),
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
	} else if (p->style.kind == PICTURE_SPARK && p->style.pane_rows) {
		put_heights(p, doc);
	} else {
		put_ramp(p, doc);
	}
	put_bad_counts(p, doc);
}

int picture_legend_rows(struct picture *p, const struct survey *survey)
{
	struct doc *doc = doc_new();
	int rows;

	p->n_bad[BAD_NAN] = survey->n_nan;
	p->n_bad[BAD_POS_INF] = survey->n_pos_inf;
	p->n_bad[BAD_NEG_INF] = survey->n_neg_inf;
	picture_put_legend(&p->body, doc);
	rows = (int)doc_rows(doc);
	memset(p->n_bad, 0, sizeof p->n_bad);
	doc_free(doc);
	return rows;
}
