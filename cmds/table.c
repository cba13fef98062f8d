#include "cmds/lang/cmd.h"

#include <string.h>

#define COMMANDS(X) \
	X(back) X(close) X(cfg) X(diff) X(dot) X(ev) X(exit) X(explain) X(filter) X(focus) \
	X(graph) X(grid) X(h) X(kernels) X(layout) X(li) X(lo) X(lp) X(ls) X(lt) X(marks) X(memory) \
	X(messages) X(ni) X(picture) X(pprof) X(pf) X(ps) X(pt) X(resize) X(run) X(ri) X(runs) X(scopes) \
	X(split) X(step) X(tfprof) X(timeline) X(ver) X(zoom)

#define X(id) extern const struct cmd cmd_##id;
COMMANDS(X)
#undef X

#define X(id) &cmd_##id,
const struct cmd *const cmd_table[] = { COMMANDS(X) };
#undef X
const size_t n_cmds = sizeof cmd_table / sizeof *cmd_table;

const struct cmd *cmd_find(const char *word)
{
	for (size_t i = 0; i < n_cmds; i++)
		if (!strcmp(word, cmd_table[i]->name) || (cmd_table[i]->alias && !strcmp(word, cmd_table[i]->alias)))
			return cmd_table[i];
	return NULL;
}
