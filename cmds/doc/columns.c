#include "cmds/doc/columns.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/call.h"
#include "cmds/doc/cut.h"
#include "cmds/doc/cut_names.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

struct columns_body {
	struct body body;
	struct columns_source source;
	size_t *size;                    /* by column: columns on the screen */
	bool *shown;                     /* by column */
	size_t before_name;              /* columns on the screen */
	int width;
	struct cut_names *names;         /* NULL: they may look alike, or none is cut */
	struct str cell;
};

static bool says_nothing(const struct str *cell)
{
	return !cell->len || !strcmp(cell->text, "-");
}

static void measure_cell(struct columns_body *c, uint64_t row, size_t column)
{
	const struct columns_source *s = &c->source;
	size_t size;

	str_reset(&c->cell);
	s->put(s->context, row, column, &c->cell);
	size = utf8_columns(str_text(&c->cell), c->cell.len);
	c->shown[column] |= !says_nothing(&c->cell);
	if (size > c->size[column])
		c->size[column] = size;
}

/* Row by row: what is worked out for a row is worked out once. */
static void measure(struct columns_body *c)
{
	const struct columns_source *s = &c->source;

	for (size_t i = 0; i + 1 < s->n_columns; i++)
		c->size[i] = utf8_columns(s->columns[i].heading, strlen(s->columns[i].heading));
	for (uint64_t row = 0; row < s->n_rows + s->n_foot; row++)
		for (size_t i = 0; i + 1 < s->n_columns; i++)
			measure_cell(c, row, i);
}

static size_t width_before_name(const struct columns_body *c)
{
	size_t sum = 0;

	for (size_t i = 0; i + 1 < c->source.n_columns; i++)
		sum += c->shown[i] ? c->size[i] + 2 : 0;
	return sum;
}

static void drop(struct columns_body *c)
{
	for (const char *const *d = c->source.drop; d && *d && c->width > 0; d++) {
		if (width_before_name(c) + COLUMNS_NAME_LEAST <= (size_t)c->width)
			break;
		for (size_t i = 0; i + 1 < c->source.n_columns; i++)
			if (!strcmp(c->source.columns[i].heading, *d))
				c->shown[i] = false;
	}
	c->before_name = width_before_name(c);
}

/* What the other columns leave to the names. */
static size_t name_columns(const struct columns_body *c)
{
	size_t left = (size_t)c->width > c->before_name ? (size_t)c->width - c->before_name : 0;

	return left < CUT_LEAST ? CUT_LEAST : left;
}

static void cut_names(struct columns_body *c)
{
	const struct columns_source *s = &c->source;

	c->names = cut_names_new(name_columns(c), s->cut_start);
	for (uint64_t row = 0; row < s->n_rows + s->n_foot; row++) {
		str_reset(&c->cell);
		s->put(s->context, row, s->n_columns - 1, &c->cell);
		cut_names_add(c->names, str_text(&c->cell));
	}
}

static void put_name(struct columns_body *c, struct str *out, const char *name)
{
	if (c->names)
		cut_names_put(c->names, name, out);
	else if (c->width > 0)
		put_shortened(out, name, name_columns(c), c->source.cut_start);
	else
		str_puts(out, name);
}

static void put_cell(struct columns_body *c, struct str *out, size_t column, const char *text, size_t len)
{
	size_t size = utf8_columns(text, len);

	if (!c->shown[column])
		return;
	str_fill(out, ' ', size < c->size[column] ? c->size[column] - size : 0);
	str_put(out, text, len);
	str_puts(out, "  ");
}

static void cut_blanks(struct str *text)
{
	size_t len = text->len;

	while (len && text->text[len - 1] == ' ')
		len--;
	str_cut(text, len);
}

static void put_row(struct columns_body *c, uint64_t row, struct line *line)
{
	const struct columns_source *s = &c->source;
	struct str *out = &line->text;
	size_t begin;

	for (size_t i = 0; i + 1 < s->n_columns; i++) {
		if (!c->shown[i])
			continue;
		str_reset(&c->cell);
		s->put(s->context, row, i, &c->cell);
		put_cell(c, out, i, str_text(&c->cell), c->cell.len);
	}
	begin = out->len;
	str_reset(&c->cell);
	s->put(s->context, row, s->n_columns - 1, &c->cell);
	put_name(c, out, str_text(&c->cell));
	cut_blanks(out);
	if (!s->link || row >= s->n_rows)
		return;
	str_reset(&c->cell);
	s->link(s->context, row, &c->cell);
	if (c->cell.len && out->len > begin)
		line_mark_link(line, ROLE_PLAIN, begin, out->len, c->cell.text);
}

static void put_heading(struct columns_body *c, struct doc *doc)
{
	const struct columns_source *s = &c->source;
	struct str out = {0};

	for (size_t i = 0; i + 1 < s->n_columns; i++)
		put_cell(c, &out, i, s->columns[i].heading, strlen(s->columns[i].heading));
	str_puts(&out, s->columns[s->n_columns - 1].heading);
	cut_blanks(&out);
	doc_line_put(doc, ROLE_PLAIN, "%s", str_text(&out));
	str_release(&out);
}

static uint64_t columns_rows(struct body *body)
{
	return ((struct columns_body *)body)->source.n_rows;
}

static bool columns_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err)
{
	(void)width, (void)err;
	put_row((struct columns_body *)body, row, line);
	return true;
}

static void columns_free(struct body *body)
{
	struct columns_body *c = (struct columns_body *)body;

	cut_names_free(c->names);
	str_release(&c->cell);
	free(c->size);
	free(c->shown);
	free(c);
}

static const struct column *columns_of(struct body *body, size_t *n)
{
	*n = ((struct columns_body *)body)->source.n_columns;
	return ((struct columns_body *)body)->source.columns;
}

static bool columns_cell(struct body *body, uint64_t row, size_t column, struct table_cell *out, struct err *err)
{
	struct columns_body *c = (struct columns_body *)body;
	const struct columns_source *s = &c->source;

	(void)err;
	str_reset(&out->text);
	out->missing = false;
	if (s->columns[column].sort == COLUMN_NUMBER && s->number)
		out->missing = !s->number(s->context, row, column, &out->number);
	else
		s->put(s->context, row, column, &out->text);
	return true;
}

static const struct body_kind table_kind = {
	.name = "table", .rows = columns_rows, .line = columns_line, .free = columns_free, .columns_of = columns_of,
	.cell_of = columns_cell,
};

void columns_put(struct call *call, const struct columns_source *source)
{
	struct columns_body *c = mem_alloc(sizeof *c);

	c->body.kind = &table_kind;
	c->source = *source;
	c->width = call->cols;
	c->size = mem_alloc(source->n_columns * sizeof *c->size);
	c->shown = mem_alloc(source->n_columns * sizeof *c->shown);
	measure(c);
	drop(c);
	if (call->on_screen && c->width > 0)
		cut_names(c);
	put_heading(c, call->out);
	doc_body(call->out, &c->body);
	for (uint64_t row = 0; row < source->n_foot; row++) {
		put_row(c, source->n_rows + row, doc_open_line(call->out));
		doc_newline(call->out);
	}
}
