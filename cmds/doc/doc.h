#ifndef CMDS_DOC_H
#define CMDS_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmds/doc/data.h"
#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/*
 * What a command answers: lines of text with roles and links, then at most one body whose lines are
 * made when they are asked for, then foot lines. A document cannot tell who shows it: a pane, a
 * pipe, a test.
 *
 * A role says what a piece of text is; tui/theme.c decides its colour. X(id, before, after) has the
 * attributes that the doc format, tfdbg's own notation, writes before and after the link.
 */
#define ROLES(X) \
	X(PLAIN, "", "")             /* plain text, or only a link */ \
	X(STRONG, "", "bold") \
	X(ERROR, "red", "") \
	X(SLOT, "yellow", "")        /* after the last colon of a label */ \
	X(LINE_NUMBER, "yellow", "") \
	X(OP, "blue", "") \
	X(OWN, "white", "")          /* the user's own source files */ \
	X(LIBRARY, "gray", "")       /* source files of TensorFlow */ \
	X(ITEM, "underline", "") \
	X(CHANGED_ITEM, "underline", "bold") \
	X(ALARM, "blink", "") \
	X(CUT, "magenta", "") \
	X(COST, "cyan", "")          /* what a source line cost */ \
	X(COST_BAR, "bold|cyan", "") \
	X(DAMAGED, "", "")           /* ours: a row whose file can't be read */ \
	X(BAD, "", "")               /* ours: NaN, an infinity */ \
	X(DIFFERS, "", "")           /* ours: unlike in the other run */ \
	X(SCALE, "", "")             /* ours: a place on a scale: seg.ink, seg.ground */ \
	X(SIGNED_SCALE, "", "")      /* the same, with 0 in the middle */ \
	X(GRAY_SCALE, "", "")        /* from dark to light */ \
	X(FAMILY_1, "", "")          /* ours: a kind of work (cmds/profile/family.h) */ \
	X(FAMILY_2, "", "") \
	X(FAMILY_3, "", "") \
	X(FAMILY_4, "", "") \
	X(FAMILY_5, "", "") \
	X(FAMILY_6, "", "") \
	X(FAMILY_7, "", "") \
	X(FAMILY_8, "", "") \
	X(TABBED, "", "")            /* ours: from here on, keep tabs */

enum role {
#define X(id, before, after) ROLE_##id,
	ROLES(X)
#undef X
	N_ROLES
};

/*
 * A piece of a line: bytes [begin, end). link: offset of its command in the line's links, or
 * NO_LINK. ink and ground are for the roles that are scales: the steps of the character and of its
 * background, from 1 to SCALE_STEPS; 0: not on the scale. With ink 0 the character takes any
 * colour that is readable on the ground.
 */
enum { SCALE_STEPS = 15, TAB_COLUMNS = 8 };
struct seg {
	uint32_t begin, end;
	enum role role;
	uint32_t link;
	uint8_t ink, ground;
};
#define NO_LINK UINT32_MAX

/* What a row of a tensor has: an element, whose index is noted, or "..." for some left out. */
enum note { NOTE_NONE, NOTE_INDEX, NOTE_OMITTED };
#define NOTE_MAX_RANK 32

/* One line, in the caller's storage, which may be reused. Start with {0}. */
struct line {
	bool text_only;                  /* set by the caller: no marks are asked for */
	struct str text;
	VEC(struct seg) segs;            /* in the order they were put */
	struct str links;                /* commands, each ended by NUL */
	enum note note;
	uint32_t rank;
	int64_t index[NOTE_MAX_RANK];
};

void line_reset(struct line *line);
void line_release(struct line *line);
void line_put(struct line *line, enum role role, const char *text, size_t len);
void line_fmt(struct line *line, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void line_link(struct line *line, enum role role, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));      /* text shown, then the command it runs */
/* These mark bytes that are there already. */
void line_mark(struct line *line, enum role role, size_t begin, size_t end);
void line_shade(struct line *line, enum role scale, size_t begin, size_t end, int ink, int ground);
void line_mark_link(struct line *line, enum role role, size_t begin, size_t end,
                    const char *command);
const char *seg_link(const struct line *line, const struct seg *seg);          /* NULL: none */
/* A link that can be seen? tfdbg has some of no width, which only the doc format shows. */
bool seg_shows_link(const struct seg *seg);

