#include "dump/v2/root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/map.h"
#include "dump/base/path.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"
#include "dump/format/tfrecord.h"
#include "dump/format/wire.h"
#include "dump/v2/event.h"

#define BEGINS "tfdbg_events."

bool v2_name(const char *name, struct v2_name *out)
{
	size_t len = strlen(name), begins = strlen(BEGINS);
	const char *dot;

	if (strncmp(name, BEGINS, begins))
		return false;
	for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++) {
		size_t end = strlen(program_file_suffix[kind]) + 1;

		if (len < begins + end || name[len - end] != '.' ||
		    strcmp(name + len - end + 1, program_file_suffix[kind]))
			continue;
		len -= end;
		dot = memchr(name + begins, '.', len - begins);
		*out = (struct v2_name){
			.prefix = { name, len },
			.host = { name + len, 0 },
			.kind = (enum program_file_kind)kind,
		};
		if (dot)
			out->host = (struct text){ dot + 1, (size_t)(name + len - dot) - 1 };
		return true;
	}
	return false;
}

/* A text of the metadata, in mem; NULL: not recorded, or *err. */
static const char *text_of(struct arena *mem, struct file *file, struct span span, struct err *err)
{
	struct str scratch = {0};
	const char *copy = NULL;
	struct name name;

	if (span.len && wire_name(file, span, &scratch, &name, err))
		copy = arena_copy(mem, name.text, name.len);
	str_release(&scratch);
	return copy;
}

/* Could a record not be got, as against: it is not what it should be? */
static bool is_unread(enum tfrecord_found found, const struct err *err)
{
	return found == TFRECORD_STOPPED || err_of_reading(err);
}

/*
 * The first metadata record of a file. Without one the set is left as it is, and *err is the first
 * damage, if there is any. False with *err: the file can't be read that far.
 */
static bool read_metadata(struct arena *mem, struct file *file, struct v2_set *set, struct err *err)
{
	struct tfrecord_walk walk = { .file = file };
	struct event_metadata metadata;
	enum tfrecord_found found;
	struct tfrecord record;
	struct err damage = {0};
	struct event event;

	while ((found = tfrecord_next(&walk, &record, err)) != TFRECORD_END) {
		bool whole = found == TFRECORD_WHOLE &&
		             event_read(file, record.payload, &event, err) &&
		             event.what == EVENT_METADATA &&
		             event_metadata(file, event.body, &metadata, err);

		if (is_unread(found, err))
			return false;
		if (!whole && !damage.code)
			damage = *err;
		*err = (struct err){0};
		if (!whole)
			continue;
		set->has_start = true;
		set->start = event.time;
		set->run_id = text_of(mem, file, metadata.run_id, err);
		set->tensorflow_version = text_of(mem, file, metadata.tensorflow_version, err);
		set->file_version = text_of(mem, file, metadata.file_version, err);
		return !err->code;
	}
	*err = damage;
	return true;
}

static void look_at_set(struct v2_root *root, const struct v2_name *name, struct v2_set *set)
{
	struct str path = {0};
	struct err err = {0};
	struct file file;
	struct stat st;

	*set = (struct v2_set){
		.prefix = arena_copy(&root->mem, name->prefix.at, name->prefix.len),
		.host = arena_copy(&root->mem, name->host.at, name->host.len),
	};
	str_fmt(&path, "%s/%s.%s", root->path, set->prefix,
	        program_file_suffix[PROGRAM_FILE_METADATA]);
	if (file_open(&file, path.text, &err)) {
		read_metadata(&root->mem, &file, set, &err);
		file_close(&file);
	} else if (!file_stat(path.text, &st) && errno == ENOENT) {
		err.code = ERR_NONE;     /* missing, not unreadable */
	}
	if (err.code) {
		struct err *fault = arena_alloc(&root->mem, sizeof *fault);

		*fault = err;
		set->fault = fault;
	}
	str_release(&path);
}

static double start_of(bool has_start, double start)
{
	return has_start && start == start ? start : -1;
}

/* Sets that start together stay in the order of their names. */
static void add_to_run(struct v2_root *root, const struct v2_set *set)
{
	struct v2_run *run = NULL;
	size_t at;

	for (size_t i = 0; i < root->runs.len && set->run_id && !run; i++)
		if (root->runs.at[i].run_id && !strcmp(root->runs.at[i].run_id, set->run_id))
			run = &root->runs.at[i];
	if (!run)
		run = vec_add(&root->runs);
	vec_add(&run->sets);
	for (at = run->sets.len - 1; at > 0 &&
	     start_of(run->sets.at[at - 1].has_start, run->sets.at[at - 1].start) >
	     start_of(set->has_start, set->start); at--)
		run->sets.at[at] = run->sets.at[at - 1];
	run->sets.at[at] = *set;
	run->run_id = set->run_id;
	run->tensorflow_version = run->sets.at[0].tensorflow_version;
	run->has_start = run->sets.at[0].has_start;
	run->start = run->sets.at[0].start;
}

