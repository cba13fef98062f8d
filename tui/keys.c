/* One table; lookup is a walk over it: a key press is rare beside what it causes. */
#include "tui/keys.h"

#include <string.h>

#include "dump/base/utf8.h"

enum { KEYS_COLS = 18 };         /* of the help */

/* In either style, in ours, in tfdbg's. */
#define BOTH(context, key, action, group, help) \
	{ CONTEXT_##context, key, ACTION_##action, help, STYLE_BOTH, KEYS_##group },
#define MODERN(context, key, action, group, help) \
	{ CONTEXT_##context, key, ACTION_##action, help, STYLE_MODERN, KEYS_##group },
#define TFDBG(context, key, action, group, help) \
	{ CONTEXT_##context, key, ACTION_##action, help, STYLE_TFDBG, KEYS_##group },
const struct key_row key_table[] = {
	BOTH(ANY, K_PAGE_UP, PAGE_UP, MOVE, "a page up")
	BOTH(ANY, K_PAGE_DOWN, PAGE_DOWN, MOVE, "a page down")
	BOTH(ANY, K_SHIFT_UP, ROW_UP, MOVE, "a row up")
	BOTH(ANY, K_SHIFT_DOWN, ROW_DOWN, MOVE, "a row down")
	BOTH(ANY, K_F(1), HELP, OPEN, "these keys")
	BOTH(ANY, K_F(3), NEXT_MATCH, FIND, "next match")
	BOTH(ANY, K_SHIFT_F3, PREV_MATCH, FIND, "previous match")
	BOTH(ANY, K_F(4), FILTER, FIND, "filter as you type; an empty one removes the last")
	BOTH(ANY, K_F(6), FOCUS, PANES, "to the next pane, then to the prompt")
	BOTH(ANY, K_FOCUS, FOCUS, PANES, "to the next pane, then to the prompt")
	BOTH(ANY, K_F(7), MOUSE, PANES, "mouse on, off")
	BOTH(ANY, K_F(8), ZOOM, PANES, "only this pane, all panes")
	BOTH(ANY, K_F(10), LEAVE, LEAVE, "leave")
	BOTH(ANY, K_CTRL('L'), REPAINT, PANES, "repaint")
	BOTH(ANY, K_CTRL('Z'), SUSPEND, LEAVE, "suspend")
	BOTH(ANY, K_CTRL('C'), INTERRUPT, LEAVE, "stop what runs, clear the line, leave")
	BOTH(ANY, K_ESC, ESCAPE, LEAVE, "to the view; there: close what was opened last")
	BOTH(PROMPT, K_TAB, COMPLETE, HERE, "complete the word")
	BOTH(PROMPT, K_UP, OLDER, HERE, "older command that begins like this")
	BOTH(PROMPT, K_DOWN, NEWER, HERE, "newer command")
	BOTH(PROMPT, K_HOME, HOME, MOVE, "top of the output")
	BOTH(PROMPT, K_END, END, MOVE, "bottom of the output")
	BOTH(VIEW, 'j', CURSOR_DOWN, MOVE, "down")
	BOTH(VIEW, K_DOWN, CURSOR_DOWN, MOVE, "down")
	BOTH(VIEW, 'k', CURSOR_UP, MOVE, "up")
	BOTH(VIEW, K_UP, CURSOR_UP, MOVE, "up")
	BOTH(VIEW, ' ', PAGE_DOWN, MOVE, "a page down")
	BOTH(VIEW, K_CTRL('F'), PAGE_DOWN, MOVE, "a page down")
	BOTH(VIEW, 'b', PAGE_UP, MOVE, "a page up")
	BOTH(VIEW, K_CTRL('B'), PAGE_UP, MOVE, "a page up")
	BOTH(VIEW, K_CTRL('D'), HALF_DOWN, MOVE, "half a page down")
	BOTH(VIEW, K_CTRL('U'), HALF_UP, MOVE, "half a page up")
	TFDBG(VIEW, 'g', FIRST, MOVE, "first row; with a number: that row")
	MODERN(VIEW, K_PAIR('g', 'g'), FIRST, MOVE, "first row; with a number: that row")
	BOTH(VIEW, K_HOME, FIRST, MOVE, "first row; with a number: that row")
	BOTH(VIEW, 'G', LAST, MOVE, "last row; with a number: that row")
	BOTH(VIEW, K_END, LAST, MOVE, "last row; with a number: that row")
	BOTH(VIEW, K_LEFT, LEFT, MOVE, "half a width to the left; a cell, 1/8 of the time, inputs")
	BOTH(VIEW, K_RIGHT, RIGHT, MOVE,
	     "half a width to the right; a cell, 1/8 of the time, outputs")
	BOTH(VIEW, '0', LEFTMOST, MOVE, "to the left end of the rows")
	BOTH(VIEW, '$', RIGHTMOST, MOVE, "to the right end of the rows")
	BOTH(VIEW, '/', SEARCH, FIND, "search forward")
	TFDBG(VIEW, '?', SEARCH_BACK, FIND, "search backward")
	BOTH(VIEW, 'n', NEXT_MATCH, FIND, "next match")
	TFDBG(VIEW, 'N', PREV_MATCH, FIND, "previous match")
	MODERN(VIEW, 'N', PREV_MATCH, FIND, "previous match; before any search: search backward")
	BOTH(VIEW, K_PAIR(']', 'n'), NEXT_BAD, FIND, "next NaN or Inf")
	BOTH(VIEW, K_PAIR('[', 'n'), PREV_BAD, FIND, "previous NaN or Inf")
	BOTH(VIEW, K_PAIR(']', 'd'), NEXT_DIFFERENCE, FIND, "next difference")
	BOTH(VIEW, K_PAIR('[', 'd'), PREV_DIFFERENCE, FIND, "previous difference")
	BOTH(VIEW, K_PAIR(']', 'e'), NEXT_ERROR, FIND, "next error")
	BOTH(VIEW, K_PAIR('[', 'e'), PREV_ERROR, FIND, "previous error")
	BOTH(VIEW, K_PAIR(']', 'r'), NEXT_RUN, MOVE, "next run")
	BOTH(VIEW, K_PAIR('[', 'r'), PREV_RUN, MOVE, "previous run")
	BOTH(VIEW, K_PAIR(']', 's'), NEXT_STEP, MOVE, "next step")
	BOTH(VIEW, K_PAIR('[', 's'), PREV_STEP, MOVE, "previous step")
	BOTH(VIEW, '&', FILTER, FIND, "filter as you type; an empty one removes the last")
	BOTH(VIEW, '@', JUMP, FIND, "go to an element of the array: its index")
	BOTH(VIEW, ':', PROMPT, OPEN, "to the prompt")
	TFDBG(VIEW, 'i', PROMPT, OPEN, "to the prompt")
	MODERN(VIEW, 'i', STAY_AT_PROMPT, OPEN, "to the prompt, for several commands")
	BOTH(VIEW, '!', OUTSIDE, OPEN, "run a program of the shell; alone: the shell itself")
	BOTH(VIEW, K_TAB, NEXT_LINK, OPEN, "next link; in lanes: what comes next")
	BOTH(VIEW, K_BACKTAB, PREV_LINK, OPEN, "previous link; in lanes: what came before")
	BOTH(VIEW, K_ENTER, FOLLOW, OPEN, "open what the chosen link, or the row's first, leads to")
	BOTH(VIEW, 'f', HINTS, OPEN, "letters on links")
	BOTH(VIEW, 'o', NODE, OPEN, "the row's node: ni -a -d -t")
	BOTH(VIEW, 'O', SOURCE, OPEN, "the line of the program that made it: ps")
	BOTH(VIEW, 'e', EXPLAIN, OPEN, "where the row comes from: file, offset")
	BOTH(VIEW, 'H', BACK, OPEN, "previous screen")
	BOTH(VIEW, K_BACKSPACE, BACK, OPEN, "previous screen")
	BOTH(VIEW, 'L', FORWARD, OPEN, "next screen")
	MODERN(VIEW, 'd', COMPARE, OPEN,
	       "compare a run with the one before, a tensor with its pair there")
	MODERN(VIEW, K_PAIR('g', 't'), GO_VIEW, OPEN, "tensors")
	MODERN(VIEW, K_PAIR('g', 'r'), GO_VIEW, OPEN, "runs, steps")
	MODERN(VIEW, K_PAIR('g', 'k'), GO_VIEW, OPEN, "kernels")
	MODERN(VIEW, K_PAIR('g', 'l'), GO_VIEW, OPEN, "lanes")
	MODERN(VIEW, K_PAIR('g', 'm'), GO_VIEW, OPEN, "memory")
	MODERN(VIEW, K_PAIR('g', 's'), GO_VIEW, OPEN, "scopes")
	MODERN(VIEW, K_PAIR('g', 'o'), GO_VIEW, OPEN, "origins of NaN and Inf")
	MODERN(VIEW, K_PAIR('g', 'h'), GO_VIEW, OPEN, "overview")
	BOTH(VIEW, K_PAIR('m', K_LETTER), SET_MARK, MOVE, "mark this row")
	BOTH(VIEW, K_PAIR('\'', K_LETTER), GO_MARK, MOVE, "to a mark")
	BOTH(VIEW, K_PAIR('\'', '\''), GO_BACK, MOVE, "back from the last jump")
	BOTH(VIEW, 't', TAG, HERE, "tag this row, or remove its tag; \":tagged\" lists them")
	BOTH(VIEW, 'T', UNTAG, HERE, "remove all tags")
	BOTH(VIEW, K_PAIR('y', 'y'), COPY_ROW, HERE, "copy the row")
	BOTH(VIEW, K_PAIR('y', 'c'), COPY_CELL, HERE, "copy the cell")
	BOTH(VIEW, K_PAIR('y', 'l'), COPY_LINK, HERE, "copy the command of the link")
	BOTH(VIEW, K_PAIR('y', 'p'), COPY_COMMAND, HERE, "copy the command of this screen")
	BOTH(VIEW, 'p', PICTURE, OPEN, "picture of the tensor, on, off")
	BOTH(VIEW, ',', LESS, HERE,
	     "fold; zoom out of lanes; fewer elements a cell, edges a node")
	BOTH(VIEW, '.', MORE, HERE,
	     "unfold; zoom into lanes; more elements a cell, edges a node")
	BOTH(VIEW, K_PAIR('-', 'S'), CHOP, PANES, "cut or wrap long rows")
	BOTH(VIEW, K_PAIR('-', 'N'), NUMBERS, PANES, "row numbers")
	BOTH(VIEW, K_PAIR('-', 'i'), CASE, FIND, "searches distinguish case, on, off")
	BOTH(VIEW, 'w', NEXT_PANE, PANES, "next pane")
	BOTH(VIEW, 'z', ZOOM, PANES, "only this pane, all panes")
	BOTH(VIEW, 'v', DETAIL, OPEN, "a pane with what the row is about, on, off")
	BOTH(VIEW, 'V', TURN, PANES, "panes stacked, or beside each other")
	BOTH(VIEW, '{', SHRINK, PANES, "this pane smaller")
	BOTH(VIEW, '}', GROW, PANES, "this pane larger")
	BOTH(VIEW, 'F', FOLLOW_PATH, OPEN, "follow a program that still writes, on, off")
	BOTH(VIEW, 'R', REREAD, OPEN, "read all from disk again")
	BOTH(VIEW, '=', WHERE, OPEN, "where am I")
	BOTH(VIEW, 'W', WARNINGS, OPEN, "what is wrong with the dump")
	BOTH(VIEW, 'M', MOUSE, PANES, "mouse on, off")
	MODERN(VIEW, '?', HELP, OPEN, "these keys")
	BOTH(VIEW, 'h', HELP, OPEN, "these keys")
	TFDBG(VIEW, 'q', QUIT, LEAVE, "close, or leave")
	MODERN(VIEW, 'q', LEAVE_VIEW, LEAVE, "previous screen; from the first one: leave")
	BOTH(TABLE, '<', PREV_COLUMN, HERE, "choose the previous column, to sort by")
	BOTH(TABLE, '>', NEXT_COLUMN, HERE, "choose the next column, to sort by")
	BOTH(TABLE, 's', SORT, HERE, "sort by the chosen column")
	BOTH(TABLE, 'S', SORT_REVERSED, HERE, "sort by it in reverse order")
	BOTH(TABLE, 'u', UNIT, HERE, "times in us, ms, s; then each in its own unit")
	BOTH(TABLE, '#', NAMES, HERE, "names of kernels: short, full, raw")
	BOTH(TREE, 'E', UNFOLD_ALL, HERE, "unfold all")
	BOTH(TREE, 'C', FOLD_ALL, HERE, "fold all")
};
const size_t n_keys = sizeof key_table / sizeof *key_table;

const char *const key_group_names[] = {
	[KEYS_HERE] = "here", [KEYS_MOVE] = "move", [KEYS_OPEN] = "open", [KEYS_FIND] = "find",
	[KEYS_PANES] = "panes", [KEYS_LEAVE] = "leave",
};

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

bool key_counts(const struct key_row *row, struct key_scope scope)
{
	return (row->style == STYLE_BOTH || row->style == scope.style) &&
	       (row->context == CONTEXT_ANY || row->context == scope.context ||
	        (row->context == CONTEXT_VIEW && scope.context > CONTEXT_VIEW));
}

/* Of a key that several sets have, the first counts. */
bool key_is_hint(const struct doc *doc, const struct doc_key *key, bool opens)
{
	return key->hint && (!key->key || doc_find_key(doc, key->key) == key) &&
	       (key->key != DOC_KEY_ENTER || opens);
}

bool key_contexts_meet(enum context a, enum context b)
{
	for (enum context c = CONTEXT_PROMPT; c < N_CONTEXTS; c++) {
		struct key_scope scope = { STYLE_MODERN, c };

		if (key_counts(&(struct key_row){ .context = a }, scope) &&
		    key_counts(&(struct key_row){ .context = b }, scope))
			return true;
	}
	return false;
}

bool keys_clash(int a, int b)
{
	return a == b || (K_FIRST(a) && K_FIRST(a) == b) || (K_FIRST(b) && K_FIRST(b) == a);
}

void key_put_hints(struct str *out, const struct doc *doc, bool opens)
{
	const struct doc_keys *keys;
	bool any = false;

	for (size_t i = 0; (keys = doc_keys(doc, i)); i++)
		for (size_t k = 0; k < keys->n; k++) {
			any |= keys->at[k].hint != NULL;
			if (key_is_hint(doc, &keys->at[k], opens))
				str_fmt(out, "%s %s  ", keys->at[k].hint_keys, keys->at[k].hint);
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

enum action key_action(struct key_scope scope, int key)
{
	for (size_t i = 0; i < n_keys; i++) {
		const struct key_row *row = &key_table[i];

		if (is_key(row->key, key) && key_counts(row, scope))
			return row->action;
	}
	return ACTION_NONE;
}

bool key_begins_pair(struct key_scope scope, int key)
{
	for (size_t i = 0; i < n_keys; i++)
		if (key && K_FIRST(key_table[i].key) == key && key_counts(&key_table[i], scope))
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

static int read_name(const char *text, size_t len)
{
	static const char ctrl[] = "Ctrl-";
	int number = 0;

	for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
		if (key_names[i].key != K_LETTER && strlen(key_names[i].name) == len &&
		    !memcmp(key_names[i].name, text, len))
			return key_names[i].key;
	if (len == sizeof ctrl && !memcmp(text, ctrl, sizeof ctrl - 1))
		return K_CTRL(text[len - 1]);
	if (len == 2 && text[0] == '^' && text[1] >= '@' && text[1] <= '_')
		return K_CTRL(text[1]);
	for (size_t i = 1; text[0] == 'F' && i < len && i < 3; i++)
		number = text[i] >= '0' && text[i] <= '9' ? number * 10 + text[i] - '0' : 100;
	return number >= 1 && number <= 12 && len <= 3 ? K_F(number) : 0;
}

/* One character, or none. */
static int read_character(const char *text, size_t len)
{
	uint32_t c;

	if (!len || utf8_next(text, len, &c) != len)
		return 0;
	return c > ' ' && c != K_BACKSPACE && c < K_UP ? (int)c : 0;
}

static int read_key(const char *text, size_t len)
{
	int key = read_character(text, len);

	return key ? key : read_name(text, len);
}

int key_read(const char *text, size_t len)
{
	const char *end = memchr(text, ' ', len);
	int key = read_name(text, len), second;

	if (end && !key)
		len = (size_t)(end - text);
	if (!key)
		key = read_key(text, len);
	if (key || len < 2 || text[0] <= ' ' || text[0] >= 0x7f)
		return key;
	second = read_key(text + 1, len - 1);
	return second && second < K_UP ? K_PAIR(text[0], second) : 0;
}

void key_each_second(struct key_scope scope, const struct doc *doc, int first, take_second *take,
                     void *out)
{
	const struct doc_keys *keys;

	for (size_t i = 0; doc && (keys = doc_keys(doc, i)); i++)
		for (size_t k = 0; k < keys->n; k++)
			if (K_FIRST(keys->at[k].key) == first && keys->at[k].help)
				take(out, K_SECOND(keys->at[k].key), keys->at[k].help);
	for (size_t i = 0; i < n_keys; i++)
		if (K_FIRST(key_table[i].key) == first && key_counts(&key_table[i], scope))
			take(out, K_SECOND(key_table[i].key), key_table[i].help);
}

static void put_second(void *out, int second, const char *help)
{
	str_putc(out, ' ');
	key_label(out, second);
	str_fmt(out, " %s ", help);
}

void key_put_seconds(struct str *out, struct key_scope scope, const struct doc *doc, int first)
{
	key_label(out, first);
	key_each_second(scope, doc, first, put_second, out);
}

static bool same_meaning(const struct key_row *a, const struct key_row *b)
{
	return a->context == b->context && a->action == b->action && a->style == b->style &&
	       !strcmp(a->help, b->help);
}

void key_put_help(struct doc *doc, const char *keys, const char *help)
{
	int cols = (int)utf8_columns(keys, strlen(keys));

	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, ROLE_STRONG, "%s", keys);
	doc_line_put(doc, ROLE_PLAIN, "%*s  %s", cols < KEYS_COLS ? KEYS_COLS - cols : 0, "", help);
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
	key_put_help(doc, keys.text, key_table[i].help);
	str_release(&keys);
	return n;
}

static bool is_of(const struct key_row *row, enum style style, enum context context)
{
	return row->context == context && (row->style == STYLE_BOTH || row->style == style);
}

static void put_context(struct doc *doc, enum style style, enum context context)
{
	doc_line_put(doc, ROLE_STRONG, "%s", context_names[context]);
	for (size_t i = 0; i < n_keys;)
		i += is_of(&key_table[i], style, context) ? put_row(doc, i) : 1;
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
		key_put_help(doc, key.text, keys->at[i].help);
	}
	doc_newline(doc);
	str_release(&key);
}

/* Keys of the view that are its own come first: they are what is looked for. */
void key_help(struct doc *doc, enum style style, const struct doc *view)
{
	const struct doc_keys *keys;

	for (size_t i = 0; view && (keys = doc_keys(view, i)); i++)
		if (keys->heading)
			put_brought(doc, keys);
	if (context_of(view) > CONTEXT_VIEW)
		put_context(doc, style, context_of(view));
	for (enum context c = 0; c <= CONTEXT_VIEW; c++)
		put_context(doc, style, c);
	doc_line_put(doc, ROLE_PLAIN,
	             "At the prompt every other key edits the line. Esc or q closes this.");
}
