/* One table; lookup is a walk over it: a key press is rare beside what it causes. */
#include "tui/keys.h"

#include <stdbool.h>

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
	{ CONTEXT_ANY, K_F(6), ACTION_FOCUS, "to the view, to the prompt" },
	{ CONTEXT_ANY, K_FOCUS, ACTION_FOCUS, "to the view, to the prompt" },
	{ CONTEXT_ANY, K_F(7), ACTION_MOUSE, "mouse on, off" },
	{ CONTEXT_ANY, K_F(10), ACTION_LEAVE, "leave" },
	{ CONTEXT_ANY, K_CTRL('L'), ACTION_REPAINT, "repaint" },
	{ CONTEXT_ANY, K_CTRL('Z'), ACTION_SUSPEND, "suspend" },
	{ CONTEXT_ANY, K_CTRL('C'), ACTION_INTERRUPT, "stop what runs, clear the line, leave" },
	{ CONTEXT_ANY, K_ESC, ACTION_ESCAPE, "close, or go to the view or the prompt" },
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
	{ CONTEXT_VIEW, '/', ACTION_SEARCH, "search forward" },
	{ CONTEXT_VIEW, '?', ACTION_SEARCH_BACK, "search backward" },
	{ CONTEXT_VIEW, 'n', ACTION_NEXT_MATCH, "next match" },
	{ CONTEXT_VIEW, 'N', ACTION_PREV_MATCH, "previous match" },
	{ CONTEXT_VIEW, '@', ACTION_JUMP, "go to an element" },
	{ CONTEXT_VIEW, ':', ACTION_PROMPT, "to the prompt" },
	{ CONTEXT_VIEW, 'i', ACTION_PROMPT, "to the prompt" },
	{ CONTEXT_VIEW, K_TAB, ACTION_NEXT_LINK, "next link" },
	{ CONTEXT_VIEW, K_BACKTAB, ACTION_PREV_LINK, "previous link" },
	{ CONTEXT_VIEW, K_ENTER, ACTION_FOLLOW, "follow the link; none: to the prompt" },
	{ CONTEXT_VIEW, 'H', ACTION_BACK, "previous screen" },
	{ CONTEXT_VIEW, K_BACKSPACE, ACTION_BACK, "previous screen" },
	{ CONTEXT_VIEW, 'L', ACTION_FORWARD, "next screen" },
	{ CONTEXT_VIEW, 'M', ACTION_MOUSE, "mouse on, off" },
	{ CONTEXT_VIEW, 'h', ACTION_HELP, "these keys" },
	{ CONTEXT_VIEW, 'q', ACTION_QUIT, "close, or leave" },
};
const size_t n_keys = sizeof key_table / sizeof *key_table;

enum action key_action(enum context context, int key)
{
	for (size_t i = 0; i < n_keys; i++) {
		const struct key_row *row = &key_table[i];

		if (row->key == key && (row->context == CONTEXT_ANY || row->context == context))
			return row->action;
	}
	return ACTION_NONE;
}

static const struct { int key; const char *name; } key_names[] = {
	{ K_TAB, "Tab" }, { K_ENTER, "Enter" }, { K_ESC, "Esc" }, { K_BACKSPACE, "Backspace" }, { ' ', "Space" },
	{ K_UP, "Up" }, { K_DOWN, "Down" }, { K_LEFT, "Left" }, { K_RIGHT, "Right" }, { K_HOME, "Home" },
	{ K_END, "End" }, { K_PAGE_UP, "PgUp" }, { K_PAGE_DOWN, "PgDn" }, { K_INSERT, "Insert" },
	{ K_DELETE, "Delete" }, { K_BACKTAB, "Shift-Tab" }, { K_SHIFT_UP, "Shift-Up" },
	{ K_SHIFT_DOWN, "Shift-Down" }, { K_SHIFT_F3, "Shift-F3" }, { K_FOCUS, "Ctrl-X o" }, { K_META, "Alt" },
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

static bool same_meaning(const struct key_row *a, const struct key_row *b)
{
	return a->context == b->context && a->action == b->action;
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
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, ROLE_STRONG, "%s", str_text(&keys));
	doc_line_put(doc, ROLE_PLAIN, "%*s  %s", keys.len < KEYS_COLS ? (int)(KEYS_COLS - keys.len) : 0, "",
	             key_table[i].help);
	str_release(&keys);
	return n;
}

struct doc *key_help(void)
{
	static const char *const heading[] = { "Everywhere", "At the prompt", "In the view" };
	struct doc *doc = doc_new();

	for (size_t i = 0; i < n_keys;) {
		if (!i || key_table[i].context != key_table[i - 1].context) {
			if (i)
				doc_newline(doc);
			doc_line_put(doc, ROLE_STRONG, "%s", heading[key_table[i].context]);
		}
		i += put_row(doc, i);
	}
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "At the prompt every other key edits the line. Esc or q closes this.");
	return doc;
}
