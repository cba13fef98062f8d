#include "cmds/session/session.h"

/* The shell itself answers a lone "exit" or "quit"; with words after it, it is no command. */
static void exit_exec(struct call *call)
{
	call_unknown(call);
}

const struct cmd cmd_exit = {
	.name = "exit", .alias = "quit", .summary = "Leave", .raw = true,
	.runless = true, .dumpless = true, .exec = exit_exec,
};
