/* PATH read again: the new run is made beside the old one, so that a failure loses nothing. */
#include <stdlib.h>
#include <sys/stat.h>

#include "cmds/complete.h"
#include "cmds/session.h"

bool shell_can_follow(const struct shell *shell)
{
	struct stat st;

	return shell->run && stat(shell->run->path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool shell_reread(struct shell *shell, struct progress *progress, struct err *err)
{
	run_close(shell->reread);
	shell->reread = run_open(shell->run->path, err);
	if (shell->reread && run_load(shell->reread, progress, err))
		return true;
	run_close(shell->reread);
	shell->reread = NULL;
	return false;
}

/* What was computed from the old run goes with it. */
void shell_take_reread(struct shell *shell)
{
	if (!shell->reread)
		return;
	candidates_free(shell->candidates);
	shell->candidates = NULL;
	free(shell->tensor_op);
	shell->tensor_op = NULL;
	for (int key = 0; key < N_SORT_KEYS; key++) {
		free(shell->tensor_ranks[key]);
		shell->tensor_ranks[key] = NULL;
	}
	filters_forget(&shell->filters);
	free(shell->unreadable);
	shell->unreadable = NULL;
	run_close(shell->run);
	shell->run = shell->reread;
	shell->reread = NULL;
}
