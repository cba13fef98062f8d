/* One table; lookup is a walk over it: a key press is rare beside what it causes. */
#include "tui/keys.h"

#include <string.h>

#include "dump/base/utf8.h"

enum { KEYS_COLS = 18 };         /* of the help */

const struct key_row key_table[] = {
	{ CONTEXT_ANY, K_PAGE_UP, ACTION_PAGE_UP, "a page up" },
	{ CONTEXT_ANY, K_PAGE_DOWN, ACTION_PAGE_DOWN, "a page down" },
	{ CONTEXT_ANY, K_SHIFT_UP, ACTION_ROW_UP, "a row up" },
	{ CONTEXT_ANY, K_SHIFT_DOWN, ACTION_ROW_DOWN, "a row down" },
	{ CONTEXT_ANY, K_F(1), ACTION_HELP, "these keys" },
	{ CONTEXT_ANY, K_F(3), ACTION_NEXT_MATCH, "next match" },
	{ CONTEXT_ANY, K_SHIFT_F3, ACTION_PREV_MATCH, "previous match" },
	{ CONTEXT_ANY, K_F(4), ACTION_FILTER,
	  "filter as you type; nothing: drop the last filter" },
	{ CONTEXT_ANY, K_F(6), ACTION_FOCUS, "to the next pane, then to the prompt" },
	{ CONTEXT_ANY, K_FOCUS, ACTION_FOCUS, "to the next pane, then to the prompt" },
	{ CONTEXT_ANY, K_F(7), ACTION_MOUSE, "mouse on, off" },
	{ CONTEXT_ANY, K_F(8), ACTION_ZOOM, "only this pane, all panes" },
	{ CONTEXT_ANY, K_F(10), ACTION_LEAVE, "leave" },
	{ CONTEXT_ANY, K_CTRL('L'), ACTION_REPAINT, "repaint" },
	{ CONTEXT_ANY, K_CTRL('Z'), ACTION_SUSPEND, "suspend" },
	{ CONTEXT_ANY, K_CTRL('C'), ACTION_INTERRUPT, "stop what runs, clear the line, leave" },
	{ CONTEXT_ANY, K_ESC, ACTION_ESCAPE,
	  "to the view; there: close or drop the last thing opened" },
	{ CONTEXT_PROMPT, K_TAB, ACTION_COMPLETE, "complete the word" },
	{ CONTEXT_PROMPT, K_UP, ACTION_OLDER, "older command that begins like this" },
	{ CONTEXT_PROMPT, K_DOWN, ACTION_NEWER, "newer command" },
	{ CONTEXT_PROMPT, K_HOME, ACTION_HOME, "top of the output" },
	{ CONTEXT_PROMPT, K_END, ACTION_END, "bottom of the output" },
	{ CONTEXT_VIEW, 'j', ACTION_CURSOR_DOWN, "down" },
	{ CONTEXT_VIEW, K_DOWN, ACTION_CURSOR_DOWN, "down" },
	{ CONTEXT_VIEW, 'k', ACTION_CURSOR_UP, "up" },
	{ CONTEXT_VIEW, K_UP, ACTION_CURSOR_UP, "up" },
	{ CONTEXT_VIEW, ' ', ACTION_PAGE_DOWN, "a page down" },
	{ CONTEXT_VIEW, K_CTRL('F'), ACTION_PAGE_DOWN, "a page down" },
	{ CONTEXT_VIEW, 'b', ACTION_PAGE_UP, "a page up" },
	{ CONTEXT_VIEW, K_CTRL('B'), ACTION_PAGE_UP, "a page up" },
	{ CONTEXT_VIEW, K_CTRL('D'), ACTION_HALF_DOWN, "half a page down" },
	{ CONTEXT_VIEW, K_CTRL('U'), ACTION_HALF_UP, "half a page up" },
	{ CONTEXT_VIEW, 'g', ACTION_FIRST, "first row; with a number: that row" },
	{ CONTEXT_VIEW, K_HOME, ACTION_FIRST, "first row; with a number: that row" },
	{ CONTEXT_VIEW, 'G', ACTION_LAST, "last row; with a number: that row" },
	{ CONTEXT_VIEW, K_END, ACTION_LAST, "last row; with a number: that row" },
	{ CONTEXT_VIEW, K_LEFT, ACTION_LEFT,
	  "half a width to the left; a cell, 1/8 of the time, inputs" },
	{ CONTEXT_VIEW, K_RIGHT, ACTION_RIGHT,
	  "half a width to the right; a cell, 1/8 of the time, outputs" },
	{ CONTEXT_VIEW, '0', ACTION_LEFTMOST, "to the left end of the rows" },
	{ CONTEXT_VIEW, '$', ACTION_RIGHTMOST, "to the right end of the rows" },
	{ CONTEXT_VIEW, '/', ACTION_SEARCH, "search forward" },
	{ CONTEXT_VIEW, '?', ACTION_SEARCH_BACK, "search backward" },
	{ CONTEXT_VIEW, 'n', ACTION_NEXT_MATCH, "next match" },
	{ CONTEXT_VIEW, 'N', ACTION_PREV_MATCH, "previous match" },
	{ CONTEXT_VIEW, K_PAIR(']', 'n'), ACTION_NEXT_BAD, "next NaN or Inf" },
	{ CONTEXT_VIEW, K_PAIR('[', 'n'), ACTION_PREV_BAD, "previous NaN or Inf" },
	{ CONTEXT_VIEW, K_PAIR(']', 'd'), ACTION_NEXT_DIFFERENCE, "next difference" },
	{ CONTEXT_VIEW, K_PAIR('[', 'd'), ACTION_PREV_DIFFERENCE, "previous difference" },
	{ CONTEXT_VIEW, K_PAIR(']', 'e'), ACTION_NEXT_ERROR, "next error" },
	{ CONTEXT_VIEW, K_PAIR('[', 'e'), ACTION_PREV_ERROR, "previous error" },
	{ CONTEXT_VIEW, K_PAIR(']', 'r'), ACTION_NEXT_RUN, "next run" },
	{ CONTEXT_VIEW, K_PAIR('[', 'r'), ACTION_PREV_RUN, "previous run" },
	{ CONTEXT_VIEW, K_PAIR(']', 's'), ACTION_NEXT_STEP, "next step" },
	{ CONTEXT_VIEW, K_PAIR('[', 's'), ACTION_PREV_STEP, "previous step" },
	{ CONTEXT_VIEW, '&', ACTION_FILTER, "filter as you type; nothing: drop the last filter" },
	{ CONTEXT_VIEW, '@', ACTION_JUMP, "go to an element" },
	{ CONTEXT_VIEW, ':', ACTION_PROMPT, "to the prompt" },
	{ CONTEXT_VIEW, 'i', ACTION_PROMPT, "to the prompt" },
	{ CONTEXT_VIEW, K_TAB, ACTION_NEXT_LINK, "next link; in lanes: what comes next" },
	{ CONTEXT_VIEW, K_BACKTAB, ACTION_PREV_LINK, "previous link; in lanes: what came before" },
	{ CONTEXT_VIEW, K_ENTER, ACTION_FOLLOW,
	  "open what the chosen link, or the row's first, leads to" },
	{ CONTEXT_VIEW, 'f', ACTION_HINTS, "a letter on every link" },
	{ CONTEXT_VIEW, 'o', ACTION_NODE, "the row's node: ni -a -d -t" },
	{ CONTEXT_VIEW, 'O', ACTION_SOURCE, "the line of the program that made it: ps" },
	{ CONTEXT_VIEW, 'e', ACTION_EXPLAIN, "where the row comes from: file, offset" },
	{ CONTEXT_VIEW, 'H', ACTION_BACK, "previous screen" },
	{ CONTEXT_VIEW, K_BACKSPACE, ACTION_BACK, "previous screen" },
	{ CONTEXT_VIEW, 'L', ACTION_FORWARD, "next screen" },
	{ CONTEXT_VIEW, K_PAIR('m', K_LETTER), ACTION_SET_MARK, "mark this row" },
	{ CONTEXT_VIEW, K_PAIR('\'', K_LETTER), ACTION_GO_MARK, "to a mark" },
	{ CONTEXT_VIEW, K_PAIR('\'', '\''), ACTION_GO_BACK, "back from the last jump" },
	{ CONTEXT_VIEW, K_PAIR('y', 'y'), ACTION_COPY_ROW, "copy row" },
	{ CONTEXT_VIEW, K_PAIR('y', 'c'), ACTION_COPY_CELL, "copy cell" },
	{ CONTEXT_VIEW, K_PAIR('y', 'l'), ACTION_COPY_LINK, "copy link" },
	{ CONTEXT_VIEW, K_PAIR('y', 'p'), ACTION_COPY_COMMAND, "copy command" },
	{ CONTEXT_VIEW, 'p', ACTION_PICTURE, "picture of the tensor, on, off" },
	{ CONTEXT_VIEW, ',', ACTION_LESS,
	  "less: a folded subtree, elements in a cell of the picture, zoom, edges from the node" },
	{ CONTEXT_VIEW, '.', ACTION_MORE,
	  "more: an unfolded subtree, elements in a cell of the picture, zoom, "
	  "edges from the node" },
	{ CONTEXT_VIEW, K_PAIR('-', 'S'), ACTION_CHOP, "chop or wrap rows" },
	{ CONTEXT_VIEW, K_PAIR('-', 'N'), ACTION_NUMBERS, "row numbers" },
	{ CONTEXT_VIEW, K_PAIR('-', 'i'), ACTION_CASE, "case in searches" },
	{ CONTEXT_VIEW, 'w', ACTION_NEXT_PANE, "next pane" },
	{ CONTEXT_VIEW, 'z', ACTION_ZOOM, "only this pane, all panes" },
	{ CONTEXT_VIEW, 'v', ACTION_DETAIL, "a pane with what the row is about, on, off" },
	{ CONTEXT_VIEW, 'V', ACTION_TURN, "panes stacked, or beside each other" },
	{ CONTEXT_VIEW, '{', ACTION_SHRINK, "this pane smaller" },
	{ CONTEXT_VIEW, '}', ACTION_GROW, "this pane larger" },
	{ CONTEXT_VIEW, 'F', ACTION_FOLLOW_PATH, "follow what is written to PATH, on, off" },
	{ CONTEXT_VIEW, 'R', ACTION_REREAD, "read PATH again" },
	{ CONTEXT_VIEW, '=', ACTION_WHERE, "where am I" },
	{ CONTEXT_VIEW, 'W', ACTION_WARNINGS, "what is wrong with the dump" },
	{ CONTEXT_VIEW, 'M', ACTION_MOUSE, "mouse on, off" },
	{ CONTEXT_VIEW, 'h', ACTION_HELP, "these keys" },
	{ CONTEXT_VIEW, 'q', ACTION_QUIT, "close, or leave" },
	{ CONTEXT_TABLE, '<', ACTION_PREV_COLUMN, "previous column, to sort by" },
	{ CONTEXT_TABLE, '>', ACTION_NEXT_COLUMN, "next column, to sort by" },
	{ CONTEXT_TABLE, 's', ACTION_SORT, "sort by this column" },
	{ CONTEXT_TABLE, 'S', ACTION_SORT_REVERSED, "sort by this column the other way round" },
	{ CONTEXT_TABLE, 'u', ACTION_UNIT, "times in us, ms, s; then each in its own unit" },
	{ CONTEXT_TABLE, '#', ACTION_NAMES, "names of kernels: short, full, raw" },
	{ CONTEXT_TREE, 'E', ACTION_UNFOLD_ALL, "unfold all" },
	{ CONTEXT_TREE, 'C', ACTION_FOLD_ALL, "fold all" },
};
const size_t n_keys = sizeof key_table / sizeof *key_table;

