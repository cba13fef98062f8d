#ifndef CMDS_CONFIG_H
#define CMDS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/data.h"
#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * Settings, and the file they last in: $XDG_CONFIG_HOME/tensordbg/config, lines of commands
 * ("config set NAME VALUE") and # comments. Only commands that save write it, whole and at once; lines they do not know
 * stay.
 *   X(id, name, kind, standard, least, most)
 * tfdbg's two, then ours, sorted. Of a word the words are in config.c, and standard is one's place among them; a layout has
 * a name of its own, "single" unless set.
 */
#define SETTINGS(X) \
	X(GRAPH_RECURSION_DEPTH, "graph_recursion_depth", INT, 20, -INT64_MAX, INT64_MAX - 1) \
	X(MOUSE_MODE, "mouse_mode", BOOL, true, 0, 1) \
	X(BACKGROUND, "background", WORD, 0, 0, 1)               /* dark, light */ \
	X(ESC_DELAY, "esc_delay", INT, 25, 0, 10000)             /* ms */ \
	X(LAYOUT, "layout", NAME, 0, 0, 0) \
	X(PAGE_KEYS, "page_keys", WORD, 0, 0, 1)                 /* page, line */ \
	X(SETTLE_MS, "settle_ms", INT, 2000, 0, 600000) \
	X(THEME, "theme", WORD, 0, 0, 4)                         /* auto, mono, 16, 256, true */ \
	X(TOAST_SECONDS, "toast_seconds", INT, 5, 0, 3600) \
	X(WRAP, "wrap", BOOL, true, 0, 1)

enum setting {
#define X(id, name, kind, standard, least, most) SETTING_##id,
	SETTINGS(X)
#undef X
	N_SETTINGS
};

#define LAYOUT_NAME_MAX 32      /* bytes, the NUL too */

struct config {
	int64_t value[N_SETTINGS];
	bool given[N_SETTINGS];          /* by our own file or a command, even if it is the standard value */
	char layout[LAYOUT_NAME_MAX];
};

/* What is wrong in the file: its first bad line, and how many there are. The other lines count. */
struct config_complaint {
	size_t n, line;          /* n 0: nothing; lines count from 1 */
	char text[160];
};

extern const char *const setting_names[N_SETTINGS];

/*
 * Defaults, then the file. While there is none, tfdbg's ~/.tfdbg_config is read (never written): graph_recursion_depth, and
 * mouse_mode if it is false, because tfdbg writes true at every start; the first line that is saved takes them along.
 */
void config_init(struct config *config);
/* Sets and saves. ERR_KEY for a name that is none, ERR_VALUE for a bad value, with Python's text; ERR_IO: set, not saved. */
bool config_set(struct config *config, const char *name, const char *value, enum setting *which, struct err *err);
void config_put_value(const struct config *config, enum setting setting, struct str *out);   /* "20", "True", "page" */
void config_put_data(const struct config *config, enum setting setting, struct data *data);    /* 20, true, "page" */
const char *config_word(const struct config *config, enum setting setting);      /* of a word or name; else NULL */
/* One of ours that is as it was made. */
bool config_is_standard(const struct config *config, enum setting setting);

/* Lines of the file that begin with these words: their number, and what follows without blanks around it. */
typedef void config_take_line(void *context, size_t number, const char *rest);
void config_each_line(const char *begins, config_take_line *line, void *context);
void config_complain(struct config_complaint *complaint, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Of "config set" lines, and of lines that begin with nothing known. Other words' owners say what is wrong with theirs. */
void config_check(struct config_complaint *complaint);
/* "config line 3: TEXT (and 2 more)" */
void config_put_complaint(const struct config_complaint *complaint, struct str *out);
/* Takes those lines out and puts `line` (NULL: nothing) at the end. ERR_IO, with the file as it was. */
bool config_put_line(const char *begins, const char *line, struct err *err);

#endif
