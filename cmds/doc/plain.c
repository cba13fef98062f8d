/* Names are the keys of the typed answer: they have the unit, which headings lack. */
#include "cmds/doc/plain.h"

#include <math.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "dump/base/say.h"

static const struct col *columns_of(const struct doc *doc, size_t *n)
{
	struct body *body = doc_get_body(doc);

	*n = 0;
	return body && body->kind->columns_of && body->kind->cell_of
	               ? body->kind->columns_of(body, n)
	               : NULL;
}

bool plain_fits(const struct doc *doc)
{
	size_t n;

	return columns_of(doc, &n) && n;
}

/* Whole numbers without a decimal point; others with as many digits as in tables. */
static void put_number(double number, FILE *out)
{
	if (number == floor(number) && fabs(number) < 1e15)
		fprintf(out, "%.0f", number);
	else
		fprintf(out, "%.6g", number);
}

static void put_row(struct doc *doc, uint64_t row, struct table_cell *cell, FILE *out)
{
	struct body *body = doc_get_body(doc);
	struct err err = {0};
	size_t n;
	const struct col *columns = columns_of(doc, &n);

	for (size_t i = 0; i < n; i++) {
		cell->missing = false;
		str_reset(&cell->text);
		if (!body->kind->cell_of(body, row, i, cell, &err)) {
			str_reset(&cell->text);
			err_put(&cell->text, err.src, &err);
			fputs("ERROR: ", out);
			say_to(out, cell->text.text, cell->text.len);
			fputc('\n', out);
			break;
		}
		if (cell->missing)
			continue;
		fprintf(out, "%s: ", columns[i].key);
		if (col_is_number(&columns[i]))
			put_number(cell->number, out);
		else
			say_to(out, str_text(&cell->text), cell->text.len);
		fputc('\n', out);
	}
	fputc('\n', out);
}

/* The heading is the last line above the body. */
bool plain_write(struct doc *doc, struct progress *progress, FILE *out)
{
	uint64_t first = doc_body_row(doc);
	struct table_cell cell = {0};
	struct line line = {0};

	for (uint64_t row = 0; !progress_cancelled(progress); row++) {
		uint64_t end;

		doc_settle(doc, row, progress);
		end = first + doc_get_body(doc)->kind->rows(doc_get_body(doc));
		if (row >= doc_rows(doc))
			break;
		if (row >= first && row < end) {
			put_row(doc, row - first, &cell, out);
		} else if (row + 1 != first) {
			doc_line(doc, row, 0, &line);
			say_to(out, str_text(&line.text), line.text.len);
			fputc('\n', out);
		}
	}
	str_release(&cell.text);
	line_release(&line);
	return !ferror(out);
}
