/*
 * What a session is about: a dump, a profile, or both. A profile alone gets a run without tensors that has its graphs, so
 * that every command finds a run.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/position.h"
#include "cmds/profile_list.h"
#include "cmds/session.h"
#include "cmds/so_far.h"
#include "cmds/source.h"
#include "cmds/steps.h"
#include "dump/base/mem.h"

static struct profile *profile_of(struct shell *shell)
{
	if (!shell->profile)
		shell->profile = profile_new();
	return shell->profile;
}

bool shell_name_graph(struct shell *shell, const char *path, struct err *err)
{
	return profile_name_graph(profile_of(shell), path, err);
}

bool shell_name_op_log(struct shell *shell, const char *path, struct err *err)
{
	return profile_name_op_log(profile_of(shell), path, err);
}

/* FILE, or FILE=STEP where FILE=STEP is no file. */
bool shell_name_run_metadata(struct shell *shell, const char *file_step, struct err *err)
{
	const char *equals = strrchr(file_step, '=');
	char *file;
	bool ok;

	if (!equals || !access(file_step, F_OK))
		return profile_name_run_metadata(profile_of(shell), file_step, NULL, err);
	if (!equals[1] || equals[1 + strspn(equals + 1, "0123456789")])
		return err_at(err, ERR_VALUE, "command", 0, "no such file, and no FILE=STEP with a number as STEP");
	file = mem_copy(file_step, (size_t)(equals - file_step));
	ok = profile_name_run_metadata(profile_of(shell), file, equals + 1, err);
	free(file);
	return ok;
}

static void take_nothing_here(const char *path, const struct err *dump, const struct err *profile, struct err *err)
{
	if (profile->code != ERR_MISSING)
		*err = *profile;
	else
		err_fill(err, ERR_MISSING, path, 0, "%s, RunMetadata, StepStats, GraphDef, op log, tfprof profile",
		         dump->msg);
}

/* A dump's only run, or the place before the first of several. */
static bool open_runs(struct shell *shell, const char *path, struct err *err)
{
	if (position_counts(shell)) {
		position_title(shell, &shell->title);
		return true;
	}
	str_fmt(&shell->title, "tfdbg offline @ %s", path);
	shell->opening = runs_open_run(shell->runs, runs_at(shell->runs, 1), err);
	return shell->opening != NULL;
}

bool shell_open(struct shell *shell, const char *path, struct err *err)
{
	bool named = shell->profile != NULL, has_profile = named;
	struct err dump = {0}, profile = {0};

	if (path) {
		shell->runs = runs_open(path, &dump);
		if (!shell->runs && dump.code != ERR_MISSING) {
			*err = dump;
			return false;
		}
		has_profile = profile_look(profile_of(shell), path, &profile) || named;
		if (!shell->runs && !has_profile) {
			take_nothing_here(path, &dump, &profile, err);
			return false;
		}
		if (profile.code != ERR_MISSING && profile.code != ERR_UNSUPPORTED)
			shell->profile_problem = profile;
	}
	shell->has_dump = shell->runs != NULL;
	if (!has_profile) {
		profile_close(shell->profile);
		shell->profile = NULL;
	}
	if (shell->has_dump)
		return open_runs(shell, path, err);
	shell->opening = run_of_graphs(path ? path : "");
	str_fmt(&shell->title, "tensordbg profile%s%s", path ? " @ " : "", path ? path : "");
	return true;
}

/*
 * The graphs of the profile for ni, li, lo: the one that is named or lies there, else those of the
 * current step. After a cancel none was taken.
 */
static bool take_graphs(struct shell *shell, struct progress *progress, struct err *err)
{
	struct profile *profile = shell->profile;
	const struct step *step = profile->current < profile->steps.len ? &profile->steps.at[profile->current] : NULL;
	VEC(struct graph *) graphs = {0};
	bool on = true;

	if (profile->graph) {
		run_add_graph(shell->opening, graph_first_device(profile->graph), profile->graph, true);
		return true;
	}
	for (size_t i = 0; on && step && i < step->graphs.len; i++) {
		struct err damage = {0}, why = {0};
		struct graph *graph = graph_open(step->path, step->graphs.at[i].off, step->graphs.at[i].len, progress,
		                                 &damage, &why);

		if (graph)
			vec_push(&graphs, graph);
		on = graph || why.code != ERR_CANCELLED;
		if (!on)
			*err = why;
	}
	for (size_t i = 0; i < graphs.len; i++)
		if (on)
			run_add_graph(shell->opening, graph_first_device(graphs.at[i]), graphs.at[i],
			              false);
		else
			graph_close(graphs.at[i]);
	vec_release(&graphs);
	return on;
}

/* Beside a dump a profile that can't be read is a warning. */
static bool load_profile(struct shell *shell, struct progress *progress, struct err *err)
{
	struct err why = {0};

	if (profile_load(shell->profile, progress, &why))
		return true;
	if (!shell->has_dump || why.code == ERR_CANCELLED) {
		*err = why;
		return false;
	}
	err_fill(&shell->profile_problem, why.code, why.src, why.off, "%s", why.msg);
	profile_close(shell->profile);
	shell->profile = NULL;
	return true;
}

