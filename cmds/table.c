#include "cmds/table.h"

#include "cmds/lang/registry.h"

/*
 * Sorted by name, each behind its group. V(a, b): about a recorded program b answers in the place
 * of a. P(a, b, c): where only a profile is open, c does so, too. R(a): only recorded programs have
 * it. Q(a, b): a is only where a profile is open, b about recorded programs.
 */
#define COMMANDS(X, V, P, R, Q) \
	X(SCREEN, alias) V(WALK, back, back_program) X(SCREEN, bind) X(SCREEN, close) \
	X(SCREEN, cfg) \
	V(COMPARE, diff, diff_program) V(LOOK, doctor, doctor_program) X(WALK, dot) \
	V(COMPARE, drift, drift_program) V(LOOK, du, du_program) \
	V(LOOK, ev, ev_program) X(SCREEN, exit) \
	X(LOOK, export) \
	V(LOOK, explain, explain_program) X(LOOK, filter) X(SCREEN, focus) X(PROFILE, gaps) \
	X(WALK, graph) \
	V(LOOK, grid, grid_program) X(SCREEN, h) X(PROFILE, kernels) X(SCREEN, layout) \
	R(LOOK, la) R(LOOK, lx) Q(LOOK, lg_module, lg) V(WALK, li, li_program) \
	V(WALK, lo, lo_program) \
	X(PROFILE, lp) V(LOOK, ls, ls_program) V(LOOK, lt, lt_program) X(SCREEN, marks) \
	X(PROFILE, memory) X(SCREEN, messages) V(LOOK, ni, ni_program) \
	V(LOOK, origins, origins_program) X(PROFILE, overlap) X(LOOK, overview) \
	V(LOOK, picture, picture_program) X(PROFILE, pipeline) \
	X(PROFILE, pprof) V(LOOK, pf, pf_program) \
	P(LOOK, ps, ps_program, ps_profile) V(LOOK, pt, pt_program) X(SCREEN, resize) \
	V(WALK, run, run_program) V(LOOK, ri, ri_program) V(LOOK, runs, runs_program) \
	X(PROFILE, scopes) X(SCREEN, split) X(PROFILE, step) X(PROFILE, steps) \
	X(SCREEN, tagged) X(PROFILE, tfprof) \
	X(PROFILE, timeline) X(SCREEN, unalias) X(SCREEN, unbind) X(SCREEN, ver) X(SCREEN, zoom)

#define X(group, id) extern const struct cmd cmd_##id;
#define V(group, id, program) X(group, id) X(group, program)
#define R(group, id) X(group, id)
#define P(group, id, program, profile) X(group, id) X(group, program) X(group, profile)
#define Q(group, profile, program) X(group, profile) X(group, program)
COMMANDS(X, V, P, R, Q)
#undef X
#undef V
#undef P
#undef R
#undef Q

#define X(g, id) { .cmd = &cmd_##id, .group = GROUP_##g },
#define V(g, id, program) \
	{ .cmd = &cmd_##id, .of_program = &cmd_##program, .group = GROUP_##g },
#define R(g, id) { .of_program = &cmd_##id, .group = GROUP_##g },
#define Q(g, profile, program) \
	{ .of_program = &cmd_##program, .of_profile = &cmd_##profile, .group = GROUP_##g },
#define P(g, id, program, profile) \
	{ .cmd = &cmd_##id, .of_program = &cmd_##program, .of_profile = &cmd_##profile, \
	  .group = GROUP_##g },
static const struct registered rows[] = { COMMANDS(X, V, P, R, Q) };
#undef X
#undef V
#undef P
#undef R
#undef Q

void table_register(void)
{
	registry_set(rows, sizeof rows / sizeof *rows);
}

#define VIEWS(X) X(kernels) X(du) X(lanes_view) X(graph) X(drawn) X(grid) X(occurrences) X(traced)

#define X(id) extern const struct doc_keys id##_keys;
VIEWS(X)
#undef X

#define X(id) &id##_keys,
const struct doc_keys *const doc_keys_table[] = { VIEWS(X) };
#undef X
const size_t n_doc_keys = sizeof doc_keys_table / sizeof *doc_keys_table;
