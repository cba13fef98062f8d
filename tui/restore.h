#ifndef TUI_RESTORE_H
#define TUI_RESTORE_H

/*
 * The terminal as it was, whatever happens: what a crash needs is prepared while all is well.
 * Signals that end a program get a handler on a stack of its own that puts the terminal back and
 * dies by the same signal, unless someone else handles them (tui/signals.h those that mean no bug).
 * Those that mean a bug are taken from whoever has them, a sanitizer for one.
 */
void restore_save(int fd);  /* before curses or readline: keeps the terminal's settings */
/* They are on; bytes end what they began. Copied, cut at 255 */
void restore_arm(const char *bytes);
void restore_catch(int number);          /* while armed this one too, whoever handles it */
void restore_disarm(void);                               /* curses is off again by itself */
void restore_thread(void);                               /* a crash stack for the calling thread */
void restore_thread_end(void);
void restore_now(void);  /* any thread, also in a signal handler; once */

#endif
