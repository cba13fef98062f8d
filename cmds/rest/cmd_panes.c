/* Commands about panes. The screen answers them itself; elsewhere there are no panes. */
#include "cmds/session/session.h"

static const struct pos split_pos[] = {
	{ "way", "h: one above the other, v: beside each other", false },
};
static const struct pos focus_pos[] = {
	{ "pane", "next, or a number from 1; next if left out", true },
};
static const struct pos resize_pos[] = {
	{ "by", "+N or -N, in rows or columns", false },
};

static void panes_exec(struct call *call)
{
	call_error(call, "ERROR: \"%s\" is about panes; only a screen has them",
	           call->cmd->name);
}

const struct cmd cmd_close = {
	.name = "close", .summary = "Close the pane with the focus",
	.runless = true, .dumpless = true, .exec = panes_exec,
};
const struct cmd cmd_focus = {
	.name = "focus", .summary = "Move the focus to another pane", POSITIONALS(focus_pos),
	.runless = true, .dumpless = true, .exec = panes_exec,
};
const struct cmd cmd_resize = {
	.name = "resize", .summary = "Make the pane with the focus larger or smaller",
	POSITIONALS(resize_pos), .runless = true, .dumpless = true, .exec = panes_exec,
};
const struct cmd cmd_split = {
	.name = "split", .summary = "Show the same answer in a second pane", POSITIONALS(split_pos),
	.runless = true, .dumpless = true, .exec = panes_exec,
};
const struct cmd cmd_zoom = {
	.name = "zoom", .summary = "Show only the pane with the focus, or all panes again",
	.runless = true, .dumpless = true, .exec = panes_exec,
};
