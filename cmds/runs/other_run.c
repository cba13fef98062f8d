#include <stdlib.h>
#include <string.h>

#include "cmds/runs/diff.h"
#include "cmds/session/position.h"
#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/files/archive.h"
#include "dump/files/recognise.h"
#include "dump/format/file.h"
#include "dump/readers.h"
#include "dump/target.h"

static const char *copy(struct call *call, const char *text)
{
	return arena_copy(doc_mem(call->out), text, strlen(text));
}

/* The last part of a path. */
static const char *name_of(struct call *call, const char *path)
{
	size_t len = strlen(path), from;

	while (len > 1 && path[len - 1] == '/')
		len--;
	for (from = len; from && path[from - 1] != '/'; from--)
		;
	return arena_copy(doc_mem(call->out), path + from, len - from);
}

/* Of runs that are no directories (steps of arrays, those in a summary) the path is that of all. */
const char *this_run_name(struct call *call)
{
	const struct run_entry *at = position_at(call->shell);

	if (at && at->runs->is_root && at->path == at->runs->path && strcmp(at->name, ".") != 0)
		return copy(call, at->name);
	return name_of(call, call->shell->run->path);
}

static void close_run(void *run)
{
	run_close(run);
}

/* The step that the current run is of; -1: of none. */
static int64_t position_step(struct call *call)
{
	const struct run_entry *at = position_at(call->shell);

	return at ? at->step : -1;
}

/* The file, where a path is only what its name begins with. */
static const char *file_of(struct call *call, const char *path)
{
	const char *file = checkpoint_of_prefix(path, doc_mem(call->out));

	return file ? file : path;
}

/* What a path that is an archive, or leads into one, opened. */
struct beside {
	struct target target;
	struct opened opened;
};

static void close_beside(void *owner)
{
	struct beside *beside = owner;

	runs_close(beside->opened.runs);
	programs_close(beside->opened.programs);
	profile_close(beside->opened.profile);
	target_release(&beside->target);
	free(beside);
}

typedef VEC(struct mount *) archives;

static void close_archives(void *owner)
{
	archives *held = owner;

	for (size_t i = 0; i < held->len; i++)
		mount_release(held->at[i]);
	vec_release(held);
	free(held);
}

/* The next answer may be about it too, and what is packed is not to be unpacked again. */
static void keep_archive(struct shell *shell, const char *path)
{
	static const char key[] = "archives of diff";
	archives *held = shell_kept(shell, key);
	struct mount *mount = mount_hold(path);

	if (!held) {
		held = mem_alloc(sizeof *held);
		shell_keep(shell, key, KEEP_ON, held, close_archives);
	}
	for (size_t i = 0; i < held->len; i++)
		if (held->at[i] == mount) {
			mount_release(mount);
			return;
		}
	vec_push(held, mount);
}

/* The only run, or the one of this step. NULL: *err. */
static struct run *run_of(struct runs *runs, const char *path, int64_t step, struct err *err)
{
	struct run_entry *entry = NULL;

	for (size_t i = 0; runs && i < runs->list.len; i++)
		if (runs->list.len == 1 || (step >= 0 && runs->list.at[i]->step == step))
			entry = runs->list.at[i];
	if (entry)
		return runs_open_run(runs, entry, err);
	if (runs)
		err_fill(err, ERR_MISSING, path, 0, "the directory of %zu runs, not one of them",
		         runs->list.len);
	else
		err_fill(err, ERR_MISSING, path, 0, "no dump of runs");
	return NULL;
}

static bool is_in_archive(struct call *call, const char *path)
{
	const char *file = file_is_there(path) ? path : archive_above(path, doc_mem(call->out));
	struct mount *mount = mount_hold(path);
	enum file_kind kind;

	mount_release(mount);
	return mount || !strcmp(path, "-")
	       || (file && !file_is_dir(file) && recognise(file, &kind, NULL) && archive_is(kind));
}

static struct run *open_in_archive(struct call *call, const char *path)
{
	struct beside *beside = mem_alloc(sizeof *beside);
	bool ok;

	beside->opened.profile = profile_new();
	doc_keep(call->out, close_beside, beside);
	path = copy(call, path);
	ok = target_open(path, &beside->target, &beside->opened, call->progress, &call->err);
	if (beside->target.archive)
		keep_archive(call->shell, path);
	return ok ? run_of(beside->opened.runs, path, position_step(call), &call->err) : NULL;
}

static bool open_path(struct call *call, const char *path, struct other_run *out)
{
	if (is_in_archive(call, path))
		out->run = open_in_archive(call, path);
	else
		out->run = run_open_step(file_of(call, path), position_step(call), &call->err);
	if (!out->run)
		return false;
	doc_keep(call->out, close_run, out->run);
	out->name = name_of(call, path);
	out->word = copy(call, path);
	return run_load(out->run, call->progress, &call->err);
}

/* The run before this one; NULL: the answer says why not. */
static struct run_entry *entry_before(struct call *call)
{
	size_t at = position_number(call->shell);

	if (at > 1)
		return runs_at(call->shell->runs, at - 1);
	if (position_counts(call->shell))
		call_error(call, "ERROR: There is no run before #1. Give the other run: its "
		                 "number, its name, or a path.");
	else
		call_error(call, "ERROR: There is no other run: this is a single dump. The path of "
		                 "another dump, with a slash, can be given.");
	return NULL;
}

static struct run_entry *find_entry(struct call *call, const char *word)
{
	struct run_entry *entry = NULL;
	struct err err = {0};

	if (position_counts(call->shell) && position_find(call->shell, word, &entry, &err) && entry)
		return entry;
	if (!position_counts(call->shell))
		call_error(call,
		           "ERROR: \"%s\" is no tensor of this run and no other run: this is a "
		           "single dump. The path of another dump, with a slash, can be given.",
		           word);
	else
		call_error(call, "%s", err.code ? err.msg : "ERROR: #0 is no run.");
	return NULL;
}

/* The run if it is open already, borrowed; else opened for this answer. */
static bool open_entry(struct call *call, struct run_entry *entry, struct other_run *out)
{
	struct visit *visit = visit_find(call->shell->visits, entry);
	struct str number = {0};

	if (visit) {
		doc_keep(call->out, visit_release, visit);
		out->run = visit->run;
	} else {
		out->run = runs_open_run(call->shell->runs, entry, &call->err);
		if (out->run)
			doc_keep(call->out, close_run, out->run);
	}
	out->name = copy(call, entry->name);
	str_fmt(&number, "%zu", entry->position);
	out->word = copy(call, number.text);
	str_release(&number);
	return out->run && (visit || run_load(out->run, call->progress, &call->err));
}

/* Something that is there, and called as no run is. */
static bool is_path(struct call *call, const char *word)
{
	struct run_entry *entry = NULL;
	struct err err = {0};

	return (file_is_there(file_of(call, word)) || !strcmp(word, "-"))
	       && !(position_counts(call->shell)
	            && position_find(call->shell, word, &entry, &err));
}

bool other_run_open(struct call *call, const char *word, struct other_run *out)
{
	bool is_of_program = !word && call->shell->against;      /* --diff OLD */
	struct run_entry *entry;

	if (is_of_program)
		word = call->shell->against;
	if (word && (strchr(word, '/') || is_path(call, word))) {
		bool opens = open_path(call, word, out);

		if (!opens && is_of_program)
			call->status = 3;
		return opens;
	}
	entry = word ? find_entry(call, word) : entry_before(call);
	return entry && open_entry(call, entry, out);
}
