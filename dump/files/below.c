/*
 * A queue of names: a directory's own names are read when its turn comes, its directories go to
 * the end.
 */
#include "dump/files/below.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/clock.h"
#include "dump/base/mem.h"

#define BELOW_SURE 64            /* directories that are looked at however long it takes */

struct waiting {
	char *name;
	size_t depth;
};

struct below {
	const char *path;
	VEC(struct waiting) queue;
	size_t dirs;
	int64_t until_ms;
	bool cut;
	struct below_seen *seen;
};

static void add_dirs(struct below *b, const struct below_dir *dir)
{
	for (size_t i = 0; i < dir->list->entries.len; i++) {
		const struct entry *entry = &dir->list->entries.at[i];
		struct str name = {0};

		if (entry->kind != ENTRY_DIR || *entry->name == '.')
			continue;
		if (dir->depth + 1 > BELOW_DEPTH || b->queue.len > BELOW_DIRS) {
			b->cut = true;
			return;
		}
		str_fmt(&name, "%s%s%s", dir->name, *dir->name ? "/" : "", entry->name);
		vec_push(&b->queue, ((struct waiting){ name.text, dir->depth + 1 }));
	}
}

/* The next directory: as many of its names as may still be read. */
static void look_at(struct below *b, const struct waiting *next, const struct below_sink *sink,
                    struct listing *list, bool *stop)
{
	struct below_dir dir = { .name = next->name, .depth = next->depth, .list = list };
	struct str path = {0};
	bool all;

	str_fmt(&path, "%s%s%s", b->path, *next->name ? "/" : "", next->name);
	dir.path = path.text;
	errno = 0;
	if (listing_upto(list, path.text, BELOW_NAMES - b->seen->names, &all)) {
		b->cut = b->cut || !all;
		b->seen->names += list->entries.len;
		b->dirs++;
		if (sink->dir(sink->owner, &dir, stop) && !*stop)
			add_dirs(b, &dir);
	} else if (next->depth && !b->seen->unread++) {
		err_fill(&b->seen->first_unread, ERR_IO, next->name, 0, "%s", strerror(errno));
	}
	str_release(&path);
}

void below_walk(const char *path, const struct below_sink *sink, struct below_seen *seen)
{
	struct below b = { .path = path, .until_ms = clock_ms() + BELOW_MS, .seen = seen };
	struct listing list = {0};
	bool stop = false;

	*seen = (struct below_seen){0};
	vec_push(&b.queue, ((struct waiting){ mem_copy("", 0), 0 }));
	for (size_t i = 0; i < b.queue.len && !stop; i++) {
		if (seen->names >= BELOW_NAMES
		    || (b.dirs >= BELOW_SURE && clock_ms() > b.until_ms)) {
			b.cut = true;
			break;
		}
		look_at(&b, &(struct waiting){ b.queue.at[i].name, b.queue.at[i].depth }, sink,
		        &list, &stop);
	}
	for (size_t i = 0; i < b.queue.len; i++)
		free(b.queue.at[i].name);
	vec_release(&b.queue);
	listing_release(&list);
	seen->whole = !b.cut && !stop;
}
