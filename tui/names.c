/* A name is the link that a row ends with. All that show in one column are cut together. */
#include "tui/names.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut_names.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "tui/glyphs.h"
#include "tui/pane_kind.h"

size_t names_leaf(const char *name, size_t len)
{
	const char *slash = memrchr(name, '/', len);

	return slash ? (size_t)(slash - name) + 1 : 0;
}

/* The last segment of a row that shows from its left end, if it is a link; NULL: there is none. */
static struct seg *name_of(struct line *line)
{
	struct seg *last = line->segs.len ? vec_last(&line->segs) : NULL;

	return last && last->link != NO_LINK && last->end == line->text.len ? last : NULL;
}

static size_t column_of(const struct line *line, const struct seg *name)
{
	return utf8_columns(str_text(&line->text), name->begin);
}

/* The column of the names that are cut; 0: none is. */
static size_t column_to_cut(struct pane *pane)
{
	for (size_t i = 0; i < pane->pieces.len; i++) {
		struct line *line = &pane->held.at[i].line;
		const struct seg *name = name_of(line);

		if (pane->pieces.at[i].cut && name)
			return column_of(line, name);
	}
	return 0;
}

static char *text_of(const struct line *line, const struct seg *name)
{
	return mem_copy(line->text.text + name->begin, name->end - name->begin);
}

static void cut(struct pane *pane, size_t i, struct cut_names *names)
{
	struct line *line = &pane->held.at[i].line;
	struct piece *piece = &pane->pieces.at[i];
	struct seg *name = name_of(line);
	struct str shown = {0};
	char *text = text_of(line, name);

	cut_names_put(names, text, &shown);
	str_cut(&line->text, name->begin);
	str_put(&line->text, str_text(&shown), shown.len);
	name->end = (uint32_t)line->text.len;
	piece->end = line->text.len;
	piece->cut = false;
	str_release(&shown);
	free(text);
}

void names_cut(struct pane *pane)
{
	size_t column;
	struct cut_names *names;

	if (!pane->modern || pane->left || pane_kind(pane)->span || !pane_chops(pane))
		return;
	column = column_to_cut(pane);
	if (!column || column + CUT_LEAST > (size_t)pane->cols)
		return;
	names = cut_names_new((size_t)pane->cols - column, CUT_MIDDLE, glyphs_fine());
	for (int adds = 1; adds >= 0; adds--)
		for (size_t i = 0; i < pane->pieces.len; i++) {
			struct line *line = &pane->held.at[i].line;
			struct seg *name = name_of(line);
			char *text;

			if (!name || column_of(line, name) != column)
				continue;
			if (adds) {
				text = text_of(line, name);
				cut_names_add(names, text);
				free(text);
			} else if (pane->pieces.at[i].cut) {
				cut(pane, i, names);
			}
		}
	cut_names_free(names);
}