const char *const context_names[] = {
	[CONTEXT_ANY] = "Everywhere",
	[CONTEXT_PROMPT] = "At the prompt",
	[CONTEXT_VIEW] = "In the view",
	[CONTEXT_TABLE] = "In tables",
	[CONTEXT_TREE] = "In trees",
};

enum context context_of(const struct doc *doc)
{
	const struct body_kind *kind = doc && doc_get_body(doc) ? doc_get_body(doc)->kind : NULL;

	if (!kind || kind->cells || kind->stage)
		return CONTEXT_VIEW;
	if (kind->depth)
		return CONTEXT_TREE;
	return kind->columns_of && kind->cell_of ? CONTEXT_TABLE : CONTEXT_VIEW;
}

bool key_counts(const struct key_row *row, enum context context)
{
	return row->context == CONTEXT_ANY || row->context == context ||
	       (row->context == CONTEXT_VIEW && context > CONTEXT_VIEW);
}

/* Of a key that several sets have, the first counts. */
static bool hint_counts(const struct doc *doc, const struct doc_key *key, bool opens)
{
	return key->hint && (!key->key || doc_find_key(doc, key->key) == key) &&
	       (key->key != DOC_KEY_ENTER || opens);
}

void key_put_hints(struct str *out, const struct doc *doc, bool opens)
{
	const struct doc_keys *keys;
	bool any = false;

	for (size_t i = 0; (keys = doc_keys(doc, i)); i++)
		for (size_t k = 0; k < keys->n; k++) {
			any |= keys->at[k].hint != NULL;
			if (hint_counts(doc, &keys->at[k], opens))
				str_fmt(out, "%s  ", keys->at[k].hint);
		}
	if (!any && context_of(doc) == CONTEXT_TREE)
		str_puts(out, ", . fold  E C all  ");
	else if (!any)
		str_fmt(out, "%s/ search  ", opens ? "Enter open  " : "");
	str_puts(out, "h keys");
}

