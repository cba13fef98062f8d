#include "cmds/session/program.h"

#include <inttypes.h>

void program_start(struct shell *shell)
{
	shell->program = NULL;
	shell->program_at = programs_chosen(shell->programs);
	shell->program_step = PROGRAM_NONE;
}

bool program_enter(struct shell *shell, size_t i, struct progress *progress, struct err *err)
{
	struct program *program = programs_load(shell->programs, i, progress, err);

	if (!program)
		return false;
	shell->program = program;
	shell->program_at = i;
	shell->program_step = PROGRAM_NONE;
	return true;
}

void program_go(struct shell *shell, uint32_t step)
{
	shell->program_step = step;
}

bool program_has(struct call *call)
{
	const struct cmd *cmd = call->cmd;

	if (cmd->dumpless || cmd->of_program)
		return true;
	call_error(call, "ERROR: \"%s\" does not answer about a %s.", call->typed, PROGRAMS_KIND);
	return false;
}

void program_set_title(struct shell *shell, struct doc *doc)
{
	const struct program *program = shell->program;
	struct str title = {0};

	if (!program)
		return;
	str_fmt(&title, "%s", str_text(&shell->title));
	if (programs_len(shell->programs) > 1)
		str_fmt(&title, ": run %zu of %zu", shell->program_at + 1,
		        programs_len(shell->programs));
	if (shell->program_step != PROGRAM_NONE)
		str_fmt(&title, ": step #%" PRIu32 " %s", shell->program_step,
		        program->steps.at[shell->program_step].op);
	doc_set_title(doc, title.text, TITLE_PLAIN, program);
	str_release(&title);
}

void program_put_counts(const struct program *program, struct str *out)
{
	str_fmt(out, "%zu execution%s, %" PRIu64 " tensor%s: \"lx\" lists them",
	        program->steps.len, plural(program->steps.len), program->n_tensors,
	        plural(program->n_tensors));
}

void program_put_file(const struct program *program, const struct program_place *place,
                      struct str *out)
{
	str_fmt(out, "%s.%s", program->sets.at[place->set].prefix,
	        program_file_suffix[place->file]);
}

/* What is wrong in words: a line of a warning says what was found, and what is done about it. */
static const char *const texts[] = {
	[PROGRAM_LENGTH_CHECKSUM] = "the length of a record does not fit its checksum",
	[PROGRAM_PAYLOAD_CHECKSUM] = "a record does not fit its checksum",
	[PROGRAM_NOT_AN_EVENT] = "a record is no DebugEvent",
	[PROGRAM_TRUNCATED] = "the file ends within a record",
	[PROGRAM_MISSING] = "there is no such file",
	[PROGRAM_EMPTY] = "the file has no record: which run of a program this is, is not known",
	[PROGRAM_UNREADABLE] = "it can't be read",
};

void program_put_damage(const struct program *program, const struct program_damage *damage,
                        struct str *out)
{
	program_put_file(program, &damage->at, out);
	if (damage->what != PROGRAM_MISSING)
		str_fmt(out, ", offset %" PRIu64, damage->at.off);
	str_fmt(out, ": %s (%s)", texts[damage->what], program_damage_name[damage->what]);
	if (damage->bytes)
		str_fmt(out, ": %" PRIu64 " byte%s passed over", damage->bytes,
		        plural(damage->bytes));
}

size_t program_warnings(const struct shell *shell)
{
	return shell->program ? shell->program->damage.len : 0;
}

void program_warning(const struct shell *shell, size_t i, struct str *out)
{
	program_put_damage(shell->program, &shell->program->damage.at[i], out);
}
