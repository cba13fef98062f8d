#ifndef CMDS_CONFIG_H
#define CMDS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/data.h"
#include "cmds/session/themes.h"
#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * Settings, and the file that keeps them: $XDG_CONFIG_HOME/tensordbg/config, lines of commands
 * ("config set NAME VALUE") and # comments. Only commands that save write it, whole and in one
 * step; lines they don't know are kept.
 *   X(id, name, kind, standard, least, most)
 * tfdbg's two settings first, then ours, sorted. The words of a word setting are in config.c; its
 * standard is the index of one. A layout is a name, "single" unless set; a theme is one too, "auto"
 * unless set. How many colours there are was said as a theme before (16, 256, true), and still may.
 */
#define SETTINGS(X) \
	X(GRAPH_RECURSION_DEPTH, "graph_recursion_depth", INT, 20, -INT64_MAX, INT64_MAX - 1) \
	X(MOUSE_MODE, "mouse_mode", BOOL, true, 0, 1) \
	X(BACKGROUND, "background", WORD, 0, 0, 1)               /* dark, light */ \
	X(COLOURS, "colors", WORD, 0, 0, 4)      /* auto, mono, 16, 256, direct */ \
	X(ESC_DELAY, "esc_delay", INT, 25, 0, 10000)             /* ms */ \
	X(LAYOUT, "layout", NAME, 0, 0, 0) \
	X(PAGE_KEYS, "page_keys", WORD, 0, 0, 1)                 /* page, line */ \
	X(SETTLE_MS, "settle_ms", INT, 2000, 0, 600000) \
	X(STYLE, "style", WORD, 0, 0, 1)                         /* modern, tfdbg */ \
	X(THEME, "theme", NAME, 0, 0, 0) \
	X(TOAST_SECONDS, "toast_seconds", INT, 5, 0, 3600) \
	X(VERDICT, "verdict", WORD, 1, 0, 2)      /* off, auto, always */ \
	X(WRAP, "wrap", BOOL, true, 0, 1)

enum setting {
#define X(id, name, kind, standard, least, most) SETTING_##id,
	SETTINGS(X)
#undef X
	N_SETTINGS
};

/* Whether numbers are searched by themselves; auto: if that is not too much to read. */
enum { VERDICT_OFF, VERDICT_AUTO, VERDICT_ALWAYS };

#define LAYOUT_NAME_MAX 32      /* bytes, the NUL too */

struct config {
	int64_t value[N_SETTINGS];
	bool given[N_SETTINGS];          /* set by our file or a command */
	char layout[LAYOUT_NAME_MAX], theme[THEME_NAME_MAX];
};

/* What is wrong in the file: its first bad line, and how many there are. The other lines count. */
struct config_complaint {
	size_t n, line;          /* n 0: nothing; lines count from 1; 0: of the file itself */
	char text[160];
};

extern const char *const setting_names[N_SETTINGS];

/*
 * Sets defaults, then reads the file. Without one, tfdbg's ~/.tfdbg_config is read (never written):
 * graph_recursion_depth, and mouse_mode if it is false (tfdbg writes true at every start). The
 * first line saved copies them to our file.
 */
void config_init(struct config *config);
/*
 * Sets and saves. ERR_KEY for an unknown name, ERR_VALUE with Python's text for a bad value; after
 * ERR_IO the value is set but not saved.
 */
bool config_set(struct config *config, const char *name, const char *value, enum setting *which,
                struct err *err);
/* ERR_KEY: no setting has that name. "colours" is "colors". */
bool config_find(const char *name, enum setting *which, struct err *err);
/* As text: "20", "True", "page". */
void config_put_value(const struct config *config, enum setting setting, struct str *out);
/* As data: 20, true, "page". */
void config_put_data(const struct config *config, enum setting setting, struct data *data);
/* The words of a word setting, NULL after the last; NULL: it is none. */
const char *const *config_words(enum setting setting);
/* NULL unless it is a word or a name. */
const char *config_word(const struct config *config, enum setting setting);
/* One of ours, with its standard value. */
bool config_is_standard(const struct config *config, enum setting setting);

/* Lines of regular expressions: nodes whose origins of NaN and Inf need not be told. */
#define CONFIG_IGNORED "origins_ignore"

/* Called for each line that begins with the given words; rest is what follows, trimmed. */
typedef void config_take_line(void *context, size_t number, const char *rest);
void config_each_line(const char *begins, config_take_line *line, void *context);
void config_complain(struct config_complaint *complaint, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Complains about "config set" lines, and about lines that begin with no known word. Lines that
 * begin with other commands' words are checked by those commands.
 */
void config_check(struct config_complaint *complaint);
/* "config line 3: TEXT (and 2 more)"; "config: TEXT" of the file */
void config_put_complaint(const struct config_complaint *complaint, struct str *out);
/*
 * A word of such a line, in quotes or not, which the caller frees; *text goes behind it and the
 * blanks there. NULL: there is none.
 */
char *config_take_word(const char **text);
/* Removes those lines and appends `line` (NULL: nothing). After ERR_IO the file is unchanged. */
bool config_put_line(const char *begins, const char *line, struct err *err);
/* The same of the lines that begin so and whose rest this is true of. */
typedef bool config_is_it(const void *context, const char *rest);
bool config_replace(const char *begins, config_is_it *is_it, const void *context,
                    const char *line, struct err *err);

#endif