/* Is what was typed the key of a row? */
static bool is_key(int row, int typed)
{
	if (K_SECOND(row) != K_LETTER)
		return row == typed;
	return K_FIRST(row) == K_FIRST(typed) && K_SECOND(typed) >= 'a' && K_SECOND(typed) <= 'z';
}

enum action key_action(enum context context, int key)
{
	for (size_t i = 0; i < n_keys; i++) {
		const struct key_row *row = &key_table[i];

		if (is_key(row->key, key) && key_counts(row, context))
			return row->action;
	}
	return ACTION_NONE;
}

bool key_begins_pair(enum context context, int key)
{
	for (size_t i = 0; i < n_keys; i++)
		if (key && K_FIRST(key_table[i].key) == key && key_counts(&key_table[i], context))
			return true;
	return false;
}

static const struct { int key; const char *name; } key_names[] = {
	{ K_TAB, "Tab" }, { K_ENTER, "Enter" }, { K_ESC, "Esc" }, { K_BACKSPACE, "Backspace" },
	{ ' ', "Space" }, { K_UP, "Up" }, { K_DOWN, "Down" }, { K_LEFT, "Left" },
	{ K_RIGHT, "Right" }, { K_HOME, "Home" }, { K_END, "End" }, { K_PAGE_UP, "PgUp" },
	{ K_PAGE_DOWN, "PgDn" }, { K_INSERT, "Insert" }, { K_DELETE, "Delete" },
	{ K_BACKTAB, "Shift-Tab" }, { K_SHIFT_UP, "Shift-Up" }, { K_SHIFT_DOWN, "Shift-Down" },
	{ K_SHIFT_F3, "Shift-F3" }, { K_FOCUS, "Ctrl-X o" }, { K_META, "Alt" },
	{ K_LETTER, "{a-z}" },
};

