#ifndef TUI_NAMES_H
#define TUI_NAMES_H

#include "tui/pane.h"

/*
 * Long names of the rows that show, where they would run out of a pane: they are cut so that no two
 * that differ look alike. For drawing only, after pane_pieces: what is found and copied is whole.
 */
void names_cut(struct pane *pane);

/* Where the leaf of a name begins: "a/b/leaf". */
size_t names_leaf(const char *name, size_t len);

#endif
