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

static const char *join(struct run *run, const char *dir, const char *name)
{
	struct str path = {0};
	const char *copy;

	str_fmt(&path, "%s/%s", dir, name);
	copy = run_text(run, path.text);
	str_release(&path);
	return copy;
}

/* The directory of a device: its run is the directory above. */
static void leave_device_dir(struct run *run)
{
	char *full = realpath(run->path, NULL);
	char *slash = full ? strrchr(full, '/') : NULL;

	if (slash && slash > full && v1_begins(slash + 1, V1_DEVICE)) {
		*slash = '\0';
		run->path = run_text(run, full);
	}
	free(full);
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

static bool is_run(struct run *run, const char *name, struct listing *list, size_t *looked_into)
{
	if (v1_is_run_dir(name))
		return true;
	if ((*looked_into)++ >= CHILDREN_MAX)
		return false;
	listing_of(list, join(run, run->path, name), NULL);
	return has_signs(list);
}

/* The last of the runs in the directory; NULL if there is none. */
static const char *last_run(struct run *run, const struct listing *list, size_t *n_runs)
{
	struct listing inner = {0};
	const char *last = NULL;
	size_t looked_into = 0;

	*n_runs = 0;
	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];

		if (entry->kind != ENTRY_DIR || !is_run(run, entry->name, &inner, &looked_into))
			continue;
		++*n_runs;
		if (!last || v1_run_order(entry->name, last) > 0)
			last = entry->name;
	}
	listing_release(&inner);
	return last;
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

static bool probe_listing(struct run *run, const struct listing *list, struct err *err)
{
	size_t n_runs;
	const char *last;

	if (has_signs(list))
		return true;
	last = last_run(run, list, &n_runs);
	if (last) {
		if (n_runs > 1)
			run_problem(run, "", 0, "%zu runs in %s, the last one is shown: %s", n_runs,
			            run->path, last);
		run->path = join(run, run->path, last);
		return true;
	}
	if (only_io_dump(list))
		return err_at(err, ERR_MISSING, run->path, 0,
		              "only a node-io-dump here: what io_of_node writes can't be read");
	return has_dumps_below(run->path);
}

bool v1_probe(struct run *run, struct err *err)
{
	struct listing list = {0};
	bool ok;

	leave_device_dir(run);
	ok = listing_of(&list, run->path, err) && probe_listing(run, &list, err);
	listing_release(&list);
	return ok;
}