/* The only run. Of several none is read. */
static bool load_run(struct shell *shell, struct progress *progress, struct err *err)
{
	if (!run_load(shell->opening, progress, err))
		return false;
	if (shell->has_dump)
		position_enter_loaded(shell, runs_at(shell->runs, 1), shell->opening);
	else
		position_enter_graphs(shell, shell->opening);
	shell->opening = NULL;
	shell_tensor_ops(shell);         /* now, so that the first list comes at once */
	return true;
}

bool shell_load(struct shell *shell, struct progress *progress, struct err *err)
{
	bool has_graphs = shell->has_dump || !shell->opening || shell->opening->devices.len;

	if (shell->profile && !load_profile(shell, progress, err))
		return false;
	if (!has_graphs && !take_graphs(shell, progress, err))
		return false;
	if (shell->opening && !load_run(shell, progress, err))
		return false;
	return source_find_stacks(shell, progress, err);
}

struct doc *shell_so_far(struct shell *shell)
{
	if (!shell->has_dump)
		return profile_so_far_doc(shell->profile);
	return shell->opening ? so_far_doc(shell->opening) : NULL;
}

static bool ran_on_gpu(const struct step *step)
{
	for (size_t i = 0; i < step->lanes.len; i++) {
		enum lane_kind kind = step->lanes.at[i].kind;

		if (kind == LANE_OP_ACC || kind == LANE_GPU_ALL || kind == LANE_GPU_STREAM ||
		    kind == LANE_GPU_STREAM_COPY || kind == LANE_GPU_COPY_ALL)
			return true;
	}
	return false;
}

const char *shell_first_command(const struct shell *shell)
{
	const struct profile *profile = shell->profile;

	if (shell->has_dump || !profile)
		return position_counts(shell) ? "run_info" : "lt";
	if (profile->current < profile->steps.len)
		return ran_on_gpu(&profile->steps.at[profile->current]) ? "kernels" : "scopes";
	return profile->graph && cmd_find("graph") ? "graph" : "help";
}

const char *shell_subject(const struct shell *shell)
{
	return shell->has_dump || !shell->profile ? "the dump" : "the profile";
}

const char *shell_passed_over(const struct shell *shell)
{
	return shell->profile ? shell->profile->passed_over : NULL;
}

/* Rows of a profile are those of lp then. */
const char *shell_so_far_command(const struct shell *shell)
{
	return shell->has_dump ? shell_first_command(shell) : "lp";
}

const char *shell_graph_beside(const struct shell *shell)
{
	const struct profile *profile = shell->profile;

	return profile && profile->graph_is_beside ? profile->graph_path : NULL;
}

/* Warnings: of the dump, of the stacks, of the profile as a whole, of its parts. */

static const struct problem *dump_problem(const struct shell *shell, size_t i)
{
	size_t n_runs = shell->runs ? shell->runs->problems.len : 0;

	if (i < n_runs)
		return &shell->runs->problems.at[i];
	i -= n_runs;
	return shell->run && i < shell->run->problems.len ? &shell->run->problems.at[i] : NULL;
}

static size_t dump_warnings(const struct shell *shell)
{
	return (shell->runs ? shell->runs->problems.len : 0) + (shell->run ? shell->run->problems.len : 0);
}

size_t shell_warnings(const struct shell *shell)
{
	return dump_warnings(shell) + (shell->stacks_problem.code != ERR_NONE) +
	       (shell->profile_problem.code != ERR_NONE) + (shell->profile ? shell->profile->problems.len : 0);
}

static void put_problem(const struct err *err, struct str *out)
{
	str_fmt(out, "%s, offset %" PRIu64 ": %s", err->src, err->off, err->msg);
}

void shell_warning(const struct shell *shell, size_t i, struct str *out)
{
	size_t n = dump_warnings(shell);
	const struct problem *p;

	if (i < n) {
		p = dump_problem(shell, i);
		if (*p->file)
			str_fmt(out, "%s, offset %" PRIu64 ": ", p->file, p->off);
		str_puts(out, p->text);
		return;
	}
	i -= n;
	if (shell->stacks_problem.code && i-- == 0)
		put_problem(&shell->stacks_problem, out);
	else if (shell->profile_problem.code && i-- == 0)
		put_problem(&shell->profile_problem, out);
	else
		str_puts(out, shell->profile->problems.at[i]);
}

/* For commands. */

static void no_steps(struct call *call)
{
	const struct profile *profile = call->shell->profile;

	if (profile && profile->proto && !profile->steps.len)
		call_error(call, "ERROR: %s: a tfprof profile has no step statistics; open the RunMetadata instead.",
		           profile->proto_path);
	else
		call_error(call, "ERROR: No RunMetadata passed for profile analysis.");
}

struct step *need_step(struct call *call, const char *word)
{
	struct profile *profile = call->shell->profile;
	size_t at;

	if (!profile || !profile->steps.len || (!word && profile->current >= profile->steps.len)) {
		no_steps(call);
		return NULL;
	}
	at = word ? profile_find_step(profile, word) : profile->current;
	if (at >= profile->steps.len) {
		call_error(call, "ERROR: No step %s: this profile has %zu step(s), from %s to %s.", word,
		           profile->steps.len, profile->steps.at[0].label, vec_last(&profile->steps)->label);
		return NULL;
	}
	return step_of(call, at);
}
