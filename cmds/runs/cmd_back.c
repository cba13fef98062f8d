#include "cmds/session/session.h"

static const struct pos positionals[] = {
	{ "n", "how many runs; 1 if left out", true },
};

static void back_exec(struct call *call)
{
	struct str line = {0};

	str_fmt(&line, "run -b %s", call->args.pos[0] ? call->args.pos[0] : "1");
	call_line(call, line.text);
	str_release(&line);
}

const struct cmd cmd_back = {
	.name = "back", .summary = "Go back some runs: run -b N", POSITIONALS(positionals),
	.runless = true,
	.exec = back_exec,
};