void key_put(struct str *out, unsigned c)
{
	int n = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };

	str_putc(out, (char)(lead[n] | c >> 6 * n));
	while (n-- > 0)
		str_putc(out, (char)(0x80 | (c >> 6 * n & 0x3f)));
}

void key_label(struct str *out, int key)
{
	struct str text = {0};

	if (K_FIRST(key)) {
		str_putc(out, (char)K_FIRST(key));
		key = K_SECOND(key);
	}
	for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
		if (key_names[i].key == key) {
			str_puts(out, key_names[i].name);
			return;
		}
	if (key >= K_F0) {
		str_fmt(out, "F%d", key - K_F0);
	} else if (key < ' ') {
		str_fmt(out, "Ctrl-%c", key + '@');
	} else {
		key_put(&text, (unsigned)key);
		utf8_escape(out, text.text, text.len);
		str_release(&text);
	}
}

static void put_second(struct str *out, int key, const char *help)
{
	str_putc(out, ' ');
	key_label(out, K_SECOND(key));
	str_fmt(out, " %s ", help);
}

void key_put_seconds(struct str *out, enum context context, const struct doc *doc, int first)
{
	const struct doc_keys *keys;

	key_label(out, first);
	for (size_t i = 0; doc && (keys = doc_keys(doc, i)); i++)
		for (size_t k = 0; k < keys->n; k++)
			if (K_FIRST(keys->at[k].key) == first && keys->at[k].help)
				put_second(out, keys->at[k].key, keys->at[k].help);
	for (size_t i = 0; i < n_keys; i++) {
		if (K_FIRST(key_table[i].key) != first || !key_counts(&key_table[i], context))
			continue;
		put_second(out, key_table[i].key, key_table[i].help);
	}
}

