#include "cmds/table.h"

#include "cmds/lang/registry.h"

/* Sorted by name. P(a, b): where only a profile is open, b answers in the place of a. */
#define COMMANDS(X, P) \
	X(back) X(close) X(cfg) X(diff) X(dot) X(ev) X(exit) X(explain) X(filter) X(focus) \
	X(graph) X(grid) X(h) X(kernels) X(layout) X(li) X(lo) X(lp) X(ls) X(lt) X(marks) \
	X(memory) X(messages) X(ni) X(picture) X(pprof) X(pf) P(ps, ps_profile) X(pt) X(resize) \
	X(run) X(ri) X(runs) X(scopes) X(split) X(step) X(tfprof) X(timeline) X(ver) X(zoom)

#define X(id) extern const struct cmd cmd_##id;
#define P(id, other) X(id) X(other)
COMMANDS(X, P)
#undef X
#undef P

#define X(id) { .cmd = &cmd_##id },
#define P(id, other) { .cmd = &cmd_##id, .of_profile = &cmd_##other },
static const struct registered rows[] = { COMMANDS(X, P) };
#undef X
#undef P

void table_register(void)
{
	registry_set(rows, sizeof rows / sizeof *rows);
}

#define VIEWS(X) X(kernels) X(lanes_view) X(graph) X(drawn) X(grid)

#define X(id) extern const struct doc_keys id##_keys;
VIEWS(X)
#undef X

#define X(id) &id##_keys,
const struct doc_keys *const doc_keys_table[] = { VIEWS(X) };
#undef X
const size_t n_doc_keys = sizeof doc_keys_table / sizeof *doc_keys_table;
