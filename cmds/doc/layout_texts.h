#ifndef CMDS_LAYOUT_TEXTS_H
#define CMDS_LAYOUT_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The built-in layouts, as texts that tui/plan.h reads: names of panes, "/" between panes one above
 * the other, "|" between panes side by side, ":" and the percentage that the first of two takes.
 * The config adds more with lines that begin with LAYOUT_LINE: "layout NAME TEXT".
 */
#define LAYOUT_LINE "layout"

#define LAYOUT_TEXTS(X) /* name, text, text for a screen wide enough for two panes side by side */ \
	X("single", "list", "list") \
	X("detail", "list:60/detail", "list:60/detail") \
	X("side", "list:55|detail", "list:55|detail") \
	X("runs", "runs:45/list", "runs:45/(list:55|detail)") \
	X("timeline", "kernels:50/timeline", "kernels:50/timeline")

struct layout_text {
	const char *name, *text, *beside_text;
};
#define ONE(name, text, beside) + 1
enum { N_LAYOUT_TEXTS = LAYOUT_TEXTS(ONE) };
#undef ONE
extern const struct layout_text layout_texts[N_LAYOUT_TEXTS];

bool layout_is_built_in(const char *name);
/* Of "NAME TEXT" the text, which may be empty; *len is the length of the name. */
const char *layout_line_text(const char *rest, size_t *len);

#endif
