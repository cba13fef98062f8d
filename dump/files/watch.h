#ifndef DUMP_WATCH_H
#define DUMP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Directories whose changes the system reports (inotify(7)). The caller numbers what it
 * watches; events name that number. Links are never followed. Nothing is changed in what is
 * watched, and whoever writes there never waits.
 *
 * A tree is watched whole: directories that come are watched as soon as they are seen. What lay in
 * one by then has no event of its own, so a coming directory means: look at all of it.
 */
struct watch;

enum watch_what {
	WATCH_FILE,              /* a file came, or was closed by its writer */
	WATCH_FILE_WENT,
	WATCH_GROWS,             /* a file is being written */
	WATCH_DIR_CAME, WATCH_DIR_WENT,
	WATCH_GONE,              /* the watched directory itself was deleted or renamed */
	WATCH_LOST, /* events were lost: look at everything again; number and name say nothing */
};

struct watch_event {
	enum watch_what what;
	uint32_t number;
	bool top;                /* in the directory that was asked for, not below */
	/* of the file or directory; until the next call; "" for the watched directory */
	const char *name;
};

struct watch *watch_new(void);           /* NULL, and errno, if the system has none to give */
void watch_free(struct watch *watch);
int watch_fd(const struct watch *watch); /* readable when there are events */

/*
 * Watches a directory, with all below it if `deep`. False, and errno: ENOSPC when the user may not
 * watch more, else what open(2) would say of the path. Part of the tree may be watched then.
 */
bool watch_add(struct watch *watch, const char *path, uint32_t number, bool deep);
void watch_drop(struct watch *watch, uint32_t number);   /* all that was added under it */

/* The next event; false: no more for now. */
bool watch_next(struct watch *watch, struct watch_event *event);
/*
 * The errno of the first new directory that could not be watched since this was last asked, or 0.
 */
int watch_failed(struct watch *watch);

#endif
