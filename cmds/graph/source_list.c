#include "cmds/graph/source_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/menu.h"
#include "cmds/lang/words.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

static void list_free(void *what)
{
	struct source_list *list = what;

	vec_release(&list->rows);
	free(list);
}

struct source_list *source_list_new(struct doc *doc, const void *owner)
{
	struct source_list *list = mem_alloc(sizeof *list);

	*list = (struct source_list){ .owner = owner,
	                              .library = "TensorFlow Python library" };
	doc_keep(doc, list_free, list);
	return list;
}

void source_list_add(struct source_list *list, const char *path, bool library)
{
	uint32_t file = (uint32_t)list->rows.len;

	vec_push(&list->rows, ((struct source_row){ .path = path, .file = file,
	                                            .library = library, .shown = true }));
}

/* Filters. */

static const char *filter_text(const struct call *call, int option)
{
	const char *text = call->args.opt[option].word;

	return text && *text ? text : NULL;
}

/* NULL without the option; also with call->err. */
static struct pattern *filter_of(struct call *call, int option)
{
	const char *text = filter_text(call, option);

	return text && !call->err.code ? pattern_new(text, PATTERN_MATCH, false, &call->err) : NULL;
}

bool source_fits(struct call *call, struct pattern *pattern, const char *text)
{
	return !pattern || pattern_fits(pattern, text, strlen(text), &call->err);
}

bool source_list_filter(struct call *call, struct source_list *list, struct pattern **names)
{
	struct pattern *path = filter_of(call, SOURCE_PATH);

	*names = filter_of(call, SOURCE_NODE);
	for (size_t i = 0; i < list->rows.len && !call->err.code; i++)
		list->rows.at[i].shown = source_fits(call, path, list->rows.at[i].path);
	pattern_free(path);
	return !call->err.code;
}

void source_list_count(struct source_list *list, const struct source_place *places,
                       const uint32_t *calls, uint32_t n, const uint64_t *count)
{
	list->n_ways++;
	for (uint32_t k = 0; k < n; k++) {
		const struct source_place *place = &places[calls[k]];
		struct source_row *row;

		if (place->file == NO_FILE)
			continue;
		row = &list->rows.at[place->file];
		if (!row->made || place->line < row->line)
			row->line = place->line;
		row->made = true;
		if (row->last == list->n_ways)
			continue;
		row->last = list->n_ways;
		for (int i = 0; i < SOURCE_COUNTS; i++)
			row->count[i] += count[i];
	}
}

/* Their text. */

/* One of the two tables: rows in the library, or outside it. */
struct part {
	struct source_list *list;
	struct table *table;
	enum role role;
	bool library;
};

static const struct source_row *row_of(const struct part *part, uint64_t row)
{
	return &part->list->rows.at[table_source_row(part->table, row)];
}

/* Its first row from this one on; table->n_rows: there is none. */
static uint64_t next_row(const struct part *part, uint64_t row)
{
	while (row < part->table->n_rows && row_of(part, row)->library != part->library)
		row++;
	return row;
}

/* text padded to the column; the padding belongs to the cell. */
static void put_cell(struct doc *doc, enum role role, const char *text, size_t width)
{
	struct str cell = {0};
	size_t columns = utf8_columns(text, strlen(text));

	str_puts(&cell, text);
	str_fill(&cell, ' ', width > columns ? width - columns : 0);
	doc_put_text(doc, role, cell.text, cell.len);
	str_release(&cell);
}

/* The padding is no part of the link. */
static void put_path(struct doc *doc, const struct part *part, uint64_t at, size_t width)
{
	const struct source_row *row = row_of(part, at);
	size_t columns = utf8_columns(row->path, strlen(row->path));
	struct str command = {0};

	if (path_has_link(row->path)) {
		part->list->link(part->list, row, &command);
		doc_link(doc, part->role, row->path, "%s", command.text);
	} else {
		doc_put(doc, part->role, "%s", row->path);
	}
	if (width)
		put_cell(doc, ROLE_PLAIN, "", width - columns);
	str_release(&command);
}

