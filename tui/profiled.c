/* A table from actions to what the document does; what it does not do is everybody's. */
#include "tui/profiled.h"

static const struct { enum action action; enum stage_move move; } moves[] = {
	{ ACTION_LEFT, STAGE_LEFT }, { ACTION_RIGHT, STAGE_RIGHT },
	{ ACTION_LEFTMOST, STAGE_LEFTMOST }, { ACTION_RIGHTMOST, STAGE_RIGHTMOST },
	{ ACTION_NEXT_LINK, STAGE_NEXT }, { ACTION_PREV_LINK, STAGE_PREV },
	{ ACTION_LESS, STAGE_LESS }, { ACTION_MORE, STAGE_MORE }, { ACTION_WHOLE, STAGE_WHOLE },
};

/* n: 0: none; else the change is made so many times, for each that was typed. */
static const struct { enum context context; enum action action; enum change change; int n; } changes[] = {
	{ CONTEXT_KERNELS, ACTION_GROUP, CHANGE_GROUP, 0 },
	{ CONTEXT_KERNELS, ACTION_UNIVERSE, CHANGE_UNIVERSE, 0 },
	{ CONTEXT_KERNELS, ACTION_DEVICE, CHANGE_DEVICE, 0 },
	{ CONTEXT_KERNELS, ACTION_UNIT, CHANGE_UNIT, 0 },
	{ CONTEXT_KERNELS, ACTION_NAMES, CHANGE_NAMES, 0 },
	{ CONTEXT_TABLE, ACTION_UNIT, CHANGE_UNIT, 0 },
	{ CONTEXT_TABLE, ACTION_NAMES, CHANGE_NAMES, 0 },
	{ CONTEXT_GRAPH, ACTION_LESS, CHANGE_DEPTH, -1 },
	{ CONTEXT_GRAPH, ACTION_MORE, CHANGE_DEPTH, 1 },
	{ CONTEXT_GRAPH, ACTION_CONTROL, CHANGE_CONTROL, 0 },
	{ CONTEXT_GRAPH, ACTION_FOLD, CHANGE_FOLD, 0 },
	{ CONTEXT_MEMORY, ACTION_LEFT, CHANGE_TIME, -1 },
	{ CONTEXT_MEMORY, ACTION_RIGHT, CHANGE_TIME, 1 },
};

static const struct { enum action action; enum stage_link link; enum change change; bool of_stage; } openings[] = {
	{ ACTION_FOLLOW, STAGE_ENTER, CHANGE_RECORDS, true },
	{ ACTION_NODE, STAGE_NODE, CHANGE_NODE, false },
	{ ACTION_EXPLAIN, STAGE_RECORDS, CHANGE_RECORDS, false },
	{ ACTION_SOURCE, STAGE_NODE, CHANGE_SOURCE, false },
};

static int64_t times(const struct app *app)
{
	return app->typed_count > 0 && app->typed_count < INT32_MAX ? (int64_t)app->typed_count : 1;
}

static bool did_move(struct app *app, enum action action)
{
	for (size_t i = 0; pane_has_stage(app_pane(app)) && i < sizeof moves / sizeof *moves; i++)
		if (moves[i].action == action)
			return pane_stage_move(app_pane(app), moves[i].move, times(app));
	return false;
}

static bool did_change(struct app *app, enum action action)
{
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		if (changes[i].action == action && changes[i].context == app_context(app)) {
			app_order_change(app, app->focus, changes[i].change, changes[i].n * times(app));
			return true;
		}
	return false;
}

/* The row of the body that the cursor is on; false: it is on none. */
static bool body_row(struct app *app, int64_t *row)
{
	const struct doc *doc = view_doc(app_view(app));
	uint64_t at = pane_cursor_doc_row(&app_view(app)->pane);

	if (!doc || !doc_get_body(doc) || at < doc_body_row(doc))
		return false;
	at -= doc_body_row(doc);
	*row = (int64_t)at;
	return at < doc_get_body(doc)->kind->rows(doc_get_body(doc));
}

static bool did_open(struct app *app, enum action action)
{
	struct str line = {0};
	bool found = false;
	int64_t row;

	for (size_t i = 0; i < sizeof openings / sizeof *openings && !found; i++) {
		if (openings[i].action != action)
			continue;
		if (pane_has_stage(app_pane(app)))
			found = openings[i].change != CHANGE_SOURCE &&
			        pane_put_item_line(app_pane(app), openings[i].link, &line);
		else if (!openings[i].of_stage && app_context(app) == CONTEXT_KERNELS && body_row(app, &row))
			found = doc_change(view_doc(app_view(app)), openings[i].change, row, &line);
	}
	if (found)
		app_order(app, line.text);
	str_release(&line);
	if (found || action != ACTION_NODE || !doc_has_no_nodes(view_doc(app_view(app))))
		return found;
	app_toast(app, LOOK_ERROR_TOAST, "ERROR: " NO_GRAPH);
	return true;
}

bool profiled_act(struct app *app, enum action action)
{
	if (app->overlay || !app_in_view(app) || !view_doc(app_view(app)))
		return false;
	return did_move(app, action) || did_change(app, action) || did_open(app, action);
}
