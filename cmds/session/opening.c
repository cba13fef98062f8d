/*
 * What a session is about: a dump, a profile, or both. With a profile alone there is a run without
 * tensors that has its graphs, so every command finds a run.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/doc/figure.h"
#include "cmds/lang/format.h"
#include "cmds/lang/registry.h"
#include "cmds/lang/words.h"
#include "cmds/session/cached.h"
#include "cmds/session/complete.h"
#include "cmds/session/following.h"
#include "cmds/session/position.h"
#include "cmds/session/program.h"
#include "cmds/session/roots.h"
#include "cmds/session/session.h"
#include "cmds/session/stacks.h"
#include "cmds/session/steps.h"
#include "dump/arrays/array.h"
#include "dump/base/mount.h"
#include "dump/base/mem.h"
#include "dump/format/file.h"
#include "dump/format/unpack.h"
#include "dump/model/module.h"
#include "dump/profile/trace.h"

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
		return err_at(err, ERR_VALUE, "command", 0,
		              "no such file, and no FILE=STEP with a number as STEP");
	file = mem_copy(file_step, (size_t)(equals - file_step));
	ok = profile_name_run_metadata(profile_of(shell), file, equals + 1, err);
	free(file);
	return ok;
}

/* A dump's only run, or the place before the first of several. */
static bool open_runs(struct shell *shell, const char *path, struct err *err)
{
	if (position_counts(shell)) {
		position_title(shell, &shell->title);
		return true;
	}
	str_puts(&shell->title, "tfdbg offline @ ");
	mount_put_shown(&shell->title, path);
	shell->opening = runs_open_run(shell->runs, runs_at(shell->runs, 1), err);
	return shell->opening != NULL;
}

/* The last part of a path, as it is really called: that of "." is the directory's name. */
static void take_name(struct shell *shell, const char *path)
{
	char *real = file_real_path(path ? path : ".");
	const char *slash = real ? strrchr(real, '/') : NULL;

	str_reset(&shell->name);
	str_puts(&shell->name, slash && slash[1] ? slash + 1 : path ? path : ".");
	free(real);
}

/* --worker: the rest of what was opened is not there. */
static bool narrow(struct shell *shell, const char *path, bool told, struct err *err)
{
	if (!shell->worker || !path)
		return true;
	if (shell->profile)
		told |= profile_narrow(shell->profile, shell->worker);
	if (shell->runs)
		return runs_narrow(shell->runs, shell->worker, err);
	return told || err_at(err, ERR_VALUE, path, 0, "--worker: nothing here has workers");
}

/*
 * Hands what was opened to the session. has_profile: some part of a profile is there; narrowed:
 * only what the asked worker told was opened.
 */
static bool take_opened(struct shell *shell, const char *path, bool has_profile, bool narrowed,
                        struct err *err)
{
	str_reset(&shell->title);
	shell->has_dump = shell->runs || shell->programs;
	if (!narrow(shell, path, narrowed, err))
		return false;
	if (!has_profile) {
		profile_close(shell->profile);
		shell->profile = NULL;
	}
	if (shell->programs)
		program_start(shell);
	else if (shell->has_dump)
		return open_runs(shell, path, err);
	if (has_profile && !shell->programs)
		shell->opening = run_of_graphs(path ? path : "");
	has_profile = has_profile && !shell->programs;
	str_fmt(&shell->title, "tensordbg%s%s", has_profile ? " profile" : "", path ? " @ " : "");
	if (path)
		mount_put_shown(&shell->title, path);
	return true;
}

bool shell_open(struct shell *shell, const char *path, struct err *err)
{
	return shell_open_watched(shell, path, NULL, err);
}

bool shell_open_watched(struct shell *shell, const char *path, struct progress *progress,
                        struct err *err)
{
	bool named = shell->profile != NULL;
	struct opened opened = { .profile = profile_of(shell), .worker = shell->worker };
	struct err why = {0};

	if (!path)
		return take_opened(shell, NULL, named, false, err);
	if (!target_open(path, &shell->target, &opened, progress, &why)
	    && !(named && (why.code == ERR_MISSING || why.code == ERR_UNSUPPORTED))) {
		*err = why;
		return false;
	}
	shell->runs = opened.runs;
	shell->programs = opened.programs;
	shell->profile_problem = opened.profile_problem;
	take_name(shell, shell->target.path);
	return take_opened(shell, shell->target.path, opened.has_profile || named, opened.narrowed,
	                   err);
}

