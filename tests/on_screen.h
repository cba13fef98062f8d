#ifndef TESTS_ON_SCREEN_H
#define TESTS_ON_SCREEN_H

#include <stdbool.h>

#include "tests/terminal.h"

/* The program on a screen, with a home of its own: the fixture of the suites that look at it. */
extern char *home;
void make_home(void);
void remove_home(void);

/* Runs in dir, NULL: here; args and env end with NULL, env may be NULL. */
struct terminal *start_in(const char *dir, const char *const *args, const char *const *env,
                          int rows, int cols);

/*
 * Tests of every view in every kind of terminal take long under the sanitizers, which run every
 * second one: case `n` is the number of the view and that of the terminal, added.
 */
bool is_left_out(int n);

/* The same with testdata/mnist_nan; mnist_started waits for the first screen and the prompt. */
struct terminal *start_mnist_with(const char *const *env, int rows, int cols);
struct terminal *start_mnist(int rows, int cols);
struct terminal *mnist_started(int rows, int cols);

/*
 * Keys, and what the screen shows after them. Keys are typed as they are, except for names:
 * "<Esc>", "<Up>", "<PgDn>", "<F6>", "<Ctrl-C>", "<Click(ROW,COLUMN)>", "<Resize(COLUMNSxROWS)>".
 * "" types nothing.
 */
struct press {
	const char *keys;
	int row;                 /* where `shows` is waited for, or one of these */
	const char *shows;
};
enum {
	ANYWHERE = -1,
	GONE = -2,               /* nowhere on the screen */
	CURSOR = -3,             /* shows: "ROW,COLUMN" */
};
/* Plays them in order, up to one without keys (NULL). Fails the test at the first not shown. */
void play(struct terminal *t, const struct press *presses);
#define PLAY(t, ...) play(t, (const struct press[]){ __VA_ARGS__, { NULL, 0, NULL } })
/* Presses the one key of this name; false if there is none. */
bool press_named(struct terminal *t, const char *name);

/* A program on a screen from its start to F10, all in one row of a table. */
struct session {
	const char *name;
	int rows, cols;
	/* "NAME=VALUE... ARGUMENT...", for the program in testdata; NULL: "mnist_nan" */
	const char *args;
	struct press presses[40];
};
/* Begins when the prompt listens; in our style when the keys of the first screen are named. */
void play_session(const struct session *session);

/* Ends with this status, as of waitpid, and leaves the terminal as it was. Frees t. */
void expect_end(struct terminal *t, int wanted);
void leave_by_exit(struct terminal *t);         /* typed at the prompt; ends with 0 */
void leave_by_key(struct terminal *t);          /* F10, from anywhere */
/* The terminal is as it was: settings, screen, mouse, paste, cursor. */
void expect_restored(struct terminal *t);

#endif
