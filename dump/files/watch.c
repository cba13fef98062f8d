/*
 * inotify hands out numbers for directories in rising order, so a sorted list finds them. Trees are
 * walked with a list of paths that are still to come: neither stack nor descriptors grow with their
 * depth.
 */
#include "dump/files/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/files/walk.h"

#define WATCHED (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | \
                 IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF)
#define HOW     (IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)

struct watched {
	int id;                  /* inotify's */
	uint32_t number;
	bool top, deep;
	char *path;
};

struct watch {
	int fd;
	int failed;
	VEC(struct watched) dirs;        /* by id */
	size_t at, len;                  /* of block: what was read and not told */
	_Alignas(struct inotify_event) char block[16 * 1024];
};

struct watch *watch_new(void)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct watch *watch;

	if (fd < 0)
		return NULL;
	watch = mem_alloc(sizeof *watch);
	watch->fd = fd;
	return watch;
}

void watch_free(struct watch *watch)
{
	if (!watch)
		return;
	for (size_t i = 0; i < watch->dirs.len; i++)
		free(watch->dirs.at[i].path);
	vec_release(&watch->dirs);
	close(watch->fd);
	free(watch);
}

int watch_fd(const struct watch *watch)
{
	return watch->fd;
}

/* Where the directory with this id is in the list, or would be. */
static size_t place_of(const struct watch *watch, int id)
{
	size_t low = 0, high = watch->dirs.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (watch->dirs.at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct watched *find(struct watch *watch, int id)
{
	size_t i = place_of(watch, id);

	return i < watch->dirs.len && watch->dirs.at[i].id == id ? &watch->dirs.at[i] : NULL;
}

static void forget(struct watch *watch, struct watched *dir)
{
	size_t i = (size_t)(dir - watch->dirs.at);

	free(dir->path);
	memmove(dir, dir + 1, (--watch->dirs.len - i) * sizeof *dir);
}

/* Directories that are watched already keep their place: only whose they are may change. */
static bool add_one(struct watch *watch, const char *path, uint32_t number, bool top, bool deep)
{
	int id = inotify_add_watch(watch->fd, path, WATCHED | HOW);
	struct watched dir = { .id = id, .number = number, .top = top, .deep = deep };
	struct watched *known;
	size_t i;

	if (id < 0)
		return false;
	dir.path = mem_copy(path, strlen(path));
	known = find(watch, id);
	if (known) {
		free(known->path);
		*known = dir;
		return true;
	}
	i = place_of(watch, id);
	(void)vec_add(&watch->dirs);
	memmove(watch->dirs.at + i + 1, watch->dirs.at + i, (watch->dirs.len - 1 - i) * sizeof dir);
	watch->dirs.at[i] = dir;
	return true;
}

static char *path_below(const char *dir, const char *name)
{
	struct str path = {0};

	str_fmt(&path, "%s/%s", dir, name);
	return path.text;
}

/* No failure: a directory that has gone meanwhile, or one whose path is too long. */
static bool add_tree(struct watch *watch, const char *path, uint32_t number, bool top)
{
	VEC(char *) todo = {0};
	struct listing list = {0};
	int failed = 0;

	vec_push(&todo, mem_copy(path, strlen(path)));
	while (todo.len) {
		char *dir = todo.at[--todo.len];

		if (!add_one(watch, dir, number, top, true)) {
			if (!failed && (top || (errno != ENOENT && errno != ENAMETOOLONG)))
				failed = errno;
		} else if (listing_of(&list, dir, NULL)) {
			for (size_t i = 0; i < list.entries.len; i++)
				if (list.entries.at[i].kind == ENTRY_DIR)
					vec_push(&todo, path_below(dir, list.entries.at[i].name));
		}
		top = false;
		free(dir);
	}
	vec_release(&todo);
	listing_release(&list);
	errno = failed;
	return !failed;
}

bool watch_add(struct watch *watch, const char *path, uint32_t number, bool deep)
{
	return deep ? add_tree(watch, path, number, true)
	            : add_one(watch, path, number, true, false);
}

void watch_drop(struct watch *watch, uint32_t number)
{
	size_t kept = 0;

	for (size_t i = 0; i < watch->dirs.len; i++) {
		struct watched *dir = &watch->dirs.at[i];

		if (dir->number != number) {
			watch->dirs.at[kept++] = *dir;
			continue;
		}
		inotify_rm_watch(watch->fd, dir->id);
		free(dir->path);
	}
	watch->dirs.len = kept;
}

static bool fill(struct watch *watch)
{
	ssize_t got;

	do
		got = read(watch->fd, watch->block, sizeof watch->block);
	while (got < 0 && errno == EINTR);
	watch->at = 0;
	watch->len = got > 0 ? (size_t)got : 0;
	return got > 0;
}

static enum watch_what what_of(uint32_t mask)
{
	if (mask & (IN_DELETE_SELF | IN_MOVE_SELF))
		return WATCH_GONE;
	if (mask & IN_ISDIR)
		return mask & (IN_CREATE | IN_MOVED_TO) ? WATCH_DIR_CAME : WATCH_DIR_WENT;
	if (mask & (IN_DELETE | IN_MOVED_FROM))
		return WATCH_FILE_WENT;
	return mask & IN_MODIFY ? WATCH_GROWS : WATCH_FILE;
}

static void watch_coming(struct watch *watch, const struct watched *parent, const char *name)
{
	char *path = path_below(parent->path, name);

	if (!add_tree(watch, path, parent->number, false) && !watch->failed)
		watch->failed = errno;
	free(path);
}

/* False: nothing that anybody wants to know. */
static bool tell(struct watch *watch, const struct inotify_event *raw, struct watch_event *event)
{
	struct watched *dir;

	if (raw->mask & IN_Q_OVERFLOW) {
		*event = (struct watch_event){ .what = WATCH_LOST, .name = "" };
		return true;
	}
	dir = find(watch, raw->wd);
	if (!dir)
		return false;
	if (raw->mask & IN_IGNORED) {
		forget(watch, dir);
		return false;
	}
	*event = (struct watch_event){ what_of(raw->mask), dir->number, dir->top,
	                               raw->len ? raw->name : "" };
	if (event->what == WATCH_GONE)
		return dir->top;
	if (event->what == WATCH_DIR_CAME && dir->deep)
		watch_coming(watch, dir, event->name);
	return true;
}

bool watch_next(struct watch *watch, struct watch_event *event)
{
	while (watch->at < watch->len || fill(watch)) {
		const struct inotify_event *raw =
			(const struct inotify_event *)(watch->block + watch->at);

		watch->at += sizeof *raw + raw->len;
		if (tell(watch, raw, event))
			return true;
	}
	return false;
}

int watch_failed(struct watch *watch)
{
	int failed = watch->failed;

	watch->failed = 0;
	return failed;
}