void shell_narrow(struct shell *shell, const char *worker)
{
	shell->worker = worker;
}

void shell_hold_against(struct shell *shell, const char *path)
{
	shell->against = path;
}

void shell_unpack_at_most(uint64_t bytes)
{
	temp_most = bytes;
}

bool shell_raw_type(const char *name)
{
	array_raw_type = dtype_named(name);
	return array_raw_type;
}

void shell_open_nothing(struct shell *shell)
{
	take_opened(shell, NULL, false, false, NULL);
}

bool shell_needs_nothing(const char *line)
{
	size_t len = strcspn(line, " \t"), blank = strspn(line, " \t");
	char *word = mem_copy(line + blank, blank ? strcspn(line + blank, " \t") : len);
	const struct cmd *cmd = cmd_find(word);
	bool needs_nothing = cmd && cmd->dumpless;

	free(word);
	return needs_nothing;
}

/* Another root. */

/* Sets aside what is open, for the answers that still use it. */
static void put_aside(struct shell *shell, struct left_open *left)
{
	shell_stop_following(shell);
	program_drop_beside(shell);
	position_leave(shell);
	steps_forget_activities(shell);
	candidates_free(shell->candidates);
	shell->candidates = NULL;
	*left = (struct left_open){ .runs = shell->runs, .programs = shell->programs,
	                            .profile = shell->profile,
	                            .things = shell->things };
	if (!shell->stacks_named) {
		left->stacks = shell->stacks;
		shell->stacks = NULL;
		shell->stacks_above = false;
	}
	shell->runs = NULL;
	shell->programs = NULL;
	shell->program = NULL;
	shell->profile = NULL;
	shell->things = (kept_things){0};
	shell->stacks_problem = shell->profile_problem = (struct err){0};
}

static void take_back(struct shell *shell, struct left_open *left)
{
	run_close(shell->opening);
	shell->opening = NULL;
	runs_close(shell->runs);
	programs_close(shell->programs);
	profile_close(shell->profile);
	if (!shell->stacks_named) {
		stacks_close(shell->stacks);
		shell->stacks = left->stacks;
	}
	shell->runs = left->runs;
	shell->programs = left->programs;
	shell->profile = left->profile;
	kept_release(&shell->things);
	shell->things = left->things;
	shell->has_dump = shell->runs || shell->programs;
}

bool shell_enter_root(struct shell *shell, const struct target_root *root,
                      struct progress *progress, struct err *err)
{
	struct target target = {0};
	struct run_entry *at = position_at(shell);
	struct visit *visit = shell->visit ? visit_keep(shell->visit) : NULL;
	struct left_open left;
	struct opened opened;
	bool ok;

	put_aside(shell, &left);
	opened = (struct opened){ .profile = profile_of(shell) };
	ok = target_open(root->path, &target, &opened, progress, err);
	target_release(&target);
	shell->runs = opened.runs;
	shell->programs = opened.programs;
	shell->profile_problem = opened.profile_problem;
	ok = ok && take_opened(shell, root->path, opened.has_profile, false, err)
	     && shell_load(shell, progress, err);
	if (!ok) {
		take_back(shell, &left);
		position_return(shell, at, visit);
		return false;
	}
	visit_release(visit);
	shell->root = root;
	shell->changes++;
	take_name(shell, root->path);
	vec_push(&shell->left, left);
	return true;
}

/*
 * The profile's graphs for ni, li, lo: the named one or one found there, else those of the current
 * step. After a cancel there are none.
 */
static bool take_graphs(struct shell *shell, struct progress *progress, struct err *err)
{
	struct graph *own = shell->profile->graph;
	struct graph_list graphs = {0};

	if (own) {
		run_add_graph(shell->opening, graph_first_device(own), own, true);
		return true;
	}
	if (!profile_open_partitions(shell->profile, &graphs, progress, err))
		return false;
	for (size_t i = 0; i < graphs.at.len; i++)
		run_add_graph(shell->opening, graph_first_device(graphs.at.at[i]), graphs.at.at[i],
		              false);
	if (!graphs.at.len && shell->profile->module)
		run_add_graph(shell->opening, "", shell->profile->module, true);
	vec_release(&graphs.at);
	return true;
}

