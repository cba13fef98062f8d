/*
 * The second thread is given the later half of the list that is nearest to the start, so that it is
 * away for long. It walks in the same way and only notes what it finds. When the first thread has
 * walked all before that, it does not wait for the end: the errand is stopped at the next
 * directory, its notes are read out in order, and the rest of its walk becomes the first thread's,
 * which may send the second one away again. So both are busy whatever the tree looks like.
 */
#include "dump/files/walk_parts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/thread.h"

#define DEPTH_MAX 32             /* deeper lists stay: the second thread opens the way anew */
#ifndef NOTES_MAX
#define NOTES_MAX (4 * 1024 * 1024)      /* bytes an errand may note */
#endif
#define ERRANDS_MAX 8            /* that were not taken yet */

struct errand {
	struct errand *next;     /* at the same level */
	struct walk walk;
	struct walk_sink sink;
	size_t depth;            /* the level it was taken from */
	struct str notes;
	struct str dir;          /* noted last */
};

struct ahead {
	pthread_t thread;
	pthread_mutex_t lock;    /* guards what follows */
	pthread_cond_t changed;
	struct errand *errand;   /* NULL: nothing to do */
	bool begun, quit;
	atomic_bool idle, stop;  /* no errand; it shall end: both are asked without the lock */
	size_t n_errands;        /* the first thread's */
};

/* ---- notes: a byte that says what comes, then its texts, each with its NUL */

enum { NOTE_DIR = 'd', NOTE_FILE = 'f', NOTE_SKIPPED = 's', NOTE_UNREAD = 'u' };

static void put_text(struct str *notes, const char *text)
{
	str_put(notes, text, strlen(text) + 1);
}

static bool note_file(void *owner, const struct walk_file *file)
{
	struct errand *errand = owner;

	if (file->dir_len != errand->dir.len
	    || memcmp(file->dir, str_text(&errand->dir), file->dir_len)) {
		str_reset(&errand->dir);
		str_put(&errand->dir, file->dir, file->dir_len);
		str_putc(&errand->notes, NOTE_DIR);
		put_text(&errand->notes, errand->dir.text);
	}
	str_putc(&errand->notes, NOTE_FILE);
	str_put(&errand->notes, (const char *)&file->size_bytes, sizeof file->size_bytes);
	put_text(&errand->notes, file->name);
	return true;
}

static void note_skipped(void *owner, enum walk_skip what, const char *path, const char *why)
{
	struct errand *errand = owner;

	str_putc(&errand->notes, what == SKIP_UNREAD ? NOTE_UNREAD : NOTE_SKIPPED);
	put_text(&errand->notes, path);
	put_text(&errand->notes, why);
}

static const char *next_text(const char **at)
{
	const char *text = *at;

	*at += strlen(text) + 1;
	return text;
}

static bool read_out(const struct errand *errand, const struct walk_sink *sink)
{
	const char *at = errand->notes.text, *end = at + errand->notes.len;
	struct walk_file file = { "", 0, "", -1 };
	enum walk_skip what;
	const char *path;

	while (at < end) {
		switch (*at++) {
		case NOTE_DIR:
			file.dir = next_text(&at);
			file.dir_len = strlen(file.dir);
			break;
		case NOTE_FILE:
			memcpy(&file.size_bytes, at, sizeof file.size_bytes);
			at += sizeof file.size_bytes;
			file.name = next_text(&at);
			if (!sink->file(sink->owner, &file))
				return false;
			break;
		case NOTE_SKIPPED:
		case NOTE_UNREAD:
			what = at[-1] == NOTE_UNREAD ? SKIP_UNREAD : SKIP_ODD;
			path = next_text(&at);
			if (sink->skipped)
				sink->skipped(sink->owner, what, path, at);
			next_text(&at);
		}
	}
	return true;
}

/* ---- the second thread */

static void run_errand(struct ahead *ahead, struct errand *errand)
{
	struct walk *walk = &errand->walk;

	while (!ahead->stop && errand->notes.len < NOTES_MAX && walk->levels.len > errand->depth)
		walk_step(walk);
}

