#ifndef TUI_PANES_H
#define TUI_PANES_H

#include <stdbool.h>

#include "tui/state.h"

/* Panes come, go and change their place. What can't be done is said in a toast. */
/* one of tui/layouts.h, by its name; NULL: says which it is */
void panes_layout(struct app *app, const char *name);
/* the present one; NULL: asks for a name */
void panes_save_layout(struct app *app, const char *name);
/* the list of runs above, where there is room */
void panes_keep_runs(struct app *app);
/* The list of runs takes no more rows than it has, and a few at most. */
void panes_fit_runs(struct app *app);
void panes_split(struct app *app, bool beside);  /* the same command beside or below */
void panes_close(struct app *app);               /* the one with the focus */
/*
 * The pane with the focus, if it isn't the main one; else the one that shows a detail or a picture.
 * What a layout keeps open stays. False: there is none.
 */
bool panes_close_innermost(struct app *app);
void panes_focus_next(struct app *app);
void panes_focus_number(struct app *app, long number);   /* from 1, as they stand */
void panes_resize(struct app *app, int cells);   /* rows or columns of the one with the focus */
void panes_zoom(struct app *app);
void panes_turn(struct app *app);
bool panes_have_room(const struct app *app);   /* for a detail, a picture */
void panes_toggle_detail(struct app *app);
/* the rule to this cell */
void panes_drag(struct app *app, const struct rule *rule, int row, int col);

/* A pane of a picture below the pane with the focus; NO_PANE: there is no room, it was said. */
int panes_open_picture(struct app *app);
int panes_picture(const struct app *app);        /* NO_PANE: none shows */
void panes_close_picture(struct app *app);

#endif