/* Beside a dump, a profile that can't be read is only a warning. */
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

/* After a cancel the half-read only run is of no use: start again. */
static void open_again(struct shell *shell)
{
	run_close(shell->opening);
	shell->opening = runs_open_run(shell->runs, runs_at(shell->runs, 1), NULL);
}

/* Loads the only run; of several, none. */
static bool load_run(struct shell *shell, struct progress *progress, struct err *err)
{
	struct err why = {0};

	if (!cached_load(shell, progress, &why) && why.code) {
		*err = why;
		return false;
	}
	if (!shell->opening->from_cache && !run_load(shell->opening, progress, err)) {
		if (shell->has_dump)
			open_again(shell);
		return false;
	}
	if (shell->has_dump)
		position_enter_loaded(shell, runs_at(shell->runs, 1), shell->opening);
	else
		position_enter_graphs(shell, shell->opening);
	shell->opening = NULL;
	shell_tensor_ops(shell);         /* now, so that the first list comes at once */
	return true;
}

/* The command line that shows a dumped tensor, this one among its node's dumps. */
static void put_print(const struct run *run, const struct tensor *t, struct str *out)
{
	size_t n, before = 0, same = 0;
	const uint32_t *all = run_node_tensors(run, t->node_id, &n);
	bool devices = false;
	struct str name = {0};

	for (size_t i = 0; i < n; i++) {
		const struct tensor *other = &run->tensors.at[all[i]];

		devices = devices || other->device != t->device;
		if (other->device != t->device || other->slot != t->slot)
			continue;
		before += other < t;
		same++;
	}
	run_put_name(run, t, &name);
	words_put_with(out, "pt", name.text);
	if (same > 1)
		str_fmt(out, " -n %zu", before);
	if (devices)
		words_put_with(out, " -D", run->devices.at[t->device].name);
	str_release(&name);
}

/* PATH is a file of the dump: if it is a tensor's, that is what shows first. */
static void note_file(struct shell *shell)
{
	const char *file = shell->target.file;
	const struct run *run = shell->run;
	struct str own = {0};

	str_reset(&shell->first);
	for (size_t i = 0; file && run && i < run->tensors.len && !shell->first.len; i++) {
		str_reset(&own);
		run_tensor_file(run, &run->tensors.at[i], &own);
		if (!strcmp(own.text, file))
			put_print(run, &run->tensors.at[i], &shell->first);
	}
	str_release(&own);
	if (shell->against && run) {
		str_reset(&shell->first);
		words_put_with(&shell->first, "diff", shell->against);
	}
}

bool shell_load(struct shell *shell, struct progress *progress, struct err *err)
{
	bool has_graphs = shell->has_dump || !shell->opening || shell->opening->devices.len;

	if (shell->profile && !load_profile(shell, progress, err))
		return false;
	if (shell->programs)
		return program_enter(shell, shell->program_at, progress, err);
	if (!shell->has_dump && !shell->profile)
		return true;
	if (!has_graphs && !take_graphs(shell, progress, err))
		return false;
	if (shell->opening && !load_run(shell, progress, err))
		return false;
	if (!stacks_find_beside(shell, progress, err))
		return false;
	if (!shell->stacks && shell->profile && shell->profile->module && !shell->has_dump)
		shell->stacks = module_stacks(shell->profile->module);
	note_file(shell);
	return true;
}

struct doc *shell_so_far(struct shell *shell)
{
	const struct cmd *cmd = session_cmd(shell, shell->programs   ? "lx"
	                                           : shell->has_dump ? "lt"
	                                           : profile_is_trace(shell->profile)
	                                             ? "kernels" : "lp");

	return cmd && cmd->so_far ? cmd->so_far(shell) : NULL;
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

	if (shell->first.len)
		return shell->first.text;
	if (roots_are_several(shell) && !shell->root)
		return "runs";
	if (shell->programs)
		return "lx";
	if (shell->has_dump || !profile)
		return position_counts(shell) ? "run_info" : "lt";
	if (profile->current < profile->steps.len)
		return profile->trace || ran_on_gpu(&profile->steps.at[profile->current])
		       ? "kernels" : "scopes";
	if (profile->module)
		return "lg";
	return profile->graph && cmd_find("graph") ? "graph" : "help";
}

