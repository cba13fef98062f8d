#ifndef CMDS_LAYOUT_TEXTS_H
#define CMDS_LAYOUT_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The layouts that are built in, as texts: what is in the panes, "/" between those that stand one
 * above the other, "|" beside each other, a percentage behind ":" for the first of two (tui/plan.h
 * reads them). More are lines of the config that begin with LAYOUT_LINE: "layout NAME TEXT".
 */
#define LAYOUT_LINE "layout"

#define LAYOUT_TEXTS(X) /* name, text, text where there is room beside each other */ \
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
/* The text of "NAME TEXT", which may be empty; *len of the name. */
const char *layout_line_text(const char *rest, size_t *len);

#endif
