#ifndef TUI_SCREENS_H
#define TUI_SCREENS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/doc/doc.h"
#include "tui/pane.h"

/* What was shown: a command, its document and the place in it. Owns all but `about`. */
struct screen {
	char *command;
	bool own;                /* no command: what the screen says itself, never asked again */
	struct doc *doc;
	const void *about;       /* the run it is about (doc_title); stays when doc is dropped */
	struct place place;
	bool has_cursor;         /* the view had the focus, the cursor on this document row */
	uint64_t cursor;
	struct row_choice rows;  /* filters and sort */
};

#define MAX_SCREENS 10

/* The last screens, oldest first; `now` is the one that shows. Start with {0}. */
struct screens {
	struct screen at[MAX_SCREENS];
	size_t len, now;
};

/* Takes doc over. What was newer than the present screen is dropped; the oldest makes room. */
struct screen *screens_push(struct screens *s, const char *command, struct doc *doc);
struct screen *screens_now(struct screens *s);           /* NULL: nothing was shown yet */
/* One step to an older (-1) or newer (1) screen; false at the end. */
bool screens_step(struct screens *s, int step);
/* The latest screen about this (doc_title) becomes the newest and present one; false: none is. */
bool screens_bring_latest(struct screens *s, const void *about);
size_t screens_behind(const struct screens *s);          /* steps behind the newest */
void screens_release(struct screens *s);

#endif
