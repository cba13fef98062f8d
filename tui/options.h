#ifndef TUI_OPTIONS_H
#define TUI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/write.h"
#include "dump/base/vec.h"
#include "tui/keys.h"

/* The command line. One table of options is read here and printed by --help. */

enum ui { UI_AUTO, UI_CURSES, UI_LINE };
enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* A -c or an -x, in the order given. */
struct task {
	bool is_file;
	const char *text;        /* the command, or the file */
};

struct options {
	VEC(struct task) tasks;
	bool interactive, echo, keep_going, ascii, plain, no_mouse, slow, follow, poll, no_cache;
	bool version, help;
	enum style style;        /* STYLE_BOTH: as it is set */
	enum ui ui;
	int width;
	enum doc_format format;
	enum colour_when colour;
	const char *path;        /* NULL: left out */
	const char *stacks;      /* NULL: what lies beside the dump */
	VEC(const char *) source_maps;   /* FROM=TO */
	const char *graph, *op_log;      /* parts of a profile; NULL: what PATH holds */
	const char *raw_type, *against, *worker;         /* NULL: not given */
	uint64_t max_temp;               /* 0: not given */
	const char *recorder;            /* its name, or "list"; NULL: not given */
	VEC(const char *) run_metadata;  /* FILE[=STEP] */
};

/* False with one line on standard error when it is wrong. */
bool options_read(int argc, char **argv, struct options *out);
void options_release(struct options *options);
void options_help(FILE *out);
void options_tell_help(FILE *out);                       /* one line: where help is */
/* A PATH that is no file but a command's name: says how commands are given. False: it is none. */
bool options_tell_misplaced(const char *path);
/* Is the word an option of the command line whose value is the next word: "-c", "--width"? */
bool options_takes_next(const char *word);
/*
 * Are colours wanted? terminal: it goes to one. NO_COLOR counts when it is not empty; --color goes
 * before it.
 */
bool options_colour(const struct options *options, bool terminal);

#endif
