#include "tui/about.h"

static bool is_about(const char *command, struct link *out)
{
	return command && link_read(command, out) &&
	       (out->kind == LINK_TENSOR || out->kind == LINK_NODE);
}

bool about_line_links(const struct line *line, struct link *out)
{
	for (size_t i = 0; i < line->segs.len; i++)
		if (is_about(seg_link(line, &line->segs.at[i]), out))
			return true;
	return false;
}

static bool from_links(struct pane *pane, const struct line *line, struct link *out)
{
	const char *chosen =
		pane->link < line->segs.len ? seg_link(line, &line->segs.at[pane->link]) : NULL;

	return is_about(chosen, out) || about_line_links(line, out);
}

enum about about_row(struct app *app, int view, struct link *out)
{
	struct pane *pane = &app->view[view].pane;
	const struct line *line = pane_doc(pane) ? pane_cursor_line(pane) : NULL;

	if (!line)
		return ABOUT_NOTHING;
	if (from_links(pane, line, out))
		return ABOUT_ROW;
	return is_about(view_command(&app->view[view]), out) ? ABOUT_SCREEN : ABOUT_NOTHING;
}
