#ifndef TUI_ABOUT_H
#define TUI_ABOUT_H

#include <stdbool.h>

#include "dump/base/str.h"
#include "tui/state.h"

/*
 * What the cursor's row is about: a tensor or a node, named by the row's links, or by the command
 * line that its screen answers. Start with {0}; release it whatever about_row said.
 */
struct about {
	bool tensor;             /* else a node */
	bool linked;             /* a link of the row says so; else the screen's command line */
	struct str name;         /* as a command takes it: "a/b:0[1, :]", "a/b" */
	struct str number, device;       /* which of several: " -n 2", " -D gpu:0"; "": not said */
};

/* Of the view's row: its chosen link, else its first that tells, else the screen. False: nothing. */
bool about_row(struct app *app, int view, struct about *out);
bool about_line_links(const struct line *line, struct about *out);       /* a row's links alone */
void about_release(struct about *about);

/* "a/b:0" without a slice; of a node "a/b". */
void about_put_name(const struct about *about, struct str *out);

/* Command lines. A node's tensor is its output 0. */
void about_put_node(const struct about *about, struct str *out);         /* "ni -a -d -t a/b" */
void about_put_tensor(const struct about *about, const char *command, struct str *out);
/* "explain a/b:0 -e 1,2": the element that a row of an array begins with */
void about_put_explain(const struct about *about, const struct line *line, struct str *out);

#endif