static void *run(void *arg)
{
	struct ahead *ahead = arg;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->quit) {
		struct errand *errand = ahead->errand;

		if (!errand) {
			pthread_cond_wait(&ahead->changed, &ahead->lock);
			continue;
		}
		ahead->begun = true;
		pthread_mutex_unlock(&ahead->lock);
		run_errand(ahead, errand);
		pthread_mutex_lock(&ahead->lock);
		ahead->errand = NULL;
		ahead->idle = true;
		pthread_cond_broadcast(&ahead->changed);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

struct ahead *ahead_new(void)
{
	struct ahead *ahead = mem_alloc(sizeof *ahead);

	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	ahead->idle = true;
	if (thread_start(&ahead->thread, run, ahead))
		return ahead;
	free(ahead);
	return NULL;
}

void ahead_free(struct ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->quit = true;
	ahead->stop = true;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	pthread_join(ahead->thread, NULL);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

/* ---- the first thread */

/* Where the later half of a level's list begins; it has the middle one of an odd number. */
static size_t later_half(const struct walk *walk, const struct level *level)
{
	size_t n = 0, at = level->next;

	for (size_t i = at; i < level->end; i += strlen(walk->subdirs.text + i) + 1)
		n++;
	for (size_t i = 0; i < n / 2; i++)
		at += strlen(walk->subdirs.text + at) + 1;
	return at;
}

/* The walk of the names from `from` on of a level's list: the way down to it is the same. */
static struct errand *errand_new(const struct walk *walk, size_t depth, size_t from)
{
	const struct level *level = &walk->levels.at[depth];
	struct errand *errand = mem_alloc(sizeof *errand);
	struct walk *part = &errand->walk;

	errand->sink = (struct walk_sink){ errand, note_file, note_skipped };
	errand->depth = depth;
	part->sink = &errand->sink;
	part->start_fd = walk->start_fd;
	str_put(&part->dir, str_text(&walk->dir), level->dir_len);
	str_put(&part->subdirs, walk->subdirs.text + from, level->end - from);
	for (size_t i = 0; i <= depth; i++)
		vec_push(&part->levels, ((struct level){ .fd = i ? -1 : walk->start_fd,
		                                         .dir_len = walk->levels.at[i].dir_len }));
	vec_last(&part->levels)->end = part->subdirs.len;
	return errand;
}

void errands_free(struct errand *first)
{
	while (first) {
		struct errand *next = first->next;

		walk_release(&first->walk);
		str_release(&first->notes);
		str_release(&first->dir);
		free(first);
		first = next;
	}
}

static void send_away(struct ahead *ahead, struct errand *errand)
{
	ahead->n_errands++;
	pthread_mutex_lock(&ahead->lock);
	ahead->errand = errand;
	ahead->begun = false;
	ahead->idle = false;
	ahead->stop = false;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
}

void ahead_send(struct ahead *ahead, struct walk *walk)
{
	if (!ahead->idle || ahead->n_errands == ERRANDS_MAX)
		return;
	for (size_t i = 0; i < walk->levels.len && i < DEPTH_MAX; i++) {
		struct level *level = &walk->levels.at[i];
		size_t from = later_half(walk, level);
		struct errand *errand;

		/* What this thread does next in the last level stays with it. */
		if (from == level->end || (i + 1 == walk->levels.len && from == level->next))
			continue;
		errand = errand_new(walk, i, from);
		errand->next = level->errands;
		level->errands = errand;
		level->end = from;
		send_away(ahead, errand);
		return;
	}
}

/* Until it is not the second thread's any more. */
static void bring_back(struct ahead *ahead, const struct errand *errand)
{
	pthread_mutex_lock(&ahead->lock);
	if (ahead->errand == errand && !ahead->begun) {
		ahead->errand = NULL;
		ahead->idle = true;
	}
	if (ahead->errand == errand)
		ahead->stop = true;
	while (ahead->errand == errand)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
	ahead->n_errands--;
}

/* What is left of the errand's walk goes on top of this one. */
static void go_on_with(struct walk *walk, struct errand *errand)
{
	struct walk *part = &errand->walk;
	struct level *level = vec_last(&walk->levels), *rest;
	size_t done, base = level->names;

	if (part->levels.len <= errand->depth)
		return;
	rest = &part->levels.at[errand->depth];
	done = rest->next;
	level->next = base;
	level->end = rest->end - done + base;
	str_cut(&walk->subdirs, base);
	str_put(&walk->subdirs, part->subdirs.text + done, part->subdirs.len - done);
	str_reset(&walk->dir);
	str_put(&walk->dir, str_text(&part->dir), part->dir.len);
	for (size_t i = errand->depth + 1; i < part->levels.len; i++) {
		struct level moved = part->levels.at[i];

		moved.names = moved.names - done + base;
		moved.next = moved.next - done + base;
		moved.end = moved.end - done + base;
		vec_push(&walk->levels, moved);
		part->levels.at[i].fd = -1;
	}
}

bool ahead_take(struct ahead *ahead, struct walk *walk)
{
	struct level *level = vec_last(&walk->levels);
	struct errand *errand = level->errands;
	bool go_on;

	level->errands = errand->next;
	errand->next = NULL;
	bring_back(ahead, errand);
	go_on = read_out(errand, walk->sink);
	if (go_on)
		go_on_with(walk, errand);
	errands_free(errand);
	return go_on;
}
