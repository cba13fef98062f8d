#include "cmds/table.h"

#include "cmds/lang/registry.h"

/*
 * Sorted by name. V(a, b): about a recorded program b answers in the place of a. P(a, b, c): where
 * only a profile is open, c does so, too. R(a): only recorded programs have it.
 */
#define COMMANDS(X, V, P, R) \
	X(alias) V(back, back_program) X(bind) X(close) X(cfg) V(diff, diff_program) \
	X(dot) V(ev, ev_program) X(exit) V(explain, explain_program) \
	X(filter) X(focus) X(graph) V(grid, grid_program) X(h) X(kernels) X(layout) R(la) R(lx) \
	R(lg) V(li, li_program) V(lo, lo_program) X(lp) V(ls, ls_program) \
	V(lt, lt_program) X(marks) X(memory) X(messages) V(ni, ni_program) \
	V(picture, picture_program) X(pprof) \
	V(pf, pf_program) P(ps, ps_program, ps_profile) V(pt, pt_program) X(resize) \
	V(run, run_program) \
	V(ri, ri_program) V(runs, runs_program) X(scopes) X(split) X(step) X(tfprof) X(timeline) \
	X(unalias) X(unbind) X(ver) X(zoom)

#define X(id) extern const struct cmd cmd_##id;
#define V(id, program) X(id) X(program)
#define R(id) X(id)
#define P(id, program, profile) X(id) X(program) X(profile)
COMMANDS(X, V, P, R)
#undef X
#undef V
#undef P
#undef R

#define X(id) { .cmd = &cmd_##id },
#define V(id, program) { .cmd = &cmd_##id, .of_program = &cmd_##program },
#define R(id) { .of_program = &cmd_##id },
#define P(id, program, profile) \
	{ .cmd = &cmd_##id, .of_program = &cmd_##program, .of_profile = &cmd_##profile },
static const struct registered rows[] = { COMMANDS(X, V, P, R) };
#undef X
#undef V
#undef P
#undef R

void table_register(void)
{
	registry_set(rows, sizeof rows / sizeof *rows);
}

#define VIEWS(X) X(kernels) X(lanes_view) X(graph) X(drawn) X(grid) X(occurrences) X(traced)

#define X(id) extern const struct doc_keys id##_keys;
VIEWS(X)
#undef X

#define X(id) &id##_keys,
const struct doc_keys *const doc_keys_table[] = { VIEWS(X) };
#undef X
const size_t n_doc_keys = sizeof doc_keys_table / sizeof *doc_keys_table;