/*
 * Lines on demand: one static row per kind of body (struct body_kind, below). Calls for one body
 * come from one thread at a time. Any but rows and line may be NULL.
 * rows   lines known so far; may grow until work returns BODY_DONE
 * line   makes line `row` for a pane of this width, 0: any. False with *err: the row shows the
 *        error
 * work   does a slice of the work that is left; NULL: there is no such work
 * columns_of, cell_of   only of tables: the columns (cmds/doc/table.h), in the order of the heading
 *        above the body, and one typed cell
 * cells  only of grids, see below
 * depth  only of trees: the level of a row, from 1; the deeper rows after it are its descendants;
 *        0: it is not part of the tree
 * brief  puts a summary of all rows, at most cols columns, to show beside the body; fine: it may
 *        use more than ASCII; puts nothing while there is nothing to say
 * find   the row that shows the element with this index (the last row whose note is <= index);
 *        NULL: look at every row
 */
enum body_state { BODY_DONE, BODY_WORKING };
struct body;

/* A typed cell, in the caller's storage, which may be reused. Start with {0}. */
struct table_cell {
	bool missing;            /* no value; sorts last */
	double number;           /* in a column of numbers */
	struct str text;         /* in any other */
};

/*
 * A grid: each row is a label and then cells of equal width; row 0 holds the labels of the columns.
 * `line` of the body shows the cells that its command asked for; these functions reach all of them.
 * line     as many cells as fit the width, at least one, from `column` on
 * widths   of the label and of a cell, in columns of the screen; a space comes before each cell
 * value    one element in full
 * label    the element's index in the array, written as in the labels: "[2,1]"
 * find     the cell with this index; false: there is none
 * whole    the shape of the whole tensor: its rank, and its dimensions into *dims
 * find_place   the place of the element with this index of the whole tensor, in whichever slice;
 *          false: the grid has no such element
 * A place is the number of an element in the whole tensor, counted slice after slice and row by
 * row.
 * place_of, cell_at   from a cell of this slice (row 0 is the first below the labels) to a place
 *          and back; DOC_KEY_SLICE takes the number of another slice
 * find_bad   looks for NaN and infinities, at no more than max elements from *place on (backward:
 *          down from it). *found: one is at *place; else *place is where to go on. False with *err:
 *          the value can't be read there.
 */
struct cell_at {
	uint64_t slice, row, column;
	bool here;               /* in the slice that is shown */
};
struct cells_kind {
	uint64_t (*n_columns)(struct body *body);
	uint64_t (*first)(struct body *body);    /* the column that the command begins with */
	void (*widths)(struct body *body, int *label, int *cell);
	bool (*line)(struct body *body, uint64_t row, uint64_t column, int width, struct line *line,
	             struct err *err);
	bool (*value)(struct body *body, uint64_t row, uint64_t column, struct str *out,
	              struct err *err);
	void (*label)(struct body *body, uint64_t row, uint64_t column, struct str *out);
	bool (*find)(struct body *body, const int64_t *index, uint32_t rank, uint64_t *row,
	             uint64_t *column);
	uint32_t (*whole)(struct body *body, const int64_t **dims);
	bool (*find_place)(struct body *body, const int64_t *index, uint32_t rank, uint64_t *place);
	uint64_t (*places)(struct body *body);
	uint64_t (*place_of)(struct body *body, uint64_t row, uint64_t column);
	struct cell_at (*cell_at)(struct body *body, uint64_t place);
	bool (*find_bad)(struct body *body, uint64_t *place, bool backward, uint64_t max,
	                 bool *found, struct err *err);
};

/*
 * A stage is a body that one can pan and zoom, such as lanes of time or boxes of a graph. The pane
 * keeps the view: what part is shown (from, span) and which item is under the cursor (row, item).
 * What these numbers mean is up to the stage, except that span is never 0.
 * n_heading  rows of the body that stay on top; the items are in those below
 * begin      sets *stage to the first view
 * line       as line of the body, of this view
 * move       changes *stage, n times; false: the stage has no such move
 * go_row     moves the cursor to an item in this row of the body, the one nearest to where it was
 * point      moves the cursor to the item that shows in this row of the body, at this column;
 *            false: there is none
 * scroll     shows what comes n steps later, or before; false: all shows. NULL: it always does
 * fit        *stage was of another body, which the same line has made or one alike: makes it one
 *            of this body
 * spot       where the item under the cursor shows: the row of the body, and the columns
 *            [*begin, *end), empty if it is out of sight
 * put_item   about that item, in at most `width` columns
 */
struct stage {
	int64_t from, span;
	uint64_t row, item;
};
enum stage_move { STAGE_LEFT, STAGE_RIGHT, STAGE_LEFTMOST, STAGE_RIGHTMOST, STAGE_NEXT, STAGE_PREV,
                  STAGE_LESS, STAGE_MORE, STAGE_WHOLE };
