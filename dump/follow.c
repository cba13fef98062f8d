/*
 * The root is watched for directories that come and go, the last few runs for everything in them;
 * of an earlier run only the sum of its names and sizes is kept, to compare without events. A watch
 * is always added before its directory is listed, so no change is missed in between.
 */
#include "dump/follow.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/files/walk.h"
#include "dump/files/watch.h"
#include "dump/model/reader.h"

#ifndef FOLLOW_RUNS
#define FOLLOW_RUNS 8            /* watched at once */
#endif

/* What a run holds: a sum of its names and sizes, and their number. */
struct sum {
	uint64_t of, files;
};

/* A run that is or was watched. The first is ".": what lies in the root itself. */
struct followed {
	char *name;
	bool watched, changed;
	int64_t last_ms;         /* -1: nothing happened */
	struct sum sum;          /* when looked at */
};

struct follow {
	char *path;
	const struct reader *reader;
	struct watch *watch;     /* NULL: no events */
	bool here;               /* the path is there */
	bool look, look_always;
	bool again;              /* start anew: events were lost, or the path came or went */
	const char *note;
	int64_t look_ms;         /* the next look */
	uint64_t sum;            /* of the names of runs */
	VEC(struct followed) runs;
	bool runs_changed;
	VEC(const char *) told;
};

/* Numbers of watches: the root itself, then the runs. */
#define ROOT 0
#define NUMBER(run) ((uint32_t)(run) + 1)

static bool is_run(const struct follow *follow, const char *name)
{
	struct run_name parts;

	return follow->reader && follow->reader->run_name && follow->reader->run_name(name, &parts);
}

static char *path_of(const struct follow *follow, const char *name)
{
	struct str path = {0};

	str_fmt(&path, "%s/%s", follow->path, name);
	return path.text;
}

static void touch(struct followed *run, bool changed, int64_t now_ms)
{
	run->last_ms = now_ms;
	run->changed |= changed;
}

/* ---- without events */

static void look_from_now_on(struct follow *follow, const char *why)
{
	if (!follow->note)
		follow->note = why;
	follow->look = true;
}

static void watch_one(struct follow *follow, const char *path, uint32_t number, bool deep)
{
	if (!follow->watch || watch_add(follow->watch, path, number, deep))
		return;
	if (errno == ENOSPC)
		look_from_now_on(follow, "Looking once a second: the system's limit of watches is "
		                 "reached.");
}

static uint64_t mix(uint64_t sum, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ at[i]) * 0x100000001b3;
	return sum;
}

static bool sum_file(void *owner, const struct walk_file *file)
{
	struct sum *sum = owner;

	sum->of = mix(sum->of, file->dir, file->dir_len);
	sum->of = mix(sum->of, file->name, strlen(file->name) + 1);
	sum->of = mix(sum->of, &file->size_bytes, sizeof file->size_bytes);
	sum->files++;
	return true;
}

static void sum_below(struct sum *sum, const char *path)
{
	struct walk_sink sink = { .owner = sum, .file = sum_file };

	walk_path(path, &sink);
}

static void sum_entry(const struct follow *follow, struct sum *sum, const struct entry *entry)
{
	char *path = path_of(follow, entry->name);
	struct stat st;

	sum->of = mix(sum->of, entry->name, strlen(entry->name) + 1);
	if (entry->kind == ENTRY_DIR) {
		sum_below(sum, path);
	} else if (!lstat(path, &st)) {
		sum->of = mix(sum->of, &st.st_size, sizeof st.st_size);
		sum->files++;
	}
	free(path);
}

/* ---- runs */

/* Makes room: stops watching the run that has been quiet for longest. */
static void drop_oldest(struct follow *follow)
{
	struct followed *oldest = NULL;
	size_t n = 0;

	for (size_t i = 1; i < follow->runs.len; i++) {
		struct followed *run = &follow->runs.at[i];

		n += run->watched;
		if (run->watched && (!oldest || run->last_ms < oldest->last_ms))
			oldest = run;
	}
	if (n < FOLLOW_RUNS)
		return;
	oldest->watched = false;
	if (follow->watch)
		watch_drop(follow->watch, NUMBER(oldest - follow->runs.at));
}

static struct followed *find_run(const struct follow *follow, const char *name)
{
	for (size_t i = 0; i < follow->runs.len; i++)
		if (!strcmp(follow->runs.at[i].name, name))
			return &follow->runs.at[i];
	return NULL;
}

static struct followed *follow_run(struct follow *follow, const char *name)
{
	struct followed *run = find_run(follow, name);
	char *path;

	if (!run) {
		run = vec_add(&follow->runs);
		run->name = mem_copy(name, strlen(name));
		run->last_ms = -1;
	}
	if (run->watched)
		return run;
	if (run != follow->runs.at)
		drop_oldest(follow);
	run->watched = true;
	path = path_of(follow, name);
	if (run != follow->runs.at)
		watch_one(follow, path, NUMBER(run - follow->runs.at), true);
	free(path);
	return run;
}

