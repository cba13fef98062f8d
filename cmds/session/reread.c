/* Reads the current run again, beside the old one, so that a failure loses nothing. */
#include "cmds/session/position.h"
#include "cmds/session/program.h"

bool shell_reread(struct shell *shell, struct progress *progress, struct err *err)
{
	run_close(shell->reread);
	shell->reread = NULL;
	if (shell->programs)
		return program_reread(shell, progress, err);
	if (!shell->runs || !shell->visit)
		return true;
	shell->reread = runs_open_run(shell->runs, position_at(shell), err);
	if (shell->reread && run_load(shell->reread, progress, err))
		return true;
	run_close(shell->reread);
	shell->reread = NULL;
	return false;
}

/* What was computed from the old run goes with it. */
void shell_take_reread(struct shell *shell)
{
	shell->changes++;
	if (shell->programs)
		program_take_beside(shell);
	if (!shell->reread)
		return;
	runs_forget(position_at(shell));
	hits_forget(shell->hits, position_at(shell));
	facts_forget(visits_facts(shell->visits), position_at(shell));
	position_replace(shell, shell->reread);
	shell->reread = NULL;
}