struct stage_kind {
	uint64_t (*n_heading)(struct body *body);
	void (*begin)(struct body *body, int width, struct stage *stage);
	void (*line)(struct body *body, uint64_t row, const struct stage *stage, int width,
	             struct line *line);
	bool (*move)(struct body *body, enum stage_move move, int64_t n, int width,
	             struct stage *stage);
	void (*go_row)(struct body *body, uint64_t row, int width, struct stage *stage);
	bool (*point)(struct body *body, uint64_t row, int col, int width, struct stage *stage);
	bool (*scroll)(struct body *body, int64_t n, struct stage *stage);
	void (*fit)(struct body *body, struct stage *stage);
	void (*spot)(struct body *body, const struct stage *stage, int width, uint64_t *row,
	             int *begin, int *end);
	void (*put_item)(struct body *body, const struct stage *stage, int width, struct str *out);
};

struct body_kind {
	const char *name;
	uint64_t (*rows)(struct body *body);
	bool (*line)(struct body *body, uint64_t row, int width, struct line *line,
	             struct err *err);
	enum body_state (*work)(struct body *body, struct progress *progress);
	bool (*find)(struct body *body, const int64_t *index, uint32_t rank, uint64_t *row);
	void (*free)(struct body *body);
	const struct col *(*columns_of)(struct body *body, size_t *n);
	bool (*cell_of)(struct body *body, uint64_t row, size_t column, struct table_cell *out,
	                struct err *err);
	const struct cells_kind *cells;
	uint32_t (*depth)(struct body *body, uint64_t row);
	void (*brief)(struct body *body, int cols, bool fine, struct str *out);
	const struct stage_kind *stage;  /* only of stages */
	bool chopped;            /* long lines are cut, never wrapped */
	bool drawn;              /* a picture, made to fit the pane it is shown in */
	/* Is the row about something with NaN or Inf? NULL: not known. */
	bool (*is_bad)(struct body *body, uint64_t row);
};
struct body {
	const struct body_kind *kind;   /* first member of every body */
};

struct menu_item {
	const char *caption;
	const char *command;     /* what it runs; without a node to run it on, the caption */
	bool on;
};

/* How the title of a screen looks: depends on the state of the run. */
enum title_look {
	TITLE_PLAIN,
	TITLE_START,             /* before a run */
	TITLE_ALARM,             /* a filter stopped here, or the run looks cut short */
};
struct doc_title {
	const char *text;
	enum title_look look;
	const void *about;       /* the run it is about, to compare; NULL: none */
};

struct doc;

struct doc *doc_new(void);
void doc_free(struct doc *doc);

/* For anything that must live as long as the document. */
struct arena *doc_mem(struct doc *doc);

/* Calls release(what) when the document is freed. */
void doc_keep(struct doc *doc, void (*release)(void *what), void *what);

/*
 * Gives the answer a typed form, for JSON and CSV: put writes a list of objects (DATA_ROWS) or one
 * value. An answer without one is a list of its lines there. context must live as long as the
 * document (in doc_mem, or in the body).
 */
enum data_shape { DATA_ROWS, DATA_VALUE };
typedef bool doc_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err);
void doc_typed(struct doc *doc, enum data_shape shape, doc_put_data *put, void *context);
/* The typed answer counts although the command failed: it found nothing. */
void doc_typed_failure(struct doc *doc);
/*
 * Names the typed answer `name` instead of by its command line. `beside`, which may be NULL and is
 * called with the context of doc_typed, writes further keys beside "rows" or "value", in JSON only.
 */
