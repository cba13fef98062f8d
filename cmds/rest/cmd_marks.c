#include "cmds/session/session.h"

/* Rows can be marked and tagged only on a screen, which answers these itself. */

static const struct pos mark_pos[] = {
	{ "letter", "the mark to go to; lists them if left out", true },
};
static const struct pos tagged_pos[] = {
	{ "command",
	  "a command line that is run for each, where %t stands for the tensor of the row, %n for "
	  "its node, %r for its run; lists them if left out", true },
};

static void marks_exec(struct call *call)
{
	if (call->args.pos[0])
		call_error(call, "ERROR: There is no mark \"%s\": only a screen has rows to mark",
		           call->args.pos[0]);
	else
		doc_line_put(call->out, ROLE_STRONG, "0 mark(s):");
}

static void tagged_exec(struct call *call)
{
	if (call->n_words)
		call_error(call, "ERROR: No row is tagged: only a screen has rows to tag");
	else
		doc_line_put(call->out, ROLE_STRONG, "0 tagged row(s):");
}

const struct cmd cmd_marks = {
	.name = "marks", .summary = "Rows that were marked: letter, run, tensor, element",
	POSITIONALS(mark_pos), .runless = true, .dumpless = true, .exec = marks_exec,
};
const struct cmd cmd_tagged = {
	.name = "tagged", .summary = "Rows that were tagged, or a command for each of them",
	POSITIONALS(tagged_pos), .raw = true, .whole_words = true, .runless = true,
	.dumpless = true, .exec = tagged_exec,
};