static void sort_runs(struct v2_root *root)
{
	for (size_t i = 1; i < root->runs.len; i++) {
		struct v2_run run = root->runs.at[i];
		double start = start_of(run.has_start, run.start);
		size_t at;

		for (at = i; at > 0 && start_of(root->runs.at[at - 1].has_start,
		                                root->runs.at[at - 1].start) > start; at--)
			root->runs.at[at] = root->runs.at[at - 1];
		root->runs.at[at] = run;
	}
}

static bool same_text(struct text a, const char *b)
{
	return a.len == strlen(b) && !memcmp(a.at, b, a.len);
}

/* The run that has the set of a file. */
static size_t run_of_file(const struct v2_root *root, const char *name)
{
	struct v2_name parts;

	if (v2_name(name, &parts))
		for (size_t i = 0; i < root->runs.len; i++)
			for (size_t k = 0; k < root->runs.at[i].sets.len; k++)
				if (same_text(parts.prefix, root->runs.at[i].sets.at[k].prefix))
					return i;
	return root->runs.len - 1;
}

static void look_at_names(struct v2_root *root, const struct listing *list)
{
	struct map prefixes = {0};
	struct v2_name name;
	struct v2_set set;

	for (size_t i = 0; i < list->entries.len; i++) {
		size_t known = prefixes.len;

		if (!v2_name(list->entries.at[i].name, &name) ||
		    map_add(&prefixes, &root->mem, name.prefix.at, name.prefix.len) < known)
			continue;
		look_at_set(root, &name, &set);
		add_to_run(root, &set);
	}
	map_release(&prefixes);
}

struct v2_root *v2_root_open(const char *path, struct err *err)
{
	struct v2_root *root = mem_alloc(sizeof *root);
	struct listing list = {0};
	const char *name = NULL;
	struct v2_name parts;
	struct stat st;
	bool ok = true;

	root->path = arena_copy(&root->mem, path, strlen(path));
	if (file_stat(path, &st) && !S_ISDIR(st.st_mode)) {
		name = path_name(path);
		root->path = path_directory(&root->mem, path);
	}
	if (!name || v2_name(name, &parts))
		ok = listing_of(&list, root->path, err);
	if (ok)
		look_at_names(root, &list);
	listing_release(&list);
	if (ok && !root->runs.len)
		ok = err_at(err, ERR_MISSING, path, 0, "no file of a tfdbg v2 dump here");
	if (!ok) {
		v2_root_close(root);
		return NULL;
	}
	sort_runs(root);
	root->chosen = name ? run_of_file(root, name) : root->runs.len - 1;
	return root;
}

void v2_root_close(struct v2_root *root)
{
	if (!root)
		return;
	for (size_t i = 0; i < root->runs.len; i++)
		vec_release(&root->runs.at[i].sets);
	vec_release(&root->runs);
	arena_release(&root->mem);
	free(root);
}

static void count_event(const struct event *event, struct v2_counts *counts)
{
	counts->executions += event->what == EVENT_EXECUTION;
	counts->traces += event->what == EVENT_TRACE;
	if (event->time == event->time &&
	    (!counts->has_time || event->time < counts->first_time)) {
		counts->first_time = event->time;
		counts->has_time = true;
	}
}

/* Opens a file of a set; false: it is missing, or counts->fault says why not. */
static bool open_to_count(const char *path, struct file *file, struct v2_counts *counts)
{
	struct err why = {0};
	struct stat st;

	if (file_open(file, path, &why))
		return true;
	if ((file_stat(path, &st) || errno != ENOENT) && !counts->fault.code)
		counts->fault = why;
	return false;
}

/* A file that can't be opened counts as empty. False after a cancel. */
static bool count_file(const char *path, struct v2_counts *counts, struct progress *progress,
                       struct err *err)
{
	struct tfrecord_walk walk = { .progress = progress };
	enum tfrecord_found found;
	struct tfrecord record;
	struct err why = {0};
	struct event event;
	struct file file;

	if (!open_to_count(path, &file, counts))
		return true;
	walk.file = &file;
	do {
		why = (struct err){0};
		found = tfrecord_next(&walk, &record, &why);
		if (found == TFRECORD_WHOLE && event_read(&file, record.payload, &event, &why))
			count_event(&event, counts);
		if (is_unread(found, &why) && !counts->fault.code && why.code != ERR_CANCELLED)
			counts->fault = why;
	} while (found > TFRECORD_STOPPED);
	file_close(&file);
	if (why.code != ERR_CANCELLED)
		return true;
	if (err)
		*err = why;
	return false;
}

bool v2_root_count(const struct v2_root *root, size_t run, struct v2_counts *counts,
                   struct progress *progress, struct err *err)
{
	const struct v2_run *r = &root->runs.at[run];
	struct str path = {0};
	bool ok = true;

	*counts = (struct v2_counts){0};
	for (size_t i = 0; i < r->sets.len; i++)
		for (int kind = 0; kind < PROGRAM_FILE_KINDS && ok; kind++) {
			str_reset(&path);
			str_fmt(&path, "%s/%s.%s", root->path, r->sets.at[i].prefix,
			        program_file_suffix[kind]);
			ok = count_file(path.text, counts, progress, err);
		}
	str_release(&path);
	return ok;
}
