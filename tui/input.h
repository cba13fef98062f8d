#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include "dump/base/str.h"

/* What comes from the terminal, as events. Main thread only. */

enum event_kind {
	EVENT_NONE,              /* time is over */
	EVENT_KEY, EVENT_PASTE, EVENT_MOUSE, EVENT_RESIZE, EVENT_REPAINT,
	EVENT_WAKE,              /* wake_fd or other_fd is readable */
	EVENT_INTERRUPT,         /* SIGINT from outside */
	EVENT_SUSPEND,           /* SIGTSTP from outside */
	EVENT_END,               /* SIGTERM and its like: leave, then raise `signal` again */
};
enum mouse_kind {
	MOUSE_PRESS, MOUSE_RELEASE,
	MOUSE_CLICK,                     /* press and release at once */
	MOUSE_DRAG,                      /* moved with the button down */
	MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN,
};

struct event {
	enum event_kind kind;
	int key;                 /* tui/keys.h */
	int after;               /* K_META: Esc and this key, which came with it; 0: one sequence */
	/* key: its bytes for the line editor; paste: the text, line ends made blanks */
	struct str text;
	enum mouse_kind mouse;
	int row, col;
	int signal;
};

void input_start(int tty_fd);  /* for tui/term.c: after newterm, before endwin */
void input_stop(void);

/*
 * Waits for the next event, at most timeout_ms (-1: for ever). Two descriptors wake it, -1: none.
 * ev->text is reused from call to call.
 */
void input_next(struct event *ev, int wake_fd, int other_fd, int timeout_ms);

#endif
