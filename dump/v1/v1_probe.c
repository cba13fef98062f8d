/*
 * A dump is known by names alone. Files and directories _tfdbg_* are sure signs; dumps of
 * TensorFlow 0.12 have none, so there the names of files tell: most of them have to be those of
 * dumped tensors, and no sign may be below. No more is looked at than a bound says, so that no
 * wrong path takes long.
 */
#include "dump/v1/v1_probe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/path.h"
#include "dump/files/below.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"
#include "dump/v1/v1_name.h"

#define CHILDREN_MAX 1000        /* directories looked into, to see if they are runs */
#define NAMES_MAX 50000          /* names looked at in each of them */
#define ALL_NAMES_MAX 200000     /* and in all */
#define ABOVE_MAX 64             /* directories above a file that may be its dump */

/* The directory of a device: its run is the directory above. */
static const char *leave_device_dir(const char *path, struct arena *mem)
{
	char *full = realpath(path, NULL);
	char *slash = full ? strrchr(full, '/') : NULL;

	if (slash && slash > full && v1_begins(slash + 1, V1_DEVICE))
		path = arena_copy(mem, full, (size_t)(slash - full));
	free(full);
	return path;
}

static bool has_signs(const struct listing *list)
{
	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];

		if (v1_begins(entry->name, entry->kind == ENTRY_DIR ? V1_DEVICE : V1_META))
			return true;
	}
	return false;
}

static void note_time(struct times *times, int64_t time_us)
{
	if (time_us <= 0)
		return;
	if (times->first_us < 0 || time_us < times->first_us)
		times->first_us = time_us;
	if (time_us > times->last_us)
		times->last_us = time_us;
}

size_t v1_count(const struct listing *list, struct times *times)
{
	size_t n = has_signs(list);

	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];
		struct run_name name;

		if (v1_begins(entry->name, V1_METADATA))
			note_time(times, v1_stamp(entry->name));
		if (!v1_run_name(entry->name, &name))
			continue;
		note_time(times, name.time_us);
		n += entry->kind == ENTRY_DIR;
	}
	return n;
}

static int by_run_order(const void *a, const void *b)
{
	return v1_run_order(*(const char *const *)a, *(const char *const *)b);
}

static int by_time(const void *a, const void *b)
{
	int64_t x = ((const struct run_part *)a)->time_us;
	int64_t y = ((const struct run_part *)b)->time_us;

	return (x > y) - (x < y);
}

/* Finds runs among other directories by what is in them. */
static void look_into_children(const char *path, const struct listing *list, struct place *out)
{
	size_t dirs_left = CHILDREN_MAX, names_left = ALL_NAMES_MAX;
	struct listing inner = {0};
	struct str below = {0};

	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];
		bool all;

		if (entry->kind != ENTRY_DIR || *entry->name == '.')
			continue;
		out->cut = !dirs_left || !names_left;
		if (out->cut)
			break;
		dirs_left--;
		str_reset(&below);
		str_fmt(&below, "%s/%s", path, entry->name);
		if (!listing_upto(&inner, below.text,
		                  names_left < NAMES_MAX ? names_left : NAMES_MAX, &all))
			continue;
		names_left -= inner.entries.len < names_left ? inner.entries.len : names_left;
		if (has_signs(&inner))
			vec_push(&out->runs, entry->name);
		else if (v1_count(&inner, &(struct times){0}))
			out->has_roots = true;
	}
	str_release(&below);
	listing_release(&inner);
}

static void take_runs(const char *path, const struct listing *list, struct arena *mem,
                      struct place *out)
{
	for (size_t i = 0; i < list->entries.len; i++)
		if (list->entries.at[i].kind == ENTRY_DIR
		    && v1_is_run_dir(list->entries.at[i].name))
			vec_push(&out->runs, list->entries.at[i].name);
	if (!out->runs.len && !out->is_run)
		look_into_children(path, list, out);
	for (size_t i = 0; i < out->runs.len; i++)
		out->runs.at[i] = arena_copy(mem, out->runs.at[i], strlen(out->runs.at[i]));
	if (out->runs.len)
		qsort(out->runs.at, out->runs.len, sizeof *out->runs.at, by_run_order);
}

static void take_parts(const struct listing *list, struct arena *mem, struct place *out)
{
	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];
		const char *name;

		if (entry->kind != ENTRY_FILE || !v1_begins(entry->name, V1_METADATA))
			continue;
		name = entry->name + strlen(V1_METADATA);
		vec_push(&out->parts, ((struct run_part){ arena_copy(mem, name, strlen(name)),
		                                          v1_stamp(entry->name) }));
	}
	if (out->parts.len)
		qsort(out->parts.at, out->parts.len, sizeof *out->parts.at, by_time);
}

/* What the files of a directory without signs are. */
struct flat {
	size_t dumps, strangers;
	bool marked;                     /* there are signs below: those mark the dump, not this */
};

