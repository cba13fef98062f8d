/*
 * A directory is read whole and closed for reading before its files are handed out; what stays is
 * the list of its sub-directories that are still to come. The lists of all levels lie behind one
 * another in one buffer, used as a stack. Only the deepest levels keep a descriptor; the others are
 * opened again, from the start down, when the walk comes back to them. A second thread helps with a
 * large tree (walk_ahead.c).
 */
#include "dump/files/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/mount.h"
#include "dump/files/walk_parts.h"

#ifndef WALK_OPEN_MAX
#define WALK_OPEN_MAX 64         /* levels with a descriptor */
#endif
#ifndef WALK_ALONE
#define WALK_ALONE 200           /* steps before it is worth a thread */
#endif
#ifndef WALK_BLOCK
#define WALK_BLOCK (32 * 1024)   /* of directory entries */
#endif

static enum entry_kind kind_of(int dir_fd, const struct dirent64 *found)
{
	struct stat st;

	switch (found->d_type) {
	case DT_REG:
		return ENTRY_FILE;
	case DT_DIR:
		return ENTRY_DIR;
	case DT_UNKNOWN:
		if (fstatat(dir_fd, found->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return ENTRY_OTHER;
		return S_ISREG(st.st_mode) ? ENTRY_FILE :
		       S_ISDIR(st.st_mode) ? ENTRY_DIR : ENTRY_OTHER;
	}
	return ENTRY_OTHER;
}

/* Each name goes to names behind a byte with its kind. How many they are. */
static size_t take_names(struct listing *list, int dir_fd, size_t got)
{
	size_t n = 0;

	for (size_t at = 0; at < got; ) {
		const struct dirent64 *found = (const struct dirent64 *)(list->block + at);
		const char *name = found->d_name;

		at += found->d_reclen;
		if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])))
			continue;
		str_putc(&list->names, (char)kind_of(dir_fd, found));
		str_put(&list->names, name, strlen(name) + 1);
		n++;
	}
	return n;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static void sort_names(struct listing *list)
{
	for (size_t at = 0; at < list->names.len; ) {
		struct entry *entry = vec_add(&list->entries);

		entry->kind = (enum entry_kind)list->names.text[at++];
		entry->name = list->names.text + at;
		at += strlen(entry->name) + 1;
	}
	if (list->entries.len > 1)
		qsort(list->entries.at, list->entries.len, sizeof *list->entries.at, by_name);
}

/* About max names at most; *all: there are no more. False: it can't be read to there. */
static bool list_names(struct listing *list, int dir_fd, size_t max, bool *all)
{
	size_t n = 0;
	ssize_t got = 1;

	if (!list->block)
		list->block = mem_alloc(WALK_BLOCK);
	list->entries.len = 0;
	str_reset(&list->names);
	while (n < max && (got = getdents64(dir_fd, list->block, WALK_BLOCK)) > 0)
		n += take_names(list, dir_fd, (size_t)got);
	*all = got == 0;
	sort_names(list);
	return got >= 0;
}

static bool list_all(struct listing *list, int dir_fd, struct err *err)
{
	bool all;

	return list_names(list, dir_fd, SIZE_MAX, &all)
	       || err_at(err, ERR_IO, "", 0, "%s", strerror(errno));
}

/* Of an archive the names come sorted. */
static void take_member(void *owner, const char *name, int64_t size_bytes)
{
	struct listing *list = owner;

	str_putc(&list->names, size_bytes < 0 ? ENTRY_DIR : ENTRY_FILE);
	str_put(&list->names, name, strlen(name) + 1);
}

/* False: the path leads into no archive. */
static bool list_members(struct listing *list, const char *path)
{
	enum mount_kind kind;

	list->entries.len = 0;
	str_reset(&list->names);
	kind = mount_list(path, list, take_member);
	sort_names(list);
	return kind == MOUNT_DIR;
}

