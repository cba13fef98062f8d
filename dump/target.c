/*
 * A directory's own kinds are found by its names alone (a profile also by the heads of some
 * files); the rows' order is their precedence. Below it each directory is of the first kind that
 * fits, and is not looked into any further.
 */
#include "dump/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/files/below.h"
#include "dump/files/recognise.h"
#include "dump/v1/v1_name.h"
#include "dump/v1/v1_probe.h"

enum { HEADS_MAX = 300 /* files read to find profiles below */ };

/* A directory that is looked at. */
struct look {
	const char *path;
	const struct listing *list;
	size_t *heads_left;
	struct target_root *found;        /* what a probe may fill in: runs and their times */
};

/*
 * One kind. holds: does this directory hold it? Either open, which is called for PATH too if holds
 * did not say so and then may answer ERR_MISSING, or answer: the kind of file whose answer it is.
 */
struct target_kind {
	const char *name;
	const char *signs;               /* what it is known by */
	bool (*holds)(const struct look *look);
	bool (*open)(struct opened *out, const char *path, struct err *err);
	enum file_kind answer;
};

/* Probes. */

/* A name that begins and ends so. */
static bool has_name(const struct look *look, const char *begins, const char *ends)
{
	for (size_t i = 0; i < look->list->entries.len; i++) {
		const char *name = look->list->entries.at[i].name;
		size_t len = strlen(name), n = strlen(ends);

		if (!strncmp(name, begins, strlen(begins)) && len >= n
		    && !strcmp(name + len - n, ends))
			return true;
	}
	return false;
}

static void note_time(struct target_root *root, int64_t time_us)
{
	if (time_us <= 0)
		return;
	if (root->first_us < 0 || time_us < root->first_us)
		root->first_us = time_us;
	if (time_us > root->last_us)
		root->last_us = time_us;
}

static bool holds_v1(const struct look *look)
{
	bool signs = v1_has_signs(look->list);

	look->found->n_runs = v1_count_runs(look->list);
	for (size_t i = 0; i < look->list->entries.len; i++) {
		const char *name = look->list->entries.at[i].name;
		struct v1_run_name parts;

		if (v1_begins(name, V1_METADATA))
			note_time(look->found, v1_stamp(name));
		if (!v1_is_run_dir(name))
			continue;
		v1_run_name(name, &parts);
		note_time(look->found, parts.time_us);
	}
	look->found->n_runs += signs;
	return look->found->n_runs;
}

/* A file that is a part of a profile; only of some names heads are read. */
static bool holds_profile(const struct look *look)
{
	static const char *const ends[] = { ".pb", ".pbtxt", ".context" };
	bool found = false;

	for (size_t i = 0; i < look->list->entries.len && !found; i++) {
		const struct entry *entry = &look->list->entries.at[i];
		size_t len = strlen(entry->name);
		struct str path = {0};
		enum file_kind kind;
		bool fits = false;

		for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
			fits = fits
			       || (len > strlen(ends[k])
			           && !strcmp(entry->name + len - strlen(ends[k]), ends[k]));
		if (entry->kind != ENTRY_FILE || !fits || !*look->heads_left)
			continue;
		--*look->heads_left;
		str_fmt(&path, "%s/%s", look->path, entry->name);
		found = recognise(path.text, &kind, NULL) && !file_kind_answer(kind);
		str_release(&path);
	}
	return found;
}

static bool holds_v2(const struct look *look)
{
	return has_name(look, "tfdbg_events.", "");
}

static bool is_there(const struct look *look, const char *name)
{
	struct str path = {0};
	bool there;

	str_fmt(&path, "%s/%s", look->path, name);
	there = access(path.text, F_OK) == 0;
	str_release(&path);
	return there;
}

static bool holds_logdir(const struct look *look)
{
	return has_name(look, "", ".xplane.pb")
	       || (has_name(look, "plugins", "plugins") && is_there(look, "plugins/profile"));
}

static bool holds_saved_model(const struct look *look)
{
	return has_name(look, "saved_model.pb", "");
}