bool shell_has_dump(const struct shell *shell)
{
	return shell->has_dump;
}

const char *shell_subject(const struct shell *shell)
{
	return shell->has_dump || !shell->profile ? "the dump" : "the profile";
}

const char *shell_passed_over(const struct shell *shell)
{
	return shell->profile ? shell->profile->passed_over : NULL;
}

/* Then a profile is shown by the rows of lp. */
const char *shell_so_far_command(const struct shell *shell)
{
	if (shell->has_dump)
		return shell_first_command(shell);
	return shell->profile && profile_is_trace(shell->profile) ? "kernels" : "lp";
}

const char *shell_graph_beside(const struct shell *shell)
{
	const struct profile *profile = shell->profile;

	return profile && profile->graph_is_beside ? profile->graph_path : NULL;
}

const char *shell_note(const struct shell *shell)
{
	return shell->target.note;
}

static void put_run_facts(const struct run *run, struct str *out)
{
	int64_t last_us = run->tensors.len ? vec_last(&run->tensors)->time_us : -1;

	str_fmt(out, "  %zu tensor%s  %zu device%s", run->tensors.len, plural(run->tensors.len),
	        run->devices.len, plural(run->devices.len));
	if (run_has_times(run) && run->t0_us >= 0 && last_us > run->t0_us) {
		str_puts(out, "  ");
		put_time(out, (last_us - run->t0_us) * 1000, UNIT_AUTO);
	}
}

static void put_module_facts(const struct graph *graph, struct str *out)
{
	size_t n = graph_module(graph)->computations.len;
	uint32_t n_instructions = graph_len(graph);

	str_fmt(out, "  %zu computation%s  %" PRIu32 " instruction%s", n, plural(n), n_instructions,
	        plural(n_instructions));
}

void shell_put_opened(struct shell *shell, struct str *out)
{
	size_t position = shell_position(shell);

	str_puts(out, str_text(&shell->name));
	if (roots_are_several(shell) && !shell->root)
		str_fmt(out, "  %zu places below", shell->target.roots.len);
	else if (position_counts(shell) && position) {
		str_puts(out, "  run ");
		put_run_number(out, runs_at(shell->runs, position));
		str_fmt(out, " of %zu", shell->runs->list.len);
	} else if (position_counts(shell))
		str_fmt(out, "  %zu run%s", shell->runs->list.len, plural(shell->runs->list.len));
	if (shell->program)
		str_fmt(out, "  %zu execution%s  %" PRIu64 " tensor%s",
		        shell->program->steps.len, plural(shell->program->steps.len),
		        shell->program->n_tensors, plural(shell->program->n_tensors));
	else if (shell->has_dump && shell->run)
		put_run_facts(shell->run, out);
	else if (session_kind(shell) == OF_MODULE)
		put_module_facts(shell->profile->module, out);
	else if (shell->profile && !shell->has_dump)
		str_fmt(out, "  %zu step%s", shell->profile->steps.len,
		        plural(shell->profile->steps.len));
	if (shell_is_unchecked(shell))
		str_puts(out, "  cached, checking");
}

void shell_put_counts(struct shell *shell, struct str *out)
{
	const struct profile *profile = shell->profile;
	int64_t bytes = 0;

	if (roots_are_several(shell) && !shell->root) {
		str_fmt(out, "%zu places below: \"runs\" lists them", shell->target.roots.len);
	} else if (position_counts(shell)) {
		str_fmt(out, "%zu runs: \"runs\" lists them, \"run\" goes to the first",
		        shell->runs->list.len);
	} else if (shell->program) {
		program_put_counts(shell->program, out);
	} else if (shell->has_dump) {
		for (size_t i = 0; i < shell->run->tensors.len; i++)
			if (shell->run->tensors.at[i].size_bytes > 0)
				bytes += shell->run->tensors.at[i].size_bytes;
		str_fmt(out, "%zu dumped tensor%s (", shell->run->tensors.len,
		        plural(shell->run->tensors.len));
		put_size(out, bytes);
		str_puts(out, "): \"lt\" lists them");
	} else if (session_kind(shell) == OF_MODULE) {
		str_fmt(out, "%" PRIu32 " instruction%s: \"lg\" lists their computations",
		        graph_len(profile->module), plural(graph_len(profile->module)));
	} else if (profile) {
		str_fmt(out, "%zu step%s: \"%s\" shows %s", profile->steps.len,
		        plural(profile->steps.len), shell_first_command(shell),
		        profile->steps.len ? "the current one" : "what there is");
	}
}

