#ifndef TUI_ARRANGEMENT_H
#define TUI_ARRANGEMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How panes share the output: a tree of splits whose leaves are panes, each a number from 0 to
 * MAX_PANES - 1. No cells here; tui/layout.c deals those. Start with ARRANGEMENT_SINGLE: pane 0
 * alone.
 */
enum { MAX_PANES = 4, NO_PANE = -1 };

struct split {
	bool beside;             /* the parts are left and right, else above and below */
	int permille;            /* of the first part, 50 to 950 */
	int most_rows;           /* of the first of two stacked parts; 0: as many as its share */
	int part[2];             /* a pane, or SPLIT(k): another split */
};
#define SPLIT(k) (-2 - (k))      /* its own inverse */

struct arrangement {
	struct split split[MAX_PANES - 1];
	int n_splits;
	int root;                /* as a part */
};
#define ARRANGEMENT_SINGLE ((struct arrangement){ .root = 0 })

/* From left to right and from top to bottom; how many there are. */
size_t arrangement_panes(const struct arrangement *a, int panes[MAX_PANES]);
/* a number that is not in use; NO_PANE: none */
int arrangement_free_pane(const struct arrangement *a);

/* The pane gets a neighbour, right of it or below. There must be room: a free pane number. */
void arrangement_split(struct arrangement *a, int pane, int neighbour, bool beside, int permille);
void arrangement_close(struct arrangement *a, int pane);         /* not the last one */
/* The split that has the pane as a part, and which; -1: it is alone. */
int arrangement_split_of(const struct arrangement *a, int pane, int *part);
/* Clamped; the first part may then be as large as that. */
void arrangement_set_permille(struct arrangement *a, int split, int permille);
void arrangement_turn(struct arrangement *a, int pane);          /* beside to stacked and back */

#endif
