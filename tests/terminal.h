#ifndef TESTS_TERMINAL_H
#define TESTS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A program in a pseudo-terminal, with a screen kept by libvterm: what a person would see, as
 * cells. Tests wait instead of looking once, as text and the move of the cursor may come in two
 * reads. Every wait reads until its condition holds, or until the deadline of a minute; then it
 * prints what it waited for and the screen to standard error and returns false. That something is
 * absent is known only after something else has come. Rows and columns count from 0.
 *
 * On a busy machine a state that passes is often not seen. Two variables of the environment show
 * the tests that wait for one. With TERMINAL_SETTLE_MS=300 a wait ends only when its
 * condition has held for so long. With TERMINAL_JITTER_MS=50 reads and writes come up to
 * so much later, and reads bring a piece of a frame. TERMINAL_DEADLINE_MS is another deadline.
 */
struct terminal;

/*
 * Starts argv[0] (looked up in PATH) on a screen of this size; ours in tfdbg's style, unless an
 * argument says --screen=STYLE. env: "NAME=value" sets, "NAME"
 * unsets, NULL ends; env may be NULL. TERM is xterm-256color unless env says otherwise. dir: where
 * it runs; NULL: here. NULL if there is no pseudo-terminal.
 */
struct terminal *terminal_start(const char *const *argv, const char *const *env, const char *dir,
                                int rows, int cols);
void terminal_free(struct terminal *t);         /* kills the program if it still runs */

/* Input, as the terminal would send it in its present mode. */
enum terminal_key {
	TKEY_ENTER, TKEY_TAB, TKEY_BACKTAB, TKEY_BACKSPACE, TKEY_ESCAPE, TKEY_UP, TKEY_DOWN,
	TKEY_LEFT, TKEY_RIGHT, TKEY_INSERT, TKEY_DELETE, TKEY_HOME, TKEY_END, TKEY_PAGE_UP,
	TKEY_PAGE_DOWN,
	TKEY_F0 = 0x100,         /* TKEY_F0 + n is Fn */
};
void terminal_type(struct terminal *t, const char *text); /* bytes as they are: "\x03" is Ctrl-C */
void terminal_press(struct terminal *t, enum terminal_key key);
void terminal_enter(struct terminal *t, const char *line);      /* text, then Enter */
/* bracketed, if the program asked for that */
void terminal_paste(struct terminal *t, const char *text);
/* Buttons 1 to 3, wheel up 4, down 5. Sends nothing unless the program asked for mouse reports. */
void terminal_mouse(struct terminal *t, int row, int col, int button, bool down);
void terminal_click(struct terminal *t, int row, int col);
void terminal_resize(struct terminal *t, int rows, int cols);
/*
 * The program only: what it draws is kept on a screen of the old size (libvterm 0.1.4 may crash
 * when its own changes).
 */
void terminal_tell_size(struct terminal *t, int rows, int cols);
void terminal_signal(struct terminal *t, int signal_number);
/* From now on the program gets no more memory. */
void terminal_starve(struct terminal *t);

/* Waiting. */
typedef bool terminal_test(struct terminal *t, const void *ctx);
bool terminal_wait(struct terminal *t, terminal_test *holds, const void *ctx);
bool terminal_wait_text(struct terminal *t, const char *text);           /* in one row */
bool terminal_wait_row(struct terminal *t, int row, const char *text);   /* somewhere in this row */
bool terminal_wait_gone(struct terminal *t, const char *text);
bool terminal_wait_cursor(struct terminal *t, int row, int col);
/* Reads until nothing comes for a moment. */
void terminal_drain(struct terminal *t);
/* What the program is doing, as the kernel tells: "State: S (sleeping) SigBlk: 00f0 ...". */
struct str;
void terminal_put_state(struct terminal *t, struct str *out);
/* As terminal_wait, in silence: no screen is printed. */
bool terminal_comes_to(struct terminal *t, terminal_test *holds, const void *ctx);
/* Waits for the end in silence. */
bool terminal_ended(struct terminal *t, int *status);
/* The program has ended and all it wrote is on the screen. *status as of waitpid; may be NULL. */
bool terminal_wait_end(struct terminal *t, int *status);

/* The screen as it is now. */
struct terminal_cell {
	char text[32];           /* UTF-8, combining characters included; "" for an empty cell */
	int width;               /* 2: a wide character, the next cell is its other half */
	int fg, bg;              /* 0 to 255; -1: the default; -2: a colour of its own */
	bool bold, underline, blink, reverse;
};
/* right blanks cut; good until the next call */
const char *terminal_row(struct terminal *t, int row);
/* the first; both may be NULL */
bool terminal_find(struct terminal *t, const char *text, int *row, int *col);
struct terminal_cell terminal_cell(struct terminal *t, int row, int col);
void terminal_cell_rgb(struct terminal *t, int row, int col, uint8_t fg[3], uint8_t bg[3]);
void terminal_cursor(struct terminal *t, int *row, int *col);
void terminal_size(struct terminal *t, int *rows, int *cols);
bool terminal_cursor_shown(struct terminal *t);
bool terminal_alternate(struct terminal *t);                    /* on the alternate screen */
bool terminal_wants_mouse(struct terminal *t);

/* Every byte the program wrote so far. */
const char *terminal_bytes(struct terminal *t, size_t *len);
/* The terminal's settings (termios) are those it was started with. */
bool terminal_settings_kept(struct terminal *t);

#endif