static const char *text_of(const struct part *part, uint64_t row, const struct col *col)
{
	return str_text(table_text(part->table, row, col, true));
}

/* The columns that show: positions in table->cols. */
static size_t shown_columns(const struct table *table, struct col **shown)
{
	size_t n = 0;

	for (size_t i = 0; i < table->n_cols; i++)
		if (table->cols[i].heading)
			shown[n++] = &table->cols[i];
	return n;
}

/* Each column is one wider than its widest cell; the last one has no width. */
static void measure(const struct part *part, struct col **shown, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t width = strlen(shown[i]->heading);

		for (uint64_t row = next_row(part, 0); row < part->table->n_rows;
		     row = next_row(part, row + 1)) {
			const char *text = text_of(part, row, shown[i]);
			size_t columns = utf8_columns(text, strlen(text));

			width = columns > width ? columns : width;
		}
		shown[i]->width = i + 1 < n ? (int)width + 1 : 0;
	}
}

static void put_part(struct doc *doc, const struct part *part, const char *title)
{
	struct col **shown = mem_alloc(part->table->n_cols * sizeof *shown);
	size_t n = shown_columns(part->table, shown);
	uint64_t first = next_row(part, 0), end = part->table->n_rows;

	doc_line_put(doc, part->role, "%s", title);
	if (first == end)
		doc_line_put(doc, ROLE_PLAIN, "[No files.]");
	measure(part, shown, n);
	for (size_t i = 0; i < n && first < end; i++)
		put_cell(doc, part->role, shown[i]->heading, (size_t)shown[i]->width);
	if (first < end)
		doc_newline(doc);
	for (uint64_t row = first; row < end; row = next_row(part, row + 1)) {
		for (size_t i = 0; i < n; i++)
			if (shown[i]->id == part->table->name)
				put_path(doc, part, row, (size_t)shown[i]->width);
			else
				put_cell(doc, part->role, text_of(part, row, shown[i]),
				         (size_t)shown[i]->width);
		doc_newline(doc);
	}
	free(shown);
}

static void put_heading(struct call *call, const char *title)
{
	const char *path = filter_text(call, SOURCE_PATH), *node = filter_text(call, SOURCE_NODE);

	doc_line_put(call->out, ROLE_STRONG, "%s", title);
	if (path)
		doc_line_put(call->out, ROLE_PLAIN, "File path regex filter: \"%s\"", path);
	if (node)
		doc_line_put(call->out, ROLE_PLAIN, "Node name regex filter: \"%s\"", node);
	doc_newline(call->out);
}

/* The rows are those whose path fits, if anything was counted or all are listed. */
static void keep_shown(struct source_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->rows.len; i++)
		if (list->rows.at[i].shown && (list->rows.at[i].made || list->idle))
			list->rows.at[n++] = list->rows.at[i];
	list->rows.len = n;
}

bool source_list_put(struct call *call, struct source_list *list, struct table *table,
                     const char *title)
{
	struct part outside = { list, table, ROLE_OWN, false };
	struct part library = { list, table, ROLE_LIBRARY, true };
	struct str heading = {0};

	keep_shown(list);
	table->n_rows = list->rows.len;
	table->heads_nothing = true;
	if (!table_arrange(call, table))
		return false;
	put_heading(call, title);
	if (!table->n_rows) {
		doc_line_put(call->out, ROLE_PLAIN, "[No source file information.]");
	} else {
		str_fmt(&heading, "File(s) outside %s:", list->library);
		put_part(call->out, &outside, heading.text);
		doc_newline(call->out);
		str_reset(&heading);
		str_fmt(&heading, "%s file(s):", list->library);
		put_part(call->out, &library, heading.text);
		doc_newline(call->out);
		menu_put(call->out, NULL, MENU_NONE);
	}
	str_release(&heading);
	table_type(call, table);
	return true;
}
