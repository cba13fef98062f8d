#ifndef TUI_KEYBAR_H
#define TUI_KEYBAR_H

#include <stddef.h>

#include "dump/base/vec.h"
#include "tui/state.h"

/*
 * The keys that work now: for the row under the cursor, at the prompt, behind a question. Best
 * first; from the right they give way to what is more important, but for the last.
 */
struct keybar_item {
	int col;                 /* where its keys begin */
	int cols;
	size_t begin, keys_end, end;     /* in `text`: the keys as they are written, what they do */
};
struct keybar {
	VEC(struct keybar_item) items;
	struct str text;
};

/* What fits so many columns. Start with {0}. */
void keybar_make(struct app *app, int cols, struct keybar *out);
void keybar_release(struct keybar *bar);
/*
 * The key of the bar at this column: of an item with several the one there, the first one for what
 * they do. 0: none.
 */
int keybar_key_at(struct app *app, int col);

#endif