static bool count_names(void *owner, const struct below_dir *dir, bool *stop)
{
	struct flat *flat = owner;
	struct v1_name name;

	for (size_t i = 0; i < dir->list->entries.len; i++) {
		const struct entry *entry = &dir->list->entries.at[i];

		if (v1_begins(entry->name, V1_META)
		    || (entry->kind == ENTRY_DIR && v1_is_run_dir(entry->name)))
			flat->marked = *stop = true;
		if (entry->kind == ENTRY_DIR)
			continue;
		if (v1_tensor_name(entry->name, &name) && v1_begins(name.debug_op, "Debug"))
			flat->dumps++;
		else
			flat->strangers++;
	}
	return true;
}

static bool is_flat_dump(const char *path, struct err *err)
{
	struct flat flat = {0};
	struct below_seen seen;

	below_walk(path, &(struct below_sink){ &flat, count_names }, &seen);
	if (flat.marked || !flat.dumps)
		return false;
	return flat.strangers <= flat.dumps
	       || err_at(err, ERR_UNSUPPORTED, path, 0,
	                 "no dump here: of %zu files only %zu are named as dumped tensors are",
	                 flat.dumps + flat.strangers, flat.dumps);
}

static bool only_io_dump(const struct listing *list)
{
	return list->entries.len == 1 && !strcmp(list->entries.at[0].name, "node-io-dump");
}

/* Without any sign. */
static bool look_flat(const struct listing *list, struct place *out, struct err *err)
{
	struct err why = {0};

	if (only_io_dump(list))
		return err_at(err, ERR_UNSUPPORTED, out->path, 0,
		              "only a node-io-dump here: what io_of_node writes can't be read");
	out->is_run = is_flat_dump(out->path, &why);
	out->cut = out->cut && !out->is_run;
	if (why.code)
		*err = why;
	return !why.code;
}

bool v1_look(const char *path, struct arena *mem, struct place *out, struct err *err)
{
	struct listing list = {0};
	struct stat st;
	bool ok;

	if (file_stat(path, &st) && !S_ISDIR(st.st_mode))
		return true;                     /* a dump is a directory */
	out->path = leave_device_dir(path, mem);
	ok = listing_of(&list, out->path, err);
	if (ok) {
		out->is_run = has_signs(&list);
		take_runs(out->path, &list, mem, out);
		take_parts(&list, mem, out);
		if (!out->is_run && !out->runs.len && !out->has_roots)
			ok = look_flat(&list, out, err);
	}
	listing_release(&list);
	return ok;
}

static bool has_signs_at(const char *dir)
{
	struct listing list = {0};
	bool all, has = listing_upto(&list, dir, NAMES_MAX, &all) && has_signs(&list);

	listing_release(&list);
	return has && !v1_begins(strrchr(dir, '/') + 1, V1_DEVICE);
}

static bool is_flat_at(const char *dir)
{
	return is_flat_dump(dir, NULL);
}

/* The last slash before `before`. NULL: there is none, or only the first byte. */
static char *last_slash(char *full, char *before)
{
	while (before > full && *--before != '/')
		;
	return before > full ? before : NULL;
}

/*
 * The nearest directory above the file for which it holds; topmost: the highest of an unbroken
 * chain of such directories.
 */
static size_t find_above(char *full, bool (*holds)(const char *dir), bool topmost)
{
	char *slash = last_slash(full, full + strlen(full));
	size_t found = 0;

	for (int n = 0; n < ABOVE_MAX && slash; n++) {
		bool here;

		*slash = '\0';
		here = holds(full);
		*slash = '/';
		if (here)
			found = (size_t)(slash - full);
		if (here ? !topmost : topmost)
			break;
		slash = last_slash(full, slash);
	}
	return found;
}

/*
 * The next directory above it that has the files of a run; else those right above it that are
 * dumps without signs, the topmost.
 */
static const char *dump_around(const char *file, struct arena *mem, const char **below)
{
	char *full = realpath(file, NULL);
	size_t len = full ? find_above(full, has_signs_at, false) : 0;
	const char *found = NULL;

	if (full && !len)
		len = find_above(full, is_flat_at, true);
	if (len) {
		found = arena_copy(mem, full, len);
		*below = arena_copy(mem, full + len + 1, strlen(full + len + 1));
	}
	free(full);
	return found;
}

const char *v1_around(const char *file, enum file_kind kind, struct arena *mem,
                      const char **below, struct err *err)
{
	bool is_unknown = kind == FILE_NONE || kind == FILE_DUMP_FILE;
	const char *name = path_name(file), *found;
	struct v1_name parts;

	(void)err;
	if (kind != FILE_STACKS && !v1_begins(name, V1_META)
	    && !(is_unknown && v1_tensor_name(name, &parts)))
		return NULL;
	found = dump_around(file, mem, below);
	return !found && kind == FILE_STACKS ? path_directory(mem, file) : found;
}
