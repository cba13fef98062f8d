#ifndef TUI_STATE_H
#define TUI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/shell.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tui/app.h"
#include "tui/history.h"
#include "tui/input.h"
#include "tui/layout.h"
#include "tui/pane.h"
#include "tui/screens.h"
#include "tui/term.h"
#include "tui/theme.h"
#include "tui/worker.h"

/* All of the screen's state; input changes it, drawing reads it. */

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

/* A command line to be run. */
struct order {
	char *line;
	bool typed;              /* goes to the history */
	bool start;              /* one of app_options.lines */
};

struct app {
	struct shell *shell;
	const struct app_options *options;
	struct worker *worker;
	struct history history;
	struct screens screens;
	struct layout layout;
	struct pane pane, help_pane;
	struct doc *so_far;      /* the provisional first screen */
	struct doc *help;        /* the keys; NULL: closed */
	VEC(struct order) orders;
	struct order running;
	bool loading, loaded, settled /* the first command has answered */;
	bool body_works;         /* the document of the pane may have more to do */
	bool mouse;
	bool view_line;          /* the line at the prompt was begun from the view */
	bool half_ctrl_x;
	bool tab_waits;  /* Tab was pressed while a command ran: complete when it is done */
	uint64_t typed_count;    /* digits before a key in the view; 0: none */
	bool asks_to_leave;
	int64_t interrupt_ms;    /* of the last Ctrl-C that did nothing */
	/* the scroll bar's end under the button; step 0: none */
	struct { int step; int64_t at_ms; } held;
	bool pressed_on_bar;
	struct toast toast;
	struct candidates candidates;
	bool quit;
	int signal;              /* that ends the program; 0: none */
	enum app_end end;
	bool any_failed;
	struct err err;
};

int64_t now_ms(void);

/* tui/app.c */
void app_toast(struct app *app, enum look look, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
struct pane *app_pane(struct app *app);  /* the one that keys move: the help if it is open */
void app_layout(struct app *app);
void app_show(struct app *app, const struct place *place);  /* the present screen, in the pane */

/* tui/orders.c: command lines */
void app_order(struct app *app, const char *line, bool typed, bool start);
void app_next_order(struct app *app);  /* runs what waits while nothing else runs */
void app_take_results(struct app *app);
void app_start_search(struct app *app, const char *regex, bool backward);
void app_search_step(struct app *app);
void app_step_screen(struct app *app, int step);
void app_set_mouse(struct app *app, bool on);

/* tui/actions.c: keys and the mouse */
void app_event(struct app *app, struct event *ev);
void app_late_tab(struct app *app);
void app_hold(struct app *app);  /* the scroll bar's end while the button is down */

/* tui/draw.c */
void app_draw(struct app *app);
/* The command behind a cell of the navigation bar or the menu, NULL: none. */
const char *bar_command_at(struct app *app, int row, int col);

#endif
