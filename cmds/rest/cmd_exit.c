#include "cmds/session/session.h"

/* The shell takes "exit" and "quit" standing alone before any command; with words behind it, it is none. */
static void exit_exec(struct call *call)
{
	call_unknown(call);
}

const struct cmd cmd_exit = {
	.name = "exit", .alias = "quit", .summary = "Leave", .raw = true,
	.runless = true, .dumpless = true, .exec = exit_exec,
};