static bool holds_checkpoint(const struct look *look)
{
	return has_name(look, "checkpoint", "checkpoint")
	       || has_name(look, "", ".data-00000-of-00001");
}

static bool holds_events(const struct look *look)
{
	return has_name(look, "events.out.tfevents.", "");
}

static bool holds_msprobe(const struct look *look)
{
	return has_name(look, "dump.json", "") && has_name(look, "construct.json", "");
}

/* Openers. */

static bool open_v1(struct opened *out, const char *path, struct err *err)
{
	out->runs = runs_open(path, err);
	return out->runs;
}

static bool open_profile(struct opened *out, const char *path, struct err *err)
{
	out->has_profile = profile_look(out->profile, path, err);
	return out->has_profile;
}

#define V1_SIGNS                                                                                  \
	"_tfdbg_device_* directories, dump files NODE_SLOT_DEBUGOP_TIME and run_* directories"
#define PROFILE_SIGNS "RunMetadata, StepStats, GraphDef, op log, tfprof profile"

static const struct target_kind kinds[] = {
	{ .name = "tfdbg v1 dump", .signs = V1_SIGNS, .holds = holds_v1, .open = open_v1 },
	{ .name = "profile", .signs = PROFILE_SIGNS, .holds = holds_profile,
	  .open = open_profile },
	{ .name = "tfdbg v2 dump", .signs = "tfdbg_events.*", .holds = holds_v2,
	  .answer = FILE_DEBUG_EVENTS },
	{ .name = "directory of the profiler", .signs = "plugins/profile, *.xplane.pb",
	  .holds = holds_logdir, .answer = FILE_XSPACE },
	{ .name = "SavedModel", .signs = "saved_model.pb", .holds = holds_saved_model,
	  .answer = FILE_SAVED_MODEL },
	{ .name = "msprobe dump", .signs = "dump.json and construct.json", .holds = holds_msprobe,
	  .answer = FILE_MSPROBE },
	{ .name = "checkpoint", .signs = "a file named checkpoint, *.data-00000-of-*",
	  .holds = holds_checkpoint, .answer = FILE_CHECKPOINT },
	{ .name = "TensorBoard events", .signs = "events.out.tfevents.*", .holds = holds_events,
	  .answer = FILE_EVENTS },
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* The first kind that fits. NULL: none. */
static const struct target_kind *kind_of_dir(const struct look *look)
{
	for (size_t i = 0; i < N_KINDS; i++)
		if (kinds[i].holds(look))
			return &kinds[i];
	return NULL;
}

static const char *keep(struct target *target, const struct str *text)
{
	return arena_copy(&target->mem, text->text, text->len);
}

/* Below PATH. */

struct search {
	struct target *target;
	size_t heads_left;
	const char *closed;              /* the first below that is not opened, */
	const struct target_kind *closed_kind;
	size_t n_closed;
};

static void add_root(struct search *search, const struct below_dir *dir,
                     const struct target_kind *kind, const struct target_root *found)
{
	struct target_root *root = vec_add(&search->target->roots);
	struct arena *mem = &search->target->mem;

	*root = *found;
	root->kind = kind->name;
	root->path = arena_copy(mem, dir->path, strlen(dir->path));
	root->name = arena_copy(mem, dir->name, strlen(dir->name));
}

/*
 * What is opened is looked into no further, and of the rest only what may lie around something
 * else.
 */
static bool look_below(void *owner, const struct below_dir *dir, bool *stop)
{
	struct search *search = owner;
	struct target_root found = { .first_us = -1, .last_us = -1 };
	struct look look = { dir->path, dir->list, &search->heads_left, &found };
	const struct target_kind *kind = dir->depth ? kind_of_dir(&look) : NULL;

	(void)stop;
	if (!kind)
		return true;
	if (kind->open) {
		add_root(search, dir, kind, &found);
		return false;
	}
	if (!search->n_closed++) {
		search->closed = arena_copy(&search->target->mem, dir->name, strlen(dir->name));
		search->closed_kind = kind;
	}
	return kind->answer == FILE_EVENTS || kind->answer == FILE_CHECKPOINT;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct target_root *)a)->name,
	                  ((const struct target_root *)b)->name);
}

