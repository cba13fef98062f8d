#ifndef TUI_STATE_H
#define TUI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/origins/verdict.h"
#include "cmds/session/shell.h"
#include "cmds/session/themes.h"
#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tui/bindings.h"
#include "tui/history.h"
#include "tui/input.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/palette.h"
#include "tui/pane.h"
#include "tui/screens.h"
#include "tui/sheet.h"
#include "tui/theme.h"
#include "tui/worker.h"

/*
 * All of the screen's state, and the small steps on it that others share. Keys, the mouse and
 * answers change it (tui/actions.h, tui/mouse.h, tui/orders.h); tui/draw.h only reads it.
 */

/*
 * A pane with what it shows: the present one of its screens, or a document that no history holds.
 */
struct view {
	struct pane pane;
	uint64_t shows;          /* counts what it shows, one after the other */
	struct screens screens;
	struct doc *loose;  /* the provisional first screen, or a detail; NULL: the screens count */
	char *loose_command;
	uint64_t beyond;         /* rows below the first that keys asked for and had not come */
	bool follows;            /* the detail pane: shows what the row of another pane is about */
	char *opens;             /* its command in the layout; NULL: the list, or opened later */
	bool stays;              /* answers to lines typed here go to the main pane */
	bool pictures;           /* the pane that p opens: a picture of what is in pane `source` */
	int source;
	int asked_rows, asked_cols;      /* the size that its document was made for */
	bool numbers;            /* row numbers show */
	bool body_works;         /* its document may have more to do */
	uint64_t signs_told;     /* of tui/gutter.h */
};

struct toast {
	struct str text;
	enum look look;
	int64_t until_ms;        /* 0: none shows */
};

/* What Tab found. */
struct candidates {
	struct str text;         /* names, cell text, a blank between two */
	VEC(size_t) begin;       /* of each name in text */
	size_t total;            /* there are so many; 0: the window is closed */
};

/* A letter or two on a link that shows. */
struct hint {
	char label[3];
	int row, col;            /* of the screen */
	char *command;
};

/*
 * What an answer is for: a screen, "where am I", a jump to the line it names, NaN or Inf rows, a
 * line to be told.
 */
enum order_use {
	ORDER_SCREEN, ORDER_WHERE, ORDER_SOURCE, ORDER_BAD, ORDER_TELL,
	ORDER_REREAD,            /* no command: PATH is read again */
	ORDER_QUIET              /* the screen wants what it finds out (tui/quiet.h) */
};

/* A command line to be run. */
struct order {
	char *line;
	int view;                /* whose screen the answer becomes */
	bool typed;              /* goes to the history */
	bool start;              /* one of the lines from the command line */
	bool detail;             /* what a detail pane asked for */
	enum order_use use;
	bool again;              /* for the view's present screen, which has no answer */
	bool rewrites;           /* the answer takes the place of the present screen */
	uint64_t of;             /* which screen of the view that was (view.shows) */
	bool to_current;         /* it is a list of runs: the current one is to show */
	int key;                 /* what it makes of the view then gives the line; 0: line is set */
	int64_t n;
	bool has_cell;           /* of the answer, to go to */
	uint64_t cell_row, cell_column;
	uint64_t row;            /* of the answer, to go to; NO_ROW: none */
};

/* A row of a command's answer. */
struct mark {
	char *command;           /* NULL: not set */
	uint64_t row;
	char letter;
	const void *about;       /* the run whose mark it is (doc_title); NULL: none */
	char *text;              /* for the list of marks: run and row; NULL: the last place */
};

/* Of tui/tags.h. */
struct tag {
	char *subject;           /* a command line about it, by which it is known */
	const void *about;       /* the run (doc_title); NULL: it is there in all of them */
	char *text;              /* for the list */
};

/* What the button holds. */
enum grip { GRIP_NONE, GRIP_BAR_END, GRIP_BLOCK, GRIP_RULE, GRIP_OTHER };
struct hold {
	enum grip grip;
	int view, rule;          /* whose bar, which rule */
	int step;                /* the bar's end: -1 up, 1 down */
	int64_t at_ms;           /* when it counts again */
};
struct clicked {
	int row, col;
	int64_t at_ms;
};