static void stop_run(struct follow *follow, struct followed *run)
{
	if (follow->watch && run->watched)
		watch_drop(follow->watch, NUMBER(run - follow->runs.at));
	run->watched = false;
}

static void watch_part(struct follow *follow, const char *name)
{
	char *path = path_of(follow, name);

	watch_one(follow, path, NUMBER(0), true);
	free(path);
}

static void dir_came(struct follow *follow, const char *name, int64_t now_ms)
{
	if (is_run(follow, name)) {
		touch(follow_run(follow, name), true, now_ms);
		follow->runs_changed = true;
	} else {
		watch_part(follow, name);
		touch(follow->runs.at, true, now_ms);
	}
}

static void dir_went(struct follow *follow, const char *name, int64_t now_ms)
{
	struct followed *run = find_run(follow, name);

	if (run)
		stop_run(follow, run);
	if (is_run(follow, name))
		follow->runs_changed = true;
	else
		touch(follow->runs.at, false, now_ms);
}

/* The first of the runs in a listing that are watched. */
static size_t first_of_last(const struct follow *follow, const struct listing *list)
{
	size_t n = 0, i = list->entries.len;

	while (i && n < FOLLOW_RUNS) {
		i--;
		n += list->entries.at[i].kind == ENTRY_DIR &&
		     is_run(follow, list->entries.at[i].name);
	}
	return i;
}

static void compare(struct followed *run, const struct sum *sum, bool first, int64_t now_ms)
{
	if (!first && sum->of != run->sum.of)
		touch(run, sum->files >= run->sum.files, now_ms);
	run->sum = *sum;
}

static void look_at_run(struct follow *follow, const struct entry *entry, bool first,
                        int64_t now_ms)
{
	struct followed *run = follow_run(follow, entry->name);
	struct sum sum = {0};

	sum_entry(follow, &sum, entry);
	compare(run, &sum, first, now_ms);
}

/* Compares everything with the last look; the first look only remembers. */
static void look_at_all(struct follow *follow, const struct listing *list, bool first,
                        int64_t now_ms)
{
	size_t from = first_of_last(follow, list);
	struct sum loose = {0};
	uint64_t names = 0;

	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];
		bool run = entry->kind == ENTRY_DIR && is_run(follow, entry->name);

		if (!run)
			sum_entry(follow, &loose, entry);
		else
			names = mix(names, entry->name, strlen(entry->name) + 1);
		if (run && i >= from)
			look_at_run(follow, entry, first, now_ms);
	}
	compare(follow->runs.at, &loose, first, now_ms);
	if (!first && names != follow->sum)
		follow->runs_changed = true;
	follow->sum = names;
}

/* ---- the path */

static bool is_remote(const char *path)
{
	static const uint32_t remote[] = {
		NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, SMB2_SUPER_MAGIC, CIFS_SUPER_MAGIC,
		FUSE_SUPER_MAGIC, V9FS_MAGIC, CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC,
		CODA_SUPER_MAGIC, NCP_SUPER_MAGIC,
		0x0bd00bd0,      /* Lustre */
		0x47504653,      /* GPFS */
	};
	struct statfs fs;

	if (statfs(path, &fs))
		return false;
	for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
		if ((uint32_t)fs.f_type == remote[i])
			return true;
	return false;
}

