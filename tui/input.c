/*
 * From bytes to events. curses decodes what terminfo knows; the common sequences that an entry may
 * lack are added with define_key. Keys are read from a pad: reading from a window would refresh it.
 * A lone ESC is a key when nothing follows within curses' delay. With a character behind it, it is
 * one event that is either Alt and that character or two keys; a sequence that nobody knows is one
 * key with all of its bytes, up to its final byte or to one that can't be part of it.
 */
#include "tui/input.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>

#include "tui/keys.h"
#include "tui/signals.h"

enum { CODE_PASTE_BEGIN = KEY_MAX + 1, CODE_PASTE_END, CODE_REPORT };
enum { REST_WAIT_MS = 1000, MAX_PASTE = 1 << 20, MAX_SEQUENCE = 1024, MAX_CELL = 1 << 15 };

/* What a curses code is to us, and the bytes that readline knows it by. */
static const struct code { int code, key; const char *bytes; } codes[] = {
	{ KEY_UP, K_UP, "\033[A" }, { KEY_DOWN, K_DOWN, "\033[B" },
	{ KEY_RIGHT, K_RIGHT, "\033[C" }, { KEY_LEFT, K_LEFT, "\033[D" },
	{ KEY_HOME, K_HOME, "\033[H" }, { KEY_END, K_END, "\033[F" }, { KEY_PPAGE, K_PAGE_UP, "" },
	{ KEY_NPAGE, K_PAGE_DOWN, "" }, { KEY_IC, K_INSERT, "" }, { KEY_DC, K_DELETE, "\033[3~" },
	{ KEY_BACKSPACE, K_BACKSPACE, "\177" }, { KEY_ENTER, K_ENTER, "\r" },
	{ KEY_BTAB, K_BACKTAB, "" }, { KEY_SR, K_SHIFT_UP, "" }, { KEY_SF, K_SHIFT_DOWN, "" },
	{ KEY_F(15), K_SHIFT_F3, "" },
};

static const struct { const char *bytes; int code; } sequences[] = {
	{ "\033[A", KEY_UP }, { "\033[B", KEY_DOWN }, { "\033[C", KEY_RIGHT },
	{ "\033[D", KEY_LEFT }, { "\033OA", KEY_UP }, { "\033OB", KEY_DOWN },
	{ "\033OC", KEY_RIGHT }, { "\033OD", KEY_LEFT }, { "\033[H", KEY_HOME },
	{ "\033[F", KEY_END }, { "\033OH", KEY_HOME }, { "\033OF", KEY_END },
	{ "\033[1~", KEY_HOME }, { "\033[4~", KEY_END }, { "\033[2~", KEY_IC },
	{ "\033[3~", KEY_DC }, { "\033[5~", KEY_PPAGE }, { "\033[6~", KEY_NPAGE },
	{ "\033[Z", KEY_BTAB }, { "\033[1;2A", KEY_SR }, { "\033[1;2B", KEY_SF },
	{ "\033[1;2R", KEY_F(15) }, { "\033[25~", KEY_F(15) }, { "\033[21~", KEY_F(10) },
	{ "\033[200~", CODE_PASTE_BEGIN }, { "\033[201~", CODE_PASTE_END },
	{ "\033[<", CODE_REPORT },
};

static WINDOW *pad;
static int tty = -1;

void input_start(int tty_fd)
{
	tty = tty_fd;
	pad = newpad(1, 1);
	keypad(pad, TRUE);
	nodelay(pad, TRUE);
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
		define_key(sequences[i].bytes, sequences[i].code);
}

void input_stop(void)
{
	delwin(pad);
	pad = NULL;
}

/* True with a character, or with a code if *is_code. */
static bool read_key(wint_t *c, bool *is_code)
{
	int result = wget_wch(pad, c);

	*is_code = result == KEY_CODE_YES;
	return result != ERR;
}