struct app {
	struct shell *shell;
	struct worker *worker;
	bool no_mouse;           /* the command line says so */
	bool slow;               /* --slow: no pictures, nothing is read unasked */
	enum style style;
	enum style asked_style;  /* the command line's; STYLE_BOTH: as it is set */
	bool stays_at_prompt;    /* what is entered doesn't lead back to the view */
	/* settings, read while no command runs: PgUp and PgDn go a row, as tfdbg's */
	bool page_is_line;
	bool wraps;              /* rows of a pane that has the screen alone */
	int64_t toast_ms;
	/* what shows (tui/theming.h): its name, and how many colours it may take */
	char theme_shown[THEME_NAME_MAX];
	int theme_colours;
	bool looks_at_theme;     /* it is one that the cursor's row would set */
	struct history history;
	struct view view[MAX_PANES];     /* by pane number */
	struct arrangement arrangement;
	int focus;               /* the pane that keys move, or moved last */
	bool zoom;               /* only that one shows */
	struct layout layout;
	struct pane overlay_pane;
	struct doc *overlay;     /* the keys, the warnings; NULL: closed */
	VEC(struct order) orders;
	struct order running;
	int64_t asked_ms;        /* when a line was last put among the orders */
	bool loading, loaded, settled /* the first command has answered */;
	bool mouse;
	bool view_line;          /* the line at the prompt was begun from the view */
	struct str set_aside;    /* what stood at the prompt before that */
	struct str filter_typed; /* the filter at the prompt, with its "&" */
	bool bad_filter;         /* it is no pattern yet */
	bool half_ctrl_x;
	int first_key;           /* of a pair; 0: none */
	char letter;             /* that ended a pair */
	struct bindings bindings;
	VEC(struct event) early; /* keys that wait (tui/early.h) */
	bool unbound;            /* the last key in the view meant nothing */
	uint64_t typed_count;    /* digits before a key in the view; 0: none */
	bool stepped;            /* to another screen: once idle, its run becomes the current one */
	bool tab_waits;  /* Tab was pressed while a command ran: complete when it is done */
	bool asks_to_leave;
	int64_t interrupt_ms;    /* of the last Ctrl-C that did nothing */
	VEC(struct hint) hints;  /* empty: none show */
	bool names_links;        /* they show, or are being made */
	struct str hint_typed;
	VEC(struct mark) marks;  /* of each run its own */
	struct mark last_place;
	VEC(struct tag) tags;    /* in the order in which they were set */
	int64_t rest_ms;         /* since when the main pane's cursor rests on this row */
	uint64_t rest_row;
	struct str opened;       /* what is open, in our style's title */
	bool has_others;         /* runs or steps to compare with */
	struct str compared;     /* with which last; "": the one before */
	struct verdict verdict;  /* of its numbers, there too */
	struct {
		int64_t since_ms;        /* of the last key */
		bool dropped;            /* what runs is to be asked for again */
		bool stopped;            /* by the user */
		VEC(char *) asked;       /* lines that were answered */
	} quiet;
	struct str where;        /* what "where am I" knows without asking, lines */
	/* PATH is followed (tui/following.h) */
	int64_t news_from_ms;    /* not before */
	bool toggles_following;  /* once no command runs */
	char *waiting;           /* the line that goes on when there are news; NULL: none */
	struct str waits_for;
	int64_t waiting_until_ms;        /* 0: for good */
	/* rows with NaN or Inf (tui/bad_rows.h) */
	struct {
		struct arena mem;
		struct map keys;
		bool backward;
		uint64_t times;
	} bad;
	struct str detail_asked; /* the command that was run for the detail pane last */
	struct str detail_otherwise;     /* to be run if that fails; "": nothing */
	bool detail_failed;      /* it has failed: the other one is next */
	struct str picture_asked;        /* the command that a picture's grid asked for last */
	bool detail_dropped;     /* its answer isn't wanted any more */
	struct hold hold;
	struct clicked clicked;
	struct toast toast;
	VEC(char *) messages;    /* toasts, oldest first */
	struct candidates candidates;
	struct palette palette;  /* in our style */
	struct sheet sheet;
	bool quit;
	int signal;              /* that ends the program; 0: none */
	bool not_loaded;         /* the dump can't be read: err */
	int status;              /* of the lines it began with */
	struct err err;
};

