#include "cmds/session/stacks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/format/file.h"

bool shell_stacks(struct shell *shell, const char *path, struct err *err)
{
	struct stacks *stacks = stacks_open(path, NULL, err);

	if (!stacks)
		return false;
	stacks_close(shell->stacks);
	shell->stacks = stacks;
	shell->stacks_named = true;
	return true;
}

bool shell_source_map(struct shell *shell, const char *from_to, struct err *err)
{
	const char *equals = strchr(from_to, '=');

	if (!equals || equals == from_to)
		return err_at(err, ERR_VALUE, "command", 0, "FROM=TO expected");
	vec_push(&shell->source_maps,
	         ((struct source_map){ mem_copy(from_to, (size_t)(equals - from_to)),
	                               mem_copy(equals + 1, strlen(equals + 1)) }));
	return true;
}

/* What the dump itself says of it. */
static void take_dumped(struct shell *shell, struct progress *progress, struct err *why)
{
	const struct reader *reader = shell->runs ? shell->runs->reader : NULL;

	if (!shell->stacks && !why->code && reader && reader->stacks)
		shell->stacks = reader->stacks(shell->runs->path, shell->run, progress, why);
}

/* In the dump, then in the root of its runs. */
bool stacks_find_beside(struct shell *shell, struct progress *progress, struct err *err)
{
	const char *dir = shell->run ? shell->run->path : shell->runs->path;
	bool in_root = shell->runs && runs_is_in_root(shell->runs, dir);
	struct err why = {0};
	struct str path = {0};

	for (int above = 0; above <= in_root && !shell->stacks && !why.code; above++) {
		str_reset(&path);
		str_fmt(&path, "%s%s/stacks.json", dir, above ? "/.." : "");
		if (file_is_there(path.text))
			shell->stacks = stacks_open(path.text, progress, &why);
		shell->stacks_above = above && shell->stacks;
	}
	str_release(&path);
	take_dumped(shell, progress, &why);
	if (why.code == ERR_CANCELLED) {
		*err = why;
		return false;
	}
	shell->stacks_problem = why;
	return true;
}

/* May the step that is open have others? Without any, it was asked last when it was opened. */
static bool may_be_others(const struct shell *shell)
{
	const struct run *run = shell->run;

	if (shell->stacks_named || !shell->runs || !run || run->step < 0)
		return false;
	return shell->stacks ? shell->stacks->of_step && run->step != shell->stacks->step
	                     : shell->runs->reader->stacks && !shell->stacks_problem.code;
}

/* Those that answers may refer to stay, unless they say the same. */
bool stacks_of_position(struct shell *shell, struct progress *progress, struct err *err)
{
	const struct run *run = shell->run;
	struct stacks *old = shell->stacks, *found;
	struct err why = {0};

	if (!may_be_others(shell))
		return true;
	found = shell->runs->reader->stacks(shell->runs->path, run, progress, &why);
	if (why.code == ERR_CANCELLED) {
		*err = why;
		return false;
	}
	shell->stacks_problem = why;
	if (!old) {
		shell->stacks = found;
		return true;
	}
	if (found && !stacks_same(old, found)) {
		vec_push(&shell->old_stacks, old);
		shell->stacks = found;
		return true;
	}
	old->step = run->step;
	stacks_close(found);
	return true;
}

void stacks_forget(struct shell *shell)
{
	stacks_close(shell->stacks);
	for (size_t i = 0; i < shell->old_stacks.len; i++)
		stacks_close(shell->old_stacks.at[i]);
	vec_release(&shell->old_stacks);
	for (size_t i = 0; i < shell->source_maps.len; i++) {
		free(shell->source_maps.at[i].from);
		free(shell->source_maps.at[i].to);
	}
	vec_release(&shell->source_maps);
}