static void put_cut(struct str *out, bool whole, size_t seen)
{
	if (!whole)
		str_fmt(out, "; only the first %zu names below were looked at", seen);
}

/* "logs: no dump here; logs/a holds 2 runs" */
static void note_only(struct target *target, const char *path, bool whole, size_t seen)
{
	const struct target_root *root = &target->roots.at[0];
	struct str text = {0};

	str_fmt(&text, "%s: no dump here; %s holds ", path, root->path);
	if (root->n_runs)
		str_fmt(&text, "%zu run%s", root->n_runs, plural(root->n_runs));
	else
		str_fmt(&text, "a %s", root->kind);
	put_cut(&text, whole, seen);
	target->note = keep(target, &text);
	str_release(&text);
}

static void note_several(struct target *target, const char *path, bool whole, size_t seen)
{
	struct str text = {0};

	str_fmt(&text,
	        "%s: no dump here, but %zu below; \"runs\" lists them, \"runs 1\" opens the first",
	        path, target->roots.len);
	put_cut(&text, whole, seen);
	target->note = keep(target, &text);
	str_release(&text);
}

/*
 * Of the kind of the directory itself, which is not opened, or of one below. False, with *err,
 * unless it is neither.
 */
static bool is_of_no_kind(const char *path, const struct target_kind *own,
                          const struct search *below, struct err *err)
{
	if (own)
		return err_at(err, ERR_UNSUPPORTED, path, 0, "%s", file_kind_answer(own->answer));
	if (below->n_closed)
		return err_at(err, ERR_UNSUPPORTED, path, 0, "no dump here; in %s: %s",
		              below->closed, file_kind_answer(below->closed_kind->answer));
	return true;
}

static void nothing_here(const char *path, bool whole, size_t seen, struct err *err)
{
	struct str text = {0};

	for (size_t i = 0; i < N_KINDS; i++)
		if (kinds[i].open)
			str_fmt(&text, "%s%s", i ? ", " : "", kinds[i].signs);
	put_cut(&text, whole, seen);
	err_fill(err, ERR_MISSING, path, 0, "no TensorFlow dump here: looked for %s", text.text);
	str_release(&text);
}

/* PATH itself. */

/*
 * Whatever can be opened there. False: nothing, and *err is ERR_MISSING or ERR_UNSUPPORTED, or a
 * trouble that counts more.
 */
static bool open_all(const char *path, struct opened *out, struct err *err)
{
	bool any = false;

	for (size_t i = 0; i < N_KINDS && kinds[i].open; i++) {
		struct err why = {0};
		bool mild;

		if (kinds[i].open(out, path, &why)) {
			any = true;
			continue;
		}
		mild = why.code == ERR_MISSING || why.code == ERR_UNSUPPORTED;
		if (any && !mild)
			out->profile_problem = why;
		else if (!any
		         && (!mild || !err->code
		             || (err->code == ERR_MISSING && why.code == ERR_UNSUPPORTED)))
			*err = why;
		if (!any && (why.code == ERR_IO || why.code == ERR_LIMIT))
			return false;
	}
	return any;
}

static const struct target_kind *closed_kind(const char *path)
{
	size_t none = 0;
	struct target_root found = {0};
	struct listing list = {0};
	const struct target_kind *kind = NULL;
	bool all;

	if (listing_upto(&list, path, BELOW_NAMES, &all))
		kind = kind_of_dir(&(struct look){ path, &list, &none, &found });
	listing_release(&list);
	return kind && !kind->open ? kind : NULL;
}

/* A directory in which session roots lie is none itself, even if single runs lie there too. */
static bool has_roots(const char *path)
{
	struct v1_place v1 = {0};
	struct arena mem = {0};
	bool roots =
		v1_place_read(path, &mem, &v1, NULL) && !v1.is_run && !v1.is_root && v1.has_roots;

	v1_place_release(&v1);
	arena_release(&mem);
	return roots;
}