void app_release(struct app *app);

void app_take_settings(struct app *app); /* while no command runs */

/* Shows for some seconds, or until the next key; kept as a message. */
void app_toast(struct app *app, enum look look, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Views. */
struct view *app_view(struct app *app);          /* the one with the focus */
struct pane *app_pane(struct app *app);  /* the one that keys move: the overlay if it is open */
/* The first pane that is no detail and that no layout gave a command; else the first of those. */
int app_main(const struct app *app);
int app_detail(const struct app *app);           /* NO_PANE: none */
int app_target(const struct app *app);  /* whose screen the answer to a typed line becomes */
int app_view_rows(const struct app *app, int view);
int app_view_cols(const struct app *app, int view);      /* what commands get as their width */
bool app_is_hidden(const struct app *app, int view);
struct doc *view_doc(struct view *view);         /* what it shows; NULL: nothing */
const char *view_command(struct view *view);     /* that it answers; "" for none */
/* The same, with the words for what it shows beyond that. */
void view_put_command(struct view *view, struct str *out);
struct doc_title app_title(struct app *app);     /* of what the main pane shows */
int view_gutter(const struct view *view);        /* columns of the row numbers */
void view_release(struct view *view);

void app_layout(struct app *app);  /* after a change of size, of panes, of what shows */
void app_show(struct app *app, int view, const struct place *place);  /* what the view shows now */
void app_show_screen(struct app *app, int view);         /* its present screen, as it was left */
/* Drops all answers but messages; screens keep their commands and run them again when shown. */
void app_drop_answers(struct app *app);
void app_keep_place(struct app *app, int view);  /* in its present screen */
/* The view takes doc over as one that no history holds. */
void app_show_loose(struct app *app, int view, const char *command, struct doc *doc,
                    const struct place *place);
/*
 * The same of a provisional screen of which more is known now: the place, how far the cursor went
 * and which rows are chosen stay. pushes: it becomes a screen of the history.
 */
void app_show_fuller(struct app *app, int view, const char *command, struct doc *doc, bool pushes);
/* The present screen becomes another one of its kind; the cursor stays. */
void app_rewrite_screen(struct app *app, int view, const char *command, struct doc *doc);
void app_push_screen(struct app *app, int view, const char *command, struct doc *doc);
/* What the screen itself has to say, as the answer to this command, about the run that shows. */
void app_push_own(struct app *app, const char *command, struct doc *doc);
/* The view's latest screen about the run of this document becomes the present one; false: none. */
bool app_show_latest(struct app *app, int view, const struct doc *doc);
bool app_can_step(struct app *app, int step);    /* is there an older (-1) or newer (1) screen? */
void app_step_screen(struct app *app, int step);

/* Orders wait until nothing else runs; what is typed to leave does not. */
void app_order(struct app *app, const char *line);       /* as if typed */
void app_order_at_start(struct app *app, const char *line);
void app_order_for(struct app *app, int view, const char *line, uint64_t row);   /* not typed */
void app_order_use(struct app *app, const char *line, enum order_use use);       /* not typed */

void app_order_key(struct app *app, int view, int key, int64_t n);  /* a document's key */
void app_order_rewrite(struct app *app, int view, const char *line);
/* Lists of runs that show are made again; the current run comes into sight. */
void app_order_runs(struct app *app);
/* What tells of the profile's current step is made again. */
void app_order_step(struct app *app);

/* Focus: of a pane; of the prompt or the view. */
bool app_in_view(struct app *app);
struct key_scope app_scope(struct app *app);     /* of keys that are typed in the view */
bool app_is_modern(const struct app *app);
/* What is open, for the title, and what it is compared with; while no command runs. */
void app_take_opened(struct app *app);
void app_focus_view(struct app *app, bool in_view);
void app_focus_pane(struct app *app, int view);

/* Opens doc, which is taken over, over the panes; NULL: closes what is open. */
void app_open_overlay(struct app *app, struct doc *doc);

void app_close_hints(struct app *app);
void app_mark_place(struct app *app);            /* as the one that '' goes back to */
void app_drop_tags(struct app *app);

/* What is wrong with what is open, in a toast. */
void app_tell_warnings(struct app *app);

#endif