static bool mouse_event(struct event *ev)
{
	static const struct { mmask_t mask; enum mouse_kind kind; } kinds[] = {
		{ BUTTON1_CLICKED, MOUSE_CLICK }, { BUTTON1_PRESSED, MOUSE_PRESS },
		{ BUTTON1_RELEASED, MOUSE_RELEASE }, { BUTTON4_PRESSED, MOUSE_WHEEL_UP },
		{ BUTTON5_PRESSED, MOUSE_WHEEL_DOWN },
		{ REPORT_MOUSE_POSITION, MOUSE_DRAG },
	};
	MEVENT report;

	if (getmouse(&report) == ERR)
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (report.bstate & kinds[i].mask) {
			*ev = (struct event){ .kind = EVENT_MOUSE, .text = ev->text,
			                      .mouse = kinds[i].kind, .row = report.y,
			                      .col = report.x };
			return true;
		}
	return false;
}

static bool wait_for_tty(int timeout_ms)
{
	struct pollfd pfd = { .fd = tty, .events = POLLIN };

	return poll(&pfd, 1, timeout_ms) > 0 && !(pfd.revents & (POLLHUP | POLLERR));
}

/* More of what has begun; false after a pause: a terminal that loses the rest must not hang us. */
static bool read_on(wint_t *c, bool *is_code)
{
	while (!read_key(c, is_code))
		if (!wait_for_tty(REST_WAIT_MS))
			return false;
	return true;
}

/* Up to the closing marker. */
static bool paste_event(struct event *ev)
{
	wint_t c;
	bool is_code;

	while (read_on(&c, &is_code) && !(is_code && c == CODE_PASTE_END)) {
		if (is_code || ev->text.len >= MAX_PASTE)
			continue;
		if (c < ' ' || c == 0x7f)
			c = ' ';
		key_put(&ev->text, (unsigned)c);
	}
	ev->kind = EVENT_PASTE;
	return ev->text.len > 0;
}

static bool is_within(wint_t c, wint_t first, wint_t last)
{
	return c >= first && c <= last;
}

/* Of the left button and the wheel; a drag and a release are those of a press that was told. */
static bool report_kind(int button, bool released, enum mouse_kind *kind)
{
	enum { MODIFIERS = 4 | 8 | 16, MOVED = 32, WHEEL_UP = 64, WHEEL_DOWN = 65 };
	static bool down;
	bool was_down = down;

	switch (button & ~MODIFIERS) {
	case 0:
		*kind = released ? MOUSE_RELEASE : MOUSE_PRESS;
		down = !released;
		return was_down || !released;
	case MOVED:
		*kind = MOUSE_DRAG;
		return down && !released;
	case WHEEL_UP:
	case WHEEL_DOWN:
		*kind = (button & ~MODIFIERS) == WHEEL_UP ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
		return !released;
	}
	return false;
}

/*
 * The rest of a report of the mouse: "button;column;row" and M, or m for a release. curses would
 * wait for it for ever and hear no signal.
 */
static bool report_event(struct event *ev)
{
	int number[3] = {0};
	size_t n = 0;
	wint_t c = ' ';
	bool is_code = false;

	while (read_on(&c, &is_code) && !is_code && is_within(c, ' ', '?')) {
		if (c == ';')
			n++;
		else if (n < 3 && is_within(c, '0', '9') && number[n] < MAX_CELL)
			number[n] = number[n] * 10 + (int)(c - '0');
		else
			n = 3;
	}
	if (is_code)
		ungetch((int)c);
	else if (!is_within(c, ' ', '~'))
		unget_wch((wchar_t)c);
	if (n != 2 || is_code || (c != 'M' && c != 'm') ||
	    !report_kind(number[0], c == 'm', &ev->mouse))
		return false;
	ev->kind = EVENT_MOUSE;
	ev->row = number[2] ? number[2] - 1 : 0;
	ev->col = number[1] ? number[1] - 1 : 0;
	return true;
}

