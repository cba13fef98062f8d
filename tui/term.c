/*
 * Starting and ending curses. newterm, because initscr ends the program when it fails; signal
 * handlers before it, so that ncurses leaves them alone (its own loses resizes). Modes that curses
 * doesn't know (bracketed paste) are switched here, on every way in and out.
 */
#include "tui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "dump/base/utf8.h"
#include "tui/input.h"
#include "tui/outside.h"
#include "tui/restore.h"
#include "tui/signals.h"
#include "tui/terminfo.h"
#include "tui/theme.h"

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";
static const char drag_on[] = "\033[?1002h", drag_off[] = "\033[?1002l";
static const char mouse_off[] = "\033[?1006l\033[?1003l\033[?1002l\033[?1000l";

static const mmask_t mouse_wanted = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED |
                                    BUTTON4_PRESSED | BUTTON5_PRESSED | REPORT_MOUSE_POSITION;

static SCREEN *screen;
static FILE *tty_in, *tty_out;   /* opened here; NULL: standard input and output */
static int fd = -1;
static bool is_on, modern, mouse_is_on;

static bool has(const char *capability)
{
	const char *text = tigetstr(capability);

	return text && text != (const char *)-1;
}

enum term_kind term_kind(void)
{
	const char *name = getenv("TERM");
	enum term_kind kind = TERM_DUMB;
	int found;

	if (!name || !*name || !strcmp(name, "dumb"))
		return TERM_DUMB;
	if (setupterm(NULL, STDOUT_FILENO, &found) == ERR) {
		if (found == 1)
			return TERM_DUMB;
		if (!terminfo_lend(name) || setupterm(NULL, STDOUT_FILENO, &found) == ERR)
			return TERM_UNKNOWN;
	}
	if (has("cup") && has("clear"))
		kind = TERM_FULL;
	del_curterm(set_curterm(NULL));
	return kind;
}

/* Past curses. A terminal that takes no more bytes loses the rest. */
static void put_text(const char *bytes, size_t len)
{
	while (len) {
		ssize_t written = write(fd, bytes, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		bytes += written;
		len -= (size_t)written;
	}
}

/* Sequences that only some terminals know. */
static void put_bytes(const char *bytes)
{
	if (modern)
		put_text(bytes, strlen(bytes));
}

/* Escape sequences without padding: terminfo's "$<5>" is for slow terminals of old. */
static void put_capability(struct str *out, const char *capability)
{
	const char *text = has(capability) ? tigetstr(capability) : "";

	while (*text) {
		size_t n = strcspn(text, "$");

		str_put(out, text, n);
		text += n;
		if (text[0] == '$' && text[1] == '<' && strchr(text, '>'))
			text = strchr(text, '>') + 1;
		else if (*text)
			str_putc(out, *text++);
	}
}

static void prepare_restore(void)
{
	struct str bytes = {0};

	put_capability(&bytes, "rmkx");
	if (modern) {
		str_puts(&bytes, paste_off);
		str_puts(&bytes, mouse_off);
	}
	put_capability(&bytes, "sgr0");
	put_capability(&bytes, "cnorm");
	put_capability(&bytes, "rmcup");
	restore_arm(str_text(&bytes));
	str_release(&bytes);
}

static bool open_tty(struct err *err)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		fd = STDIN_FILENO;
		return true;
	}
	tty_in = fopen("/dev/tty", "r");
	tty_out = fopen("/dev/tty", "w");
	if (!tty_in || !tty_out)
		return err_at(err, ERR_IO, "/dev/tty", 0, "no terminal: %s", strerror(errno));
	fd = fileno(tty_in);
	return true;
}

static void close_tty(void)
{
	if (tty_in)
		fclose(tty_in);
	if (tty_out)
		fclose(tty_out);
	tty_in = tty_out = NULL;
}

/* So much of a larger terminal is used: ncurses crashes on lines of tens of thousands of cells. */
enum { MAX_ROWS = 1000, MAX_COLS = 1000 };

static int at_most(int n, int most)
{
	return n < most ? n : most;
}

static bool terminal_has_size(struct winsize *size)
{
	return ioctl(fd, TIOCGWINSZ, size) == 0 && size->ws_row && size->ws_col;
}

static bool is_vast(const char *variable)
{
	const char *set = getenv(variable);

	return set && strtol(set, NULL, 10) > at_most(MAX_ROWS, MAX_COLS);
}

/* Of a vast terminal newterm takes the size that terminfo has, and term_size corrects it. */
static void begin_small(void)
{
	struct winsize size = {0};

	if ((terminal_has_size(&size) && (size.ws_row > MAX_ROWS || size.ws_col > MAX_COLS)) ||
	    is_vast("LINES") || is_vast("COLUMNS"))
		use_env(FALSE);
}