static void watch_listed(struct follow *follow, const struct listing *list)
{
	size_t from = first_of_last(follow, list);

	for (size_t i = 0; i < list->entries.len; i++) {
		const struct entry *entry = &list->entries.at[i];

		if (entry->kind != ENTRY_DIR)
			continue;
		if (!is_run(follow, entry->name))
			watch_part(follow, entry->name);
		else if (i >= from)
			follow_run(follow, entry->name);
	}
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* The nearest existing directory above: the path can only appear after a change in it. */
static char *nearest_dir(const struct follow *follow)
{
	char *path = mem_copy(follow->path, strlen(follow->path));
	char *slash;

	do {
		slash = strrchr(path, '/');
		if (!slash) {
			free(path);
			return mem_copy(".", 1);
		}
		slash[slash == path] = '\0';
	} while (slash != path && !is_dir(path));
	return path;
}

/* A nearer directory may have appeared before the watch was set. */
static void watch_parent(struct follow *follow)
{
	char *path = nearest_dir(follow);

	for (bool same = false; !same; ) {
		char *nearer;

		watch_one(follow, path, ROOT, false);
		nearer = nearest_dir(follow);
		same = !strcmp(path, nearer);
		free(path);
		path = nearer;
	}
	free(path);
}

static void forget_all(struct follow *follow)
{
	watch_free(follow->watch);
	follow->watch = follow->look_always ? NULL : watch_new();
	if (!follow->watch)
		look_from_now_on(follow, "Looking once a second: the system gives no events.");
	for (size_t i = 0; i < follow->runs.len; i++)
		follow->runs.at[i].watched = false;
}

/* Watches what is there now. */
static void start(struct follow *follow, int64_t now_ms)
{
	struct listing list = {0};
	bool first = !follow->here;

	forget_all(follow);
	follow->look_ms = now_ms + FOLLOW_LOOK_MS;
	follow->here = is_dir(follow->path);
	if (!follow->here) {
		watch_parent(follow);
		follow->again = is_dir(follow->path);    /* it came in between */
		return;
	}
	watch_one(follow, follow->path, ROOT, false);
	if (is_remote(follow->path))
		look_from_now_on(follow, "Looking once a second: "
		                 "writers on other machines cause no events.");
	listing_of(&list, follow->path, NULL);
	watch_listed(follow, &list);
	if (follow->look)
		look_at_all(follow, &list, first, now_ms);
	listing_release(&list);
}

struct follow *follow_start(const char *path, const struct reader *reader, bool look,
                            int64_t now_ms)
{
	struct follow *follow = mem_alloc(sizeof *follow);
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	follow->path = mem_copy(path, len);
	follow->reader = reader;
	follow->look_always = look;
	if (look)
		look_from_now_on(follow, "Looking once a second.");
	follow_run(follow, ".");
	start(follow, now_ms);
	return follow;
}

void follow_free(struct follow *follow)
{
	if (!follow)
		return;
	watch_free(follow->watch);
	for (size_t i = 0; i < follow->runs.len; i++)
		free(follow->runs.at[i].name);
	vec_release(&follow->runs);
	vec_release(&follow->told);
	free(follow->path);
	free(follow);
}

int follow_fd(const struct follow *follow)
{
	return follow->watch ? watch_fd(follow->watch) : -1;
}

int64_t follow_sleep_ms(const struct follow *follow, int64_t now_ms)
{
	if (follow->again)
		return 0;
	if (!follow->look)
		return -1;
	return follow->look_ms > now_ms ? follow->look_ms - now_ms : 0;
}

/* ---- events */

static void take_of_root(struct follow *follow, const struct watch_event *event, int64_t now_ms)
{
	if (!follow->here || event->what == WATCH_GONE)
		follow->again = true;
	else if (event->what == WATCH_DIR_CAME)
		dir_came(follow, event->name, now_ms);
	else if (event->what == WATCH_DIR_WENT)
		dir_went(follow, event->name, now_ms);
	else
		touch(follow->runs.at, event->what == WATCH_FILE, now_ms);
}

static bool is_news(enum watch_what what)
{
	return what == WATCH_FILE || what == WATCH_DIR_CAME;
}

static void take(struct follow *follow, const struct watch_event *event, int64_t now_ms)
{
	if (event->what == WATCH_LOST)
		follow->again = true;
	else if (event->number == ROOT)
		take_of_root(follow, event, now_ms);
	else
		touch(&follow->runs.at[event->number - 1], is_news(event->what), now_ms);
}

/* Everything may have been replaced. */
static void start_again(struct follow *follow, struct follow_news *news, int64_t now_ms)
{
	bool was_here = follow->here;

	follow->again = false;
	start(follow, now_ms);
	news->came = follow->here && !was_here;
	news->went = was_here && !follow->here;
	if (!follow->here && !was_here)
		return;
	follow->runs_changed = true;
	for (size_t i = 0; i < follow->runs.len; i++)
		if (follow->runs.at[i].watched || !i)
			touch(&follow->runs.at[i], true, now_ms);
}

static void look_now(struct follow *follow, int64_t now_ms)
{
	struct listing list = {0};
	bool here = is_dir(follow->path);

	follow->look_ms = now_ms + FOLLOW_LOOK_MS;
	if (here != follow->here)
		follow->again = true;
	else if (here && listing_of(&list, follow->path, NULL))
		look_at_all(follow, &list, false, now_ms);
	listing_release(&list);
}

static void tell(struct follow *follow, struct follow_news *news)
{
	follow->told.len = 0;
	for (size_t i = 0; i < follow->runs.len; i++) {
		if (follow->runs.at[i].changed)
			vec_push(&follow->told, follow->runs.at[i].name);
		follow->runs.at[i].changed = false;
	}
	news->runs = follow->runs_changed;
	follow->runs_changed = false;
	news->changed = follow->told.at;
	news->n_changed = follow->told.len;
	news->any = news->came || news->went || news->runs || news->n_changed;
}

void follow_read(struct follow *follow, int64_t now_ms, struct follow_news *news)
{
	struct watch_event event;

	*news = (struct follow_news){0};
	while (follow->watch && watch_next(follow->watch, &event))
		take(follow, &event, now_ms);
	if (follow->watch && watch_failed(follow->watch) == ENOSPC)
		look_from_now_on(follow, "Looking once a second: the system's limit of watches is "
		                 "reached.");
	if (follow->look && now_ms >= follow->look_ms)
		look_now(follow, now_ms);
	if (follow->again)
		start_again(follow, news, now_ms);
	tell(follow, news);
}

int64_t follow_last_ms(const struct follow *follow, const char *name)
{
	const struct followed *run = find_run(follow, name);

	return run ? run->last_ms : -1;
}

const char *follow_note(const struct follow *follow)
{
	return follow->note;
}
