/*
 * Items that do the same are one. The lines are dealt to columns from the top of the first to the
 * end of the last, all of a height: that of the screen or, if they don't fit, the least that holds
 * them. No heading is at the end of a column.
 */
#include "tui/sheet.h"

#include <string.h>
#include <strings.h>

enum { WIDE_COLS = 120, TWO_COLS = 64 };

static void release_items(struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->items.len; i++)
		str_release(&sheet->items.at[i].keys);
	sheet->items.len = 0;
}

/* Items. */

static void add(struct sheet *sheet, enum key_group group, enum action action, int key,
                const char *help)
{
	struct sheet_item *item = NULL;

	for (size_t i = 0; i < sheet->items.len && !item; i++)
		if (sheet->items.at[i].action == action && !strcmp(sheet->items.at[i].help, help))
			item = &sheet->items.at[i];
	if (!item) {
		vec_push(&sheet->items, ((struct sheet_item){ group, action, key, {0}, help }));
		item = vec_last(&sheet->items);
	}
	if (item->keys.len)
		str_puts(&item->keys, ", ");
	key_label(&item->keys, key);
}

static void add_brought(struct sheet *sheet, const struct doc *doc)
{
	const struct doc_keys *keys;

	for (size_t i = 0; doc && (keys = doc_keys(doc, i)); i++)
		for (size_t k = 0; k < keys->n; k++)
			if (keys->at[k].help && keys->at[k].key)
				add(sheet, KEYS_HERE, ACTION_NONE, keys->at[k].key,
				    keys->at[k].help);
}

/* The fewer places have a key, the sooner it comes. */
static void add_group(struct sheet *sheet, enum key_group group, struct key_scope scope)
{
	for (enum context c = N_CONTEXTS; c-- > CONTEXT_ANY;)
		for (size_t i = 0; i < n_keys; i++) {
			const struct key_row *row = &key_table[i];

			if (row->group == group && row->context == c && key_counts(row, scope))
				add(sheet, group, row->action, row->key, row->help);
		}
}

/* Lines. */

/* Does one of the words begin like this? */
static bool has(const char *text, const char *typed)
{
	size_t len = strlen(typed);
	bool begins = true;

	for (; strlen(text) >= len; begins = *text++ == ' ')
		if (begins && !strncasecmp(text, typed, len))
			return true;
	return false;
}

static bool fits(const struct sheet *sheet, const struct sheet_item *item)
{
	return has(str_text(&item->keys), str_text(&sheet->typed)) ||
	       has(item->help, str_text(&sheet->typed));
}

static void make_lines(struct sheet *sheet)
{
	enum key_group last = N_KEY_GROUPS;

	sheet->lines.len = 0;
	for (size_t i = 0; i < sheet->items.len; i++) {
		if (!fits(sheet, &sheet->items.at[i]))
			continue;
		if (sheet->items.at[i].group != last)
			vec_push(&sheet->lines, ((struct sheet_line){ .item = i,
			                                              .heading = true }));
		last = sheet->items.at[i].group;
		vec_push(&sheet->lines, ((struct sheet_line){ .item = i }));
	}
}

/* In columns so high. False: there are too few. */
static bool deal(struct sheet *sheet, int height)
{
	int row = 0, col = 0;

	for (size_t i = 0; i < sheet->lines.len; i++) {
		struct sheet_line *line = &sheet->lines.at[i];

		row += line->heading && row > 0;         /* a blank line above */
		if (row + line->heading >= height && row > 0) {
			row = 0;
			col++;
		}
		line->row = row++;
		line->col = col;
	}
	return col < sheet->n_columns;
}

static void show_chosen(struct sheet *sheet)
{
	int row = sheet->chosen < sheet->lines.len ? sheet->lines.at[sheet->chosen].row : 0;
	int last = sheet->column_rows > sheet->rows ? sheet->column_rows - sheet->rows : 0;

	if (row <= 1 && sheet->top > 0)
		sheet->top = 0;          /* with its heading */
	if (row < sheet->top)
		sheet->top = row;
	if (row >= sheet->top + sheet->rows)
		sheet->top = row - sheet->rows + 1;
	if (sheet->top > last)
		sheet->top = last;
}

static void lay_out(struct sheet *sheet)
{
	sheet->n_columns = sheet->cols >= WIDE_COLS ? 3 : sheet->cols >= TWO_COLS ? 2 : 1;
	sheet->column_rows = (int)sheet->lines.len / sheet->n_columns;
	if (sheet->column_rows < sheet->rows)
		sheet->column_rows = sheet->rows;
	if (sheet->column_rows < 2)
		sheet->column_rows = 2;  /* a heading and an item */
	while (!deal(sheet, sheet->column_rows))
		sheet->column_rows++;
	show_chosen(sheet);
}