bool term_open(bool colour, struct err *err)
{
	const char *name = getenv("TERM");

	if (term_kind() != TERM_FULL)
		return err_at(err, ERR_MISSING, "TERM", 0,
		              "TERM=\"%s\" names no terminal that a screen can be drawn on; "
		              "try --ui=line", name ? name : "");
	if (!open_tty(err))
		return false;
	restore_save(fd);
	restore_thread();
	signals_start();
	begin_small();
	screen = newterm(NULL, tty_out ? tty_out : stdout, tty_in ? tty_in : stdin);
	if (!screen) {
		signals_stop();
		restore_thread_end();
		close_tty();
		return err_at(err, ERR_IO, "TERM", 0,
		              "the terminal can't be set up; try --ui=line");
	}
	is_on = true;
	modern = has("kmous");
	atexit(term_close);
	raw();
	noecho();
	nonl();
	theme_start(colour);
	input_start(fd);
	prepare_restore();
	put_bytes(paste_on);
	return true;
}

static void leave_screen(void)
{
	struct str bytes = {0};

	put_bytes(paste_off);
	if (mouse_is_on) {
		put_bytes(drag_off);
		mousemask(0, NULL);
	}
	endwin();
	/* Where the prompt comes, unless the terminal puts back what was there before. */
	if (!has("rmcup")) {
		put_capability(&bytes, "el");
		put_text(str_text(&bytes), bytes.len);
	}
	str_release(&bytes);
}

static void enter_screen(void)
{
	refresh();
	if (mouse_is_on)
		term_mouse(true);
	put_bytes(paste_on);
	term_repaint();
}

void term_close(void)
{
	if (!is_on)
		return;
	is_on = false;
	leave_screen();
	restore_disarm();
	input_stop();
	delscreen(screen);
	signals_stop();
	restore_thread_end();
	close_tty();
}

void term_size(int *rows, int *cols)
{
	struct winsize size;

	*rows = at_most(LINES, MAX_ROWS);
	*cols = at_most(COLS, MAX_COLS);
	if (terminal_has_size(&size)) {
		*rows = at_most(size.ws_row, MAX_ROWS);
		*cols = at_most(size.ws_col, MAX_COLS);
	}
	if (*rows != LINES || *cols != COLS)
		resizeterm(*rows, *cols);
}

void term_mouse(bool on)
{
	mouse_is_on = on;
	mouseinterval(0);
	if (!on)
		put_bytes(drag_off);
	mousemask(on ? mouse_wanted : 0, NULL);
	if (on)
		put_bytes(drag_on);
}

static void put_base64(struct str *out, const char *text, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		unsigned bits = 0;

		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (k < n ? (unsigned char)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			str_putc(out, k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
	}
}

bool term_copy(const char *text, size_t len)
{
	struct str bytes = {0};

	str_puts(&bytes, "\033]52;c;");
	put_base64(&bytes, text, len);
	str_puts(&bytes, "\a");
	put_bytes(bytes.text);
	str_release(&bytes);
	return modern;
}

void term_escape_delay(int ms)
{
	set_escdelay(ms);
}

void term_repaint(void)
{
	clearok(curscr, TRUE);
}

/* Any other signal than a new size ends it too, and is heard once we are back. */
static void await_key(void)
{
	struct pollfd fds[] = { { .fd = fd, .events = POLLIN },
	                        { .fd = signals_fd(), .events = POLLIN } };
	int number = SIGWINCH;
	char key[64];

	while (number == SIGWINCH || number == SIGCONT) {
		if (poll(fds, 2, -1) < 0 && errno == EINTR)
			continue;
		number = fds[1].revents ? signals_take() : 0;
	}
	if (number)
		raise(number);
	else if (read(fd, key, sizeof key) < 0)
		return;          /* a terminal that has gone: curses will see */
}

/* What was typed before it had ended is not meant for us. */
static void ask_for_key(const struct str *why)
{
	struct str text = {0};

	reset_prog_mode();
	tcflush(fd, TCIFLUSH);
	str_fmt(&text, "\r\n[%s%sany key leads back] ", str_text(why),
	        why->len ? "; " : "");
	put_text(text.text, text.len);
	await_key();
	put_text("\r\n", 2);
	str_release(&text);
}

bool term_lend(const char *line, struct str *why)
{
	struct str said = {0};
	bool ok;

	leave_screen();
	restore_disarm();
	if (*line) {
		str_putc(&said, '!');
		utf8_escape(&said, line, strlen(line));
		str_putc(&said, '\n');
		put_text(said.text, said.len);
		str_release(&said);
	}
	signals_pause();
	ok = outside_run(line, fd, why);
	signals_resume();
	if (*line)
		ask_for_key(why);
	enter_screen();
	prepare_restore();
	return ok;
}

bool term_suspend(void)
{
	struct sigaction stop = { .sa_handler = SIG_DFL }, ours;

	if (!signals_may_stop())
		return false;
	leave_screen();
	restore_disarm();
	sigaction(SIGTSTP, &stop, &ours);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	enter_screen();
	prepare_restore();
	return true;
}
