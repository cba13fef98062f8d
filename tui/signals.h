#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <stdbool.h>

/*
 * Signals as numbers in a pipe: SIGINT SIGTERM SIGQUIT SIGHUP SIGWINCH SIGTSTP SIGCONT, and all
 * that end a program by default and mean no bug (SIGUSR1, SIGALRM, SIGXCPU ...). SIGPIPE is
 * ignored. Called before newterm, which then leaves SIGWINCH and the others alone.
 */
void signals_start(void);
void signals_stop(void);                                 /* the actions from before */
/* The same for a while; SIGPIPE stays ignored. */
void signals_pause(void);
void signals_resume(void);
/* Does stopping mean something to whoever started us? While they are started. */
bool signals_may_stop(void);
int signals_fd(void);                                    /* readable when there is one */
int signals_take(void);                                  /* the next one, 0: none */

#endif