static size_t first_item(const struct sheet *sheet)
{
	return sheet->lines.len ? 1 : 0;
}

/* The key that was typed itself, if it is one; else the first. */
static size_t first_choice(const struct sheet *sheet)
{
	struct str label = {0};
	size_t found = first_item(sheet);

	for (size_t i = sheet->lines.len; sheet->typed.len && i-- > 0;) {
		str_reset(&label);
		key_label(&label, sheet->items.at[sheet->lines.at[i].item].key);
		if (!sheet->lines.at[i].heading && !strcmp(label.text, sheet->typed.text))
			found = i;
	}
	str_release(&label);
	return found;
}

void sheet_narrow(struct sheet *sheet, const char *typed)
{
	struct str now = {0};

	str_puts(&now, typed);
	str_release(&sheet->typed);
	sheet->typed = now;
	make_lines(sheet);
	sheet->chosen = first_choice(sheet);
	sheet->top = 0;
	lay_out(sheet);
}

void sheet_open(struct sheet *sheet, struct key_scope scope, const struct doc *doc)
{
	release_items(sheet);
	if (scope.context != CONTEXT_PROMPT)
		add_brought(sheet, doc);
	for (enum key_group g = 0; g < N_KEY_GROUPS; g++)
		add_group(sheet, g, scope);
	sheet->open = true;
	sheet_narrow(sheet, "");
}

void sheet_bind(struct sheet *sheet, int key, const char *command)
{
	struct sheet_item item = { KEYS_HERE, ACTION_NONE, key, {0}, command };

	for (size_t i = 0; i < sheet->items.len; i++)
		if (sheet->items.at[i].key == key) {
			str_release(&sheet->items.at[i].keys);
			memmove(sheet->items.at + i, sheet->items.at + i + 1,
			        (--sheet->items.len - i) * sizeof *sheet->items.at);
		}
	key_label(&item.keys, key);
	vec_push(&sheet->items, item);
	memmove(sheet->items.at + 1, sheet->items.at,
	        (sheet->items.len - 1) * sizeof *sheet->items.at);
	sheet->items.at[0] = item;
	sheet_narrow(sheet, "");
}

void sheet_close(struct sheet *sheet)
{
	sheet->open = false;
}

void sheet_release(struct sheet *sheet)
{
	release_items(sheet);
	vec_release(&sheet->items);
	vec_release(&sheet->lines);
	str_release(&sheet->typed);
}

void sheet_resize(struct sheet *sheet, int rows, int cols)
{
	sheet->rows = rows > 1 ? rows : 1;
	sheet->cols = cols;
	lay_out(sheet);
}

/* The choice. */

void sheet_choose(struct sheet *sheet, size_t line)
{
	sheet->chosen = line;
	show_chosen(sheet);
}

void sheet_move(struct sheet *sheet, int items)
{
	int step = items < 0 ? -1 : 1;
	size_t at = sheet->chosen, last = at;

	while (items && at < sheet->lines.len) {
		at += (size_t)step;      /* below 0: beyond the end */
		if (at >= sheet->lines.len)
			break;
		if (sheet->lines.at[at].heading)
			continue;
		last = at;
		items -= step;
	}
	sheet_choose(sheet, last);
}

void sheet_move_column(struct sheet *sheet, int columns)
{
	const struct sheet_line *from = &sheet->lines.at[sheet->chosen];
	size_t best = sheet->chosen;
	int away = -1;

	if (sheet->chosen >= sheet->lines.len)
		return;
	for (size_t i = 0; i < sheet->lines.len; i++) {
		const struct sheet_line *line = &sheet->lines.at[i];
		int distance = abs(line->row - from->row);

		if (line->heading || line->col != from->col + columns ||
		    (away >= 0 && distance >= away))
			continue;
		away = distance;
		best = i;
	}
	sheet_choose(sheet, best);
}

const struct sheet_item *sheet_chosen(const struct sheet *sheet)
{
	return sheet->chosen < sheet->lines.len
	               ? &sheet->items.at[sheet->lines.at[sheet->chosen].item] : NULL;
}

int sheet_column_cols(const struct sheet *sheet)
{
	return sheet->n_columns ? sheet->cols / sheet->n_columns : sheet->cols;
}

size_t sheet_line_at(const struct sheet *sheet, int row, int col)
{
	int column = col / (sheet_column_cols(sheet) ? sheet_column_cols(sheet) : 1);

	for (size_t i = 0; i < sheet->lines.len; i++)
		if (sheet->lines.at[i].col == column && sheet->lines.at[i].row == row + sheet->top)
			return i;
	return sheet->lines.len;
}
