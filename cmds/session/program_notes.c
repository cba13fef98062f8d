/* What a record of a program leaves open: what it names and does not hold, and its clock. */
#include "cmds/session/program.h"

#include <inttypes.h>

#include "cmds/session/shell.h"

enum { MOST_LISTED = 100, GRAPH_ID_SHOWN = 8 };

void program_put_missing(const struct program *program, const struct program_missing *missing,
                         struct str *out)
{
	const struct program_node *node;

	switch (missing->kind) {
	case PROGRAM_MISSING_GRAPH:
		str_fmt(out, "graph %s", program->graphs.at[missing->number].id);
		break;
	case PROGRAM_MISSING_OP:
		node = &program->nodes.at[missing->number];
		str_fmt(out, "op %s of graph %.*s", node->name, GRAPH_ID_SHOWN,
		        program->graphs.at[node->graph].id);
		break;
	case PROGRAM_MISSING_FRAME:
		str_fmt(out, "stack frame %s", program->frames.at[missing->number].id);
		break;
	case PROGRAM_MISSING_SOURCE:
		str_fmt(out, "source file #%" PRId64,
		        program->frames.at[missing->number].file_index);
		break;
	}
}

static void put_missing(struct doc *doc, const struct program *program)
{
	struct program_missing missing[MOST_LISTED];
	size_t n = program_list_missing(program, missing, MOST_LISTED);
	struct str text = {0};

	for (size_t i = 0; i < n && i < MOST_LISTED; i++) {
		str_reset(&text);
		program_put_missing(program, &missing[i], &text);
		str_puts(&text, ", named in ");
		program_put_file(program, &missing[i].at, &text);
		doc_line_put(doc, ROLE_PLAIN, "  %s, offset %" PRIu64, text.text,
		             missing[i].at.off);
	}
	if (n > MOST_LISTED)
		doc_line_put(doc, ROLE_PLAIN, "  ... and %zu more", n - MOST_LISTED);
	str_release(&text);
}

static void put_late(struct doc *doc, const struct program *program)
{
	const struct program_late *late = &program->late;
	struct str file = {0};

	program_put_file(program, &late->first, &file);
	doc_line_put(doc, ROLE_PLAIN, "%" PRIu64 " trace%s recorded after a later one, first in "
	             "%s, offset %" PRIu64 ": lists have them by time.", late->traces,
	             late->traces == 1 ? " was" : "s were", file.text, late->first.off);
	str_release(&file);
}

bool program_has_notes(const struct program *program)
{
	const struct program_unresolved *u = &program->unresolved;

	return u->graphs || u->ops || u->frames || u->sources || program->late.traces;
}

void program_put_notes(const struct program *program, struct doc *doc)
{
	const struct program_unresolved *u = &program->unresolved;

	if (program->late.traces)
		put_late(doc, program);
	if (!u->graphs && !u->ops && !u->frames && !u->sources)
		return;
	doc_line_put(doc, ROLE_PLAIN,
	             "Named but not recorded: %" PRIu32 " graph%s, %" PRIu32 " op%s, %" PRIu32
	             " stack frame%s; files of %" PRIu32 " frame%s.", u->graphs, plural(u->graphs),
	             u->ops, plural(u->ops), u->frames, plural(u->frames), u->sources,
	             plural(u->sources));
	put_missing(doc, program);
}
