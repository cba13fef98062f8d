#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/doc/doc.h"
#include "dump/base/str.h"

/* A key: a Unicode character as typed (control characters too), or one of these. */
enum {
	K_TAB = '\t', K_ENTER = '\r', K_ESC = 0x1b, K_BACKSPACE = 0x7f,
	K_UP = 0x110000, K_DOWN, K_LEFT = DOC_KEY_LEFT, K_RIGHT = DOC_KEY_RIGHT, K_HOME, K_END,
	K_PAGE_UP, K_PAGE_DOWN, K_INSERT, K_DELETE, K_BACKTAB, K_SHIFT_UP, K_SHIFT_DOWN,
	K_SHIFT_F3, K_FOCUS /* Ctrl-X o */,
	K_META,                  /* Alt and something, or a sequence nobody knows */
	K_F0 = 0x110100,         /* K_F0 + n is Fn */
	K_LETTER = 0x110200,     /* as the second of a pair in the table: any of a to z */
};
#define K_CTRL(letter) ((letter) & 0x1f)
#define K_F(n) (K_F0 + (n))
#define K_PAIR(first, second) DOC_KEY_PAIR(first, second)
#define K_FIRST(key) ((key) >> 22)       /* 0: not a pair */
#define K_SECOND(key) ((key) & ((1 << 22) - 1))

/*
 * Where a key counts. A row of CONTEXT_ANY holds in the prompt and in the view; one of CONTEXT_VIEW
 * in every kind of view; the rest in views whose rows are sorted or folded. What else a view has
 * its document brings (cmds/doc/doc.h).
 */
enum context { CONTEXT_ANY, CONTEXT_PROMPT, CONTEXT_VIEW, CONTEXT_TABLE, CONTEXT_TREE, N_CONTEXTS };
/* As headings. */
extern const char *const context_names[N_CONTEXTS];
enum context context_of(const struct doc *doc);          /* of a view; NULL: it shows nothing */

/* The screen is drawn in our style or as tfdbg's; some keys mean something else there. */
enum style { STYLE_BOTH /* of a row in the table */, STYLE_MODERN, STYLE_TFDBG };

/* Where a key is typed: context is CONTEXT_PROMPT or that of a view. */
struct key_scope {
	enum style style;
	enum context context;
};

enum action {
	ACTION_NONE,             /* in the prompt: the key is readline's */
	ACTION_PAGE_UP, ACTION_PAGE_DOWN, ACTION_ROW_UP, ACTION_ROW_DOWN, ACTION_HALF_UP,
	ACTION_HALF_DOWN, ACTION_CURSOR_UP, ACTION_CURSOR_DOWN, ACTION_FIRST, ACTION_LAST,
	ACTION_HOME, ACTION_END, ACTION_LEFT, ACTION_RIGHT, ACTION_LEFTMOST, ACTION_RIGHTMOST,
	ACTION_CHOP, ACTION_NUMBERS, ACTION_CASE,
	ACTION_COMPLETE, ACTION_OLDER, ACTION_NEWER, ACTION_ESCAPE, ACTION_FOCUS,
	ACTION_INTERRUPT,
	ACTION_SEARCH, ACTION_SEARCH_BACK, ACTION_NEXT_MATCH, ACTION_PREV_MATCH, ACTION_FILTER,
	ACTION_JUMP, ACTION_PROMPT, ACTION_OUTSIDE, ACTION_NEXT_BAD, ACTION_PREV_BAD,
	ACTION_NEXT_ERROR, ACTION_PREV_ERROR, ACTION_NEXT_DIFFERENCE, ACTION_PREV_DIFFERENCE,
	ACTION_NEXT_LINK, ACTION_PREV_LINK, ACTION_FOLLOW, ACTION_HINTS, ACTION_BACK,
	ACTION_FORWARD, ACTION_NODE, ACTION_SOURCE, ACTION_EXPLAIN, ACTION_NEXT_RUN,
	ACTION_PREV_RUN, ACTION_NEXT_STEP, ACTION_PREV_STEP, ACTION_FOLLOW_PATH, ACTION_REREAD,
	ACTION_SET_MARK, ACTION_GO_MARK, ACTION_GO_BACK, ACTION_TAG, ACTION_UNTAG,
	ACTION_COPY_ROW, ACTION_COPY_CELL, ACTION_COPY_LINK, ACTION_COPY_COMMAND,
	ACTION_NEXT_COLUMN, ACTION_PREV_COLUMN, ACTION_SORT, ACTION_SORT_REVERSED,
	ACTION_PICTURE, ACTION_LESS, ACTION_MORE, ACTION_UNIT, ACTION_NAMES, ACTION_FOLD_ALL,
	ACTION_UNFOLD_ALL,
	ACTION_NEXT_PANE, ACTION_ZOOM, ACTION_DETAIL, ACTION_TURN, ACTION_SHRINK, ACTION_GROW,
	ACTION_WHERE, ACTION_WARNINGS, ACTION_MOUSE, ACTION_HELP, ACTION_QUIT, ACTION_LEAVE,
	ACTION_REPAINT, ACTION_SUSPEND,
	ACTION_LEAVE_VIEW, ACTION_STAY_AT_PROMPT, ACTION_COMPARE, ACTION_GO_VIEW,
	N_ACTIONS
};

/* What a key is for, as the sheet of keys has it; those of documents are KEYS_HERE. */
enum key_group {
	KEYS_HERE, KEYS_MOVE, KEYS_OPEN, KEYS_FIND, KEYS_PANES, KEYS_LEAVE, N_KEY_GROUPS
};
extern const char *const key_group_names[N_KEY_GROUPS];

/* All keys but those of documents, in the help's order. Help, man page and tests read them here. */
struct key_row {
	enum context context;
	int key;
	enum action action;
	const char *help;
	enum style style;        /* where it holds */
	enum key_group group;
};
extern const struct key_row key_table[];
extern const size_t n_keys;

enum action key_action(struct key_scope scope, int key);
bool key_begins_pair(struct key_scope scope, int key);
/*
 * What may follow the first key of a pair, with its help: of a view of doc (NULL: none) first, then
 * of the table.
 */
typedef void take_second(void *out, int second, const char *help);
void key_each_second(struct key_scope scope, const struct doc *doc, int first, take_second *take,
                     void *out);
/* "] n next NaN or Inf  e next error". */
void key_put_seconds(struct str *out, struct key_scope scope, const struct doc *doc, int first);
void key_put(struct str *out, unsigned character);       /* in UTF-8 */
void key_label(struct str *out, int key);                 /* "Ctrl-L", "PgDn", "j", "]n" */
/* As key_label writes it, or "^C"; of several with a blank between them the first. 0: no key. */
int key_read(const char *text, size_t len);
/* Appends the keys of a view of doc (may be NULL) and of the prompt. */
void key_help(struct doc *out, enum style style, const struct doc *doc);
void key_put_help(struct doc *out, const char *keys, const char *help);  /* a line of that */
/* Is there a view, or the prompt, where rows of both contexts count? */
bool key_contexts_meet(enum context a, enum context b);
/* The same key, or the first of a pair where the other is a key of its own. */
bool keys_clash(int a, int b);
bool key_counts(const struct key_row *row, struct key_scope scope);
/* Does a key that doc brings stand among its hints? opens: Enter has something to open. */
bool key_is_hint(const struct doc *doc, const struct doc_key *key, bool opens);
/* For the status line, in a view of doc; opens: Enter has something to open. */
void key_put_hints(struct str *out, const struct doc *doc, bool opens);

#endif