/*
 * Warnings: of the dump, of the stacks, of the profile as a whole, of its parts; what validation
 * has found.
 */

bool shell_has_arrays(const struct shell *shell)
{
	return shell->runs && shell->runs->of_arrays;
}

/* Of files of arrays each may be one that somebody looks for. */
bool shell_tells_each(const struct shell *shell)
{
	return shell_has_arrays(shell);
}

/*
 * The i-th problem of the list of runs, then of the run. What a recorder left out is no warning.
 * NULL: there are only *n.
 */
static const struct problem *dump_problem(const struct shell *shell, size_t i, size_t *n)
{
	size_t n_runs = shell->runs ? shell->runs->problems.len : 0;
	size_t all = n_runs + (shell->run ? shell->run->problems.len : 0);

	*n = 0;
	for (size_t k = 0; k < all; k++) {
		const struct problem *p = k < n_runs ? &shell->runs->problems.at[k]
		                                     : &shell->run->problems.at[k - n_runs];

		if (p->kind != PROBLEM_LEFT_OUT && (*n)++ == i)
			return p;
	}
	return NULL;
}

static size_t dump_warnings(const struct shell *shell)
{
	size_t n;

	dump_problem(shell, SIZE_MAX, &n);
	return n;
}

const char *shell_lacks(const struct shell *shell)
{
	return shell->runs       ? shell->runs->lacks
	       : shell->programs ? programs_lacks(shell->programs)
	                         : NULL;
}

size_t shell_warnings(const struct shell *shell)
{
	return dump_warnings(shell) + program_warnings(shell) +
	       (shell->stacks_problem.code != ERR_NONE) +
	       (shell->profile_problem.code != ERR_NONE) +
	       (shell->profile ? shell->profile->problems.len : 0) + shell_findings(shell);
}

static void put_finding(const struct shell *shell, size_t i, struct str *out)
{
	const struct problem *finding = &shell->visit->findings[i];

	str_fmt(out, "%s: %s", finding->file, finding->text);
}

/* "PATH/FILE: " */
static void put_place(struct str *out, const char *path, const char *file)
{
	struct str whole = {0};

	str_fmt(&whole, "%s%s%s", path, *file ? "/" : "", file);
	mount_put_shown(out, whole.text);
	str_puts(out, ": ");
	str_release(&whole);
}

void shell_warning(const struct shell *shell, size_t i, struct str *out)
{
	size_t n;
	const struct problem *p = dump_problem(shell, i, &n);

	if (p) {
		if (shell_tells_each(shell)) {
			put_place(out, shell->runs->path, p->file);
			str_puts(out, p->text);
		} else {
			problem_put(out, p);
		}
		return;
	}
	i -= n;
	if (i < program_warnings(shell)) {
		program_warning(shell, i, out);
		return;
	}
	i -= program_warnings(shell);
	if (shell->stacks_problem.code && i-- == 0)
		err_put(out, shell->stacks_problem.src, &shell->stacks_problem);
	else if (shell->profile_problem.code && i-- == 0)
		err_put(out, shell->profile_problem.src, &shell->profile_problem);
	else if (shell->profile && i < shell->profile->problems.len)
		str_puts(out, shell->profile->problems.at[i]);
	else
		put_finding(shell, i - (shell->profile ? shell->profile->problems.len : 0), out);
}

const char *shell_next_damage(const struct shell *shell, size_t *at)
{
	const struct trace *trace = shell->profile ? shell->profile->trace : NULL;

	while (trace && *at < trace->damage.len) {
		const char *text = trace->damage.at[(*at)++];

		if (!profile_tells(shell->profile, text))
			return text;
	}
	return NULL;
}

void shell_put_notes(const struct shell *shell, struct doc *doc)
{
	if (shell->program)
		program_put_notes(shell->program, doc);
}

bool shell_warning_may_pass(const struct shell *shell, size_t i)
{
	size_t n = dump_warnings(shell);

	return i >= n && i - n < program_warnings(shell) && program_warning_may_pass(shell, i - n);
}
