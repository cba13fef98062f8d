#ifndef TESTS_ON_SCREEN_H
#define TESTS_ON_SCREEN_H

#include "tests/terminal.h"

/* The program on a screen, with a home of its own: the fixture of the suites that look at it. */
extern char *home;
void make_home(void);
void remove_home(void);

/* Runs in dir, NULL: here; args and env end with NULL, env may be NULL. */
struct terminal *start_in(const char *dir, const char *const *args, const char *const *env, int rows,
                          int cols);
/* Ends with this status, as of waitpid, and leaves the terminal as it was. Frees t. */
void expect_end(struct terminal *t, int wanted);
/* Leaves from the prompt, or from the view or the prompt by F10; the status is 0. */
void leave_by_exit(struct terminal *t);
void leave_by_key(struct terminal *t);
/* The terminal is as it was: settings, screen, mouse, paste, cursor. */
void expect_restored(struct terminal *t);

#endif
