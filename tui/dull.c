#include "tui/dull.h"

#include <string.h>

#include "cmds/doc/table.h"

static const char *const ops[] = {
	"BroadcastGradientArgs", "ConcatOffset", "Const", "HostConst", "NoOp", "Rank", "Shape",
	"ShapeN", "Size",
};

/* The column of op types; NO_COLUMN: the table has none. */
static size_t op_column(const struct pane *pane)
{
	size_t n;
	const struct col *columns = rows_columns(&pane->shown, &n);

	for (size_t i = 0; columns && i < n; i++)
		if (!strcmp(columns[i].key, "op_type"))
			return i;
	return NO_COLUMN;
}

bool dull_row(const struct pane *pane, uint64_t row)
{
	struct doc *doc = pane_doc(pane);
	struct body *body = doc_get_body(doc);
	uint64_t at = rows_row(&pane->shown, row) - (body ? doc_body_row(doc) : 0);
	size_t column = op_column(pane);
	struct table_cell cell = {0};
	bool dull = false;

	if (column == NO_COLUMN || at >= body->kind->rows(body) ||
	    !body->kind->cell_of(body, at, column, &cell, NULL))
		return false;
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		dull |= !strcmp(str_text(&cell.text), ops[i]);
	str_release(&cell.text);
	return dull;
}