/* Nothing lies in the directory itself; why says how that was found out. */
static bool open_below(const char *path, struct target *target, struct opened *out,
                       const struct err *why, struct err *err)
{
	struct search search = { .target = target, .heads_left = HEADS_MAX };
	size_t seen;
	bool whole = below_walk(path, &(struct below_sink){ &search, look_below }, &seen);

	if (target->roots.len > 1) {
		qsort(target->roots.at, target->roots.len, sizeof *target->roots.at, by_name);
		note_several(target, path, whole, seen);
		return true;
	}
	if (target->roots.len == 1) {
		note_only(target, path, whole, seen);
		target->path = target->roots.at[0].path;
		target->roots.len = 0;
		return open_all(target->path, out, err);
	}
	if (!is_of_no_kind(path, closed_kind(path), &search, err))
		return false;
	if (why->code != ERR_MISSING && why->code != ERR_NONE)
		*err = *why;
	else
		nothing_here(path, whole, seen, err);
	return false;
}

static bool open_directory(const char *path, struct target *target, struct opened *out,
                           struct err *err)
{
	struct err why = {0};

	if (!has_roots(path) && open_all(path, out, &why))
		return true;
	if (why.code == ERR_IO || why.code == ERR_LIMIT) {
		*err = why;
		return false;
	}
	return open_below(path, target, out, &why, err);
}

/* A file. */

/* The dump around one of its files, by the file's name or by what is in it. */
static bool open_around(const char *path, enum file_kind kind, struct target *target,
                        struct opened *out)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dump;
	bool is_unknown = kind == FILE_NONE || kind == FILE_DUMP_FILE;
	struct v1_name parts;
	struct str text = {0};

	if (kind != FILE_STACKS && !v1_begins(name, V1_META)
	    && !(is_unknown && v1_tensor_name(name, &parts)))
		return false;
	dump = v1_dump_around(path, &target->mem, &target->file);
	if (!dump && kind == FILE_STACKS)
		dump = slash ? arena_copy(&target->mem, path, (size_t)(slash - path)) : ".";
	target->path = dump;
	if (!dump || !open_v1(out, dump, NULL))
		return false;
	str_fmt(&text, "%s: a file of the dump in %s, which is opened", path, dump);
	target->note = keep(target, &text);
	str_release(&text);
	return true;
}

static bool open_file(const char *path, struct target *target, struct opened *out, struct err *err)
{
	enum file_kind kind;
	bool ok = recognise(path, &kind, err);

	if (open_around(path, kind, target, out)) {
		*err = (struct err){0};
		return true;
	}
	target->path = path;
	target->file = NULL;
	if (!ok)
		return false;
	if (!file_kind_answer(kind))
		return open_profile(out, path, err);
	if (kind == FILE_NONE)
		nothing_here(path, true, 0, err);
	else
		err_fill(err, ERR_UNSUPPORTED, path, 0, "%s", file_kind_answer(kind));
	return false;
}

/* PREFIX of PREFIX.index: a checkpoint's name is no file's. */
static bool is_checkpoint_prefix(const char *path)
{
	struct str index = {0};
	enum file_kind kind;
	bool is;

	str_fmt(&index, "%s.index", path);
	is = recognise(index.text, &kind, NULL) && kind == FILE_CHECKPOINT;
	str_release(&index);
	return is;
}

bool target_open(const char *path, struct target *target, struct opened *out, struct err *err)
{
	struct stat st;

	*target = (struct target){ .path = path };
	if (stat(path, &st) < 0) {
		int why = errno;

		if (is_checkpoint_prefix(path))
			return err_at(err, ERR_UNSUPPORTED, path, 0, "%s",
			              file_kind_answer(FILE_CHECKPOINT));
		return err_at(err, ERR_IO, path, 0, "%s", strerror(why));
	}
	return S_ISDIR(st.st_mode) ? open_directory(path, target, out, err)
	                           : open_file(path, target, out, err);
}

void target_release(struct target *target)
{
	vec_release(&target->roots);
	arena_release(&target->mem);
}
