#include "cmds/session/session.h"

/* The shell itself answers "exit" or "quit" alone; with arguments it is an error. */
static void exit_exec(struct call *call)
{
	call_unknown(call);
}

const struct cmd cmd_exit = {
	.name = "exit", .alias = "quit", .summary = "Leave", .raw = true,
	.runless = true, .dumpless = true, .exec = exit_exec,
};
