#include "tests/made_doc.h"

#include <stdlib.h>

#include "dump/base/mem.h"

static uint64_t body_rows(struct body *body)
{
	return ((struct made_body *)body)->rows;
}

static bool body_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	struct made_body *b = (struct made_body *)body;

	(void)width;
	(void)err;
	b->asked++;
	line_fmt(line, ROLE_PLAIN, "row %llu", (unsigned long long)row);
	if (row % 10 == 9)
		while (line->text.len < b->long_cols)
			str_putc(&line->text, '.');
	if (row % 5 == 0)
		line_mark_link(line, ROLE_PLAIN, 0, 3, row % 10 ? "five" : "ten");
	line->note = NOTE_INDEX;
	line->rank = 2;
	line->index[0] = (int64_t)row;
	line->index[1] = 0;
	return true;
}

static void body_free(struct body *body)
{
	free(body);
}

static const struct body_kind kind = {
	.name = "made", .rows = body_rows, .line = body_line, .free = body_free,
};

struct doc *made_doc(uint64_t rows, size_t long_cols, struct made_body **out)
{
	struct made_body *body = mem_alloc(sizeof *body);
	struct doc *doc = doc_new();

	*body = (struct made_body){ { &kind }, rows, 0, long_cols };
	doc_body(doc, &body->body);
	if (out)
		*out = body;
	return doc;
}
