/*
 * A dump is known by names alone. Files and directories _tfdbg_* are sure signs; dumps of
 * TensorFlow 0.12 have none, so there the first files below are looked at, and only so many that no
 * wrong path takes long.
 */
#include "dump/v1_probe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/reader.h"
#include "dump/v1_name.h"
#include "dump/walk.h"

#define CHILDREN_MAX 1000        /* directories looked into, to see if they are runs */
#define FILES_MAX 10000          /* names looked at below a directory without any sign */

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

static bool holds_run(const char *path, const char *name, struct listing *list)
{
	struct str below = {0};

	str_fmt(&below, "%s/%s", path, name);
	listing_of(list, below.text, NULL);
	str_release(&below);
	return has_signs(list);
}

static int by_run_order(const void *a, const void *b)
{
	return v1_run_order(*(const char *const *)a, *(const char *const *)b);
}

static int by_stamp(const void *a, const void *b)
{
	int64_t x = v1_stamp(*(const char *const *)a), y = v1_stamp(*(const char *const *)b);

	return (x > y) - (x < y);
}

static void take_runs(const char *path, const struct listing *list, struct arena *mem, struct v1_place *out)
{
	struct listing inner = {0};
	size_t left;

	for (size_t i = 0; i < list->entries.len; i++)
		if (list->entries.at[i].kind == ENTRY_DIR && v1_is_run_dir(list->entries.at[i].name))
			vec_push(&out->runs, list->entries.at[i].name);
	left = out->runs.len || out->is_run ? 0 : CHILDREN_MAX;
	for (size_t i = 0; left && i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];

		if (entry->kind != ENTRY_DIR)
			continue;
		if (holds_run(path, entry->name, &inner))
			vec_push(&out->runs, entry->name);
		left--;
	}
	listing_release(&inner);
	for (size_t i = 0; i < out->runs.len; i++)
		out->runs.at[i] = arena_copy(mem, out->runs.at[i], strlen(out->runs.at[i]));
	if (out->runs.len)
		qsort(out->runs.at, out->runs.len, sizeof *out->runs.at, by_run_order);
}

static void take_metadata(const struct listing *list, struct arena *mem, struct v1_place *out)
{
	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];

		if (entry->kind == ENTRY_FILE && v1_begins(entry->name, V1_METADATA))
			vec_push(&out->metadata, arena_copy(mem, entry->name, strlen(entry->name)));
	}
	if (out->metadata.len)
		qsort(out->metadata.at, out->metadata.len, sizeof *out->metadata.at, by_stamp);
}

bool v1_place_read(const char *path, struct arena *mem, struct v1_place *out, struct err *err)
{
	struct listing list = {0};
	bool ok;

	*out = (struct v1_place){ .path = leave_device_dir(path, mem) };
	ok = listing_of(&list, out->path, err);
	if (ok) {
		out->is_run = has_signs(&list);
		take_runs(out->path, &list, mem, out);
		take_metadata(&list, mem, out);
	}
	listing_release(&list);
	return ok;
}

void v1_place_release(struct v1_place *place)
{
	vec_release(&place->runs);
	vec_release(&place->metadata);
}

struct search {
	size_t left;
	bool found;
};

static bool look_at_name(void *owner, const struct walk_file *file)
{
	struct search *search = owner;
	struct v1_name name;

	search->found = v1_tensor_name(file->name, &name) && v1_begins(name.debug_op, "Debug");
	return !search->found && --search->left;
}

static bool has_dumps_below(const char *path)
{
	struct search search = { .left = FILES_MAX };
	struct walk_sink sink = { &search, look_at_name, NULL };
	int fd = dir_open(path);

	if (fd >= 0) {
		walk_tree(fd, &sink);
		close(fd);
	}
	return search.found;
}

static bool only_io_dump(const struct listing *list)
{
	return list->entries.len == 1 && !strcmp(list->entries.at[0].name, "node-io-dump");
}

static bool probe_place(const struct run *run, const struct v1_place *place, struct err *err)
{
	struct listing list = {0};
	bool io_dump;

	if (place->is_run)
		return true;
	if (place->runs.len)
		return err_at(err, ERR_MISSING, run->path, 0, "the directory of %zu runs, not one of them",
		              place->runs.len);
	if (!listing_of(&list, run->path, err))
		return false;
	io_dump = only_io_dump(&list);
	listing_release(&list);
	if (io_dump)
		return err_at(err, ERR_MISSING, run->path, 0,
		              "only a node-io-dump here: what io_of_node writes can't be read");
	return has_dumps_below(run->path);
}

bool v1_probe(struct run *run, struct err *err)
{
	struct v1_place place;
	bool ok = v1_place_read(run->path, &run->mem, &place, err);

	run->path = place.path;
	ok = ok && probe_place(run, &place, err);
	v1_place_release(&place);
	return ok;
}