static bool same_meaning(const struct key_row *a, const struct key_row *b)
{
	return a->context == b->context && a->action == b->action;
}

static void put_line(struct doc *doc, const struct str *keys, const char *help)
{
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, ROLE_STRONG, "%s", keys->text);
	doc_line_put(doc, ROLE_PLAIN, "%*s  %s",
	             keys->len < KEYS_COLS ? (int)(KEYS_COLS - keys->len) : 0, "", help);
}

/* All keys of one action in one line. Returns the rows it took. */
static size_t put_row(struct doc *doc, size_t i)
{
	struct str keys = {0};
	size_t n = 0;

	do {
		if (n)
			str_puts(&keys, ", ");
		key_label(&keys, key_table[i + n].key);
		n++;
	} while (i + n < n_keys && same_meaning(&key_table[i], &key_table[i + n]));
	put_line(doc, &keys, key_table[i].help);
	str_release(&keys);
	return n;
}

static void put_context(struct doc *doc, enum context context)
{
	doc_line_put(doc, ROLE_STRONG, "%s", context_names[context]);
	for (size_t i = 0; i < n_keys;)
		i += key_table[i].context == context ? put_row(doc, i) : 1;
	doc_newline(doc);
}

static void put_brought(struct doc *doc, const struct doc_keys *keys)
{
	struct str key = {0};

	doc_line_put(doc, ROLE_STRONG, "%s", keys->heading);
	for (size_t i = 0; i < keys->n; i++) {
		if (!keys->at[i].help)
			continue;
		str_reset(&key);
		key_label(&key, keys->at[i].key);
		put_line(doc, &key, keys->at[i].help);
	}
	doc_newline(doc);
	str_release(&key);
}

/* Keys of the view that are its own come first: they are what is looked for. */
struct doc *key_help(const struct doc *view)
{
	struct doc *doc = doc_new();
	const struct doc_keys *keys;

	for (size_t i = 0; view && (keys = doc_keys(view, i)); i++)
		if (keys->heading)
			put_brought(doc, keys);
	if (context_of(view) > CONTEXT_VIEW)
		put_context(doc, context_of(view));
	for (enum context c = 0; c <= CONTEXT_VIEW; c++)
		put_context(doc, c);
	doc_line_put(doc, ROLE_PLAIN,
	             "At the prompt every other key edits the line. Esc or q closes this.");
	return doc;
}