bool listing_of(struct listing *list, const char *path, struct err *err)
{
	struct err why = {0};
	bool ok;
	int fd;

	if (list_members(list, path))
		return true;
	fd = dir_open(path);
	if (fd < 0)
		return err_at(err, ERR_IO, path, 0, "%s", strerror(errno));
	ok = list_all(list, fd, &why);
	close(fd);
	return ok || err_at(err, why.code, path, 0, "%s", why.msg);
}

bool listing_upto(struct listing *list, const char *path, size_t max, bool *all)
{
	int fd;

	*all = list_members(list, path);
	if (*all)
		return true;
	fd = dir_open(path);
	if (fd < 0)
		return false;
	list_names(list, fd, max, all);
	close(fd);
	return true;
}

void listing_release(struct listing *list)
{
	vec_release(&list->entries);
	str_release(&list->names);
	free(list->block);
	*list = (struct listing){0};
}

int dir_open(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int dir_open_at(int parent_fd, const char *name)
{
	return openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void skip(struct walk *walk, enum walk_skip what, const char *name, const char *why)
{
	size_t len = walk->dir.len;

	if (!walk->sink->skipped)
		return;
	str_puts(&walk->dir, name);
	walk->sink->skipped(walk->sink->owner, what, str_text(&walk->dir), why);
	str_cut(&walk->dir, len);
}

static bool hand_file(struct walk *walk, int fd, const char *name)
{
	struct walk_file file = { str_text(&walk->dir), walk->dir.len, name, -1 };
	struct stat st;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (!S_ISREG(st.st_mode)) {
			skip(walk, SKIP_ODD, name, "not a regular file");
			return true;
		}
		file.size_bytes = (int64_t)st.st_size;
	}
	return walk->sink->file(walk->sink->owner, &file);
}

/* Files and oddities of the directory just listed; its sub-directories are put on the stack. */
static bool hand_entries(struct walk *walk, int fd)
{
	for (size_t i = 0; i < walk->list.entries.len; i++) {
		const struct entry *entry = &walk->list.entries.at[i];

		if (entry->kind == ENTRY_DIR)
			str_put(&walk->subdirs, entry->name, strlen(entry->name) + 1);
		else if (entry->kind == ENTRY_OTHER)
			skip(walk, SKIP_ODD, entry->name, "neither a file nor a directory");
		else if (!hand_file(walk, fd, entry->name))
			return false;
	}
	return true;
}

static void close_level(struct walk *walk, size_t i)
{
	struct level *level = &walk->levels.at[i];

	if (level->fd >= 0 && level->fd != walk->start_fd)
		close(level->fd);
	level->fd = -1;
}

/* The directory that walk.dir names, open as fd, which is taken over. */
static bool enter(struct walk *walk, int fd)
{
	struct level level = { fd, walk->dir.len, walk->subdirs.len, walk->subdirs.len, 0, NULL };
	struct err err = {0};
	bool go_on;

	if (!list_all(&walk->list, fd, &err))
		skip(walk, SKIP_UNREAD, "", err.msg);
	go_on = hand_entries(walk, fd);
	level.end = walk->subdirs.len;
	vec_push(&walk->levels, level);
	if (!go_on || level.end == level.names)
		close_level(walk, walk->levels.len - 1);
	else if (walk->levels.len > WALK_OPEN_MAX + 1)
		close_level(walk, walk->levels.len - 1 - WALK_OPEN_MAX);
	return go_on;
}

/* Opens the last level again, and the ones above it that may stay open. */
static bool reopen(struct walk *walk)
{
	size_t last = walk->levels.len - 1;
	size_t first = last > WALK_OPEN_MAX / 2 ? last - WALK_OPEN_MAX / 2 : 0;
	int fd = walk->start_fd;

	walk->levels.at[0].fd = fd;
	for (size_t i = 1; i <= last; i++) {
		struct level *level = &walk->levels.at[i];
		char *name = walk->dir.text + walk->levels.at[i - 1].dir_len;
		char *slash = walk->dir.text + level->dir_len - 1;
		int parent = fd;

		*slash = '\0';
		fd = dir_open_at(parent, name);
		*slash = '/';
		if (i - 1 < first && parent != walk->start_fd)
			close(parent);
		if (fd < 0)
			return false;
		if (i >= first) {
			close_level(walk, i);
			level->fd = fd;
		}
	}
	return true;
}

bool walk_step(struct walk *walk)
{
	struct level *level = vec_last(&walk->levels);
	const char *name;
	int fd;

	str_cut(&walk->dir, level->dir_len);
	if (level->next == level->end) {
		close_level(walk, walk->levels.len - 1);
		str_cut(&walk->subdirs, level->names);
		walk->levels.len--;
		return true;
	}
	name = walk->subdirs.text + level->next;
	level->next += strlen(name) + 1;
	if (walk->dir.len + strlen(name) + 1 > WALK_PATH_MAX) {
		skip(walk, SKIP_UNREAD, name, "nested too deeply");
		return true;
	}
	if (level->fd < 0 && !reopen(walk)) {
		skip(walk, SKIP_UNREAD, name, strerror(errno));
		return true;
	}
	fd = dir_open_at(vec_last(&walk->levels)->fd, name);
	if (fd < 0) {
		skip(walk, SKIP_UNREAD, name, strerror(errno));
		return true;
	}
	str_puts(&walk->dir, name);
	str_putc(&walk->dir, '/');
	return enter(walk, fd);
}

void walk_release(struct walk *walk)
{
	for (size_t i = 0; i < walk->levels.len; i++) {
		close_level(walk, i);
		errands_free(walk->levels.at[i].errands);
	}
	vec_release(&walk->levels);
	str_release(&walk->subdirs);
	str_release(&walk->dir);
	listing_release(&walk->list);
}

bool walk_tree(int dir_fd, const struct walk_sink *sink)
{
	struct walk walk = { .sink = sink, .start_fd = dir_fd };
	struct ahead *ahead = NULL;
	bool go_on = enter(&walk, dir_fd);

	for (size_t n = 0; go_on && walk.levels.len; n++) {
		const struct level *level = vec_last(&walk.levels);

		if (n == WALK_ALONE)
			ahead = ahead_new();
		if (ahead)
			ahead_send(ahead, &walk);
		if (level->errands && level->next == level->end)
			go_on = ahead_take(ahead, &walk);
		else
			go_on = walk_step(&walk);
	}
	ahead_free(ahead);
	walk_release(&walk);
	return go_on;
}

/* In archives. */

struct member {
	const char *name;
	int64_t size_bytes;      /* -1: a directory */
};
typedef VEC(struct member) members;

static void add_member(void *owner, const char *name, int64_t size_bytes)
{
	members *list = owner;

	vec_push(list, ((struct member){ name, size_bytes }));
}

/* The directory at `path`, of which what follows `start` is below the walk's. */
static bool walk_members(struct str *path, size_t start, const struct walk_sink *sink)
{
	members list = {0};
	size_t len = path->len;
	bool go_on = true;

	mount_list(path->text, &list, add_member);
	str_putc(path, '/');
	for (size_t i = 0; i < list.len && go_on; i++) {
		struct walk_file file = { path->text + start, len + 1 - start, list.at[i].name,
		                          list.at[i].size_bytes };

		if (file.size_bytes >= 0)
			go_on = sink->file(sink->owner, &file);
	}
	for (size_t i = 0; i < list.len && go_on; i++) {
		if (list.at[i].size_bytes >= 0)
			continue;
		str_puts(path, list.at[i].name);
		go_on = walk_members(path, start, sink);
		str_cut(path, len + 1);
	}
	str_cut(path, len);
	vec_release(&list);
	return go_on;
}

bool walk_path(const char *path, const struct walk_sink *sink)
{
	struct str at = {0};
	int fd;

	if (mount_look(path, NULL) == MOUNT_DIR) {
		str_puts(&at, path);
		walk_members(&at, at.len + 1, sink);
		str_release(&at);
		return true;
	}
	fd = dir_open(path);
	if (fd < 0)
		return false;
	walk_tree(fd, sink);
	close(fd);
	return true;
}
