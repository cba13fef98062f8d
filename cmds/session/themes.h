#ifndef CMDS_THEMES_H
#define CMDS_THEMES_H

#include <stdbool.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/*
 * Which themes there are. One is a file of the user, themes/NAME beside the config file, or it is
 * shipped; of two with one name the file counts. What they look like is the screen's business.
 */
#define SHIPPED_THEMES(X) \
	X(DARK, "dark", "for dark backgrounds") \
	X(LIGHT, "light", "for light backgrounds") \
	X(CONTRAST, "contrast", "contrasts of 7:1 and more, on black") \
	X(MONO, "mono", "no colors") \
	X(TFDBG, "tfdbg", "tfdbg's colors") \
	X(TFDBG_LIGHT, "tfdbg-light", "tfdbg's colors for light backgrounds")

enum {
#define X(id, name, summary) THEME_##id,
	SHIPPED_THEMES(X)
#undef X
	N_SHIPPED_THEMES
};

/* What is set unless another theme is: the one that goes with the style and the background. */
#define THEME_AUTO "auto"
#define THEME_NAME_MAX 32        /* bytes, the NUL too */

struct theme_name {
	const char *name, *summary;
};
extern const struct theme_name shipped_themes[N_SHIPPED_THEMES];

/* Letters, digits, "_", "-" and "."; a dot is not the first. */
bool theme_name_ok(const char *name);

/* Is it "auto", or shipped, or is there a file of that name, whatever is in it? */
bool theme_exists(const char *name);

/* Where the user's file of that name is, or would be. False: there is no home. */
bool theme_file_path(const char *name, struct str *path);

/* The names of the user's files, sorted. */
struct theme_files { VEC(char *) names; };
void theme_files_list(struct theme_files *files);
void theme_files_release(struct theme_files *files);

/*
 * The user's file of that name; its path is put into *path. False without an error: there is none.
 * ERR_IO: it can't be read, or is no regular file; ERR_LIMIT: it is larger than 64 KiB.
 */
bool theme_file_read(const char *name, struct str *path, struct str *text, struct err *err);

#endif
