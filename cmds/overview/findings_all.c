#include "cmds/overview/findings.h"

#include "dump/programs.h"

static bool stopped(size_t i, size_t n, struct err *err)
{
	return err_at(err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu runs", i, n);
}

static bool of_programs(struct findings *findings, struct shell *shell, struct progress *progress,
                        struct err *err)
{
	size_t n = programs_len(shell->programs);

	for (size_t i = 0; i < n; i++)
		if (!findings_of_program(findings, shell, i, progress, err))
			return stopped(i, n, err);
	return true;
}

static bool of_runs(struct findings *findings, struct shell *shell, struct progress *progress,
                    struct err *err)
{
	size_t n = shell->runs->list.len;

	for (size_t i = findings->runs; i < n; i++) {
		bool whole = findings_of_run(findings, shell, runs_at(shell->runs, i + 1), NULL,
		                             progress, err);

		if (!whole && n == 1)
			return false;
		if (!whole || progress_cancelled(progress))
			return stopped(i, n, err);
	}
	return true;
}

bool findings_of_all(struct findings *findings, struct shell *shell, struct progress *progress,
                     struct err *err)
{
	bool ok;

	findings_of_root(findings, shell);
	ok = shell->programs ? of_programs(findings, shell, progress, err)
	     : !shell->runs || of_runs(findings, shell, progress, err);

	findings_sort(findings);
	return ok;
}
