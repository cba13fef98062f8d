#include "cmds/session/session.h"

/* Rows can be marked only on a screen, which answers this itself. */
static void marks_exec(struct call *call)
{
	doc_line_put(call->out, ROLE_STRONG, "0 mark(s):");
}

const struct cmd cmd_marks = {
	.name = "marks", .summary = "Rows that were marked: letter, run, row", .exec = marks_exec,
};