void doc_typed_as(struct doc *doc, const char *name, doc_put_data *beside);
void doc_warn(struct doc *doc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Building: text goes to the open line, doc_newline ends it. */
void doc_put(struct doc *doc, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void doc_put_text(struct doc *doc, enum role role, const char *text, size_t len);
void doc_link(struct doc *doc, enum role role, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
struct line *doc_open_line(struct doc *doc);             /* the one that is being built */
void doc_newline(struct doc *doc);
void doc_line_put(struct doc *doc, enum role role, const char *fmt, ...)       /* a whole line */
	__attribute__((format(printf, 3, 4)));
void doc_body(struct doc *doc, struct body *body);       /* owned by doc; then comes the foot */
struct body *doc_get_body(const struct doc *doc);
void doc_scroll_to(struct doc *doc, uint64_t row);       /* first row to show; 0 unless set */
void doc_tensor(struct doc *doc, const char *dtype, uint32_t rank, const int64_t *dims);
void doc_menu_item(struct doc *doc, const char *caption, const char *command, bool on);

/*
 * Keys of a view, which come with its document. Each key stands for a command line, so whatever is
 * shown, there is a command line that shows it.
 * key    a character as typed, or one of DOC_KEY_*; 0: there is only a hint
 * help   for the help and the man page; NULL: a key of all views, described with those
 * hint   what it does, in a word or two, for the line that names keys; NULL: the line leaves the
 *        key out. The hint of Enter shows only where there is something to open
 * hint_keys   how the keys are written there, with spaces between them: "< > s"
 * n      what one press adds; with KEY_MOVES an enum stage_move
 * turns  rows and columns change places, and so do those of the cursor
 * refusal   why the key does nothing here; NULL: put writes the line
 */
enum {
	DOC_KEY_ENTER = '\r', DOC_KEY_LEFT = 0x110002, DOC_KEY_RIGHT,
	/* No keyboard has these; the pane asks for them: */
	DOC_KEY_SLICE = 0x120000,        /* the n-th of a grid's slices */
	DOC_KEY_WAY,             /* only the options for drawing a picture, to add to a line */
};
/* Two keys, one after the other; the first is an ASCII character. */
#define DOC_KEY_PAIR(first, second) ((first) << 22 | (second))
enum doc_key_way {
	KEY_HINT,                /* does what it does everywhere; put may give its line */
	KEY_REWRITES,            /* shows the same command with an option changed */
	KEY_OPENS,               /* a screen about the row or item; no line: as in all views */
	KEY_ASKS,                /* as if its line were typed, wherever the cursor is */
	KEY_TELLS,               /* does something: the first line of the answer is a toast */
	KEY_GOES,                /* to a row of the body: the line is its number, from 0 */
	KEY_MOVES,               /* on a stage */
	/* Where a grid and its picture are side by side, the key rewrites one of them: */
	KEY_OF_GRID, KEY_OF_PICTURE,
	KEY_OF_PICTURE_ALONE,    /* the picture, opened if there is none */
};
struct doc_key {
	int key;
	const char *help, *hint_keys, *hint;
	enum doc_key_way way;
	int64_t n;
	bool turns;
	const char *refusal;
};
struct doc_keys {
	const char *heading;     /* in the help: "In tables of kernels"; NULL: no key has help */
	const struct doc_key *at;
	size_t n;
};
#define DOC_KEYS(table) .at = (table), .n = sizeof (table) / sizeof *(table)

/* Where a key was typed, and the number n before it; row counts only if in_body. */
struct doc_at {
	int key;
	int64_t n;
	bool in_body;
	uint64_t row;
	const struct stage *stage;
};
/* Puts the command line. False: there is none, and out says why or is empty. */
typedef bool doc_put_key(void *context, const struct doc_at *at, struct str *out);
/*
 * If several sets have a key, the first one counts. context lives as long as the document; put may
 * be NULL if no key needs it.
 */
void doc_bring_keys(struct doc *doc, const struct doc_keys *keys, doc_put_key *put, void *context);
const struct doc_keys *doc_keys(const struct doc *doc, size_t i);       /* NULL: no more */
const struct doc_key *doc_find_key(const struct doc *doc, int key);     /* NULL: no such key */
bool doc_put_line(const struct doc *doc, const struct doc_at *at, struct str *out);
#define NOTHING_CHANGES "There is nothing here that this key changes"

/*
 * Signs beside rows of the body: whether what a row is about is as it should be, as far as it is
 * known now. Nothing is read for them where they are asked for; with `look` what is unknown is
 * looked at in the background, if the session has not read too much that way already.
 */
enum row_sign {
	SIGN_UNKNOWN,            /* not looked at yet: it may change */
	SIGN_NONE,               /* clean, or the row is about nothing */
	SIGN_BAD,                /* it holds NaN or Inf */
	SIGN_ORIGIN,             /* and none of what it was made from does */
	SIGN_HARMLESS,           /* it holds some that do no harm */
	SIGN_DAMAGED,            /* it can't be read, or not all of it is there */
	SIGN_CANT_TELL,          /* the record does not say */
};
/* Does it hold NaN or Inf, whatever else is known of them? */
static inline bool row_sign_is_bad(enum row_sign sign)
{
	return sign == SIGN_BAD || sign == SIGN_ORIGIN || sign == SIGN_HARMLESS;
}
/* The graver one, of what is about both: what is bad or damaged first, then what is not known. */
enum row_sign sign_of_both(enum row_sign a, enum row_sign b);

/*
 * of       row counts from the body's first
 * say      what is known of what it is about, in words; "·" (".") while nothing is. NULL: nothing
 * sum_up   the same of what the document is about, in a line of at most so many columns, if that
 *          can be; returns its sign. NULL: it is about no one thing
 * go_on    did signs change since the caller was told, or will they? told is the caller's own, from
 *          0. NULL: the body's work says it, or all that will be known is
 */
struct doc_signs {
	enum row_sign (*of)(void *context, uint64_t row, bool look);     /* NULL: rows have none */
	bool (*go_on)(void *context, uint64_t *told);
	void (*say)(void *context, uint64_t row, bool fine, struct str *out);
	enum row_sign (*sum_up)(void *context, int cols, bool fine, struct str *out);
};
void doc_bring_signs(struct doc *doc, const struct doc_signs *signs, void *context);
bool doc_has_signs(const struct doc *doc);
/* Of any row of the document; SIGN_NONE where there are none. */
enum row_sign doc_sign(const struct doc *doc, uint64_t row, bool look);
/* Of any row; false: there is nothing to say. */
bool doc_say_row(const struct doc *doc, uint64_t row, bool fine, struct str *out);
bool doc_has_summary(const struct doc *doc);
enum row_sign doc_sum_up(const struct doc *doc, int cols, bool fine, struct str *out);
bool doc_signs_go_on(const struct doc *doc, uint64_t *told);

/*
 * The document shows more than its line asked for, or would if there was room: the words that would
 * have asked for it, static text, "" while nothing more shows. NULL: the width makes no difference.
 */
void doc_set_more(struct doc *doc, const char *words);
const char *doc_more(const struct doc *doc);

/*
 * More could be said if this command line had been answered before: a screen has it answered when
 * nobody asks for anything, and asks again for the document's own line. Static text.
 */
void doc_set_wants(struct doc *doc, const char *line);
const char *doc_wants(const struct doc *doc);            /* NULL: nothing */

/* The title of its screen, copied; without one the session's title is shown. */
void doc_set_title(struct doc *doc, const char *text, enum title_look look, const void *about);

/* It is about the profile's current step: at another one the same line answers otherwise. */
void doc_set_of_step(struct doc *doc);
/* It is made for the size of its pane: in another size its line is run again. */
void doc_set_fitted(struct doc *doc);
/* It lists the runs and marks the current one. */
void doc_set_of_runs(struct doc *doc);
#define NO_GRAPH "no graph is open: --graph FILE, or open the directory"

/* Reading. */
const struct doc_title *doc_title(const struct doc *doc);        /* NULL: none was set */
bool doc_tells_failure(const struct doc *doc);
bool doc_of_step(const struct doc *doc);
bool doc_is_fitted(const struct doc *doc);
bool doc_of_runs(const struct doc *doc);
uint64_t doc_rows(const struct doc *doc);
uint64_t doc_body_row(const struct doc *doc);            /* rows before the body */
/* Errors become the line's text. */
bool doc_line(const struct doc *doc, uint64_t row, int width, struct line *line);
/* The same for a grid, with cells from this column on. */
bool doc_line_from(const struct doc *doc, uint64_t row, uint64_t column, int width,
                   struct line *line);
const struct cells_kind *doc_cells(const struct doc *doc);       /* NULL: not a grid */
/* The same for a stage, of this view. */
bool doc_line_staged(const struct doc *doc, uint64_t row, const struct stage *stage, int width,
                     struct line *line);
const struct stage_kind *doc_stage(const struct doc *doc);       /* NULL: not a stage */
uint64_t doc_heading(const struct doc *doc);             /* rows of its body that stay on top */
enum body_state doc_work(struct doc *doc, struct progress *progress);
/* Works until this row is final, or all are. */
void doc_settle(struct doc *doc, uint64_t row, struct progress *progress);
uint64_t doc_start_row(const struct doc *doc);
bool doc_has_start_row(const struct doc *doc);           /* a command has set it, perhaps to 0 */
const struct menu_item *doc_menu(const struct doc *doc, size_t *n);
/* The displayed tensor; NULL if the document shows none. */
struct doc_tensor { const char *dtype; uint32_t rank; int64_t dim[NOTE_MAX_RANK]; };
const struct doc_tensor *doc_get_tensor(const struct doc *doc);
/* Writes the typed answer: under the key "rows" or "value" in JSON, as a table in CSV. */
bool doc_write_data(struct doc *doc, struct data *data, struct progress *progress, struct err *err);
const char *doc_typed_name(const struct doc *doc);       /* NULL: the command line */
size_t doc_warnings(const struct doc *doc);
const char *doc_warning(const struct doc *doc, size_t i);
bool doc_find_element(const struct doc *doc, const int64_t *index, uint32_t rank, uint64_t *row);

#endif