static bool code_event(struct event *ev, int code)
{
	char *bytes;

	if (code == KEY_MOUSE)
		return mouse_event(ev);
	if (code == CODE_PASTE_BEGIN)
		return paste_event(ev);
	if (code == CODE_REPORT)
		return report_event(ev);
	if (code == KEY_RESIZE || code == CODE_PASTE_END)
		return false;
	ev->kind = EVENT_KEY;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].code == code) {
			ev->key = codes[i].key;
			str_puts(&ev->text, codes[i].bytes);
			return true;
		}
	if (code >= KEY_F(1) && code <= KEY_F(12)) {
		ev->key = K_F(code - KEY_F0);
		return true;
	}
	bytes = keybound(code, 0);
	ev->key = K_META;
	str_puts(&ev->text, bytes ? bytes : "");
	free(bytes);
	return true;
}

static int key_of(wint_t c)
{
	return c == '\n' ? K_ENTER : c == K_CTRL('H') ? K_BACKSPACE : (int)c;
}

/* A code, or what can't belong to a sequence that was begun. */
static bool ends_sequence(wint_t c, bool is_code)
{
	return is_code || c < ' ' || c == K_BACKSPACE;
}

/* After ESC: what belongs to it is already there. */
static void escape_event(struct event *ev)
{
	wint_t c;
	bool is_code, in_sequence = false;

	ev->key = K_ESC;
	str_putc(&ev->text, '\033');
	for (int i = 0; i < MAX_SEQUENCE && read_key(&c, &is_code); i++) {
		if (!i && is_code && c == KEY_BACKSPACE) {
			c = K_BACKSPACE;
		} else if (i ? ends_sequence(c, is_code) : is_code) {
			is_code ? ungetch((int)c) : unget_wch((wchar_t)c);
			break;
		}
		ev->key = K_META;
		ev->after = i ? 0 : key_of(c);
		key_put(&ev->text, (unsigned)c);
		if (i == 0)
			in_sequence = c == '[' || c == 'O';
		else if (c >= 0x40 && c <= 0x7e)
			in_sequence = false;
		if (!in_sequence)
			break;
	}
}

static bool char_event(struct event *ev, wint_t c)
{
	ev->kind = EVENT_KEY;
	if (c == K_ESC) {
		escape_event(ev);
		return true;
	}
	ev->key = key_of(c);
	key_put(&ev->text, (unsigned)ev->key);
	return true;
}

/*
 * The next that means something. What doesn't may have handed back the key behind it; curses gives
 * that when it is asked again, and poll knows nothing of it.
 */
static bool key_event(struct event *ev)
{
	wint_t c;
	bool is_code, found = false;

	while (!found && read_key(&c, &is_code))
		found = is_code ? code_event(ev, (int)c) : char_event(ev, c);
	return found;
}

static bool signal_event(struct event *ev)
{
	switch (ev->signal = signals_take()) {
	case 0:
		return false;
	case SIGWINCH:
		ev->kind = EVENT_RESIZE;
		return true;
	case SIGINT:
		ev->kind = EVENT_INTERRUPT;
		return true;
	case SIGTSTP:
		ev->kind = EVENT_SUSPEND;
		return true;
	case SIGCONT:
		ev->kind = EVENT_REPAINT;
		return true;
	default:
		ev->kind = EVENT_END;
		return true;
	}
}

void input_next(struct event *ev, int wake_fd, int other_fd, int timeout_ms)
{
	struct pollfd fds[] = { { .fd = tty, .events = POLLIN },
	                        { .fd = signals_fd(), .events = POLLIN },
	                        { .fd = wake_fd, .events = POLLIN },
	                        { .fd = other_fd, .events = POLLIN } };

	*ev = (struct event){ .text = ev->text };
	str_reset(&ev->text);
	if (signal_event(ev) || key_event(ev))
		return;
	ev->kind = EVENT_NONE;
	if (poll(fds, 4, timeout_ms) < 0 && errno != EINTR)
		return;
	if (signal_event(ev))
		return;
	if ((fds[2].revents | fds[3].revents) & POLLIN) {
		ev->kind = EVENT_WAKE;
	} else if (fds[0].revents & POLLIN) {
		if (!key_event(ev) && fds[0].revents & POLLHUP)
			*ev = (struct event){ .kind = EVENT_END, .text = ev->text,
			                      .signal = SIGHUP };
	} else if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
		ev->kind = EVENT_END;
		ev->signal = SIGHUP;
	}
}
