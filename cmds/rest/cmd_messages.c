#include "cmds/session/session.h"

/* A screen keeps its short messages and answers this itself; elsewhere they were printed. */
static void messages_exec(struct call *call)
{
	doc_line_put(call->out, ROLE_STRONG, "0 message(s):");
}

const struct cmd cmd_messages = {
	.name = "messages", .summary = "Messages that the screen has shown", .exec = messages_exec,
};
